//! The course of a game: what players may do, playing a move, the end.

use super::code::{Act, Carry, End, Node, Verdict};
use super::effects::{Item, change};
use super::eval::{Binds, holes};
use super::position::{Outcome, Position};
use super::rules::Seeds;
use smallvec::SmallVec;

/// A move: the number of a way to move, the hole it starts from (64: none), and the one it ends on where that is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub way: u16,
    pub site: u8,
    pub to: u8,
}

impl Step {
    /// The pass of a player who has no move: the first of all ways.
    pub(super) const PASS: Step = Step { way: 0, site: 64, to: 64 };

    /// A move that ends where it starts.
    fn at(way: u16, site: i32) -> Step {
        Step { way, site: site as u8, to: 64 }
    }
}

/// Moves.
pub(super) type Steps = SmallVec<[Step; 32]>;

impl Seeds {
    /// Moves among which all legal ones are, in order.
    pub(super) fn candidates(&self, p: &Position) -> Steps {
        let mut out = Steps::new();
        let phase = p.phases[p.mover as usize & 3] as usize;
        self.walk(p, &self.code.phases[phase].play, &mut out);
        out
    }

    /// All legal moves, the forced pass included.
    pub(super) fn legal(&self, p: &Position) -> Steps {
        let mut out = self.candidates(p);
        out.retain(|step| self.admits_step(p, *step));
        if out.is_empty() {
            out.push(Step::PASS);
        }
        out
    }

    /// Whether one of some moves can be made.
    pub(super) fn can(&self, p: &Position, node: &Node) -> bool {
        let mut out = Steps::new();
        self.walk(p, node, &mut out);
        out.iter().any(|&step| self.admits_step(p, step))
    }

    fn walk(&self, p: &Position, node: &Node, out: &mut Steps) {
        match node {
            Node::All(all) => all.iter().for_each(|node| self.walk(p, node, out)),
            Node::If(cond, yes, no) => match (self.cond(p, &Binds::NONE, cond), no) {
                (true, _) => self.walk(p, yes, out),
                (false, Some(no)) => self.walk(p, no, out),
                (false, None) => {}
            },
            Node::Priority(all) => {
                let before = out.len();
                for node in all {
                    self.walk(p, node, out);
                    if out.len() > before {
                        break;
                    }
                }
            }
            Node::Select(way, set) => {
                let starts = holes(self.set(p, &Binds::NONE, set));
                out.extend(starts.map(|site| Step::at(*way, site)));
            }
            Node::Filled(way, set, among, least) => {
                for site in holes(self.set(p, &Binds::NONE, set) & among) {
                    if p.count(site) >= *least {
                        out.push(Step::at(*way, site));
                    }
                }
            }
            Node::Carry(way, carry) => self.carries(p, *way, carry, out),
            Node::Clear(way, set) => {
                let sites = holes(self.set(p, &Binds::NONE, set));
                let filled = sites.filter(|&site| p.count(site) > 0);
                out.extend(filled.map(|site| Step::at(*way, site)));
            }
            Node::Plain(way) => out.push(Step::at(*way, 64)),
        }
    }

    fn carries(&self, p: &Position, way: u16, carry: &Carry, out: &mut Steps) {
        let mut v = Binds::NONE;
        for from in holes(self.set(p, &v, &carry.from)).filter(|&site| p.count(site) > 0) {
            v.from = from;
            if carry.from_cond.as_ref().is_some_and(|cond| !self.cond(p, &v, cond)) {
                continue;
            }
            for to in holes(self.set(p, &v, &carry.to)) {
                v.to = to;
                if self.cond(p, &v, &carry.cond) {
                    out.push(Step { way, site: from as u8, to: to as u8 });
                }
            }
        }
    }

    /// Whether what must hold after a move does.
    pub(super) fn admits_step(&self, p: &Position, step: Step) -> bool {
        let way = &self.code.ways[step.way as usize];
        way.after.iter().all(|(cond, follow)| {
            let mut look = *p;
            self.act(&mut look, step, *follow);
            if look.mover == look.next {
                look.next = look.prev;
            }
            self.cond(&look, &Binds::NONE, cond)
        })
    }

    fn any_legal(&self, p: &Position) -> bool {
        self.candidates(p).iter().any(|&step| self.admits_step(p, step))
    }

    /// Whether the player who is next would have no move.
    pub(super) fn next_is_stuck(&self, p: &Position) -> bool {
        let mut look = *p;
        if p.outcome == Outcome::Open {
            (look.prev, look.mover, look.next) = (p.mover, p.next, 3 - p.next);
        }
        !self.any_legal(&look)
    }

    /// What a move changes, with so many of its consequences.
    fn act(&self, p: &mut Position, step: Step, follow: usize) {
        let way = &self.code.ways[step.way as usize];
        let from = if step.site < 64 { i32::from(step.site) } else { -1 };
        let to = if step.to < 64 { i32::from(step.to) } else { from };
        match &way.act {
            Act::Select | Act::Pass => {}
            Act::Carry(count) => {
                let v = Binds { from, ..Binds::NONE };
                let count = count.as_ref().map(|count| self.num(p, &v, count));
                let item = self.carried(from, to, count);
                change(p, item);
            }
            Act::Clear => change(p, Item::Clear(step.site)),
            Act::Propose(text) => p.proposed |= 1 << text,
            Act::Vote(text) => vote(p, *text),
        }
        p.moves += 1;
        p.last_pass = way.act == Act::Pass;
        p.note(p.last_pass);
        (p.last_from, p.last_to) = (from, to);
        p.trail = [from, to];
        p.last_after = p.trail;
        for &then in &way.then[..follow] {
            self.follow(p, then);
        }
        p.last_after = p.trail;
    }

