//! What positions of a game may hold, as far as a few games show that are the same every time.

use crate::choices::Space;
use crate::geometry::ContainerKind;
use crate::{Coding, Detail, Families, Game, Player, PlayerSet, Rng, Turn, View};

/// So many games are looked at,
const GAMES: u64 = 4;
/// up to so many plies each.
const PLIES: u32 = 120;

/// Facts about a game that its rules do not say beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Survey {
    /// Numbers of moves.
    pub space: Space,
    /// Several players move at once.
    pub simultaneous: bool,
    /// Something happens by chance.
    pub chance: bool,
    /// Pieces go from site to site.
    pub travels: bool,
    /// Pieces stand on one another.
    pub stacks: bool,
    /// Sites hold several pieces of a kind.
    pub counts: bool,
    /// Pieces have states.
    pub states: bool,
    /// Pieces are turned.
    pub rotations: bool,
    /// Pieces have values.
    pub values: bool,
    /// Pieces of nobody's wait in hands.
    pub shared: bool,
}

impl Survey {
    /// Looks at a few games.
    pub fn of(game: &dyn Game) -> Survey {
        let info = game.info();
        let says = |name: &str| info.channels.iter().any(|channel| channel == name);
        let codes = (0..info.players as u8).map(|p| game.code_count(Player(p), Coding::Plain));
        let codes = codes.max().unwrap_or(0).next_multiple_of(64).max(64);
        let mut survey = Survey {
            space: Space { codes, slots: 1 },
            simultaneous: false,
            chance: false,
            travels: false,
            stacks: says("stack") && game.plane_geometry() == game.geometry(),
            counts: says("count"),
            states: false,
            rotations: says("rotation"),
            values: false,
            shared: false,
        };
        let mut look = Look::default();
        (0..GAMES).for_each(|number| look.play(game, number, &mut survey));
        if look.most > 1 {
            survey.space.slots = (2 * look.most).next_power_of_two();
        }
        survey
    }
}

#[derive(Default)]
struct Look {
    view: View,
    families: Families,
    codes: Vec<u32>,
    /// The most moves that shared a code.
    most: u32,
}

impl Look {
    fn play(&mut self, game: &dyn Game, number: u64, survey: &mut Survey) {
        let mut rng = Rng::stream(0x5EED, number);
        let mut state = game.start();
        for _ in 0..PLIES.min(game.info().max_plies) {
            let mut joint = [Default::default(); PlayerSet::CAPACITY];
            let count = match game.turn(&state) {
                Turn::Over => return,
                Turn::Chance => {
                    survey.chance = true;
                    joint[0] = game.sample_chance(&state, &mut rng);
                    1
                }
                Turn::Players(players) => {
                    survey.simultaneous |= players.len() > 1;
                    for (slot, player) in joint.iter_mut().zip(players) {
                        self.count_codes(game, &state, player);
                        *slot = game.random_move(&state, player, &mut rng, &mut self.families);
                    }
                    players.len()
                }
            };
            game.apply(&mut state, &joint[..count]);
            survey.travels |= game.last_move(&state).is_some_and(|last| last.from.is_some());
            self.look_at_pieces(game, &state, survey);
        }
    }

    fn count_codes(&mut self, game: &dyn Game, state: &crate::State, player: Player) {
        game.families(state, player, Coding::Plain, &mut self.families);
        self.codes.clear();
        self.codes.extend_from_slice(self.families.codes());
        self.codes.sort_unstable();
        let most = self.codes.chunk_by(|a, b| a == b).map(|same| same.len() as u32).max();
        self.most = self.most.max(most.unwrap_or(0));
    }

    fn look_at_pieces(&mut self, game: &dyn Game, state: &crate::State, survey: &mut Survey) {
        let Some(geometry) = game.geometry() else { return };
        game.view(state, None, Detail::Pieces, &mut self.view);
        for (site, place) in (0..).zip(&geometry.sites) {
            let hand = geometry.containers[place.container as usize].kind == ContainerKind::Hand;
            for piece in self.view.stack(site) {
                survey.states |= piece.state != 0;
                survey.values |= piece.value != 0;
                survey.shared |= hand && piece.owner.is_none();
            }
        }
    }
}
