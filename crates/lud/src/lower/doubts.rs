//! What can be played and was hardly meant so: each is told once.

use super::{Args, Lower};
use crate::game::{Container, ContainerKind};
use crate::ir::{Int, PlaceAt, Region};
use crate::topo::{Dir, SiteType};
use ludex_lang::diagnostic::Diagnostic;
use ludex_lang::lud::check::{Argument, Call, Place, Value, located};
use ludex_lang::lud::closest;
use ludex_lang::lud::tree::{Expansions, Node};

/// What is worth knowing about a description. What stands in a define is told once, however often it is used.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    all: Vec<(Diagnostic, Vec<u32>)>,
}

impl Warnings {
    /// Keeps a warning about a place that some use of a define brought there.
    fn add(&mut self, warning: Diagnostic, via: u32, expansions: &Expansions) {
        let same = |known: &Diagnostic| {
            known.message == warning.message && known.primary.span == warning.primary.span
        };
        match self.all.iter_mut().find(|(known, _)| same(known)) {
            Some((_, uses)) if uses.contains(&via) => {}
            Some((_, uses)) => uses.push(via),
            None => self.all.push((located(warning, via, expansions), vec![via])),
        }
    }

    /// All that was kept.
    pub(super) fn take(&mut self) -> Vec<Diagnostic> {
        let told = |(warning, uses): (Diagnostic, Vec<u32>)| match uses.len() - 1 {
            0 => warning,
            1 => warning.label("and in one more use"),
            more => warning.label(format!("and in {more} more uses")),
        };
        std::mem::take(&mut self.all).into_iter().map(told).collect()
    }
}

/// A line that rules ask for, and the longest that the board has.
#[derive(Debug)]
pub(super) struct LongLine {
    place: Place,
    length: i32,
    longest: usize,
}

