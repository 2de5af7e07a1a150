//! Proves that a game is a game of stones, or says why it is not.

use super::chains::ChainTable;
use super::lines::LineTable;
use super::plan::{FULL, Formula, MAX_FACTS, NOWHERE, Plan, Verdict, Verdicts};
use crate::build::Builder;
use crate::code::Var;
use crate::{Built, Refusal};
use ludex_lud::game::Mode;
use ludex_lud::ir::{Add, Bool, Cmp, EndResult, EndRule, Int, MovesKind, Region, Who};
use ludex_lud::playable::Ludemes;
use ludex_lud::sites::SiteSet;

/// A game of stones and what its referee needs.
pub struct Found {
    pub plan: Plan,
    pub lines: LineTable,
    pub chains: Option<ChainTable>,
}

/// What is asked of the stone just placed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Asked {
    Line(Box<ludex_lud::ir::Line>),
    Connected(ludex_lud::ir::Connected),
    Loop(ludex_lud::ir::Loop),
}

/// The work in progress.
pub(super) struct Work<'g> {
    pub builder: Builder<'g>,
    /// Facts that rules ask for; the first is kept for the full board.
    pub asked: Vec<Asked>,
    /// Columns and their height, if sites hold stacks.
    pub columns: Option<(usize, usize)>,
    /// Stones may come to stand on every site.
    pub whole: bool,
    pub pieces: [u16; 2],
}

/// An end rule over facts.
struct End {
    when: Formula,
    subs: Vec<End>,
    verdict: Option<Verdict>,
}

/// Looks at the rules of a game.
pub fn build(general: &Ludemes) -> Built<Found> {
    let game = general.compiled();
    unfit(game)?;
    let builder = Builder::new(game, general)?;
    let mut work = Work { builder, asked: Vec::new(), columns: None, whole: false, pieces: [0; 2] };
    work.builder.choosing = true;
    let mut openings = Vec::new();
    let mut verdicts: Verdicts = [[Verdict::Open; 1 << MAX_FACTS]; 2];
    for mover in 1..=2 {
        work.turn_to(mover);
        openings.push(work.openings()?);
    }
    if openings[0] != openings[1] {
        return work.refuse("players who place stones in different ways");
    }
    let opening = openings[0].above.iter().filter(|&&place| place != NOWHERE).count();
    work.whole = openings[0].open.len() + opening == game.board_sites();
    for mover in 1..=2 {
        work.turn_to(mover);
        verdicts[mover as usize - 1] = work.verdicts()?;
    }
    let Openings { open, above } = openings.swap_remove(0);
    let sites = work.columns.map_or(game.board_sites(), |(columns, height)| columns * height);
    work.check_limits(sites, &verdicts)?;
    let placed = work.placed(general)?;
    if !placed.is_empty() && !above.is_empty() {
        return work.refuse("columns that are not empty at the start");
    }
    let lines = work.lines()?;
    let chains = work.chains(&verdicts, placed.is_empty())?;
    let taken = |site: &u16| placed.iter().any(|(at, _)| at == site);
    let plan = Plan {
        sites,
        open: open.into_iter().filter(|site| !taken(site)).collect(),
        above,
        columns: work.columns.map(|(columns, _)| columns),
        pieces: work.pieces,
        swap: game.meta.swap,
        verdicts,
        reason: work.reason(),
        placed,
    };
    Ok(Found { plan, lines, chains })
}

/// Where stones may be placed: at the start, and once others are placed.
#[derive(PartialEq, Eq)]
struct Openings {
    open: Vec<u16>,
    above: Vec<u16>,
}

fn unfit(game: &crate::Compiled) -> Built<()> {
    let reasons = [
        (game.players != 2, "it is not for two players"),
        (game.mode == Mode::Simultaneous, "players move at the same time"),
        (game.chance, "chance takes part"),
        (game.hides, "something is hidden"),
        (game.teams, "players form teams"),
        (game.cycles, "rules ask for cycles"),
        (game.containers.len() > 1, "pieces wait outside the board"),
        (game.meta.no_repeat.is_some(), "positions may not come back"),
        (game.meta.no_suicide, "moves that lose at once are forbidden"),
        (game.phases.len() != 1 || !game.phases[0].next.is_empty(), "there are phases"),
        (game.board_sites() < 3, "the board is tiny"),
    ];
    match reasons.iter().find(|(is, _)| *is) {
        Some((_, reason)) => Err(Refusal::new(*reason)),
        None => Ok(()),
    }
}

