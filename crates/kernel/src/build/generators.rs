//! Generators of moves become nodes of families.

use super::Builder;
use super::families::{LeafParts, Terms, only_empty};
use super::sets::{EMPTY, by_offset, mentions, region_mentions};
use crate::Built;
use crate::code::{Act, Cond, Node, Set, Shape, Var};
use ludex_lud::ir::visit::Part;
use ludex_lud::ir::{
    Add, Bool, Channel, Cmp, Directions, Do, Int, Leap, Moves, MovesKind, Origin, Region, Remove,
    Step, Values,
};

impl Builder<'_> {
    /// The terms of what is inside a generator: its own consequence comes first.
    pub(super) fn followed(&mut self, moves: &Moves, outer: &Terms) -> Built<Terms> {
        let mut terms = outer.clone();
        if let Some(then) = moves.then
            && !self.follows_in_vain(moves, outer, then)
        {
            let effect = self.consequence(then)?;
            terms.then.insert(0, effect);
        }
        Ok(terms)
    }

    /// Whether a consequence asks for threats by moves that it follows itself: of threats only the ends
    /// count, unless something must hold after them.
    fn follows_in_vain(&self, moves: &Moves, outer: &Terms, then: u32) -> bool {
        let judges = |moves: &Moves| match &moves.kind {
            MovesKind::Do(wanted) => {
                wanted.if_afterwards.as_ref().is_some_and(|cond| !certain_in_threats(cond))
            }
            MovesKind::MaxMoves(..) | MovesKind::MaxCaptures(..) => true,
            _ => false,
        };
        let judged = |moves: &Moves| {
            Part::Moves(moves).any(&mut |part| matches!(part, Part::Moves(part) if judges(part)))
        };
        let mut pieces = self.game.components.iter().filter_map(|piece| piece.moves.as_ref());
        self.threat
            && self.writing.contains(&(self.actor, then))
            && outer.after.is_empty()
            && outer.longest.is_none()
            && !judged(moves)
            && !pieces.any(judged)
    }

    /// The families of a generator.
    pub(super) fn node(&mut self, moves: &Moves, outer: &Terms) -> Built<Node> {
        if let MovesKind::MaxMoves(inner, by_value) = &moves.kind {
            return self.longest(inner, by_value, outer);
        }
        // The longest way is looked for and then not asked for, nor what follows.
        if let MovesKind::MaxDistance(inner, ..) = &moves.kind {
            return self.node(inner, outer);
        }
        let terms = self.followed(moves, outer)?;
        if let Some((cond, yes, no)) = self.by_ways(&moves.kind) {
            return self.choice(&cond, &yes, Some(&no), &terms);
        }
        match &moves.kind {
            MovesKind::None => Ok(Node::Nothing),
            MovesKind::All(parts) => {
                if let Some(node) = self.pieces_everywhere(parts, &terms)? {
                    return Ok(node);
                }
                let mut nodes = Vec::new();
                for part in parts {
                    nodes.push(self.node(part, &terms)?);
                }
                Ok(self.all_of(nodes))
            }
            MovesKind::If(cond, yes, no) => self.choice(cond, yes, no.as_deref(), &terms),
            MovesKind::Priority(parts) => {
                let mut nodes = Vec::new();
                for part in parts {
                    nodes.push(self.node(part, &terms)?);
                }
                Ok(Node::First(nodes))
            }
            MovesKind::Do(wanted) => self.tried(wanted, terms),
            MovesKind::AvoidStored(inner) => self.unlike_stored(inner, terms),
            MovesKind::ForEachPiece(each) => self.pieces(each, &terms),
            MovesKind::ForEachSite(region, inner, None) => self.on_each_site(region, inner, &terms),
            MovesKind::ForEachDie(each) => self.each_die(each, &terms),
            MovesKind::ForEachValue(values, inner) => self.values(values, inner, &terms),
            MovesKind::Add(add) => self.add(add, &terms),
            MovesKind::Step(step) => self.step(step, &terms),
            MovesKind::Leap(leap) => self.leap(leap, &terms),
            MovesKind::Slide(slide) => self.slide(slide, &terms),
            MovesKind::Shoot(shoot) => self.shoot(shoot, &terms),
            MovesKind::Hop(hop) => self.hop(hop, &terms),
            MovesKind::FromTo(carried) => self.carry(carried, &terms),
            MovesKind::ForEachDirection(each) => self.legs(each, &terms),
            MovesKind::Select(select) => self.select(select, &terms),
            MovesKind::Message { vote, texts, decision: true } => {
                self.messages(*vote, texts, &terms)
            }
            MovesKind::Promote(promote) => self.promotion(promote, &terms),
            MovesKind::SwapPieces(from, to, true) => self.exchange(from, to, &terms),
            MovesKind::Remove(remove) => self.removal(remove, &terms),
            MovesKind::Pass { decision: true } => {
                let deed = self.deed(Act::Pass, None, None, &terms)?;
                let mut leaf_parts = LeafParts::default();
                let none = self.nowhere();
                leaf_parts.add(Shape::Pass, none.clone(), none, deed)?;
                Ok(self.leaf(leaf_parts))
            }
            other => self.refuse(format!("moves by {}", super::nums::name(other))),
        }
    }

    /// Moves whose directions depend on a condition, as a choice between moves.
    fn by_ways(&self, kind: &MovesKind) -> Option<(Bool, Moves, Moves)> {
        let ways = match kind {
            MovesKind::Step(step) => &step.dirs,
            MovesKind::Slide(slide) => &slide.dirs,
            MovesKind::Hop(hop) => &hop.dirs,
            _ => return None,
        };
        let Directions::If(cond, yes, no) = ways else {
            return None;
        };
        if self.dirs_of_piece_are_fixed(ways, super::Bound::default().with(Var::From)) {
            return None;
        }
        let along = |ways: &Directions| {
            let mut kind = kind.clone();
            match &mut kind {
                MovesKind::Step(step) => step.dirs = ways.clone(),
                MovesKind::Slide(slide) => slide.dirs = ways.clone(),
                MovesKind::Hop(hop) => hop.dirs = ways.clone(),
                _ => {}
            }
            Moves { kind, then: None }
        };
        Some(((**cond).clone(), along(yes), along(no)))
    }

    /// A choice that depends on where a move starts narrows the starts; any other is made once a turn.
    pub(super) fn choice(
        &mut self,
        cond: &Bool,
        yes: &Moves,
        no: Option<&Moves>,
        terms: &Terms,
    ) -> Built<Node> {
        let nothing = Moves { kind: MovesKind::None, then: None };
        let no = no.unwrap_or(&nothing);
        // Those moves if there are any, else others; what is asked is asked without what must hold after them.
        if let Bool::CanMove(asked) = cond
            && self.origin.is_none()
            && self.game.meta.no_repeat.is_none()
            && terms.after.is_empty()
            && terms.longest.is_none()
            && **asked == *yes
        {
            let both = vec![self.node(yes, terms)?, self.node(no, terms)?];
            return Ok(Node::First(both));
        }
        if let Some(value) = self.fixed_bool(cond) {
            return self.node(if value { yes } else { no }, terms);
        }
        if let Some(origin) = self.origin.clone()
            && mentions(cond, Var::From)
        {
            let fitting = self.sites_where(cond, Var::From)?;
            let narrowed = self.and(origin.clone(), fitting.clone());
            self.origin = Some(narrowed);
            let known = self.assume(cond);
            let yes = self.node(yes, terms);
            self.assumed.truncate(known);
            let others = self.not(fitting);
            let rest = self.and(origin.clone(), others);
            self.origin = Some(rest);
            let no = self.node(no, terms);
            self.origin = Some(origin);
            let both = vec![yes?, no?];
            return Ok(self.all_of(both));
        }
        let test = self.cond(cond)?;
        let saved = self.last_what;
        if let Bool::Compare(Cmp::Eq, a, b) = cond
            && let Int::At(Channel::What, _, site, None) = &**a
            && self.code.stacks.is_none()
            && matches!(**site, Int::LastTo { after: false })
            && let Some(what) = self.fixed_int(b)
        {
            self.last_what = u16::try_from(what).ok();
        }
        let known = self.assume(cond);
        let yes = self.node(yes, terms);
        self.assumed.truncate(known);
        self.last_what = saved;
        let yes = yes?;
        let no = self.node(no, terms)?;
        Ok(match test {
            Cond::Const(true) => yes,
            Cond::Const(false) => no,
            test => Node::If(Box::new(test), Box::new(yes), Box::new(no)),
        })
    }

    /// Moves of which only those are legal that lead to the longest run. What follows the whole of them is
    /// never asked for, as the rules have it.
    fn longest(&mut self, inner: &Moves, by_value: &Bool, outer: &Terms) -> Built<Node> {
        let plain = self.fixed_bool(by_value) == Some(false)
            && outer.after.is_empty()
            && outer.longest.is_none();
        if !plain || self.asking || self.threat {
            return self.refuse("the longest of runs in a way of its own");
        }
        let all = self.node(inner, outer)?;
        if self.is_tried(&all) {
            return self.refuse("the longest of runs that must be tried");
        }
        if self.may_go_on(&all) {
            return self.refuse("the longest of runs that need not end");
        }
        self.code.longest.push(all);
        let terms = Terms { longest: Some(self.code.longest.len() - 1), ..outer.clone() };
        self.node(inner, &terms)
    }

    fn tried(&mut self, wanted: &Do, mut terms: Terms) -> Built<Node> {
        if super::dice::is_throw(wanted) {
            return self.after_throw(wanted, &terms);
        }
        if wanted.next.is_some() {
            return self.refuse("moves after other moves");
        }
        if let Some(cond) = &wanted.if_afterwards
            && !(self.threat && certain_in_threats(cond))
        {
            if self.threat {
                // Moves to empty sites threaten nothing, whatever must hold after them.
                let node = self.node(&wanted.prior, &terms)?;
                if self.ends_empty(&node) {
                    return Ok(Node::Nothing);
                }
            }
            let asks_moves = |part: Part<'_>| matches!(part, Part::Bool(Bool::NoMoves(_)));
            if Part::Bool(cond).any(&mut { asks_moves }) {
                return self.refuse("moves that must leave the other a move");
            }
            let choosing = std::mem::replace(&mut self.choosing, false);
            let cond = self.after_dice(|b| b.cond(cond));
            self.choosing = choosing;
            terms.after.insert(0, (cond?, terms.then.len()));
        }
        self.node(&wanted.prior, &terms)
    }

    /// Moves of which those are legal that do not lead to the position that was stored.
    fn unlike_stored(&mut self, inner: &Moves, mut terms: Terms) -> Built<Node> {
        if self.threat {
            return self.refuse("threats by moves that must not lead to a stored position");
        }
        self.code.stores = true;
        terms.after.insert(0, (Cond::NotStored, terms.then.len()));
        self.node(inner, &terms)
    }

    /// The moves for every value of a fixed list.
    fn values(&mut self, values: &Values, inner: &Moves, terms: &Terms) -> Built<Node> {
        let values: Vec<i32> = match values {
            Values::Range(min, max) => match (self.fixed_int(min), self.fixed_int(max)) {
                (Some(min), Some(max)) if max < min.saturating_add(64) => (min..=max).collect(),
                _ => return self.refuse("values that change"),
            },
            Values::List(_) => return self.refuse("values of a list"),
        };
        let saved = (self.value, self.ctx.v.value);
        let mut nodes = Vec::new();
        for value in values {
            (self.value, self.ctx.v.value) = (Some(value), value);
            nodes.push(self.node(inner, terms));
        }
        (self.value, self.ctx.v.value) = saved;
        let nodes: Built<Vec<Node>> = nodes.into_iter().collect();
        Ok(self.all_of(nodes?))
    }

    /// Where moves of a path start: sets of sites, each with the piece that stands there where it matters.
    pub(super) fn origins(
        &mut self,
        from: &Origin,
        by_piece: bool,
    ) -> Built<Vec<(Option<u16>, Set)>> {
        if from.level.is_some() || from.region.is_some() {
            return self.refuse("a start on a level or in a region");
        }
        if let Some(kind) = from.kind {
            self.same_kind(kind)?;
        }
        if matches!(from.site, Int::From)
            && let Some(set) = self.origin.clone()
        {
            return Ok(vec![(self.from_what, set)]);
        }
        if self.origin.is_some() {
            return self.refuse("a start of its own for each piece");
        }
        let known = match &from.site {
            Int::LastTo { after: false } => self.last_what,
            _ => None,
        };
        let site = Set::One(self.num(&from.site)?);
        let site = self.on_board(site);
        if !by_piece || known.is_some() {
            return Ok(vec![(known, site)]);
        }
        let mut out = vec![(Some(0), self.and(site.clone(), EMPTY))];
        for what in 1..self.game.components.len() as u16 {
            let slot = self.slot_of(what);
            out.push((Some(what), self.and(site.clone(), slot)));
        }
        Ok(out)
    }

    /// Does something while the piece at the start is known.
    pub(super) fn with_piece<T>(
        &mut self,
        what: Option<u16>,
        act: impl FnOnce(&mut Self) -> Built<T>,
    ) -> Built<T> {
        let saved = std::mem::replace(&mut self.from_what, what);
        let done = act(self);
        self.from_what = saved;
        done
    }

    /// Directions at every site for a piece standing there.
    pub(super) fn directions(
        &mut self,
        dirs: &Directions,
        what: Option<u16>,
    ) -> Built<Vec<Vec<ludex_lud::topo::Dir>>> {
        let start = super::Bound::default().with(Var::From);
        if !self.dirs_of_piece_are_fixed(dirs, start) {
            return self.refuse("directions that change");
        }
        if self.level.is_some() && !self.dirs_are_fixed(dirs, super::Bound::default()) {
            return self.refuse("directions of pieces within stacks");
        }
        let kind = self.game.topo.default;
        let mut out = Vec::new();
        for site in 0..self.code.board as i32 {
            let what = what.unwrap_or(0);
            let here = |b: &mut Self| {
                let saved = std::mem::replace(&mut b.ctx.v.from, site);
                let dirs = b.ctx.dirs(dirs, kind, site).to_vec();
                b.ctx.v.from = saved;
                dirs
            };
            out.push(self.with_piece_at(what, site, here));
        }
        Ok(out)
    }

    fn step(&mut self, step: &Step, terms: &Terms) -> Built<Node> {
        if step.stack || !(step.decision || self.asking) {
            return self.refuse("steps of stacks or as effects");
        }
        let by_piece = !self.dirs_are_fixed(&step.dirs, super::Bound::default());
        let mut leaf_parts = LeafParts::default();
        for (what, origin) in self.origins(&step.from, by_piece)? {
            let dirs = self.directions(&step.dirs, what)?;
            let plane = self.game.topo.plane(self.game.topo.default);
            let mut pairs = Vec::new();
            for (site, dirs) in dirs.iter().enumerate() {
                for &to in dirs.iter().flat_map(|&dir| plane.steps(site as i32, dir)) {
                    if !pairs.contains(&(site as i32, to)) {
                        pairs.push((site as i32, to));
                    }
                }
            }
            let (from, cond, effect) = (&step.from, &step.cond, step.effect.as_ref());
            let path = Path { from, cond, effect, act: Act::Move };
            self.with_piece(what, |b| b.path(&mut leaf_parts, &path, origin, &pairs, terms))?;
        }
        Ok(self.leaf(leaf_parts))
    }

    fn leap(&mut self, leap: &Leap, terms: &Terms) -> Built<Node> {
        if !(leap.decision || self.asking) {
            return self.refuse("leaps as effects");
        }
        let (Some(forward), Some(rotations)) =
            (self.fixed_bool(&leap.forward), self.fixed_bool(&leap.rotations))
        else {
            return self.refuse("leaps that change");
        };
        let kind = self.game.topo.default;
        let mut leaf_parts = LeafParts::default();
        for (what, origin) in self.origins(&leap.from, forward)? {
            let facing = match forward {
                true => what.and_then(|what| self.game.components[what as usize].facing),
                false => None,
            };
            let mut pairs = Vec::new();
            for site in 0..self.code.board as i32 {
                for to in self.ctx.walk_ends(kind, site, &leap.walks, rotations) {
                    let ahead = facing.is_none_or(|dir| self.ctx.is_ahead(kind, dir, site, to));
                    if to >= 0 && ahead && !pairs.contains(&(site, to)) {
                        pairs.push((site, to));
                    }
                }
            }
            let (from, cond, effect) = (&leap.from, &leap.go, leap.effect.as_ref());
            let path = Path { from, cond, effect, act: Act::Move };
            self.with_piece(what, |b| b.path(&mut leaf_parts, &path, origin, &pairs, terms))?;
        }
        Ok(self.leaf(leaf_parts))
    }

    /// Families of moves from one site to another, as a relation and conditions allow.
    pub(super) fn path(
        &mut self,
        leaf_parts: &mut LeafParts,
        path: &Path<'_>,
        origin: Set,
        pairs: &[(i32, i32)],
        terms: &Terms,
    ) -> Built<()> {
        let origin = self.starting(path.from, origin)?;
        let (rectangles, late) = self.terms_of_path(path.cond);
        // What depends on both start and end depends on the end alone where the way is known.
        let ways = self.by_way(pairs, &late);
        let check = match &ways {
            Some(_) => None,
            None => self.check_of(&late)?,
        };
        let all = self.everywhere();
        let ways = ways.unwrap_or_else(|| vec![(pairs.to_vec(), all)]);
        let deed = self.deed(path.act, path.effect, check, terms)?;
        for (from, to) in rectangles {
            let from = self.and(origin.clone(), from);
            for (pairs, fitting) in &ways {
                let to = self.and(to.clone(), fitting.clone());
                if !self.is_nowhere(&from) && !self.is_nowhere(&to) {
                    self.along(leaf_parts, pairs, (from.clone(), to), deed)?;
                }
            }
        }
        Ok(())
    }

    /// Moves by the difference of their sites, each with the ends that conditions on both sites allow.
    fn by_way(&mut self, pairs: &[(i32, i32)], late: &[&Bool]) -> Option<Vec<Way>> {
        let ways = by_offset(pairs);
        if late.is_empty() || ways.len() > super::families::MAX_OFFSETS {
            return None;
        }
        let mut out = Vec::new();
        for (_, pairs) in ways {
            let mut starts = vec![-1; self.code.sites];
            pairs.iter().for_each(|&(from, to)| starts[to as usize] = from);
            self.start_of = Some(starts);
            let mut set: Built<Set> = Ok(self.everywhere());
            for part in late {
                let fitting = self.sites_where(part, Var::To);
                set = set.and_then(|set| Ok(self.and(set, fitting?)));
            }
            self.start_of = None;
            out.push((pairs, set.ok().filter(|set| !set.is_asked())?));
        }
        Some(out)
    }

    /// What must be asked for each move.
    pub(super) fn check_of(&mut self, late: &[&Bool]) -> Built<Option<Cond>> {
        let saved = self.bound;
        self.bound = saved.with(Var::From).with(Var::To);
        let checks: Built<Vec<Cond>> = late.iter().map(|part| self.cond(part)).collect();
        self.bound = saved;
        let mut checks = checks?;
        Ok(match checks.len() {
            0 => None,
            1 => checks.pop(),
            _ => Some(Cond::All(checks)),
        })
    }

    /// The starts of a set that a rule allows.
    pub(super) fn starting(&mut self, from: &Origin, origin: Set) -> Built<Set> {
        match &from.cond {
            Some(cond) => {
                let fitting = self.sites_where(cond, Var::From)?;
                Ok(self.and(origin, fitting))
            }
            None => Ok(origin),
        }
    }

    /// A condition on start and end as sets, and what of it depends on both.
    pub(super) fn terms_of_path<'b>(&mut self, cond: &'b Bool) -> (Rectangles, Vec<&'b Bool>) {
        let parts: &[Bool] = match cond {
            Bool::And(parts) => parts,
            one => std::slice::from_ref(one),
        };
        let all = self.everywhere();
        let mut rectangles = vec![(all.clone(), all)];
        let mut late = Vec::new();
        for part in parts {
            let asked = |(from, to): &(Set, Set)| from.is_asked() || to.is_asked();
            match self.rectangles(part) {
                // Asked of the move drawn only.
                Ok(more) if more.iter().any(asked) => late.push(part),
                Ok(more) => {
                    let mut both = Vec::new();
                    for (from, to) in &rectangles {
                        for (from2, to2) in &more {
                            let from = self.and(from.clone(), from2.clone());
                            both.push((from, self.and(to.clone(), to2.clone())));
                        }
                    }
                    rectangles = both;
                }
                Err(_) => late.push(part),
            }
        }
        (rectangles, late)
    }

    fn add(&mut self, add: &Add, terms: &Terms) -> Built<Node> {
        if self.game.large_pieces {
            return self.add_tiles(add, terms);
        }
        let plain = add.decision
            && add.level.is_none()
            && add.effect_if.is_none()
            && add.with.is_none()
            && self.origin.is_none()
            && self.fixed_int(&add.count) == Some(1);
        if !plain {
            return self.refuse("placing in a way of its own");
        }
        self.same_kind(add.kind)?;
        let mut to = match (&add.site, &add.region) {
            (None, Some(region)) => self.region(region)?,
            (Some(site), None) => Set::One(self.num(site)?),
            _ => return self.refuse("placing in a way of its own"),
        };
        let mut check = None;
        if let Some(cond) = &add.cond {
            let fitting = self.sites_where(cond, Var::To)?;
            match fitting.is_asked() && !mentions(cond, Var::From) {
                // Asked of the site drawn only.
                true => check = self.check_of(&[cond])?,
                false => to = self.and(to, fitting),
            }
        }
        let mut leaf_parts = LeafParts::default();
        for what in &add.what {
            let Some(what) = self.fixed_int(what) else {
                return self.refuse("placing a piece that is not known before");
            };
            let Some(what) = self.piece(what) else {
                continue;
            };
            let act = match &add.state {
                None => Act::Add(what),
                Some(state) => self.placed_in(what, state, &to)?,
            };
            let deed = self.deed(act, add.effect.as_ref(), check.clone(), terms)?;
            leaf_parts.add(Shape::Spot, to.clone(), to.clone(), deed)?;
            if add.site.is_some() {
                break;
            }
            // The reference lists such moves twice.
            if add.effect.is_some() {
                leaf_parts.add(Shape::Spot, to.clone(), to.clone(), deed)?;
            }
        }
        Ok(self.leaf(leaf_parts))
    }

    /// The placing of a piece in a state.
    fn placed_in(&mut self, what: u8, state: &Int, to: &Set) -> Built<Act> {
        let state = self.fixed_int(state).and_then(|state| u8::try_from(state).ok());
        match state {
            Some(state) if what > 0 && only_empty(to) => Ok(Act::Place(what, state)),
            _ => self.refuse("placing in a state that is not known before"),
        }
    }

    fn removal(&mut self, remove: &Remove, terms: &Terms) -> Built<Node> {
        let act = match self.level_meant(remove.level.as_ref())? {
            Some(level) => Act::Pull(level),
            None => Act::Remove,
        };
        let plain = remove.decision && !remove.later;
        if !plain || self.fixed_int(&remove.count) != Some(1) {
            return self.refuse("taking in a way of its own");
        }
        if let Some(kind) = remove.kind {
            self.same_kind(kind)?;
        }
        let set = match (&remove.at, self.origin.clone()) {
            (Region::One(site), Some(origin)) if matches!(**site, Int::From) => origin,
            (_, Some(_)) => return self.refuse("taking for each piece"),
            (region, None) => {
                if region_mentions(region, Var::From) {
                    return self.refuse("taking from where nothing starts");
                }
                self.region(region)?
            }
        };
        let set = match self.only_pieces(&set) {
            true => set,
            false => {
                let occupied = self.not(EMPTY);
                self.and(set, occupied)
            }
        };
        let deed = self.deed(act, None, None, terms)?;
        let mut leaf_parts = LeafParts::default();
        leaf_parts.add(Shape::Spot, set.clone(), set, deed)?;
        Ok(self.leaf(leaf_parts))
    }
}

/// Whether a condition on the position after a move does not count while threats are looked for.
fn certain_in_threats(cond: &Bool) -> bool {
    match cond {
        Bool::Not(inner) => matches!(**inner, Bool::Threatened(_)),
        Bool::And(all) => all.iter().all(certain_in_threats),
        _ => false,
    }
}

/// Pairs of starts and ends that share no move.
pub(super) type Rectangles = Vec<(Set, Set)>;

/// A way from one site to another: where it starts, where it may end, what comes with it.
pub(super) struct Path<'a> {
    pub from: &'a Origin,
    pub cond: &'a Bool,
    pub effect: Option<&'a Moves>,
    pub act: Act,
}

/// Moves of one way and where they may end.
type Way = (Vec<(i32, i32)>, Set);