impl Lower<'_> {
    /// Something worth knowing about the description, which can be played all the same.
    pub fn warn(&mut self, place: Place, message: String, help: Option<String>) {
        let mut diagnostic = Diagnostic::warning(message, place.span);
        diagnostic.help = help;
        self.warnings.add(diagnostic, place.via, self.expansions);
    }

    /// What was found odd before lowering.
    pub(super) fn doubted(&mut self, warnings: &[Diagnostic]) {
        for warning in warnings {
            self.warnings.add(warning.clone(), 0, self.expansions);
        }
    }

    // Sites that are not there.

    /// The kinds of site that the description speaks of.
    pub(super) fn kinds_known(&mut self, text: &Node) {
        let default = self.topo.default;
        self.kinds = [SiteType::Vertex, SiteType::Edge, SiteType::Cell]
            .into_iter()
            .filter(|kind| *kind == default || super::end::mentions(text, kind.name()))
            .collect();
    }

    /// Whether there is a site of a number: of a kind, or else of any kind that the description speaks of, or in a hand.
    fn is_site(&self, kind: Option<SiteType>, site: i32) -> bool {
        let of = |kind: &SiteType| (0..self.topo.count(*kind) as i32).contains(&site);
        let on_board = kind.map_or_else(|| self.kinds.iter().any(of), |kind| of(&kind));
        on_board
            || self.containers.iter().skip(1).any(|c| (c.first..c.first + c.count).contains(&site))
    }

    /// Plain numbers that are no sites.
    pub(super) fn sites_known(&mut self, items: &[Argument]) {
        let number = |item: &Argument| match item.value {
            // `Off` and `End` are no slips.
            Value::Int(site) if site != -1 && site != -2 => Some((item.place, site)),
            _ => None,
        };
        for (place, site) in items.iter().filter_map(number) {
            if !self.is_site(None, site) {
                self.warn(place, format!("the board has no site {site}"), None);
            }
        }
    }

    /// Sites of tracks, as far as they are plain numbers.
    pub(super) fn tracks_known(&mut self, items: &[&Argument]) {
        for item in items {
            let Value::Call(board) = &item.value else { continue };
            let args = Args::new(board);
            let several = self.items(&args, "tracks").iter();
            for track in several.chain(args.get("track")) {
                if let Value::Call(track) = &track.value {
                    let track = Args::new(track);
                    self.sites_known(self.items(&track, "track"));
                    let steps = self.text(&track, "trackDirection").unwrap_or_default();
                    let numbers = steps.split(',').filter_map(|step| step.trim().parse().ok());
                    for site in numbers.filter(|site: &i32| *site >= 0) {
                        if !self.is_site(None, site) {
                            let message = format!("the board has no site {site}");
                            self.warn(track.call.place, message, None);
                        }
                    }
                }
            }
        }
    }

    /// The first site, as far as sites are plain numbers, where nothing can be placed.
    pub(super) fn off_board(&self, kind: SiteType, at: &PlaceAt) -> Option<i32> {
        let off = |site: i32| (!self.is_site(Some(kind), site)).then_some(site);
        let of = |site: &Int| match site {
            Int::Const(site) => off(*site),
            _ => None,
        };
        match at {
            PlaceAt::Site(site) => of(site),
            PlaceAt::Sites(sites) => sites.iter().find_map(of),
            PlaceAt::Region(Region::List(sites)) => sites.iter().find_map(of),
            PlaceAt::Region(Region::Const(set)) => set.iter().find_map(off),
            _ => None,
        }
    }

    /// Outlines with points that are none, which cut nothing out of a board, and cells to remove that it never had.
    pub(super) fn board_doubted(&mut self, board: &Node, via: u32) {
        let pair = |point: &Node| point.children().len() >= 2;
        let cut = matches!(board.head(), Some("clip" | "hole" | "keep"));
        for outline in board.children().iter().filter(|child| cut && child.head() == Some("poly")) {
            let points = outline.children().iter().skip(1).flat_map(Node::children);
            if let Some(point) = points.into_iter().find(|point| !pair(point)) {
                let message = "a point has two or three coordinates: this outline means nothing";
                self.warn(Place { span: point.span, via }, message.into(), None);
            }
        }
        board.children().iter().for_each(|child| self.board_doubted(child, via));
    }

    // Equipment that is not there.

    /// What rules ask of equipment that the game has not.
    pub(super) fn equipment_asked(&mut self) {
        let dice = self.components.iter().any(|piece| !piece.faces.is_empty());
        if let (Some(place), false) = (self.pips, dice) {
            self.warn(place, "this game has no dice".into(), None);
        }
        let dice = |c: &Container| matches!(c.kind, ContainerKind::Dice(_));
        let hands = self.containers.iter().skip(1).any(|c| !dice(c));
        if let (Some(place), false) = (self.hand, hands) {
            let help = "`(hand Each)` in the equipment gives every player one".into();
            self.warn(place, "nobody has a hand".into(), Some(help));
        }
        if let (Some(place), true) = (self.owned_region, self.regions.is_empty()) {
            let help = "`(regions P1 …)` in the equipment gives a player one".into();
            self.warn(place, "no player has a region".into(), Some(help));
        }
    }

    // Sites where others belong.

    /// A site where a player is asked about: numbers are numbers to the language, and mean another thing.
    pub(super) fn site_for_player(&mut self, args: &Args<'_>, player: &Int) {
        let site = match player {
            Int::To => "(to)",
            Int::From => "(from)",
            Int::Site => "(site)",
            Int::Between => "(between)",
            Int::LastTo { .. } => "(last To)",
            Int::LastFrom { .. } => "(last From)",
            _ => return,
        };
        let place = args.get("index").map_or(args.call.place, |argument| argument.place);
        let message = format!("a player is asked about here, and `{site}` is a site");
        let help = format!("whose piece stands there is `(who at:{site})`");
        self.warn(place, message, Some(help));
    }

    // Pieces that are not meant.

    /// What nothing is called nothing becomes.
    pub(super) fn promotions_known(&mut self, place: Place, names: &[Box<str>]) {
        for name in names {
            if !self.components.iter().any(|piece| piece.name.contains(&**name)) {
                let known = self.components.iter().skip(1).map(|piece| &*piece.name);
                let known = known.flat_map(|known| [known, super::names::without_number(known)]);
                let near = closest(name, known).map(str::to_owned);
                self.suspicious(place, "piece", name, near.as_deref());
            }
        }
    }

    /// A piece gets a name that another has.
    pub(super) fn named_twice(&mut self, place: Place, name: &str) {
        if self.components.iter().any(|known| &*known.name == name) {
            let message = format!("there is a piece \"{name}\" already: the name means the first");
            self.warn(place, message, None);
        }
    }

    /// Where no piece is said, a player puts the piece that has his number down, whosever it is.
    pub(super) fn mover_puts(&mut self, place: Place) {
        let owned = |player: i32| self.components.iter().skip(1).find(|c| c.owner == player);
        let other = (1..=self.players).find_map(|player| {
            let piece = self.components.get(player as usize)?;
            (piece.owner != player).then_some((player, piece))
        });
        let Some((player, piece)) = other else { return };
        let message = format!("without `(piece …)` player P{player} puts \"{}\" here", piece.name);
        let help = owned(player).map(|own| {
            let name = super::names::without_number(&own.name);
            format!("to put the player's own write `(piece (id \"{name}\" Mover))`")
        });
        self.warn(place, message, help);
    }

    // Lines that no board has room for.

    /// Rules ask for a line of so many sites.
    pub(super) fn line_asked(&mut self, place: Place, kind: SiteType, dir: Dir, length: i32) {
        let plane = self.topo.plane(kind);
        let through = |site: i32| {
            plane.radials(site, dir).map(move |radial| {
                let own = &plane.radials[site as usize];
                let back = radial.opposites.iter().map(|&n| own[n as usize].sites.len() - 1);
                radial.sites.len() + back.max().unwrap_or(0)
            })
        };
        let longest = (0..plane.count as i32).flat_map(through).max().unwrap_or(1);
        if length > longest as i32 {
            self.long_lines.push(LongLine { place, length, longest });
        }
    }

    /// Lines that cannot be. In stacks they may rise, and are not judged.
    pub(super) fn lines_fit(&mut self) {
        let lines = std::mem::take(&mut self.long_lines);
        if self.flags.stacking || self.flags.large_stack || self.flags.boardless {
            return;
        }
        for LongLine { place, length, longest } in lines {
            let message =
                format!("no line of this board has {length} sites: the longest has {longest}");
            self.warn(place, message, None);
        }
    }

    /// Weights of moves drawn at random.
    pub(super) fn weights_fit(&mut self, call: &Call, weights: &[Argument], moves: usize) {
        if weights.len() != moves {
            let message = format!(
                "moves to draw: {moves}, weights: {}; what has no weight is never drawn",
                weights.len()
            );
            self.warn(call.place, message, None);
        }
        for weight in weights {
            let negative = match weight.value {
                Value::Int(weight) => weight < 0,
                Value::Float(weight) => weight < 0.0,
                _ => false,
            };
            if negative {
                self.warn(weight.place, "a weight is nought or more".into(), None);
            }
        }
    }
}
