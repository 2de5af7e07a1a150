//! What is seen in pictures of boards that are unlike most.

use ludex_draw::{Layout, board, pieces};
use ludex_game::geometry::{
    Clue, Container, ContainerKind, Element, Geometry, PieceKind, Point, Says, Site, SiteId, Spot,
    Track,
};
use ludex_game::{Hidden, Piece, Player, View};

fn kinds(names: &[&str]) -> Vec<PieceKind> {
    names.iter().map(|name| PieceKind { name: name.to_string(), owner: None }).collect()
}

fn view(geometry: &Geometry, put: &[(SiteId, Piece)]) -> View {
    let mut view = View::new();
    view.reset(geometry, 2);
    put.iter().for_each(|&(site, piece)| view.put(site, piece));
    view
}

fn drawn(geometry: &Geometry, put: &[(SiteId, Piece)]) -> String {
    pieces(geometry, &Layout::new(geometry), &view(geometry, put))
}

/// Adds a site of a container.
fn add(geometry: &mut Geometry, container: u16, element: Element, outline: &[(f32, f32)]) {
    let count = outline.len() as f32;
    let sum = outline.iter().fold((0.0, 0.0), |(x, y), at| (x + at.0 / count, y + at.1 / count));
    geometry.sites.push(Site {
        label: format!("S{}", geometry.len()),
        container,
        element,
        at: Point::flat(sum.0, sum.1),
        outline: outline.iter().map(|&(x, y)| Point::flat(x, y)).collect(),
    });
    geometry.around.push([]);
    geometry.adjacent.push([]);
}

/// Four cells, and an edge as long as one of them.
fn with_an_edge(names: &[&str]) -> Geometry {
    let mut geometry = Geometry { kinds: kinds(names), ..Geometry::rectangle(2, 2) };
    add(&mut geometry, 0, Element::Edge, &[(0.0, 0.0), (1.0, 0.0)]);
    geometry
}

#[test]
fn what_is_hidden_tells_neither_its_value_nor_its_state() {
    let geometry = Geometry { kinds: kinds(&["Flag", "Spy"]), ..Geometry::rectangle(2, 2) };
    for kind in [None, Some(1)] {
        let piece =
            Piece { kind, value: 7, state: 5, hidden: Hidden::KIND, ..Piece::plain(1, None, 0) };
        let drawn = drawn(&geometry, &[(0, piece)]);
        assert!(drawn.contains(">?<") && drawn.contains("<title>hidden</title>"), "{drawn}");
        for told in [">7<", ">5<", "value", "state", "Spy"] {
            assert!(!drawn.contains(told), "{told}: {drawn}");
        }
    }
    let seen = drawn(&geometry, &[(0, Piece { value: 7, state: 5, ..Piece::plain(1, None, 0) })]);
    assert!([">S<", ">7<", ">5<"].iter().all(|told| seen.contains(told)), "{seen}");
}

#[test]
fn numbers_on_pieces_are_seen_whatever_their_shape_and_leave_their_owners_form() {
    for name in ["Disc", "Square", "Triangle", "DoubleCounter", "Star", "Ring", "Cross", "Flag"] {
        let geometry = Geometry { kinds: kinds(&[name, "Other"]), ..Geometry::rectangle(2, 2) };
        let form = |player, value| {
            let piece = Piece { value, ..Piece::plain(0, Some(Player(player)), 0) };
            let seen = drawn(&geometry, &[(0, piece)]);
            let number = player + 1;
            seen.replace(&format!("piece o{number}"), "").replace(&format!("--p{number}"), "")
        };
        let all: Vec<String> = (0..8).map(|player| form(player, 120)).collect();
        assert!(all.iter().all(|seen| seen.contains(">120<")), "{name}: {}", all[0]);
        assert_ne!(form(0, 120), form(0, 121), "{name}");
        for (index, seen) in all.iter().enumerate() {
            assert!(!all[..index].contains(seen), "{name}: {seen} twice");
        }
    }
}

#[test]
fn edges_are_drawn_or_crossed_out_and_what_lies_on_one_lies_side_by_side() {
    let geometry = with_an_edge(&["0", "1"]);
    let figure = |kind| drawn(&geometry, &[(4, Piece::plain(kind, None, 4))]);
    assert!(figure(0).contains("piece crossed") && !figure(0).contains("<polygon"));
    assert!(figure(1).contains("piece inked") && figure(1).contains("<polygon"));
    let bars = with_an_edge(&["Counter"]);
    let own = |player| Piece::plain(0, Some(Player(player)), 4);
    let two = drawn(&bars, &[(4, own(0)), (4, own(1))]);
    let shapes: Vec<&str> =
        two.split("points=\"").skip(1).filter_map(|p| p.split('"').next()).collect();
    assert!(shapes.len() == 2 && shapes[0] != shapes[1], "{two}");
    assert!(two.contains("class=\"tally\"") && two.contains(">2<"), "{two}");
    // Names of rows and columns would not say which edges are meant, and a chequer would hide those that are drawn.
    let empty = board(&geometry, &Layout::new(&geometry));
    assert!(!empty.contains("class=\"label\"") && !empty.contains("cell dark"));
}

