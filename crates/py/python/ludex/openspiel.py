"""Games as pyspiel games: importing this module registers every built-in one as ``ludex_NAME``.

>>> import pyspiel, ludex.openspiel
>>> game = pyspiel.load_game("ludex_hex")

Any other game is ``ludex(game=TEXT)`` with the text that `ludex.load_game` reads: a name with options, or a file.
"""

from __future__ import annotations

import urllib.parse
from typing import Any

import numpy as np

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:  # pragma: no cover
    raise ImportError("ludex.openspiel needs OpenSpiel: pip install open_spiel") from error

from . import Game, State, games, load_game

#: Names begin so.
PREFIX = "ludex_"

#: So many games of random moves are looked at.
_SHOWN = 32


def _is_zero_sum(game: Game) -> bool:
    """Whether what one of two players wins the other loses: GDL may give goals to both, and a few games show whether others do."""
    if game.num_players() != 2 or game.language == "gdl":
        return False
    return not game.playouts(_SHOWN).returns.sum(axis=1).any()


def _type(name: str, title: str, game: Game, parameters: dict[str, Any]) -> Any:
    info = game.info
    kinds = pyspiel.GameType
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=kinds.Dynamics.SIMULTANEOUS if info["simultaneous"] else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if info["chance"] else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if info["hidden"] else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if _is_zero_sum(game) else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(game.num_players(), 1),
        min_num_players=max(game.num_players(), 1),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=game.observation_tensor_size() > 0,
        parameter_specification=parameters,
    )


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position as pyspiel has it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.ludex: State = game.ludex.new_initial_state()

    def current_player(self) -> int:
        player = self.ludex.current_player()
        return int(player)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.ludex.legal_actions(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.ludex.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.ludex.apply_action(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self.ludex.apply_actions(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        # Two actions may read alike (of two dice, the same); the number keeps them apart.
        return f"{self.ludex.action_to_string(player, action)} [{action}]"

    def is_terminal(self) -> bool:
        return self.ludex.is_terminal()

    def returns(self) -> list[float]:
        return self.ludex.returns()

    def __str__(self) -> str:
        return str(self.ludex)


class Observer:
    """A position as the planes that `State.observation_tensor` gives, and as text."""

    def __init__(self, game: Game, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations: {params}")
        shape = tuple(game.observation_tensor_shape())
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Writes a position into the tensor."""
        state.ludex.observation_tensor(player, out=self.tensor)

    def string_from(self, state: SpielState, player: int) -> str:
        """A position as text."""
        return state.ludex.observation_string(player)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game as pyspiel has it."""

    def __init__(self, kind: Any, game: Game, params: dict[str, Any]) -> None:
        self.ludex = game
        chance = 0
        if game.info["chance"]:
            chance = _chance_outcomes(game)
        super().__init__(
            kind,
            pyspiel.GameInfo(
                num_distinct_actions=game.num_distinct_actions(),
                max_chance_outcomes=chance,
                num_players=max(game.num_players(), 1),
                min_utility=game.min_utility(),
                max_utility=game.max_utility(),
                utility_sum=0.0 if kind.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
                max_game_length=game.max_game_length(),
            ),
            params,
        )

    def new_initial_state(self) -> SpielState:
        """The position before the first move."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """Whoever turns positions into numbers."""
        whole = iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall)
        if whole or self.ludex.info["hidden"]:
            return Observer(self.ludex, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def _chance_outcomes(game: Game) -> int:
    """The most outcomes that chance has, as far as a few games show; 1,024 where they are not listed."""
    most, rng = 1024, np.random.default_rng(0)
    for _ in range(4):
        state = game.new_initial_state()
        for _ in range(200):
            if state.is_terminal():
                break
            if state.is_chance_node():
                most = max(most, len(state.chance_outcomes()))
            actions = [int(rng.choice(state.legal_actions(p))) if p in state.movers() else -1
                       for p in range(game.num_players())]
            if state.is_chance_node():
                state.apply_action(int(rng.choice([a for a, _ in state.chance_outcomes()])))
            else:
                state.apply_actions(actions)
    return most


def _plain(name: str) -> str:
    return PREFIX + name.replace("-", "_").replace(".", "_")


_registered: dict[str, str] = {}


def _register_one(name: str) -> None:
    short = _plain(name)
    if short in _registered:
        return
    game = load_game(name)
    if game.num_players() == 0:
        return
    kind = _type(short, f"Ludex {game.name}", game, {})

    class Named(SpielGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(kind, game, params or {})

    # Games are pickled by their class, which must be found by its name.
    Named.__name__ = Named.__qualname__ = short
    globals()[short] = Named
    pyspiel.register_game(kind, Named)
    _registered[short] = name


class _Any(SpielGame):
    """A game by its name, with options as the command line has them, or by the text of its rules."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = str((params or {}).get("game", "tic-tac-toe"))
        text = urllib.parse.unquote(given) if given == _quoted(urllib.parse.unquote(given)) else given
        game = load_game(text)
        super().__init__(_type("ludex", "Ludex", game, {"game": "tic-tac-toe"}), game, {"game": _quoted(text)})


def _quoted(text: str) -> str:
    """A text as pyspiel can print and read it: without brackets, commas and signs of equality."""
    return urllib.parse.quote(text, safe=" ._-/")


def register(names: list[str] | None = None) -> list[str]:
    """Registers built-in games, all of them unless some are named; gives their names in pyspiel."""
    for name in games() if names is None else names:
        _register_one(name)
    if "ludex" not in _registered:
        pyspiel.register_game(_type("ludex", "Ludex", load_game("tic-tac-toe"), {"game": "tic-tac-toe"}), _Any)
        _registered["ludex"] = "tic-tac-toe"
    return sorted(_registered)


register()

__all__ = ["Observer", "SpielGame", "SpielState", "register"]
