//! A compiled game: equipment, board tables and rules, immutable and shared.

use super::eval::Reach;
use super::ir::{EndRule, Int, Moves, Phase, Region, Repetition, Start, Turn};
use super::memo::Memo;
use super::places::Places;
use super::recall::Recall;
use super::sites::SiteSet;
use super::state::State;
use super::topo::{Dir, SiteType, Topology};

/// A kind of piece (or die).
#[derive(Clone, Debug, Default)]
pub struct Component {
    /// Its name, with the owner's number.
    pub name: Box<str>,
    /// Whose it is; 0: nobody's, one more than the players: everybody's.
    pub owner: i32,
    /// The way it faces.
    pub facing: Option<Dir>,
    /// Its moves.
    pub moves: Option<Moves>,
    /// Where those can end at most.
    pub reach: Memo<Reach>,
    /// The two states it flips between.
    pub flips: Option<(i32, i32)>,
    /// Faces of a die.
    pub faces: Vec<i32>,
    /// It is a tile.
    pub tile: Option<Box<Tile>>,
    /// It is a card.
    pub card: Option<Card>,
    /// The pips of its two halves, for a domino.
    pub pips: Option<[i32; 2]>,
    /// The walks over the cells that a large piece covers.
    pub walks: Vec<Vec<Turn>>,
}

impl Component {
    /// Whether it covers several cells.
    pub fn is_large(&self) -> bool {
        !self.walks.is_empty()
    }
}

/// What a card is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// Its suit, from 1.
    pub suit: i32,
    /// Its rank.
    pub rank: i32,
    /// Its rank as trump.
    pub trump_rank: i32,
    /// Its value as trump.
    pub trump_value: i32,
}

/// A tile: what its sides show.
#[derive(Clone, Debug, Default)]
pub struct Tile {
    /// How many places each side has where paths may end; empty: so many on every side.
    pub slots: Vec<usize>,
    /// The same for all sides.
    pub slots_each: usize,
    /// The paths that cross it.
    pub paths: Vec<TilePath>,
}

/// A coloured path across a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TilePath {
    /// The sides where it ends.
    pub sides: [usize; 2],
    /// The places on those sides.
    pub slots: [usize; 2],
    /// Its colour.
    pub colour: i32,
}

/// A board, a hand or a set of dice.
#[derive(Clone, Debug)]
pub struct Container {
    /// Its name.
    pub name: Box<str>,
    /// Its first site.
    pub first: i32,
    /// How many sites.
    pub count: i32,
    /// Whose it is.
    pub owner: i32,
    /// What it is.
    pub kind: ContainerKind,
}

/// Kinds of container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerKind {
    /// The board.
    Board,
    /// A hand.
    Hand,
    /// Dice, by number of the set.
    Dice(usize),
    /// A pile of cards: its first kind of card, and how many there are.
    Deck {
        /// The number of the first card among the components.
        first: u16,
        /// How many cards it has.
        count: u16,
    },
}

/// A path over the board.
#[derive(Clone, Debug)]
pub struct Track {
    /// Its name.
    pub name: Box<str>,
    /// Whose it is; 0: everybody's.
    pub owner: i32,
    /// Its sites in order (`-2` for the end).
    pub sites: Vec<i32>,
    /// The end leads back to the start.
    pub looped: bool,
    /// Turns made before each place, for tracks around corners.
    pub bumps: Vec<i32>,
    /// The first place of every site.
    pub first: Memo<Vec<u32>>,
    /// Its sites as a set.
    pub set: Memo<SiteSet>,
}

impl Track {
    /// The first place of a site on the track, or its length.
    #[inline]
    pub fn place(&self, site: i32) -> usize {
        let first = self.first.get(|| {
            let most = self.sites.iter().copied().max().unwrap_or(-1);
            let place = |site: i32| self.sites.iter().position(|&s| s == site);
            (0..=most).map(|site| place(site).unwrap_or(self.sites.len()) as u32).collect()
        });
        match first.get(site as usize) {
            Some(&place) => place as usize,
            None if site >= 0 => self.sites.len(),
            None => self.sites.iter().position(|&s| s == site).unwrap_or(self.sites.len()),
        }
    }

