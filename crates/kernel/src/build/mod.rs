//! From typed rules to the kernel's code: one file for each kind of rule.

mod asked;
mod captures;
mod carries;
mod conds;
mod dice;
mod effects;
mod ends;
mod exchanges;
mod families;
mod fold;
mod generators;
mod hops;
mod legs;
mod lines;
mod nums;
mod pieces;
mod rectangles;
mod regions;
mod repeats;
mod selects;
mod sets;
mod slides;
mod spots;
mod stacks;
mod teams;
mod threats;
mod tiles;
mod untaken;
mod values;

pub(super) use values::by_kind as values_by_kind;

pub(super) use families::only_empty;

use super::code::{Act, Code, Deed, Effect, Noted, Plan, Set, Side, Together, Var};
use super::{Built, Refusal};
use ludex_lud::ctx::Ctx;
use ludex_lud::game::{Compiled, ContainerKind, Mode};
use ludex_lud::ir::visit::Part;
use ludex_lud::ir::{Region, Repetition};
use ludex_lud::playable::Ludemes;
use ludex_lud::sites::SiteSet;
use ludex_lud::topo::SiteType;

/// Compiles the rules of a game: with code for all of them, or else with questions to the general evaluator.
pub(super) fn build(general: &Ludemes) -> Built<Code> {
    unfit(general.compiled())?;
    stacks::unfit(general.compiled())?;
    written(general, false).or_else(|refusal| {
        let code = written(general, true)?;
        // Else the rule that there is no code for is the reason.
        if is_worth_asking(&code) { Ok(code) } else { Err(refusal) }
    })
}

/// Whether code with questions is faster than the general evaluator alone. That draws a placing without looking
/// at the others, and a question for every site before each move costs more than a condition of the one drawn.
fn is_worth_asking(code: &Code) -> bool {
    let places =
        |deed: &Deed| matches!(deed.act, Act::Add(_) | Act::Place(..) | Act::Pass | Act::Swap);
    let by_site = code.leaves.iter().flat_map(|leaf| &leaf.operands).any(Set::is_asked);
    !code.asks() || !(by_site || code.deeds.iter().all(places))
}

fn written(general: &Ludemes, asks: bool) -> Built<Code> {
    let game = general.compiled();
    let mut builder = Builder::new(game, general)?;
    builder.asks = asks;
    builder.keeps_teams()?;
    for mover in 1..=game.players {
        builder.side(mover)?;
    }
    builder.fits_situations()?;
    builder.keeps_values()?;
    // The first question notes its answer for the second, which is nowhere kept here.
    if game.chance && (builder.asks_next || builder.code.asks_stuck) {
        return Err(Refusal::new("questions for moves before dice are thrown"));
    }
    if builder.asks_next && builder.code.asks_stuck {
        return Err(Refusal::new("two ways of asking for players without a move"));
    }
    if builder.repeats_values && (builder.counts_values || builder.code.asks()) {
        return Err(Refusal::new("values remembered more than once"));
    }
    builder.recalls_sites()?;
    let untaken = std::mem::take(&mut builder.untaken);
    builder.crowded |= !untaken.into_iter().all(|what| builder.is_never_taken(what));
    if builder.wide {
        return Err(Refusal::new("too many ways of moving at once"));
    }
    if game.large_pieces {
        tiles::only_tiles(&builder.code)?;
    }
    let crowded = builder.crowded || (builder.needs_vacated && !builder.leaves_vacated());
    stacks::only_moved(&builder.code)?;
    builder.code.piles = crowded && game.counts || game.stacking;
    match builder.code.piles && !game.stacking && changes_piles(&builder.code) {
        true => Err(Refusal::new("several pieces of a site that become others at once")),
        false => Ok(builder.code),
    }
}

/// Whether something happens to pieces that is not known of several on a site.
fn changes_piles(code: &Code) -> bool {
    let acts = |deed: &Deed| matches!(deed.act, Act::Copy | Act::Place(..));
    let effects = |effect: &Effect| match effect {
        Effect::Convert(..) | Effect::Turn(_) => true,
        Effect::Custodial(taken) => !matches!(taken.together, None | Some(Together::Removed)),
        _ => false,
    };
    code.deeds.iter().any(acts) || code.any_effect(&effects)
}

