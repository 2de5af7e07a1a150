"""OpenSpiel's own suites on games of ours, and games of ours beside those of OpenSpiel."""

from __future__ import annotations

import os
import random
import unittest

import pytest

import ludex

pyspiel = pytest.importorskip("pyspiel")
import ludex.openspiel  # noqa: E402

# All of them in every suite with LUDEX_SLOW.
SLOW = bool(os.environ.get("LUDEX_SLOW"))

# Rows and columns, graphs, stacks, sowing, dice, several players, hidden hands, moves at once, GDL is not registered.
NAMES = [
    "ludex_breakthrough", "ludex_connect_four", "ludex_hex", "ludex_reversi", "ludex_tic_tac_toe", "ludex_nogo",
    "ludex_kalah", "ludex_oware", "ludex_backgammon", "ludex_ludo", "ludex_royal_game_of_ur", "ludex_y",
    "ludex_three_mens_morris", "ludex_mu_torere", "ludex_konane", "ludex_english_draughts", "ludex_clobber",
    "ludex_notakto", "ludex_ataxx", "ludex_7_wonders", "ludex_surakarta",
]


@pytest.mark.parametrize("name", NAMES)
def test_random_games(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NAMES if SLOW else NAMES[:10])
def test_games_sim(name: str) -> None:
    from open_spiel.python.tests import games_sim_test

    case = games_sim_test.GamesSimTest()
    case.setUp()
    case.sim_game(pyspiel.load_game(name))


def test_api() -> None:
    from absl import flags
    from open_spiel.integration_tests import api_test

    if not flags.FLAGS.is_parsed():
        wanted = "|".join(NAMES) if SLOW else "ludex_(tic|three|notakto|mu|7|kalah)"
        flags.FLAGS(["t", f"--test_only_games={wanted}"])
    suite = unittest.TestSuite()
    suite.addTests(api_test.load_tests(unittest.defaultTestLoader, unittest.TestSuite(), None))
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun > 10 and not result.errors and not result.failures, result.failures + result.errors


RULES = """
// what pyspiel could not print: brackets, commas, = and lines
(game "Three" (players 2) (equipment { (board (square 3)) (piece "Disc" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
"""


@pytest.mark.parametrize("text", [RULES, "breakthrough(size=6x6)", "breakthrough --size 6x6", "100% nought"])
def test_any_rules_are_a_game(text: str) -> None:
    if text.startswith("100%"):
        with pytest.raises(ludex.GameError, match="100% nought"):
            pyspiel.load_game("ludex", {"game": text})
        return
    game = pyspiel.load_game("ludex", {"game": text})
    assert game.ludex == ludex.load_game(text)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_algorithms_for_two_players_take_games_of_ours() -> None:
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("ludex_tic_tac_toe")
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM and game.utility_sum() == 0.0
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):  # two in a row each
        state.apply_action(action)
    value, best = minimax.alpha_beta_search(game, state=state)
    assert (value, best) == (1.0, 2)
    assert pyspiel.load_game("ludex_7_wonders").get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM


def test_any_game_by_its_name() -> None:
    game = pyspiel.load_game("ludex(game=nogo)")
    state = game.new_initial_state()
    state.apply_action(random.Random(1).choice(state.legal_actions()))
    assert state.history() and game.num_distinct_actions() == ludex.load_game("nogo").num_distinct_actions()
