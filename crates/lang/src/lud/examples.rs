//! Examples of every ludeme and of each of its arguments, and the games of the public library in which it stands.
//!
//! All are kept as text beside the table of ludemes: `examples.tbl` (one of every ludeme) and `arguments.tbl` (what those
//! leave out) are written by hand and compiled by tests, `uses.tbl` is written by `ludex ludemes --count DIR`.

use super::check::{Call, Value};
use super::table::Row;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a ludeme is known by here: its first kind and its key. Forms that differ in their arguments share it.
pub type Id = (&'static str, &'static str);

/// An example of a ludeme.
#[derive(Debug, PartialEq, Eq)]
pub struct Example {
    /// The ludeme.
    pub id: Id,
    /// What kind of place it stands in, perhaps after the kind of game: `moves`, `dice/int`.
    pub place: &'static str,
    /// Nothing plays the ludeme yet: descriptions with it are refused by name.
    pub refused: bool,
    /// The text.
    pub text: &'static str,
}

/// The games of a library in which a ludeme stands.
#[derive(Debug, PartialEq, Eq)]
pub struct Uses {
    /// How many.
    pub count: usize,
    /// The names of some.
    pub some: Vec<&'static str>,
}

/// What a form is known by here.
pub fn id(row: &Row) -> Id {
    (row.kinds[0], row.key)
}

/// One example of every ludeme.
pub fn examples() -> &'static [Example] {
    static ALL: LazyLock<Vec<Example>> = LazyLock::new(|| read(include_str!("examples.tbl")));
    &ALL
}

/// Examples of the arguments that the examples of ludemes leave out.
pub fn arguments() -> &'static [Example] {
    static ALL: LazyLock<Vec<Example>> = LazyLock::new(|| read(include_str!("arguments.tbl")));
    &ALL
}

fn read(text: &'static str) -> Vec<Example> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &'static str| match line.split('\t').collect::<Vec<_>>().as_slice() {
        [kind, key, place, text] => {
            let refused = place.strip_prefix("refused ");
            let (place, refused) = (refused.unwrap_or(place), refused.is_some());
            Some(Example { id: (kind, key), place, refused, text })
        }
        _ => None,
    };
    lines.filter_map(read).collect()
}

/// The example of a ludeme.
pub fn example(id: Id) -> Option<&'static Example> {
    examples().iter().find(|example| example.id == id)
}

/// The games in which a ludeme stands, by their default options.
pub fn uses(id: Id) -> Option<&'static Uses> {
    static ALL: LazyLock<HashMap<Id, Uses>> = LazyLock::new(|| {
        let read = |line: &'static str| match line.split('\t').collect::<Vec<_>>().as_slice() {
            [kind, key, count, some] => {
                let count = count.parse().ok()?;
                Some(((*kind, *key), Uses { count, some: some.split(" | ").collect() }))
            }
            _ => None,
        };
        include_str!("uses.tbl").lines().filter_map(read).collect()
    });
    ALL.get(&id)
}

/// Tells of every ludeme in a checked description.
pub fn each_ludeme(call: &Call, tell: &mut dyn FnMut(Id)) {
    each_call(call, &mut |call| tell(id(call.row)));
}

/// Tells of every call in a checked description.
pub fn each_call(call: &Call, tell: &mut dyn FnMut(&Call)) {
    tell(call);
    call.arguments.iter().flatten().for_each(|argument| within(&argument.value, tell));
}

fn within(value: &Value, tell: &mut dyn FnMut(&Call)) {
    match value {
        Value::Call(call) => each_call(call, tell),
        Value::List(items) => items.iter().for_each(|item| within(&item.value, tell)),
        _ => {}
    }
}
