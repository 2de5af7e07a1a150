"""PettingZoo's and Gymnasium's own suites."""

from __future__ import annotations

import os
import random
import warnings
from pathlib import Path

import numpy as np
import pytest

import ludex

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test  # noqa: E402

TURNS = [
    "alquerque", "amazons", "atarigo", "ataxx", "backgammon", "brandub", "breakthrough", "chess", "clobber",
    "connect-four", "dodgem", "domineering", "english-draughts", "fanorona", "fox-and-geese", "go", "gomoku",
    "hasami-shogi", "havannah", "hex", "kalah", "knightthrough", "konane", "lines-of-action", "ludo", "mu-torere",
    "nine-mens-morris", "nogo", "notakto", "oware", "pong-hau-ki", "reversi", "royal-game-of-ur", "squava", "surakarta",
    "tablut", "three-mens-morris", "tic-tac-toe", "y", "yavalath", "connect4.kif", "breakthrough.kif",
]


@pytest.mark.parametrize("name", TURNS)
def test_pettingzoo_in_turns(name: str) -> None:
    game = ludex.load_game(name)
    api_test(ludex.pettingzoo.env(game), num_cycles=40)
    seed_test(lambda: ludex.pettingzoo.env(game), num_cycles=20)


def test_pettingzoo_at_once() -> None:
    game = ludex.load_game("7-wonders", players=3)
    parallel_api_test(ludex.pettingzoo.parallel_env(game), num_cycles=60)
    parallel_seed_test(lambda: ludex.pettingzoo.parallel_env(game), num_cycles=30)
    api_test(ludex.pettingzoo.env(game), num_cycles=40)


@pytest.mark.slow
def test_pettingzoo_with_the_whole_library() -> None:
    """Every description of a library that LUDEX_LIBRARY names (with `lud/` and `def/`) and that can be loaded; with
    LUDEX_EVERY=n one in n of them, drawn by LUDEX_SEED."""
    library = Path(os.environ["LUDEX_LIBRARY"])
    faults, played = [], 0
    files = sorted((library / "lud").rglob("*.lud"))
    every, seed = int(os.environ.get("LUDEX_EVERY", "1")), os.environ.get("LUDEX_SEED", "1")
    for file in random.Random(seed).sample(files, len(files) // every) if every > 1 else files:
        try:
            game = ludex.load_game(file, defs=library / "def")
        except ludex.GameError:
            continue
        if game.num_players() == 0:
            continue
        try:
            api_test(ludex.pettingzoo.env(game), num_cycles=10)
            seed_test(lambda: ludex.pettingzoo.env(game), num_cycles=10)
            played += 1
        except Exception as fault:
            faults.append(f"{file.name}: {fault!r}")
    print(f"{played} games")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", ["nogo", "hex", "backgammon", "chess", "7-wonders"])
def test_gymnasium(name: str) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It says nothing about environments without a registered spec but this.
        warnings.filterwarnings("ignore", message=".*not able to test alternative render modes.*")
        check_env(ludex.gym.make(name, opponent="uct", simulations=20), skip_render_check=True)


def test_gymnasium_by_a_mask() -> None:
    env = ludex.gym.make("tic-tac-toe", opponent="random")
    rng = np.random.default_rng(1)
    rewards = []
    for seed in range(20):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"] | 0)))
            over = terminated or truncated
        rewards.append(reward)
    assert set(rewards) <= {-1.0, 0.0, 1.0} and len(set(rewards)) > 1
