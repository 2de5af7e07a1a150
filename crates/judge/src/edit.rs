//! Typed edits of a rule set: each replaces, adds or takes away one argument so that the table of ludemes still allows
//! what stands there. Whether it makes a game, only the compiler knows.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ludex_arena::catalog::GameSpec;
use ludex_game::Rng;
use ludex_lang::lud::table::{Row, Type, table};

use crate::sheet::{Gap, Holds, Sheet, Spot};

/// Fragments of rules by what they are: what one may put where something of the kind is wanted.
#[derive(Debug, Default)]
pub struct Pool {
    by_kind: BTreeMap<&'static str, Vec<String>>,
}

/// Longer fragments are other games rather than parts of this one.
const LONGEST: usize = 120;

impl Pool {
    /// The fragments of all descriptions that come with the program.
    pub fn built_in() -> Pool {
        let mut pool = Pool::default();
        for (name, _) in ludex_games::ludemes::DESCRIPTIONS {
            if let Ok(Some(sheet)) = Sheet::of(&GameSpec::named(format!("{name}.lud"))) {
                pool.add(&sheet);
            }
        }
        for fragments in pool.by_kind.values_mut() {
            fragments.sort();
            fragments.dedup();
        }
        pool
    }

    fn add(&mut self, sheet: &Sheet) {
        for spot in &sheet.spots {
            if let (Holds::Call(_), Type::Kind(kind, 0)) = (&spot.holds, spot.takes) {
                let text = sheet.shown(spot.range.clone());
                if text.len() <= LONGEST {
                    self.by_kind.entry(kind).or_default().push(text);
                }
            }
        }
    }

    fn of(&self, kind: &str) -> &[String] {
        self.by_kind.get(kind).map_or(&[], Vec::as_slice)
    }
}

/// Kinds of edit with how often each is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Another number.
    Number,
    /// Another word of the same enumeration, such as a direction.
    Word,
    /// Another fragment of the same kind, of this game or another.
    Fragment,
    /// Another ludeme of the same kind, straight from the table.
    Ludeme,
    /// Something optional, or one of several, less.
    Less,
    /// Something optional more.
    More,
    /// A rule about all rules more, such as the right to swap sides.
    Meta,
}

const WEIGHTS: [(Kind, u32); 7] = [
    (Kind::Number, 30),
    (Kind::Word, 12),
    (Kind::Fragment, 18),
    (Kind::Ludeme, 8),
    (Kind::Less, 8),
    (Kind::More, 9),
    (Kind::Meta, 15),
];

/// Parts that are never edited: those under a ludeme of one of these names, and those whose text is one of these.
#[derive(Clone, Debug, Default)]
pub struct Keep(pub Vec<String>);

impl Keep {
    /// Where the parts stand in a text, from bracket to bracket.
    fn places(&self, text: &str) -> Vec<Range<usize>> {
        let (flat, origin) = flattened(text);
        let places = self.0.iter().flat_map(|part| found(part, &flat));
        places.map(|place| origin[place.start]..origin[place.end - 1] + 1).collect()
    }

    /// The parts that nothing in the description matches; an empty one matches nothing.
    pub fn unmatched<'a>(&'a self, sheet: &Sheet) -> Vec<&'a String> {
        let (flat, _) = flattened(&sheet.text);
        self.0.iter().filter(|part| found(part, &flat).is_empty()).collect()
    }

    /// The text of every part as it stands in a description, and how often it stands there.
    pub fn attested(&self, text: &str) -> Attested {
        let (flat, _) = flattened(text);
        let places = self.0.iter().flat_map(|part| found(part, &flat));
        let texts: BTreeSet<String> = places.map(|place| flat[place].to_string()).collect();
        let counted = |text: String| {
            let count = flat.matches(&text).count();
            (text, count)
        };
        Attested(texts.into_iter().map(counted).collect())
    }
}

/// Texts that a candidate must have as often as the original.
#[derive(Clone, Debug, Default)]
pub struct Attested(Vec<(String, usize)>);

impl Attested {
    /// Whether a description still has all of them.
    pub fn stand_in(&self, text: &str) -> bool {
        let (flat, _) = flattened(text);
        self.0.iter().all(|(text, count)| flat.matches(text).count() == *count)
    }
}

