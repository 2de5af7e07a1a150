//! The parts of moves and effects.

use super::{
    Part, Visit, all_ints, float, groups, maybe_bool, maybe_int, maybe_moves, maybe_region, range,
    two, who,
};
use crate::ir::{
    Custodial, FromTo, Hop, Into_, MovesKind, NoteText, Origin, SetSite, Slide, Sow, Values,
};

pub(super) fn moves<'r>(kind: &'r MovesKind, visit: Visit<'_, 'r>) {
    use MovesKind as K;
    match kind {
        K::Pass { .. }
        | K::Message { .. }
        | K::MoveAgain
        | K::Roll
        | K::RememberState
        | K::TakeDomino
        | K::PlayCard { .. }
        | K::Satisfy
        | K::None => {}
        K::All(all) | K::Seq(all) | K::Priority(all) => {
            all.iter().for_each(|rule| visit(Part::Moves(rule)));
        }
        K::Append(rule) | K::AvoidStored(rule) | K::ForEachTeam(rule) => visit(Part::Moves(rule)),
        K::If(cond, yes, no) => {
            visit(Part::Bool(cond));
            visit(Part::Moves(yes));
            maybe_moves(no.as_deref(), visit);
        }
        K::Combine(a, b) => {
            visit(Part::Moves(a));
            visit(Part::Moves(b));
        }
        K::Do(wanted) => {
            visit(Part::Moves(&wanted.prior));
            maybe_moves(wanted.next.as_ref(), visit);
            maybe_bool(wanted.if_afterwards.as_ref(), visit);
        }
        K::MaxMoves(rule, cond) | K::MaxCaptures(rule, cond) | K::While(cond, rule) => {
            visit(Part::Moves(rule));
            visit(Part::Bool(cond));
        }
        K::MaxDistance(rule, _, owner) | K::FirstOnTrack(rule, _, owner) => {
            visit(Part::Moves(rule));
            maybe_int(owner.as_deref(), visit);
        }
        K::ForEachPiece(each) => {
            two(&each.container, &each.player, visit);
            maybe_moves(each.moves.as_ref(), visit);
            visit(Part::Bool(&each.top));
        }
        K::ForEachSite(sites, rule, otherwise) => {
            visit(Part::Region(sites));
            visit(Part::Moves(rule));
            maybe_moves(otherwise.as_deref(), visit);
        }
        K::ForEachPlayer(players, rule) => {
            players.iter().for_each(|players| visit(Part::Ints(players)));
            visit(Part::Moves(rule));
        }
        K::ForEachValue(values, rule) => {
            match &**values {
                Values::Range(a, b) => two(a, b, visit),
                Values::List(list) => visit(Part::Ints(list)),
            }
            visit(Part::Moves(rule));
        }
        K::ForEachDie(each) => {
            visit(Part::Int(&each.dice));
            let conds = [&each.combined, &each.replay_double, &each.cond];
            conds.into_iter().for_each(|cond| visit(Part::Bool(cond)));
            visit(Part::Moves(&each.moves));
        }
        K::ForEachDirection(each) => {
            visit(Part::Int(&each.from));
            visit(Part::Directions(&each.dirs));
            range(&each.distance, visit);
            maybe_bool(each.between.as_ref(), visit);
            maybe_bool(each.to.as_ref(), visit);
            visit(Part::Moves(&each.moves));
        }
        K::ForEachGroup(all, rule) => {
            groups(all, visit);
            visit(Part::Moves(rule));
        }
        K::ForEachLevel(_, site, _, rule) => {
            visit(Part::Int(site));
            visit(Part::Moves(rule));
        }
        K::Bet(player, amounts, _) => {
            visit(Part::Int(player));
            range(amounts, visit);
        }
        K::AddScore(players, scores) => {
            players.iter().for_each(|of| who(of, visit));
            all_ints(scores, visit);
        }
        K::SetScore(of, n) | K::SetPlayerValue(of, n) => {
            who(of, visit);
            visit(Part::Int(n));
        }
        K::SetCounter(n)
        | K::SetPot(n)
        | K::SetVar(_, n)
        | K::Flip(_, n)
        | K::Attract(_, n, _)
        | K::Trigger(_, n) => visit(Part::Int(n)),
        K::SetPending(sites) => maybe_region(sites.as_deref(), visit),
        K::SetNextPlayer { who, .. } => visit(Part::Ints(who)),
        K::SetTrumpSuit { suits, .. } => visit(Part::Ints(suits)),
        K::Deal(deal) => {
            visit(Part::Int(&deal.count));
            maybe_int(deal.first.as_ref(), visit);
        }
        K::RandomOne(all) => all.iter().for_each(|(weight, rule)| {
            float(weight, visit);
            visit(Part::Moves(rule));
        }),
        K::RandomSome(rule, count) => {
            visit(Part::Moves(rule));
            visit(Part::Int(count));
        }
        K::SetTeam(team, players) => {
            visit(Part::Int(team));
            all_ints(players, visit);
        }
        K::Remember(_, n, cond) => {
            visit(Part::Int(n));
            visit(Part::Bool(cond));
        }
        K::Forget(_, n) => maybe_int(n.as_deref(), visit),
        K::SwapPieces(a, b, _) | K::SwapPlayers(a, b, _) => two(a, b, visit),
        K::SetState(set) | K::SetCount(set) | K::SetValue(set) => set_site(set, visit),
        _ => travel(kind, visit),
    }
}

