//! Which games can be played by swift plies: read off the code, and refused wherever a rule is not known to
//! be no more than such plies do.

use super::flips::{Caught, Flank, MOST_ROUNDS};
use super::reading::Reading;
use super::{
    ALL, Colour, EMPTY, FEW_FAMILIES, FOE, Family, Lane, MAX_FAMILIES, MAX_TERMS, OWN, Scores,
    Size, Swift, Term,
};
use crate::code::Family as Coded;
use crate::code::{
    Act, Code, Cond, Custodial, Deed, Effect, End, Leaf, Node, Num, Set, Shape, Var,
};
use crate::run::eval::moved;
use crate::run::{Kernel, bits};
use ludex_game::bits::Bits;
use std::collections::BTreeSet;

impl<const W: usize> Swift<W> {
    /// The game by swift plies, if it is such a game.
    pub(in super::super) fn of<const S: usize>(kernel: &Kernel<W, S>) -> Option<Self> {
        let code = &kernel.code;
        if !is_simple(code) {
            return None;
        }
        let colours = colours(kernel)?;
        let slots = slots(code, colours, kernel.states)?;
        let lane = |side: usize| {
            let reading = Reading { code, slots: &slots, side };
            lane(&reading, colours, kernel.end_is_deferred(side))
        };
        let mut lanes = [lane(0)?, lane(1)?];
        for side in 0..2 {
            lanes[side].most_lost = most_lost(&lanes[side].families, lanes[1 - side].plain);
        }
        // Scores are set once for a run of plies: as by its last ply, whoever's that is.
        if lanes[0].scores != lanes[1].scores {
            return None;
        }
        Some(Swift {
            lanes,
            colours,
            everywhere: kernel.everywhere,
            max_turns: code.max_turns,
            max_moves: code.max_moves,
            slots,
        })
    }
}

/// Nothing but the sets of pieces and the turn takes part.
fn is_simple(code: &Code) -> bool {
    let one_plan = code.sides.iter().all(|side| side.plans.len() == 1 && !side.plans[0].tried);
    let no_memory = code.visited.is_none() && code.doomed.is_none() && code.remembered.is_empty();
    let no_past = code.questions.is_empty() && !code.stores && code.notes.is_empty();
    let no_more = !code.swap && !code.asks_stuck && code.throws.is_empty() && !code.piles;
    let two = code.sides.len() == 2 && code.sites == code.board;
    two && one_plan && no_memory && no_past && no_more
}

/// The two colours that are there at the start or come later; the first player's first.
fn colours<const W: usize, const S: usize>(kernel: &Kernel<W, S>) -> Option<[Colour; 2]> {
    let board = &kernel.start.board;
    let mut all = BTreeSet::new();
    for site in (0..kernel.code.sites as i32).filter(|&site| board.what(site) != 0) {
        all.insert(Colour { what: board.what(site), state: board.state(site) });
    }
    for deed in &kernel.code.deeds {
        match deed.act {
            Act::Add(what) => _ = all.insert(Colour { what, state: 0 }),
            Act::Place(what, state) => _ = all.insert(Colour { what, state }),
            _ => {}
        }
    }
    let all: Vec<_> = all.into_iter().collect();
    all.try_into().ok()
}

/// What every set of a position is, as the first player sees it; nothing if some sets are something else or
/// the colours look the same.
fn slots(code: &Code, colours: [Colour; 2], states: bool) -> Option<Vec<u8>> {
    let mut slots = vec![None; code.slot_count];
    slots[0] = Some(EMPTY);
    for (what, &(own, owner)) in code.slots.iter().enumerate().skip(1) {
        for slot in [own, owner] {
            *slots[slot as usize].get_or_insert(0) |= sum(colours, |c| c.what as usize == what);
        }
    }
    for &(state, slot) in &code.states {
        let empty = if state == 0 { EMPTY } else { 0 };
        slots[slot as usize] = Some(empty | sum(colours, |c| c.state == state));
    }
    let known = |c: &Colour| match states {
        true => code.states.iter().any(|&(state, _)| state == c.state),
        false => c.state == 0,
    };
    let slots: Vec<u8> = slots.into_iter().collect::<Option<_>>()?;
    let apart = |one: u8, other: u8| slots.iter().any(|&s| (s & one == 0) != (s & other == 0));
    let told = apart(OWN, FOE) && apart(OWN, EMPTY) && apart(FOE, EMPTY);
    (told && colours.iter().all(known)).then_some(slots)
}

