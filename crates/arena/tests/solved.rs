//! Whole small boards: what searches prove of them is what going through everything finds.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use ludex_arena::catalog::{self, GameSpec, Language, Places};
use ludex_game::{Game, Move, Player, Rng, State, Turn};
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

fn from_text(text: &str) -> Arc<dyn Game> {
    let found =
        catalog::find_in_text(text, Language::Lud, &GameSpec::named("small"), Places::here());
    found.unwrap_or_else(|error| panic!("{error}")).game
}

/// Hex without the swap, of so many cells a side.
fn hex(side: usize) -> Arc<dyn Game> {
    from_text(&format!(
        "(game \"Hex\" (players 2)
            (equipment {{ (board (hex Diamond {side})) (piece \"Stone\" Each)
                (regions P1 {{(sites Side NE) (sites Side SW)}})
                (regions P2 {{(sites Side NW) (sites Side SE)}}) }})
            (rules (play (move Add (to (sites Empty))))
                (end (if (is Connected Mover) (result Mover Win)))))"
    ))
}

fn connect_four() -> Arc<dyn Game> {
    let text = ludex_games::ludemes::description("connect-four").unwrap();
    from_text(&text.replace("(rectangle 6 7)", "(rectangle 4 5)"))
}

fn named(name: &str, size: Option<&str>) -> Arc<dyn Game> {
    let spec = GameSpec { size: size.map(str::to_string), ..GameSpec::named(name) };
    catalog::load(&spec).unwrap()
}

/// Every position that can come up, and what it is worth to the first player: backwards from the ends, so that going
/// round in circles proves nothing and what is left is a draw.
struct Truth {
    worth: HashMap<u64, f32>,
}

