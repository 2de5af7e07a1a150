"""Searches whose priors and values come from Python."""

from __future__ import annotations

import signal
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

import ludex

Answer = tuple[Any, Any]


def indifferent(observation: np.ndarray, mask: np.ndarray) -> Answer:
    return np.zeros(mask.shape, np.float32), np.zeros(len(mask), np.float32)


def test_a_prior_decides_what_is_looked_at() -> None:
    state = ludex.load_game("breakthrough", size="6x6").new_initial_state()
    liked = state.legal_actions()[3]
    sizes = []

    def prior(observation: np.ndarray, mask: np.ndarray) -> Answer:
        assert observation.dtype == np.uint8 and observation.shape[1:] == (6, 6, 6)
        assert mask.dtype == np.bool_ and (mask.any(axis=1)).all()
        sizes.append(len(mask))
        logits = np.zeros(mask.shape, np.float32)
        logits[:, liked] = 5.0
        return logits, np.zeros(len(mask), np.float32)

    agent = ludex.Agent("uct", prior=prior, simulations=200, batch=8)
    found = agent.search(state)
    assert found.best == liked == found.actions[0] and found.visits[0] > 150 and found.visits.sum() == 199
    assert max(sizes) == 8 and sum(sizes) <= 200 and found.best_text == found.line[0]
    assert agent.text == "uct(prior=prior)"
    again = agent.search(state)
    assert (again.visits == found.visits).all() and (again.values == found.values).all()


def test_values_are_those_of_whoever_moves() -> None:
    """A network that likes what the first player likes: the first player goes there, the second stays away."""
    game = ludex.load_game("tic-tac-toe")
    channels = game.observation_channels
    mine, theirs = channels.index("mine"), channels.index("theirs")

    def centre(observation: np.ndarray, mask: np.ndarray) -> Answer:
        held = observation[:, mine, 1, 1].astype(np.float32) - observation[:, theirs, 1, 1].astype(np.float32)
        return np.zeros(mask.shape, np.float32), 0.9 * held

    state = game.new_initial_state()
    found = ludex.Agent("uct", prior=centre, simulations=60, batch=4).search(state)
    assert state.action_to_string(found.best).lower().startswith("b2") and found.value > 0.5


def test_ends_of_games_are_seen_without_the_network() -> None:
    state = ludex.load_game("tic-tac-toe").new_initial_state()
    for text in ("A1", "C1", "A2", "C2"):
        state.apply_action(state.string_to_action(text))
    found = ludex.Agent("uct", prior=indifferent, simulations=100, batch=4).search(state)
    assert state.action_to_string(found.best) == "A3" and found.values[0] == 1.0


def test_many_positions_at_once() -> None:
    game = ludex.load_game("connect-four")
    sizes = []

    def prior(observation: np.ndarray, mask: np.ndarray) -> Answer:
        sizes.append(len(mask))
        return indifferent(observation, mask)

    agent = ludex.Agent("uct", prior=prior, simulations=20, batch=32, noise=(0.3, 0.25))
    states = [game.new_initial_state() for _ in range(32)]
    found = agent.search_many(states)
    assert found.visits.shape == (32, game.num_distinct_actions()) and (found.visits.sum(axis=1) == 19).all()
    assert found.best.dtype == np.int32 and all(best in states[0].legal_actions() for best in found.best)
    assert set(sizes) == {32} and len(sizes) == 20
    assert len({tuple(row) for row in found.visits}) > 1, "noise is drawn for each position by itself"
    again = agent.search_many(states)
    assert (again.visits == found.visits).all()
    assert (agent.search_many(states, seed=9).visits != found.visits).any()


def test_masked_preferences_are_never_chosen() -> None:
    def from_the_centre_on(observation: np.ndarray, mask: np.ndarray) -> Answer:
        logits = np.where(mask, 0.0, -np.inf).astype(np.float32)
        logits[mask[:, 4], :4] = -np.inf
        return logits, np.zeros(len(mask), np.float32)

    state = ludex.load_game("tic-tac-toe").new_initial_state()
    for noise in (None, (0.3, 0.25)):
        found = ludex.Agent("uct", prior=from_the_centre_on, simulations=50, noise=noise).search(state)
        assert found.visits.sum() == 49 and not found.visits[found.actions < 4].any()


def test_positions_of_equal_games_are_searched_together() -> None:
    states = [ludex.load_game("hex").new_initial_state() for _ in range(3)]
    states[2].apply_action(5)
    agent = ludex.Agent("uct", prior=indifferent, simulations=5)
    found = agent.search_many(states)
    assert found.visits.shape[0] == 3 and found.visits[2, 5] == 0
    other = states[0].get_game().new_initial_state()
    other.apply_action(5)
    assert (agent.search_many([states[0], states[0], other]).visits == found.visits).all()