    /// The site so many places from the start, once round and on where the end leads there, or `-1`.
    pub fn site_at(&self, mut at: i32) -> i32 {
        let length = self.sites.len() as i32;
        if at < length {
            return self.sites.get(at.max(0) as usize).copied().unwrap_or(-1);
        }
        if length > 0 && self.next(length as usize - 1) != -1 {
            loop {
                at -= length;
                if at == 0 {
                    return self.next(length as usize - 1);
                }
                if at - 1 < length {
                    return self.next(at as usize - 1);
                }
            }
        }
        -1
    }

    /// The site after a place on the track, or `-1`.
    pub fn next(&self, index: usize) -> i32 {
        match self.sites.get(index + 1) {
            Some(&site) => site,
            None if self.looped => self.sites.first().copied().unwrap_or(-1),
            None => -1,
        }
    }
}

/// A named region of the equipment.
#[derive(Clone, Debug)]
pub struct EquipmentRegion {
    /// Its name.
    pub name: Box<str>,
    /// Whose it is.
    pub owner: i32,
    /// Its parts.
    pub parts: Vec<Region>,
    /// It is one list of sites rather than functions.
    pub plain: bool,
    /// How many regions it is made of that are not known before play, itself included.
    pub uses: usize,
    /// It is drawn at random, once for the game.
    pub random: bool,
    /// What was drawn.
    pub drawn: crate::memo::Memo<crate::sites::SiteSet>,
}

impl EquipmentRegion {
    /// Whether it is one of a player's regions whose name has this part.
    pub fn is_meant(&self, player: i32, name: Option<&str>) -> bool {
        self.owner == player && name.is_none_or(|name| self.name.contains(name))
    }
}

/// A map of the equipment.
#[derive(Clone, Debug)]
pub struct EquipmentMap {
    /// Its name.
    pub name: Box<str>,
    /// Pairs of key and value.
    pub pairs: Vec<(i32, i32)>,
}

/// Rules about rules.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// The second player may take the first player's place.
    pub swap: bool,
    /// Positions that may not come back.
    pub no_repeat: Option<Repetition>,
    /// Nobody may make a move that loses at once.
    pub no_suicide: bool,
    /// A piece that carries several others stays.
    pub pin: bool,
    /// A piece does not move onto what it helps to carry.
    pub no_stack_on: bool,
    /// Balls of a pyramid with nothing below them fall.
    pub gravity: bool,
    /// Moves that are the only ones at their site are made at once.
    pub automove: bool,
    /// What follows when all pass.
    pub pass_end_draw: bool,
    /// Passing never ends the game.
    pub pass_no_end: bool,
}

impl Meta {
    /// Whether it adds moves to those of the rules, forbids some of them or makes more of them.
    pub fn judges_moves(&self) -> bool {
        self.swap
            || self.no_repeat.is_some()
            || self.no_suicide
            || self.pin
            || self.no_stack_on
            || self.gravity
            || self.automove
    }
}

/// How players take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One after the other.
    Alternating,
    /// All at once.
    Simultaneous,
    /// Nobody plays: what happens follows from the position.
    Simulation,
}

/// A game of a match.
#[derive(Debug)]
pub struct Subgame {
    /// Its rules.
    pub game: Compiled,
    /// Which game follows, by place; nothing: the next one.
    pub next: Option<Int>,
    /// What its winners score, in its own terms; nothing: by their rank.
    pub result: Option<Int>,
}

