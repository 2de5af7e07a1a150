//! From the typed rules to counts of seeds, or the reason why not.

mod expressions;

use super::code::{
    Act, Carry, Code, Cond, Effect, EffectKind, End, Holes, Node, Num, Phase, Set, Skip, Sow,
    Track, Verdict, Way,
};
use super::position::{LISTS, VARS};
use super::sift;
use crate::{Built, Refusal};
use ludex_lud::ctx::Ctx;
use ludex_lud::game::{Compiled, ContainerKind, Mode};
use ludex_lud::ir;
use ludex_lud::ir::visit::Part;
use ludex_lud::ir::{Bool, EndResult, EndRule, EndWho, Int, Ints, Moves, MovesKind, Values, Who};
use ludex_lud::playable::Ludemes;
use ludex_lud::sites::SiteSet;
use ludex_lud::topo::SiteType;

/// Writes a game down as one of seeds.
pub(super) fn build(general: &Ludemes) -> Built<Code> {
    let game = general.compiled();
    unfit(game, general)?;
    let sites = game.containers.iter().map(|c| c.first + c.count).max().unwrap_or(0);
    let board = first(game.board_sites());
    let code = Code {
        everywhere: first(sites as usize) | board,
        board,
        effects: vec![None; game.consequences.len()],
        ways: vec![Way { act: Act::Pass, then: Vec::new(), after: Vec::new() }],
        cycles: game.cycles,
        passes_end: game.all_pass_ends,
        max_turns: game.max_turns.saturating_mul(2),
        max_moves: game.max_moves,
        placed: general.start_state().initial_moves.max(0) as usize,
        vars: game.vars.len(),
        ..Code::default()
    };
    let ctx = Ctx::new(game, general.start_state());
    let mut builder = Builder {
        game,
        ctx,
        code,
        written: Vec::new(),
        checking: false,
        asked: [false; 2],
        both_asked: 0,
    };
    builder.game()?;
    match (builder.asked, builder.both_asked) {
        ([true, true], _) | ([true, false] | [false, true], 1..) | (_, 2..) => {
            Err(Refusal::new("players without moves in two ways"))
        }
        _ => Ok(builder.code),
    }
}

fn unfit(game: &Compiled, general: &Ludemes) -> Built<()> {
    let meta = &game.meta;
    let plain = |c: &ludex_lud::game::Container| match c.kind {
        ContainerKind::Board => true,
        ContainerKind::Hand => c.first as usize >= game.board_sites() && c.first + c.count <= 64,
        ContainerKind::Dice(_) | ContainerKind::Deck { .. } => false,
    };
    let start = general.start_state();
    let seeds = |layer: &ludex_lud::layer::Layer| {
        layer.flat().iter().all(|p| p.what <= 1 && (p.state, p.rotation, p.value) == (0, 0, 0))
    };
    let reasons = [
        (game.players != 2, "it is not for two players"),
        (game.mode == Mode::Simultaneous, "players move at the same time"),
        (!game.counts || game.stacking, "no counts of pieces"),
        (game.components.len() != 2, "several kinds of piece"),
        (game.chance || game.random || game.hides || game.teams, "chance, secrets or teams"),
        (game.inner_loops, "a track visits a site twice"),
        (game.visited || game.sequence_capture, "captures in a row"),
        (meta.swap || meta.pin || meta.no_stack_on, "rules about rules"),
        (meta.no_repeat.is_some() || meta.no_suicide, "positions that are forbidden"),
        (game.board_sites() > 64 || !game.containers.iter().all(plain), "many or other sites"),
        (!start.layers.iter().all(seeds), "pieces with states or values"),
        (game.vars.len() >= VARS || game.texts.len() > 64, "many variables"),
    ];
    match reasons.iter().find(|(is, _)| *is) {
        Some((_, reason)) => Err(Refusal::new(*reason)),
        None => Ok(()),
    }
}

