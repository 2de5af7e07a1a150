//! Moves as people read and write them.

use ludex_game::{GameError, Move, closest};

use super::SevenWonders;
use super::action::{Action, Way};
use super::demand::Split;
use super::state::{Phase, State};

/// `, paying 2 left, 1 right`, or nothing.
pub(super) fn payment(pays: Split) -> String {
    let side = |coins: u8, side: &str| (coins > 0).then(|| format!("{coins} {side}"));
    let parts: Vec<String> =
        [side(pays.left, "left"), side(pays.right, "right")].into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!(", paying {}", parts.join(", ")) }
}

impl SevenWonders {
    pub(super) fn action_text(&self, action: Action) -> String {
        let name = &self.card(action.card).name;
        let pays = payment(action.pays);
        match action.way {
            Way::Build => format!("build {name}{pays}"),
            Way::Stage => format!("stage with {name}{pays}"),
            Way::Discard => format!("discard {name}"),
            Way::BuildFree => format!("build {name} by power"),
            Way::Pick => format!("take {name}"),
            Way::Decline => "take nothing".to_string(),
        }
    }

    pub(super) fn chance_text(&self, state: &State, mv: Move) -> String {
        if state.phase != Phase::Boards {
            return format!("deal {:016x}", mv.0);
        }
        let seats = (0..state.players()).map(|seat| {
            let code = mv.0 >> (5 * seat) & 31;
            let name = &self.components.boards[(code >> 1) as usize].name;
            format!("{name} {}", ["A", "B"][(code & 1) as usize])
        });
        seats.collect::<Vec<_>>().join(", ")
    }

    pub(super) fn chance_of(&self, state: &State, text: &str) -> Option<Move> {
        let text = text.trim();
        if state.phase != Phase::Boards {
            return u64::from_str_radix(text.strip_prefix("deal ")?, 16).ok().map(Move);
        }
        let mut boards = Vec::new();
        let mut code = 0;
        for (seat, part) in text.split(',').enumerate() {
            let (name, side) = part.trim().rsplit_once(' ')?;
            let board = self.components.board_named(name.trim())?;
            let side = ["A", "B"].iter().position(|s| s.eq_ignore_ascii_case(side))?;
            if boards.contains(&board) || seat >= state.players() || !self.sides.allow(side) {
                return None;
            }
            boards.push(board);
            code |= ((board << 1 | side) as u64) << (5 * seat);
        }
        (boards.len() == state.players()).then_some(Move(code))
    }

    /// A move by its text: any way to pay may be named; without one, the cheapest is meant.
    pub(super) fn action_of(
        &self,
        state: &State,
        seat: usize,
        text: &str,
    ) -> Result<Move, GameError> {
        let wanted = text.trim();
        let mut moves = Vec::new();
        self.moves_with_payments(state, seat, &mut moves);
        let texts: Vec<String> = moves.iter().map(|&mv| self.action_text(Action::of(mv))).collect();
        if let Some(at) = texts.iter().position(|legal| legal.eq_ignore_ascii_case(wanted)) {
            return Ok(moves[at]);
        }
        let options = self.options(state, seat);
        for &couple in options.as_slice() {
            let plain = self.action_text(Action::free(couple.0, couple.1));
            if plain.eq_ignore_ascii_case(wanted) {
                return Ok(self.cheapest(state, seat, &options, couple));
            }
        }
        let near = closest(wanted, texts.iter().map(String::as_str)).map(str::to_string);
        Err(GameError::IllegalMove { text: wanted.to_string(), closest: near })
    }
}
