//! The board that can be read off the facts of a game.
//!
//! GDL knows nothing of boards, but most descriptions have facts such as `(cell 3 4 white)`: two places of the
//! fact are coordinates (their words are ordered by a relation, or plainly numbers or letters), the rest
//! says what is there. `coordinates` finds such facts, `meaning` what their words mean. Where rules are not so
//! plain there is no geometry.

mod coordinates;
mod meaning;

use coordinates::Board;
use ludex_game::geometry::PieceKind;
use ludex_game::{Ends, Geometry, MoveKind, Piece, Player, SiteId, View};
use ludex_lang::kif::Name;

use super::program::Prepared;
use super::seats::Seats;
use super::terms::TermId;

/// What is known of a game when its board is looked for.
pub struct Evidence<'a> {
    /// All facts that positions may have.
    pub facts: &'a [Term],
    /// Which of them are true at the start.
    pub initially: &'a [bool],
    /// All moves of each role.
    pub moves: &'a [Vec<Term>],
    /// Pairs of words in a relation that never changes: one may be the successor relation.
    pub relations: &'a [Vec<(String, String)>],
    /// The roles.
    pub seats: &'a Seats,
}

/// A term as a list of words: its name, then those of its arguments, brackets left out.
pub type Term = Vec<String>;

/// The words of a term's text.
pub fn words(text: &str) -> Term {
    let split = |letter: char| letter == '(' || letter == ')' || letter.is_whitespace();
    text.split(split).filter(|word| !word.is_empty()).map(str::to_string).collect()
}

/// The pairs of every relation that never changes and has two places.
pub fn relations(prepared: &Prepared) -> Vec<Vec<(String, String)>> {
    let (store, names) = (&prepared.store, &prepared.names);
    let pair = |atom: &TermId| match *store.terms.args(*atom) {
        [one, other] => Some((store.terms.text(names, one), store.terms.text(names, other))),
        _ => None,
    };
    let all = (0..names.len() as u32).map(|name| store.facts(Name(name)));
    let short = all.filter(|facts| (1..MOST_PAIRS).contains(&facts.len()));
    short.filter_map(|facts| facts.iter().map(pair).collect()).collect()
}

/// A relation of more pairs orders no coordinates.
const MOST_PAIRS: usize = 1000;

/// Where a game is played, what each fact says of a site, and where each move starts and ends.
#[derive(Debug)]
pub struct Sites {
    geometry: Geometry,
    /// The site and kind of piece that a fact puts there.
    facts: Vec<Option<(SiteId, u16)>>,
    /// The facts that put a piece somewhere.
    pieces: Vec<u64>,
    /// Those that put a player's piece somewhere.
    owned: Vec<Vec<u64>>,
    /// Moves by role, as far as their words tell.
    moves: Vec<Vec<Ends>>,
}

impl Sites {
    /// Finds the board, if the facts show one.
    pub fn infer(evidence: &Evidence<'_>) -> Option<Sites> {
        let board = Board::find(evidence)?;
        let contents = meaning::contents(&board, evidence);
        let mut geometry = board.geometry();
        geometry.kinds = contents.kinds;
        let moves = evidence
            .moves
            .iter()
            .map(|moves| moves.iter().map(|action| decided(&board, action)).collect::<Vec<Ends>>());
        let mut sites = Sites {
            facts: contents.facts,
            pieces: Vec::new(),
            owned: Vec::new(),
            moves: moves.collect(),
            geometry,
        };
        sites.mark(evidence.seats.players());
        Some(sites)
    }

    /// Notes which facts are pieces, and whose.
    fn mark(&mut self, players: usize) {
        let words = self.facts.len().div_ceil(64);
        self.pieces = vec![0; words];
        self.owned = vec![vec![0; words]; players];
        for (at, fact) in self.facts.iter().enumerate() {
            let Some((_, kind)) = *fact else { continue };
            let bit = 1 << (at % 64);
            self.pieces[at / 64] |= bit;
            if let Some(player) = self.geometry.kinds[kind as usize].owner {
                self.owned[player.index()][at / 64] |= bit;
            }
        }
    }

    /// Kinds of piece whose owner is not known.
    pub fn has_strangers(&self) -> bool {
        self.geometry.kinds.iter().any(|kind| kind.owner.is_none())
    }

