//! Recorded games of the reference as lines of our moves, and the other way round.

use std::fmt::Write as _;

use super::replay::{Mismatch, difference, rolled, same, texts, thrown_last};
use super::trial::{RecordedMove, Trial};
use ludex_game::{GameError, Move, Player, Rules, Turn};
use ludex_lud::{Ctx, Ludemes, Mv, Position, Source};

/// Moves ply by ply: a text for each player who moved, or one for chance.
pub type Line = Vec<Vec<String>>;

/// How the text of a seed starts.
const SEED: &str = "numbers from ";

/// The moves of a recorded game as our texts name them; fails where the record does not fit the rules.
pub fn line_of(rules: &Ludemes, trial: &Trial) -> Result<Line, Mismatch> {
    let mut position = rules.start();
    let mut line = Line::new();
    // What is drawn at the start comes from the generator of the reference.
    if let (Turn::Chance, Some(seed)) = (rules.turn(&position), trial.seed)
        && rules.move_text(&position, None, Move(seed)).starts_with(SEED)
    {
        make(rules, &mut position, &mut line, &[Move(seed)]);
    }
    for (step, recorded) in trial.moves.iter().skip(trial.initial).enumerate() {
        let fault = |reason| Mismatch { step: Some(step), reason };
        if rules.turn(&position) == Turn::Chance {
            let outcome = outcome(rules, &position, recorded).map_err(fault)?;
            make(rules, &mut position, &mut line, &[outcome]);
        }
        let joint = joint(rules, &position, recorded).map_err(fault)?;
        make(rules, &mut position, &mut line, &joint);
    }
    Ok(line)
}

/// Plays a joint move and notes its texts.
fn make(rules: &Ludemes, position: &mut Position, line: &mut Line, joint: &[Move]) {
    let who: Vec<Option<Player>> = match rules.turn(position) {
        Turn::Players(players) => players.into_iter().map(Some).collect(),
        _ => vec![None],
    };
    let texts = who.into_iter().zip(joint).map(|(who, &mv)| rules.move_text(position, who, mv));
    line.push(texts.collect());
    rules.apply(position, joint);
}

/// The throw after which the recorded move can be made.
fn outcome(rules: &Ludemes, position: &Position, recorded: &RecordedMove) -> Result<Move, String> {
    let mut outcomes = Vec::new();
    if rolled(recorded).is_empty() {
        return Err("the record does not say what was thrown".to_string());
    }
    if !rules.chance_outcomes(position, &mut outcomes) {
        return Err("random numbers other than dice are not in the record".to_string());
    }
    let fits = |&(outcome, _): &(Move, f64)| {
        let mut next = position.clone();
        rules.apply(&mut next, &[outcome]);
        joint(rules, &next, recorded).is_ok()
    };
    let found = outcomes.into_iter().find(fits);
    found.map(|(outcome, _)| outcome).ok_or_else(|| format!("no throw of {:?}", rolled(recorded)))
}

/// The choices that together are the recorded move.
fn joint(
    rules: &Ludemes,
    position: &Position,
    recorded: &RecordedMove,
) -> Result<Vec<Move>, String> {
    let Turn::Players(players) = rules.turn(position) else {
        return Err("nobody is to move".to_string());
    };
    let mut choices: Vec<Vec<Move>> = vec![Vec::new()];
    for player in players {
        let mut own = Vec::new();
        rules.moves(position, player, &mut own);
        own.sort_unstable();
        own.dedup();
        let with = |chosen: &Vec<Move>, mv: &Move| [&chosen[..], &[*mv]].concat();
        choices = choices.iter().flat_map(|all| own.iter().map(|mv| with(all, mv))).collect();
    }
    let mut nearest = None;
    for joint in choices {
        let Some(mv) = rules.chosen(position, &joint) else { continue };
        if (mv.from, mv.to) != (recorded.from, recorded.to) {
            continue;
        }
        let ours = texts(playing(rules, position), &changes(rules, position, &mv, Some(recorded)));
        if same(&ours, &recorded.actions) {
            return Ok(joint);
        }
        nearest.get_or_insert_with(|| difference(&ours, &recorded.actions));
    }
    let (from, to) = (recorded.from, recorded.to);
    Err(nearest.unwrap_or_else(|| format!("no legal move from {from} to {to}")))
}

