"""Games and positions."""

from __future__ import annotations

import copy
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import ludex

THREE = """
(game "Three" (players 2) (equipment { (board (square 3)) (piece "Disc" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
"""
# One of every kind: rows and columns, stacks, sowing, dice, hexagons, many players, hidden hands, GDL.
KINDS = [
    "breakthrough", "connect-four", "hex", "reversi", "go", "chess", "kalah", "backgammon", "ludo", "y",
    "english-draughts", "nine-mens-morris", "surakarta", "fanorona", "7-wonders", "connect4.kif", "notakto", "shogi",
]


def play(game: ludex.Game, seed: int, most: int = 60) -> ludex.State:
    rng = random.Random(seed)
    state = game.new_initial_state()
    for _ in range(most):
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            movers = state.movers()
            state.apply_actions(
                [rng.choice(state.legal_actions(p)) if p in movers else -1 for p in range(game.num_players())]
            )
    return state


def test_a_game_by_name_by_file_and_by_text(tmp_path: Path) -> None:
    file = tmp_path / "three.lud"
    file.write_text(THREE)
    for game in (ludex.load_game(THREE), ludex.load_game(file), ludex.load_game(str(file))):
        assert (game.name, game.num_players(), game.observation_shape[1:]) == ("Three", 2, (3, 3))
    assert ludex.load_game("breakthrough(size=6x6)") == ludex.load_game("breakthrough", size="6x6")
    assert ludex.load_game("connect4.kif").language == "gdl"
    for how in ("breakthrough(size=6x6)", "hex(board=9x9)", "7-wonders(players=4)"):
        same = eval(repr(ludex.load_game(how)))
        assert same == ludex.load_game(how) and same.observation_shape == ludex.load_game(how).observation_shape
    assert repr(ludex.load_game(THREE)) == "<ludex.Game Three>"


def test_options_are_keywords() -> None:
    nine, usual = ludex.load_game("hex", board="9x9"), ludex.load_game("hex")
    assert nine.observation_shape[1:] == (9, 9) != usual.observation_shape[1:]
    assert nine == ludex.load_game("hex", options=["Board Size/9x9"])
    assert ludex.load_game("hex", options=None) == ludex.load_game("hex")
    with pytest.raises(ludex.GameError, match="there are: .*Board"):
        ludex.load_game("hex", colour="red")
    with pytest.raises(ludex.GameError, match="has no item `4711`"):
        ludex.load_game("hex", board=4711)
    assert nine == ludex.load_game("hex", "Board Size/9x9") == ludex.load_game("hex", {"board": "9x9"})
    small = ludex.load_game("breakthrough(size=8x8)", size="6x6")
    assert small.observation_shape[1:] == (6, 6)
    with pytest.raises(ludex.GameError, match="players=many"):
        ludex.load_game("7-wonders(players=many)")


def test_a_slip_is_explained() -> None:
    with pytest.raises(ludex.RulesError) as raised:
        ludex.load_game(THREE.replace("(is Line 3)", "(is Lime 3)"))
    fault = raised.value
    assert fault.line == 3 and fault.column == 1 + THREE.splitlines()[2].index("Line 3")
    assert "Line" in (fault.help or "") and "^" in str(fault)
    assert fault.span is not None and "Lime" in THREE.replace("(is Line 3)", "(is Lime 3)")[slice(*fault.span)]
    with pytest.raises(ludex.RulesError) as raised:
        ludex.load_game("(role white)\n(init (cell 1)")
    assert raised.value.line == 2
    with pytest.raises(ludex.RulesError):
        ludex.load_game(THREE.replace("(is Line 3)", "(is Lime 3)"), board="3x3")
    with pytest.raises(ludex.GameError, match="breakthrough"):
        ludex.load_game("braekthrough")
    with pytest.raises(FileNotFoundError):
        ludex.load_game("nowhere.kif")


