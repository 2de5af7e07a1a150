//! Bit-parallel playouts: one evaluation of the network advances hundreds of random playouts.
//!
//! Every gate, fact and move is a word with one bit for each playout. Moves are drawn without
//! leaving that form: legal moves are counted in bit planes, a random number below the count is made
//! the same way, and counting it down along the moves leaves a one where a lane's move is. A lane
//! whose game is over waits until enough others are, for goals are evaluated for all lanes at once;
//! then it starts again. As many playouts finish as are started, so short games are not favoured.

use super::lanes::{LaneRng, Lanes, decrement, increment, random_below};
use super::{Kind, Lit, Network};
use ludex_game::Rng;

/// A gate: the conjunction of its inputs, turned around where it is an `or`.
#[derive(Clone, Copy, Debug)]
struct Op {
    gate: u32,
    end: u32,
    flip: bool,
}

/// Gates in order, with their inputs.
#[derive(Debug, Default)]
struct Pass {
    ops: Vec<Op>,
    inputs: Vec<Lit>,
}

impl Pass {
    fn push(&mut self, network: &Network, gate: usize) {
        let flip = network.kind(gate) == Kind::Or;
        self.inputs.extend(network.inputs(gate).iter().map(|lit| lit.negate_if(flip)));
        self.ops.push(Op { gate: gate as u32, end: self.inputs.len() as u32, flip });
    }

    #[inline(always)]
    fn run<const W: usize>(&self, values: &mut [Lanes<W>]) {
        let mut start = 0;
        for op in &self.ops {
            let mut all = Lanes::ALL;
            for lit in &self.inputs[start..op.end as usize] {
                all = all.and(values[lit.gate()].flip(mask(lit.negated())));
            }
            values[op.gate as usize] = all.flip(mask(op.flip));
            start = op.end as usize;
        }
    }
}

#[inline(always)]
fn mask(on: bool) -> u64 {
    0u64.wrapping_sub(u64::from(on))
}

/// A fact in play: its number, its gate and what it becomes.
#[derive(Clone, Copy, Debug)]
struct Held {
    base: u32,
    gate: u32,
    next: Lit,
}

/// The moves of one role.
#[derive(Debug)]
struct Choices {
    /// Whether each is legal, and its gate if any rule asks about it.
    moves: Vec<(Lit, Option<u32>)>,
    planes: usize,
}

/// A network prepared for bit-parallel playouts.
#[derive(Debug)]
pub struct Batch {
    gates: usize,
    /// What positions decide: legal moves and the end.
    view: Pass,
    /// What moves decide.
    step: Pass,
    /// What only goals need.
    goal: Pass,
    facts: Vec<Held>,
    roles: Vec<Choices>,
    terminal: Lit,
    goals: Vec<Vec<(Lit, f32)>>,
}

/// A request for playouts.
pub struct Request<'r> {
    /// The facts that hold at the start, as bits.
    pub facts: &'r [u64],
    /// How many playouts to run.
    pub count: u64,
    /// A playout longer than this is abandoned as a tie.
    pub limit: u32,
    /// Gets each playout's payoffs and length.
    pub finished: &'r mut dyn FnMut(&[f32], u32),
}

impl Batch {
    /// Prepares a network; `goals` are each player's literals and values. Recursive definitions need
    /// repeated evaluation and are left to single playouts.
    pub fn new(network: &Network, goals: Vec<Vec<(Lit, f32)>>) -> Option<Batch> {
        if !network.loops.is_empty() {
            return None;
        }
        let moved = reads_moves(network);
        let lits = |goals: &Vec<(Lit, f32)>| goals.iter().map(|goal| goal.0).collect::<Vec<_>>();
        let next = network.bases.iter().map(|base| base.next);
        let legal = network.moves.iter().flatten().map(|input| input.legal);
        let in_play = needed(network, next.chain(legal).chain([network.terminal]));
        let for_goals = needed(network, goals.iter().flat_map(lits));
        let mut batch = Batch {
            gates: network.len(),
            view: Pass::default(),
            step: Pass::default(),
            goal: Pass::default(),
            facts: Vec::new(),
            roles: Vec::new(),
            terminal: network.terminal,
            goals,
        };
        let mut does = vec![None; network.moves.iter().map(Vec::len).sum()];
        for gate in 0..network.len() {
            match network.kind(gate) {
                Kind::And | Kind::Or if in_play[gate] && moved[gate] => {
                    batch.step.push(network, gate)
                }
                Kind::And | Kind::Or if in_play[gate] => batch.view.push(network, gate),
                Kind::And | Kind::Or if for_goals[gate] => batch.goal.push(network, gate),
                Kind::Base(base) => {
                    let next = network.bases[base as usize].next;
                    batch.facts.push(Held { base, gate: gate as u32, next });
                }
                Kind::Does(number) => does[number as usize] = Some(gate as u32),
                _ => {}
            }
        }
        let mut number = 0;
        for inputs in &network.moves {
            let legal = inputs.iter().map(|input| input.legal);
            let moves: Vec<_> = legal.zip(does[number..].iter().copied()).collect();
            number += moves.len();
            let planes = (usize::BITS - moves.len().leading_zeros()) as usize;
            batch.roles.push(Choices { moves, planes: planes.max(1) });
        }
        Some(batch)
    }

