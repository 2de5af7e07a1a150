"""Games as Gymnasium environments: one player's view, the others are agents."""

from __future__ import annotations

import operator
import os
from typing import Any

try:
    import gymnasium

    from ._spaces import Actions, Order, check_mode, chosen, let_chance_decide, mask_of, observed
except ImportError as error:  # pragma: no cover
    raise ImportError("ludex.gym needs Gymnasium: pip install gymnasium") from error

from . import Agent, Game, Player, State, load_game


def make(
    game: Game | str | os.PathLike[str],
    *,
    player: int = 0,
    opponent: str | Agent | Player = "random",
    simulations: int | None = None,
    time: float | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> Env:
    """A game as one player sees it; the others are played by an agent, or by a player written in Python.

    ``simulations`` and ``time`` are what they may think with for each move; an `Agent` has its own budget.
    """
    played = game if isinstance(game, Game) else load_game(game, **options)
    return Env(played, player, opponent, simulations, time, render_mode)


class Env(gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """One player's view of a game. ``info["action_mask"]`` says what is legal, ``action_space.sample()`` draws among that; what
    is not legal is refused."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg"], "render_fps": 2}

    def __init__(
        self,
        game: Game,
        player: int,
        opponent: str | Agent | Player,
        simulations: int | None,
        time: float | None,
        render_mode: str | None,
    ) -> None:
        if not 0 <= player < game.num_players():
            raise ValueError(f"there is no player {player} in {game.name}")
        check_mode(render_mode, self.metadata["render_modes"])
        self.game = game
        self.player = player
        self.render_mode = render_mode
        self._opponent = opponent
        self._budget: dict[str, Any] = {"simulations": simulations, "time": time}
        if isinstance(opponent, str):
            Agent(opponent, **self._budget)  # a wrong text is refused at once
        elif not hasattr(opponent, "choose"):
            raise TypeError("`opponent` is a text, a ludex.Agent, or an object with `choose(state, budget)`")
        self.observation_space = observed(game)
        self.action_space = Actions(game, self._mask)
        self._order = Order()
        self._state: State = game.new_initial_state()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self._order.reset()
        super().reset(seed=seed)
        self.action_space.begin()
        self._state = self.game.new_initial_state()
        self._others()
        return self._state.observation(self.player), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self._order.check()
        state = self._state
        if state.is_terminal():
            raise ValueError("the game is over: reset it")
        legal = state.legal_actions(self.player)
        meant = self.action_space.stands_for(operator.index(action), legal)
        self._play(chosen(state, self.player, meant, f"player {self.player}"))
        self._others()
        over, truncated = state.is_terminal(), state.is_truncated()
        reward = float(state.returns()[self.player]) if over else 0.0
        return state.observation(self.player), reward, over and not truncated, truncated, self._info()

    def render(self) -> str | None:
        return self._state.svg() if self.render_mode == "svg" else str(self._state)

    def close(self) -> None:
        self._order.close()

    def _play(self, own: int | None) -> None:
        """Plays one ply: the player's own action and what the others choose."""
        state = self._state
        if state.is_chance_node():
            return let_chance_decide(state, self.np_random)
        movers = state.movers()
        actions = [-1] * self.game.num_players()
        for mover in movers:
            actions[mover] = own if mover == self.player and own is not None else self._choice(mover)
        state.apply_actions(actions)

    def _choice(self, player: int) -> int:
        if isinstance(self._opponent, str):
            seed = int(self.np_random.integers(1 << 62))
            return Agent(self._opponent, seed=seed, **self._budget).choose(self._state, player)
        if isinstance(self._opponent, Agent):
            return self._opponent.choose(self._state, player)
        return self._opponent.choose(self._state.clone(), {**self._budget, "player": player})

    def _others(self) -> None:
        state = self._state
        while not state.is_terminal() and self.player not in state.movers():
            self._play(None)

    def _mask(self) -> Any:
        return mask_of(self._state, self.player)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}


__all__ = ["Env", "make"]