@pytest.mark.parametrize("name", KINDS)
def test_positions_agree_with_themselves(name: str) -> None:
    game = ludex.load_game(name)
    state = play(game, seed=1)
    again = game.deserialize_state(state.serialize())
    pickled = pickle.loads(pickle.dumps(state))
    for other in (again, pickled, state.clone(), copy.deepcopy(state)):
        assert (other.hash(), other.history(), str(other)) == (state.hash(), state.history(), str(state))
        assert other.current_player() == state.current_player() and other.returns() == state.returns()
    for player in state.movers():
        legal, mask = state.legal_actions(player), state.legal_actions_mask(player)
        assert legal == list(np.flatnonzero(mask)) and len(set(legal)) == len(legal) > 0
        assert max(legal) < game.num_distinct_actions()
        for action in legal[:5]:
            text = state.action_to_string(player, action)
            found = state.string_to_action(text, player)
            assert state.action_to_string(player, found) == text
    seen = state.observation()
    assert seen.shape == tuple(game.observation_shape) and len(game.observation_channels) == seen.shape[0]
    assert list(state.observation_tensor().shape) == [game.observation_tensor_size()]


@pytest.mark.parametrize("name", ["breakthrough", "chess", "go", "english-draughts", "backgammon", "kalah"])
def test_every_move_has_an_action_of_its_own(name: str) -> None:
    game = ludex.load_game(name)
    for seed in range(5):
        state = play(game, seed, most=30)
        if not state.is_terminal() and not state.is_chance_node():
            actions = state.legal_actions()
            texts = [state.action_to_string(action) for action in actions]
            assert actions and len(set(actions)) == len(actions) == len(set(texts))
            children: dict[str, set[int]] = {}
            for action in actions:
                child = state.child(action)
                children.setdefault(str(child), set()).add(action)
                assert child.history()[-1] == action
            # Two moves may lead to one position, but most do not.
            assert 2 * len(children) > len(actions)


def shown(state: ludex.State) -> dict[str, np.ndarray]:
    return dict(zip(state.get_game().observation_channels, state.observation()))


def test_planes_show_what_waits_in_hands() -> None:
    game = ludex.load_game("shogi")
    assert game.observation_shape[1:] == (9, 9)
    for seed in range(20):
        state = play(game, seed, most=120)
        if shown(state)["mine Pawn beside"].any():
            break
    hands = {name: plane for name, plane in shown(state).items() if name.endswith(" beside")}
    assert all((plane == plane[0, 0]).all() for plane in hands.values())
    on_board = sum(int(shown(state)[name].sum()) for name in game.observation_channels if name.startswith(("mine", "theirs")) and name not in hands)
    waiting = sum(int(plane[0, 0]) for plane in hands.values())
    assert waiting > 0 and on_board + waiting == 40
    # Whoever looks from the other side sees the same hands as the other's.
    mover = state.current_player()
    other = dict(zip(game.observation_channels, state.observation(1 - mover)))
    assert (other["theirs Pawn beside"] == hands["mine Pawn beside"]).all()
    morris = ludex.load_game("three-mens-morris").new_initial_state()
    assert morris.get_game().observation_shape[1:] == (3, 3) and (shown(morris)["mine beside"] == 3).all()
    morris.apply_action(morris.legal_actions()[0])
    assert (shown(morris)["theirs beside"] == 2).all() and (shown(morris)["mine beside"] == 3).all()


@pytest.mark.parametrize(("name", "dice"), [("backgammon", 2), ("royal-game-of-ur", 4)])
def test_planes_show_dice(name: str, dice: int) -> None:
    game = ludex.load_game(name)
    seen = set()
    for outcome in range(4):
        state = game.new_initial_state()
        while not state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        state.apply_action(state.legal_actions()[outcome])
        seen.add(tuple(int(shown(state)[f"die {number}"].max()) for number in range(1, dice + 1)))
    assert f"die {dice + 1}" not in game.observation_channels and len(seen) == 4


