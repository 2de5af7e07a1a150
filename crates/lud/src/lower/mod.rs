//! Lowering: from the checked description to the typed form. What has no lowering is refused by
//! name; an argument that nothing asked for is refused as well.

mod args;
mod board;
mod bools;
mod cards;
mod counts;
mod doubts;
mod effects;
mod end;
mod equipment;
mod floats;
mod for_each;
mod idle;
mod ints;
mod lists;
mod matches;
mod messages;
mod moves;
mod names;
mod puzzle;
mod regions;
mod rings;
mod start;
mod travel;

pub use args::Args;

use super::game::{Compiled, Component, Container, EquipmentMap, EquipmentRegion, Track};
use super::ir::{Directions, Int, Moves, MovesKind, Range, Relation, RelativeDir, Role, Turn, Who};
use super::topo::{Dir, SiteType, Topology};
use ludex_lang::diagnostic::Diagnostic;
use ludex_lang::lud::Description;
use ludex_lang::lud::check::{Argument, Call, Place, Value, located};
use ludex_lang::lud::table::table;
use ludex_lang::lud::tree::Expansions;

/// What lowering gives, or why it cannot.
pub type Lowered<T> = Result<T, Box<Diagnostic>>;

/// Everything gathered while lowering.
pub struct Lower<'a> {
    expansions: &'a Expansions,
    /// Number of players.
    pub players: i32,
    /// Their facings.
    pub facings: Vec<Option<Dir>>,
    /// The board.
    pub topo: Topology,
    /// Components so far.
    pub components: Vec<Component>,
    /// Containers.
    pub containers: Vec<Container>,
    /// Tracks.
    pub tracks: Vec<Track>,
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
    /// Of these, what follows only when all players have moved.
    pub late: Vec<u32>,
    /// Names of phases.
    pub phase_names: Vec<Box<str>>,
    /// What is worth knowing about the description.
    warnings: doubts::Warnings,
    /// Lines that are longer than any of the board.
    long_lines: Vec<doubts::LongLine>,
    /// The kinds of site that the description speaks of.
    kinds: Vec<SiteType>,
    /// Where the rules ask whether a puzzle is solved.
    solved: Option<Place>,
    /// Where they first ask what dice show.
    pips: Option<Place>,
    /// Where a place in a hand is asked for.
    hand: Option<Place>,
    /// Where they first ask for the region of a player.
    owned_region: Option<Place>,
    /// What is wrong with the description, as far as it is known.
    faults: Vec<Diagnostic>,
    /// Names that are given and asked for anywhere in the text.
    names: names::Names,
    /// How many regions the one at hand is made of.
    region_uses: usize,
    /// Where the regions of the equipment stand.
    region_places: Vec<Place>,
    /// Where the moves of each piece are written, by number of the piece.
    piece_places: Vec<Place>,
    /// For each item of the equipment that is pieces which may have moves, the number of the first of them.
    piece_starts: Vec<usize>,
    /// What is given of a deduction puzzle.
    sheet: crate::ir::Sheet,
    /// Where a region is given that only puzzles have.
    sheet_place: Option<Place>,
    /// The constraints of a deduction puzzle.
    clauses: Vec<crate::ir::Clause>,
    /// Facts about the game that rules imply.
    pub flags: Flags,
}

/// Facts about the game that rules imply.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "each is the fact of the same name in the compiled game")]
pub struct Flags {
    pub boardless: bool,
    pub line_of_play: bool,
    pub stacking: bool,
    pub counts: bool,
    pub visited: bool,
    pub cycles: bool,
    pub sequence_capture: bool,
    pub asks_ends: bool,
    pub asks_turn_from: bool,
    pub teams: bool,
    pub hides: bool,
    pub not_all_pass: bool,
    pub chance: bool,
    pub random: bool,
    pub counts_legal: bool,
    pub of_hint: bool,
    pub rolls_later: bool,
    pub inside_then: bool,
    pub max_turns: i32,
    pub max_moves: i32,
    pub large_stack: bool,
    pub repeats: Option<crate::ir::Repetition>,
    pub flat_line: Option<Place>,
    pub large_piece: bool,
    pub scores: bool,
}