fn sum(colours: [Colour; 2], is: impl Fn(Colour) -> bool) -> u8 {
    let part = |colour, view| if is(colour) { view } else { 0 };
    part(colours[0], OWN) | part(colours[1], FOE)
}

/// The plies of a player.
fn lane<const W: usize>(
    reading: &Reading<'_>,
    colours: [Colour; 2],
    defers_end: bool,
) -> Option<Lane<W>> {
    let code = reading.code;
    let side = &code.sides[reading.side];
    let Node::Leaf(leaf) = side.plans[0].node else {
        return None;
    };
    let leaf = &code.leaves[leaf];
    if leaf.families.is_empty() || leaf.families.len() > MAX_FAMILIES {
        return None;
    }
    let mut lane = Lane {
        families: Box::default(),
        size: Size::One,
        most_lost: 0,
        flank: None,
        caught: None,
        plain: true,
        stifles: defers_end,
        goal: Bits::EMPTY,
        brink: Bits::EMPTY,
        vacant: Box::default(),
        scores: Box::default(),
    };
    let mine = [colours[reading.side], colours[1 - reading.side]];
    let mut families = Vec::new();
    // Shifts are counted first, then jumps, then the others, as by all rules.
    for rank in 0..3 {
        for family in leaf.families.iter().filter(|family| rank_of(&family.shape) == rank) {
            let (family, scores) = family_of(reading, leaf, family, mine, &mut lane)?;
            if !families.is_empty() && lane.scores != scores {
                return None;
            }
            families.push(family);
            lane.scores = scores;
        }
    }
    if lane.flank.is_some() && families.len() > 1 {
        return None;
    }
    lane.size = size_of(&families);
    // What is counted without a loop is filled up with families that have no moves.
    while (2..FEW_FAMILIES).contains(&families.len()) {
        families.push(Family { ends: Bits::EMPTY, ..families[0].clone() });
    }
    lane.families = families.into();
    let rules = side.game_end.len() - usize::from(defers_end);
    let mut alarm = Alarm { goal: Bits::EMPTY, vacant: Vec::new() };
    for rule in side.ends.iter().flatten().chain(&side.game_end[..rules]) {
        alarm.rule(reading, rule)?;
    }
    (lane.goal, lane.vacant) = (alarm.goal, alarm.vacant.into());
    for family in &lane.families {
        let goal = family.ends & lane.goal;
        lane.brink |= match family.from {
            Some(_) => moved(goal, family.back) & family.starts,
            None if goal.is_empty() => Bits::EMPTY,
            None => !Bits::EMPTY,
        };
    }
    Some(lane)
}

fn rank_of(shape: &Shape) -> usize {
    match shape {
        Shape::Shift(..) => 0,
        Shape::Jump { .. } => 1,
        _ => 2,
    }
}

/// How many moves one of the other player's takes away at most: each term looks once at a site that he comes to, at one that he
/// leaves, and at one where he takes a piece without coming there.
fn most_lost<const W: usize>(families: &[Family<W>], plain: bool) -> u32 {
    let lost = |term: &Term| {
        let [own, foe, empty] = [OWN, FOE, EMPTY].map(|part| term.view & part != 0);
        let (comes, takes) = if plain { (1, 0) } else { (2, 1) };
        comes * u32::from(!foe) + u32::from(foe && !empty) + takes * u32::from(own && !empty)
    };
    let moving = families.iter().filter(|family| !family.ends.is_empty());
    moving.flat_map(|family| &family.terms).map(lost).sum()
}

/// How the moves of families with so many terms are counted.
fn size_of<const W: usize>(families: &[Family<W>]) -> Size {
    let idle = |family: &Family<W>| family.terms[MAX_TERMS - 1] == Term::new(ALL, 0);
    match (families.len(), families.iter().all(idle)) {
        (1, true) => Size::One,
        (1, false) => Size::OneOfThree,
        (..=3, true) => Size::UpToThree,
        (FEW_FAMILIES, true) => Size::Four,
        _ => Size::Many,
    }
}

