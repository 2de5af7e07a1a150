//! Values of moves that depend on the moves just before.
//!
//! Most moves are drawn by a table of their own values, as if nothing came before; sequences that were
//! visited often enough correct it, whole words at a time.

use super::blocks::{BlockId, Page, rank};
use super::exp::exp;
use super::gibbs::by_odds;
use super::grams::{Contexts, MAX_GRAM};
use super::greedy::{by_score, coin};
use super::list::Listed;
use super::sampler::Sampler;
use super::sequences::Known;
use super::vectors::{Vector, Work};
use super::weigh::{self, Changed, MAX_WORDS, page};
use super::{CodeTable, Record, Sequences};
use crate::families::{Families, Place, Word};
use crate::{Coding, Player, Rng};

/// How a move is drawn from values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// In proportion to `e^(k·value)`.
    Gibbs {
        /// How much values count.
        k: f32,
    },
    /// The highest value; with probability ε any move.
    Greedy {
        /// The probability of any move.
        epsilon: f32,
    },
}

impl Draw {
    /// What a move with this value is drawn by: its odds, or the value itself.
    #[inline(always)]
    pub(super) fn shown(self, value: f32) -> f32 {
        match self {
            Draw::Gibbs { k } => exp(k * value),
            Draw::Greedy { .. } => value,
        }
    }
}

/// A move's value is the mean of the values of the sequences it would end: of one move always, of more
/// where they were visited often enough.
#[derive(Clone, Debug)]
pub struct Ngram {
    /// The codes the values are for.
    pub coding: Coding,
    /// How a move is drawn.
    pub draw: Draw,
    /// The longest sequences.
    pub longest: usize,
    /// The values of single moves.
    pub singles: CodeTable,
    /// Their odds, `e^(k·value)`, kept up to date by whoever learns; nothing where moves are not drawn by odds.
    pub odds: CodeTable,
    /// The values of longer sequences.
    pub grams: Sequences,
    /// What the words of this choice are drawn by where sequences have a say, and which words those are.
    blended: Vec<Page>,
    changed: u64,
    listed: Listed,
    /// What is known of the words of this choice, by their numbers.
    found: Vec<(u32, BlockId)>,
    course: Course,
}

/// How the moves of the present choice are weighed, also when one is drawn again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    /// Any move.
    Any,
    /// By single values alone.
    Singles,
    /// By the words that were corrected.
    Words,
    /// By a list of values.
    List,
}

impl Ngram {
    /// A sampler that knows no sequences yet; those of two or more count that were visited `threshold` times.
    pub fn new(
        coding: Coding,
        draw: Draw,
        longest: usize,
        threshold: f32,
        singles: CodeTable,
    ) -> Self {
        let mut odds = CodeTable::default();
        if let Draw::Gibbs { .. } = draw {
            odds = singles.clone();
            odds.values_mut().iter_mut().for_each(|value| *value = draw.shown(*value));
        }
        Ngram {
            coding,
            draw,
            longest,
            singles,
            odds,
            grams: Sequences::new(threshold),
            blended: Vec::new(),
            changed: 0,
            listed: Listed::default(),
            found: Vec::new(),
            course: Course::Any,
        }
    }

    /// What moves are drawn by where no sequence counts.
    #[inline]
    fn base(&self, player: Player) -> &[f32] {
        match self.draw {
            Draw::Gibbs { .. } => self.odds.whole_words(player),
            Draw::Greedy { .. } => self.singles.whole_words(player),
        }
    }

    /// Corrects the words of a choice by what came before it; `false` where that changes nothing.
    #[inline(always)]
    fn correct<V: Vector>(&mut self, contexts: &Contexts, player: Player, words: &[Word]) -> bool {
        // All is looked up before any of it is used, so that the memory finds it at the same time.
        self.found.clear();
        for (number, word) in (0u32..).zip(words).filter(|(_, word)| word.bits != 0) {
            for &context in contexts.hashes() {
                self.found.extend(self.grams.find(context, word.first / 64).map(|at| (number, at)));
            }
        }
        self.changed = 0;
        if self.found.is_empty() {
            return false;
        }
        let mut blended = std::mem::take(&mut self.blended);
        let (singles, base) = (self.singles.whole_words(player), self.base(player));
        if blended.len() < words.len() {
            blended.resize(words.len(), [0.0; 64]);
        }
        let mut changed = 0;
        let mut found = &self.found[..];
        while let Some(&(number, _)) = found.first() {
            let word = words[number as usize];
            let nothing = (0, Known { home: 0, ripe: 0, values: &[] });
            let (mut known, mut count) = ([nothing; MAX_GRAM - 1], 0);
            while let Some((&(_, at), rest)) = found.split_first().filter(|(f, _)| f.0 == number) {
                let here = self.grams.known(at);
                let counting = here.ripe & word.bits;
                known[count] = (counting, here);
                count += usize::from(counting != 0);
                found = rest;
            }
            if count > 0 {
                let (singles, base) = (page(singles, word.first), page(base, word.first));
                let out = &mut blended[number as usize];
                weigh::blend::<V>(singles, base, &known[..count], self.draw, out);
                changed |= 1 << number;
            }
        }
        (self.blended, self.changed) = (blended, changed);
        changed != 0
    }