/// What no kernel has.
fn unfit(game: &Compiled) -> Built<()> {
    let reasons = [
        (game.players < 2, "it is for one player"),
        (game.players > MOST_PLAYERS as i32, "it is for many players"),
        (
            game.players > 2
                && game.meta.no_repeat.is_some_and(|kind| kind != Repetition::Positional),
            "situations of more than two players",
        ),
        (game.players > 2 && game.meta.swap, "more than two players of whom one may swap"),
        (game.mode == Mode::Simultaneous, "players move at the same time"),
        (game.chance && game.meta.no_repeat.is_some(), "dice where positions may not come back"),
        (game.hides, "something is hidden"),
        (game.cycles, "rules ask for cycles"),
        (game.inner_loops, "a track visits a site twice"),
        (game.meta.gravity, "pieces fall"),
        (game.meta.automove, "moves are forced at once"),
        (game.meta.pin || game.meta.no_stack_on, "pieces are held by those above them"),
        (game.meta.no_suicide, "moves that lose at once are forbidden"),
        (game.rotations > 1 && rotates(game), "pieces turn"),
    ];
    if let Some((_, reason)) = reasons.iter().find(|(is, _)| *is) {
        return Err(Refusal::new(*reason));
    }
    let other = [SiteType::Vertex, SiteType::Edge, SiteType::Cell];
    let on_board = |kind: &SiteType| game.used[*kind as usize] && *kind != game.topo.default;
    let hands = game.containers.len() > 1;
    match other.iter().any(|kind| on_board(kind) && !(hands && *kind == SiteType::Cell)) {
        true => Err(Refusal::new("it is played on two kinds of site")),
        false => Ok(()),
    }
}

fn rotates(game: &Compiled) -> bool {
    let rotation = |moves: &ludex_lud::ir::Moves| {
        matches!(moves.kind, ludex_lud::ir::MovesKind::SetRotation(_))
    };
    game.consequences.iter().any(rotation)
}

/// As many players as there may be.
pub(super) const MOST_PLAYERS: usize = 7;

/// As many numbers as rules may keep.
pub(super) const NOTES: usize = 8;

