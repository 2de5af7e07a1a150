//! Dice: moves are written once for every kind of throw that rules can tell apart, so that what was thrown is
//! known while they are written.

use super::Builder;
use super::families::{LeafParts, Terms};
use crate::code::{Act, Code, Cond, Effect, Node, Num, Shape};
use crate::{Built, Refusal};
use ludex_game::Move;
use ludex_lud::dice::Dice;
use ludex_lud::game::{Compiled, ContainerKind};
use ludex_lud::ir::visit::Part;
use ludex_lud::ir::{Bool, Cmp, Do, ForEachDie, Int, Moves, MovesKind};
use ludex_lud::moves::combined_dice;
use ludex_lud::playable::Ludemes;
use ludex_lud::sites::Numbers;
use ludex_lud::topo::SiteType;

/// As many throws as there may be.
const MOST_THROWS: u64 = 1296;

/// As many kinds of throw as moves are written for.
const MOST_KINDS: usize = 36;

/// The same where dice are used one after the other: more than two dice of six faces leave. What three leave may
/// be slower than the general evaluator.
const MOST_KINDS_USED: usize = 128;

/// A throw that stands for all of its kind.
pub(super) struct Throw {
    faces: Numbers,
    /// What the faces count, nought once a die has been used.
    values: Vec<i32>,
    /// What they counted together when they were thrown, where rules ask for it later.
    sum: i32,
    /// Whether they were the same, where rules ask for it later.
    equal: bool,
}

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

/// Whether dice are used one after the other.
fn uses_dice(game: &Compiled) -> bool {
    game.mentions(
        &mut |part| matches!(part, Part::Moves(moves) if matches!(moves.kind, MovesKind::ForEachDie(_))),
    )
}

/// Adds the kinds of throw to the code, with what is left of them where dice are used; gives one throw of each kind.
pub(super) fn kinds_of_throw(general: &Ludemes, code: &mut Code) -> Built<Vec<Throw>> {
    let (game, dice) = (general.compiled(), general.dice());
    let used = uses_dice(game);
    let faces = |part: Part<'_>| matches!(part, Part::Int(Int::Face(_)));
    let sums = game.mentions(&mut |part| matches!(part, Part::Int(Int::CountPips(_))));
    let doubles = game.mentions(&mut |part| matches!(part, Part::Bool(Bool::DiceEqual)));
    let sets = game.containers.iter().filter(|c| matches!(c.kind, ContainerKind::Dice(_))).count();
    if used && (sets > 1 || game.mentions(&mut { faces })) {
        return Err(Refusal::new("dice that are used and looked at as well"));
    }
    let most = if used { MOST_KINDS_USED } else { MOST_KINDS };
    if !game.chance || dice.is_empty() {
        return Ok(Vec::new());
    }
    if dice.throws() > MOST_THROWS {
        return Err(Refusal::new("very many throws of dice"));
    }
    let single = game.mentions(&mut is_of_single_dice);
    let mut kinds: Vec<Throw> = Vec::new();
    for throw in 0..dice.throws() {
        let shown = dice.faces(Move(throw));
        let values = values(game, &shown);
        let sum = values.iter().sum();
        let equal = values.windows(2).all(|pair| pair[0] == pair[1]);
        let throw = Throw { faces: shown, values, sum, equal };
        let alike = |other: &Throw| match single {
            true => other.values == throw.values,
            false => other.sum == sum,
        };
        let known = kinds.iter().position(alike);
        let at = known.unwrap_or_else(|| {
            kinds.push(throw);
            kinds.len() - 1
        });
        code.throws.push(at as u16);
        if kinds.len() > most {
            return Err(Refusal::new("very many kinds of throw"));
        }
    }
    code.thrown_before = throw_at_start(general, dice);
    if used {
        for kind in &mut kinds {
            // What nobody asks for later does not tell kinds apart.
            (kind.sum, kind.equal) = (if sums { kind.sum } else { 0 }, doubles && kind.equal);
        }
    }
    let mut at = 0;
    while used && at < kinds.len() {
        for die in 0..kinds[at].values.len() {
            let left = kinds[at].without(&[die]);
            if !kinds.iter().any(|other| other.is(&left)) {
                kinds.push(left);
            }
        }
        if kinds.len() > most {
            return Err(Refusal::new("very many kinds of throw"));
        }
        at += 1;
    }
    Ok(kinds)
}

impl Throw {
    /// What is left once dice have been used.
    fn without(&self, dice: &[usize]) -> Throw {
        let mut values = self.values.clone();
        dice.iter().for_each(|&die| values[die] = 0);
        Throw { faces: self.faces.clone(), values, ..*self }
    }

    /// Whether rules cannot tell it from another.
    fn is(&self, other: &Throw) -> bool {
        (&self.values, self.sum, self.equal) == (&other.values, other.sum, other.equal)
    }
}

/// What faces count.
fn values(game: &Compiled, faces: &[i32]) -> Vec<i32> {
    let dice = game.components.iter().filter(|c| !c.faces.is_empty());
    dice.zip(faces).map(|(die, &face)| die.faces[face as usize]).collect()
}

