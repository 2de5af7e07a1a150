//! Choices: every role makes exactly one move, so "one of these" is "none of the others".

use rustc_hash::FxHashMap;

use crate::network::{Kind, Lit, Network};

/// States a condition on a role's move by the rarer side: a fact that survives all moves but six is
/// then touched by six moves, not by all the others. `weights` say how often each move is made.
///
/// Holds where one possible move of each role is made; before any is, the network may say anything
/// about what comes next.
pub fn turn_wide_choices(network: &Network, weights: &[f32]) -> Network {
    let mut choices = Choices::new(network, weights);
    network.rewrite(|out, _, kind, inputs| match kind {
        Kind::Does(number) => choices.made(out, number),
        Kind::And | Kind::Or => choices.place(out, kind, inputs),
        _ => out.push(kind, inputs),
    })
}

/// Larger sets are not written out.
const WIDEST_UNION: u32 = 1024;

/// A set of one role's moves, as bits.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Moves {
    role: usize,
    members: Box<[u64]>,
}

struct Choices<'w> {
    weights: &'w [f32],
    /// The role of each move and its number in the role.
    owners: Vec<(usize, usize)>,
    /// The first move of each role in the numbering through all roles.
    firsts: Vec<usize>,
    /// The moves of each role that can ever be legal.
    possible: Vec<Moves>,
    /// The gates of moves, where placed.
    made: Vec<Option<Lit>>,
    /// What is known of placed gates: true exactly if a move of the set is made.
    sets: FxHashMap<usize, Moves>,
    /// Gates made here, by set.
    unions: FxHashMap<Moves, Lit>,
}

impl<'w> Choices<'w> {
    fn new(network: &Network, weights: &'w [f32]) -> Self {
        let (mut owners, mut firsts, mut possible) = (Vec::new(), Vec::new(), Vec::new());
        for (role, moves) in network.moves.iter().enumerate() {
            firsts.push(owners.len());
            owners.extend((0..moves.len()).map(|at| (role, at)));
            let mut members = vec![0u64; moves.len().div_ceil(64)];
            for (at, _) in moves.iter().enumerate().filter(|(_, input)| input.legal != Lit::FALSE) {
                members[at / 64] |= 1 << (at % 64);
            }
            possible.push(Moves { role, members: members.into() });
        }
        let made = vec![None; owners.len()];
        let (sets, unions) = (FxHashMap::default(), FxHashMap::default());
        Choices { weights, owners, firsts, possible, made, sets, unions }
    }

    /// The gate of a move, placed now if it was not.
    fn made(&mut self, out: &mut Network, number: u32) -> Lit {
        if let Some(lit) = self.made[number as usize] {
            return lit;
        }
        let lit = out.push(Kind::Does(number), &[]);
        self.made[number as usize] = Some(lit);
        let (role, at) = self.owners[number as usize];
        let mut members = vec![0u64; self.possible[role].members.len()];
        members[at / 64] |= 1 << (at % 64);
        self.sets.insert(lit.gate(), Moves { role, members: members.into() });
        lit
    }

    /// The set behind a literal, if it is one.
    fn set_of(&self, lit: Lit) -> Option<Moves> {
        let set = self.sets.get(&lit.gate())?;
        Some(if lit.negated() { self.others(set) } else { set.clone() })
    }

    fn others(&self, set: &Moves) -> Moves {
        let all = self.possible[set.role].members.iter();
        let members = all.zip(&set.members).map(|(all, own)| all & !own).collect();
        Moves { role: set.role, members }
    }

    fn place(&mut self, out: &mut Network, kind: Kind, inputs: &[Lit]) -> Lit {
        let mut groups: Vec<(Moves, Vec<Lit>)> = Vec::new();
        let mut rest = Vec::new();
        for &lit in inputs.iter() {
            let Some(set) = self.set_of(lit) else {
                rest.push(lit);
                continue;
            };
            match groups.iter_mut().find(|(known, _)| known.role == set.role) {
                Some((known, lits)) => {
                    let pairs = known.members.iter_mut().zip(&set.members);
                    match kind {
                        Kind::Or => pairs.for_each(|(one, other)| *one |= other),
                        _ => pairs.for_each(|(one, other)| *one &= other),
                    }
                    lits.push(lit);
                }
                None => groups.push((set, vec![lit])),
            }
        }
        let alone = rest.is_empty() && groups.len() == 1;
        for (set, lits) in &groups {
            match self.stated(out, kind, set, lits) {
                Some(lit) if alone => return lit,
                Some(lit) => rest.push(lit),
                None => rest.extend(lits),
            }
        }
        let lit = out.push(kind, &rest);
        if let (true, Some((set, _))) = (alone, groups.pop()) {
            self.sets.insert(lit.gate(), set);
        }
        lit
    }

    /// A literal for the set if that is better than the literals it came from.
    fn stated(&mut self, out: &mut Network, kind: Kind, set: &Moves, lits: &[Lit]) -> Option<Lit> {
        let (inside, all) = (count(set), count(&self.possible[set.role]));
        if inside == 0 || inside == all {
            return Some(Lit::FALSE.negate_if(inside == all));
        }
        if let [only] = lits {
            return Some(*only);
        }
        let others = self.others(set);
        if self.weight(set) > self.weight(&others) && all - inside <= WIDEST_UNION {
            return Some(!self.union(out, others));
        }
        (kind == Kind::And).then(|| self.union(out, set.clone()))
    }

    fn weight(&self, set: &Moves) -> f32 {
        let first = self.firsts[set.role];
        members(set).map(|at| self.weights[first + at]).sum()
    }

    /// The gate that is true where one of these moves is made.
    fn union(&mut self, out: &mut Network, set: Moves) -> Lit {
        if let Some(&lit) = self.unions.get(&set) {
            return lit;
        }
        let first = self.firsts[set.role];
        let inputs: Vec<Lit> =
            members(&set).map(|at| self.made(out, (first + at) as u32)).collect();
        let lit = match inputs[..] {
            [only] => only,
            _ => out.push(Kind::Or, &inputs),
        };
        self.sets.insert(lit.gate(), set.clone());
        self.unions.insert(set, lit);
        lit
    }
}

fn count(set: &Moves) -> u32 {
    set.members.iter().map(|word| word.count_ones()).sum()
}

fn members(set: &Moves) -> impl Iterator<Item = usize> + '_ {
    (0..set.members.len() * 64).filter(|at| set.members[at / 64] >> (at % 64) & 1 == 1)
}
