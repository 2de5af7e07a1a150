//! Walks and instances of features on small boards, by hand.

use ludex_game::Geometry;
use ludex_game::features::{
    Anchoring, Element, FeatureError, Ground, Instance, Layers, MoveEnds, Pattern, Place, Plain,
    Reading, Test, Weighed, Weights, destinations, instances,
};

fn square(size: usize) -> Ground {
    Ground::new(&Geometry::rectangle(size, size), 2)
}

/// A triangle with a triangle on each of its sides, and one more beyond the first.
fn triangles() -> Ground {
    let side = |list: [i64; 3]| list.map(|n| u32::try_from(n).ok()).to_vec();
    let none = || vec![Vec::new(); 6];
    Ground {
        sides: vec![
            side([1, 2, 3]),
            side([0, 4, 5]),
            side([0, -1, -1]),
            side([0, -1, -1]),
            side([1, -1, -1]),
            side([1, -1, -1]),
        ],
        distances: Vec::new(),
        orthogonals: none(),
        diagonals: none(),
        players: 2,
    }
}

fn walk(turns: &[f32]) -> Place {
    Place::Walk(turns.to_vec())
}

fn element(test: Test, turns: &[f32]) -> Element {
    Element { test, negated: false, place: walk(turns) }
}

fn all(ground: &Ground, pattern: &Pattern, reading: Reading, anchor: u32) -> Vec<Instance> {
    let mut found = Vec::new();
    instances(ground, pattern, 1, reading, [anchor], |instance| found.push(instance))
        .expect("fits");
    found
}

#[test]
fn a_knight_walks_two_ahead_and_one_aside() {
    let ground = square(8);
    let mut ends = Vec::new();
    for reflection in [1.0, -1.0] {
        for side in 0..4 {
            let rotation = side as f32 / 4.0;
            let reached =
                destinations(&ground, &[0.0, 0.0, 0.25], 27, rotation, reflection, Reading::Paper);
            ends.extend(reached);
        }
    }
    ends.sort_unstable();
    let expected: Vec<Option<u32>> = [10, 12, 17, 21, 33, 37, 42, 44].map(Some).to_vec();
    assert_eq!(ends, expected);
    let off = destinations(&ground, &[0.0, 0.0, 0.25], 63, 0.0, 1.0, Reading::Paper);
    assert_eq!(off, [None]);
}

#[test]
fn straight_on_in_a_triangle_is_two_ways_or_the_left_one() {
    let ground = triangles();
    let reach = |turns: &[f32], reading| destinations(&ground, turns, 0, 0.0, 1.0, reading);
    assert_eq!(reach(&[0.0, 0.0], Reading::Paper), [Some(4), Some(5)]);
    assert_eq!(reach(&[0.0, 0.0], Reading::Ludii), [Some(4)]);
    // A quarter in a triangle is a third: one side to the right, or to the left.
    assert_eq!(reach(&[0.0, 0.25], Reading::Paper), [Some(5)]);
    assert_eq!(reach(&[0.0, -1.0 / 3.0], Reading::Paper), [Some(4)]);
    assert_eq!(reach(&[0.0, 0.5], Reading::Paper), [Some(0)]);
    assert_eq!(reach(&[0.0, 0.0, 0.0], Reading::Paper), [None]);
}

#[test]
fn walks_that_begin_alike_take_the_same_way() {
    let pattern = Pattern {
        ends: MoveEnds { to: Some(walk(&[])), ..MoveEnds::default() },
        elements: vec![element(Test::Friend, &[0.0, 0.0]), element(Test::Empty, &[0.0, 0.0, 0.5])],
        rotations: Some(vec![0.0]),
        reflects: false,
    };
    let found = all(&triangles(), &pattern, Reading::Paper, 0);
    let friends: Vec<u32> = found.iter().map(|instance| instance.conditions[0].site).collect();
    assert_eq!(friends, [4, 5]);
    assert!(found.iter().all(|instance| instance.conditions[1].site == 1));
}