TWO_KINDS = """
(game "Two Kinds" (players 2) (equipment { (board (square 3) use:Cell) (piece "Disc" Each) })
    (rules (play (or (move Add (to (sites Empty))) (move Add (to Vertex (sites Empty Vertex)))))
        (end (if (no Moves Next) (result Mover Win)))))
"""


def test_sites_of_a_second_kind_are_shown() -> None:
    game = ludex.load_game(TWO_KINDS)
    seen = set()
    state = game.new_initial_state()
    assert game.observation_shape[1:] == (9 + 16,)
    for action in state.legal_actions():
        planes = shown(state.child(action))
        assert planes["theirs"].sum() == 1
        seen.add(int(planes["theirs"].argmax()))
    assert len(seen) == 25


def test_planes_show_what_stands_where() -> None:
    game = ludex.load_game("breakthrough", size="6x6")
    state = game.new_initial_state()
    planes = dict(zip(game.observation_channels, state.observation()))
    assert planes["mine"][:2].all() and planes["theirs"][4:].all() and planes["empty"][2:4].all()
    assert planes["mine"].sum() == 12 and planes["first to move"].all()
    state.apply_action(state.legal_actions()[0])
    planes = dict(zip(game.observation_channels, state.observation()))
    assert planes["theirs"].sum() == 12 and planes["last to"].sum() == planes["last from"].sum() == 1
    assert not planes["first to move"].any() and (planes["theirs"] * planes["last to"]).sum() == 1
    absolute = dict(zip(game.channels("absolute"), state.observation(perspective="absolute")))
    assert (absolute["player 1"] == planes["theirs"]).all()


COLUMNS = """
(game "Columns" (players 2) (equipment { (board (rectangle 1 7)) (piece "Disc" Each) })
    (rules
        (play (move Add (to (forEach (sites Board) if:(< (size Stack at:(site)) 6))) stack:True))
        (end { (if (is Line 4 LastFrom:True) (result Mover Win)) })))
"""


def test_stacks_show_their_height() -> None:
    game = ludex.load_game(COLUMNS.replace(" LastFrom:True", ""))
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(3)
    seen = state.observation()
    planes = dict(zip(game.observation_channels, seen))
    assert seen.shape == tuple(game.observation_shape)
    if seen.shape[1:] == (6, 7):  # columns that stand upright
        assert planes["theirs"][:3, 3].tolist() == [1, 0, 1] and planes["last to"][2, 3] == 1 == planes["last to"].sum()
    else:
        assert planes["height"][0, 3] == 3 and planes["mine 1 below"][0, 3] == 1 and planes["theirs 2 below"][0, 3] == 1


def test_names_of_pyspiel() -> None:
    game = ludex.load_game("tic-tac-toe")
    state = game.new_initial_state()
    assert state.is_player_node() and state.movers() == [0]
    assert (state.num_players(), state.num_distinct_actions()) == (2, game.num_distinct_actions())
    for action in (0, 3, 1, 4, 2):
        state.apply_action(action)
    assert not state.is_player_node() and [state.player_return(0), state.player_reward(1)] == [1.0, -1.0]
    assert state.history_str() == "0, 3, 1, 4, 2"
    first = state.full_history()[1]
    assert (first.player, first.action) == first == (1, 3)
    with pytest.raises(IndexError, match="player 2"):
        state.player_return(2)


def test_copies_of_games_and_agents() -> None:
    game = ludex.load_game("hex")
    assert copy.copy(game) is game is copy.deepcopy(game)
    agent = ludex.Agent("uct(c=0.3) + ppa", simulations=30, seed=4)
    assert copy.deepcopy(agent) is agent
    again, state = pickle.loads(pickle.dumps(agent)), game.new_initial_state()
    assert again.full_text == agent.full_text and (again.search(state).visits == agent.search(state).visits).all()
    guided = ludex.Agent("uct", prior=lambda observation, mask: (mask, observation))
    assert copy.copy(guided) is guided
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(guided)


