//! Scores that searches compare: a judgement in the middle, proved wins above, proved losses below, sooner
//! ones further out.

/// A win now.
pub const WIN: i32 = 30_000;
/// Scores beyond this are proved.
pub const PROVED: i32 = 20_000;
/// What a judgement of certainty comes to.
pub const SURE: i32 = 10_000;

/// The score of a judgement between -1 and 1.
pub fn judged(value: f32) -> i32 {
    const ALMOST: f32 = 0.999;
    (value.clamp(-ALMOST, ALMOST) * SURE as f32) as i32
}

/// The score of a game that ended, so many plies after the root, with a value between -1 and 1.
pub fn ended(value: f32, ply: usize) -> i32 {
    match value {
        1.0 => WIN - ply as i32,
        -1.0 => ply as i32 - WIN,
        _ => judged(value),
    }
}

/// Whether a score says who wins for certain.
pub fn is_proved(score: i32) -> bool {
    score.abs() > PROVED
}

/// A score as the position itself has it, which may be come to after another number of plies.
pub fn from_root(score: i32, ply: usize) -> i32 {
    match score {
        score if score > PROVED => score + ply as i32,
        score if score < -PROVED => score - ply as i32,
        score => score,
    }
}

/// The reverse of [`from_root`].
pub fn to_root(score: i32, ply: usize) -> i32 {
    match score {
        score if score > PROVED => score - ply as i32,
        score if score < -PROVED => score + ply as i32,
        score => score,
    }
}

/// The payoff that a score stands for.
pub fn payoff(score: i32) -> f64 {
    let value = f64::from(score.clamp(-SURE, SURE)) / f64::from(SURE);
    0.5 + 0.5 * value
}
