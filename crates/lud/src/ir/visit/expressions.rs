//! The parts of numbers, conditions and sets of sites.

use super::{
    Part, Visit, all_ints, all_regions, count_pieces, float, group_at, groups, maybe_bool,
    maybe_int, maybe_moves, maybe_region, piece, range, steps_by, two, who,
};
use crate::ir::{
    Around, Bool, Connected, ContainerRef, GraphShape, Int, Ints, Line, Loop, Region, Regions,
    Through,
};

pub(super) fn int<'r>(n: &'r Int, visit: Visit<'_, 'r>) {
    match n {
        Int::Const(_)
        | Int::From
        | Int::To
        | Int::Between
        | Int::Site
        | Int::Level
        | Int::Value
        | Int::Pips
        | Int::Player
        | Int::Track
        | Int::Edge
        | Int::Mover
        | Int::Next
        | Int::Prev
        | Int::PrevTurn
        | Int::TeamMover
        | Int::Counter
        | Int::Var(_)
        | Int::Pot
        | Int::Trials
        | Int::PendingValue
        | Int::LastFrom { .. }
        | Int::LastTo { .. }
        | Int::LastLevelFrom
        | Int::LastLevelTo
        | Int::Turns
        | Int::Moves
        | Int::MovesThisTurn
        | Int::Active
        | Int::LegalMoves
        | Int::DominoesLeft
        | Int::TurnFrom
        | Int::TrumpSuit => {}
        Int::OfFloat(number) => float(number, visit),
        Int::Score(a)
        | Int::MatchScore(a)
        | Int::Amount(a)
        | Int::PlayerValue(a)
        | Int::TopLevel(_, a)
        | Int::CountPips(a)
        | Int::Territory(_, a, _)
        | Int::Column(_, a)
        | Int::Row(_, a)
        | Int::Layer(_, a)
        | Int::PhaseOf(_, a)
        | Int::PieceOf(_, a)
        | Int::MapEntry(_, a, _)
        | Int::Face(a)
        | Int::Abs(a) => visit(Part::Int(a)),
        Int::EdgeOf(a, b)
        | Int::Coord(_, a, b)
        | Int::HandSite(a, b)
        | Int::Binary(_, a, b)
        | Int::Random(a, b) => two(a, b, visit),
        Int::At(_, _, site, level) | Int::Card(_, site, level) => {
            visit(Part::Int(site));
            maybe_int(level.as_deref(), visit);
        }
        Int::CountAt(_, sites)
        | Int::StackSize(_, sites)
        | Int::CountSites(sites)
        | Int::CountNear(_, _, sites)
        | Int::Cost(_, sites)
        | Int::LargePieceSize(_, sites) => visit(Part::Region(sites)),
        Int::CountPieces(count) => count_pieces(count, visit),
        Int::CountGroups(all, least) => {
            groups(all, visit);
            visit(Part::Int(least));
        }
        Int::BiggestGroup(all) => groups(all, visit),
        Int::BiggestLine(_, _, cond) => visit(Part::Bool(cond)),
        Int::PathExtent(n, sites) | Int::Steps(_, _, n, sites) => {
            visit(Part::Int(n));
            visit(Part::Region(sites));
        }
        Int::RegionSite(sites, n) => {
            visit(Part::Region(sites));
            visit(Part::Int(n));
        }
        Int::GroupSize(group) | Int::Liberties(group) => group_at(group, visit),
        Int::PlatformBelow(site, of, what) => {
            visit(Part::Int(site));
            of.iter().for_each(|of| who(of, visit));
            all_ints(what, visit);
        }
        Int::CountValue(n, list) => {
            visit(Part::Int(n));
            visit(Part::Ints(list));
        }
        Int::CountStack(count) => {
            visit(Part::Region(&count.at));
            visit(Part::Bool(&count.cond));
            visit(Part::Bool(&count.stop));
        }
        Int::StepsOnTrack(track, a, b) => {
            visit(Part::Int(&track.player));
            two(a, b, visit);
        }
        Int::SizeArray(list)
        | Int::Sum(list)
        | Int::Product(list)
        | Int::MaxOf(list)
        | Int::MinOf(list) => visit(Part::Ints(list)),
        Int::ArrayValue(list, n) => {
            visit(Part::Ints(list));
            visit(Part::Int(n));
        }
        Int::Ahead(_, site, steps, ways) => {
            two(site, steps, visit);
            visit(Part::Directions(ways));
        }
        Int::Where(wanted) => {
            piece(&wanted.piece, visit);
            maybe_int(wanted.state.as_ref(), visit);
        }
        Int::WhereLevel(wanted) => {
            piece(&wanted.piece, visit);
            maybe_int(wanted.state.as_ref(), visit);
            visit(Part::Int(&wanted.at));
            visit(Part::Bool(&wanted.from_top));
        }
        Int::TrackMove(track, from, steps) => {
            visit(Part::Int(&track.player));
            maybe_int(from.as_deref(), visit);
            visit(Part::Int(steps));
        }
        Int::TrackEnd(player, _) => maybe_int(player.as_deref(), visit),
        Int::TrackFirst(track, from, cond) => {
            visit(Part::Int(&track.player));
            maybe_int(from.as_deref(), visit);
            maybe_bool(cond.as_deref(), visit);
        }
        Int::If(cond, a, b) => {
            visit(Part::Bool(cond));
            two(a, b, visit);
        }
        Int::OfBool(cond) => visit(Part::Bool(cond)),
        Int::StepsBy(steps, sites) => {
            steps_by(steps, visit);
            visit(Part::Region(sites));
        }
    }
}

