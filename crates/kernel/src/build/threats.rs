//! Threats: moves of an enemy onto a site.

use super::Builder;
use super::families::Terms;
use crate::Built;
use crate::code::{Cond, Node, Threat};
use ludex_lud::ir::Threatened;

impl Builder<'_> {
    pub(super) fn threatened(&mut self, wanted: &Threatened) -> Built<Cond> {
        self.same_kind(wanted.kind)?;
        if self.game.players > 2 {
            return self.refuse("threats among several players");
        }
        let Some(what) = &wanted.what else {
            return self.refuse("threats to whatever stands somewhere");
        };
        let Some(at) = &wanted.at else {
            return self.refuse("threats to the last move");
        };
        if wanted.by.is_some() {
            return self.refuse("threats by moves of their own");
        }
        let (what, at) = (self.num(what)?, self.region(at)?);
        let by = self.threats()?;
        Ok(Cond::Threatened(Box::new(Threat { at, what, by })))
    }

    /// The number of the moves that threaten pieces; they are the same wherever they are asked for, but
    /// for what is left out of questions and what loops over values bind.
    fn threats(&mut self) -> Built<usize> {
        let key = (self.asking, self.value);
        if let Some(&(_, at)) = self.threats_written.iter().find(|(known, _)| *known == key) {
            return Ok(at);
        }
        let by = [self.threats_by(2, 1)?, self.threats_by(1, 2)?];
        self.code.threats.push(by);
        let at = self.code.threats.len() - 1;
        self.threats_written.push((key, at));
        Ok(at)
    }

    /// What a player may do, by phase, as far as it threatens pieces of another.
    fn threats_by(&mut self, enemy: i32, owner: i32) -> Built<Vec<Node>> {
        let saved = (self.mover, self.actor, self.choosing, self.threat, self.prev, self.bound);
        let kept = (self.origin.take(), self.from_what.take(), self.last_what.take());
        let merged = std::mem::replace(&mut self.merged, false);
        let jumps = std::mem::replace(&mut self.jumps, false);
        (self.threat, self.prev, self.choosing) = (true, Some(owner), false);
        self.bound = super::Bound::default();
        self.actor = enemy;
        self.write_for(enemy);
        let game = self.game;
        let mut out = Ok(Vec::new());
        for phase in &game.phases {
            let node = self.node(&phase.play, &Terms::default());
            let node = match node {
                Ok(node) if in_turn(&node) && self.is_tried(&node) => {
                    self.refuse("threats by moves that must be tried")
                }
                node => node,
            };
            match (&mut out, node) {
                (Ok(list), Ok(node)) => list.push(node),
                (Ok(_), Err(refusal)) => out = Err(refusal),
                (Err(_), _) => break,
            }
        }
        self.write_for(saved.0);
        (_, self.actor, self.choosing, self.threat, self.prev, self.bound) = saved;
        (self.origin, self.from_what, self.last_what) = kept;
        (self.merged, self.jumps) = (merged, jumps);
        out
    }
}

/// Whether only one of several parts counts somewhere.
fn in_turn(node: &Node) -> bool {
    match node {
        Node::Nothing | Node::Leaf(_) => false,
        Node::First(_) | Node::Switch(..) => true,
        Node::All(all) => all.iter().any(in_turn),
        Node::If(_, yes, no) => in_turn(yes) || in_turn(no),
    }
}