/// The sites below a number.
fn first(count: usize) -> Holes {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

fn bits(set: &SiteSet) -> Holes {
    set.iter().filter(|&site| site < 64).fold(0, |all, site| all | 1 << site)
}

/// The compiler's working place.
struct Builder<'g> {
    game: &'g Compiled,
    ctx: Ctx<'g>,
    code: Code,
    /// Consequences written or being written.
    written: Vec<u32>,
    /// Inside a condition on the position after a move.
    checking: bool,
    /// Whether rules ask for moves of the next player, and for moves of others.
    asked: [bool; 2],
    /// How often rules ask for both at once.
    both_asked: usize,
}

/// What must hold and what follows, for all moves of a part of the rules.
#[derive(Clone, Default)]
struct Terms {
    /// Conditions, each with the number of consequences that come later.
    after: Vec<(Cond, usize)>,
    then: Vec<usize>,
}

impl<'g> Builder<'g> {
    fn refuse<T>(&self, what: impl Into<String>) -> Built<T> {
        Err(Refusal::new(what))
    }

    fn game(&mut self) -> Built<()> {
        let game = self.game;
        for (number, phase) in game.phases.iter().enumerate() {
            let play = self.node(&phase.play, Terms::default(), false)?;
            let end = self.ends(&phase.end)?;
            let mut next = Vec::new();
            for way in &phase.next {
                let who = match &way.who {
                    Some(who) => Some(self.num(who)?),
                    None => None,
                };
                let to = way.to.unwrap_or((number + 1) % game.phases.len());
                next.push((who, self.cond(&way.cond)?, to));
            }
            self.code.phases.push(Phase { play, end, next });
        }
        self.code.end = self.ends(&game.end)?;
        Ok(())
    }

    fn node(&mut self, moves: &Moves, outer: Terms, ordered: bool) -> Built<Node> {
        let mut terms = outer;
        if let Some(then) = moves.then {
            terms.then.insert(0, self.consequence(then)?);
        }
        Ok(match &moves.kind {
            MovesKind::All(all) => Node::All(self.nodes(all, &terms, ordered)?),
            MovesKind::Priority(all) => Node::Priority(self.nodes(all, &terms, true)?),
            MovesKind::If(cond, yes, no) => {
                let cond = self.cond(cond)?;
                let yes = Box::new(self.node(yes, terms.clone(), ordered)?);
                let no = match no {
                    Some(no) => Some(Box::new(self.node(no, terms, ordered)?)),
                    None => None,
                };
                Node::If(cond, yes, no)
            }
            MovesKind::Do(wanted) if wanted.next.is_none() => {
                if let Some(cond) = &wanted.if_afterwards {
                    if ordered {
                        return self.refuse("conditions afterwards on moves in order");
                    }
                    self.checking = true;
                    let cond = self.cond(cond)?;
                    self.checking = false;
                    terms.after.insert(0, (cond, terms.then.len()));
                }
                self.node(&wanted.prior, terms, ordered)?
            }
            MovesKind::Select(select) => {
                let plain = select.to.is_none() && select.mover.is_none() && select.decision;
                if !plain || select.kind != self.game.topo.default {
                    return self.refuse("a choice of two sites");
                }
                let here = Set::Const(self.of_kind(Some(select.kind)));
                let set = Set::Intersection(vec![here, self.set(&select.from)?]);
                let cond = self.cond(&select.cond)?;
                Node::select(self.way(Act::Select, terms), set, cond)
            }
            MovesKind::FromTo(carried) if carried.decision && carried.mover.is_none() => {
                let of_end = |part: Part<'_>| matches!(part, Part::Int(Int::To));
                let count = carried.count.as_ref();
                if count.is_some_and(|count| Part::Int(count).any(&mut { of_end })) {
                    return self.refuse("a number of seeds that depends on where they go");
                }
                let carry = self.carry(carried)?;
                let act = Act::Carry(carry.count.clone());
                Node::Carry(self.way(act, terms), Box::new(carry))
            }
            MovesKind::Remove(remove) if remove.decision => {
                let plain = !remove.later && remove.level.is_none();
                if !plain || !matches!(remove.count, Int::Const(1)) {
                    return self.refuse("taking some of the seeds of a hole");
                }
                self.any_kind(remove.kind)?;
                let set = self.set(&remove.at)?;
                Node::Clear(self.way(Act::Clear, terms), set)
            }
            MovesKind::Pass { decision: true } => Node::Plain(self.way(Act::Pass, terms)),
            MovesKind::Message { vote, texts, decision: true } => {
                let act = |&text: &u16| if *vote { Act::Vote(text) } else { Act::Propose(text) };
                let plain = |text| Node::Plain(self.way(act(text), terms.clone()));
                Node::All(texts.iter().map(plain).collect())
            }
            other => return self.refuse(format!("the move `{}`", name_of(other))),
        })
    }

