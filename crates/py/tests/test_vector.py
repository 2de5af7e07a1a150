"""Many games at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import ludex

NAMES = ["breakthrough", "connect-four", "hex", "reversi", "kalah", "backgammon", "chess", "7-wonders", "connect4.kif"]


@pytest.mark.parametrize("name", NAMES)
def test_lanes_are_games(name: str) -> None:
    """Every lane shows what a single state shows that takes the same actions."""
    game = ludex.load_game(name)
    env = ludex.vector(game, 4, seed=7, autoreset="disabled")
    ts = env.reset()
    # Outcomes of chance are drawn inside, so only games without it can be followed.
    follow = not game.info["chance"]
    states = [game.new_initial_state() for _ in range(4)]
    for _ in range(40):
        if ts.done.any():
            break
        offsets, ids = ts.legal
        for lane, state in enumerate(states):
            if not follow:
                break
            assert ts.current_player[lane] == state.current_player()
            assert (ts.legal_action_mask[lane] == state.legal_actions_mask()).all()
            assert sorted(ids[offsets[lane] : offsets[lane + 1]]) == state.legal_actions()
            assert (ts.observation[lane] == state.observation()).all()
        actions = ts.sample_legal(env.rng)
        ts = env.step(actions)
        if follow:
            for state, action in zip(states, actions):
                state.apply_action(int(action))
    if follow:
        for lane, state in enumerate(states):
            assert ts.terminated[lane] == (state.is_terminal() and not state.is_truncated())
            if state.is_terminal():
                assert ts.reward[lane].tolist() == state.returns()


@pytest.mark.parametrize("name", sorted(ludex.games()))
def test_lanes_go_on_and_on(name: str) -> None:
    """The same to the end of games, at which new ones begin at once, and what is shown of the end."""
    game = ludex.load_game(name)
    if game.info["chance"] or game.num_players() == 0:
        pytest.skip("outcomes of chance are drawn inside")
    env = ludex.vector(game, 3, seed=2, autoreset="same_step")
    ts, states = env.reset(), [game.new_initial_state() for _ in range(3)]
    for _ in range(250):
        movers = ts.current_player.copy()
        actions = ts.sample_legal(env.rng)
        ts = env.step(actions)
        for lane, state in enumerate(states):
            if env.simultaneous:
                state.apply_actions([max(int(action), 0) for action in actions[lane]])
            else:
                state.apply_action(int(actions[lane]))
            assert ts.done[lane] == state.is_terminal() and ts.truncated[lane] == state.is_truncated()
            if state.is_terminal():
                assert ts.reward[lane].tolist() == state.returns()
                if game.num_players() == 2 and movers[lane] >= 0 and ts.final_observation is not None:
                    seen = state.observation(player=1 - int(movers[lane]))
                    assert seen.dtype != np.uint8 or (ts.final_observation[lane] == seen).all()
                states[lane] = state = game.new_initial_state()
            if not env.simultaneous:
                assert ts.current_player[lane] == state.current_player()
                assert (ts.legal_action_mask[lane] == state.legal_actions_mask()).all()
                assert (ts.observation[lane] == state.observation()).all()


def test_places_that_are_no_sites_are_not_empty_sites() -> None:
    game = ludex.load_game("""(game "Ragged" (players 2)
        (equipment { (board (square { 4 3 -1 2 3 }) use:Cell) (piece "Disc" P1) (piece "Cross" P2) })
        (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))""")
    shown = ludex.vector(game, 1).reset().observation[0]
    assert shown.shape[1:] == (4, 5) and (shown == game.new_initial_state().observation()).all()


@pytest.mark.parametrize("name", ["connect-four", "backgammon", "7-wonders"])
def test_lanes_do_not_depend_on_threads_or_number(name: str) -> None:
    def seen(count: int, threads: int) -> list[np.ndarray]:
        env = ludex.vector(name, count, seed=3, threads=threads, autoreset="same_step")
        ts, shown = env.reset(), []
        for _ in range(30):
            ts = env.step(ts.sample_legal(env.rng))
            shown += [ts.observation[:5].copy(), ts.reward[:5].copy(), ts.legal_action_mask[:5].copy()]
        return shown

    alone = seen(5, 1)
    for count, threads in [(5, 2), (9, 1), (16, 3)]:
        assert all((a == b).all() for a, b in zip(alone, seen(count, threads)))


def test_the_three_ways_to_begin_anew() -> None:
    game = ludex.load_game("tic-tac-toe")
    start = ludex.vector(game, 1).reset().observation[0].copy()

    env = ludex.vector(game, 8, seed=1, autoreset="next_step")
    ts = env.reset()
    while not ts.done.any():
        ts = env.step(ts.sample_legal())
    ended = ts.done.copy()
    assert (ts.current_player[ended] == -4).all() and not ts.legal_action_mask[ended].any()
    assert (np.abs(ts.reward[ended]).sum(axis=1) >= 0).all()
    ts = env.step(ts.sample_legal())
    assert (ts.observation[ended] == start).all() and not ts.terminated[ended].any()
    assert (ts.reward[ended] == 0).all()

    env = ludex.vector(game, 8, seed=1, autoreset="same_step")
    ts = env.reset()
    while not ts.done.any():
        ts = env.step(ts.sample_legal())
    assert (ts.observation[ts.done] == start).all() and ts.final_observation is not None
    assert (ts.final_observation[ts.done] != start).any() and (ts.current_player[ts.done] == 0).all()

    env = ludex.vector(game, 8, seed=1, autoreset="disabled")
    ts = env.reset()
    while not ts.done.any():
        ts = env.step(ts.sample_legal())
    over = ts.done.copy()
    with pytest.raises(ludex.GameError, match="over: reset it"):
        env.step(ts.sample_legal())
    ts = env.reset(mask=over)
    assert (ts.observation[over] == start).all() and (ts.observation[~over] != start).any()


def test_wins_are_paid_to_who_won() -> None:
    env = ludex.vector("connect-four", 1, autoreset="disabled")
    env.reset()
    for action in (0, 1, 7, 8, 14, 15, 21):  # cells of two columns, from the bottom
        ts = env.step(np.array([action], np.int32))
    assert ts.terminated[0] and ts.reward[0].tolist() == [1.0, -1.0]


def test_memory_is_the_environments_unless_copies_are_wanted() -> None:
    env = ludex.vector("breakthrough", 2)
    first = env.reset()
    second = env.step(first.sample_legal())
    assert second.observation is first.observation
    env = ludex.vector("breakthrough", 2, copy=True)
    first = env.reset()
    before = first.observation.copy()
    env.step(first.sample_legal())
    assert (first.observation == before).all()


def test_numbers_and_layouts() -> None:
    plain = ludex.vector("breakthrough", 3, seed=1).reset().observation
    other = ludex.vector("breakthrough", 3, seed=1, dtype=np.float32, layout="HWC").reset().observation
    assert other.dtype == np.float32 and (np.moveaxis(other, -1, 1) == plain).all()
    few = ludex.vector("breakthrough", 3, channels=["theirs", "mine"]).reset().observation
    assert few.shape == (3, 2, 8, 8) and (few[:, 1] == plain[:, 0]).all()
    with pytest.raises(ValueError, match="there are mine"):
        ludex.vector("breakthrough", 3, channels=["red"])
    assert np.from_dlpack(plain).shape == plain.shape


@pytest.mark.parametrize(
    ("name", "how"), [("connect-four", {"dtype": np.float32, "layout": "HWC"}), ("7-wonders", {"players": 3})]
)
def test_ends_are_shown_as_everything_else_is(name: str, how: dict[str, object]) -> None:
    env = ludex.vector(name, 4, seed=3, autoreset="same_step", **how)  # type: ignore[arg-type]
    ts = env.reset()
    start = ts.observation.copy()
    while not ts.done.any():
        ts = env.step(ts.sample_legal(env.rng))
    final, over = ts.final_observation, ts.done
    assert final is not None and (final.dtype, final.shape) == (ts.observation.dtype, ts.observation.shape)
    assert (final[over] != start[over]).any()


def test_chance_goes_on_after_a_reset_without_a_seed() -> None:
    env = ludex.vector("backgammon", 4, seed=5)

    def course(seed: int | None) -> np.ndarray:
        ts, seen = env.reset(seed), []
        for _ in range(12):
            ts = env.step(ts.sample_legal(ludex.Rng(1)))
            seen.append(ts.observation.copy())
        return np.array(seen)

    one, other = course(None), course(None)
    assert (one != other).any() and (course(5) == one).all() and (course(5) == one).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_threads_are_found_again_in_a_copy_of_the_process() -> None:
    code = """