fn set_site<'r>(set: &'r SetSite, visit: Visit<'_, 'r>) {
    two(&set.at, &set.value, visit);
    maybe_int(set.level.as_ref(), visit);
}

fn origin<'r>(from: &'r Origin, visit: Visit<'_, 'r>) {
    visit(Part::Int(&from.site));
    maybe_region(from.region.as_ref(), visit);
    maybe_int(from.level.as_ref(), visit);
    maybe_bool(from.cond.as_ref(), visit);
}

/// Moves that place, take or carry pieces, and what they bring about.
fn travel<'r>(kind: &'r MovesKind, visit: Visit<'_, 'r>) {
    use MovesKind as K;
    match kind {
        K::Add(add) => {
            all_ints(&add.what, visit);
            let ints = [&add.state, &add.site, &add.level];
            ints.into_iter().for_each(|n| maybe_int(n.as_ref(), visit));
            maybe_region(add.region.as_ref(), visit);
            maybe_bool(add.cond.as_ref(), visit);
            maybe_moves(add.effect.as_ref(), visit);
            maybe_bool(add.effect_if.as_ref(), visit);
            visit(Part::Int(&add.count));
        }
        K::Step(step) => {
            origin(&step.from, visit);
            visit(Part::Directions(&step.dirs));
            visit(Part::Bool(&step.cond));
            maybe_moves(step.effect.as_ref(), visit);
        }
        K::Slide(wanted) => slide(wanted, visit),
        K::Hop(wanted) => hop(wanted, visit),
        K::Leap(leap) => {
            origin(&leap.from, visit);
            let conds = [&leap.forward, &leap.rotations, &leap.go];
            conds.into_iter().for_each(|cond| visit(Part::Bool(cond)));
            maybe_moves(leap.effect.as_ref(), visit);
        }
        K::FromTo(carried) => from_to(carried, visit),
        K::Shoot(shoot) => {
            two(&shoot.what, &shoot.from, visit);
            visit(Part::Bool(&shoot.go));
            visit(Part::Bool(&shoot.to));
        }
        K::Remove(remove) => {
            visit(Part::Region(&remove.at));
            maybe_int(remove.level.as_ref(), visit);
            visit(Part::Int(&remove.count));
        }
        K::Promote(promote) => {
            visit(Part::Int(&promote.at));
            match &promote.into {
                Into_::Alike(a, b) => two(a, b, visit),
                Into_::Pieces(all) => all_ints(all, visit),
                Into_::Named(_, player) => visit(Part::Int(player)),
            }
        }
        K::Select(select) => {
            visit(Part::Region(&select.from));
            maybe_int(select.level.as_ref(), visit);
            visit(Part::Bool(&select.cond));
            if let Some(to) = &select.to {
                visit(Part::Region(&to.region));
                maybe_int(to.level.as_ref(), visit);
                visit(Part::Bool(&to.cond));
            }
            maybe_int(select.mover.as_ref(), visit);
        }
        K::Sow(wanted) => sow(wanted, visit),
        K::Custodial(caught) | K::Intervene(caught) => custodial(caught, visit),
        K::Surround(surround) => {
            two(&surround.from, &surround.except, visit);
            visit(Part::Bool(&surround.target));
            visit(Part::Bool(&surround.friend));
            maybe_int(surround.with.as_ref(), visit);
            visit(Part::Moves(&surround.effect));
        }
        K::Enclose(enclose) => {
            two(&enclose.from, &enclose.exceptions, visit);
            visit(Part::Directions(&enclose.dirs));
            visit(Part::Bool(&enclose.target));
            visit(Part::Moves(&enclose.effect));
        }
        K::Directional(directional) => {
            visit(Part::Int(&directional.from));
            visit(Part::Directions(&directional.dirs));
            visit(Part::Bool(&directional.target));
            visit(Part::Moves(&directional.effect));
        }
        K::Push(_, from, ways) => {
            visit(Part::Int(from));
            visit(Part::Directions(ways));
        }
        K::SetRotation(set) => {
            visit(Part::Int(&set.at));
            all_ints(&set.to, visit);
            maybe_bool(set.previous.as_ref(), visit);
            maybe_bool(set.next.as_ref(), visit);
        }
        K::SetHidden(set) => {
            visit(Part::Region(&set.at));
            visit(Part::Int(&set.level));
            visit(Part::Bool(&set.value));
            who(&set.to, visit);
        }
        K::TakeControl(take) => {
            who(&take.of, visit);
            visit(Part::Int(&take.by));
            maybe_region(take.at.as_ref(), visit);
        }
        K::Note(note) => {
            match &note.text {
                NoteText::Text(_) => {}
                NoteText::Int(n) => visit(Part::Int(n)),
                NoteText::Bool(cond) => visit(Part::Bool(cond)),
                NoteText::Sites(region) => visit(Part::Region(region)),
                NoteText::Range(range) => {
                    visit(Part::Int(&range.min));
                    visit(Part::Int(&range.max));
                }
            }
            maybe_int(note.from.as_ref(), visit);
            note.to.iter().for_each(|of| who(of, visit));
        }
        // Those that are no journeys have their parts above.
        K::All(..)
        | K::Seq(..)
        | K::Append(..)
        | K::If(..)
        | K::Combine(..)
        | K::Priority(..)
        | K::Do(..)
        | K::MaxMoves(..)
        | K::MaxCaptures(..)
        | K::MaxDistance(..)
        | K::FirstOnTrack(..)
        | K::While(..)
        | K::AvoidStored(..)
        | K::ForEachPiece(..)
        | K::ForEachSite(..)
        | K::ForEachPlayer(..)
        | K::ForEachValue(..)
        | K::ForEachDie(..)
        | K::ForEachDirection(..)
        | K::ForEachGroup(..)
        | K::ForEachLevel(..)
        | K::ForEachTeam(..)
        | K::Bet(..)
        | K::Flip(..)
        | K::Attract(..)
        | K::AddScore(..)
        | K::SetScore(..)
        | K::SetPlayerValue(..)
        | K::SetCounter(..)
        | K::SetPot(..)
        | K::SetVar(..)
        | K::SetPending(..)
        | K::SetState(..)
        | K::SetCount(..)
        | K::SetValue(..)
        | K::SetTeam(..)
        | K::Remember(..)
        | K::Forget(..)
        | K::SwapPieces(..)
        | K::SwapPlayers(..)
        | K::Trigger(..)
        | K::Pass { .. }
        | K::Satisfy
        | K::Message { .. }
        | K::MoveAgain
        | K::Roll
        | K::RememberState
        | K::TakeDomino
        | K::PlayCard { .. }
        | K::Deal(..)
        | K::RandomOne(..)
        | K::RandomSome(..)
        | K::None
        | K::SetTrumpSuit { .. }
        | K::SetNextPlayer { .. } => {}
    }
}

