"""A small AlphaZero: a network learns a game by playing against itself, guided by its own search.

    pip install . torch                                 # in the repository
    python examples/alphazero.py                        # 6x6 Breakthrough, at most 20 minutes on two cores
    python examples/alphazero.py --game connect-four

Games are played side by side in ``ludex.vector``; before every step one search thinks about all of them, and the
network judges the new positions of all trees at once. In the end the network plays 200 games against plain UCT, both with
100 simulations a move. Everything is kept in ``--out``: the network, the curve as numbers (curve.csv) and as a picture (curve.svg).
"""

from __future__ import annotations

import argparse
import csv
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import ludex

CHANNELS, BLOCKS = 32, 2
KEPT = 60_000  # positions that are learned from; the oldest go first
SAMPLE = 256  # positions of a step of learning

# What is remembered of a position: planes, legal actions, shares of the search, who moved, what the search expected.
Played = tuple[np.ndarray, np.ndarray, np.ndarray, int, float]


class Network(nn.Module):
    """Planes of a position to preferences for every action and a value for whoever moves."""

    def __init__(self, game: ludex.Game) -> None:
        super().__init__()
        planes, rows, columns = game.observation_shape
        cells, actions = rows * columns, game.num_distinct_actions()
        self.first = nn.Conv2d(planes, CHANNELS, 3, padding=1)
        self.blocks = nn.ModuleList(
            nn.ModuleList(nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1) for _ in range(2)) for _ in range(BLOCKS)
        )
        self.policy = nn.Sequential(nn.Conv2d(CHANNELS, 8, 1), nn.ReLU(), nn.Flatten(), nn.Linear(8 * cells, actions))
        self.value = nn.Sequential(
            nn.Conv2d(CHANNELS, 8, 1), nn.ReLU(), nn.Flatten(), nn.Linear(8 * cells, 64), nn.ReLU(), nn.Linear(64, 1)
        )

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = F.relu(self.first(planes))
        for one, two in self.blocks:  # type: ignore[misc]
            x = F.relu(x + two(F.relu(one(x))))
        return self.policy(x), torch.tanh(self.value(x)).squeeze(1)

    def judge(self, observation: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What a search asks: positions in a batch, as NumPy arrays."""
        with torch.inference_mode():
            logits, values = self(torch.from_numpy(observation).float())
        return logits.numpy(), values.numpy()


@dataclass
class Memory:
    """The newest positions of self-play, with what the search thought of their moves and what came of them."""

    planes: list[np.ndarray] = field(default_factory=list)
    visits: list[np.ndarray] = field(default_factory=list)
    masks: list[np.ndarray] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    games: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, moves: list[Played], rewards: np.ndarray) -> None:
        """A whole game. A position is worth what the game came to, and half of that what the search saw in it."""
        with self.lock:
            for planes, mask, visits, player, value in moves:
                self.planes.append(planes)
                self.masks.append(mask)
                self.visits.append(visits)
                self.values.append(0.5 * float(rewards[player]) + 0.5 * value)
            self.games += 1
            for kept in (self.planes, self.masks, self.visits, self.values):
                del kept[: max(0, len(kept) - KEPT)]

    def sample(self, rng: np.random.Generator) -> tuple[torch.Tensor, ...]:
        with self.lock:
            chosen = rng.integers(len(self.planes), size=SAMPLE)
            planes = np.stack([self.planes[at] for at in chosen])
            masks = np.stack([self.masks[at] for at in chosen])
            visits = np.stack([self.visits[at] for at in chosen])
            values = np.array([self.values[at] for at in chosen], np.float32)
        tensors = (torch.from_numpy(array) for array in (planes, masks, visits, values))
        return tuple(tensors)


class SelfPlay:
    """Games side by side; every step is chosen by one search of all of them."""

    def __init__(self, game: ludex.Game, network: Network, memory: Memory, games: int, simulations: int, seed: int) -> None:
        self.memory, self.games = memory, games
        self.env = ludex.vector(game, games, seed=seed, autoreset="same_step")
        self.ts = self.env.reset()
        self.states = [game.new_initial_state() for _ in range(games)]  # the same games, for the search
        self.agent = ludex.Agent("uct", prior=network.judge, simulations=simulations, batch=games, noise=(0.5, 0.25))
        self.rng = np.random.default_rng(seed)
        self.moves: list[list[Played]] = [[] for _ in range(games)]
        self.steps = 0

    def step(self) -> None:
        ts = self.ts
        found = self.agent.search_many(self.states, seed=int(self.rng.integers(1 << 62)))
        shares = found.visits / found.visits.sum(axis=1, keepdims=True)
        actions = np.empty(self.games, np.int32)
        for at, moves in enumerate(self.moves):
            value = 2.0 * float(found.values[at]) - 1.0
            planes, mask = ts.observation[at].copy(), ts.legal_action_mask[at].copy()
            moves.append((planes, mask, shares[at].astype(np.float16), int(ts.current_player[at]), value))
            # Openings are drawn by the visits, so that games differ; afterwards mostly the best is played.
            sharp = 1.0 if len(moves) <= 8 else 4.0
            odds = shares[at] ** sharp
            actions[at] = self.rng.choice(odds.size, p=odds / odds.sum())
        self.ts = ts = self.env.step(actions)
        for state, action in zip(self.states, actions):
            state.apply_action(int(action))
        for at in np.flatnonzero(ts.done):
            self.memory.add(self.moves[at], ts.reward[at])
            self.moves[at] = []
            self.states[at] = self.env.game.new_initial_state()
        self.steps += 1


def learn(network: Network, optimiser: torch.optim.Optimizer, memory: Memory, steps: int, rng: np.random.Generator) -> float:
    network.train()
    total = 0.0
    for _ in range(steps):
        planes, masks, visits, values = memory.sample(rng)
        logits, judged = network(planes.float())
        likely = F.log_softmax(logits.masked_fill(~masks, -1e9), dim=1)
        loss = -(visits.float() * likely).sum(dim=1).mean() + F.mse_loss(judged, values)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        total += loss.item()
    network.eval()
    return total / max(1, steps)


def against_uct(game: ludex.Game, network: Network, games: int, seed: int) -> ludex.MatchResult:
    """Both sides have 100 simulations a move; ours has its positions judged eight at a time."""
    ours = ludex.Agent("uct", prior=network.judge, simulations=100, batch=8)
    theirs = ludex.Agent("uct", simulations=100)
    return ludex.match(game, [ours, theirs], games=games, seed=seed, threads=2)


def draw(points: list[tuple[float, int, float, float, float, float]], title: str) -> str:
    """The curve as SVG: the score against UCT, with its interval, over minutes of learning."""
    width, height, left, top, right, bottom = 640, 360, 60, 40, 20, 50
    longest = max(minutes for minutes, *_ in points) or 1.0

    def x(minutes: float) -> float:
        return left + (width - left - right) * minutes / longest

    def y(score: float) -> float:
        return height - bottom - (height - top - bottom) * score

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{left}" y="24" font-size="15">{title}</text>',
    ]
    for score in (0, 0.25, 0.5, 0.75, 1):
        colour = "#999" if score == 0.5 else "#ddd"
        parts.append(f'<line x1="{left}" x2="{width - right}" y1="{y(score):.1f}" y2="{y(score):.1f}" stroke="{colour}"/>')
        parts.append(f'<text x="{left - 8}" y="{y(score) + 4:.1f}" text-anchor="end">{score:.0%}</text>')
    for tick in np.linspace(0, longest, 6):
        parts.append(f'<text x="{x(tick):.1f}" y="{height - bottom + 20}" text-anchor="middle">{tick:.1f}</text>')
    parts.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">minutes on two cores</text>')
    for minutes, _, _, score, low, high in points:
        parts.append(f'<line x1="{x(minutes):.1f}" x2="{x(minutes):.1f}" y1="{y(low):.1f}" y2="{y(high):.1f}" stroke="#7aa6d8"/>')
    line = " ".join(f"{x(minutes):.1f},{y(score):.1f}" for minutes, _, _, score, _, _ in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#1f5fa8" stroke-width="2"/>')
    for minutes, _, _, score, _, _ in points:
        parts.append(f'<circle cx="{x(minutes):.1f}" cy="{y(score):.1f}" r="3.5" fill="#1f5fa8"/>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="breakthrough(size=6x6)")
    parser.add_argument("--minutes", type=float, default=10.0, help="of learning, counted by the processor for two cores")
    parser.add_argument("--simulations", type=int, default=32, help="of self-play, for each move")
    parser.add_argument("--games", type=int, default=64, help="side by side, on each of two threads")
    parser.add_argument("--matches", type=int, default=200, help="against UCT in the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("alphazero"))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)  # two threads play; each has a core to itself

    game = ludex.load_game(given.game)
    network = Network(game).eval()
    optimiser = torch.optim.Adam(network.parameters(), lr=2e-3, weight_decay=1e-4)
    memory, rng = Memory(), np.random.default_rng(given.seed)
    players = [SelfPlay(game, network, memory, given.games, given.simulations, given.seed + at) for at in range(2)]
    begun, measuring = time.process_time(), 0.0
    points: list[tuple[float, int, float, float, float, float]] = []

    def minutes() -> float:
        return (time.process_time() - begun - measuring) / 120

    def measure(games: int, loss: float) -> ludex.MatchResult:
        nonlocal measuring
        before = time.process_time()
        played = against_uct(game, network, games, given.seed + len(points))
        measuring += time.process_time() - before
        score = played.score(0) or 0.0
        points.append((minutes(), memory.games, loss, score, *played.interval(0)))
        print(f"{minutes():5.1f} min  {memory.games:6} games  loss {loss:.3f}  against UCT {score:.1%}", flush=True)
        return played

    measure(20, 0.0)
    next_measure, loss = given.minutes / 4, 0.0
    while minutes() < given.minutes:
        workers = [threading.Thread(target=lambda one=one: [one.step() for _ in range(10)]) for one in players]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if len(memory.planes) < 4 * SAMPLE:
            continue
        # As many positions are learned from as were played, four times each.
        loss = learn(network, optimiser, memory, 4 * 2 * 10 * given.games // SAMPLE, rng)
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 if minutes() < 0.6 * given.minutes else 5e-4
        if minutes() >= next_measure:
            next_measure += given.minutes / 4
            measure(20, loss)
    played = measure(given.matches, loss)
    torch.save(network.state_dict(), given.out / "network.pt")
    with open(given.out / "curve.csv", "w", newline="") as file:
        csv.writer(file).writerows([("minutes", "games", "loss", "score", "low", "high"), *points])
    (given.out / "curve.svg").write_text(draw(points, f"{game.name}: a network against UCT, 100 simulations a move each"))
    low, high = played.interval(0)
    print(played.table(), end="")
    print("the network is stronger" if low > 0.5 else "the network is not surely stronger", f"({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
