//! Every policy against the papers' formulas, computed by hand.

mod common;

use common::nim;
use ludex_game::Player;
use ludex_game::playout::{CodeTable, Record, Recording, Sampling};
use ludex_play::policy::PlayoutPolicy;
use ludex_play::spec::PlayoutSpec;

fn policy(text: &str) -> Box<dyn PlayoutPolicy> {
    let spec: PlayoutSpec = text.parse().unwrap_or_else(|error| panic!("{error}"));
    spec.build(&*nim(2, 12))
}

/// A simulation: for each ply the player, the legal codes, and the chosen one.
fn record(plies: &[(u8, &[u32], u32)]) -> Record {
    let mut record = Record::default();
    for &(player, legal, chosen) in plies {
        record.begin_ply();
        let index = legal.iter().position(|&code| code == chosen).expect("the chosen one is legal");
        record.push(Player(player), legal, index, Recording::Legal);
    }
    record
}

fn odds(policy: &mut dyn PlayoutPolicy) -> &CodeTable {
    match policy.sampling() {
        Sampling::Gibbs(gibbs) => &gibbs.odds,
        other => panic!("expected Gibbs, found {other:?}"),
    }
}

#[track_caller]
fn assert_close(ours: &[f32], expected: &[f64]) {
    let close = ours.iter().zip(expected).all(|(&a, &b)| (f64::from(a) - b).abs() < 1e-5);
    assert!(close && ours.len() == expected.len(), "{ours:?} and {expected:?}");
}

const WON: [f32; 2] = [1.0, 0.0];
const LOST: [f32; 2] = [0.0, 1.0];
const TIED: [f32; 2] = [0.5, 0.5];

#[test]
fn one_adaptation_step_by_hand() {
    let mut ppa = policy("ppa(alpha=0.5)");
    // All weights are zero: of three legal moves each loses a third of α, of two a half.
    ppa.learn(&record(&[(0, &[1, 2, 3], 2), (1, &[1, 2], 1), (0, &[1, 2], 2)]), &WON);
    let (third, half) = (0.5 / 3.0, 0.25);
    let expected = [0.0, -third - half, 1.0 - third - half, -third];
    assert_close(ppa.weights().unwrap().of(Player(0)), &expected);
    assert_close(ppa.weights().unwrap().of(Player(1)), &[0.0; 4]);
    let exponentials: Vec<f64> = expected.iter().map(|w: &f64| w.exp()).collect();
    assert_close(odds(&mut *ppa).of(Player(0)), &exponentials);

    // The second step uses the weights from before the simulation at both of its plies.
    ppa.learn(&record(&[(0, &[1, 3], 1), (0, &[1, 2], 1)]), &WON);
    let e: Vec<f64> = expected.iter().map(|w| w.exp()).collect();
    let (z13, z12) = (e[1] + e[3], e[1] + e[2]);
    let after = [
        0.0,
        expected[1] + 2.0 * 0.5 - 0.5 * e[1] / z13 - 0.5 * e[1] / z12,
        expected[2] - 0.5 * e[2] / z12,
        expected[3] - 0.5 * e[3] / z13,
    ];
    assert_close(ppa.weights().unwrap().of(Player(0)), &after);
}

#[test]
fn k_counts_in_playouts_and_not_in_adapting() {
    let (mut plain, mut doubled) = (policy("ppa(alpha=1)"), policy("ppa(alpha=1, k=2)"));
    for chosen in [1, 2, 1, 3, 1] {
        let record = record(&[(0, &[1, 2, 3], chosen)]);
        plain.learn(&record, &WON);
        doubled.learn(&record, &WON);
    }
    let weights: Vec<f32> = plain.weights().unwrap().values().to_vec();
    assert_eq!(weights, doubled.weights().unwrap().values());
    let squared: Vec<f64> = weights.iter().map(|&w| f64::from(2.0 * w).exp()).collect();
    assert_close(odds(&mut *doubled).values(), &squared);
}

