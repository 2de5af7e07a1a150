//! The sign of each kind of piece and of empty sites.

use std::collections::HashSet;

use ludex_game::geometry::{Element, Geometry, SiteId};
use ludex_game::{Piece, Player, View};

use super::Signs;
use super::screen::Ink;
use crate::glyphs::{Chessman, Glyph, Glyphs, stem, word};

/// The signs of a game.
pub(super) struct Marks {
    signs: Signs,
    glyphs: Glyphs,
    /// Letters instead of chessmen and discs, where only some kinds have such a shape.
    letters: Vec<String>,
    /// Whether every player has but one kind of piece.
    plain: bool,
    /// Whether all pieces of players are chessmen or discs: signs and letters are not mixed.
    shapes: bool,
    players: usize,
    /// The sign of each site while it is empty, and whose goal it is.
    ground: Vec<(char, Option<Player>)>,
}

impl Marks {
    /// The signs of all kinds of piece and sites of a game.
    pub fn of(geometry: &Geometry, signs: Signs) -> Marks {
        let glyphs = Glyphs::of(geometry);
        let owners: Vec<Player> = geometry.kinds.iter().filter_map(|kind| kind.owner).collect();
        let plain =
            owners.iter().all(|owner| owners.iter().filter(|other| *other == owner).count() == 1);
        let players = owners.iter().map(|owner| owner.index() + 1).max().unwrap_or(0);
        let shaped =
            |kind: u16| matches!(glyphs.glyph(kind), Glyph::Chess(_) | Glyph::Disc | Glyph::Double);
        let shapes = (0..)
            .zip(&geometry.kinds)
            .filter(|(_, kind)| kind.owner.is_some())
            .all(|(number, _)| shaped(number));
        let letters = letters(geometry);
        let mut marks = Marks {
            signs,
            glyphs,
            letters,
            plain,
            shapes,
            players,
            ground: ground(geometry, signs),
        };
        if marks.are_sown() {
            marks.ground.iter_mut().for_each(|(sign, _)| *sign = '0');
        }
        marks
    }

    /// Whether nothing but seeds is played with.
    pub fn are_sown(&self) -> bool {
        self.players == 0 && self.glyphs.has(&Glyph::Seed)
    }

    /// What an empty site shows.
    pub fn empty(&self, site: SiteId) -> (char, Ink) {
        match self.ground.get(site as usize) {
            Some(&(sign, Some(owner))) => (sign, Ink::Of(owner)),
            Some(&(sign, None)) => (sign, Ink::Faint),
            None => ('.', Ink::Faint),
        }
    }

    /// Whether a site shows nothing but a point of the board.
    pub fn is_point(&self, site: SiteId, text: &str) -> bool {
        let ground = self.ground.get(site as usize);
        ground.is_some_and(|&(sign, owner)| owner.is_none() && sign == '┼' && text == "┼")
    }

    /// What a site shows that a large piece covers without standing on it.
    pub fn covered(&self) -> char {
        if self.signs == Signs::Unicode { '░' } else { '#' }
    }

    /// Whether pieces of this kind are counted and nothing else.
    pub fn is_seed(&self, piece: &Piece) -> bool {
        piece.owner.is_none()
            && piece.kind.is_some_and(|kind| self.glyphs.glyph(kind) == Glyph::Seed)
    }

    /// The sign of a piece.
    pub fn piece(&self, piece: &Piece) -> String {
        let kind = piece.kind.unwrap_or(u16::MAX);
        if self.plain && piece.owner.is_some() {
            return self.disc(piece.owner).to_string();
        }
        let second = piece.owner.is_some_and(|owner| owner.index() == 1);
        match (self.signs, self.glyphs.glyph(kind)) {
            _ if !self.shapes => self.letter(kind, piece.owner),
            (Signs::Unicode, Glyph::Chess(man)) if self.players <= 2 => {
                chessman(man, second).to_string()
            }
            (Signs::Unicode, Glyph::Disc) if piece.owner.is_some() => {
                self.disc(piece.owner).to_string()
            }
            (Signs::Unicode, Glyph::Double) if self.players <= 2 => {
                if second { "◉" } else { "◎" }.to_string()
            }
            _ => self.letter(kind, piece.owner),
        }
    }

    /// A plain piece: every player's has a form of its own.
    fn disc(&self, owner: Option<Player>) -> char {
        const FORMS: [char; 8] = ['○', '●', '△', '▲', '□', '■', '◇', '◆'];
        const PLAIN: [char; 8] = ['X', 'O', 'A', 'B', 'C', 'D', 'E', 'F'];
        let forms = if self.signs == Signs::Unicode { &FORMS } else { &PLAIN };
        owner.map_or('*', |owner| forms[owner.index() % forms.len()])
    }

    /// Capitals for the first of two players, small letters for the second, a number behind for others.
    fn letter(&self, kind: u16, owner: Option<Player>) -> String {
        let letters = self.letters.get(kind as usize).cloned().unwrap_or_else(|| "?".to_string());
        match owner {
            Some(owner) if self.players > 2 => format!("{letters}{}", owner.index() + 1),
            Some(owner) if owner.index() == 1 => letters.to_lowercase(),
            _ => letters,
        }
    }

