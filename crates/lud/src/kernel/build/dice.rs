//! Dice: moves are written once for every kind of throw that rules can tell apart, so that what was thrown is
//! known while they are written.

use super::Builder;
use super::families::{Sheaf, Terms};
use crate::dice::Dice;
use crate::game::{Compiled, ContainerKind};
use crate::ir::visit::Part;
use crate::ir::{Bool, Cmp, Do, Int, Moves, MovesKind};
use crate::kernel::code::{Act, Code, Cond, Node, Num, Shape};
use crate::kernel::{Built, Refusal};
use crate::playable::Ludemes;
use crate::sites::Numbers;
use crate::topo::SiteType;
use ludex_game::Move;

/// As many throws as there may be.
const MOST_THROWS: u64 = 1296;

/// As many kinds of throw as moves are written for.
const MOST_KINDS: usize = 36;

/// Whether a part of the rules looks at single dice.
fn is_of_single_dice(part: Part<'_>) -> bool {
    match part {
        Part::Moves(moves) => matches!(moves.kind, MovesKind::ForEachDie(_)),
        Part::Bool(cond) => matches!(cond, Bool::AnyDie(_) | Bool::DiceEqual | Bool::DiceUsed),
        _ => false,
    }
}

/// Whether a part of the rules throws dice.
fn throws(part: Part<'_>) -> bool {
    matches!(part, Part::Moves(moves) if matches!(moves.kind, MovesKind::Roll))
}

/// Whether a part of the rules looks at dice at all.
fn is_of_dice(part: Part<'_>) -> bool {
    throws(part) || is_of_single_dice(part) || matches!(part, Part::Int(Int::CountPips(_)))
}

/// Adds the kinds of throw to the code; gives the faces of one throw of each kind.
pub(super) fn kinds_of_throw(general: &Ludemes, code: &mut Code) -> Built<Vec<Numbers>> {
    let (game, dice) = (general.compiled(), general.dice());
    if !game.chance || dice.is_empty() {
        return Ok(Vec::new());
    }
    if dice.throws() > MOST_THROWS {
        return Err(Refusal::new("very many throws of dice"));
    }
    let single = game.mentions(&mut is_of_single_dice);
    let (mut kinds, mut faces): (Vec<Vec<i32>>, Vec<Numbers>) = (Vec::new(), Vec::new());
    for throw in 0..dice.throws() {
        let shown = dice.faces(Move(throw));
        let mut kind = values(game, &shown);
        if !single {
            kind = vec![kind.iter().sum()];
        }
        let known = kinds.iter().position(|other| *other == kind);
        let at = known.unwrap_or_else(|| {
            kinds.push(kind);
            faces.push(shown);
            kinds.len() - 1
        });
        code.throws.push(at as u8);
        if kinds.len() > MOST_KINDS {
            return Err(Refusal::new("very many kinds of throw"));
        }
    }
    code.thrown_before = lying(general, dice);
    Ok(faces)
}

/// What faces count.
fn values(game: &Compiled, faces: &[i32]) -> Vec<i32> {
    let dice = game.components.iter().filter(|c| !c.faces.is_empty());
    dice.zip(faces).map(|(die, &face)| die.faces[face as usize]).collect()
}

/// The throw that lies there before the first.
fn lying(general: &Ludemes, dice: &Dice) -> usize {
    let start = general.start_state();
    let game = general.compiled();
    let sites = game.containers.iter().filter(|c| matches!(c.kind, ContainerKind::Dice(_)));
    let sites: Vec<i32> = sites.flat_map(|c| c.first..c.first + c.count).collect();
    let layer = start.layer(SiteType::Cell);
    dice.showing(sites.iter().map(|&site| layer.top(site).state.max(0) as u64)) as usize
}