/// The compiler's working place.
pub(super) struct Builder<'g> {
    pub(super) game: &'g Compiled,
    /// Evaluates what never changes; its position is the start.
    pub(super) ctx: Ctx<'g>,
    code: Code,
    /// Whose moves are being written.
    pub(super) mover: i32,
    /// Who plays them: consequences are his. The same player, but where moves are only asked about.
    pub(super) actor: i32,
    /// Between and end of a move are the same site.
    merged: bool,
    /// Moves pass exactly one site that effects may ask for.
    jumps: bool,
    /// Moves are written as threats: what must hold afterwards does not count.
    threat: bool,
    /// Moves are only asked about, not played.
    asking: bool,
    /// The value of a loop over values.
    value: Option<i32>,
    /// Start and end of a move, where both are known.
    sites_known: Option<(i32, i32)>,
    /// Where a move starts that ends on each site, where its way is known.
    start_of: Option<Vec<i32>>,
    /// Who moved before, where that is known.
    prev: Option<i32>,
    /// Which variables have a value where the code being written runs.
    bound: Bound,
    /// The turn has not been decided yet: the next player is the other one.
    pub(super) choosing: bool,
    /// Code is written for one player being next.
    next_given: bool,
    /// One throw of every kind.
    throws: Vec<dice::Throw>,
    /// Code is written for a kind of throw.
    throw: Option<usize>,
    /// Code is written for one die, whose value is known.
    pips: bool,
    /// Where the pieces are that a loop runs through: the board, hands.
    places: Vec<usize>,
    /// A condition is written that is asked of one site after the other.
    each_site: Option<Var>,
    /// What is known to hold where code is being written.
    assumed: Vec<ludex_lud::ir::Bool>,
    /// Where the pieces stand that a loop runs through.
    origin: Option<Set>,
    /// The piece that stands where a move starts, where that is known.
    from_what: Option<u16>,
    /// The level of a stack at which a move starts, where that is known.
    level: Option<u8>,
    /// The site whose stack is run through, and the piece there.
    lying: Option<(ludex_lud::ir::Int, u16)>,
    /// The piece that stands where the last move ended, where that is known.
    last_what: Option<u16>,
    /// In a game with hands some move may end on an occupied site, where pieces would pile up.
    crowded: bool,
    /// None does if the site where the last move started is empty.
    needs_vacated: bool,
    /// Some plan may have more leaves at once than the machine keeps.
    wide: bool,
    /// Rules ask whether the next player has a move.
    asks_next: bool,
    /// End rules are being written.
    ending: bool,
    /// The value of every kind of piece, where all of a kind have the same.
    values: Option<Vec<i32>>,
    /// Rules ask for values of pieces.
    asks_values: bool,
    /// Which questions about earlier positions the consequence being written asks, as bits.
    asked: u8,
    /// Tables of lines already written: by their ways, lengths and whether they must be exact.
    windows_written: Vec<((usize, i32, bool), Option<usize>)>,
    /// Where the deeds of the piece begin whose moves are being written: none is shared with another
    /// piece, so that they are numbered in the order of the rules.
    deed_floor: usize,
    /// Pieces that must never be taken, for the kernel has no room for what would follow.
    untaken: Vec<u16>,
    /// Threats already written: whether moves were only asked about, the value of a loop, the number.
    threats_written: Vec<((bool, Option<i32>), usize)>,
    /// Consequences already written, by player, number and throw.
    written: Vec<(Consequence, usize)>,
    /// Consequences being written, the outermost first.
    writing: Vec<(i32, u32)>,
    /// Values may be remembered again that are remembered.
    repeats_values: bool,
    /// Rules ask how many values are remembered.
    counts_values: bool,
    /// What has no code may be asked of the general evaluator.
    asks: bool,
}

/// A consequence: whose, its number, and the kind of throw it follows.
type Consequence = (i32, u32, Option<usize>);

/// A set of variables.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
struct Bound {
    vars: u8,
    /// How many regions of the equipment, one made of the other, the question is about.
    depth: u8,
}

impl Bound {
    fn with(self, var: Var) -> Bound {
        Bound { vars: self.vars | 1 << var as u8, ..self }
    }

    fn has(self, var: Var) -> bool {
        self.vars >> var as u8 & 1 == 1
    }

    /// For a region of the equipment that the one asked about is made of: nothing is bound there. None where there are too many.
    fn deeper(self) -> Option<Bound> {
        const MOST: u8 = 16;
        (self.depth < MOST).then_some(Bound { vars: 0, depth: self.depth + 1 })
    }
}

