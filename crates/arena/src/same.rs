//! Whether two forms of a game are one game: outcomes and lengths of random playouts compared.
//!
//! Outcomes are compared by a chi-squared test of homogeneity, lengths by the two-sample test of
//! Kolmogorov and Smirnov. The policy is uniform, or a fixed one whose odds depend on where a move ends.

use ludex_game::playout::{CodeTable, Gibbs, Sampling, Scratch, Style};
use ludex_game::{Coding, Game, Player, Rng, State, Turn, mix};
use std::collections::BTreeMap;

/// How moves are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// All moves alike.
    Uniform,
    /// By odds between one and three that the end of a move decides.
    Biased,
}

/// What many playouts of one form gave.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    outcomes: BTreeMap<Vec<u32>, u64>,
    lengths: BTreeMap<u32, u64>,
    count: u64,
}

/// How probable differences as large as those found are between samples of one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    /// Of the outcomes.
    pub outcomes: f64,
    /// Of the lengths.
    pub lengths: f64,
    /// Mean plies of both samples.
    pub plies: [f64; 2],
}

/// Plays a game out again and again and keeps what came of it.
pub struct Sampler<'g> {
    /// What came so far.
    pub sample: Sample,
    game: &'g dyn Game,
    style: Style,
    sampling: Sampling,
    scratch: Scratch,
    start: State,
    state: State,
    payoffs: Vec<f32>,
    rng: Rng,
}

impl<'g> Sampler<'g> {
    /// Nothing played yet.
    pub fn new(game: &'g dyn Game, style: Style, choice: Choice, rng: Rng) -> Self {
        let sampling = match choice {
            Choice::Uniform => Sampling::default(),
            Choice::Biased => Sampling::Gibbs(biased(game)),
        };
        Sampler {
            sample: Sample::default(),
            style,
            sampling,
            scratch: Scratch::default(),
            start: game.start(),
            state: game.start(),
            payoffs: vec![0.0; game.info().players],
            rng,
            game,
        }
    }

    /// One more playout.
    pub fn play(&mut self) {
        let Sampler { game, scratch, state, payoffs, .. } = self;
        state.copy_from(&self.start);
        scratch.record.clear();
        let plies = game.playout(state, &mut self.sampling, self.style, scratch, &mut self.rng);
        payoffs.fill(0.0);
        if game.turn(state) == Turn::Over {
            game.payoffs(state, payoffs);
        }
        let outcome = payoffs.iter().map(|payoff| payoff.to_bits()).collect();
        *self.sample.outcomes.entry(outcome).or_default() += 1;
        *self.sample.lengths.entry(plies).or_default() += 1;
        self.sample.count += 1;
    }
}

impl Sample {
    /// Plays out so many games.
    pub fn draw(game: &dyn Game, style: Style, choice: Choice, count: u64, rng: &mut Rng) -> Self {
        let mut sampler = Sampler::new(game, style, choice, rng.clone());
        (0..count).for_each(|_| sampler.play());
        *rng = sampler.rng;
        sampler.sample
    }

