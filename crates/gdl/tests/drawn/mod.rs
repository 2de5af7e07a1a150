//! What must hold for any text that is given as GDL.

use ludex_game::{Rng, Turn};
use ludex_gdl::{Bounds, Engine, compile};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::kif;

/// The reader answers with rules or with reasons.
pub fn is_read(text: &str) {
    if let Err(findings) = kif::read(SourceId(0), text) {
        assert!(!findings.is_empty(), "refused without a reason");
        for found in findings {
            assert!(!found.to_text(|_| text, |_| "drawn").is_empty());
        }
    }
}

/// Both engines answer, and what they compile plays for some steps.
pub fn is_answered(text: &str, rng: &mut Rng) {
    let bounds = Bounds { work: 300_000, terms: 30_000, literals: 200_000, ..Bounds::default() };
    let Ok(checked) = kif::read(SourceId(0), text) else { return };
    for engine in [Engine::Network, Engine::Datalog] {
        let Ok(game) = compile("drawn", &checked.description, Some(engine), &bounds) else {
            continue;
        };
        // A few plies: broken games may well never end.
        let game = game.into_game();
        let mut state = game.start();
        let mut joint = Vec::new();
        for _ in 0..5 {
            let Turn::Players(players) = game.turn(&state) else { break };
            joint.clear();
            for player in players {
                let mut moves = Vec::new();
                game.moves(&state, player, &mut moves);
                joint.push(moves[rng.below(moves.len() as u32) as usize]);
            }
            game.apply(&mut state, &joint);
        }
    }
}
