"""Experiments cut up and put together again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ludex
from ludex import _ludex, arena

FILE = """
title = "Small"
games = ["breakthrough --size 5x5", "domineering --size 4x4"]
matches = 8
simulations = 20
seed = 3

[agents]
PPA = "uct + ppa(alpha=0.32)"
UCT = "uct"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(FILE)
    return path


def test_the_cut_changes_nothing(file: Path) -> None:
    one, two, all_ = (file.with_name(f"{name}.sqlite") for name in ("one", "two", "all"))
    assert arena.run(file, store=one) == 16 == arena.run(file, store=two, threads=2)
    parts = [file.with_name(f"part-{part}.sqlite") for part in range(1, 5)]
    assert sum(arena.run(file, store=part, shard=f"{at}/4") for at, part in enumerate(parts, 1)) == 16
    assert arena.merge(all_, *parts) == (16, 0)
    assert arena.merge(all_, *parts) == (0, 16)
    assert arena.fingerprint(one) == arena.fingerprint(two) == arena.fingerprint(all_)
    table = arena.report(one)
    assert "won/drawn/lost" in table and table == arena.report(two) == arena.report(all_)
    assert arena.run(file, store=all_) == 0


def test_a_run_of_its_own_says_what_is_wrong(tmp_path: Path) -> None:
    """As `ludex run --on ray` starts it: a sentence and a number, and no trace of calls."""
    command = [sys.executable, "-m", "ludex.arena", "run", str(tmp_path / "nowhere.toml")]
    shown = subprocess.run(command, capture_output=True, text=True)
    assert shown.returncode == 2 and "nowhere.toml" in shown.stderr and "Traceback" not in shown.stderr


def test_whoever_looks_on_is_told(file: Path) -> None:
    told: list[tuple[int, int]] = []
    arena.run(file, threads=2, progress=lambda done, planned: told.append((done, planned)))
    assert sorted(told) == [(done, 16) for done in range(1, 17)]

    def weary(done: int, planned: int) -> None:
        raise KeyError("enough")

    other = file.with_name("other.sqlite")
    with pytest.raises(KeyError, match="enough"):
        arena.run(file, store=other, progress=weary)
    assert 0 < len(arena.fingerprint(other)) < 16


def test_tables_have_formats(file: Path) -> None:
    store = file.with_name("small.sqlite")
    arena.run(file)
    assert arena.report(store) == arena.report(store, "text")
    assert "|" in arena.report(store, "markdown") and arena.report(store, "csv").count(",") > 10
    with pytest.raises(ValueError, match="no format `pdf`"):
        arena.report(store, "pdf")


def test_no_games_are_not_an_experiment(file: Path) -> None:
    for how in ({"games": 0}, {"simulations": 0}):
        with pytest.raises(ValueError, match="above nought"):
            arena.run(file, **how)  # type: ignore[arg-type]


def test_two_results_of_one_match_are_an_error(file: Path) -> None:
    import sqlite3

    one, other = file.with_name("one.sqlite"), file.with_name("other.sqlite")
    arena.run(file, store=one)
    arena.run(file, store=other)
    with sqlite3.connect(other) as changed:
        changed.execute("UPDATE matches SET moves = 'P1 a1-a2' WHERE number = 3")
    before = arena.fingerprint(one)
    with pytest.raises(ludex.GameError, match="another result of match 3"):
        arena.merge(one, other)
    assert arena.fingerprint(one) == before
    with pytest.raises(FileNotFoundError):
        arena.merge(one, file.with_name("nowhere.sqlite"))
    with pytest.raises(ludex.GameError, match="one.sqlite: a store cannot be added to itself"):
        arena.merge(one, one)
    with pytest.raises(ValueError, match="no stores to be added"):
        arena.merge(one)
    with pytest.raises(FileNotFoundError, match="nowhere.toml"):
        arena.run(file.with_name("nowhere.toml"))
    with pytest.raises(ValueError, match="engine=\"ray\""):
        arena.run(file, address="auto")
    with pytest.raises(ludex.GameError, match="5/4"):
        arena.run(file, shard="5/4")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_killed_at_any_moment(file: Path) -> None:
    """Nothing that was finished is lost, and nothing counts twice."""
    whole, store = file.with_name("whole.sqlite"), file.with_name("killed.sqlite")
    arena.run(file, store=whole)
    code = f"from ludex import arena; arena.run({str(file)!r}, store={str(store)!r})"
    rng = random.Random(1)
    # A hundred times with LUDEX_SLOW.
    for _ in range(100 if os.environ.get("LUDEX_SLOW") else 5):
        worker = subprocess.Popen([sys.executable, "-c", code])
        time.sleep(rng.uniform(0.05, 0.4))
        worker.kill()
        worker.wait()
    arena.run(file, store=store)
    assert arena.fingerprint(store) == arena.fingerprint(whole)


