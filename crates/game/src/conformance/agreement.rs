//! Two forms of one game: the same moves by text, the same positions, the same results.

use super::{Fault, sites};
use crate::{Ends, Game, Move, Player, Rng, State, Turn};

/// Walks two forms of a game along the same random moves and compares everything they show: whose turn
/// it is, the position by text and by sites, the legal moves by text with their ends (as often as each is
/// listed), the last move, the payoffs at the end.
pub fn agree(a: &dyn Game, b: &dyn Game, rng: &mut Rng, plies: usize) -> Result<(), Fault> {
    let mut walk = Pair { a, b, moves: Vec::new() };
    if a.geometry() != b.geometry() {
        return Err(walk.fault("both forms have the same geometry", "they do not".to_string()));
    }
    let (mut at, mut other) = (a.start(), b.start());
    for _ in 0..plies {
        if !walk.step(&mut at, &mut other, rng)? {
            break;
        }
    }
    Ok(())
}

struct Pair<'a> {
    a: &'a dyn Game,
    b: &'a dyn Game,
    moves: Vec<String>,
}

impl Pair<'_> {
    fn fault(&self, law: &'static str, detail: String) -> Fault {
        let game = self.a.info().name.clone();
        Fault { game, law, detail, moves: self.moves.clone() }
    }

    /// Compares one position and plays a random move; `false` when the game is over.
    fn step(&mut self, a: &mut State, b: &mut State, rng: &mut Rng) -> Result<bool, Fault> {
        let (turn, other) = (self.a.turn(a), self.b.turn(b));
        if turn != other {
            let detail = format!("{turn:?} and {other:?}\n{}", self.a.show(a, None));
            return Err(self.fault("both forms have the same turn", detail));
        }
        let (shown, other) = (self.a.show(a, None), self.b.show(b, None));
        if shown != other {
            let detail = format!("\n{shown}and\n{other}");
            return Err(self.fault("both forms show the same position", detail));
        }
        if let Some(detail) = sites::difference((self.a, a), (self.b, b)) {
            let detail = format!("{detail}\n{shown}");
            return Err(self.fault("both forms have the same view", detail));
        }
        let players = match turn {
            Turn::Players(players) => players,
            Turn::Chance => return self.chance(a, b, rng),
            _ => {
                self.compare_payoffs(a, b)?;
                return Ok(false);
            }
        };
        let (list, other) = (texts(self.a, a), texts(self.b, b));
        if list != other {
            let only = |x: &[String], y: &[String]| {
                x.iter().filter(|t| !y.contains(t)).cloned().collect::<Vec<_>>().join(" ")
            };
            let (missing, more) = (only(&list, &other), only(&other, &list));
            let detail = format!(
                "{} and {}; missing: {missing}; more: {more}\n{shown}",
                list.len(),
                other.len()
            );
            return Err(self.fault("both forms have the same moves", detail));
        }
        let (ends, other) = (all_ends(self.a, a), all_ends(self.b, b));
        if let Some((end, other)) = ends.iter().zip(&other).find(|(end, other)| end != other) {
            let detail = format!("{end:?} and {other:?}\n{shown}");
            return Err(self.fault("both forms have the same ends of moves", detail));
        }
        let player = players.first().unwrap_or_default();
        let chosen = &list[rng.below(list.len() as u32) as usize];
        self.moves.push(chosen.clone());
        for (game, state) in [(self.a, a), (self.b, b)] {
            match game.parse_move(state, player, chosen) {
                Ok(mv) => game.apply(state, &[mv]),
                Err(error) => return Err(self.fault("texts name moves", error.to_string())),
            }
        }
        Ok(true)
    }

    /// Compares what may happen by chance, and lets something happen.
    fn chance(&mut self, a: &mut State, b: &mut State, rng: &mut Rng) -> Result<bool, Fault> {
        let (list, other) = (chances(self.a, a), chances(self.b, b));
        if list != other {
            let detail = format!("{list:?} and {other:?}");
            return Err(self.fault("both forms have the same chances", detail));
        }
        let happens = self.a.sample_chance(a, rng);
        let text = self.a.move_text(a, None, happens);
        self.moves.push(text.clone());
        self.a.apply(a, &[happens]);
        match self.b.parse_chance(b, &text) {
            Some(happens) => self.b.apply(b, &[happens]),
            None => return Err(self.fault("texts name what happens by chance", text)),
        }
        Ok(true)
    }

    fn compare_payoffs(&self, a: &State, b: &State) -> Result<(), Fault> {
        let mut payoffs = [vec![0.0; self.a.info().players], vec![0.0; self.b.info().players]];
        self.a.payoffs(a, &mut payoffs[0]);
        self.b.payoffs(b, &mut payoffs[1]);
        match payoffs[0] == payoffs[1] {
            true => Ok(()),
            false => Err(self.fault("both forms pay the same", format!("{payoffs:?}"))),
        }
    }
}

/// What may happen by chance, by text, with its probability; nothing where it cannot be listed.
fn chances(game: &dyn Game, state: &State) -> Vec<(String, f64)> {
    let mut outcomes = Vec::new();
    game.chance_outcomes(state, &mut outcomes);
    outcomes.iter().map(|&(mv, chance)| (game.move_text(state, None, mv), chance)).collect()
}

/// The legal moves by text, in order.
fn texts(game: &dyn Game, state: &State) -> Vec<String> {
    let mut texts = named_moves(game, state).2;
    texts.sort();
    texts
}

/// The ends of the legal moves, in the order of their texts.
fn all_ends(game: &dyn Game, state: &State) -> Vec<(String, Ends)> {
    if game.geometry().is_none() {
        return Vec::new();
    }
    let (player, moves, texts) = named_moves(game, state);
    let ends = moves.into_iter().map(|mv| game.ends(state, Some(player), mv));
    let mut all: Vec<(String, Ends)> = texts.into_iter().zip(ends).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// Whoever moves first of those who move, with the legal moves and their texts.
fn named_moves(game: &dyn Game, state: &State) -> (Player, Vec<Move>, Vec<String>) {
    let Turn::Players(players) = game.turn(state) else {
        return Default::default();
    };
    let player = players.first().unwrap_or_default();
    let mut moves = Vec::new();
    game.moves(state, player, &mut moves);
    let texts = game.move_texts(state, player, &moves);
    (player, moves, texts)
}
