//! The numbers that an evaluation weighs: which a game has is read off its board, its pieces and its course.

use ludex_game::geometry::SiteId;
use ludex_game::{Detail, Families, Game, Geometry, Player, Rng, SetOf, State, Turn, View};

use super::guard::Lone;
use super::joining::Ends;
use super::lines::Lines;
use super::measured::{Measured, Seen, Tools};
use super::mirror::{base_name, mirror};
use super::nearer::Stride;
use super::shape::Places;
use super::spots::Spots;

/// Numbers of one sort, one after another in the list of all.
#[derive(Clone, Debug)]
pub(super) struct Group {
    name: String,
    pub(super) sort: Sort,
    pub(super) start: usize,
    pub(super) count: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Sort {
    /// That it is the player's turn.
    Tempo,
    /// Pieces by kind.
    Material,
    /// Pieces by kind, by how near the middle they are and how far ahead.
    Spots(Spots),
    /// Pieces by kind and site.
    Squares,
    /// Pieces of nobody by kind and site: seeds in holes.
    Neutral,
    /// The score.
    Score,
    /// Lines that may still be filled.
    Lines(Lines),
    /// What is measured anew in every position.
    Measured(Measured),
    /// Numbers that the game itself gives.
    Attributes,
}

/// Memory that reading features takes.
#[derive(Default)]
pub struct Scratch {
    pub(super) view: View,
    /// For each site nought where it is empty, one where the player is, two where another is, three where nobody's is.
    who: Vec<u8>,
    attributes: Vec<f32>,
    pub(super) tools: Tools,
}

/// The features of a game, seen by a player. Where the board has a symmetry that exchanges two players, both
/// have the same features; otherwise each has his own.
#[derive(Clone, Debug)]
pub struct Features {
    pub(super) groups: Vec<Group>,
    count: usize,
    pub(super) players: usize,
    pub(super) sites: usize,
    /// Which kinds of piece count as one, whoever owns them.
    pub(super) kinds: Vec<usize>,
    pub(super) kind_count: usize,
    pub(super) mirror: Option<Vec<SiteId>>,
    pub(super) detail: Detail,
}

/// What a look at some games played at random showed.
#[derive(Default)]
struct Looked {
    piles: bool,
    owned: bool,
    neutral: bool,
    scores: bool,
}

impl Features {
    /// All features that a game has.
    pub fn new(game: &dyn Game) -> Features {
        let players = game.info().players;
        let mut features = Features {
            groups: Vec::new(),
            count: 0,
            players,
            sites: 0,
            kinds: Vec::new(),
            kind_count: 0,
            mirror: None,
            detail: Detail::Sets,
        };
        features.add("tempo", Sort::Tempo, 1);
        match game.geometry() {
            Some(geometry) if !geometry.kinds.is_empty() => features.add_board(game, geometry),
            _ => {
                features.add("attributes", Sort::Attributes, game.attributes().len());
            }
        }
        features
    }

