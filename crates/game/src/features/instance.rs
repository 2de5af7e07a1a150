//! Instances: a pattern at one place of a board.

use super::walk::{MAX_READINGS, Pose, Reached};
use super::{Element, FeatureError, Ground, Pattern, Place, Reading, Test, Walks};

/// Something for each end of a move and of the move before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct MoveEnds<T> {
    /// Where the move before started.
    pub last_from: T,
    /// Where the move before ended.
    pub last_to: T,
    /// Where the move starts.
    pub from: T,
    /// Where the move ends.
    pub to: T,
}

impl<T> MoveEnds<T> {
    /// The same for what becomes of each.
    pub fn map<'e, U>(&'e self, mut f: impl FnMut(&'e T) -> U) -> MoveEnds<U> {
        // The order decides which walks count as resolved; see `instances`.
        let (last_to, last_from) = (f(&self.last_to), f(&self.last_from));
        let (to, from) = (f(&self.to), f(&self.from));
        MoveEnds { last_from, last_to, from, to }
    }
}

impl MoveEnds<Option<u32>> {
    /// Whether a move with these ends is one that was asked for.
    pub fn fit(&self, of_move: &MoveEnds<Option<u32>>) -> bool {
        let fits = |asked: Option<u32>, is: Option<u32>| asked.is_none() || asked == is;
        fits(self.last_from, of_move.last_from)
            && fits(self.last_to, of_move.last_to)
            && fits(self.from, of_move.from)
            && fits(self.to, of_move.to)
    }
}

/// What must be true of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ask {
    /// Nothing stands there.
    Empty,
    /// Something stands there.
    Occupied,
    /// The owner is this one.
    Owner(u32),
    /// The owner is not this one.
    NotOwner(u32),
    /// The piece is this one.
    Piece(u32),
    /// The piece is not this one.
    NotPiece(u32),
}

impl Ask {
    /// Whether it is so where `piece` of `owner` stands; both are zero on an empty site.
    pub fn holds(self, owner: u32, piece: u32) -> bool {
        match self {
            Ask::Empty => piece == 0,
            Ask::Occupied => piece != 0,
            Ask::Owner(wanted) => owner == wanted,
            Ask::NotOwner(other) => owner != other,
            Ask::Piece(wanted) => piece == wanted,
            Ask::NotPiece(other) => piece != other,
        }
    }

    /// Whether no site can fulfil both.
    fn excludes(self, other: Ask) -> bool {
        match (self, other) {
            (Ask::Empty, Ask::Occupied) | (Ask::Occupied, Ask::Empty) => true,
            (Ask::Owner(a), Ask::Owner(b)) | (Ask::Piece(a), Ask::Piece(b)) => a != b,
            (Ask::Owner(a), Ask::NotOwner(b)) | (Ask::NotOwner(a), Ask::Owner(b)) => a == b,
            (Ask::Piece(a), Ask::NotPiece(b)) | (Ask::NotPiece(a), Ask::Piece(b)) => a == b,
            _ => false,
        }
    }

    /// Whether Ludii has no room for both at one site: it keeps one excluded owner and one excluded piece.
    fn crowds_out(self, other: Ask) -> bool {
        match (self, other) {
            (Ask::NotOwner(a), Ask::NotOwner(b)) | (Ask::NotPiece(a), Ask::NotPiece(b)) => a != b,
            _ => false,
        }
    }
}

/// What must be true of which site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// The site.
    pub site: u32,
    /// What.
    pub ask: Ask,
}

/// A pattern at one place of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Where its walks start; nothing for patterns at certain sites.
    pub anchor: Option<u32>,
    /// One, or minus one for the mirror image.
    pub reflection: i8,
    /// In parts of a circle.
    pub rotation: f32,
    /// The ends that a move must have, as far as they matter.
    pub ends: MoveEnds<Option<u32>>,
    /// What must be true of sites, in the order of the pattern's elements.
    pub conditions: Vec<Condition>,
}

