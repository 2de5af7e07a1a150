//! A position as planes of small numbers, one number for each site: what networks learn from.
//!
//! Which planes a game has is found out once, from its geometry and what its positions may hold; they are written from
//! a [`View`], so that whatever a viewer may not know is not in them.

use crate::geometry::ContainerKind;
use crate::spread::spread;
use crate::survey::Survey;
use crate::{Detail, Ends, Game, Geometry, Piece, Player, Rules, SetOf, SiteId, View};

/// Whose planes come first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Perspective {
    /// Those of whoever looks, then those of the next player.
    #[default]
    Mover,
    /// Those of the first player.
    Absolute,
}

/// So deep below the top of a stack planes show whose pieces are.
const DEPTH: usize = 4;

/// Words are worked out so many at a time.
const TOGETHER: usize = 8;

/// What a plane shows.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Source {
    /// A player's pieces, of some kinds or of all; players count from whoever looks.
    Owned(usize, Vec<u16>),
    /// Pieces of nobody's or everybody's.
    Neutral(u16),
    /// Sites of which the viewer does not know enough.
    Unknown,
    /// Sites with nothing on them.
    Empty,
    /// A player's pieces so far below the top of their stack.
    Below(usize, usize),
    /// A number about the top piece, or the pile.
    Number(Number),
    /// How many pieces, of some kinds or of all, wait beside the board in a player's hand, or in nobody's.
    Waiting(Option<usize>, Vec<u16>),
    /// What the die on a site shows.
    Die(SiteId),
    /// Where the last move started.
    LastFrom,
    /// Where it ended.
    LastTo,
    /// One everywhere, if the first player looks (or moves).
    First,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Number {
    Height,
    Count,
    State,
    Rotation,
    Value,
}

/// The planes of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planes {
    names: Vec<String>,
    sources: Vec<Source>,
    /// How many there are, and rows and columns of each, or how many numbers each has.
    shape: Vec<usize>,
    /// How many numbers a plane has.
    cells: usize,
    /// How many sites are shown.
    sites: usize,
    /// Where a site is in a plane, where that is not its number.
    places: Option<Vec<u32>>,
    /// Sites beside a board of rows and columns where pieces wait, and whose they are.
    hands: Vec<(SiteId, Option<Player>)>,
    players: usize,
    perspective: Perspective,
    detail: Detail,
    /// Whose pieces stand where is all that the planes show, and the ends of the last move.
    plain: bool,
}

/// Planes of whose pieces stand where as bytes, kept from one position of a game to the next for boards on which sites are
/// not numbered row by row: only what changed is written again.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    words: Vec<u64>,
    bytes: Vec<u8>,
}

/// Memory in which positions are prepared to be shown.
#[derive(Debug)]
pub(crate) struct Easel<'a> {
    pub kept: &'a mut Kept,
    pub view: &'a mut View,
}

impl Planes {
    /// The planes of a game; nothing for games without a board.
    pub fn of(game: &dyn Game, survey: &Survey, perspective: Perspective) -> Option<Planes> {
        let geometry = game.plane_geometry()?;
        let players = game.info().players;
        // Boards where pieces stand on sites of a second kind have those beside their rows and columns.
        let shown = geometry.len() - beside(geometry).count();
        let grid = geometry.grid.as_ref().filter(|grid| grid.places.len() == shown);
        let mut planes = Planes {
            names: Vec::new(),
            sources: Vec::new(),
            shape: match grid {
                Some(grid) => vec![0, grid.rows, grid.columns],
                None => vec![0, geometry.len()],
            },
            cells: geometry.len(),
            sites: geometry.len(),
            places: None,
            hands: Vec::new(),
            players,
            perspective,
            detail: Detail::Sets,
            plain: false,
        };
        if let Some(grid) = grid {
            (planes.cells, planes.sites) = (grid.rows * grid.columns, grid.places.len());
            let place = |&(row, column): &(u16, u16)| {
                u32::from(row) * grid.columns as u32 + u32::from(column)
            };
            let places: Vec<u32> = grid.places.iter().map(place).collect();
            let plain = (0..).zip(&places).all(|(site, &place)| site == place);
            planes.places = (!plain).then_some(places);
        }
        planes.add_all(geometry, game.info().hidden, survey);
        Some(planes)
    }

