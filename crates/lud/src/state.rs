//! A position: what stands where, whose turn it is, and all that rules remember.

use super::layer::Layer;
use super::owned::Owned;
use super::sites::{Numbers, SiteSet};
use super::topo::SiteType;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Hashes of earlier positions, shared between positions of the same game.
#[derive(Clone, Debug, Default)]
pub struct History(Option<Arc<Past>>);

/// Hashes in order, and which of their low bits occur.
#[derive(Clone, Debug)]
struct Past {
    list: Vec<u64>,
    sieve: [u64; 128],
}

impl History {
    /// The hashes in order.
    #[inline]
    pub fn list(&self) -> &[u64] {
        self.0.as_ref().map_or(&[], |past| &past.list)
    }

    /// Whether a hash occurs.
    pub fn contains(&self, hash: u64) -> bool {
        let (word, bit) = History::place(hash);
        let known = |past: &Arc<Past>| past.sieve[word] & bit != 0 && past.list.contains(&hash);
        self.0.as_ref().is_some_and(known)
    }

    /// Adds a hash.
    pub fn push(&mut self, hash: u64) {
        let (word, bit) = History::place(hash);
        let none = || Arc::new(Past { list: Vec::new(), sieve: [0; 128] });
        let past = Arc::make_mut(self.0.get_or_insert_with(none));
        past.list.push(hash);
        past.sieve[word] |= bit;
    }

    fn place(hash: u64) -> (usize, u64) {
        // The upper bits of the hash are the better ones.
        let low = (hash >> 51) as usize;
        (low / 64, 1 << (low % 64))
    }
}

/// The last move, as far as rules ask about it; before the first it is what the start did last.
#[derive(Clone, Debug, Default)]
pub struct LastMove {
    /// Where it started.
    pub from: i32,
    /// Where it ended.
    pub to: i32,
    /// Levels.
    pub level_from: i32,
    /// Levels.
    pub level_to: i32,
    /// Where its last effect started.
    pub from_after: i32,
    /// Where its last effect ended.
    pub to_after: i32,
    /// Kinds of site it started and ended on.
    pub kinds: [Option<SiteType>; 2],
    /// What it passed.
    pub between: Numbers,
    /// Where its changes ended. What follows is left out while it is made, and where no rule asks.
    pub ends: Numbers,
    /// It was a pass.
    pub pass: bool,
    /// Who made it.
    pub mover: u8,
}

