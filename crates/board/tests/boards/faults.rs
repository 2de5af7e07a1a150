//! Boards that cannot be: each is refused with a message, and quickly.

use crate::read;
use ludex_board::{Board, SiteType, Topology, graph_of};

fn message(text: &str) -> String {
    let expr = read::expression(text).expect("a tree");
    let result = match text.starts_with("( board") {
        true => Board::from_expr(&expr, false).map(|_| ()),
        false => graph_of(&expr, SiteType::Cell).map(|_| ()),
    };
    result.expect_err(text).to_string()
}

#[test]
fn impossible_boards_are_refused() {
    let cases = [
        ("( square 0 )", "these dimensions make a board without sites"),
        ("( square -3 )", "these dimensions make a board without sites"),
        ("( square 1.5 )", "expected a whole number, found 1.5"),
        ("( square 900 )", "a board of this size (811801 vertices) is too large"),
        ("( squar 8 )", "`squar` makes no board"),
        ("( square )", "`square` needs a size"),
        ("( square 3 4 )", "`square` cannot use the number 4"),
        ("( square 3 size:4 )", "`square` has no argument `size:`"),
        ("( square 3 diagonals:Some )", "expected a kind of diagonals, found `Some`"),
        ("( rotate ( square 3 ) )", "expected a number, found `(square …)`"),
        ("( rotate 90 )", "`rotate` needs a board"),
        ("( merge 3 )", "expected a board, found the number 3"),
        ("( hex ( / 4 0 ) )", "`/` has no value here"),
        ("( keep ( square 3 ) ( square 3 ) )", "expected `(poly …)`, found `(square …)`"),
        ("( concentric Target )", "`concentric` needs `rings:`"),
        ("( mancalaBoard 9 6 )", "a mancala board has 2 to 6 rows, not 9"),
        ("( complete ( square 30 ) )", "a board with so many lines (461760) is too large"),
        ("( scale 1000000 ( square 3 ) )", "this board reaches too far from the origin"),
        (
            "( graph vertices: { { 0 0 } } edges: { { 0 5 } } )",
            "an edge joins two of the 1 vertices",
        ),
        ("( board ( square 3 ) use:Corner )", "expected Vertex, Edge or Cell"),
        ("( board ( square 3 ) ( track \"T\" \"0,Q\" ) )", "track `T`: Q is no direction"),
        (
            "( board ( square 3 ) ( track \"T\" \"E,N\" ) )",
            "track `T`: must start with the number of a site",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(message(text), expected, "{text}");
    }
}

/// A cell whose corners no edges join is none, and the edges that are there know nothing of it.
#[test]
fn a_cell_without_its_edges_leaves_nothing_behind() {
    let expr = read::expression("( add ( square 2 ) cells: { { 0 1 3 } } )").expect("a tree");
    let graph = graph_of(&expr, SiteType::Cell).expect("a board");
    let board = Topology::new(graph);
    assert_eq!(board.sites(SiteType::Cell).len(), 4);
    assert_eq!(board.sites(SiteType::Edge).len(), 12);
}

/// An outline is one whose points are all points; a board is not cut along another.
#[test]
fn a_half_point_makes_no_outline() {
    let cut = |text: &str| graph_of(&read::expression(text).expect("a tree"), SiteType::Cell);
    for word in ["hole", "clip", "keep"] {
        let text = format!("( {word} ( square 4 ) ( poly {{ {{ 1 1 }} {{ 1 }} {{ 4 4 }} }} ) )");
        assert_eq!(cut(&text).expect("a board").count(SiteType::Cell), 16, "{text}");
    }
    assert!(cut("( square ( poly { { 1 1 } { 1 } { 4 4 } } ) )").is_err());
}

/// Numbers that repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn random_board(random: &mut Random, depth: u32) -> String {
    let small = random.below(7) as i64 - 1;
    let other = random.below(9) as i64 - 2;
    let leaves = [
        format!("( square {small} diagonals:Alternating )"),
        format!("( square Diamond {small} )"),
        format!("( square {small} pyramidal:True )"),
        format!("( rectangle {small} {other} diagonals:Solid )"),
        format!("( hex {small} {other} )"),
        format!("( hex Star {small} )"),
        format!("( hex {{ {small} {other} 3 }} )"),
        format!("( tri Limping {small} )"),
        format!("( tri {{ {small} {other} -3 4 }} )"),
        format!("( brick Spiral {small} )"),
        format!("( brick {small} {other} trim:True )"),
        format!("( celtic {small} {other} )"),
        format!("( quadhex {small} thirds:True )"),
        format!("( concentric {{ {small} {other} 6 }} )"),
        format!("( concentric sides:{other} rings:{small} )"),
        format!("( spiral turns:{small} sites:{other} )"),
        format!("( wedge {small} {other} )"),
        format!("( regular Star {other} )"),
        format!("( tiling T3636 {small} {other} )"),
        format!("( mancalaBoard {small} {other} )"),
    ];
    if depth == 0 || random.below(4) == 0 {
        return leaves[random.below(leaves.len() as u64) as usize].clone();
    }
    let inner = random_board(random, depth - 1);
    let second = random_board(random, depth - 1);
    let operations = [
        format!("( merge {inner} ( shift {small} 0.5 {second} ) )"),
        format!("( union {{ {inner} {second} }} connect:True )"),
        format!("( intersect {inner} {second} )"),
        format!("( rotate {}.5 {inner} )", random.below(360)),
        format!("( dual {inner} )"),
        format!("( subdivide {inner} min:{small} )"),
        format!("( splitCrossings {inner} )"),
        format!("( makeFaces {inner} )"),
        format!("( trim ( remove {inner} cells: {{ {} {} }} ) )", small.max(0), other.max(0)),
        format!("( remove {inner} vertices: {{ {} {} }} )", small.max(0), other.max(0)),
        format!("( add {inner} vertices: {{ {{ {small} {other} }} }} connect:True )"),
        format!("( layers 2 {inner} )"),
        format!("( complete {inner} )"),
        format!("( hole {inner} ( poly {{ {{ 0 0 }} {{ 0 2 }} {{ 2 {other} }} }} ) )"),
        format!("( skew 0.5 ( scale {small} {other} {inner} ) )"),
    ];
    operations[random.below(operations.len() as u64) as usize].clone()
}

#[test]
fn no_board_panics() {
    let mut random = Random(2026);
    let mut made = 0;
    for n in 0..600 {
        let text = random_board(&mut random, 3);
        let expr = read::expression(&text).expect("a tree");
        let kind = SiteType::ALL[n % 3];
        let Ok(graph) = graph_of(&expr, kind) else {
            continue;
        };
        if graph.vertices.len() < 400 {
            Topology::new(graph).sites(kind).radials();
            made += 1;
        }
    }
    assert!(made > 200, "only {made} boards were made");
}