    /// Gives kinds of piece to the players who brought them to the board, where nobody else ever did.
    /// `brought` counts for each kind and player.
    pub fn give(&mut self, brought: &[Vec<u32>]) {
        for (kind, by) in self.geometry.kinds.iter_mut().zip(brought) {
            if let Some(player) = meaning::only_one(by).filter(|_| kind.owner.is_none()) {
                kind.owner = Some(player);
            }
        }
        self.mark(self.owned.len());
    }

    /// The kinds of piece that facts put down which were not true before.
    pub fn appeared<'a>(
        &'a self,
        before: &'a [u64],
        after: &'a [u64],
    ) -> impl Iterator<Item = (SiteId, u16)> + 'a {
        let new = before.iter().zip(after).zip(&self.pieces);
        let new = new.map(|((before, after), pieces)| after & !before & pieces);
        let bits = (0..).zip(new).flat_map(|(at, word): (usize, u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        });
        bits.filter_map(|fact| self.facts[fact])
    }

    /// The geometry.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Writes the view of a position with these facts.
    pub fn write(&self, facts: impl Iterator<Item = usize>, out: &mut View) {
        out.reset(&self.geometry, self.owned.len());
        for (site, kind) in facts.filter_map(|fact| self.facts[fact]) {
            out.put(site, Piece::plain(kind, self.geometry.kinds[kind as usize].owner, site));
        }
    }

    /// A move as far as its words tell.
    pub fn decided(&self, role: usize, action: usize) -> Ends {
        self.moves.get(role).and_then(|moves| moves.get(action)).copied().unwrap_or_default()
    }

    /// A move that a player made, given the facts before and after it. A move whose words name no site may
    /// still show where it ended: a piece came there.
    pub fn made(&self, decided: Ends, player: Player, before: &[u64], after: &[u64]) -> Ends {
        match decided {
            Ends { from: Some(_), to: Some(_), .. } => {
                let takes = self.takes(player, before, after, 0);
                Ends { kind: if takes { MoveKind::Capture } else { MoveKind::Move }, ..decided }
            }
            Ends { from: None, to: Some(to), .. } => {
                let placed = self.appeared(before, after).any(|(site, _)| site == to);
                let takes = placed && self.takes(player, before, after, 1);
                let kind = match (takes, placed) {
                    (true, _) => MoveKind::Capture,
                    (false, true) => MoveKind::Place,
                    (false, false) => MoveKind::Other,
                };
                Ends { kind, ..decided }
            }
            Ends { kind: MoveKind::Other, .. } => {
                let mut new = self.appeared(before, after).map(|(site, _)| site);
                match (new.next(), new.next()) {
                    (Some(to), None) => Ends::at(to, MoveKind::Place),
                    _ => decided,
                }
            }
            _ => decided,
        }
    }

    /// Whether pieces that are not the player's are fewer after a move that placed so many, and not for having
    /// changed hands.
    fn takes(&self, player: Player, before: &[u64], after: &[u64], placed: u32) -> bool {
        let count = |facts: &[u64], of: &[u64]| -> u32 {
            facts.iter().zip(of).map(|(facts, of)| (facts & of).count_ones()).sum()
        };
        let own = &self.owned[player.index()];
        let (all, left) = (count(before, &self.pieces), count(after, &self.pieces));
        left - count(after, own) < all - count(before, own) && left < all + placed
    }
}

/// A move as far as its words tell: the first and the last site that they name.
fn decided(board: &Board, action: &Term) -> Ends {
    if let [only] = action.as_slice()
        && ["noop", "pass", "skip", "wait", "nothing"].contains(&only.to_lowercase().as_str())
    {
        return Ends::nowhere(MoveKind::Pass);
    }
    let sites = board.sites_named(&action[1.min(action.len())..]);
    match (sites.first(), sites.last()) {
        (Some(&from), Some(&to)) if from != to => Ends::between(from, to, MoveKind::Move),
        (_, Some(&to)) => Ends::at(to, MoveKind::Place),
        _ => Ends::default(),
    }
}

/// What a piece is called: its words, `white rook`.
fn kind(words: &[&str], owner: Option<Player>) -> PieceKind {
    PieceKind { name: words.join(" "), owner }
}
