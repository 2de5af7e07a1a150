//! Lowering of starting rules.

use super::names::Naming;
use super::{Args, Lower, Lowered};
use crate::game::ContainerKind;
use crate::ir::{Bool, Int, Ints, Place, PlaceAt, PlaceRandom, RandomStack, Region, Start};
use crate::moves::MOST_AT_ONCE;
use ludex_lang::lud::check::{Argument, Place as At};

/// So many pieces can lie on one site.
pub(super) const MOST_ON_SITE: i32 = u16::MAX as i32;

impl Lower<'_> {
    /// The rules of `(start …)`.
    pub(super) fn start(&mut self, argument: &Argument) -> Lowered<Vec<Start>> {
        let args = self.call_of(argument)?;
        let mut out = Vec::new();
        for item in self.items(&args, "rules").iter().chain(args.get("rule")) {
            let rule = self.start_rule(item, &mut out);
            self.keep(rule);
        }
        self.done(&args)?;
        Ok(out)
    }

    fn start_rule(&mut self, argument: &Argument, out: &mut Vec<Start>) -> Lowered<()> {
        let args = self.call_of(argument)?;
        self.start_call(&args, out)?;
        self.done(&args)
    }

    fn start_call(&mut self, args: &Args<'_>, out: &mut Vec<Start>) -> Lowered<()> {
        let rule = match args.key() {
            "place" => return self.place(args, false, out),
            "place.Stack" => {
                self.flags.stacking = true;
                return self.place(args, true, out);
            }
            "deal" => {
                let count = self.number(args, "count").unwrap_or(1);
                if self.word(args, "type") == Some("Cards") {
                    self.cards(args)?;
                    let deck = self.containers.iter().find_map(|c| match c.kind {
                        ContainerKind::Deck { count, .. } => Some(i32::from(count)),
                        _ => None,
                    });
                    let most = deck.unwrap_or(0) / self.players.max(1);
                    if !(0..=most).contains(&count) {
                        return self.wrong(args.call.place, "so many cards cannot be dealt");
                    }
                    out.push(Start::DealCards(count));
                    return Ok(());
                }
                self.flags.random = true;
                self.flags.hides = true;
                let hand = |c: &&crate::game::Container| c.kind == ContainerKind::Hand;
                let fits = |hand: &crate::game::Container| hand.count >= count;
                let pieces = self.components.len() as i32;
                let enough = (0..pieces).contains(&count) && count * self.players < pieces;
                if !enough || !self.containers.iter().filter(hand).all(fits) {
                    let hands = self.containers.iter().filter(hand);
                    let places = hands.map(|hand| hand.count).min().unwrap_or(0);
                    let message = match enough {
                        true if places > 0 => format!(
                            "{count} dominoes are dealt to a hand of {places}: write `(hand Each size:{count})`"
                        ),
                        true => format!("{count} dominoes are dealt, and nobody has a hand"),
                        false => format!("there are not {count} dominoes for each player"),
                    };
                    return self.wrong(args.call.place, message);
                }
                Start::Deal(count)
            }
            "split.Deck" => {
                self.cards(args)?;
                Start::SplitDeck
            }
            "set.Puzzle" => self.sheet_given(args)?,
            "set.Count" => {
                self.flags.counts = true;
                let kind = self.kind_or_default(args, "type");
                let value = self.need_int(args, "value")?;
                self.count_fits(args.call.place, &value, MOST_ON_SITE)?;
                Start::SetCount(kind, self.at_or_in(args, &["to"])?, value)
            }
            "set.Score" => {
                self.flags.scores = true;
                let value = self.need_int(args, "value")?;
                Start::SetScore(self.role_players(args), value)
            }
            "set.Amount" => {
                let value = self.need_int(args, "value")?;
                Start::SetAmount(self.role_players(args), value)
            }
            "set.Cost" => {
                let kind = self.kind_or_default(args, "type");
                let value = self.need_int(args, "value")?;
                Start::SetCost(kind, self.at_or_in(args, &["to"])?, value)
            }
            "set.Phase" => {
                let kind = self.kind_or_default(args, "type");
                let value = self.need_int(args, "value")?;
                Start::SetPhase(kind, self.at_or_in(args, &["to"])?, value)
            }
            "set.RememberValue" => {
                let name: Option<Box<str>> = self.text(args, "name").map(Into::into);
                if let Some(name) = &name {
                    self.name_given(Naming::Remembered, name);
                }
                let values = match self.opt_region(args, "regionValue")? {
                    Some(region) => Ints::Region(Box::new(region)),
                    None => Ints::List(vec![self.need_int(args, "value")?]),
                };
                let unique: Bool = self.bool_or(args, "unique", false)?;
                Start::Remember(name, values, unique)
            }
            "set.Team" => {
                self.flags.teams = true;
                let team = match self.need_int(args, "index")? {
                    Int::Const(team) => team,
                    _ => return self.unknown(args),
                };
                let roles = self.words(args, "roles").into_iter();
                let players = roles.filter_map(|role| match self.role(role) {
                    Int::Const(n) if (1..=self.players).contains(&n) => Some(n),
                    _ => None,
                });
                Start::SetTeam(team, players.collect())
            }
            "set" => {
                let Some(role) = self.word(args, "role") else {
                    return self.unknown(args);
                };
                let Some(what) = self.piece_of_role(role) else {
                    return Ok(());
                };
                let at = self.place_at(args)?;
                let kind = self.kind(args, "type");
                out.push(Start::Place(Box::new(Place {
                    what: vec![what],
                    kind,
                    at,
                    counts: Vec::new(),
                    state: None,
                    rotation: None,
                    value: None,
                    stack: false,
                })));
                return Ok(());
            }
            "place.Random" => self.place_random(args)?,
            "set.Hidden" => Start::SetHidden(Box::new(self.set_hidden(args)?)),
            "forEach.Value" => {
                let (min, max) = (self.need_int(args, "min")?, self.need_int(args, "max")?);
                let rule = self.inner_rule(args)?;
                Start::ForEachValue(min, max, Box::new(rule))
            }
            "forEach.Site" => {
                let region = self.need(args, "region")?;
                let region = self.region(region)?;
                let cond = self.opt_bool(args, "if")?;
                Start::ForEachSite(region, cond, Box::new(self.inner_rule(args)?))
            }
            "forEach.Team" => Start::ForEachTeam(Box::new(self.inner_rule(args)?)),
            "forEach.Player" => Start::ForEachPlayer(None, Box::new(self.inner_rule(args)?)),
            "forEach" => {
                let players = self.need(args, "players")?;
                let players = self.ints(players)?;
                Start::ForEachPlayer(Some(players), Box::new(self.inner_rule(args)?))
            }
            _ => return self.unknown(args),
        };
        out.push(rule);
        Ok(())
    }

    /// The piece that a role alone stands for: the first of nobody or of everybody, or the one with
    /// the player's number.
    fn piece_of_role(&self, role: &str) -> Option<u16> {
        let owner = match role {
            "Neutral" => Some(0),
            "Shared" | "All" => Some(self.players + 1),
            _ => None,
        };
        let at = match owner {
            Some(owner) => self.components.iter().skip(1).position(|c| c.owner == owner)? + 1,
            None => match self.role(role) {
                Int::Const(n) => usize::try_from(n).ok()?,
                _ => return None,
            },
        };
        (1..self.components.len()).contains(&at).then_some(at as u16)
    }

    fn place_random(&mut self, args: &Args<'_>) -> Lowered<Start> {
        self.flags.random = true;
        let place = args.call.place;
        let kind = self.kind_or_default(args, "type");
        let state = self.opt_int(args, "state")?;
        let value = self.opt_int(args, "value")?;
        if let Some(at) = self.opt_int(args, "where")? {
            self.flags.stacking = true;
            let mut what = Vec::new();
            for item in self.items(args, "items") {
                let item = self.call_of(item)?;
                let name = self.text(&item, "item").unwrap_or("");
                let piece = self.piece_named(place, name)?;
                what.push((piece, Some(self.need_int(&item, "count")?)));
                self.done(&item)?;
            }
            let counts = self.ints_of_names(args, "count")?;
            for (n, name) in self.texts_of(args, "pieces").iter().enumerate() {
                let count = counts.as_ref().and_then(|counts| counts.get(n).cloned());
                what.push((self.piece_named(place, name)?, count));
            }
            return Ok(Start::RandomStack(Box::new(RandomStack { what, at, state, value, kind })));
        }
        let board = Region::Const(crate::sites::SiteSet::first(self.topo.count(kind)));
        let names = self.texts_of(args, "item");
        let what: Lowered<Vec<u16>> =
            names.iter().map(|name| self.piece_named(place, name)).collect();
        Ok(Start::Random(Box::new(PlaceRandom {
            region: self.opt_region(args, "region")?.unwrap_or(board),
            what: what?,
            count: self.int_or(args, "count", Int::Const(1))?,
            state,
            value,
            kind,
            shuffled: self.flag(args, "randPiecOrder"),
        })))
    }

    fn inner_rule(&mut self, args: &Args<'_>) -> Lowered<Start> {
        let rule = self.need(args, "startingRule")?;
        let mut rules = Vec::new();
        self.start_rule(rule, &mut rules)?;
        match <[Start; 1]>::try_from(rules) {
            Ok([rule]) => Ok(rule),
            Err(_) => self.refuse(args.call.place, "this starting rule inside another"),
        }
    }

    fn role_players(&self, args: &Args<'_>) -> Vec<Int> {
        match self.word(args, "role") {
            None | Some("Each" | "All") => (1..=self.players).map(Int::Const).collect(),
            Some(role) => vec![self.role(role)],
        }
    }

    fn place(&mut self, args: &Args<'_>, stack: bool, out: &mut Vec<Start>) -> Lowered<()> {
        let place = args.call.place;
        let mut names = self.texts_of(args, "items");
        names.extend(self.text(args, "item").map(Into::into));
        let kind = self.kind(args, "type");
        let counts = match self.opt_int(args, "count")? {
            Some(count) => vec![count],
            None => self.ints_of_names(args, "counts")?.unwrap_or_default(),
        };
        for count in &counts {
            let most = if stack { MOST_AT_ONCE } else { MOST_ON_SITE };
            self.count_fits(place, count, most)?;
        }
        if !counts.is_empty() && !stack {
            self.flags.counts |= !matches!(counts.as_slice(), [Int::Const(1)]);
        }
        let state = self.opt_int(args, "state")?;
        let rotation = self.opt_int(args, "rotation")?;
        let value = self.opt_int(args, "value")?;
        let container = self.text(args, "container");
        let mut push = |what: Vec<u16>, at: PlaceAt| {
            out.push(Start::Place(Box::new(Place {
                what,
                kind,
                at,
                counts: counts.clone(),
                state: state.clone(),
                rotation: rotation.clone(),
                value: value.clone(),
                stack,
            })));
        };
        if let Some(container) = container {
            for (what, index) in self.in_container(place, &names, container)? {
                push(vec![what], PlaceAt::Container(index));
            }
            if args.has("loc") {
                return self.refuse(place, "a place inside a container");
            }
            return Ok(());
        }
        let what: Lowered<Vec<u16>> =
            names.iter().map(|name| self.piece_named(place, name)).collect();
        let at = self.place_at(args)?;
        let off = self.off_board(kind.unwrap_or(self.topo.default), &at);
        push(what?, at);
        if let Some(site) = off {
            self.warn(place, format!("there is no site {site} to place something on"), None);
        }
        Ok(())
    }

    /// So many pieces, as far as that is known, can be on a site at once.
    pub(super) fn count_fits(&self, place: At, count: &Int, most: i32) -> Lowered<()> {
        match count {
            Int::Const(count) if *count > most => {
                let message = format!("{count} pieces are too many for a site: it holds {most}");
                self.wrong(place, message)
            }
            _ => Ok(()),
        }
    }

    /// Pieces and hands; a name without a number means every player's own.
    fn in_container(
        &self,
        place: At,
        names: &[Box<str>],
        container: &str,
    ) -> Lowered<Vec<(u16, usize)>> {
        let find = |name: &str| {
            let found = self.containers.iter().position(|c| &*c.name == name);
            match found {
                Some(at) if self.containers[at].kind == ContainerKind::Hand => Ok(at),
                None => {
                    let known = self.containers.iter().map(|container| &*container.name);
                    self.nothing_called(place, "container", container, known).map_err(|fault| {
                        match fault.help {
                            // A site is called by its name.
                            None => Box::new(
                                fault.help(format!("a site is named by `coord:\"{container}\"`")),
                            ),
                            Some(_) => fault,
                        }
                    })
                }
                _ => self.refuse(place, &format!("the container \"{container}\"")),
            }
        };
        let mut out = Vec::new();
        for name in names {
            let numbered = name.chars().any(|c| c.is_ascii_digit());
            let shared = self.components.iter().any(|c| c.name == *name);
            if container == "Hand" && !numbered && !shared {
                for player in 1..=self.players {
                    let what = self.piece_named(place, &format!("{name}{player}"))?;
                    out.push((what, find(&format!("Hand{player}"))?));
                }
            } else {
                out.push((self.piece_named(place, name)?, find(container)?));
            }
        }
        Ok(out)
    }

    fn place_at(&mut self, args: &Args<'_>) -> Lowered<PlaceAt> {
        let kind = self.kind_or_default(args, "type");
        if let Some(label) = self.text(args, "coord") {
            let site = self.labelled(args.call.place, kind, label)?;
            return Ok(PlaceAt::Site(Int::Const(site)));
        }
        if args.has("coords") {
            let mut sites = Vec::new();
            for label in self.texts_of(args, "coords") {
                sites.push(Int::Const(self.labelled(args.call.place, kind, &label)?));
            }
            return Ok(PlaceAt::Sites(sites));
        }
        if let Some(region) = self.opt_region(args, "region")? {
            return Ok(PlaceAt::Region(region));
        }
        if let Some(list) = self.ints_of_names(args, "locs")? {
            return Ok(PlaceAt::Sites(list));
        }
        if let Some(site) = self.opt_int(args, "loc")? {
            return Ok(PlaceAt::Site(site));
        }
        Ok(PlaceAt::Region(Region::Const(Default::default())))
    }
}
