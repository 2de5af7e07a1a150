//! The position of a match that a game manager runs, and our part in it.

use std::sync::Arc;

use ludex_game::{Game, Move, Player, State, Turn};

use super::workshop::Compiled;

/// The role that is chance.
const CHANCE: &str = "random";

/// A match under way.
pub struct Contest {
    /// The game.
    pub game: Arc<dyn Game>,
    /// Us.
    pub player: Player,
    /// The position.
    pub state: State,
    roles: Arc<[String]>,
    /// The role of each player.
    seats: Vec<usize>,
}

/// A joint move, and the position it was made in.
pub struct Step {
    /// The position before it.
    pub before: State,
    /// The moves of whoever chose.
    pub joint: Vec<Move>,
}

impl Contest {
    /// The beginning of a match; `None` if the game lacks our role.
    pub fn begin(compiled: Compiled, role: &str) -> Option<Contest> {
        let Compiled { game, roles } = compiled;
        let seats: Vec<usize> = (0..roles.len()).filter(|&role| roles[role] != CHANCE).collect();
        let player = seats.iter().position(|&own| roles[own] == role)?;
        let (state, player) = (game.start(), Player(u8::try_from(player).ok()?));
        Some(Contest { game, roles, seats, player, state })
    }

    /// Whether we have a choice.
    pub fn is_our_turn(&self) -> bool {
        matches!(self.game.turn(&self.state), Turn::Players(players) if players.contains(self.player))
    }

    /// Whoever is worth thinking for here: us, or else the first who has a choice.
    pub fn worth_thinking_for(&self) -> Option<Player> {
        let Turn::Players(players) = self.game.turn(&self.state) else { return None };
        let first = players.into_iter().next();
        Some(self.player).filter(|_| self.is_our_turn()).or(first)
    }

    /// Whether there is anything to think about: a turn of ours with more than one legal move.
    pub fn has_choice(&self) -> bool {
        self.is_our_turn() && self.legal_moves().len() > 1
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut legal = Vec::new();
        self.game.moves(&self.state, self.player, &mut legal);
        legal
    }

    /// A legal move of ours, found without thinking.
    pub fn any_move(&self) -> String {
        match self.legal_moves().first() {
            Some(&first) => self.game.move_text(&self.state, Some(self.player), first),
            None => "noop".to_owned(),
        }
    }

    /// Makes everybody's moves, in role order, and says what that was in the game's own terms. Moves that
    /// make no sense leave the position as it is.
    pub fn advance(&mut self, moves: &[String]) -> Vec<Step> {
        let mut steps = Vec::new();
        if moves.len() != self.roles.len() {
            return steps;
        }
        // Where chance chooses in the same step, it follows the players.
        let outcome = self.outcome(moves);
        let joint = match self.game.turn(&self.state) {
            Turn::Over => return steps,
            Turn::Chance => outcome.map(|outcome| vec![outcome]),
            Turn::Players(players) => players
                .into_iter()
                .map(|player| {
                    let text = &moves[self.seats[player.index()]];
                    self.game.parse_move(&self.state, player, text).ok()
                })
                .collect(),
        };
        let Some(joint) = joint else { return steps };
        let chance_follows = self.game.turn(&self.state) != Turn::Chance && self.has_chance();
        if chance_follows && outcome.is_none() {
            return steps;
        }
        self.apply(joint, &mut steps);
        if let Some(outcome) = outcome.filter(|_| chance_follows) {
            self.apply(vec![outcome], &mut steps);
        }
        steps
    }

    fn apply(&mut self, joint: Vec<Move>, steps: &mut Vec<Step>) {
        let before = self.state.clone();
        self.game.apply(&mut self.state, &joint);
        steps.push(Step { before, joint });
    }

    /// What chance did.
    fn outcome(&self, moves: &[String]) -> Option<Move> {
        let role = self.roles.iter().position(|role| role == CHANCE)?;
        self.game.parse_chance(&self.state, &moves[role])
    }

    /// Whether chance has a choice in this step.
    fn has_chance(&self) -> bool {
        let mut outcomes = Vec::new();
        self.roles.iter().any(|role| role == CHANCE)
            && self.game.chance_outcomes(&self.state, &mut outcomes)
            && outcomes.len() > 1
    }
}

#[cfg(test)]
mod tests {
    use ludex_gdl::Bounds;
    use ludex_lang::kif::Strictness;

    use super::super::message::read_rules;
    use super::super::workshop::compiled;
    use super::*;

    /// A die and a bet at once, then one more throw.
    const DICE: &str =
        "(role you) (role random) (side 1) (side 2) (init (step 1)) (succ 1 2) (succ 2 3)
(<= (legal you (bet ?n)) (true (step 1)) (side ?n)) (<= (legal you noop) (true (step 2)))
(<= (legal random (throw ?n)) (side ?n))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (bet ?n)) (does you (bet ?n))) (<= (next (bet ?n)) (true (bet ?n)))
(<= (next (fell ?s ?n)) (does random (throw ?n)) (true (step ?s)))
(<= (next (fell ?s ?n)) (true (fell ?s ?n)))
(<= won (true (bet ?n)) (true (fell 2 ?n)))
(<= terminal (true (step 3))) (<= (goal you 100) won) (<= (goal you 0) (not won))";

    fn contest() -> Contest {
        let text = format!("(start m you ({DICE}) 1 1)");
        let rules = read_rules(&text, Strictness::Strict).expect("right rules");
        let compiled = compiled(&rules, None, &Bounds::default()).expect("they compile");
        Contest::begin(compiled, "you").expect("our role is there")
    }

    fn moves(texts: [&str; 2]) -> Vec<String> {
        texts.map(str::to_owned).to_vec()
    }

    #[test]
    fn chance_follows_the_players_and_never_runs_ahead() {
        let mut contest = contest();
        assert!(contest.is_our_turn());
        contest.advance(&moves(["(bet 1)", "(throw 2)"]));
        // The same throw is legal again, but it has not been made yet.
        assert_eq!(contest.game.turn(&contest.state), Turn::Chance);
        assert_eq!(contest.any_move(), "noop");
        contest.advance(&moves(["noop", "(throw 1)"]));
        let mut payoff = [0.0];
        assert_eq!(contest.game.turn(&contest.state), Turn::Over);
        contest.game.payoffs(&contest.state, &mut payoff);
        assert_eq!(payoff, [1.0]);
    }

    #[test]
    fn senseless_moves_change_nothing() {
        let mut contest = contest();
        let before = contest.game.hash(&contest.state);
        contest.advance(&moves(["(bet 9)", "(throw 2)"]));
        contest.advance(&moves(["(bet 1)", "sleep"]));
        contest.advance(&[]);
        assert_eq!(contest.game.hash(&contest.state), before);
        assert!(contest.is_our_turn());
    }
}
