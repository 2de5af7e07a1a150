//! The contract: a game of seeds is a game like any other.

use super::code::{Act, Code};
use super::position::{Entries, HASHES, LISTS, Outcome, Position, VALUES, VARS};
use super::run::Step;
use ludex_game::{
    Coding, Detail, Ends, Families, GameInfo, Geometry, Machine, Move, MoveKind, Place, Player,
    PlayerSet, PlayoutKind, Rng, Rules, SiteId, Turn, View, mix,
};
use ludex_lud::action::{Change, NONE};
use ludex_lud::codes::{Codes, PASSES};
use ludex_lud::game::Compiled;
use ludex_lud::layer::Piece;
use ludex_lud::moves::Mv;
use ludex_lud::playable::Ludemes;
use ludex_lud::seen::{self, Stand};
use ludex_lud::show;
use ludex_lud::state::State;
use ludex_lud::topo::SiteType;
use std::sync::Arc;

/// A game of seeds.
#[derive(Debug)]
pub struct Seeds {
    pub(super) code: Code,
    codes: Codes,
    pub(super) game: Arc<Compiled>,
    info: GameInfo,
    start: Position,
}

impl Seeds {
    pub(super) fn new(code: Code, general: &Ludemes) -> Self {
        let (game, state) = (general.shared(), general.start_state());
        let mut info = show::info(&game);
        info.machine = Machine::Seeds;
        info.playout = PlayoutKind::CountAndPick;
        info.playout_reason =
            "seeds are counted hole by hole; conditions on the position after a move are tried only \
             for the move drawn"
                .to_string();
        let start = Position { last: general.placed_last(), ..position(&code, &game, &state) };
        Seeds { code, codes: Codes::of(&game), game, info, start }
    }

    /// A legal move, all with the same probability.
    fn draw(&self, p: &Position, rng: &mut Rng) -> Step {
        let mut all = self.candidates(p);
        while !all.is_empty() {
            let step = all.swap_remove(rng.below(all.len() as u32) as usize);
            if self.admits_step(p, step) {
                return step;
            }
        }
        Step::PASS
    }

    /// The move as the general form has it, for its text.
    fn general_move(&self, step: Step) -> Mv {
        let way = &self.code.ways[step.way as usize];
        let text = |index: u16| self.game.texts[index as usize].clone();
        let (kind, at) = (self.kind_of(step.site), i32::from(step.site));
        let change = match &way.act {
            Act::Carry(_) => Change::MoveN {
                kind_from: kind,
                from: at,
                kind_to: self.kind_of(step.to),
                to: i32::from(step.to),
                count: 1,
            },
            Act::Clear => Change::Remove { kind, to: at, level: NONE, applied: true },
            Act::Select => Change::Select {
                kind_from: self.kind_of(step.site),
                from: i32::from(step.site),
                kind_to: None,
                to: NONE,
                level_from: NONE,
                level_to: NONE,
            },
            Act::Pass => Change::Pass { forced: false },
            Act::Propose(index) => Change::Propose { text: text(*index), index: *index },
            Act::Vote(index) => Change::Vote { text: text(*index), index: *index },
        };
        Mv::of(change, true)
    }

    fn code_of(&self, step: Step) -> u32 {
        match self.code.ways[step.way as usize].act {
            Act::Carry(_) => self.codes.at(step.site.into(), step.to.into()),
            Act::Select | Act::Clear => self.codes.at(step.site.into(), step.site.into()),
            Act::Pass => self.codes.special(PASSES),
            Act::Propose(text) | Act::Vote(text) => self.codes.message(text),
        }
    }

    fn kind_of(&self, site: u8) -> SiteType {
        self.game.kind_at(None, i32::from(site))
    }

    fn text(&self, step: Step) -> String {
        show::move_text(&self.game, &self.general_move(step))
    }
}

fn position(code: &Code, game: &Compiled, state: &State) -> Position {
    let mut seeds = [0; 64];
    for site in 0..64 {
        let kind = game.kind_at(None, site);
        seeds[site as usize] = state.layer(kind).top(site).count;
    }
    let value = |list: &[i32], at: usize| list.get(at).copied().unwrap_or(0);
    let by_player = |list: &[i32]| std::array::from_fn(|at| value(list, at));
    let mut vars = [-1; VARS];
    vars.iter_mut().zip(&state.vars).for_each(|(slot, &var)| *slot = var);
    vars[code.vars] = state.temp;
    let mut start = Position {
        seeds,
        entries: entries(code, state),
        states: [0; 64],
        vars,
        scores: by_player(&state.scores),
        worths: by_player(&state.values),
        mover: state.mover,
        next: state.next,
        prev: state.prev,
        counter: state.counter,
        turns: state.turns,
        turn_moves: state.turn_moves,
        moves: 0,
        last_from: state.last.from,
        last_to: state.last.to,
        last_after: [state.last.from_after, state.last.to_after],
        trail: [-1; 2],
        last_pass: false,
        remembered: [[0; VALUES]; LISTS],
        recalled: [0; LISTS],
        pending: 0,
        stuck: 0,
        phases: std::array::from_fn(|at| state.phases.get(at).map_or(0, |&phase| phase as u8)),
        recent: [0; 7],
        recent_count: 0,
        proposed: 0,
        votes: [0; 2],
        vote_count: 0,
        decided: None,
        hashes: [0; HASHES],
        hash_count: 0,
        outcome: Outcome::Open,
        last: None,
    };
    for (list, name) in code.lists.iter().enumerate() {
        let values = state.remembered(name.as_deref());
        values.iter().for_each(|&value| start.recall(list, value, true));
    }
    start
}

