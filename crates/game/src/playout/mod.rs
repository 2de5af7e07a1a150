//! Playouts: a whole game played by a policy that is known statically, without allocating.

mod blocks;
mod classed;
mod comparison;
mod decisive;
mod doubts;
mod exp;
mod gibbs;
mod grams;
mod greedy;
mod list;
mod ngram;
mod patterns;
mod record;
mod replies;
mod sampler;
mod sequences;
mod tables;
#[cfg(test)]
mod tests;
mod vectors;
mod watch;
mod weigh;

use std::any::Any;

pub use blocks::Page;
pub use classed::Classed;
pub use comparison::Comparison;
pub use decisive::Decisive;
pub use doubts::single_winner;
pub use exp::{EXP_BOUND, exp};
pub use gibbs::{Gibbs, draw};
pub use grams::{Contexts, GramTable, MAX_GRAM};
pub use greedy::Greedy;
pub use ngram::{Draw, Ngram};
pub use patterns::Patterns;
pub use record::{Record, Recording, Step};
pub use replies::{Composed, Replies};
pub use sampler::Sampling;
pub use sequences::{Sequences, WordId};
pub use tables::CodeTable;
pub use weigh::{MAX_WORDS, add_to_words, lose_shares, total_of_words};

use decisive::Probes;
use doubts::Doubts;
use sampler::Sampler;
use vectors::{Single, Vector, Work, work};

use crate::bits::Portable;
use crate::families::{Families, Place};
use crate::surroundings::Surroundings;
use crate::{Coding, Move, Player, PlayerSet, Rng, Rules, Turn};

/// Which playout implementation to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// The fastest the rules allow: count and pick, rejection, incremental ends.
    #[default]
    Optimised,
    /// List every legal move, choose one.
    Standard,
}

/// Memory a caller lends to playouts; nothing in it carries meaning from one to the next except
/// [`Scratch::record`], which search fills with the moves of the tree and a playout continues.
#[derive(Default, Debug)]
pub struct Scratch {
    /// The moves of this simulation so far.
    pub record: Record,
    /// How much to record.
    pub recording: Recording,
    pub(crate) families: Families,
    pub(crate) buffer: Vec<Move>,
    /// States of the game last played with decisive moves, and of the one in which it was left open what was legal; only
    /// those games know their types.
    probes: Option<Box<dyn Any + Send>>,
    doubts: Option<Box<dyn Any + Send>>,
}

/// What was kept for a game, or anew for another.
fn kept<T: Any>(kept: &mut Option<Box<dyn Any + Send>>, new: impl FnOnce() -> T) -> Box<T> {
    let kept = kept.take().and_then(|kept| kept.downcast().ok());
    kept.unwrap_or_else(|| Box::new(new()))
}

/// Plays until the game is over or so many plies are played; `choose` fills in the moves of the players.
#[inline]
pub(crate) fn play_on<R: Rules + ?Sized>(
    rules: &R,
    state: &mut R::State,
    rng: &mut Rng,
    limit: u32,
    mut choose: impl FnMut(&R::State, PlayerSet, &mut [Move], &mut Rng),
) -> u32 {
    let mut joint = [Move::default(); PlayerSet::CAPACITY];
    for ply in 0..limit {
        let count = match rules.turn(state) {
            Turn::Over => return ply,
            Turn::Chance => {
                joint[0] = rules.sample_chance(state, rng);
                1
            }
            Turn::Players(players) => {
                choose(state, players, &mut joint, rng);
                players.len()
            }
        };
        rules.apply(state, &joint[..count]);
    }
    limit
}

