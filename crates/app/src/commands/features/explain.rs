//! `ludex features explain`: what features mean.

use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::features::explain::{Explained, ablate, explain, plans};
use ludex_arena::features::learn::{Plan, Use};
use ludex_arena::features::serves::find_served;
use ludex_arena::features::{FeatureFile, load_features};
use ludex_play::features::Strategy;
use ludex_play::features::learn::Limits;
use ludex_play::search::{Budget, Stop};
use serde::Serialize;

use super::ExplainArgs;
use super::learn::{scored, write_whole};
use crate::output::json_line;

pub(super) fn run(args: &ExplainArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let set = load_features(&args.file)?;
    let spec = game_of(args)?;
    let game = catalog::load(&spec)?;
    let mut explained = explain(&game, &set, args.games, args.seed)?;
    if args.ablate > 0 {
        let budget = Budget::simulations(args.simulations);
        let (matches, threads) = (args.ablate, args.threads.into());
        let total = explained.len();
        let mut done = 0;
        ablate(
            &game,
            &set,
            &mut explained,
            Use::Prior,
            (matches, budget),
            (args.seed, threads),
            |_| {
                done += 1;
                eprintln!("{done} of {total} features taken out");
            },
        )?;
    }
    if args.rules > 0 {
        let plan = Plan {
            game: game.clone(),
            name: spec.name.clone(),
            options: spec.options.clone(),
            games: args.rules,
            simulations: args.simulations,
            rounds: 1,
            limits: Limits::default(),
            time: Duration::from_secs(3600),
            matches: 0,
            seed: args.seed,
            threads: args.threads.into(),
            stop: Stop::default(),
        };
        for part in find_served(&spec, &plan, &set, &mut explained)? {
            eprintln!("altered: {part}");
        }
    }
    let plans = plans(&set);
    if let Some(path) = &args.html {
        write_whole(path, &page(&spec.name, &explained, &plans))?;
        writeln!(out, "{} explains {} features", path.display(), explained.len())?;
        return Ok(ExitCode::SUCCESS);
    }
    for feature in &explained {
        match args.json {
            true => json_line(out, &Row::of(feature))?,
            false => print(feature, out)?,
        }
    }
    if !args.json {
        for (player, plans) in plans.iter().enumerate() {
            for plan in plans {
                writeln!(out, "{}: {} ({})", whose(player, &set), plan.name, numbers(plan))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn whose(player: usize, set: &ludex_play::features::FeatureSet) -> String {
    match set.players.len() {
        1 => "strategy of all players".to_string(),
        _ => format!("strategy of player {}", player + 1),
    }
}

fn numbers(plan: &Strategy) -> String {
    let numbers: Vec<String> = plan.features.iter().map(|n| (n + 1).to_string()).collect();
    format!("features {}", numbers.join(", "))
}

/// The game that is named, or the one the file was made for.
fn game_of(args: &ExplainArgs) -> anyhow::Result<GameSpec> {
    match (&args.game, args.file.extension().and_then(|end| end.to_str())) {
        (Some(name), _) => Ok(args.options.spec(name)),
        (None, Some("toml")) => {
            let file = FeatureFile::load(&args.file)?;
            Ok(GameSpec { options: file.options, ..args.options.spec(&file.game) })
        }
        _ => bail!("which game are these features for? Name it: --game hex"),
    }
}

#[derive(Serialize)]
struct Row<'r> {
    player: usize,
    feature: &'r str,
    weight: f32,
    sentence: &'r str,
    positions: f64,
    moves: f64,
    played: f64,
    worth: Option<[f64; 3]>,
    serves: &'r [String],
}

impl<'r> Row<'r> {
    fn of(feature: &'r Explained) -> Self {
        let fires = feature.fires;
        let share = |part: u64, of: u64| part as f64 / of.max(1) as f64;
        Row {
            player: feature.player + 1,
            feature: &feature.text,
            weight: feature.weight,
            sentence: &feature.sentence,
            positions: share(fires.somewhere, fires.positions),
            moves: share(fires.held, fires.moves),
            played: share(fires.played, fires.positions),
            worth: feature.worth.as_ref().map(|tally| {
                let interval = tally.interval();
                [tally.mean().unwrap_or(0.5), interval.low, interval.high]
            }),
            serves: &feature.serves,
        }
    }
}

fn print(feature: &Explained, out: &mut dyn Write) -> anyhow::Result<()> {
    let row = Row::of(feature);
    let (player, number) = (row.player, feature.number + 1);
    writeln!(out, "P{player} {number:2}. {:+.3}  {}", row.weight, row.sentence)?;
    writeln!(out, "        {}", row.feature)?;
    let [positions, moves, played] =
        [row.positions, row.moves, row.played].map(|share| 100.0 * share);
    writeln!(
        out,
        "        holds in {positions:.1}% of positions, for {moves:.1}% of moves, for {played:.1}% of those played"
    )?;
    if let Some(worth) = &feature.worth {
        writeln!(out, "        worth: {} with it against without", scored(worth))?;
    }
    if !row.serves.is_empty() {
        writeln!(out, "        serves: {}", row.serves.join(", "))?;
    }
    Ok(out.flush()?)
}

/// All of it as a page.
fn page(game: &str, explained: &[Explained], plans: &[Vec<Strategy>]) -> String {
    let escaped = ludex_arena::report::plot::escaped;
    let mut out = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>Features of {0}</title>\
         <style>body{{font:15px/1.5 system-ui,sans-serif;max-width:64em;margin:2em auto;padding:0 1em}}\
         table{{border-collapse:collapse;width:100%}}td,th{{border-top:1px solid #ddd;padding:.5em;vertical-align:top;text-align:left}}\
         svg{{max-width:190px;height:auto;max-height:190px}}code{{font-size:12px;color:#555;overflow-wrap:anywhere}}\
         .weight{{font-variant-numeric:tabular-nums;white-space:nowrap}}</style>\
         <h1>Features of {0}</h1>\
         <p>White discs are the mover's pieces, black discs the enemy's; dots must be empty; an orange dot is where the move \
         before ended; <b style=\"color:#178a2b\">+</b> is a move that is encouraged, <b style=\"color:#c0211b\">–</b> one that is \
         not; a red slash is what must not be there, a grey bar the edge of the board.</p>",
        escaped(game)
    );
    for (player, plans) in plans.iter().enumerate() {
        let name = if plans.len() == 1 && explained.iter().all(|f| f.player == 0) {
            "Strategies".to_string()
        } else {
            format!("Strategies of player {}", player + 1)
        };
        let _ = write!(out, "<h2>{name}</h2><ul>");
        for plan in plans {
            let _ = write!(out, "<li>{} ({})</li>", escaped(&plan.name), numbers(plan));
        }
        out.push_str("</ul>");
    }
    out.push_str("<table><tr><th>#<th>on its board<th>on another grid<th>weight<th>what it says<th>holds</tr>");
    for feature in explained {
        let row = Row::of(feature);
        let [board, other] = [0, 1].map(|at| feature.pictures[at].as_deref().unwrap_or("–"));
        let _ = write!(
            out,
            "<tr><td>P{}.{}<td>{board}<td>{other}<td class=\"weight\">{:+.3}<td>{}<br><code>{}</code>",
            row.player,
            feature.number + 1,
            row.weight,
            escaped(row.sentence),
            escaped(row.feature)
        );
        if let Some(worth) = &feature.worth {
            let _ = write!(out, "<br>With it against without: {}", scored(worth).trim());
        }
        if !row.serves.is_empty() {
            let _ = write!(out, "<br>Serves {}", escaped(&row.serves.join(", ")));
        }
        let [positions, moves, played] =
            [row.positions, row.moves, row.played].map(|share| 100.0 * share);
        let _ = write!(
            out,
            "<td>{positions:.1}% of positions<br>{moves:.1}% of moves<br>{played:.1}% of those played</tr>"
        );
    }
    out + "</table>"
}
