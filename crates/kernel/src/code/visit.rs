//! One way through the kernel's code: every term knows its terms, so that a proof asks the code itself what
//! it looks at and changes, never its printed form.

use super::{
    AtLevel, Code, Cond, Custodial, Deed, Effect, End, Leaf, Line, Node, Num, Plan, Set, Shape,
    Side,
};
use super::{Run, Surround, Together, Verdict};

/// A part of the code.
#[derive(Clone, Copy, Debug)]
pub enum Term<'c> {
    /// A number.
    Num(&'c Num),
    /// A condition.
    Cond(&'c Cond),
    /// A set of sites.
    Set(&'c Set),
    /// Families of moves.
    Node(&'c Node),
    /// An effect.
    Effect(&'c Effect),
    /// An end rule.
    End(&'c End),
}

/// What is told of each term.
type Visit<'v, 'c> = &'v mut dyn FnMut(Term<'c>);

impl<'c> Term<'c> {
    /// Whether a term, or a term of it, is what is looked for. Leaves, effects and tables are numbers here,
    /// and not followed.
    pub fn any(self, is: &mut dyn FnMut(Term<'c>) -> bool) -> bool {
        if is(self) {
            return true;
        }
        let mut found = false;
        self.terms(&mut |term| found = found || term.any(is));
        found
    }

    fn terms(self, visit: Visit<'_, 'c>) {
        match self {
            Term::Num(n) => num(n, visit),
            Term::Cond(test) => cond(test, visit),
            Term::Set(sites) => set(sites, visit),
            Term::Node(families) => node(families, visit),
            Term::Effect(follows) => effect(follows, visit),
            Term::End(rule) => end(rule, visit),
        }
    }
}

/// Whether a term is put to the general evaluator.
fn is_asked(term: Term<'_>) -> bool {
    matches!(
        term,
        Term::Num(Num::Asked(_))
            | Term::Cond(Cond::Asked(_))
            | Term::Set(Set::Asked(_))
            | Term::Effect(Effect::Asked(_))
    )
}

impl Set {
    /// Whether the general evaluator is asked for its members.
    pub fn is_asked(&self) -> bool {
        Term::Set(self).any(&mut { is_asked })
    }
}

impl Code {
    /// Whether anything is put to the general evaluator.
    pub fn asks(&self) -> bool {
        self.mentions(&mut { is_asked })
    }

    /// Whether plans, ends, effects, deeds or leaves have a term that is looked for.
    pub fn mentions(&self, is: &mut dyn FnMut(Term<'_>) -> bool) -> bool {
        let mut found = false;
        self.each_rule(&mut |term| found = found || term.any(is));
        found
    }

    /// Whether what moves there are may depend on a term that is looked for: families, and what must hold for
    /// a move and after it.
    pub fn moves_mention(&self, is: &mut dyn FnMut(Term<'_>) -> bool) -> bool {
        let mut found = false;
        let visit: Visit<'_, '_> = &mut |term| found = found || term.any(is);
        self.leaves.iter().for_each(|one| leaf(one, visit));
        let plans = self.sides.iter().flat_map(|side| &side.plans);
        plans.for_each(|plan| visit(Term::Node(&plan.node)));
        for deed in &self.deeds {
            let after = deed.after.iter().map(|(after, _)| after);
            deed.check.iter().chain(after).for_each(|cond| visit(Term::Cond(cond)));
        }
        found
    }

    fn each_rule<'c>(&'c self, visit: Visit<'_, 'c>) {
        self.leaves.iter().for_each(|one| leaf(one, visit));
        self.sides.iter().for_each(|one| side(one, visit));
        self.effects.iter().for_each(|follows| visit(Term::Effect(follows)));
        self.deeds.iter().for_each(|one| deed(one, visit));
    }
}

fn leaf<'c>(leaf: &'c Leaf, visit: Visit<'_, 'c>) {
    leaf.operands.iter().for_each(|sites| visit(Term::Set(sites)));
    for family in &leaf.families {
        match &family.shape {
            Shape::Each(sites) => visit(Term::Set(sites)),
            Shape::Hop(hop) => visit(Term::Num(&hop.length)),
            Shape::Spot
            | Shape::Shift(..)
            | Shape::Table(_)
            | Shape::Function(_)
            | Shape::Slide { .. }
            | Shape::Glide { .. }
            | Shape::Jump { .. }
            | Shape::Track { .. }
            | Shape::Pass => {}
        }
    }
}

fn side<'c>(side: &'c Side, visit: Visit<'_, 'c>) {
    for Plan { node, throws, .. } in &side.plans {
        visit(Term::Node(node));
        visit(Term::Cond(throws));
    }
    let ends = side.ends.iter().flatten().chain(&side.game_end);
    ends.for_each(|rule| visit(Term::End(rule)));
    for change in side.phase_changes.iter().flatten() {
        change.who.iter().for_each(|who| visit(Term::Num(who)));
        visit(Term::Cond(&change.cond));
    }
}

fn deed<'c>(deed: &'c Deed, visit: Visit<'_, 'c>) {
    deed.before.iter().for_each(|before| visit(Term::Effect(before)));
    deed.check.iter().for_each(|check| visit(Term::Cond(check)));
    deed.after.iter().for_each(|(after, _)| visit(Term::Cond(after)));
}

fn two<'c>(a: &'c Num, b: &'c Num, visit: Visit<'_, 'c>) {
    visit(Term::Num(a));
    visit(Term::Num(b));
}

fn num<'c>(n: &'c Num, visit: Visit<'_, 'c>) {
    match n {
        Num::Const(_)
        | Num::Var(_)
        | Num::Next
        | Num::Throw
        | Num::Prev
        | Num::Counter
        | Num::Moves
        | Num::Turns
        | Num::TurnMoves
        | Num::LastFrom
        | Num::LastTo
        | Num::Pending
        | Num::Note(_)
        | Num::Asked(_) => {}
        Num::Score(a)
        | Num::What(a)
        | Num::Lowermost(a)
        | Num::Who(a)
        | Num::State(a)
        | Num::InRow(_, a, _)
        | Num::OutOfRow(_, a, _)
        | Num::Entry(_, a)
        | Num::EntryByPiece(_, a)
        | Num::Abs(a) => visit(Term::Num(a)),
        Num::Pair(_, _, a, b) | Num::Op(_, a, b) => two(a, b, visit),
        Num::Size(sites)
        | Num::Lowest(sites)
        | Num::Groups(sites, ..)
        | Num::LargestGroup(sites, _)
        | Num::Lying(_, sites)
        | Num::Pieces(sites) => visit(Term::Set(sites)),
        Num::If(test, a, b) => {
            visit(Term::Cond(test));
            two(a, b, visit);
        }
    }
}

fn cond<'c>(test: &'c Cond, visit: Visit<'_, 'c>) {
    match test {
        Cond::Const(_)
        | Cond::Pending
        | Cond::AllPassed
        | Cond::WasPass
        | Cond::NoMovesNext
        | Cond::Proposed(_)
        | Cond::Decided(_)
        | Cond::NotStored
        | Cond::Answered(_)
        | Cond::Asked(_) => {}
        Cond::Not(a) => visit(Term::Cond(a)),
        Cond::All(all) | Cond::Any(all) => all.iter().for_each(|a| visit(Term::Cond(a))),
        Cond::If(a, b, c) => [a, b, c].into_iter().for_each(|a| visit(Term::Cond(a))),
        Cond::Compare(_, a, b) => two(a, b, visit),
        Cond::Has(sites, site) => {
            visit(Term::Set(sites));
            visit(Term::Num(site));
        }
        Cond::Vacant(sites) | Cond::OneGroup(sites, _) => visit(Term::Set(sites)),
        Cond::Same(a, b) => [a, b].into_iter().for_each(|sites| visit(Term::Set(sites))),
        Cond::Odd(n) | Cond::Stuck(n) | Cond::Triggered(n) => visit(Term::Num(n)),
        Cond::Can(families) => visit(Term::Node(families)),
        Cond::Line(wanted) => line(wanted, visit),
        Cond::Threatened(threat) => {
            visit(Term::Set(&threat.at));
            visit(Term::Num(&threat.what));
        }
    }
}

