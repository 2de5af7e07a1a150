//! The evaluator's working place: a game, a position, and the values rules iterate over.

use super::eval::{KnownGroups, KnownSteps};
use super::game::Compiled;
use super::ir::{Role, Who};
use super::layer::Piece;
use super::look::Spare;
use super::moves::Strings;
use super::owned::Held;
use super::patience;
use super::pick::Pick;
use super::sites::{Numbers, SiteSet};
use super::state::State;
use super::topo::{Plane, SiteType};
use smallvec::SmallVec;

/// Values that rules bind while they run.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each is the ludeme of the same name")]
pub struct Binds {
    pub from: i32,
    pub to: i32,
    pub between: i32,
    pub site: i32,
    pub level: i32,
    pub value: i32,
    pub player: i32,
    pub pips: i32,
    pub track: i32,
    pub edge: i32,
    pub region: SiteSet,
    pub team: Numbers,
}

impl Default for Binds {
    fn default() -> Self {
        Binds {
            from: -1,
            to: -1,
            between: -1,
            site: -1,
            level: -1,
            value: -1,
            player: -1,
            pips: -1,
            track: -1,
            edge: -1,
            region: SiteSet::new(),
            team: Numbers::new(),
        }
    }
}

/// Where chance comes from while moves are generated.
#[derive(Clone, Debug, Default)]
pub struct Chance {
    /// Faces that the dice show, in order of their sites.
    pub dice: Numbers,
    /// Dice are thrown when they are first asked for.
    pub live: bool,
    /// Dice were asked for.
    pub rolled: bool,
    /// A random value was asked for that nothing gives.
    pub unknown: bool,
    /// Where other random numbers come from.
    pub source: Source,
    /// How many values there were each time a random number was asked for.
    pub asked: Vec<i32>,
    /// Where numbers drawn while looking ahead come from, if not from the generator: the reference draws them from
    /// one that all its games share, whose state no record tells.
    pub aside: Option<Box<Aside>>,
    /// How many looks ahead are being taken.
    pub(super) ahead: u32,
}

/// Numbers drawn beside a generator.
#[derive(Clone, Debug, Default)]
pub struct Aside {
    /// The numbers in order; then the first value.
    pub list: Vec<i32>,
    /// How many values there were each time one was asked for.
    pub asked: Vec<i32>,
}

/// Where random numbers come from.
#[derive(Clone, Debug, Default)]
pub enum Source {
    /// From nowhere: the first value is taken.
    #[default]
    Nowhere,
    /// From the generator of the reference in this state.
    Generator(u64),
    /// From a list, in order; then the first value.
    Script(Vec<i32>),
}

impl Chance {
    /// Numbers drawn while looking ahead come from this list from now on.
    pub fn set_aside(&mut self, list: Vec<i32>) {
        self.aside = Some(Box::new(Aside { list, asked: Vec::new() }));
    }

    /// How many values there were each time a number was drawn aside.
    pub fn asked_aside(&self) -> &[i32] {
        self.aside.as_ref().map_or(&[], |aside| &aside.asked)
    }

    /// Where a number is taken from that is drawn aside.
    fn drawn_aside(&mut self) -> Option<&mut Aside> {
        let aside = self.ahead > 0 && matches!(self.source, Source::Generator(_));
        self.aside.as_deref_mut().filter(|_| aside)
    }

    /// A number below `count`.
    pub fn below(&mut self, count: i32) -> i32 {
        if let Some(aside) = self.drawn_aside() {
            let number = aside.list.get(aside.asked.len()).copied().unwrap_or(0);
            aside.asked.push(count);
            return number;
        }
        let at = self.asked.len();
        self.asked.push(count);
        match &mut self.source {
            Source::Nowhere => {
                self.unknown = true;
                0
            }
            Source::Generator(state) => generated(state, count.max(1)),
            Source::Script(list) => list.get(at).copied().unwrap_or(0),
        }
    }