pub(super) fn ints<'r>(list: &'r Ints, visit: Visit<'_, 'r>) {
    match list {
        Ints::List(all) => all_ints(all, visit),
        Ints::Region(sites) => visit(Part::Region(sites)),
        Ints::Difference(a, b) => {
            visit(Part::Ints(a));
            visit(Part::Ints(b));
        }
        Ints::Intersection(all) | Ints::Union(all) => {
            all.iter().for_each(|list| visit(Part::Ints(list)));
        }
        Ints::If(cond, a, b) => {
            visit(Part::Bool(cond));
            visit(Part::Ints(a));
            b.iter().for_each(|b| visit(Part::Ints(b)));
        }
        Ints::Players(_, of, cond) => {
            maybe_int(of.as_deref(), visit);
            maybe_bool(cond.as_deref(), visit);
        }
        Ints::Sizes(all, of, least, _) => {
            groups(all, visit);
            who(of, visit);
            visit(Part::Int(least));
        }
        Ints::Results(from, to, n) => {
            visit(Part::Region(from));
            visit(Part::Region(to));
            visit(Part::Int(n));
        }
        Ints::Remembered(_) | Ints::Team | Ints::Rotations(_) => {}
    }
}

pub(super) fn bool<'r>(cond: &'r Bool, visit: Visit<'_, 'r>) {
    match cond {
        Bool::Const(_)
        | Bool::Pending
        | Bool::Full
        | Bool::Cycle
        | Bool::Repeat(_)
        | Bool::LastType(..)
        | Bool::Decided(_)
        | Bool::Proposed(_)
        | Bool::Target(..)
        | Bool::DiceUsed
        | Bool::DiceEqual
        | Bool::AllPassed
        | Bool::Solved
        | Bool::WasPass => {}
        Bool::Not(a) => visit(Part::Bool(a)),
        Bool::And(all) | Bool::Or(all) => all.iter().for_each(|a| visit(Part::Bool(a))),
        Bool::Xor(a, b) => {
            visit(Part::Bool(a));
            visit(Part::Bool(b));
        }
        Bool::If(a, b, c) => [a, b, c].into_iter().for_each(|a| visit(Part::Bool(a))),
        Bool::Compare(_, a, b) | Bool::Crossing(a, b) => two(a, b, visit),
        Bool::SameRegion(a, b) => {
            visit(Part::Region(a));
            visit(Part::Region(b));
        }
        Bool::Empty(_, n)
        | Bool::Occupied(_, n)
        | Bool::Enemy(n)
        | Bool::Friend(n)
        | Bool::IsMover(n)
        | Bool::IsNext(n)
        | Bool::IsPrev(n)
        | Bool::IsActive(n)
        | Bool::Visited(n)
        | Bool::Odd(n)
        | Bool::Flat(n)
        | Bool::AnyDie(n)
        | Bool::Triggered(_, n)
        | Bool::SidesMatch(n)
        | Bool::PipsMatch(n) => visit(Part::Int(n)),
        Bool::In(all, sites) => {
            all_ints(all, visit);
            visit(Part::Region(sites));
        }
        Bool::InInts(all, list) => {
            all_ints(all, visit);
            visit(Part::Ints(list));
        }
        Bool::Freedom(_, sites, except) => {
            visit(Part::Region(sites));
            maybe_int(except.as_deref(), visit);
        }
        Bool::Line(wanted) => line(wanted, visit),
        Bool::Connected(wanted) | Bool::Blocked(wanted) => connected(wanted, visit),
        Bool::Angle(angle) => {
            visit(Part::Int(&angle.at));
            visit(Part::Bool(&angle.first));
            visit(Part::Bool(&angle.second));
        }
        Bool::Loop(wanted) => ring(wanted, visit),
        Bool::Related(_, _, n, sites) | Bool::Within(n, _, sites) => {
            visit(Part::Int(n));
            visit(Part::Region(sites));
        }
        Bool::Threatened(threatened) => {
            maybe_int(threatened.what.as_ref(), visit);
            maybe_region(threatened.at.as_ref(), visit);
            maybe_moves(threatened.by.as_ref(), visit);
        }
        Bool::Pattern(pattern) => {
            visit(Part::Int(&pattern.from));
            pattern.what.iter().for_each(|all| all_ints(all, visit));
        }
        Bool::Path(path) => {
            two(&path.from, &path.who, visit);
            range(&path.length, visit);
            visit(Part::Bool(&path.closed));
        }
        Bool::PyramidCorners(_, sites) => visit(Part::Region(sites)),
        Bool::Hidden(_, _, site, level, player) => {
            visit(Part::Int(site));
            maybe_int(level.as_deref(), visit);
            visit(Part::Int(player));
        }
        Bool::NotZero(number) => float(number, visit),
        Bool::NoMoves(of) => who(of, visit),
        Bool::CanMove(rule) => visit(Part::Moves(rule)),
        Bool::NoPieces(count) => count_pieces(count, visit),
        Bool::AllSites(sites, cond) | Bool::AllDifferent(sites, cond) => {
            visit(Part::Region(sites));
            visit(Part::Bool(cond));
        }
        Bool::AllValues(list, cond) => {
            visit(Part::Ints(list));
            visit(Part::Bool(cond));
        }
        Bool::Shape(shape, player) => {
            if let GraphShape::Regular { degree, odd, even } = &**shape {
                visit(Part::Int(degree));
                visit(Part::Bool(odd));
                visit(Part::Bool(even));
            }
            visit(Part::Int(player));
        }
        Bool::AllGroups(all, cond) => {
            groups(all, visit);
            visit(Part::Bool(cond));
        }
    }
}

