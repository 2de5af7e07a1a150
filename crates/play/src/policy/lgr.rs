//! Last good reply: after a won simulation every reply of the winner is stored; after a lost one the
//! stored replies that were played are forgotten.

use ludex_game::playout::{Record, Replies};

use super::single_winner;
use crate::spec::{Describe, Settings};

/// `lgr(remember)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LgrSettings {
    /// Replies of lost simulations are not forgotten.
    pub remember: bool,
}

impl Settings for LgrSettings {
    const NAME: &'static str = "lgr";

    fn describe(&mut self, describe: &mut dyn Describe) {
        describe.flag("remember", &mut self.remember, "do not forget replies that lost");
    }
}

impl LgrSettings {
    /// Takes in one simulation.
    pub(super) fn learn(&self, replies: &mut Replies, record: &Record, payoffs: &[f32]) {
        let Some(winner) = single_winner(payoffs) else { return };
        let steps = record.steps();
        for (at, reply) in steps.iter().enumerate() {
            let before = steps[..at].iter().rev().find(|step| step.ply != reply.ply);
            let Some(previous) = before else { continue };
            if reply.player == winner {
                replies.store(previous, reply);
            } else if !self.remember {
                replies.forget(previous, reply);
            }
        }
    }
}
