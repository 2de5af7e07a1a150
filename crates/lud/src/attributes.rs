//! Numbers that describe a position of a game from ludemes, for evaluations built from them: pieces
//! by type, mobility, progress from where the pieces began, and how far they are from their owners'
//! regions. All of it follows from the equipment and the start, so every game has some.

use super::ctx::Ctx;
use super::game::{Compiled, ContainerKind};
use super::sites::SiteSet;
use super::state::State;
use super::topo::{Dir, Plane, SiteType};

/// Steps to somewhere, by site; `u16::MAX` where no way leads there.
type Steps = Vec<u16>;

/// A piece, or several alike, as far as attributes ask.
pub struct Standing {
    /// The component.
    pub what: u16,
    /// How many.
    pub number: f32,
    /// Where.
    pub place: Place,
}

/// Where a piece is.
pub enum Place {
    /// On this site of the board's usual kind.
    Board(i32),
    /// In somebody's hand.
    Hand,
    /// On sites of another kind.
    Elsewhere,
}

/// Which numbers a game has, and the tables they are read from.
#[derive(Debug)]
pub struct Attributes {
    names: Vec<String>,
    /// Which type a component counts as: a place among each side's types, or among the neutral ones.
    types: Vec<Option<usize>>,
    owned_types: usize,
    neutral_types: usize,
    /// Some player has a hand.
    hands: bool,
    /// For each component: steps from where it began, if it was on the board at the start.
    progress: Vec<Option<Steps>>,
    /// For each player: steps to the regions he owns, if he owns any.
    goals: Vec<Option<Steps>>,
}

/// One side's numbers, added up.
#[derive(Default)]
struct Side {
    types: Vec<f32>,
    hand: f32,
    progress: f32,
    mobility: f32,
    score: f32,
    nearest: Option<u16>,
    remaining: f32,
}

impl Attributes {
    /// Looks at a game and its first position.
    pub fn new(game: &Compiled, start: &State) -> Attributes {
        let mut owned: Vec<&str> = Vec::new();
        let mut neutral: Vec<&str> = Vec::new();
        let mut types = Vec::new();
        for (index, component) in game.components.iter().enumerate() {
            if index == 0 || !component.faces.is_empty() {
                types.push(None);
                continue;
            }
            let (list, name) = if is_player(game, component.owner) {
                (&mut owned, component.name.trim_end_matches(|c: char| c.is_ascii_digit()))
            } else {
                (&mut neutral, &*component.name)
            };
            let known = list.iter().position(|known| *known == name);
            types.push(Some(known.unwrap_or_else(|| {
                list.push(name);
                list.len() - 1
            })));
        }
        let plane = game.topo.plane(game.topo.default);
        let began = |what: usize| start.starting.get(what).and_then(|sites| away(plane, sites));
        let mut ctx = Ctx::new(game, start.clone());
        let goals = (0..=game.players).map(|player| match player {
            0 => None,
            _ => away(plane, &ctx.equipment_region(player, None)),
        });
        let mut attributes = Attributes {
            names: Vec::new(),
            owned_types: owned.len(),
            neutral_types: neutral.len(),
            hands: game.containers.iter().any(|c| c.kind == ContainerKind::Hand),
            progress: (0..types.len()).map(began).collect(),
            goals: goals.collect(),
            types,
        };
        attributes.names = attributes.all_names(game, &owned, &neutral);
        attributes
    }

    /// Their names, in the order of [`Attributes::write`].
    pub fn names(&self) -> &[String] {
        &self.names
    }

    fn all_names(&self, game: &Compiled, owned: &[&str], neutral: &[&str]) -> Vec<String> {
        let mut each: Vec<String> = owned.iter().map(|name| name.to_string()).collect();
        if self.hands {
            each.push("in hand".to_string());
        }
        if self.has_progress() {
            each.push("progress".to_string());
        }
        if !game.chance {
            each.push("mobility".to_string());
        }
        each.push("score".to_string());
        if self.has_goals() {
            each.extend(["nearest to goal".to_string(), "way to goal".to_string()]);
        }
        let mut names: Vec<String> = each.iter().map(|name| format!("own {name}")).collect();
        if game.players > 1 {
            names.extend(each.iter().map(|name| format!("opponent's {name}")));
        }
        names.extend(neutral.iter().map(|name| format!("neutral {name}")));
        names.extend(["turn", "moves played"].map(str::to_string));
        names
    }

    fn has_progress(&self) -> bool {
        self.progress.iter().any(Option::is_some)
    }

    fn has_goals(&self) -> bool {
        self.goals.iter().any(Option::is_some)
    }