    /// What the signs mean that are there: kinds of piece, of chessmen only whose they are, and goals.
    pub fn legend(&self, geometry: &Geometry, view: &View) -> Vec<(String, String, Ink)> {
        let mut legend: Vec<(Option<Player>, String, String)> = Vec::new();
        let mut goals: Vec<(Player, char)> = Vec::new();
        for site in 0..geometry.len().min(view.len()) as SiteId {
            for piece in view.stack(site) {
                if let Some(meaning) = self.meaning(geometry, piece) {
                    legend.push((piece.owner, meaning, self.piece(piece)));
                }
            }
            // An empty hole shows how many seeds it has, not whose it is.
            let shows_ground = view.stack(site).is_empty() && !self.are_sown();
            if let (true, Some(&(sign, Some(owner)))) =
                (shows_ground, self.ground.get(site as usize))
            {
                goals.push((owner, sign));
            }
        }
        legend.sort_by_key(|(owner, meaning, _)| {
            (owner.map_or(usize::MAX, Player::index), meaning.clone())
        });
        legend.dedup_by(|a, b| (a.0, &a.1) == (b.0, &b.1));
        goals.sort_unstable();
        goals.dedup();
        let pieces = legend.into_iter().map(|(owner, meaning, sign)| {
            let whose = owner.map_or(String::new(), |owner| format!("{owner} "));
            let ink = owner.map_or(Ink::Plain, Ink::Of);
            (sign, format!("{whose}{meaning}").trim_end().to_string(), ink)
        });
        let goals = goals
            .into_iter()
            .map(|(owner, sign)| (sign.to_string(), format!("region of {owner}"), Ink::Of(owner)));
        pieces.chain(goals).collect()
    }

    /// What a piece is called; nothing where its sign needs no words.
    fn meaning(&self, geometry: &Geometry, piece: &Piece) -> Option<String> {
        let kind = piece.kind?;
        let name = stem(geometry.kinds.get(kind as usize)?);
        if self.is_seed(piece) || word(&name) == "Die" {
            return None;
        }
        let chessman = matches!(self.glyphs.glyph(kind), Glyph::Chess(_));
        let known = self.signs == Signs::Unicode
            && chessman
            && self.shapes
            && self.players <= 2
            && !self.plain;
        Some(if known { String::new() } else { name })
    }
}

fn chessman(man: Chessman, second: bool) -> char {
    let (first, other) = match man {
        Chessman::Pawn => ('♙', '♟'),
        Chessman::Knight => ('♘', '♞'),
        Chessman::Bishop => ('♗', '♝'),
        Chessman::Rook => ('♖', '♜'),
        Chessman::Queen => ('♕', '♛'),
        Chessman::King => ('♔', '♚'),
    };
    if second { other } else { first }
}

/// A letter or two for each kind of piece, the same for all players; knights are `N`, as everywhere.
fn letters(geometry: &Geometry) -> Vec<String> {
    let mut given: Vec<(String, String)> = Vec::new();
    geometry
        .kinds
        .iter()
        .map(|kind| {
            let name = stem(kind);
            if let Some((_, letters)) = given.iter().find(|(other, _)| *other == name) {
                return letters.clone();
            }
            let letters = choose(&name, |text| given.iter().all(|(_, taken)| taken != text));
            given.push((name, letters.clone()));
            letters
        })
        .collect()
}

/// The first letter of a name if it is free, else another of its letters, else two.
fn choose(name: &str, free: impl Fn(&str) -> bool) -> String {
    let letters: Vec<char> = name
        .chars()
        .filter(|sign| sign.is_alphanumeric())
        .map(|sign| sign.to_ascii_uppercase())
        .collect();
    let usual = (name == "Knight").then_some('N');
    let singles = usual.into_iter().chain(letters.iter().copied()).map(String::from);
    let first = letters.first().copied().unwrap_or('?');
    let pairs = letters.iter().skip(1).map(|&second| format!("{first}{second}"));
    let numbers = (1..).map(|number| format!("{first}{number}"));
    singles.chain(pairs).chain(numbers).find(|text| free(text)).unwrap_or_default()
}

/// The sign of each empty site; sites that belong to one player alone show his, unless that is much of the board
/// and more than its sides.
fn ground(geometry: &Geometry, signs: Signs) -> Vec<(char, Option<Player>)> {
    let mut owners: Vec<Vec<Player>> = vec![Vec::new(); geometry.len()];
    let on_sides: HashSet<SiteId> =
        geometry.sides.iter().filter_map(|side| side.sites.as_ref()).flatten().copied().collect();
    for region in &geometry.regions {
        let (Some(owner), Some(sites)) = (region.owner, &region.sites) else { continue };
        if sites.len() > geometry.len() / 4 && !sites.iter().all(|site| on_sides.contains(site)) {
            continue;
        }
        for &site in sites {
            let list = &mut owners[site as usize];
            if !list.contains(&owner) {
                list.push(owner);
            }
        }
    }
    let sign = |element: Element| match (signs, element) {
        (Signs::Unicode, Element::Vertex) => '┼',
        (Signs::Unicode, _) => '·',
        (Signs::Ascii, Element::Vertex) => '+',
        (Signs::Ascii, _) => '.',
    };
    let goal = |owner: Player| {
        let signs: [char; 4] =
            if signs == Signs::Unicode { ['¹', '²', '³', '⁴'] } else { [',', ';', ':', '~'] };
        signs[owner.index() % signs.len()]
    };
    let of = |(site, owners): (&ludex_game::geometry::Site, Vec<Player>)| match owners[..] {
        [owner] => (goal(owner), Some(owner)),
        _ => (sign(site.element), None),
    };
    geometry.sites.iter().zip(owners).map(of).collect()
}
