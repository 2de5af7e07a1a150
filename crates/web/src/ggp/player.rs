//! One player for all managers: finds the match a message is about and guards its clock.

use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::time::{Duration, Instant};

use ludex_lang::kif::Strictness;
use ludex_play::spec::{AgentSpec, AutoSettings};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::{sleep_until, timeout_at};

use super::keeper::{Keeper, REFUSAL, Task};
use super::margin::{Deadlines, Margin};
use super::message::{Glance, glance, read_rules};
use super::thinker::{Asked, Reply};
use super::workshop::{Claim, Workshop};
use crate::server::{Arrival, give_way};

/// Clocks longer than this are not used to the full.
const LONGEST_CLOCK: u64 = 3600;

/// How often to look how late the machine wakes us up: during matches, and otherwise.
const PULSE: Duration = Duration::from_millis(40);
const SLOW_PULSE: Duration = Duration::from_millis(500);

/// How a player plays.
pub struct Settings {
    /// The name it gives.
    pub name: String,
    /// Who chooses its moves.
    pub agent: AgentSpec,
    /// Most simulations for a move; the clock alone decides where there is no limit.
    pub simulations: Option<u64>,
    /// Part of every clock that is always kept for the way there and back; more is where it was seen to be
    /// needed.
    pub margin: Duration,
    /// Whether it thinks while others do.
    pub ponder: bool,
    /// Matches played at once. One more, and the oldest is given up: its manager is gone.
    pub matches: usize,
    /// What to do with rules that break a restriction.
    pub strictness: Strictness,
    /// The seed of everything random.
    pub seed: u64,
    /// Takes what is wrong with rules, for people to read.
    pub log: Box<dyn Fn(&str) + Send + Sync>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            name: "ludex".to_owned(),
            agent: AgentSpec::Auto(AutoSettings::default()),
            simulations: None,
            margin: Duration::from_millis(200),
            ponder: false,
            matches: 1,
            strictness: Strictness::Strict,
            seed: 1,
            log: Box::new(|_| {}),
        }
    }
}

/// A player that can be asked from many sides at once.
pub struct GgpPlayer {
    settings: Arc<Settings>,
    /// The matches under way, the newest last.
    matches: Mutex<Vec<Match>>,
    workshop: Workshop,
    /// Keeps a game that was shown before its match from being thrown away.
    shown: Mutex<Option<Claim>>,
    margin: Margin,
    pulse: Once,
}

struct Match {
    id: String,
    play_clock: Duration,
    keeper: Keeper,
}

impl GgpPlayer {
    /// A player without a match.
    pub fn new(settings: Settings) -> Self {
        GgpPlayer {
            margin: Margin::new(settings.margin),
            settings: Arc::new(settings),
            matches: Mutex::default(),
            workshop: Workshop::default(),
            shown: Mutex::default(),
            pulse: Once::new(),
        }
    }

    /// The answer to a message, in time for the clock that runs since it arrived.
    pub async fn answer(self: &Arc<Self>, message: String, arrival: Arrival) -> String {
        self.pulse.call_once(|| drop(tokio::spawn(pulse(Arc::downgrade(self)))));
        match glance(&message) {
            Some(Glance::Info) => self.info(),
            Some(Glance::Preview { clock }) => self.preview(message, seconds(clock), arrival).await,
            Some(Glance::Start { id, role, start_clock, play_clock }) => {
                let (id, role) = (id.to_owned(), role.to_owned());
                let clocks = [start_clock, play_clock].map(seconds);
                self.start(id, role, clocks, message, arrival).await
            }
            Some(Glance::Play { id }) => {
                let id = id.to_owned();
                self.play(&id, message, arrival).await
            }
            Some(Glance::Stop { id }) => self.end(id, "done"),
            Some(Glance::Abort { id }) => self.end(id, "aborted"),
            None => "unreadable".to_owned(),
        }
    }

    fn matches(&self) -> MutexGuard<'_, Vec<Match>> {
        // A panic in one match must not end all others.
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn info(&self) -> String {
        let busy = self.matches().len() >= self.settings.matches;
        let status = if busy { "busy" } else { "available" };
        format!("( ( name {} ) ( status {status} ) )", self.settings.name)
    }

