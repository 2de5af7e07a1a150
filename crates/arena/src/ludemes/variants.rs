//! All the games that one description offers: every option by itself, every ruleset, and combinations.

use ludex_game::{Game, Rng, Turn};
use ludex_lang::lud::options::{Category, Ruleset, choose};
use std::collections::HashSet;

/// Combinations are listed up to this number; of more, so many are drawn.
pub const MOST_COMBINATIONS: usize = 200;

/// One way to choose among the options of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Where it comes from.
    pub kind: VariantKind,
    /// Choices in the form `Heading/Item`, or a ruleset by name.
    pub choices: Vec<String>,
}

/// Where a choice of options comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantKind {
    /// Nothing is chosen.
    Default,
    /// One option, the others as they are.
    Single,
    /// A ruleset of the description.
    Ruleset,
    /// One item of every option.
    Combination,
}

/// All variants: the default, single options, rulesets, and combinations, drawn by `seed` where they
/// are many. What comes to the same is listed once.
pub fn variants(options: &[Category], rulesets: &[Ruleset], seed: u64) -> Vec<Variant> {
    let mut seen = HashSet::new();
    let mut out = Vec::new();
    let mut add = |kind: VariantKind, choices: Vec<String>| {
        // A ruleset that names what is not there is listed, to be refused.
        let chosen = choose(options, rulesets, &choices).map_err(|_| choices.clone());
        if seen.insert(chosen) {
            out.push(Variant { kind, choices });
        }
    };
    add(VariantKind::Default, Vec::new());
    for category in options {
        for item in &category.items {
            add(VariantKind::Single, vec![name(category, &item.name)]);
        }
    }
    for ruleset in rulesets {
        add(VariantKind::Ruleset, vec![ruleset.name.to_string()]);
    }
    for combination in combinations(options, seed) {
        add(VariantKind::Combination, combination);
    }
    out
}

fn name(category: &Category, item: &str) -> String {
    format!("{}/{item}", category.heading)
}

fn combinations(options: &[Category], seed: u64) -> Vec<Vec<String>> {
    let sizes = options.iter().map(|category| category.items.len());
    let count = sizes.fold(1usize, |all, size| all.saturating_mul(size));
    let nth = |mut number: usize| {
        let mut choices = Vec::with_capacity(options.len());
        for category in options {
            let item = &category.items[number % category.items.len()];
            choices.push(name(category, &item.name));
            number /= category.items.len();
        }
        choices
    };
    if count <= MOST_COMBINATIONS {
        return (0..count).map(nth).collect();
    }
    let mut rng = Rng::seeded(seed);
    let mut drawn = |category: &Category| {
        let item = &category.items[rng.below(category.items.len() as u32) as usize];
        name(category, &item.name)
    };
    (0..MOST_COMBINATIONS).map(|_| options.iter().map(&mut drawn).collect()).collect()
}

/// How far random games are played.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// So many games.
    pub games: u32,
    /// Each cut off after so many plies.
    pub plies: u32,
    /// The seed of everything random.
    pub seed: u64,
}

/// What random games came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Games that came to their end or to the last ply.
    pub games: u32,
    /// Plies of all games.
    pub plies: u64,
}

/// Plays random games; `stop` is asked before every ply.
pub fn play_randomly(game: &dyn Game, extent: Extent, stop: &mut dyn FnMut() -> bool) -> Played {
    let mut rng = Rng::seeded(extent.seed);
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    let mut played = Played::default();
    while played.games < extent.games {
        let mut state = game.start();
        for _ in 0..extent.plies {
            if stop() {
                return played;
            }
            joint.clear();
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => joint.push(game.sample_chance(&state, &mut rng)),
                Turn::Players(players) => {
                    for player in players {
                        moves.clear();
                        game.moves(&state, player, &mut moves);
                        joint.push(moves[rng.below(moves.len() as u32) as usize]);
                    }
                }
            }
            game.apply(&mut state, &joint);
            played.plies += 1;
        }
        played.games += 1;
    }
    played
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_lang::diagnostic::SourceId;
    use ludex_lang::lud::{self, Library};

    const TEXT: &str = r#"
        (game "Small" (players 2) (equipment {(board (square <Size>)) (piece "Ball" Each)})
            (rules (play <Way>) (end (if (is Line 3) (result Mover Win)))))
        (option "Size" <Size> args:{<size>} {(item "3" <3> "")* (item "4" <4> "") (item "5" <5> "")})
        (option "Way" <Way> args:{<way>} {
            (item "Add" <(move Add (to (sites Empty)))> "")
            (item "Pass" <(move Pass)> "")
        })
        (rulesets {(ruleset "Ruleset/Large" {"Size/5" "Way/Pass"})})"#;

    #[test]
    fn every_choice_comes_once() {
        let read = lud::read(TEXT, SourceId(0), &Library::default(), &[]).unwrap();
        let all = variants(&read.options, &read.rulesets, 1);
        let of = |kind: VariantKind| all.iter().filter(|variant| variant.kind == kind).count();
        assert_eq!(of(VariantKind::Default), 1);
        // The default items come to the same as choosing nothing.
        assert_eq!(of(VariantKind::Single), 3);
        assert_eq!(of(VariantKind::Ruleset), 1);
        assert_eq!(of(VariantKind::Combination), 1);
    }

    #[test]
    fn many_combinations_are_drawn_by_seed() {
        let items: String = (0..15).map(|n| format!("(item \"{n}\" <{n}> \"\")")).collect();
        let text = format!(
            r#"(game "Large" (players 2) (equipment {{(board (square 3))}}) (rules (play (move Pass))))
            (option "A" <A> args:{{<a>}} {{{items}}}) (option "B" <B> args:{{<b>}} {{{items}}})"#
        );
        let read = lud::read(&text, SourceId(0), &Library::default(), &[]).unwrap();
        let drawn = |seed| variants(&read.options, &read.rulesets, seed);
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        assert!(drawn(1).len() <= 1 + 28 + MOST_COMBINATIONS);
    }
}