    fn add_all(&mut self, geometry: &Geometry, hidden: bool, survey: &Survey) {
        let bases = bases(geometry);
        for player in 0..self.players {
            for (base, kinds) in &bases {
                self.add(self.named(player, base), Source::Owned(player, kinds.clone()));
            }
        }
        for (at, kind) in (0..).zip(&geometry.kinds) {
            if kind.owner.is_none() {
                self.add(format!("neutral {}", kind.name), Source::Neutral(at));
            }
        }
        if hidden {
            self.add("unknown".to_string(), Source::Unknown);
        }
        self.add("empty".to_string(), Source::Empty);
        if survey.stacks {
            for depth in 1..=DEPTH {
                for player in 0..self.players {
                    let name = format!("{} {depth} below", self.whose(player));
                    self.add(name, Source::Below(depth, player));
                }
            }
        }
        for (has, name, number) in [
            (survey.stacks, "height", Number::Height),
            (survey.counts, "count", Number::Count),
            (survey.states, "state", Number::State),
            (survey.rotations, "rotation", Number::Rotation),
            (survey.values, "value", Number::Value),
        ] {
            if has {
                self.add(name.to_string(), Source::Number(number));
            }
        }
        if self.shape.len() > 2 {
            self.add_beside(geometry, &bases, survey);
        }
        if survey.travels {
            self.add("last from".to_string(), Source::LastFrom);
        }
        self.add("last to".to_string(), Source::LastTo);
        if self.players > 1 {
            self.add("first to move".to_string(), Source::First);
        }
        let deep = |source: &Source| {
            use Source::{Below, Die, Number, Waiting};
            matches!(source, Below(..) | Number(_) | Waiting(..) | Die(_))
        };
        if self.sources.iter().any(deep) {
            self.detail = Detail::Pieces;
        }
        self.plain = self.sources.iter().all(|source| match source {
            Source::Owned(_, kinds) => kinds.is_empty(),
            Source::Empty | Source::LastFrom | Source::LastTo | Source::First => true,
            _ => false,
        });
    }

    /// What lies beside a board of rows and columns, in hands and as dice.
    fn add_beside(&mut self, geometry: &Geometry, bases: &[(String, Vec<u16>)], survey: &Survey) {
        let container =
            |site| &geometry.containers[geometry.sites[site as usize].container as usize];
        let (dice, hands): (Vec<SiteId>, Vec<SiteId>) =
            beside(geometry).partition(|&site| container(site).kind == ContainerKind::Dice);
        self.hands = hands.into_iter().map(|site| (site, container(site).owner)).collect();
        if !self.hands.is_empty() {
            for player in 0..self.players {
                for (base, kinds) in bases {
                    let name = format!("{} beside", self.named(player, base));
                    self.add(name, Source::Waiting(Some(player), kinds.clone()));
                }
            }
        }
        let neutral = (0..).zip(&geometry.kinds).filter(|(_, kind)| kind.owner.is_none());
        for (kind, base) in neutral.map(|(at, kind)| (at, &kind.name)).filter(|_| survey.shared) {
            for player in 0..self.players {
                let name = format!("{} {base} beside", self.whose(player));
                self.add(name, Source::Waiting(Some(player), vec![kind]));
            }
            self.add(format!("neutral {base} beside"), Source::Waiting(None, vec![kind]));
        }
        for (number, site) in (1..).zip(dice) {
            self.add(format!("die {number}"), Source::Die(site));
        }
    }

    /// Whether whose pieces stand where is all that they show, and the ends of the last move.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// Writes all planes of a position as `looks` sees it, plane after plane.
    #[inline]
    pub(crate) fn show<R: Rules>(
        &self,
        rules: &R,
        state: &R::State,
        last: Option<Ends>,
        looks: Player,
        easel: Easel<'_>,
        out: &mut [u8],
    ) {
        let Easel { kept, view } = easel;
        let hidden = rules.info().hidden;
        let held = |player| rules.owned(state, Player(player)).is_some();
        if self.plain && !hidden && (0..self.players as u8).all(held) {
            let owned = |player| rules.owned(state, player).unwrap_or(&[]);
            return self.write_owned(owned, last, looks, kept, out);
        }
        rules.plane_view(state, hidden.then_some(looks), self.detail, view);
        self.write(view, last, looks, out);
    }