fn line<'c>(line: &'c Line, visit: Visit<'_, 'c>) {
    visit(Term::Num(&line.through));
    line.of.iter().for_each(|sites| visit(Term::Set(sites)));
}

fn set<'c>(sites: &'c Set, visit: Visit<'_, 'c>) {
    match sites {
        Set::Const(_) | Set::Slot(_) | Set::Holding(_) | Set::Asked(_) => {}
        Set::Not(a) | Set::Image(_, a) => visit(Term::Set(a)),
        Set::And(a, b) | Set::Or(a, b) => [a, b].into_iter().for_each(|a| visit(Term::Set(a))),
        Set::If(test, a, b) => {
            visit(Term::Cond(test));
            [a, b].into_iter().for_each(|a| visit(Term::Set(a)));
        }
        Set::One(n) | Set::Row(_, n) | Set::Sight(_, n, _) => visit(Term::Num(n)),
        Set::Slid(_, from, go, stop) => {
            visit(Term::Num(from));
            [go, stop].into_iter().for_each(|a| visit(Term::Set(a)));
        }
        Set::Flanking(flanking) => {
            [&flanking.target, &flanking.friend].into_iter().for_each(|a| visit(Term::Set(a)));
        }
        Set::InLines(_, of) => of.iter().for_each(|a| visit(Term::Set(a))),
        Set::Where(base, test, _) => {
            visit(Term::Set(base));
            visit(Term::Cond(test));
        }
    }
}

