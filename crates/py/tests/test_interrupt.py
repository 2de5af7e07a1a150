"""Ctrl-C is heard at once in every long call, whatever is under way."""

from __future__ import annotations

import subprocess
import sys

import pytest

WORK = {
    "search": "ludex.Agent('uct', time=60.0).search(game.new_initial_state())",
    "playouts": "game.playouts(10**8)",
    "match": "ludex.match('hex', ['uct', 'uct'], games=2, simulations=10**6)",
    "evaluation": "ludex.evaluate('hex', tier=1, matches=50, simulations=10**5)",
    "features": "ludex.features.learn('hex', folder + '/f.toml', simulations=10**5)",
    "experiment": "ludex.arena.run(folder + '/e.toml')",
}
# In a process of its own: what is under way is left to end by itself, and ends with the process.
CODE = """
import os, signal, sys, threading, time
import ludex, ludex.arena, ludex.features
folder = sys.argv[2]
with open(folder + "/e.toml", "w") as file:
    file.write('title = "x"\\ngames = ["hex"]\\nmatches = 2\\nsimulations = 1000000\\nseed = 1\\n[agents]\\nA = "uct"\\nB = "uct"\\n')
game = ludex.load_game("breakthrough")
begun = 0.0
def interrupt():
    global begun
    begun = time.monotonic()
    signal.raise_signal(signal.SIGINT)
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
