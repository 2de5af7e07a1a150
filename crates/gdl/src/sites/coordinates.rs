//! Facts that have coordinates, and the board they make.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ludex_game::{Geometry, SiteId};

use super::Evidence;

/// Boards of more sites than this are no boards that anybody would look at.
const MOST_SITES: usize = 4096;

/// The facts of one name and length whose coordinates make a board.
#[derive(Debug)]
pub struct Board {
    /// The name of its facts.
    name: String,
    /// How many words its facts have after the name.
    arity: usize,
    /// Which of these words are coordinates: two on a plain board, more where there are several.
    coordinates: Vec<usize>,
    /// The values of each coordinate in order.
    axes: Vec<Axis>,
    sites: HashMap<Vec<u16>, SiteId>,
    /// The coordinates of each site.
    places: Vec<Vec<u16>>,
}

/// The words of a coordinate, each with its place in their order.
type Axis = HashMap<String, u16>;

impl Board {
    /// The board of a game: the plainest, and of these the largest.
    pub fn find(evidence: &Evidence<'_>) -> Option<Board> {
        let mut groups: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
        for (at, fact) in evidence.facts.iter().enumerate() {
            if let Some((name, rest)) = fact.split_first() {
                groups.entry((name, rest.len())).or_default().push(at);
            }
        }
        let boards = groups.into_iter();
        let boards = boards.filter_map(|((name, arity), at)| Self::of(evidence, name, arity, &at));
        boards.min_by_key(Board::rank)
    }

    /// How good a board is, the smallest first: few coordinates, many sites, coordinates before the rest.
    fn rank(&self) -> (usize, std::cmp::Reverse<usize>, usize, usize) {
        let size = std::cmp::Reverse(self.places.len());
        (self.coordinates.len(), size, self.arity, self.coordinates[0])
    }

    fn of(evidence: &Evidence<'_>, name: &str, arity: usize, at: &[usize]) -> Option<Board> {
        let facts: Vec<&[String]> = at.iter().map(|&at| &evidence.facts[at][1..]).collect();
        let initial: Vec<&[String]> = at
            .iter()
            .filter(|&&at| evidence.initially[at])
            .map(|&at| &evidence.facts[at][1..])
            .collect();
        let axes: Vec<Option<Axis>> = (0..arity)
            .map(|place| {
                let values: BTreeSet<&str> =
                    facts.iter().map(|fact| fact[place].as_str()).collect();
                ordered(&values, evidence.relations)
            })
            .collect();
        let coordinates = coordinates(&axes, &initial)?;
        let axes = coordinates.iter().filter_map(|&place| axes[place].clone()).collect();
        let mut board = Board {
            name: name.to_string(),
            arity,
            coordinates,
            axes,
            sites: HashMap::new(),
            places: Vec::new(),
        };
        let places = facts.iter().filter_map(|fact| board.place(fact));
        let places: BTreeSet<Vec<u16>> = places.collect();
        board.places = places.into_iter().collect();
        board.sites = (0..).zip(&board.places).map(|(id, place)| (place.clone(), id)).collect();
        board.is_one().then_some(board)
    }

    /// Whether it is large enough, and most of the places that its coordinates allow are there.
    fn is_one(&self) -> bool {
        let sizes = self.axes.iter().map(HashMap::len);
        let room: usize = sizes.clone().product();
        sizes.clone().all(|size| size >= 2)
            && self.places.len() >= 4
            && self.places.len() <= MOST_SITES
            && 2 * self.places.len() >= room
    }

    /// The coordinates that a fact's words say.
    fn place(&self, fact: &[String]) -> Option<Vec<u16>> {
        let coordinates = self.coordinates.iter().zip(&self.axes);
        coordinates.map(|(&place, axis)| axis.get(fact.get(place)?).copied()).collect()
    }