    /// Writes the numbers from the side of a player. `of_player` gives a player's score and mobility.
    pub fn write(
        &self,
        game: &Compiled,
        pieces: impl Iterator<Item = Standing>,
        of_player: impl Fn(i32) -> (i32, usize),
        (mover, moves): (i32, i32),
        player: i32,
        out: &mut [f32],
    ) {
        let empty = || Side { types: vec![0.0; self.owned_types], ..Side::default() };
        let mut sides = [empty(), empty()];
        let mut neutral = vec![0.0; self.neutral_types];
        for piece in pieces {
            let Some(Some(at)) = self.types.get(usize::from(piece.what)) else { continue };
            let owner = game.owner(piece.what);
            if !is_player(game, owner) {
                neutral[*at] += piece.number;
                continue;
            }
            let side = &mut sides[usize::from(owner != player)];
            side.types[*at] += piece.number;
            match piece.place {
                Place::Board(site) => self.place(side, owner, &piece, site),
                Place::Hand => side.hand += piece.number,
                Place::Elsewhere => {}
            }
        }
        for other in 1..=game.players {
            let side = &mut sides[usize::from(other != player)];
            let (score, mobility) = of_player(other);
            side.score += score as f32;
            side.mobility += mobility as f32;
        }
        let shown = sides.iter().take(if game.players > 1 { 2 } else { 1 });
        let values = shown.flat_map(|side| self.of_side(game, side)).chain(neutral);
        let last = [f32::from(u8::from(mover == player)), moves as f32];
        for (slot, value) in out.iter_mut().zip(values.chain(last)) {
            *slot = value;
        }
    }

    /// Adds what the place of a piece is worth.
    fn place(&self, side: &mut Side, owner: i32, piece: &Standing, site: i32) {
        let at = |steps: &Option<Steps>| {
            let steps = steps.as_ref().and_then(|steps| steps.get(site as usize)).copied();
            steps.filter(|&steps| steps != u16::MAX)
        };
        if let Some(steps) = self.progress.get(usize::from(piece.what)).and_then(at) {
            side.progress += f32::from(steps) * piece.number;
        }
        if let Some(steps) = self.goals.get(owner as usize).and_then(at) {
            side.remaining += f32::from(steps) * piece.number;
            side.nearest = Some(side.nearest.map_or(steps, |nearest| nearest.min(steps)));
        }
    }

    /// One side's numbers in the order of the names.
    fn of_side<'a>(&self, game: &Compiled, side: &'a Side) -> impl Iterator<Item = f32> + use<'a> {
        let hand = self.hands.then_some(side.hand);
        let progress = self.has_progress().then_some(side.progress);
        let mobility = (!game.chance).then_some(side.mobility);
        let goals = self.has_goals().then(|| {
            // Nobody on the way is as far as can be.
            [side.nearest.map_or(f32::from(u8::MAX), f32::from), side.remaining]
        });
        let types = side.types.iter().copied().chain(hand).chain(progress).chain(mobility);
        types.chain([side.score]).chain(goals.into_iter().flatten())
    }
}

fn is_player(game: &Compiled, owner: i32) -> bool {
    (1..=game.players).contains(&owner)
}

/// All pieces of a position.
pub(super) fn standing<'a>(
    game: &'a Compiled,
    state: &'a State,
) -> impl Iterator<Item = Standing> + 'a {
    let board = game.containers.first().map_or(0, |board| board.count);
    let kinds = [SiteType::Vertex, SiteType::Edge, SiteType::Cell].into_iter();
    kinds.flat_map(move |kind| {
        let layer = state.layer(kind);
        let flat = layer.flat().iter().enumerate();
        let stacked = layer.stacks.iter().enumerate();
        let stacked = stacked.flat_map(|(site, all)| all.iter().map(move |piece| (site, piece)));
        flat.chain(stacked).filter(|(_, piece)| piece.what != 0).map(move |(site, piece)| {
            let place = match site as i32 {
                site if kind == SiteType::Cell && site >= board => Place::Hand,
                site if kind == game.topo.default => Place::Board(site),
                _ => Place::Elsewhere,
            };
            Standing { what: piece.what, number: f32::from(piece.count.max(1)), place }
        })
    })
}

/// How many moves a player would have if it were his turn.
pub(super) fn mobility(game: &Compiled, state: &State, player: i32) -> usize {
    let mut look = Ctx::new(game, state.clone());
    (look.s.prev, look.s.mover, look.s.next) = (state.mover, player, state.mover);
    look.legal_moves().iter().filter(|mv| !mv.is_pass()).count()
}

/// Steps from the nearest of some sites to every site; nothing if there are none on the board.
fn away(plane: &Plane, from: &SiteSet) -> Option<Steps> {
    let mut steps = vec![u16::MAX; plane.count];
    let mut frontier: Vec<i32> =
        from.iter().filter(|&site| (site as usize) < plane.count).collect();
    if frontier.is_empty() {
        return None;
    }
    for &site in &frontier {
        steps[site as usize] = 0;
    }
    let mut distance = 0;
    while !frontier.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for site in frontier {
            for &to in plane.steps(site, Dir::ADJACENT) {
                if steps[to as usize] == u16::MAX {
                    steps[to as usize] = distance;
                    next.push(to);
                }
            }
        }
        frontier = next;
    }
    Some(steps)
}
