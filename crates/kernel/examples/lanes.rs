//! Steps many games of `.lud` files side by side at random and says how fast: `lanes SECONDS|STEPSx FILE…`, as in
//! `lanes 1 games/lud/go.lud` or, for instruction counts that can be compared, `lanes 500x games/lud/go.lud`.

use cpu_time::ThreadTime;
use ludex_game::lanes::{Frame, Lanes, Plan, Renewal, Reward};
use ludex_game::planes::{Perspective, Planes};
use ludex_game::{Game, Rng, Survey};
use ludex_kernel::fastest;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::compile;
use std::error::Error;
use std::sync::Arc;

const LANES: usize = 1024;

fn load(path: &str) -> Result<Arc<dyn Game>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let description = read(&text, SourceId(0), &Library::default(), &[]).map_err(|d| d.message)?;
    Ok(fastest(compile(&description).map_err(|d| d.message)?)?)
}

/// Steps all lanes until `enough` says so of steps and seconds; gives both.
fn run(
    game: Arc<dyn Game>,
    enough: impl Fn(u32, f64) -> bool,
) -> Result<(u32, f64), Box<dyn Error>> {
    let survey = Survey::of(&*game);
    let planes = Planes::of(&*game, &survey, Perspective::Mover).map(Arc::new);
    let (width, size) = (planes.as_ref().map_or(0, |planes| planes.len()), survey.space.len());
    let players = game.info().players;
    let plan = Plan {
        space: survey.space,
        planes,
        renewal: Renewal::SameStep,
        reward: Reward::Balanced,
        together: false,
        masks: true,
    };
    let mut lanes = game.lanes(LANES, plan);
    let (mut observation, mut ended) = (vec![0; LANES * width], vec![0; LANES * width]);
    let (mut mask, mut reward) = (vec![0; LANES * size as usize], vec![0.0; LANES * players]);
    let (mut terminated, mut truncated) = (vec![0; LANES], vec![0; LANES]);
    let (mut mover, mut actions) = (vec![0; LANES], vec![0; LANES]);
    let mut frame = Frame {
        observation: &mut observation,
        attributes: &mut [],
        ended: &mut ended,
        ended_attributes: &mut [],
        mask: &mut mask,
        reward: &mut reward,
        terminated: &mut terminated,
        truncated: &mut truncated,
        mover: &mut mover,
    };
    for lane in 0..LANES {
        lanes.begin(lane, Rng::stream(1, lane as u64), &mut frame)?;
    }
    let mut step = |lanes: &mut dyn Lanes, key: u32| {
        lanes.draw(u64::from(key), 0, &mut actions);
        lanes.choose(&actions)?;
        lanes.step(&mut frame)
    };
    // Until games are at all stages.
    (0..300).try_for_each(|key| step(&mut *lanes, key))?;
    let (mut steps, began) = (0, ThreadTime::now());
    while !enough(steps, began.elapsed().as_secs_f64()) {
        step(&mut *lanes, 300 + steps)?;
        steps += 1;
    }
    Ok((steps, began.elapsed().as_secs_f64()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let length = words.next().unwrap_or_default();
    let fixed: Option<u32> = length.strip_suffix('x').map(str::parse).transpose()?;
    let seconds: f64 = if fixed.is_some() { 0.0 } else { length.parse()? };
    for path in words {
        let (steps, took) =
            run(load(&path)?, |steps, took| fixed.map_or(took >= seconds, |fixed| steps >= fixed))?;
        let all = f64::from(steps) * LANES as f64;
        println!("{path}: {:.2} M steps/s, {:.0} ns a step", all / took / 1e6, 1e9 * took / all);
    }
    Ok(())
}
