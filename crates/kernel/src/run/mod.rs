//! The machine that plays compiled code.

mod asked;
mod attacks;
mod attributes;
mod board;
mod captures;
mod choices;
mod dice;
mod effects;
mod ends;
mod eval;
mod families;
mod finish;
mod hops;
mod leaves;
mod lines;
mod longest;
mod play;
mod playout;
mod ranks;
mod rays;
mod rules;
mod seen;
mod stacks;
mod standing;
mod swift;
mod text;
mod threats;
mod unrepeated;
mod winning;

use super::code::{Code, NOWHERE, PASS, SWAP, Stacks, Window};
use asked::Asking;
use attacks::Attack;
use board::Board;
use finish::Finish;
use leaves::Parts;
use ludex_game::bits::Bits;
use ludex_game::{Ends, GameInfo, Machine, Move};
use ludex_lud::attributes::Attributes;
use ludex_lud::codes::Codes;
use ludex_lud::dice::Dice;
use ludex_lud::game::{Compiled, ContainerKind};
use ludex_lud::layer::Piece;
use ludex_lud::playable::Ludemes;
use ludex_lud::recall::Recall;
use ludex_lud::sites::SiteSet;
use ludex_lud::state::State;
use ludex_lud::topo::SiteType;
use rays::{Rays, Trail};
use std::sync::Arc;
use swift::{Running, Swift};
use winning::{Taking, Winning};

pub(super) use unrepeated::Unrepeated;

/// As many players as there may be.
const PLAYERS: i32 = super::build::MOST_PLAYERS as i32;

/// A position of a kernel.
#[derive(Clone, Debug)]
pub struct Position<const W: usize, const S: usize> {
    pub(super) board: Board<W, S>,
    /// The last move.
    last: Option<Ends>,
    /// How the dice lie, if they have been thrown.
    throw: Option<Move>,
    /// What a playout by a sampler plays on instead, while a position is no more than two colours.
    swift: Option<Running<W>>,
    /// Whether an end waits for the next player's search for a move, in such a playout.
    waiting: bool,
}

