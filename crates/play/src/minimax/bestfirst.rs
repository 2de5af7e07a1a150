//! Unbounded best-first minimax: the line that is best for everybody by what is known so far is looked at one
//! position further, again and again. What is judged is the position after every move of the last one on it.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Place;
use std::sync::Arc;

use ludex_game::{Game, Move, Player, Rng, State, Turn, mix};

use super::score::{self, WIN};
use super::{BestFirstSettings, move_report};
use crate::agent::{Agent, Choice};
use crate::evaluation::{Evaluation, final_value};
use crate::search::{Budget, Meter, Report, Stop, Watch};

/// No line is longer than this.
const DEEPEST: usize = 300;
/// No edge leads to the root.
const NOWHERE: u32 = u32::MAX;

/// A move of a position in the tree.
#[derive(Clone, Copy)]
struct Edge {
    mv: Move,
    /// What it leads to, for the player who thinks.
    score: i32,
    /// How often a line went on by it.
    visits: u32,
    /// Whether nothing more can be found out by it: the result is proved, or chance or several players decide there.
    closed: bool,
}

/// A position in the tree: its moves are a stretch of all edges.
#[derive(Clone, Copy)]
struct Node {
    start: u32,
    count: u32,
    score: i32,
    own: bool,
    closed: bool,
    /// The edge that led here first.
    from: u32,
}

/// Plays what best-first minimax finds.
pub struct BestFirstAgent {
    game: Arc<dyn Game>,
    settings: BestFirstSettings,
    evaluation: Box<dyn Evaluation>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    places: HashMap<u64, u32, Mixed>,
    path: Vec<(u32, u32)>,
    legal: Vec<Move>,
    state: State,
    child: State,
    me: Player,
    salt: u64,
    looked_at: u64,
    stop: Stop,
    watch: Option<Watch>,
}

/// Keys are hashes already.
#[derive(Clone, Copy, Default)]
struct Mixed;

/// See [`Mixed`].
#[derive(Default)]
struct Same(u64);

impl std::hash::BuildHasher for Mixed {
    type Hasher = Same;

    fn build_hasher(&self) -> Same {
        Same(0)
    }
}

impl std::hash::Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = mix(self.0 ^ u64::from(byte)));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl BestFirstAgent {
    /// A player of a game.
    pub fn new(
        game: Arc<dyn Game>,
        settings: BestFirstSettings,
        evaluation: Box<dyn Evaluation>,
        rng: &mut Rng,
    ) -> Self {
        let (state, child) = (game.start(), game.start());
        BestFirstAgent {
            game,
            settings,
            evaluation,
            nodes: Vec::new(),
            edges: Vec::new(),
            places: HashMap::default(),
            path: Vec::new(),
            legal: Vec::new(),
            state,
            child,
            me: Player::FIRST,
            salt: rng.next(),
            looked_at: 0,
            stop: Stop::default(),
            watch: None,
        }
    }

    /// Thinks about a player's move.
    pub fn think(&mut self, root: &State, player: Player, budget: Budget) -> Report {
        let game = self.game.clone();
        let game = &*game;
        if !matches!(game.turn(root), Turn::Players(players) if players.contains(player)) {
            return Report::default();
        }
        let (stop, watch) = (self.stop.clone(), self.watch.clone());
        let mut meter = budget.running().share(0, 1, &stop);
        self.nodes.clear();
        self.edges.clear();
        self.places.clear();
        (self.me, self.looked_at) = (player, 0);
        self.state.copy_from(root);
        let top = self.expand(game, player, game.hash(root), NOWHERE, &mut meter);
        let mut out_of_time = false;
        while !self.nodes[top as usize].closed && !out_of_time {
            self.state.copy_from(root);
            self.follow(game, top, &mut meter);
            let full = self.edges.len() as u64 >= self.settings.edges;
            out_of_time = full || meter.is_over(self.looked_at);
            if let Some(watch) = &watch {
                meter.look(|_| watch.tell(&self.report(game, root, top)));
            }
        }
        self.report(game, root, top)
    }