def test_on_ray(file: Path) -> None:
    pytest.importorskip("ray")
    one, many = file.with_name("one.sqlite"), file.with_name("many.sqlite")
    arena.run(file, store=one)
    assert arena.run(file, store=many, engine="ray") == 16
    assert arena.fingerprint(one) == arena.fingerprint(many) and arena.report(one) == arena.report(many)
    assert arena.run(file, store=many, engine="ray") == 0


RULES = """
(game "Three" (players 2) (equipment { (board (square 3)) (piece "Disc" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
"""


def test_workers_have_what_an_experiment_names(tmp_path: Path) -> None:
    """Rules beside it, above it and elsewhere, all named by paths that begin at its folder."""
    folder, elsewhere = tmp_path / "of" / "mine", tmp_path / "kif"
    for made in (folder / "rules", tmp_path / "shared", elsewhere):
        made.mkdir(parents=True)
    (folder / "rules" / "own.lud").write_text(RULES)
    (tmp_path / "shared" / "theirs.lud").write_text(RULES.replace('"Three"', '"Other"'))
    text = (Path(__file__).parents[3] / "games" / "gdl" / "connect4.kif").read_text()
    (elsewhere / "four.kif").write_text(text)
    names = '"rules/own.lud", "../../shared/theirs.lud", "four.kif"'
    file = folder / "far.toml"
    file.write_text(f'title = "x"\ngames = [{names}]\nmatches = 2\nsimulations = 5\n[agents]\nA = "uct"\nB = "random"\n')
    one, other = folder / "one.sqlite", folder / "other.sqlite"
    assert arena.run(file, store=one, rules=elsewhere) == 6
    luggage, name = arena._luggage(str(file), str(elsewhere))
    jobs = _ludex.missing_matches(str(file), store=str(other), rules=str(elsewhere))
    content, _ = arena._play(luggage, name, jobs, {"games": None, "simulations": None, "rules": str(elsewhere)})
    part = tmp_path / "part.sqlite"
    part.write_bytes(content)
    assert arena.merge(other, part) == (6, 0)
    assert arena.fingerprint(one) == arena.fingerprint(other)


def workers_below(ancestor: int) -> list[int]:
    """The processes below one that play matches for Ray."""
    parents, names = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                rest = (entry / "stat").read_text().rsplit(") ", 1)[1]
                names[int(entry.name)] = (entry / "cmdline").read_bytes()
                parents[int(entry.name)] = int(rest.split()[1])
            except OSError:
                continue

    def is_below(process: int) -> bool:
        while process in parents and process != ancestor:
            process = parents[process]
        return process == ancestor

    return [process for process, name in names.items() if name.startswith(b"ray::_play") and is_below(process)]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
def test_workers_and_drivers_killed_on_ray(file: Path) -> None:
    """A hundred kills, nine of workers for each of the driver: nothing finished is lost, nothing counts twice."""
    pytest.importorskip("ray")
    file.write_text(FILE.replace("matches = 8", "matches = 1500").replace("simulations = 20", "simulations = 100"))
    whole, store = file.with_name("whole.sqlite"), file.with_name("killed.sqlite")
    planned = arena.run(file, store=whole)
    code = (
        "import ray; ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)\n"
        f"from ludex import arena; arena.run({str(file)!r}, store={str(store)!r}, engine='ray')"
    )
    rng, kills, kept = random.Random(2), 0, 0
    while kills < int(os.environ.get("LUDEX_KILLS", "100")):
        driver = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        of_workers, until = 0, time.monotonic() + 120
        while of_workers < 9 and driver.poll() is None and time.monotonic() < until:
            time.sleep(rng.uniform(0.02, 0.4))
            for worker in workers_below(driver.pid)[:1]:
                # At any moment of its work.
                time.sleep(rng.uniform(0.0, 3.0))
                try:
                    os.kill(worker, signal.SIGKILL)
                    of_workers += 1
                except ProcessLookupError:
                    continue
        if driver.poll() is None:
            driver.kill()
            of_workers += 1
        driver.wait()
        kills += of_workers
        now = len(arena.fingerprint(store)) if store.exists() else 0
        assert kept <= now <= planned, "what was finished is lost"
        kept = now
        print(f"{kills} kills, {kept} of {planned} matches", flush=True)
        if of_workers == 0:
            break
    arena.run(file, store=store, engine="ray")
    assert arena.fingerprint(store) == arena.fingerprint(whole)