    fn add_board(&mut self, game: &dyn Game, geometry: &Geometry) {
        let seen = look(game, geometry);
        let mut names: Vec<&str> = Vec::new();
        for kind in &geometry.kinds {
            let name = base_name(&kind.name);
            let known = names.iter().position(|known| *known == name);
            self.kinds.push(known.unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            }));
        }
        (self.sites, self.kind_count) = (geometry.len(), names.len());
        self.detail = if seen.piles { Detail::Pieces } else { Detail::Sets };
        let mut start = View::new();
        game.view(&game.start(), None, Detail::Pieces, &mut start);
        if self.players == 2 {
            self.mirror = mirror(geometry, &start);
        }
        let sides = if self.mirror.is_some() { 1 } else { self.players };
        self.add("material", Sort::Material, sides * self.kind_count);
        let spots = Sort::Spots(Spots::new(geometry, &start, self.players));
        self.add("spots", spots, sides * self.kind_count * Spots::COUNT);
        self.add("squares", Sort::Squares, sides * self.kind_count * self.sites);
        if seen.neutral {
            self.add("neutral", Sort::Neutral, sides * self.kind_count * self.sites);
        }
        if seen.scores {
            self.add("score", Sort::Score, 1);
        }
        self.add_measured("mobility", Measured::Mobility);
        self.add_measured("shape", Measured::Shape(Places::new(geometry)));
        if seen.owned {
            self.add_measured("nearer-steps", Measured::Nearer(Stride::Step));
            self.add_measured("nearer-slides", Measured::Nearer(Stride::Slide));
        }
        if let (2, Some(ends)) = (self.players, Ends::new(geometry)) {
            self.add_measured("joining", Measured::Joining(ends));
        }
        if let (2, Some(lone)) = (self.players, Lone::new(geometry, &start)) {
            self.add_measured("guard", Measured::Guard(lone));
        }
        for length in 3..=Lines::LONGEST {
            let lines = Lines::new(geometry, length);
            if !lines.is_empty() {
                self.add(&format!("lines-{length}"), Sort::Lines(lines), 2 * length);
            }
        }
    }

    fn add(&mut self, name: &str, sort: Sort, count: usize) {
        if count > 0 {
            self.groups.push(Group { name: name.to_string(), sort, start: self.count, count });
            self.count += count;
        }
    }

    fn add_measured(&mut self, name: &str, measured: Measured) {
        let count = measured.count();
        self.add(name, Sort::Measured(measured), count);
    }

    /// The same features, but for groups whose names are not wanted.
    pub fn only(&self, wanted: impl Fn(&str) -> bool) -> Features {
        let mut fewer = Features { groups: Vec::new(), count: 0, ..self.clone() };
        for group in self.groups.iter().filter(|group| wanted(&group.name)) {
            fewer.add(&group.name, group.sort.clone(), group.count);
        }
        fewer
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The groups: each one's name and the places of its numbers.
    pub fn groups(&self) -> impl Iterator<Item = (&str, std::ops::Range<usize>)> {
        self.groups.iter().map(|group| (&*group.name, group.start..group.start + group.count))
    }

    /// Calls `each(place, value)` for the numbers of a position that are not nought, seen by whoever is to move in games of
    /// two, otherwise by `player`. Returns 1 where that is `player` and -1 where it is his opponent.
    pub fn read(
        &self,
        game: &dyn Game,
        state: &State,
        player: Player,
        scratch: &mut Scratch,
        mut each: impl FnMut(usize, f32),
    ) -> f32 {
        let turn = game.turn(state);
        let viewer = match turn.mover() {
            Some(mover) if self.players == 2 => mover,
            _ => player,
        };
        let moves = matches!(turn, Turn::Players(players) if players.contains(viewer));
        let geometry = game.geometry();
        if self.sites > 0 {
            game.view(state, None, self.detail, &mut scratch.view);
        }
        scratch.who.clear();
        for group in &self.groups {
            let start = group.start;
            match (&group.sort, geometry) {
                (Sort::Tempo, _) => each(start, f32::from(u8::from(moves))),
                (Sort::Attributes, _) => {
                    scratch.attributes.resize(group.count, 0.0);
                    game.attribute_values(state, viewer, &mut scratch.attributes);
                    let values = scratch.attributes.iter().enumerate();
                    values.for_each(|(at, &value)| each(start + at, 0.1 * value));
                }
                (Sort::Material, _) => {
                    self.pieces(&scratch.view, viewer, |side, kind, _, number| {
                        each(start + side * self.kind_count + kind, number);
                    })
                }
                (Sort::Spots(spots), _) => {
                    self.pieces(&scratch.view, viewer, |side, kind, site, number| {
                        let first = start + (side * self.kind_count + kind) * Spots::COUNT;
                        let spots = spots.of(side, site).iter().enumerate();
                        spots.for_each(|(at, value)| each(first + at, number * value));
                    })
                }
                (Sort::Squares, _) => {
                    self.pieces(&scratch.view, viewer, |side, kind, site, number| {
                        let place = (side * self.kind_count + kind) * self.sites + site;
                        each(start + place, number);
                    })
                }
                (Sort::Neutral, _) => self.neutral(&scratch.view, viewer, |place, number| {
                    each(start + place, number);
                }),
                (Sort::Score, _) => each(start, 0.1 * self.lead(&scratch.view, viewer)),
                (Sort::Measured(measured), Some(geometry)) => {
                    self.fill_who(viewer, scratch);
                    let other = if self.players == 2 { viewer.opponent() } else { viewer };
                    let Scratch { view, who, tools, .. } = &mut *scratch;
                    let seen = Seen {
                        game,
                        state,
                        geometry,
                        view,
                        who,
                        sides: [1, 2],
                        players: [viewer, other],
                        homes: [viewer, other].map(|player| self.home(view, player)),
                        moves,
                    };
                    measured.measure(&seen, tools, |at, value| each(start + at, value));
                }
                (Sort::Lines(lines), Some(_)) => {
                    self.fill_who(viewer, scratch);
                    let mut counts = [[0.0; Lines::LONGEST + 1]; 2];
                    lines.count(&scratch.who, &mut counts);
                    for (side, counts) in counts.iter().enumerate() {
                        let first = start + side * lines.length;
                        let counts = counts[1..=lines.length].iter().enumerate();
                        counts.for_each(|(at, &count)| each(first + at, 0.2 * count));
                    }
                }
                (Sort::Measured(_) | Sort::Lines(_), None) => {}
            }
        }
        if viewer == player { 1.0 } else { -1.0 }
    }

    /// Calls `each(side, kind, site, number)` for every piece somebody owns: the number is positive for the viewer's.
    fn pieces(&self, view: &View, viewer: Player, mut each: impl FnMut(usize, usize, usize, f32)) {
        let others = 1.0 / (self.players.max(2) - 1) as f32;
        for owner in (0..self.players as u8).map(Player) {
            let sign = if owner == viewer { 1.0 } else { -others };
            let home = self.home(view, owner);
            let side = if self.mirror.is_some() { 0 } else { home };
            let owned = view.set(SetOf::Owned(owner));
            for (kind, &base) in self.kinds.iter().enumerate() {
                let sites = intersection(owned, view.set(SetOf::Kind(kind as u16)));
                sites.for_each(|site| {
                    let number = sign * self.number(view, site);
                    each(side, base, self.seen_from(home, site), number);
                });
            }
        }
    }

    /// The same for pieces that nobody owns, all of them at their places as the viewer sees them.
    fn neutral(&self, view: &View, viewer: Player, mut each: impl FnMut(usize, f32)) {
        let home = self.home(view, viewer);
        let side = if self.mirror.is_some() { 0 } else { home };
        for (kind, &base) in self.kinds.iter().enumerate() {
            let unowned = view.set(SetOf::Neutral);
            for site in intersection(unowned, view.set(SetOf::Kind(kind as u16))) {
                let place =
                    (side * self.kind_count + base) * self.sites + self.seen_from(home, site);
                each(place, 0.2 * self.number(view, site));
            }
        }
    }

    /// How many pieces there are at a site.
    #[inline]
    fn number(&self, view: &View, site: usize) -> f32 {
        match self.detail {
            Detail::Sets => 1.0,
            Detail::Pieces => {
                view.stack(site as SiteId).iter().map(|piece| piece.count.max(1)).sum::<u32>()
                    as f32
            }
        }
    }

    /// Whose place at the start a player has now.
    pub(super) fn home(&self, view: &View, player: Player) -> usize {
        let home = view.seats.iter().position(|&seat| seat == player);
        home.unwrap_or(player.index())
    }

    #[inline]
    pub(super) fn seen_from(&self, home: usize, site: usize) -> usize {
        match &self.mirror {
            Some(mirror) if home == 1 => mirror[site] as usize,
            _ => site,
        }
    }

    pub(super) fn lead(&self, view: &View, viewer: Player) -> f32 {
        let score = |player: usize| view.scores.get(player).copied().unwrap_or(0) as f32;
        let others = (0..self.players).filter(|&other| other != viewer.index()).map(score);
        score(viewer.index()) - others.fold(0.0, f32::max)
    }

    fn fill_who(&self, viewer: Player, scratch: &mut Scratch) {
        if !scratch.who.is_empty() {
            return;
        }
        scratch.who.resize(self.sites, 0);
        let (view, who) = (&scratch.view, &mut scratch.who);
        let mut mark = |set: SetOf, number: u8| {
            let words = view.set(set);
            intersection(words, words).for_each(|site| who[site] = number);
        };
        mark(SetOf::Neutral, 3);
        for player in (0..self.players as u8).map(Player) {
            mark(SetOf::Owned(player), if player == viewer { 1 } else { 2 });
        }
    }
}

