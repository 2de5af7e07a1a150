//! Positions and results in words.

use ludex_game::Player;

/// Who won.
pub fn result(payoffs: &[f32]) -> String {
    if let [alone] = payoffs {
        return format!("The game is over: {:.0} of 100 points.", alone * 100.0);
    }
    let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let winners: Vec<String> = payoffs
        .iter()
        .enumerate()
        .filter(|&(_, &payoff)| payoff == best)
        .map(|(index, _)| Player(index as u8).to_string())
        .collect();
    match &winners[..] {
        [winner] => format!("{winner} wins."),
        _ if winners.len() == payoffs.len() => "The game is a tie.".to_string(),
        _ => format!("{} share the win.", winners.join(" and ")),
    }
}
