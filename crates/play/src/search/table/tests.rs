use super::*;
use crate::search::edge::Edge;
use ludex_game::{Move, Player, mix};

const FIRST: Player = Player(0);

fn edge(number: u64) -> Edge {
    Edge::new(Move(number))
}

/// The node with a key, added where it is not there.
fn node(table: &mut Table, key: u64, purse: &mut Purse) -> NodeId {
    if !table.has_room(purse) {
        table.make_room(purse);
    }
    table.find(key).unwrap_or_else(|| table.insert(key, FIRST, purse).0)
}

fn push(table: &Table, id: NodeId, number: u64, legal: usize, purse: &mut Purse) {
    table.set_legal(id, legal);
    table.push_edge(id, edge(number), table.tried(id), purse).expect("there is room");
}

fn moves(table: &Table, id: NodeId) -> Vec<u64> {
    table.edges(id).map(|edge| edge.mv.0).collect()
}

#[test]
fn nodes_and_edges_are_found_again() {
    assert_eq!(size_of::<Node>(), 32);
    let (mut table, mut purse) = (Table::new(1), Purse::default());
    table.begin(0);
    for number in 0..5000u64 {
        let id = node(&mut table, mix(number), &mut purse);
        for e in 0..number % 40 {
            push(&table, id, e, 40, &mut purse);
        }
    }
    for number in 0..5000u64 {
        let id = table.find(mix(number)).unwrap();
        assert_eq!(moves(&table, id), (0..number % 40).collect::<Vec<_>>());
    }
    assert!(table.find(mix(5000)).is_none());
    assert_eq!(table.size().nodes, 5000);
}

#[test]
fn old_nodes_are_forgotten() {
    let (mut table, mut purse) = (Table::new(1), Purse::default());
    for search in 0..4 {
        table.begin(2);
        let id = node(&mut table, search, &mut purse);
        push(&table, id, search, 3, &mut purse);
    }
    table.begin(2);
    assert_eq!((0..4).filter(|&key| table.find(key).is_some()).collect::<Vec<_>>(), [2, 3]);
    let id = table.find(3).unwrap();
    assert_eq!(table.edge(id, 0).mv, Move(3));
    // A position that was forgotten begins anew.
    let id = node(&mut table, 0, &mut purse);
    assert_eq!((table.tried(id), table.visits(id)), (0, 1));
}

/// Walks two tables through the same searches, one of which is cleaned at once, and compares them.
#[test]
fn cleaning_bit_by_bit_changes_nothing() {
    let [mut slow, mut quick] = [(); 2].map(|()| (Table::new(1), Purse::default()));
    for search in 0..40u64 {
        slow.0.begin(3);
        quick.0.begin(3);
        quick.0.make_room(&mut quick.1);
        quick.0.sweep(usize::MAX, &mut quick.1);
        for step in 0..500 {
            let key = mix(mix(search * 1000 + step) % (400 * (search / 4 + 1)));
            let found = [&mut slow, &mut quick].map(|(table, purse)| {
                let there = table.find(key).is_some();
                let id = node(table, key, purse);
                if there {
                    push(table, id, step, 37, purse);
                }
                moves(table, id)
            });
            assert_eq!(found[0], found[1], "search {search}, step {step}");
        }
        slow.0.sweep(usize::MAX, &mut slow.1);
        let sizes = [&slow.0, &quick.0].map(|table| (table.size().nodes, table.size().edges));
        assert_eq!(sizes[0], sizes[1]);
    }
}

#[test]
fn a_search_over_a_full_table_begins_at_once() {
    let (mut table, mut purse) = (Table::new(1), Purse::default());
    let fill = |table: &mut Table, purse: &mut Purse| {
        for number in 0..1u64 << 18 {
            let id = node(table, mix(number), purse);
            push(table, id, number, 3, purse);
        }
    };
    table.begin(1);
    fill(&mut table, &mut purse);
    let places = table.nodes.len();
    table.begin(1);
    table.begin(1);
    for number in 0..(places / PLACES_SWEPT) as u64 {
        assert!(table.find(mix(number)).is_none());
        table.make_room(&mut purse);
    }
    let size = table.size();
    assert_eq!((size.nodes, size.edges, table.nodes.len()), (0, 0, places));
    let edges = table.edges.len();
    fill(&mut table, &mut purse);
    assert_eq!((table.nodes.len(), table.edges.len()), (places, edges), "memory is used again");
}

#[test]
fn several_threads_lose_nothing() {
    const THREADS: usize = 4;
    const ROUNDS: u64 = 30_000;
    const KEYS: u64 = 5_000;
    let shared = super::super::shared::Shared::new(THREADS);
    shared.have().begin(0);
    let work = |seed: u64| {
        let (mut purse, mut near) = (Purse::default(), Default::default());
        let mut tree = super::super::shared::Hold::begin(&shared, THREADS);
        for round in 0..ROUNDS {
            while tree.must_stop(&purse) {
                tree = tree.stop(&mut purse, &mut near);
            }
            let drawn = mix(seed << 32 | round);
            let key = mix(drawn % KEYS);
            let id = tree.find(key).unwrap_or_else(|| tree.insert(key, FIRST, &mut purse).0);
            tree.set_legal(id, 7);
            let index = match tree.cells(id).iter().position(|c| c.mv().0 == drawn % 7) {
                Some(index) => index,
                None => {
                    let seen = tree.tried(id);
                    let pushed = tree.push_edge(id, edge(drawn % 7), seen, &mut purse);
                    pushed.expect("there is room").0
                }
            };
            tree.change(id, index, 1, |edge| edge.update(1.0, 1));
        }
        tree.hear(&mut purse);
    };
    let work = &work;
    std::thread::scope(|scope| {
        (0..THREADS as u64).for_each(|seed| drop(scope.spawn(move || work(seed))));
    });
    let tree = shared.enter();
    let (mut visits, mut edges) = (0, 0);
    for number in 0..KEYS {
        let Some(id) = tree.find(mix(number)) else { continue };
        visits += u64::from(tree.visits(id)) - 1;
        let mut tried = moves(&tree, id);
        edges += tried.len();
        assert!(tree.edges(id).all(|edge| edge.visits() > 0 && edge.mean == 1.0));
        tried.sort_unstable();
        tried.dedup();
        assert_eq!(tried.len(), tree.tried(id), "no move is there twice");
    }
    assert_eq!(visits, THREADS as u64 * ROUNDS);
    assert_eq!((tree.size().nodes as u64, tree.size().edges), (KEYS, edges));
}