/// Which holes are entered at the start.
fn entries(code: &Code, state: &State) -> Entries {
    let mut counts = [0; 64];
    for held in state.owned.of(1) {
        if let Some(count) = counts.get_mut(held.site as usize) {
            *count += 1;
        }
    }
    Entries { counts, unasked: !code.enters, one_goes: state.owned.one_goes() }
}

fn packed(step: Step) -> Move {
    Move(u64::from(step.way) << 16 | u64::from(step.to) << 8 | u64::from(step.site))
}

fn unpacked(mv: Move) -> Step {
    Step { way: (mv.0 >> 16) as u16, site: mv.0 as u8, to: (mv.0 >> 8) as u8 }
}

/// A position beside its rules.
struct On<'a> {
    rules: &'a Seeds,
    position: &'a Position,
}

impl Stand for On<'_> {
    fn pieces(&self, kind: SiteType, site: i32, each: &mut dyn FnMut(Piece)) {
        let held = self.position.seeds.get(site as usize).filter(|&&count| count > 0);
        if let Some(&count) = held
            && kind == self.rules.game.kind_at(None, site)
        {
            let state = self.position.state(site) as i16;
            each(Piece { what: 1, count, state, ..Piece::default() });
        }
    }

    fn seat(&self, player: i32) -> Player {
        Player(player as u8 - 1)
    }

    fn score(&self, player: i32) -> i32 {
        self.position.scores.get(player as usize).copied().unwrap_or(0)
    }
}

impl Seeds {
    /// How many seeds lie on the board.
    fn on_board(&self, p: &Position) -> u32 {
        let holes = self.game.board_sites().min(p.seeds.len());
        p.seeds[..holes].iter().map(|&seeds| u32::from(seeds)).sum()
    }

    /// The ends of a move after which so many seeds fewer lie on the board, or not.
    fn ends_of(&self, step: Step, fewer: bool) -> Ends {
        let site = i32::from(step.site);
        let act = &self.code.ways[step.way as usize].act;
        let kind = match act {
            Act::Select => MoveKind::Other,
            Act::Carry(_) if fewer => MoveKind::Capture,
            Act::Carry(_) => seen::moved_from(&self.game, SiteType::Cell, site),
            Act::Clear => MoveKind::Capture,
            Act::Pass => MoveKind::Pass,
            Act::Propose(_) | Act::Vote(_) => MoveKind::Vote,
        };
        let to = if matches!(act, Act::Carry(_)) { i32::from(step.to) } else { site };
        seen::ends(&self.game, self.game.places().numbering(0), (site, to), [None, None], kind)
    }
}

impl Rules for Seeds {
    type State = Position;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Position {
        self.start
    }

    #[inline]
    fn turn(&self, p: &Position) -> Turn {
        match p.outcome {
            Outcome::Open => Turn::Players(PlayerSet::one(Player(p.mover as u8 - 1))),
            _ => Turn::Over,
        }
    }

    fn moves(&self, p: &Position, _player: Player, out: &mut Vec<Move>) {
        out.extend(self.legal(p).into_iter().map(packed));
    }

    fn apply(&self, p: &mut Position, joint: &[Move]) {
        let (step, before) = (unpacked(joint[0]), self.on_board(p));
        self.play(p, step);
        p.last = Some(self.ends_of(step, self.on_board(p) < before));
    }

    fn payoffs(&self, p: &Position, out: &mut [f32]) {
        let first = match p.outcome {
            Outcome::Won(1) => 1.0,
            Outcome::Won(_) => 0.0,
            Outcome::Drawn | Outcome::Open => 0.5,
        };
        for (slot, payoff) in out.iter_mut().zip([first, 1.0 - first]) {
            *slot = payoff;
        }
    }

