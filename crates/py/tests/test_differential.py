"""The same games in OpenSpiel: same legal moves, same returns."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import ludex

pyspiel = pytest.importorskip("pyspiel")

# A thousand games of each with LUDEX_SLOW.
GAMES = 1000 if os.environ.get("LUDEX_SLOW") else 25

Names = Callable[[Any], dict[str, int]]


def ours(state: ludex.State) -> dict[str, int]:
    return {state.action_to_string(action).lower(): action for action in state.legal_actions()}


def theirs(state: Any) -> dict[str, int]:
    return {state.action_to_string(action).lower(): action for action in state.legal_actions()}


def both(name: str, other: str, own: Names, foreign: Names, games: int = GAMES) -> None:
    """Plays random games in both and compares every position."""
    game, model = ludex.load_game(name), pyspiel.load_game(other)
    for seed in range(games):
        rng = random.Random(seed)
        state, beside = game.new_initial_state(), model.new_initial_state()
        while not state.is_terminal() and not beside.is_terminal():
            assert state.current_player() == beside.current_player()
            left, right = own(state), foreign(beside)
            assert left.keys() == right.keys(), (seed, state.history(), left.keys() ^ right.keys())
            chosen = rng.choice(sorted(left))
            state.apply_action(left[chosen])
            beside.apply_action(right[chosen])
        while not state.is_terminal():  # where nobody can move, ours ends when both have passed
            assert list(ours(state)) == ["pass"], (seed, state.history())
            state.apply_action(state.legal_actions()[0])
        assert beside.is_terminal() and state.returns() == beside.returns(), (seed, state.history())


def test_breakthrough() -> None:
    """There the first player comes from the top."""

    def own(state: ludex.State) -> dict[str, int]:
        return {"".join(re.findall(r"[a-h][1-8]", text)): action for text, action in ours(state).items()}

    def foreign(state: Any) -> dict[str, int]:
        turned = str.maketrans("12345678", "87654321", "*")
        return {text.translate(turned): action for text, action in theirs(state).items()}

    both("breakthrough", "breakthrough", own, foreign)


def test_connect_four() -> None:
    both(
        "connect-four",
        "connect_four",
        lambda state: {text[0]: action for text, action in ours(state).items()},
        lambda state: {"abcdefg"[int(text[1:])]: action for text, action in theirs(state).items()},
    )


def test_hex() -> None:
    """Without taking over the first move, which theirs leaves out. Ours joins other sides, so the board is turned."""

    def own(state: ludex.State) -> dict[str, int]:
        return {text: action for text, action in ours(state).items() if text != "swap"}

    def foreign(state: Any) -> dict[str, int]:
        named = theirs(state)
        return {f"{'abcdefghijk'[int(text[1:]) - 1]}{11 - 'abcdefghijk'.index(text[0])}": a for text, a in named.items()}

    both("hex", "hex", own, foreign)


def test_othello() -> None:
    both("reversi", "othello", ours, theirs)


def test_go() -> None:
    """A position that comes back is forbidden here and ends the game there."""
    game = ludex.load_game("go", board="9x9")
    model = pyspiel.load_game("go(board_size=9,komi=0.0,max_game_length=4000)")
    columns = str.maketrans("abcdefghj", "abcdefghi")
    for seed in range(GAMES):
        rng = random.Random(seed)
        state, beside = game.new_initial_state(), model.new_initial_state()
        for ply in range(400):
            left = ours(state)
            right = {text.split()[-1].translate(columns): action for text, action in theirs(beside).items()}
            right["pass"] = next(a for a in beside.legal_actions() if "pass" in beside.action_to_string(a).lower())
            right = {text: action for text, action in right.items() if text == "pass" or len(text) == 2}
            assert left.keys() <= right.keys(), (seed, state.history(), left.keys() - right.keys())
            for extra in right.keys() - left.keys():
                assert beside.child(right[extra]).is_terminal(), (seed, extra, state.history())
            chosen = rng.choice(sorted(left)) if ply < 250 else "pass"
            state.apply_action(left[chosen])
            beside.apply_action(right[chosen])
            assert state.is_terminal() == beside.is_terminal()
            if state.is_terminal():
                break
        assert state.is_terminal() and state.returns() == beside.returns(), (seed, state.history())


PIECES = {"Pawn": "", "Knight": "N", "Bishop": "B", "Rook": "R", "Queen": "Q", "King": "K"}


def chess_names(state: ludex.State, channels: list[str]) -> dict[tuple[str, str, str, str], int]:
    """Piece, start, end and promotion of every legal move."""
    planes = dict(zip(channels, state.observation(perspective="absolute")))
    mover = f"player {state.current_player() + 1}"
    named = {}
    for action in state.legal_actions():
        text = state.action_to_string(action)
        squares = re.findall(r"[A-H][1-8]", text)
        column, row = "ABCDEFGH".index(squares[0][0]), int(squares[0][1]) - 1
        piece = next(letter for name, letter in PIECES.items() if planes[f"{mover} {name}"][row, column])
        # Moves that differ in what a pawn becomes are numbered in the order in which the rules name it.
        which = re.search(r"#(\d)", text)
        named[piece, squares[0].lower(), squares[-1].lower(), "QRBN"[int(which[1]) - 1] if which else ""] = action
    assert len(named) == len(state.legal_actions())
    return named


def fits(move: tuple[str, str, str, str], text: str) -> bool:
    """Whether a move is what a text in the notation of chess players says."""
    piece, start, end, turned = move
    if text.startswith("O-O"):
        side = "c" if text.startswith("O-O-O") else "g"
        return piece == "K" and start[0] == "e" and end[0] == side
    found = re.fullmatch(r"([NBRQK]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([NBRQ]))?[+#]?", text)
    assert found, text
    if piece == "K" and abs("abcdefgh".index(start[0]) - "abcdefgh".index(end[0])) > 1:
        return False
    return (
        found[1] == piece
        and found[4] == end
        and (found[5] or "") == turned
        and found[2] in ("", start[0])
        and found[3] in ("", start[1])
    )


def test_chess() -> None:
    """Theirs also ends by the third repetition and for want of pieces, which ours does not know."""
    game, model = ludex.load_game("chess"), pyspiel.load_game("chess")
    channels = game.channels("absolute")
    for seed in range(GAMES if GAMES >= 1000 else 5):
        rng = random.Random(seed)
        state, beside = game.new_initial_state(), model.new_initial_state()
        while not state.is_terminal() and not beside.is_terminal():
            named = chess_names(state, channels)
            texts = {beside.action_to_string(action): action for action in beside.legal_actions()}
            assert len(named) == len(texts), (seed, str(beside))
            pairs = {text: [move for move in named if fits(move, text)] for text in texts}
            assert all(len(found) == 1 for found in pairs.values()), (seed, str(beside), pairs)
            chosen = rng.choice(sorted(texts))
            state.apply_action(named[pairs[chosen][0]])
            beside.apply_action(texts[chosen])
        # White is the first player here and the second there.
        if state.is_terminal():
            assert beside.is_terminal() and state.returns() == list(reversed(beside.returns())), (seed, str(beside))
        else:
            assert beside.returns() == [0.0, 0.0]
