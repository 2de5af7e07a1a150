//! The text form of Ludii's files: `rel:last_to=<{1/6}>:to=<{}>:pat=<els=[-{}, f{0}]>`.

use super::cursor::Cursor;
use super::{
    Element, Feature, MAX_ELEMENTS, Pattern, Place, Reflections, Rotations, Sense, Spatial, Test,
};
use crate::diagnostic::Diagnostic;

/// Whether places are walks or numbers of sites.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    Relative,
    Absolute,
}

/// Reads what follows `rel:` or `abs:`.
pub(super) fn read(cursor: &mut Cursor<'_>, frame: Frame) -> Result<Feature, Diagnostic> {
    let mut feature = Spatial::default();
    let mut seen = Vec::new();
    loop {
        part(cursor, frame, &mut feature, &mut seen)?;
        cursor.skip_blank();
        if !cursor.take(":") {
            break;
        }
    }
    cursor.finish()?;
    Ok(Feature::Spatial(feature))
}

/// One `name=…`; `seen` are the names before it.
fn part(
    cursor: &mut Cursor<'_>,
    frame: Frame,
    feature: &mut Spatial,
    seen: &mut Vec<String>,
) -> Result<(), Diagnostic> {
    cursor.skip_blank();
    let start = cursor.at();
    let name = cursor.take_while(|c| c.is_ascii_alphabetic() || c == '_').to_owned();
    let span = cursor.since(start);
    if seen.contains(&name) {
        return Err(Diagnostic::error(format!("`{name}` is said twice"), span));
    }
    match name.as_str() {
        "last_from" => feature.last_from = Some(anchor(cursor, frame)?),
        "last_to" => feature.last_to = Some(anchor(cursor, frame)?),
        "from" => feature.from = Some(anchor(cursor, frame)?),
        "to" => feature.to = Some(anchor(cursor, frame)?),
        "pat" => feature.pattern = pattern(cursor, frame)?,
        "comment" => feature.comment = Some(comment(cursor)?),
        "" => return Err(cursor.expected(PARTS)),
        _ => {
            let message = format!("a feature has no part `{name}`");
            return Err(Diagnostic::error(message, span).help(format!("it has {PARTS}")));
        }
    }
    seen.push(name);
    Ok(())
}

const PARTS: &str = "`last_from`, `last_to`, `from`, `to`, `pat` or `comment`";

/// `=<…>` of a move's end.
fn anchor(cursor: &mut Cursor<'_>, frame: Frame) -> Result<Place, Diagnostic> {
    cursor.expect("=<", "after the name of a move's end")?;
    cursor.skip_blank();
    let place = match frame {
        Frame::Relative => Place::Walk(cursor.walk()?),
        Frame::Absolute => Place::Site(cursor.index("the number of a site")?),
    };
    cursor.skip_blank();
    cursor.expect(">", "after a place")?;
    Ok(place)
}

fn comment(cursor: &mut Cursor<'_>) -> Result<String, Diagnostic> {
    cursor.expect("=\"", "before a comment")?;
    let text = cursor.take_while(|c| c != '"').to_owned();
    cursor.expect("\"", "after a comment")?;
    Ok(text)
}

fn pattern(cursor: &mut Cursor<'_>, frame: Frame) -> Result<Pattern, Diagnostic> {
    cursor.expect("=<", "before a pattern")?;
    let mut pattern = Pattern::default();
    loop {
        cursor.skip_blank();
        if cursor.take("refl=") {
            pattern.reflections = reflections(cursor)?;
        } else if cursor.take("rots=") {
            pattern.rotations = rotations(cursor)?;
        } else {
            cursor.expect("els=[", "with the elements of the pattern")?;
            pattern.elements = elements(cursor, frame)?;
            break;
        }
        cursor.skip_blank();
        cursor.expect(",", "before what comes next in the pattern")?;
    }
    cursor.skip_blank();
    cursor.expect(">", "after a pattern")?;
    Ok(pattern)
}

