//! The reference of all ludemes, written from the table: a page, or what is known about one word.

use super::check::{spelled, spelling};
use super::examples::{Id, arguments, example, id, uses};
use super::table::{Parameter, Row, Table, Type, table};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The kinds of ludeme in the order in which a reader meets them, with what each is.
const CHAPTERS: [(&str, &str); 16] = [
    ("Game Match", "Whole games"),
    ("Players Player Mode Equipment Games Subgame", "The parts of a game"),
    ("item", "Equipment"),
    ("graph", "Board graphs"),
    ("Rules Meta Start Play End Phase NextPhase", "The parts of the rules"),
    ("metarule", "Meta rules"),
    ("start", "Starting rules"),
    ("moves", "Moves and effects"),
    ("From To Between Apply Then Piece Step", "The parts of a move"),
    ("bool", "Conditions"),
    ("int", "Numbers"),
    ("region", "Site sets"),
    ("dir", "Directions"),
    ("ints range", "Lists of numbers and ranges"),
    ("endrule If Result Score Payoff", "Ends and results"),
    ("float dim", "Decimal numbers and board dimensions"),
];

const PREFACE: &str = "# Ludemes

A game is one call of `game`, with calls inside calls; what follows `//` is a remark. A small one, complete:

```lud
(game \"Four in a Row\"                                 // its name
    (players 2)                                       // who plays: two, in turn
    (equipment {                                      // with what: a list, in braces
        (board (square 5))                            // a board of five by five cells
        (piece \"Disc\" Each)                           // each has discs: they are called Disc1 and Disc2
    })
    (rules                                            // and how
        (play (move Add (to (sites Empty))))          // a turn: the mover puts a disc on any empty cell
        (end (if (is Line 4) (result Mover Win)))     // four in a row win; a full board is a draw
    )
)
```

In a file `four.lud`: `ludex check four.lud` says what is wrong or odd about it, `ludex play four.lud` plays it. Whatever can stand for
a `<…>` below can be looked up: `ludex ludemes condition`, `ludex ludemes \"site set\"`.

## The reference

Every ludeme the reader knows, written from its table by `ludex ludemes --markdown`. A description that uses a
ludeme which cannot be played yet is refused by name.

In a form, `<…>` stands for a value of that type and `\"…\"` for text, `[…]` may be left out, `name:` is written
before its value,
`|` stands between values that exclude each other, and `{…}` is a list. Words in capitals after a ludeme's name
are written as they are. Examples are compiled by the tests, and every argument stands in one. The games are those of the public library in which a
ludeme stands by their default options; `ludex ludemes NAME --library DIR` lists all of them.
";

/// What is known about a word.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// The forms of a ludeme, or the lists of words it belongs to, as text.
    Found(String),
    /// Nothing; these are like it.
    Near(Vec<&'static str>),
}

/// The whole reference as a Markdown page.
pub fn page() -> String {
    let mut out = PREFACE.to_owned();
    for (title, rows) in chapters(table()) {
        let _ = write!(out, "\n## {title}\n\n");
        for entry in entries(&rows) {
            for form in &entry.forms {
                let _ = writeln!(out, "- `{form}`");
            }
            let _ = writeln!(out, "  — {}", entry.doc);
            if let Some(spelling) = entry.spelling {
                let _ = writeln!(out, "  Another spelling: `{spelling}`.");
            }
            if let Some(example) = example(entry.id) {
                let refused = if example.refused { REFUSED } else { "" };
                let _ = writeln!(out, "  Example: `{}`{refused}", example.text);
            }
            let more = others(entry.id, "`");
            if !more.is_empty() {
                let _ = writeln!(out, "  With other arguments: {more}");
            }
            let _ = writeln!(out, "  {}", games(entry.id));
        }
    }
    out.push_str("\n## Words\n\n");
    for (name, values) in enumerations(table()) {
        let words: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
        let _ = writeln!(out, "- {name}: {}", words.join(" "));
    }
    out
}

/// The whole reference as plain text.
pub fn text() -> String {
    let mut out = String::new();
    for (title, rows) in chapters(table()) {
        let _ = writeln!(out, "{title}\n");
        write_rows(&mut out, &rows);
        out.push('\n');
    }
    out
}

