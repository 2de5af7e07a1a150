//! A rule set as text that can be edited: options chosen, defines expanded, one ludeme below the other; with every
//! argument's place in the text and its type from the table of ludemes.

use std::ops::Range;
use std::sync::Arc;

use ludex_arena::catalog::{self, GameSpec, Places};
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::advice::advise;
use ludex_game::Game;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::check::{self, Argument, Call, Value};
use ludex_lang::lud::table::Type;
use ludex_lang::lud::tree::{Node, NodeKind};
use ludex_lang::lud::{self, Library};

use crate::JudgeError;

/// An editable rule set.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The whole description.
    pub text: String,
    /// Every argument of every ludeme, outer ones before those inside.
    pub spots: Vec<Spot>,
    /// Arguments that are left out and could be there.
    pub gaps: Vec<Gap>,
}

/// An argument and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Where it stands, without its name.
    pub range: Range<usize>,
    /// What may stand there.
    pub takes: Type,
    /// What stands there.
    pub holds: Holds,
    /// Whether it may be left out: as an optional argument, or as one of several in a list.
    pub optional: bool,
    /// The name written before it.
    pub named: bool,
    /// The ludeme it is an argument of, such as `move.Step`.
    pub parent: &'static str,
    /// The name of the argument in the table of ludemes.
    pub name: &'static str,
}

/// What kind of thing an argument is.
#[derive(Clone, Debug, PartialEq)]
pub enum Holds {
    /// A ludeme, by its key in the table.
    Call(&'static str),
    /// A whole number.
    Int(i32),
    /// A word of an enumeration.
    Word(&'static str),
    /// A list of so many.
    List(usize),
    /// Anything else.
    Other,
}

/// Where an optional argument could be added.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// The ludeme that would get it.
    pub parent: &'static str,
    /// Where it would be written.
    pub at: usize,
    /// What may stand there.
    pub takes: Type,
    /// Its name, and whether that is written.
    pub name: &'static str,
    /// Whether the name is written.
    pub named: bool,
}

impl Sheet {
    /// The sheet of a game from ludemes; nothing for games from anything else.
    pub fn of(spec: &GameSpec) -> Result<Option<Sheet>, JudgeError> {
        let Some(text) = catalog::ludeme_text(spec, Places::here())? else { return Ok(None) };
        let defines = match &spec.defs {
            Some(folder) => Defines::read(folder)?,
            None => Defines::none(),
        };
        let description = defines
            .describe(&text, &spec.options)
            .map_err(|error| JudgeError::Rules(defines.explain(&error, &spec.name, &text)))?;
        if description.game.head() == Some("match") {
            return Ok(None);
        }
        Ok(Sheet::read(written(&description.game)))
    }

    /// Reads a description without options and defines; nothing where it is wrong.
    pub fn read(text: String) -> Option<Sheet> {
        let description = lud::read(&text, SourceId(0), &Library::default(), &[]).ok()?;
        let call = check::check(&description.game, "Game", &description.expansions).ok()?;
        let mut sheet = Sheet { text, spots: Vec::new(), gaps: Vec::new() };
        sheet.walk(&call);
        Some(sheet)
    }

    fn walk(&mut self, call: &Call) {
        let end = (call.place.span.range().end).saturating_sub(1);
        for (parameter, argument) in call.row.parameters.iter().zip(&call.arguments) {
            let Type::Kind(..) = parameter.takes else { continue };
            match argument {
                Some(argument) => {
                    let spot = Spot {
                        range: argument.place.span.range(),
                        takes: parameter.takes,
                        holds: holds(argument),
                        optional: parameter.optional,
                        named: parameter.named,
                        parent: call.row.key,
                        name: parameter.name,
                    };
                    self.enter(spot, argument);
                }
                // Neighbours of one group exclude each other; leaving the compiler to refuse would waste time.
                None if parameter.optional && parameter.group.is_none() => {
                    let later = call.arguments.iter().zip(&call.row.parameters);
                    let after = later.skip_while(|(_, other)| !std::ptr::eq(*other, parameter));
                    let next = after.filter(|(_, p)| !p.named).find_map(|(a, _)| a.as_ref());
                    let next = next.map(|next| next.place.span.range().start);
                    let at = if parameter.named { end } else { next.unwrap_or(end) };
                    let (takes, name) = (parameter.takes, parameter.name);
                    let (parent, named) = (call.row.key, parameter.named);
                    self.gaps.push(Gap { parent, at, takes, name, named });
                }
                None => {}
            }
        }
    }

    fn enter(&mut self, spot: Spot, argument: &Argument) {
        let (takes, parent, name) = (spot.takes, spot.parent, spot.name);
        self.spots.push(spot);
        match &argument.value {
            Value::Call(call) => self.walk(call),
            Value::List(items) => {
                let inside = match takes {
                    Type::Kind(kind, lists) => Type::Kind(kind, lists.saturating_sub(1)),
                    literal => literal,
                };
                for item in items {
                    let spot = Spot {
                        range: item.place.span.range(),
                        takes: inside,
                        holds: holds(item),
                        optional: items.len() > 1,
                        named: false,
                        parent,
                        name,
                    };
                    self.enter(spot, item);
                }
            }
            _ => {}
        }
    }

    /// The text with one argument replaced.
    pub fn replaced(&self, range: Range<usize>, with: &str) -> String {
        let mut text = self.text.clone();
        text.replace_range(range, with);
        text
    }