    /// Brings together what each listed move is drawn by.
    #[inline(always)]
    fn list<V: Vector>(&mut self, contexts: &Contexts, player: Player, families: &mut Families) {
        let mut listed = std::mem::take(&mut self.listed);
        listed.gather::<V>(self.base(player), families);
        let singles = self.singles.of(player);
        for (&code, number) in families.codes().iter().zip(listed.numbers()) {
            let (mut sum, mut count) = (0.0, 0);
            for &context in contexts.hashes() {
                let known = self.grams.find(context, code / 64).map(|at| self.grams.known(at));
                if let Some(known) = known
                    && known.ripe >> (code % 64) & 1 == 1
                {
                    sum += known.values[rank(known.home, code % 64) as usize];
                    count += 1;
                }
            }
            if count > 0 {
                let mean = (singles[code as usize] + sum) * (1.0 / (1 + count) as f32);
                *number = self.draw.shown(mean);
            }
        }
        self.listed = listed;
    }

    /// Finds out how this choice is weighed.
    #[inline(always)]
    fn begin<V: Vector>(&mut self, record: &Record, player: Player, families: &mut Families) {
        let (ply, players) = (record.plies().wrapping_sub(1), self.singles.players());
        let contexts = Contexts::of(record.steps(), ply, player, players, self.longest);
        self.course = if families.is_dense() && families.words().len() <= MAX_WORDS {
            match self.correct::<V>(&contexts, player, families.words()) {
                true => Course::Words,
                false => Course::Singles,
            }
        } else {
            Course::List
        };
        if self.course == Course::List {
            self.list::<V>(&contexts, player, families);
        }
    }

    /// Draws by the corrected words.
    #[inline(always)]
    fn by_words<V: Vector>(&self, player: Player, families: &Families, rng: &mut Rng) -> Place {
        let table = self.base(player);
        let numbers = Changed { table, changed: self.changed, elsewhere: &self.blended };
        match self.draw {
            Draw::Gibbs { .. } => weigh::draw::<V>(numbers, families.words(), rng).0,
            Draw::Greedy { .. } => weigh::best::<V>(numbers, families.words(), false, rng),
        }
    }

    #[inline(always)]
    fn by_list<V: Vector>(&self, families: &Families, rng: &mut Rng) -> Place {
        families.listed(match self.draw {
            Draw::Gibbs { .. } => self.listed.draw::<V>(rng).0,
            Draw::Greedy { .. } => self.listed.best::<V>(rng),
        })
    }
}

impl Sampler for Ngram {
    #[inline]
    fn coding(&self) -> Coding {
        self.coding
    }

    fn draw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        V::apart(OneDraw { ngram: self, again: false, record, player, families, rng })
    }

    fn redraw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        V::apart(OneDraw { ngram: self, again: true, record, player, families, rng })
    }
}

struct OneDraw<'a> {
    ngram: &'a mut Ngram,
    /// What was drawn before proved illegal.
    again: bool,
    record: &'a Record,
    player: Player,
    families: &'a mut Families,
    rng: &'a mut Rng,
}

impl Work for OneDraw<'_> {
    type Output = Place;

    #[inline(always)]
    fn run<V: Vector>(self) -> Place {
        let OneDraw { ngram, again, record, player, families, rng } = self;
        // What was drawn is gone from a list, too.
        let mut begins = ngram.course == Course::List;
        if !again {
            ngram.course = Course::Any;
            begins = match ngram.draw {
                Draw::Greedy { epsilon } => !coin(epsilon, rng),
                Draw::Gibbs { .. } => true,
            };
        }
        if begins {
            ngram.begin::<V>(record, player, families);
        }
        ngram.choose::<V>(player, families, rng)
    }
}

impl Ngram {
    #[inline(always)]
    fn choose<V: Vector>(
        &mut self,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        match (self.course, self.draw) {
            (Course::Any, _) => weigh::any::<V::Select>(families, rng),
            (Course::Words, _) => self.by_words::<V>(player, families, rng),
            (Course::List, _) => self.by_list::<V>(families, rng),
            (Course::Singles, draw) => {
                let mut listed = std::mem::take(&mut self.listed);
                let (base, listing) = (self.base(player), &mut listed);
                let place = match draw {
                    Draw::Gibbs { .. } => by_odds::<V>(base, families, listing, rng).0,
                    Draw::Greedy { .. } => by_score::<V>(base, families, false, listing, rng),
                };
                self.listed = listed;
                place
            }
        }
    }
}
