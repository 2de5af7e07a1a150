"""Experiments as the command line runs them, on one machine or on those of a Ray cluster.

``python -m ludex.arena run FILE.toml`` is what ``ludex run FILE.toml --on ray`` starts.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
import time
import traceback
from typing import TYPE_CHECKING, Any

from . import _ludex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Path = str | os.PathLike[str]

#: A piece of work handed to a worker is meant to take so many seconds: long enough that handing it out costs nothing,
#: short enough that little is lost with a worker.
SECONDS = 20.0


def run(
    file: Path,
    *,
    engine: str = "threads",
    store: Path | None = None,
    games: int | None = None,
    simulations: int | None = None,
    threads: int = 1,
    rules: Path | None = None,
    shard: str | None = None,
    address: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Plays whatever of an experiment file its store does not have yet; gives how many matches that were.

    ``engine`` is ``"threads"`` (this machine) or ``"ray"`` (a cluster: the one at ``address``, or one that is started
    here). ``shard="3/16"`` plays one of several parts, whose stores `merge` joins. ``progress(done, planned)`` is called
    as work comes in, and ends the run if it raises. What is played depends on the experiment alone, not on how the work was cut.
    """
    if engine not in ("threads", "ray"):
        raise ValueError(f'there is no engine `{engine}`: "threads" or "ray"')
    if not os.path.exists(file):
        raise FileNotFoundError(f"there is no experiment {os.fspath(file)}")
    if address is not None and engine != "ray":
        raise ValueError('`address` is that of a cluster: say engine="ray"')
    if engine == "ray":
        if shard is not None:
            raise ValueError("a shard is for runs without a cluster")
        how = {"games": games, "simulations": simulations, "rules": _text(rules)}
        return _run_on_ray(os.fspath(file), _text(store), address, progress, how)
    return _ludex.run_experiment(
        os.fspath(file),
        store=_text(store),
        games=games,
        simulations=simulations,
        threads=threads,
        rules=_text(rules),
        shard=shard,
        progress=progress,
    )


def merge(store: Path, *parts: Path) -> tuple[int, int]:
    """Adds what other stores keep to ``store``; gives how many matches were new and how many were known.

    A match that both have must have gone the same way: otherwise `GameError`, and nothing of that part is added.
    """
    if not parts:
        raise ValueError("there are no stores to be added: name them after the one that they are added to")
    for part in parts:
        if not os.path.exists(part):
            raise FileNotFoundError(f"there is no store {os.fspath(part)}")
    return _ludex.merge(os.fspath(store), [os.fspath(part) for part in parts])


def report(store: Path, format: str = "text") -> str:
    """The tables of a store, as ``ludex report --format`` prints them: ``"text"``, ``"markdown"`` or ``"csv"``."""
    return _ludex.report(os.fspath(store), format)


def fingerprint(store: Path) -> list[str]:
    """Every match of a store as text, without when and how fast it was played: equal for equal experiments."""
    return _ludex.fingerprint(os.fspath(store))


def _text(path: Path | None) -> str | None:
    return None if path is None else os.fspath(path)