/// A compiled game.
#[derive(Debug)]
pub struct Compiled {
    /// Its name.
    pub name: Box<str>,
    /// How many play.
    pub players: i32,
    /// Facing of each player.
    pub player_facing: Vec<Option<Dir>>,
    /// The board.
    pub topo: Topology,
    /// Components; the first is none.
    pub components: Vec<Component>,
    /// Containers; the first is the board.
    pub containers: Vec<Container>,
    /// Container of every cell number.
    pub container_of: Vec<u8>,
    /// Tracks.
    pub tracks: Vec<Track>,
    /// Some track visits a site twice.
    pub inner_loops: bool,
    /// Regions.
    pub regions: Vec<EquipmentRegion>,
    /// Maps.
    pub maps: Vec<EquipmentMap>,
    /// Names of variables.
    pub vars: Vec<Box<str>>,
    /// Texts of proposals.
    pub texts: Vec<Box<str>>,
    /// What follows moves.
    pub consequences: Vec<Moves>,
    /// Of these, what follows only when all players have moved who move at once.
    pub late: Vec<u32>,
    /// Starting rules.
    pub start: Vec<Start>,
    /// Phases; at least one.
    pub phases: Vec<Phase>,
    /// End rules.
    pub end: Vec<EndRule>,
    /// Rules about rules.
    pub meta: Meta,
    /// Turn taking.
    pub mode: Mode,
    /// The board stands for a table without an edge.
    pub boardless: bool,
    /// Dominoes are put along the line of those that lie.
    pub line_of_play: bool,
    /// Sites hold stacks.
    pub stacking: bool,
    /// The stacks have no limit, and pieces leave nothing behind.
    pub large_stacks: bool,
    /// Sites hold several of a piece.
    pub counts: bool,
    /// Rules ask for visited sites.
    pub visited: bool,
    /// Rules ask for cycles.
    pub cycles: bool,
    /// Pieces are taken at the end of a turn.
    pub sequence_capture: bool,
    /// What a deduction puzzle gives.
    pub clues: Vec<crate::puzzle::Clue>,
    /// What a deduction puzzle asks for.
    pub puzzle: Option<Box<crate::puzzle::Puzzle>>,
    /// Which positions are kept, for rules that forbid or ask for repetitions.
    pub history: Option<Repetition>,
    /// Rules ask where every change of the last move ended.
    pub asks_ends: bool,
    /// Rules ask where the first move of the turn started.
    pub asks_turn_from: bool,
    /// Teams are set.
    pub teams: bool,
    /// Rules let moves depend on hidden data.
    pub hides: bool,
    /// All passing ends the game as a draw.
    pub all_pass_ends: bool,
    /// The game rolls dice or draws at random.
    pub chance: bool,
    /// Rules count the legal moves: what follows a move asks how many there were when it was made.
    pub counts_legal: bool,
    /// The rules draw at random other than by dice.
    pub random: bool,
    /// Dice are also thrown as a consequence of moves.
    pub rolls_later: bool,
    /// Turn limit per player.
    pub max_turns: i32,
    /// Move limit.
    pub max_moves: i32,
    /// Largest number of pieces on a site.
    pub max_count: i32,
    /// Number of rotations.
    pub rotations: i32,
    /// Faces shown by sets of dice: owner by set.
    pub dice_owners: Vec<i32>,
    /// Kinds of site the rules speak of (vertex, edge, cell).
    pub used: [bool; 3],
    /// Kept for rules about loops: the board's outer sites of the default kind.
    pub outer: SiteSet,
    /// Some piece covers several cells.
    pub large_pieces: bool,
    /// The games of a match, which has no board of its own; none: this is a game.
    pub subgames: Vec<Subgame>,
    /// Rules keep scores.
    pub scores: bool,
    /// The numbers of its sites and its geometry.
    pub(crate) places: Memo<Places>,
    /// What of the past the rules look back at.
    pub(crate) recall: Memo<Recall>,
    /// The components of every owner, from nobody's to everybody's.
    pub(crate) kinds: Memo<Vec<Vec<u16>>>,
    /// What is worth knowing about the description.
    pub warnings: Vec<ludex_lang::diagnostic::Diagnostic>,
}