/// Runs one playout by a sampler and returns the number of plies.
#[expect(clippy::too_many_arguments, reason = "what a playout is, and what it may use")]
pub(crate) fn run<R: Rules>(
    rules: &R,
    around: Option<&Surroundings>,
    state: &mut R::State,
    sampling: &mut Sampling,
    style: Style,
    scratch: &mut Scratch,
    rng: &mut Rng,
    limit: u32,
) -> u32 {
    if sampling.watch().is_some() {
        sampling.begin(rules.last_move(state));
    }
    if around.is_none()
        && scratch.recording == Recording::Nothing
        && sampling.only_looks_for_wins()
        && let Some(plies) = rules.playout_decisive(state, rng, limit, &mut scratch.buffer)
    {
        return plies;
    }
    let way = &Way { rules, around, style };
    match sampling {
        Sampling::Composed(composed) if composed.decisive != Decisive::Off => {
            let mut probes = kept(&mut scratch.probes, || Probes::new(state));
            let way = &Way { rules, around, style: Style::Optimised };
            way.begin(state);
            if way.runs_free() {
                rules.watch(state);
            }
            let chooser = Decisively { composed, probes: &mut probes };
            let plies = work(Sampled { way, state, chooser, scratch, rng, limit });
            way.end(state);
            scratch.probes = Some(probes);
            plies
        }
        // What stands before a sampler asks for the processor's vectors by itself.
        Sampling::Composed(composed) => run_by(way, state, scratch, |state, scratch, doubts| {
            let mut chooser = ByOdds { sampler: &mut **composed, doubts };
            play::<Single, R>(way, state, &mut chooser, scratch, rng, limit)
        }),
        // Whoever looks at positions is known by his type, so that nobody else pays for it.
        Sampling::Patterns(patterns) => run_by(way, state, scratch, |state, scratch, doubts| {
            let chooser = ByOdds { sampler: &mut **patterns, doubts };
            work(Sampled { way, state, chooser, scratch, rng, limit })
        }),
        // Moves are listed to be told apart: vectors have nothing to do there.
        Sampling::Classed(classed) => run_by(way, state, scratch, |state, scratch, doubts| {
            let mut chooser = ByOdds { sampler: &mut **classed, doubts };
            play::<Single, R>(way, state, &mut chooser, scratch, rng, limit)
        }),
        sampling => run_by(way, state, scratch, |state, scratch, doubts| {
            let chooser = ByOdds { sampler: sampling, doubts };
            work(Sampled { way, state, chooser, scratch, rng, limit })
        }),
    }
}

/// One playout, with what goes before and after it.
fn run_by<R: Rules>(
    way: &Way<'_, R>,
    state: &mut R::State,
    scratch: &mut Scratch,
    playout: impl FnOnce(&mut R::State, &mut Scratch, &mut Doubts<R::State>) -> u32,
) -> u32 {
    way.begin(state);
    let mut doubts = kept(&mut scratch.doubts, Doubts::default);
    let plies = playout(state, scratch, &mut doubts);
    way.end(state);
    doubts.settle(way, state, scratch);
    scratch.doubts = Some(doubts);
    plies
}

/// A playout, compiled for each kind of vectors as a whole.
struct Sampled<'a, R: Rules, C> {
    way: &'a Way<'a, R>,
    state: &'a mut R::State,
    chooser: C,
    scratch: &'a mut Scratch,
    rng: &'a mut Rng,
    limit: u32,
}

impl<R: Rules, C: Chooser<R>> Work for Sampled<'_, R, C> {
    type Output = u32;

    #[inline(always)]
    fn run<V: Vector>(self) -> u32 {
        let Sampled { way, state, mut chooser, scratch, rng, limit } = self;
        play::<V, R>(way, state, &mut chooser, scratch, rng, limit)
    }
}

/// How a playout finds and plays moves: as the machine does it best, or from the list of all.
struct Way<'a, R> {
    rules: &'a R,
    /// How move features are made, where codes have them and the rules do not.
    around: Option<&'a Surroundings>,
    style: Style,
}

impl<R: Rules> Way<'_, R> {
    /// Whether states may take another form; what stands where can then not be seen.
    #[inline(always)]
    fn runs_free(&self) -> bool {
        self.style == Style::Optimised && self.around.is_none()
    }

    fn begin(&self, state: &mut R::State) {
        if self.runs_free() {
            self.rules.begin_playout(state);
        }
    }

    fn end(&self, state: &mut R::State) {
        if self.runs_free() {
            self.rules.end_playout(state);
        }
    }

    #[inline(always)]
    fn families(&self, state: &R::State, player: Player, coding: Coding, out: &mut Families) {
        out.clear();
        match (self.around, self.style) {
            (Some(around), _) => around.families(self.rules, state, player, out),
            (None, Style::Optimised) => self.rules.families(state, player, coding, out),
            (None, Style::Standard) => list_families(self.rules, state, player, coding, out),
        }
    }

    #[inline(always)]
    fn member(&self, state: &R::State, player: Player, families: &Families, at: Place) -> Move {
        match (self.around, self.style) {
            (Some(_), _) => Surroundings::member(self.rules, state, player, families, at),
            (None, Style::Optimised) => self.rules.member(state, player, families, at),
            (None, Style::Standard) => families.moves[families.word(at).tag as usize],
        }
    }

    #[inline(always)]
    fn play(&self, state: &mut R::State, player: Player, families: &Families, at: Place) {
        match self.runs_free() {
            true => self.rules.play(state, player, families, at),
            false => {
                let mv = self.member(state, player, families, at);
                self.rules.apply(state, &[mv]);
            }
        }
    }
}

