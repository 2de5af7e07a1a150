//! The last good reply: playing again what answered a move well.

use super::sampler::Sampler;
use super::vectors::{Vector, Work, work};
use super::weigh::any;
use super::{CodeTable, Record, Recording, Sampling, Step};
use crate::families::{Families, Place, Word};
use crate::{Coding, Game, Player, Rng, Rules};

/// For each player and each move just before his, the reply that last did well.
#[derive(Clone, Debug, Default)]
pub struct Replies {
    /// `replies[player][previous move]`: a code and one, or zero for none.
    replies: Vec<Vec<u32>>,
    /// Where the moves of each player begin among previous moves.
    starts: Vec<usize>,
}

impl Replies {
    /// No replies, for the codes of a game.
    pub fn for_game(game: &dyn Game, coding: Coding) -> Self {
        let layout = CodeTable::for_game(game, coding, 0.0);
        let players = 0..layout.players();
        Replies {
            replies: vec![vec![0; layout.values().len()]; layout.players()],
            starts: players.map(|player| layout.start(Player(player as u8))).collect(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.replies.iter_mut().for_each(|replies| replies.fill(0));
    }

    #[inline]
    fn place(&mut self, player: Player, previous: &Step) -> &mut u32 {
        let at = self.starts[previous.player.index()] + previous.chosen as usize;
        &mut self.replies[player.index()][at]
    }

    /// The stored reply of a player to a move.
    #[inline]
    pub fn get(&mut self, player: Player, previous: &Step) -> Option<u32> {
        self.place(player, previous).checked_sub(1)
    }

    /// Stores a reply that did well.
    #[inline]
    pub fn store(&mut self, previous: &Step, reply: &Step) {
        *self.place(reply.player, previous) = reply.chosen + 1;
    }

    /// Forgets a reply that did badly, if it is the stored one.
    #[inline]
    pub fn forget(&mut self, previous: &Step, reply: &Step) {
        let place = self.place(reply.player, previous);
        if *place == reply.chosen + 1 {
            *place = 0;
        }
    }
}

/// Plays a stored reply where it is legal and by another sampler where not.
#[derive(Debug, Default)]
pub struct Composed {
    /// What plays where no reply is stored.
    pub base: Sampling,
    /// The stored replies, if replies are used at all.
    pub replies: Option<Replies>,
    /// Whether moves that win at once are looked for first.
    pub decisive: super::Decisive,
    /// The reply wanted at this choice.
    wanted: Option<u32>,
    /// Whether the base has begun this choice.
    begun: bool,
}

impl Composed {
    /// A sampler around another.
    pub fn new(base: Sampling, replies: Option<Replies>, decisive: super::Decisive) -> Self {
        Composed { base, replies, decisive, wanted: None, begun: false }
    }

    /// One of the moves with the wanted code, if any is left.
    fn reply(&self, families: &Families, rng: &mut Rng) -> Option<Place> {
        let wanted = self.wanted?;
        let (first, bit) = (wanted & !63, wanted & 63);
        let has = |word: &Word| word.first == first && word.bits >> bit & 1 == 1;
        let words = || (0u32..).zip(families.words()).filter(|(_, word)| has(word));
        let matching = words().count() as u32;
        let nth = if matching > 1 { rng.below(matching) } else { 0 };
        words().nth(nth as usize).map(|(word, _)| Place { word, bit })
    }
}

impl Sampler for Composed {
    fn coding(&self) -> Coding {
        self.base.coding()
    }

    #[inline]
    fn look<R: Rules>(&mut self, rules: &R, state: &R::State, player: Player, families: &Families) {
        match &mut self.base {
            Sampling::Patterns(base) => base.look(rules, state, player, families),
            Sampling::Classed(base) => base.look(rules, state, player, families),
            _ => {}
        }
    }

    #[inline]
    fn stuck(&mut self) {
        if let Some(watch) = self.base.watch() {
            watch.stuck();
        }
    }

    #[inline]
    fn played<R: Rules>(
        &mut self,
        rules: &R,
        state: &R::State,
        player: Player,
        families: &Families,
        place: Place,
    ) {
        if let Some(watch) = self.base.watch() {
            watch.played(rules, state, player, families, place);
        }
    }

    #[inline]
    fn note(
        &mut self,
        record: &mut Record,
        player: Player,
        families: &mut Families,
        place: Place,
        recording: Recording,
    ) {
        match &mut self.base {
            Sampling::Classed(base) => base.note(record, player, families, place, recording),
            _ => record.push_from(player, families, place, 0.0, recording),
        }
    }

    #[inline]
    fn draw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        let ply = record.plies().wrapping_sub(1);
        self.wanted = match (&mut self.replies, record.last_before(ply)) {
            (Some(replies), Some(previous)) => replies.get(player, previous),
            _ => None,
        };
        self.begun = false;
        self.redraw::<V>(record, player, families, rng)
    }

    fn redraw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        if !self.begun
            && let Some(place) = self.reply(families, rng)
        {
            return place;
        }
        let again = std::mem::replace(&mut self.begun, true);
        match &mut self.base {
            Sampling::Uniform(_) => any::<V::Select>(families, rng),
            base => work(BaseDraw { base, again, record, player, families, rng }),
        }
    }
}

struct BaseDraw<'a> {
    base: &'a mut Sampling,
    /// The base drew before, and that proved illegal.
    again: bool,
    record: &'a Record,
    player: Player,
    families: &'a mut Families,
    rng: &'a mut Rng,
}

impl Work for BaseDraw<'_> {
    type Output = Place;

    #[inline(always)]
    fn run<V: Vector>(self) -> Place {
        let BaseDraw { base, again, record, player, families, rng } = self;
        match again {
            true => base.redraw::<V>(record, player, families, rng),
            false => base.draw::<V>(record, player, families, rng),
        }
    }
}
