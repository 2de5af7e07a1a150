//! Lowering of players and equipment.

use super::names::Naming;
use super::{Args, Flags, Lower, Lowered, unsupported_at};
use crate::game::{
    Component, Container, ContainerKind, EquipmentMap, EquipmentRegion, Tile, TilePath,
};
use crate::ir::visit::Part;
use crate::ir::{Int, Region, SheetParts, SheetRegion};
use crate::memo::Memo;
use crate::topo::{SiteType, Topology};
use ludex_board::Graph;
use ludex_lang::lud::check::{Argument, Value};
use ludex_lang::lud::tree::{Expansions, Node};

/// Kinds of equipment in the order they are numbered.
const ORDER: [&str; 11] = [
    "board",
    "mancalaBoard",
    "surakartaBoard",
    "boardless",
    "hand",
    "dice",
    "hints",
    "regions",
    "dominoes",
    "piece",
    "map",
];

/// Players, board, pieces, hands, dice, regions and maps.
pub(super) fn prepare<'a>(
    expansions: &'a Expansions,
    game: &Args<'_>,
    text: &Node,
) -> Lowered<Lower<'a>> {
    let mut lower = bare(expansions);
    let players = lower.need(game, "players")?;
    lower.read_players(players)?;
    let equipment = lower.need(game, "equipment")?;
    let equipment = lower.call_of(equipment)?;
    let name = equipment.call.row.parameters[0].name;
    let mut items: Vec<&Argument> = lower.items(&equipment, name).iter().collect();
    lower.done(&equipment)?;
    let place_of = |item: &&Argument| {
        let key = match &item.value {
            Value::Call(call) if matches!(call.row.key, "tile" | "domino" | "card" | "die") => {
                "piece"
            }
            Value::Call(call) if call.row.key == "deck" => "hand",
            Value::Call(call) => call.row.key,
            _ => "",
        };
        let at = ORDER.iter().position(|known| *known == key);
        at.unwrap_or(ORDER.len())
    };
    items.sort_by_key(place_of);
    for item in &items {
        lower.item(item, text)?;
    }
    lower.tracks_known(&items);
    if lower.containers.is_empty() {
        return lower.wrong(equipment.call.place, "this equipment has no board");
    }
    if lower.components.len() == 1 {
        for player in 1..=lower.players {
            lower.components.push(Component {
                name: format!("Ball{player}").into(),
                owner: player,
                ..Component::default()
            });
        }
    }
    Ok(lower)
}

/// Nothing yet.
pub(super) fn bare(expansions: &Expansions) -> Lower<'_> {
    let empty = ludex_board::Topology::new(Graph::new());
    Lower {
        expansions,
        players: 0,
        facings: Vec::new(),
        topo: Topology::new(empty, SiteType::Cell),
        components: vec![Component::default()],
        containers: Vec::new(),
        tracks: Vec::new(),
        regions: Vec::new(),
        maps: Vec::new(),
        vars: Vec::new(),
        texts: Vec::new(),
        consequences: Vec::new(),
        late: Vec::new(),
        phase_names: Vec::new(),
        warnings: super::doubts::Warnings::default(),
        long_lines: Vec::new(),
        kinds: Vec::new(),
        solved: None,
        pips: None,
        hand: None,
        owned_region: None,
        names: super::names::Names::default(),
        region_uses: 0,
        region_places: Vec::new(),
        piece_places: Vec::new(),
        piece_starts: Vec::new(),
        faults: Vec::new(),
        sheet: crate::ir::Sheet::default(),
        sheet_place: None,
        clauses: Vec::new(),
        flags: Flags { max_turns: 1250, max_moves: 10_000, ..Flags::default() },
    }
}