def test_games_with_defines_travel_without_their_folder(tmp_path: Path) -> None:
    folder = tmp_path / "def"
    folder.mkdir()
    (folder / "three.def").write_text('(define "Three" (is Line 3))')
    text = THREE.replace("(is Line 3)", '("Three")').replace("square 3", "square <Size:of>")
    text += '(option "Size" <Size> args:{ <of> } { (item "3x3" <3> "")* (item "4x4" <4> "") })'
    for how in ({}, {"size": None, "options": ["Size/4x4"]}):
        game = ludex.load_game(text, defs=folder, **how)  # type: ignore[arg-type]
        pickled = pickle.dumps(game.new_initial_state())
        (folder / "three.def").rename(folder / "three")
        again = pickle.loads(pickled)
        (folder / "three").rename(folder / "three.def")
        assert again.get_game().rules_key == game.rules_key and again.get_game() == game
        assert str(again) == str(game.new_initial_state())


def test_what_is_hidden_is_not_seen() -> None:
    game = ludex.load_game("7-wonders", players=3)
    assert game.info["hidden"] and game.info["simultaneous"]
    state = next(state for plies in range(4, 9) if (state := play(game, 2, plies)).movers())
    assert state.current_player() == -2 and len(state.movers()) == 3
    assert len({state.observation_string(player) for player in range(3)}) == 3


def test_actions_of_all_players_may_be_an_array() -> None:
    state = play(ludex.load_game("7-wonders", players=3), 2, 6)
    while not state.movers():
        state.apply_action(state.chance_outcomes()[0][0])
    legal = [state.legal_actions(player)[0] for player in range(3)]
    other = state.clone()
    state.apply_actions(legal)
    other.apply_actions(np.array(legal, np.int32))
    assert state.hash() == other.hash()
    if not state.is_simultaneous_node():
        return
    before = state.hash()
    with pytest.raises(ludex.IllegalActionError):
        state.apply_actions([state.legal_actions(0)[0], 10**6, -1])
    assert state.hash() == before
    with pytest.raises(TypeError, match="whole numbers"):
        state.apply_actions(5)  # type: ignore[arg-type]


def test_chance_has_outcomes() -> None:
    state = ludex.load_game("backgammon").new_initial_state()
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    outcomes = state.chance_outcomes()
    assert state.current_player() == -1 and sum(odds for _, odds in outcomes) == pytest.approx(1)
    assert state.legal_actions() == [outcome for outcome, _ in outcomes]


@pytest.mark.parametrize("name", ["tic-tac-toe", "hex", "nine-mens-morris", "7-wonders"])
def test_observation_and_mask_at_once(name: str) -> None:
    game = ludex.load_game(name)
    state = game.new_initial_state()
    seen = state.observation()
    planes, mask = np.full_like(seen, 7), np.ones(game.num_distinct_actions(), np.bool_)
    for _ in range(5):
        if state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        elif len(state.movers()) == 1:
            legal = state.write(planes, mask)
            assert legal == state.legal_actions() == list(np.flatnonzero(mask))
            assert (planes == state.observation()).all() and (mask == state.legal_actions_mask()).all()
            state.apply_action(state.legal_actions()[0])
    while not state.is_terminal() and name != "7-wonders":
        state.apply_action(state.legal_actions()[-1])
    if state.is_terminal():
        assert state.write(planes, mask) == [] and not mask.any() and (planes == state.observation()).all()
    with pytest.raises(TypeError, match="float64"):
        state.write(planes, np.zeros(mask.shape))
    with pytest.raises(ValueError, match="shape"):
        state.write(planes, mask[:-1])


@pytest.mark.parametrize("threads", [1, 3])
def test_a_panic_is_an_exception(threads: int) -> None:
    from ludex import _ludex

    for _ in range(3):
        with pytest.raises(ludex.InternalError, match="on purpose"):
            _ludex.fail("on purpose", threads)


