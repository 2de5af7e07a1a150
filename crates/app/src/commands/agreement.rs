//! `ludex evaluate … --again SEED`: how alike two seeds rank the same games.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::experiment::Store;
use ludex_game::Rng;
use ludex_judge::agreement::{Agreement, FEWEST, Pair, agreements, sound_numbers};
use ludex_judge::spread::Spread;
use ludex_judge::{Evaluation, JudgeError, Tier};
use serde::Serialize;

use super::evaluate::{is_writable, line, open, plan, specs, stop_on_ctrl_c, watched};
use super::library;
use crate::cli::EvaluateArgs;
use crate::output::{json_line, table};

/// A rank correlation below this is marked.
const ALIKE: f64 = 0.95;

pub fn run(args: &EvaluateArgs, again: u64, out: &mut dyn Write) -> anyhow::Result<()> {
    if again == args.how.seed {
        bail!("--again {again} is the seed itself; give another to compare with");
    }
    if let Some(path) = &args.write {
        is_writable(path)?;
    }
    let Some(tier) = Tier::numbered(args.tier) else { bail!("there are the tiers 0, 1 and 2") };
    let (mut drawn, wanted) = drawn(args)?;
    if wanted.min(drawn.len()) < FEWEST {
        bail!(
            "--again says how games are ranked: name at least {FEWEST}, or draw as many from a library"
        );
    }
    let store = open(&args.how)?;
    let stop = stop_on_ctrl_c()?;
    let (mut pairs, mut refused): (Vec<Pair>, Vec<String>) = (Vec::new(), Vec::new());
    while pairs.len() < wanted
        && let Some(spec) = drawn.pop_front()
    {
        match twice(args, &spec, tier, again, &store, &stop) {
            Ok(both) => {
                if args.json {
                    both.iter().try_for_each(|found| json_line(out, &line(found)))?;
                }
                let [one, two] = both;
                pairs.push([one.metrics, two.metrics]);
            }
            Err(error) => match error.downcast::<JudgeError>() {
                Ok(JudgeError::Stopped) => bail!(JudgeError::Stopped),
                Ok(_) => refused.push(spec.to_string()),
                Err(other) => return Err(other),
            },
        }
    }
    if pairs.is_empty() {
        bail!("none of these games could be judged: {}", refused.join(", "));
    }
    if let Some(path) = &args.write {
        let text = Spread::of(pairs.iter().map(|[one, _]| one)).text(args.how.seed);
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let found = agreements(&pairs);
    let sound = sound_numbers(&pairs);
    match args.json {
        true => json_line(out, &Summary::of(&found, &sound, &refused, [args.how.seed, again])),
        false => print(&found, &sound, &refused, [args.how.seed, again], out),
    }
}

/// The games in the order in which they are judged, and how many are wanted: those that were named, or as many as the
/// sample has from the library, every other one from the built-in games where these are asked for too.
fn drawn(args: &EvaluateArgs) -> anyhow::Result<(VecDeque<GameSpec>, usize)> {
    let mut all: VecDeque<GameSpec> = specs(args)?.into();
    let Some(folder) = &args.library else {
        if args.built_in {
            bail!("--built-in adds to the games of a library: say which with --library DIR");
        }
        let count = all.len();
        return Ok((all, count));
    };
    let seed = args.how.seed;
    let files = library::drawn(folder, &args.leave_out, seed)?;
    let mut built_in: VecDeque<GameSpec> = match args.built_in {
        true => built_in(seed).into(),
        false => VecDeque::new(),
    };
    for file in files {
        all.extend(built_in.pop_front());
        all.push_back(library::spec(folder, &file));
    }
    let count = all.len();
    Ok((all, args.sample.map_or(count, |sample| sample as usize)))
}

/// The built-in games in an order drawn by a seed; of two forms of one game, one.
fn built_in(seed: u64) -> Vec<GameSpec> {
    let names: Vec<String> = catalog::builtins().map(|spec| spec.name).collect();
    let is_twin = |name: &String| {
        name.strip_suffix(".lud").is_some_and(|plain| names.iter().any(|other| other == plain))
    };
    let mut own: Vec<GameSpec> =
        names.iter().filter(|name| !is_twin(name)).map(GameSpec::named).collect();
    Rng::seeded(seed).shuffle(&mut own);
    own
}

/// A game judged by both seeds; with the second by as many simulations as with the first.
fn twice(
    args: &EvaluateArgs,
    spec: &GameSpec,
    tier: Tier,
    again: u64,
    store: &Store,
    stop: &AtomicBool,
) -> anyhow::Result<[Evaluation; 2]> {
    let mut plan = plan(spec.clone(), tier, &args.how)?;
    let one = watched(&plan, store, stop)?;
    plan.seed = again;
    if one.evidence.simulations > 0 {
        plan.simulations = Some(one.evidence.simulations);
    }
    Ok([one, watched(&plan, store, stop)?])
}

/// What two seeds make of the numbers, as JSON has it.
#[derive(Serialize)]
struct Summary {
    seeds: [u64; 2],
    games: usize,
    refused: Vec<String>,
    sound_numbers: Vec<usize>,
    agreement: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    games: usize,
    spearman: Option<f64>,
    games_with_warned: usize,
    spearman_with_warned: Option<f64>,
}

impl Summary {
    fn of(found: &[Agreement], sound: &[usize], refused: &[String], seeds: [u64; 2]) -> Summary {
        let row = |one: &Agreement| Row {
            name: one.name.clone(),
            games: one.sound,
            spearman: one.of_sound,
            games_with_warned: one.games,
            spearman_with_warned: one.of_all,
        };
        Summary {
            seeds,
            games: sound.len(),
            refused: refused.to_vec(),
            sound_numbers: sound.to_vec(),
            agreement: found.iter().map(row).collect(),
        }
    }
}

fn print(
    found: &[Agreement],
    sound: &[usize],
    refused: &[String],
    [one, two]: [u64; 2],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let header = ["", "games without a warning", "Spearman", "all games", "Spearman of all"];
    let mut shown = table(&header, &[1, 2, 3, 4]);
    let said = |value: Option<f64>| match value {
        Some(value) if value < ALIKE => format!("{value:.3} !"),
        Some(value) => format!("{value:.3}"),
        None => "–".to_string(),
    };
    for number in found {
        shown.add_row([
            number.name.clone(),
            number.sound.to_string(),
            said(number.of_sound),
            number.games.to_string(),
            said(number.of_all),
        ]);
    }
    writeln!(out, "{shown}")?;
    writeln!(
        out,
        "{} games, seeds {one} and {two}; ! is below {ALIKE}; – is fewer than five games, or all alike",
        sound.len()
    )?;
    let least =
        |share: f64| sound[(((1.0 - share) * sound.len() as f64) as usize).min(sound.len() - 1)];
    writeln!(
        out,
        "numbers without a warning: at least {} for nine games of ten, {} for eight of ten, {} for half",
        least(0.9),
        least(0.8),
        least(0.5)
    )?;
    if !refused.is_empty() {
        writeln!(out, "without figures: {}", refused.join(", "))?;
    }
    Ok(())
}
