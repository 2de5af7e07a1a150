//! A match written down: as GGP's own tools read it, and as ours do.

use ludex_game::{Player, Trial};
use serde_json::{Value, json};

use super::game::{Clocks, MatchReport, Seat};

/// The role that is chance.
const CHANCE: &str = "random";

/// The match in the JSON of GGP-Base; `names` are those of the contestants.
pub fn ggp_json(report: &MatchReport, clocks: Clocks, names: &[String]) -> Value {
    let spaced = |text: &String| text.replace('(', "( ").replace(')', " )");
    let state = |facts: &Vec<String>| {
        let facts: Vec<String> = facts.iter().map(spaced).collect();
        format!("( {} )", facts.join(" "))
    };
    let moves = report.moves.iter().map(|row| row.iter().map(spaced).collect::<Vec<_>>());
    let fault_text = |fault: &Option<super::Fault>| {
        fault.as_ref().map_or(String::new(), |fault| fault.to_string())
    };
    let faults = report.faults.iter().map(|row| row.iter().map(fault_text).collect::<Vec<_>>());
    let name = |seat: &Seat| match seat {
        Seat::Player(number, address) => names.get(*number).unwrap_or(address).clone(),
        Seat::Random => "Random".to_owned(),
    };
    let mut written = json!({
        "matchId": report.id,
        "randomToken": format!("{:016x}", report.seed),
        "startTime": report.times.first(),
        "gameMetaURL": report.spec,
        "gameName": report.game,
        "gameRoleNames": report.roles,
        "isCompleted": report.goals.is_some(),
        "isAborted": report.goals.is_none(),
        "states": report.states.iter().map(state).collect::<Vec<_>>(),
        "moves": moves.collect::<Vec<_>>(),
        "stateTimes": report.times,
        "errors": faults.collect::<Vec<_>>(),
        "previewClock": -1,
        "startClock": clocks.start,
        "playClock": clocks.play,
        "playerNamesFromHost": report.seats.iter().map(name).collect::<Vec<_>>(),
        "isPlayerHuman": vec![false; report.seats.len()],
        "scrambled": false,
    });
    if let Some(goals) = &report.goals {
        written["goalValues"] = json!(goals);
    }
    written
}

/// The match as a record of ours, which any command that takes records replays.
pub fn trial(report: &MatchReport) -> Trial {
    let mut trial = Trial::new(report.spec.clone(), report.seed);
    let is_chance = |role: &usize| report.roles[*role] == CHANCE;
    let players: Vec<usize> = (0..report.roles.len()).filter(|role| !is_chance(role)).collect();
    let chance = (0..report.roles.len()).find(is_chance);
    for (joint, choices) in report.moves.iter().zip(&report.choices) {
        // Only those who have a choice make a move; where nobody has, the first player does.
        let chooses = |role: usize| choices[role] > 1;
        let nobody = !(0..joint.len()).any(chooses);
        for (player, &role) in players.iter().enumerate() {
            if chooses(role) || (nobody && player == 0) {
                trial.moves.push((Some(Player(player as u8)), joint[role].clone()));
            }
        }
        if let Some(role) = chance.filter(|&role| chooses(role)) {
            trial.moves.push((None, joint[role].clone()));
        }
    }
    trial.result = report.goals.as_ref().map(|goals| {
        players.iter().map(|&role| (goals[role] as f32 / 100.0).clamp(0.0, 1.0)).collect()
    });
    trial
}
