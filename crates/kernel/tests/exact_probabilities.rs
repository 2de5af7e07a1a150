//! Optimised playouts on small boards against exact probabilities: the whole tree of the general form is
//! enumerated, and how often each result comes after each number of plies is compared by a chi-squared test,
//! for uniform play, for a fixed policy of weights and for an ε-greedy one.

use ludex_game::conformance::{Effort, agree, check_with};
use ludex_game::playout::{CodeTable, Gibbs, Greedy, Sampling, Scratch, Style};
use ludex_game::{Coding, Game, Move, Player, Rng, State, Turn, erase, mix};
use ludex_kernel::kernel;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::{Ludemes, compile};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// A game on a small board: its file, what is changed in it, and after how many plies enumeration stops
/// (where positions remember their past, the same position cannot be met twice).
struct Small {
    file: &'static str,
    changes: &'static [(&'static str, &'static str)],
    kind: &'static str,
    depth: Option<u32>,
}

const GAMES: [Small; 11] = [
    Small { file: "tic-tac-toe", changes: &[], kind: "add-to-empty", depth: None },
    Small { file: "hex", changes: &[("<Size:cells>", "3")], kind: "add-to-empty", depth: None },
    Small {
        file: "connect-four",
        changes: &[("rectangle 6 7", "rectangle 3 3"), ("Line 4", "Line 3")],
        kind: "count-and-pick",
        depth: None,
    },
    Small {
        file: "domineering",
        changes: &[("<Rows:cells>", "3"), ("<Columns:cells>", "4")],
        kind: "count-and-pick",
        depth: None,
    },
    Small {
        file: "breakthrough",
        changes: &[("square <Size:cells>", "rectangle 4 3")],
        kind: "count-and-pick",
        depth: None,
    },
    Small { file: "nogo", changes: &[("<Size:points>", "3")], kind: "filter", depth: None },
    Small { file: "atarigo", changes: &[("<Size:points>", "3")], kind: "filter", depth: None },
    Small { file: "go", changes: &[("<Size:points>", "2")], kind: "no-repetition", depth: Some(6) },
    Small {
        file: "go",
        changes: &[("<Size:points>", "2"), ("(no Repeat)", "(no Repeat Situational)")],
        kind: "no-repetition",
        depth: Some(6),
    },
    Small {
        file: "pong-hau-ki",
        changes: &[("(rules", "(rules (meta (no Repeat))")],
        kind: "no-repetition",
        depth: Some(16),
    },
    Small {
        file: "pong-hau-ki",
        changes: &[("(rules", "(rules (meta (no Repeat Situational))")],
        kind: "no-repetition",
        depth: Some(16),
    },
];

impl Small {
    /// Both forms of the game.
    fn forms(&self) -> [Arc<dyn Game>; 2] {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games/lud");
        let file = folder.join(format!("{}.lud", self.file));
        let mut text = std::fs::read_to_string(file).expect("readable");
        for (old, new) in self.changes {
            assert!(text.contains(old), "{} has {old}", self.file);
            text = text.replace(old, new);
        }
        let rules = text.split("(option").next().unwrap_or_default();
        let description = read(rules, SourceId(0), &Library::default(), &[]).expect("readable");
        let general = Ludemes::new(compile(&description).expect("compiles")).expect("playable");
        let kernel = kernel(&general).expect("a kernel");
        assert_eq!(kernel.info().playout.name(), self.kind, "{}", self.file);
        [erase(general), kernel]
    }
}

/// How moves are chosen, by codes of the kernel.
#[derive(Clone)]
enum Policy {
    Uniform,
    Weights(CodeTable),
    Greedy(f32, CodeTable),
}

impl Policy {
    fn all(game: &dyn Game) -> [Policy; 3] {
        let table = |kinds: u64, least: f32| {
            let mut table = CodeTable::for_game(game, Coding::Plain, least);
            for player in [Player(0), Player(1)] {
                for (code, value) in table.of_mut(player).iter_mut().enumerate() {
                    *value += (mix(7 + code as u64 * 2 + player.index() as u64) % kinds) as f32;
                }
            }
            table
        };
        [Policy::Uniform, Policy::Weights(table(4, 1.0)), Policy::Greedy(0.3, table(3, 0.0))]
    }

    fn sampling(&self) -> Sampling {
        match self.clone() {
            Policy::Uniform => Sampling::default(),
            Policy::Weights(odds) => Sampling::Gibbs(Gibbs::new(Coding::Plain, odds)),
            Policy::Greedy(epsilon, scores) => {
                Sampling::Greedy(Greedy::new(Coding::Plain, epsilon, scores))
            }
        }
    }

