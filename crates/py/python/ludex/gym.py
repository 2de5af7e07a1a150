"""Games as Gymnasium environments: one player's view, the others are agents."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:  # pragma: no cover
    raise ImportError("ludex.gym needs Gymnasium: pip install gymnasium") from error

from . import Agent, Game, State, load_game


#: Attributes of games without a board are numbers no larger than this.
_MOST = 1e6


def make(
    game: Game | str | os.PathLike[str],
    *,
    player: int = 0,
    opponent: str = "random",
    simulations: int | None = None,
    time: float | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> Env:
    """A game as one player sees it; the others are played by an agent."""
    played = game if isinstance(game, Game) else load_game(game, **options)
    return Env(played, player, opponent, simulations, time, render_mode)


class Env(gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """One player's view of a game. ``info["action_mask"]`` says what is legal; what is not is answered by the legal action
    that it stands for when all of them are counted round and round, so that samplers without a mask can play."""

    metadata = {"render_modes": ["ansi", "svg"], "render_fps": 2}

    def __init__(
        self,
        game: Game,
        player: int,
        opponent: str,
        simulations: int | None,
        time: float | None,
        render_mode: str | None,
    ) -> None:
        if not 0 <= player < game.num_players():
            raise ValueError(f"there is no player {player} in {game.name}")
        self.game = game
        self.player = player
        self.render_mode = render_mode
        self._opponent = (opponent, simulations, time)
        Agent(opponent, simulations=simulations, time=time)  # a wrong text is refused at once
        shape = tuple(game.observation_shape)
        if len(shape) > 1:
            self.observation_space = spaces.Box(0, 255, shape, np.uint8)
        else:
            self.observation_space = spaces.Box(-_MOST, _MOST, shape, np.float32)
        self.action_space = spaces.Discrete(game.num_distinct_actions())
        self._state: State = game.new_initial_state()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._state = self.game.new_initial_state()
        self._others()
        return self._state.observation(self.player), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        state = self._state
        if state.is_terminal():
            raise ValueError("the game is over: reset it")
        legal = state.legal_actions(self.player)
        chosen = int(action)
        if chosen not in legal:
            chosen = legal[chosen % len(legal)]
        self._play(chosen)
        self._others()
        over, truncated = state.is_terminal(), state.is_truncated()
        reward = float(state.returns()[self.player]) if over else 0.0
        return state.observation(self.player), reward, over and not truncated, truncated, self._info()

    def render(self) -> str | None:
        return self._state.svg() if self.render_mode == "svg" else str(self._state)

    def _play(self, own: int | None) -> None:
        """Plays one ply: the player's own action and what the others choose."""
        state = self._state
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            odds = np.array([chance for _, chance in outcomes])
            state.apply_action(outcomes[int(self.np_random.choice(len(outcomes), p=odds / odds.sum()))][0])
            return
        movers = state.movers()
        actions = [-1] * self.game.num_players()
        for mover in movers:
            actions[mover] = own if mover == self.player and own is not None else self._choice(mover)
        state.apply_actions(actions)

    def _choice(self, player: int) -> int:
        text, simulations, time = self._opponent
        seed = int(self.np_random.integers(1 << 62))
        return Agent(text, simulations=simulations, time=time, seed=seed).choose(self._state, player)

    def _others(self) -> None:
        state = self._state
        while not state.is_terminal() and self.player not in state.movers():
            self._play(None)

    def _info(self) -> dict[str, Any]:
        if self.player in self._state.movers():
            mask = self._state.legal_actions_mask(self.player).astype(np.int8)
        else:
            mask = np.zeros(self.game.num_distinct_actions(), np.int8)
        return {"action_mask": mask}


__all__ = ["Env", "make"]