impl Compiled {
    /// Whether it is a match: games played one after the other.
    pub fn is_match(&self) -> bool {
        !self.subgames.is_empty()
    }

    /// Whether regions of the equipment are drawn at random: once, when the rules are read.
    pub fn draws_regions(&self) -> bool {
        self.regions.iter().any(|region| region.random)
    }

    /// The rules that a position is played by: those of the game at hand in a match.
    pub fn playing<'a>(&'a self, state: &'a State) -> (&'a Compiled, &'a State) {
        match &state.instance {
            Some(instance) => self.subgames[instance.place].game.playing(&instance.state),
            None => (self, state),
        }
    }

    /// The numbers of its sites and its geometry; in a match, those of all games.
    pub fn places(&self) -> &Places {
        self.places.get(|| Places::of(self))
    }

    /// What of the past the rules look back at.
    pub fn recall(&self) -> Recall {
        *self.recall.get(|| Recall::of(self))
    }

    /// One more than the largest key of all maps, as far as they are small numbers.
    pub fn map_keys(&self) -> i32 {
        let keys = self.maps.iter().flat_map(|map| &map.pairs).map(|&(key, _)| key);
        keys.filter(|&key| key < 4096).max().map_or(0, |most| most + 1)
    }

    /// Whether a number stands for a piece, or for none (0). One that does not is never placed, in no form
    /// of the game.
    pub fn has_piece(&self, what: i32) -> bool {
        usize::try_from(what).is_ok_and(|what| what < self.components.len())
    }

    /// Whether there are dice.
    pub fn has_dice(&self) -> bool {
        self.containers.iter().any(|c| matches!(c.kind, ContainerKind::Dice(_)))
    }

    /// The deck that cards are dealt from.
    pub fn deck(&self) -> Option<&Container> {
        self.containers.iter().find(|c| matches!(c.kind, ContainerKind::Deck { .. }))
    }

    /// The first sites of the players' hands, where there is one for each.
    pub fn hands(&self) -> Option<Vec<i32>> {
        let hands = self.containers.iter().filter(|c| c.kind == ContainerKind::Hand);
        let hands: Vec<i32> = hands.map(|hand| hand.first).collect();
        (hands.len() == self.players as usize && !hands.is_empty()).then_some(hands)
    }

    /// Owner of a component.
    #[inline]
    pub fn owner(&self, what: u16) -> i32 {
        self.components.get(what as usize).map_or(0, |c| c.owner)
    }

    /// The components of an owner in order.
    #[inline]
    pub fn kinds_of(&self, owner: i32) -> &[u16] {
        let kinds = self.kinds.get(|| {
            let of = |owner: i32| {
                let all = (0..).zip(&self.components);
                all.filter(|(_, c)| c.owner == owner).map(|(what, _)| what).collect()
            };
            (0..=self.players + 1).map(of).collect()
        });
        kinds.get(owner as usize).map_or(&[], Vec::as_slice)
    }

    /// Kind of a site number: beyond the board everything is a cell.
    #[inline]
    pub fn kind_at(&self, kind: Option<SiteType>, site: i32) -> SiteType {
        let kind = kind.unwrap_or(self.topo.default);
        if kind != SiteType::Cell && site >= self.topo.count(kind) as i32 {
            SiteType::Cell
        } else {
            kind
        }
    }

    /// The container a site number belongs to.
    #[inline]
    pub fn container(&self, site: i32) -> usize {
        self.container_of.get(site as usize).map_or(0, |&container| container as usize)
    }

    /// Index of the component with this very name.
    pub fn component(&self, name: &str) -> Option<u16> {
        let at = self.components.iter().position(|c| &*c.name == name)?;
        u16::try_from(at).ok()
    }

    /// Number of sites of the default kind on the board.
    pub fn board_sites(&self) -> usize {
        self.topo.count(self.topo.default)
    }
}
