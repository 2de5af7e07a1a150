//! Lowering of a match: its games are found by name and compiled, its own rules have no board.

use super::{Args, Lower, Lowered, equipment, lower_with};
use crate::game::{Compiled, Container, ContainerKind, Meta, Mode, Subgame};
use crate::ir::Int;
use ludex_lang::diagnostic::Diagnostic;
use ludex_lang::lud::Description;
use ludex_lang::lud::check::{Argument, Call, Place, check, located};

/// Where the games of a match are found.
pub trait Subgames {
    /// The description of a game with this name and these options.
    fn find(&self, name: &str, options: &[String]) -> Result<Description, Missing>;
}

/// Why a game of a match is not there.
#[derive(Debug)]
pub enum Missing {
    /// Nothing has this name; these are near.
    Unknown(Vec<String>),
    /// Its description is wrong.
    Faulty(Box<Diagnostic>),
}

/// Matches within matches go no deeper than this.
const DEEPEST: usize = 4;

/// Compiles a match.
pub fn lower_match(
    description: &Description,
    call: &Call,
    games: &dyn Subgames,
    depth: usize,
) -> Lowered<Compiled> {
    let args = Args::new(call);
    let mut lower = equipment::bare(&description.expansions);
    match args.get("players") {
        Some(players) => lower.read_players(players)?,
        None => {
            lower.players = 2;
            lower.facings = vec![None; 3];
        }
    }
    lower.containers.push(Container {
        name: "Board".into(),
        first: 0,
        count: 0,
        owner: 0,
        kind: ContainerKind::Board,
    });
    let name = lower.text(&args, "name").unwrap_or("").into();
    let list = lower.need(&args, "games")?;
    let list = lower.call_of(list)?;
    let mut items: Vec<&Argument> = lower.items(&list, "games").iter().collect();
    items.extend(list.get("game"));
    lower.done(&list)?;
    if items.is_empty() {
        return lower.wrong(list.call.place, "a match needs at least one game");
    }
    let mut subgames = Vec::new();
    for item in &items {
        subgames.push(lower.subgame(item, items.len(), games, depth)?);
    }
    let end = lower.need(&args, "end")?;
    let end = lower.end(end)?;
    lower.done(&args)?;
    lower.names_known()?;
    let flags = &mut lower.flags;
    flags.chance = subgames.iter().any(|sub| sub.game.chance);
    flags.random = subgames.iter().any(|sub| sub.game.random);
    flags.rolls_later = subgames.iter().any(|sub| sub.game.rolls_later);
    flags.scores = true;
    flags.hides = subgames.iter().any(|sub| sub.game.hides);
    let (mode, meta) = (Mode::Alternating, Meta::default());
    let game = lower.finish(name, mode, meta, Vec::new(), Vec::new(), end, &description.game);
    Ok(Compiled { subgames, ..game })
}

impl Lower<'_> {
    fn subgame(
        &mut self,
        argument: &Argument,
        count: usize,
        games: &dyn Subgames,
        depth: usize,
    ) -> Lowered<Subgame> {
        let args = self.call_of(argument)?;
        let place = argument.place;
        let name = self.text(&args, "name").unwrap_or("");
        let options: Vec<String> =
            self.text(&args, "option").map(str::to_string).into_iter().collect();
        let next = self.opt_int(&args, "next")?;
        if let Some(Int::Const(next)) = next
            && !(0..count as i32).contains(&next)
        {
            let last = count - 1;
            return self.wrong(place, format!("the games of this match are numbered 0 to {last}"));
        }
        let result = args.get("result");
        self.done(&args)?;
        let found = match games.find(name, &options) {
            Ok(found) => found,
            Err(Missing::Unknown(near)) => {
                return self.nothing_called(place, "game", name, near.iter().map(String::as_str));
            }
            Err(Missing::Faulty(fault)) => return self.faulty(place, name, &fault),
        };
        let (game, result) = match self.compile_subgame(&found, games, result, depth) {
            Ok(compiled) => compiled,
            Err(fault) => return self.faulty(place, name, &fault),
        };
        if game.players != self.players {
            let (ours, theirs) = (self.players, game.players);
            return self.wrong(
                place,
                format!("this match has {ours} players, but \"{name}\" has {theirs}"),
            );
        }
        Ok(Subgame { game, next, result })
    }

    fn compile_subgame(
        &self,
        found: &Description,
        games: &dyn Subgames,
        result: Option<&Argument>,
        depth: usize,
    ) -> Lowered<(Compiled, Option<Int>)> {
        if found.game.head() == Some("match") {
            if depth >= DEEPEST {
                let place = Place { span: found.game.span, via: 0 };
                return self.refuse(place, "a match so deep within matches");
            }
            let call = check(&found.game, "Match", &found.expansions).map_err(Box::new)?;
            let game = lower_match(found, &call, games, depth + 1)?;
            let mut outside = equipment::bare(self.expansions);
            outside.players = self.players;
            let result = result.map(|result| outside.int(result)).transpose()?;
            return Ok((game, result));
        }
        let call = check(&found.game, "Game", &found.expansions).map_err(Box::new)?;
        lower_with(found, &call, |lower| {
            lower.expansions = self.expansions;
            result.map(|result| lower.int(result)).transpose()
        })
    }

    /// Something is wrong with a game of the match: it is said here, for the place is in another text.
    fn faulty<T>(&self, place: Place, name: &str, fault: &Diagnostic) -> Lowered<T> {
        let message = format!("the game \"{name}\" of this match: {}", fault.message);
        let diagnostic =
            Diagnostic { severity: fault.severity, ..Diagnostic::error(message, place.span) };
        Err(Box::new(located(diagnostic, place.via, self.expansions)))
    }
}
