//! What has no code is asked of the general evaluator, where the position of the kernel tells all that the
//! rule looks at.
//!
//! This is the last resort: it costs as much as in the general form. Games are written without it first.

use super::Builder;
use super::sets::is_var;
use crate::code::{Asked, Cond, Effect, NOWHERE, Noted, Num, Set, Var};
use ludex_lud::ir::visit::Part;
use ludex_lud::ir::{
    Bool, Channel, Directions, Int, Ints, Moves, MovesKind, PieceRef, Region, RelativeDir,
};

/// Everything that rules bind.
const VARS: [Var; 5] = [Var::From, Var::To, Var::Between, Var::Site, Var::Player];

/// What the evaluator is told before it is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// What stands where, who moves, and where the last move was.
    Board,
    /// The numbers that rules keep as well.
    Numbers,
}

impl Builder<'_> {
    /// A number, asked for.
    pub(super) fn ask_num(&mut self, n: &Int) -> Option<Num> {
        self.may_ask(Part::Int(n)).then(|| Num::Asked(Box::new(self.asked(n))))
    }

    /// A condition, asked for.
    pub(super) fn ask_cond(&mut self, cond: &Bool) -> Option<Cond> {
        self.may_ask(Part::Bool(cond)).then(|| Cond::Asked(Box::new(self.asked(cond))))
    }

    /// A set of sites, asked for.
    pub(super) fn ask_region(&mut self, region: &Region) -> Option<Set> {
        self.may_ask(Part::Region(region)).then(|| Set::Asked(Box::new(self.asked(region))))
    }

    /// All of what follows a move, made by the evaluator: what it changes is taken over.
    pub(super) fn ask_effect(&mut self, rule: &Moves) -> Option<Effect> {
        if !self.asks_at_all() || self.game.sequence_capture {
            return None;
        }
        self.is_told(Part::Moves(rule), Told::Numbers, &mut Vec::new()).then_some(())?;
        self.keep_told(rule, &mut Vec::new())?;
        // Where a site may hold several, the evaluator may pile them up.
        self.crowded |= self.game.counts;
        Some(Effect::Asked(Box::new(self.asked(rule))))
    }

    fn asked<T: Clone>(&self, rule: &T) -> Asked<T> {
        let value = self.value.unwrap_or(NOWHERE);
        Asked { rule: rule.clone(), mover: self.mover as u8, value }
    }

    /// A threat is looked for as if a piece stood elsewhere, and of a tile only the first cell is known.
    fn asks_at_all(&self) -> bool {
        self.asks && !self.threat && !self.game.large_pieces && !self.game.stacking
    }

    /// Whether the position of the kernel and the values bound here tell all that a rule looks at.
    fn may_ask(&mut self, part: Part<'_>) -> bool {
        let known = |var: Var| match var {
            Var::From | Var::To if self.sites_known.is_some() => false,
            Var::From if self.start_of.is_some() => false,
            // End and between are one there, and only one of them has a value.
            Var::To | Var::Between if self.merged => false,
            var => self.bound.has(var),
        };
        self.asks_at_all()
            && VARS.into_iter().all(|var| known(var) || !is_free(part, var))
            && self.is_told(part, Told::Board, &mut Vec::new())
    }

    /// Whether the evaluator is told all that a rule looks at. `seen` has the consequences looked at.
    fn is_told(&mut self, part: Part<'_>, told: Told, seen: &mut Vec<u32>) -> bool {
        let game = self.game;
        let here = match part {
            // Moves of another player's pieces are made in his place.
            Part::Int(Int::Next | Int::Prev) | Part::Bool(Bool::IsNext(_) | Bool::IsPrev(_)) => {
                self.prev.is_none()
            }
            Part::Int(Int::Value) => told == Told::Numbers || self.value.is_some(),
            Part::Int(Int::At(Channel::Value, _, _, None)) => self.kind_values().is_ok(),
            Part::Int(n) => number(n) || told == Told::Numbers && kept_number(n),
            Part::Bool(Bool::CanMove(_)) | Part::Region(Region::OfMoves(..)) => {
                // Neither sites that were visited nor earlier positions are told.
                let meta = &game.meta;
                !game.visited && !game.chance && meta.no_repeat.is_none() && !meta.no_suicide
            }
            Part::Bool(cond) => condition(cond),
            Part::Region(sites) => region(sites),
            Part::Ints(Ints::Remembered(_)) => told == Told::Numbers,
            Part::Ints(list) => !matches!(list, Ints::Team | Ints::Rotations(_)),
            Part::Directions(ways) => match ways {
                Directions::Random(..) => false,
                Directions::Relative { dirs, .. } => {
                    dirs.iter().all(|dir| matches!(dir, RelativeDir::Turned(_)))
                }
                _ => true,
            },
            Part::Moves(moves) => match (&moves.kind, told) {
                (MovesKind::ForEachPiece(each), Told::Board) if each.moves.is_none() => {
                    game.components.iter().filter_map(|piece| piece.moves.as_ref()).all(|moves| {
                        let nested =
                            |part| matches!(part, Part::Moves(of) if matches!(of.kind, MovesKind::ForEachPiece(_)));
                        !Part::Moves(moves).any(&mut { nested })
                            && self.is_told(Part::Moves(moves), told, seen)
                    })
                }
                (kind, Told::Board) => generator(kind),
                (kind, Told::Numbers) => {
                    let then = moves.then.filter(|then| !seen.contains(then));
                    let follows = then.is_none_or(|then| {
                        seen.push(then);
                        let rule = Part::Moves(&game.consequences[then as usize]);
                        self.is_told(rule, told, seen)
                    });
                    follows && (generator(kind) || effect(kind)) && self.is_plain(kind)
                }
            },
        };
        if !here {
            return false;
        }
        // What is only asked for has no consequences.
        let told = match part {
            Part::Bool(Bool::CanMove(_)) | Part::Region(Region::OfMoves(..)) => Told::Board,
            _ => told,
        };
        let mut parts = Vec::new();
        part.parts(&mut |part| parts.push(part));
        parts.into_iter().all(|part| self.is_told(part, told, seen))
    }

    /// Whether an effect changes nothing that is not taken over.
    fn is_plain(&mut self, kind: &MovesKind) -> bool {
        match kind {
            MovesKind::Remove(remove) => !remove.later,
            MovesKind::SetCount(_) => self.game.counts,
            MovesKind::SetVar(index, _) => *index != u16::MAX,
            MovesKind::Remember(_, _, unique) => self.fixed_bool(unique) == Some(true),
            // Of pieces with moves of their own nothing is known here.
            MovesKind::ForEachPiece(each) => each.moves.is_some(),
            _ => true,
        }
    }

    /// Gives every number that an effect looks at or changes a place in the position.
    fn keep_told(&mut self, rule: &Moves, seen: &mut Vec<u32>) -> Option<()> {
        let (mut vars, mut names, mut thens) = (Vec::new(), Vec::new(), Vec::new());
        let mut players = false;
        Part::Moves(rule).any(&mut |part| {
            match part {
                Part::Int(Int::Var(index)) => vars.push(*index),
                Part::Int(Int::PlayerValue(_)) => players = true,
                Part::Ints(Ints::Remembered(name)) => names.push(name.clone()),
                Part::Moves(moves) => {
                    thens.extend(moves.then);
                    match &moves.kind {
                        MovesKind::SetVar(index, _) => vars.push(*index),
                        MovesKind::SetPlayerValue(..) => players = true,
                        MovesKind::Remember(name, ..) | MovesKind::Forget(name, _) => {
                            names.push(name.clone());
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
            false
        });
        for index in vars {
            self.note(Noted::Var(index)).ok()?;
        }
        for player in 1..=if players { self.game.players } else { 0 } {
            self.note(Noted::Player(player as u8)).ok()?;
        }
        names.into_iter().for_each(|name| _ = self.remembered(name.as_deref()));
        thens.retain(|then| !seen.contains(then));
        seen.extend(&thens);
        let game = self.game;
        thens
            .into_iter()
            .try_for_each(|then| self.keep_told(&game.consequences[then as usize], seen))
    }
}

/// Whether a number is kept in the position.
fn kept_number(n: &Int) -> bool {
    match n {
        Int::Score(_)
        | Int::Counter
        | Int::Moves
        | Int::Turns
        | Int::MovesThisTurn
        | Int::PlayerValue(_) => true,
        Int::Var(index) => *index != u16::MAX,
        _ => false,
    }
}

/// Whether a generator finds its moves by what the evaluator is told, but for its parts.
fn generator(kind: &MovesKind) -> bool {
    use MovesKind as K;
    matches!(
        kind,
        K::None
            | K::All(_)
            | K::If(..)
            | K::Priority(_)
            | K::ForEachPiece(_)
            | K::ForEachSite(..)
            | K::ForEachPlayer(..)
            | K::ForEachDirection(_)
            | K::Add(_)
            | K::Step(_)
            | K::Slide(_)
            | K::Hop(_)
            | K::Leap(_)
            | K::FromTo(_)
            | K::Shoot(_)
            | K::Remove(_)
            | K::Promote(_)
            | K::Select(_)
            | K::Pass { .. }
            | K::Custodial(_)
            | K::Intervene(_)
            | K::Surround(_)
            | K::Enclose(_)
            | K::Directional(_)
    )
}

/// Whether all that an effect changes is taken over, but for its parts.
fn effect(kind: &MovesKind) -> bool {
    use MovesKind as K;
    matches!(
        kind,
        K::Seq(_)
            | K::Append(_)
            | K::While(..)
            | K::ForEachValue(..)
            | K::ForEachGroup(..)
            | K::Do(_)
            | K::Attract(..)
            | K::Push(..)
            | K::Flip(..)
            | K::MoveAgain
            | K::AddScore(..)
            | K::SetScore(..)
            | K::SetPlayerValue(..)
            | K::SetCounter(_)
            | K::SetVar(..)
            | K::SetNextPlayer { .. }
            | K::SetState(_)
            | K::SetCount(_)
            | K::Remember(..)
            | K::Forget(..)
            | K::TakeControl(_)
            | K::Trigger(..)
            | K::Note(_)
    )
}

/// Whether a number depends on the board alone, but for its parts.
fn number(n: &Int) -> bool {
    match n {
        Int::Const(_)
        | Int::From
        | Int::To
        | Int::Between
        | Int::Site
        | Int::Player
        | Int::Mover
        | Int::LastFrom { after: false }
        | Int::LastTo { after: false }
        | Int::CountAt(..)
        | Int::CountPieces(_)
        | Int::CountSites(_)
        | Int::CountNear(..)
        | Int::CountGroups(..)
        | Int::BiggestGroup(_)
        | Int::BiggestLine(..)
        | Int::PathExtent(..)
        | Int::GroupSize(_)
        | Int::PlatformBelow(..)
        | Int::Liberties(_)
        | Int::Steps(..)
        | Int::CountValue(..)
        | Int::StepsOnTrack(..)
        | Int::SizeArray(_)
        | Int::Territory(..)
        | Int::RegionSite(..)
        | Int::Ahead(..)
        | Int::Column(..)
        | Int::Row(..)
        | Int::Layer(..)
        | Int::PhaseOf(..)
        | Int::Coord(..)
        | Int::HandSite(..)
        | Int::PieceOf(..)
        | Int::MapEntry(..)
        | Int::TrackMove(..)
        | Int::Binary(..)
        | Int::Sum(_)
        | Int::Product(_)
        | Int::MaxOf(_)
        | Int::MinOf(_)
        | Int::Abs(_)
        | Int::If(..)
        | Int::OfBool(_)
        | Int::OfFloat(_) => true,
        Int::At(channel, _, _, level) => *channel != Channel::Rotation && level.is_none(),
        // The first of several pieces is found in the order in which they came.
        Int::Where(wanted) => matches!(wanted.piece, PieceRef::Index(_)),
        _ => false,
    }
}

/// Whether a condition depends on the board alone, but for its parts.
fn condition(cond: &Bool) -> bool {
    matches!(
        cond,
        Bool::Const(_)
            | Bool::Not(_)
            | Bool::And(_)
            | Bool::Or(_)
            | Bool::Xor(..)
            | Bool::If(..)
            | Bool::Compare(..)
            | Bool::SameRegion(..)
            | Bool::Empty(..)
            | Bool::Occupied(..)
            | Bool::In(..)
            | Bool::InInts(..)
            | Bool::Enemy(_)
            | Bool::Friend(_)
            | Bool::IsMover(_)
            | Bool::Full
            | Bool::Odd(_)
            | Bool::Flat(_)
            | Bool::Freedom(..)
            | Bool::Line(_)
            | Bool::Connected(_)
            | Bool::Blocked(_)
            | Bool::Loop(_)
            | Bool::Related(..)
            | Bool::Within(..)
            | Bool::Pattern(_)
            | Bool::Path(_)
            | Bool::PyramidCorners(..)
            | Bool::Target(..)
            | Bool::NotZero(_)
            | Bool::NoPieces(_)
            | Bool::AllSites(..)
            | Bool::AllDifferent(..)
            | Bool::AllGroups(..)
    )
}

/// Whether a set of sites depends on the board alone, but for its parts.
fn region(sites: &Region) -> bool {
    matches!(
        sites,
        Region::Const(_)
            | Region::List(_)
            | Region::Array(_)
            | Region::Current
            | Region::Empty(_)
            | Region::Occupied(_)
            | Region::Hand(_)
            | Region::Owned(..)
            | Region::Named(_)
            | Region::Called(_)
            | Region::Indexed(..)
            | Region::State(..)
            | Region::Around(_)
            | Region::Direction(_)
            | Region::Distance(..)
            | Region::Between(_)
            | Region::LineOfSight(..)
            | Region::Group(_)
            | Region::Walk(..)
            | Region::LastFrom
            | Region::Start(_)
            | Region::Track(..)
            | Region::Pattern(_)
            | Region::Side(..)
            | Region::Support(..)
            | Region::Playable
            | Region::Union(_)
            | Region::Intersection(_)
            | Region::Difference(..)
            | Region::If(..)
            | Region::Expand(..)
            | Region::Filter(..)
            | Region::ForEachSite(..)
            | Region::ForEachPlayer(..)
            | Region::One(_)
    )
}

/// Whether a rule asks for a variable that it does not bind itself.
fn is_free(part: Part<'_>, var: Var) -> bool {
    if is_var(part, var) {
        return true;
    }
    let mut bound: Vec<Part<'_>> = Vec::new();
    match (part, var) {
        (Part::Region(Region::Filter(_, cond)), Var::Site)
        | (Part::Bool(Bool::AllSites(_, cond) | Bool::AllDifferent(_, cond)), Var::Site)
        | (Part::Bool(Bool::AllGroups(_, cond)), Var::From | Var::To)
        | (Part::Int(Int::BiggestLine(_, _, cond)), Var::To) => bound.push(Part::Bool(cond)),
        (Part::Region(Region::ForEachSite(_, inner)), Var::Site)
        | (Part::Region(Region::ForEachPlayer(_, inner)), Var::Player) => {
            bound.push(Part::Region(inner));
        }
        (Part::Int(Int::CountPieces(count)) | Part::Bool(Bool::NoPieces(count)), Var::Site) => {
            bound.extend(count.cond.iter().map(Part::Bool));
        }
        (Part::Ints(Ints::Players(_, _, cond)), Var::Player) => {
            bound.extend(cond.iter().map(|cond| Part::Bool(cond)));
        }
        (Part::Int(Int::CountGroups(groups, _) | Int::BiggestGroup(groups)), Var::To)
        | (Part::Ints(Ints::Sizes(groups, ..)), Var::From | Var::To) => {
            bound.extend(groups.cond.iter().map(Part::Bool));
        }
        (
            Part::Int(Int::GroupSize(group) | Int::Liberties(group))
            | Part::Region(Region::Group(group)),
            // Whether a group starts somewhere is asked before its start is bound.
            Var::To,
        ) => bound.extend(group.cond.iter().map(Part::Bool)),
        (Part::Ints(Ints::Results(_, _, n)), Var::From | Var::To) => bound.push(Part::Int(n)),
        (Part::Region(Region::Around(around)), Var::From | Var::To) => {
            bound.extend(around.cond.iter().map(Part::Bool));
        }
        (Part::Region(Region::Direction(wanted)), Var::To) => {
            bound.extend([Part::Bool(&wanted.stop), Part::Bool(&wanted.stop_included)]);
        }
        (Part::Region(Region::Between(wanted)), Var::From | Var::To | Var::Between) => {
            bound.push(Part::Bool(&wanted.cond));
        }
        (
            Part::Moves(Moves { kind: MovesKind::ForEachSite(_, moves, _), .. }),
            Var::Site | Var::To,
        ) => bound.push(Part::Moves(moves)),
        (Part::Moves(Moves { kind: MovesKind::ForEachPiece(each), .. }), Var::From) => {
            bound.extend(each.moves.iter().map(Part::Moves));
        }
        _ => {}
    }
    let inside = |inner: Part<'_>| bound.iter().any(|known| same(*known, inner));
    let mut free = false;
    part.parts(&mut |inner| free = free || !inside(inner) && is_free(inner, var));
    free
}

/// Whether two parts are the very same place in the rules.
fn same(a: Part<'_>, b: Part<'_>) -> bool {
    match (a, b) {
        (Part::Int(a), Part::Int(b)) => std::ptr::eq(a, b),
        (Part::Bool(a), Part::Bool(b)) => std::ptr::eq(a, b),
        (Part::Region(a), Part::Region(b)) => std::ptr::eq(a, b),
        (Part::Moves(a), Part::Moves(b)) => std::ptr::eq(a, b),
        _ => false,
    }
}