    /// The site that a fact speaks of and the words that say what is there.
    pub fn reads<'a>(&self, fact: &'a [String]) -> Option<(SiteId, Vec<&'a str>)> {
        let (name, rest) = fact.split_first()?;
        if *name != self.name || rest.len() != self.arity {
            return None;
        }
        let site = *self.sites.get(&self.place(rest)?)?;
        let others = (0..self.arity).filter(|place| !self.coordinates.contains(place));
        let mut content: Vec<&str> = others.map(|place| rest[place].as_str()).collect();
        if content.is_empty() {
            content.push(name);
        }
        Some((site, content))
    }

    /// The sites that words name one after the other.
    pub fn sites_named(&self, words: &[String]) -> Vec<SiteId> {
        let (mut found, mut at) = (Vec::new(), 0);
        while let Some(window) = words.get(at..at + self.axes.len()) {
            let place: Option<Vec<u16>> =
                window.iter().zip(&self.axes).map(|(word, axis)| axis.get(word).copied()).collect();
            match place.and_then(|place| self.sites.get(&place)) {
                Some(&site) => {
                    found.push(site);
                    at += self.axes.len();
                }
                None => at += 1,
            }
        }
        found
    }

    /// The cells of the board. Of three coordinates the first tells boards apart that lie side by side; of four
    /// the first two are the blocks that the others are counted in.
    pub fn geometry(&self) -> Geometry {
        let size = |axis: usize| self.axes[axis].len() as i32;
        let inner = self.axes.len() - 2;
        let (across, up) = if self.is_turned(inner) { (1, 0) } else { (0, 1) };
        let (width, height) = (size(inner + across), size(inner + up));
        let cells: Vec<(i32, i32)> = self
            .places
            .iter()
            .map(|place| {
                let part = |axis: usize| i32::from(place[axis]);
                let (column, row) = (part(inner + across), part(inner + up));
                let (right, above) = match inner {
                    0 => (0, 0),
                    1 => {
                        let wide = (f64::from(size(0)).sqrt().ceil() as i32).max(1);
                        (part(0) % wide * (width + 1), part(0) / wide * (height + 1))
                    }
                    _ => (part(across) * width, part(up) * height),
                };
                (column + right, row + above)
            })
            .collect();
        let mut geometry = Geometry::cells(&cells);
        for (site, place) in geometry.sites.iter_mut().zip(&self.places) {
            site.label = self.label(place);
        }
        geometry
    }

    /// Whether the first of two coordinates counts rows: by its words (`r1`, `y1`), or for letters, which
    /// name columns, being second.
    fn is_turned(&self, first: usize) -> bool {
        let initial = |axis: usize| {
            let word = self.axes[axis].keys().min();
            word.and_then(|word| word.chars().next()).unwrap_or(' ').to_ascii_lowercase()
        };
        let (one, other) = (initial(first), initial(first + 1));
        match (one, other) {
            ('r' | 'y', 'c' | 'x') => true,
            _ => !one.is_alphabetic() && other.is_alphabetic(),
        }
    }

    fn label(&self, place: &[u16]) -> String {
        let word = |axis: usize| {
            let found = self.axes[axis].iter().find(|(_, at)| **at == place[axis]);
            found.map_or("", |(word, _)| word.as_str())
        };
        let words: Vec<&str> = (0..place.len()).map(word).collect();
        match words.as_slice() {
            [letter, number]
                if letter.len() == 1
                    && letter.chars().all(char::is_alphabetic)
                    && number.chars().all(|digit| digit.is_ascii_digit()) =>
            {
                format!("{letter}{number}")
            }
            _ => words.join(","),
        }
    }
}

/// Which words of a fact are coordinates, if two at least can be and something is said of a site.
fn coordinates(axes: &[Option<Axis>], initial: &[&[String]]) -> Option<Vec<usize>> {
    let mut places: Vec<usize> = (0..axes.len()).filter(|&place| axes[place].is_some()).collect();
    // Where all are ordered, the last says what is there; two alone say that something is.
    if places.len() == axes.len() && places.len() > 2 {
        places.pop();
    }
    if places.len() == 2 && axes.len() == 2 && !repeats(initial, &places[..1]) {
        return None;
    }
    if places.len() > 2 && initial.len() >= 4 && !repeats(initial, &places[..2]) {
        places.truncate(2);
    }
    (2..=4).contains(&places.len()).then_some(places)
}