impl Instance {
    /// Whether all its conditions hold; `at` gives the owner and the piece of a site.
    pub fn matches(&self, at: impl Fn(u32) -> (u32, u32)) -> bool {
        self.conditions.iter().all(|condition| {
            let (owner, piece) = at(condition.site);
            condition.ask.holds(owner, piece)
        })
    }

    /// Adds a condition; `false` if it can never be fulfilled together with the others.
    fn require(&mut self, site: u32, ask: Ask, reading: Reading) -> bool {
        let there = self.conditions.iter().filter(|condition| condition.site == site);
        for Condition { ask: known, .. } in there {
            if *known == ask {
                return true;
            }
            if ask.excludes(*known) || (reading == Reading::Ludii && ask.crowds_out(*known)) {
                return false;
            }
        }
        self.conditions.push(Condition { site, ask });
        true
    }
}

/// A pattern with its walks put together.
struct Plan<'a> {
    ground: &'a Ground,
    pattern: &'a Pattern,
    walks: Walks,
    ends: MoveEnds<Option<Spot>>,
    elements: Vec<Spot>,
    player: u32,
    reading: Reading,
}

/// A place of a plan: the last step of its walk, or a certain site.
#[derive(Clone, Copy)]
enum Spot {
    Walk(Option<usize>),
    Site(u32),
}

/// What one rotation did: Ludii stops early when its walks cannot lead elsewhere.
#[derive(Default)]
struct Tried {
    /// A walk of at least one step was looked at.
    walked: bool,
    /// One of them had a turn that a mirror image changes.
    turned: bool,
}

/// Calls `found` with every instance of a pattern at an anchor, for moves of a player (from 1).
pub fn instances(
    ground: &Ground,
    pattern: &Pattern,
    player: u32,
    reading: Reading,
    anchors: impl IntoIterator<Item = u32>,
    mut found: impl FnMut(Instance),
) -> Result<(), FeatureError> {
    let plan = Plan::new(ground, pattern, player, reading)?;
    let mut anchors = anchors.into_iter();
    if pattern.is_absolute() {
        // From wherever it is looked at, it is the same.
        let nowhere = |instance| found(Instance { anchor: None, ..instance });
        return anchors.next().map_or(Ok(()), |anchor| plan.at_anchor(anchor, &mut { nowhere }));
    }
    anchors.try_for_each(|anchor| plan.at_anchor(anchor, &mut found))
}

impl<'a> Plan<'a> {
    fn new(
        ground: &'a Ground,
        pattern: &'a Pattern,
        player: u32,
        reading: Reading,
    ) -> Result<Self, FeatureError> {
        let mut walks = Walks::default();
        let mut fault = None;
        let mut spot = |place: &Place| match place {
            Place::Walk(turns) => Spot::Walk(walks.add(turns)),
            Place::Site(site) => {
                if *site as usize >= ground.len() {
                    fault = Some(FeatureError::NoSite { site: *site });
                }
                Spot::Site(*site)
            }
        };
        let ends = pattern.ends.map(|place| place.as_ref().map(&mut spot));
        let elements = pattern.elements.iter().map(|element| spot(&element.place)).collect();
        for element in &pattern.elements {
            if let Test::Nearer(region) = element.test
                && !matches!(ground.distances.get(region as usize), Some(Some(_)))
            {
                return Err(FeatureError::NoRegion { region });
            }
        }
        match fault {
            Some(fault) => Err(fault),
            None => Ok(Plan { ground, pattern, walks, ends, elements, player, reading }),
        }
    }