fn line<'r>(line: &'r Line, visit: Visit<'_, 'r>) {
    visit(Part::Int(&line.length));
    match &line.through {
        Through::One(n) => visit(Part::Int(n)),
        Through::Any(sites) => visit(Part::Region(sites)),
    }
    maybe_int(line.who.as_ref(), visit);
    line.what.iter().for_each(|all| all_ints(all, visit));
    let conds =
        [&line.exact, &line.contiguous, &line.cond, &line.by_level, &line.top, &line.opposites];
    conds.into_iter().for_each(|cond| visit(Part::Bool(cond)));
    maybe_int(line.kinds.as_ref(), visit);
}

fn connected<'r>(wanted: &'r Connected, visit: Visit<'_, 'r>) {
    maybe_int(wanted.number.as_ref(), visit);
    visit(Part::Int(&wanted.at));
    visit(Part::Directions(&wanted.dirs));
    match &wanted.regions {
        Regions::List(all) => all_regions(all, visit),
        Regions::Owned(player) => visit(Part::Int(player)),
        Regions::Static(_) => {}
    }
}

fn ring<'r>(ring: &'r Loop, visit: Visit<'_, 'r>) {
    ring.surround.iter().for_each(|of| who(of, visit));
    visit(Part::Directions(&ring.dirs));
    maybe_int(ring.colour.as_ref(), visit);
    maybe_region(ring.starts.as_ref(), visit);
}