def test_wrong_use_is_told() -> None:
    game = ludex.load_game("tic-tac-toe")
    state = game.new_initial_state()
    with pytest.raises(ludex.IllegalActionError, match="action 77"):
        state.apply_action(77)
    with pytest.raises(ludex.IllegalActionError, match="action -1 is not one of the 9 "):
        state.apply_action(-1)
    assert state.legal_actions(1) == state.legal_actions(300) == [] and not state.legal_actions_mask(300).any()
    with pytest.raises(TypeError, match="float64"):
        state.observation(out=np.zeros(game.observation_shape))
    with pytest.raises(ValueError, match="shape"):
        state.observation(out=np.zeros([1, 2, 3], np.uint8))
    wide = np.zeros([*game.observation_shape[:2], 2 * game.observation_shape[2]], np.uint8)[:, :, ::2]
    with pytest.raises(ValueError, match="row by row"):
        state.observation(out=wide)
    fixed = np.zeros(game.observation_shape, np.uint8)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="`out` is read-only"):
        state.observation(out=fixed)
    with pytest.raises(ValueError, match="`observation` is read-only"):
        state.write(fixed, np.zeros(game.num_distinct_actions(), np.bool_))
    odd = np.zeros(4 * game.observation_tensor_size() + 1, np.uint8)[1:].view(np.float32)
    with pytest.raises(ValueError, match="do not begin where"):
        state.observation_tensor(out=odd)
    with pytest.raises(TypeError, match="not a list"):
        state.observation(out=[1, 2])  # type: ignore[arg-type]
    with pytest.raises(IndexError, match="player 5"):
        state.observation(5)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.legal_actions() == [] and state.current_player() == -4 and sum(state.returns()) == 0
    with pytest.raises(ValueError, match="over"):
        state.apply_action(0)


def test_no_simulations_are_no_budget() -> None:
    for use in (lambda: ludex.Agent("uct", simulations=0), lambda: ludex.match("hex", ["uct", "random"], simulations=0)):
        with pytest.raises(ValueError, match="`simulations` is a number above nought"):
            use()
    with pytest.raises(ValueError, match="no clock `sun`"):
        ludex.match("hex", ["uct", "random"], time=0.1, clock="sun")
    assert ludex.match("tic-tac-toe", ["uct", "random"], games=2, time=0.001, clock="cpu").games == 2


def test_more_than_a_machine_has_is_refused() -> None:
    game = ludex.load_game("tic-tac-toe")
    with pytest.raises(MemoryError, match="games"):
        game.playouts(1 << 60)
    with pytest.raises(MemoryError, match="environments"):
        ludex.vector(game, 1 << 50)
    for use in (
        lambda: game.playouts(10, threads=10**6), lambda: ludex.vector(game, 4, threads=10**6),
        lambda: ludex.Agent("uct", threads=10**6), lambda: ludex.match(game, ["random", "random"], threads=10**6),
    ):
        with pytest.raises(ValueError, match="1000000 threads are too many"):
            use()


def test_a_state_draws_itself() -> None:
    state = ludex.load_game("hex").new_initial_state()
    assert (state._repr_svg_() or "").startswith("<svg") and state._repr_html_() is None
    without_board = ludex.load_game("7-wonders", players=3).new_initial_state()
    assert without_board._repr_svg_() is None and (without_board._repr_html_() or "").startswith("<pre>")


def test_playouts_are_the_same_on_any_number_of_threads() -> None:
    game = ludex.load_game("breakthrough", size="6x6")
    one, two = game.playouts(1000, seed=3), game.playouts(1000, seed=3, threads=2)
    assert one.returns.dtype == np.float32 and one.returns.shape == (1000, 2) and len(one) == 1000
    assert (one.returns == two.returns).all() and (one.lengths == two.lengths).all()
    assert (one.returns.sum(axis=1) == 0).all() and abs(one.returns.mean(axis=0)[0]) < 0.2
    assert (game.playouts(1000, seed=4).lengths != one.lengths).any()


