//! Proves that a game is a game of liberties, or says why it is not.

use super::plan::{Ending, FACTS, Freedom, Joins, Lined, Plan, STUCK, Scoring, TAKEN};
use crate::build::Builder;
use crate::{Built, Refusal};
use ludex_lud::game::{Compiled, Mode};
use ludex_lud::ir::{
    Add, Bool, Channel, Cmp, Directions, Enclose, GroupAt, Int, Moves, MovesKind, Region,
    Repetition, Who,
};
use ludex_lud::playable::Ludemes;

/// What is known of a player's moves.
#[derive(Clone, Debug, PartialEq)]
struct Placing {
    takes: bool,
    spares: bool,
    freedom: Freedom,
    points: [i32; 2],
    may_pass: bool,
    /// Whose event a capture is.
    event: Option<i32>,
}

/// The work in progress.
pub(super) struct Work<'g> {
    pub builder: Builder<'g>,
    pub near: Option<Vec<Vec<u16>>>,
    pub borders: Option<Vec<Vec<u16>>>,
    pub scoring: Option<Scoring>,
    pub joins: Option<Joins>,
    pub lined: Option<Lined>,
    pub pieces: [u16; 2],
    /// Whose event a capture is, where that is asked.
    pub event: Option<i32>,
}

/// Looks at the rules of a game.
pub fn build(general: &Ludemes) -> Built<Plan> {
    let game = general.compiled();
    unfit(game, general)?;
    let mut work = Work {
        builder: Builder::new(game, general)?,
        near: None,
        borders: None,
        scoring: None,
        joins: None,
        lined: None,
        pieces: [0; 2],
        event: None,
    };
    work.builder.choosing = true;
    let mut sides = Vec::new();
    let mut endings = Vec::new();
    for mover in 1..=2 {
        work.turn_to(mover);
        let placing = work.placing(&game.phases[0].play)?;
        work.event = placing.event;
        endings.push(work.endings(placing.may_pass)?);
        sides.push(Placing { event: None, ..placing });
    }
    if sides[0] != sides[1] {
        return work.refuse("players who place stones in different ways");
    }
    let side = sides.swap_remove(0);
    let Some(near) = work.near.take() else {
        return work.refuse("no chains of stones");
    };
    work.check_ground(&near, &side)?;
    work.fits_situations(&side, &endings)?;
    let reason = reason(&side, game.meta.no_repeat, game.meta.swap);
    Ok(Plan {
        pieces: work.pieces,
        takes: side.takes,
        spares: side.spares,
        freedom: side.freedom,
        points: side.points,
        may_pass: side.may_pass,
        no_repeat: game.meta.no_repeat,
        swap: game.meta.swap,
        limit: game.max_turns.saturating_mul(game.players).min(game.max_moves).clamp(1, 60_000)
            as u32,
        endings: [endings[0], endings[1]],
        scoring: work.scoring,
        borders: work.borders.unwrap_or_default(),
        joins: work.joins,
        lined: work.lined,
        near,
        reason,
    })
}