    /// Follows the best line to where it ends, looks at the next position, and takes back what was found.
    fn follow(&mut self, game: &dyn Game, top: u32, meter: &mut Meter) {
        self.path.clear();
        self.looked_at += 1;
        let (mut node, mut met) = (top, false);
        loop {
            let edge = self.best_open(node);
            self.path.push((node, edge));
            let mv = self.edges[edge as usize].mv;
            // Positions that are alike may differ in what was played before them, which may forbid a move.
            if met && !self.is_legal(game, mv) {
                self.edges[edge as usize].closed = true;
                break;
            }
            game.apply(&mut self.state, &[mv]);
            let key = game.hash(&self.state);
            let known = self.places.get(&key).copied();
            let Some(player) = game.turn(&self.state).mover() else { break };
            match known {
                Some(next) if self.nodes[next as usize].closed => {
                    self.take_over(edge, next);
                    break;
                }
                // A line that comes back to where it was, or goes on for ever, is worth nothing to anybody.
                Some(next)
                    if self.path.len() >= DEEPEST
                        || self.path.iter().any(|(on, _)| *on == next) =>
                {
                    let edge = &mut self.edges[edge as usize];
                    (edge.score, edge.closed) = (0, true);
                    break;
                }
                Some(next) => {
                    met |= self.nodes[next as usize].from != edge;
                    node = next;
                }
                None => {
                    let next = self.expand(game, player, key, edge, meter);
                    self.take_over(edge, next);
                    break;
                }
            }
        }
        for at in (0..self.path.len()).rev() {
            let (node, edge) = self.path[at];
            self.edges[edge as usize].visits += 1;
            self.settle(node);
            if at > 0 {
                let (_, above) = self.path[at - 1];
                self.take_over(above, node);
            }
        }
    }

    fn is_legal(&mut self, game: &dyn Game, mv: Move) -> bool {
        self.legal.clear();
        let Some(player) = game.turn(&self.state).mover() else { return false };
        game.moves(&self.state, player, &mut self.legal);
        self.legal.contains(&mv)
    }

    /// Gives a move the score of the position that it leads to; a proved result is one ply further away.
    fn take_over(&mut self, edge: u32, node: u32) {
        let node = self.nodes[node as usize];
        let further = match node.score {
            score if score > score::PROVED => score - 1,
            score if score < -score::PROVED => score + 1,
            score => score,
        };
        let edge = &mut self.edges[edge as usize];
        (edge.score, edge.closed) = (further, node.closed);
    }

    /// The best move of a position by which something can still be found out.
    fn best_open(&self, node: u32) -> u32 {
        let node = self.nodes[node as usize];
        let side = if node.own { 1 } else { -1 };
        let (mut best, mut found) = (node.start, (i32::MIN, 0));
        for at in node.start..node.start + node.count {
            let edge = &self.edges[at as usize];
            let value = (side * edge.score, u32::MAX - edge.visits);
            if !edge.closed && value > found {
                (best, found) = (at, value);
            }
        }
        best
    }

    /// The score of a position by those of its moves, and whether anything about it is open.
    fn settle(&mut self, node: u32) {
        let at = self.nodes[node as usize];
        let edges = &self.edges[at.start as usize..(at.start + at.count) as usize];
        let side = if at.own { 1 } else { -1 };
        let best = edges.iter().map(|edge| side * edge.score).max().unwrap_or(0);
        let all = edges.iter().all(|edge| edge.closed);
        let node = &mut self.nodes[node as usize];
        (node.score, node.closed) = (side * best, all || best > score::PROVED);
    }

