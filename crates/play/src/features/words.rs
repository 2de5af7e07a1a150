//! Features in words: what a pattern asks, as a sentence, and which strategies several of them make up.

use ludex_lang::features::{Feature, Place, Sense, Spatial, Test, Turn};
use std::collections::BTreeMap;

/// The names that sentences use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The kinds of piece, by index from one.
    pub pieces: Vec<String>,
    /// The regions, by index from nought.
    pub regions: Vec<String>,
}

/// What a feature says, as a sentence.
pub fn sentence(feature: &Feature, weight: f32, names: &Names) -> String {
    let verb = if weight < 0.0 { "Avoid" } else { "Prefer" };
    match feature {
        Feature::Pass => format!("{verb} passing."),
        Feature::Swap => format!("{verb} exchanging sides."),
        Feature::Intercept => "Holds for every move.".to_string(),
        Feature::Spatial(spatial) => {
            let mut text = format!("{verb} {}", action(spatial));
            let around = conditions(spatial, names);
            if !around.is_empty() {
                text += &format!(" {}", around.join(", "));
            }
            if let Some(known) = known_shape(spatial) {
                text += &format!(" ({known})");
            }
            text + "."
        }
    }
}

/// The move that is meant.
fn action(feature: &Spatial) -> String {
    let reply = match (&feature.last_to, &feature.last_from) {
        (Some(to), _) => {
            let near = feature.to.as_ref().or(feature.from.as_ref());
            Some(format!("a reply {}", apart(to, near, "where the last move ended")))
        }
        (None, Some(from)) => {
            let near = feature.to.as_ref().or(feature.from.as_ref());
            Some(format!("a reply {}", apart(from, near, "where the last move began")))
        }
        (None, None) => None,
    };
    let own = match (&feature.from, &feature.to) {
        (Some(from), Some(to)) => {
            format!("a move that ends {}", apart(to, Some(from), "its start"))
        }
        (Some(_), None) => "a move that starts from a site".to_string(),
        _ => "a move to a site".to_string(),
    };
    match reply {
        Some(reply) if feature.from.is_some() => format!("{own}, as {reply},"),
        Some(reply) => reply,
        None => own,
    }
}

/// How far a place is from another, in words.
fn apart(place: &Place, other: Option<&Place>, what: &str) -> String {
    match (place, other) {
        (Place::Walk(a), Some(Place::Walk(b))) => match a.len() + b.len() {
            0 => format!("on the site {what}"),
            1 => format!("beside {what}"),
            2 if straight(if a.is_empty() { b } else { a }) => {
                format!("two steps straight from {what}")
            }
            steps => format!("{} steps from {what}", count(steps)),
        },
        _ => format!("after {what}"),
    }
}

fn straight(walk: &[Turn]) -> bool {
    walk.iter().skip(1).all(|turn| turn.0 == 0.0)
}

/// What must stand around the move, like things counted together.
fn conditions(feature: &Spatial, names: &Names) -> Vec<String> {
    let anchor_is_end =
        |end: &Option<Place>| matches!(end, Some(Place::Walk(walk)) if walk.is_empty());
    let there = match (anchor_is_end(&feature.to), anchor_is_end(&feature.from)) {
        (true, _) => "there",
        (_, true) => "on its start",
        _ => "on the site that this is seen from",
    };
    let mut like: BTreeMap<(usize, String, String), usize> = BTreeMap::new();
    for (number, element) in feature.pattern.elements.iter().enumerate() {
        let place = match &element.place {
            Place::Walk(walk) => match walk.len() {
                0 => there.to_string(),
                1 => "beside it".to_string(),
                steps if straight(walk) => format!("{} steps straight on", count(steps)),
                steps => format!("{} steps away by a bent way", count(steps)),
            },
            Place::Site(site) => format!("on site {site}"),
        };
        let what = thing(element.test, element.sense, names);
        let known = like.iter_mut().find(|((_, w, p), _)| (w, p) == (&what, &place));
        match known {
            Some((_, count)) => *count += 1,
            None => {
                like.insert((number, what, place), 1);
            }
        }
    }
    like.into_iter()
        .map(|((_, what, place), number)| match number {
            1 => format!("with {what} {place}"),
            _ => format!("with {what} {place} ({} times)", count(number)),
        })
        .collect()
}