fn unfit(game: &Compiled, general: &Ludemes) -> Built<()> {
    let state = general.start_state();
    let occupied = |site: i32| state.layer(game.topo.default).top(site).what != 0;
    use Repetition::{PositionalInTurn, SituationalInTurn};
    let in_turn = matches!(game.meta.no_repeat, Some(PositionalInTurn | SituationalInTurn));
    let reasons = [
        (game.players != 2, "it is not for two players"),
        (game.mode == Mode::Simultaneous, "players move at the same time"),
        (game.stacking || game.counts, "sites hold several pieces"),
        (game.chance, "chance takes part"),
        (game.hides, "something is hidden"),
        (game.teams, "players form teams"),
        (game.cycles, "rules ask for cycles"),
        (game.containers.len() > 1, "pieces wait outside the board"),
        (in_turn, "positions may not come back within a turn"),
        (game.meta.no_suicide, "moves that lose at once are forbidden"),
        (game.phases.len() != 1 || !game.phases[0].next.is_empty(), "there are phases"),
        ((0..game.board_sites() as i32).any(occupied), "pieces stand on the board at the start"),
        (state.initial_moves != 0, "something happens before the first move"),
        (game.board_sites() < 4, "the board is tiny"),
        (!game.phases[0].end.is_empty() && !game.end.is_empty(), "ends of two kinds"),
        (game.phases[0].end.is_empty() && game.end.is_empty(), "no end"),
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

    fn turn_to(&mut self, mover: i32) {
        (self.builder.mover, self.builder.actor) = (mover, mover);
        (self.builder.ctx.s.mover, self.builder.ctx.s.next) = (mover, 3 - mover);
    }

    /// What the mover may do: place a stone on any empty site, and pass perhaps.
    fn placing(&mut self, play: &Moves) -> Built<Placing> {
        let one = std::slice::from_ref(play);
        let parts = match (&play.kind, play.then) {
            (MovesKind::All(parts), None) => parts.as_slice(),
            _ => one,
        };
        let mut found = None;
        let mut may_pass = false;
        for part in parts {
            match (&part.kind, part.then) {
                (MovesKind::Pass { decision: true }, None) if !may_pass => may_pass = true,
                (MovesKind::Pass { .. }, _) => return self.refuse("passing in a way of its own"),
                _ if found.is_none() => found = Some(self.stone(part)?),
                _ => return self.refuse("several ways of placing stones"),
            }
        }
        match found {
            Some(placing) => Ok(Placing { may_pass, ..placing }),
            None => self.refuse("other moves than placing stones"),
        }
    }

    /// A stone, what must hold once it is placed and what follows.
    fn stone(&mut self, moves: &Moves) -> Built<Placing> {
        let mut placing = Placing {
            takes: false,
            spares: false,
            freedom: Freedom::NotAsked,
            points: [0; 2],
            may_pass: false,
            event: None,
        };
        let (inner, later) = match &moves.kind {
            MovesKind::Do(wanted) => {
                let (Some(cond), None) = (&wanted.if_afterwards, &wanted.next) else {
                    return self.refuse("moves in several parts");
                };
                self.afterwards(cond, wanted.prior.then.is_some(), &mut placing)?;
                (&wanted.prior, moves.then)
            }
            _ => (moves, None),
        };
        let MovesKind::Add(add) = &inner.kind else {
            return self.refuse("other moves than placing stones");
        };
        self.plain_add(add)?;
        let game = self.builder.game;
        match (inner.then, later) {
            (Some(then), None) | (None, Some(then)) => {
                self.capture(&game.consequences[then as usize], &mut placing)?;
            }
            (None, None) => {}
            (Some(_), Some(_)) => return self.refuse("consequences of two kinds"),
        }
        Ok(placing)
    }

    /// A stone of the mover on any empty site.
    fn plain_add(&mut self, add: &Add) -> Built<()> {
        let plain = add.decision
            && add.state.is_none()
            && add.level.is_none()
            && add.effect.is_none()
            && add.site.is_none()
            && add.cond.is_none();
        let (Some(Region::Empty(kind)), [what], true) = (&add.region, add.what.as_slice(), plain)
        else {
            return self.refuse("placing in a way of its own");
        };
        self.builder.same_kind(*kind)?;
        self.builder.same_kind(add.kind)?;
        let (what, count) = (self.builder.fixed_int(what), self.builder.fixed_int(&add.count));
        let (Some(what), Some(1)) = (what.and_then(|w| u16::try_from(w).ok()), count) else {
            return self.refuse("placing a piece that is not known before");
        };
        let mover = self.builder.mover;
        if what == 0 || self.builder.game.owner(what) != mover {
            return self.refuse("placing pieces of another player");
        }
        self.pieces[mover as usize - 1] = what;
        Ok(())
    }

    /// What must hold after a stone is placed; `taken` if what it takes is gone by then.
    fn afterwards(&mut self, cond: &Bool, taken: bool, placing: &mut Placing) -> Built<()> {
        match cond {
            Bool::And(parts) => {
                for part in parts {
                    self.afterwards(part, taken, placing)?;
                }
                Ok(())
            }
            Bool::Compare(cmp, a, b) => {
                self.has_liberties(*cmp, a, b)?;
                placing.freedom = if taken { Freedom::AfterTaking } else { Freedom::BeforeTaking };
                Ok(())
            }
            Bool::Not(inner) => match &**inner {
                Bool::CanMove(moves) if !taken => match (&moves.kind, moves.then) {
                    (MovesKind::Enclose(enclose), None) => {
                        self.enemy_chains(enclose)?;
                        placing.spares = true;
                        Ok(())
                    }
                    _ => self.refuse("a question about moves after placing a stone"),
                },
                _ => self.refuse("a condition after placing a stone"),
            },
            _ => self.refuse("a condition after placing a stone"),
        }
    }

    /// A comparison that holds exactly where the stone just placed has liberties.
    fn has_liberties(&mut self, cmp: Cmp, a: &Int, b: &Int) -> Built<()> {
        let (group, other, turned) = match (a, b) {
            (Int::Liberties(group), other) => (group, other, false),
            (other, Int::Liberties(group)) => (group, other, true),
            _ => return self.refuse("a condition after placing a stone"),
        };
        self.own_chain(group)?;
        let Some(bound) = self.builder.fixed_int(other) else {
            return self.refuse("a number of liberties that changes");
        };
        let fits = |n: i32| if turned { cmp.holds(bound, n) } else { cmp.holds(n, bound) };
        let most = self.builder.game.board_sites() as i32;
        match !fits(0) && (1..=most).all(fits) {
            true => Ok(()),
            false => self.refuse("a number of liberties other than some"),
        }
    }

    /// The chain of the stone just placed.
    fn own_chain(&mut self, group: &GroupAt) -> Built<()> {
        self.builder.same_kind(group.kind)?;
        let last =
            matches!(&group.at, Region::One(at) if matches!(**at, Int::LastTo { after: false }));
        match last && group.cond.is_none() {
            true => self.agree_on_near(&group.dirs),
            false => self.refuse("liberties of other chains"),
        }
    }

    /// The chains of the enemy beside the stone just placed.
    fn enemy_chains(&mut self, e: &Enclose) -> Built<()> {
        self.builder.same_kind(e.kind)?;
        let board = self.builder.game.topo.default;
        let enemy = match &e.target {
            Bool::Enemy(who) => matches!(
                &**who,
                Int::At(Channel::Who, kind, at, None)
                    if kind.is_none_or(|kind| kind == board) && matches!(**at, Int::Between)
            ),
            _ => false,
        };
        let last = matches!(e.from, Int::LastTo { after: false });
        match enemy && last && self.builder.fixed_int(&e.exceptions) == Some(0) {
            true => self.agree_on_near(&e.dirs),
            false => self.refuse("other captures than of enemies without liberties"),
        }
    }

    fn capture(&mut self, then: &Moves, placing: &mut Placing) -> Built<()> {
        let (MovesKind::Enclose(enclose), None) = (&then.kind, then.then) else {
            return self.refuse("other consequences than captures");
        };
        self.enemy_chains(enclose)?;
        let one = std::slice::from_ref(&enclose.effect);
        let parts = match (&enclose.effect.kind, enclose.effect.then) {
            (MovesKind::All(parts), None) => parts.as_slice(),
            _ => one,
        };
        for part in parts {
            self.fate(part, placing)?;
        }
        match placing.takes {
            true => Ok(()),
            false => self.refuse("captures that take nothing"),
        }
    }

    /// What happens for each stone taken.
    fn fate(&mut self, moves: &Moves, placing: &mut Placing) -> Built<()> {
        if moves.then.is_some() {
            return self.refuse("consequences of captures");
        }
        match &moves.kind {
            MovesKind::Remove(remove) => {
                let here = matches!(&remove.at, Region::One(at) if matches!(**at, Int::Between));
                let plain = remove.level.is_none() && !remove.later && !remove.decision;
                if let Some(kind) = remove.kind {
                    self.builder.same_kind(kind)?;
                }
                match here && plain && self.builder.fixed_int(&remove.count) == Some(1) {
                    true => placing.takes = true,
                    false => return self.refuse("stones taken in a way of their own"),
                }
            }
            MovesKind::AddScore(who, points) => {
                let ([Who::One(who)], [points]) = (who.as_slice(), points.as_slice()) else {
                    return self.refuse("scores for several players");
                };
                let both = (self.builder.fixed_int(who), self.builder.fixed_int(points));
                let (Some(who @ 1..=2), Some(points)) = both else {
                    return self.refuse("scores that are not known before");
                };
                placing.points[usize::from(who != self.builder.mover)] += points;
            }
            MovesKind::Trigger(_, player) => {
                let (player @ Some(_), None) = (self.builder.fixed_int(player), placing.event)
                else {
                    return self.refuse("events of a kind of their own");
                };
                placing.event = player;
            }
            _ => return self.refuse("other effects of captures than taking"),
        }
        Ok(())
    }

    /// The neighbours of every site; all rules about chains must mean the same ones.
    fn agree_on_near(&mut self, dirs: &Directions) -> Built<()> {
        let near = self.near(dirs)?;
        match &self.near {
            Some(known) if *known != near => self.refuse("chains of different kinds"),
            _ => {
                self.near = Some(near);
                Ok(())
            }
        }
    }

    pub(super) fn near(&self, dirs: &Directions) -> Built<Vec<Vec<u16>>> {
        let Directions::Absolute(dirs) = dirs else {
            return self.refuse("directions that change");
        };
        let game = self.builder.game;
        let plane = game.topo.plane(game.topo.default);
        let near = |site: i32| {
            let steps = dirs.iter().flat_map(|&dir| plane.steps(site, dir));
            let mut near: Vec<u16> = steps.map(|&to| to as u16).collect();
            near.sort_unstable();
            near.dedup();
            near
        };
        Ok((0..plane.count as i32).map(near).collect())
    }

    /// Neighbours must be neighbours of each other, and every site must have some.
    fn check_ground(&self, near: &[Vec<u16>], placing: &Placing) -> Built<()> {
        let mutual = |(site, near_site): (usize, &Vec<u16>)| {
            let back =
                |&to: &u16| to as usize != site && near[to as usize].contains(&(site as u16));
            !near_site.is_empty() && near_site.iter().all(back)
        };
        if !near.iter().enumerate().all(mutual) {
            return self.refuse("neighbours that are not mutual");
        }
        // A swap is offered while other moves are left for sure.
        match self.builder.game.meta.swap && (near.len() < 9 || placing.may_pass) {
            true => self.refuse("a swap on a tiny board or beside passes"),
            false => Ok(()),
        }
    }
}

impl Work<'_> {
    /// Whether all that makes up a situation is kept, where situations may not come back: points for stones
    /// taken, changes of seats and players without a move would belong to it.
    fn fits_situations(&self, side: &Placing, endings: &[[Ending; FACTS]]) -> Built<()> {
        let stuck = |facts: usize| endings.iter().any(|e| e[facts] != e[facts | STUCK]);
        let plain = side.points == [0; 2] && side.may_pass && !self.builder.game.meta.swap;
        let situations = self.builder.game.meta.no_repeat == Some(Repetition::Situational);
        match situations && (!plain || (0..FACTS).any(stuck)) {
            true => self.refuse("situations that may not come back have parts of their own"),
            false => Ok(()),
        }
    }
}

fn reason(placing: &Placing, no_repeat: Option<Repetition>, swap: bool) -> String {
    let mut reason = "every move places a stone on an empty site".to_string();
    reason += match placing.takes {
        true => ", and chains without liberties are taken",
        false => ", and nothing is ever removed",
    };
    reason += "; chains and their liberties are kept from move to move";
    let mut asked = Vec::new();
    if placing.freedom != Freedom::NotAsked {
        asked.push("whether it has a liberty");
    }
    if placing.spares {
        asked.push("whether it takes a last liberty");
    }
    match no_repeat {
        Some(Repetition::Situational) => asked.push(
            "by incremental hashes, whether the situation, which is the position and whose turn it is, \
             was there before",
        ),
        Some(_) => asked.push("by incremental hashes, whether the position was there before"),
        None => {}
    }
    if !asked.is_empty() {
        reason += &format!("; for the site drawn only is asked {}", asked.join(" and "));
    }
    if swap {
        reason += "; swap rule handled on turn 2";
    }
    reason
}

/// Facts that hold together with a capture.
pub(super) fn with_capture() -> impl Iterator<Item = usize> {
    (0..FACTS).filter(|facts| facts & TAKEN != 0)
}
