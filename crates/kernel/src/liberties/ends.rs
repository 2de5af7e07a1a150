//! End rules of games of liberties: a verdict for every set of facts about a move.

use super::build::{Work, with_capture};
use super::plan::{
    Ending, FACTS, JOINED, Joins, LINED, Lined, PASSED, Quantity, STUCK, Scoring, TAKEN,
};
use crate::Built;
use crate::stones::Formula;
use ludex_lud::ir::{
    Bool, Connected, CountPieces, Directions, EndResult, EndRule, Int, Ints, Line, Op, Through, Who,
};

/// An end rule over facts.
struct End {
    when: Formula,
    subs: Vec<End>,
    ending: Option<Ending>,
}

impl End {
    fn ending_for(&self, facts: usize) -> Option<Ending> {
        if !self.when.holds(facts) {
            return None;
        }
        self.subs.iter().find_map(|sub| sub.ending_for(facts)).or(self.ending)
    }
}

impl Work<'_> {
    /// How the game goes on after a move of the mover, by its facts.
    pub(super) fn endings(&mut self, may_pass: bool) -> Built<[Ending; FACTS]> {
        let game = self.builder.game;
        let mut ends = Vec::new();
        for rule in game.phases[0].end.iter().chain(&game.end) {
            ends.push(self.end(rule)?);
        }
        let mut endings: [Ending; FACTS] = std::array::from_fn(|facts| {
            // Scores decide even what was decided before.
            let all = || ends.iter().filter_map(|end| end.ending_for(facts));
            let scores = all().find(|&ending| ending == Ending::Scores);
            let passed = facts & PASSED != 0 && game.all_pass_ends;
            let otherwise = if passed { Ending::Drawn } else { Ending::Open };
            scores.or_else(|| all().next()).unwrap_or(otherwise)
        });
        // Who may pass has a move.
        if may_pass {
            (0..FACTS).for_each(|facts| endings[facts] = endings[facts & !STUCK]);
        }
        // An event is remembered for ever, so it must be the end.
        let asked = |endings: &[Ending; FACTS]| {
            with_capture().any(|facts| endings[facts] != endings[facts & !TAKEN])
        };
        if asked(&endings) && with_capture().any(|facts| endings[facts] == Ending::Open) {
            return self.refuse("captures that are remembered and do not end the game");
        }
        Ok(endings)
    }

    fn end(&mut self, rule: &EndRule) -> Built<End> {
        let EndRule::If(cond, subs, result) = rule else {
            return self.refuse("an end for each player");
        };
        let when = self.formula(cond)?;
        let mut ends = Vec::new();
        for sub in subs {
            ends.push(self.end(sub)?);
        }
        let ending = match result {
            Some(result) => Some(self.ending(result)?),
            None => None,
        };
        Ok(End { when, subs: ends, ending })
    }

    fn ending(&mut self, result: &EndResult) -> Built<Ending> {
        let (who, outcome) = match result {
            EndResult::Result(who, outcome) => (who, outcome),
            EndResult::ByScore(scores, misere) => {
                let Some(misere) = self.builder.fixed_bool(misere) else {
                    return self.refuse("scores of a kind of their own");
                };
                let scoring = self.scoring(scores, misere)?;
                return match &self.scoring {
                    Some(known) if *known != scoring => self.refuse("scores of several kinds"),
                    _ => {
                        self.scoring = Some(scoring);
                        Ok(Ending::Scores)
                    }
                };
            }
            EndResult::Payoffs(_) => return self.refuse("payoffs"),
        };
        let winner = self.builder.known_winner(who, outcome)?;
        Ok(winner.map_or(Ending::Drawn, Ending::won_by))
    }

    fn formula(&mut self, cond: &Bool) -> Built<Formula> {
        if let Some(value) = self.builder.fixed_bool(cond) {
            return Ok(Formula::Const(value));
        }
        let mut all = |parts: &[Bool]| -> Built<Vec<Formula>> {
            parts.iter().map(|part| self.formula(part)).collect()
        };
        Ok(match cond {
            Bool::Not(inner) => Formula::Not(Box::new(self.formula(inner)?)),
            Bool::And(parts) => Formula::All(all(parts)?),
            Bool::Or(parts) => Formula::Any(all(parts)?),
            Bool::NoMoves(Who::One(Int::Next)) => Formula::Fact(STUCK),
            Bool::AllPassed => Formula::Fact(PASSED),
            Bool::Triggered(_, player) => {
                let player = self.builder.fixed_int(player);
                match player.is_some() && player == self.event {
                    true => Formula::Fact(TAKEN),
                    false => return self.refuse("events that captures are not"),
                }
            }
            Bool::Connected(wanted) => {
                self.joining(wanted)?;
                Formula::Fact(JOINED)
            }
            Bool::Line(line) => {
                self.lining(line)?;
                Formula::Fact(LINED)
            }
            _ => return self.refuse("an end of its own kind"),
        })
    }

    /// Regions that the chain of the stone just placed must join.
    fn joining(&mut self, wanted: &Connected) -> Built<()> {
        self.builder.same_kind(wanted.kind)?;
        let own = self.near(&wanted.dirs)?;
        if self.near.as_ref() != Some(&own) {
            return self.refuse("connections of another kind than chains");
        }
        if !matches!(wanted.at, Int::LastTo { after: false }) {
            return self.refuse("chains from elsewhere");
        }
        let Some(sets) = self.builder.fixed_regions(&wanted.regions) else {
            return self.refuse("regions that change");
        };
        let needed = match &wanted.number {
            Some(number) => self.builder.fixed_int(number),
            None => Some(sets.len() as i32),
        };
        let (Some(needed), ..=16) = (needed, sets.len()) else {
            return self.refuse("too many regions");
        };
        let player = self.builder.mover as usize - 1;
        let joins = self.joins.get_or_insert_with(Joins::default);
        let mut regions = vec![0u16; own.len()];
        for (n, set) in sets.iter().enumerate() {
            set.iter().for_each(|site| regions[site as usize] |= 1 << n);
        }
        let needed = needed.max(1) as u32;
        let known = &mut joins.regions[player];
        if !known.is_empty() && (*known != regions || joins.needed[player] != needed) {
            return self.refuse("connections of several kinds");
        }
        *known = regions;
        joins.needed[player] = needed;
        Ok(())
    }

    /// A line of the mover's stones through the one just placed.
    fn lining(&mut self, line: &Line) -> Built<()> {
        self.builder.same_kind(line.kind)?;
        let mover = self.builder.mover;
        let b = &mut self.builder;
        let own = match (&line.what, &line.who) {
            (None, None) => true,
            (None, Some(who)) => b.fixed_int(who) == Some(mover),
            _ => false,
        };
        let plain = own
            && b.fixed_bool(&line.contiguous) == Some(true)
            && b.fixed_bool(&line.cond) == Some(true)
            && !line.visible
            && line.kinds.is_none()
            && matches!(line.through, Through::One(Int::LastTo { after: false }));
        let (length, exact) = (b.fixed_int(&line.length), b.fixed_bool(&line.exact));
        let both = b.fixed_bool(&line.opposites);
        let (Some(length), Some(exact), Some(both), true) = (length, exact, both, plain) else {
            return self.refuse("lines of a kind of their own");
        };
        let lined = Lined { length, exact, ways: self.builder.ways_of(line.dir, both) };
        match &self.lined {
            Some(known) if *known != lined => self.refuse("lines of several kinds"),
            _ => {
                self.lined = Some(lined);
                Ok(())
            }
        }
    }

    fn scoring(&mut self, scores: &[(Int, Int)], misere: bool) -> Built<Scoring> {
        let mut out = Vec::new();
        for (player, score) in scores {
            let player = self.player(player)?;
            let mut terms = Vec::new();
            self.terms(score, 1, &mut terms)?;
            out.push((player, terms));
        }
        Ok(Scoring { scores: out, misere })
    }

    /// A player by index.
    fn player(&mut self, player: &Int) -> Built<usize> {
        match self.builder.fixed_int(player) {
            Some(player @ 1..=2) => Ok(player as usize - 1),
            _ => self.refuse("scores of others than the players"),
        }
    }

    fn terms(&mut self, score: &Int, many: i32, out: &mut Vec<(i32, Quantity)>) -> Built<()> {
        if let Some(fixed) = self.builder.fixed_int(score) {
            out.push((many.saturating_mul(fixed), Quantity::Unit));
            return Ok(());
        }
        match score {
            Int::Score(player) => out.push((many, Quantity::Score(self.player(player)?))),
            Int::CountPieces(count) => out.push((many, Quantity::Stones(self.owner(count)?))),
            Int::Territory(kind, player, dir) => {
                self.builder.same_kind(*kind)?;
                let borders = self.near(&Directions::Absolute(vec![*dir]))?;
                if self.borders.as_ref().is_some_and(|known| *known != borders) {
                    return self.refuse("territory of several kinds");
                }
                self.borders = Some(borders);
                out.push((many, Quantity::Territory(self.player(player)?)));
            }
            Int::Binary(op @ (Op::Add | Op::Sub), a, b) => {
                self.terms(a, many, out)?;
                self.terms(b, if matches!(op, Op::Add) { many } else { -many }, out)?;
            }
            Int::Sum(ints) => match &**ints {
                Ints::List(list) => {
                    for part in list {
                        self.terms(part, many, out)?;
                    }
                }
                _ => return self.refuse("scores of a kind of their own"),
            },
            _ => return self.refuse("scores of a kind of their own"),
        }
        Ok(())
    }

    /// Whose pieces are counted, where all of them are.
    fn owner(&mut self, count: &CountPieces) -> Built<usize> {
        let whole = count.what.is_none() && count.within.is_none() && count.cond.is_none();
        if let Some(kind) = count.kind {
            self.builder.same_kind(kind)?;
        }
        match (&count.who, whole) {
            (Who::One(player), true) => self.player(player),
            _ => self.refuse("counting some pieces only"),
        }
    }
}
