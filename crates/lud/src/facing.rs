//! Directions seen from a piece: a walk around the ring its facing belongs to.

use super::topo::{Dir, Dirs};

/// The points of the compass clockwise from north, as places in the list of directions.
const COMPASS: [u8; 16] = [13, 28, 17, 27, 14, 26, 18, 25, 15, 24, 20, 23, 16, 22, 19, 21];
/// The same points upward and downward.
const UPWARD: [u8; 8] = [34, 35, 36, 37, 38, 39, 40, 41];
const DOWNWARD: [u8; 8] = [43, 44, 45, 46, 47, 48, 49, 50];
/// Out, clockwise, in, counter-clockwise.
const ROTATION: [u8; 4] = [32, 29, 31, 30];

/// The ring a direction belongs to and its place there.
fn ring(dir: Dir) -> Option<(&'static [u8], usize)> {
    [&COMPASS[..], &ROTATION[..], &UPWARD[..], &DOWNWARD[..]]
        .into_iter()
        .find_map(|ring| ring.iter().position(|&d| d == dir.0).map(|at| (ring, at)))
}

/// The directions that a relative direction means for a piece with this facing.
pub fn turned(name: &str, facing: Dir, supported: &[Dir]) -> Dirs {
    let Some((ring, base)) = ring(facing) else {
        return Dirs::new();
    };
    let size = ring.len();
    let quarter = size / 4;
    let at = |place: usize| Dir(ring[place % size]);
    let known = |dir: &Dir| supported.contains(dir);
    let exactly = |place: usize| Some(at(place)).filter(known).into_iter().collect();
    let between = |from: usize, to: usize| (from + 1..to).map(at).filter(known).collect();
    // The first direction that occurs, going one way around.
    let next = |from: usize, right: bool| {
        let places = (1..=size).map(|n| if right { from + n } else { from + size - n });
        places.map(at).find(known).into_iter().collect()
    };
    let (behind, left, right) = (base + 2 * quarter, base + 3 * quarter, base + quarter);
    match name {
        "Forward" => exactly(base),
        "Backward" => exactly(behind),
        "Rightward" => exactly(right),
        "Leftward" => exactly(left),
        "Forwards" => between(left, right + size),
        "Backwards" => between(right, left),
        "Rightwards" => between(base, behind),
        "Leftwards" => {
            let mut dirs: Dirs = between(behind, base + size);
            dirs.reverse();
            dirs
        }
        // Repeated letters turn no further: the nearest direction that occurs is already found.
        "FL" | "FLL" | "FLLL" => next(base, false),
        "FR" | "FRR" | "FRRR" => next(base, true),
        "BL" | "BLL" | "BLLL" => next(behind % size, false),
        "BR" | "BRR" | "BRRR" => next(behind % size, true),
        _ => Dirs::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_facing_north_captures_beside_its_path() {
        let eight: Vec<Dir> = [13, 17, 14, 18, 15, 20, 16, 19].map(Dir).to_vec();
        assert_eq!(turned("FR", Dir::N, &eight)[..], [Dir(17)]);
        assert_eq!(turned("FL", Dir::N, &eight)[..], [Dir(19)]);
        assert_eq!(turned("Forwards", Dir::N, &eight)[..], [Dir(19), Dir(13), Dir(17)]);
        assert_eq!(turned("Backward", Dir::N, &eight)[..], [Dir(15)]);
        assert_eq!(turned("Leftwards", Dir::N, &eight)[..], [Dir(19), Dir(16), Dir(20)]);
    }
}
