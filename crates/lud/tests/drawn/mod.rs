//! Descriptions nobody wrote, and what must hold for every one of them. The same
//! choices make the same description, whoever chooses.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod mutants;
pub mod rules;

use std::path::Path;

use ludex_game::conformance::agree;
use ludex_game::playout::{Sampling, Scratch, Style};
use ludex_game::{Game, Rng, Rules, Turn, erase};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::tree::Node;
use ludex_lang::lud::{Library, read, reader};
use ludex_lud::kernel::kernel;
use ludex_lud::{Compiled, Ludemes, compile};

/// Something that chooses.
pub trait Choices {
    /// A number below a bound that is not nought.
    fn below(&mut self, bound: u32) -> u32;
}

impl Choices for Rng {
    fn below(&mut self, bound: u32) -> u32 {
        Rng::below(self, bound)
    }
}

/// Choices by the bytes of an input; the first of everything where they are used up.
pub struct Bytes<'a>(pub &'a [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, bound: u32) -> u32 {
        let wanted = if bound <= 256 { 1 } else { 2 };
        let (now, rest) = self.0.split_at(self.0.len().min(wanted));
        self.0 = rest;
        now.iter().fold(0, |number, &byte| number << 8 | u32::from(byte)) % bound
    }
}

/// One of several.
pub fn pick<'a, T>(choices: &mut dyn Choices, all: &'a [T]) -> &'a T {
    &all[choices.below(all.len() as u32) as usize]
}

/// The descriptions of a folder, in the order of their names.
pub fn corpus(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("the folder of descriptions");
    let mut paths: Vec<_> = files.map(|file| file.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "lud"));
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("readable")).collect()
}

/// The reader answers, and what it has read prints as something that it reads as the same.
pub fn is_read(text: &str) {
    match reader::read(text, SourceId(0)) {
        Ok(nodes) => {
            let print =
                |nodes: &[Node]| nodes.iter().map(Node::to_string).collect::<Vec<_>>().join("\n");
            let once = print(&nodes);
            let again = reader::read(&once, SourceId(0));
            let again = again.unwrap_or_else(|fault| panic!("{}: {once}", fault.message));
            assert_eq!(once, print(&again), "printed and read again");
        }
        Err(found) => assert!(!found.to_text(|_| text, |_| "drawn").is_empty()),
    }
}

/// A compiled description, or nothing where it was refused with a message.
fn compiled(text: &str) -> Option<Compiled> {
    let read = read(text, SourceId(0), &Library::default(), &[]).map_err(Box::new);
    match read.and_then(|description| compile(&description)) {
        Ok(compiled) => Some(compiled),
        Err(found) => {
            assert!(!found.to_text(|_| text, |_| "drawn").is_empty());
            None
        }
    }
}

/// The compiler answers, and what it has compiled plays for some plies.
pub fn is_answered(text: &str, rng: &mut Rng) {
    let Some(game) = compiled(text).and_then(|compiled| Ludemes::new(compiled).ok()) else {
        return;
    };
    let mut state = game.start();
    for _ in 0..6 {
        let chosen = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game.sample_chance(&state, rng),
            Turn::Players(players) => {
                let mut moves = Vec::new();
                game.moves(&state, players.first().expect("somebody moves"), &mut moves);
                *pick(rng, &moves)
            }
        };
        game.apply(&mut state, &[chosen]);
    }
}

/// What came of a description.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Came {
    /// A message.
    Refused,
    /// A game that the general evaluator plays.
    General,
    /// A game with a kernel.
    Kernel,
}

/// Where there is a kernel it walks beside the general evaluator and shows the same at every step; and its
/// playouts end.
pub fn plays_alike(text: &str, seed: u64) -> Came {
    let Some(general) = compiled(text).and_then(|compiled| Ludemes::new(compiled).ok()) else {
        return Came::Refused;
    };
    let kernel = kernel(&general);
    let general = erase(general);
    let other = kernel.as_deref().unwrap_or(&*general);
    if let Err(fault) = agree(&*general, other, &mut Rng::seeded(seed), 12) {
        panic!("{fault}");
    }
    match kernel {
        Ok(kernel) => {
            ends(&*kernel, seed);
            Came::Kernel
        }
        Err(_) => Came::General,
    }
}

fn ends(game: &dyn Game, seed: u64) {
    let mut state = game.start();
    let (mut rng, mut scratch) = (Rng::seeded(seed), Scratch::default());
    let mut sampling = Sampling::default();
    let plies = game.playout(&mut state, &mut sampling, Style::Optimised, &mut scratch, &mut rng);
    let limit = game.info().max_plies;
    assert!(plies == limit || plies < limit && game.turn(&state) == Turn::Over, "{plies} plies");
}
