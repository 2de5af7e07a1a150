"""Many games stepped at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import Game, Rng, load_game
from ._ludex import Vector

if TYPE_CHECKING:
    from collections.abc import Sequence

Autoreset = Literal["next_step", "same_step", "disabled"]


class TimeStep:
    """What a step shows. The arrays are the environment's own and are rewritten by the next step."""

    __slots__ = (
        "_env",
        "current_player",
        "final_observation",
        "legal_action_mask",
        "observation",
        "reward",
        "terminated",
        "truncated",
    )

    observation: npt.NDArray[Any]
    """Planes as whoever moves sees them, ``(n, C, H, W)`` or ``(n, C, N)``; with a players axis after n where players
    move at once."""
    legal_action_mask: npt.NDArray[np.bool_]
    """Which actions are legal, ``(n, A)``; with a players axis where players move at once."""
    reward: npt.NDArray[np.float32]
    """What each player got in this step, ``(n, players)``."""
    terminated: npt.NDArray[np.bool_]
    """Which games ended by their rules in this step."""
    truncated: npt.NDArray[np.bool_]
    """Which games reached their limit of plies in this step."""
    current_player: npt.NDArray[np.int32]
    """Who moves; -2 several at once, -4 nobody."""
    final_observation: npt.NDArray[Any] | None
    """With ``autoreset="same_step"``: as ``observation``, of the games that ended in this step, where they ended. What it has
    of other games means nothing."""

    def __init__(self, env: VectorEnv) -> None:
        self._env = env

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which games ended in this step."""
        return self.terminated | self.truncated

    @property
    def legal(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The legal actions of all environments in one row, and ``n + 1`` offsets that say whose are where."""
        offsets, ids = self._env._vector.legal()
        return offsets, ids

    @property
    def legal_offsets(self) -> npt.NDArray[np.int32]:
        """Where the legal actions of each environment begin in `legal_ids`."""
        return self.legal[0]

    @property
    def legal_ids(self) -> npt.NDArray[np.int32]:
        """The legal actions of all environments, one after the other."""
        return self.legal[1]

    def sample_legal(self, rng: Rng | None = None) -> npt.NDArray[np.int32]:
        """A legal action for every environment, uniformly; -1 where there is none to take."""
        return self._env._vector.sample_legal(self._env.rng if rng is None else rng)

    def __repr__(self) -> str:
        return f"<ludex.TimeStep of {self._env.num_envs} environments>"


