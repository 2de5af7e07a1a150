//! Changes that are made before moves are found, and that are the same for all of them.

use crate::action::Action;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Changes that many moves have in common: kept once, however many there are of either.
#[derive(Clone, Debug)]
pub struct Said(Arc<Shared>);

#[derive(Clone, Debug)]
struct Shared {
    actions: Vec<Action>,
    /// How many of them are decisions.
    decisions: usize,
    /// Whether they change pieces, variables, scores and pending values at most.
    local: bool,
    /// What tells these changes from others.
    hash: u64,
}

impl Said {
    /// These changes.
    pub fn new(actions: Vec<Action>) -> Self {
        let mut hasher = rustc_hash::FxHasher::default();
        actions.hash(&mut hasher);
        let decisions = actions.iter().filter(|action| action.decision).count();
        let local = actions.iter().all(|action| action.kind.is_local());
        Said(Arc::new(Shared { actions, decisions, local, hash: hasher.finish() }))
    }

    /// The changes in order.
    pub fn actions(&self) -> &[Action] {
        &self.0.actions
    }

    /// Those that are decisions.
    pub fn decisions(&self) -> impl Iterator<Item = &Action> {
        let all = if self.0.decisions == 0 { &[][..] } else { self.actions() };
        all.iter().filter(|action| action.decision)
    }

    /// Whether they change pieces, variables, scores and pending values at most.
    pub(super) fn is_local(&self) -> bool {
        self.0.local
    }

    /// Marks all changes as decided or not.
    pub(super) fn set_decision(&mut self, decision: bool) {
        let decisions = if decision { self.actions().len() } else { 0 };
        if self.0.decisions != decisions {
            let mut actions = self.actions().to_vec();
            actions.iter_mut().for_each(|action| action.decision = decision);
            *self = Said::new(actions);
        }
    }
}

impl PartialEq for Said {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.0.hash == other.0.hash && self.0.actions == other.0.actions
    }
}

impl Eq for Said {}

impl Hash for Said {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;
    use crate::ctx::Ctx;
    use crate::moves::{Part, flatten};
    use ludex_lang::diagnostic::SourceId;
    use ludex_lang::lud::{Library, read};

    #[test]
    fn what_is_done_before_all_moves_belongs_to_each() {
        let sets: String = (0..12).map(|n| format!("(set Var \"v{n}\" {})", n + 5)).collect();
        let text = format!(
            r#"(game "Before" (players 2)
                (equipment {{ (board (square 3)) (piece "Disc" Each) }})
                (rules
                    (play (do (and {{ {sets} }}) next:(move Add (to (sites Empty)))))
                    (end (if (is Full) (result Mover Draw)))))"#
        );
        let description = read(&text, SourceId(0), &Library::default(), &[]).unwrap();
        let game = compile(&description).unwrap();
        let mut ctx = Ctx::new(&game, game.empty_state());
        ctx.start();
        let list = ctx.legal_moves();
        assert_eq!(list.len(), 9);
        assert!(list.iter().all(|m| matches!(m.parts[0], Part::Said(_))));
        for m in &list {
            let (mut changes, mut each) = (Vec::new(), 0);
            flatten(m, &mut changes);
            m.each_change(&mut |_| each += 1);
            assert_eq!((changes.len(), each), (13, 13));
            assert!(changes[..12].iter().all(|action| !action.decision));
            assert_eq!(m.decided_sites(), (m.to, m.to));
            assert_eq!(list.iter().filter(|other| *other == m).count(), 1);
        }
        assert_eq!(list, ctx.legal_moves(), "the same moves another time");
        ctx.play_silently(&list[4]);
        assert_eq!(ctx.s.vars, (5..17).collect::<Vec<i32>>());
    }

    #[test]
    fn changes_made_decisions_are_others() {
        use crate::action::Change;
        let said = Said::new(vec![Action::effect(Change::SetPot { value: 3 })]);
        let mut decided = said.clone();
        decided.set_decision(true);
        assert_ne!(said, decided);
        assert_eq!((said.decisions().count(), decided.decisions().count()), (0, 1));
        decided.set_decision(false);
        assert_eq!(said, decided);
    }
}
