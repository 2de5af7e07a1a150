//! Descriptions that are broken: words and brackets moved, doubled, taken out.

use ludex_lang::lud::table::table;

use super::{Choices, pick};

/// Pieces of text that change the meaning most.
const WORDS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "#1",
    "#2",
    "~",
    "..",
    "0..99999",
    "1",
    "0",
    "-1",
    "99999999",
    "2147483647",
    "3.5",
    "P1",
    "P9",
    "Each",
    "Mover",
    "Next",
    "True",
    "if:",
    "at:",
    "steps:",
    "count:",
    "(to)",
    "(from)",
    "(last To)",
    "(sites Empty)",
    "(moveAgain)",
    "(then (moveAgain))",
    "\"Stone\"",
    "(hex 5)",
    "(square 300)",
    "(roll)",
    "//",
    "é",
    "\u{0}",
    "*",
    "(do (move Pass))",
    "(count Moves)",
    "(define \"X\" \"X\")",
    "(while True (moveAgain))",
    "(mapEntry (to))",
    "(regionSite (sites) index:9)",
];

fn mutant(choices: &mut dyn Choices, corpus: &[String]) -> String {
    let text = &corpus[choices.below(corpus.len() as u32) as usize];
    let mut words: Vec<&str> = text.split_inclusive([' ', '(', ')', '{', '}', '\n']).collect();
    let names: Vec<&str> = table().words().collect();
    for _ in 0..1 + choices.below(6) {
        if words.is_empty() {
            return String::new();
        }
        let at = choices.below(words.len() as u32) as usize;
        let other = choices.below(words.len() as u32) as usize;
        match choices.below(6) {
            0 => words.insert(at, *pick(choices, WORDS)),
            1 => drop(words.remove(at)),
            2 => words.swap(at, other),
            3 => words[at] = words[other],
            4 => words[at] = *pick(choices, &names),
            _ => {
                let from = at.min(other);
                let piece: Vec<&str> = words[from..at.max(other).min(from + 40)].to_vec();
                words.splice(at..at, piece);
            }
        }
    }
    words.concat()
}

/// Words, brackets and bytes in no order at all.
fn garbage(choices: &mut dyn Choices) -> String {
    let names: Vec<&str> = table().words().collect();
    let mut out = String::from(if choices.below(2) == 0 { "(game " } else { "" });
    for _ in 0..choices.below(200) {
        match choices.below(4) {
            0 => out.push(char::from_u32(choices.below(0x3000)).unwrap_or('?')),
            1 => out.push_str(pick::<&str>(choices, &names)),
            _ => out.push_str(pick::<&str>(choices, WORDS)),
        }
        if choices.below(2) == 0 {
            out.push(' ');
        }
    }
    out
}

/// A description that was changed in a few places, or words in no order.
pub fn text(choices: &mut dyn Choices, corpus: &[String]) -> String {
    if choices.below(5) == 0 { garbage(choices) } else { mutant(choices, corpus) }
}
