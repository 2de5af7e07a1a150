"""Patterns around moves that say which moves are good, learned by self-play as ``ludex features`` learns them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import Game, _ludex, load_game

if TYPE_CHECKING:
    Path = str | os.PathLike[str]


def learn(
    game: Game | Path,
    out: Path,
    *,
    games: int = 300,
    minutes: float = 10.0,
    simulations: int = 1000,
    rounds: int = 3,
    most: int = 16,
    seed: int = 1,
    threads: int | None = None,
    **options: Any,
) -> list[str]:
    """Learns features into the file ``out``; what it holds already is where learning begins. Gives a line for every step.

    Agents use them as ``"uct + features(FILE)"`` and ``"uct(prior=features(FILE))"``. Other keywords are options of the game.
    """
    played = game if isinstance(game, Game) else load_game(game, **options)
    return _ludex.learn_features(
        played,
        os.fspath(out),
        games=games,
        minutes=minutes,
        simulations=simulations,
        rounds=rounds,
        most=most,
        seed=seed,
        threads=threads or os.cpu_count() or 1,
    )


__all__ = ["learn"]
