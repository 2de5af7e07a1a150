//! Two rule sets compared, in words.

use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::tree::{Node, NodeKind};
use ludex_lang::lud::{self, Library};

use crate::sheet;

/// What changed from one description to another, a sentence for each change, outermost rules first.
pub fn words(before: &str, after: &str) -> Vec<String> {
    let (Some(old), Some(new)) = (tree(before), tree(after)) else { return Vec::new() };
    let mut out = Vec::new();
    compare(&old, &new, "the game", &mut out);
    out
}

fn tree(text: &str) -> Option<Node> {
    lud::read(text, SourceId(0), &Library::default(), &[]).ok().map(|read| read.game)
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
    if same(old, new) {
        return;
    }
    if !alike(old, new) {
        out.push(format!("in {place}: `{old}` became `{new}`"));
        return;
    }
    let inside = match old.head() {
        Some(head) => format!("`{}`", selected(head, old)),
        None => place.to_string(),
    };
    for step in aligned(old.children(), new.children()) {
        match step {
            Step::Both(a, b) => compare(a, &new.children()[b], &inside, out),
            Step::Gone(a, _) => out.push(format!("in {inside}: `{a}` is gone")),
            Step::Come(b) => out.push(format!("in {inside}: `{}` is new", new.children()[b])),
        }
    }
}

/// Every description that is one change nearer to `before` than `after` is: what became another is as it was, what is
/// gone is there again, what is new is gone. Whether it makes a game, only the compiler knows.
pub fn taken_back(before: &str, after: &str) -> Vec<String> {
    let (Some(old), Some(new)) = (tree(before), tree(after)) else { return Vec::new() };
    nearer(&old, &new).iter().map(sheet::written).collect()
}

fn nearer(old: &Node, new: &Node) -> Vec<Node> {
    if same(old, new) {
        return Vec::new();
    }
    if !alike(old, new) {
        return vec![old.clone()];
    }
    let with = |edit: &dyn Fn(&mut Vec<Node>)| {
        let mut changed = new.clone();
        if let NodeKind::Call(items) | NodeKind::List(items) | NodeKind::Angle(items) =
            &mut changed.kind
        {
            edit(items);
        }
        changed
    };
    let steps = aligned(old.children(), new.children());
    let mut out = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        match *step {
            Step::Both(a, b) => {
                let inner = nearer(a, &new.children()[b]);
                out.extend(inner.iter().map(|inner| with(&|items| items[b] = inner.clone())));
            }
            Step::Gone(a, at) => out.push(with(&|items| items.insert(at, a.clone()))),
            Step::Come(b) => {
                out.push(with(&|items| drop(items.remove(b))));
                // What is new may stand for what is gone, and neither can be taken back without the other.
                let beside = steps[..number].iter().rev();
                for other in beside.take_while(|other| !matches!(other, Step::Both(..))) {
                    if let Step::Gone(a, _) = *other {
                        out.push(with(&|items| items[b] = a.clone()));
                    }
                }
            }
        }
    }
    out
}

fn same(a: &Node, b: &Node) -> bool {
    a.to_string() == b.to_string()
}

/// Whether two items are the same ludeme, or both lists: then what is inside tells them apart.
fn alike(a: &Node, b: &Node) -> bool {
    let atom = matches!(a.kind, NodeKind::Word(_) | NodeKind::Text(_));
    let kinds = std::mem::discriminant(&a.kind) == std::mem::discriminant(&b.kind);
    !atom && kinds && a.name == b.name && a.head() == b.head()
}

/// What became of the items of a list.
enum Step<'n> {
    /// An item is still there, perhaps changed: at this place.
    Both(&'n Node, usize),
    /// One is gone; it would stand at this place.
    Gone(&'n Node, usize),
    /// The one at this place is new.
    Come(usize),
}

/// The items of two lists side by side, in order: as many as can be that are the same or alike stand beside each other.
/// Lists that are as long have every item beside another.
fn aligned<'n>(old: &'n [Node], new: &'n [Node]) -> Vec<Step<'n>> {
    if old.len() == new.len() {
        return old.iter().enumerate().map(|(at, a)| Step::Both(a, at)).collect();
    }
    let worth = |a: &Node, b: &Node| match () {
        () if same(a, b) => 3,
        () if alike(a, b) => 2,
        () => 0,
    };
    // The most that the items from these on are worth beside each other.
    let mut best = vec![vec![0; new.len() + 1]; old.len() + 1];
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            let both = worth(&old[a], &new[b]);
            let both = if both > 0 { both + best[a + 1][b + 1] } else { 0 };
            best[a][b] = both.max(best[a + 1][b]).max(best[a][b + 1]);
        }
    }
    let (mut a, mut b, mut steps) = (0, 0, Vec::new());
    while a < old.len() || b < new.len() {
        let inside = a < old.len() && b < new.len();
        let both = if inside { worth(&old[a], &new[b]) } else { 0 };
        if both > 0 && best[a][b] == both + best[a + 1][b + 1] {
            steps.push(Step::Both(&old[a], b));
            (a, b) = (a + 1, b + 1);
        } else if a < old.len() && best[a][b] == best[a + 1][b] {
            steps.push(Step::Gone(&old[a], b));
            a += 1;
        } else {
            steps.push(Step::Come(b));
            b += 1;
        }
    }
    steps
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
    fn one_item_more_does_not_hide_what_changed_beside_it() {
        let after = BEFORE
            .replace("(piece \"Ball\" Each)", "(piece \"Ball\" P1)")
            .replace("(equipment {", "(equipment {(dice num:1) ");
        let words = words(BEFORE, &after);
        assert_eq!(
            words,
            ["in `equipment`: `(dice num:1)` is new", "in `piece`: `Each` became `P1`"]
        );
    }

    #[test]
    fn changes_are_taken_back_one_by_one() {
        let after = BEFORE
            .replace("square 9", "square 7")
            .replace("(players 2) ", "")
            .replace("(rules ", "(rules (meta (swap)) ");
        let plain = sheet::tidied(BEFORE);
        let nearer = taken_back(BEFORE, &after);
        assert_eq!(nearer.len(), 3);
        for one in &nearer {
            assert_eq!(words(BEFORE, one).len(), 2, "{one}");
            for two in taken_back(BEFORE, one) {
                assert!(taken_back(BEFORE, &two).contains(&plain), "{two}");
            }
        }
        assert!(taken_back(BEFORE, BEFORE).is_empty());
        let other =
            BEFORE.replace("{(board (square 9)) (piece", "{(dice num:1) (hand Each) (piece");
        assert!(taken_back(&other, BEFORE).iter().any(|one| one.contains("(hand Each)")));
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