impl Truth {
    fn of(game: &dyn Game) -> Truth {
        const MOST: usize = 3_000_000;
        let mut places: HashMap<u64, usize> = HashMap::new();
        let (mut waiting, mut keys) = (vec![game.start()], Vec::new());
        let (mut movers, mut worth): (Vec<Option<Player>>, Vec<Option<f32>>) = Default::default();
        let mut next: Vec<Vec<u64>> = Vec::new();
        places.insert(game.hash(&waiting[0]), 0);
        keys.push(game.hash(&waiting[0]));
        let mut known = 1;
        let mut states: HashMap<u64, State> = HashMap::new();
        states.insert(keys[0], waiting.pop().unwrap());
        let mut at = 0;
        while at < known {
            let state = states.remove(&keys[at]).unwrap();
            let (mut children, mut value) = (Vec::new(), None);
            let mover = game.turn(&state).mover();
            match game.turn(&state) {
                Turn::Over => {
                    let mut payoffs = [0.0; 2];
                    game.payoffs(&state, &mut payoffs);
                    value = Some(payoffs[0]);
                }
                _ => {
                    for mv in moves(game, &state) {
                        let mut child = state.clone();
                        game.apply(&mut child, &[mv]);
                        let key = game.hash(&child);
                        children.push(key);
                        if let Entry::Vacant(place) = places.entry(key) {
                            place.insert(known);
                            keys.push(key);
                            states.insert(key, child);
                            known += 1;
                        }
                    }
                }
            }
            movers.push(mover);
            worth.push(value);
            next.push(children);
            at += 1;
            assert!(known < MOST, "the board is too large to go through");
        }
        loop {
            let mut changed = false;
            for at in (0..known).rev() {
                let (None, Some(mover)) = (worth[at], movers[at]) else { continue };
                let best = if mover == Player::FIRST { 1.0 } else { 0.0 };
                let values: Vec<Option<f32>> =
                    next[at].iter().map(|key| worth[places[key]]).collect();
                let found = match () {
                    () if values.contains(&Some(best)) => Some(best),
                    () if values.iter().all(Option::is_some) => {
                        let values = values.into_iter().flatten();
                        Some(if best == 1.0 {
                            values.fold(0.0, f32::max)
                        } else {
                            values.fold(1.0, f32::min)
                        })
                    }
                    () => None,
                };
                if found.is_some() {
                    worth[at] = found;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let worth = keys.into_iter().zip(worth).map(|(key, value)| (key, value.unwrap_or(0.5)));
        Truth { worth: worth.collect() }
    }

    /// What a position is worth to a player.
    fn worth(&self, game: &dyn Game, state: &State, player: Player) -> f64 {
        let first = f64::from(self.worth[&game.hash(state)]);
        if player == Player::FIRST { first } else { 1.0 - first }
    }
}

fn moves(game: &dyn Game, state: &State) -> Vec<Move> {
    let mut legal = Vec::new();
    if let Some(mover) = game.turn(state).mover() {
        game.moves(state, mover, &mut legal);
    }
    legal
}

/// Lets an agent think about the start and about positions of random games; whatever it proves must be so.
fn agrees(game: &Arc<dyn Game>, truth: &Truth, agent: &str, positions: u64) -> usize {
    let spec: AgentSpec = agent.parse().unwrap();
    let (mut rng, mut state, mut proved) = (Rng::seeded(3), game.start(), 0);
    for _ in 0..12 {
        let Some(player) = game.turn(&state).mover() else { break };
        let mut thinker = spec.build(game, None, &mut rng).unwrap();
        let report = thinker.choose(&state, player, Budget::simulations(positions)).report.unwrap();
        let after = |mv: Move| {
            let mut child = state.clone();
            game.apply(&mut child, &[mv]);
            truth.worth(&**game, &child, player)
        };
        let shown = || format!("{agent}\n{}", game.show(&state, None));
        for found in report.moves.iter().filter(|found| found.proved) {
            assert_eq!(found.mean, after(found.mv), "{}", shown());
        }
        if report.solved {
            let worth = truth.worth(&**game, &state, player);
            assert_eq!((report.value(), after(report.best)), (worth, worth), "{}", shown());
            proved += 1;
        }
        let legal = moves(&**game, &state);
        let drawn = legal[rng.below(legal.len() as u32) as usize];
        game.apply(&mut state, &[drawn]);
    }
    proved
}

#[test]
fn small_boards_have_the_value_that_going_through_everything_finds() {
    let boards = [
        ("Tic-Tac-Toe", named("tic-tac-toe", None), Some(0.5), true),
        ("Breakthrough 3x5", named("breakthrough", Some("3x5")), None, true),
        ("Hex 3x3", hex(3), Some(1.0), true),
    ];
    for (name, game, known, whole) in boards {
        let truth = Truth::of(&*game);
        let start = truth.worth(&*game, &game.start(), Player::FIRST);
        if let Some(known) = known {
            assert_eq!(start, known, "{name}");
        }
        for agent in ["uct(solve)", "alphabeta", "ubfm"] {
            let proved = agrees(&game, &truth, agent, 60_000);
            assert!(
                !whole || agent == "alphabeta" || proved >= 1,
                "{agent} on {name} proved nothing"
            );
        }
    }
}

/// The boards that take longer: `LUDEX_EVERY=1`, in a release build.
#[test]
fn larger_boards_too() {
    if std::env::var_os("LUDEX_EVERY").is_none() {
        eprintln!("skipped: LUDEX_EVERY is not set");
        return;
    }
    for (name, game) in [
        ("Breakthrough 5x4", named("breakthrough", Some("5x4"))),
        ("Connect Four 5x4", connect_four()),
        ("Hex 4x4", hex(4)),
    ] {
        let truth = Truth::of(&*game);
        for agent in ["uct(solve)", "alphabeta"] {
            let proved = agrees(&game, &truth, agent, 2_000_000);
            println!("{name}: {agent} proved {proved} positions");
            assert!(proved >= 1, "{agent} on {name} proved nothing");
        }
    }
}

/// The first player wins 5×5 Hex, and the search proves it within a minute of a release build: `LUDEX_EVERY=1`.
#[test]
fn hex_on_five_by_five_is_proved() {
    if std::env::var_os("LUDEX_EVERY").is_none() {
        eprintln!("skipped: LUDEX_EVERY is not set");
        return;
    }
    let game = hex(5);
    let spec: AgentSpec = "uct(solve)".parse().unwrap();
    let mut thinker = spec.build(&game, None, &mut Rng::seeded(1)).unwrap();
    let budget = Budget::time(std::time::Duration::from_secs(60));
    let report = thinker.choose(&game.start(), Player::FIRST, budget).report.unwrap();
    assert!(report.solved, "not proved after {} simulations", report.simulations);
    assert_eq!(report.value(), 1.0);
}