    fn at_anchor(&self, anchor: u32, found: &mut impl FnMut(Instance)) -> Result<(), FeatureError> {
        let sides = self.ground.sides[anchor as usize].len();
        if sides == 0 {
            return Ok(());
        }
        let of_anchor: Vec<f32>;
        let rotations = match &self.pattern.rotations {
            Some(rotations) => rotations,
            None => {
                of_anchor = (0..sides).map(|side| side as f32 / sides as f32).collect();
                &of_anchor
            }
        };
        let reflections: &[f32] = if self.pattern.reflects { &[1.0, -1.0] } else { &[1.0] };
        let mut turned = false;
        for &reflection in reflections {
            let ludii = self.reading == Reading::Ludii;
            if ludii && reflection < 0.0 && !turned {
                break;
            }
            for &rotation in rotations {
                let tried = self.in_pose(anchor, Pose { rotation, reflection }, found)?;
                turned |= tried.turned;
                if ludii && (!tried.walked || self.pattern.elements.is_empty()) {
                    break;
                }
            }
        }
        Ok(())
    }

    fn in_pose(
        &self,
        anchor: u32,
        pose: Pose,
        found: &mut impl FnMut(Instance),
    ) -> Result<Tried, FeatureError> {
        let readings = self.walks.reach(self.ground, anchor, pose, self.reading);
        let readings = readings.ok_or(FeatureError::Ambiguous { limit: MAX_READINGS })?;
        let mut tried = Tried::default();
        let mut made: Vec<Instance> = Vec::new();
        for reached in &readings {
            for instance in self.in_reading(anchor, pose, reached, &mut tried) {
                if !made.contains(&instance) {
                    made.push(instance);
                }
            }
        }
        made.into_iter().for_each(found);
        Ok(tried)
    }

    /// The instances of one reading: several only where an element can be fulfilled in several ways.
    fn in_reading(
        &self,
        anchor: u32,
        pose: Pose,
        reached: &Reached<'_>,
        tried: &mut Tried,
    ) -> Vec<Instance> {
        let Some(ends) = self.resolve_ends(reached, tried) else { return Vec::new() };
        let mut alternatives = vec![Instance {
            anchor: Some(anchor),
            reflection: pose.reflection as i8,
            rotation: pose.rotation,
            ends,
            conditions: Vec::with_capacity(self.elements.len()),
        }];
        for (element, &spot) in self.pattern.elements.iter().zip(&self.elements) {
            let site = resolve(spot, reached, tried);
            self.add_element(element, anchor, site, &mut alternatives);
            if alternatives.is_empty() {
                break;
            }
        }
        alternatives
    }

    /// The sites of the ends; nothing if one of them is off the board. Ends behind that one are not looked at.
    fn resolve_ends(
        &self,
        reached: &Reached<'_>,
        tried: &mut Tried,
    ) -> Option<MoveEnds<Option<u32>>> {
        let mut on_board = true;
        let ends = self.ends.map(|spot| match spot {
            Some(spot) if on_board => {
                let site = resolve(*spot, reached, tried);
                on_board &= site.is_some();
                site
            }
            _ => None,
        });
        on_board.then_some(ends)
    }

    /// Adds what an element asks of the site its walk reached to every alternative.
    fn add_element(
        &self,
        element: &Element,
        anchor: u32,
        site: Option<u32>,
        alternatives: &mut Vec<Instance>,
    ) {
        let settle = |alternatives: &mut Vec<Instance>, holds: bool| {
            if !holds {
                alternatives.clear();
            }
        };
        let negated = element.negated;
        let Some(site) = site else {
            let holds = match element.test {
                Test::Off => !negated,
                Test::Any => true,
                Test::Connectivity(_) => negated && self.reading == Reading::Paper,
                Test::Nearer(_) | Test::SeesOrthogonally(_) | Test::SeesDiagonally(_) => false,
                _ => negated,
            };
            return settle(alternatives, holds);
        };
        let sides = self.ground.sides[site as usize].len();
        match element.test {
            Test::Off => settle(alternatives, negated),
            Test::Any => {}
            Test::Position(wanted) => settle(alternatives, (site == wanted) != negated),
            Test::Connectivity(wanted) => {
                // Ludii asks for equality before it looks at the negation.
                let holds = match (negated, self.reading) {
                    (false, _) => sides == wanted as usize,
                    (true, Reading::Paper) => sides != wanted as usize,
                    (true, Reading::Ludii) => false,
                };
                settle(alternatives, holds);
            }
            Test::Nearer(region) => {
                let nearer = self
                    .distances(region)
                    .is_some_and(|distances| distances[anchor as usize] > distances[site as usize]);
                settle(alternatives, nearer != negated);
            }
            Test::SeesOrthogonally(piece) => {
                let lines = &self.ground.orthogonals[site as usize];
                self.add_sight(lines, piece, negated, alternatives);
            }
            Test::SeesDiagonally(piece) => {
                let lines = &self.ground.diagonals[site as usize];
                self.add_sight(lines, piece, negated, alternatives);
            }
            test => self.add_test(test, negated, site, alternatives),
        }
    }