class VectorEnv:
    """n games of one kind stepped at once on t threads, into arrays that it owns; `ludex.vector` makes one."""

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        seed: int = 0,
        threads: int = 1,
        autoreset: Autoreset = "next_step",
        perspective: Literal["mover", "absolute"] = "mover",
        channels: Sequence[str] | None = None,
        payoff: Literal["balanced", "goal"] = "balanced",
        dtype: npt.DTypeLike | None = None,
        layout: Literal["CHW", "HWC"] = "CHW",
        masks: bool | None = None,
        observe: bool = True,
        copy: bool = False,
        simultaneous: bool | None = None,
    ) -> None:
        self.game = game
        self.num_envs = num_envs
        self.num_actions = game.num_distinct_actions()
        self.num_players = game.num_players()
        self.autoreset = autoreset
        self.rng = Rng(seed)
        #: The seed, until the first games have begun.
        self._first: int | None = seed
        if masks is None:
            # A dense mask of more than this is nothing that anybody wants to read.
            masks = self.num_actions * num_envs <= 1 << 28
        self._vector = Vector(
            game,
            num_envs,
            threads=threads,
            autoreset=autoreset,
            perspective=perspective,
            channels=None if channels is None else list(channels),
            reward=payoff,
            masks=masks,
            observe=observe,
            simultaneous=simultaneous,
        )
        if layout not in ("CHW", "HWC"):
            raise ValueError(f'there is no layout `{layout}`: "CHW" or "HWC"')
        self.channels = self._vector.channels
        self.simultaneous = self._vector.together
        self._copy = copy
        #: Pairs of arrays: what the games write to, and what is shown of it where that is another.
        self._copies: list[tuple[npt.NDArray[Any], npt.NDArray[Any]]] = []
        source = self._shown(self._vector.observation, dtype, layout)
        self.observation_shape = source.shape[1:]
        step = TimeStep(self)
        step.observation = source
        step.legal_action_mask = self._vector.mask
        step.reward = self._vector.reward
        step.terminated = self._vector.terminated
        step.truncated = self._vector.truncated
        step.current_player = self._vector.current_player
        step.final_observation = None
        if autoreset == "same_step":
            step.final_observation = self._shown(self._vector.final_observation, dtype, layout)
        self._step = step

    def reset(self, seed: int | None = None, mask: npt.NDArray[np.bool_] | None = None) -> TimeStep:
        """Begins all games anew, or those that ``mask`` names. Environment i of a seed is the same game however many
        there are and however many threads play them; without a seed, chance goes on."""
        if seed is not None:
            self.rng = Rng(seed)
        elif self._first is not None:
            seed = self._first
        else:
            # What has begun before begins otherwise now: the same chance again would teach nobody anything.
            seed = self.rng.next()
        self._vector.reset(seed, mask)
        self._first = None
        return self._told()

    def step(self, actions: npt.NDArray[np.int32] | npt.NDArray[np.int64]) -> TimeStep:
        """Plays one action in every game: int32 (or int64) ``(n,)``, or ``(n, players)`` where players move at once."""
        self._vector.step(actions)
        return self._told()

    def close(self) -> None:
        """Lets go of everything."""
        self._vector.close()

    def __len__(self) -> int:
        return self.num_envs

    def __repr__(self) -> str:
        return f"<ludex.VectorEnv of {self.num_envs} games of {self.game.name}>"

    def _shown(self, source: npt.NDArray[Any], dtype: npt.DTypeLike | None, layout: str) -> npt.NDArray[Any]:
        """The array itself, or another that is copied from it after every step."""
        kind = source.dtype if dtype is None else np.dtype(dtype)
        if kind.kind not in "buif":
            raise ValueError(f"observations are numbers; `dtype` cannot be {kind}")
        turned = source
        if layout == "HWC" and source.ndim - (2 if self.simultaneous else 1) == 3:
            turned = np.moveaxis(source, -3, -1)
        if turned is source and kind == source.dtype:
            return source
        shown = np.zeros(turned.shape, kind)
        self._copies.append((turned, shown))
        return shown

    def _told(self) -> TimeStep:
        step = self._step
        for source, shown in self._copies:
            np.copyto(shown, source, casting="unsafe")
        if not self._copy:
            return step
        fresh = TimeStep(self)
        for name in TimeStep.__slots__[1:]:
            value = getattr(step, name)
            setattr(fresh, name, None if value is None else value.copy())
        return fresh


def vector(
    game: Game | str | os.PathLike[str],
    num_envs: int = 1,
    *,
    seed: int = 0,
    threads: int = 1,
    autoreset: Autoreset = "next_step",
    perspective: Literal["mover", "absolute"] = "mover",
    channels: Sequence[str] | None = None,
    payoff: Literal["balanced", "goal"] = "balanced",
    dtype: npt.DTypeLike | None = None,
    layout: Literal["CHW", "HWC"] = "CHW",
    masks: bool | None = None,
    observe: bool = True,
    copy: bool = False,
    simultaneous: bool | None = None,
    **options: Any,
) -> VectorEnv:
    """``num_envs`` games stepped at once on ``threads`` threads.

    ``autoreset`` is one of Gymnasium's modes: after the end of a game ``"next_step"`` begins a new one in the step after
    (whatever the action), ``"same_step"`` at once, with the end in ``final_observation``, and ``"disabled"`` leaves it
    until ``reset(mask=...)``. ``channels`` chooses planes by name, ``payoff="goal"`` gives payoffs from 0 to 1,
    ``copy=True`` fresh arrays in every step. Observations are uint8 planes, or float32 attributes of games without a board;
    ``dtype`` and ``layout`` change that. Other keywords are options of the game.
    """
    played = game if isinstance(game, Game) else load_game(game, **options)
    return VectorEnv(
        played,
        num_envs,
        seed=seed,
        threads=threads,
        autoreset=autoreset,
        perspective=perspective,
        channels=channels,
        payoff=payoff,
        dtype=dtype,
        layout=layout,
        masks=masks,
        observe=observe,
        copy=copy,
        simultaneous=simultaneous,
    )
