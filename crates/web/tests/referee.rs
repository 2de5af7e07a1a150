//! Our player under our referee: against itself, and against players that do everything wrong.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludex_gdl::{Bounds, compile};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::kif::{self, Strictness};
use ludex_web::ggp::{GgpPlayer, Settings, serve};
use ludex_web::referee::{
    Clocks, Contestant, Event, Fault, MatchReport, Ruled, Seat, Tournament, ggp_json, trial,
};
use ludex_web::server::listen;

/// Three numbers from one to three, a die that is thrown at once with the first; the last bet wins.
const BETS: &str = "(role left) (role right) (role random) ; three roles
(n 1) (n 2) (n 3) (succ 0 1) (succ 1 2) (succ 2 3) (init (step 0))
(<= (legal ?r (bet ?n)) (role ?r) (distinct ?r random) (n ?n))
(<= (legal random (throw ?n)) (true (step 0)) (n ?n))
(<= (legal random wait) (not (true (step 0))))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (die ?n)) (does random (throw ?n))) (<= (next (die ?n)) (true (die ?n)))
(<= (next (own ?r ?n)) (does ?r (bet ?n)))
(<= terminal (true (step 3)))
(<= (right_bet ?r) (true (own ?r ?n)) (true (die ?n)))
(<= (goal ?r 100) (role ?r) (right_bet ?r)) (<= (goal ?r 0) (role ?r) (not (right_bet ?r)))";

fn own(seed: u64) -> Contestant {
    let settings = Settings { seed, simulations: Some(50), ..Settings::default() };
    let listener = listen(Ipv4Addr::LOCALHOST.into(), 0).expect("a free port");
    let address = listener.local_addr().expect("bound").to_string();
    let player = Arc::new(GgpPlayer::new(settings));
    std::thread::spawn(move || serve(listener, player));
    Contestant::at(&address)
}

/// A player that goes through the given answers; an empty one is never sent.
fn bad(answers: &'static [&'static str]) -> Contestant {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("bound").to_string();
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.expect("a connection");
            let mut request = [0; 1 << 16];
            let _ = stream.read(&mut request);
            match answers[number % answers.len()] {
                "" => held.push(stream),
                "close" => drop(stream),
                "nonsense" => drop(stream.write_all(b"\xFF\xFE no head at all")),
                answer => {
                    let _ = write!(stream, "HTTP/1.0 200 OK\r\n\r\n{answer}");
                }
            }
        }
    });
    Contestant { name: "bad".to_owned(), address }
}

fn tournament(players: Vec<Contestant>, matches: usize) -> Vec<MatchReport> {
    let tournament = Tournament {
        games: vec![Ruled::new("bets.kif", BETS, Strictness::Strict).expect("right rules")],
        players,
        matches,
        parallel: 2,
        clocks: Clocks { start: 1, play: 1, grace: Duration::ZERO, steps: 100 },
        seed: 7,
        name: "test".to_owned(),
    };
    let reports = Mutex::new(Vec::new());
    let told = |event: Event<'_>| {
        if let Event::Ended(report) = event {
            reports.lock().expect("no panic").push(report.clone());
        }
    };
    tournament.run(&told).expect("games and players");
    reports.into_inner().expect("no panic")
}

fn faults(reports: &[MatchReport], player: usize) -> Vec<&Fault> {
    let of = |report: &MatchReport| {
        report.seats.iter().position(|seat| matches!(seat, Seat::Player(own, _) if *own == player))
    };
    let mut found = Vec::new();
    for report in reports {
        let Some(role) = of(report) else { continue };
        found.extend(report.faults.iter().filter_map(|row| row[role].as_ref()));
    }
    found
}

#[test]
fn our_player_plays_itself_without_a_fault() {
    let reports = tournament(vec![own(1), own(2), own(3), own(4)], 4);
    assert_eq!(reports.len(), 4);
    for report in &reports {
        assert!((0..4).all(|player| faults(&reports, player).is_empty()), "{:?}", report.faults);
        assert_eq!((report.moves.len(), report.states.len()), (3, 4));
        let goals = report.goals.as_ref().expect("it ended");
        assert!(goals.iter().all(|goal| [0, 100].contains(goal)));
        assert_eq!(report.seats[2], Seat::Random, "chance is ours");
    }
    let checked = kif::read(SourceId(0), BETS).expect("right rules");
    let game = compile("bets", &checked.description, None, &Bounds::default()).expect("compiles");
    let game = game.into_game();
    for report in &reports {
        let record = trial(report);
        let read = ludex_game::Trial::read(&record.to_string()).expect("a record");
        read.replay(&*game).expect("it replays to the same result");
    }
}

#[test]
fn matches_are_written_as_ggp_base_does() {
    let players = vec![own(5), own(6)];
    let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
    assert_eq!(names, ["ludex", "ludex"]);
    let reports = tournament(players, 1);
    let clocks = Clocks { start: 1, play: 1, grace: Duration::ZERO, steps: 100 };
    let written = ggp_json(&reports[0], clocks, &names);
    assert_eq!(written["states"].as_array().map(Vec::len), Some(4));
    assert_eq!(written["states"][0], "( ( step 0 ) )");
    assert_eq!(written["moves"].as_array().map(Vec::len), Some(3));
    assert!(written["moves"][0][2].as_str().is_some_and(|text| text.starts_with("( throw ")));
    assert_eq!((&written["isCompleted"], &written["isAborted"]), (&true.into(), &false.into()));
    assert_eq!(written["goalValues"].as_array().map(Vec::len), Some(3));
    assert_eq!(written["playerNamesFromHost"][2], "Random");
}

#[test]
fn bad_players_get_random_moves_and_disturb_nobody() {
    let answers = &["ready", "(bet 9)", "", "close", "nonsense", "((", "noop"];
    let reports = tournament(vec![own(8), bad(answers)], 3);
    assert!(faults(&reports, 0).is_empty(), "{:?}", faults(&reports, 0));
    let found = faults(&reports, 1);
    assert!(found.contains(&&Fault::Late), "{found:?}");
    assert!(found.contains(&&Fault::Connection), "{found:?}");
    assert!(found.iter().any(|fault| matches!(fault, Fault::Illegal(_))), "{found:?}");
    assert!(reports.iter().all(|report| report.goals.is_some()), "the matches went on");
}

#[test]
fn a_role_without_a_player_is_played_at_random() {
    let reports = tournament(vec![own(9)], 2);
    let seated = |report: &MatchReport| {
        report.seats.iter().filter(|seat| matches!(seat, Seat::Player(..))).count()
    };
    assert!(reports.iter().all(|report| seated(report) == 1 && report.goals.is_some()));
    assert_ne!(reports[0].seats, reports[1].seats, "it plays both roles in turn");
}
