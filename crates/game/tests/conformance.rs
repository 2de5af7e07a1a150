//! The test of games tested: a correct game passes, and each way of being wrong is found by its law.

use ludex_game::conformance::{Fault, check};
use ludex_game::{Coding, Families, GameInfo, Move, Place, Player, Rng, Rules, Turn, erase, mix};

/// What is wrong with a game of sticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flaw {
    Nothing,
    BiasedMoves,
    StrangeFamily,
    BiasedPlayouts,
    EndlessPlayouts,
    RepeatedMove,
    SharedText,
    ForgetfulHash,
    HighPayoff,
    HighCode,
    StrangeAttribute,
    LeakyDeterminize,
}

use Flaw::*;

/// One to three sticks are taken from a heap; whoever takes the last one wins.
struct Sticks(GameInfo, Flaw, Vec<String>);

impl Sticks {
    fn has(&self, flaw: Flaw) -> bool {
        self.1 == flaw
    }
}

impl Rules for Sticks {
    type State = (u8, Player);

    fn info(&self) -> &GameInfo {
        &self.0
    }

    fn start(&self) -> Self::State {
        (20, Player::FIRST)
    }

    fn turn(&self, &(sticks, mover): &Self::State) -> Turn {
        if sticks == 0 { Turn::Over } else { Turn::of(mover) }
    }

    fn moves(&self, &(sticks, _): &Self::State, _: Player, out: &mut Vec<Move>) {
        out.extend((1..=sticks.min(3)).map(|taken| Move(taken.into())));
        if self.has(RepeatedMove) && sticks == 5 {
            out.push(Move(1));
        }
    }

    fn apply(&self, (sticks, mover): &mut Self::State, joint: &[Move]) {
        *sticks -= joint[0].0 as u8;
        *mover = mover.opponent();
    }

    fn payoffs(&self, &(_, mover): &Self::State, out: &mut [f32]) {
        out[mover.index()] = 0.0;
        out[mover.opponent().index()] = if self.has(HighPayoff) { 100.0 } else { 1.0 };
    }

    fn hash(&self, state: &Self::State) -> u64 {
        if self.has(ForgetfulHash) {
            return std::ptr::from_ref(state) as u64;
        }
        mix(u64::from(state.0) << 8 | u64::from(state.1.0))
    }

    fn move_text(&self, _: &Self::State, _: Option<Player>, mv: Move) -> String {
        if self.has(SharedText) { "take some".into() } else { format!("take {}", mv.0) }
    }

    fn show(&self, &(sticks, _): &Self::State, _: Option<Player>) -> String {
        "|".repeat(sticks.into())
    }

    fn code_count(&self, _: Player, _: Coding) -> u32 {
        if self.has(HighCode) { 3 } else { 4 }
    }

    fn code(&self, _: &Self::State, _: Player, mv: Move, _: Coding) -> u32 {
        mv.0 as u32
    }

    fn families(&self, state: &Self::State, player: Player, coding: Coding, out: &mut Families) {
        ludex_game::playout::list_families(self, state, player, coding, out);
        if self.has(BiasedMoves) {
            out.push_one(1, 0);
        }
        if self.has(StrangeFamily) && state.0 == 7 {
            out.remove(Place { word: 1, bit: 2 });
        }
    }

    fn playout_uniform(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        buffer: &mut Vec<Move>,
    ) -> u32 {
        let mut plies = 0;
        while state.0 > 0 && plies < limit {
            let least = if self.has(BiasedPlayouts) { state.0.min(2) } else { 1 };
            buffer.clear();
            self.moves(state, state.1, buffer);
            buffer.retain(|mv| mv.0 >= least.into());
            let mv = buffer[rng.below(buffer.len() as u32) as usize];
            self.apply(state, &[mv]);
            plies += 1;
            if self.has(EndlessPlayouts) && state.0 < 5 {
                break;
            }
        }
        plies
    }

    fn attributes(&self) -> &[String] {
        &self.2
    }

    fn attribute_values(&self, state: &Self::State, _: Player, out: &mut [f32]) {
        let scale = if self.has(StrangeAttribute) { 0.0 } else { 20.0 };
        out[0] = (20.0 - f32::from(state.0)) / scale;
    }

    fn determinize(&self, state: &Self::State, _: Player, rng: &mut Rng) -> Self::State {
        if self.has(LeakyDeterminize) { (1 + rng.below(20) as u8, state.1) } else { *state }
    }
}

fn verdict(flaw: Flaw) -> Result<(), Fault> {
    let info = GameInfo { max_plies: 40, ..GameInfo::named("sticks", 2) };
    check(&*erase(Sticks(info, flaw, vec!["taken".to_string()])), 1)
}

#[test]
fn a_correct_game_passes() {
    for seed in 0..5 {
        let info = GameInfo { max_plies: 40, ..GameInfo::named("sticks", 2) };
        check(&*erase(Sticks(info, Nothing, vec!["taken".to_string()])), seed).unwrap();
    }
}

#[test]
fn every_flaw_is_found() {
    for (flaw, law) in [
        (BiasedMoves, "families are the legal moves"),
        (StrangeFamily, "families are the legal moves"),
        (BiasedPlayouts, "all uniform playouts have the same results"),
        (EndlessPlayouts, "a playout ends the game or reaches its limit"),
        (RepeatedMove, "a mover has moves, each listed once"),
        (SharedText, "a move's text is one line and names that move alone"),
        (ForgetfulHash, "a position looks the same each time, and so does its copy"),
        (HighPayoff, "payoffs lie in [0, 1]"),
        (HighCode, "codes are below their count"),
        (StrangeAttribute, "attributes are numbers"),
        (LeakyDeterminize, "a determinized position is what the player knows"),
    ] {
        let fault = verdict(flaw).expect_err(&format!("{flaw:?}"));
        assert_eq!(fault.law, law, "{flaw:?}: {fault}");
    }
}

#[test]
fn a_fault_says_how_to_get_there() {
    let fault = verdict(RepeatedMove).unwrap_err();
    assert!(fault.to_string().contains("(after P1 take "), "{fault}");
}
