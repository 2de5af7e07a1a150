//! Who sits where, and how a match's point is shared.

/// All ways to give `players` seats to `agents`: which agent sits at each.
///
/// With at most as many agents as seats, every agent sits somewhere, on one seat or more (two agents for
/// three seats sit in six ways; as many agents as seats sit in every order). With more agents than seats,
/// every choice of different agents in every order.
pub fn seatings(players: usize, agents: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut seats = Vec::with_capacity(players);
    fill(players, agents, &mut seats, &mut found);
    found
}

fn fill(players: usize, agents: usize, seats: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    let absent = (0..agents).filter(|agent| !seats.contains(agent)).count();
    let free = players - seats.len();
    if free == 0 {
        found.push(seats.clone());
        return;
    }
    for agent in 0..agents {
        let seated = seats.contains(&agent);
        // Somebody sits twice only where there are seats to spare for those who do not sit yet.
        if seated && (agents > players || absent >= free) {
            continue;
        }
        seats.push(agent);
        fill(players, agents, seats, found);
        seats.pop();
    }
}

/// Each agent's share of the one point of a match. The agents with the highest payoff share it; an agent
/// with several seats has the best of their payoffs. Agents who did not play get nothing. Where a game has one
/// seat, nobody can be beaten: its payoff is what counts.
pub fn points(agents: usize, seating: &[usize], payoffs: &[f32]) -> Vec<f64> {
    if let ([alone], [payoff]) = (seating, payoffs) {
        let share = |agent| if agent == *alone { f64::from(*payoff) } else { 0.0 };
        return (0..agents).map(share).collect();
    }
    let mut best = vec![f32::NEG_INFINITY; agents];
    for (&agent, &payoff) in seating.iter().zip(payoffs) {
        best[agent] = best[agent].max(payoff);
    }
    let top = best.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let winners = best.iter().filter(|&&payoff| payoff == top).count();
    best.iter().map(|&payoff| if payoff == top { 1.0 / winners as f64 } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_sits_everywhere() {
        assert_eq!(seatings(2, 2), [[0, 1], [1, 0]]);
        assert_eq!(seatings(3, 3).len(), 6);
        assert_eq!(seatings(3, 2).len(), 6, "all but the two where one agent sits alone");
        assert_eq!(seatings(6, 2).len(), 62);
        assert_eq!(seatings(2, 3).len(), 6);
        assert_eq!(seatings(1, 1), [[0]]);
        assert_eq!(seatings(2, 1), [[0, 0]]);
        assert!(seatings(4, 3).iter().all(|seats| (0..3).all(|agent| seats.contains(&agent))));
    }

    #[test]
    fn ties_share() {
        assert_eq!(points(2, &[1, 0], &[1.0, 0.0]), [0.0, 1.0]);
        assert_eq!(points(2, &[0, 1], &[0.5, 0.5]), [0.5, 0.5]);
        assert_eq!(points(2, &[0, 1, 0], &[0.2, 0.3, 0.5]), [1.0, 0.0]);
        assert_eq!(points(2, &[0, 1, 0], &[0.5, 0.5, 0.0]), [0.5, 0.5]);
        assert_eq!(points(3, &[0, 2], &[0.0, 1.0]), [0.0, 0.0, 1.0]);
        assert_eq!(points(2, &[1], &[0.25]), [0.0, 0.25], "a puzzle");
    }
}
