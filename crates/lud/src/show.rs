//! Ludeme games for people: names of sites, moves and positions as text.

use super::action::{Action, Change};
use super::game::Compiled;
use super::hidden::is_unseen;
use super::moves::{Mv, Part};
use super::state::State;
use super::topo::SiteType;
use ludex_game::{GameInfo, Language, Machine};

/// What is known of a game before play.
pub fn info(game: &Compiled) -> GameInfo {
    let mut info = GameInfo::named(game.name.to_string(), game.players as usize);
    info.language = Language::Lud;
    info.machine = Machine::General;
    let kind = match game.topo.default {
        SiteType::Vertex => "points",
        SiteType::Edge => "lines",
        SiteType::Cell => "cells",
    };
    info.board = match game.subgames.as_slice() {
        [] => format!("{} {kind}", game.board_sites()),
        [_] => "that of one game, again and again".to_string(),
        games => format!("those of {} games", games.len()),
    };
    info.channels = channels(game);
    info.hidden = game.hides;
    let (playout, reason) = super::draw::playout_kind(game);
    info.playout = playout;
    info.playout_reason = reason.to_string();
    info.max_plies = u32::try_from(game.max_moves).unwrap_or(info.max_plies);
    info
}

/// Whether something holds of a game, or of a game of the match.
fn any(game: &Compiled, holds: fn(&Compiled) -> bool) -> bool {
    holds(game) || game.subgames.iter().any(|sub| any(&sub.game, holds))
}

fn channels(game: &Compiled) -> Vec<String> {
    let optional = [
        ("stack", any(game, |game| game.stacking)),
        ("count", any(game, |game| game.counts)),
        ("rotation", any(game, |game| game.rotations > 1)),
        ("hidden", any(game, |game| game.hides)),
    ];
    let always = ["what", "state", "value"];
    let used = optional.iter().filter(|(_, used)| *used).map(|(name, _)| *name);
    always.into_iter().chain(used).map(str::to_string).collect()
}

/// Name of a site: its label on the board, container and place elsewhere.
pub fn site(game: &Compiled, kind: Option<SiteType>, site: i32) -> String {
    if site < 0 {
        return "off".to_string();
    }
    let container = match kind {
        Some(SiteType::Vertex | SiteType::Edge) => 0,
        _ => game.container(site),
    };
    if container > 0 {
        let container = &game.containers[container];
        return format!("{}:{}", container.name, site - container.first);
    }
    let kind = game.kind_at(kind, site);
    match game.topo.plane(kind).label.get(site as usize) {
        Some(label) => label.to_string(),
        None => site.to_string(),
    }
}

/// The name of a kind of piece.
pub fn piece(game: &Compiled, what: i32) -> &str {
    let component = usize::try_from(what).ok().and_then(|what| game.components.get(what));
    component.map_or("?", |c| &c.name)
}

/// Faces thrown, as the values they show.
pub(super) fn dice(game: &Compiled, faces: &[i32]) -> Vec<String> {
    let dice = game.components.iter().filter(|c| !c.faces.is_empty());
    dice.zip(faces)
        .map(|(die, &face)| die.faces.get(face as usize).unwrap_or(&face).to_string())
        .collect()
}

/// A move by what its player decides.
pub fn move_text(game: &Compiled, mv: &Mv) -> String {
    let mut decisions = Vec::new();
    decided(mv, &mut decisions);
    let texts: Vec<String> = decisions.iter().filter_map(|a| decision(game, &a.kind)).collect();
    match texts.is_empty() {
        true => format!("{}-{}", site(game, None, mv.from), site(game, None, mv.to)),
        false => texts.join(","),
    }
}

fn decided<'a>(mv: &'a Mv, out: &mut Vec<&'a Action>) {
    for part in &mv.parts {
        match part {
            Part::Do(action) if action.decision => out.push(action),
            Part::Do(_) => {}
            Part::Sub(sub) => decided(sub, out),
            Part::Said(said) => out.extend(said.decisions()),
        }
    }
}

