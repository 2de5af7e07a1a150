"""The example session with types, for mypy; it is not run."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import ludex


class First(ludex.Player):
    def choose(self, state: ludex.State, budget: dict[str, object]) -> int:
        return state.legal_actions()[0]


def session() -> None:
    game: ludex.Game = ludex.load_game("breakthrough(size=6x6)")
    state: ludex.State = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    returns: list[float] = state.returns()
    found: ludex.SearchResult = ludex.Agent("uct", simulations=10).search(game.new_initial_state())
    visits: npt.NDArray[np.int64] = found.visits
    env: ludex.VectorEnv = ludex.vector(game, num_envs=8, seed=0, autoreset="same_step")
    ts: ludex.TimeStep = env.reset()
    actions: npt.NDArray[np.int32] = ts.sample_legal(env.rng)
    ts = env.step(actions)
    result: ludex.MatchResult = ludex.match(game, [First(), "uct"], games=2)
    print(returns, visits, ts.reward, result.table())
