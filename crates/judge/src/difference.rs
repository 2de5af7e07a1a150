//! Two rule sets compared, in words.

use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::tree::{Node, NodeKind};
use ludex_lang::lud::{self, Library};

/// What changed from one description to another, a sentence for each change, outermost rules first.
pub fn words(before: &str, after: &str) -> Vec<String> {
    let read = |text: &str| lud::read(text, SourceId(0), &Library::default(), &[]).ok();
    let (Some(old), Some(new)) = (read(before), read(after)) else { return Vec::new() };
    let mut out = Vec::new();
    compare(&old.game, &new.game, "the game", &mut out);
    out
}

/// How far two descriptions are apart: the words that would have to be changed, added or taken away, as a share of all
/// words of the first.
pub fn distance(before: &str, after: &str) -> f64 {
    let split = |text: &str| -> Vec<String> {
        let spaced = text.replace(['(', ')', '{', '}', '<', '>'], " ");
        spaced.split_whitespace().map(str::to_string).collect()
    };
    let (old, new) = (split(before), split(after));
    let mut row: Vec<usize> = (0..=new.len()).collect();
    for (at, word) in old.iter().enumerate() {
        let mut corner = row[0];
        row[0] = at + 1;
        for (index, other) in new.iter().enumerate() {
            let change = corner + usize::from(word != other);
            corner = row[index + 1];
            row[index + 1] = change.min(row[index] + 1).min(corner + 1);
        }
    }
    row[new.len()] as f64 / old.len().max(1) as f64
}

fn compare(old: &Node, new: &Node, place: &str, out: &mut Vec<String>) {
    if old.to_string() == new.to_string() {
        return;
    }
    let alike = std::mem::discriminant(&old.kind) == std::mem::discriminant(&new.kind)
        && old.name == new.name
        && old.head() == new.head();
    let atoms = matches!(old.kind, NodeKind::Word(_) | NodeKind::Text(_));
    if !alike || atoms {
        out.push(format!("in {place}: `{old}` became `{new}`"));
        return;
    }
    let inside = match old.head() {
        Some(head) => format!("`{}`", selected(head, old)),
        None => place.to_string(),
    };
    let (mut ours, mut theirs) = (old.children(), new.children());
    // What both begin and end with is the same; what lies between was changed, added or taken away.
    while let ([a, rest @ ..], [b, others @ ..]) = (ours, theirs)
        && a.to_string() == b.to_string()
    {
        (ours, theirs) = (rest, others);
    }
    while let ([rest @ .., a], [others @ .., b]) = (ours, theirs)
        && a.to_string() == b.to_string()
    {
        (ours, theirs) = (rest, others);
    }
    if ours.len() == theirs.len() {
        ours.iter().zip(theirs).for_each(|(a, b)| compare(a, b, &inside, out));
        return;
    }
    let gone = ours.iter().filter(|a| !theirs.iter().any(|b| a.to_string() == b.to_string()));
    let come = theirs.iter().filter(|b| !ours.iter().any(|a| a.to_string() == b.to_string()));
    out.extend(gone.map(|node| format!("in {inside}: `{node}` is gone")));
    out.extend(come.map(|node| format!("in {inside}: `{node}` is new")));
}

/// The head of a call with the word that selects its form, as in `move Step`.
fn selected(head: &str, node: &Node) -> String {
    let second = node.children().get(1).and_then(Node::word);
    let form = second.filter(|word| word.starts_with(char::is_uppercase));
    form.map_or(head.to_string(), |form| format!("{head} {form}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str =
        "(game \"G\" (players 2) (equipment {(board (square 9)) (piece \"Ball\" Each)})
        (rules (play (move Add (to (sites Empty)))) (end (if (is Line 5) (result Mover Win)))))";

    #[test]
    fn changes_are_named() {
        let after =
            BEFORE.replace("square 9", "square 7").replace("(rules ", "(rules (meta (swap)) ");
        let words = words(BEFORE, &after);
        assert_eq!(words[0], "in `square`: `9` became `7`");
        assert_eq!(words[1], "in `rules`: `(meta (swap))` is new");
        assert_eq!(words.len(), 2);
        assert!(super::words(BEFORE, BEFORE).is_empty());
    }

    #[test]
    fn distance_counts_words() {
        // One word of twenty-six changed.
        let words = 26.0;
        let after = BEFORE.replace("square 9", "square 7");
        assert!(
            (distance(BEFORE, &after) - 1.0 / words).abs() < 1e-9,
            "{}",
            distance(BEFORE, &after)
        );
        assert_eq!(distance(BEFORE, BEFORE), 0.0);
    }
}