fn decision(game: &Compiled, change: &Change) -> Option<String> {
    let at = |kind: SiteType, n: i32| site(game, Some(kind), n);
    Some(match change {
        Change::Move { kind_from, from, kind_to, to, .. }
        | Change::MoveN { kind_from, from, kind_to, to, .. }
        | Change::StackMove { kind_from, from, kind_to, to, .. }
        | Change::Copy { kind_from, from, kind_to, to, .. } => {
            format!("{}-{}", at(*kind_from, *from), at(*kind_to, *to))
        }
        Change::Add { kind, to, what, .. } | Change::Insert { kind, to, what, .. } => {
            placed(game, *what, at(*kind, *to))
        }
        Change::Remove { kind, to, .. } => format!("x{}", at(*kind, *to)),
        Change::Select { kind_from, from, kind_to, to, .. } => match kind_to {
            Some(kind_to) if *to >= 0 && to != from => {
                format!("{}-{}", at(*kind_from, *from), at(*kind_to, *to))
            }
            _ => at(*kind_from, *from),
        },
        Change::Promote { kind, to, what } => {
            format!("{}={}", at(*kind, *to), piece(game, *what))
        }
        Change::Assign { kind, site, value } => format!("{}={value}", at(*kind, *site)),
        Change::SetState { kind, to, state, .. } => format!("{}:{state}", at(*kind, *to)),
        Change::SetRotation { kind, to, rotation } => format!("{}^{rotation}", at(*kind, *to)),
        Change::Pass { .. } => "pass".to_string(),
        Change::Swap { .. } => "swap".to_string(),
        Change::Propose { text, .. } => format!("propose {text}"),
        Change::Vote { text, .. } => format!("vote {text}"),
        Change::Bet { value, .. } => format!("bet {value}"),
        _ => return None,
    })
}

/// A piece put on a site: the site alone where no other piece could come there.
pub fn placed(game: &Compiled, what: i32, site: String) -> String {
    match only_piece(game, what) {
        true => site,
        false => format!("{}@{site}", piece(game, what)),
    }
}

/// Whether the owner of a piece has no other.
fn only_piece(game: &Compiled, what: i32) -> bool {
    let owner = |c: &super::game::Component| c.owner;
    let Some(component) = game.components.get(what.max(0) as usize) else {
        return false;
    };
    let same = game.components.iter().skip(1).filter(|c| owner(c) == component.owner);
    same.count() == 1
}

/// The position as text; of a match the game at hand, after the score.
pub(super) fn position(game: &Compiled, state: &State, viewer: Option<i32>) -> String {
    let (playing, at) = game.playing(state);
    let mut out = String::new();
    if game.is_match() {
        let scores: Vec<String> =
            (1..=game.players).map(|p| state.scores[p as usize].to_string()).collect();
        let (number, name, scores) = (state.trials + 1, &playing.name, scores.join(" : "));
        out += &format!("game {number} of the match: {name}, score {scores}\n");
    }
    out + &board(playing, at, viewer)
}

/// The position as text: the board in rows where it is a grid, and what stands elsewhere.
pub fn board(game: &Compiled, state: &State, viewer: Option<i32>) -> String {
    let unseen = |kind: SiteType, site: i32| {
        let top = (state.layer(kind).height(site) - 1).max(0);
        viewer.is_some_and(|who| is_unseen(state, kind, site, top, who))
    };
    let kind = game.topo.default;
    let plane = game.topo.plane(kind);
    let layer = state.layer(kind);
    let rows = plane.row.iter().max().map_or(0, |most| most + 1);
    let columns = plane.column.iter().max().map_or(0, |most| most + 1);
    let mut grid = vec![vec!["  ".to_string(); columns as usize]; rows as usize];
    for n in 0..plane.count {
        let what = i32::from(layer.top(n as i32).what);
        let text = match what {
            0 => " .".to_string(),
            _ if unseen(kind, n as i32) => " ?".to_string(),
            what if game.puzzle.is_some() => format!("{:>2}", piece(game, what)),
            what => initials(piece(game, what)),
        };
        grid[plane.row[n] as usize][plane.column[n] as usize] = text;
    }
    let mut out = String::new();
    for row in grid.iter().rev() {
        out += row.join(" ").trim_end();
        out.push('\n');
    }
    for container in game.containers.iter().skip(1) {
        for n in container.first..container.first + container.count {
            let held = state.layer(SiteType::Cell).top(n);
            if held.what != 0 {
                let name = match unseen(SiteType::Cell, n) {
                    true => "?",
                    false => piece(game, i32::from(held.what)),
                };
                let place = site(game, Some(SiteType::Cell), n);
                out += &format!("{place}: {name} x{}\n", held.count.max(1));
            }
        }
    }
    out
}

/// First letter and owner of a piece: `P1` for `Pawn1`.
fn initials(name: &str) -> String {
    let first = name.chars().next().unwrap_or('?');
    let last = name.chars().last().filter(char::is_ascii_digit).unwrap_or(' ');
    format!("{first}{last}")
}
