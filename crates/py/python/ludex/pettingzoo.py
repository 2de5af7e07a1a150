"""Games as PettingZoo environments: `env` takes turns, `parallel_env` moves at once."""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np

try:
    import pettingzoo
    from gymnasium import spaces

    from ._spaces import Actions, Order, check_mode, chosen, let_chance_decide, mask_of, observed
except ImportError as error:  # pragma: no cover
    raise ImportError("ludex.pettingzoo needs PettingZoo: pip install pettingzoo") from error

from . import Game, State, load_game

#: How positions are shown.
_MODES = ("ansi", "svg", "human")


def env(game: Game | str | os.PathLike[str], *, render_mode: str | None = None, **options: Any) -> AECEnv:
    """A game in which players take turns; those who move at once choose one after the other, unseen."""
    return AECEnv(_game(game, options), render_mode)


def parallel_env(
    game: Game | str | os.PathLike[str], *, render_mode: str | None = None, **options: Any
) -> ParallelEnv:
    """A game in which players move at once; whoever has no choice may do anything."""
    return ParallelEnv(_game(game, options), render_mode)


def _game(game: Game | str | os.PathLike[str], options: dict[str, Any]) -> Game:
    return game if isinstance(game, Game) else load_game(game, **options)


class _Table:
    """What both kinds of environment share: a position, spaces, and chance."""

    def __init__(self, game: Game, render_mode: str | None) -> None:
        if game.num_players() == 0:
            raise ValueError(f"{game.name} has no players")
        check_mode(render_mode, _MODES)
        self.game = game
        self.render_mode = render_mode
        self.metadata = {
            "name": f"ludex_{game.name}_v0",
            "render_modes": list(_MODES),
            "is_parallelizable": bool(game.info["simultaneous"]),
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{player}" for player in range(game.num_players())]
        self.agents: list[str] = []
        self.order = Order()
        board = observed(game)
        mask = spaces.Box(0, 1, (game.num_distinct_actions(),), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": board, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: Actions(game, functools.partial(self.mask, player))
            for player, agent in enumerate(self.possible_agents)
        }
        self._random = np.random.default_rng()
        self.state_: State = game.new_initial_state()

    def begin(self, seed: int | None) -> None:
        self.order.reset()
        if seed is not None:
            self._random = np.random.default_rng(seed)
            for number, agent in enumerate(self.possible_agents):
                self.action_spaces[agent].seed(seed + number)
        self.state_ = self.game.new_initial_state()
        self.agents = list(self.possible_agents)
        self.chance()

    def chance(self) -> None:
        """Lets chance decide until somebody has a choice."""
        let_chance_decide(self.state_, self._random)

    def mask(self, player: int) -> Any:
        """What a player may do."""
        return mask_of(self.state_, player)

    def seen(self, player: int) -> dict[str, Any]:
        """What a player sees and may do."""
        return {"observation": self.state_.observation(player), "action_mask": self.mask(player)}

    def whole(self) -> Any:
        """The position as whoever moves sees it, planes of the first player first."""
        return self.state_.observation(perspective="absolute")

    def drawn(self) -> str | None:
        if self.render_mode == "svg":
            return self.state_.svg()
        text = str(self.state_)
        if self.render_mode == "human":
            print(text)
            return None
        return text


class AECEnv(pettingzoo.AECEnv):  # type: ignore[misc]
    """Players choose one after the other."""

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        self._table = _Table(game, render_mode)
        self.game = game
        self.metadata = self._table.metadata
        self.render_mode = render_mode
        self.possible_agents = self._table.possible_agents
        self.observation_spaces = self._table.observation_spaces
        self.action_spaces = self._table.action_spaces
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._table.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._chosen: dict[int, int] = {}
        self._select()
        self._finish()

    def observe(self, agent: str) -> Any:
        self._table.order.check()
        player = self.possible_agents.index(agent)
        seen = self._table.seen(player)
        if agent != self.agent_selection:
            seen["action_mask"] = np.zeros_like(seen["action_mask"])
        return seen

    def step(self, action: int | None) -> None:
        self._table.order.check()
        if not self.agents:
            raise ValueError("the game is over: reset it")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has a choice: None is no action")
        state = self._table.state_
        player = self.possible_agents.index(agent)
        # Nothing has changed where it is refused: somebody may choose again.
        self._chosen[player] = chosen(state, player, action, agent)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        movers = state.movers()
        if all(mover in self._chosen for mover in movers):
            if len(movers) > 1:
                state.apply_actions([self._chosen.get(p, -1) for p in range(len(self.possible_agents))])
            else:
                state.apply_action(self._chosen[player])
            self._chosen = {}
            self._table.chance()
        self._select()
        self._finish()
        self._accumulate_rewards()

    def render(self) -> str | None:
        return self._table.drawn()

    def state(self) -> Any:
        return self._table.whole()

    def close(self) -> None:
        self._table.order.close()

    def _select(self) -> None:
        waiting = [mover for mover in self._table.state_.movers() if mover not in self._chosen]
        if waiting:
            self.agent_selection = self.possible_agents[waiting[0]]
        elif not hasattr(self, "agent_selection") or self.agent_selection not in self.agents:
            self.agent_selection = self.agents[0]

    def _finish(self) -> None:
        state = self._table.state_
        if not state.is_terminal():
            return
        truncated = state.is_truncated()
        for agent, reward in zip(self.possible_agents, state.returns()):
            self.rewards[agent] = reward
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
        self.agent_selection = self.agents[0]


class ParallelEnv(pettingzoo.ParallelEnv):  # type: ignore[misc]
    """Players choose at once."""

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        self._table = _Table(game, render_mode)
        self.game = game
        self.metadata = self._table.metadata
        self.render_mode = render_mode
        self.possible_agents = self._table.possible_agents
        self.observation_spaces = self._table.observation_spaces
        self.action_spaces = self._table.action_spaces
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        self._table.begin(seed)
        self.agents = list(self.possible_agents)
        return self._seen(), self._infos()

    def step(self, actions: dict[str, int]) -> tuple[Any, ...]:
        self._table.order.check()
        if not self.agents:
            raise ValueError("the game is over: reset it")
        state = self._table.state_
        joint = [-1] * len(self.possible_agents)
        for player in state.movers():
            agent = self.possible_agents[player]
            if agent not in actions:
                raise ValueError(f"{agent} has a choice and chose nothing")
            joint[player] = chosen(state, player, actions[agent], agent)
        state.apply_actions(joint)
        self._table.chance()
        over, truncated = state.is_terminal(), state.is_truncated()
        returns = state.returns()
        seen, agents = self._seen(), self.agents
        rewards = {agent: returns[self.possible_agents.index(agent)] if over else 0.0 for agent in agents}
        terminations = dict.fromkeys(agents, over and not truncated)
        truncations = dict.fromkeys(agents, over and truncated)
        infos = self._infos()
        if over:
            self.agents = []
        return seen, rewards, terminations, truncations, infos

    def render(self) -> str | None:
        return self._table.drawn()

    def state(self) -> Any:
        return self._table.whole()

    def close(self) -> None:
        self._table.order.close()

    def _seen(self) -> dict[str, Any]:
        return {agent: self._table.seen(self.possible_agents.index(agent)) for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {} for agent in self.agents}


__all__ = ["AECEnv", "ParallelEnv", "env", "parallel_env"]