/// What is known about `word`: a ludeme such as `slide`, one of its forms such as `Slide` or
/// `move.Slide`, a word of an enumeration such as `Orthogonal`, or a kind of argument such as `condition`.
pub fn look_up(word: &str) -> Answer {
    let asked = plain(word);
    let found = named(&asked);
    let mut out = String::new();
    write_rows(&mut out, &found);
    if let Some(name) = spelled(&asked) {
        let _ = writeln!(out, "{asked} is another spelling of {name}:");
        write_rows(&mut out, &named(name));
    }
    for (name, values) in enumerations(table()) {
        let is_value = values.iter().any(|value| value.to_lowercase() == asked);
        if is_value || name.to_lowercase() == asked {
            let _ = writeln!(out, "{name}: one of {}", values.join(" "));
        }
    }
    if out.is_empty() {
        write_kind(&mut out, &word.trim_matches(['<', '>', ' ', '"']).to_lowercase());
    }
    match out.is_empty() {
        false => Answer::Found(out),
        true => Answer::Near(near(&asked)),
    }
}

/// Writes what can stand for a kind of argument that is called `name` in forms or, with an `s`, heads a chapter.
fn write_kind(out: &mut String, name: &str) {
    let is_called = |kind: &&str| {
        let shown = type_name(kind);
        let singular = name.strip_suffix('s').unwrap_or(name);
        [name, singular].contains(&shown.trim_matches(['<', '>']))
    };
    let taken = |parameter: &Parameter| match parameter.takes {
        Type::Kind(kind, _) => Some(kind),
        Type::Literal(_) => None,
    };
    let rows = table().rows().iter();
    let mut kinds: Vec<&str> = rows
        .flat_map(|row| row.kinds.iter().copied().chain(row.parameters.iter().filter_map(taken)))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds.iter().filter(|kind| is_called(kind)) {
        let _ = writeln!(out, "{} is {}", type_name(kind), literal(kind));
        for row in table().rows().iter().filter(|row| row.kinds.contains(kind)) {
            let _ = writeln!(out, "    {}", form(row));
        }
    }
}

/// What may be written for a kind without any brackets, and that other things may follow.
fn literal(kind: &str) -> &'static str {
    match kind {
        "bool" => "`True`, `False`, or any of",
        "int" | "dim" => "a whole number such as `3`, or any of",
        "float" => "a number such as `0.5`, or any of",
        "ints" => "numbers in braces such as `{1 2 3}`, or any of",
        "region" => "sites in braces such as `{\"A1\" \"B2\"}` inside `(sites …)`, or any of",
        "dir" => "a word such as `N`, `Forward` or `Orthogonal`, or any of",
        "facing" => "a direction of the compass such as `N` or `SE`",
        _ => "any of",
    }
}

/// The ludemes of a name, as `look_up` finds them.
pub fn ids(word: &str) -> Vec<Id> {
    named(&plain(word)).into_iter().map(id).collect()
}

/// A name without what people write around it.
fn plain(word: &str) -> String {
    word.trim_matches(['(', ')', ' ', '"']).replace(' ', ".").to_lowercase()
}

fn named(asked: &str) -> Vec<&'static Row> {
    let named = |row: &&Row| {
        let key = row.key.to_lowercase();
        row.word.to_lowercase() == asked || key == asked || key.split('.').any(|part| part == asked)
    };
    table().rows().iter().filter(named).collect()
}