    /// One of several by their weights.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let aside = self.drawn_aside().is_some();
        let Source::Generator(state) = &mut self.source else {
            return self.below(weights.len() as i32) as usize;
        };
        if aside {
            return self.below(weights.len() as i32) as usize;
        }
        let mut left = (long(state) >> 11) as f64 / (1u64 << 53) as f64;
        self.asked.push(weights.len() as i32);
        let sum: f64 = weights.iter().sum();
        let reached = |weight: &f64| {
            left -= weight / sum;
            left <= 0.0
        };
        weights.iter().position(reached).unwrap_or(weights.len() - 1)
    }

    /// Random numbers come from a list from now on.
    pub fn follow(&mut self, script: Vec<i32>) {
        self.source = Source::Script(script);
        self.asked.clear();
    }
}

/// The next number of the generator of the reference, which is SplitMix64.
fn long(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The same folded into a word.
fn word(state: &mut u64) -> i32 {
    let z = long(state);
    ((z >> 32) as i32) ^ (z as i32)
}

/// A number below `count` as the reference draws it.
fn generated(state: &mut u64, count: i32) -> i32 {
    if count & (count - 1) == 0 {
        let bits = i64::from((word(state) as u32) >> 1);
        return ((i64::from(count) * bits) >> 31) as i32;
    }
    loop {
        let bits = ((word(state) as u32) >> 1) as i32;
        let value = bits % count;
        if bits.wrapping_sub(value).wrapping_add(count - 1) >= 0 {
            return value;
        }
    }
}

/// So many steps are taken between two questions whether to go on: some hundredths of a second.
const BREATH: u64 = 1 << 20;

/// The evaluator.
#[derive(Debug)]
pub struct Ctx<'g> {
    /// The game.
    pub g: &'g Compiled,
    /// The position.
    pub s: State,
    /// Bound values.
    pub v: Binds,
    /// Chance.
    pub chance: Chance,
    /// Inside the search for threats: threats within threats do not count.
    pub in_threat: bool,
    /// Inside the question whether the next player has moves.
    pub in_no_moves: bool,
    /// Inside a look ahead.
    pub recursive: bool,
    /// Depth of nested evaluation, to refuse endless rules.
    pub depth: u32,
    /// How often the legal moves are being counted, each time to find those that are counted around it.
    pub(super) counting: u32,
    /// While a move has its consequences: how many legal moves there were when it was made.
    pub(super) legal_before: Option<i32>,
    /// Steps taken so far: conditions asked, generators run, moves made, looks ahead.
    pub(super) work: u64,
    /// After how many steps it is asked whether anybody still wants to know.
    asks_at: u64,
    /// Moves strung together, while they are counted.
    pub(super) strings: Strings,
    /// Nobody asks which changes are made, only what comes of them.
    pub quiet: bool,
    /// Which moves are wanted.
    pub(super) pick: Pick,
    /// Positions for looking ahead.
    pub(super) spare: Spare,
    /// Groups that were found in this position.
    pub(super) known_groups: KnownGroups,
    /// Steps of rules that were found in this position.
    pub(super) known_steps: KnownSteps,
}

impl Clone for Ctx<'_> {
    fn clone(&self) -> Self {
        Ctx {
            g: self.g,
            s: self.s.clone(),
            v: self.v.clone(),
            chance: self.chance.clone(),
            in_threat: self.in_threat,
            in_no_moves: self.in_no_moves,
            recursive: self.recursive,
            depth: self.depth,
            counting: self.counting,
            legal_before: self.legal_before,
            work: self.work,
            asks_at: self.asks_at,
            strings: Strings::default(),
            quiet: self.quiet,
            pick: self.pick.clone(),
            spare: Spare::default(),
            known_groups: KnownGroups::default(),
            known_steps: KnownSteps::default(),
        }
    }
}

impl<'g> Ctx<'g> {
    /// An evaluator at a position.
    pub fn new(g: &'g Compiled, s: State) -> Self {
        Ctx {
            g,
            s,
            v: Binds::default(),
            chance: Chance::default(),
            in_threat: false,
            in_no_moves: false,
            recursive: false,
            depth: 0,
            counting: 0,
            legal_before: None,
            work: 0,
            asks_at: BREATH,
            strings: Strings::default(),
            quiet: false,
            pick: Pick::default(),
            spare: Spare::default(),
            known_groups: KnownGroups::default(),
            known_steps: KnownSteps::default(),
        }
    }

