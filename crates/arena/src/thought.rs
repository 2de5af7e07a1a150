//! What a player thought of a position when he chose his move: kept with every match, so that the course of a
//! match can be drawn and judged without searching again.

use ludex_play::search::Report;

/// The evidence of one choice, as much of it as a match keeps.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Thought {
    /// The payoff the player expected, if he searched: the mean over all his simulations, or what is proved.
    pub value: Option<f32>,
    /// How evenly his simulations were spread over the moves: nought where all went into one move, one where
    /// every move had as many. Nothing where there was no choice.
    pub spread: Option<f32>,
}

/// Values are kept as so many steps between nought and one; the number after the last says "unknown".
const VALUE_STEPS: f32 = 65_534.0;
const SPREAD_STEPS: f32 = 254.0;
/// Bytes of one thought in a store.
const BYTES: usize = 3;

impl Thought {
    /// What a search's report comes down to.
    pub fn of(report: &Report) -> Thought {
        Thought { value: value(report), spread: spread(report) }
    }

    fn bytes(self) -> [u8; BYTES] {
        let value = self.value.map_or(u16::MAX, |v| (v * VALUE_STEPS).round() as u16);
        let spread = self.spread.map_or(u8::MAX, |s| (s * SPREAD_STEPS).round() as u8);
        let [high, low] = value.to_be_bytes();
        [high, low, spread]
    }

    fn from_bytes([high, low, spread]: [u8; BYTES]) -> Thought {
        let value = u16::from_be_bytes([high, low]);
        Thought {
            value: (value != u16::MAX).then(|| f32::from(value) / VALUE_STEPS),
            spread: (spread != u8::MAX).then(|| f32::from(spread) / SPREAD_STEPS),
        }
    }
}

/// What is proved where the result is, otherwise the mean over all simulations: that of the best move alone would rest
/// on a handful of them wherever there are many moves.
fn value(report: &Report) -> Option<f32> {
    let best = report.moves.first()?;
    let visits: u64 = report.moves.iter().map(|mv| mv.visits).sum();
    let value = match visits {
        _ if report.solved || best.proved => best.mean,
        0 => best.mean,
        all => report.moves.iter().map(|mv| mv.mean * mv.visits as f64).sum::<f64>() / all as f64,
    };
    Some(value.clamp(0.0, 1.0) as f32)
}

/// The entropy of the visits of all moves as a share of the largest there could be.
fn spread(report: &Report) -> Option<f32> {
    let total: u64 = report.moves.iter().map(|mv| mv.visits).sum();
    if report.moves.len() < 2 || total == 0 {
        return None;
    }
    let shares = report.moves.iter().filter(|mv| mv.visits > 0);
    let entropy: f64 =
        shares.map(|mv| mv.visits as f64 / total as f64).map(|share| -share * share.ln()).sum();
    Some((entropy / (report.moves.len() as f64).ln()).clamp(0.0, 1.0) as f32)
}

/// All thoughts of a match as a store keeps them.
pub(crate) fn to_bytes(thoughts: &[Thought]) -> Vec<u8> {
    thoughts.iter().flat_map(|thought| thought.bytes()).collect()
}

/// The thoughts in a store's bytes.
pub(crate) fn from_bytes(bytes: &[u8]) -> Vec<Thought> {
    bytes.as_chunks().0.iter().map(|&chunk| Thought::from_bytes(chunk)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::Move;
    use ludex_play::search::MoveReport;

    fn report(visits: &[u64]) -> Report {
        let moves = visits.iter().zip(0..).map(|(&visits, number)| MoveReport {
            mv: Move(number),
            visits,
            mean: 0.75,
            proved: false,
        });
        Report { moves: moves.collect(), ..Report::default() }
    }

    #[test]
    fn values_are_means_over_all_simulations() {
        let mut two = report(&[30, 10]);
        two.moves[1].mean = 0.25;
        // (30 · 0.75 + 10 · 0.25) / 40.
        assert_eq!(Thought::of(&two).value, Some(0.625));
        two.moves[0].proved = true;
        assert_eq!(Thought::of(&two).value, Some(0.75), "what is proved needs no mean");
    }

    #[test]
    fn spread_by_hand() {
        assert_eq!(Thought::of(&report(&[5, 5, 5, 5])).spread, Some(1.0));
        assert_eq!(Thought::of(&report(&[9, 0])).spread, Some(0.0));
        // Half, a quarter, a quarter: one and a half bits of the two that four moves could have.
        assert_eq!(Thought::of(&report(&[8, 4, 4, 0])).spread, Some(0.75));
        assert_eq!(Thought::of(&report(&[9])).spread, None);
        assert_eq!(Thought::of(&report(&[9])).value, Some(0.75));
    }

    #[test]
    fn thoughts_survive_the_store() {
        let unknown = Thought::default();
        let known = Thought { value: Some(0.0), spread: Some(1.0) };
        let half = Thought { value: Some(0.5), spread: Some(0.5) };
        let read = from_bytes(&to_bytes(&[unknown, known, half]));
        assert_eq!(read[..2], [unknown, known]);
        assert!(read[2].value.is_some_and(|value| (value - 0.5).abs() < 1e-4));
        assert!(read[2].spread.is_some_and(|spread| (spread - 0.5).abs() < 0.01));
    }
}