fn node<'c>(families: &'c Node, visit: Visit<'_, 'c>) {
    match families {
        Node::Nothing | Node::Leaf(_) => {}
        Node::All(all) | Node::First(all) => all.iter().for_each(|one| visit(Term::Node(one))),
        Node::If(test, yes, no) => {
            visit(Term::Cond(test));
            [yes, no].into_iter().for_each(|one| visit(Term::Node(one)));
        }
        Node::Switch(n, all) => {
            visit(Term::Num(n));
            all.iter().for_each(|one| visit(Term::Node(one)));
        }
    }
}

fn end<'c>(rule: &'c End, visit: Visit<'_, 'c>) {
    match rule {
        End::If(test, subs, outcome) => {
            visit(Term::Cond(test));
            subs.iter().for_each(|sub| visit(Term::End(sub)));
            outcome.iter().for_each(|outcome| verdict(outcome, visit));
        }
        End::EachPlayer(all) => {
            for (_, test, outcome) in all {
                visit(Term::Cond(test));
                verdict(outcome, visit);
            }
        }
    }
}

fn verdict<'c>(outcome: &'c Verdict, visit: Visit<'_, 'c>) {
    match outcome {
        Verdict::Draw => {}
        Verdict::Win(n) | Verdict::TeamWin(n) | Verdict::Loss(n) | Verdict::DrawOf(n) => {
            visit(Term::Num(n))
        }
        Verdict::Score(scores, misere) => {
            scores.iter().for_each(|(player, score)| two(player, score, visit));
            visit(Term::Cond(misere));
        }
    }
}

fn effect<'c>(follows: &'c Effect, visit: Visit<'_, 'c>) {
    match follows {
        Effect::Nothing
        | Effect::Forget(_)
        | Effect::Again
        | Effect::Seats
        | Effect::Store
        | Effect::Propose(_)
        | Effect::Vote(_)
        | Effect::Turn(_)
        | Effect::UseDice(..)
        | Effect::Asked(_) => {}
        Effect::All(all) | Effect::InTurn(all) => {
            all.iter().for_each(|one| visit(Term::Effect(one)));
        }
        Effect::If(test, yes, no) => {
            visit(Term::Cond(test));
            [yes, no].into_iter().for_each(|one| visit(Term::Effect(one)));
        }
        Effect::Do(first, second) => {
            [first, second].into_iter().for_each(|one| visit(Term::Effect(one)));
        }
        Effect::Remove(sites) | Effect::Convert(sites, _) => visit(Term::Set(sites)),
        Effect::Add(a, b)
        | Effect::Promote(a, b)
        | Effect::Move(a, b)
        | Effect::SetState(a, b)
        | Effect::AddScore(a, b)
        | Effect::SetScore(a, b) => two(a, b, visit),
        Effect::Remember(_, n)
        | Effect::Next(n)
        | Effect::Flip(n)
        | Effect::Trigger(n)
        | Effect::SetNote(_, n)
        | Effect::SetCounter(n)
        | Effect::SetPending(n) => visit(Term::Num(n)),
        Effect::Followed(one, _) => visit(Term::Effect(one)),
        Effect::EachSite(sites, one) => {
            visit(Term::Set(sites));
            visit(Term::Effect(one));
        }
        Effect::EachLevel(site, all) => {
            visit(Term::Num(site));
            for one in all {
                if let AtLevel::Goes(to) = one {
                    visit(Term::Num(to));
                }
            }
        }
        Effect::Run(run) => row(run, visit),
        Effect::Custodial(caught) => custodial(caught, visit),
        Effect::Surround(caught) => surround(caught, visit),
    }
}

fn row<'c>(run: &'c Run, visit: Visit<'_, 'c>) {
    two(&run.from, &run.way, visit);
    visit(Term::Set(&run.target));
    visit(Term::Effect(&run.effect));
}

fn custodial<'c>(caught: &'c Custodial, visit: Visit<'_, 'c>) {
    visit(Term::Num(&caught.from));
    [&caught.target, &caught.friend].into_iter().for_each(|sites| visit(Term::Set(sites)));
    visit(Term::Effect(&caught.effect));
    if let Some(Together::Converted(sites, _)) = &caught.together {
        visit(Term::Set(sites));
    }
}

fn surround<'c>(caught: &'c Surround, visit: Visit<'_, 'c>) {
    visit(Term::Num(&caught.from));
    [&caught.target, &caught.friend].into_iter().for_each(|sites| visit(Term::Set(sites)));
    caught.with.iter().for_each(|sites| visit(Term::Set(sites)));
    visit(Term::Effect(&caught.effect));
}