    fn distances(&self, region: u32) -> Option<&Vec<u32>> {
        self.ground.distances.get(region as usize)?.as_ref()
    }

    /// Adds a test that asks what stands on a site.
    fn add_test(&self, test: Test, negated: bool, site: u32, alternatives: &mut Vec<Instance>) {
        let me = self.player;
        let two = self.ground.players == 2;
        let asks: &[Ask] = match (test, negated) {
            (Test::Empty, false) => &[Ask::Empty],
            (Test::Empty, true) => &[Ask::Occupied],
            (Test::Friend, false) => &[Ask::Owner(me)],
            (Test::Friend, true) => &[Ask::NotOwner(me)],
            (Test::Enemy, false) if two => &[Ask::Owner(3 - me)],
            (Test::Enemy, true) if two => &[Ask::NotOwner(3 - me)],
            (Test::Enemy, false) => &[Ask::Occupied, Ask::NotOwner(me)],
            (Test::Enemy, true) => {
                // Empty or his own: one instance for each.
                let mut own = alternatives.clone();
                alternatives.retain_mut(|i| i.require(site, Ask::Empty, self.reading));
                own.retain_mut(|i| i.require(site, Ask::Owner(me), self.reading));
                alternatives.append(&mut own);
                return;
            }
            (Test::Player(n), false) => &[Ask::Owner(n)],
            (Test::Player(n), true) => &[Ask::NotOwner(n)],
            (Test::Item(n), false) => &[Ask::Piece(n)],
            (Test::Item(n), true) => &[Ask::NotPiece(n)],
            _ => &[],
        };
        alternatives.retain_mut(|i| asks.iter().all(|&ask| i.require(site, ask, self.reading)));
    }

    /// One alternative for each place along each line where the first piece in sight may stand.
    fn add_sight(
        &self,
        lines: &[Vec<u32>],
        piece: u32,
        negated: bool,
        alternatives: &mut Vec<Instance>,
    ) {
        let (seen, other): (&[Ask], &[Ask]) =
            (&[Ask::Piece(piece)], &[Ask::Occupied, Ask::NotPiece(piece)]);
        let asks = if negated { other } else { seen };
        let mut all = Vec::new();
        for before in alternatives.iter() {
            let mut empty: Vec<u32> = Vec::new();
            for line in lines {
                if self.reading == Reading::Paper {
                    // Ludii forgets this, so that later lines need the earlier ones to be empty.
                    empty.clear();
                }
                for &site in line {
                    let mut instance = before.clone();
                    let fits = empty.iter().all(|&e| instance.require(e, Ask::Empty, self.reading))
                        && asks.iter().all(|&ask| instance.require(site, ask, self.reading));
                    if fits {
                        all.push(instance);
                    }
                    empty.push(site);
                }
            }
        }
        *alternatives = all;
    }
}

fn resolve(spot: Spot, reached: &Reached<'_>, tried: &mut Tried) -> Option<u32> {
    match spot {
        Spot::Site(site) => Some(site),
        Spot::Walk(last) => {
            tried.walked |= last.is_some();
            tried.turned |= reached.turns(last).any(|turn| ![0.0, 0.5, -0.5].contains(&turn));
            reached.site(last)
        }
    }
}
