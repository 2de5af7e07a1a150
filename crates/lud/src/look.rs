//! Looking ahead: doing something to the position and taking it back.

use super::ctx::{Binds, Chance, Ctx};
use super::moves::{Log, Mv};
use super::state::{History, State};

/// So many steps is a position worth that is copied.
const COPIED: u64 = 25;

/// All that looking ahead may change.
struct Kept {
    state: State,
    binds: Binds,
    chance: Chance,
    flags: (bool, bool, bool, u32),
}

/// Positions kept for use again, so that looking ahead needs no new memory.
#[derive(Debug, Default)]
pub struct Spare(Vec<State>);

impl Ctx<'_> {
    /// Does something and takes all of it back.
    pub fn look<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let kept = self.keep();
        self.chance.ahead += 1;
        let seen = act(self);
        self.take_back(kept);
        seen
    }

    /// Makes changes and asks something, which leaves the rest as it is; takes all of it back.
    pub(super) fn look_after<T>(&mut self, moves: &[Mv], ask: impl FnOnce(&mut Self) -> T) -> T {
        if !moves.iter().all(Mv::is_local) {
            return self.look(|c| {
                moves.iter().for_each(|m| c.apply_effects(m, &mut Log::silent()));
                ask(c)
            });
        }
        let mut before = self.spare.0.pop().unwrap_or_default();
        before.copy_pieces(&self.s);
        let answer = self.asked(|c| {
            c.chance.ahead += 1;
            moves.iter().for_each(|m| c.apply_effects(m, &mut Log::silent()));
            ask(c)
        });
        self.s.swap_pieces(&mut before);
        self.spare.0.push(before);
        answer
    }

    /// Asks something that leaves the pieces as they are, and takes back what asking changed.
    pub fn asked<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let binds = self.v.clone();
        let chance = self.chance.clone();
        let turn = (self.s.prev, self.s.mover, self.s.next, self.s.stalemated);
        let visited = self.g.visited.then(|| self.s.visited.clone());
        let flags = (self.in_threat, self.in_no_moves, self.recursive, self.depth);
        let answer = ask(self);
        self.v = binds;
        self.return_chance(chance);
        (self.s.prev, self.s.mover, self.s.next, self.s.stalemated) = turn;
        if let Some(visited) = visited {
            self.s.visited = visited;
        }
        (self.in_threat, self.in_no_moves, self.recursive, self.depth) = flags;
        answer
    }

    /// Chance as it was, but for dice thrown in thought, which are the dice that will be thrown, and for numbers drawn
    /// aside.
    fn return_chance(&mut self, mut before: Chance) {
        before.aside = self.chance.aside.take();
        if self.chance.live {
            before.dice = std::mem::take(&mut self.chance.dice);
        }
        self.chance = before;
    }

    fn keep(&mut self) -> Kept {
        self.work += COPIED;
        let mut state = self.spare.0.pop().unwrap_or_default();
        state.clone_from(&self.s);
        Kept {
            state,
            binds: self.v.clone(),
            chance: self.chance.clone(),
            flags: (self.in_threat, self.in_no_moves, self.recursive, self.depth),
        }
    }

    fn take_back(&mut self, mut kept: Kept) {
        std::mem::swap(&mut self.s, &mut kept.state);
        // Whoever keeps the past makes the next position copy it.
        kept.state.previous = History::default();
        self.spare.0.push(kept.state);
        self.v = kept.binds;
        self.return_chance(kept.chance);
        (self.in_threat, self.in_no_moves, self.recursive, self.depth) = kept.flags;
    }
}

#[cfg(test)]
mod tests {
    use crate::compile;
    use crate::ctx::{Ctx, Source};
    use ludex_lang::diagnostic::SourceId;
    use ludex_lang::lud::{Library, read};

    /// A number is drawn by what follows a move, and another one by what comes next in that.
    const GAME: &str = r#"(game "Luck" (players 2)
        (equipment { (board (square 3)) (piece "Disc" Each) })
        (rules
            (play (move Add (to (sites Empty))
                (then (and
                    (set Score P1 (value Random (range 0 999)))
                    (do (set Var "Here" (last To)) next:(set Score P2 (value Random (range 0 999))))
                ))
            ))
            (end (if (is Full) (byScore)))
        ))"#;

    #[test]
    fn what_is_drawn_while_looking_ahead_is_drawn_aside() {
        let description = read(GAME, SourceId(0), &Library::default(), &[]).unwrap();
        let game = compile(&description).unwrap();
        let played = |aside: Option<Vec<i32>>| {
            let mut ctx = Ctx::new(&game, game.empty_state());
            ctx.start();
            ctx.chance.source = Source::Generator(5);
            aside.into_iter().for_each(|list| ctx.chance.set_aside(list));
            let moves = ctx.legal_moves();
            ctx.play(&moves[0]);
            let Source::Generator(state) = ctx.chance.source else { panic!("no generator") };
            let asked = ctx.chance.asked_aside().to_vec();
            (ctx.s.scores[1], ctx.s.scores[2], asked, state)
        };
        let (first, second, asked, twice) = played(None);
        assert!(first != second && asked.is_empty());
        let (again, given, asked, once) = played(Some(vec![123]));
        assert_eq!((again, given, asked), (first, 123, vec![1000]));
        assert_ne!(once, twice, "what is drawn aside leaves the generator as it was");
        assert_eq!(played(Some(vec![7])).3, once);
    }
}
