//! What `match`, `run` and `report` print is what was played.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(arguments);
    command
}

fn ludex(arguments: &[&str]) -> Output {
    command(arguments).output().expect("ludex runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).to_string()
}

fn complaint(arguments: &[&str]) -> String {
    let output = ludex(arguments);
    assert!(!output.status.success(), "{arguments:?}: {}", said(&output));
    String::from_utf8_lossy(&output.stderr).to_string()
}

const MATCH: &[&str] =
    &["match", "nogo", "--size", "4x4", "--agents", "uct", "random", "--games", "4"];

#[test]
fn a_match_says_how_it_was_played() {
    let output = ludex(&[MATCH, &["--simulations", "20", "--json", "--seed", "3"]].concat());
    let outcome: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&outcome["budget"], &outcome["seed"]), (&"20 simulations".into(), &3.into()));
    assert_eq!(outcome["version"], env!("CARGO_PKG_VERSION"));
    for agent in 0..2 {
        let count = |key: &str| outcome[key][agent].as_u64().expect(key);
        assert_eq!(count("wins") + count("draws") + count("losses"), 4);
    }
    assert_eq!(outcome["wins"][0], outcome["losses"][1]);
    let text = said(&ludex(&[MATCH, &["--time", "2ms", "--clock", "cpu"]].concat()));
    for word in ["0.002 s of CPU time", "seed 1", "version 0.", "won", "drawn", "lost"] {
        assert!(text.contains(word), "no `{word}` in {text}");
    }
}

#[test]
fn one_agent_is_no_match_and_who_sat_out_has_no_score() {
    let alone = ["match", "nogo", "--size", "4x4", "--agents", "uct", "--games", "4"];
    assert!(complaint(&alone).contains("every seat"));
    let three = ["match", "nogo", "--size", "4x4", "--agents", "random", "random", "random"];
    let output = ludex(&[&three[..], &["--games", "1", "--json"]].concat());
    let outcome: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(outcome["scores"].as_array().unwrap().contains(&serde_json::Value::Null), "{outcome}");
    let text = said(&ludex(&[&three[..], &["--games", "1"]].concat()));
    assert!(text.contains("no games") && !text.contains("50.0%"), "{text}");
}

#[test]
fn options_a_game_does_not_have_are_refused_everywhere() {
    assert!(complaint(&["bench", "hex", "--size", "3x3"]).contains("--size"));
    assert!(complaint(&["info", "hex", "--engine", "foo"]).contains("--engine"));
}

#[test]
fn help_says_what_is_usual() {
    for name in ["match", "play"] {
        let text = said(&ludex(&[name, "--help"])).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("1000 simulations") && text.contains("--clock"), "{text}");
    }
}

#[test]
#[cfg(unix)]
fn interrupted_it_prints_what_was_played() {
    let long =
        ["match", "nogo", "--agents", "uct", "uct", "--games", "100000", "--simulations", "20"];
    let child =
        command(&long).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("ludex starts");
    std::thread::sleep(Duration::from_millis(2500));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let text = said(&output);
    assert!(text.contains("stopped after ") && text.contains(" of 100000 games"), "{text}");
    assert!(!text.contains("stopped after 0 of"), "{text}");
}

#[test]
fn records_say_by_which_clock() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let timed = ["--time", "1ms", "--clock", "cpu", "--records", path];
    assert!(ludex(&[MATCH, &timed].concat()).status.success());
    let record = std::fs::read_to_string(folder.path().join("000001.trial")).unwrap();
    assert!(record.contains("\n# budget 0.001 s of CPU time\n"), "{record}");
    assert!(record.contains("\n# P1 uct(c=0.4,") && record.contains("\n# version "), "{record}");
    let trial = ludex_game::Trial::read(&record).unwrap();
    assert_eq!(trial.to_string(), record);
    assert!(complaint(&[MATCH, &["--clock", "cpu"]].concat()).contains("--time"));
    let file = folder.path().join("000001.trial").to_str().unwrap().to_string();
    let shown = said(&ludex(&["show", &file, "--ply", "2"]));
    assert!(
        shown.contains("budget 0.001 s of CPU time") && shown.contains("After ply 2 of "),
        "{shown}"
    );
    assert!(complaint(&["show", &file, "--ply", "999"]).contains("plies"));
    std::fs::write(&file, record.replacen("P1 ", "P1 z", 2)).unwrap();
    complaint(&["show", &file]);
}