    /// Moves of which rules ask whether there are any: they may depend on nothing that is bound where that is asked.
    fn asked(&mut self, moves: &Moves) -> Built<Node> {
        let bound =
            |part: Part<'_>| matches!(part, Part::Int(Int::Site | Int::Value | Int::Player));
        let node = self.node(moves, Terms::default(), false)?;
        match self.checking || Part::Moves(moves).any(&mut { bound }) || sift::asks_for_sites(&node)
        {
            true => self.refuse("the condition `CanMove`"),
            false => Ok(node),
        }
    }

    fn nodes(&mut self, all: &[Moves], terms: &Terms, ordered: bool) -> Built<Vec<Node>> {
        all.iter().map(|moves| self.node(moves, terms.clone(), ordered)).collect()
    }

    fn way(&mut self, act: Act, terms: Terms) -> u16 {
        let count = terms.then.len();
        let after = terms.after.into_iter().map(|(cond, later)| (cond, count - later)).collect();
        let way = Way { act, then: terms.then, after };
        let known = self.code.ways.iter().skip(1).position(|known| *known == way);
        let at = known.map_or(self.code.ways.len(), |at| at + 1);
        if known.is_none() {
            self.code.ways.push(way);
        }
        at as u16
    }

    fn consequence(&mut self, then: u32) -> Built<usize> {
        if !self.written.contains(&then) {
            self.written.push(then);
            let game = self.game;
            let effect = self.effect(&game.consequences[then as usize])?;
            self.code.effects[then as usize] = Some(effect);
        }
        Ok(then as usize)
    }

