//! The paper's symbols: `.{} o{0} o{1/3} -> to {} after to {1/6}`.
//!
//! A pattern is a list of places, each with what must (or, after `!`, must not) stand there; several
//! qualifiers before one walk are all asked of that place. After the arrow stands the move, and after
//! `after` the move before it. `rotations {0, 1/2}` and `reflections no` may follow.

use super::cursor::Cursor;
use super::{
    Element, Feature, MAX_ELEMENTS, Pattern, Place, Reflections, Rotations, Sense, Spatial, Test,
    Walk,
};
use crate::diagnostic::Diagnostic;

/// Reads a feature in the paper's symbols.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Feature, Diagnostic> {
    let mut feature = Spatial { pattern: pattern(cursor)?, ..Spatial::default() };
    (feature.from, feature.to) = ends(cursor)?;
    if word(cursor, "after") {
        (feature.last_from, feature.last_to) = ends(cursor)?;
    }
    if feature.ends().iter().all(Option::is_none) {
        return Err(cursor.expected("`to {…}` or `from {…}`: the move that the pattern is about"));
    }
    if word(cursor, "rotations") {
        feature.pattern.rotations = match word(cursor, "all") {
            true => Rotations::All,
            false => Rotations::These(walk(cursor)?),
        };
    }
    if word(cursor, "reflections") {
        feature.pattern.reflections = match (word(cursor, "yes"), word(cursor, "no")) {
            (true, _) => Reflections::Both,
            (_, true) => Reflections::Plain,
            _ => return Err(cursor.expected("`yes` or `no`")),
        };
    }
    cursor.finish()?;
    Ok(Feature::Spatial(feature))
}

/// Takes a word if it comes next.
fn word(cursor: &mut Cursor<'_>, word: &str) -> bool {
    cursor.skip_blank();
    cursor.take(word)
}

fn walk(cursor: &mut Cursor<'_>) -> Result<Walk, Diagnostic> {
    cursor.skip_blank();
    cursor.walk()
}

/// `from {…} to {…}`, either or both.
fn ends(cursor: &mut Cursor<'_>) -> Result<(Option<Place>, Option<Place>), Diagnostic> {
    let (mut from, mut to) = (None, None);
    loop {
        let end = match (word(cursor, "from"), word(cursor, "to")) {
            (true, _) => &mut from,
            (_, true) => &mut to,
            _ => return Ok((from, to)),
        };
        if end.is_some() {
            return Err(cursor.expected("each end of a move once"));
        }
        *end = Some(Place::Walk(walk(cursor)?));
    }
}

/// Everything up to the arrow.
fn pattern(cursor: &mut Cursor<'_>) -> Result<Pattern, Diagnostic> {
    let mut elements = Vec::new();
    loop {
        cursor.skip_blank();
        if cursor.take(",") {
            continue;
        }
        if cursor.take("->") {
            return Ok(Pattern { elements, ..Pattern::default() });
        }
        place(cursor, &mut elements)?;
        if elements.len() > MAX_ELEMENTS {
            return Err(cursor.expected(&format!("at most {MAX_ELEMENTS} elements")));
        }
    }
}

/// Qualifiers and the walk they share.
fn place(cursor: &mut Cursor<'_>, elements: &mut Vec<Element>) -> Result<(), Diagnostic> {
    let start = cursor.at();
    let mut tests = Vec::new();
    while tests.is_empty() || !cursor.rest().starts_with('{') {
        let sense = if cursor.take("!") { Sense::MustNot } else { Sense::Must };
        tests.push((test(cursor)?, sense));
        cursor.skip_blank();
        if tests.len() > MAX_ELEMENTS {
            return Err(cursor.expected("a walk"));
        }
    }
    let walk = cursor.walk()?;
    let span = cursor.since(start);
    let element = |(test, sense)| Element { test, sense, place: Place::Walk(walk.clone()), span };
    elements.extend(tests.into_iter().map(element));
    Ok(())
}

fn test(cursor: &mut Cursor<'_>) -> Result<Test, Diagnostic> {
    type Numbered = (&'static str, fn(u32) -> Test);
    const PLAIN: [(&str, Test); 5] = [
        ("-", Test::Off),
        (".", Test::Empty),
        ("o", Test::Friend),
        ("x", Test::Enemy),
        ("*", Test::Any),
    ];
    // The paper has the first two; the others are written as in the other notation.
    const NUMBERED: [Numbered; 7] = [
        ("P", Test::Player),
        ("I", Test::Item),
        ("pos", Test::Position),
        ("N", Test::Connectivity),
        ("R", Test::Nearer),
        ("LOSO", Test::SeesOrthogonally),
        ("LOSD", Test::SeesDiagonally),
    ];
    if let Some((_, test)) = PLAIN.into_iter().find(|(label, _)| cursor.take(label)) {
        return Ok(test);
    }
    match NUMBERED.into_iter().find(|(label, _)| cursor.take(label)) {
        Some((label, test)) => Ok(test(cursor.index(&format!("a number after `{label}`"))?)),
        None => Err(cursor.expected("a symbol or a walk").help(
            "the symbols are `-` (off the board), `.` (empty), `o`, `x`, `P` and `I` with a number, and `!` before any of them",
        )),
    }
}
