//! What the words of facts about sites mean: nothing, or a piece, and whose.

use std::collections::BTreeMap;

use ludex_game::geometry::PieceKind;
use ludex_game::{Player, SiteId};

use super::coordinates::Board;
use super::{Evidence, kind};
use crate::seats::Seats;

/// Words by which descriptions say that nothing is there.
const BLANK: [&str; 10] =
    ["b", "blank", "empty", "e", "none", "nothing", "clear", "free", "vacant", "space"];

/// Kinds of piece, and what each fact says.
pub struct Contents {
    pub kinds: Vec<PieceKind>,
    pub facts: Vec<Option<(SiteId, u16)>>,
}

/// Reads all facts about the sites of a board.
pub fn contents(board: &Board, evidence: &Evidence<'_>) -> Contents {
    let read: Vec<Option<(SiteId, Vec<&str>)>> =
        evidence.facts.iter().map(|fact| board.reads(fact)).collect();
    // How often each content is there at the start.
    let mut counts: BTreeMap<&[&str], usize> = BTreeMap::new();
    for (fact, &initially) in read.iter().zip(evidence.initially) {
        if let Some((_, words)) = fact {
            *counts.entry(words).or_default() += usize::from(initially);
        }
    }
    let blank = blank(&counts);
    let pieces: Vec<&[&str]> =
        counts.keys().copied().filter(|words| Some(*words) != blank).collect();
    let owners = owners(&pieces, evidence.seats);
    let kinds = pieces.iter().zip(owners).map(|(words, owner)| kind(words, owner)).collect();
    let number = |words: &[&str]| pieces.iter().position(|known| *known == words);
    let facts = read.iter().map(|fact| {
        let (site, words) = fact.as_ref()?;
        Some((*site, u16::try_from(number(words)?).ok()?))
    });
    Contents { kinds, facts: facts.collect() }
}

/// The content that means nothing: of those that may, the most frequent at the start. Where colours go by
/// their first letters, `b` is black unless most of the board is full of it.
fn blank<'a>(counts: &BTreeMap<&'a [&'a str], usize>) -> Option<&'a [&'a str]> {
    let all: usize = counts.values().sum();
    let is_blank =
        |words: &[&str]| words.iter().any(|word| BLANK.contains(&word.to_lowercase().as_str()));
    let has_white = counts.keys().any(|words| words.contains(&"w"));
    let mut may: Vec<(usize, &[&str])> = counts
        .iter()
        .filter(|(words, count)| {
            is_blank(words) && !(has_white && words.contains(&"b") && 2 * **count <= all)
        })
        .map(|(words, count)| (*count, *words))
        .collect();
    may.sort_unstable_by_key(|(count, words)| {
        (std::cmp::Reverse(*count), words.len(), words.to_vec())
    });
    may.first().map(|(_, words)| *words)
}

/// Whose pieces are, by their words: a role's name, alone or as a part; the beginning of one role's name;
/// where all of several letters begin with those of roles, these.
fn owners(pieces: &[&[&str]], seats: &Seats) -> Vec<Option<Player>> {
    let roles: Vec<String> = (0..seats.players() as u8)
        .map(|player| seats.roles()[seats.role_of(Player(player))].to_lowercase())
        .collect();
    if roles.len() < 2 {
        return vec![None; pieces.len()];
    }
    let by = |holds: &dyn Fn(&str, &str) -> bool, words: &[&str]| {
        let fits = |role: &String| words.iter().any(|word| holds(&word.to_lowercase(), role));
        let mut found = (0..).map(Player).zip(&roles).filter(|(_, role)| fits(role));
        found.next().filter(|_| found.next().is_none()).map(|(player, _)| player)
    };
    let initials: Vec<Option<char>> = roles.iter().map(|role| role.chars().next()).collect();
    let distinct =
        initials.iter().all(|one| initials.iter().filter(|other| one == *other).count() == 1);
    let coded = distinct
        && pieces.iter().all(|words| {
            let first = words.first().and_then(|word| word.chars().next());
            words.len() == 1 && words[0].len() <= 3 && initials.contains(&first)
        });
    let owner = |words: &[&str]| {
        by(&|word, role| word == role, words)
            .or_else(|| by(&|word, role| role.len() > 2 && word.contains(role), words))
            .or_else(|| by(&|word, role| role.starts_with(word), words))
            .or_else(|| {
                by(&|word, role| coded && word.chars().next() == role.chars().next(), words)
            })
    };
    pieces.iter().map(|words| owner(words)).collect()
}

/// The only player who ever brought a kind of piece, if he did so more than once.
pub fn only_one(by: &[u32]) -> Option<Player> {
    let mut who = (0..).map(Player).zip(by).filter(|(_, times)| **times > 0);
    let (player, &times) = who.next()?;
    (who.next().is_none() && times > 1).then_some(player)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owners_of(pieces: &[&[&str]], roles: &[&str]) -> Vec<Option<u8>> {
        let seats = Seats::new(roles.iter().map(|role| role.to_string()).collect()).unwrap();
        owners(pieces, &seats).into_iter().map(|owner| owner.map(|player| player.0)).collect()
    }

    #[test]
    fn pieces_belong_to_the_roles_that_their_words_name() {
        let roles = ["white", "black"];
        assert_eq!(owners_of(&[&["white", "rook"], &["blackpawn"]], &roles), [Some(0), Some(1)]);
        assert_eq!(owners_of(&[&["wr"], &["bp"]], &roles), [Some(0), Some(1)]);
        assert_eq!(owners_of(&[&["x"], &["o"]], &["xplayer", "oplayer"]), [Some(0), Some(1)]);
        assert_eq!(owners_of(&[&["arrow"], &["white"]], &roles), [None, Some(0)]);
    }

    #[test]
    fn nothing_is_what_most_of_the_board_is_full_of() {
        let (b, w, x): (&[&str], &[&str], &[&str]) = (&["b"], &["w"], &["x"]);
        assert_eq!(blank(&BTreeMap::from([(b, 9), (x, 0)])), Some(b));
        assert_eq!(
            blank(&BTreeMap::from([(b, 4), (w, 4), (&["empty"][..], 8)])),
            Some(&["empty"][..])
        );
        assert_eq!(blank(&BTreeMap::from([(b, 4), (w, 4)])), None);
    }
}