#[test]
fn a_pattern_has_an_instance_for_every_rotation_and_its_mirror_image() {
    let bent = |reflects| Pattern {
        ends: MoveEnds { to: Some(walk(&[])), ..MoveEnds::default() },
        elements: vec![element(Test::Friend, &[0.0]), element(Test::Enemy, &[0.25])],
        rotations: None,
        reflects,
    };
    let ground = square(5);
    for (reflects, count) in [(true, 8), (false, 4)] {
        for reading in [Reading::Paper, Reading::Ludii] {
            assert_eq!(all(&ground, &bent(reflects), reading, 12).len(), count);
        }
    }
    // In a corner most of them stick out.
    assert_eq!(all(&ground, &bent(true), Reading::Paper, 0).len(), 2);
}

#[test]
fn a_reply_without_elements_is_a_reply_on_every_side_only_as_the_paper_reads_it() {
    let pattern = Pattern {
        ends: MoveEnds { last_to: Some(walk(&[0.0])), to: Some(walk(&[])), ..MoveEnds::default() },
        reflects: true,
        ..Pattern::default()
    };
    let sides = |reading| {
        let found = all(&square(5), &pattern, reading, 12);
        let mut sides: Vec<u32> = found.iter().filter_map(|i| i.ends.last_to).collect();
        sides.sort_unstable();
        sides.dedup();
        sides
    };
    assert_eq!(sides(Reading::Ludii), [17]);
    assert_eq!(sides(Reading::Paper), [7, 11, 13, 17]);
}

#[test]
fn what_holds_for_a_move() {
    let near_friend = Pattern {
        ends: MoveEnds { to: Some(walk(&[])), ..MoveEnds::default() },
        elements: vec![element(Test::Friend, &[0.0])],
        rotations: None,
        reflects: true,
    };
    let at_edge = Pattern { elements: vec![element(Test::Off, &[0.0])], ..near_friend.clone() };
    let plain = Plain::new(&square(3), &[near_friend, at_edge], 1, Reading::Paper).expect("fits");
    let stones = |site: u32| if site == 4 { (1, 1) } else { (0, 0) };
    let active = |to: u32| {
        let ends = MoveEnds { to: Some(to), ..MoveEnds::default() };
        plain.active(ends, Anchoring::Anywhere, stones).collect::<Vec<u32>>()
    };
    assert_eq!(active(0), [1]);
    assert_eq!(active(1), [0, 1]);
    assert_eq!(active(4), [0; 0]);
}

#[test]
fn patterns_for_other_boards_are_refused_in_words() {
    let with = |test| Pattern {
        ends: MoveEnds { to: Some(walk(&[])), ..MoveEnds::default() },
        elements: vec![element(test, &[0.0])],
        ..Pattern::default()
    };
    let fault = |pattern: &Pattern| {
        instances(&square(3), pattern, 1, Reading::Paper, 0..9, |_| {}).expect_err("refused")
    };
    assert_eq!(fault(&with(Test::Nearer(2))), FeatureError::NoRegion { region: 2 });
    let far = Pattern {
        ends: MoveEnds { to: Some(Place::Site(99)), ..MoveEnds::default() },
        ..Pattern::default()
    };
    assert_eq!(fault(&far), FeatureError::NoSite { site: 99 });
    // Walks that leave every board have no instance, which is not a fault.
    let long = Pattern { elements: vec![element(Test::Friend, &[0.0; 50])], ..with(Test::Friend) };
    assert!(all(&square(3), &long, Reading::Paper, 4).is_empty());
}