fn experiment(folder: &Path) -> String {
    let file = folder.join("x.toml");
    let text = "games = [\"own.lud\"]\nmatches = 2\nsimulations = 5\n\
                [agents]\nA = \"uct\"\nB = \"random\"\n";
    std::fs::write(&file, text).unwrap();
    let game = "(game \"G\" (players 2) (equipment { (board (square 3)) (piece \"Disc\" Each) })
        (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))";
    std::fs::write(folder.join("own.lud"), game).unwrap();
    file.to_str().unwrap().to_string()
}

#[test]
fn reports_go_where_and_as_they_are_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = experiment(folder.path());
    // Games are found beside the experiment, wherever the program was started.
    let ran = ludex(&["run", &file]);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let store = file.replace(".toml", ".sqlite");
    for ending in ["pdf", "htlm"] {
        let output = folder.path().join(format!("r.{ending}"));
        let fault = complaint(&["report", &store, "-o", output.to_str().unwrap()]);
        assert!(fault.contains(".html"), "{fault}");
        assert!(!output.exists());
    }
    let plain = ludex(&["report", &store]);
    let dash = command(&["report", &store, "-o", "-"]).current_dir(folder.path()).output().unwrap();
    assert!(dash.status.success());
    assert_eq!(plain.stdout, dash.stdout);
    assert!(!folder.path().join("-").exists());
    let lines = folder.path().join("r.jsonl");
    assert!(ludex(&["report", &store, "-o", lines.to_str().unwrap()]).status.success());
    let line: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(lines).unwrap()).unwrap();
    assert_eq!((&line["seed"], &line["clock"]), (&"1".into(), &"wall".into()));
}

#[test]
fn agents_describe_themselves() {
    let text = said(&ludex(&["agents"]));
    for word in ["uct", "c=0.4", "ppa", "decisive", "how much to explore; 0 to"] {
        assert!(text.contains(word), "no `{word}` in {text}");
    }
    let line = said(&ludex(&["agents", "mast", "--json"]));
    let part: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(part["name"], "mast");
    assert!(complaint(&["agents", "mats"]).contains("mast"));
    assert!(said(&ludex(&["show", "breakthrough", "--moves", "a2-a3"])).contains("P1"));
}

#[test]
fn games_have_a_line_each_and_can_be_looked_for() {
    let all = said(&ludex(&["games"]));
    let json = said(&ludex(&["games", "--json"]));
    assert_eq!(all.lines().count(), json.lines().count(), "{all}");
    for line in json.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(row["about"].as_str().is_some_and(|about| about.len() > 10), "{line}");
    }
    let found = said(&ludex(&["games", "rhombus"]));
    assert!(found.lines().count() >= 1 && found.contains("hex"), "{found}");
    assert!(complaint(&["games", "no-such-thing"]).contains("no-such-thing"));
}

#[test]
fn info_says_what_can_be_chosen_and_what_chance_does() {
    let json = |game: &str| -> serde_json::Value {
        serde_json::from_slice(&ludex(&["info", game, "--json"]).stdout).expect("JSON")
    };
    let (go, dice, wonders) = (json("go"), json("royal-game-of-ur"), json("7-wonders"));
    assert!(go["options"][0].as_str().unwrap().contains("9x9"), "{go}");
    assert_eq!((&go["chance"], &dice["chance"]), (&false.into(), &true.into()));
    assert_eq!((&wonders["simultaneous"], &wonders["hidden"]), (&true.into(), &true.into()));
    let text = said(&ludex(&["info", "royal-game-of-ur"]));
    assert!(text.contains("outcome of chance") && text.contains("chance       yes"), "{text}");
}
