//! An evaluation as one page, complete in itself: verdict, warnings, plots, numbers, and games that replay.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use ludex_arena::catalog;
use ludex_arena::experiment::{Store, StoredGame};
use ludex_arena::report::plot::{Bar, course, curves, dots, escaped};
use ludex_arena::stats::Tally;
use ludex_draw::{Layout, words};
use ludex_game::{Detail, Game, Player, State, Trial, View};

use crate::{Evaluation, JudgeError, Plan, plots, verdict};
use ludex_arena::course::{Course, Payoffs};

const STYLE: &str = "
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: .2rem; } .verdict { font-size: 1.15rem; margin: .4rem 0 1rem; }
.warnings { border-left: 4px solid #c8553d; padding: .4rem 1rem .4rem 2rem; background: #c8553d18; }
.fine { border-left: 4px solid #588157; padding: .4rem 1rem; background: #58815718; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; width: 100%; }
td, th { padding: .2rem .6rem; border-bottom: 1px solid #8884; text-align: left; }
td.n { text-align: right; white-space: nowrap; } td.s, .small { font-size: .85em; opacity: .75; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1.2rem; }
figure { margin: 0; } figcaption { font-weight: 600; margin-bottom: .2rem; }
svg { width: 100%; display: block; font-size: 12px; } svg text { fill: currentColor; }
.grid { stroke: #8884; } .half { stroke: #888; stroke-dasharray: 4 3; }
.board { max-width: 24rem; margin: 0 auto; } .game { border: 1px solid #8884; border-radius: 8px; padding: .8rem 1rem; margin: 1rem 0; }
.controls { display: flex; gap: .5rem; align-items: center; } .controls input { flex: 1; }
pre { text-align: center; } button { font: inherit; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #ddd; } }
";

const SCRIPT: &str = "
for (const game of document.querySelectorAll('.game')) {
  const frames = JSON.parse(game.querySelector('script').textContent);
  const slot = game.querySelector('.slot'), text = game.querySelector('.move');
  const slider = game.querySelector('input'), cursor = game.querySelector('.cursor');
  const show = () => {
    const [pieces, move] = frames[slider.value];
    slot.innerHTML = pieces; text.textContent = move;
  };
  slider.addEventListener('input', show);
  const step = by => { slider.value = +slider.value + by; show(); };
  game.querySelector('.back').addEventListener('click', () => step(-1));
  game.querySelector('.on').addEventListener('click', () => step(1));
  let timer = null;
  const play = game.querySelector('.play');
  play.addEventListener('click', () => {
    if (timer) { clearInterval(timer); timer = null; play.textContent = 'play'; return; }
    if (+slider.value === +slider.max) slider.value = 0;
    play.textContent = 'stop';
    timer = setInterval(() => {
      if (+slider.value >= +slider.max) play.click(); else step(1);
    }, 450);
  });
  show();
}
";

/// Frames of a game that a page keeps; of longer games the beginning is shown.
const FRAMES: usize = 240;

/// The page.
pub fn html(plan: &Plan, found: &Evaluation, store: &Store) -> Result<String, JudgeError> {
    let game = catalog::load(&plan.game)?;
    let mut out = String::new();
    let title = escaped(&found.name);
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n\
         <div class=\"small\">{} · tier {} · {} · seed {}</div>\n<p class=\"verdict\">{}</p>\n",
        escaped(&found.game),
        found.tier.number(),
        escaped(&found.agent),
        found.seed,
        escaped(&found.verdict)
    );
    warnings(found, &mut out);
    out.push_str("<div class=\"plots\">\n");
    pictures(found, &*game, &mut out);
    out.push_str("</div>\n");
    examples(plan, found, store, &game, &mut out)?;
    numbers(found, &mut out);
    for note in &found.notes {
        let _ = writeln!(out, "<p class=\"small\">{}</p>", escaped(note));
    }
    let _ = writeln!(out, "<script>{SCRIPT}</script></body></html>");
    Ok(out)
}

fn warnings(found: &Evaluation, out: &mut String) {
    if found.warnings.is_empty() {
        out.push_str("<p class=\"fine\">Nothing to warn of.</p>\n");
        return;
    }
    out.push_str("<ul class=\"warnings\">\n");
    for warning in &found.warnings {
        let _ = writeln!(out, "<li>{}</li>", escaped(warning));
    }
    out.push_str("</ul>\n");
}

fn figure(out: &mut String, caption: &str, svg: &str) {
    if !svg.is_empty() {
        let caption = escaped(caption);
        let _ = writeln!(out, "<figure><figcaption>{caption}</figcaption>{svg}</figure>");
    }
}

fn bar(tally: &Tally) -> Bar {
    let interval = tally.interval();
    let mean = tally.mean().unwrap_or(0.5);
    Bar { value: 100.0 * mean, low: 100.0 * interval.low, high: 100.0 * interval.high }
}

fn pictures(found: &Evaluation, game: &dyn Game, out: &mut String) {
    let evidence = &found.evidence;
    let counted = match &evidence.searched {
        Some(searched) => &searched.counted,
        None => &evidence.random,
    };
    if found.players > 1 {
        seats(found, out);
    }
    figure(out, "Length", &plots::histogram(&counted.lengths));
    figure(out, "Branching", &plots::branching(&counted.by_ply));
    if let Some(searched) = evidence.searched.as_ref().filter(|s| !s.ribbons.is_empty()) {
        figure(out, "Courses of twenty games, by who won", &plots::ribbons(&searched.ribbons));
    }
    if !evidence.rungs.is_empty() {
        let rows: Vec<_> = evidence
            .rungs
            .iter()
            .map(|rung| (format!("{} against {}", rung.strong, rung.weak), bar(&rung.score), None))
            .collect();
        figure(out, "What twice the thinking wins", &dots("Ladder", &rows));
    }
    if let Some(geometry) = game.geometry() {
        let wrap = |svg: String| format!("<div class=\"board\">{svg}</div>");
        figure(out, "Where moves end", &wrap(plots::heat(geometry, &counted.visited)));
        if counted.captured.iter().any(|times| *times > 0) {
            figure(out, "Where pieces are taken", &wrap(plots::heat(geometry, &counted.captured)));
        }
        if let Some(first) = first_move_map(found, game) {
            figure(out, "First moves by value", &wrap(plots::heat(geometry, &first)));
        }
    }
    let ends: Vec<(String, Vec<(String, f64)>)> = counted
        .ends
        .iter()
        .map(|(end, &n)| {
            let share = 100.0 * n as f64 / counted.games.max(1) as f64;
            (end.clone(), vec![(String::new(), share)])
        })
        .collect();
    figure(out, "Ends", &ludex_arena::report::plot::bars("Ends", "%", &ends));
}

/// Each seat's share by budget, random play as one simulation.
fn seats(found: &Evaluation, out: &mut String) {
    let evidence = &found.evidence;
    let curve = |seat: usize| {
        let mut points = vec![(1.0, bar(&evidence.random.seats[seat]))];
        let more = evidence.by_budget.iter().filter(|(_, results)| results.games > 0);
        points.extend(more.map(|(budget, results)| (*budget as f64, bar(&results.seats[seat]))));
        (format!("seat {}", seat + 1), points)
    };
    let seats = evidence.random.seats.len().min(6);
    let shown: Vec<_> = (0..seats).map(curve).collect();
    match evidence.by_budget.is_empty() {
        false => {
            figure(out, "Seats by budget (1: random play)", &curves("Seats by budget", &shown))
        }
        true => {
            let rows: Vec<_> =
                shown.into_iter().map(|(name, points)| (name, points[0].1, None)).collect();
            figure(out, "Seats in random play", &dots("Seats", &rows));
        }
    }
}

/// The values of first moves by the site they end on, the worst as nought.
fn first_move_map(found: &Evaluation, game: &dyn Game) -> Option<Vec<u64>> {
    let first = found.evidence.first_moves.as_ref()?;
    let state = game.start();
    let ludex_game::Turn::Players(players) = game.turn(&state) else { return None };
    let player = players.first()?;
    let low = first.moves.iter().map(|(_, mean, _)| *mean).fold(1.0, f64::min);
    let mut sites = vec![0u64; game.geometry()?.len()];
    for (text, mean, _) in &first.moves {
        let Ok(mv) = game.parse_move(&state, player, text) else { continue };
        let to = game.ends(&state, Some(player), mv).to;
        if let Some(place) = to.and_then(|to| sites.get_mut(to as usize)) {
            *place = (*place).max(1 + ((mean - low) * 10_000.0) as u64);
        }
    }
    sites.iter().any(|value| *value > 0).then_some(sites)
}

fn numbers(found: &Evaluation, out: &mut String) {
    out.push_str(
        "<h2>Numbers</h2>\n<table><tr><th></th><th>value, 95%</th><th>games</th><th>percentile</th><th>by</th><th>meaning</th></tr>\n",
    );
    for (name, number) in &found.metrics {
        let doubt = number.warning.as_deref().map_or(String::new(), |why| format!(" ({why})"));
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"s\">{}</td>\
             <td class=\"s\">{}{}</td></tr>",
            escaped(&name.replace('_', " ")),
            verdict::shown(name, number),
            number.games,
            number.percentile.map_or(String::new(), |place| format!("{place:.0}")),
            escaped(&number.agent),
            verdict::meaning(name),
            escaped(&doubt)
        );
    }
    out.push_str("</table>\n");
}

/// The most dramatic, the shortest and the longest game of the searched ones.
fn examples(
    plan: &Plan,
    found: &Evaluation,
    store: &Store,
    game: &Arc<dyn Game>,
    out: &mut String,
) -> Result<(), JudgeError> {
    let (Some(searched), Some(cell)) = (&found.evidence.searched, found.evidence.cell) else {
        return random_example(plan, game, out);
    };
    let examples = searched.examples;
    let mut wanted: Vec<(u64, String)> = Vec::new();
    if let Some((number, drama)) = examples.dramatic {
        wanted.push((number, format!("Most drama ({drama:.2})")));
    }
    if let Some((number, plies)) = examples.shortest {
        wanted.push((number, format!("Shortest ({plies} plies)")));
    }
    if let Some((number, plies)) = examples.longest {
        wanted.push((number, format!("Longest ({plies} plies)")));
    }
    out.push_str("<h2>Games</h2>\n");
    let mut games: Vec<StoredGame> = Vec::new();
    store.games(cell, |stored| {
        if wanted.iter().any(|(number, _)| *number == stored.number) {
            games.push(stored);
        }
        games.len() < wanted.len()
    })?;
    for (number, caption) in wanted {
        if let Some(stored) = games.iter().find(|stored| stored.number == number) {
            let choosers = stored.moves.iter().filter_map(|(who, _)| *who);
            let choices = choosers.zip(stored.thoughts.iter().copied());
            let drawn = Course::new(choices, &stored.payoffs, Payoffs::of(&stored.payoffs));
            let trial = Trial {
                moves: stored.moves.clone(),
                ..Trial::new(plan.game.to_string(), stored.seed)
            };
            let caption = format!("{caption} — {}", words::result(&stored.payoffs));
            replay(&**game, &trial, &caption, Some(&drawn), out);
        }
    }
    Ok(())
}

fn random_example(plan: &Plan, game: &Arc<dyn Game>, out: &mut String) -> Result<(), JudgeError> {
    out.push_str("<h2>A random game</h2>\n");
    let one = crate::random::records(&**game, plan.seed, 1, 0, Duration::ZERO);
    if let Some(trial) = one.first() {
        let result = trial.result.as_deref().map_or("Not over.".to_string(), words::result);
        replay(&**game, trial, &result, None, out);
    }
    Ok(())
}

/// A game to click through.
fn replay(
    game: &dyn Game,
    trial: &Trial,
    caption: &str,
    thoughts: Option<&Course>,
    out: &mut String,
) {
    // A record that ends in the middle of the game has no result to compare.
    let shown = Trial { result: None, ..trial.clone() };
    let Ok(states) = shown.replay(game) else { return };
    let (mut view, mut lines) = (View::new(), trial.moves.iter());
    let layout = game.geometry().map(Layout::new);
    let mut frames: Vec<(String, String)> = Vec::new();
    for (ply, state) in states.iter().enumerate().take(FRAMES) {
        let text = match ply {
            0 => "start".to_string(),
            _ => move_text(game, &states[ply - 1], &mut lines, ply),
        };
        let picture = match (game.geometry(), &layout) {
            (Some(geometry), Some(layout)) => {
                game.view(state, None, Detail::Pieces, &mut view);
                ludex_draw::pieces(geometry, layout, &view)
            }
            _ => escaped(&game.show(state, None)),
        };
        frames.push((picture, text));
    }
    let board = match (game.geometry(), &layout) {
        (Some(geometry), Some(layout)) => {
            let board = ludex_draw::board(geometry, layout);
            let end = board.rfind("</svg>").unwrap_or(board.len());
            format!("<div class=\"board\">{}<g class=\"slot\"></g></svg></div>", &board[..end])
        }
        _ => "<pre class=\"slot\"></pre>".to_string(),
    };
    // A closing tag inside a picture must not close the script that carries it.
    let json = serde_json::to_string(&frames).unwrap_or_default().replace("</", "<\\/");
    let names: Vec<String> =
        (0..game.info().players).map(|seat| Player(seat as u8).to_string()).collect();
    let drawn = thoughts.filter(|thoughts| thoughts.values.len() > 1);
    let drawn = drawn.map(|thoughts| course("Course of the game", &names, &thoughts.values));
    let _ = writeln!(
        out,
        "<div class=\"game\"><figure><figcaption>{}</figcaption>{board}</figure>\
         <div class=\"controls\"><button class=\"back\">◀</button><button class=\"play\">play</button>\
         <button class=\"on\">▶</button><input type=\"range\" min=\"0\" max=\"{}\" value=\"{}\">\
         <span class=\"move\"></span></div>{}<script type=\"application/json\">{json}</script></div>",
        escaped(caption),
        frames.len() - 1,
        frames.len() / 2,
        drawn.unwrap_or_default()
    );
}

fn move_text<'a>(
    game: &dyn Game,
    before: &State,
    lines: &mut impl Iterator<Item = &'a (Option<Player>, String)>,
    ply: usize,
) -> String {
    let movers = match game.turn(before) {
        ludex_game::Turn::Players(players) => players.len(),
        _ => 1,
    };
    let texts = lines.take(movers).map(|(who, text)| match who {
        Some(player) => format!("{player} {text}"),
        None => format!("chance {text}"),
    });
    format!("{ply}. {}", texts.collect::<Vec<_>>().join(", "))
}
