//! Going on with a game that was made while the match went on: every move so far is made in it first, on a thread of its
//! own, for that may take longer than a clock and a move is asked for meanwhile.

use std::sync::Arc;

use ludex_gdl::Cancel;

use super::contest::Contest;
use super::player::Settings;
use super::thinker::{Job, Thinker};
use super::workshop::Compiled;
use crate::server::give_way;

/// The same match in another game.
pub struct CaughtUp {
    /// The position.
    pub contest: Contest,
    /// Whoever thinks about it, if somebody can.
    pub thinker: Option<Thinker>,
    /// So many of the moves were made.
    pub known: usize,
}

impl CaughtUp {
    /// Makes moves that were not known yet.
    pub fn advance(&mut self, history: &[Vec<String>]) {
        for moves in &history[self.known..] {
            let steps = self.contest.advance(moves);
            self.known += 1;
            if let Some(thinker) = &self.thinker {
                thinker.give(Job::Played(steps));
            }
        }
    }
}

/// Makes everybody's moves since the beginning in a game and tells when that is done; nothing where our role is not in it.
pub fn catch_up(
    game: Compiled,
    role: String,
    settings: Arc<Settings>,
    history: Vec<Vec<String>>,
    cancel: Cancel,
    told: impl FnOnce(Option<CaughtUp>) + Send + 'static,
) {
    let work = move || {
        give_way();
        let mut up = Contest::begin(game, &role).map(|contest| CaughtUp {
            thinker: Thinker::start(&settings, &contest).ok(),
            contest,
            known: 0,
        });
        if let Some(up) = &mut up {
            while up.known < history.len() && !cancel.is_raised() {
                up.advance(&history[..=up.known]);
            }
        }
        told(up);
    };
    // Where there is no thread left, the match goes on as it is.
    let _ = std::thread::Builder::new().name("catching up".to_owned()).spawn(work);
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use ludex_gdl::Bounds;
    use ludex_lang::kif::Strictness;

    use super::super::message::read_rules;
    use super::super::workshop::{compiled, stand_in};
    use super::*;

    /// Two count by turns, up to five.
    const COUNT: &str =
        "(role a) (role b) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (init (at 0))
(init (control a)) (other a b) (other b a)
(<= (legal ?r (say ?m)) (true (control ?r)) (true (at ?n)) (succ ?n ?m))
(<= (legal ?r noop) (other ?r ?q) (true (control ?q)))
(<= (next (at ?m)) (does ?r (say ?m))) (<= (next (control ?q)) (true (control ?r)) (other ?r ?q))
(<= terminal (true (at 5))) (<= (goal ?r 100) (role ?r))";

    #[test]
    fn moves_that_come_meanwhile_are_made_too() {
        let text = format!("(start m b ({COUNT}) 1 1)");
        let rules = read_rules(&text, Strictness::Strict).expect("right rules");
        let mut played =
            Contest::begin(stand_in(&rules, &Cancel::default()).expect("at once"), "b")
                .expect("our role is there");
        let history: Vec<Vec<String>> =
            [["(say 1)", "noop"], ["noop", "(say 2)"], ["(say 3)", "noop"]]
                .map(|moves| moves.map(str::to_owned).to_vec())
                .into();
        history.iter().for_each(|moves| drop(played.advance(moves)));
        let game = compiled(&rules, None, &Bounds::default()).expect("they compile");
        let (sender, received) = mpsc::channel();
        let told = move |up| drop(sender.send(up));
        catch_up(
            game,
            "b".to_owned(),
            Arc::default(),
            history[..2].to_vec(),
            Cancel::default(),
            told,
        );
        let mut up = received.recv().expect("it is told").expect("our role is there");
        assert_eq!(up.known, 2);
        up.advance(&history);
        assert_eq!(up.contest.any_move(), played.any_move());
        assert_eq!(up.contest.any_move(), "(say 4)");
    }
}
