//! Lines of stones: every line of the board is a word, and the stretch around the stone just placed is
//! looked up in a table.

use super::position::Referee;
use ludex_game::bits::Bits;

/// The longest line that can be asked for.
pub const MAX_LENGTH: usize = 6;
const WINDOW: usize = 1 << (2 * MAX_LENGTH - 1);

/// A line that a rule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub length: usize,
    /// Neither shorter nor longer.
    pub exact: bool,
    /// The fact it makes.
    pub fact: usize,
}

/// The lines of a board and those that rules ask for.
#[derive(Clone, Debug, Default)]
pub struct LineTable {
    /// How many lines there are.
    pub count: usize,
    /// For every site its lines, and its place on each.
    pub through: Vec<Vec<(u16, u8)>>,
    pub wanted: Vec<Wanted>,
}

/// A site's place on one of its lines.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    line: u16,
    shift: u8,
    /// The site's bit in the word; zero where there is no line.
    bit: u32,
}

/// Judges by lines; `L`, a power of two, is room for so many.
#[derive(Debug)]
pub struct Lines<const L: usize> {
    slots: Vec<[Slot; 4]>,
    axes: usize,
    /// The facts of a stretch of up to `2 MAX_LENGTH - 1` sites with the new stone in its middle.
    facts: Box<[u8; WINDOW]>,
    /// The sites of every line in order.
    sites: Vec<Vec<u16>>,
    /// So many stones a line has at least before one more can make a fact.
    fewest: u32,
}

impl<const L: usize> Lines<L> {
    pub fn new(table: LineTable) -> Self {
        let slot = |&(line, place): &(u16, u8)| Slot {
            line,
            shift: place,
            bit: 1 << (usize::from(place) + MAX_LENGTH - 1),
        };
        let of = |through: &Vec<(u16, u8)>| {
            let mut slots = [Slot::default(); 4];
            slots.iter_mut().zip(through).for_each(|(to, from)| *to = slot(from));
            slots
        };
        let mut facts = Box::new([0; WINDOW]);
        for (window, facts) in facts.iter_mut().enumerate() {
            let run = run_through_middle(window);
            let met = |w: &&Wanted| run == w.length || (!w.exact && run > w.length);
            *facts = table.wanted.iter().filter(met).map(|w| w.fact as u8).sum();
        }
        let axes = table.through.iter().map(Vec::len).max().unwrap_or(0);
        let mut sites = vec![Vec::new(); table.count];
        for (site, through) in (0..).zip(&table.through) {
            through.iter().for_each(|&(line, place)| sites[line as usize].push((place, site)));
        }
        let in_order = |mut line: Vec<(u8, u16)>| {
            line.sort_unstable();
            line.into_iter().map(|(_, site)| site).collect()
        };
        let sites = sites.into_iter().map(in_order).collect();
        let fewest = table.wanted.iter().map(|wanted| wanted.length as u32).min().unwrap_or(0);
        let slots = table.through.iter().map(of).collect();
        Lines { slots, axes, facts, sites, fewest: fewest.saturating_sub(1) }
    }

    /// Looks at the places of a line that are near one of them.
    fn look_along<const W: usize>(
        &self,
        slot: &Slot,
        words: &[u32; L],
        places: &mut Bits<W>,
        wanted: impl Fn(usize) -> bool,
    ) {
        let (line, at) = (&self.sites[slot.line as usize], usize::from(slot.shift));
        let last = (at + MAX_LENGTH).min(line.len());
        for &site in &line[at.saturating_sub(MAX_LENGTH - 1)..last] {
            match wanted(self.would(words, site.into())) {
                true => places.insert(site.into()),
                false => *places &= !Bits::one(site.into()),
            }
        }
    }

    /// The facts about a stone that is not placed yet.
    #[inline]
    fn would(&self, words: &[u32; L], site: usize) -> usize {
        self.slots[site][..self.axes].iter().fold(0, |facts, slot| {
            let word = words[slot.line as usize & (L - 1)] | slot.bit;
            facts | self.facts[(word >> slot.shift) as usize & (WINDOW - 1)] as usize
        })
    }
}

/// How many neighbouring ones the middle bit of a stretch belongs to.
fn run_through_middle(window: usize) -> usize {
    let middle = MAX_LENGTH - 1;
    let one = |at: usize| window >> at & 1 == 1;
    if !one(middle) {
        return 0;
    }
    let up = (middle + 1..2 * MAX_LENGTH - 1).take_while(|&at| one(at)).count();
    let down = (0..middle).rev().take_while(|&at| one(at)).count();
    1 + up + down
}

impl<const W: usize, const L: usize> Referee<W> for Lines<L> {
    type Memory = [[u32; L]; 2];

    fn fresh(&self) -> Self::Memory {
        [[0; L]; 2]
    }

    #[inline(always)]
    fn place(
        &self,
        memory: &mut Self::Memory,
        _own: &Bits<W>,
        player: usize,
        site: usize,
    ) -> usize {
        let words = &mut memory[player & 1];
        let mut facts = 0;
        for slot in &self.slots[site][..self.axes] {
            let word = &mut words[slot.line as usize & (L - 1)];
            *word |= slot.bit;
            facts |= self.facts[(*word >> slot.shift) as usize & (WINDOW - 1)];
        }
        facts as usize
    }

    /// For each player where one more stone would make a line that decides.
    type Watch = [Bits<W>; 2];

    fn watch(&self) -> Option<[Bits<W>; 2]> {
        Some([Bits::EMPTY; 2])
    }

    /// Only what is near the stone on a line with enough stones around it can have changed.
    #[inline(always)]
    fn keep_watch(
        &self,
        watch: &mut [Bits<W>; 2],
        memory: &Self::Memory,
        _own: &Bits<W>,
        player: usize,
        site: usize,
        wanted: impl Fn(usize) -> bool,
    ) {
        let (words, places) = (&memory[player & 1], &mut watch[player & 1]);
        for slot in &self.slots[site][..self.axes] {
            let around =
                (words[slot.line as usize & (L - 1)] >> slot.shift) as usize & (WINDOW - 1);
            if slot.bit != 0 && around.count_ones() >= self.fewest {
                self.look_along(slot, words, places, &wanted);
            }
        }
    }

    #[inline(always)]
    fn watched(
        &self,
        watch: &[Bits<W>; 2],
        player: usize,
        _wanted: impl Fn(usize) -> bool,
    ) -> Bits<W> {
        watch[player & 1]
    }
}