    fn effect(&mut self, moves: &'g Moves) -> Built<Effect> {
        let mut then = match moves.then {
            Some(then) => Some(self.consequence(then)?),
            None => None,
        };
        let kind = match &moves.kind {
            MovesKind::All(all) => {
                EffectKind::All(all.iter().map(|m| self.effect(m)).collect::<Built<_>>()?)
            }
            MovesKind::If(cond, yes, no) => {
                let cond = self.cond(cond)?;
                let yes = Box::new(self.effect(yes)?);
                let no = match no {
                    Some(no) => Some(Box::new(self.effect(no)?)),
                    None => None,
                };
                EffectKind::If(cond, yes, no)
            }
            MovesKind::ForEachSite(region, inner, None) => {
                EffectKind::EachSite(self.set(region)?, Box::new(self.effect(inner)?))
            }
            MovesKind::ForEachPlayer(None, inner) => {
                // Nothing follows these, as the reference has it.
                then = None;
                EffectKind::EachPlayer(Box::new(self.effect(inner)?))
            }
            MovesKind::Sow(sow) => EffectKind::Sow(Box::new(self.sow(sow)?)),
            MovesKind::Do(wanted) if wanted.if_afterwards.is_none() => match &wanted.next {
                Some(next) => self.done_after(&wanted.prior, next)?,
                None => EffectKind::All(vec![self.effect(&wanted.prior)?]),
            },
            MovesKind::FromTo(carried) => EffectKind::Carry(Box::new(self.carry(carried)?)),
            MovesKind::Remove(remove) if !remove.later && remove.level.is_none() => {
                self.any_kind(remove.kind)?;
                EffectKind::Remove(self.set(&remove.at)?)
            }
            MovesKind::ForEachValue(values, inner) => {
                let Values::Range(min, max) = &**values else {
                    return self.refuse("a loop over a list of numbers");
                };
                let (min, max) = (self.num(min)?, self.num(max)?);
                EffectKind::EachValue(min, max, Box::new(self.effect(inner)?))
            }
            MovesKind::Remember(name, value, unique) => {
                let value = self.kept(value)?;
                EffectKind::Remember(self.list(name.as_deref())?, value, self.cond(unique)?)
            }
            MovesKind::Forget(name @ Some(_), value) => {
                let value = value.as_deref().map(|value| self.num(value)).transpose()?;
                EffectKind::Forget(self.list(name.as_deref())?, value)
            }
            MovesKind::SetState(set) if set.level.is_none() => {
                self.any_kind(set.kind)?;
                let state = self.num(&set.value)?;
                if !state.is_a_state() {
                    return self.refuse("states worked out");
                }
                self.code.stated = true;
                EffectKind::State(self.num(&set.at)?, state)
            }
            MovesKind::MoveAgain => EffectKind::Again,
            MovesKind::SetNextPlayer { who: Ints::List(list), .. } if list.len() == 1 => {
                then = None;
                EffectKind::Next(self.num(&list[0])?)
            }
            MovesKind::SetVar(index, n) => EffectKind::Var(self.var(*index), self.num(n)?),
            MovesKind::SetCounter(n) => EffectKind::Counter(self.num(n)?),
            MovesKind::SetPending(region) => {
                then = None;
                EffectKind::Pending(match region {
                    Some(region) => Some(self.set(region)?),
                    None => None,
                })
            }
            MovesKind::AddScore(who, scores) => {
                let mut all = Vec::new();
                for (who, score) in who.iter().zip(scores) {
                    all.push((self.player(who)?, self.num(score)?));
                }
                EffectKind::Score(all, true)
            }
            MovesKind::SetScore(who, score) => {
                EffectKind::Score(vec![(self.player(who)?, self.num(score)?)], false)
            }
            MovesKind::SetPlayerValue(who, value) => {
                EffectKind::Worth(self.player(who)?, self.num(value)?)
            }
            other => return self.refuse(format!("the effect `{}`", name_of(other))),
        };
        Ok(Effect { kind, then })
    }

    /// Something that is found after something else was done. As the reference has it, each move that is found
    /// does that again: here it is done once, which must be all the same.
    fn done_after(&mut self, prior: &'g Moves, next: &'g Moves) -> Built<EffectKind> {
        let (prior, next) = (self.effect(prior)?, self.effect(next)?);
        let settings = |var: usize| {
            let mut count = 0;
            self.game.mentions(&mut |part| {
                let set = matches!(part, Part::Moves(Moves { kind: MovesKind::SetVar(index, _), .. })
                    if self.var(*index) == var);
                count += usize::from(set);
                false
            });
            count
        };
        let single = prior.is_single() && !prior.is_followed() && next.is_single();
        if !single && !prior.sets_only(&|var| settings(var) == 1) {
            return self.refuse("moves after other moves");
        }
        Ok(EffectKind::Do(Box::new(prior), Box::new(next)))
    }

    /// The number of the list of remembered values of a name.
    fn list(&mut self, name: Option<&str>) -> Built<usize> {
        let lists = &mut self.code.lists;
        if let Some(at) = lists.iter().position(|known| known.as_deref() == name) {
            return Ok(at);
        }
        let fits = |value: &i32| (-1..64).contains(value);
        if lists.len() == LISTS || !self.ctx.s.remembered(name).iter().all(fits) {
            return self.refuse("many lists of remembered values, or large values");
        }
        lists.push(name.map(Into::into));
        Ok(lists.len() - 1)
    }

