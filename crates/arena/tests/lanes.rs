//! Games stepped side by side show what single positions show, for every built-in game.

use ludex_arena::catalog;
use ludex_game::lanes::{Frame, NOBODY, Plan, Renewal, Reward, TOGETHER};
use ludex_game::planes::{Perspective, Planes};
use ludex_game::{Choices, Game, Machine, Marks, Player, Rng, State, Survey, Turn, View};
use std::sync::Arc;

const LANES: usize = 3;
const STEPS: u64 = 30;

/// The arrays that lanes write to.
struct Arrays {
    observation: Vec<u8>,
    mask: Vec<u8>,
    reward: Vec<f32>,
    flags: [Vec<u8>; 2],
    mover: Vec<i32>,
}

impl Arrays {
    fn frame(&mut self) -> Frame<'_> {
        let [terminated, truncated] = &mut self.flags;
        let (observation, mask) = (&mut self.observation, &mut self.mask);
        let (reward, mover) = (&mut self.reward, &mut self.mover);
        Frame {
            observation,
            attributes: &mut [],
            ended: &mut [],
            ended_attributes: &mut [],
            mask,
            reward,
            terminated,
            truncated,
            mover,
        }
    }
}

#[test]
fn lanes_are_games() {
    for spec in catalog::builtins() {
        let game = catalog::load(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let survey = Survey::of(&*game);
        // What chance decides inside a step cannot be followed from outside.
        if game.info().players > 0 && !survey.chance {
            // Chains are taken, and positions would come back, only after many moves.
            let steps = if game.info().machine == Machine::Liberties { 600 } else { STEPS };
            follow(&game, survey, steps);
        }
    }
}

fn follow(game: &Arc<dyn Game>, survey: Survey, steps: u64) {
    let planes = Planes::of(&**game, &survey, Perspective::Mover).map(Arc::new);
    let (players, size) = (game.info().players, survey.space.len() as usize);
    let together = survey.simultaneous;
    let seats = if together { players } else { 1 };
    let width = planes.as_ref().map_or(0, |planes| planes.len());
    let plan = Plan {
        space: survey.space,
        planes: planes.clone(),
        renewal: Renewal::NextStep,
        reward: Reward::Balanced,
        together,
        masks: true,
    };
    let mut arrays = Arrays {
        observation: vec![0; LANES * seats * width],
        mask: vec![0; LANES * seats * size],
        reward: vec![0.0; LANES * players],
        flags: [vec![0; LANES], vec![0; LANES]],
        mover: vec![0; LANES],
    };
    let mut lanes = game.clone().lanes(LANES, plan);
    for lane in 0..LANES {
        lanes.begin(lane, Rng::stream(1, lane as u64), &mut arrays.frame()).unwrap();
    }
    let mut states: Vec<State> = (0..LANES).map(|_| game.start()).collect();
    let mut actions = vec![0; LANES * seats];
    for step in 0..steps {
        for (lane, state) in states.iter().enumerate() {
            look(&**game, &survey, planes.as_deref(), state, lane, seats, &arrays);
        }
        if arrays.mover.contains(&NOBODY) {
            return;
        }
        lanes.draw(step, 0, &mut actions);
        lanes.choose(&actions).unwrap();
        for (lane, state) in states.iter_mut().enumerate() {
            play(&**game, &survey, state, &actions[lane * seats..][..seats]);
        }
        lanes.step(&mut arrays.frame()).unwrap();
    }
}

fn movers(game: &dyn Game, state: &State) -> Vec<Player> {
    match game.turn(state) {
        Turn::Players(players) => players.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Whether a lane shows this position.
fn look(
    game: &dyn Game,
    survey: &Survey,
    planes: Option<&Planes>,
    state: &State,
    lane: usize,
    seats: usize,
    arrays: &Arrays,
) {
    let name = &game.info().name;
    let (movers, size) = (movers(game, state), survey.space.len() as usize);
    let expected = match movers[..] {
        [] => NOBODY,
        [only] => i32::from(only.0),
        _ => TOGETHER,
    };
    assert_eq!(arrays.mover[lane], expected, "{name}");
    for seat in 0..seats {
        let player = if seats > 1 { Some(Player(seat as u8)) } else { movers.first().copied() };
        let mut mask = vec![0; size];
        if let Some(player) = player.filter(|player| movers.contains(player)) {
            let mut choices = Choices::default();
            game.choices(state, player, survey.space, &mut Marks::default(), &mut choices);
            choices.write_mask(&mut mask);
            assert_eq!(
                mask.iter().map(|&one| u32::from(one)).sum::<u32>(),
                choices.count(),
                "{name}"
            );
        }
        let place = lane * seats + seat;
        assert_eq!(arrays.mask[place * size..][..size], mask, "{name}");
        if let (Some(planes), Some(looks)) = (planes, player) {
            let (mut view, mut shown) = (View::new(), vec![0; planes.len()]);
            let viewer = game.info().hidden.then_some(looks);
            game.plane_view(state, viewer, planes.detail(), &mut view);
            planes.write(&view, game.plane_last(state), looks, &mut shown);
            assert_eq!(arrays.observation[place * planes.len()..][..planes.len()], shown, "{name}");
        }
    }
}

fn play(game: &dyn Game, survey: &Survey, state: &mut State, actions: &[i32]) {
    let mut joint = Vec::new();
    for player in movers(game, state) {
        let mut choices = Choices::default();
        game.choices(state, player, survey.space, &mut Marks::default(), &mut choices);
        let action = actions[if actions.len() > 1 { player.index() } else { 0 }];
        let place = choices.find(action as u32).expect("what was drawn is legal");
        joint.push(game.chosen(state, player, &choices, place));
    }
    game.apply(state, &joint);
}
