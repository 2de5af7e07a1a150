//! A position as text: the same board that the pictures show, for terminals.
//!
//! Sites keep their places to each other: rows of hexagons are shifted by half a site, points are joined by the
//! board's lines. Layers of a board stand below each other.

mod lanes;
mod marks;
mod screen;

use ludex_game::geometry::{ContainerKind, Geometry, SiteId};
use ludex_game::{Ends, Hidden, MoveKind, Piece, Player, View};

use self::lanes::{Lines, Plan};
use self::marks::Marks;
pub use self::screen::{Ink, Screen};

/// Which signs the terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signs {
    /// Chessmen, discs, lines.
    Unicode,
    /// Nothing but ASCII.
    Ascii,
}

/// A whole position: boards, hands, dice, scores, and what the signs mean.
pub fn text(geometry: &Geometry, view: &View, last: Option<Ends>, signs: Signs) -> Screen {
    let picture = Picture { geometry, view, last, marks: Marks::of(geometry, signs), signs };
    let mut screen = Screen::default();
    let containers = || (0..).zip(&geometry.containers);
    for (index, container) in containers() {
        if container.kind == ContainerKind::Board {
            screen.below(picture.board(index));
        }
    }
    for (index, container) in containers() {
        match container.kind {
            ContainerKind::Board => {}
            ContainerKind::Hand => screen.below(picture.hand(index)),
            ContainerKind::Dice => screen.below(picture.dice(index)),
        }
    }
    screen.below(picture.scores());
    screen.below(picture.legend());
    screen
}

/// One position on its way to the screen.
struct Picture<'a> {
    geometry: &'a Geometry,
    view: &'a View,
    last: Option<Ends>,
    marks: Marks,
    signs: Signs,
}

impl Picture<'_> {
    /// A board with its labels, layer by layer.
    fn board(&self, container: u16) -> Screen {
        let mut screen = Screen::default();
        let texts: Vec<(SiteId, String, Ink)> =
            self.geometry.sites_of(container).map(|site| self.site(site)).collect();
        let widest = texts.iter().map(|(_, text, _)| text.chars().count()).max().unwrap_or(1);
        let lines = match self.signs == Signs::Unicode && !self.marks.are_sown() {
            true => Lines::Drawn,
            false => Lines::None,
        };
        for layer in lanes::layers(self.geometry, container) {
            let plan = Plan::new(self.geometry, &layer, widest, lines);
            let mut board = Screen::default();
            if lines == Lines::Drawn {
                plan.lines(self.geometry, &mut board);
            }
            for &site in &layer {
                let Some((_, text, ink)) = texts.iter().find(|(other, ..)| *other == site) else {
                    continue;
                };
                let (row, column) = plan.at(site);
                let width = text.chars().count();
                // An empty point is shown as lines meet there, where lines are drawn.
                if !(self.marks.is_point(site, text) && board.has(row, column)) {
                    board.write(row, column, text, *ink);
                }
                if let Some([open, close]) = self.brackets(site) {
                    board.write(row, column.saturating_sub(1), open, Ink::Marked);
                    board.write(row, column + width, close, Ink::Marked);
                }
            }
            screen.below(plan.labelled(self.geometry, board));
        }
        screen
    }

    /// What stands on a site, and in whose colour.
    fn site(&self, site: SiteId) -> (SiteId, String, Ink) {
        let stack = self.view.stack(site);
        let Some(top) = stack.last() else {
            let (sign, ink) = self.marks.empty(site);
            return (site, sign.to_string(), ink);
        };
        let ink = top.owner.map_or(Ink::Plain, Ink::Of);
        let height = if stack.len() > 1 { stack.len() as u32 } else { top.count };
        let sign = self.sign(top);
        let text = match height {
            _ if top.root != site => self.marks.covered().to_string(),
            _ if self.marks.is_seed(top) => height.to_string(),
            0 | 1 => sign,
            _ => format!("{sign}{height}"),
        };
        (site, text, ink)
    }

    fn sign(&self, piece: &Piece) -> String {
        if piece.hidden.has(Hidden::KIND) || piece.kind.is_none() {
            return "?".to_string();
        }
        let sign = self.marks.piece(piece);
        if piece.value != 0 && !piece.hidden.has(Hidden::VALUE) {
            return format!("{sign}{}", piece.value);
        }
        sign
    }

    /// What the last move touched is bracketed.
    fn brackets(&self, site: SiteId) -> Option<[&'static str; 2]> {
        let last =
            self.last.filter(|last| !matches!(last.kind, MoveKind::Roll | MoveKind::Pass))?;
        if last.to == Some(site) {
            return Some(["[", "]"]);
        }
        (last.from == Some(site)).then_some(["(", ")"])
    }

    /// What waits beside the board, in one line; nothing where the hand is empty.
    fn hand(&self, container: u16) -> Screen {
        let mut screen = Screen::default();
        let owner = self.geometry.containers[container as usize].owner;
        let held: Vec<(SiteId, String, Ink)> = self
            .geometry
            .sites_of(container)
            .filter(|&site| !self.view.stack(site).is_empty())
            .map(|site| self.site(site))
            .collect();
        if held.is_empty() {
            return screen;
        }
        let whose = owner.map_or("all".to_string(), |player| player.to_string());
        let mut column = screen.write(0, 0, &format!("In hand, {whose}:"), Ink::Faint);
        for (_, text, ink) in held {
            column = screen.write(0, column + 1, &text, ink);
        }
        screen
    }

    fn dice(&self, container: u16) -> Screen {
        let mut screen = Screen::default();
        let shown: Vec<String> = self
            .geometry
            .sites_of(container)
            .filter_map(|site| self.view.top(site))
            .map(|die| die.value.to_string())
            .collect();
        if !shown.is_empty() {
            screen.write(0, 0, &format!("Dice: {}", shown.join(" ")), Ink::Plain);
        }
        screen
    }

    fn scores(&self) -> Screen {
        let mut screen = Screen::default();
        let scores = (0..).map(Player).zip(&self.view.scores);
        let scores: Vec<String> =
            scores.map(|(player, score)| format!("{player} {score}")).collect();
        if !scores.is_empty() {
            screen.write(0, 0, &format!("Score: {}", scores.join(", ")), Ink::Plain);
        }
        screen
    }

    /// What the signs on the board mean.
    fn legend(&self) -> Screen {
        let mut screen = Screen::default();
        let mut column = 0;
        for (sign, meaning, ink) in self.marks.legend(self.geometry, self.view) {
            let (row, start) = match column {
                0 => (screen.height().saturating_sub(1), 0),
                _ if column + sign.chars().count() + meaning.chars().count() > 76 => {
                    (screen.height(), 0)
                }
                _ => (screen.height() - 1, column + 3),
            };
            let after = screen.write(row, start, &sign, ink);
            column = screen.write(row, after + 1, &meaning, Ink::Faint);
        }
        screen
    }
}