/// The throw that lies there before the first.
fn throw_at_start(general: &Ludemes, dice: &Dice) -> usize {
    let start = general.start_state();
    let game = general.compiled();
    let sites = game.containers.iter().filter(|c| matches!(c.kind, ContainerKind::Dice(_)));
    let sites: Vec<i32> = sites.flat_map(|c| c.first..c.first + c.count).collect();
    let layer = start.layer(SiteType::Cell);
    dice.showing(sites.iter().map(|&site| layer.top(site).state.max(0) as u64)) as usize
}

impl Builder<'_> {
    /// Writes code for a kind of throw from now on, or for any.
    pub(super) fn lay_dice(&mut self, kind: Option<usize>) {
        self.throw = kind;
        let Some(throw) = kind.map(|kind| &self.throws[kind]) else {
            return;
        };
        let (counted, mut faces) = (throw.values.clone(), throw.faces.clone().into_iter());
        let thrown = uses_dice(self.game).then_some((throw.sum, throw.equal));
        let game = self.game;
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
            if let Some((sum, equal)) = thrown {
                (self.ctx.s.dice_sum[set], self.ctx.s.dice_equal) = (sum, equal);
            }
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
            MovesKind::Do(wanted) if is_throw(wanted) => match &wanted.prior.kind {
                MovesKind::If(cond, ..) if Part::Bool(cond).any(&mut is_of_dice) => {
                    self.refuse("a throw that depends on the one before")
                }
                MovesKind::If(cond, ..) => self.cond(cond),
                _ => Ok(Cond::Const(true)),
            },
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

    /// Does something as it is after a move: dice may have been used by then, so that nothing is known of them.
    pub(super) fn after_dice<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        if !uses_dice(self.game) {
            return act(self);
        }
        let (throw, pips) = (self.throw, std::mem::take(&mut self.pips));
        self.lay_dice(None);
        let done = act(self);
        self.lay_dice(throw);
        self.pips = pips;
        done
    }

    /// The moves of every die that is left: it has been used by what follows them.
    pub(super) fn each_die(&mut self, each: &ForEachDie, terms: &Terms) -> Built<Node> {
        let plain = self.fixed_bool(&each.replay_double) == Some(false)
            && self.fixed_int(&each.dice) == Some(0);
        let (Some(combined), true, false) = (self.fixed_bool(&each.combined), plain, self.pips)
        else {
            return self.refuse("dice that are used in a way of their own");
        };
        let Some(kind) = self.throw else {
            let mut nodes = Vec::new();
            for kind in 0..self.throws.len() {
                self.lay_dice(Some(kind));
                nodes.push(self.each_die(each, terms));
            }
            self.lay_dice(None);
            return Ok(Node::Switch(Num::Throw, nodes.into_iter().collect::<Built<_>>()?));
        };
        let values = self.throws[kind].values.clone();
        let mut nodes = Vec::new();
        let alone = (0..values.len()).map(|die| vec![die]);
        let together = combined_dice(&values).into_iter().filter(|_| combined);
        for (number, dice) in alone.chain(together).enumerate() {
            let value = dice.iter().map(|&die| values[die]).sum();
            let left = self.throws[kind].without(&dice);
            let left = self.throws.iter().position(|other| other.is(&left)).unwrap_or(kind);
            let uses = Effect::UseDice(number as u8, left as u16);
            let known = self.code.effects.iter().position(|other| *other == uses);
            let at = known.unwrap_or_else(|| {
                self.code.effects.push(uses);
                self.code.asked.push(0);
                self.code.effects.len() - 1
            });
            let terms = Terms { uses: Some(at), ..terms.clone() };
            let before = std::mem::replace(&mut self.ctx.v.pips, value);
            self.pips = true;
            let node = self.choice(&each.cond, &each.moves, None, &terms);
            (self.pips, self.ctx.v.pips) = (false, before);
            nodes.push(node?);
        }
        Ok(self.all_of(nodes))
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
        let mut leaf_parts = LeafParts::default();
        let none = self.nowhere();
        leaf_parts.add(Shape::Pass, none.clone(), none, deed)?;
        let pass = self.leaf(leaf_parts);
        Ok(Node::First(vec![node, pass]))
    }
}

/// Whether moves are found after a throw of dice, or one under a condition, and nothing else.
pub(super) fn is_throw(wanted: &Do) -> bool {
    let plain = |moves: &Moves| matches!(moves.kind, MovesKind::Roll) && moves.then.is_none();
    let throws = match &wanted.prior.kind {
        MovesKind::If(_, yes, None) => plain(yes) && wanted.prior.then.is_none(),
        _ => plain(&wanted.prior),
    };
    wanted.next.is_some() && throws
}

/// Whether moves, with those of pieces, look at dice.
fn looks_at_dice(play: &Moves, game: &Compiled) -> bool {
    let pieces = game.components.iter().filter_map(|piece| piece.moves.as_ref());
    let mut rules = std::iter::once(play).chain(&game.consequences).chain(pieces);
    rules.any(|rule| Part::Moves(rule).any(&mut is_of_dice))
}