/// Names like `asked`: slips of the pen first, then names that contain it.
fn near(asked: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for row in table().rows() {
        names.push(row.word);
        names.push(row.key);
        names.extend(row.key.split('.').skip(1));
    }
    names.sort_unstable();
    names.dedup();
    let mut close: Vec<(usize, &'static str)> = names
        .iter()
        .filter_map(|name| {
            let off = super::distance(asked, name);
            let holds = asked.len() > 2 && name.to_lowercase().contains(asked);
            let slip = off <= if asked.len() <= 3 { 1 } else { 2 };
            (slip || holds).then_some((if slip { off } else { 3 }, *name))
        })
        .collect();
    close.sort_unstable();
    close.into_iter().map(|(_, name)| name).take(8).collect()
}

/// Rows by chapter; what no chapter names comes last.
fn chapters(table: &'static Table) -> Vec<(&'static str, Vec<&'static Row>)> {
    let mut chapters: Vec<(&str, Vec<&Row>)> =
        CHAPTERS.iter().map(|(_, title)| (*title, Vec::new())).collect();
    chapters.push(("Small parts", Vec::new()));
    for row in table.rows() {
        let of = |kinds: &str| kinds.split(' ').any(|kind| row.kinds[0] == kind);
        let at = CHAPTERS.iter().position(|(kinds, _)| of(kinds)).unwrap_or(CHAPTERS.len());
        chapters[at].1.push(row);
    }
    chapters
}

fn enumerations(table: &'static Table) -> BTreeMap<&'static str, &'static [&'static str]> {
    table.enumerations().collect()
}

/// What is said of a ludeme that nothing plays yet.
const REFUSED: &str = " (refused by name: nothing plays it yet)";

/// The examples of the arguments that the example of a ludeme leaves out, each between two marks.
fn others(id: Id, mark: &str) -> String {
    let of = arguments().iter().filter(|example| example.id == id);
    let shown = of.map(|example| {
        let refused = if example.refused { REFUSED } else { "" };
        format!("{mark}{}{mark}{refused}", example.text)
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// The games of the library in which a ludeme stands, in words.
fn games(id: Id) -> String {
    match uses(id) {
        None => "In no game of the library.".to_string(),
        Some(uses) if uses.count == uses.some.len() => format!("In {}.", uses.some.join(", ")),
        Some(uses) => format!("In {} games, such as {}.", uses.count, uses.some.join(", ")),
    }
}

/// Forms of one ludeme that share their sentence.
struct Entry {
    forms: Vec<String>,
    doc: &'static str,
    spelling: Option<&'static str>,
    id: Id,
}

fn entries(rows: &[&Row]) -> Vec<Entry> {
    let mut out: Vec<Entry> = Vec::new();
    let mut last = "";
    for row in rows {
        match out.last_mut() {
            Some(entry) if entry.doc == row.doc && last == row.key => entry.forms.push(form(row)),
            _ => out.push(Entry {
                forms: vec![form(row)],
                doc: row.doc,
                spelling: spelling(row),
                id: id(row),
            }),
        }
        last = row.key;
    }
    out
}

fn write_rows(out: &mut String, rows: &[&Row]) {
    for entry in entries(rows) {
        for form in &entry.forms {
            let _ = writeln!(out, "{form}");
        }
        let _ = writeln!(out, "    {}", entry.doc);
        if let Some(spelling) = entry.spelling {
            let _ = writeln!(out, "    Another spelling: `{spelling}`.");
        }
        if let Some(example) = example(entry.id) {
            let refused = if example.refused { REFUSED } else { "" };
            let _ = writeln!(out, "    Example: {}{refused}", example.text);
        }
        let more = others(entry.id, "");
        if !more.is_empty() {
            let _ = writeln!(out, "    With other arguments: {more}");
        }
        let _ = writeln!(out, "    {}", games(entry.id));
    }
}

/// A form as it is written: `(move Step [(from …)] [<direction>] (to …) [stack:<True or False>] [(then …)])`.
pub fn form(row: &Row) -> String {
    let mut out = format!("({}", row.word);
    let mut rest = row.parameters.as_slice();
    while let Some(first) = rest.first() {
        let together = match first.group {
            None => 1,
            group => rest.iter().take_while(|p| p.group == group).count(),
        };
        let (alike, others) = rest.split_at(together);
        let written: Vec<String> = alike.iter().map(argument).collect();
        let shown = written.join(" | ");
        let _ = match (alike.iter().all(|p| p.optional), together) {
            (true, _) => write!(out, " [{shown}]"),
            (false, 1) => write!(out, " {shown}"),
            (false, _) => write!(out, " ({shown})"),
        };
        rest = others;
    }
    out.push(')');
    out
}

fn argument(parameter: &Parameter) -> String {
    let value = match parameter.takes {
        Type::Literal(word) => return word.to_owned(),
        Type::Kind(kind, lists) => {
            let (open, close) = ("{".repeat(lists.into()), "}".repeat(lists.into()));
            let value = match kind {
                "str" => format!("\"{}\"", parameter.name),
                _ => type_name(kind),
            };
            format!("{open}{value}{close}")
        }
    };
    match parameter.named {
        true => format!("{}:{value}", parameter.name),
        false => value,
    }
}

/// A kind as it is shown in a form.
fn type_name(kind: &str) -> String {
    let name = match kind {
        "bool" => "condition",
        "Bool" => "True or False",
        "int" => "number",
        "Int" => "plain number",
        "float" | "Float" => "decimal",
        "dim" => "dimension",
        "region" => "site set",
        "ints" => "numbers",
        "dir" => "direction",
        "facing" => "facing",
        "moves" => "moves",
        "graph" => "graph",
        "range" => "range",
        "start" => "starting rule",
        "item" => "equipment",
        "endrule" => "end rule",
        "metarule" => "meta rule",
        other => match other.strip_prefix('@') {
            Some(enumeration) => enumeration,
            None => return super::check::describe(other).trim_matches('`').into(),
        },
    };
    format!("<{name}>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn found(word: &str) -> String {
        match look_up(word) {
            Answer::Found(text) => text,
            Answer::Near(names) => format!("near: {}", names.join(" ")),
        }
    }

    #[test]
    fn every_kind_of_argument_can_be_looked_up() {
        for row in table().rows() {
            for parameter in &row.parameters {
                let shown = argument(parameter);
                let Some((_, kind)) = shown.split_once('<') else { continue };
                let kind = kind.split('>').next().unwrap_or_default();
                // What is written without brackets needs no list.
                if !["True or False", "plain number", "decimal"].contains(&kind) {
                    assert!(matches!(look_up(kind), Answer::Found(_)), "{shown}: {kind}");
                }
            }
        }
        assert!(found("condition").contains("(is Empty"), "{}", found("condition"));
        assert!(found("site set").contains("(sites Empty"), "{}", found("site set"));
        assert!(found("conditions").contains("<condition> is"));
    }

    #[test]
    fn every_ludeme_has_a_sentence() {
        for row in table().rows() {
            assert!(row.doc.ends_with('.') && row.doc.len() > 10, "{} has no sentence", row.key);
            assert!(row.doc.starts_with(char::is_uppercase), "{}: {}", row.key, row.doc);
        }
    }

    #[test]
    fn every_ludeme_has_an_example() {
        let without: Vec<Id> =
            table().rows().iter().map(id).filter(|id| example(*id).is_none()).collect();
        assert!(without.is_empty(), "{without:?} have no example");
    }

    #[test]
    fn ludemes_are_found_by_any_of_their_names() {
        expect![[r#"
            (move Step [(from …)] [<direction>] (to …) [stack:<True or False>] [(then …)])
                The player moves a piece to a neighbouring site.
                Example: (move Step Orthogonal (to if:(is Empty (to))))
                With other arguments: (move Step (from 12) Orthogonal (to if:(is Empty (to))) stack:True (then (moveAgain)))
                In 580 games, such as 1D Chess, 4 Squared, A Simple Game, Aboyne, Acedrex (Alfonso).
        "#]]
        .assert_eq(&found("(move Step"));
        assert!(found("Step").contains("(move Step"));
        assert!(found("orthogonal").contains("RelationType: one of"));
        assert!(found("sitetype").starts_with("SiteType: one of Vertex Edge Cell"));
    }

    #[test]
    fn near_misses_are_suggested() {
        expect!["near: Slide slide Side Solved"].assert_eq(&found("slied"));
        assert!(found("sugar").starts_with("near: "));
    }

    #[test]
    fn operators_are_found_by_their_other_spelling() {
        let found = found("pow");
        assert!(found.starts_with("pow is another spelling of ^:\n(^ <dimension>"), "{found}");
        assert!(found.contains("Another spelling: `pow`."), "{found}");
    }
}