def _play(files: dict[str, bytes], name: str, jobs: list[tuple[int, int]], how: dict[str, Any]) -> tuple[bytes, float]:
    """A worker's part: plays matches into a store of its own and gives the store back, with how long it took."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for file, content in files.items():
            path = os.path.join(folder, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(content)
        store = os.path.join(folder, "part.sqlite")
        if how.get("rules") is not None:
            how = {**how, "rules": os.path.join(folder, _RULES)}
        _ludex.run_experiment(os.path.join(folder, name), store=store, jobs=jobs, **how)
        # Whoever opens it next finds all of it in one file.
        closed = os.path.join(folder, "closed.sqlite")
        _ludex.merge(closed, [store])
        _checkpoint(closed)
        with open(closed, "rb") as kept:
            return kept.read(), time.monotonic() - begun


def _checkpoint(path: str) -> None:
    import sqlite3

    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


#: Files that experiments name: rules, defines, features and evaluations, agents.
_ENDINGS = (".toml", ".lud", ".kif", ".def", ".txt", ".json", ".openings")
_MOST_FILES, _MOST_FOLDERS, _LARGEST = 500, 200, 1 << 20


def _luggage(file: str, rules: str | None) -> tuple[dict[str, bytes], str]:
    """An experiment with the files that it names and those beside it, for workers who have no such folder, and its own name among
    them. What it names by way of ``..`` lies as far above it there as here; rules that are looked for elsewhere lie in `_RULES`."""
    with open(file, "rb") as content:
        text = content.read()
    folder = os.path.dirname(os.path.abspath(file))
    words = set(re.findall(r"[^\s\"'(),=\[\]{}]+", text.decode(errors="replace")))
    named = {os.path.normpath(word) for word in words if not os.path.isabs(word)}
    above = max((word.split(os.sep).count(os.pardir) for word in named if os.path.exists(os.path.join(folder, word))), default=0)
    home = "/".join(f"folder{level}" for level in range(above)) or "."
    files: dict[str, bytes] = {}

    def take(path: str, place: str, endings: tuple[str, ...] = _ENDINGS) -> None:
        if len(files) < _MOST_FILES and path.endswith(endings) and os.path.getsize(path) < _LARGEST:
            with open(path, "rb") as content:
                files[os.path.normpath(place)] = content.read()

    def take_all(top: str, place: str) -> None:
        for _, (below, folders, names) in zip(range(_MOST_FOLDERS), os.walk(top)):
            folders.sort()
            for name in sorted(names):
                take(os.path.join(below, name), os.path.join(place, os.path.relpath(below, top), name))

    for word in sorted(named):
        path = os.path.join(folder, word)
        if os.path.isfile(path):
            take(path, os.path.join(home, word), ("",))
        elif os.path.isdir(path) and word.startswith(os.pardir):
            take_all(path, os.path.join(home, word))
    take_all(folder, home)
    for word in named if rules is not None else ():
        for name in (word, word + ".kif"):
            if os.path.isfile(os.path.join(rules or "", name)):
                take(os.path.join(rules or "", name), os.path.join(_RULES, name))
    name = os.path.normpath(os.path.join(home, os.path.basename(file)))
    files[name] = text
    return files, name


#: Where workers have the rules that are looked for elsewhere.
_RULES = "rules elsewhere"


def _run_on_ray(
    file: str,
    store: str | None,
    address: str | None,
    progress: Callable[[int, int], None] | None,
    how: dict[str, Any],
) -> int:
    """One writer, many workers: lost work is handed out again, and what comes twice is the same."""
    try:
        import ray
    except ImportError as error:
        raise ImportError('the engine "ray" needs Ray: pip install ".[ray]" in the repository') from error

    store = store or os.path.splitext(file)[0] + ".sqlite"
    missing = _ludex.missing_matches(file, store=store, **how)
    planned, done = len(missing), 0
    if not missing:
        return 0
    ours = not ray.is_initialized()
    if ours:
        ray.init(address=address, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        play = ray.remote(num_cpus=1, max_retries=-1)(_play)
        luggage, name = _luggage(file, how["rules"])
        files = ray.put(luggage)
        workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        pace, size = None, 1
        running: dict[Any, list[tuple[int, int]]] = {}
        with tempfile.TemporaryDirectory() as folder:
            while missing or running:
                # Two pieces a worker, so that none waits for the driver.
                while missing and len(running) < 2 * workers:
                    if pace:
                        # Near the end pieces grow smaller, so that nobody works long alone.
                        fair = len(missing) // (2 * workers) + 1
                        size = max(1, min(int(SECONDS / pace), fair))
                    jobs, missing = missing[:size], missing[size:]
                    running[play.remote(files, name, jobs, how)] = jobs
                ready, _ = ray.wait(list(running), num_returns=1)
                for piece in ready:
                    jobs = running.pop(piece)
                    try:
                        content, seconds = ray.get(piece)
                    except ray.exceptions.RayTaskError:
                        raise
                    except ray.exceptions.RayError:
                        missing = jobs + missing
                        continue
                    path = os.path.join(folder, "part.sqlite")
                    with open(path, "wb") as out:
                        out.write(content)
                    _ludex.merge(store, [path])
                    for ending in ("", "-wal", "-shm"):
                        if os.path.exists(path + ending):
                            os.remove(path + ending)
                    done += len(jobs)
                    pace = seconds / len(jobs) if pace is None else 0.7 * pace + 0.3 * seconds / len(jobs)
                    if progress is not None:
                        progress(done, planned)
        # A test that ends a cell early looks at its matches in order; it has them all only now.
        _ludex.missing_matches(file, store=store, **how)
    finally:
        if ours:
            ray.shutdown()
    return done


def _main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m ludex.arena", description="Experiments on a Ray cluster.")
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run", help="play what is missing of an experiment")
    one.add_argument("file")
    one.add_argument("--address", help="where the cluster is; one is started here if nothing is said")
    one.add_argument("--store")
    one.add_argument("--games", type=int)
    one.add_argument("--simulations", type=int)
    one.add_argument("--rules")
    given = parser.parse_args(arguments)

    def told(done: int, planned: int) -> None:
        width = shutil.get_terminal_size().columns
        print(f"\r{done} of {planned} matches"[:width], end="", file=sys.stderr, flush=True)

    try:
        run(
            given.file,
            engine="ray",
            store=given.store,
            games=given.games,
            simulations=given.simulations,
            rules=given.rules,
            address=given.address,
            progress=told,
        )
    except ImportError as error:
        print(error, file=sys.stderr)
        return 3
    except (_ludex.GameError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except Exception:
        # Python ends with 1 where there is no such package.
        traceback.print_exc()
        return 4
    print(file=sys.stderr)
    print(report(given.store or os.path.splitext(given.file)[0] + ".sqlite"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(_main())