/// Draws a player's move from the families that it leaves in the scratch memory. A trait rather than a closure, so that
/// drawing is compiled as part of the playout.
trait Chooser<R: Rules> {
    /// Draws one player's move and records it; `None` where none of his moves is legal.
    fn choose<V: Vector>(
        &mut self,
        way: &Way<'_, R>,
        state: &R::State,
        player: Player,
        scratch: &mut Scratch,
        rng: &mut Rng,
    ) -> Option<Place>;
}

/// By a sampler alone.
struct ByOdds<'a, S, T> {
    sampler: &'a mut S,
    doubts: &'a mut Doubts<T>,
}

impl<R: Rules, S: Sampler> Chooser<R> for ByOdds<'_, S, R::State> {
    #[inline(always)]
    fn choose<V: Vector>(
        &mut self,
        way: &Way<'_, R>,
        state: &R::State,
        player: Player,
        scratch: &mut Scratch,
        rng: &mut Rng,
    ) -> Option<Place> {
        choose::<V, R>(way, state, player, self.sampler, Some(self.doubts), scratch, rng)
    }
}

/// Among moves that decide, where there are any.
struct Decisively<'a, S> {
    composed: &'a mut Composed,
    probes: &'a mut Probes<S>,
}

impl<R: Rules> Chooser<R> for Decisively<'_, R::State> {
    #[inline(always)]
    fn choose<V: Vector>(
        &mut self,
        way: &Way<'_, R>,
        state: &R::State,
        player: Player,
        scratch: &mut Scratch,
        rng: &mut Rng,
    ) -> Option<Place> {
        choose_decisively::<V, R>(way, state, player, self.composed, scratch, self.probes, rng)
    }
}

/// Plays until the game is over or so many plies are played.
#[inline(always)]
fn play<V: Vector, R: Rules>(
    way: &Way<'_, R>,
    state: &mut R::State,
    chooser: &mut impl Chooser<R>,
    scratch: &mut Scratch,
    rng: &mut Rng,
    limit: u32,
) -> u32 {
    let rules = way.rules;
    let mut joint = [Move::default(); PlayerSet::CAPACITY];
    for ply in 0..limit {
        let players = match rules.turn(state) {
            Turn::Over => return ply,
            Turn::Chance => {
                let outcome = rules.sample_chance(state, rng);
                rules.apply(state, &[outcome]);
                continue;
            }
            Turn::Players(players) => players,
        };
        scratch.record.begin_ply();
        if players.len() > 1 {
            for (slot, player) in joint.iter_mut().zip(players) {
                let place = chooser.choose::<V>(way, state, player, scratch, rng);
                let place = place.expect("who moves at once with others has a move");
                *slot = way.member(state, player, &scratch.families, place);
            }
            rules.apply(state, &joint[..players.len()]);
            continue;
        }
        let player = players.first().unwrap_or_default();
        match chooser.choose::<V>(way, state, player, scratch, rng) {
            Some(place) => way.play(state, player, &scratch.families, place),
            None => match rules.stuck(state, player) {
                Some(code) => scratch.record.push(player, &[code], 0, scratch.recording),
                None => return ply,
            },
        }
    }
    limit
}

/// Draws one player's move and records it; `None` where none of his moves is legal.
#[inline(always)]
fn choose<V: Vector, R: Rules>(
    way: &Way<'_, R>,
    state: &R::State,
    player: Player,
    sampler: &mut impl Sampler,
    doubts: Option<&mut Doubts<R::State>>,
    scratch: &mut Scratch,
    rng: &mut Rng,
) -> Option<Place> {
    let Scratch { record, families, recording, .. } = scratch;
    way.families(state, player, sampler.coding(), families);
    let mut later = None;
    if families.is_doubtful() && recording.keeps_legal() {
        // Learning from the legal moves needs to know exactly which they are.
        let waits = *recording == Recording::WinnersLegal && !way.rules.keeps_past();
        later = doubts.filter(|_| waits && sampler.coding() == Coding::Plain);
        if later.is_none() {
            way.rules.settle(state, player, families);
        }
    }
    if families.is_empty() {
        sampler.stuck();
        return None;
    }
    sampler.look(way.rules, state, player, families);
    let mut place = sampler.draw::<V>(record, player, families, rng);
    while families.is_doubtful() {
        if way.rules.admits(state, player, way.member(state, player, families, place)) {
            break;
        }
        families.remove(place);
        if families.is_empty() {
            sampler.stuck();
            return None;
        }
        place = sampler.redraw::<V>(record, player, families, rng);
    }
    sampler.played(way.rules, state, player, families, place);
    if let Some(doubts) = later {
        doubts.keep(state, record.steps().len(), player);
        record.push_chosen(player, families.code(place));
        return Some(place);
    }
    sampler.note(record, player, families, place, *recording);
    Some(place)
}