#[test]
fn only_the_single_winner_learns() {
    let mut ppa = policy("ppa");
    let game = record(&[(0, &[1, 2], 1), (1, &[2, 3], 3)]);
    ppa.learn(&game, &TIED);
    assert_close(ppa.weights().unwrap().of(Player(0)), &[0.0; 4]);
    assert_close(ppa.weights().unwrap().of(Player(1)), &[0.0; 4]);
    ppa.learn(&game, &LOST);
    assert_close(ppa.weights().unwrap().of(Player(0)), &[0.0; 4]);
    assert_close(ppa.weights().unwrap().of(Player(1)), &[0.0, 0.0, -0.16, 0.16]);
}

#[test]
fn by_payoffs_everybody_learns_his_part() {
    let mut ppa = policy("ppa(alpha=0.4, payoff)");
    ppa.learn(&record(&[(0, &[1, 2], 1), (1, &[2, 3], 3)]), &[0.25, 0.75]);
    assert_close(ppa.weights().unwrap().of(Player(0)), &[0.0, 0.05, -0.05, 0.0]);
    assert_close(ppa.weights().unwrap().of(Player(1)), &[0.0, 0.0, -0.15, 0.15]);
    ppa.learn(&record(&[(0, &[1, 2], 1)]), &[0.0, 0.0]);
    assert_close(ppa.weights().unwrap().of(Player(0)), &[0.0, 0.05, -0.05, 0.0]);
}

#[test]
fn moves_that_share_a_code_are_each_counted() {
    let mut ppa = policy("ppa(alpha=0.3)");
    ppa.learn(&record(&[(0, &[1, 1, 2], 1)]), &WON);
    assert_close(ppa.weights().unwrap().of(Player(0)), &[0.0, 0.1, -0.1, 0.0]);
}

#[test]
fn memory_between_turns_is_as_asked_for() {
    let game = record(&[(0, &[1, 2], 1)]);
    for (text, kept) in [("ppaf", false), ("ppafm", true)] {
        let mut ppa = policy(text);
        ppa.learn(&game, &WON);
        ppa.between_turns();
        let learned = ppa.weights().unwrap().of(Player(0))[1] > 0.0;
        assert_eq!(learned, kept, "{text}");
        assert_eq!(odds(&mut *ppa).of(Player(0))[1] > 1.0, kept, "{text}");
    }
}

#[test]
fn weights_that_were_learned_elsewhere_fit_or_are_refused() {
    let mut learned = policy("ppa");
    learned.learn(&record(&[(0, &[1, 2], 1)]), &WON);
    let weights = learned.weights().unwrap().values().to_vec();
    let mut fresh = policy("ppa + lgr");
    assert!(fresh.set_weights(&weights));
    assert_eq!(fresh.weights().unwrap().values(), weights);
    assert!(!fresh.set_weights(&weights[1..]));
    assert!(!policy("uniform").set_weights(&weights));
}

fn scores(policy: &mut dyn PlayoutPolicy) -> &CodeTable {
    match policy.sampling() {
        Sampling::Greedy(greedy) => &greedy.scores,
        Sampling::Ngram(ngram) => &ngram.singles,
        other => panic!("expected scores, found {other:?}"),
    }
}

#[test]
fn mast_averages_payoffs_and_fades_them() {
    let mut mast = policy("mast(keep=0.5)");
    let game = record(&[(0, &[1, 2], 1), (1, &[1, 2], 2), (0, &[1, 2], 1)]);
    mast.learn(&game, &WON);
    mast.learn(&game, &LOST);
    assert_close(scores(&mut *mast).of(Player(0)), &[1.0, 0.5, 1.0, 1.0]);
    assert_close(scores(&mut *mast).of(Player(1)), &[1.0, 1.0, 0.5, 1.0]);
    mast.between_turns();
    // Four visits count as two now: (1 + 1) / (2 + 1) for the first player's 1.
    mast.learn(&record(&[(0, &[1], 1)]), &WON);
    assert_close(scores(&mut *mast).of(Player(0)), &[1.0, 2.0 / 3.0, 1.0, 1.0]);
    let mut forgetful = policy("mast(keep=0, fpu=0.9)");
    forgetful.learn(&game, &LOST);
    forgetful.between_turns();
    assert_close(scores(&mut *forgetful).of(Player(0)), &[0.9; 4]);
}