pub(super) fn region<'r>(sites: &'r Region, visit: Visit<'_, 'r>) {
    match sites {
        Region::Const(_)
        | Region::Current
        | Region::Empty(_)
        | Region::Called(_)
        | Region::Pending
        | Region::LastTo
        | Region::LastFrom
        | Region::ToClear
        | Region::LastBetween
        | Region::Playable => {}
        Region::List(all) => all_ints(all, visit),
        Region::Array(list) => visit(Part::Ints(list)),
        Region::EmptyIn(_, n)
        | Region::Owned(n, ..)
        | Region::Indexed(_, n)
        | Region::LargePiece(_, n)
        | Region::State(_, n)
        | Region::Start(n)
        | Region::Side(_, n)
        | Region::Hidden(_, _, n)
        | Region::Support(_, n)
        | Region::One(n) => visit(Part::Int(n)),
        Region::Crossing(a, b) => two(a, b, visit),
        Region::Occupied(occupied) => {
            who(&occupied.by, visit);
            match &occupied.container {
                Some(ContainerRef::Index(n) | ContainerRef::Hand(_, n)) => visit(Part::Int(n)),
                Some(ContainerRef::Fixed(_)) | None => {}
            }
            maybe_int(occupied.what_index.as_ref(), visit);
        }
        Region::Hand(of) => who(of, visit),
        Region::Named(all) | Region::Union(all) | Region::Intersection(all) => {
            all_regions(all, visit);
        }
        Region::Incident(_, _, site, owner) => {
            visit(Part::Int(site));
            maybe_int(owner.as_deref(), visit);
        }
        Region::Around(wanted) => around(wanted, visit),
        Region::Direction(way) => {
            visit(Part::Region(&way.from));
            visit(Part::Directions(&way.dirs));
            let conds = [&way.included, &way.stop, &way.stop_included];
            conds.into_iter().for_each(|cond| visit(Part::Bool(cond)));
            visit(Part::Int(&way.distance));
        }
        Region::Distance(_, _, from, far) => {
            visit(Part::Int(from));
            range(far, visit);
        }
        Region::Between(way) => {
            visit(Part::Directions(&way.dirs));
            two(&way.from, &way.to, visit);
            let conds = [&way.from_included, &way.to_included, &way.cond];
            conds.into_iter().for_each(|cond| visit(Part::Bool(cond)));
        }
        Region::LineOfSight(_, _, from, ways) => {
            visit(Part::Int(from));
            visit(Part::Directions(ways));
        }
        Region::Group(group) => group_at(group, visit),
        Region::OfMoves(_, rule) => visit(Part::Moves(rule)),
        Region::Winning(player, rule) => {
            visit(Part::Int(player));
            visit(Part::Moves(rule));
        }
        Region::Walk(_, from, _, cond) => {
            visit(Part::Int(from));
            visit(Part::Bool(cond));
        }
        Region::Loop(wanted, cond) => {
            ring(wanted, visit);
            visit(Part::Bool(cond));
        }
        Region::Track(track, from, to) => {
            visit(Part::Int(&track.player));
            maybe_int(from.as_deref(), visit);
            maybe_int(to.as_deref(), visit);
        }
        Region::Pattern(pattern) => {
            visit(Part::Int(&pattern.from));
            pattern.what.iter().for_each(|all| all_ints(all, visit));
        }
        Region::Difference(a, b) | Region::ForEachSite(a, b) => {
            visit(Part::Region(a));
            visit(Part::Region(b));
        }
        Region::If(cond, a, b) => {
            visit(Part::Bool(cond));
            visit(Part::Region(a));
            maybe_region(b.as_deref(), visit);
        }
        Region::Expand(_, base, n, _) | Region::Random(base, n) => {
            visit(Part::Region(base));
            visit(Part::Int(n));
        }
        Region::Filter(base, cond) => {
            visit(Part::Region(base));
            visit(Part::Bool(cond));
        }
        Region::ForEachPlayer(players, sites) => {
            visit(Part::Ints(players));
            visit(Part::Region(sites));
        }
        Region::Levels(levels) => {
            two(&levels.at, &levels.start, visit);
            maybe_bool(levels.cond.as_ref(), visit);
        }
        Region::ForEachTeam(sites) => visit(Part::Region(sites)),
        Region::DistanceBy(steps, far) => {
            steps_by(steps, visit);
            range(far, visit);
        }
    }
}

fn around<'r>(around: &'r Around, visit: Visit<'_, 'r>) {
    visit(Part::Region(&around.at));
    visit(Part::Int(&around.distance));
    maybe_bool(around.cond.as_ref(), visit);
    visit(Part::Bool(&around.include_self));
}
