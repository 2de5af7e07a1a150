//! Lowering of site sets.

use super::names::Naming;
use super::{Args, Lower, Lowered};
use crate::eval::expanded;
use crate::ir::{
    Around, ContainerRef, Int, Levels, MovePart, Neighbour, Occupied, Region, Relation, Sight,
    SitesBetween, SitesDirection, TrackOf, Who,
};
use crate::memo::Memo;
use crate::sites::SiteSet;
use crate::topo::{Dir, SiteType};
use ludex_lang::lud::check::{Argument, Value};

/// Regions made of others are written out, which may not go on for ever: so many uses in all.
const MOST_USES: usize = 100_000;

/// Sets that only depend on the board.
const BOARD_SETS: [&str; 19] = [
    "Top",
    "Bottom",
    "Left",
    "Right",
    "Inner",
    "Outer",
    "Perimeter",
    "Corners",
    "ConcaveCorners",
    "ConvexCorners",
    "Major",
    "Minor",
    "Centre",
    "Axial",
    "Horizontal",
    "Vertical",
    "Angled",
    "Slash",
    "Slosh",
];

impl Lower<'_> {
    /// A site set.
    pub fn region(&mut self, argument: &Argument) -> Lowered<Region> {
        let args = self.call_of(argument)?;
        let region = self.region_call(&args)?;
        self.done(&args)?;
        Ok(self.folded(region))
    }

    /// A region made of fixed ones is fixed as well, and worked out here.
    fn folded(&self, region: Region) -> Region {
        let set = match &region {
            Region::Union(parts) => all_fixed(parts.iter()),
            Region::Intersection(parts) => common_part(parts),
            Region::Difference(a, b) => match (&**a, &**b) {
                (Region::Const(a), b) => without(a, b),
                _ => None,
            },
            Region::Expand(kind, base, steps, dir) => match (&**base, &**steps) {
                (Region::Const(base), Int::Const(steps)) => {
                    Some(expanded(self.topo.plane(*kind), base.clone(), *steps, *dir))
                }
                _ => None,
            },
            _ => None,
        };
        set.map_or(region, Region::Const)
    }

    fn region_call(&mut self, args: &Args<'_>) -> Lowered<Region> {
        let key = args.key();
        Ok(match key {
            "union" => Region::Union(self.regions(args)?),
            "intersection" => Region::Intersection(self.regions(args)?),
            "difference" => {
                let source = self.need(args, "source")?;
                let source = Box::new(self.region(source)?);
                let without = match self.opt_region(args, "subtraction")? {
                    Some(region) => region,
                    None => Region::One(Box::new(self.need_int(args, "siteToRemove")?)),
                };
                Region::Difference(source, Box::new(without))
            }
            "if" => {
                let cond = self.need(args, "cond")?;
                let cond = Box::new(self.bool(cond)?);
                let yes = self.need(args, "ok")?;
                let yes = Box::new(self.region(yes)?);
                Region::If(cond, yes, self.opt_region(args, "notOk")?.map(Box::new))
            }
            "expand" => self.expand(args)?,
            "forEach" => self.for_each_region(args)?,
            "forEach.Level" => Region::Levels(Box::new(Levels {
                kind: self.kind(args, "type"),
                at: self.need_int(args, "at")?,
                from_bottom: self.word(args, "stackDirection") == Some("FromBottom"),
                cond: self.opt_bool(args, "if")?,
                start: self.int_or(args, "startAt", Int::Const(-1))?,
            })),
            "forEach.Team" => {
                let region = self.need(args, "region")?;
                Region::ForEachTeam(Box::new(self.region(region)?))
            }
            "last.Between" => Region::LastBetween,
            "sites" => self.sites(args)?,
            _ => match key.strip_prefix("sites.") {
                Some(what) => self.sites_of(args, what)?,
                None => return self.unknown(args),
            },
        })
    }

    fn regions(&mut self, args: &Args<'_>) -> Lowered<Vec<Region>> {
        if args.has("regions") {
            let items = self.items(args, "regions");
            return items.iter().map(|item| self.region(item)).collect();
        }
        let a = self.need(args, "region1")?;
        let a = self.region(a)?;
        let b = self.need(args, "region2")?;
        Ok(vec![a, self.region(b)?])
    }

    fn expand(&mut self, args: &Args<'_>) -> Lowered<Region> {
        let kind = self.kind_or_default(args, "type");
        let base = match self.opt_region(args, "region")? {
            Some(region) => region,
            None => Region::One(Box::new(self.need_int(args, "origin")?)),
        };
        let steps = Box::new(self.int_or(args, "steps", Int::Const(1))?);
        let dir = self.word(args, "dirn").and_then(|word| self.dir(word));
        Ok(Region::Expand(kind, Box::new(base), steps, dir))
    }

    fn for_each_region(&mut self, args: &Args<'_>) -> Lowered<Region> {
        if let Some(players) = args.get("players") {
            let players = Box::new(self.ints(players)?);
            let region = self.need(args, "region")?;
            return Ok(Region::ForEachPlayer(players, Box::new(self.region(region)?)));
        }
        let region = self.need(args, "region")?;
        let region = Box::new(self.region(region)?);
        if let Some(of) = self.opt_region(args, "of")? {
            return Ok(Region::ForEachSite(Box::new(of), region));
        }
        let cond = self.need(args, "if")?;
        Ok(Region::Filter(region, Box::new(self.bool(cond)?)))
    }

    fn sites(&mut self, args: &Args<'_>) -> Lowered<Region> {
        if args.has("coords") {
            let kind = self.kind_or_default(args, "elementType");
            let mut set = SiteSet::new();
            // Labels that the board does not have stand for no site.
            for item in self.items(args, "coords") {
                let Value::Text(label) = &item.value else { continue };
                let site = self.labelled_or_off(item.place, kind, label);
                if site >= 0 {
                    set.insert(site);
                }
            }
            return Ok(Region::Const(set));
        }
        if args.has("possibleSteps") {
            let kind = self.kind_or_default(args, "elementType");
            let from = Box::new(self.int_or(args, "index", Int::From)?);
            let walks = self.walks(args, "possibleSteps");
            let rotations = Box::new(self.bool_or(args, "rotations", true)?);
            return Ok(Region::Walk(kind, from, walks, rotations));
        }
        if let Some(list) = self.ints_of_names(args, "sites")? {
            self.sites_known(self.items(args, "sites"));
            let constants: Option<SiteSet> = list
                .iter()
                .map(|site| match site {
                    Int::Const(n) => Some(*n),
                    _ => None,
                })
                .collect::<Option<Vec<i32>>>()
                .map(|sites| sites.into_iter().collect());
            return Ok(constants.map_or(Region::List(list), Region::Const));
        }
        if let Some(array) = args.get("array") {
            return Ok(Region::Array(Box::new(self.ints(array)?)));
        }
        let player = self.player(args, &["player", "role"])?;
        let name = self.text(args, "name");
        match (player, name) {
            (None, None) => Ok(Region::Current),
            (Some(player), name) => {
                if let Some(name) =
                    name.filter(|name| self.regions.iter().all(|r| !r.name.contains(name)))
                {
                    self.name_asked(args.call.place, Naming::Region, name);
                }
                if name.is_none() {
                    self.owned_region.get_or_insert(args.call.place);
                }
                let name = name.map(Into::into);
                Ok(Region::Owned(Box::new(player), name, Memo::default()))
            }
            (None, Some(name)) if !self.regions.iter().any(|r| &*r.name == name) => {
                let kind = self.kind_or_default(args, "siteType");
                let labels = &self.topo.plane(kind).label;
                match labels.iter().position(|label| &**label == name) {
                    Some(site) => Ok(Region::Const([site as i32].into_iter().collect())),
                    None => {
                        self.name_asked(args.call.place, Naming::Region, name);
                        Ok(Region::Called(name.into()))
                    }
                }
            }
            (None, Some(name)) => {
                let named = self.regions.iter().filter(|region| &*region.name == name);
                let fixed = all_fixed(named.clone().flat_map(|region| &region.parts));
                if let Some(sites) = fixed {
                    return Ok(Region::Const(sites));
                }
                if named.clone().any(|region| region.random) {
                    return Ok(Region::Called(name.into()));
                }
                let uses: usize = named.clone().map(|region| region.uses).sum();
                let parts = named.flat_map(|region| region.parts.iter().cloned()).collect();
                self.region_uses += uses;
                if self.region_uses > MOST_USES {
                    return self.refuse(args.call.place, "a region made of so many others");
                }
                Ok(Region::Named(parts))
            }
        }
    }

    fn sites_of(&mut self, args: &Args<'_>, what: &str) -> Lowered<Region> {
        let kind = self.kind_or_default(args, "elementType");
        if BOARD_SETS.contains(&what) {
            return Ok(Region::Const(self.topo.plane(kind).set(what)));
        }
        Ok(match what {
            "Board" => Region::Const(SiteSet::first(self.topo.count(kind))),
            "Empty" => match self.opt_int(args, "index")? {
                Some(container) => Region::EmptyIn(kind, Box::new(container)),
                None => Region::Empty(kind),
            },
            "Pending" => Region::Pending,
            "LastFrom" => Region::LastFrom,
            "LastTo" => {
                self.flags.asks_ends = true;
                Region::LastTo
            }
            "Pattern" => Region::Pattern(Box::new(self.pattern(args)?)),
            "Hidden" => {
                let data = self.hidden_data(self.word(args, "dataType"));
                let kind = self.kind_or_default(args, "type");
                match self.who(args, &["to"])? {
                    Some(Who::One(player)) => Region::Hidden(data, kind, Box::new(player)),
                    _ => return self.unknown(args),
                }
            }
            "Random" => {
                self.flags.random = true;
                let empty = Region::Empty(SiteType::Cell);
                let region = self.opt_region(args, "region")?.unwrap_or(empty);
                let count = self.int_or(args, "num", Int::Const(1))?;
                Region::Random(Box::new(region), Box::new(count))
            }
            "ToClear" => Region::ToClear,
            "Playable" => Region::Playable,
            "LineOfPlay" => {
                self.flags.line_of_play = true;
                Region::Playable
            }
            "Crossing" => {
                let at = Box::new(self.need_int(args, "at")?);
                let who = self.player(args, &["who", "role"])?;
                let who = who.unwrap_or(Int::Const(self.players + 1));
                Region::Crossing(at, Box::new(who))
            }
            "Support" => {
                let what = self.int_or(args, "index", Int::Const(-1))?;
                Region::Support(kind, Box::new(what))
            }
            "LargePiece" => {
                let kind = self.kind_or_default(args, "type");
                Region::LargePiece(kind, Box::new(self.need_int(args, "at")?))
            }
            "Loop" => {
                let inside = Box::new(self.bool_or(args, "inside", false)?);
                Region::Loop(Box::new(self.looped(args)?), inside)
            }
            "Hint" if self.flags.of_hint => Region::Current,
            "Hint" => {
                return self.refuse(args.call.place, "`(sites Hint)` outside `(forAll Hint …)`");
            }
            // The corners of a cell, or the ends of an edge.
            "Cell" | "Edge" => {
                let of = if what == "Cell" { SiteType::Cell } else { SiteType::Edge };
                match self.opt_int(args, "index")? {
                    Some(index) => Region::Incident(SiteType::Vertex, of, Box::new(index), None),
                    None => Region::Const(SiteSet::new()),
                }
            }
            "Row" => self.indexed(args, "row", |plane| &plane.rows)?,
            "Column" => self.indexed(args, "column", |plane| &plane.columns)?,
            "Layer" => self.indexed(args, "layer", |plane| &plane.layers)?,
            "Phase" => self.indexed(args, "phase", |plane| &plane.phases)?,
            "State" => Region::State(kind, Box::new(self.need_int(args, "index")?)),
            "Occupied" => Region::Occupied(Box::new(self.occupied(args)?)),
            "Hand" => {
                if let Some("Shared") = self.word(args, "role") {
                    Region::Hand(Box::new(Who::Role(crate::ir::Role::All)))
                } else {
                    // Nobody's hand has no sites.
                    match self.player(args, &["pid", "role"])? {
                        Some(player) => Region::Hand(Box::new(Who::One(player))),
                        None => Region::Const(SiteSet::new()),
                    }
                }
            }
            "Winning" => match self.player(args, &["pid", "role"])? {
                Some(player) => {
                    let moves = self.need(args, "moves")?;
                    Region::Winning(Box::new(player), Box::new(self.moves(moves)?))
                }
                // Nobody wins anywhere.
                None => {
                    args.get("moves");
                    Region::Const(SiteSet::new())
                }
            },
            "Side" => self.side(args)?,
            "Incident" => {
                let to = self.kind_or_default(args, "resultType");
                let of = self.kind_or_default(args, "of");
                let at = Box::new(self.need_int(args, "at")?);
                let owner = self.player(args, &["owner", "roleOwner"])?;
                Region::Incident(to, of, at, owner.map(Box::new))
            }
            "Around" => Region::Around(Box::new(self.around(args)?)),
            "Direction" => Region::Direction(Box::new(self.in_direction(args)?)),
            "Distance" => {
                let relation = self.relation(self.word(args, "relation"));
                let from = Box::new(self.need_int(args, "from")?);
                let range = self.need(args, "distance")?;
                let range = Box::new(self.range(range)?);
                if let Some(step) = args.get("stepMove") {
                    let walk = self.steps_by(args, step, kind, *from)?;
                    return Ok(Region::DistanceBy(Box::new(walk), range));
                }
                Region::Distance(kind, relation.unwrap_or(Relation::Adjacent), from, range)
            }
            "Between" => match args.get("moves") {
                Some(moves) => Region::OfMoves(MovePart::Between, Box::new(self.moves(moves)?)),
                None => Region::Between(Box::new(self.sites_between(args)?)),
            },
            "From" | "To" => {
                let part = if what == "From" { MovePart::From } else { MovePart::To };
                let moves = self.need(args, "moves")?;
                Region::OfMoves(part, Box::new(self.moves(moves)?))
            }
            "LineOfSight" | "LineOfSight.Piece" => self.sight(args, Sight::Piece)?,
            "LineOfSight.Empty" => self.sight(args, Sight::Empty)?,
            "LineOfSight.Farthest" => self.sight(args, Sight::Farthest)?,
            "Group" => {
                let at = match args.get("from") {
                    Some(_) => self.site_or_region(args, "from")?,
                    None => self.at_or_in(args, &[])?,
                };
                Region::Group(Box::new(crate::ir::GroupAt {
                    kind: self.kind_or_default(args, "type"),
                    at,
                    dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
                    cond: self.opt_bool(args, "if")?,
                    visible: self.visible(args)?,
                }))
            }
            "Start" => {
                let piece = self.need(args, "pid")?;
                let pieces = self.stateless(piece)?;
                match <[Int; 1]>::try_from(pieces) {
                    Ok([piece]) => Region::Start(Box::new(piece)),
                    Err(_) => return self.unknown(args),
                }
            }
            "Track" => {
                let player = self.player(args, &["pid", "role"])?;
                let name = self.track_name(args, "name")?;
                let track = TrackOf::new(player.unwrap_or(Int::Const(0)), name);
                let from = self.opt_int(args, "from")?.map(Box::new);
                let to = self.opt_int(args, "to")?.map(Box::new);
                Region::Track(Box::new(track), from, to)
            }
            _ => return self.unknown(args),
        })
    }

    fn indexed(
        &mut self,
        args: &Args<'_>,
        name: &str,
        sets: impl Fn(&crate::topo::Plane) -> &Vec<SiteSet>,
    ) -> Lowered<Region> {
        let kind = self.kind_or_default(args, "elementType");
        let index = self.opt_int(args, "index")?;
        let sets = sets(self.topo.plane(kind)).clone();
        Ok(match index {
            None => {
                let message = format!("{} without a number has no sites", args.spoken());
                self.warn(args.call.place, message, None);
                Region::Const(SiteSet::new())
            }
            Some(Int::Const(n)) => {
                let set = usize::try_from(n).ok().and_then(|n| sets.get(n).cloned());
                if set.is_none() {
                    let message = format!("the board has no {name} {n}");
                    let help = format!("there are {}, counted from 0", sets.len());
                    self.warn(args.call.place, message, Some(help));
                }
                Region::Const(set.unwrap_or_default())
            }
            Some(index) => Region::Indexed(sets, Box::new(index)),
        })
    }

    fn side(&mut self, args: &Args<'_>) -> Lowered<Region> {
        let kind = match self.kind(args, "elementType") {
            Some(kind) => kind,
            None if self.topo.default == SiteType::Vertex => SiteType::Vertex,
            None => SiteType::Cell,
        };
        if let Some(word) = self.word(args, "direction") {
            let Some(dir) = self.dir(word) else {
                return self.unknown(args);
            };
            let set = self.topo.plane(kind).set(&format!("Side {}", dir.0));
            if set.is_empty() {
                self.warn(args.call.place, format!("the board has no side {word}"), None);
            }
            return Ok(Region::Const(set));
        }
        if self.word(args, "role") == Some("Shared") {
            return Ok(Region::Const(self.topo.plane(kind).set("Outer")));
        }
        match self.player(args, &["player", "role"])? {
            Some(player) => Ok(Region::Side(kind, Box::new(player))),
            None => self.unknown(args),
        }
    }

    fn occupied(&mut self, args: &Args<'_>) -> Lowered<Occupied> {
        let Some(by) = self.who(args, &["by"])? else {
            return self.unknown(args);
        };
        let container = match args.get("container").map(|argument| &argument.value) {
            None => None,
            Some(Value::Text(name)) => {
                let found = self.containers.iter().position(|c| c.name == *name);
                match (found, &by) {
                    (_, Who::One(player)) if name.contains("Hand") => {
                        Some(ContainerRef::Hand(name.clone(), player.clone()))
                    }
                    (Some(at), _) => Some(ContainerRef::Fixed(at)),
                    (None, _) => return self.refuse(args.call.place, "this container"),
                }
            }
            Some(_) => Some(ContainerRef::Index(self.need_int(args, "container")?)),
        };
        let mut names = self.texts_of(args, "components");
        let mut what_index = None;
        if let Some(argument) = args.get("component") {
            match &argument.value {
                Value::Text(name) => names.push(name.clone()),
                _ => what_index = Some(self.int(argument)?),
            }
        }
        let what = if names.is_empty() {
            None
        } else {
            let mut all = Vec::new();
            for name in &names {
                all.extend(self.pieces_called(args.call.place, name)?);
            }
            Some(all)
        };
        if what.is_some()
            && !matches!(
                by,
                Who::One(_)
                    | Who::Role(
                        crate::ir::Role::All | crate::ir::Role::Enemy | crate::ir::Role::NonMover
                    )
            )
        {
            return self.refuse(args.call.place, "this role with `component:`");
        }
        Ok(Occupied {
            by,
            container,
            what,
            what_index,
            top: self.flag_or(args, "top", true),
            on: self.kind(args, "on"),
        })
    }

    fn around(&mut self, args: &Args<'_>) -> Lowered<Around> {
        let at = match self.opt_region(args, "regionWhere")? {
            Some(region) => region,
            None => Region::One(Box::new(self.need_int(args, "where")?)),
        };
        let filter = self.word(args, "type").map(|word| match word {
            "Empty" => Neighbour::Empty,
            "NotEmpty" => Neighbour::NotEmpty,
            "Own" => Neighbour::Own,
            "NotOwn" => Neighbour::NotOwn,
            "Enemy" => Neighbour::Enemy,
            _ => Neighbour::NotEnemy,
        });
        Ok(Around {
            kind: self.kind_or_default(args, "typeLoc"),
            at,
            filter,
            distance: self.int_or(args, "distance", Int::Const(1))?,
            dir: self.dir_or(args, "directions", Dir::ADJACENT),
            cond: self.opt_bool(args, "if")?,
            include_self: self.bool_or(args, "includeSelf", false)?,
            known: Memo::default(),
        })
    }

    fn in_direction(&mut self, args: &Args<'_>) -> Lowered<SitesDirection> {
        Ok(SitesDirection {
            from: self.site_or_region(args, "from")?,
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            included: self.bool_or(args, "included", false)?,
            stop: self.bool_or(args, "stop", false)?,
            stop_included: self.bool_or(args, "stopIncluded", false)?,
            distance: self.int_or(args, "distance", Int::Const(1000))?,
            kind: self.kind_or_default(args, "type"),
        })
    }

    fn sites_between(&mut self, args: &Args<'_>) -> Lowered<SitesBetween> {
        Ok(SitesBetween {
            kind: self.kind_or_default(args, "type"),
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            from: self.need_int(args, "from")?,
            from_included: self.bool_or(args, "fromIncluded", false)?,
            to: self.need_int(args, "to")?,
            to_included: self.bool_or(args, "toIncluded", false)?,
            cond: self.bool_or(args, "cond", true)?,
        })
    }

    fn sight(&mut self, args: &Args<'_>, sight: Sight) -> Lowered<Region> {
        let kind = self.kind_or_default(args, "typeLoc");
        let at = Box::new(self.int_or(args, "at", Int::LastTo { after: false })?);
        let dirs = Box::new(self.directions_or(args, "directions", Dir::ADJACENT)?);
        Ok(Region::LineOfSight(sight, kind, at, dirs))
    }
}

/// The sites of regions that are all fixed.
/// What all of several fixed regions share.
fn common_part(parts: &[Region]) -> Option<SiteSet> {
    let (first, others) = parts.split_first()?;
    let mut common = all_fixed([first].into_iter())?;
    for part in others {
        common.intersect_with(&all_fixed([part].into_iter())?);
    }
    Some(common)
}

/// A set without a fixed region or site.
fn without(set: &SiteSet, region: &Region) -> Option<SiteSet> {
    let mut rest = set.clone();
    match region {
        Region::Const(gone) => rest.subtract(gone),
        Region::One(site) => match **site {
            Int::Const(site) => rest.remove(site),
            _ => return None,
        },
        _ => return None,
    }
    Some(rest)
}

fn all_fixed<'a>(parts: impl Iterator<Item = &'a Region>) -> Option<SiteSet> {
    let mut all = SiteSet::new();
    for part in parts {
        let Region::Const(set) = part else {
            return None;
        };
        all.union_with(set);
    }
    Some(all)
}
