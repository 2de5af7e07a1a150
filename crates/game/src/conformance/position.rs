//! Laws that hold in every position.

use std::collections::HashSet;

use super::{Fault, Walk, sites};
use crate::{Coding, Detail, Families, Game, Move, Player, State, Turn, View};

/// Moves of a position whose texts are read back; reading one may list all.
const READ_BACK: u32 = 6;

pub(super) fn check(walk: &mut Walk) -> Result<(), Fault> {
    repeats(walk)?;
    attributes(walk)?;
    sites::views(walk)?;
    match walk.game.turn(&walk.state) {
        Turn::Over => payoffs(walk),
        Turn::Chance => chance(walk),
        Turn::Players(players) => {
            let count = walk.game.info().players;
            for player in players {
                walk.hold(player.index() < count, "movers are players", || format!("{player}"))?;
                moves(walk, player)?;
                codes(walk, player)?;
            }
            wins(walk)?;
            knowledge(walk)
        }
    }
}

/// Everything a position shows to the outside.
#[derive(PartialEq)]
pub(super) struct Look {
    turn: Turn,
    hash: u64,
    shown: String,
    moves: Vec<Vec<Move>>,
}

impl Look {
    pub fn new(game: &dyn Game, state: &State) -> Self {
        let turn = game.turn(state);
        let mut moves = Vec::new();
        if let Turn::Players(players) = turn {
            for player in players {
                let mut list = Vec::new();
                game.moves(state, player, &mut list);
                moves.push(list);
            }
        }
        Look { turn, hash: game.hash(state), shown: game.show(state, None), moves }
    }
}

fn repeats(walk: &Walk) -> Result<(), Fault> {
    let law = "a position looks the same each time, and so does its copy";
    let look = Look::new(walk.game, &walk.state);
    let mut copy = walk.game.start();
    copy.copy_from(&walk.state);
    for (state, what) in [(&walk.state, "itself"), (&walk.state.clone(), "clone"), (&copy, "copy")]
    {
        walk.hold(look == Look::new(walk.game, state), law, || what.to_string())?;
    }
    Ok(())
}

fn attributes(walk: &Walk) -> Result<(), Fault> {
    let names = walk.game.attributes();
    for player in (0..walk.game.info().players as u8).map(Player) {
        let mut values = vec![f32::NAN; names.len()];
        walk.game.attribute_values(&walk.state, player, &mut values);
        for (name, value) in names.iter().zip(values) {
            walk.hold(value.is_finite(), "attributes are numbers", || format!("{name}: {value}"))?;
        }
    }
    Ok(())
}

fn payoffs(walk: &Walk) -> Result<(), Fault> {
    let mut payoffs = vec![f32::NAN; walk.game.info().players];
    walk.game.payoffs(&walk.state, &mut payoffs);
    let within = payoffs.iter().all(|payoff| (0.0..=1.0).contains(payoff));
    walk.hold(within, "payoffs lie in [0, 1]", || format!("{payoffs:?}"))
}

fn chance(walk: &mut Walk) -> Result<(), Fault> {
    let law = "outcomes of chance have texts, and probabilities that sum to one";
    let drawn = walk.game.sample_chance(&walk.state, &mut walk.rng);
    sites::ends(walk, None, &[drawn])?;
    let text = walk.game.move_text(&walk.state, None, drawn);
    let read = walk.game.parse_chance(&walk.state, &text);
    walk.hold(read == Some(drawn), law, || format!("{drawn:?} is `{text}`, read as {read:?}"))?;
    let mut outcomes = Vec::new();
    if !walk.game.chance_outcomes(&walk.state, &mut outcomes) {
        return Ok(());
    }
    let total: f64 = outcomes.iter().map(|(_, probability)| probability).sum();
    walk.hold((total - 1.0).abs() < 1e-6, law, || format!("the sum is {total}"))?;
    let listed =
        outcomes.iter().any(|&(outcome, probability)| outcome == drawn && probability > 0.0);
    walk.hold(listed, law, || format!("`{text}` was drawn but is not listed"))
}

/// The law that descriptions may break which offer the same move in two ways.
pub const EACH_ONCE: &str = "a mover has moves, each listed once";

fn moves(walk: &mut Walk, player: Player) -> Result<(), Fault> {
    let moves = walk.moves(player);
    let law = EACH_ONCE;
    walk.hold(!moves.is_empty(), law, || format!("{player} has none"))?;
    let distinct: HashSet<Move> = moves.iter().copied().collect();
    walk.hold(distinct.len() == moves.len(), law, || format!("{player}: {moves:?}"))?;

    sites::ends(walk, Some(player), &moves)?;
    let law = "a move's text is one line and names that move alone";
    let text = |mv: &Move| walk.game.move_text(&walk.state, Some(player), *mv);
    let texts: HashSet<String> = moves.iter().map(text).collect();
    walk.hold(texts.len() == moves.len(), law, || format!("{player}: {texts:?}"))?;
    for _ in 0..READ_BACK.min(moves.len() as u32) {
        let mv = moves[walk.rng.below(moves.len() as u32) as usize];
        let text = walk.game.move_text(&walk.state, Some(player), mv);
        let plain = !text.is_empty() && text.trim() == text && !text.contains('\n');
        walk.hold(plain, law, || format!("`{text}`"))?;
        let read = walk.game.parse_move(&walk.state, player, &text);
        walk.hold(read == Ok(mv), law, || format!("{mv:?} is `{text}`, read as {read:?}"))?;
    }
    let nonsense = walk.game.parse_move(&walk.state, player, "no such move \u{1F0CF}");
    walk.hold(nonsense.is_err(), "nonsense is not a move", || format!("{nonsense:?}"))
}