/// Writes families from the list of all legal moves, one word a move.
pub fn list_families<R: Rules + ?Sized>(
    rules: &R,
    state: &R::State,
    player: Player,
    coding: Coding,
    out: &mut Families,
) {
    rules.moves(state, player, &mut out.moves);
    for at in 0..out.moves.len() {
        out.push_one(rules.code(state, player, out.moves[at], coding), at as u32);
    }
}

/// One of the legal moves, each with the same probability.
pub(crate) fn any_move<R: Rules>(
    rules: &R,
    state: &R::State,
    player: Player,
    families: &mut Families,
    rng: &mut Rng,
) -> Move {
    families.clear();
    rules.families(state, player, Coding::Plain, families);
    while !families.is_empty() {
        let place = weigh::any::<Portable>(families, rng);
        let mv = rules.member(state, player, families, place);
        if !families.is_doubtful() || rules.admits(state, player, mv) {
            return mv;
        }
        families.remove(place);
    }
    // What is left to a player without moves is listed, too.
    families.moves.clear();
    rules.moves(state, player, &mut families.moves);
    families.moves[rng.below(families.moves.len() as u32) as usize]
}

/// Adds the moves of a lone mover that win at once.
pub(crate) fn winning_moves<R: Rules>(
    rules: &R,
    state: &R::State,
    player: Player,
    out: &mut Vec<Move>,
) {
    let way = &Way { rules, around: None, style: Style::Optimised };
    let (mut families, mut probes) = (Families::default(), Probes::new(state));
    rules.families(state, player, Coding::Plain, &mut families);
    if families.is_doubtful() {
        rules.settle(state, player, &mut families);
    }
    if decisive::find(way, state, player, Decisive::Wins, &families, &mut probes) {
        let worth = &probes.worth;
        out.extend(worth.places().map(|place| rules.member(state, player, worth, place)));
    }
}

/// Draws a lone mover's move among those that decide, or among all where none does.
#[inline(always)]
fn choose_decisively<V: Vector, R: Rules>(
    way: &Way<'_, R>,
    state: &R::State,
    player: Player,
    composed: &mut Composed,
    scratch: &mut Scratch,
    probes: &mut Probes<R::State>,
    rng: &mut Rng,
) -> Option<Place> {
    if way.rules.turn(state).mover().is_none() {
        return choose::<V, R>(way, state, player, composed, None, scratch, rng);
    }
    let Scratch { record, families, recording, .. } = scratch;
    way.families(state, player, composed.coding(), families);
    if families.is_doubtful() {
        way.rules.settle(state, player, families);
    }
    if families.is_empty() {
        composed.stuck();
        return None;
    }
    composed.look(way.rules, state, player, families);
    let level = composed.decisive;
    let decides = decisive::find(way, state, player, level, families, probes);
    let among = if decides { &mut probes.worth } else { &mut *families };
    let place = composed.draw::<V>(record, player, among, rng);
    composed.played(way.rules, state, player, families, place);
    composed.note(record, player, families, place, *recording);
    Some(place)
}

/// One playout whose moves are drawn by a function of the game's own.
pub fn play_by<R: Rules + ?Sized>(
    rules: &R,
    state: &mut R::State,
    rng: &mut Rng,
    limit: u32,
    mut draw: impl FnMut(&R::State, Player, &mut Rng) -> Move,
) -> u32 {
    play_on(rules, state, rng, limit, |state, players, joint, rng| {
        for (slot, player) in joint.iter_mut().zip(players) {
            *slot = draw(state, player, rng);
        }
    })
}

/// How a game of random moves ended.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// What each player got.
    pub payoffs: &'a [f32],
    /// How many plies it had.
    pub plies: u32,
    /// Whether it ended by its rules, and not by the most plies that it may have.
    pub over: bool,
}

/// One uniform playout that lists every move and draws one.
pub fn play_listing<R: Rules + ?Sized>(
    rules: &R,
    state: &mut R::State,
    rng: &mut Rng,
    limit: u32,
    moves: &mut Vec<Move>,
) -> u32 {
    play_on(rules, state, rng, limit, |state, players, joint, rng| {
        for (slot, player) in joint.iter_mut().zip(players) {
            moves.clear();
            rules.moves(state, player, moves);
            *slot = moves[rng.below(moves.len() as u32) as usize];
        }
    })
}