/// Where a part stands in a text without line breaks, from bracket to bracket.
fn found(part: &str, flat: &str) -> Vec<Range<usize>> {
    let (wanted, _) = flattened(part);
    if wanted.is_empty() {
        return Vec::new();
    }
    let pattern = if wanted.starts_with('(') { wanted } else { format!("({wanted}") };
    let inside_word = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |at: &usize| {
        let after = flat[at + pattern.len()..].chars().next();
        !(pattern.ends_with(inside_word) && after.is_some_and(inside_word))
    };
    let starts = flat.match_indices(&pattern).map(|(at, _)| at).filter(whole);
    starts.map(|at| at..closing(flat, at)).collect()
}

/// A text on one line, without spaces inside brackets, and where each of its bytes was.
fn flattened(text: &str) -> (String, Vec<usize>) {
    let (mut flat, mut origin, mut space) = (String::new(), Vec::new(), None);
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() {
            space = space.or(Some(at));
            continue;
        }
        let tight = matches!(letter, ')' | '}') || flat.ends_with(['(', '{']) || flat.is_empty();
        if let Some(gap) = space.take()
            && !tight
        {
            flat.push(' ');
            origin.push(gap);
        }
        flat.push(letter);
        origin.extend(at..at + letter.len_utf8());
    }
    (flat, origin)
}

/// One past the bracket that closes the one at `open`. Signs such as `<` are no brackets, and neither is what stands
/// between quotation marks.
fn closing(text: &str, open: usize) -> usize {
    let (mut depth, mut quoted) = (0usize, false);
    for (at, letter) in text[open..].char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '(' | '{' if !quoted => depth += 1,
            ')' | '}' if !quoted => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 && !quoted {
            return open + at + 1;
        }
    }
    text.len()
}

/// An edited description, drawn at random; nothing where the draw came to nothing.
pub fn propose(sheet: &Sheet, pool: &Pool, keep: &Keep, rng: &mut Rng) -> Option<String> {
    let total: u32 = WEIGHTS.iter().map(|(_, weight)| weight).sum();
    let mut drawn = rng.below(total);
    let kind = WEIGHTS.iter().find(|(_, weight)| {
        let here = drawn < *weight;
        drawn = drawn.wrapping_sub(*weight);
        here
    })?;
    let editor = Editor { sheet, pool, kept: keep.places(&sheet.text) };
    let text = match kind.0 {
        Kind::Number => editor.number(rng),
        Kind::Word => editor.word(rng),
        Kind::Fragment => editor.fragment(rng),
        Kind::Ludeme => editor.ludeme(rng),
        Kind::Less => editor.less(rng),
        Kind::More => editor.more(rng, |gap| gap.name != "meta"),
        Kind::Meta => editor.more(rng, |gap| gap.name == "meta"),
    }?;
    (text != sheet.text).then(|| crate::sheet::tidied(&text))
}

/// Every description that is one small step away, the likeliest to make seats even first: each rule about all rules more
/// that any description has, such as the right to swap sides, then every number one more and one less.
pub fn nearest(sheet: &Sheet, pool: &Pool, keep: &Keep) -> Vec<String> {
    let editor = Editor { sheet, pool, kept: keep.places(&sheet.text) };
    let metas =
        sheet.gaps.iter().filter(|gap| gap.name == "meta" && editor.is_free(&(gap.at..gap.at)));
    let with_meta = metas.flat_map(|gap| {
        let Type::Kind(kind, _) = gap.takes else { return Vec::new() };
        pool.of(kind).iter().filter_map(|meta| editor.filled(gap, meta)).collect()
    });
    let with_number = sheet.spots.iter().filter(|spot| editor.is_open(spot)).flat_map(|spot| {
        let Holds::Int(old) = spot.holds else { return Vec::new() };
        let near = [old + 1, old - 1].into_iter().filter(|new| editor.is_sensible(old, *new));
        near.map(|new| sheet.replaced(spot.range.clone(), &new.to_string())).collect()
    });
    with_meta.chain(with_number).map(|text| crate::sheet::tidied(&text)).collect()
}

struct Editor<'a> {
    sheet: &'a Sheet,
    pool: &'a Pool,
    /// Where nothing is edited.
    kept: Vec<Range<usize>>,
}

fn drawn<T>(items: &[T], rng: &mut Rng) -> Option<usize> {
    (!items.is_empty()).then(|| rng.below(items.len() as u32) as usize)
}