pub use matches::{Missing, Subgames, lower_match};

/// Compiles a description with its call already checked.
pub fn lower(description: &Description, call: &Call) -> Lowered<Compiled> {
    lower_with(description, call, |_| Ok(())).map(|(game, ())| game)
}

/// The same, with something more that is lowered in terms of the game.
fn lower_with<'a, T>(
    description: &'a Description,
    call: &Call,
    more: impl FnOnce(&mut Lower<'a>) -> Lowered<T>,
) -> Lowered<(Compiled, T)> {
    let args = Args::new(call);
    let mut lower = equipment::prepare(&description.expansions, &args, &description.game)?;
    lower.doubted(&description.warnings);
    lower.players_known(call);
    lower.game(&args, &description.game, more)
}

/// A refusal of something valid that is not built.
fn unsupported_at(expansions: &Expansions, place: Place, what: &str) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::unsupported(format!("{what} is not supported"), place.span);
    Box::new(located(diagnostic, place.via, expansions))
}

impl<'a> Lower<'a> {
    /// Refuses something by name.
    pub fn refuse<T>(&self, place: Place, what: &str) -> Lowered<T> {
        Err(unsupported_at(self.expansions, place, what))
    }

    /// Refuses something by name, with what stands against it or what to write instead.
    pub fn refuse_for<T>(&self, place: Place, what: &str, why: &str) -> Lowered<T> {
        let refusal = *unsupported_at(self.expansions, place, what);
        Err(Box::new(refusal.help(why)))
    }

    /// What was lowered; a fault is kept, to be told with the others.
    fn keep<T>(&mut self, lowered: Lowered<T>) -> Option<T> {
        lowered.map_err(|fault| self.faults.push(*fault)).ok()
    }

    /// All faults that were kept.
    fn sound(&mut self) -> Lowered<()> {
        match Diagnostic::all(std::mem::take(&mut self.faults)) {
            Some(faults) => Err(Box::new(faults)),
            None => Ok(()),
        }
    }

    /// An error in the description.
    pub fn wrong<T>(&self, place: Place, message: impl Into<String>) -> Lowered<T> {
        let diagnostic = Diagnostic::error(message, place.span);
        Err(Box::new(located(diagnostic, place.via, self.expansions)))
    }

    /// Refuses a ludeme that has no lowering.
    pub fn unknown<T>(&self, args: &Args<'_>) -> Lowered<T> {
        let name = args.key().replace('.', " ");
        self.refuse(args.call.place, &format!("`({name} …)`"))
    }

    // Players and roles.

    /// The number a role stands for.
    pub fn role(&self, word: &str) -> Int {
        if let Some(number) = word.strip_prefix('P').and_then(|n| n.parse().ok()) {
            return Int::Const(number);
        }
        if let Some(number) = word.strip_prefix("Team").and_then(|n| n.parse().ok()) {
            return Int::Const(number);
        }
        match word {
            "Neutral" => Int::Const(0),
            "Mover" => Int::Mover,
            "Next" => Int::Next,
            "Prev" => Int::Prev,
            "Player" => Int::Player,
            "TeamMover" => Int::TeamMover,
            "Shared" | "All" | "Each" => Int::Const(self.players + 1),
            _ => Int::Const(-1),
        }
    }

    /// The players a role stands for.
    pub fn who_of_role(&self, word: &str) -> Who {
        let team = word.strip_prefix("Team").and_then(|n| n.parse().ok());
        match (word, team) {
            (_, Some(team)) => Who::Role(Role::Team(team)),
            ("All", _) => Who::Role(Role::All),
            ("Enemy", _) => Who::Role(Role::Enemy),
            ("Friend", _) => Who::Role(Role::Friend),
            ("Ally", _) => Who::Role(Role::Ally),
            ("NonMover", _) => Who::Role(Role::NonMover),
            ("TeamMover", _) => Who::Role(Role::TeamMover),
            _ => Who::One(self.role(word)),
        }
    }

