"""Ctrl-C is heard at once in every long call, whatever is under way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WORK = {
    "search": "ludex.Agent('uct', time=60.0).search(game.new_initial_state())",
    "playouts": "game.playouts(10**8)",
    "match": "ludex.match('hex', ['uct', 'uct'], games=2, simulations=10**6)",
    "evaluation": "ludex.evaluate('hex', tier=1, matches=50, simulations=10**5)",
    "features": "ludex.features.learn('hex', folder + '/f.toml', simulations=10**5)",
    "experiment": "ludex.arena.run(folder + '/e.toml')",
    "many games begun and stepped": "steps(ludex.vector(game, 500_000))",
    "a slow move": "slow(RULES, 149).apply_action(200)",
}
# In a process of its own: what is under way is left to end by itself, and ends with the process.
CODE = """
import os, signal, sys, threading, time
import ludex, ludex.arena, ludex.features
# Whatever is started in the background does not hear it otherwise.
signal.signal(signal.SIGINT, signal.default_int_handler)
folder = sys.argv[2]
with open(folder + "/e.toml", "w") as file:
    file.write('title = "x"\\ngames = ["hex"]\\nmatches = 2\\nsimulations = 1000000\\nseed = 1\\n[agents]\\nA = "uct"\\nB = "uct"\\n')
game = ludex.load_game("breakthrough")
# Groups are counted for each empty site: that takes long once there are many stones, which is not looked at before.
RULES = '''(game "Slow" (players 2) (equipment { (board (square 20)) (piece "Disc" Each) })
    (rules (play (move Add (to (sites Empty) if:(or (< (count Moves) 150)
        (< 1 (count Sites in:(forEach (sites Empty) if:(< 1 (count Groups)))))))))
        (end (if (is Line 20) (result Mover Win)))))'''
def slow(rules, plies):
    state = ludex.load_game(rules).new_initial_state()
    for action in range(plies):
        state.apply_action(action)
    # No thread of Python's runs during a single move: the system has to ring.
    global begun
    begun = time.monotonic() + 0.3
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    return state
def steps(env):
    ts = env.reset()
    while True:
        ts = env.step(ts.sample_legal())
begun = 0.0
def interrupt():
    global begun
    begun = time.monotonic()
    signal.raise_signal(signal.SIGINT)
if "slow" not in sys.argv[1]:
    threading.Timer(0.3, interrupt).start()
try:
    eval(sys.argv[1])
    print("nothing")
except KeyboardInterrupt:
    print(time.monotonic() - begun)
sys.stdout.flush()
os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("name", WORK)
def test_control_c_is_heard(name: str, tmp_path: object) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", CODE, WORK[name], str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
    )
    # 50 ms on a machine that has nothing else to do.
    assert float(shown.stdout) < 0.5


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_whoever_was_interrupted_goes_on(tmp_path: Path) -> None:
    """A position is what it was; many games are stepped to the end of the step."""
    code = CODE[: CODE.index("if \"slow\"")] + """
state = slow(RULES, 149)
before = state.hash(), state.history(), str(state)
try:
    state.apply_action(200)
    print("nothing")
except KeyboardInterrupt:
    assert (state.hash(), state.history(), str(state)) == before and 200 in state.legal_actions()
env = ludex.vector("hex", 200_000, threads=2)
ts = env.reset()
threading.Timer(0.01, interrupt).start()
try:
    while True:
        ts = env.step(ts.sample_legal())
except KeyboardInterrupt:
    pass
ts = env.step(ts.sample_legal())
assert (ts.legal_action_mask.sum(axis=1) > 100).all() and ts.observation.any(axis=(1, 2, 3)).all()
print("well")
"""
    shown = subprocess.run([sys.executable, "-c", code, "", str(tmp_path)], capture_output=True, text=True, timeout=120)
    assert shown.stdout == "well\n", shown.stderr