    /// All of it as lines of text: what was counted, and how often.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (outcome, count) in &self.outcomes {
            let payoffs: Vec<String> =
                outcome.iter().map(|bits| f32::from_bits(*bits).to_string()).collect();
            text += &format!("outcome {} {count}\n", payoffs.join("/"));
        }
        for (plies, count) in &self.lengths {
            text += &format!("plies {plies} {count}\n");
        }
        text
    }

    /// A sample from its text; nothing where the text is of something else.
    pub fn from_text(text: &str) -> Option<Sample> {
        let mut sample = Sample::default();
        let mut playouts = 0u64;
        for line in text.lines() {
            let mut words = line.split(' ');
            let (kind, value, count) = (words.next()?, words.next()?, words.next()?);
            let count: u64 = count.parse().ok()?;
            if kind == "plies" {
                *sample.lengths.entry(value.parse().ok()?).or_default() += count;
                sample.count = sample.count.checked_add(count)?;
                continue;
            }
            let payoff = |word: &str| Some(word.parse::<f32>().ok()?.to_bits());
            let outcome: Option<Vec<u32>> = value.split('/').map(payoff).collect();
            *sample.outcomes.entry(outcome.filter(|_| kind == "outcome")?).or_default() += count;
            playouts = playouts.checked_add(count)?;
        }
        (playouts == sample.count).then_some(sample)
    }

    /// Adds what another sample counted.
    pub fn add(&mut self, other: &Sample) {
        for (outcome, count) in &other.outcomes {
            *self.outcomes.entry(outcome.clone()).or_default() += count;
        }
        for (plies, count) in &other.lengths {
            *self.lengths.entry(*plies).or_default() += count;
        }
        self.count += other.count;
    }

    /// How many playouts it has.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn mean(&self) -> f64 {
        let sum: f64 = self.lengths.iter().map(|(&plies, &n)| f64::from(plies) * n as f64).sum();
        sum / self.count.max(1) as f64
    }

    /// Compares two samples.
    pub fn like(&self, other: &Sample) -> Likeness {
        Likeness {
            outcomes: self.homogeneity(other),
            lengths: self.kolmogorov_smirnov(other),
            plies: [self.mean(), other.mean()],
        }
    }

    fn homogeneity(&self, other: &Sample) -> f64 {
        let mut keys: Vec<&Vec<u32>> = self.outcomes.keys().chain(other.outcomes.keys()).collect();
        keys.sort();
        keys.dedup();
        let of = |sample: &Sample, key: &Vec<u32>| *sample.outcomes.get(key).unwrap_or(&0) as f64;
        let mut cells: Vec<[f64; 2]> = Vec::new();
        let mut rare = [0.0; 2];
        for key in keys {
            let cell = [of(self, key), of(other, key)];
            match cell[0] + cell[1] >= 20.0 {
                true => cells.push(cell),
                false => rare = [rare[0] + cell[0], rare[1] + cell[1]],
            }
        }
        if rare[0] + rare[1] > 0.0 {
            cells.push(rare);
        }
        let totals = [self.count as f64, other.count as f64];
        let all = totals[0] + totals[1];
        let mut statistic = 0.0;
        for cell in &cells {
            for (found, total) in cell.iter().zip(totals) {
                let expected = (cell[0] + cell[1]) * total / all;
                statistic += (found - expected).powi(2) / expected;
            }
        }
        match cells.len() {
            0 | 1 => 1.0,
            kinds => chi_squared_tail(statistic, (kinds - 1) as f64),
        }
    }

    fn kolmogorov_smirnov(&self, other: &Sample) -> f64 {
        let mut lengths: Vec<u32> =
            self.lengths.keys().chain(other.lengths.keys()).copied().collect();
        lengths.sort_unstable();
        lengths.dedup();
        let (mut below, mut distance) = ([0.0; 2], 0.0f64);
        for length in lengths {
            for (below, sample) in below.iter_mut().zip([self, other]) {
                *below += *sample.lengths.get(&length).unwrap_or(&0) as f64 / sample.count as f64;
            }
            distance = distance.max((below[0] - below[1]).abs());
        }
        let (n, m) = (self.count as f64, other.count as f64);
        let scaled = distance * (n * m / (n + m)).sqrt();
        // The series needs many terms where it says one anyway.
        if scaled < 0.2 {
            return 1.0;
        }
        let term = |k: i32| {
            let sign = if k % 2 == 1 { 2.0 } else { -2.0 };
            sign * (-2.0 * f64::from(k * k) * scaled * scaled).exp()
        };
        (1..=100).map(term).sum::<f64>().clamp(0.0, 1.0)
    }
}

/// Odds by codes, which are the same in every form of a game.
fn biased(game: &dyn Game) -> Gibbs {
    let mut odds = CodeTable::for_game(game, Coding::Plain, 1.0);
    for player in 0..game.info().players {
        let own = odds.of_mut(Player(player as u8));
        for (code, odds) in own.iter_mut().enumerate() {
            *odds = 1.0 + 0.5 * (mix(code as u64) % 5) as f32;
        }
    }
    Gibbs::new(Coding::Plain, odds)
}

/// The probability that a chi-squared variable of so many degrees of freedom is at least this large.
fn chi_squared_tail(statistic: f64, degrees: f64) -> f64 {
    let (a, x) = (degrees / 2.0, statistic / 2.0);
    if x <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        // The lower part as a series.
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for n in 1..1000 {
            term *= x / (a + f64::from(n));
            sum += term;
            if term < sum * 1e-15 {
                break;
            }
        }
        return (1.0 - front * sum).clamp(0.0, 1.0);
    }
    // The upper part as a continued fraction, by Lentz.
    let (mut b, mut c) = (x + 1.0 - a, 1e300);
    let mut d = 1.0 / b;
    let mut fraction = d;
    for n in 1..1000 {
        let an = -f64::from(n) * (f64::from(n) - a);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (front * fraction).clamp(0.0, 1.0)
}