/// A position.
#[derive(Debug, Default)]
pub struct State {
    /// Vertices, edges, cells (with hands and dice after the board's).
    pub layers: [Layer; 3],
    /// The pieces as rules that run through them see them.
    pub owned: Owned,
    /// Who moves.
    pub mover: i32,
    /// Who moves next.
    pub next: i32,
    /// Who moved before.
    pub prev: i32,
    /// Moves since the counter was set.
    pub counter: i32,
    /// The pot.
    pub pot: i32,
    /// Scores by player.
    pub scores: Vec<i32>,
    /// Money by player.
    pub amounts: Vec<i32>,
    /// Values by player.
    pub values: Vec<i32>,
    /// Variables by index.
    pub vars: Vec<i32>,
    /// Pending values.
    pub pending: Vec<i32>,
    /// Current phase by player.
    pub phases: Vec<u16>,
    /// Players without moves, one bit each.
    pub stalemated: u32,
    /// Turns so far.
    pub turns: i32,
    /// Moves of the same player in this turn.
    pub turn_moves: i32,
    /// Passes in a row.
    pub passes: i32,
    /// The last moves, the one being played included: who made each, doubled, odd for a pass.
    pub recent: Vec<u8>,
    /// Sites visited in this turn.
    pub visited: SiteSet,
    /// Pieces to take away at the end of the turn.
    pub to_remove: Vec<i32>,
    /// Remembered values by name.
    pub remembered: Vec<(Option<Arc<str>>, Vec<i32>)>,
    /// Team by player.
    pub teams: Vec<i32>,
    /// Values of dice, by set of dice.
    pub dice: Vec<Vec<i32>>,
    /// Sums of dice.
    pub dice_sum: Vec<i32>,
    /// All dice show the same.
    pub dice_equal: bool,
    /// A number kept between moves of a turn.
    pub temp: i32,
    /// The suit that is trump.
    pub trump: i32,
    /// Where the first of the last moves by one player started.
    pub turn_from: i32,
    /// Triggered events as player bits.
    pub triggers: u32,
    /// Propositions made.
    pub proposed: Vec<u16>,
    /// Votes cast.
    pub votes: Vec<u16>,
    /// What was decided.
    pub decided: Option<u16>,
    /// Hidden data: (player, kind, site, level, data).
    pub hidden: Vec<(u8, SiteType, i32, i32, u8)>,
    /// Moves played, those of the start included.
    pub moves: i32,
    /// Moves of the start.
    pub initial_moves: i32,
    /// The last move.
    pub last: LastMove,
    /// Who moved last, and the last who was not that player.
    pub movers: [u8; 2],
    /// Players still playing, one bit each (bit 1: player 1).
    pub active: u32,
    /// Who won, in order.
    pub winners: Vec<i32>,
    /// Who lost, in order.
    pub losers: Vec<i32>,
    /// Losses decided by the end rules at work.
    pub losses_decided: i32,
    /// Rank by player; 0: none yet.
    pub ranking: Vec<f64>,
    /// Winner when the game is over: 0 for nobody.
    pub over: Option<i32>,
    /// Hashes of earlier positions.
    pub previous: History,
    /// Hashes of positions of this turn.
    pub previous_in_turn: Vec<u64>,
    /// A remembered position.
    pub stored: u64,
    /// Seat by player, after swaps.
    pub order: Vec<u8>,
    /// Counts of pieces by place on each track, for tracks that visit a site twice.
    pub on_track: Vec<Vec<(u16, u16, i32)>>,
    /// Starting places by component.
    pub starting: Arc<Vec<SiteSet>>,
    /// Cost of sites by kind.
    pub costs: [Vec<i32>; 3],
    /// Site phases set by the start, by kind.
    pub site_phases: [Vec<i32>; 3],
    /// Scores of the match that the game belongs to; empty where there is none.
    pub match_scores: Vec<i32>,
    /// Games of the match played so far.
    pub trials: i32,
    /// The game of the match that is being played.
    pub instance: Option<Box<Instance>>,
}

/// A game of a match, as far as it is played.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its place among the games of the match.
    pub place: usize,
    /// Its position.
    pub state: State,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut new = State::default();
        new.clone_from(self);
        new
    }

    /// Copies into memory that is there already.
    fn clone_from(&mut self, other: &Self) {
        // Named one by one, so that no field is forgotten.
        let State {
            layers,
            owned,
            mover,
            next,
            prev,
            counter,
            pot,
            scores,
            amounts,
            values,
            vars,
            pending,
            phases,
            stalemated,
            turns,
            turn_moves,
            passes,
            recent,
            visited,
            to_remove,
            remembered,
            teams,
            dice,
            dice_sum,
            dice_equal,
            temp,
            trump,
            turn_from,
            triggers,
            proposed,
            votes,
            decided,
            hidden,
            moves,
            initial_moves,
            last,
            movers,
            active,
            winners,
            losers,
            losses_decided,
            ranking,
            over,
            previous,
            previous_in_turn,
            stored,
            order,
            on_track,
            starting,
            costs,
            site_phases,
            match_scores,
            trials,
            instance,
        } = other;
        self.layers.clone_from(layers);
        self.owned.clone_from(owned);
        self.scores.clone_from(scores);
        self.amounts.clone_from(amounts);
        self.values.clone_from(values);
        self.vars.clone_from(vars);
        self.pending.clone_from(pending);
        self.phases.clone_from(phases);
        self.recent.clone_from(recent);
        self.visited.clone_from(visited);
        self.to_remove.clone_from(to_remove);
        self.remembered.clone_from(remembered);
        self.teams.clone_from(teams);
        self.dice.clone_from(dice);
        self.dice_sum.clone_from(dice_sum);
        self.proposed.clone_from(proposed);
        self.votes.clone_from(votes);
        self.hidden.clone_from(hidden);
        self.last.clone_from(last);
        self.winners.clone_from(winners);
        self.losers.clone_from(losers);
        self.ranking.clone_from(ranking);
        self.previous.clone_from(previous);
        self.previous_in_turn.clone_from(previous_in_turn);
        self.order.clone_from(order);
        self.on_track.clone_from(on_track);
        self.starting.clone_from(starting);
        self.costs.clone_from(costs);
        self.site_phases.clone_from(site_phases);
        self.match_scores.clone_from(match_scores);
        self.instance.clone_from(instance);
        self.trials = *trials;
        self.mover = *mover;
        self.next = *next;
        self.prev = *prev;
        self.counter = *counter;
        self.pot = *pot;
        self.stalemated = *stalemated;
        self.turns = *turns;
        self.turn_moves = *turn_moves;
        self.passes = *passes;
        self.dice_equal = *dice_equal;
        self.temp = *temp;
        self.trump = *trump;
        self.turn_from = *turn_from;
        self.triggers = *triggers;
        self.decided = *decided;
        self.moves = *moves;
        self.initial_moves = *initial_moves;
        self.movers = *movers;
        self.active = *active;
        self.losses_decided = *losses_decided;
        self.over = *over;
        self.stored = *stored;
    }
}

