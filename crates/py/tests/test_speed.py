"""Speed, beside pyspiel where it has the game; figures are printed (``-s``). Set LUDEX_BENCH to run."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

import ludex

pytestmark = pytest.mark.bench

# Steps a CPU second of one core, batch 1,024, uint8 planes, masks, new games by themselves.
BARS = {
    "connect-four": 12e6, "tic-tac-toe": 15e6, "breakthrough": 6e6, "hex": 5e6, "reversi": 4e6, "go": 1.5e6,
}


def rate(work: Any, seconds: float = 1.0) -> float:
    """Steps a CPU second of work that says how many it did."""
    work()
    # Of this thread: others of NumPy's may be busy waiting.
    begun, steps = time.thread_time(), 0
    while time.thread_time() - begun < seconds:
        steps += work()
    return steps / (time.thread_time() - begun)


@pytest.mark.parametrize("name", BARS)
def test_vector(name: str) -> None:
    env = ludex.vector(name, 1024, seed=0, autoreset="same_step")
    ts = env.reset()

    def work() -> int:
        nonlocal ts
        for _ in range(10):
            ts = env.step(ts.sample_legal(env.rng))
        return 10 * 1024

    found = rate(work, 2.0)
    print(f"\n{name}: {found / 1e6:.2f} M steps/s, {BARS[name] / 1e6} M wanted")
    assert found >= BARS[name]


# Steps a second of wall time, in the best of many short whiles: other programs take their share of most.
WALL = """
import sys, time
import ludex
env = ludex.vector(sys.argv[1], 1024, seed=0, autoreset="same_step", threads=int(sys.argv[2]))
ts, best = env.reset(), 0.0
until = time.perf_counter() + 2
while time.perf_counter() < until:
    begun = time.perf_counter()
    for _ in range(200):
        ts = env.step(ts.sample_legal(env.rng))
    best = max(best, 200 * 1024 / (time.perf_counter() - begun))
print(best)
"""


def of_processes(name: str, threads: int, processes: int) -> float:
    """Steps a second of so many processes at once."""
    command = [sys.executable, "-c", WALL, name, str(threads)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    return sum(float(one.communicate()[0]) for one in running)


@pytest.mark.parametrize("name", ["breakthrough", "hex", "connect-four"])
def test_two_threads(name: str) -> None:
    """Beside two processes of one thread each, which have nothing to wait for: what they gain is what the machine gives."""
    rounds = [[of_processes(name, threads, count) for threads, count in ((1, 1), (2, 1), (1, 2))] for _ in range(3)]
    one, two, apart = (max(column) for column in zip(*rounds, strict=True))
    print(f"\n{name}: two threads {two / one:.2f} times one, two processes {apart / one:.2f} times")
    assert two >= 1.8 * one


@pytest.mark.parametrize(
    ("name", "other"), [("breakthrough", "breakthrough"), ("connect-four", "connect_four"), ("hex", "hex")]
)
def test_single_states(name: str, other: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rng = random.Random(1)

    def plain(game: Any) -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            steps += 1
        return steps

    game, model = ludex.load_game(name), pyspiel.load_game(other)
    planes, mask = np.zeros(game.observation_shape, np.uint8), np.zeros(game.num_distinct_actions(), np.bool_)

    def own() -> int:
        state, steps = game.new_initial_state(), 0
        while legal := state.write(planes, mask):
            state.apply_action(legal[int(rng.random() * len(legal))])
            steps += 1
        return steps

    def foreign() -> int:
        state, steps = model.new_initial_state(), 0
        while not state.is_terminal():
            state.observation_tensor()
            state.legal_actions_mask()
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            steps += 1
        return steps

    loop, beside = rate(lambda: plain(game)), rate(lambda: plain(model))
    seen, also = rate(own), rate(foreign)
    print(f"\n{name}: {loop / 1e3:.0f} k steps/s beside {beside / 1e3:.0f} k: {loop / beside:.2f} times")
    print(f"{name} with planes and mask: {seen / 1e3:.0f} k beside {also / 1e3:.0f} k: {seen / also:.2f} times")
    assert loop >= 1.5 * beside and seen >= 5 * also


def test_import() -> None:
    code = "import time; begun = time.process_time(); import ludex; print(time.process_time() - begun)"
    shown = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
    found = min(float(one.stdout) for one in shown)
    print(f"\nimport ludex: {1000 * found:.0f} ms")
    assert found <= 0.05