import os, warnings, ludex
warnings.simplefilter("ignore")
env = ludex.vector("breakthrough", 64, threads=2)
ts = env.reset()
ts = env.step(ts.sample_legal())
child = os.fork()
env.step(ts.sample_legal())
if child == 0:
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert shown.stdout.strip() == "7"


def test_draws_are_uniform() -> None:
    env = ludex.vector("tic-tac-toe", 9000, seed=5)
    drawn = np.bincount(env.reset().sample_legal(), minlength=9)
    assert drawn.sum() == 9000 and ((drawn - 1000) ** 2 / 1000).sum() < 26.1  # p = 0.001, eight degrees


def test_wrong_use_is_told() -> None:
    env = ludex.vector("tic-tac-toe", 4)
    with pytest.raises(ValueError, match="before the first step"):
        env.step(np.zeros(4, np.int32))
    ts = env.reset()
    before = ts.observation.copy()
    with pytest.raises(TypeError, match="float64"):
        env.step(np.zeros(4))
    with pytest.raises(ValueError, match=r"\[4\], not \[3\]"):
        env.step(np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="without gaps"):
        env.step(np.zeros(8, np.int32)[::2])
    with pytest.raises(ludex.IllegalActionError, match="action 33 is not legal in environment 2"):
        env.step(np.array([0, 1, 33, 3], np.int32))
    assert (ts.observation == before).all(), "nothing is played where one action is wrong"
    env = ludex.vector("tic-tac-toe", 4, threads=2)
    env.reset()
    with pytest.raises(ludex.IllegalActionError, match="environment 3"):
        env.step(np.array([0, 1, 2, -5], np.int32))
    with pytest.raises(ludex.IllegalActionError, match="action 1099511627776 is not legal in environment 1"):
        env.step(np.array([0, 1 << 40, 2, 3], np.int64))
    ts = env.step(np.array([0, 1, 2, 3], np.int64))
    with pytest.raises(TypeError, match="bool.*int64"):
        env.reset(mask=np.ones(4, np.int64))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"\[4\], not \[2, 2\]"):
        env.reset(mask=np.ones((2, 2), np.bool_))
    odd = np.zeros(17, np.uint8)[1:].view(np.int32)
    with pytest.raises(ValueError, match="do not begin where"):
        env.step(odd)
    with pytest.raises(ValueError, match="`dtype` cannot be complex128"):
        ludex.vector("tic-tac-toe", 4, dtype=complex)
    with pytest.raises(ValueError, match="names none"):
        ludex.vector("tic-tac-toe", 4, channels=[])
    env.close()
    for use in (lambda: env.step(np.zeros(4, np.int32)), env.reset, ts.sample_legal, lambda: ts.legal):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_numbers_that_two_draw_from_lose_no_games() -> None:
    """Whoever finds the random numbers in use elsewhere is told; his games are there as before."""
    rng, failures = ludex.Rng(1), []
    others = [ludex.vector("tic-tac-toe", 4096) for _ in range(2)]

    def draw(one: ludex.VectorEnv) -> None:
        ts = one.reset()
        for _ in range(50):
            try:
                ts.sample_legal(rng)
            except RuntimeError as error:
                failures.append(str(error))

    threads = [threading.Thread(target=draw, args=(one,)) for one in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in others:
        assert one.reset().sample_legal(rng).shape == (4096,)
    assert all("drawing these random numbers" in failure for failure in failures)


def test_who_steps_what_another_thread_steps_is_told() -> None:
    env = ludex.vector("hex", 4096, seed=1)
    ts, failures = env.reset(), set()
    actions = ts.sample_legal()

    def press() -> None:
        for _ in range(20):
            try:
                env.step(env.reset().sample_legal())
            except RuntimeError as error:
                failures.add(str(error))

    threads = [threading.Thread(target=press) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures and all("another thread is using this environment" in failure for failure in failures)
    env.reset()
    assert env.step(actions).current_player.tolist() == [1] * 4096


def test_memory_is_not_given_away() -> None:
    """Whoever changes the size of an array that steps write to would have them write into somebody else's memory."""
    env = ludex.vector("connect-four", 8, seed=1)
    ts = env.reset()
    for array in (ts.observation, ts.legal_action_mask, ts.reward, ts.terminated, ts.truncated, ts.current_player):
        for part in (array, array.base):
            with pytest.raises(ValueError, match="own"):
                part.resize((1,), refcheck=False)
    seen, before = ts.observation, ts.observation.copy()
    env.close()
    del env, ts
    assert (seen == before).all()


def test_players_who_move_at_once() -> None:
    env = ludex.vector("7-wonders", 3, players=3, seed=1)
    ts = env.reset()
    assert env.simultaneous and ts.legal_action_mask.shape[:2] == (3, 3)
    for _ in range(10):
        actions = ts.sample_legal()
        assert actions.shape == (3, 3)
        ts = env.step(actions)