    /// The same, given whose pieces stand where as words.
    #[inline]
    fn write_owned<'s>(
        &self,
        owned: impl Fn(Player) -> &'s [u64],
        last: Option<Ends>,
        looks: Player,
        kept: &mut Kept,
        out: &mut [u8],
    ) {
        if self.places.is_some() {
            self.keep(&owned, kept);
        }
        let player = |relative: usize| self.player(looks, relative);
        for (source, plane) in self.sources.iter().zip(out.chunks_exact_mut(self.cells.max(1))) {
            match source {
                Source::Owned(relative, _) if self.places.is_some() => {
                    plane.copy_from_slice(
                        &kept.bytes[player(*relative).index() * self.cells..][..self.cells],
                    );
                }
                Source::Owned(relative, _) => self.spread(owned(player(*relative)), plane),
                Source::Empty if self.places.is_some() => {
                    plane.copy_from_slice(&kept.bytes[self.players * self.cells..]);
                }
                Source::Empty => {
                    let words = owned(Player::FIRST).len();
                    let taken = |at: usize| {
                        (0..self.players as u8).fold(0, |all, p| all | owned(Player(p))[at])
                    };
                    self.spread_words((0..words).map(|at| !taken(at) & self.sites_of(at)), plane);
                }
                Source::LastFrom => self.mark(last.and_then(|last| last.from), plane),
                Source::LastTo => self.mark(last.and_then(|last| last.to), plane),
                Source::First => plane.fill(u8::from(looks == Player::FIRST)),
                _ => {}
            }
        }
    }

    /// The bits of a word that are sites: a plane may have more numbers than there are.
    #[inline]
    fn sites_of(&self, word: usize) -> u64 {
        match self.sites.saturating_sub(64 * word) {
            left @ 0..64 => (1 << left) - 1,
            _ => u64::MAX,
        }
    }

    /// Brings bytes up to date with what changed since the position they were written for.
    fn keep<'s>(&self, owned: &impl Fn(Player) -> &'s [u64], kept: &mut Kept) {
        let stride = owned(Player::FIRST).len();
        if kept.words.is_empty() {
            kept.words.resize(self.players * stride, 0);
            kept.bytes.resize((self.players + 1) * self.cells, 0);
            let empty = self.players * self.cells;
            (0..self.sites).for_each(|site| kept.bytes[empty + self.place(site)] = 1);
        }
        for player in 0..self.players {
            let words = owned(Player(player as u8));
            for (at, &word) in words.iter().enumerate() {
                let before = std::mem::replace(&mut kept.words[player * stride + at], word);
                let mut changed = before ^ word;
                while changed != 0 {
                    let site = 64 * at + changed.trailing_zeros() as usize;
                    changed &= changed - 1;
                    if site < self.sites {
                        let place = self.place(site);
                        kept.bytes[player * self.cells + place] ^= 1;
                        kept.bytes[self.players * self.cells + place] ^= 1;
                    }
                }
            }
        }
    }

    /// A player, counted from whoever's planes come first.
    #[inline]
    fn player(&self, looks: Player, relative: usize) -> Player {
        let first = match self.perspective {
            Perspective::Mover => looks.index(),
            Perspective::Absolute => 0,
        };
        match first + relative {
            at if at < self.players => Player(at as u8),
            at => Player((at - self.players) as u8),
        }
    }

    fn whose(&self, player: usize) -> String {
        match (self.perspective, player) {
            (Perspective::Absolute, player) => format!("player {}", player + 1),
            (Perspective::Mover, 0) => "mine".to_string(),
            (Perspective::Mover, _) if self.players == 2 => "theirs".to_string(),
            (Perspective::Mover, player) => format!("opponent {player}"),
        }
    }

    /// Whose pieces of a kind are; the kind has no name where that says all of it.
    fn named(&self, player: usize, base: &str) -> String {
        match base {
            "" => self.whose(player),
            _ => format!("{} {base}", self.whose(player)),
        }
    }

    fn add(&mut self, name: String, source: Source) {
        self.names.push(name);
        self.sources.push(source);
        self.shape[0] = self.sources.len();
    }

    /// The same with these planes only, in this order; the first name that there is not is the error.
    pub fn only<'a>(&self, names: &[&'a str]) -> Result<Planes, &'a str> {
        let mut planes = Planes { names: Vec::new(), sources: Vec::new(), ..self.clone() };
        for &name in names {
            let at = self.names.iter().position(|known| known == name).ok_or(name)?;
            planes.add(name.to_string(), self.sources[at].clone());
        }
        Ok(planes)
    }

    /// What each plane shows, in words.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many there are, with rows and columns where the board has them; otherwise with how many numbers each has, one for
    /// each site.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many numbers all planes together have.
    pub fn len(&self) -> usize {
        self.cells * self.sources.len()
    }

    /// Whether there are no planes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How much of a view is needed.
    pub fn detail(&self) -> Detail {
        self.detail
    }

    /// Writes all planes as `looks` sees them, plane after plane.
    #[inline]
    pub fn write(&self, view: &View, last: Option<Ends>, looks: Player, out: &mut [u8]) {
        let player = |relative: usize| self.player(looks, relative);
        for (source, plane) in self.sources.iter().zip(out.chunks_exact_mut(self.cells.max(1))) {
            match source {
                Source::Owned(relative, kinds) => {
                    let owned = view.set(SetOf::Owned(player(*relative)));
                    match &kinds[..] {
                        [] => self.spread(owned, plane),
                        [kind] => self.spread_both(owned, view.set(SetOf::Kind(*kind)), plane),
                        kinds => self.spread_any(view, owned, kinds, plane),
                    }
                }
                Source::Neutral(kind) => self.spread(view.set(SetOf::Kind(*kind)), plane),
                Source::Empty => self.spread(view.set(SetOf::Empty), plane),
                Source::Unknown => self.unknown(view, plane),
                Source::Below(depth, relative) => self.fill(view, plane, |stack| {
                    let below = stack.len().checked_sub(depth + 1).map(|at| &stack[at]);
                    u8::from(below.is_some_and(|piece| piece.owner == Some(player(*relative))))
                }),
                Source::Number(number) => self.fill(view, plane, |stack| number.of(stack)),
                Source::Waiting(relative, kinds) => {
                    plane.fill(self.waiting(view, relative.map(player), kinds));
                }
                Source::Die(site) => plane.fill(Number::Value.of(view.stack(*site))),
                Source::LastFrom => self.mark(last.and_then(|last| last.from), plane),
                Source::LastTo => self.mark(last.and_then(|last| last.to), plane),
                Source::First => plane.fill(u8::from(looks == Player::FIRST)),
            }
        }
    }

    /// How many pieces of some kinds wait in somebody's hand; what lies in a hand of nobody's is its owner's.
    fn waiting(&self, view: &View, whose: Option<Player>, kinds: &[u16]) -> u8 {
        let mut count = 0;
        for &(site, owner) in &self.hands {
            let owner = owner.map(|owner| view.seat(owner));
            for piece in view.stack(site) {
                let meant =
                    kinds.is_empty() || piece.kind.is_some_and(|kind| kinds.contains(&kind));
                if meant && owner.or(piece.owner) == whose {
                    count += piece.count;
                }
            }
        }
        count.min(255) as u8
    }

    /// Where a site is in a plane.
    #[inline]
    fn place(&self, site: usize) -> usize {
        self.places.as_ref().map_or(site, |places| places[site] as usize)
    }

    fn mark(&self, site: Option<u32>, plane: &mut [u8]) {
        plane.fill(0);
        if let Some(site) = site.filter(|&site| (site as usize) < self.sites) {
            plane[self.place(site as usize)] = 1;
        }
    }

    #[inline]
    fn spread(&self, words: &[u64], plane: &mut [u8]) {
        match self.places {
            Some(_) => self.scatter(words.iter().copied(), plane),
            None => spread(words, plane),
        }
    }

    #[inline]
    fn spread_both(&self, a: &[u64], b: &[u64], plane: &mut [u8]) {
        self.spread_words(a.iter().zip(b).map(|(a, b)| a & b), plane);
    }

    fn spread_any(&self, view: &View, owned: &[u64], kinds: &[u16], plane: &mut [u8]) {
        let word = |at: usize| {
            let any = kinds.iter().filter_map(|&kind| view.set(SetOf::Kind(kind)).get(at));
            owned[at] & any.fold(0, |all, word| all | word)
        };
        self.spread_words((0..owned.len()).map(word), plane);
    }

    fn unknown(&self, view: &View, plane: &mut [u8]) {
        let (owner, kind) = (view.set(SetOf::UnknownOwner), view.set(SetOf::UnknownKind));
        self.spread_words(owner.iter().zip(kind).map(|(a, b)| a | b), plane);
    }

    #[inline]
    fn spread_words(&self, mut words: impl Iterator<Item = u64>, plane: &mut [u8]) {
        if self.places.is_some() {
            return self.scatter(words, plane);
        }
        for bytes in plane.chunks_mut(64 * TOGETHER) {
            let mut some = [0; TOGETHER];
            let count = bytes.len().div_ceil(64);
            some[..count].iter_mut().zip(&mut words).for_each(|(slot, word)| *slot = word);
            spread(&some[..count], bytes);
        }
    }

    fn scatter(&self, words: impl Iterator<Item = u64>, plane: &mut [u8]) {
        plane.fill(0);
        for (first, word) in (0..).step_by(64).zip(words) {
            let mut left = word;
            while left != 0 {
                let site = first + left.trailing_zeros() as usize;
                left &= left - 1;
                if site < self.sites {
                    plane[self.place(site)] = 1;
                }
            }
        }
    }

    fn fill(&self, view: &View, plane: &mut [u8], number: impl Fn(&[Piece]) -> u8) {
        plane.fill(0);
        for site in 0..self.sites {
            plane[self.place(site)] = number(view.stack(site as u32));
        }
    }
}