impl Work<'_> {
    pub(super) fn refuse<T>(&self, what: impl Into<String>) -> Built<T> {
        self.builder.refuse(what)
    }

    pub(super) fn turn_to(&mut self, mover: i32) {
        (self.builder.mover, self.builder.actor) = (mover, mover);
        (self.builder.ctx.s.mover, self.builder.ctx.s.next) = (mover, 3 - mover);
    }

    /// Where the mover may place stones.
    fn openings(&mut self) -> Built<Openings> {
        let game = self.builder.game;
        let play = &game.phases[0].play;
        let (MovesKind::Add(add), None) = (&play.kind, play.then) else {
            return self.refuse("other moves than placing stones");
        };
        let plain = add.decision
            && add.state.is_none()
            && add.level.is_none()
            && add.effect.is_none()
            && add.with.is_none()
            && add.site.is_none();
        let (Some(region), [what], true) = (&add.region, add.what.as_slice(), plain) else {
            return self.refuse("placing in a way of its own");
        };
        self.builder.same_kind(add.kind)?;
        let (what, count) = (self.builder.fixed_int(what), self.builder.fixed_int(&add.count));
        let (Some(what), Some(1)) = (what.and_then(|w| u16::try_from(w).ok()), count) else {
            return self.refuse("placing a piece that is not known before");
        };
        let mover = self.builder.mover;
        if what == 0 || game.owner(what) != mover {
            return self.refuse("placing pieces of another player");
        }
        self.pieces[mover as usize - 1] = what;
        if game.stacking {
            return self.columns(add, region);
        }
        let free = self.free_sites(region)?;
        match &add.cond {
            None => Ok(Openings { open: list(&free), above: Vec::new() }),
            Some(cond) => self.supported(cond, free),
        }
    }

    /// The sites of a region that all empty sites of the board belong to, and none that is occupied.
    fn free_sites(&mut self, region: &Region) -> Built<SiteSet> {
        let all = || SiteSet::first(self.builder.game.board_sites());
        match region {
            Region::Empty(kind) => {
                self.builder.same_kind(*kind)?;
                Ok(all())
            }
            Region::Intersection(parts) => {
                let mut free = all();
                let mut empty = false;
                for part in parts {
                    match self.builder.fixed_region(part) {
                        Some(fixed) => free.intersect_with(&fixed),
                        None => {
                            free.intersect_with(&self.free_sites(part)?);
                            empty = true;
                        }
                    }
                }
                match empty {
                    true => Ok(free),
                    false => self.refuse("stones on occupied sites"),
                }
            }
            Region::Difference(from, less) => {
                let mut free = self.free_sites(from)?;
                match self.builder.fixed_region(less) {
                    Some(less) => {
                        free.subtract(&less);
                        Ok(free)
                    }
                    None => self.refuse("stones on sites that change"),
                }
            }
            _ => self.refuse("stones on other sites than empty ones"),
        }
    }

    /// A condition on where a stone may be placed: fixed, or that something lies under it.
    fn supported(&mut self, cond: &Bool, free: SiteSet) -> Built<Openings> {
        if let Some(fits) = self.builder.fixed_sites(cond, Var::To) {
            let mut open = free;
            open.intersect_with(&fits);
            return Ok(Openings { open: list(&open), above: Vec::new() });
        }
        let one = std::slice::from_ref(cond);
        let parts = if let Bool::Or(parts) = cond { parts.as_slice() } else { one };
        let (mut open, mut under) = (SiteSet::new(), None);
        for part in parts {
            match (self.builder.fixed_sites(part, Var::To), part) {
                (Some(fits), _) => open.union_with(&fits),
                (None, Bool::Occupied(kind, below)) if under.is_none() => {
                    self.builder.same_kind(*kind)?;
                    under = self.builder.fixed_numbers(below, Var::To);
                }
                _ => return self.refuse("a condition on where stones are placed"),
            }
        }
        let Some(under) = under else {
            return self.refuse("a condition on where stones are placed");
        };
        let mut above = vec![NOWHERE; self.builder.game.board_sites()];
        for site in free.iter().filter(|&site| !open.contains(site)) {
            let Some(slot) = above.get_mut(under[site as usize].max(-1) as usize) else { continue };
            if *slot != NOWHERE {
                return self.refuse("stones that support several others");
            }
            *slot = site as u16;
        }
        open.intersect_with(&free);
        Ok(Openings { open: list(&open), above })
    }

    /// Stacks of limited height: every level of every column is a place.
    fn columns(&mut self, add: &Add, region: &Region) -> Built<Openings> {
        let (Region::Filter(region, cond), None) = (region, &add.cond) else {
            return self.refuse("stacks of any height");
        };
        let columns = self.builder.game.board_sites();
        let whole = self.builder.fixed_region(region).is_some_and(|r| r.len() == columns);
        let Bool::Compare(Cmp::Lt, size, height) = &**cond else {
            return self.refuse("stacks of any height");
        };
        let Int::StackSize(_, at) = &**size else {
            return self.refuse("stacks of any height");
        };
        let here = matches!(&**at, Region::One(site) if matches!(**site, Int::Site));
        let (Some(height @ 1..=64), true, true) = (self.builder.fixed_int(height), here, whole)
        else {
            return self.refuse("stacks of any height");
        };
        let places = columns * height as usize;
        self.columns = Some((columns, height as usize));
        let above = |place: usize| match place + columns < places {
            true => (place + columns) as u16,
            false => NOWHERE,
        };
        Ok(Openings {
            open: (0..columns as u16).collect(),
            above: (0..places).map(above).collect(),
        })
    }

    /// Stones that stand before the first move.
    fn placed(&self, general: &Ludemes) -> Built<Vec<(u16, usize)>> {
        let state = general.start_state();
        let game = self.builder.game;
        let layer = state.layer(game.topo.default);
        let mut placed = Vec::new();
        for site in 0..game.board_sites() as i32 {
            let what = layer.top(site).what;
            if what == 0 {
                continue;
            }
            match self.pieces.iter().position(|&piece| piece == what) {
                Some(player) if self.columns.is_none() => placed.push((site as u16, player)),
                _ => return self.refuse("other pieces than stones"),
            }
        }
        Ok(placed)
    }

    /// A game of stones ends before any limit on its length.
    fn check_limits(&self, sites: usize, verdicts: &Verdicts) -> Built<()> {
        let game = self.builder.game;
        let most = sites as i32 + 4;
        if game.max_moves <= most || game.max_turns.saturating_mul(2) <= most {
            return self.refuse("a limit on the number of moves");
        }
        let always_over = |side: &[Verdict]| {
            let facts = (0..1usize << (self.asked.len() + 1)).filter(|facts| facts & FULL != 0);
            facts.into_iter().all(|facts| side[facts] != Verdict::Open)
        };
        if !game.all_pass_ends && !verdicts.iter().all(|side| always_over(side)) {
            return self.refuse("passes that do not end the game");
        }
        Ok(())
    }

    fn verdicts(&mut self) -> Built<[Verdict; 1 << MAX_FACTS]> {
        let game = self.builder.game;
        let mut ends = Vec::new();
        for rule in game.phases[0].end.iter().chain(&game.end) {
            ends.push(self.end(rule)?);
        }
        if self.asked.len() >= MAX_FACTS {
            return self.refuse("too many conditions of ends");
        }
        let first = |facts: usize| ends.iter().find_map(|end| end.verdict_for(facts));
        Ok(std::array::from_fn(|facts| first(facts).unwrap_or(Verdict::Open)))
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
        let verdict = match result {
            Some(result) => Some(self.verdict(result)?),
            None => None,
        };
        Ok(End { when, subs: ends, verdict })
    }

    fn verdict(&mut self, result: &EndResult) -> Built<Verdict> {
        let EndResult::Result(who, outcome) = result else {
            return self.refuse("scores");
        };
        let winner = self.builder.known_winner(who, outcome)?;
        Ok(winner.map_or(Verdict::Drawn, Verdict::won_by))
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
            Bool::If(test, yes, no) => {
                let test = Box::new(self.formula(test)?);
                Formula::If(test, Box::new(self.formula(yes)?), Box::new(self.formula(no)?))
            }
            Bool::NoMoves(Who::One(Int::Next)) => Formula::Fact(FULL),
            Bool::Full if self.whole => Formula::Fact(FULL),
            Bool::Line(line) => self.fact(Asked::Line(line.clone())),
            Bool::Connected(wanted) => self.fact(Asked::Connected((**wanted).clone())),
            Bool::Loop(wanted) => self.fact(Asked::Loop((**wanted).clone())),
            _ => return self.refuse("an end that not only the last stone decides"),
        })
    }

    /// The fact of what is asked; the same question for the other player is the same fact.
    fn fact(&mut self, asked: Asked) -> Formula {
        let known = self.asked.iter().position(|other| *other == asked);
        let at = known.unwrap_or_else(|| {
            self.asked.push(asked);
            self.asked.len() - 1
        });
        Formula::Fact(1 << (at + 1))
    }

    fn reason(&self) -> String {
        let place = match self.columns {
            Some(_) => "every move adds a stone to a column and nothing is ever removed",
            None => "every move places a piece on an empty site and nothing is ever removed",
        };
        let swap = match self.builder.game.meta.swap {
            true => "; swap rule handled on turn 2",
            false => "",
        };
        let judge = match self.asked.first() {
            Some(Asked::Line(_)) => "; only lines through the stone placed are looked at",
            Some(_) => "; chains are joined as stones are placed",
            None => "",
        };
        format!("{place}{swap}{judge}")
    }
}

impl End {
    fn verdict_for(&self, facts: usize) -> Option<Verdict> {
        if !self.when.holds(facts) {
            return None;
        }
        self.subs.iter().find_map(|sub| sub.verdict_for(facts)).or(self.verdict)
    }
}

fn list(set: &SiteSet) -> Vec<u16> {
    set.iter().map(|site| site as u16).collect()
}