/// The sites that are in both sets.
fn intersection<'v>(a: &'v [u64], b: &'v [u64]) -> impl Iterator<Item = usize> + 'v {
    a.iter().zip(b).enumerate().flat_map(|(at, (a, b))| {
        let mut word = a & b;
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(64 * at + bit)
        })
    })
}

/// Plays a few games at random to see what their positions hold.
fn look(game: &dyn Game, geometry: &Geometry) -> Looked {
    const GAMES: u64 = 4;
    const PLIES: usize = 60;
    let (mut seen, mut view, mut buffer) = (Looked::default(), View::new(), Families::default());
    for number in 0..GAMES {
        let (mut rng, mut state) = (Rng::seeded(number), game.start());
        for _ in 0..PLIES {
            game.view(&state, None, Detail::Pieces, &mut view);
            for site in 0..geometry.len() as SiteId {
                let stack = view.stack(site);
                seen.piles |= stack.len() > 1 || stack.iter().any(|piece| piece.count > 1);
                seen.neutral |= view.has(SetOf::Neutral, site);
            }
            let owned =
                |player| view.set(SetOf::Owned(Player(player))).iter().any(|&word| word != 0);
            seen.owned |= (0..game.info().players as u8).any(owned);
            seen.scores |= !view.scores.is_empty();
            let joint: Vec<_> = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => vec![game.sample_chance(&state, &mut rng)],
                Turn::Players(players) => players
                    .into_iter()
                    .map(|player| game.random_move(&state, player, &mut rng, &mut buffer))
                    .collect(),
            };
            game.apply(&mut state, &joint);
        }
    }
    seen
}
