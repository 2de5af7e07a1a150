//! Hops over other pieces.

use super::families::{LeafParts, Terms, only_empty};
use super::sets::mentions;
use super::{Bound, Builder};
use crate::Built;
use crate::code::{Act, Cond, Hop, Node, Num, Set, Shape, Var};
use ludex_lud::ir::{
    Bool, Cmp, Directions, Hop as Wanted, Int, Moves, MovesKind, Range, Region, RelativeDir,
    Remove, SitesBetween,
};
use ludex_lud::sites::SiteSet;
use ludex_lud::topo::Dir;

/// What a hop is made of, once its sets are known.
struct Parts {
    hurdle: Set,
    go: Set,
    stop: Option<Set>,
}

impl Builder<'_> {
    pub(super) fn hop(&mut self, hop: &Wanted, terms: &Terms) -> Built<Node> {
        if hop.stack || !(hop.decision || self.asking) {
            return self.refuse("hops of their own kind");
        }
        if hop.length.min != hop.length.max {
            return self.hop_lengths(hop, terms);
        }
        self.hop_length_known(hop, terms, false)
    }

    /// Hops over hurdles of several lengths are hops of each of them, where what may be jumped is never where
    /// a hop may land.
    fn hop_lengths(&mut self, hop: &Wanted, terms: &Terms) -> Built<Node> {
        let (Some(min @ 1..), Some(max)) =
            (self.fixed_int(&hop.length.min), self.fixed_int(&hop.length.max))
        else {
            return self.refuse("hops over hurdles of several lengths");
        };
        let plane = self.game.topo.plane(self.game.topo.default);
        let longest = plane.radials.iter().flatten().map(|radial| radial.sites.len()).max();
        let most = longest.unwrap_or(0).saturating_sub(2) as i32;
        let mut nodes = Vec::new();
        for length in min..=max.min(most) {
            let mut one = hop.clone();
            one.length = Range { min: Int::Const(length), max: Int::Const(length) };
            nodes.push(self.hop_length_known(&one, terms, true)?);
        }
        Ok(self.all_of(nodes))
    }

    /// Hops over hurdles of one length; where that is one of several, they end where no hurdle may be.
    fn hop_length_known(&mut self, hop: &Wanted, terms: &Terms, apart: bool) -> Built<Node> {
        let (Some(before), Some(after)) = (self.fixed_int(&hop.before), self.fixed_int(&hop.after))
        else {
            return self.refuse("hops of a distance that changes");
        };
        if let Some(node) = self.hop_by_last_way(hop, terms)? {
            return Ok(node);
        }
        let by_piece = !self.dirs_are_fixed(&hop.dirs, Bound::default());
        let mut leaf_parts = LeafParts::default();
        for (what, origin) in self.origins(&hop.from, by_piece)? {
            let dirs = self.directions(&hop.dirs, what)?;
            self.with_piece(what, |b| {
                let origin = b.starting(&hop.from, origin)?;
                b.hop_from(&mut leaf_parts, hop, &dirs, origin, (before, after, apart), terms)
            })?;
        }
        Ok(self.leaf(leaf_parts))
    }

    /// A hop the way the last move went, or any way but that: one of each direction, for the turns when it was that one.
    fn hop_by_last_way(&mut self, hop: &Wanted, terms: &Terms) -> Built<Option<Node>> {
        let (all, last) = match &hop.dirs {
            Directions::Difference(all, last) => (Some(&**all), &**last),
            last => (None, last),
        };
        let Directions::Relative { dirs, relation, by_site: false, .. } = last else {
            return Ok(None);
        };
        let way = match dirs.as_slice() {
            [RelativeDir::Same] => [Num::LastFrom, Num::LastTo],
            [RelativeDir::Opposite] => [Num::LastTo, Num::LastFrom],
            _ => return Ok(None),
        };
        let sites = self.code.board as i32;
        if sites > 128 {
            return self.refuse("directions of the last move on a large board");
        }
        let plane = self.game.topo.plane(self.game.topo.default);
        let supported = plane.supported(*relation).to_vec();
        let none = supported.len();
        let first = |from: i32, to: i32| {
            let sees = |dir: &Dir| plane.radials(from, *dir).any(|r| r.sites[1..].contains(&to));
            supported.iter().position(sees).unwrap_or(none) as i32
        };
        let pairs = (0..sites * sites).map(|n| first(n / sites, n % sites)).collect();
        let table = self.numbers(pairs);
        let mut nodes = Vec::new();
        for &dir in &supported {
            let one = Directions::Absolute(vec![dir]);
            let dirs = match all {
                Some(all) => Directions::Difference(Box::new(all.clone()), Box::new(one)),
                None => one,
            };
            nodes.push(self.hop(&Wanted { dirs, ..hop.clone() }, terms)?);
        }
        let [from, to] = way.map(Box::new);
        let pair = Num::Pair(table, sites, from, to);
        let Some(all) = all else {
            return Ok(Some(Node::Switch(pair, nodes)));
        };
        nodes.push(self.hop(&Wanted { dirs: all.clone(), ..hop.clone() }, terms)?);
        // Where there was no such move, the table has no entry.
        let known = Cond::Compare(Cmp::Ge, pair.clone(), Num::Const(0));
        let number = Num::either(known, pair, Num::Const(none as i32));
        Ok(Some(Node::Switch(number, nodes)))
    }

    fn hop_from(
        &mut self,
        leaf_parts: &mut LeafParts,
        hop: &Wanted,
        dirs: &[Vec<Dir>],
        origin: Set,
        (before, after, apart): (i32, i32, bool),
        terms: &Terms,
    ) -> Built<()> {
        let Some(hurdle) = &hop.hurdle else {
            return self.refuse("hops over nothing");
        };
        let hurdle = self.sites_where(hurdle, Var::Between)?;
        // Whether a hop may land does not depend on what it passes.
        if mentions(&hop.go, Var::Between) {
            return self.refuse("hops that land by what they pass");
        }
        let single = self.fixed_int(&hop.length.min) == Some(1);
        let plain = single && before == 0 && after == 0 && hop.stop.is_none();
        // Where a hop passes nothing but the hurdle, it may be judged by its start and end together.
        let straight = before == 0 && after == 0 && hop.stop.is_none();
        let (rectangles, check) = match straight {
            true => {
                let (rectangles, late) = self.terms_of_path(&hop.go);
                (rectangles, self.check_of(&late)?)
            }
            false => (self.rectangles(&hop.go)?, None),
        };
        let effects = self.hop_effects(hop, single)?;
        self.jumps = single;
        let deed = self.deed(Act::Move, effects.as_ref(), check, terms);
        self.jumps = false;
        let deed = deed?;
        for (from, go) in rectangles {
            if apart && !(self.only_pieces(&hurdle) && only_empty(&go)) {
                return self.refuse("hops over hurdles of several lengths onto such");
            }
            let from = self.and(origin.clone(), from);
            let stop = match &hop.stop {
                Some(stop) => Some(self.sites_where(stop, Var::To)?),
                None => None,
            };
            let parts = Parts { hurdle: hurdle.clone(), go, stop };
            if plain && self.jump(leaf_parts, dirs, &from, &parts, deed)? {
                continue;
            }
            let length = self.hop_length(hop)?;
            let rays = self.rays(dirs, 1, i32::MAX)?;
            let hurdle = leaf_parts.operand(parts.hurdle)?;
            let stop = match parts.stop {
                Some(stop) => Some(leaf_parts.operand(stop)?),
                None => None,
            };
            let hop = Hop { rays, hurdle, length, before, after, stop };
            leaf_parts.add(Shape::Hop(Box::new(hop)), from, parts.go, deed)?;
        }
        Ok(())
    }

    /// The effects on the site jumped and on the end, which happen in this order.
    fn hop_effects(&mut self, hop: &Wanted, single: bool) -> Built<Option<Moves>> {
        if hop.effect.is_some() && !single {
            let taken = self.taking_all(hop)?;
            let parts: Vec<Moves> = [taken].into_iter().chain(hop.stop_effect.clone()).collect();
            return Ok(Some(Moves { kind: MovesKind::All(parts), then: None }));
        }
        let over = hop.effect.clone().filter(|_| hop.stop.is_none());
        let parts: Vec<Moves> = over.into_iter().chain(hop.stop_effect.clone()).collect();
        let all = Moves { kind: MovesKind::All(parts.clone()), then: None };
        Ok((!parts.is_empty()).then_some(all))
    }

    /// What is jumped is taken: all that stands between start and end.
    fn taking_all(&mut self, hop: &Wanted) -> Built<Moves> {
        let taken = match &hop.effect {
            Some(Moves { kind: MovesKind::Remove(taken), then: None }) if hop.stop.is_none() => {
                taken
            }
            _ => return self.refuse("effects on several sites jumped"),
        };
        let each = matches!(&taken.at, Region::One(site) if matches!(**site, Int::Between));
        if taken.later || !each {
            return self.refuse("effects on several sites jumped");
        }
        let kind = self.game.topo.default;
        let between = SitesBetween {
            kind,
            dirs: hop.dirs.clone(),
            from: Int::From,
            from_included: Bool::Const(false),
            to: Int::To,
            to_included: Bool::Const(false),
            cond: Bool::Occupied(kind, Box::new(Int::Between)),
        };
        let at = Region::Between(Box::new(between));
        let kind = MovesKind::Remove(Box::new(Remove { at, ..(**taken).clone() }));
        Ok(Moves { kind, then: None })
    }

    fn hop_length(&mut self, hop: &Wanted) -> Built<Num> {
        let saved = self.bound;
        self.bound = saved.with(Var::From);
        let length = self.num(&hop.length.min);
        self.bound = saved;
        length
    }

    /// Jumps over the next site, a whole set at once; `false` where the numbers are too irregular.
    fn jump(
        &mut self,
        leaf_parts: &mut LeafParts,
        dirs: &[Vec<Dir>],
        from: &Set,
        parts: &Parts,
        deed: u16,
    ) -> Built<bool> {
        let plane = self.game.topo.plane(self.game.topo.default);
        let mut groups: Vec<((i32, i32), SiteSet)> = Vec::new();
        for (site, dirs) in dirs.iter().enumerate() {
            let site = site as i32;
            for radial in dirs.iter().flat_map(|&dir| plane.radials(site, dir)) {
                let [_, over, to, ..] = radial.sites[..] else {
                    continue;
                };
                let key = (to - site, over - site);
                match groups.iter_mut().find(|(known, _)| *known == key) {
                    // Two lines to the same end are two moves.
                    Some((_, ends)) if ends.contains(to) => return Ok(false),
                    Some((_, ends)) => ends.insert(to),
                    None => groups.push((key, [to].into_iter().collect())),
                }
            }
        }
        if groups.len() > 16 || groups.iter().any(|((by, _), _)| by.abs() >= 64) {
            return Ok(false);
        }
        for ((by, over), ends) in groups {
            let hurdle = leaf_parts.operand(parts.hurdle.clone())?;
            let shape = Shape::Jump { by, over, ends, hurdle };
            leaf_parts.add(shape, from.clone(), parts.go.clone(), deed)?;
        }
        Ok(true)
    }
}
