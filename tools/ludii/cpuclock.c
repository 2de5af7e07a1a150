// Preloaded into a JVM, the clock that it tells the time of day by runs by the processor time of the process, so that a
// busy machine changes how long a match takes and not how much anybody thinks. Built by `duel`.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SOME_DAY 1700000000

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (clock != CLOCK_REALTIME) return syscall(SYS_clock_gettime, clock, now);
  int failed = syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, now);
  now->tv_sec += SOME_DAY;
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec fine;
  (void)zone;
  int failed = clock_gettime(CLOCK_REALTIME, &fine);
  now->tv_sec = fine.tv_sec;
  now->tv_usec = fine.tv_nsec / 1000;
  return failed;
}