impl Editor<'_> {
    /// Whether an edit there would touch nothing that is kept.
    fn is_free(&self, edit: &Range<usize>) -> bool {
        self.kept.iter().all(|kept| edit.end <= kept.start || kept.end <= edit.start)
    }

    /// Whether what stands there may be edited at all.
    fn is_open(&self, spot: &Spot) -> bool {
        // How many play is not a rule to improve.
        let players = spot.parent == "players" || spot.parent == "game";
        !players && self.is_free(&spot.range)
    }

    /// Larger numbers make boards that take minutes to compile, and no game that anybody plays.
    fn is_sensible(&self, old: i32, new: i32) -> bool {
        (0..=old.max(24)).contains(&new)
    }

    /// A spot of which something holds, that is not kept.
    fn spot(&self, rng: &mut Rng, wanted: impl Fn(&Spot) -> bool) -> Option<&Spot> {
        let spots = self.sheet.spots.iter().filter(|spot| wanted(spot) && self.is_open(spot));
        let spots: Vec<&Spot> = spots.collect();
        drawn(&spots, rng).map(|at| spots[at])
    }

    fn number(&self, rng: &mut Rng) -> Option<String> {
        let spot = self.spot(rng, |spot| matches!(spot.holds, Holds::Int(_)))?;
        let Holds::Int(old) = spot.holds else { return None };
        let steps = [-1, 1, -2, 2, -3, 3, old];
        let new = old + steps[drawn(&steps, rng)?];
        self.is_sensible(old, new)
            .then(|| self.sheet.replaced(spot.range.clone(), &new.to_string()))
    }

    fn word(&self, rng: &mut Rng) -> Option<String> {
        let spot = self.spot(rng, |spot| matches!(spot.holds, Holds::Word(_)))?;
        let Type::Kind(kind, _) = spot.takes else { return None };
        let values = match kind {
            "dir" | "facing" => match rng.below(2) {
                0 => table().values("AbsoluteDirection"),
                _ => table().values("RelativeDirection"),
            },
            _ => table().values(kind.trim_start_matches('@')),
        };
        let new = values[drawn(values, rng)?];
        Some(self.sheet.replaced(spot.range.clone(), new))
    }

    /// Something of a kind: of this game, of another, or nothing where there is nothing.
    fn some(&self, kind: &'static str, rng: &mut Rng) -> Option<String> {
        let own: BTreeSet<String> = self
            .sheet
            .spots
            .iter()
            .filter(|spot| spot.takes == Type::Kind(kind, 0))
            .map(|spot| self.sheet.shown(spot.range.clone()))
            .filter(|text| text.len() <= LONGEST)
            .collect();
        let own: Vec<String> = own.into_iter().collect();
        let others = self.pool.of(kind);
        let list = if others.is_empty() || (!own.is_empty() && rng.below(2) == 0) {
            &own[..]
        } else {
            others
        };
        if let Some(at) = drawn(list, rng) {
            return Some(list[at].clone());
        }
        match kind {
            "int" | "Int" | "dim" => Some((1 + rng.below(4)).to_string()),
            "bool" | "Bool" => Some("True".to_string()),
            _ => {
                let values = table().values(kind.trim_start_matches('@'));
                drawn(values, rng).map(|at| values[at].to_string())
            }
        }
    }

    fn fragment(&self, rng: &mut Rng) -> Option<String> {
        let spot = self.spot(rng, |spot| matches!(spot.holds, Holds::Call(_)))?;
        let Type::Kind(kind, _) = spot.takes else { return None };
        let new = self.some(kind, rng)?;
        Some(self.sheet.replaced(spot.range.clone(), &new))
    }

    fn ludeme(&self, rng: &mut Rng) -> Option<String> {
        let spot = self.spot(rng, |spot| matches!(spot.holds, Holds::Call(_)))?;
        let Type::Kind(kind, _) = spot.takes else { return None };
        let rows: Vec<&Row> =
            table().rows().iter().filter(|row| row.kinds.contains(&kind)).collect();
        let row = rows[drawn(&rows, rng)?];
        let mut text = format!("({}", row.word);
        for parameter in row.parameters.iter().filter(|parameter| !parameter.optional) {
            let value = match parameter.takes {
                Type::Literal(word) => word.to_string(),
                Type::Kind(kind, lists) => {
                    let one = self.some(kind, rng)?;
                    (0..lists).fold(one, |inner, _| format!("{{{inner}}}"))
                }
            };
            let label =
                if parameter.named { format!("{}:", parameter.name) } else { String::new() };
            text += &format!(" {label}{value}");
        }
        text.push(')');
        Some(self.sheet.replaced(spot.range.clone(), &text))
    }

    fn less(&self, rng: &mut Rng) -> Option<String> {
        let spot = self.spot(rng, |spot| spot.optional)?;
        Some(self.sheet.without(spot))
    }

    fn more(&self, rng: &mut Rng, wanted: impl Fn(&Gap) -> bool) -> Option<String> {
        let free = |gap: &&Gap| wanted(gap) && self.is_free(&(gap.at..gap.at));
        let gaps: Vec<&Gap> = self.sheet.gaps.iter().filter(free).collect();
        let gap = gaps[drawn(&gaps, rng)?];
        let Type::Kind(kind, _) = gap.takes else { return None };
        self.filled(gap, &self.some(kind, rng)?)
    }

    /// The description with something where it could be.
    fn filled(&self, gap: &Gap, one: &str) -> Option<String> {
        let Type::Kind(_, lists) = gap.takes else { return None };
        let value = (0..lists).fold(one.to_string(), |inner, _| format!("{{{inner}}}"));
        let label = if gap.named { format!("{}:", gap.name) } else { String::new() };
        Some(self.sheet.replaced(gap.at..gap.at, &format!(" {label}{value} ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::compile_plainly;

    fn gomoku() -> Sheet {
        Sheet::of(&GameSpec::named("gomoku.lud")).unwrap().unwrap()
    }

    #[test]
    fn edits_give_other_games_of_every_kind() {
        let (sheet, pool) = (gomoku(), Pool::built_in());
        let mut rng = Rng::seeded(5);
        let mut good = BTreeSet::new();
        for _ in 0..120 {
            if let Some(text) = propose(&sheet, &pool, &Keep::default(), &mut rng)
                && Sheet::read(text.clone()).is_some()
                && compile_plainly(&text).is_some()
            {
                good.insert(text);
            }
        }
        assert!(good.len() > 5, "{}", good.len());
        assert!(good.iter().any(|text| text.contains("(swap)")), "the right to swap is found");
        assert!(good.iter().any(|text| !text.contains("(square 15)")), "boards change");
        assert!(good.iter().any(|text| !text.contains("(is Line 5")), "ends change");
    }

    #[test]
    fn the_nearest_are_the_same_every_time_and_begin_with_the_right_to_swap() {
        let (sheet, pool) = (gomoku(), Pool::built_in());
        let near = nearest(&sheet, &pool, &Keep::default());
        assert_eq!(near, nearest(&sheet, &pool, &Keep::default()));
        let swap = near.iter().position(|text| text.contains("(swap)")).expect("it is there");
        let number = near.iter().position(|text| text.contains("(square 16)")).expect("one more");
        assert!(swap < number && near.iter().any(|text| text.contains("(square 14)")));
        assert!(near.iter().any(|text| text.contains("(is Line 4")), "{near:?}");
        let keep = Keep(vec!["board".to_string()]);
        let near = nearest(&sheet, &pool, &keep);
        assert!(near.iter().all(|text| text.contains("(square 15)")), "{near:?}");
    }

    #[test]
    fn what_is_attested_stays() {
        let (sheet, pool) = (gomoku(), Pool::built_in());
        let keep = Keep(vec!["board".to_string(), "end".to_string()]);
        let mut rng = Rng::seeded(6);
        for _ in 0..400 {
            if let Some(text) = propose(&sheet, &pool, &keep, &mut rng) {
                assert!(text.contains("(board (square 15) use:Vertex)"), "{text}");
                assert!(text.contains("(is Line 5 All)"), "{text}");
            }
        }
        let unmatched = |part: &str| !Keep(vec![part.to_string()]).unmatched(&sheet).is_empty();
        assert!(unmatched("dice") && unmatched("boar") && unmatched("") && unmatched(" "));
        assert!(!unmatched("board") && !unmatched("(board") && !unmatched("( board  (square 15)"));
    }

    #[test]
    fn what_is_attested_stands_as_often_as_before() {
        let before = "(game (end {\n (if (> (count Moves) 3) (result Mover Win)) (pass) }) (pass))";
        let kept =
            |part: &str, after: &str| Keep(vec![part.to_string()]).attested(before).stand_in(after);
        assert!(kept("end", before) && kept("end", &before.replace('\n', "   ")));
        // A comparison inside is no bracket: the part goes on after it.
        assert!(!kept("end", &before.replace("Mover Win", "Mover Loss")));
        assert!(kept("end", &before.replace("(pass))", "(swap))")));
        assert!(kept("pass", before));
        assert!(!kept("pass", &before.replace("(pass))", "(swap))")), "one of two is gone");
        assert!(!kept("pass", &before.replace("(result Mover Win)", "(pass)")), "one is new");
    }
}
