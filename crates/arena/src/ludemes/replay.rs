//! Replaying recorded games: the same number of legal moves in every position, the recorded move
//! among them with all its effects, the same end.

use super::trial::{RecordedAction, RecordedMove, Trial};
use ludex_lud::Action;
use ludex_lud::Mode;
use ludex_lud::{Compiled, Ctx, Source};
use ludex_lud::{Mv, flatten};

/// Where a replay went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The move, counted from zero after the start; nothing: the start itself.
    pub step: Option<usize>,
    /// What differs.
    pub reason: String,
}

/// Of what players chose together so many combinations are tried at most.
const MOST_COMBINATIONS: usize = 10_000;

/// Plays a recorded game through the compiled rules.
pub fn replay(game: &Compiled, trial: &Trial) -> Result<(), Mismatch> {
    let mut ctx = Ctx::new(game, game.empty_state());
    // The record of a match counts none of its first moves as the start; they are nobody's.
    let initial = match game.is_match() {
        true => trial.moves.iter().take_while(|m| m.mover == 0).count(),
        false => trial.initial.min(trial.moves.len()),
    };
    // The solution of a puzzle has no numbers of legal moves to tell the start by: what is given is
    // set without a decision.
    let given = |m: &&RecordedMove| m.actions.iter().all(|a| a.field("decision").is_none());
    let initial = match &game.puzzle {
        // Old solutions call nothing a decision.
        Some(_) if trial.moves.iter().all(|m| given(&m)) => {
            Ctx::new(game, game.empty_state()).start().len().min(trial.moves.len())
        }
        Some(_) => trial.moves.iter().take_while(given).count(),
        None => initial,
    };
    let (start, played) = trial.moves.split_at(initial);
    check_start(&mut ctx, trial, start)?;
    if let Some(puzzle) = &game.puzzle
        && !trial.sizes.is_empty()
    {
        return super::notes::replay(puzzle, start, played, trial);
    }
    for (step, recorded) in played.iter().enumerate() {
        let size = trial.sizes.get(step).copied();
        replay_move(&mut ctx, recorded, size)
            .map_err(|reason| Mismatch { step: Some(step), reason })?;
    }
    check_end(&ctx, trial, played.len())
}

fn at_start(reason: String) -> Mismatch {
    Mismatch { step: None, reason }
}

fn check_start(
    ctx: &mut Ctx<'_>,
    trial: &Trial,
    recorded: &[RecordedMove],
) -> Result<(), Mismatch> {
    if let (Some(seed), true) = (trial.seed, ctx.g.random) {
        ctx.chance.source = Source::Generator(seed);
        ctx.chance.set_aside(Vec::new());
    }
    let mut ours = ctx.start();
    if ctx.g.is_match() {
        // It lists them backwards.
        ours.reverse();
    }
    let game = ctx.g.playing(&ctx.s).0;
    if ctx.chance.unknown {
        return Err(at_start("the start depends on chance".into()));
    }
    if ours.len() != recorded.len() {
        let reason = format!("{} moves at the start, recorded {}", ours.len(), recorded.len());
        return Err(at_start(reason));
    }
    for (n, (actions, recorded)) in ours.iter().zip(recorded).enumerate() {
        let ours = texts(game, actions);
        if !same(&ours, &recorded.actions) {
            let unsaid = match game.draws_regions() {
                true => ": regions are drawn when the rules are read, and no record says which",
                false => "",
            };
            let reason = format!("start {n}: {}{unsaid}", difference(&ours, &recorded.actions));
            return Err(at_start(reason));
        }
    }
    Ok(())
}

fn replay_move(
    ctx: &mut Ctx<'_>,
    recorded: &RecordedMove,
    size: Option<usize>,
) -> Result<(), String> {
    if ctx.s.over.is_some() {
        return Err("the game is already over".into());
    }
    let thrown = rolled(recorded);
    let fault = match replay_thrown(ctx, recorded, size, &thrown) {
        Err(fault) if thrown.is_empty() => fault,
        done => return done,
    };
    // A throw after which nobody can move is not recorded: some throw must give what is.
    let throws = ctx.g.throws();
    match throws.iter().any(|throw| replay_thrown(ctx, recorded, size, throw).is_ok()) {
        true => Ok(()),
        false => Err(fault),
    }
}

