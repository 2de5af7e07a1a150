//! Search by what somebody else thinks of positions: priors and values come from an [`Oracle`], such as a network, which
//! is asked about many positions at a time, and no game is played out.
//!
//! Several positions are searched side by side, each in a tree of its own. In every round each tree is descended a few
//! times; a move on the way counts as a loss until its position is judged ("virtual loss"), so that the descents
//! of one round part ways. Then the new positions of all trees are judged together.

mod tree;

use std::sync::Arc;

use ludex_game::{Choices, Game, GameError, Marks, Move, Player, Rng, Space, State, Turn};

use crate::search::{Budget, MoveReport, Report, Stop};
use tree::{Descent, Tree};

/// A position about which an oracle is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The position.
    pub state: &'a State,
    /// Whose turn it is.
    pub player: Player,
    /// The numbers of his legal moves.
    pub actions: &'a [u32],
}

/// Somebody who judges positions, many at a time.
pub trait Oracle {
    /// Why it has no answer.
    type Error;

    /// Adds for every question (there may be none: it is asked once a round, so that it can end the search), in order, a weight
    /// for each of its actions (how likely it is thought to be the best, on any scale; nought is never followed while
    /// another has more) and what each player may expect, from nought to one.
    fn judge(
        &mut self,
        asked: &[Question<'_>],
        weights: &mut Vec<f32>,
        payoffs: &mut Vec<f32>,
    ) -> Result<(), Self::Error>;
}

/// How a guided search goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How much priors count.
    pub puct: f32,
    /// So many positions are judged at a time, if there are as many, and at least one of each tree.
    pub batch: usize,
    /// Noise in the priors of the roots, for games that are to teach something new.
    pub noise: Option<Noise>,
}

/// A share of the priors that is drawn at random.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The smaller, the fewer moves get most of it: the parameter of Dirichlet's distribution.
    pub alpha: f32,
    /// How much of the prior is drawn.
    pub share: f32,
}

/// What was found about one root.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What a search tells; its moves are in the order of `actions` before they are sorted.
    pub report: Report,
    /// The numbers of the moves of the report.
    pub actions: Vec<u32>,
    /// What whoever moves may expect, the mean of all simulations.
    pub value: f64,
}

/// A search of several positions side by side. Memory is used again from search to search.
pub struct Guided {
    game: Arc<dyn Game>,
    space: Space,
    settings: Settings,
    trees: Vec<Tree>,
    leaves: Vec<Leaf>,
    choices: Choices,
    marks: Marks,
    weights: Vec<f32>,
    payoffs: Vec<f32>,
}

/// A position on its way to the oracle.
struct Leaf {
    tree: usize,
    state: State,
    player: Player,
    key: u64,
    path: Vec<(u32, u32)>,
    moves: Vec<Move>,
    actions: Vec<u32>,
}

impl Guided {
    /// A search of a game whose moves have numbers in `space`. Fails where players do not know the whole position; where
    /// several move at once the search looks no further.
    pub fn new(game: Arc<dyn Game>, space: Space, settings: Settings) -> Result<Self, GameError> {
        if game.info().hidden {
            let reason = "a prior needs positions that everybody sees whole";
            return Err(GameError::Options(reason.to_string()));
        }
        Ok(Guided {
            game,
            space,
            settings,
            trees: Vec::new(),
            leaves: Vec::new(),
            choices: Choices::default(),
            marks: Marks::default(),
            weights: Vec::new(),
            payoffs: Vec::new(),
        })
    }

    /// Thinks about positions in which one player is to move, about each with the whole budget of simulations. What is
    /// found about a root depends on the seed, its place and how many there are, and on nothing else.
    pub fn think<O: Oracle>(
        &mut self,
        oracle: &mut O,
        roots: &[State],
        budget: Budget,
        seed: u64,
        stop: &Stop,
    ) -> Result<Vec<Found>, O::Error> {
        let allowance = budget.running();
        let mut meter = allowance.share(0, 1, stop);
        self.trees.truncate(roots.len());
        for (at, root) in roots.iter().enumerate() {
            let rng = Rng::stream(seed, at as u64);
            match self.trees.get_mut(at) {
                Some(tree) => tree.begin(root, rng),
                None => self.trees.push(Tree::new(root, rng)),
            }
        }
        // The first of a tree makes its root, as in every search.
        let wanted = budget.simulations.unwrap_or(u64::MAX).max(1);
        let mut rounds = 0;
        loop {
            let open = self.trees.iter().filter(|tree| tree.done < wanted).count();
            rounds += 1;
            if open == 0 || (rounds > 1 && meter.is_late(rounds)) {
                break;
            }
            let each = (self.settings.batch / open).max(1) as u64;
            self.round(oracle, wanted, each)?;
        }
        Ok(self.trees.iter().map(|tree| self.found(tree)).collect())
    }