    /// Runs the playouts, with as many lanes as keep the network in a near cache.
    pub fn run(&self, request: Request, rng: &mut Rng) {
        match self.gates {
            0..8_000 => dispatch::<8>(self, request, rng),
            _ => dispatch::<4>(self, request, rng),
        }
    }
}

/// Marks the gates that depend on moves.
fn reads_moves(network: &Network) -> Vec<bool> {
    let mut moved = vec![false; network.len()];
    for gate in 0..network.len() {
        let own = matches!(network.kind(gate), Kind::Does(_));
        moved[gate] = own || network.inputs(gate).iter().any(|lit| moved[lit.gate()]);
    }
    moved
}

/// Marks the gates that the literals depend on.
fn needed(network: &Network, lits: impl Iterator<Item = Lit>) -> Vec<bool> {
    let mut needed = vec![false; network.len()];
    lits.for_each(|lit| needed[lit.gate()] = true);
    for gate in (0..network.len()).rev() {
        if needed[gate] {
            network.inputs(gate).iter().for_each(|lit| needed[lit.gate()] = true);
        }
    }
    needed
}

/// Runs with the widest words that the processor has.
fn dispatch<const W: usize>(batch: &Batch, request: Request, rng: &mut Rng) {
    #[cfg(target_arch = "x86_64")]
    if !ludex_game::bits::portable_only() {
        if std::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has just said that it has these instructions.
            return unsafe { with_avx512::<W>(batch, request, rng) };
        }
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just said that it has these instructions.
            return unsafe { with_avx2::<W>(batch, request, rng) };
        }
    }
    Run::<'_, '_, W>::new(batch, request, rng).all();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn with_avx512<const W: usize>(batch: &Batch, request: Request, rng: &mut Rng) {
    Run::<'_, '_, W>::new(batch, request, rng).all();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<const W: usize>(batch: &Batch, request: Request, rng: &mut Rng) {
    Run::<'_, '_, W>::new(batch, request, rng).all();
}

/// Playouts under way.
struct Run<'b, 'r, const W: usize> {
    batch: &'b Batch,
    request: Request<'r>,
    rng: LaneRng<W>,
    values: Vec<Lanes<W>>,
    first: Vec<Lanes<W>>,
    pending: Vec<Lanes<W>>,
    planes: Vec<Lanes<W>>,
    drawn: Vec<Lanes<W>>,
    /// The step at which each lane's playout began.
    began: Vec<u64>,
    /// The length of each waiting lane's playout.
    lengths: Vec<u32>,
    active: Lanes<W>,
    waiting: Lanes<W>,
    /// Waiting because the playout was too long.
    abandoned: Lanes<W>,
    unstarted: u64,
    step: u64,
    deadline: u64,
    payoffs: Vec<f32>,
}

impl<'b, 'r, const W: usize> Run<'b, 'r, W> {
    #[inline(always)]
    fn new(batch: &'b Batch, request: Request<'r>, rng: &mut Rng) -> Self {
        let holds = |base: u32| request.facts[base as usize / 64] >> (base % 64) & 1 == 1;
        let first: Vec<Lanes<W>> =
            batch.facts.iter().map(|fact| Lanes::NONE.flip(mask(holds(fact.base)))).collect();
        let mut values = vec![Lanes::NONE; batch.gates];
        for (fact, &value) in batch.facts.iter().zip(&first) {
            values[fact.gate as usize] = value;
        }
        let lanes = (64 * W).min(request.count.try_into().unwrap_or(usize::MAX));
        let mut active = Lanes::NONE;
        (0..lanes).for_each(|lane| active.insert(lane));
        let planes = batch.roles.iter().map(|role| role.planes).max().unwrap_or(1);
        Run {
            rng: LaneRng::new(rng),
            values,
            pending: first.clone(),
            first,
            planes: vec![Lanes::NONE; planes],
            drawn: vec![Lanes::NONE; planes],
            began: vec![0; 64 * W],
            lengths: vec![0; 64 * W],
            active,
            waiting: Lanes::NONE,
            abandoned: Lanes::NONE,
            unstarted: request.count - lanes as u64,
            step: 0,
            deadline: u64::from(request.limit),
            payoffs: vec![0.0; batch.goals.len()],
            batch,
            request,
        }
    }

    #[inline(always)]
    fn all(&mut self) {
        while !self.active.is_empty() {
            self.batch.view.run(&mut self.values);
            self.note_ends();
            let restarted = self.collect();
            for role in 0..self.batch.roles.len() {
                self.draw(role);
            }
            self.batch.step.run(&mut self.values);
            self.commit(restarted);
            self.step += 1;
        }
    }

    #[inline(always)]
    fn value(&self, lit: Lit) -> Lanes<W> {
        self.values[lit.gate()].flip(mask(lit.negated()))
    }

    /// Lanes whose game is over, or that have run too long, begin to wait.
    #[inline(always)]
    fn note_ends(&mut self) {
        let running = self.active.without(self.waiting);
        let mut ended = self.value(self.batch.terminal);
        for role in &self.batch.roles {
            let any =
                role.moves.iter().fold(Lanes::NONE, |any, &(legal, _)| any.or(self.value(legal)));
            ended = ended.or(Lanes::ALL.without(any));
        }
        let mut ended = ended.and(running);
        if self.step >= self.deadline {
            let late = self.late(running.without(ended));
            self.abandoned = self.abandoned.or(late);
            ended = ended.or(late);
        }
        self.waiting = self.waiting.or(ended);
        for_each_lane(ended, |lane| self.lengths[lane] = (self.step - self.began[lane]) as u32);
    }

    /// The lanes that have reached the limit; also finds when the next one will.
    #[cold]
    fn late(&mut self, running: Lanes<W>) -> Lanes<W> {
        let limit = u64::from(self.request.limit);
        let mut late = Lanes::NONE;
        self.deadline = u64::MAX;
        for_each_lane(running, |lane| match self.began[lane] + limit <= self.step {
            true => late.insert(lane),
            false => self.deadline = self.deadline.min(self.began[lane] + limit),
        });
        self.deadline = self.deadline.min(self.step + limit);
        late
    }

    /// Reports waiting lanes once there are enough of them, and returns those that start again.
    #[inline(always)]
    fn collect(&mut self) -> Lanes<W> {
        let count = self.waiting.count();
        if count == 0 || (count < 8 * W as u32 && self.waiting != self.active) {
            return Lanes::NONE;
        }
        self.batch.goal.run(&mut self.values);
        let mut restarted = Lanes::NONE;
        for_each_lane(self.waiting, |lane| {
            self.report(lane);
            if self.unstarted > 0 {
                self.unstarted -= 1;
                self.began[lane] = self.step + 1;
                restarted.insert(lane);
            }
        });
        self.active = self.active.without(self.waiting).or(restarted);
        self.waiting = Lanes::NONE;
        self.abandoned = Lanes::NONE;
        restarted
    }

    fn report(&mut self, lane: usize) {
        let players = self.payoffs.len();
        if self.abandoned.has(lane) {
            self.payoffs.fill(if players == 1 { 0.0 } else { 1.0 / players as f32 });
        } else {
            for (player, goals) in self.batch.goals.iter().enumerate() {
                let reached = goals
                    .iter()
                    .filter(|&&(lit, _)| self.values[lit.gate()].has(lane) != lit.negated());
                self.payoffs[player] = reached.map(|&(_, value)| value).fold(0.0, f32::max);
            }
        }
        (self.request.finished)(&self.payoffs, self.lengths[lane]);
    }

    /// Draws one legal move for each lane and sets the gates of the moves.
    #[inline(always)]
    fn draw(&mut self, role: usize) {
        let Choices { moves, planes } = &self.batch.roles[role];
        self.planes[..*planes].fill(Lanes::NONE);
        // The first few counts need few planes.
        for (at, &(legal, _)) in moves.iter().enumerate() {
            let used = (usize::BITS - (at + 1).leading_zeros()) as usize;
            let legal = self.values[legal.gate()].flip(mask(legal.negated()));
            increment(&mut self.planes[..used], legal);
        }
        let (counts, drawn) = (&self.planes[..*planes], &mut self.drawn[..*planes]);
        random_below(counts, drawn, &mut self.rng);
        for &(legal, gate) in moves {
            let legal = self.values[legal.gate()].flip(mask(legal.negated()));
            let chosen = decrement(drawn, legal);
            if let Some(gate) = gate {
                self.values[gate as usize] = chosen;
            }
        }
    }

    /// Replaces the position of running lanes by the next one, of restarted lanes by the first.
    #[inline(always)]
    fn commit(&mut self, restarted: Lanes<W>) {
        let held = self.waiting.without(restarted);
        // All next values are read before any fact changes, for a fact may be another's next value.
        for (at, fact) in self.batch.facts.iter().enumerate() {
            let next = self.values[fact.next.gate()].flip(mask(fact.next.negated()));
            let now = self.values[fact.gate as usize];
            let kept = next.without(held).or(now.and(held));
            self.pending[at] = kept.without(restarted).or(self.first[at].and(restarted));
        }
        for (fact, &value) in self.batch.facts.iter().zip(&self.pending) {
            self.values[fact.gate as usize] = value;
        }
    }
}

fn for_each_lane<const W: usize>(lanes: Lanes<W>, mut visit: impl FnMut(usize)) {
    for (at, mut word) in lanes.0.into_iter().enumerate() {
        while word != 0 {
            visit(at * 64 + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}