/// Whether two facts agree in some words.
fn repeats(facts: &[&[String]], places: &[usize]) -> bool {
    let mut seen = HashSet::new();
    let key =
        |fact: &&[String]| places.iter().map(|&place| fact[place].clone()).collect::<Vec<_>>();
    !facts.iter().all(|fact| seen.insert(key(fact)))
}

/// Words in their order: numbers, with the same letters before them or none; letters that follow one
/// another; words that a relation puts in a row.
fn ordered(values: &BTreeSet<&str>, relations: &[Vec<(String, String)>]) -> Option<Axis> {
    if values.len() < 2 {
        return None;
    }
    let order = numbered(values)
        .or_else(|| lettered(values))
        .or_else(|| relations.iter().find_map(|relation| chained(values, relation)))?;
    Some(order.into_iter().zip(0..).map(|(word, at)| (word.to_string(), at)).collect())
}

fn numbered<'a>(values: &BTreeSet<&'a str>) -> Option<Vec<&'a str>> {
    let split = |word: &'a str| {
        let digits = word.len() - word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (letters, number) = word.split_at(word.len() - digits);
        Some((letters, number.parse::<u32>().ok()?))
    };
    let parts: Vec<(&str, u32)> = values.iter().map(|word| split(word)).collect::<Option<_>>()?;
    if parts.windows(2).any(|pair| pair[0].0 != pair[1].0) {
        return None;
    }
    let mut order: Vec<(u32, &str)> =
        parts.iter().map(|part| part.1).zip(values.iter().copied()).collect();
    order.sort_unstable();
    Some(order.into_iter().map(|(_, word)| word).collect())
}

fn lettered<'a>(values: &BTreeSet<&'a str>) -> Option<Vec<&'a str>> {
    let single = |word: &&str| word.len() == 1 && word.as_bytes()[0].is_ascii_alphabetic();
    let order: Vec<&str> = values.iter().copied().collect();
    let follows = |pair: &[&str]| pair[1].as_bytes()[0] == pair[0].as_bytes()[0] + 1;
    (order.iter().all(single) && order.windows(2).all(follows)).then_some(order)
}

fn chained<'a>(values: &BTreeSet<&'a str>, relation: &[(String, String)]) -> Option<Vec<&'a str>> {
    let mut next: HashMap<&str, &str> = HashMap::new();
    let mut reached = HashSet::new();
    for (one, other) in relation {
        if let (Some(&one), Some(&other)) = (values.get(one.as_str()), values.get(other.as_str())) {
            // One successor each, or this is no order.
            if next.insert(one, other).is_some() || !reached.insert(other) {
                return None;
            }
        }
    }
    let mut at = *values.iter().find(|word| !reached.contains(**word))?;
    let mut order = vec![at];
    while let Some(&after) = next.get(at) {
        order.push(after);
        at = after;
    }
    (order.len() == values.len()).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(words: &[&str], relation: &[(&str, &str)]) -> Option<Vec<String>> {
        let pairs = relation.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let axis = ordered(&words.iter().copied().collect(), &[pairs])?;
        let mut words: Vec<(u16, String)> = axis.into_iter().map(|(w, at)| (at, w)).collect();
        words.sort();
        Some(words.into_iter().map(|(_, word)| word).collect())
    }

    #[test]
    fn words_are_ordered_by_what_they_are_or_by_a_relation() {
        assert_eq!(order(&["10", "2", "1"], &[]).unwrap(), ["1", "2", "10"]);
        assert_eq!(order(&["c2", "c1"], &[]).unwrap(), ["c1", "c2"]);
        assert_eq!(order(&["b", "a", "c"], &[]).unwrap(), ["a", "b", "c"]);
        assert_eq!(order(&["b", "x", "o"], &[]), None);
        let words = ["one", "two", "three"];
        assert_eq!(order(&words, &[("one", "two"), ("two", "three")]).unwrap(), words);
        assert_eq!(order(&words, &[("one", "two"), ("one", "three")]), None);
        assert_eq!(order(&words, &[("one", "two")]), None);
    }
}
