//! Values of pieces: where all pieces of a kind have the same value from the start and none comes to the board
//! later, a value is a number by the kind.

use super::Builder;
use super::sets::{EMPTY, is_var};
use crate::Built;
use crate::code::{Act, Effect, Set, Var};
use ludex_lud::game::Compiled;
use ludex_lud::ir::visit::Part;
use ludex_lud::ir::{Bool, Channel, Cmp, Int};
use ludex_lud::layer::Layer;
use ludex_lud::state::State;

/// The value that all pieces of each kind have at the start.
pub(crate) fn by_kind(game: &Compiled, start: &State) -> Option<Vec<i32>> {
    let mut values: Vec<Option<i32>> = vec![None; game.components.len()];
    values[0] = Some(0);
    let pieces = |layer: &'_ Layer| layer.flat().to_vec();
    for piece in start.layers.iter().flat_map(pieces) {
        let value = values.get_mut(piece.what as usize)?;
        if *value.get_or_insert(piece.value) != piece.value {
            return None;
        }
    }
    Some(values.into_iter().map(|value| value.unwrap_or(0)).collect())
}

/// The same comparison with its sides exchanged.
pub(super) fn turned(cmp: Cmp) -> Cmp {
    match cmp {
        Cmp::Eq | Cmp::Ne => cmp,
        Cmp::Lt => Cmp::Gt,
        Cmp::Le => Cmp::Ge,
        Cmp::Gt => Cmp::Lt,
        Cmp::Ge => Cmp::Le,
    }
}

impl Builder<'_> {
    /// The values of all kinds.
    pub(super) fn kind_values(&mut self) -> Built<Vec<i32>> {
        self.asks_values = true;
        match &self.values {
            Some(values) => Ok(values.clone()),
            None => self.refuse("pieces of one kind with different values"),
        }
    }

    /// The value of a piece where its kind is known.
    fn known_value(&mut self, n: &Int) -> Option<i32> {
        match (n, self.from_what) {
            (Int::At(Channel::Value, None, site, None), Some(what))
                if matches!(**site, Int::From) =>
            {
                let values = self.kind_values().ok()?;
                values.get(what as usize).copied()
            }
            (n, _) => self.fixed_int(n),
        }
    }

    /// The sites whose piece has a value that compares with a number known before.
    pub(super) fn valued(&mut self, cmp: Cmp, at: &Int, with: &Int, var: Var) -> Built<Set> {
        let Int::At(Channel::Value, kind, site, None) = at else {
            return self.refuse("a number asked for at a site");
        };
        if let Some(kind) = kind {
            self.same_kind(*kind)?;
        }
        let Some(wanted) = self.known_value(with) else {
            return self.refuse("a value that is not known before");
        };
        let values = self.kind_values()?;
        self.preimage(site, var, |b| {
            let mut set = b.nowhere();
            for (what, value) in values.iter().enumerate() {
                if cmp.holds(*value, wanted) {
                    let slot = if what == 0 { EMPTY } else { b.slot_of(what as u16) };
                    set = b.or(set, slot);
                }
            }
            Ok(set)
        })
    }

    /// Whether values stay those of the kinds: whatever comes to the board later has none.
    pub(super) fn keeps_values(&self) -> Built<()> {
        let comes = self.code.any_effect(&|effect| {
            use Effect::{Add, Asked, Convert, Custodial, Promote, Turn};
            matches!(effect, Add(..) | Promote(..) | Convert(..) | Turn(_) | Asked(_))
                || matches!(effect, Custodial(caught) if caught.together.is_some())
        });
        let placed = |act: &Act| matches!(act, Act::Add(_) | Act::Place(..) | Act::Promote(_));
        let placed = self.code.deeds.iter().any(|deed| placed(&deed.act));
        match self.asks_values && (comes || placed) {
            true => self.refuse("values of pieces that come to the board"),
            false => Ok(()),
        }
    }

    /// Whether a condition asks for where a move starts other than for the value of the piece there, which is
    /// known with its kind.
    pub(super) fn asks_start(&self, cond: &Bool) -> bool {
        self.asks_start_in(Part::Bool(cond))
    }

    fn asks_start_in(&self, part: Part<'_>) -> bool {
        if is_var(part, Var::From) {
            return true;
        }
        if self.from_what.is_some() && is_value_of_start(part) {
            return false;
        }
        let mut found = false;
        part.parts(&mut |inner| found = found || self.asks_start_in(inner));
        found
    }
}

/// Whether a number is the value of the piece where a move starts.
fn is_value_of_start(part: Part<'_>) -> bool {
    match part {
        Part::Int(Int::At(Channel::Value, None, site, None)) => matches!(**site, Int::From),
        _ => false,
    }
}
