//! Lowering of counts: pieces, groups, steps.

use super::{Args, Lower, Lowered};
use crate::ir::{
    Bool, CountPieces, GroupAt, Groups, Int, MovesKind, Region, Relation, Role, StepsBy, TrackOf,
    Who,
};
use crate::topo::{Dir, SiteType};
use ludex_lang::lud::check::Argument;

impl Lower<'_> {
    pub(super) fn group_at(&mut self, args: &Args<'_>) -> Lowered<GroupAt> {
        Ok(GroupAt {
            kind: self.kind_or_default(args, "type"),
            at: self.at_or_in(args, &[])?,
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            cond: self.opt_bool(args, "if")?,
            visible: false,
        })
    }

    /// Whether only what can be seen from above counts.
    pub(super) fn visible(&mut self, args: &Args<'_>) -> Lowered<bool> {
        match self.opt_bool(args, "isVisible")? {
            None => Ok(false),
            Some(Bool::Const(visible)) => Ok(visible),
            Some(_) => self.refuse(args.call.place, "an `isVisible` that changes"),
        }
    }

    pub(super) fn groups(&mut self, args: &Args<'_>) -> Lowered<Groups> {
        Ok(Groups {
            kind: self.kind_or_default(args, "type"),
            dirs: self.directions_or(args, "directions", Dir::ADJACENT)?,
            cond: self.opt_bool(args, "if")?,
            within: None,
            visible: false,
        })
    }

    fn biggest_group(&mut self, args: &Args<'_>) -> Lowered<Int> {
        let mut groups = self.groups(args)?;
        groups.visible = self.visible(args)?;
        if !groups.visible {
            groups.within = self.opt_region(args, "throughAny")?;
        }
        Ok(Int::BiggestGroup(Box::new(groups)))
    }

    fn platform_below(&mut self, args: &Args<'_>) -> Lowered<Int> {
        let at = Box::new(self.int_or(args, "at", Int::To)?);
        let whats = match self.opt_int(args, "what")? {
            Some(what) => Some(vec![what]),
            None => self.ints_of_names(args, "whats")?,
        };
        match (whats, self.word(args, "who")) {
            (Some(whats), None) => Ok(Int::PlatformBelow(at, None, whats)),
            (None, Some(who)) => {
                let who = Who::One(self.role(who));
                Ok(Int::PlatformBelow(at, Some(Box::new(who)), Vec::new()))
            }
            _ => self.unknown(args),
        }
    }

    pub(super) fn count(&mut self, args: &Args<'_>) -> Lowered<Int> {
        let kind = self.kind_or_default(args, "type");
        let count = |n: usize| Int::Const(n as i32);
        Ok(match args.key() {
            "count" => {
                self.flags.counts = true;
                let kind = self.kind(args, "type");
                Int::CountAt(kind, Box::new(self.at_or_in(args, &["in"])?))
            }
            "count.Rows" => count(self.topo.plane(kind).rows.len()),
            "count.Columns" => count(self.topo.plane(kind).columns.len()),
            "count.Turns" => Int::Turns,
            "count.Trials" => Int::Trials,
            "count.SizeBiggestLine" => {
                let dir = self.dir_or(args, "directions", Dir::ADJACENT);
                let cond = match self.opt_bool(args, "if")? {
                    Some(cond) => cond,
                    None => {
                        Bool::Not(Box::new(Bool::In(vec![Int::To], Box::new(Region::Empty(kind)))))
                    }
                };
                Int::BiggestLine(kind, dir, Box::new(cond))
            }
            "count.Moves" => Int::Moves,
            "count.MovesThisTurn" => Int::MovesThisTurn,
            "count.Active" => Int::Active,
            "count.Players" => Int::Const(self.players),
            "count.Phases" => count(self.phase_names.len().max(1)),
            "count.LegalMoves" => {
                self.flags.counts_legal = true;
                Int::LegalMoves
            }
            "count.Cells" => count(self.topo.count(crate::topo::SiteType::Cell)),
            "count.Vertices" => count(self.topo.count(crate::topo::SiteType::Vertex)),
            "count.Edges" => count(self.topo.count(crate::topo::SiteType::Edge)),
            "count.Pieces" if self.text(args, "name") == Some("Bag") => Int::DominoesLeft,
            "count.Pieces" => Int::CountPieces(Box::new(self.count_pieces(args)?)),
            "count.Pips" => {
                self.pips.get_or_insert(args.call.place);
                let owner = self.player(args, &["role", "of"])?;
                let owner = owner.unwrap_or(Int::Const(self.players + 1));
                Int::CountPips(Box::new(owner))
            }
            "count.Stack" => {
                self.flags.stacking = true;
                let at = match self.opt_region(args, "to")? {
                    Some(region) => region,
                    None => Region::One(Box::new(self.need_int(args, "at")?)),
                };
                Int::CountStack(Box::new(crate::ir::CountStack {
                    from_bottom: self.word(args, "stackDirection") != Some("FromTop"),
                    kind: self.kind(args, "type"),
                    at,
                    cond: self.bool_or(args, "if", true)?,
                    stop: self.bool_or(args, "stop", false)?,
                }))
            }
            "count.Sites" => {
                if let Some(name) = self.text(args, "name") {
                    let at = self.container_named(args.call.place, name)?;
                    return Ok(Int::Const(self.containers[at].count));
                }
                let last = Region::One(Box::new(Int::LastTo { after: false }));
                Int::CountSites(Box::new(self.opt_region(args, "in")?.unwrap_or(last)))
            }
            "count.Adjacent" => self.count_near(args, Relation::Adjacent)?,
            "count.Neighbours" => self.count_near(args, Relation::All)?,
            "count.Orthogonal" => self.count_near(args, Relation::Orthogonal)?,
            "count.Diagonal" => self.count_near(args, Relation::Diagonal)?,
            "count.Off" => self.count_near(args, Relation::OffDiagonal)?,
            "count.Groups" => {
                let groups = Box::new(self.groups(args)?);
                let min = Box::new(self.int_or(args, "min", Int::Const(0))?);
                Int::CountGroups(groups, min)
            }
            "count.SizeBiggestGroup" | "countSizeBiggestGroup" => self.biggest_group(args)?,
            "count.SitesPlatformBelow" => self.platform_below(args)?,
            "count.Liberties" => Int::Liberties(Box::new(self.group_at(args)?)),
            "count.Steps" => self.count_steps(args)?,
            "count.Value" => {
                let of = Box::new(self.need_int(args, "of")?);
                let array = self.need(args, "in")?;
                Int::CountValue(of, Box::new(self.ints(array)?))
            }
            "count.StepsOnTrack" => {
                let player = self.player(args, &["role", "player"])?;
                let name = self.track_name(args, "name")?;
                let track = TrackOf::new(player.unwrap_or(Int::Mover), name);
                let from = Box::new(self.need_int(args, "site1")?);
                let to = Box::new(self.need_int(args, "site2")?);
                Int::StepsOnTrack(Box::new(track), from, to)
            }
            _ => return self.unknown(args),
        })
    }

    pub(super) fn count_near(&mut self, args: &Args<'_>, relation: Relation) -> Lowered<Int> {
        let kind = self.kind_or_default(args, "type");
        let at = Box::new(self.at_or_in(args, &["in"])?);
        Ok(Int::CountNear(relation, kind, at))
    }

    pub(super) fn count_steps(&mut self, args: &Args<'_>) -> Lowered<Int> {
        let kind = self.kind_or_default(args, "type");
        let relation = self.relation(self.word(args, "relation"));
        let from = Box::new(self.need_int(args, "site1")?);
        let to = match self.opt_region(args, "region2")? {
            Some(region) => region,
            None => Region::One(Box::new(self.need_int(args, "site2")?)),
        };
        let relation = relation.unwrap_or(Relation::Adjacent);
        if let Some(step) = args.get("stepMove") {
            let walk = self.steps_by(args, step, kind, *from)?;
            return Ok(Int::StepsBy(Box::new(walk), Box::new(to)));
        }
        Ok(Int::Steps(kind, relation, from, Box::new(to)))
    }

    /// A walk by the steps of a `(step …)`.
    pub(super) fn steps_by(
        &mut self,
        args: &Args<'_>,
        step: &Argument,
        kind: SiteType,
        from: Int,
    ) -> Lowered<StepsBy> {
        let rotation = self.opt_int(args, "newRotation")?;
        let moves = self.moves(step)?;
        match moves.kind {
            MovesKind::Step(step) if moves.then.is_none() => {
                Ok(StepsBy { kind, dirs: step.dirs, cond: step.cond, rotation, from })
            }
            _ => self.refuse(args.call.place, "this step to count"),
        }
    }

    pub(super) fn count_pieces(&mut self, args: &Args<'_>) -> Lowered<CountPieces> {
        if self.text(args, "name") == Some("Bag") {
            return self.unknown(args);
        }
        let who = self.who(args, &["role", "of"])?;
        let name = self.text(args, "name");
        Ok(CountPieces {
            kind: self.kind(args, "type"),
            who: who.unwrap_or(Who::Role(Role::All)),
            what: name.map(|name| self.pieces_containing(args.call.place, name)).transpose()?,
            within: self.opt_region(args, "in")?,
            cond: self.opt_bool(args, "if")?,
        })
    }
}