    /// The probability of each of the legal moves with these codes.
    fn probabilities(&self, player: Player, codes: &[u32]) -> Vec<f64> {
        let even = 1.0 / codes.len() as f64;
        let values = |table: &CodeTable| {
            codes.iter().map(|&c| f64::from(table.of(player)[c as usize])).collect::<Vec<f64>>()
        };
        match self {
            Policy::Uniform => vec![even; codes.len()],
            Policy::Weights(odds) => {
                let odds = values(odds);
                let total: f64 = odds.iter().sum();
                odds.iter().map(|odds| odds / total).collect()
            }
            Policy::Greedy(epsilon, scores) => {
                let scores = values(scores);
                let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let ties = scores.iter().filter(|&&score| score == best).count() as f64;
                let epsilon = f64::from(*epsilon);
                let greedy = |score: f64| if score == best { (1.0 - epsilon) / ties } else { 0.0 };
                scores.iter().map(|&score| epsilon * even + greedy(score)).collect()
            }
        }
    }
}

/// How probable each result is after each number of plies. A result is the first player's payoff in halves;
/// three stands for games that go on.
type Chances = BTreeMap<(u32, u8), f64>;

/// A position of the tree: how the game ended there, or the moves by their codes and where they lead.
enum Node {
    Leaf(u8),
    Branch(Player, Vec<(u32, usize)>),
}

/// The tree of the general form, positions that are met again once; the kernel goes along and gives the codes.
struct Tree<'a> {
    general: &'a dyn Game,
    kernel: &'a dyn Game,
    nodes: Vec<Node>,
    known: HashMap<u64, usize>,
}