/// One family; what is the same for all moves of the player is noted in his lane.
fn family_of<const W: usize>(
    reading: &Reading<'_>,
    leaf: &Leaf,
    coded: &Coded,
    colours: [Colour; 2],
    lane: &mut Lane<W>,
) -> Option<(Family<W>, Scores)> {
    let operand = |number: u8| reading.terms::<W>(&leaf.operands[number as usize]);
    let mut all = operand(coded.to)?;
    let lands =
        all.terms.iter().fold(ALL, |view, term| if term.by == 0 { view & term.view } else { view });
    let mut family = Family {
        terms: [Term::new(ALL, 0); MAX_TERMS],
        ends: Bits::EMPTY,
        from: None,
        starts: Bits::EMPTY,
        back: 0,
        beside: (0, Bits::EMPTY),
        taken: (0, Bits::EMPTY),
        deed: coded.deed,
        between: None,
    };
    let mut hurdle = 0;
    let moves = match &coded.shape {
        Shape::Spot => None,
        Shape::Shift(by, ends) => Some((*by, bits(ends))),
        Shape::Jump { by, over, ends, hurdle: over_what } => {
            let over_what = operand(*over_what)?;
            hurdle = over_what.view_here();
            all.and(over_what.moved(by - over)?)?;
            family.between = Some(by - over);
            Some((*by, bits(ends)))
        }
        _ => return None,
    };
    if let Some((by, ends)) = moves {
        let from = operand(coded.from)?;
        if from.view_here() != OWN {
            return None;
        }
        all.and(from.moved(by)?)?;
        all.mask &= ends;
        (family.from, family.back, family.starts) = (Some(by), -by, reading.everywhere());
    }
    family.ends = all.mask & reading.everywhere();
    (all.terms.len() <= MAX_TERMS).then_some(())?;
    family.terms[..all.terms.len()].copy_from_slice(&all.terms);
    if let Some(flanking) = all.flanking {
        lane.flank = Some(flank(reading, flanking)?);
    }
    let deed = &reading.code.deeds[coded.deed as usize];
    let lands_well = match deed.act {
        Act::Move => moves.is_some() && lands & OWN == 0,
        Act::Add(what) => {
            lands == EMPTY && colours[0] == Colour { what, state: 0 } && moves.is_none()
        }
        Act::Place(what, state) => {
            lands == EMPTY && colours[0] == Colour { what, state } && moves.is_none()
        }
        _ => false,
    };
    if !lands_well || deed.is_tried() {
        return None;
    }
    let scores = follow(reading, deed, colours, hurdle, &mut family, lane)?;
    Some((family, scores))
}

fn flank<const W: usize>(
    reading: &Reading<'_>,
    flanking: &crate::code::Flanking,
) -> Option<Flank<W>> {
    let single = |&step: &usize| match reading.code.relations[step].offsets.as_slice() {
        [(by, ends)] => Some((*by, bits(ends))),
        _ => None,
    };
    // In more words a shift may be by more than a word.
    let rounds = (flanking.longest.max(2) as u32 - 1).ilog2() + 1;
    let fits = W == 1 && flanking.max >= flanking.longest && rounds <= MOST_ROUNDS;
    fits.then_some(())?;
    Some(Flank {
        steps: flanking.steps.iter().map(single).collect::<Option<_>>()?,
        target: reading.view(&flanking.target)?,
        friend: reading.view(&flanking.friend)?,
        rounds,
    })
}

/// What a deed does besides the player's decision.
fn follow<const W: usize>(
    reading: &Reading<'_>,
    deed: &Deed,
    colours: [Colour; 2],
    hurdle: u8,
    family: &mut Family<W>,
    lane: &mut Lane<W>,
) -> Option<Scores> {
    let mut effects = Vec::new();
    for effect in
        deed.before.iter().chain(deed.then.iter().map(|&then| &reading.code.effects[then]))
    {
        flatten(effect, &mut effects);
    }
    let mut scores = Vec::new();
    for effect in effects {
        match effect {
            Effect::SetScore(Num::Const(player @ 1..=2), Num::Size(set)) => {
                scores.push((*player as u8, first_seen(reading, reading.view(set)?)));
            }
            Effect::Add(Num::Const(what), Num::Entry(table, at)) if **at == Num::LastTo => {
                let same = colours[0] == Colour { what: *what as u8, state: 0 };
                if !same || !family.beside.1.is_empty() {
                    return None;
                }
                let by = constant_offset(&reading.code.numbers[*table], family.ends)?;
                family.beside = (by, reading.everywhere());
                lane.plain = false;
            }
            Effect::Remove(Set::One(Num::Var(Var::Between))) if hurdle == FOE => {
                family.taken = (-family.between?, reading.everywhere());
                lane.plain = false;
            }
            Effect::Custodial(custodial) => {
                if !turns(reading, custodial, colours)
                    || lane.caught.is_some()
                    || family.from.is_some()
                {
                    return None;
                }
                lane.caught = Some(Caught::of(&reading.code.rays[custodial.rays])?);
                lane.plain = false;
            }
            _ => return None,
        }
    }
    let clear = lane.caught.is_none() || family.beside.1.is_empty();
    clear.then(|| scores.into())
}