def test_a_search_shows_its_evidence() -> None:
    game = ludex.load_game("tic-tac-toe")
    state = game.new_initial_state()
    found = ludex.Agent("uct", simulations=2000, seed=1).search(state)
    assert found.simulations == 2000 and found.visits.sum() in (1999, 2000)  # the first only makes the root
    assert set(found.actions) == set(state.legal_actions()) and found.best == found.actions[0]
    assert found.visits.dtype == np.int64 and found.values.dtype == np.float64
    assert found.best_text == state.action_to_string(found.best) == found.line[0]
    course = state.clone()
    for text, action in zip(found.line, found.line_actions, strict=True):
        assert course.action_to_string(int(action)) == text
        course.apply_action(int(action))
    assert found.line_actions.dtype == np.int64
    again = ludex.Agent("uct", simulations=2000, seed=1).search(state)
    assert (again.visits == found.visits).all()
    with pytest.raises(ludex.GameError, match="uct"):
        ludex.Agent("utc")


def test_nobody_plays_alone_against_nobody() -> None:
    with pytest.raises(ludex.GameError, match="Tic-Tac-Toe has 2 players and one player would have every seat"):
        ludex.match("tic-tac-toe", ["uct"], games=2, simulations=5)
    assert ludex.match("tic-tac-toe", ["random", "random"], games=2).games == 2


def test_matches_with_players_of_ours_and_of_python() -> None:
    class First(ludex.Player):
        def choose(self, state: ludex.State, budget: dict[str, object]) -> int:
            assert state.current_player() == budget["player"]
            return state.legal_actions()[0]

    played = ludex.match("tic-tac-toe", ["uct", First()], games=10, simulations=200, seed=5)
    assert played.games == 10 and played.players == ["uct", "First"] and "First" in played.table()
    score = played.score(0)
    low, high = played.interval(0)
    assert score is not None and low <= score <= high and score > 0.7 and sum(played.counts(0)) == 10
    again = ludex.match("tic-tac-toe", ["uct", First()], games=10, simulations=200, seed=5, threads=2)
    assert again.records == played.records

    class Keeper(ludex.Player):
        """Hands are dealt in more ways than are listed: positions of matches can be kept all the same."""

        def choose(self, state: ludex.State, budget: dict[str, object]) -> int:
            kept = pickle.loads(pickle.dumps(state))
            assert (kept.hash(), str(kept), kept.history()) == (state.hash(), str(state), state.history())
            return state.legal_actions(int(str(budget["player"])))[0]

    assert ludex.match(ludex.load_game("7-wonders", players=3), [Keeper(), "random", "random"], games=1).games == 1

    class Broken(ludex.Player):
        def choose(self, state: ludex.State, budget: dict[str, object]) -> int:
            raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        ludex.match("tic-tac-toe", [Broken(), "random"], games=3)

    class Cheat(ludex.Player):
        def choose(self, state: ludex.State, budget: dict[str, object]) -> int:
            return 4711

    with pytest.raises(ludex.IllegalActionError, match="4711"):
        ludex.match("tic-tac-toe", [Cheat(), "random"], games=3)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_control_c_is_heard() -> None:
    state = ludex.load_game("breakthrough").new_initial_state()
    agent = ludex.Agent("uct", time=60.0)
    begun = 0.0

    def interrupt() -> None:
        nonlocal begun
        begun = time.monotonic()
        signal.raise_signal(signal.SIGINT)

    # Whatever is started in the background does not hear it otherwise.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        agent.search(state)
    # 50 ms on a machine that has nothing else to do.
    assert time.monotonic() - begun < 1.0


def test_other_threads_run_during_a_search() -> None:
    counted, stop = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    ludex.Agent("uct", time=0.5).search(ludex.load_game("hex").new_initial_state())
    stop.set()
    thread.join()
    assert counted > 10


def test_importing_needs_no_numpy() -> None:
    code = "import sys, ludex; print('numpy' in sys.modules, 'gymnasium' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "False"]