/// Sets, kept from position to position, give every move the weight that the definition gives it.
#[test]
fn sets_find_what_the_definition_finds() {
    let mut rng = ludex_game::Rng::seeded(17);
    for (ground, pieces) in [(square(5), 2), (triangles(), 2), (square(9), 3)] {
        let sites = ground.len() as u32;
        for reading in [Reading::Paper, Reading::Ludii] {
            let patterns: Vec<Pattern> = (0..14).map(|_| any_pattern(&mut rng)).collect();
            let weights: Vec<f32> =
                (0..patterns.len()).map(|_| rng.below(9) as f32 * 0.25 - 1.0).collect();
            let weighed: Vec<Weighed> = patterns
                .iter()
                .zip(&weights)
                .map(|(pattern, &weight)| Weighed::Pattern(pattern.clone(), weight))
                .collect();
            let players = vec![weighed; 2];
            let layers = Layers::new(&ground, &players, reading).expect("fits");
            let plain =
                [1, 2].map(|player| Plain::new(&ground, &patterns, player, reading).expect("fits"));
            let mut fast = Weights::new(&layers);
            let mut board = vec![0u32; sites as usize];
            for _ in 0..40 {
                for _ in 0..1 + rng.below(3) {
                    board[rng.below(sites) as usize] = rng.below(pieces + 1);
                }
                // The third kind of piece is nobody's.
                let owner = |piece: u32| if piece == 3 { 0 } else { piece };
                let at = |site: u32| (owner(board[site as usize]), board[site as usize]);
                fast.see(&layers, |ask, word| {
                    let sites = (64 * word as u32..sites).take(64);
                    sites
                        .filter(|&site| ask.holds(at(site).0, at(site).1))
                        .fold(0, |bits, site| bits | 1 << (site % 64))
                });
                let mut some = |nothing: u32| {
                    let drawn = rng.below(sites + nothing);
                    (drawn < sites).then_some(drawn)
                };
                let (last_from, last_to) = (some(3), some(3));
                for (player, plain) in plain.iter().enumerate() {
                    fast.weigh(&layers, player, last_from, last_to);
                    for _ in 0..60 {
                        let ends = MoveEnds { last_from, last_to, from: some(sites), to: some(1) };
                        let ends =
                            MoveEnds { from: ends.from.filter(|_| ends.from != ends.to), ..ends };
                        let active = plain.active(ends, reading.anchoring(), at);
                        let wanted: f64 =
                            active.map(|number| f64::from(weights[number as usize])).sum();
                        let found = fast.of_move(&layers, player, ends);
                        assert!((found - wanted).abs() < 1e-6, "{found}, not {wanted}: {ends:?}");
                    }
                }
            }
        }
    }
}

fn any_pattern(rng: &mut ludex_game::Rng) -> Pattern {
    const TURNS: [f32; 6] = [0.0, 0.25, -0.25, 0.5, 1.0 / 3.0, -1.0 / 6.0];
    let mut any_walk = |most: u32| {
        let steps = rng.below(most + 1);
        let turns: Vec<f32> = (0..steps).map(|_| TURNS[rng.below(6) as usize]).collect();
        walk(&turns)
    };
    let (to, from, last_to, last_from) = (any_walk(0), any_walk(1), any_walk(2), any_walk(1));
    let places: Vec<Place> = (0..3).map(|_| any_walk(3)).collect();
    let kind = rng.below(6);
    let ends = MoveEnds {
        to: (kind != 1).then_some(to),
        from: matches!(kind, 1 | 2 | 5).then_some(from),
        last_to: matches!(kind, 3 | 5).then_some(last_to),
        last_from: (kind == 4).then_some(last_from),
    };
    let tests = [Test::Empty, Test::Friend, Test::Enemy, Test::Off, Test::Item(2), Test::Player(1)];
    let elements = places.into_iter().take(rng.below(4) as usize).map(|place| Element {
        test: tests[rng.below(6) as usize],
        negated: rng.below(3) == 0,
        place,
    });
    Pattern { ends, elements: elements.collect(), rotations: None, reflects: rng.below(4) > 0 }
}