impl Lower<'_> {
    pub(super) fn read_players(&mut self, argument: &Argument) -> Lowered<()> {
        let args = self.call_of(argument)?;
        self.facings.push(None);
        if let Some(count) = self.number(&args, "numPlayers") {
            if !(0..=16).contains(&count) {
                return self.wrong(argument.place, "a game has 0 to 16 players");
            }
            self.players = count;
            self.facings.extend((0..count).map(|_| None));
        }
        for item in self.items(&args, "players") {
            let player = self.call_of(item)?;
            let facing = self.word(&player, "dirn").and_then(|word| self.dir(word));
            self.facings.push(facing);
            self.players += 1;
            self.done(&player)?;
        }
        self.done(&args)
    }

    fn item(&mut self, argument: &Argument, text: &Node) -> Lowered<()> {
        let args = self.call_of(argument)?;
        if has_moves(args.key()) {
            self.piece_starts.push(self.components.len());
        }
        match args.key() {
            "board" | "mancalaBoard" | "surakartaBoard" | "boardless" => self.board(&args, text),
            "hand" => {
                let role = self.word(&args, "role").unwrap_or("Shared");
                let size = self.number(&args, "size").unwrap_or(1);
                self.done(&args)?;
                if !(1..=10_000).contains(&size) {
                    return self.wrong(argument.place, "a hand has 1 to 10,000 places");
                }
                self.hands(role, size);
                Ok(())
            }
            "dice" => self.dice(&args),
            "piece" | "tile" | "die" => self.piece(&args),
            "deck" => self.deck(&args),
            "card" => self.single_card(&args),
            "dominoes" => {
                let most = self.number(&args, "upTo").unwrap_or(6);
                self.done(&args)?;
                if !(0..=16).contains(&most) {
                    return self.wrong(argument.place, "dominoes have at most 16 pips");
                }
                for low in 0..=most {
                    (low..=most).for_each(|high| {
                        self.domino(format!("Domino{low}{high}"), self.players + 1, [low, high])
                    });
                }
                Ok(())
            }
            "domino" => {
                let name = self.text(&args, "name").unwrap_or("Domino").to_string();
                let owner = match self.role(self.word(&args, "role").unwrap_or("Shared")) {
                    Int::Const(owner) => owner,
                    _ => return self.refuse(argument.place, "this owner of a piece"),
                };
                let pips = ["value", "value2"].map(|half| self.number(&args, half).unwrap_or(0));
                self.domino(name, owner, pips);
                Ok(())
            }
            "hints" => self.sheet_hints(&args),
            "regions" => self.equipment_regions(&args),
            "map" => self.map(&args),
            _ => self.unknown(&args),
        }
    }

    pub(super) fn container(&mut self, name: String, count: i32, owner: i32, kind: ContainerKind) {
        let first = self.containers.last().map_or(0, |c| c.first + c.count);
        self.containers.push(Container { name: name.into(), first, count, owner, kind });
    }

    fn hands(&mut self, role: &str, size: i32) {
        if role == "Each" {
            for player in 1..=self.players {
                self.container(format!("Hand{player}"), size, player, ContainerKind::Hand);
            }
            return;
        }
        let owner = match self.role(role) {
            Int::Const(owner) => owner,
            _ => 0,
        };
        self.container(format!("Hand{owner}"), size, owner, ContainerKind::Hand);
    }

    fn dice(&mut self, args: &Args<'_>) -> Lowered<()> {
        let place = args.call.place;
        let count = self.number(args, "num").unwrap_or(1);
        let sides = self.number(args, "d").unwrap_or(6);
        let from = self.number(args, "from");
        if !(1..=100).contains(&count) || !(1..=1000).contains(&sides) {
            let message = "there may be 1 to 100 dice, each with 1 to 1000 sides";
            return self.wrong(place, message);
        }
        let given = self.numbers(args, "faces");
        let mut by_die: Vec<Vec<i32>> = Vec::new();
        for die in self.items(args, "facesByDie") {
            if let Value::List(faces) = &die.value {
                let number = |face: &Argument| match face.value {
                    Value::Int(n) => Some(n),
                    _ => None,
                };
                by_die.push(faces.iter().filter_map(number).collect());
            }
        }
        let without = args.has("faces") && given.is_empty() || by_die.iter().any(Vec::is_empty);
        if without {
            return self.wrong(place, "a die has at least one face");
        }
        if args.has("facesByDie") && by_die.len() < count as usize {
            return self.wrong(place, "every die needs its faces");
        }
        let faces: Vec<i32> = if given.is_empty() {
            let from = from.unwrap_or(1);
            (from..from + sides).collect()
        } else {
            given
        };
        if self.word(args, "role").is_some_and(|role| role != "Shared") {
            let why = "whoever moves throws the dice: leave the role out, or write `Shared`";
            return self.refuse_for(place, "dice of one player", why);
        }
        self.done(args)?;
        let owner = self.players + 1;
        for die in 0..count as usize {
            let faces = by_die.get(die).unwrap_or(&faces);
            let number = self.components.len();
            self.components.push(Component {
                name: format!("Die{number}").into(),
                owner,
                faces: faces.clone(),
                ..Component::default()
            });
        }
        self.flags.not_all_pass = true;
        // All dice lie together.
        match self.containers.last_mut() {
            Some(last) if matches!(last.kind, ContainerKind::Dice(_)) => last.count += count,
            _ => self.container(format!("Dice{owner}"), count, owner, ContainerKind::Dice(0)),
        }
        Ok(())
    }

    fn piece(&mut self, args: &Args<'_>) -> Lowered<()> {
        let name = self.text(args, "name").unwrap_or("");
        // A die that is a piece lies as it was put: how many faces it has changes nothing.
        self.number(args, "numFaces");
        let role = self.word(args, "role").unwrap_or(owner_of(args));
        let facing = self.word(args, "dirn").and_then(|word| self.dir(word));
        let flips = match args.get("flips") {
            Some(flips) => {
                let inner = self.call_of(flips)?;
                let names: Vec<&str> = inner.call.row.parameters.iter().map(|p| p.name).collect();
                self.number(&inner, names[0]).zip(self.number(&inner, names[1]))
            }
            None => None,
        };
        let mut walks = self.walks(args, "walks");
        if args.has("walk") {
            walks.push(self.walk(self.items(args, "walk")));
        }
        self.flags.large_piece |= !walks.is_empty();
        let tile = match args.key() {
            "tile" => Some(Box::new(self.tile(args)?)),
            _ => None,
        };
        let owners: Vec<i32> = match role {
            "Each" => (1..=self.players).collect(),
            "Neutral" => vec![0],
            role => match self.role(role) {
                Int::Const(owner) => vec![owner],
                _ => return self.refuse(args.call.place, "this owner of a piece"),
            },
        };
        for owner in owners {
            let shared = owner > self.players;
            // Alone, a player needs no number on the pieces.
            let plain = shared || (self.players == 1 && owner != 0);
            let number = if plain { String::new() } else { owner.to_string() };
            let of_player = self.facings.get(owner as usize).copied().flatten();
            let name = format!("{name}{number}");
            self.named_twice(args.call.place, &name);
            self.components.push(Component {
                name: name.into(),
                owner,
                // A player who looks somewhere turns all his pieces, whatever they say.
                facing: of_player.or(facing),
                flips,
                walks: walks.clone(),
                tile: tile.clone(),
                ..Component::default()
            });
        }
        Ok(())
    }

    /// A domino: two squares of two by two cells.
    fn domino(&mut self, name: String, owner: i32, pips: [i32; 2]) {
        use crate::ir::Turn::{Forward as F, Left as L, Right as R};
        self.flags.large_piece = true;
        self.components.push(Component {
            name: name.into(),
            owner,
            pips: Some(pips),
            walks: vec![vec![F, R, F, R, F, L, F, L, F, R, F, R, F]],
            tile: Some(Box::default()),
            ..Component::default()
        });
    }

    /// What the sides of a tile show.
    fn tile(&mut self, args: &Args<'_>) -> Lowered<Tile> {
        let place = args.call.place;
        let slots = self.numbers(args, "slots");
        let each = self.number(args, "slotsPerSide").unwrap_or(1);
        if slots.iter().chain([&each]).any(|n| !(0..=64).contains(n)) {
            return self.wrong(place, "a side of a tile has at most 64 slots");
        }
        let mut paths = Vec::new();
        for item in self.items(args, "paths") {
            let path = self.call_of(item)?;
            let number = |name: &str| self.number(&path, name).unwrap_or(0);
            let numbers = ["from", "to", "slotsFrom", "slotsTo"].map(number);
            let colour = number("colour");
            self.done(&path)?;
            if numbers.iter().any(|n| !(0..=64).contains(n)) {
                return self.wrong(item.place, "this path leads nowhere");
            }
            let sides = self.number(args, "numSides").unwrap_or_default();
            if let Some(beyond) = numbers[..2].iter().find(|side| sides > 0 && **side >= sides) {
                let message = format!("a tile of {sides} sides has no side {beyond}");
                self.warn(item.place, message, Some("they are counted from 0".into()));
            }
            let [a, b, slot_a, slot_b] = numbers.map(|n| n as usize);
            paths.push(TilePath { sides: [a, b], slots: [slot_a, slot_b], colour });
        }
        let slots = slots.into_iter().map(|n| n as usize).collect();
        Ok(Tile { slots, slots_each: each as usize, paths })
    }

    /// The moves of pieces, lowered once everything they may speak of is known.
    pub(super) fn piece_moves(&mut self, game: &Args<'_>) -> Lowered<()> {
        let equipment = self.need(game, "equipment")?;
        let equipment = self.call_of(equipment)?;
        let name = equipment.call.row.parameters[0].name;
        let mut starts = std::mem::take(&mut self.piece_starts).into_iter();
        self.piece_places = vec![equipment.call.place; self.components.len()];
        for item in self.items(&equipment, name) {
            let args = self.call_of(item)?;
            if !has_moves(args.key()) {
                continue;
            }
            let Some(start) = starts.next() else { break };
            // These were read with the equipment.
            for given in [
                "name",
                "role",
                "dirn",
                "flips",
                "walk",
                "walks",
                "slots",
                "slotsPerSide",
                "paths",
                "value",
                "value2",
                "numFaces",
                "label",
                "cardType",
                "rank",
                "trumpRank",
                "trumpValue",
                "suit",
            ] {
                args.get(given);
            }
            // How much room a state needs, and the outline of a tile without paths, mean nothing
            // for play.
            for given in ["maxState", "maxCount", "maxValue", "numSides"] {
                args.get(given);
            }
            let count = match self.word(&args, "role").unwrap_or(owner_of(&args)) {
                "Each" => self.players,
                _ => 1,
            };
            for at in start..start + count as usize {
                let moves = self.opt_moves(&args, "generator")?;
                self.components[at].moves = moves;
                self.piece_places[at] = args.call.place;
            }
            self.done(&args)?;
        }
        Ok(())
    }

    fn equipment_regions(&mut self, args: &Args<'_>) -> Lowered<()> {
        let name: Box<str> = self.text(args, "name").unwrap_or("").into();
        let owner = match self.word(args, "role").map(|role| self.role(role)) {
            None => 0,
            Some(Int::Const(owner)) => owner,
            Some(_) => return self.refuse(args.call.place, "the role of this region"),
        };
        self.region_uses = 0;
        // Regions are drawn once, before play: that makes no game random.
        let random_before = self.flags.random;
        let mut parts = Vec::new();
        let mut plain = false;
        if args.has("sites") {
            self.sites_known(self.items(args, "sites"));
            let sites = self.numbers(args, "sites").into_iter();
            parts.push(Region::Const(sites.collect()));
            plain = true;
        }
        if let Some(region) = self.opt_region(args, "region")? {
            parts.push(region);
        }
        for item in self.items(args, "regions") {
            parts.push(self.region(item)?);
        }
        self.sheet_regions(args, &name)?;
        self.done(args)?;
        self.name_given(Naming::Region, &name);
        if !parts.is_empty() {
            let parts = SheetParts::Regions(parts.clone());
            self.sheet.regions.push(SheetRegion { name: name.clone(), parts });
        }
        let uses = 1 + std::mem::take(&mut self.region_uses);
        let drawn = |part: Part<'_>| match part {
            Part::Region(Region::Random(..)) => true,
            Part::Region(Region::Called(name)) => {
                self.regions.iter().any(|region| region.random && region.name == *name)
            }
            _ => false,
        };
        let random = parts.iter().any(|part| Part::Region(part).any(&mut |part| drawn(part)));
        self.flags.random = random_before;
        let drawn = Memo::default();
        let region = EquipmentRegion { name, owner, parts, plain, uses, random, drawn };
        self.regions.push(region);
        self.region_places.push(args.call.place);
        Ok(())
    }

    fn map(&mut self, args: &Args<'_>) -> Lowered<()> {
        let name = self.text(args, "name").unwrap_or("Map").into();
        let mut pairs = Vec::new();
        for item in self.items(args, "pairs") {
            let pair = self.call_of(item)?;
            let key = self.map_value(&pair, "key")?;
            let value = match self.word(&pair, "landmark") {
                Some(word) => self.landmark(&pair, word)?,
                None => self.map_value(&pair, "value")?,
            };
            self.done(&pair)?;
            pairs.push((key, value));
        }
        let keys = self.ints_of_names(args, "keys")?.unwrap_or_default();
        let values = self.ints_of_names(args, "values")?.unwrap_or_default();
        for (key, value) in keys.iter().zip(&values) {
            match (key, value) {
                (Int::Const(key), Int::Const(value)) => pairs.push((*key, *value)),
                _ => return self.unknown(args),
            }
        }
        self.done(args)?;
        // The last pair with a key counts.
        pairs.reverse();
        self.maps.push(EquipmentMap { name, pairs });
        Ok(())
    }

    fn map_value(&mut self, pair: &Args<'_>, name: &str) -> Lowered<i32> {
        let argument = self.need(pair, name)?;
        let int = match &argument.value {
            Value::Word(role) => self.role(role),
            Value::Text(text) => match self.components.iter().position(|c| c.name == *text) {
                Some(piece) => Int::Const(piece as i32),
                None => {
                    let labels = &self.topo.plane(self.topo.default).label;
                    let site = labels.iter().position(|known| known == text);
                    if site.is_none() {
                        let message = format!("there is no piece or site \"{text}\"");
                        self.warn(argument.place, message, None);
                    }
                    Int::Const(site.map_or(-1, |site| site as i32))
                }
            },
            _ => self.int(argument)?,
        };
        match &int {
            Int::Const(n) => return Ok(*n),
            Int::PieceOf(name, owner) => {
                let named = |c: &Component| !c.name.is_empty() && c.name.contains(&**name);
                if let Int::Const(owner) = **owner {
                    let held = self.components.iter().position(|c| c.owner == owner && named(c));
                    return Ok(held.map_or(-1, |piece| piece as i32));
                }
            }
            _ => {}
        }
        self.refuse(argument.place, "this entry of a map")
    }

    fn landmark(&self, pair: &Args<'_>, word: &str) -> Lowered<i32> {
        let plane = self.topo.plane(self.topo.default);
        let first = |name: &str| plane.set(name).iter().next();
        let site = match word {
            "CentreSite" => plane.centre.first().copied(),
            "LeftSite" => first("Left"),
            "RightSite" => first("Right"),
            "Topsite" => first("Top"),
            "BottomSite" => first("Bottom"),
            "FirstSite" => Some(0),
            "LastSite" => Some(plane.count as i32 - 1),
            _ => None,
        };
        match site {
            Some(site) => Ok(site),
            None => Err(unsupported_at(self.expansions, pair.call.place, "this landmark")),
        }
    }
}

/// Whether equipment of this kind is pieces that may have moves of their own.
fn has_moves(key: &str) -> bool {
    matches!(key, "piece" | "tile" | "domino" | "die" | "card")
}

/// Whose a piece is where nothing is said.
fn owner_of(piece: &Args<'_>) -> &'static str {
    match piece.key() {
        "piece" => "Each",
        _ => "Shared",
    }
}