    /// A player given as `(player n)`, a number or a role, under any of these names.
    fn player(&mut self, args: &Args<'_>, names: &[&str]) -> Lowered<Option<Int>> {
        for name in names {
            let Some(argument) = args.get(name) else {
                continue;
            };
            return Ok(Some(match &argument.value {
                Value::Word(word) => self.role(word),
                Value::Call(call) if call.row.kinds.contains(&"Player") => {
                    let inner = Args::new(call);
                    let index = self.need_int(&inner, "index")?;
                    self.done(&inner)?;
                    index
                }
                _ => self.int(argument)?,
            }));
        }
        Ok(None)
    }

    /// Players given as above, roles for several included.
    fn who(&mut self, args: &Args<'_>, names: &[&str]) -> Lowered<Option<Who>> {
        for name in names {
            if let Some(word) = self.word(args, name) {
                return Ok(Some(self.who_of_role(word)));
            }
        }
        Ok(self.player(args, names)?.map(Who::One))
    }

    // Directions.

    fn dir(&self, word: &str) -> Option<Dir> {
        let all = table().values("AbsoluteDirection");
        let at = all.iter().position(|value| *value == word)?;
        u8::try_from(at).ok().map(Dir)
    }

    fn dir_or(&self, args: &Args<'_>, name: &str, default: Dir) -> Dir {
        let word = self.word(args, name);
        word.and_then(|word| self.dir(word)).unwrap_or(default)
    }

    fn relative(word: &'static str) -> RelativeDir {
        match word {
            "SameDirection" => RelativeDir::Same,
            "OppositeDirection" => RelativeDir::Opposite,
            word => RelativeDir::Turned(word),
        }
    }

    fn relation(&self, word: Option<&str>) -> Option<Relation> {
        Some(match word? {
            "Orthogonal" => Relation::Orthogonal,
            "Diagonal" => Relation::Diagonal,
            "OffDiagonal" => Relation::OffDiagonal,
            "All" => Relation::All,
            _ => Relation::Adjacent,
        })
    }

    fn directions_or(&mut self, args: &Args<'_>, name: &str, default: Dir) -> Lowered<Directions> {
        match args.get(name) {
            Some(argument) => self.directions(argument),
            None => Ok(Directions::Absolute(vec![default])),
        }
    }

    /// Directions.
    pub fn directions(&mut self, argument: &Argument) -> Lowered<Directions> {
        if let Value::Word(word) = argument.value {
            return Ok(match self.dir(word) {
                Some(dir) => Directions::Absolute(vec![dir]),
                None => Directions::Relative {
                    dirs: vec![Self::relative(word)],
                    relation: Relation::Adjacent,
                    by_site: false,
                    known: Default::default(),
                },
            });
        }
        let args = self.call_of(argument)?;
        let out = match args.key() {
            "directions" => self.directions_call(&args)?,
            "if" => {
                let cond = self.need(&args, "condition")?;
                let cond = Box::new(self.bool(cond)?);
                let yes = self.need(&args, "directionsOk")?;
                let yes = Box::new(self.directions(yes)?);
                let no = self.need(&args, "directionsNotOk")?;
                Directions::If(cond, yes, Box::new(self.directions(no)?))
            }
            "union" | "difference" => {
                let mut parts = args.call.row.parameters.iter().map(|p| p.name);
                let (a, b) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
                let a = self.need(&args, a)?;
                let a = Box::new(self.directions(a)?);
                let b = self.need(&args, b)?;
                let b = Box::new(self.directions(b)?);
                if args.key() == "union" {
                    Directions::Union(a, b)
                } else {
                    Directions::Difference(a, b)
                }
            }
            _ => return self.unknown(&args),
        };
        self.done(&args)?;
        Ok(out)
    }