impl Number {
    fn of(self, stack: &[Piece]) -> u8 {
        let Some(top) = stack.last() else { return 0 };
        let small = |number: i32| number.clamp(0, 255) as u8;
        match self {
            Number::Height => small(stack.len() as i32),
            Number::Count => top.count.min(255) as u8,
            Number::State => small(top.state),
            Number::Rotation => small(top.rotation),
            Number::Value => small(top.value),
        }
    }
}

/// Kinds of piece that players own, by the name they share: `Pawn1` and `Pawn2` are pawns. Where nobody has more than one
/// kind, whose a piece is says all of it: there is one entry, without a name and without kinds.
fn bases(geometry: &Geometry) -> Vec<(String, Vec<u16>)> {
    let mut bases: Vec<(String, Vec<u16>)> = Vec::new();
    let mut owners: Vec<Player> = geometry.kinds.iter().filter_map(|kind| kind.owner).collect();
    owners.sort_unstable();
    if owners.windows(2).all(|pair| pair[0] != pair[1]) {
        return vec![(String::new(), Vec::new())];
    }
    for (at, kind) in (0..).zip(&geometry.kinds) {
        let Some(owner) = kind.owner else { continue };
        let number = (owner.0 + 1).to_string();
        let base = kind.name.strip_suffix(&number).unwrap_or(&kind.name);
        match bases.iter_mut().find(|(known, _)| known == base) {
            Some((_, kinds)) => kinds.push(at),
            None => bases.push((base.to_string(), vec![at])),
        }
    }
    bases
}

/// Sites beside the board: those of hands and dice.
pub fn beside(geometry: &Geometry) -> impl Iterator<Item = SiteId> + '_ {
    let aside = |site: &crate::geometry::Site| {
        geometry.containers[site.container as usize].kind != ContainerKind::Board
    };
    (0..).zip(&geometry.sites).filter(move |(_, site)| aside(site)).map(|(at, _)| at)
}