    /// Descends every tree a few times and has the new positions judged.
    fn round<O: Oracle>(&mut self, oracle: &mut O, wanted: u64, each: u64) -> Result<(), O::Error> {
        let mut count = 0;
        for at in 0..self.trees.len() {
            let left = wanted - self.trees[at].done;
            for _ in 0..each.min(left) {
                if count == self.leaves.len() {
                    self.leaves.push(Leaf::new(self.game.start()));
                }
                let (tree, leaf) = (&mut self.trees[at], &mut self.leaves[count]);
                leaf.tree = at;
                match tree.descend(&*self.game, self.settings.puct, leaf) {
                    Descent::New => {
                        self.game.choices(
                            &leaf.state,
                            leaf.player,
                            self.space,
                            &mut self.marks,
                            &mut self.choices,
                        );
                        leaf.list(&*self.game, &self.choices);
                        count += 1;
                    }
                    Descent::Over => {}
                    // Its tree is too small for more in this round.
                    Descent::Waiting => break,
                }
            }
        }
        self.judge(oracle, count)
    }

    fn judge<O: Oracle>(&mut self, oracle: &mut O, count: usize) -> Result<(), O::Error> {
        let leaves = &self.leaves[..count];
        let asked: Vec<Question<'_>> = leaves.iter().map(Leaf::question).collect();
        self.weights.clear();
        self.payoffs.clear();
        oracle.judge(&asked, &mut self.weights, &mut self.payoffs)?;
        let players = self.game.info().players;
        let needed: usize = leaves.iter().map(|leaf| leaf.actions.len()).sum();
        // An oracle that says too little is indifferent about the rest.
        self.weights.resize(needed, 1.0);
        self.payoffs.resize(count * players, 0.5);
        let (mut weights, mut payoffs) = (&self.weights[..], &self.payoffs[..]);
        for leaf in leaves {
            let (own, rest) = weights.split_at(leaf.actions.len());
            let (worth, others) = payoffs.split_at(players);
            (weights, payoffs) = (rest, others);
            self.trees[leaf.tree].expand(leaf, own, worth, self.settings.noise);
        }
        Ok(())
    }

    fn found(&self, tree: &Tree) -> Found {
        let mut edges: Vec<_> = tree.root_edges().to_vec();
        edges.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.prior.total_cmp(&a.prior)));
        let moves = edges.iter().map(|edge| MoveReport {
            mv: edge.mv,
            visits: u64::from(edge.visits),
            mean: f64::from(edge.mean().unwrap_or(0.0)),
            proved: false,
        });
        let moves: Vec<MoveReport> = moves.collect();
        let report = Report {
            best: moves.first().map_or(Move::default(), |best| best.mv),
            line: tree.line(&*self.game),
            simulations: tree.done,
            moves,
            ..Report::default()
        };
        Found {
            report,
            actions: edges.iter().map(|edge| edge.action).collect(),
            value: f64::from(tree.root_value()),
        }
    }
}

impl Leaf {
    fn new(state: State) -> Self {
        Leaf {
            tree: 0,
            state,
            player: Player::FIRST,
            key: 0,
            path: Vec::new(),
            moves: Vec::new(),
            actions: Vec::new(),
        }
    }

    fn list(&mut self, game: &dyn Game, choices: &Choices) {
        self.actions.clear();
        self.moves.clear();
        choices.each(|number| self.actions.push(number));
        for &number in &self.actions {
            if let Some(place) = choices.find(number) {
                self.moves.push(game.chosen(&self.state, self.player, choices, place));
            }
        }
    }

    fn question(&self) -> Question<'_> {
        Question { state: &self.state, player: self.player, actions: &self.actions }
    }
}

/// Whose turn it is, where that is one player alone.
pub fn only_mover(game: &dyn Game, state: &State) -> Option<Player> {
    match game.turn(state) {
        Turn::Players(players) if players.len() == 1 => players.first(),
        _ => None,
    }
}