    /// A number that is remembered: there is room for holes and players only.
    fn kept(&mut self, value: &Int) -> Built<Num> {
        let value = self.num(value)?;
        let hole = match &value {
            Num::Const(n) => (-1..64).contains(n),
            Num::From | Num::To | Num::Site | Num::Mover | Num::Next | Num::Prev | Num::Player => {
                true
            }
            Num::LastFrom | Num::LastTo | Num::LastFromAfter | Num::LastToAfter => true,
            Num::OfHole(table, ..) => table.gives_holes(),
            Num::FirstOn(_) | Num::Along(_) => true,
            _ => false,
        };
        if hole { Ok(value) } else { self.refuse("remembered numbers that are no holes") }
    }

    fn player(&mut self, who: &Who) -> Built<Num> {
        match who {
            Who::One(player) => self.num(player),
            Who::Role(_) => self.refuse("scores of several players"),
        }
    }

    fn sow(&mut self, sow: &'g ir::Sow) -> Built<Sow> {
        if sow.kind != self.game.topo.default {
            return self.refuse("sowing on another kind of site");
        }
        let start = self.num(&sow.start)?;
        let here = self.of_kind(Some(sow.kind));
        let count = match &sow.count {
            Some(count) => self.num(count)?,
            None => Num::Count(here, Box::new(start.clone())),
        };
        let sow_effect = self.plain_effect(sow.sow_effect.as_ref())?;
        let effect = self.plain_effect(sow.effect.as_ref())?;
        let (owner, tracks) = self.tracks(sow)?;
        Ok(Sow {
            start,
            count,
            per_hole: self.num(&sow.per_hole)?,
            tracks,
            owner,
            cond: self.opt_cond(sow.cond.as_ref())?,
            sow_effect,
            effect,
            include_self: sow.include_self,
            origin: self.cond(&sow.origin)?,
            skip: self.opt_cond(sow.skip.as_ref())?.map(Skip::of),
            back: self.opt_cond(sow.backtracking.as_ref())?,
            forward: self.opt_cond(sow.forward.as_ref())?,
        })
    }

    /// An effect that nothing follows.
    fn plain_effect(&mut self, moves: Option<&'g Moves>) -> Built<Option<Effect>> {
        let Some(moves) = moves else {
            return Ok(None);
        };
        let effect = self.effect(moves)?;
        match effect.is_followed() {
            true => self.refuse("captures that something follows"),
            false => Ok(Some(effect)),
        }
    }

    fn tracks(&mut self, sow: &'g ir::Sow) -> Built<(Num, Vec<Option<Track>>)> {
        let find = |owner: Option<i32>| {
            self.game.tracks.iter().find(|t| match (sow.track.as_deref(), owner) {
                (None, _) => true,
                (Some(name), None) => &*t.name == name,
                (Some(name), Some(owner)) => t.owner == owner && t.name.contains(name),
            })
        };
        let owners: Vec<Option<i32>> = match &sow.owner {
            Some(_) => (0..=3).map(Some).collect(),
            None => vec![None],
        };
        let mut tracks = Vec::new();
        for owner in owners {
            tracks.push(match find(owner) {
                Some(track) => Some(self.track(track)?),
                None => None,
            });
        }
        let owner = match &sow.owner {
            Some(owner) => self.num(owner)?,
            None => Num::Const(0),
        };
        Ok((owner, tracks))
    }

    fn track(&self, track: &ludex_lud::game::Track) -> Built<Track> {
        let sites = &track.sites;
        let holes = |&site: &i32| (0..self.game.board_sites() as i32).contains(&site);
        if !track.looped || sites.is_empty() || sites.len() > 64 || !sites.iter().all(holes) {
            return self.refuse("a track that is not a round of holes");
        }
        let places = std::array::from_fn(|site| track.place(site as i32) as u8);
        Ok(Track { sites: sites.clone(), places, looped: true })
    }

