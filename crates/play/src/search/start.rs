//! Weights of moves that learning playouts start from: what features think of every code in the position at the root.

use ludex_game::features::Judge;
use ludex_game::playout::CodeTable;
use ludex_game::{Coding, Detail, Game, Player, State};

use crate::policy::PlayoutPolicy;

/// Somebody's opinion of moves as first weights.
pub(super) struct Start {
    judge: Judge,
    table: CodeTable,
    keys: Vec<[u32; 3]>,
    weights: Vec<f32>,
}

impl Start {
    pub(super) fn new(judge: Judge, game: &dyn Game) -> Self {
        let table = CodeTable::for_game(game, Coding::Plain, 0.0);
        Start { judge, table, keys: Vec::new(), weights: Vec::new() }
    }

    /// Gives policies that have learned nothing, or forgot it, weights to begin from.
    pub(super) fn give<'p>(
        &mut self,
        game: &dyn Game,
        root: &State,
        policies: impl Iterator<Item = &'p mut Box<dyn PlayoutPolicy>>,
    ) {
        self.weigh(game, root);
        for policy in policies {
            let blank = policy.weights().is_some_and(|w| w.values().iter().all(|&w| w == 0.0));
            if blank && policy.coding() == Coding::Plain {
                policy.set_weights(self.table.values());
            }
        }
    }

    fn weigh(&mut self, game: &dyn Game, root: &State) {
        game.view(root, None, Detail::Sets, &mut self.judge.view);
        self.judge.look();
        for player in (0..game.info().players as u8).map(Player) {
            self.judge.weigh(player, game.last_move(root));
            let (judge, own) = (&self.judge, self.table.of_mut(player));
            let keys = |code: u32| judge.codes().keys(player, code);
            let known = (0..own.len() as u32).filter(|&code| keys(code).is_some());
            self.keys.clear();
            self.keys.extend(known.clone().filter_map(keys));
            self.weights.clear();
            judge.add_weights(player, self.keys.iter().copied(), &mut self.weights);
            for (code, &weight) in known.zip(&self.weights) {
                own[code as usize] = weight;
            }
        }
    }
}