impl<'g> Builder<'g> {
    pub(super) fn new(game: &'g Compiled, general: &Ludemes) -> Built<Self> {
        let mut code = Code {
            board: game.board_sites(),
            placed: general.start_state().initial_moves.max(0) as usize,
            passes_end: game.all_pass_ends,
            swap: game.meta.swap,
            max_turns: game.max_turns.saturating_mul(game.players),
            max_moves: game.max_moves,
            sides: vec![Side::default(); game.players.max(0) as usize],
            ..Code::default()
        };
        let end = |c: &ludex_lud::game::Container| (c.first + c.count) as usize;
        let hands = game.containers.iter().filter(|c| c.kind == ContainerKind::Hand);
        code.sites = hands.map(end).max().unwrap_or(0).max(code.board);
        assign_slots(game, &mut code)?;
        stacks::assign_levels(game, &general.start_state(), &mut code)?;
        let throws = dice::kinds_of_throw(general, &mut code)?;
        for container in game.containers.iter().skip(1) {
            let last = container.first as usize >= code.sites;
            match container.kind {
                ContainerKind::Hand => {}
                ContainerKind::Dice(_) if game.chance && last => {}
                _ => return Err(Refusal::new("dice before hands or without a throw")),
            }
        }
        let start = general.start_state();
        let counts = || start.layers.iter().flat_map(|layer| layer.flat()).map(|piece| piece.count);
        if counts().any(|count| count > 99) {
            return Err(Refusal::new("very many pieces on a site"));
        }
        let board = &start.layers[game.topo.default as usize].flat();
        let piles = game.counts && board.iter().take(code.board).any(|piece| piece.count > 1);
        let plain = |act| Deed {
            act,
            before: None,
            then: Vec::new(),
            check: None,
            after: Vec::new(),
            longest: None,
        };
        code.deeds = vec![plain(Act::Pass), plain(Act::Swap)];
        let byte = |(a, b): (i32, i32)| Some((u8::try_from(a).ok()?, u8::try_from(b).ok()?));
        code.flips = game.components.iter().map(|c| c.flips.and_then(byte)).collect();
        let state = general.start_state();
        code.teams.clone_from(&state.teams);
        let start = Builder::new_ctx(game, state);
        Ok(Builder {
            game,
            ctx: start,
            code,
            mover: 1,
            actor: 1,
            merged: false,
            jumps: false,
            threat: false,
            asking: false,
            value: None,
            sites_known: None,
            start_of: None,
            prev: None,
            bound: Bound::default(),
            choosing: true,
            next_given: false,
            throws,
            throw: None,
            pips: false,
            places: vec![0],
            each_site: None,
            assumed: Vec::new(),
            origin: None,
            from_what: None,
            level: None,
            lying: None,
            last_what: None,
            crowded: piles || game.counts && game.containers.len() == 1,
            needs_vacated: false,
            wide: false,
            asks_next: false,
            ending: false,
            values: values::by_kind(game, &general.start_state()),
            asks_values: false,
            asked: 0,
            windows_written: Vec::new(),
            deed_floor: 0,
            untaken: Vec::new(),
            threats_written: Vec::new(),
            written: Vec::new(),
            writing: Vec::new(),
            repeats_values: false,
            counts_values: false,
            asks: false,
        })
    }

