//! What a move changed, as far as somebody asks.

use crate::action::{Action, Change, NONE};

/// The changes of a move in order, or only where the last of them took place.
#[derive(Clone, Debug, Default)]
pub struct Log {
    actions: Vec<Action>,
    silent: bool,
    from: i32,
    to: i32,
}

impl Log {
    /// All changes are kept.
    pub fn full() -> Self {
        Log { actions: Vec::new(), silent: false, from: NONE, to: NONE }
    }

    /// No change is kept.
    pub fn silent() -> Self {
        Log { silent: true, ..Log::full() }
    }

    /// Adds a change.
    #[inline]
    pub fn push(&mut self, action: &Action) {
        if !self.silent {
            self.actions.push(action.clone());
            return;
        }
        let (from, to) = (action.kind.from(), action.kind.to());
        self.from = if from == NONE { self.from } else { from };
        self.to = if to == NONE { self.to } else { to };
    }

    /// Adds a change before all others.
    pub fn push_first(&mut self, action: Action) {
        self.actions.insert(0, action);
    }

    /// The changes kept.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The changes kept, for good.
    pub fn into_actions(self) -> Vec<Action> {
        self.actions
    }

    /// Where the last change that has a place started, and where the last ended.
    pub fn ends(&self) -> (i32, i32) {
        if self.silent {
            return (self.from, self.to);
        }
        let last = |of: fn(&Change) -> i32| {
            let mut sites = self.actions.iter().rev().map(|action| of(&action.kind));
            sites.find(|&site| site != NONE).unwrap_or(NONE)
        };
        (last(Change::from), last(Change::to))
    }
}