/// The same with the faces that dice show when the moves are asked for.
fn replay_thrown(
    ctx: &mut Ctx<'_>,
    recorded: &RecordedMove,
    size: Option<usize>,
    thrown: &[i32],
) -> Result<(), String> {
    // Random numbers other than dice are not recorded. Those of the reference's generator come first, with any that
    // it draws aside; where they do not fit, those are taken that give what is recorded.
    let mut aside = Numbers::default();
    while matches!(ctx.chance.source, Source::Generator(_)) {
        let mut look = ctx.clone();
        look.chance.dice = thrown.into();
        look.chance.set_aside(aside.list.clone());
        let moves = look.legal_moves();
        let asked = look.chance.asked_aside().to_vec();
        let fits = size.is_none_or(|size| size == moves.len());
        if let (true, Ok((found, numbers))) = (fits, find(&look, &moves, recorded)) {
            look.chance.set_aside(numbers);
            look.chance.dice = thrown_last(recorded).into();
            look.play(&found);
            *ctx = look;
            return Ok(());
        }
        if !aside.advance(&asked) {
            break;
        }
    }
    let mut numbers = Numbers::default();
    let mut first_fault = None;
    loop {
        let mut look = ctx.clone();
        look.chance.dice = thrown.into();
        look.chance.follow(numbers.list.clone());
        let moves = look.legal_moves();
        let asked = std::mem::take(&mut look.chance.asked);
        let found = match size {
            Some(size) if size != moves.len() => {
                Err(format!("{} legal moves, recorded {size}", moves.len()))
            }
            _ => find(&look, &moves, recorded),
        };
        match found {
            Ok((found, script)) => {
                look.chance.follow(script);
                look.chance.dice = thrown_last(recorded).into();
                look.play(&found);
                *ctx = look;
                return Ok(());
            }
            Err(fault) => {
                let fault = first_fault.get_or_insert(fault).clone();
                if !numbers.advance(&asked) {
                    return Err(fault);
                }
            }
        }
    }
}

/// Random numbers tried one after the other, like the digits of a counter.
#[derive(Default)]
struct Numbers {
    list: Vec<i32>,
    tried: u32,
}

impl Numbers {
    /// The next numbers, given how many values each had; `false` when all were tried.
    fn advance(&mut self, asked: &[i32]) -> bool {
        self.tried += 1;
        self.list.resize(asked.len(), 0);
        while let Some(last) = self.list.last_mut() {
            *last += 1;
            if *last < asked[self.list.len() - 1] {
                return self.tried < 20_000;
            }
            self.list.pop();
        }
        false
    }
}

/// Faces of the dice that a move starts with.
pub(super) fn rolled(recorded: &RecordedMove) -> Vec<i32> {
    let dice = recorded.actions.iter().take_while(|action| action.name == "SetStateAndUpdateDice");
    dice.filter_map(|action| action.number("state")).collect()
}

/// Faces of the dice of the last throw in a move: it may be part of what follows the decision.
pub(super) fn thrown_last(recorded: &RecordedMove) -> Vec<i32> {
    let actions = &recorded.actions;
    let end = actions.iter().rposition(|action| action.name == "SetDiceAllEqual").unwrap_or(0);
    let before = actions[..end].iter().rev();
    let dice = before.take_while(|action| action.name == "SetStateAndUpdateDice");
    let mut faces: Vec<i32> = dice.filter_map(|action| action.number("state")).collect();
    faces.reverse();
    faces
}