impl Tree<'_> {
    /// Adds a position with all that follows within `depth` plies; gives its number.
    fn add(&mut self, at: &State, beside: &State, depth: Option<u32>) -> usize {
        let hash = self.general.hash(at);
        if depth.is_none()
            && let Some(&known) = self.known.get(&hash)
        {
            return known;
        }
        let node = match self.general.turn(at) {
            Turn::Players(_) if depth == Some(0) => Node::Leaf(3),
            Turn::Players(players) => {
                let player = players.first().expect("a mover");
                Node::Branch(player, self.branches(at, beside, player, depth))
            }
            _ => Node::Leaf(result(self.general, at)),
        };
        self.nodes.push(node);
        self.known.insert(hash, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    fn branches(
        &mut self,
        at: &State,
        beside: &State,
        player: Player,
        depth: Option<u32>,
    ) -> Vec<(u32, usize)> {
        let named = |game: &dyn Game, state: &State| {
            let mut moves = Vec::new();
            game.moves(state, player, &mut moves);
            let text = |mv: &Move| game.move_text(state, Some(player), *mv);
            let mut named: Vec<(String, Move)> = moves.iter().map(|mv| (text(mv), *mv)).collect();
            named.sort();
            named
        };
        let (legal, same) = (named(self.general, at), named(self.kernel, beside));
        assert_eq!(legal.len(), same.len(), "{}", self.general.show(at, None));
        let mut branches = Vec::new();
        for ((text, mv), (other, beside_mv)) in legal.into_iter().zip(same) {
            assert_eq!(text, other);
            let (mut next, mut next_beside) = (at.clone(), beside.clone());
            self.general.apply(&mut next, &[mv]);
            self.kernel.apply(&mut next_beside, &[beside_mv]);
            let code = self.kernel.code(beside, player, beside_mv, Coding::Plain);
            branches.push((code, self.add(&next, &next_beside, depth.map(|depth| depth - 1))));
        }
        branches
    }

    /// The chances of a policy from the position added last.
    fn chances(&self, policy: &Policy) -> Chances {
        // Positions come after all that follow them.
        let mut all: Vec<Chances> = Vec::new();
        for node in &self.nodes {
            let mut chances = Chances::new();
            match node {
                Node::Leaf(result) => {
                    chances.insert((0, *result), 1.0);
                }
                Node::Branch(player, branches) => {
                    let codes: Vec<u32> = branches.iter().map(|(code, _)| *code).collect();
                    let chosen = policy.probabilities(*player, &codes);
                    for ((_, to), chance) in branches.iter().zip(chosen) {
                        for ((plies, result), later) in &all[*to] {
                            *chances.entry((plies + 1, *result)).or_default() += chance * later;
                        }
                    }
                }
            }
            all.push(chances);
        }
        all.pop().expect("a position")
    }
}

/// The first player's payoff in halves.
fn result(game: &dyn Game, state: &State) -> u8 {
    let mut payoffs = [0.0; 2];
    game.payoffs(state, &mut payoffs);
    (payoffs[0] * 2.0) as u8
}

/// How often optimised playouts came to each result.
fn played(
    game: &dyn Game,
    policy: &Policy,
    depth: Option<u32>,
    count: u32,
) -> BTreeMap<(u32, u8), u32> {
    let (mut sampling, mut scratch) = (policy.sampling(), Scratch::default());
    let mut rng = Rng::seeded(29);
    let mut found = BTreeMap::new();
    for _ in 0..count {
        let mut state = game.start();
        scratch.record.clear();
        let plies =
            game.playout(&mut state, &mut sampling, Style::Optimised, &mut scratch, &mut rng);
        let key = match depth {
            Some(depth) if plies > depth => (depth, 3),
            _ => (plies, result(game, &state)),
        };
        *found.entry(key).or_default() += 1;
    }
    found
}

/// Chi-squared and its degrees of freedom; rare results are counted together.
fn chi_squared(chances: &Chances, found: &BTreeMap<(u32, u8), u32>, count: u32) -> (f64, usize) {
    let mut cells = Vec::new();
    let mut rare = (0.0, 0.0);
    for (key, chance) in chances {
        let expected = chance * f64::from(count);
        let seen = f64::from(*found.get(key).unwrap_or(&0));
        match expected >= 8.0 {
            true => cells.push((expected, seen)),
            false => rare = (rare.0 + expected, rare.1 + seen),
        }
    }
    if rare.0 > 1.0 {
        cells.push(rare);
    }
    let statistic = cells.iter().map(|(expected, seen)| (seen - expected).powi(2) / expected).sum();
    (statistic, cells.len() - 1)
}

/// What chi-squared exceeds once in two hundred thousand times, by Wilson and Hilferty.
fn bound(degrees: usize) -> f64 {
    let part = 2.0 / (9.0 * degrees as f64);
    degrees as f64 * (1.0 - part + 4.42 * part.sqrt()).powi(3)
}

#[test]
fn playouts_have_the_probabilities_of_the_tree() {
    for small in &GAMES {
        let [general, kernel] = small.forms();
        let (general, kernel) = (&*general, &*kernel);
        let mut tree = Tree { general, kernel, nodes: Vec::new(), known: HashMap::new() };
        tree.add(&general.start(), &kernel.start(), small.depth);
        for (number, policy) in Policy::all(kernel).iter().enumerate() {
            let chances = tree.chances(policy);
            let total: f64 = chances.values().sum();
            assert!((total - 1.0).abs() < 1e-9, "{}: {total}", small.file);
            let count = 20_000;
            let found = played(kernel, policy, small.depth, count);
            let name = small.file;
            for key in found.keys() {
                assert!(chances.contains_key(key), "{name}, policy {number}: {key:?} cannot be");
            }
            let (statistic, degrees) = chi_squared(&chances, &found, count);
            assert!(
                degrees > 0 && statistic < bound(degrees),
                "{name}, policy {number}: {statistic} with {degrees} degrees"
            );
        }
    }
}

/// Whole games on boards small enough for captures, sacrifices and positions that would come back; then the
/// laws of the contract, among them that moves are drawn uniformly.
#[test]
fn whole_games_agree() {
    const FOUR: &[(&str, &str)] = &[("<Size:points>", "4")];
    const ONCE: &[(&str, &str)] = &[("(rules", "(rules (meta (no Repeat))")];
    const TURNED: &[(&str, &str)] =
        &[("<Size:points>", "4"), ("(no Repeat)", "(no Repeat Situational)")];
    const SITUATED: &[(&str, &str)] = &[("(rules", "(rules (meta (no Repeat Situational))")];
    let games = [
        Small { file: "go", changes: FOUR, kind: "no-repetition", depth: None },
        Small { file: "go", changes: TURNED, kind: "no-repetition", depth: None },
        Small { file: "pong-hau-ki", changes: ONCE, kind: "no-repetition", depth: None },
        Small { file: "pong-hau-ki", changes: SITUATED, kind: "no-repetition", depth: None },
        Small { file: "three-mens-morris", changes: SITUATED, kind: "no-repetition", depth: None },
        Small { file: "atarigo", changes: FOUR, kind: "filter", depth: None },
        Small { file: "nogo", changes: FOUR, kind: "filter", depth: None },
        Small { file: "three-mens-morris", changes: ONCE, kind: "no-repetition", depth: None },
    ];
    for small in games {
        let [general, kernel] = small.forms();
        for seed in 0..6 {
            if let Err(fault) = agree(&*general, &*kernel, &mut Rng::seeded(seed), 250) {
                panic!("{fault}");
            }
        }
        let effort = Effort { games: 2, plies: 40, draws: 600, playouts: 40 };
        if let Err(fault) = check_with(&*kernel, 3, effort) {
            panic!("{fault}");
        }
    }
}
