//! Ludex as an engine, and engines as players: every command by its answer, every misbehaviour by its sentence.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const LUDEX: &str = env!("CARGO_BIN_EXE_ludex");

/// A conversation with an engine.
struct Talk {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Talk {
    fn with(arguments: &[&str]) -> Talk {
        let mut child = Command::new(LUDEX)
            .arg("engine")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("ludex starts");
        let answers = BufReader::new(child.stdout.take().expect("its output"));
        Talk { child, answers }
    }

    fn say(&mut self, command: &str) {
        let input = self.child.stdin.as_mut().expect("its input");
        writeln!(input, "{command}").and_then(|()| input.flush()).expect("it listens");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.answers.read_line(&mut line).expect("it speaks") > 0, "it ended");
        line.trim_end_matches('\n').to_string()
    }

    /// The lines up to an empty one.
    fn answer(&mut self) -> Vec<String> {
        std::iter::from_fn(|| Some(self.line()).filter(|line| !line.is_empty())).collect()
    }

    fn ask(&mut self, command: &str) -> Vec<String> {
        self.say(command);
        self.answer()
    }

    /// The lines up to one that begins so.
    fn until(&mut self, begin: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines[lines.len() - 1].starts_with(begin) {
                return lines;
            }
        }
    }

    fn turn(&mut self) -> serde_json::Value {
        serde_json::from_str(&self.ask("turn")[0]).expect("JSON")
    }

    fn end(mut self) {
        self.say("quit");
        let begun = Instant::now();
        while self.child.try_wait().expect("it ends").is_none() {
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not hear `quit`");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn lines_play_a_game() {
    let mut talk = Talk::with(&["breakthrough", "--size", "5x5", "--agent", "uct"]);
    let first = talk.ask("moves");
    assert_eq!(first.len(), 13);
    assert_eq!(talk.turn()["players"], serde_json::json!([1]));
    assert_eq!(talk.ask("play a2-a3"), [""; 0]);
    assert_eq!(talk.turn()["players"], serde_json::json!([2]));
    assert!(talk.ask("play a2-a3")[0].starts_with("error"));
    assert!(talk.ask("moves P1")[0].starts_with("error"));
    assert!(talk.ask("dance")[0].starts_with("error"));
    assert!(talk.ask("go time soon")[0].starts_with("error"));
    assert_eq!(talk.turn()["players"], serde_json::json!([2]), "errors change nothing");
    let answer = talk.ask("go simulations 200");
    let info: serde_json::Value =
        serde_json::from_str(answer[0].strip_prefix("info ").expect("evidence")).expect("JSON");
    assert_eq!(info["simulations"], 200);
    let best = answer[answer.len() - 1].strip_prefix("bestmove ").expect("a move").to_string();
    assert!(talk.ask("moves P2").contains(&best));
    assert_eq!(talk.ask(&format!("play {best}")), [""; 0]);
    assert_eq!(talk.ask("undo"), [""; 0]);
    assert_eq!(talk.ask("undo"), [""; 0]);
    assert!(talk.ask("undo")[0].starts_with("error"));
    assert_eq!(talk.ask("moves"), first);
    assert!(talk.ask("show").len() >= 5);
    for _ in 0..200 {
        if talk.turn()["terminal"] == true {
            break;
        }
        let moves = talk.ask("moves");
        talk.ask(&format!("play {}", moves[moves.len() / 2]));
    }
    let over = talk.turn();
    assert_eq!((&over["terminal"], &over["players"]), (&true.into(), &serde_json::json!([])));
    let payoffs: f64 =
        over["payoffs"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).sum();
    assert_eq!(payoffs, 1.0);
    assert!(talk.ask("go")[0].starts_with("error"));
    assert_eq!(talk.ask("new"), [""; 0]);
    assert_eq!(talk.ask("moves"), first);
    assert_eq!(talk.ask("stop"), [""; 0]);
    talk.end();
}

#[test]
fn lines_announce_chance_and_wait_for_everybody() {
    let mut talk = Talk::with(&["royal-game-of-ur"]);
    let begun = talk.turn();
    assert_eq!((&begun["chance"], &begun["players"]), (&true.into(), &serde_json::json!([])));
    let throws = talk.ask("moves");
    assert!(!throws.is_empty());
    assert!(talk.ask("go simulations 5")[0].starts_with("error"));
    assert!(talk.ask("play a throw of nine")[0].starts_with("error"));
    assert_eq!(talk.ask(&format!("play {}", throws[0])), [""; 0]);
    talk.end();

    let mut talk = Talk::with(&["7-wonders"]);
    talk.ask("play Ephesos A, Halikarnassos A, Alexandria A");
    assert_eq!(talk.ask("play deal 15a178c2ffde798c"), [""; 0]);
    assert_eq!(talk.turn()["players"], serde_json::json!([1, 2, 3]));
    let (second, first) = (talk.ask("moves P2"), talk.ask("moves"));
    assert_eq!(talk.ask(&format!("play P2 {}", second[0])), [""; 0]);
    assert!(talk.ask("moves P2")[0].starts_with("error"), "he has moved");
    assert_eq!(talk.ask(&format!("play {}", first[0])), [""; 0]);
    assert_eq!(talk.turn()["players"], serde_json::json!([3]));
    let best = talk.ask("go simulations 3");
    let best = best[best.len() - 1].strip_prefix("bestmove ").expect("a move").to_string();
    assert_eq!(talk.ask(&format!("play {best}")), [""; 0]);
    assert_eq!(talk.turn()["players"], serde_json::json!([1, 2, 3]), "all moved at once");
    talk.end();
}

#[test]
fn a_search_hears_stop_and_quit() {
    for protocol in ["lines", "uci"] {
        let mut talk = Talk::with(&["breakthrough", "--protocol", protocol]);
        if protocol == "uci" {
            talk.say("position startpos moves a2a3");
        }
        talk.say("go infinite");
        std::thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        talk.say("stop");
        let lines = talk.until("bestmove ");
        assert!(begun.elapsed() < Duration::from_secs(10));
        assert!(lines.iter().filter(|line| line.starts_with("info ")).count() >= 2, "{lines:?}");
        if protocol == "lines" {
            assert_eq!((talk.line(), talk.line()), (String::new(), String::new()));
        }
        // Both at once: the signal belongs to the search even if it has not begun.
        talk.say("go infinite\nstop");
        talk.until("bestmove ");
        talk.say("go infinite");
        std::thread::sleep(Duration::from_millis(100));
        talk.end();
    }
}

#[test]
fn gtp_plays_go() {
    let mut talk = Talk::with(&["go", "--protocol", "gtp", "--simulations", "20"]);
    assert_eq!(talk.ask("1 protocol_version"), ["=1 2"]);
    assert_eq!(talk.ask("known_command genmove"), ["= true"]);
    assert!(talk.ask("list_commands").contains(&"boardsize".to_string()));
    assert_eq!(talk.ask("boardsize 9"), ["= "]);
    assert!(talk.ask("boardsize 8")[0].starts_with("? unacceptable size"));
    assert_eq!(talk.ask("boardsize 9"), ["= "]);
    assert_eq!(talk.ask("clear_board"), ["= "]);
    assert_eq!(talk.ask("komi 0"), ["= "]);
    assert!(talk.ask("komi 6.5")[0].starts_with('?'));
    assert_eq!(talk.ask("play b J9"), ["= "], "the letter I is left out");
    assert!(talk.ask("play w I9")[0].starts_with("? illegal move"));
    assert!(talk.ask("play w J9")[0].starts_with("? illegal move"));
    assert_eq!(talk.ask("play b A1"), ["= "], "white passes");
    assert_eq!(talk.ask("undo"), ["= "]);
    let chosen = talk.ask("7 genmove b")[0].clone();
    assert!(chosen.starts_with("=7 "), "{chosen}");
    assert!(talk.ask("frobnicate")[0].starts_with("? unknown command"));
    talk.end();
}

#[test]
fn uci_plays_chess() {
    let mut talk = Talk::with(&["chess", "--protocol", "uci"]);
    talk.say("uci");
    assert!(talk.until("uciok").iter().any(|line| line.starts_with("id name Ludex")));
    talk.say("isready");
    talk.until("readyok");
    talk.say("position startpos moves a2a4 b7b5 a4b5 a7a6 b5a6 h7h6 a6a7 h6h5 a7b8n h5h4");
    talk.say("go nodes 50");
    let lines = talk.until("bestmove ");
    assert!(lines.iter().any(|line| line.contains(" score cp ")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("not legal")), "{lines:?}");
    // The knight that the pawn became moves like one, and castling is a move of the king.
    talk.say("position startpos moves a2a4 b7b5 a4b5 a7a6 b5a6 h7h6 a6a7 h6h5 a7b8n h5h4 b8c6");
    talk.say("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6");
    talk.say("go nodes 5");
    let lines = talk.until("bestmove ");
    assert!(!lines.iter().any(|line| line.contains("not legal")), "{lines:?}");
    talk.say("position startpos moves e2e5");
    assert!(talk.line().contains("not legal"));
    talk.end();
}

/// The outcome of a short match against an agent of ours.
fn outcome(game: &[&str], engine: &str, games: &str) -> serde_json::Value {
    let output = Command::new(LUDEX)
        .arg("match")
        .args(game)
        .args(["--agents", "random", engine, "--games", games, "--simulations", "5", "--json"])
        .output()
        .expect("ludex runs");
    assert!(output.status.success(), "{engine}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn bad_engines_lose_with_a_sentence() {
    let cheat = "while read line; do echo '= A1'; echo; done";
    let garbage = "while read line; do echo 'what?'; echo; done";
    let bytes = "printf '\\377\\000\\376\\n\\n'; cat /dev/zero";
    let cases = [
        ("gtp(\"sleep 98765\", timeout=0.5)".to_string(), "no answer in time"),
        ("gtp(\"exit 3\")".to_string(), "it ended in the middle"),
        ("gtp(no-such-program-anywhere)".to_string(), "it ended in the middle"),
        (format!("gtp(\"{cheat}\")"), "which is not legal"),
        (format!("gtp(\"{garbage}\")"), "no answer"),
        (format!("gtp(\"{bytes}\", timeout=2)", bytes = bytes.replace('\\', "\\\\")), "no answer"),
        ("gtp(\"yes\", timeout=1)".to_string(), "no answer"),
        ("uci(\"yes\", timeout=1)".to_string(), "no answer in time"),
        (
            "uci(\"echo uciok; echo readyok; read a; read b; read c; read d; read e; echo bestmove z9z9\")"
                .to_string(),
            "not legal",
        ),
        ("lines(\"cat\", timeout=1)".to_string(), "no answer in time"),
        ("lines(\"while read line; do echo; done\")".to_string(), "no answer"),
        ("gtp(\"while read line; do echo '= resign'; echo; done\")".to_string(), "it resigned"),
    ];
    for (engine, sentence) in cases {
        let outcome = outcome(&["nogo", "--size", "4x4"], &engine, "2");
        assert_eq!(outcome["wins"], serde_json::json!([2, 0]), "{engine}: {outcome}");
        let forfeits = outcome["forfeits"].as_array().expect("forfeits");
        assert_eq!(forfeits.len(), 2, "{engine}: {outcome}");
        for lost in forfeits {
            assert_eq!(lost["agent"], 1);
            assert!(lost["reason"].as_str().unwrap().contains(sentence), "{engine}: {outcome}");
        }
    }
    let left = Command::new("pgrep").args(["-f", "sleep 98765"]).output();
    assert!(
        left.is_err() || left.is_ok_and(|left| left.stdout.is_empty()),
        "a program was left running"
    );
}

#[test]
fn good_engines_play_to_the_end() {
    let own = |game: &str, protocol: &str| {
        format!("{protocol}(\"{LUDEX} engine {game} --agent random --protocol {protocol}\")")
    };
    for (game, protocol) in [
        (&["nogo", "--size", "4x4"][..], "gtp"),
        (&["breakthrough", "--size", "4x4"], "uci"),
        (&["breakthrough", "--size", "4x4"], "lines"),
    ] {
        let text = game.join(" ");
        let outcome = outcome(game, &own(&text, protocol), "2");
        assert_eq!(outcome["forfeits"], serde_json::json!([]), "{protocol}: {outcome}");
        assert_eq!(outcome["games"], 2);
    }
    let outcome = outcome(&["royal-game-of-ur"], &own("royal-game-of-ur", "lines"), "2");
    assert_eq!(outcome["forfeits"], serde_json::json!([]), "{outcome}");
}

#[test]
fn games_that_a_protocol_cannot_say_are_refused() {
    let output = Command::new(LUDEX)
        .args(["match", "royal-game-of-ur", "--agents", "random", "gtp(cat)", "--games", "2"])
        .output()
        .expect("ludex runs");
    assert!(!output.status.success());
    let fault = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(fault.starts_with("error: "), "{fault}");
}

#[test]
fn gtp_keeps_to_its_clock() {
    let mut talk = Talk::with(&["go", "--protocol", "gtp", "--agent", "uct"]);
    let genmove = |talk: &mut Talk| {
        let begun = Instant::now();
        assert!(talk.ask("genmove b")[0].starts_with('='));
        talk.ask("undo");
        begun.elapsed()
    };
    // Without a clock a move takes a second.
    assert!(genmove(&mut talk) >= Duration::from_millis(900));
    talk.ask("time_settings 5 0 0");
    assert!(genmove(&mut talk) < Duration::from_millis(900));
    talk.ask("time_left b 1 20");
    assert!(genmove(&mut talk) < Duration::from_millis(600));
    assert!(talk.ask("time_settings soon")[0].starts_with('?'));
    talk.ask("time_settings 0 1 0");
    assert!(genmove(&mut talk) >= Duration::from_millis(900), "no limit at all");
    talk.end();
}

#[test]
fn uci_ponders_until_the_move_was_played() {
    let mut talk = Talk::with(&["chess", "--protocol", "uci", "--agent", "uct"]);
    talk.say("position startpos moves e2e4 e7e5");
    talk.say("go ponder wtime 4000 btime 4000");
    talk.say("isready");
    // A clock that had run from the beginning would be through by now.
    std::thread::sleep(Duration::from_millis(2500));
    let hit = Instant::now();
    talk.say("ponderhit");
    talk.until("bestmove");
    assert!(hit.elapsed() >= Duration::from_millis(20), "its time begins with the hit");
    assert!(hit.elapsed() < Duration::from_millis(2400), "{:?}", hit.elapsed());
    // The answer to the question that came meanwhile.
    talk.until("readyok");
    // What was expected may not come.
    talk.say("go ponder wtime 400000 btime 400000");
    talk.say("stop");
    talk.until("bestmove");
    talk.end();
}