    fn new_ctx(game: &'g Compiled, state: ludex_lud::state::State) -> Ctx<'g> {
        Ctx::new(game, state)
    }

    pub(super) fn refuse<T>(&self, what: impl Into<String>) -> Built<T> {
        Err(Refusal::new(what))
    }

    /// The board's kind of site, or the reason why a rule speaks of another.
    pub(super) fn same_kind(&self, kind: SiteType) -> Built<()> {
        match kind == self.game.topo.default {
            true => Ok(()),
            false => self.refuse("a rule speaks of another kind of site"),
        }
    }

    fn side(&mut self, mover: i32) -> Built<()> {
        (self.mover, self.actor) = (mover, mover);
        (self.ctx.s.mover, self.ctx.s.next) = (mover, mover % self.game.players + 1);
        let game = self.game;
        for phase in &game.phases {
            self.choosing = true;
            let node = self.played(&phase.play)?;
            let throws = self.when_thrown(&phase.play)?;
            let tried = self.is_tried(&node);
            (self.choosing, self.ending) = (false, true);
            let end = self.ends(&phase.end)?;
            let phase_changes = self.phase_changes(&phase.next, game.phases.len())?;
            self.ending = false;
            let side = &mut self.code.sides[mover as usize - 1];
            side.plans.push(Plan { node, tried, throws });
            side.ends.push(end);
            side.phase_changes.push(phase_changes);
        }
        self.ending = true;
        self.code.sides[mover as usize - 1].game_end = self.ends(&game.end)?;
        self.ending = false;
        Ok(())
    }

    /// A number as that of a piece, if there is one.
    fn piece(&self, what: i32) -> Option<u8> {
        u8::try_from(what).ok().filter(|_| self.game.has_piece(what))
    }

    /// The number of a fixed set.
    fn fixed(&mut self, set: SiteSet) -> Set {
        // Numbers that are no site mean none.
        let set = set.below(self.code.sites);
        let known = self.code.consts.iter().position(|c| c.same(&set));
        Set::Const(known.unwrap_or_else(|| {
            self.code.consts.push(set);
            self.code.consts.len() - 1
        }))
    }

    /// The set of remembered sites of a name.
    fn remembered(&mut self, name: Option<&str>) -> u8 {
        let known = self.code.remembered.iter().find(|(n, _)| n.as_deref() == name);
        if let Some(&(_, slot)) = known {
            return slot;
        }
        let slot = self.code.slot_count as u8;
        self.code.slot_count += 1;
        self.code.remembered.push((name.map(Into::into), slot));
        slot
    }

    /// Whether all that is remembered at the start is the number of a site.
    fn recalls_sites(&self) -> Built<()> {
        let sites = 0..self.code.sites as i32;
        let lists = self.code.remembered.iter();
        let mut values = lists.flat_map(|(name, _)| self.ctx.s.remembered(name.as_deref()));
        match values.all(|value| sites.contains(value)) {
            true => Ok(()),
            false => self.refuse("remembered values that are no sites"),
        }
    }

    /// The set of sites whose pieces have a state.
    fn stated(&mut self, state: i32) -> Set {
        let Ok(state) = u8::try_from(state) else {
            return self.nowhere();
        };
        if let Some(&(_, slot)) = self.code.states.iter().find(|known| known.0 == state) {
            return Set::Slot(slot);
        }
        let slot = self.code.slot_count as u8;
        self.code.slot_count += 1;
        self.code.states.push((state, slot));
        Set::Slot(slot)
    }

    /// The place of a number that is kept.
    fn note(&mut self, noted: Noted) -> Built<u8> {
        let known = self.code.notes.iter().position(|known| *known == noted);
        let at = known.unwrap_or_else(|| {
            self.code.notes.push(noted);
            self.code.notes.len() - 1
        });
        match at < NOTES {
            true => Ok(at as u8),
            false => self.refuse("many numbers that are kept"),
        }
    }

    /// All sites.
    fn everywhere(&mut self) -> Set {
        self.fixed(SiteSet::first(self.code.sites))
    }

    /// No site.
    fn nowhere(&mut self) -> Set {
        self.fixed(SiteSet::new())
    }

    fn is_everywhere(&self, set: &Set) -> bool {
        matches!(set, Set::Const(n) if self.code.consts[*n].len() >= self.code.sites)
    }

    fn is_nowhere(&self, set: &Set) -> bool {
        matches!(set, Set::Const(n) if self.code.consts[*n].is_empty())
    }
}

/// Gives every piece its sets: slot 0 holds the empty sites, then come owners and kinds. A player's only
/// kind shares the player's set.
fn assign_slots(game: &Compiled, code: &mut Code) -> Built<()> {
    let shared = game.players + 1;
    // Dice lie where no other piece comes.
    let pieces = || game.components.iter().skip(1).filter(|c| c.faces.is_empty());
    let mut next = 1;
    for owner in 0..=shared {
        let owns = pieces().any(|c| c.owner.clamp(0, shared) == owner);
        code.owner_slots.push(owns.then_some(next));
        next += u8::from(owns);
    }
    for (what, component) in game.components.iter().enumerate() {
        let owner = component.owner.clamp(0, shared) as u8;
        code.owners.push(owner);
        if what == 0 || !component.faces.is_empty() {
            code.slots.push((0, 0));
            continue;
        }
        let own = code.owner_slots[owner as usize].unwrap_or(0);
        let alone = pieces().filter(|c| c.owner == component.owner).count();
        if alone == 1 {
            code.slots.push((own, own));
        } else {
            code.slots.push((next, own));
            next = next.saturating_add(1);
        }
    }
    let all_pending = |part: Part<'_>| matches!(part, Part::Region(Region::Pending));
    for (asked, slot) in [
        (game.visited, &mut code.visited),
        (game.sequence_capture, &mut code.doomed),
        (game.mentions(&mut { all_pending }), &mut code.pending),
    ] {
        if asked {
            *slot = Some(next);
            next = next.saturating_add(1);
        }
    }
    code.slot_count = next as usize;
    match game.components.len() > 64 || next > 64 {
        true => Err(Refusal::new("there are too many kinds of piece")),
        false => Ok(()),
    }
}