    /// Begins to compile, so that a match of the same rules has its game at once.
    async fn preview(&self, message: String, clock: Duration, arrival: Arrival) -> String {
        let (strictness, workshop) = (self.settings.strictness, self.workshop.clone());
        let order = tokio::task::spawn_blocking(move || {
            give_way();
            let rules = Arc::new(read_rules(&message, strictness).ok()?);
            Some(workshop.order(&rules, Box::new(|_| {})))
        });
        let until = self.deadlines(clock.max(Duration::from_secs(1)), arrival).answer;
        match timeout_at(until.into(), order).await {
            Ok(Ok(Some(claim))) => {
                *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Some(claim);
                "ready".to_owned()
            }
            _ => REFUSAL.to_owned(),
        }
    }

    /// Ends a match. Whatever was made for it is not made any further.
    fn end(&self, id: &str, reply: &str) -> String {
        let ended: Vec<Match> = self.matches().extract_if(.., |one| one.id == id).collect();
        match ended.is_empty() {
            false => reply.to_owned(),
            true => REFUSAL.to_owned(),
        }
    }

    /// Prepares a match and thinks about its beginning. Where there are too many, the oldest is given up:
    /// its manager is gone.
    async fn start(
        self: &Arc<Self>,
        id: String,
        role: String,
        [start_clock, play_clock]: [Duration; 2],
        message: String,
        arrival: Arrival,
    ) -> String {
        let deadlines = self.deadlines(start_clock, arrival);
        let (reply, replies) = mpsc::unbounded_channel();
        let task = Task {
            settings: self.settings.clone(),
            workshop: self.workshop.clone(),
            message,
            role,
            play_clock,
        };
        let given_up = {
            let mut matches = self.matches();
            let mut given_up: Vec<Match> = matches.extract_if(.., |one| one.id == id).collect();
            let more = (matches.len() + 1).saturating_sub(self.settings.matches.max(1));
            given_up.extend(matches.drain(..more));
            let asked = Asked { deadline: deadlines.think, reply };
            let Ok(keeper) = Keeper::start(task, asked) else { return REFUSAL.to_owned() };
            matches.push(Match { id: id.clone(), play_clock, keeper });
            given_up
        };
        drop(given_up);
        // Rules that take longer than the clock may yet be ready for the first move.
        let answer = self.guard(replies, deadlines).await.unwrap_or_else(|| "ready".to_owned());
        // The game that was shown has its match now, or another game has.
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).take();
        if answer == REFUSAL {
            self.end(&id, "");
        }
        answer
    }

    async fn play(&self, id: &str, message: String, arrival: Arrival) -> String {
        let (reply, replies) = mpsc::unbounded_channel();
        let deadlines = {
            let matches = self.matches();
            let Some(own) = matches.iter().find(|one| one.id == id) else {
                return REFUSAL.to_owned();
            };
            let deadlines = self.deadlines(own.play_clock, arrival);
            own.keeper.play(message, Asked { deadline: deadlines.think, reply });
            deadlines
        };
        // The most common move of those who have nothing to say.
        self.guard(replies, deadlines).await.unwrap_or_else(|| "noop".to_owned())
    }

    fn deadlines(&self, clock: Duration, arrival: Arrival) -> Deadlines {
        self.margin.deadlines(clock, arrival.at, arrival.round_trip)
    }

    /// Waits for the last word, or takes what was said by the deadline.
    async fn guard(
        &self,
        mut replies: UnboundedReceiver<Reply>,
        deadlines: Deadlines,
    ) -> Option<String> {
        let mut best = None;
        loop {
            match timeout_at(deadlines.answer.into(), replies.recv()).await {
                Ok(Some(Reply::SoFar(better))) => best = Some(better),
                Ok(Some(Reply::Final(last))) => return Some(last),
                Ok(None) => return best,
                Err(_) => {
                    self.margin.late_since(deadlines.answer);
                    return best;
                }
            }
        }
    }
}

fn seconds(clock: u64) -> Duration {
    Duration::from_secs(clock.min(LONGEST_CLOCK))
}

/// Measures how late the machine wakes us up.
async fn pulse(player: Weak<GgpPlayer>) {
    let mut period = PULSE;
    loop {
        let due = Instant::now() + period;
        sleep_until(due.into()).await;
        let Some(player) = player.upgrade() else { return };
        player.margin.late_since(due);
        period = if player.matches().is_empty() { SLOW_PULSE } else { PULSE };
    }
}