    /// Takes a step.
    #[inline]
    pub(super) fn count_step(&mut self) {
        self.work += 1;
        if self.work >= self.asks_at {
            self.breathe();
        }
    }

    /// Rules that never come to an end are given up here.
    #[cold]
    fn breathe(&mut self) {
        self.asks_at = self.work + BREATH;
        patience::go_on_if_wanted();
    }

    /// How many steps something takes.
    pub(super) fn steps_of(&mut self, act: impl FnOnce(&mut Self)) -> u64 {
        let before = self.work;
        act(self);
        self.work - before
    }

    /// The board tables of a kind of site.
    #[inline]
    pub fn plane(&self, kind: SiteType) -> &'g Plane {
        self.g.topo.plane(kind)
    }

    /// The top piece of a site.
    #[inline]
    pub fn piece(&self, kind: Option<SiteType>, site: i32) -> Piece {
        if site < 0 {
            return Piece::default();
        }
        self.s.layer(self.g.kind_at(kind, site)).top(site)
    }

    /// Component on a site.
    #[inline]
    pub fn what(&self, kind: SiteType, site: i32) -> i32 {
        i32::from(self.piece(Some(kind), site).what)
    }

    /// Owner of the piece on a site.
    #[inline]
    pub fn who(&self, kind: SiteType, site: i32) -> i32 {
        self.g.owner(self.piece(Some(kind), site).what)
    }

    /// Height of the stack on a site.
    #[inline]
    pub fn height(&self, kind: Option<SiteType>, site: i32) -> i32 {
        if site < 0 {
            return 0;
        }
        self.s.layer(self.g.kind_at(kind, site)).height(site)
    }

    /// Players a role stands for, nobody and everybody included for `All`.
    pub fn players_of(&mut self, who: &Who) -> Numbers {
        match who {
            Who::One(player) => Numbers::from_slice(&[self.int(player)]),
            Who::Role(Role::All) => (0..=self.g.players + 1).collect(),
            Who::Role(role) => self.real_players(*role),
        }
    }

    /// Players a role stands for.
    pub fn real_players(&self, role: Role) -> Numbers {
        let mover = self.s.mover;
        let all = 1..=self.g.players;
        let team = |p: i32| self.s.teams.get(p as usize).copied().unwrap_or(p);
        let same = |p: &i32| team(*p) == team(mover);
        match role {
            Role::All => all.collect(),
            Role::Enemy if self.g.teams => all.filter(|p| *p != mover && !same(p)).collect(),
            Role::Enemy | Role::NonMover => all.filter(|p| *p != mover).collect(),
            Role::Ally if self.g.teams => all.filter(|p| *p != mover && same(p)).collect(),
            Role::Ally => Numbers::new(),
            Role::Friend | Role::TeamMover if self.g.teams => all.filter(same).collect(),
            Role::Friend | Role::TeamMover => Numbers::from_slice(&[mover]),
            Role::Team(t) if self.g.teams => all.filter(|p| team(*p) == t).collect(),
            Role::Team(t) => Numbers::from_slice(&[t]),
        }
    }

    /// Sites (with kind and level) of the pieces of a player, by component, in the order kept.
    pub fn owned(&self, player: i32) -> SmallVec<[Held; 24]> {
        let mut mine = SmallVec::new();
        for &what in self.g.kinds_of(player) {
            mine.extend_from_slice(self.s.owned.of(what));
        }
        mine
    }

    /// The track of a player by part of its name.
    pub fn track_named(&self, name: &str, player: i32) -> Option<usize> {
        let tracks = &self.g.tracks;
        let owned = tracks.iter().position(|t| t.name.contains(name) && t.owner == player);
        owned.or_else(|| tracks.iter().position(|t| t.name.contains(name)))
    }

    /// The first track of a player, or the first of nobody.
    pub fn track_owned(&self, player: i32) -> Option<usize> {
        let by = |owner: i32| self.g.tracks.iter().position(|t| t.owner == owner);
        by(player).or_else(|| by(0))
    }

    /// A 64-bit hash of what stands where.
    pub fn position_hash(&self) -> u64 {
        self.s.position_hash()
    }

    /// The same with whose turn it is and what else decides how play goes on.
    pub fn situation_hash(&self) -> u64 {
        self.s.situation_hash()
    }
}