fn codes(walk: &Walk, player: Player) -> Result<(), Fault> {
    let law = "codes are below their count";
    let moves = walk.moves(player);
    for coding in [Coding::Plain, Coding::Features] {
        let count = walk.game.code_count(player, coding);
        if count == 0 {
            continue;
        }
        let mut codes = Vec::new();
        walk.game.codes(&walk.state, player, &moves, coding, &mut codes);
        let single = |&mv: &Move| walk.game.code(&walk.state, player, mv, coding);
        let same = codes == moves.iter().map(single).collect::<Vec<u32>>();
        walk.hold(same, "a move has one code", || format!("{coding:?} {codes:?}"))?;
        families(walk, player, coding, &moves, &codes)?;
        let highest = codes.into_iter().max().unwrap_or(0);
        walk.hold(highest < count, law, || format!("{coding:?}: {highest} of {count}"))?;
    }
    Ok(())
}

/// Families have every legal move once, by its code; but for what a player must do who has nothing else.
fn families(
    walk: &Walk,
    player: Player,
    coding: Coding,
    moves: &[Move],
    codes: &[u32],
) -> Result<(), Fault> {
    let law = "families are the legal moves";
    let mut families = Families::default();
    walk.game.families(&walk.state, player, coding, &mut families);
    let found =
        |place| (walk.game.member(&walk.state, player, &families, place), families.code(place));
    let mut found: Vec<(Move, u32)> = families.places().map(found).collect();
    let mut listed: Vec<(Move, u32)> = moves.iter().copied().zip(codes.iter().copied()).collect();
    found.sort_unstable();
    listed.sort_unstable();
    let forced = found.is_empty() && listed.len() == 1;
    walk.hold(forced || found == listed, law, || {
        let text = |(mv, code): &(Move, u32)| {
            format!("{} ({code})", walk.game.move_text(&walk.state, Some(player), *mv))
        };
        let texts = |list: &[(Move, u32)]| list.iter().map(text).collect::<Vec<_>>().join(", ");
        format!("{coding:?}: {}; listed {}", texts(&found), texts(&listed))
    })
}

/// The moves that the machine says win at once are those that do, but for one that a player must make for want of others.
pub(super) fn wins(walk: &Walk) -> Result<(), Fault> {
    let Some(player) = walk.game.turn(&walk.state).mover() else { return Ok(()) };
    let (mut moves, mut told) = (Vec::new(), Vec::new());
    walk.game.moves(&walk.state, player, &mut moves);
    walk.game.winning_moves(&walk.state, player, &mut told);
    let all = moves.len();
    let mut payoffs = vec![0.0; walk.game.info().players];
    moves.retain(|&mv| {
        let mut after = walk.state.clone();
        walk.game.apply(&mut after, &[mv]);
        if walk.game.turn(&after) != Turn::Over {
            return false;
        }
        walk.game.payoffs(&after, &mut payoffs);
        let own = payoffs[player.index()];
        let best = |(other, payoff): (usize, &f32)| other == player.index() || *payoff < own;
        payoffs.iter().enumerate().all(best) && (payoffs.len() > 1 || own >= 1.0)
    });
    moves.sort_unstable();
    told.sort_unstable();
    let forced = told.is_empty() && all == 1;
    walk.hold(forced || told == moves, "winning moves are those that win", || {
        let text = |mv: &Move| walk.game.move_text(&walk.state, Some(player), *mv);
        let texts = |list: &[Move]| list.iter().map(text).collect::<Vec<_>>().join(", ");
        format!("told {}; won {}", texts(&told), texts(&moves))
    })
}

/// Drawing what a player cannot see changes nothing he can.
fn knowledge(walk: &mut Walk) -> Result<(), Fault> {
    let law = "a determinized position is what the player knows";
    for player in (0..walk.game.info().players as u8).map(Player) {
        let drawn = walk.game.determinize(&walk.state, player, &mut walk.rng);
        let turn = walk.game.turn(&walk.state);
        walk.hold(walk.game.turn(&drawn) == turn, law, || "the turn changed".to_string())?;
        let shown = |state: &State| walk.game.show(state, Some(player));
        walk.hold(shown(&drawn) == shown(&walk.state), law, || {
            format!("{player} sees\n{}\ninstead of\n{}", shown(&drawn), shown(&walk.state))
        })?;
        let seen = |state: &State| {
            let mut view = View::new();
            walk.game.view(state, Some(player), Detail::Pieces, &mut view);
            view
        };
        walk.hold(seen(&drawn) == seen(&walk.state), law, || {
            format!("{player} sees other pieces")
        })?;
        if let Turn::Players(players) = turn
            && players.contains(player)
        {
            let mut moves = Vec::new();
            walk.game.moves(&drawn, player, &mut moves);
            let set = |moves: Vec<Move>| moves.into_iter().collect::<HashSet<Move>>();
            walk.hold(set(moves) == set(walk.moves(player)), law, || {
                format!("{player} has other moves")
            })?;
        }
        if !walk.game.info().hidden {
            let same = walk.game.hash(&drawn) == walk.game.hash(&walk.state);
            walk.hold(same, law, || "nothing is hidden, yet the hash changed".to_string())?;
        }
    }
    Ok(())
}
