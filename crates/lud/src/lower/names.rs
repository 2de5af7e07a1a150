//! What a description calls by name: pieces, hands, regions, tracks, maps, sites, values. A name
//! that nothing has is an error that says which one was probably meant.

use super::{Args, Lower, Lowered};
use crate::game::Component;
use crate::topo::SiteType;
use ludex_lang::diagnostic::Diagnostic;
use ludex_lang::lud::check::{Argument, Call, Place, Value, located};
use ludex_lang::lud::closest;
use ludex_lang::lud::table::Type;

/// What gives things their names, where that may come later in the text than what asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    Region,
    Variable,
    Remembered,
    Event,
}

impl Naming {
    fn thing(self) -> &'static str {
        match self {
            Naming::Region => "region",
            Naming::Variable => "variable",
            Naming::Remembered => "list of remembered values",
            Naming::Event => "event",
        }
    }
}

/// The name that stands for all tracks of a board.
const EVERY_TRACK: &str = "AllTracks";

/// Names given, and names asked for with their places.
#[derive(Debug, Default)]
pub(super) struct Names {
    given: Vec<(Naming, Box<str>)>,
    asked: Vec<(Naming, Box<str>, Place)>,
}

impl Lower<'_> {
    /// The error that nothing has a name.
    pub(super) fn nothing_called<'n, T>(
        &self,
        place: Place,
        thing: &str,
        name: &str,
        known: impl Iterator<Item = &'n str>,
    ) -> Lowered<T> {
        let mut diagnostic =
            Diagnostic::error(format!("there is no {thing} \"{name}\""), place.span);
        if let Some(near) = closest(name, known) {
            diagnostic = diagnostic.help(format!("did you mean \"{near}\"?"));
        }
        Err(Box::new(located(diagnostic, place.via, self.expansions)))
    }

    /// A name that nothing has, where that has a meaning: worth a warning.
    pub(super) fn suspicious(&mut self, place: Place, thing: &str, name: &str, near: Option<&str>) {
        let help = near.map(|near| format!("did you mean \"{near}\"?"));
        self.warn(place, format!("there is no {thing} \"{name}\""), help);
    }

    /// Something gets a name here.
    pub(super) fn name_given(&mut self, naming: Naming, name: &str) {
        self.names.given.push((naming, name.into()));
    }

    /// Something is asked for by name here, and may get it later.
    pub(super) fn name_asked(&mut self, place: Place, naming: Naming, name: &str) {
        self.names.asked.push((naming, name.into(), place));
    }

    /// Everything asked for by name has got it. A region that nothing defines has no sites, an
    /// event that nothing triggers never happens, and nothing is remembered under a name that
    /// nothing remembers: the game can be played, but was hardly meant so.
    pub(super) fn names_known(&mut self) -> Lowered<()> {
        let names = std::mem::take(&mut self.names);
        for (naming, name, place) in &names.asked {
            let given = names.given.iter().filter(|(kind, _)| kind == naming);
            let mut known = given.map(|(_, name)| &**name);
            if known.clone().any(|known| known == &**name) {
                continue;
            }
            if *naming == Naming::Variable {
                return self.nothing_called(*place, naming.thing(), name, &mut known);
            }
            self.suspicious(*place, naming.thing(), name, closest(name, known));
        }
        Ok(())
    }

    /// Every player that the rules call by number is there. One who is not owns nothing and never
    /// moves, so the game can be played all the same.
    pub(super) fn players_known(&mut self, call: &Call) {
        for (parameter, argument) in call.row.parameters.iter().zip(&call.arguments) {
            if let Some(argument) = argument {
                self.players_in(parameter.takes, argument);
            }
        }
    }

    fn players_in(&mut self, takes: Type, argument: &Argument) {
        match &argument.value {
            Value::Call(call) => self.players_known(call),
            Value::List(items) => items.iter().for_each(|item| self.players_in(takes, item)),
            Value::Word(role) if matches!(takes, Type::Kind("@RoleType", _)) => {
                let number = role.strip_prefix('P').and_then(|n| n.parse::<i32>().ok());
                if number.is_some_and(|number| number > self.players) {
                    let players = self.players;
                    let help = format!("this game has {players} players");
                    self.warn(argument.place, format!("there is no player {role}"), Some(help));
                }
            }
            _ => {}
        }
    }

    fn piece_names(&self) -> impl Iterator<Item = &str> {
        self.components.iter().skip(1).map(|component| &*component.name)
    }

    /// Components that fit a name in some way; there must be one.
    fn pieces_that(
        &self,
        place: Place,
        text: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Lowered<Vec<u16>> {
        let named = |(at, c): (usize, &Component)| (at > 0 && fits(&c.name)).then_some(at as u16);
        let found: Vec<u16> = self.components.iter().enumerate().filter_map(named).collect();
        match found.is_empty() {
            true => {
                let known = self.piece_names().flat_map(|name| [name, without_number(name)]);
                self.nothing_called(place, "piece", text, known)
            }
            false => Ok(found),
        }
    }

    /// Components whose name contains a text.
    pub(super) fn pieces_containing(&self, place: Place, text: &str) -> Lowered<Vec<u16>> {
        self.pieces_that(place, text, |name| name.contains(text))
    }

    /// Components of this name, whatever number follows it.
    pub(super) fn pieces_called(&self, place: Place, text: &str) -> Lowered<Vec<u16>> {
        self.pieces_that(place, text, |name| without_number(name) == text)
    }

    /// The component of exactly this name.
    pub(super) fn piece_named(&self, place: Place, name: &str) -> Lowered<u16> {
        match self.piece_names().position(|known| known == name) {
            Some(at) => Ok(at as u16 + 1),
            None => self.nothing_called(place, "piece", name, self.piece_names()),
        }
    }

    /// The container of exactly this name.
    pub(super) fn container_named(&self, place: Place, name: &str) -> Lowered<usize> {
        let names = || self.containers.iter().map(|container| &*container.name);
        match names().position(|known| known == name) {
            Some(at) => Ok(at),
            None => self.nothing_called(place, "container", name, names()),
        }
    }

    /// A track must have a name that contains this one.
    pub(super) fn track_known(&self, place: Place, name: &str) -> Lowered<Box<str>> {
        let mut names = self.tracks.iter().map(|track| &*track.name);
        match name == EVERY_TRACK || names.clone().any(|known| known.contains(name)) {
            true => Ok(name.into()),
            false => self.nothing_called(place, "track", name, &mut names),
        }
    }

    /// The track that an argument names.
    pub(super) fn track_name(&self, args: &Args<'_>, name: &str) -> Lowered<Option<Box<str>>> {
        let text = self.text(args, name);
        text.map(|text| self.track_known(args.call.place, text)).transpose()
    }

    /// The track of a name. One that is not there is the player's own, unless the name is a slip.
    pub(super) fn track_or_own(&mut self, place: Place, name: &str) -> Lowered<Option<Box<str>>> {
        let names = || self.tracks.iter().map(|track| &*track.name);
        let known = name == EVERY_TRACK || names().any(|known| known.contains(name));
        if known || closest(name, names()).is_some() {
            return self.track_known(place, name).map(Some);
        }
        self.warn(place, format!("there is no track \"{name}\""), None);
        Ok(None)
    }

    /// Some map should have this name; a map that is not there gives back the key.
    pub(super) fn map_name(&mut self, place: Place, name: &str) -> Box<str> {
        let names = self.maps.iter().map(|map| &*map.name);
        if !names.clone().any(|known| known == name) {
            let near = closest(name, names).map(str::to_owned);
            self.suspicious(place, "map", name, near.as_deref());
        }
        name.into()
    }

    /// Some piece should have a name that contains this one; otherwise no piece is meant.
    pub(super) fn piece_name(&mut self, place: Place, name: &str) -> Box<str> {
        if !self.piece_names().any(|known| known.contains(name)) {
            let known = self.piece_names().flat_map(|name| [name, without_number(name)]);
            let near = closest(name, known).map(str::to_owned);
            self.suspicious(place, "piece", name, near.as_deref());
        }
        name.into()
    }

    pub(super) fn var(&mut self, name: &str) -> u16 {
        let at = self.vars.iter().position(|known| &**known == name);
        let at = at.unwrap_or_else(|| {
            self.vars.push(name.into());
            self.vars.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX - 1)
    }

    /// The site with a label; one that is not there is off the board.
    pub(super) fn labelled_or_off(&mut self, place: Place, kind: SiteType, label: &str) -> i32 {
        let labels = &self.topo.plane(kind).label;
        let Some(site) = labels.iter().position(|known| &**known == label) else {
            self.warn(place, format!("the board has no site \"{label}\""), None);
            return -1;
        };
        site as i32
    }

    /// The site with a label.
    pub(super) fn labelled(&self, place: Place, kind: SiteType, label: &str) -> Lowered<i32> {
        let labels = &self.topo.plane(kind).label;
        match labels.iter().position(|known| &**known == label) {
            Some(site) => Ok(site as i32),
            None => self.wrong(place, format!("the board has no site \"{label}\"")),
        }
    }
}

pub(super) fn without_number(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}