fn flatten<'a>(effect: &'a Effect, out: &mut Vec<&'a Effect>) {
    match effect {
        Effect::Nothing => {}
        Effect::InTurn(all) => all.iter().for_each(|effect| flatten(effect, out)),
        one => out.push(one),
    }
}

/// A view of a player as the first player sees it.
fn first_seen(reading: &Reading<'_>, view: u8) -> u8 {
    if reading.side == 0 { view } else { super::reading::turned(view) }
}

/// The difference that a table adds to each of some sites, if that is always the same.
fn constant_offset<const W: usize>(table: &[i32], sites: Bits<W>) -> Option<i32> {
    let mut by = None;
    for site in sites.iter() {
        let to = *table.get(site)?;
        if to < 0 || by.is_some_and(|by| by != to - site as i32) {
            return None;
        }
        by = Some(to - site as i32);
    }
    by
}

/// Whether all enemies in a line between the end of the move and a friend change sides.
fn turns(reading: &Reading<'_>, custodial: &Custodial, colours: [Colour; 2]) -> bool {
    let code = reading.code;
    let longest = code.rays[custodial.rays].iter().flatten().map(|ray| ray.sites.len()).max();
    let from = matches!(custodial.from, Num::LastTo | Num::Var(Var::To));
    let any =
        custodial.min <= 1 && custodial.max > 1 && longest.unwrap_or(0) <= custodial.max as usize;
    let sides = reading.view(&custodial.target) == Some(FOE)
        && reading.view(&custodial.friend) == Some(OWN);
    from && any && sides && changes_side(reading, &custodial.effect, colours)
}

/// Whether an effect on an enemy makes it a piece of the mover.
fn changes_side(reading: &Reading<'_>, effect: &Effect, [own, foe]: [Colour; 2]) -> bool {
    match effect {
        Effect::Flip(Num::Var(Var::Between)) => {
            let flips = reading.code.flips.get(foe.what as usize).copied().flatten();
            let pairs = [Some((own.state, foe.state)), Some((foe.state, own.state))];
            own.what == foe.what && own.state != foe.state && pairs.contains(&flips)
        }
        Effect::Convert(Set::And(one, of), into) => {
            let here = **one == Set::One(Num::Var(Var::Between));
            let takes = reading.view(of).is_some_and(|view| view & FOE != 0);
            let becomes = into.get(foe.what as usize) == Some(&own.what);
            here && takes && becomes && own.state == 0 && foe.state == 0
        }
        _ => false,
    }
}

/// After which moves end rules must be asked.
struct Alarm<const W: usize> {
    goal: Bits<W>,
    vacant: Vec<u8>,
}

impl<const W: usize> Alarm<W> {
    /// Nothing where a rule might hold after other moves as well.
    fn rule(&mut self, reading: &Reading<'_>, rule: &End) -> Option<()> {
        match rule {
            End::If(cond, ..) => self.cond(reading, cond),
            End::EachPlayer(cases) => {
                cases.iter().try_for_each(|(_, cond, _)| self.cond(reading, cond))
            }
        }
    }

    fn cond(&mut self, reading: &Reading<'_>, cond: &Cond) -> Option<()> {
        match cond {
            // Never after a move that is no pass, where players take turns.
            Cond::AllPassed | Cond::WasPass | Cond::Const(false) => {}
            Cond::Has(Set::Const(goal), Num::LastTo) => {
                self.goal |= bits(&reading.code.consts[*goal]);
            }
            Cond::Vacant(set) => self.vacant.push(reading.view(set)?),
            Cond::Any(any) => any.iter().try_for_each(|cond| self.cond(reading, cond))?,
            _ => return None,
        }
        Some(())
    }
}