impl Builder<'_> {
    /// Writes code for a kind of throw from now on, or for any.
    fn lay_dice(&mut self, kind: Option<usize>) {
        self.throw = kind;
        let Some(faces) = kind.map(|kind| self.throws[kind].clone()) else {
            return;
        };
        let counted = values(self.game, &faces);
        let game = self.game;
        let mut faces = faces.into_iter();
        for container in &game.containers {
            let ContainerKind::Dice(set) = container.kind else {
                continue;
            };
            for site in container.first..container.first + container.count {
                let face = faces.next().unwrap_or(0) as i16;
                self.ctx.s.layers[SiteType::Cell as usize].update(site, |p| p.state = face);
            }
            self.ctx.s.dice_equal = counted.windows(2).all(|pair| pair[0] == pair[1]);
            self.ctx.s.dice_sum[set] = counted.iter().sum();
            self.ctx.s.dice[set].clone_from(&counted);
        }
    }

    /// What something is for every kind of throw, where that alone matters.
    pub(super) fn by_throw<T>(
        &mut self,
        mut of: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        if self.throw.is_some() || self.throws.is_empty() {
            return None;
        }
        let mut all = Vec::new();
        for kind in 0..self.throws.len() {
            self.lay_dice(Some(kind));
            all.extend(of(self));
        }
        self.lay_dice(None);
        (all.len() == self.throws.len()).then_some(all)
    }

    /// A number that depends on the throw alone.
    pub(super) fn num_of_throw(&mut self, values: Vec<i32>) -> Num {
        Num::Entry(self.numbers(values), Box::new(Num::Throw))
    }

    /// A condition that depends on the throw alone.
    pub(super) fn cond_of_throw(&mut self, values: Vec<bool>) -> Cond {
        let values = values.into_iter().map(i32::from).collect();
        Cond::Compare(Cmp::Eq, self.num_of_throw(values), Num::Const(1))
    }

    /// What a player may do in a phase, by kind of throw where that matters.
    pub(super) fn played(&mut self, play: &Moves) -> Built<Node> {
        if self.throws.is_empty() || !looks_at_dice(play, self.game) {
            return self.node(play, &Terms::default());
        }
        let mut nodes = Vec::new();
        for kind in 0..self.throws.len() {
            self.lay_dice(Some(kind));
            nodes.push(self.node(play, &Terms::default()));
        }
        self.lay_dice(None);
        Ok(Node::Switch(Num::Throw, nodes.into_iter().collect::<Built<_>>()?))
    }

    /// When dice are thrown before a player moves.
    pub(super) fn when_thrown(&mut self, play: &Moves) -> Built<Cond> {
        match &play.kind {
            MovesKind::Do(wanted) if is_throw(wanted) => Ok(Cond::Const(true)),
            MovesKind::If(cond, yes, no) => {
                let yes = self.when_thrown(yes)?;
                let no = match no {
                    Some(no) => self.when_thrown(no)?,
                    None => Cond::Const(false),
                };
                if yes == no {
                    return Ok(yes);
                }
                if Part::Bool(cond).any(&mut is_of_dice) {
                    return self.refuse("a throw that depends on the one before");
                }
                let cond = Box::new(self.cond(cond)?);
                Ok(Cond::If(cond, Box::new(yes), Box::new(no)))
            }
            _ if Part::Moves(play).any(&mut throws) => {
                self.refuse("dice thrown while moves are looked for")
            }
            _ => Ok(Cond::Const(false)),
        }
    }

    /// The moves after a throw; where there are none, the player passes.
    pub(super) fn after_throw(&mut self, wanted: &Do, terms: &Terms) -> Built<Node> {
        let (Some(next), None, false) = (&wanted.next, &wanted.if_afterwards, self.asking) else {
            return self.refuse("throws of dice in a way of their own");
        };
        let node = self.node(next, terms)?;
        if terms.then.is_empty() {
            return Ok(node);
        }
        if self.is_tried(&node) || !terms.after.is_empty() {
            return self.refuse("what follows a throw whose moves must be tried");
        }
        let deed = self.deed(Act::Pass, None, None, terms)?;
        let mut sheaf = Sheaf::default();
        let none = self.nowhere();
        sheaf.add(Shape::Pass, none.clone(), none, deed)?;
        let pass = self.leaf(sheaf);
        Ok(Node::First(vec![node, pass]))
    }
}

/// Whether moves are found after a throw of dice and nothing else.
pub(super) fn is_throw(wanted: &Do) -> bool {
    wanted.next.is_some()
        && matches!(wanted.prior.kind, MovesKind::Roll)
        && wanted.prior.then.is_none()
}

/// Whether moves, with those of pieces, look at dice.
fn looks_at_dice(play: &Moves, game: &Compiled) -> bool {
    let pieces = game.components.iter().filter_map(|piece| piece.moves.as_ref());
    let mut rules = std::iter::once(play).chain(&game.consequences).chain(pieces);
    rules.any(|rule| Part::Moves(rule).any(&mut is_of_dice))
}
