//! What learning costs: time per ply of each policy, learning included, over that of a uniform playout
//! that lists every move. `cargo bench -p ludex-arena --bench overhead [-- FILTER]`.
//!
//! Fails where a policy costs more than it may: PPA twice, MAST one and a half times a listing playout.

use std::time::{Duration, Instant};

use ludex_game::playout::{Scratch, Style};
use ludex_game::{Game, Rng};
use ludex_games::{Options, builtin};
use ludex_play::policy::PlayoutPolicy;
use ludex_play::spec::PlayoutSpec;

const GAMES: [&str; 8] = [
    "atarigo",
    "breakthrough",
    "domineering",
    "knightthrough",
    "misere-breakthrough",
    "misere-domineering",
    "misere-knightthrough",
    "nogo",
];

/// Policies, and the most each may cost.
const POLICIES: [(&str, f64); 6] = [
    ("ppa(alpha=0.32)", 2.0),
    ("mast", 1.5),
    ("ppaf(alpha=0.32)", f64::INFINITY),
    ("mast(gibbs)", f64::INFINITY),
    ("nst", f64::INFINITY),
    ("nppa", f64::INFINITY),
];

/// Each measurement is the least of this many, so that a busy machine disturbs it less.
const ROUNDS: usize = 7;
const ROUND: Duration = Duration::from_millis(60);

fn main() {
    let filter: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wanted = |game: &&str| filter.is_empty() || filter.iter().any(|part| game.contains(part));
    let names = POLICIES.map(|(name, _)| format!("{name:>16}"));
    println!("{:<22}{:>12}{}", "game", "listing", names.concat());
    let mut too_dear = 0;
    for name in GAMES.into_iter().filter(wanted) {
        let game = builtin(name, &Options::default()).expect("a built-in game");
        // One after the other in each round, so that all meet the same disturbances.
        let mut contenders = vec![Contender::new(&*game, "uniform", Style::Standard)];
        contenders
            .extend(POLICIES.map(|(policy, _)| Contender::new(&*game, policy, Style::Optimised)));
        for _ in 0..ROUNDS {
            contenders.iter_mut().for_each(|contender| contender.measure(&*game));
        }
        let listing = contenders[0].best;
        print!("{name:<22}{listing:>9.1} ns");
        for (contender, (_, most)) in contenders[1..].iter().zip(POLICIES) {
            let ratio = contender.best / listing;
            let mark = if ratio > most { '!' } else { ' ' };
            too_dear += u32::from(ratio > most);
            print!("{ratio:>14.2}×{mark}");
        }
        println!();
    }
    assert!(too_dear == 0, "{too_dear} policies cost more than they may");
}

struct Contender {
    policy: Box<dyn PlayoutPolicy>,
    style: Style,
    scratch: Scratch,
    rng: Rng,
    /// The least nanoseconds per ply so far.
    best: f64,
}

impl Contender {
    fn new(game: &dyn Game, policy: &str, style: Style) -> Self {
        let spec: PlayoutSpec = policy.parse().unwrap_or_else(|error| panic!("{error}"));
        let policy = spec.build(game);
        let mut scratch = Scratch::default();
        scratch.recording = policy.recording();
        Contender { policy, style, scratch, rng: Rng::seeded(1), best: f64::INFINITY }
    }

    /// Runs simulations from the start for one round; begins as a search would, having learned nothing.
    fn measure(&mut self, game: &dyn Game) {
        let start = game.start();
        let mut state = game.start();
        let mut payoffs = vec![0.0; game.info().players];
        self.policy.between_turns();
        let (begun, mut plies) = (Instant::now(), 0u64);
        while begun.elapsed() < ROUND {
            for _ in 0..20 {
                state.copy_from(&start);
                self.scratch.record.clear();
                let sampling = self.policy.sampling();
                let scratch = &mut self.scratch;
                plies += u64::from(game.playout(
                    &mut state,
                    sampling,
                    self.style,
                    scratch,
                    &mut self.rng,
                ));
                game.payoffs(&state, &mut payoffs);
                self.policy.learn(&self.scratch.record, &payoffs);
            }
        }
        self.best = self.best.min(begun.elapsed().as_nanos() as f64 / plies as f64);
    }
}