    fn carry(&mut self, f: &ir::FromTo) -> Built<Carry> {
        let plain = f.from.level.is_none()
            && f.to_level.is_none()
            && f.rotations.is_none()
            && f.effect.is_none()
            && f.effect_if.is_none()
            && !f.stack
            && matches!(f.copy, Bool::Const(false));
        if !plain {
            return self.refuse("carrying with more to it");
        }
        let from = match &f.from.region {
            Some(region) => self.set(region)?,
            None => Set::One(self.num(&f.from.site)?),
        };
        let to = match &f.to_region {
            Some(region) => self.set(region)?,
            None => Set::One(self.num(&f.to)?),
        };
        let from = self.placed(f.from.kind, from)?;
        let to = self.placed(f.to_kind, to)?;
        let count = match &f.count {
            Some(count) => Some(self.num(count)?),
            None => None,
        };
        let from_cond = self.opt_cond(f.from.cond.as_ref())?;
        Ok(Carry { from, from_cond, to, cond: self.cond(&f.cond)?, count })
    }

    /// Sites of a kind: cells are hands where the holes are not cells.
    fn placed(&self, kind: Option<SiteType>, set: Set) -> Built<Set> {
        match kind {
            Some(kind) if kind != self.game.topo.default => {
                let listed = matches!(&set, Set::One(Num::Table(..)));
                match kind == SiteType::Cell && listed {
                    true => Ok(set),
                    false => self.refuse("sites of another kind"),
                }
            }
            _ => Ok(set),
        }
    }

    fn any_kind(&self, kind: Option<SiteType>) -> Built<()> {
        match kind {
            Some(kind) if kind != self.game.topo.default => self.refuse("sites of another kind"),
            _ => Ok(()),
        }
    }

    /// Holes of a kind of site, as counts are asked of.
    fn of_kind(&self, kind: Option<SiteType>) -> Holes {
        let default = self.game.topo.default;
        match kind.unwrap_or(default) {
            SiteType::Cell if default == SiteType::Cell => self.code.everywhere,
            SiteType::Cell => self.code.everywhere & !self.code.board,
            kind if kind == default => self.code.board,
            _ => 0,
        }
    }

    fn ends(&mut self, rules: &[EndRule]) -> Built<Vec<End>> {
        rules.iter().map(|rule| self.end(rule)).collect()
    }

    fn end(&mut self, rule: &EndRule) -> Built<End> {
        Ok(match rule {
            EndRule::If(cond, subs, result) => {
                let verdict = match result {
                    Some(result) => Some(self.verdict(result)?),
                    None => None,
                };
                End::If(self.cond(cond)?, self.ends(subs)?, verdict)
            }
            EndRule::ForEachPlayer { non_mover, cond, result } => {
                End::EachPlayer(*non_mover, self.cond(cond)?, self.verdict(result)?)
            }
            EndRule::ForEachTrack(..) => return self.refuse("an end for each track"),
        })
    }

    fn verdict(&mut self, result: &EndResult) -> Built<Verdict> {
        use ludex_lud::ir::Outcome;
        Ok(match result {
            EndResult::Result(EndWho::Player(player), outcome) => {
                let player = self.num(player)?;
                match outcome {
                    Outcome::Win => Verdict::Win(player),
                    Outcome::Loss => Verdict::Loss(player),
                    Outcome::Draw | Outcome::Tie => Verdict::Draw,
                    Outcome::Abandon => return self.refuse("a game that is given up"),
                }
            }
            EndResult::Result(EndWho::All, Outcome::Draw | Outcome::Tie) => Verdict::Draw,
            EndResult::Result(..) => return self.refuse("a result for several players"),
            EndResult::ByScore(scores, misere) => {
                let mut all = Vec::new();
                for (player, score) in scores {
                    all.push((self.num(player)?, self.num(score)?));
                }
                Verdict::Score(all, self.cond(misere)?)
            }
            EndResult::Payoffs(_) => return self.refuse("payoffs by number"),
        })
    }
}

/// The name of a part of the rules.
fn name_of(part: &impl std::fmt::Debug) -> String {
    let text = format!("{part:?}");
    text.chars().take_while(|c| c.is_alphanumeric()).collect()
}
