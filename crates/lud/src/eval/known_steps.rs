//! Steps that a rule allows, found once in a position. Whoever counts steps from one site after the other asks for
//! the same steps over and over.

use super::needs::Needs;
use crate::ctx::Ctx;
use crate::ir::visit::Part;
use crate::ir::{Directions, StepsBy};

/// The steps that were asked for last, by the rule that allows them.
#[derive(Debug, Default)]
pub struct KnownSteps {
    rules: Vec<Known>,
}

/// What one rule allows in one position.
#[derive(Debug)]
struct Known {
    /// The rule, by its address: rules do not move while a game is played.
    rule: usize,
    /// What decides the answer; nothing where that cannot be told.
    needs: Option<Needs>,
    /// The position, as far as the rule can see it.
    key: u64,
    /// By start, where its steps begin in `to` and end; nothing where nobody has asked yet.
    from: Vec<Option<(u32, u32)>>,
    to: Vec<i32>,
}

impl Ctx<'_> {
    /// The place where the steps of a rule are kept in this position; nothing where they must be found each time.
    pub(super) fn known_steps(&mut self, rule: &StepsBy) -> Option<usize> {
        let address = std::ptr::from_ref(rule) as usize;
        let rules = &mut self.known_steps.rules;
        let at = match rules.iter().position(|known| known.rule == address) {
            Some(at) => at,
            None => {
                let alike = matches!(rule.dirs, Directions::Absolute(_)) && rule.rotation.is_none();
                let needs = Needs::of(self.g, Part::Bool(&rule.cond)).filter(|_| alike);
                let (from, to) = (Vec::new(), Vec::new());
                rules.push(Known { rule: address, needs, key: 0, from, to });
                rules.len() - 1
            }
        };
        let key = self.key_of(self.known_steps.rules[at].needs.as_ref()?);
        let count = self.plane(rule.kind).count;
        let known = &mut self.known_steps.rules[at];
        if known.key != key || known.from.len() != count {
            known.key = key;
            known.to.clear();
            known.from.clear();
            known.from.resize(count, None);
        }
        Some(at)
    }

    /// The steps from a site, if they are known.
    pub(super) fn steps_kept(&self, at: usize, from: i32) -> Option<&[i32]> {
        let known = &self.known_steps.rules[at];
        let (begin, end) = known.from[from as usize]?;
        Some(&known.to[begin as usize..end as usize])
    }

    /// Keeps the steps from a site.
    pub(super) fn keep_steps(&mut self, at: usize, from: i32, steps: &[i32]) {
        let known = &mut self.known_steps.rules[at];
        let begin = known.to.len() as u32;
        known.to.extend_from_slice(steps);
        known.from[from as usize] = Some((begin, known.to.len() as u32));
    }
}

#[cfg(test)]
mod tests {
    use crate::compile;
    use crate::ctx::Ctx;
    use ludex_game::Rng;
    use ludex_lang::diagnostic::SourceId;
    use ludex_lang::lud::{Library, read};

    /// Steps depend on pieces, on a variable that is set before moves are looked for, and on remembered values.
    const GAME: &str = r#"(game "Ways" (players 2)
        (equipment {
            (board (hex 4))
            (piece "Disc" Each (move Step (to if:(is Empty (to)))))
        })
        (rules
            (start {(place "Disc1" {0 5 12}) (place "Disc2" {30 33 20})})
            (play
                (do (set Var "Here" (last To))
                    next:(or
                        (forEach Piece)
                        (move Add (piece (mover))
                            (to (sites Empty)
                                if:(< 2
                                    (count Steps
                                        (step (to if:(and {
                                            (is Empty (to))
                                            (not (is In (from) (sites Around (var "Here"))))
                                            (not (is In (to) (sites (values Remembered "Old"))))
                                        })))
                                        (to) (sites Occupied by:Next)
                                    )
                                )
                            )
                            (then (remember Value "Old" (last From)))
                        )
                    )
                )
            )
            (end (if (< 30 (count Moves)) (result Mover Draw)))
        ))"#;

    #[test]
    fn what_is_kept_is_what_would_be_found() {
        let description = read(GAME, SourceId(0), &Library::default(), &[]).unwrap();
        let game = compile(&description).unwrap();
        let mut kept = Ctx::new(&game, game.empty_state());
        kept.start();
        let start = kept.s.clone();
        let (mut rng, mut placed) = (Rng::seeded(7), Vec::new());
        for _ in 0..400 {
            let found = kept.legal_moves();
            assert_eq!(found, Ctx::new(&game, kept.s.clone()).legal_moves());
            placed.push(found.iter().filter(|m| m.from == m.to).count());
            kept.play_silently(&found[rng.below(found.len() as u32) as usize]);
            if kept.s.over.is_some() {
                kept.s = start.clone();
            }
        }
        let rules = &kept.known_steps.rules;
        assert!(rules.iter().any(|known| known.needs.is_some() && known.key != 0));
        placed.sort_unstable();
        placed.dedup();
        assert!(placed.len() > 5, "what may be placed differs from position to position");
    }
}
