//! Rules made at random from the table of ludemes, each argument of its type.

use ludex_lang::lud::table::{Parameter, Row, Type, table};

use crate::mutants::{Choices, pick};

/// What may stand for a kind where no more depth is left.
fn leaf(choices: &mut dyn Choices, kind: &str) -> Option<String> {
    let numbers = ["0", "1", "2", "3", "5", "(to)", "(last To)", "(from)", "(count Moves)", "-1"];
    let words: &[&str] = match kind {
        "int" | "dim" => &numbers,
        "Int" => &numbers[..5],
        "float" | "Float" => &["0.5", "1"],
        "bool" => &["True", "(is Empty (to))", "(is Mover P1)", "(is Even (count Moves))"],
        "Bool" => &["True", "False"],
        "region" => &[
            "(sites Empty)",
            "(sites Occupied by:Mover)",
            "(sites Bottom)",
            "(sites Centre)",
            "(sites Board)",
            "(sites \"Home\")",
            "(sites Mover)",
        ],
        "ints" => &["(players All)", "{0 1 2}"],
        "moves" => &[
            "(move Add (to (sites Empty)))",
            "(forEach Piece)",
            "(move Step (to if:(is Empty (to))))",
            "(remove (last To))",
            "(moveAgain)",
            "(move Pass)",
        ],
        "str" => &["\"Disc\"", "\"King1\"", "\"Home\"", "\"Ring\""],
        "dir" => &["Orthogonal", "Diagonal", "N", "Forward"],
        "range" => &["(range 1 2)", "(exact 1)"],
        _ => return None,
    };
    Some((*pick(choices, words)).to_string())
}

/// Something of a type, at most so deep.
fn value(choices: &mut dyn Choices, takes: Type, depth: u32) -> Option<String> {
    let kind = match takes {
        Type::Literal(word) => return Some(word.to_string()),
        Type::Kind(kind, 0) => kind,
        Type::Kind(kind, lists) => {
            let items: Option<Vec<String>> = (0..1 + choices.below(2))
                .map(|_| value(choices, Type::Kind(kind, lists - 1), depth))
                .collect();
            return Some(format!("{{{}}}", items?.join(" ")));
        }
    };
    if let Some(enumeration) = kind.strip_prefix('@') {
        return match table().values(enumeration) {
            [] => None,
            values => Some((*pick(choices, values)).to_string()),
        };
    }
    if (depth == 0 || choices.below(4) == 0)
        && let Some(leaf) = leaf(choices, kind)
    {
        return Some(leaf);
    }
    let rows: Vec<&Row> = table().rows().iter().filter(|row| row.kinds.contains(&kind)).collect();
    if rows.is_empty() || depth == 0 && rows.iter().all(|row| row.kinds[0] == "moves") {
        return leaf(choices, kind);
    }
    let row = *pick(choices, &rows);
    call(choices, row, depth.checked_sub(1)?)
}

/// A call of a form: what it needs, some of what it may have, one of what excludes each other.
fn call(choices: &mut dyn Choices, row: &Row, depth: u32) -> Option<String> {
    let mut out = format!("({}", row.word);
    let mut groups: Vec<(u8, &'static str)> = Vec::new();
    for parameter in &row.parameters {
        let Parameter { name, takes, optional, named, group } = parameter;
        if let Some(group) = group {
            let alike = row.parameters.iter().filter(|p| p.group == Some(*group));
            let names: Vec<&'static str> = alike.map(|p| p.name).collect();
            let chosen = match groups.iter().find(|(known, _)| known == group) {
                Some((_, chosen)) => *chosen,
                None => {
                    groups.push((*group, *pick(choices, &names)));
                    groups[groups.len() - 1].1
                }
            };
            if chosen != *name {
                continue;
            }
        }
        if *optional && choices.below(4) > 0 {
            continue;
        }
        let Some(value) = value(choices, *takes, depth) else {
            if *optional { continue } else { return None }
        };
        match named {
            true => out.push_str(&format!(" {name}:{value}")),
            false => out.push_str(&format!(" {value}")),
        }
    }
    out.push(')');
    Some(out)
}

/// A game with rules drawn at random inside a frame that is sound.
pub fn description(choices: &mut dyn Choices) -> String {
    let board =
        *pick(choices, &["(square 3)", "(square 5)", "(hex 2)", "(rectangle 2 6)", "(tri 4)"]);
    let players = 2 + u32::from(choices.below(8) == 0);
    let mut part = |kind: &'static str, most: u32| {
        let depth = 1 + choices.below(most);
        (0..20)
            .find_map(|_| value(choices, Type::Kind(kind, 0), depth))
            .unwrap_or_else(|| leaf(choices, kind).unwrap_or_default())
    };
    let (own, play, then) = (part("moves", 3), part("moves", 3), part("moves", 2));
    let (cond, when, home) = (part("bool", 3), part("bool", 2), part("region", 2));
    let play = match choices.below(4) {
        0 => format!(
            "(do (move Add (to (sites Empty) if:{when}) (then {then})) ifAfterwards:{cond})"
        ),
        1 => format!("(or (forEach Piece) {play})"),
        2 => format!("(move Add (to (sites Empty) if:{when}) (then {then}))"),
        _ => play,
    };
    // Hands and tracks keep most games from a kernel: half of them have neither.
    let (track, hand) = match choices.below(2) {
        0 => (r#"{(track "Ring" "0,E,N,W,S" loop:True)}"#, "(hand Each)"),
        _ => ("", ""),
    };
    format!(
        r#"(game "Drawn" (players {players})
            (equipment {{(board {board} {track})
                (piece "Disc" Each {own}) (piece "King" Each (move Step (to if:(is Empty (to)))))
                {hand} (regions "Home" P1 (sites Bottom)) (regions "Home" P2 {home})}})
            (rules (start {{(place "King1" 0) (place "Disc2" (sites Top))}})
                (play {play}) (end {{(if {cond} (result Mover Win)) (if (no Moves Next) (result Mover Loss))}})))"#
    )
}