/// The game at hand: in a match, the one that is being played.
fn playing<'a>(rules: &'a Ludemes, position: &'a Position) -> &'a ludex_lud::Compiled {
    rules.compiled().playing(position.state()).0
}

fn changes(
    rules: &Ludemes,
    position: &Position,
    mv: &Mv,
    recorded: Option<&RecordedMove>,
) -> Vec<ludex_lud::Action> {
    let mut ctx = Ctx::new(rules.compiled(), position.state().clone());
    if let Some(recorded) = recorded {
        ctx.chance.dice = thrown_last(recorded).into();
    }
    ctx.changes_by(mv)
}

/// A line of our moves as a record of the reference's form; `game` is the path of the description there.
pub fn record_of(
    rules: &Ludemes,
    game: &str,
    options: &[String],
    line: &Line,
) -> Result<String, GameError> {
    let (mut moves, mut sizes) = (String::new(), String::new());
    let mut start = Ctx::new(rules.compiled(), rules.compiled().empty_state());
    let seed = line.first().and_then(|ply| ply.first()?.strip_prefix(SEED)?.parse::<u64>().ok());
    if let Some(seed) = seed {
        start.chance.source = Source::Generator(seed);
    }
    let placed = start.start();
    for actions in &placed {
        let ours = actions_text(rules.compiled(), actions);
        let at = texts(rules.compiled(), actions).first().and_then(|action| action.number("to"));
        let at = at.map_or(String::new(), |at| format!(",from={at},to={at}"));
        let _ = writeln!(moves, "Move=[Move:mover=0{at},actions={ours}]");
    }
    let mut position = rules.start();
    for ply in line {
        let joint = parsed(rules, &position, ply)?;
        if let Turn::Players(_) = rules.turn(&position) {
            let mv = rules.chosen(&position, &joint).ok_or(GameError::Over)?;
            let actions = changes(rules, &position, &mv, None);
            let ours = actions_text(playing(rules, &position), &actions);
            let end = |name: &str, site: i32| match site {
                site if site >= 0 => format!(",{name}={site}"),
                _ => String::new(),
            };
            let ends = end("from", mv.from) + &end("to", mv.to);
            let _ = writeln!(moves, "Move=[Move:mover={}{ends},actions={ours}]", mv.mover);
            let legal = rules.legal(&position).len();
            let _ = writeln!(sizes, "LEGAL MOVES LIST SIZE = {legal}");
        }
        rules.apply(&mut position, &joint);
    }
    let state = seed.unwrap_or(0).to_le_bytes().map(|byte| (byte as i8).to_string()).join(",");
    let mut out = format!("game={game}\nSTART GAME OPTIONS\n");
    options.iter().for_each(|option| out += &format!("{option}\n"));
    out += &format!("END GAME OPTIONS\nRNG internal state={state}\n{moves}{sizes}");
    let _ = writeln!(out, "numInitialPlacementMoves={}", placed.len());
    if let Some(winner) = position.state().over {
        let ranks: Vec<String> =
            position.state().ranking.iter().map(|rank| format!("{rank:?}")).collect();
        let _ = writeln!(out, "winner={winner}\nendtype=NaturalEnd\nrankings={}", ranks.join(","));
    }
    out += "SANDBOX=false\n";
    Ok(out)
}

fn actions_text(game: &ludex_lud::Compiled, actions: &[ludex_lud::Action]) -> String {
    let name = |index: u16| game.vars[index as usize].to_string();
    let texts: Vec<String> = actions.iter().map(|action| action.text(&name)).collect();
    texts.join(",")
}

fn parsed(rules: &Ludemes, position: &Position, ply: &[String]) -> Result<Vec<Move>, GameError> {
    let illegal = |text: &str| GameError::IllegalMove { text: text.to_string(), closest: None };
    match rules.turn(position) {
        Turn::Over => Err(GameError::Over),
        Turn::Chance => {
            let text = ply.first().map_or("", String::as_str);
            let outcome = rules.parse_chance(position, text).ok_or_else(|| illegal(text))?;
            Ok(vec![outcome])
        }
        Turn::Players(players) => {
            let pairs = players.into_iter().zip(ply);
            pairs.map(|(player, text)| rules.parse_move(position, player, text)).collect()
        }
    }
}