fn slide<'r>(slide: &'r Slide, visit: Visit<'_, 'r>) {
    origin(&slide.from, visit);
    visit(Part::Directions(&slide.dirs));
    range(&slide.distance, visit);
    visit(Part::Bool(&slide.go));
    maybe_bool(slide.stop.as_ref(), visit);
    maybe_bool(slide.to.as_ref(), visit);
    maybe_moves(slide.effect.as_ref(), visit);
    maybe_moves(slide.between.as_ref(), visit);
    maybe_int(slide.trail.as_ref(), visit);
}

fn hop<'r>(hop: &'r Hop, visit: Visit<'_, 'r>) {
    origin(&hop.from, visit);
    visit(Part::Directions(&hop.dirs));
    visit(Part::Bool(&hop.go));
    maybe_bool(hop.hurdle.as_ref(), visit);
    two(&hop.before, &hop.after, visit);
    range(&hop.length, visit);
    maybe_moves(hop.effect.as_ref(), visit);
    maybe_bool(hop.stop.as_ref(), visit);
    maybe_moves(hop.stop_effect.as_ref(), visit);
}

fn from_to<'r>(carried: &'r FromTo, visit: Visit<'_, 'r>) {
    origin(&carried.from, visit);
    visit(Part::Int(&carried.to));
    maybe_region(carried.to_region.as_ref(), visit);
    maybe_int(carried.to_level.as_ref(), visit);
    carried.rotations.iter().for_each(|list| visit(Part::Ints(list)));
    visit(Part::Bool(&carried.cond));
    maybe_moves(carried.effect.as_ref(), visit);
    maybe_bool(carried.effect_if.as_ref(), visit);
    maybe_int(carried.count.as_ref(), visit);
    visit(Part::Bool(&carried.copy));
    maybe_int(carried.mover.as_ref(), visit);
}

fn sow<'r>(sow: &'r Sow, visit: Visit<'_, 'r>) {
    two(&sow.start, &sow.per_hole, visit);
    maybe_int(sow.count.as_ref(), visit);
    maybe_int(sow.owner.as_ref(), visit);
    maybe_moves(sow.sow_effect.as_ref(), visit);
    maybe_moves(sow.effect.as_ref(), visit);
    visit(Part::Bool(&sow.origin));
    let conds = [&sow.cond, &sow.skip, &sow.backtracking, &sow.forward];
    conds.into_iter().for_each(|cond| maybe_bool(cond.as_ref(), visit));
}

fn custodial<'r>(caught: &'r Custodial, visit: Visit<'_, 'r>) {
    visit(Part::Int(&caught.from));
    range(&caught.length, visit);
    visit(Part::Bool(&caught.target));
    visit(Part::Bool(&caught.friend));
    visit(Part::Moves(&caught.effect));
}