#[test]
fn numbers_that_somebody_wrote_look_other_than_those_that_are_given() {
    let geometry = Geometry { kinds: kinds(&["1", "2"]), ..Geometry::rectangle(2, 2) };
    let [given, written] = [(0, Piece::plain(0, None, 0)), (3, Piece::plain(1, None, 3))];
    let layout = Layout::new(&geometry).with_start(&view(&geometry, &[given]));
    let drawn = pieces(&geometry, &layout, &view(&geometry, &[given, written]));
    assert_eq!(drawn.matches("own-figure").count(), 1);
    assert!(drawn.split("own-figure").nth(1).is_some_and(|after| after.contains(">2</text>")));
}

#[test]
fn whatever_is_written_stays_upright_where_it_is_when_the_board_is_turned() {
    let geometry = Geometry { kinds: kinds(&["Flag", "Spy"]), ..Geometry::rectangle(2, 2) };
    let piece = |site| Piece { state: 3, ..Piece::plain(1, Some(Player(1)), site) };
    let body = Piece::plain(0, None, 1);
    let drawn = drawn(&geometry, &[(0, piece(0)), (0, piece(0)), (1, body), (3, body)]);
    let layout = Layout::new(&geometry);
    let place = layout.places[0];
    assert!(drawn.contains(&format!("transform-origin:{}px {}px", place.x, place.y)), "{drawn}");
    for (at, _) in drawn.match_indices("<text") {
        let open = drawn[..at].rfind("class=\"upright\"").map(|upright| &drawn[upright..at]);
        let closed =
            open.is_none_or(|part| part.matches("</g>").count() > part.matches("<g ").count());
        assert!(!closed, "{} would be upside down", &drawn[at..]);
    }
}

#[test]
fn four_cells_of_a_piece_leave_no_hole_where_they_meet() {
    let geometry = Geometry { kinds: kinds(&["P", "I"]), ..Geometry::rectangle(3, 2) };
    let body = |kind: u16, sites: &[SiteId]| {
        let piece = Piece { root: sites[0], ..Piece::plain(kind, None, sites[0]) };
        let put: Vec<_> = sites.iter().map(|&site| (site, piece)).collect();
        drawn(&geometry, &put).matches("class=\"filled\"").count()
    };
    assert_eq!(body(0, &[0, 1, 2, 3, 4]), 1);
    assert_eq!(body(0, &[0, 1, 2, 3, 4, 5]), 2);
    assert_eq!(body(1, &[0, 2, 4]), 0);
}

#[test]
fn sums_that_cross_stand_in_the_closed_cells_before_them() {
    let mut geometry = Geometry { kinds: kinds(&["1", "2"]), ..Geometry::rectangle(3, 3) };
    let spots = |geometry: &Geometry, sites: &[usize]| -> Vec<Spot> {
        let at = |&site: &usize| &geometry.sites[site];
        sites
            .iter()
            .map(at)
            .map(|site| Spot { at: site.at, outline: site.outline.clone() })
            .collect()
    };
    // The lowest two rows of the last two columns, summed up across and down.
    for (sites, sum) in [([1, 2], 11), ([4, 5], 12), ([4, 1], 13), ([5, 2], 14)] {
        let places = spots(&geometry, &sites);
        geometry.clues.push(Clue { container: 0, places, says: Says::Number(sum) });
    }
    let crossed = board(&geometry, &Layout::new(&geometry));
    let count = |drawn: &str, class: &str| drawn.matches(&format!("class=\"{class}\"")).count();
    assert_eq!(
        ["cell shut", "cell", "sum", "cage"].map(|class| count(&crossed, class)),
        [5, 4, 4, 0]
    );
    // Regions that do not cross have cages.
    geometry.clues.truncate(2);
    let apart = board(&geometry, &Layout::new(&geometry));
    assert_eq!(["cell shut", "sum"].map(|class| count(&apart, class)), [0, 0]);
    assert!(count(&apart, "cage") > 0);
}

#[test]
fn hands_and_dice_stand_in_the_middle_together() {
    let mut geometry = Geometry::rectangle(4, 8);
    for kind in [ContainerKind::Hand, ContainerKind::Dice] {
        let container = geometry.containers.len() as u16;
        geometry.containers.push(Container { name: String::new(), kind, owner: None });
        add(
            &mut geometry,
            container,
            Element::Cell,
            &[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)],
        );
    }
    let layout = Layout::new(&geometry);
    let middle = (layout.places[32].x + layout.places[33].x) / 2.0;
    assert!((middle - layout.width / 2.0).abs() < 1.0, "{middle} of {}", layout.width);
}

#[test]
fn dice_drive_pieces_over_points() {
    let mut geometry = Geometry::rectangle(2, 12);
    let track = |player| Track { owner: Some(Player(player)), sites: (0..24).collect() };
    geometry.tracks = vec![track(0), track(1)];
    let points = |geometry: &Geometry| {
        board(geometry, &Layout::new(geometry)).matches("class=\"tongue").count()
    };
    assert_eq!(points(&geometry), 0);
    let dice = Container { name: "Dice".to_string(), kind: ContainerKind::Dice, owner: None };
    geometry.containers.push(dice);
    assert_eq!(points(&geometry), 24);
}