    fn directions_call(&mut self, args: &Args<'_>) -> Lowered<Directions> {
        if let (Some(from), Some(to)) = (args.get("from"), args.get("to")) {
            let kind = self.kind_or_default(args, "type");
            return Ok(Directions::FromTo(
                kind,
                Box::new(self.int(from)?),
                Box::new(self.int(to)?),
            ));
        }
        if self.word(args, "type") == Some("Random") {
            self.flags.random = true;
            let of = self.need(args, "directions")?;
            let of = Box::new(self.directions(of)?);
            return Ok(Directions::Random(of, Box::new(self.need_int(args, "num")?)));
        }
        let mut words: Vec<&'static str> = Vec::new();
        for name in
            ["absoluteDirection", "absoluteDirections", "relativeDirection", "relativeDirections"]
        {
            match args.get(name).map(|argument| &argument.value) {
                Some(Value::Word(word)) => words.push(word),
                Some(Value::List(items)) => {
                    words.extend(items.iter().filter_map(|item| match item.value {
                        Value::Word(word) => Some(word),
                        _ => None,
                    }))
                }
                _ => {}
            }
        }
        let absolute: Vec<Dir> = words.iter().filter_map(|word| self.dir(word)).collect();
        let relation = self.relation(self.word(args, "of"));
        let by_site = self.flag(args, "bySite");
        if absolute.len() == words.len() && !words.is_empty() {
            return Ok(Directions::Absolute(absolute));
        }
        if words.is_empty() {
            words.push("Forward");
        }
        Ok(Directions::Relative {
            dirs: words.into_iter().map(Self::relative).collect(),
            relation: relation.unwrap_or(Relation::Adjacent),
            by_site,
            known: Default::default(),
        })
    }

    /// A range of numbers.
    pub fn range(&mut self, argument: &Argument) -> Lowered<Range> {
        let args = self.call_of(argument)?;
        let out = match args.key() {
            "range" => {
                let min = self.need_int(&args, "min")?;
                let max = self.int_or(&args, "max", min.clone())?;
                Range { min, max }
            }
            "exact" | "max" | "min" => {
                let name = args.call.row.parameters[0].name;
                let value = self.need_int(&args, name)?;
                match args.key() {
                    "exact" => Range { min: value.clone(), max: value },
                    "max" => Range { min: Int::Const(-1), max: value },
                    _ => Range { min: value, max: Int::Const(1000) },
                }
            }
            _ => return self.unknown(&args),
        };
        self.done(&args)?;
        Ok(out)
    }

    fn walk(&self, items: &[Argument]) -> Vec<Turn> {
        let turn = |item: &Argument| match item.value {
            Value::Word("F") => Some(Turn::Forward),
            Value::Word("L") => Some(Turn::Left),
            Value::Word("R") => Some(Turn::Right),
            _ => None,
        };
        items.iter().filter_map(turn).collect()
    }

    fn walks(&self, args: &Args<'_>, name: &str) -> Vec<Vec<Turn>> {
        let lists = self.items(args, name).iter();
        lists
            .filter_map(|list| match &list.value {
                Value::List(items) => Some(self.walk(items)),
                _ => None,
            })
            .collect()
    }

    fn list_of_ints(&mut self, items: &[Argument]) -> Lowered<Vec<Int>> {
        items.iter().map(|item| self.int(item)).collect()
    }

    fn ints_of_names(&mut self, args: &Args<'_>, name: &str) -> Lowered<Option<Vec<Int>>> {
        match args.get(name).map(|argument| &argument.value) {
            Some(Value::List(items)) => Ok(Some(self.list_of_ints(items)?)),
            _ => Ok(None),
        }
    }
}

/// Nothing at all, for parts left out.
pub fn nothing() -> Moves {
    Moves { kind: MovesKind::None, then: None }
}