    /// Adds the position in `self.state` to the tree, and judges what follows each of its moves.
    fn expand(
        &mut self,
        game: &dyn Game,
        player: Player,
        key: u64,
        from: u32,
        meter: &mut Meter,
    ) -> u32 {
        let number = self.nodes.len() as u32;
        self.legal.clear();
        game.moves(&self.state, player, &mut self.legal);
        let start = self.edges.len() as u32;
        let together =
            matches!(game.turn(&self.state), Turn::Players(players) if players.len() > 1);
        for at in 0..self.legal.len() {
            let mv = self.legal[at];
            let (score, closed) = match together {
                // Nobody knows what follows a move where others move at the same time.
                true => (0, true),
                false => self.look(game, mv),
            };
            self.edges.push(Edge { mv, score, visits: 0, closed });
        }
        meter.is_over(self.looked_at);
        let (count, own) = (self.edges.len() as u32 - start, player == self.me);
        self.nodes.push(Node { start, count, score: 0, own, closed: false, from });
        if let Place::Vacant(place) = self.places.entry(key) {
            place.insert(number);
        }
        self.settle(number);
        number
    }

    /// What a move leads to, and whether nothing more can be found out about it.
    fn look(&mut self, game: &dyn Game, mv: Move) -> (i32, bool) {
        self.child.copy_from(&self.state);
        game.apply(&mut self.child, &[mv]);
        self.looked_at += 1;
        match game.turn(&self.child) {
            Turn::Over => {
                let value = final_value(game, &self.child, self.me).unwrap_or(0.0);
                (score::ended(value, 1), true)
            }
            turn => {
                let key = game.hash(&self.child);
                let noise = (mix(key ^ self.salt) >> 61) as i32 - 4;
                let value = self.evaluation.value(game, &self.child, self.me);
                (score::judged(value) + noise, turn.mover().is_none())
            }
        }
    }

    fn report(&self, game: &dyn Game, root: &State, top: u32) -> Report {
        let node = self.nodes[top as usize];
        let edges = &self.edges[node.start as usize..(node.start + node.count) as usize];
        let mut moves: Vec<_> = edges.iter().collect();
        // What is proved to win comes first and what is proved to lose last; of the others the one that most lines
        // went by is the safest.
        let rank = |edge: &Edge| match edge.score {
            score if score > score::PROVED => (2, score, 0),
            score if score < -score::PROVED => (0, score, 0),
            score => (1, edge.visits as i32, score),
        };
        moves.sort_by_key(|edge| std::cmp::Reverse(rank(edge)));
        let best = moves.first().map_or(Move::default(), |edge| edge.mv);
        let show = |edge: &&Edge| move_report(edge.mv, edge.visits.into(), edge.score);
        let solved = node.score.abs() > score::PROVED && node.score.abs() <= WIN;
        let line = self.line(game, root, best);
        Report {
            best,
            moves: moves.iter().map(show).collect(),
            depth: line.len() as u32,
            line,
            solved,
            simulations: self.looked_at,
            ..Report::default()
        }
    }

    /// The line that most others began with.
    fn line(&self, game: &dyn Game, root: &State, first: Move) -> Vec<Vec<Move>> {
        const LONGEST: usize = 40;
        let (mut state, mut line, mut next) = (root.clone(), Vec::new(), first);
        while line.len() < LONGEST {
            game.apply(&mut state, &[next]);
            line.push(vec![next]);
            let node = self.places.get(&game.hash(&state)).map(|&at| self.nodes[at as usize]);
            let (Some(node), Some(player)) = (node, game.turn(&state).mover()) else { break };
            let edges = &self.edges[node.start as usize..(node.start + node.count) as usize];
            let Some(edge) = edges.iter().max_by_key(|edge| edge.visits) else { break };
            let mut legal = Vec::new();
            game.moves(&state, player, &mut legal);
            if edge.visits == 0 || !legal.contains(&edge.mv) {
                break;
            }
            next = edge.mv;
        }
        line
    }
}

impl Agent for BestFirstAgent {
    fn choose(&mut self, state: &State, player: Player, budget: Budget) -> Choice {
        let report = self.think(state, player, budget);
        Choice { mv: report.best, report: Some(report) }
    }

    fn obey(&mut self, stop: Stop) {
        self.stop = stop;
    }

    fn watched(&mut self, watch: Option<Watch>) {
        self.watch = watch;
    }
}