def test_priors_sit_in_matches() -> None:
    agent = ludex.Agent("uct", prior=indifferent, simulations=30, batch=4)
    played = ludex.match("tic-tac-toe", [agent, "random"], games=20, seed=1)
    assert (played.score(0) or 0) > 0.7 and played.players[0] == "uct(prior=indifferent)"
    assert ludex.match("tic-tac-toe", [agent, "random"], games=20, seed=1, threads=2).records == played.records


@pytest.mark.parametrize("name", ["backgammon", "kalah", "chess", "three-mens-morris", "connect4.kif"])
def test_any_game_in_turns(name: str) -> None:
    state = ludex.load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    found = ludex.Agent("uct", prior=indifferent, simulations=40, batch=8).search(state)
    assert found.best in state.legal_actions() and 0 <= found.value <= 1


def test_wrong_priors_are_told() -> None:
    state = ludex.load_game("tic-tac-toe").new_initial_state()
    with pytest.raises(TypeError, match="callable"):
        ludex.Agent("uct", prior=3)  # type: ignore[arg-type]
    with pytest.raises(ludex.GameError, match="search"):
        ludex.Agent("random", prior=indifferent)
    with pytest.raises(ludex.GameError, match="at once"):
        wonders = ludex.load_game("7-wonders")
        ludex.match(wonders, [ludex.Agent("uct", prior=indifferent), "random"], games=2)
    with pytest.raises(ValueError, match="noise"):
        ludex.Agent("uct", prior=indifferent, noise=(0.0, 0.5))

    for text in ("uct + ppa", "uct(solve)", "uct(c=0.3)", "uct(threads=2)", "rave"):
        with pytest.raises(ludex.GameError, match="`puct` alone"):
            ludex.Agent(text, prior=indifferent)
    with pytest.raises(ludex.GameError, match="`puct` alone"):
        ludex.Agent("uct", prior=indifferent, threads=2)
    with pytest.raises(ludex.GameError, match="agents with a `prior`"):
        ludex.Agent("uct", noise=(0.3, 0.25))
    with pytest.raises(ludex.GameError, match="agents with a `prior`"):
        ludex.Agent("uct", batch=16)
    with pytest.raises(ValueError, match="`batch`"):
        ludex.Agent("uct", prior=indifferent, batch=0)

    def undecided(observation: np.ndarray, mask: np.ndarray) -> Answer:
        logits = np.zeros(mask.shape, np.float32)
        logits[:, 4] = np.nan
        return logits, np.zeros(len(mask), np.float32)

    def certain(observation: np.ndarray, mask: np.ndarray) -> Answer:
        return np.where(np.arange(mask.shape[1]) == 4, np.inf, 0 * mask), np.zeros(len(mask), np.float32)

    def hopeless(observation: np.ndarray, mask: np.ndarray) -> Answer:
        return np.full(mask.shape, -np.inf, np.float32), np.zeros(len(mask), np.float32)

    def short(observation: np.ndarray, mask: np.ndarray) -> Answer:
        return np.zeros((len(mask), 3)), np.zeros(len(mask))

    def endless(observation: np.ndarray, mask: np.ndarray) -> Answer:
        return np.zeros(mask.shape), np.full(len(mask), np.nan)

    def boastful(observation: np.ndarray, mask: np.ndarray) -> Answer:
        return np.zeros(mask.shape), np.full(len(mask), 7.0)

    def alone(observation: np.ndarray, mask: np.ndarray) -> Any:
        return np.zeros(mask.shape)

    def broken(observation: np.ndarray, mask: np.ndarray) -> Answer:
        raise KeyError("lost")

    for prior, error, text in (
        (short, ValueError, "shape"), (endless, ValueError, "nan|NaN"), (boastful, ValueError, "value 7: values are from -1"),
        (undecided, ValueError, "preference NaN"), (certain, ValueError, "preference inf"), (hopeless, ValueError, "preference -inf"),
        (alone, TypeError, "two arrays"), (broken, KeyError, "lost"),
    ):
        agent = ludex.Agent("uct", prior=prior, simulations=10)
        with pytest.raises(error, match=text):
            agent.search(state)
        with pytest.raises(error, match=text):
            ludex.match("tic-tac-toe", [agent, "random"], games=2)
    with pytest.raises(ludex.GameError, match="prior"):
        ludex.Agent("uct").search_many([state])
    with pytest.raises(TypeError, match="states of one game"):
        ludex.Agent("uct", prior=indifferent).search_many([1, 2])  # type: ignore[list-item]
    with pytest.raises(ludex.GameError, match="another game"):
        other = ludex.load_game("nogo").new_initial_state()
        ludex.Agent("uct", prior=indifferent).search_many([state, other])


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_control_c_ends_a_guided_search() -> None:
    state = ludex.load_game("breakthrough").new_initial_state()
    agent = ludex.Agent("uct", prior=indifferent, time=60.0)
    begun = 0.0

    def interrupt() -> None:
        nonlocal begun
        begun = time.monotonic()
        signal.raise_signal(signal.SIGINT)

    # Whatever is started in the background does not hear it otherwise.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        agent.search(state)
    assert time.monotonic() - begun < 1.0
