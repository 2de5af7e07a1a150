"""General game playing: any game from its rules, at the speed of the engine.

>>> import ludex
>>> game = ludex.load_game("breakthrough", size="6x6")
>>> state = game.new_initial_state()
>>> state.apply_action(state.legal_actions()[0])
"""

from __future__ import annotations

import importlib
import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _ludex
from ._ludex import (
    Agent,
    Evaluation,
    Game,
    GameError,
    IllegalActionError,
    InternalError,
    MatchResult,
    Playouts,
    Rng,
    RulesError,
    SearchBatch,
    SearchResult,
    State,
    __version__,
    games,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from . import arena, features, gym, openspiel, pettingzoo
    from ._vector import TimeStep, VectorEnv, vector

__all__ = [
    "Agent",
    "Evaluation",
    "Game",
    "GameError",
    "IllegalActionError",
    "InternalError",
    "MatchResult",
    "Player",
    "PlayerAction",
    "Playouts",
    "Rng",
    "RulesError",
    "SearchBatch",
    "SearchResult",
    "State",
    "TimeStep",
    "VectorEnv",
    "__version__",
    "arena",
    "evaluate",
    "features",
    "games",
    "gym",
    "load_game",
    "match",
    "openspiel",
    "pettingzoo",
    "vector",
]

# Imported when they are asked for: what they need may not be installed, and NumPy takes a while.
_LATER = {"vector": "_vector", "VectorEnv": "_vector", "TimeStep": "_vector"}
_MODULES = {"arena", "features", "gym", "openspiel", "pettingzoo"}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


class Player:
    """A player written in Python: derive from it and say what he chooses."""

    def choose(self, state: State, budget: dict[str, Any]) -> int:
        """An action that is legal in ``state`` for player ``budget["player"]``.

        ``budget`` also has ``simulations`` and ``time`` (seconds), each None where there is no such limit.
        """
        raise NotImplementedError


class PlayerAction(NamedTuple):
    """Who took an action, and which."""

    player: int
    action: int


def load_game(
    name: str | os.PathLike[str],
    /,
    options: str | Iterable[str] | Mapping[str, Any] | None = (),
    *,
    size: str | None = None,
    players: int | None = None,
    sides: str | None = None,
    defs: str | os.PathLike[str] | None = None,
    engine: str | None = None,
    **chosen: Any,
) -> Game:
    """A game from a built-in name, a ``.lud`` or ``.kif`` file, or the text of its rules.

    Options of a description are keywords (``load_game("hex", board="9x9")``), texts as the command line has them
    (``options=["Board Size/9x9"]``), or stand in brackets after the name (``"breakthrough(size=6x6)"``).
    ``defs`` is the folder of a library's defines. Wrong rules raise `RulesError` with ``line``, ``column``, ``span`` and
    ``help``.
    """
    text = None
    source = os.fsdecode(name)
    bracket = re.fullmatch(r"\s*([\w.\-/ ]+?)\s*\((.*)\)\s*", source, re.DOTALL)
    if _is_rules(source):
        text, source = source, "rules"
    elif bracket and not os.path.exists(source):
        source = bracket[1]
        # What is said by keyword goes before what stands in brackets.
        said = dict(_settings(bracket[2]))
        number = said.pop("players", "")
        if number and not number.isdecimal():
            raise GameError(f"`players={number}`: how many play is a number")
        players = int(number) if number and players is None else players
        of_size, of_sides, of_engine = (said.pop(key, None) for key in ("size", "sides", "engine"))
        size, sides, engine = size or of_size, sides or of_sides, engine or of_engine
        chosen = {**said, **chosen}
    language = "gdl" if text is not None and re.search(r"\(\s*role\s", text, re.IGNORECASE) else "lud"
    folder = None if defs is None else os.fspath(defs)
    if isinstance(options, str):
        options = [options]
    elif options is not None and hasattr(options, "items"):
        chosen = {**dict(options.items()), **chosen}
        options = ()
    wanted = [*(options or ()), *_options(source, text, language, folder, chosen)]
    return _ludex.load(
        source,
        text,
        language,
        size=size,
        players=players,
        sides=sides,
        options=wanted,
        defs=folder,
        engine=engine,
    )


def _is_rules(text: str) -> bool:
    return bool(re.search(r"\(\s*(game|match|role|define)[\s\"]", text, re.IGNORECASE)) or text.lstrip()[:1] in ("(", ";")


def _settings(text: str) -> Iterable[tuple[str, str]]:
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, sign, value = part.partition("=")
        if not sign:
            raise GameError(f"`{part}` is not of the form option=value")
        yield key.strip(), value.strip()


def _options(
    name: str, text: str | None, language: str, defs: str | None, chosen: Mapping[str, Any]
) -> Iterable[str]:
    """Options of a description by keyword: a word of the heading, and the item."""
    if not chosen:
        return
    offers = _ludex.offers(name, text, defs)
    if not offers:
        # Rules that cannot be read offer nothing: what is wrong with them is told first.
        _ludex.load(name, text, language, defs=defs)
    for key, value in chosen.items():
        plain = key.replace("_", " ").lower()
        fits = [offer for offer in offers if offer[0].lower() == plain]
        fits = fits or [offer for offer in offers if plain in offer[0].lower().split()]
        if len(fits) != 1:
            known = ", ".join(heading for heading, _ in offers) or "none"
            raise GameError(f"{name} has no option `{key}`; there are: {known}")
        heading, items = fits[0]
        item = str(value).lower()
        same = [one for one in items if one.lower() == item] or [one for one in items if item in one.lower().split()]
        if len(same) != 1:
            raise GameError(f"`{heading}` of {name} has no item `{value}`; there are: {', '.join(items)}")
        yield f"{heading}/{same[0]}"


def match(
    game: Game | str | os.PathLike[str],
    players: Sequence[str | Agent | Player],
    *,
    games: int = 100,
    simulations: int | None = None,
    time: float | None = None,
    clock: str = "wall",
    seed: int = 1,
    threads: int = 1,
) -> MatchResult:
    """Games between players over all seatings: texts of agents, `Agent` objects, `Player` objects.

    The same seed gives the same games as ``ludex match``, on one thread or many. Without a budget every agent has a
    thousand simulations a move. ``time`` is counted by the ``clock`` on the wall or, with ``"cpu"``, as processor time.
    """
    played = game if isinstance(game, Game) else load_game(game)
    return _ludex.play_series(
        played,
        list(players),
        games=games,
        simulations=simulations,
        time=time,
        clock=clock,
        seed=seed,
        threads=threads,
    )


def evaluate(
    game: Game | str | os.PathLike[str],
    *,
    tier: int = 1,
    agent: str = "uct",
    simulations: int | None = None,
    matches: int = 1000,
    random_games: int = 100_000,
    seconds: float | None = None,
    seed: int = 1,
    threads: int | None = None,
    store: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Evaluation:
    """Is a game fair, alive, deep? What ``ludex evaluate`` finds, with a 95% interval for every number.

    Tier 0 plays random games (a second), tier 1 games between searches (a minute), tier 2 also a ladder of budgets (ten
    minutes). With ``store``, a file, a run that was stopped goes on. Other keywords are options of the game.
    """
    judged = game if isinstance(game, Game) else load_game(game, **options)
    return _ludex.judge(
        judged,
        tier=tier,
        agent=agent,
        simulations=simulations,
        matches=matches,
        random_games=random_games,
        seconds=seconds,
        seed=seed,
        threads=threads or os.cpu_count() or 1,
        store=None if store is None else os.fspath(store),
    )


def _again(name: str, how: dict[str, Any]) -> Game:
    """A game from what it was pickled as."""
    return _ludex.load(name, **how)


def _agent(text: str, how: dict[str, Any]) -> Agent:
    """An agent from what it was pickled as."""
    return Agent(text, **how)


def _replayed(game: Game, actions: bytes) -> State:
    """A position from what it was pickled as."""
    return game.deserialize_state(actions.decode())
