"""PettingZoo's and Gymnasium's own suites."""

from __future__ import annotations

import copy
import os
import pickle
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", ["nogo", "hex", "backgammon", "chess", "7-wonders"])
def test_gymnasium(name: str, player: int) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It says nothing about environments without a registered spec but this.
        warnings.filterwarnings("ignore", message=".*not able to test alternative render modes.*")
        check_env(ludex.gym.make(name, player=player, opponent="uct", simulations=20, render_mode="ansi"))


def test_anybody_may_be_the_opponent() -> None:
    class First(ludex.Player):
        def choose(self, state: ludex.State, budget: dict[str, Any]) -> int:
            assert budget == {"simulations": 7, "time": None, "player": 1}
            return state.legal_actions()[0]

    env = ludex.gym.make("tic-tac-toe", opponent=First(), simulations=7)
    env.reset(seed=1)
    assert env.step(4)[4]["action_mask"].sum() == 7 and env._state.history() == [4, 0]
    env = ludex.gym.make("tic-tac-toe", opponent=ludex.Agent("uct", simulations=20))
    env.reset(seed=1)
    assert env.step(4)[4]["action_mask"].sum() == 7
    with pytest.raises(TypeError, match="`opponent` is"):
        ludex.gym.make("tic-tac-toe", opponent=3)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_of_environments_go_their_own_way(again: Callable[[Any], Any]) -> None:
    env = ludex.gym.make("tic-tac-toe", opponent="random")
    env.reset(seed=1)
    other = again(env)
    while not env.step(int(env.action_space.sample()))[2]:
        pass
    assert other._info()["action_mask"].sum() == 9
    other.reset(seed=2)
    other.step(int(other.action_space.sample()))

    turns = ludex.pettingzoo.env("tic-tac-toe")
    turns.reset(seed=1)
    apart = again(turns)
    turns.step(4)
    apart.step(4)
    for agent in ("player_1", "player_0", "player_1"):
        apart.step(apart.action_space(agent).sample())
    assert turns.agent_selection == "player_1" and turns.last()[0]["action_mask"].sum() == 8


def test_positions_are_shown() -> None:
    for mode in ("ansi", "svg", "human"):
        env = ludex.pettingzoo.env("tic-tac-toe", render_mode=mode)
        env.reset(seed=1)
        assert (env.render() is None) == (mode == "human")
    for make in (ludex.pettingzoo.env, ludex.pettingzoo.parallel_env, ludex.gym.make):
        with pytest.raises(ValueError, match="no render mode `rgb_array`"):
            make("tic-tac-toe", render_mode="rgb_array")


def test_the_whole_position_says_who_moves() -> None:
    env = ludex.pettingzoo.env("tic-tac-toe")
    env.reset(seed=1)
    first = ludex.load_game("tic-tac-toe").channels("absolute").index("first to move")
    assert env.state()[first].all()
    env.step(4)
    assert not env.state()[first].any()


def test_illegal_actions_are_refused_and_may_be_chosen_again() -> None:
    env = ludex.gym.make("tic-tac-toe", opponent="random")
    with pytest.raises(ValueError, match="before the first step"):
        env.step(0)
    _, info = env.reset(seed=1)
    with pytest.raises(ludex.IllegalActionError, match="action 777 is not one of the 9 that player 0 has here"):
        env.step(777)
    with pytest.raises(TypeError):
        env.step(1.5)
    env.step(4)
    drawn = {int(env.action_space.sample()) for _ in range(100)}
    assert drawn == set(np.flatnonzero(env._info()["action_mask"])) and 4 not in drawn
    env.close()
    with pytest.raises(ValueError, match="closed"):
        env.step(0)

    turns = ludex.pettingzoo.env("tic-tac-toe")
    with pytest.raises(ValueError, match="before the first step"):
        turns.step(0)
    turns.reset(seed=1)
    with pytest.raises(ludex.IllegalActionError, match="action 777 is not one of the 9 that player_0 has here"):
        turns.step(777)
    turns.step(4)
    assert turns.agent_selection == "player_1" and turns.last()[1] == 0.0
    turns.close()
    with pytest.raises(ValueError, match="closed"):
        turns.step(0)


def test_whoever_moves_at_once_is_told_whose_action_is_wrong() -> None:
    wonders = ludex.load_game("7-wonders", players=3)
    one_by_one = ludex.pettingzoo.env(wonders)
    one_by_one.reset(seed=1)
    with pytest.raises(ludex.IllegalActionError, match="player_0"):
        one_by_one.step(-1)
    for agent in ("player_0", "player_1", "player_2"):
        assert one_by_one.agent_selection == agent
        one_by_one.step(one_by_one.action_space(agent).sample())
    at_once = ludex.pettingzoo.parallel_env(wonders)
    seen, _ = at_once.reset(seed=1)
    actions = {agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in at_once.agents}
    with pytest.raises(ludex.IllegalActionError, match="player_1"):
        at_once.step({**actions, "player_1": wonders.num_distinct_actions()})
    with pytest.raises(ValueError, match="player_2 has a choice and chose nothing"):
        at_once.step({agent: action for agent, action in actions.items() if agent != "player_2"})
    at_once.step(actions)


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