fn thing(test: Test, sense: Sense, names: &Names) -> String {
    let piece = |n: u32| match names.pieces.get((n as usize).wrapping_sub(1)) {
        Some(name) => format!("a {name}"),
        None => format!("piece {n}"),
    };
    let region = |n: u32| match names.regions.get(n as usize) {
        Some(name) if !name.is_empty() => format!("region {n} ({name})"),
        _ => format!("region {n}"),
    };
    let positive = match test {
        Test::Empty => "an empty site".to_string(),
        Test::Friend => "a piece of yours".to_string(),
        Test::Enemy => "an enemy piece".to_string(),
        Test::Off => "the edge of the board".to_string(),
        Test::Any => "anything".to_string(),
        Test::Player(n) => format!("a piece of player {n}"),
        Test::Item(n) => piece(n),
        Test::Position(n) => format!("site {n}"),
        Test::Connectivity(n) => format!("a site of {n} sides"),
        Test::Nearer(n) => format!("a site nearer to {}", region(n)),
        Test::SeesOrthogonally(n) => format!("{} in sight along a line", piece(n)),
        Test::SeesDiagonally(n) => format!("{} in sight along a diagonal", piece(n)),
    };
    match (sense, test) {
        (Sense::Must, _) => positive,
        (Sense::MustNot, Test::Empty) => "something that stands".to_string(),
        (Sense::MustNot, Test::Off) => "more of the board".to_string(),
        (Sense::MustNot, Test::Friend) => "no piece of yours".to_string(),
        (Sense::MustNot, Test::Enemy) => "no enemy piece".to_string(),
        (Sense::MustNot, Test::Nearer(n)) => format!("a site not nearer to {}", region(n)),
        (Sense::MustNot, _) => format!("anything but {}", positive.trim_start_matches("a ")),
    }
}

fn count(number: usize) -> String {
    const WORDS: [&str; 11] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| word.to_string())
}

/// The friends of a pattern around the end of the move, by direction from there: how many follow one another.
/// The direction is the first turn; straight on only.
fn line_through(feature: &Spatial, wanted: Test) -> usize {
    let ends_here = matches!(&feature.to, Some(Place::Walk(walk)) if walk.is_empty());
    if !ends_here {
        return 0;
    }
    let has = |first: f32, steps: usize| {
        feature.pattern.elements.iter().any(|element| {
            let Place::Walk(walk) = &element.place else { return false };
            let turns_to = walk.first().is_some_and(|turn| same_turn(turn.0, first));
            element.sense == Sense::Must
                && element.test == wanted
                && walk.len() == steps
                && turns_to
                && straight(walk)
        })
    };
    let run = |first: f32| (1..).take_while(|&steps| has(first, steps)).count();
    let firsts = feature.pattern.elements.iter().filter_map(|element| match &element.place {
        Place::Walk(walk) => walk.first().map(|turn| turn.0),
        Place::Site(_) => None,
    });
    let lines = firsts.map(|first| match run(first) {
        0 => 0,
        ahead => 1 + ahead + run(first + 0.5),
    });
    lines.max().unwrap_or(0)
}

/// Whether two turns lead the same way: a full circle changes nothing.
fn same_turn(a: f32, b: f32) -> bool {
    let apart = (a - b).rem_euclid(1.0);
    !(0.01..=0.99).contains(&apart)
}

/// Whether this answers an intrusion between two friends: both touch the site and the intruder.
fn is_bridge(feature: &Spatial) -> bool {
    let (Some(Place::Walk(last)), Some(Place::Walk(to))) = (&feature.last_to, &feature.to) else {
        return false;
    };
    if !to.is_empty() {
        return false;
    }
    let friends: Vec<f32> = feature
        .pattern
        .elements
        .iter()
        .filter(|element| element.sense == Sense::Must && element.test == Test::Friend)
        .filter_map(|element| match &element.place {
            Place::Walk(walk) if walk.len() == 1 => Some(walk[0].0),
            _ => None,
        })
        .collect();
    let friend = |turn: f32| friends.iter().any(|&friend| same_turn(friend, turn));
    match last[..] {
        // The intruder is a neighbour between two friends, as hexagons have it,
        [intruder] => {
            let beside = |by: f32| friend(intruder.0 + by) && friend(intruder.0 - by);
            [1.0 / 6.0, 0.25, 1.0 / 3.0].into_iter().any(beside)
        }
        // or beyond one of them on the side of the other, as any grid has it.
        [first, turn] => turn.0.abs() > 0.2 && friend(first.0) && friend(first.0 + turn.0),
        _ => false,
    }
}

/// A shape that players have a name for.
fn known_shape(feature: &Spatial) -> Option<String> {
    if is_bridge(feature) {
        return Some("where two of yours can still connect: completes a bridge".to_string());
    }
    match (line_through(feature, Test::Friend), line_through(feature, Test::Enemy)) {
        (own @ 3.., _) => Some(format!("makes a line of {}", count(own))),
        (_, other @ 4..) => Some(format!("stops a line of {}", count(other - 1))),
        _ => None,
    }
}

/// A strategy: features that want the same, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// What they want.
    pub name: String,
    /// Which they are.
    pub features: Vec<usize>,
}

