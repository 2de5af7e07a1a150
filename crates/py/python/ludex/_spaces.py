"""What Gymnasium's and PettingZoo's environments share: spaces of actions that know what is legal, and the order of calls."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from . import Game, IllegalActionError, State

#: Attributes of games without a board are numbers no larger than this.
_MOST = 1e6


class Actions(spaces.Discrete):  # type: ignore[misc]
    """All actions of a game. Without a mask of somebody's own, only those are drawn that are legal now: samplers that know
    of no masks can play. ``mask`` is a method of the environment, so that a copy's space asks the copy."""

    def __init__(self, game: Game, mask: Callable[[], Any]) -> None:
        super().__init__(game.num_distinct_actions())
        self._mask = mask
        self._drawn: int | None = None
        self._before: int | None = None

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None and probability is None:
            mask = self._mask()
        found = super().sample(mask, probability)
        self._drawn = int(found)
        return found

    def begin(self) -> None:
        """The environment is reset. What was drawn last was legal in another position."""
        self._before = self._drawn

    def stands_for(self, action: int, legal: list[int]) -> int:
        """An action, or a legal one in the place of what was drawn before a reset: Gymnasium's checker draws first, then resets."""
        return legal[action % len(legal)] if action == self._before and legal and action not in legal else action


def observed(game: Game) -> Any:
    """What observations are: planes, or attributes of a game without a board."""
    shape = tuple(game.observation_shape)
    if len(shape) > 1:
        return spaces.Box(0, 255, shape, np.uint8)
    return spaces.Box(-_MOST, _MOST, shape, np.float32)


def mask_of(state: State, player: int) -> Any:
    """What a player may do, as int8; nothing where he has no choice."""
    return state.legal_actions_mask(player).astype(np.int8)


def check_mode(mode: str | None, known: Sequence[str]) -> None:
    """Refuses ways to show positions that there are not."""
    if mode is not None and mode not in known:
        raise ValueError(f"there is no render mode `{mode}`: {', '.join(known)}")


def chosen(state: State, player: int, action: Any, name: str) -> int:
    """An action somebody chose, if it is legal."""
    number, legal = operator.index(action), state.legal_actions(player)
    if number not in legal:
        game = state.get_game().name
        raise IllegalActionError(f"action {number} is not one of the {len(legal)} that {name} has here in {game}")
    return number


def let_chance_decide(state: State, random: np.random.Generator) -> None:
    """Draws outcomes of chance until somebody has a choice."""
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        odds = np.array([chance for _, chance in outcomes])
        state.apply_action(outcomes[int(random.choice(len(outcomes), p=odds / odds.sum()))][0])


class Order:
    """Whether an environment was reset, and not closed since."""

    def __init__(self) -> None:
        self._begun = self._closed = False

    def reset(self) -> None:
        """It is reset now."""
        if self._closed:
            raise ValueError("this environment is closed")
        self._begun = True

    def close(self) -> None:
        """It is closed now."""
        self._closed = True

    def check(self) -> None:
        """Something is asked of it."""
        if self._closed:
            raise ValueError("this environment is closed")
        if not self._begun:
            raise ValueError("reset the environment before the first step")