    /// Where an argument stands, its name included.
    pub fn extent(&self, spot: &Spot) -> Range<usize> {
        let mut range = spot.range.clone();
        let label = format!("{}:", spot.name);
        if spot.named && self.text[..range.start].ends_with(&label) {
            range.start -= label.len();
        }
        range
    }

    /// The text without one argument.
    pub fn without(&self, spot: &Spot) -> String {
        self.replaced(self.extent(spot), "")
    }

    /// What stands at a place, on one line.
    pub fn shown(&self, range: Range<usize>) -> String {
        let words: Vec<&str> = self.text[range].split_whitespace().collect();
        words.join(" ").replace("( ", "(").replace(" )", ")").replace("{ ", "{").replace(" }", "}")
    }
}

fn holds(argument: &Argument) -> Holds {
    match &argument.value {
        Value::Call(call) => Holds::Call(call.row.key),
        Value::Int(number) => Holds::Int(*number),
        Value::Word(word) => Holds::Word(word),
        Value::List(items) => Holds::List(items.len()),
        Value::Float(_) | Value::Bool(_) | Value::Text(_) => Holds::Other,
    }
}

/// Compiles a description without options and defines; a sentence where it is refused.
pub fn compile(text: &str) -> Result<Arc<dyn Game>, JudgeError> {
    let defines = Defines::none();
    let compiled = defines
        .compile(text, &[])
        .map_err(|error| JudgeError::Rules(defines.explain(&error, "candidate.lud", text)))?;
    Ok(ludex_kernel::fastest(compiled)?)
}

/// What `ludex check` warns of in rules and in a few random games by them, a sentence each.
pub fn doubts(text: &str, game: &dyn Game) -> Vec<String> {
    let compiler =
        Defines::none().compile(text, &[]).map_or(Vec::new(), |compiled| compiled.warnings);
    let all = compiler.into_iter().chain(advise(text, game));
    all.map(|warning| warning.message).collect()
}

/// The same for the general evaluator, which is ready sooner.
pub fn compile_plainly(text: &str) -> Option<Arc<dyn Game>> {
    let compiled = Defines::none().compile(text, &[]).ok()?;
    ludex_kernel::standard(compiled).ok()
}

/// Lines longer than this are broken.
const WIDTH: usize = 96;

/// A tree as text that people can read.
pub fn written(node: &Node) -> String {
    let mut out = String::new();
    write(node, 0, &mut out);
    out.push('\n');
    out
}

/// Writes a tree so that people can read it: on one line where it fits, otherwise one argument a line.
fn write(node: &Node, depth: usize, out: &mut String) {
    let line = node.to_string();
    let atom = matches!(node.kind, NodeKind::Text(_) | NodeKind::Word(_));
    if atom || line.len() + 4 * depth <= WIDTH {
        out.push_str(&line);
        return;
    }
    if let Some(name) = &node.name {
        out.push_str(name);
        out.push(':');
    }
    let (open, close) = match node.kind {
        NodeKind::List(_) => ('{', '}'),
        NodeKind::Angle(_) => ('<', '>'),
        _ => ('(', ')'),
    };
    out.push(open);
    for (at, child) in node.children().iter().enumerate() {
        let plain = matches!(child.kind, NodeKind::Text(_) | NodeKind::Word(_));
        let beside = matches!(node.kind, NodeKind::Call(_)) && (at == 0 || (at == 1 && plain));
        match (at, beside) {
            (0, true) => {}
            (_, true) => out.push(' '),
            _ => {
                out.push('\n');
                out.push_str(&"    ".repeat(depth + 1));
            }
        }
        write(child, depth + 1, out);
    }
    out.push('\n');
    out.push_str(&"    ".repeat(depth));
    out.push(close);
}

/// A description laid out anew; as it is where it cannot be read.
pub fn tidied(text: &str) -> String {
    match lud::read(text, SourceId(0), &Library::default(), &[]) {
        Ok(description) => written(&description.game),
        Err(_) => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_description_survives_being_written_out() {
        for (name, _) in ludex_games::ludemes::DESCRIPTIONS {
            let spec = GameSpec::named(format!("{name}.lud"));
            let Some(sheet) = Sheet::of(&spec).unwrap() else { continue };
            assert!(sheet.spots.len() > 5, "{name}");
            assert_eq!(tidied(&sheet.text), sheet.text, "{name}");
            for spot in &sheet.spots {
                assert!(!sheet.text[spot.range.clone()].contains("::"), "{name}: {spot:?}");
            }
        }
    }

    #[test]
    fn spots_have_places_and_types() {
        let sheet = Sheet::of(&GameSpec::named("gomoku.lud")).unwrap().unwrap();
        let size = sheet.spots.iter().find(|spot| spot.holds == Holds::Int(15)).unwrap();
        assert_eq!(&sheet.text[size.range.clone()], "15");
        let smaller = Sheet::read(sheet.replaced(size.range.clone(), "9")).unwrap();
        assert!(smaller.text.contains("(square 9)"));
        let line = sheet.spots.iter().find(|spot| spot.holds == Holds::Int(5)).unwrap();
        assert_eq!(line.parent, "is.Line");
        assert!(sheet.gaps.iter().any(|gap| gap.name == "meta"), "{:?}", sheet.gaps);
    }
}
