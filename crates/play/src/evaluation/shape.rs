//! How pieces stand together: pairs of neighbours, groups, how far they are from their middle.

use ludex_game::geometry::{ContainerKind, Geometry, SiteId};
use ludex_game::{Player, SetOf, View};

/// The places of a board's sites, in steps.
#[derive(Clone, Debug)]
pub(super) struct Places {
    at: Vec<[f32; 2]>,
    on_board: Vec<bool>,
}

impl Places {
    pub fn new(geometry: &Geometry) -> Places {
        let at = |site: SiteId| geometry.sites[site as usize].at;
        let away = |a: SiteId, b: SiteId| (at(a).x - at(b).x).hypot(at(a).y - at(b).y);
        let all = 0..geometry.len() as SiteId;
        let steps = all
            .clone()
            .flat_map(|site| geometry.adjacent(site).iter().map(move |&next| away(site, next)));
        let step = steps.fold(f32::INFINITY, f32::min);
        let scale = if step.is_finite() && step > 0.0 { 1.0 / step } else { 1.0 };
        let kind = |site: SiteId| {
            geometry.containers[usize::from(geometry.sites[site as usize].container)].kind
        };
        Places {
            at: all.clone().map(|site| [at(site).x * scale, at(site).y * scale]).collect(),
            on_board: all.map(|site| kind(site) == ContainerKind::Board).collect(),
        }
    }
}

/// The numbers of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shape {
    /// Neighbouring pairs of its own pieces.
    pairs: f32,
    /// Neighbouring pairs of one of its pieces and somebody else's.
    contacts: f32,
    /// Pairs of one of its pieces and an empty neighbour.
    free: f32,
    /// Connected groups.
    groups: f32,
    /// The sum of the distances of its pieces from their middle.
    spread: f32,
}

impl Shape {
    /// How many numbers there are.
    pub const COUNT: usize = 5;

    /// The numbers, on a scale where most are about one.
    pub fn numbers(&self) -> [f32; Shape::COUNT] {
        let Shape { pairs, contacts, free, groups, spread } = self;
        let [by_pairs, by_contacts, by_free, by_groups, by_spread] = Shape::SCALE;
        [
            by_pairs * pairs,
            by_contacts * contacts,
            by_free * free,
            by_groups * groups,
            by_spread * spread,
        ]
    }

    const SCALE: [f32; Shape::COUNT] = [0.1, 0.1, 0.05, 0.3, 0.1];

    /// Weights of these numbers where a group and a step away from the middle are worth so much.
    pub fn weights(group: f32, away: f32) -> [f32; Shape::COUNT] {
        [0.0, 0.0, 0.0, group / Shape::SCALE[3], away / Shape::SCALE[4]]
    }

    /// Measures the pieces of one side, which stand on the sites `own`; `who` says whose piece is where. `marks` is
    /// scratch memory.
    pub fn measure(
        geometry: &Geometry,
        places: &Places,
        who: &[u8],
        own: &[SiteId],
        marks: &mut Vec<SiteId>,
    ) -> Shape {
        let mut shape = Shape::default();
        let (mut x, mut y, mut pieces) = (0.0, 0.0, 0.0f32);
        let own = || own.iter().copied().filter(|&site| places.on_board[site as usize]);
        let Some(side) = own().next().map(|site| who[site as usize]) else { return shape };
        if marks.len() != who.len() {
            marks.clear();
            marks.resize(who.len(), 0);
        }
        for site in own() {
            let at = places.at[site as usize];
            (x, y, pieces) = (x + at[0], y + at[1], pieces + 1.0);
            marks[site as usize] = site;
            shape.groups += 1.0;
            for &next in geometry.adjacent(site) {
                match who[next as usize] {
                    0 => shape.free += 1.0,
                    other if other == side => {
                        shape.pairs += 0.5;
                        // Sites come in order: those before this one have found their groups.
                        if next < site && places.on_board[next as usize] {
                            let (one, other) = (head(marks, site), head(marks, next));
                            if one != other {
                                marks[one.max(other) as usize] = one.min(other);
                                shape.groups -= 1.0;
                            }
                        }
                    }
                    _ => shape.contacts += 1.0,
                }
            }
        }
        let (x, y) = (x / pieces, y / pieces);
        for site in own() {
            // On square boards kings walk so far; on others it is near enough.
            let at = places.at[site as usize];
            shape.spread += (at[0] - x).abs().max((at[1] - y).abs());
        }
        shape
    }
}

/// Whether a player's pieces stand together.
#[derive(Default)]
pub(crate) struct Grouping {
    places: Option<Places>,
    marks: Vec<SiteId>,
}

impl Grouping {
    /// Whether all pieces of a player are in one group.
    pub fn is_one(&mut self, geometry: &Geometry, view: &View, player: Player) -> bool {
        let places = self.places.get_or_insert_with(|| Places::new(geometry));
        let has = |site: &SiteId| view.has(SetOf::Owned(player), *site);
        let own: Vec<SiteId> = (0..geometry.len() as SiteId).filter(has).collect();
        let mut who = vec![0; geometry.len()];
        own.iter().for_each(|&site| who[site as usize] = 1);
        let shape = Shape::measure(geometry, places, &who, &own, &mut self.marks);
        shape.groups == 1.0
    }
}

/// The first site of a group: each site points to an earlier one of its group, or to itself.
fn head(marks: &mut [SiteId], mut site: SiteId) -> SiteId {
    while marks[site as usize] != site {
        let next = marks[site as usize];
        marks[site as usize] = marks[next as usize];
        site = next;
    }
    site
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::Piece;
    use ludex_game::geometry::PieceKind;

    #[test]
    fn pieces_are_together_or_not() {
        let mut board = Geometry::rectangle(3, 3);
        board.kinds.push(PieceKind { name: "Man".into(), owner: None });
        let together = |sites: &[SiteId]| {
            let mut view = View::new();
            view.reset(&board, 2);
            for &site in sites {
                view.put(site, Piece::plain(0, Some(Player(0)), site));
            }
            Grouping::default().is_one(&board, &view, Player(0))
        };
        assert!(together(&[0, 4, 8]) && together(&[0, 1, 2, 5]));
        assert!(!together(&[0, 2, 8]) && !together(&[]));
    }

    #[test]
    fn groups_pairs_and_distances_of_a_small_position() {
        let board = Geometry::rectangle(3, 3);
        let places = Places::new(&board);
        // Two of ours side by side at the bottom left, one at the top right, theirs in the middle.
        let who = [1, 1, 0, 0, 2, 0, 0, 0, 1];
        let shape = Shape::measure(&board, &places, &who, &[0, 1, 8], &mut Vec::new());
        assert_eq!((shape.pairs, shape.contacts, shape.groups), (1.0, 3.0, 2.0));
        // Their middle is at (1, 2/3): distances 1, 2/3 and 4/3.
        assert!((shape.spread - 3.0).abs() < 1e-5, "{}", shape.spread);
        let theirs = Shape::measure(&board, &places, &who, &[4], &mut Vec::new());
        assert_eq!(
            (theirs.groups, theirs.contacts, theirs.free, theirs.spread),
            (1.0, 3.0, 5.0, 0.0)
        );
    }
}
