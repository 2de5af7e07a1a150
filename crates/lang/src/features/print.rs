//! Features as text, in the shortest form that reads back as the same.

use super::{
    Element, Feature, Notation, Pattern, Place, Reflections, Rotations, Sense, Spatial, Test, Turn,
};
use std::fmt::{self, Write as _};

/// The feature in one line.
pub(super) fn feature(feature: &Feature, notation: Notation) -> String {
    match feature {
        Feature::Pass => "PassMove".to_owned(),
        Feature::Swap => "SwapMove".to_owned(),
        Feature::Intercept => "Intercept".to_owned(),
        // Sites by number are not in the paper.
        Feature::Spatial(spatial) => match notation {
            Notation::Paper if !is_absolute(spatial) => paper(spatial),
            _ => ludii(spatial),
        },
    }
}

fn is_absolute(feature: &Spatial) -> bool {
    let elements = feature.pattern.elements.iter().map(|element| &element.place);
    feature.ends().into_iter().flatten().chain(elements).any(|p| matches!(p, Place::Site(_)))
}

fn ludii(feature: &Spatial) -> String {
    let mut out = String::from(if is_absolute(feature) { "abs" } else { "rel" });
    for (name, place) in ["last_from", "last_to", "from", "to"].into_iter().zip(feature.ends()) {
        match place {
            Some(Place::Site(site)) => _ = write!(out, ":{name}=<{site}>"),
            Some(walk) => _ = write!(out, ":{name}=<{walk}>"),
            None => {}
        }
    }
    let Pattern { elements, rotations, reflections } = &feature.pattern;
    out.push_str(":pat=<");
    if *reflections == Reflections::Plain {
        out.push_str("refl=false,");
    }
    if let Rotations::These(turns) = rotations {
        // The reference reads no fractions here.
        let turns: Vec<String> = turns.iter().map(|turn| format!("{:?}", turn.0)).collect();
        _ = write!(out, "rots=[{}],", turns.join(","));
    }
    let elements: Vec<String> = elements.iter().map(|e| element(e, ludii_test(e.test))).collect();
    _ = write!(out, "els=[{}]>", elements.join(", "));
    if let Some(comment) = &feature.comment {
        _ = write!(out, ":comment=\"{comment}\"");
    }
    out
}

fn paper(feature: &Spatial) -> String {
    let mut out = String::new();
    let Pattern { elements, rotations, reflections } = &feature.pattern;
    for written in elements {
        _ = write!(out, "{} ", element(written, paper_test(written.test)));
    }
    out.push_str("->");
    let [last_from, last_to, from, to] = feature.ends();
    let mut end = |word: &str, place: Option<&Place>| {
        if let Some(place) = place {
            _ = write!(out, " {word} {place}");
        }
    };
    end("from", from);
    end("to", to);
    if feature.is_reactive() {
        end("after from", last_from);
        end(if last_from.is_some() { "to" } else { "after to" }, last_to);
    }
    if let Rotations::These(turns) = rotations {
        _ = write!(out, " rotations {}", Place::Walk(turns.clone()));
    }
    if *reflections == Reflections::Plain {
        out.push_str(" reflections no");
    }
    out
}

fn element(element: &Element, label: String) -> String {
    let not = if element.sense == Sense::MustNot { "!" } else { "" };
    format!("{not}{label}{}", element.place)
}

fn ludii_test(test: Test) -> String {
    match test {
        Test::Empty => "-".to_owned(),
        Test::Friend => "f".to_owned(),
        Test::Enemy => "e".to_owned(),
        Test::Off => "#".to_owned(),
        Test::Player(n @ (1 | 2)) => n.to_string(),
        _ => shared_test(test),
    }
}

fn paper_test(test: Test) -> String {
    match test {
        Test::Empty => ".".to_owned(),
        Test::Friend => "o".to_owned(),
        Test::Enemy => "x".to_owned(),
        Test::Off => "-".to_owned(),
        _ => shared_test(test),
    }
}

/// What is written alike in both notations.
fn shared_test(test: Test) -> String {
    match test {
        Test::Empty | Test::Friend | Test::Enemy | Test::Off | Test::Any => "*".to_owned(),
        Test::Player(n) => format!("P{n}"),
        Test::Item(n) => format!("I{n}"),
        Test::Position(n) => format!("pos{n}"),
        Test::Connectivity(n) => format!("N{n}"),
        Test::Nearer(n) => format!("R{n}"),
        Test::SeesOrthogonally(n) => format!("LOSO{n}"),
        Test::SeesDiagonally(n) => format!("LOSD{n}"),
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Site(site) => write!(f, "{{abs-{site}}}"),
            Place::Walk(walk) => {
                let turns: Vec<String> = walk.iter().map(Turn::to_string).collect();
                write!(f, "{{{}}}", turns.join(","))
            }
        }
    }
}

/// The largest number of parts that a turn is written in; other turns are decimals.
const MOST_PARTS: u32 = 20;

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fraction = |sides: u32| {
            let parts = (self.0 * sides as f32).round();
            (parts / sides as f32 == self.0).then_some((parts, sides))
        };
        match (1..=MOST_PARTS).find_map(fraction) {
            Some((parts, 1)) => write!(f, "{parts}"),
            Some((parts, sides)) => write!(f, "{parts}/{sides}"),
            None => write!(f, "{:?}", self.0),
        }
    }
}