/// A game in its compact form: boards of up to `64 W` sites, positions of up to `S` sets.
#[derive(Debug)]
pub struct Kernel<const W: usize, const S: usize> {
    code: Code,
    pub(super) codes: Codes,
    game: Arc<Compiled>,
    /// What of the past is part of a position.
    recall: Recall,
    info: GameInfo,
    start: Position<W, S>,
    consts: Vec<Bits<W>>,
    tables: Vec<Vec<Bits<W>>>,
    relations: Vec<Vec<(i32, Bits<W>)>>,
    leaves: Vec<Parts<W>>,
    rays: Vec<Rays<W>>,
    /// Lines through every site, as sets of sites.
    windows: Vec<Vec<Box<[Span<W>]>>>,
    /// All of them.
    lines: Vec<Box<[Span<W>]>>,
    /// Paths along tracks.
    trails: Vec<Vec<Vec<Trail<W>>>>,
    /// The sites they pass before something may be taken.
    leads: Vec<Vec<Vec<Bits<W>>>>,
    /// Moves that threaten pieces, by the site they end on.
    attacks: Vec<[Vec<Attack<W>>; 2]>,
    /// Which deeds must be tried.
    tried: Vec<bool>,
    /// End rules of each player that are simple, and which may wait.
    finish: Vec<Finish<W>>,
    /// How moves take pieces, and what moves may win, by player and phase.
    taking: Taking,
    winning: Vec<Vec<Winning<W>>>,
    /// For each player and phase the leaves of which some move surely stays.
    local: Vec<Vec<Vec<usize>>>,
    /// Pieces have states.
    states: bool,
    everywhere: Bits<W>,
    /// Sites may hold several of a piece, or of several.
    piles: bool,
    /// They hold stacks: where the levels are kept.
    stacks: Option<Stacks>,
    /// Where they may.
    hands: Bits<W>,
    attributes: Attributes,
    /// Plies of games of two colours.
    swift: Option<Swift<W>>,
    dice: Dice,
    /// The value that all pieces of a kind have, by kind.
    values: Vec<i32>,
    /// The dice as pieces, with their sites.
    dice_at_start: Vec<(i32, Piece)>,
    /// What has no code is asked of the general evaluator.
    asking: Asking,
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    pub(super) fn new(code: Code, general: &Ludemes) -> Self {
        let (game, start) = (general.shared(), general.start_state());
        let sets = |list: &[SiteSet]| list.iter().map(bits).collect::<Vec<_>>();
        let tried: Vec<bool> = code.deeds.iter().map(|deed| deed.is_tried()).collect();
        let mut kernel = Kernel {
            consts: sets(&code.consts),
            tables: code.tables.iter().map(|table| sets(table)).collect(),
            relations: code
                .relations
                .iter()
                .map(|r| r.offsets.iter().map(|(by, ends)| (*by, bits(ends))).collect())
                .collect(),
            leaves: code.leaves.iter().map(|leaf| Parts::of(leaf, &tried)).collect(),
            windows: code.windows.iter().map(|table| spans(table)).collect(),
            lines: spans(&code.lines),
            leads: code.paths.iter().map(|table| rays::leads(table)).collect(),
            trails: code.paths.iter().map(|table| rays::trails(table)).collect(),
            rays: code.rays.iter().map(|table| Rays::of(table)).collect(),
            tried,
            finish: (0..code.sides.len()).map(|side| Finish::of(&code, side)).collect(),
            taking: Taking::of(&code),
            winning: Vec::new(),
            local: Vec::new(),
            states: finish::has_states(&code, &start),
            everywhere: Bits::first(code.sites),
            piles: game.counts || code.stacks.is_some(),
            stacks: code.stacks,
            recall: game.recall(),
            hands: match code.piles {
                true => Bits::first(code.sites),
                false => Bits::first(code.sites) & !Bits::first(code.board),
            },
            attributes: Attributes::new(&game, &start),
            dice: Dice::of(&game).unwrap_or_default(),
            dice_at_start: dice_at_start(&game, &start),
            info: text::info(&game, &code),
            start: Position {
                board: Board::default(),
                last: None,
                throw: None,
                swift: None,
                waiting: false,
            },
            values: super::build::values_by_kind(&game, &start).unwrap_or_default(),
            codes: Codes::of(&game),
            asking: Asking::new(start),
            attacks: Vec::new(),
            swift: None,
            game,
            code,
        };
        kernel.start.board = kernel.board_of(&kernel.asking.start);
        kernel.start.last = general.placed_last();
        kernel.attacks = kernel.attacks_of();
        (kernel.winning, kernel.local) = (kernel.winning_moves(), kernel.local_leaves());
        kernel.swift = Swift::of(&kernel);
        if kernel.swift.is_some() {
            kernel.info.machine = Machine::Swift;
        }
        kernel
    }
}

/// Dice lie where they are.
fn dice_at_start(game: &Compiled, start: &State) -> Vec<(i32, Piece)> {
    let dice = game.containers.iter().filter(|c| matches!(c.kind, ContainerKind::Dice(_)));
    let sites = dice.flat_map(|c| c.first..c.first + c.count);
    sites.map(|site| (site, start.layer(SiteType::Cell).top(site))).collect()
}

/// Sites that make a line, and those that would make it too long.
type Span<const W: usize> = (Bits<W>, Bits<W>);

fn spans<const W: usize>(table: &[Vec<Window>]) -> Vec<Box<[Span<W>]>> {
    let span = |(line, beside): &Window| (bits(line), bits(beside));
    table.iter().map(|windows| windows.iter().map(span).collect()).collect()
}

fn bits<const W: usize>(set: &SiteSet) -> Bits<W> {
    set.iter().fold(Bits::EMPTY, |all, site| all | Bits::one(site as usize))
}

/// A move in parts: what it does and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    deed: u16,
    from: i32,
    to: i32,
    between: i32,
}

impl Step {
    /// The pass of a player who has no move.
    fn pass() -> Self {
        Step { deed: PASS, from: NOWHERE, to: NOWHERE, between: NOWHERE }
    }

    /// The swap of seats.
    fn swap() -> Self {
        Step { deed: SWAP, ..Step::pass() }
    }

    fn packed(self) -> Move {
        let site = |site: i32| u64::from((site + 1) as u16);
        let sites = site(self.from) | site(self.to) << 16 | site(self.between) << 32;
        Move(sites | u64::from(self.deed) << 48)
    }

    fn of(mv: Move) -> Self {
        let site = |at: u32| i32::from((mv.0 >> at) as u16) - 1;
        Step { deed: (mv.0 >> 48) as u16, from: site(0), to: site(16), between: site(32) }
    }
}