/// The legal move with the recorded sites and effects, and the random numbers that give them.
fn find(ctx: &Ctx<'_>, moves: &[Mv], recorded: &RecordedMove) -> Result<(Mv, Vec<i32>), String> {
    let (game, state) = ctx.g.playing(&ctx.s);
    let combined;
    let moves = match game.mode {
        Mode::Simultaneous if state.over.is_none() => {
            combined = combinations(game, moves, recorded);
            &combined
        }
        _ => moves,
    };
    let mut nearest = None;
    for m in moves {
        // Who solves a puzzle is recorded as nobody.
        let made = m.mover == recorded.mover || game.puzzle.is_some();
        if m.from != recorded.from || m.to != recorded.to || !made {
            continue;
        }
        let generated = matches!(ctx.chance.source, Source::Generator(_));
        let mut numbers = Numbers::default();
        loop {
            let mut look = ctx.clone();
            look.chance.dice = thrown_last(recorded).into();
            match generated {
                true => look.chance.set_aside(numbers.list.clone()),
                false => look.chance.follow(numbers.list.clone()),
            }
            let ours = texts(game, &look.changes_by(m));
            if same(&ours, &recorded.actions) {
                return Ok((m.clone(), numbers.list));
            }
            nearest.get_or_insert_with(|| difference(&ours, &recorded.actions));
            let asked = match generated {
                true => look.chance.asked_aside(),
                false => look.chance.asked.as_slice(),
            };
            if !numbers.advance(asked) {
                break;
            }
        }
    }
    Err(match nearest {
        Some(difference) => format!("effects differ: {difference}"),
        None => {
            format!("no legal move of {} from {} to {}", recorded.mover, recorded.from, recorded.to)
        }
    })
}

/// What players who move at once may have chosen together: each of them something that is recorded.
fn combinations(game: &Compiled, moves: &[Mv], recorded: &RecordedMove) -> Vec<Mv> {
    let fits = |m: &&Mv| {
        let mut changes = Vec::new();
        flatten(m, &mut changes);
        let done = |ours: &RecordedAction| recorded.actions.iter().any(|a| ours.agrees(a));
        texts(game, &changes).iter().all(done)
    };
    let mut all: Vec<Vec<Mv>> = vec![Vec::new()];
    for player in 1..=game.players {
        let own: Vec<&Mv> = moves.iter().filter(|m| m.mover == player).filter(fits).collect();
        if own.is_empty() {
            continue;
        }
        let with = |chosen: &Vec<Mv>, m: &Mv| {
            let mut more = chosen.clone();
            more.push(m.clone());
            more
        };
        let longer = all.iter().flat_map(|chosen| own.iter().map(|m| with(chosen, m)));
        all = longer.take(MOST_COMBINATIONS).collect();
    }
    all.iter().map(|chosen| game.together(chosen)).collect()
}

pub(super) fn texts(game: &Compiled, actions: &[Action]) -> Vec<RecordedAction> {
    let name = |index: u16| game.vars[index as usize].to_string();
    let text = |action: &Action| RecordedAction::parse(&action.text(&name));
    actions.iter().map(text).collect()
}

pub(super) fn same(ours: &[RecordedAction], recorded: &[RecordedAction]) -> bool {
    ours.len() == recorded.len() && ours.iter().zip(recorded).all(|(a, b)| a.agrees(b))
}

pub(super) fn difference(ours: &[RecordedAction], recorded: &[RecordedAction]) -> String {
    let show = |action: Option<&RecordedAction>| match action {
        None => "nothing".to_owned(),
        Some(action) => {
            let fields = action.fields.iter().map(|(key, value)| format!("{key}={value}"));
            format!("[{}:{}]", action.name, fields.collect::<Vec<_>>().join(","))
        }
    };
    let pairs = ours.iter().zip(recorded);
    let at = pairs.take_while(|(a, b)| a.agrees(b)).count();
    format!("ours {}, recorded {}", show(ours.get(at)), show(recorded.get(at)))
}

fn check_end(ctx: &Ctx<'_>, trial: &Trial, steps: usize) -> Result<(), Mismatch> {
    let wrong = |reason: String| Mismatch { step: Some(steps), reason };
    let Some(winner) = trial.winner else {
        return match ctx.s.over {
            None => Ok(()),
            Some(_) => Err(wrong("the game is over, recorded unfinished".into())),
        };
    };
    match ctx.s.over {
        None => return Err(wrong("the game is not over".into())),
        Some(ours) if ours != winner => {
            return Err(wrong(format!("winner {ours}, recorded {winner}")));
        }
        Some(_) => {}
    }
    let ours = &ctx.s.ranking;
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-6;
    let same =
        ours.len() == trial.rankings.len() && ours.iter().zip(&trial.rankings).skip(1).all(close);
    if same {
        Ok(())
    } else {
        Err(wrong(format!("ranking {ours:?}, recorded {:?}", trial.rankings)))
    }
}