/// Groups features into strategies: "make lines of four", "do not make lines of three".
pub fn strategies(features: &[(&Feature, f32)]) -> Vec<Strategy> {
    let mut groups: Vec<Strategy> = Vec::new();
    for (number, (feature, weight)) in features.iter().enumerate() {
        let Feature::Spatial(spatial) = feature else { continue };
        for name in aims(spatial, *weight) {
            match groups.iter_mut().find(|group| group.name == name) {
                Some(group) => group.features.push(number),
                None => groups.push(Strategy { name, features: vec![number] }),
            }
        }
    }
    groups
}

/// What a feature wants.
fn aims(feature: &Spatial, weight: f32) -> Vec<String> {
    let good = weight >= 0.0;
    let mut aims = Vec::new();
    let mut add = |good_name: String, bad_name: String| {
        aims.push(if good { good_name } else { bad_name });
    };
    if is_bridge(feature) {
        add("complete bridges that are cut into".into(), "leave bridges that are cut into".into());
    }
    let own = line_through(feature, Test::Friend);
    if own >= 3 {
        let own = count(own);
        add(format!("make lines of {own}"), format!("do not make lines of {own}"));
    }
    let other = line_through(feature, Test::Enemy);
    if other >= 3 {
        let other = count(other - 1);
        add(format!("stop lines of {other}"), format!("leave lines of {other} alone"));
    }
    let at = |test: Test, steps: usize| {
        feature.pattern.elements.iter().any(|element| {
            let here = matches!(&element.place, Place::Walk(walk) if walk.len() == steps);
            element.sense == Sense::Must && element.test == test && here
        })
    };
    let to_here = matches!(&feature.to, Some(Place::Walk(walk)) if walk.is_empty());
    if to_here && at(Test::Enemy, 0) {
        add("capture".into(), "do not capture".into());
    }
    if to_here && own < 3 && at(Test::Friend, 1) && !is_bridge(feature) {
        add("stay together".into(), "spread out".into());
    }
    if to_here && other < 3 && at(Test::Enemy, 1) {
        add("stay close to the enemy".into(), "keep away from the enemy".into());
    }
    if at(Test::Off, 1) {
        add("go to the edge".into(), "keep away from the edge".into());
    }
    for element in &feature.pattern.elements {
        if let Test::Nearer(region) = element.test {
            let towards = (element.sense == Sense::Must) == good;
            let way = if towards { "towards" } else { "away from" };
            aims.push(format!("mind the way {way} region {region}"));
        }
    }
    if aims.is_empty() && (feature.last_to.is_some() || feature.last_from.is_some()) {
        aims.push(if good { "answer nearby" } else { "play elsewhere" }.to_string());
    }
    aims
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_lang::diagnostic::SourceId;

    fn read(text: &str) -> Feature {
        Feature::read(text, SourceId(0)).expect("a feature")
    }

    #[test]
    fn a_bridge_is_called_one() {
        let bridge = read("rel:last_to=<{1/6}>:to=<{}>:pat=<els=[f{0}, f{1/3}]>");
        let text = sentence(&bridge, 2.0, &Names::default());
        assert!(text.contains("reply beside where the last move ended"), "{text}");
        assert!(text.contains("two of yours can still connect"), "{text}");
        let anywhere = read("rel:last_to=<{0,1/3}>:to=<{}>:pat=<els=[f{0}, f{1/3}]>");
        assert!(sentence(&anywhere, 2.0, &Names::default()).contains("completes a bridge"));
        let other = read("rel:last_to=<{1/2}>:to=<{}>:pat=<els=[f{0}, f{1/3}]>");
        assert!(!sentence(&other, 2.0, &Names::default()).contains("bridge"));
    }

    #[test]
    fn lines_make_the_strategy_of_yavalath() {
        let four = read("rel:to=<{}>:pat=<els=[f{0}, f{0,0}, f{1/2}]>");
        let three = read("rel:to=<{}>:pat=<els=[f{0}, f{1/2}, !f{0,0}, !f{1/2,0}]>");
        let found = strategies(&[(&four, 5.0), (&three, -4.0)]);
        let names: Vec<&str> = found.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["make lines of four", "do not make lines of three"]);
    }

    #[test]
    fn what_is_asked_is_said_with_the_names_of_the_game() {
        let names = Names { pieces: vec!["Pawn1".into()], regions: vec!["Home".into()] };
        let feature = read("rel:from=<{}>:to=<{0}>:pat=<els=[I1{1/4}, R0{0}, #{1/2}]>");
        let text = sentence(&feature, -1.0, &names);
        assert_eq!(
            text,
            "Avoid a move that ends beside its start with a Pawn1 beside it, with a site nearer to region 0 (Home) \
             beside it, with the edge of the board beside it."
        );
    }
}
