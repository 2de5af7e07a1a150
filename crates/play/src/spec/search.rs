//! The text form of a search: its name says how moves are selected in the tree.

use super::settings::Describe;
use crate::search::{FinalMove, Keys, SearchConfig, Selection, Simultaneous};

/// The searches by name, with the selection each begins from.
pub const SEARCHES: &[(&str, Selection)] = &[
    ("uct", Selection::Ucb1 { c: 0.4 }),
    ("ucb1-tuned", Selection::Ucb1Tuned { c: 1.0 }),
    ("rave", Selection::Grave { c: 0.0, bias: 1e-5, reference: 0 }),
    ("grave", Selection::Grave { c: 0.0, bias: 1e-5, reference: 50 }),
    ("history", Selection::History { c: 0.4, w: 5.0 }),
];

/// The name of a configuration's search.
pub fn name(config: &SearchConfig) -> &'static str {
    match config.selection {
        Selection::Ucb1 { .. } => "uct",
        Selection::Ucb1Tuned { .. } => "ucb1-tuned",
        Selection::Grave { reference: 0, .. } => "rave",
        Selection::Grave { .. } => "grave",
        Selection::History { .. } => "history",
    }
}

/// The usual configuration of the search with this name.
pub fn usual(name: &str) -> Option<SearchConfig> {
    let (_, selection) = SEARCHES.iter().find(|(known, _)| *known == name)?;
    Some(SearchConfig { selection: *selection, ..SearchConfig::default() })
}

/// Goes through the settings of a search.
pub fn describe(config: &mut SearchConfig, describe: &mut dyn Describe) {
    match &mut config.selection {
        Selection::Ucb1 { c } | Selection::Ucb1Tuned { c } => explore(describe, c),
        Selection::Grave { c, bias, reference } => {
            explore(describe, c);
            describe.number("bias", bias, 0.0..=1e3, "how soon a move's own mean takes over");
            if *reference > 0 {
                let mut visits = u64::from(*reference);
                let help = "visits a node needs to lend its statistics";
                describe.count("ref", &mut visits, 1..=1_000_000_000, help);
                *reference = visits as u32;
            }
        }
        Selection::History { c, w } => {
            explore(describe, c);
            describe.number("w", w, 0.0..=1e6, "how much the history of a move counts");
        }
    }
    describe.number(
        "fpu",
        &mut config.first_play,
        -1e6..=f32::INFINITY,
        "the value of untried moves",
    );
    let help = "untried moves are worth what their node is worth on average, less `fpu` where that is a number";
    describe.flag("parent", &mut config.first_play_of_node, help);
    let help = "above 0: of a node with n visits at most widen·√n moves are tried";
    describe.number("widen", &mut config.widen, 0.0..=1e6, help);
    let help = "the share of an evaluation, backed up by minimax, in the value of a move";
    describe.number("implicit", &mut config.implicit, 0.0..=1.0, help);
    describe.number(
        "ties",
        &mut config.tie_margin,
        0.0..=1.0,
        "values this near the best are drawn from",
    );
    let mut tree = config.keys == Keys::Path;
    describe.flag("tree", &mut tree, "nodes by path, without transpositions");
    let mut open_loop = config.keys == Keys::OpenLoop;
    describe.flag("open-loop", &mut open_loop, "nodes by the players' moves, whatever chance does");
    config.keys = match (tree, open_loop) {
        (_, true) => Keys::OpenLoop,
        (true, false) => Keys::Path,
        (false, false) => Keys::Position,
    };
    let mut sequenced = config.simultaneous == Simultaneous::Sequenced;
    describe.flag("sequenced", &mut sequenced, "simultaneous moves one after another");
    config.simultaneous = if sequenced { Simultaneous::Sequenced } else { Simultaneous::Decoupled };
    let mut last = usize::from(config.final_move == FinalMove::Mean);
    describe.choice("final", &mut last, &["visits", "mean"], "which move is played in the end");
    config.final_move = if last == 0 { FinalMove::Visits } else { FinalMove::Mean };
    describe.flag("solve", &mut config.solve, "prove results; never search again what is proved");
    let mut reuse = u64::from(config.reuse);
    describe.count("reuse", &mut reuse, 0..=60_000, "searches a node survives unvisited");
    config.reuse = reuse as u16;
    for (name, factor) in ["part1", "part2", "part3"].into_iter().zip(&mut config.parts) {
        describe.number(
            name,
            factor,
            0.0..=1e3,
            "the budget of this part of the game, as a factor",
        );
    }
    let mut leaf = u64::from(config.leaf);
    describe.count("leaf", &mut leaf, 1..=65_536, "uniform playouts from a new node, in lanes");
    config.leaf = leaf as u32;
    let mut threads = config.threads as u64;
    describe.count("threads", &mut threads, 1..=1024, "threads that search one tree");
    config.threads = threads as usize;
    let mut nodes = config.max_nodes as u64;
    describe.count("nodes", &mut nodes, 64..=1 << 31, "the most nodes of a tree");
    config.max_nodes = nodes as usize;
}

fn explore(describe: &mut dyn Describe, c: &mut f32) {
    describe.number("c", c, 0.0..=1e6, "how much to explore");
}
