//! A position handed to another game than its own is an error value: no panic, and nothing is changed.

use std::sync::Arc;

use ludex_game::playout::{Sampling, Scratch, Style};
use ludex_game::{Coding, Detail, Ends, Families, Game, GameError, Move, Player, Rng, Turn, View};
use ludex_games::{Options, builtin};

fn game(name: &str, size: &str) -> Arc<dyn Game> {
    let size = Some(size.parse().expect("a size"));
    builtin(name, &Options { size, ..Default::default() }).expect("a game of ours")
}

#[test]
fn positions_of_other_games_are_refused() {
    let own = game("breakthrough", "6x6");
    // Another type of state, the same type of another size, and the same rules built a second time.
    let others =
        [game("domineering", "8x8"), game("breakthrough", "5x5"), game("breakthrough", "6x6")];
    for other in others {
        let mut state = other.start();
        let before = other.hash(&state);
        assert!(matches!(own.check(&state), Err(GameError::Foreign { .. })));
        assert_eq!(other.check(&state), Ok(()));
        assert_eq!(own.turn(&state), Turn::Over);
        let mut moves = Vec::new();
        own.moves(&state, Player::FIRST, &mut moves);
        assert!(moves.is_empty());
        let parsed = own.parse_move(&state, Player::FIRST, "a2-a3");
        let said = "this position belongs to another game than breakthrough";
        assert_eq!(parsed.unwrap_err().to_string(), said);
        assert_eq!(own.show(&state, None), said);
        assert_eq!(own.move_text(&state, Some(Player::FIRST), Move(3)), said);
        assert_eq!(own.ends(&state, Some(Player::FIRST), Move(3)), Ends::default());
        let mut view = View::new();
        own.view(&state, None, Detail::Pieces, &mut view);
        let mut families = Families::default();
        own.families(&state, Player::FIRST, Coding::Plain, &mut families);
        assert!(families.is_empty());
        let mut rng = Rng::seeded(1);
        own.random_move(&state, Player::FIRST, &mut rng, &mut families);
        let mut payoffs = [0.0; 2];
        own.payoffs(&state, &mut payoffs);
        assert_eq!(payoffs, [0.5; 2]);
        own.apply(&mut state, &[Move(3)]);
        let (mut uniform, mut scratch) = (Sampling::default(), Scratch::default());
        let style = Style::Optimised;
        assert_eq!(own.playout(&mut state, &mut uniform, style, &mut scratch, &mut rng), 0);
        assert_eq!(other.hash(&state), before);

        // A state may become one of another game, and then belongs there.
        let mut copy = own.start();
        copy.copy_from(&state);
        assert_eq!((other.check(&copy), other.hash(&copy)), (Ok(()), before));
    }
}