    /// Plays a legal move.
    pub(super) fn play(&self, p: &mut Position, step: Step) {
        let way = &self.code.ways[step.way as usize];
        let mover = p.mover;
        let stuck = way.act == Act::Pass && !self.any_legal(p);
        p.stuck = p.stuck & !(1 << mover) | u8::from(stuck) << mover;
        p.pending = 0;
        p.decided = None;
        self.act(p, step, way.then.len());
        self.check_end(p);
        if p.outcome == Outcome::Open {
            self.change_phases(p);
        }
        p.counter += 1;
        if self.code.cycles {
            p.note_hash();
        }
        if p.outcome != Outcome::Open {
            return;
        }
        p.prev = mover;
        p.mover = p.next;
        if p.prev == p.mover {
            p.turn_moves += 1;
        } else {
            p.turn_moves = 0;
            p.turns += 1;
        }
        p.next = 3 - p.mover;
    }

    fn change_phases(&self, p: &mut Position) {
        for player in 1..=2 {
            let phase = p.phases[player as usize] as usize;
            for (who, cond, to) in &self.code.phases[phase].next {
                let who = who.as_ref().map(|who| self.num(p, &Binds::NONE, who));
                if who.is_some_and(|who| who != player && who != 3) {
                    continue;
                }
                if self.cond(p, &Binds::NONE, cond) {
                    p.phases[player as usize] = *to as u8;
                    break;
                }
            }
        }
    }

    fn check_end(&self, p: &mut Position) {
        let phase = p.phases[p.mover as usize & 3] as usize;
        if !self.code.phases[phase].end.is_empty() {
            self.end_rules(p, &self.code.phases[phase].end);
        }
        if p.outcome == Outcome::Open && !self.code.end.is_empty() {
            self.end_rules(p, &self.code.end);
        }
        let late = p.turns >= self.code.max_turns || p.moves >= self.code.max_moves;
        if p.outcome == Outcome::Open && late {
            p.outcome = Outcome::Drawn;
        }
    }

    fn end_rules(&self, p: &mut Position, rules: &[End]) {
        for rule in rules {
            if let Some(verdict) = self.verdict_of(p, rule) {
                self.judge(p, &Binds::NONE, verdict);
            }
        }
        if p.outcome == Outcome::Open && self.code.passes_end && self.all_passed(p) {
            p.outcome = Outcome::Drawn;
        }
    }

    fn verdict_of<'a>(&'a self, p: &mut Position, rule: &'a End) -> Option<&'a Verdict> {
        match rule {
            End::If(cond, subs, verdict) => {
                if !self.cond(p, &Binds::NONE, cond) {
                    return None;
                }
                subs.iter().find_map(|sub| self.verdict_of(p, sub)).or(verdict.as_ref())
            }
            End::EachPlayer(non_mover, cond, verdict) => {
                for player in 1..=2 {
                    let skipped = *non_mover && player == p.mover;
                    if skipped || p.outcome != Outcome::Open {
                        continue;
                    }
                    let v = Binds { player, ..Binds::NONE };
                    if self.cond(p, &v, cond) {
                        self.judge(p, &v, verdict);
                    }
                }
                None
            }
        }
    }

    fn judge(&self, p: &mut Position, v: &Binds, verdict: &Verdict) {
        let open = p.outcome == Outcome::Open;
        match verdict {
            Verdict::Win(player) => {
                if let (player @ 1..=2, true) = (self.num(p, v, player), open) {
                    p.outcome = Outcome::Won(player as u8);
                }
            }
            Verdict::Loss(player) => {
                if let (player @ 1..=2, true) = (self.num(p, v, player), open) {
                    p.outcome = Outcome::Won(3 - player as u8);
                }
            }
            Verdict::Draw => {
                if open {
                    p.outcome = Outcome::Drawn;
                }
            }
            // Scores decide even what was decided before.
            Verdict::Score(scores, misere) => {
                let misere = self.cond(p, v, misere);
                for (player, score) in scores {
                    let (player, score) = (self.num(p, v, player), self.num(p, v, score));
                    if let Some(old) = p.scores.get_mut(player.max(0) as usize) {
                        *old = score;
                    }
                }
                let [_, first, second, _] = p.scores;
                p.outcome = match (first == second, (first > second) != misere) {
                    (true, _) => Outcome::Drawn,
                    (false, true) => Outcome::Won(1),
                    (false, false) => Outcome::Won(2),
                };
            }
        }
    }

    /// Whether everybody passed in turn, as the general evaluator has it.
    pub(super) fn all_passed(&self, p: &Position) -> bool {
        let made = p.recent[..p.recent_count as usize].iter().copied();
        // Beyond the first move there are the moves of the start, which nobody made.
        let mut moves = made.chain(std::iter::repeat_n(0, self.code.placed));
        let mut turn = p.mover as u8;
        let (mut passed, mut length) = (false, 0);
        for _ in 0..2 {
            loop {
                let Some(last) = moves.next() else {
                    return passed;
                };
                if length > 1 {
                    return false;
                }
                let pass = last & 1 == 1;
                if last >> 1 != turn {
                    if !passed {
                        return false;
                    }
                    (turn, length, passed) = (last >> 1, 0, pass);
                    break;
                }
                length += 1;
                passed = pass;
            }
        }
        true
    }
}

/// Counts a vote; when both have voted, what both want is decided.
fn vote(p: &mut Position, text: u16) {
    p.votes[p.vote_count as usize & 1] = text;
    p.vote_count += 1;
    if p.vote_count == 2 {
        if p.votes[0] == p.votes[1] {
            p.decided = Some(p.votes[0]);
        }
        p.vote_count = 0;
        p.proposed = 0;
    }
}
