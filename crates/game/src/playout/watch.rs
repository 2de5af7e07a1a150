//! Whoever plays by features looks at positions: what stands where, what was played last, and where moves end.

use super::Record;
use crate::families::{Families, Place};
use crate::features::Judge;
use crate::{Detail, Ends, Player, Rules};

/// What a sampler by features sees of a playout.
///
/// Features look at positions, which codes do not show: whoever plays lets it [look](Watch::look) before a move is drawn
/// and tells it what was [played](Watch::played).
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// Whoever weighs the moves.
    pub judge: Judge,
    /// The move before this ply, and the last one of this ply.
    last: Option<Ends>,
    next: Option<Ends>,
    ply: u32,
    /// The ends of all moves, where codes do not tell them.
    pub listed: Vec<(Place, Ends)>,
}

impl Watch {
    pub(super) fn new(judge: Judge) -> Self {
        Watch { judge, last: None, next: None, ply: 0, listed: Vec::new() }
    }

    /// A playout begins after this move.
    pub(super) fn begin(&mut self, last: Option<Ends>) {
        (self.last, self.next, self.ply) = (last, last, u32::MAX);
    }

    /// Looks at the position that is about to be drawn from.
    pub(super) fn look<R: Rules>(
        &mut self,
        rules: &R,
        state: &R::State,
        player: Player,
        families: &Families,
    ) {
        rules.view(state, None, Detail::Sets, &mut self.judge.view);
        self.judge.look();
        self.listed.clear();
        let codes = self.judge.codes();
        let tells = |word: &crate::Word| codes.tell(player, word.first / 64, word.bits);
        if !families.words().iter().all(tells) {
            let ends = |place| {
                let mv = rules.member(state, player, families, place);
                (place, rules.ends(state, Some(player), mv))
            };
            self.listed.extend(families.places().map(ends));
        }
    }

    /// The next choice begins, if it is one of another ply.
    #[inline]
    pub(super) fn turn(&mut self, record: &Record) {
        if record.plies() != self.ply {
            (self.ply, self.last) = (record.plies(), self.next);
        }
    }

    /// Weighs the moves of the position that was looked at.
    #[inline(always)]
    pub(super) fn weigh(&mut self, player: Player) {
        self.judge.weigh(player, self.last);
    }

    /// There was nothing to draw from.
    pub(super) fn stuck(&mut self) {
        self.next = None;
    }

    /// This is played of these families, after which the position is another.
    pub(super) fn played<R: Rules>(
        &mut self,
        rules: &R,
        state: &R::State,
        player: Player,
        families: &Families,
        place: Place,
    ) {
        let known = self.judge.codes().ends(player, families.code(place));
        self.next = Some(known.unwrap_or_else(|| {
            rules.ends(state, Some(player), rules.member(state, player, families, place))
        }));
    }
}