#[test]
fn mast_by_gibbs_draws_by_means_over_the_temperature() {
    let mut mast = policy("mast(gibbs, tau=0.5)");
    let game = record(&[(0, &[1, 2], 1), (0, &[1, 2], 2)]);
    mast.learn(&game, &TIED);
    let (e, seen) = (2.0f64.exp(), 1.0f64.exp());
    assert_close(odds(&mut *mast).of(Player(0)), &[e, seen, seen, e]);
}

#[test]
fn nst_averages_sequences() {
    let mut nst = policy("nst(v=2)");
    let game = record(&[(0, &[1], 1), (1, &[2], 2), (0, &[3], 3)]);
    nst.learn(&game, &WON);
    nst.learn(&game, &LOST);
    let Sampling::Ngram(kernel) = nst.sampling() else { panic!("sequences") };
    // 1→2 and 2→3, and 1→2→3.
    assert_eq!(kernel.grams.len(), 3);
    let contexts = ludex_game::playout::Contexts::of(&game.steps()[..2], 2, Player(0), 2, 3);
    let [pair, triple] = contexts.hashes() else { panic!("two contexts") };
    assert_eq!(kernel.grams.get(*pair, 3), (0.5, 2.0));
    assert_eq!(kernel.grams.get(*triple, 3), (0.5, 2.0));
    nst.between_turns();
    let Sampling::Ngram(kernel) = nst.sampling() else { panic!("sequences") };
    let (mean, visits) = kernel.grams.get(*pair, 3);
    assert!(mean == 0.5 && (visits - 0.4).abs() < 1e-6);
}

#[test]
fn nppa_adapts_sequences_by_equation_six() {
    let mut nppa = policy("nppa(alpha=1)");
    // 2→3 occurs twice in one simulation: both times with the weights from before it.
    let plies: [(u8, &[u32], u32); 4] =
        [(1, &[2], 2), (0, &[1, 3], 3), (1, &[2], 2), (0, &[1, 3], 3)];
    let game = record(&plies);
    nppa.learn(&game, &WON);
    let contexts = ludex_game::playout::Contexts::of(&game.steps()[..1], 1, Player(0), 2, 3);
    let pair = contexts.hashes()[0];
    let Sampling::Ngram(kernel) = nppa.sampling() else { panic!("sequences") };
    assert_eq!(kernel.grams.get(pair, 3), (1.0, 2.0));
    assert_eq!(kernel.grams.get(pair, 1), (-1.0, 2.0));
    assert_close(kernel.singles.of(Player(0)), &[0.0, -1.0, 0.0, 1.0]);
    // The next simulation compares sequences with sequences.
    nppa.learn(&record(&plies[..2]), &WON);
    let Sampling::Ngram(kernel) = nppa.sampling() else { panic!("sequences") };
    let p = (-1.0f64).exp() / ((-1.0f64).exp() + 1.0f64.exp());
    let (three, _) = kernel.grams.get(pair, 3);
    let (one, _) = kernel.grams.get(pair, 1);
    assert_close(&[one, three], &[-1.0 - p, 1.0 + p]);
    // Losing simulations teach nothing, unless everybody learns by his payoff.
    nppa.learn(&game, &LOST);
    let Sampling::Ngram(kernel) = nppa.sampling() else { panic!("sequences") };
    assert_eq!(kernel.grams.get(pair, 1).0, one);
}

#[test]
fn replies_are_learned_from_wins_and_forgotten_after_losses() {
    let mut lgr = policy("lgr");
    assert_eq!(lgr.recording(), Recording::Chosen);
    let game = record(&[(0, &[1, 2, 3], 1), (1, &[1, 2, 3], 3)]);
    let reply = |policy: &mut dyn PlayoutPolicy| {
        let Sampling::Composed(kernel) = policy.sampling() else { panic!("composed") };
        kernel.replies.as_mut().unwrap().get(Player(1), &game.steps()[0])
    };
    lgr.learn(&game, &LOST);
    assert_eq!(reply(&mut *lgr), Some(3));
    lgr.learn(&game, &TIED);
    assert_eq!(reply(&mut *lgr), Some(3));
    lgr.learn(&game, &WON);
    assert_eq!(reply(&mut *lgr), None);
    let mut stubborn = policy("lgr(remember)");
    stubborn.learn(&game, &LOST);
    stubborn.learn(&game, &WON);
    assert_eq!(reply(&mut *stubborn), Some(3));
}