impl State {
    /// Copies pieces, variables, scores and pending values.
    pub(super) fn copy_pieces(&mut self, other: &State) {
        self.layers.clone_from(&other.layers);
        self.owned.clone_from(&other.owned);
        self.on_track.clone_from(&other.on_track);
        self.hidden.clone_from(&other.hidden);
        self.vars.clone_from(&other.vars);
        self.scores.clone_from(&other.scores);
        self.pending.clone_from(&other.pending);
        (self.counter, self.temp, self.pot) = (other.counter, other.temp, other.pot);
    }

    /// Changes them for those of another position.
    pub(super) fn swap_pieces(&mut self, other: &mut State) {
        use std::mem::swap;
        swap(&mut self.layers, &mut other.layers);
        swap(&mut self.owned, &mut other.owned);
        swap(&mut self.on_track, &mut other.on_track);
        swap(&mut self.hidden, &mut other.hidden);
        swap(&mut self.vars, &mut other.vars);
        swap(&mut self.scores, &mut other.scores);
        swap(&mut self.pending, &mut other.pending);
        (self.counter, self.temp, self.pot) = (other.counter, other.temp, other.pot);
    }

    /// A 64-bit hash of what stands where.
    pub fn position_hash(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        for layer in &self.layers {
            layer.key().hash(&mut hasher);
        }
        self.hidden.hash(&mut hasher);
        self.order.hash(&mut hasher);
        hasher.finish()
    }

    /// The same with whose turn it is and what else decides how play goes on.
    pub fn situation_hash(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        self.position_hash().hash(&mut hasher);
        (self.mover, self.next, self.prev, self.active).hash(&mut hasher);
        (self.stalemated, &self.pending, self.turn_moves).hash(&mut hasher);
        (self.passes, &self.amounts, &self.scores).hash(&mut hasher);
        hasher.finish()
    }

    /// The sites of a kind.
    #[inline]
    pub fn layer(&self, kind: SiteType) -> &Layer {
        &self.layers[kind as usize]
    }

    /// Whether a player still plays.
    #[inline]
    pub fn is_active(&self, player: i32) -> bool {
        (0..32).contains(&player) && self.active >> player & 1 == 1
    }

    /// The only player still playing, or 0.
    pub fn only_active(&self) -> i32 {
        match self.active.count_ones() {
            1 => self.active.trailing_zeros() as i32,
            _ => 0,
        }
    }

    /// The last mover other than this player, or 0.
    pub fn other_mover(&self, player: i32) -> u8 {
        let [last, other] = self.movers;
        if i32::from(last) == player { other } else { last }
    }

    /// Ends a ballot: what more than half of the players voted for is decided.
    pub fn count_votes(&mut self) {
        let votes = std::mem::take(&mut self.votes);
        let count = |vote: &u16| votes.iter().filter(|other| *other == vote).count();
        if let Some(vote) = votes.iter().find(|vote| count(vote) > votes.len() / 2) {
            self.decided = Some(*vote);
        }
        self.proposed.clear();
    }

    /// The remembered values of a name.
    pub fn remembered(&self, name: Option<&str>) -> &[i32] {
        let found = self.remembered.iter().find(|(n, _)| n.as_deref() == name);
        found.map_or(&[], |(_, values)| values)
    }
}
