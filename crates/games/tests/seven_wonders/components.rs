//! The components that come with the program, and faults in others.

use ludex_games::seven_wonders::{COMPONENTS, Fault, read};

#[test]
fn decks_have_seven_cards_a_player() {
    let components = read(COMPONENTS).expect("our components");
    assert_eq!((components.cards.len(), components.boards.len()), (78, 7));
    for players in 3..=7 {
        let sizes = [1, 2, 3].map(|age| components.deck(age, players).len());
        assert_eq!(sizes, [7 * players, 7 * players, 6 * players - 2]);
    }
    let three: usize = [1, 2, 3].map(|age| components.deck(age, 3).len()).iter().sum();
    assert_eq!(three + components.guilds().len(), 68);
}

/// Replaces one piece of our components; the result and its fault.
fn faulty(from: &str, to: &str) -> (String, Fault) {
    assert!(COMPONENTS.contains(from), "{from}");
    let text = COMPONENTS.replacen(from, to, 1);
    let fault = read(&text).expect_err("a fault is found");
    (text, *fault)
}

#[test]
fn faults_are_underlined() {
    let cases = [
        (
            r#"after = ["Baths"]"#,
            r#"after = ["Bathss"]"#,
            "no card named Bathss",
            "Bathss",
            "Baths?",
        ),
        (
            "copies = [3, 4], produces = \"W\"",
            "copies = [-3, 4], produces = \"W\"",
            "negative",
            "-3",
            "",
        ),
        ("shields = 1", "shields = -1", "negative", "-1", ""),
        (
            "copies = [3, 4], produces = \"W\"",
            "copies = [3], produces = \"W\"",
            "27 cards for 4",
            "",
            "",
        ),
        ("produces = \"W/C\"", "produces = \"W/X\"", "`X` is not a resource", "\"W/X\"", ""),
        (
            "science = \"gear\"",
            "science = \"gears\"",
            "`gears` is not known here",
            "\"gears\"",
            "gear",
        ),
        (
            "power = \"free-build\"",
            "powers = \"free-build\"",
            "`powers` is not a field",
            "powers",
            "",
        ),
        ("after = [\"Altar\"]", "after = [\"Pantheon\"]", "earlier age", "\"Pantheon\"", ""),
        ("starting-coins = 3", "", "`starting-coins` is missing", "", ""),
        ("[age-1.grey]", "[age-1.gray]", "`gray` is not a field", "gray", ""),
        ("hand = 7", "hand = ", "", "", ""),
    ];
    for (from, to, message, underlined, help) in cases {
        let (text, fault) = faulty(from, to);
        assert!(fault.message.contains(message), "{fault:?}");
        assert!(text[fault.at.clone()].contains(underlined), "{fault:?}");
        assert!(fault.help.unwrap_or_default().contains(help), "{help}");
    }
}

#[test]
fn a_missing_board_is_refused() {
    let start = COMPONENTS.find("[board.Olympia]").expect("Olympia");
    let end = start + 1 + COMPONENTS[start + 1..].find("[board.").expect("another board");
    let text = format!("{}{}", &COMPONENTS[..start], &COMPONENTS[end..]);
    let fault = read(&text).expect_err("six boards");
    assert_eq!(fault.message, "6 boards, expected 7 to 16");
    assert_eq!(&text[fault.at.clone()], "Halikarnassos");
    let side = COMPONENTS.replacen("B = [", "C = [", 1);
    let message = read(&side).expect_err("a side is missing").message;
    assert_eq!(message, "`B` is missing");
}