    fn hash(&self, p: &Position) -> u64 {
        let mut hash = p.hash();
        let mut add = |word: u64| hash = mix(hash.rotate_left(5) ^ word);
        let numbers = p.vars.iter().chain(&p.scores).chain(&p.worths);
        numbers.for_each(|&n| add(n as u32 as u64));
        [p.mover, p.next, p.prev].iter().for_each(|&n| add(n as u32 as u64));
        p.phases.iter().for_each(|&n| add(u64::from(n)));
        // Who moved before matters to nobody but whoever counts passes.
        if p.recent[0] & 1 == 1 {
            p.recent.iter().for_each(|&n| add(u64::from(n)));
        }
        let recall = self.game.recall();
        if recall.counter {
            add(p.counter as u32 as u64);
        }
        if recall.age {
            add(p.moves as u32 as u64 | (p.turns as u32 as u64) << 32);
        }
        if recall.turn_moves {
            add(p.turn_moves as u32 as u64);
        }
        if recall.last.matters(p.mover, p.prev) {
            let last = [p.last_from, p.last_to].into_iter().chain(p.last_after);
            last.for_each(|n| add(n as u32 as u64));
        }
        for list in &p.remembered[..self.code.lists.len()] {
            list.chunks(8)
                .for_each(|eight| add(eight.iter().fold(0, |all, &n| all << 8 | u64::from(n))));
        }
        add(p.outcome.number());
        add(p.pending);
        add(p.proposed);
        add(u64::from(p.stuck) | u64::from(p.vote_count) << 8 | u64::from(p.votes[0]) << 16);
        hash
    }

    fn move_text(&self, p: &Position, _player: Option<Player>, mv: Move) -> String {
        let step = unpacked(mv);
        let text = self.text(step);
        // Different moves that read the same are told apart by their place among them.
        let mut same: Vec<Step> = Vec::new();
        for other in self.legal(p) {
            if !same.contains(&other) && self.text(other) == text {
                same.push(other);
            }
        }
        match same.iter().position(|known| *known == step) {
            Some(place) if same.len() > 1 => format!("{text}#{}", place + 1),
            _ => text,
        }
    }

    fn show(&self, p: &Position, _viewer: Option<Player>) -> String {
        let mut state = self.game.empty_state();
        for (site, &count) in p.seeds.iter().enumerate().filter(|(_, count)| **count > 0) {
            let kind = self.game.kind_at(None, site as i32);
            let piece = Piece { what: 1, count, ..Piece::default() };
            state.layers[kind as usize].update(site as i32, |slot| *slot = piece);
        }
        show::board(&self.game, &state, None)
    }

    fn geometry(&self) -> Option<&Geometry> {
        Some(self.game.places().geometry(&self.game))
    }

    fn view(&self, p: &Position, _: Option<Player>, _: Detail, out: &mut View) {
        seen::write(&self.game, &On { rules: self, position: p }, out);
    }

    fn ends(&self, p: &Position, _player: Option<Player>, mv: Move) -> Ends {
        let step = unpacked(mv);
        let carries = matches!(self.code.ways[step.way as usize].act, Act::Carry(_));
        let takes = carries && {
            let mut after = *p;
            self.play(&mut after, step);
            self.on_board(&after) < self.on_board(p)
        };
        self.ends_of(step, takes)
    }

    fn last_move(&self, p: &Position) -> Option<Ends> {
        p.last
    }

    fn code_count(&self, _player: Player, coding: Coding) -> u32 {
        self.codes.count_of(coding)
    }

    fn code_end(&self, _player: Player, code: u32) -> Option<SiteId> {
        self.codes.site(code)
    }

    fn code(&self, _p: &Position, _player: Player, mv: Move, _coding: Coding) -> u32 {
        self.code_of(unpacked(mv))
    }

    fn code_ends(&self, _player: Player, code: u32) -> Option<Ends> {
        self.codes.ends(&self.game, code)
    }

    fn families(&self, p: &Position, _player: Player, _coding: Coding, out: &mut Families) {
        for step in self.candidates(p) {
            if !self.code.ways[step.way as usize].after.is_empty() {
                out.doubt();
            }
            out.push_one(self.code_of(step), packed(step).0 as u32);
        }
    }

    fn member(&self, _p: &Position, _: Player, families: &Families, place: Place) -> Move {
        Move(families.word(place).tag.into())
    }

    fn admits(&self, p: &Position, _player: Player, member: Move) -> bool {
        self.admits_step(p, unpacked(member))
    }

    fn stuck(&self, p: &mut Position, _player: Player) -> Option<u32> {
        self.play(p, Step::PASS);
        Some(self.codes.special(PASSES))
    }

    fn playout_uniform(
        &self,
        p: &mut Position,
        rng: &mut Rng,
        limit: u32,
        _buffer: &mut Vec<Move>,
    ) -> u32 {
        let mut plies = 0;
        while plies < limit && p.outcome == Outcome::Open {
            let step = self.draw(p, rng);
            self.play(p, step);
            plies += 1;
        }
        plies
    }
}