/// The logarithm of the gamma function for positive numbers, by Stirling's series.
fn ln_gamma(x: f64) -> f64 {
    if x < 10.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    let inverse = 1.0 / (x * x);
    let series = (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse / 1260.0)) / x;
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{self, GameSpec};
    use ludex_game::Move;

    #[test]
    fn tails_are_those_of_the_tables() {
        for (statistic, degrees, tail) in
            [(3.841, 1.0, 0.05), (5.991, 2.0, 0.05), (18.307, 10.0, 0.05), (6.635, 1.0, 0.01)]
        {
            assert!((chi_squared_tail(statistic, degrees) - tail).abs() < 1e-4);
        }
    }

    #[test]
    fn different_samples_are_told_apart() {
        let sample = |wins: u64, plies: u32| Sample {
            outcomes: [(vec![1], wins), (vec![0], 1000 - wins)].into(),
            lengths: [(plies, 600), (plies + 3, 400)].into(),
            count: 1000,
        };
        let (a, b, c) = (sample(500, 10), sample(520, 10), sample(600, 11));
        assert!(a.like(&b).outcomes > 0.2 && a.like(&b).lengths == 1.0);
        assert!(a.like(&c).outcomes < 1e-4 && a.like(&c).lengths < 1e-6);
    }
    #[test]
    fn samples_are_kept_as_text() {
        let half = [0.5f32.to_bits(); 2].to_vec();
        let won = vec![1f32.to_bits(), 0f32.to_bits()];
        let mut sample = Sample {
            outcomes: [(half, 3), (won, 4)].into(),
            lengths: [(9, 5), (12, 2)].into(),
            count: 7,
        };
        let again = Sample::from_text(&sample.to_text()).expect("a sample");
        assert_eq!((again.count, again.to_text()), (7, sample.to_text()));
        sample.add(&again);
        assert_eq!(sample.count, 14);
        assert_eq!(
            sample.like(&again),
            Likeness { plies: [69.0 / 7.0; 2], ..sample.like(&sample) }
        );
        for broken in ["outcome 1/0 3\n", "plies many 3\n", "outcome 1/0\n", "plies 4 -1\n"] {
            assert!(Sample::from_text(broken).is_none(), "{broken}");
        }
    }

    /// The odds of every legal move, by its text.
    fn odds(
        game: &dyn Game,
        gibbs: &Gibbs,
        state: &State,
        player: Player,
    ) -> BTreeMap<String, f32> {
        let mut moves = Vec::new();
        game.moves(state, player, &mut moves);
        let odds = |mv: Move| {
            let code = game.code(state, player, mv, Coding::Plain);
            gibbs.odds.of(player)[code as usize]
        };
        moves.iter().map(|&mv| (game.move_text(state, Some(player), mv), odds(mv))).collect()
    }

    /// Otherwise the test by a fixed policy would compare two policies.
    #[test]
    fn both_forms_of_a_game_give_moves_the_same_odds() {
        for name in ["three-mens-morris", "nine-mens-morris", "royal-game-of-ur", "hex", "konane"] {
            let spec = GameSpec::named(name.to_string());
            let fast = catalog::load(&spec).expect("a built-in game");
            let slow = catalog::load(&GameSpec { standard: true, ..spec }).expect("a game");
            let mut rng = Rng::seeded(7);
            let bias = [&slow, &fast].map(|game| biased(&**game));
            let mut states = [slow.start(), fast.start()];
            for _ in 0..120 {
                let moves = match slow.turn(&states[0]) {
                    Turn::Over => break,
                    Turn::Chance => {
                        let fallen = slow.sample_chance(&states[0], &mut rng);
                        let text = slow.move_text(&states[0], None, fallen);
                        [Some(fallen), fast.parse_chance(&states[1], &text)]
                    }
                    Turn::Players(players) => {
                        let player = players.first().expect("a player");
                        let known = odds(&*slow, &bias[0], &states[0], player);
                        assert_eq!(known, odds(&*fast, &bias[1], &states[1], player), "{name}");
                        let nth = rng.below(known.len() as u32) as usize;
                        let text = known.keys().nth(nth).expect("a move");
                        [(&slow, 0), (&fast, 1)]
                            .map(|(game, at)| game.parse_move(&states[at], player, text).ok())
                    }
                };
                slow.apply(&mut states[0], &[moves[0].expect("a move")]);
                fast.apply(&mut states[1], &[moves[1].expect("the same move")]);
            }
        }
    }
}