fn reflections(cursor: &mut Cursor<'_>) -> Result<Reflections, Diagnostic> {
    if cursor.take("true") {
        return Ok(Reflections::Both);
    }
    cursor.expect("false", "or `true`").map(|()| Reflections::Plain)
}

fn rotations(cursor: &mut Cursor<'_>) -> Result<Rotations, Diagnostic> {
    if cursor.take("all") {
        return Ok(Rotations::All);
    }
    cursor.expect("[", "or `all`")?;
    let mut turns = Vec::new();
    loop {
        cursor.skip_blank();
        turns.push(cursor.turn()?);
        cursor.skip_blank();
        if cursor.take("]") {
            return Ok(Rotations::These(turns));
        }
        cursor.expect(",", "or `]` after a rotation")?;
        if turns.len() == super::MAX_STEPS {
            return Err(cursor.expected(&format!("at most {} rotations", super::MAX_STEPS)));
        }
    }
}

/// Elements up to the bracket that closes them.
fn elements(cursor: &mut Cursor<'_>, frame: Frame) -> Result<Vec<Element>, Diagnostic> {
    let mut elements = Vec::new();
    cursor.skip_blank();
    if cursor.take("]") {
        return Ok(elements);
    }
    loop {
        cursor.skip_blank();
        elements.push(element(cursor, frame)?);
        cursor.skip_blank();
        if cursor.take("]") {
            return Ok(elements);
        }
        cursor.expect(",", "or `]` after an element")?;
        if elements.len() == MAX_ELEMENTS {
            return Err(cursor.expected(&format!("at most {MAX_ELEMENTS} elements")));
        }
    }
}

fn element(cursor: &mut Cursor<'_>, frame: Frame) -> Result<Element, Diagnostic> {
    let start = cursor.at();
    let sense = if cursor.take("!") { Sense::MustNot } else { Sense::Must };
    let test = test(cursor)?;
    cursor.skip_blank();
    let place = match frame {
        Frame::Relative => Place::Walk(cursor.walk()?),
        Frame::Absolute => {
            cursor.expect("{abs-", "before the number of a site")?;
            let site = cursor.index("the number of a site")?;
            cursor.expect("}", "after the number of a site")?;
            Place::Site(site)
        }
    };
    Ok(Element { test, sense, place, span: cursor.since(start) })
}

/// The kind of an element. The order matters where one label begins another.
fn test(cursor: &mut Cursor<'_>) -> Result<Test, Diagnostic> {
    type Numbered = (&'static str, fn(u32) -> Test);
    const PLAIN: [(&str, Test); 7] = [
        ("-", Test::Empty),
        ("f", Test::Friend),
        ("e", Test::Enemy),
        ("#", Test::Off),
        ("*", Test::Any),
        ("1", Test::Player(1)),
        ("2", Test::Player(2)),
    ];
    const NUMBERED: [Numbered; 7] = [
        ("I", Test::Item),
        ("pos", Test::Position),
        ("N", Test::Connectivity),
        ("R", Test::Nearer),
        ("LOSO", Test::SeesOrthogonally),
        ("LOSD", Test::SeesDiagonally),
        // The reference has no such label; players above two cannot be said without it.
        ("P", Test::Player),
    ];
    if let Some((_, test)) = PLAIN.into_iter().find(|(label, _)| cursor.take(label)) {
        return Ok(test);
    }
    match NUMBERED.into_iter().find(|(label, _)| cursor.take(label)) {
        Some((label, test)) => Ok(test(cursor.index(&format!("a number after `{label}`"))?)),
        None => Err(cursor.expected("an element").help(
            "an element is `-` (empty), `f`, `e`, `#` (off the board), `*`, `1`, `2`, or `I`, `pos`, `N`, `R`, `LOSO`, `LOSD` with a number",
        )),
    }
}
