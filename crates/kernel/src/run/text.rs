//! A kernel for people: the same texts of moves and positions as the general form has.

use super::board::Board;
use super::eval::Binds;
use super::{Kernel, Step};
use crate::code::{Act, Code, Deed, Effect, NOWHERE};
use ludex_game::{GameInfo, Machine, Move, PlayoutKind, mix};
use ludex_lud::game::Compiled;
use ludex_lud::show;
use ludex_lud::topo::SiteType;
use rustc_hash::FxHashMap;

/// What is known of a game before play.
pub(super) fn info(game: &Compiled, code: &Code) -> GameInfo {
    let mut info = show::info(game);
    info.machine = Machine::Families;
    let tried = code.sides.iter().flat_map(|side| &side.plans).any(|plan| plan.tried);
    let families: usize = code.leaves.iter().map(|leaf| leaf.families.len()).sum();
    let way = "sets of sites are combined, families of moves counted and one move picked";
    if info.playout == PlayoutKind::Listing || !tried {
        info.playout = PlayoutKind::CountAndPick;
    }
    info.playout_reason = match tried {
        true => format!("{way}; what must hold afterwards is tried for the move drawn only"),
        false => format!("{way}, out of {families} families"),
    };
    if let Some(&last) = code.throws.iter().max() {
        let kinds = usize::from(last) + 1;
        info.playout_reason += &format!(", written for each of {kinds} kinds of throw");
    }
    if code.asks() {
        info.playout_reason += ", and what has no code is put to the general evaluator";
    }
    if code.stores {
        info.playout = PlayoutKind::NoRepetition;
        info.playout_reason += ", by a hash of the position whether it is one stored before";
    }
    info
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    pub(super) fn hash_of(&self, b: &Board<W, S>) -> u64 {
        let mut hash = 0u64;
        let mut add = |word: u64| hash = mix(hash.rotate_left(5) ^ word);
        for set in &b.sets {
            set.0.iter().for_each(|&word| add(word));
        }
        for states in &b.state {
            for chunk in states.chunks(8) {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(chunk);
                add(u64::from_le_bytes(bytes));
            }
        }
        for chunk in b.held.iter().filter(|_| self.piles).flat_map(|held| held.chunks(8)) {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(chunk);
            add(u64::from_le_bytes(bytes));
        }
        let passes = if b.last_pass { b.recent & 0xffff } else { 0 };
        b.phases.chunks(4).for_each(|chunk| {
            add(chunk.iter().fold(0, |all, &phase| all << 8 | u64::from(phase)));
        });
        let [high, low] = b.throw.to_be_bytes();
        let thrown = [u8::from(b.swapped), u8::from(b.thrown), high, low];
        add(thrown.iter().fold(passes, |all, &part| all << 8 | u64::from(part)));
        let players = [b.mover, b.stuck, b.next, b.prev, b.pending_count];
        add(players.iter().fold(0, |all, &part| all << 8 | u64::from(part)));
        let recall = self.recall;
        let asked = recall.last.matters(b.mover, b.prev);
        let last = if asked { [b.last_from, b.last_to] } else { [0; 2] };
        let turn_moves = if recall.turn_moves { b.turn_moves as i16 } else { 0 };
        let last = [last[0], last[1], b.pending, turn_moves];
        add(last.iter().fold(0, |all, &part| all << 16 | u64::from(part as u16)));
        let counter = if recall.counter { b.counter } else { 0 };
        add(counter as u32 as u64 | u64::from(b.triggers) << 32);
        if recall.age {
            add(b.moves as u32 as u64 | (b.turns as u32 as u64) << 32);
        }
        b.scores.iter().for_each(|&score| add(score as u32 as u64));
        if self.code.sides.len() > 2 {
            add(b.ranks.key());
        }
        add(b.outcome.number());
        let said = [b.proposed, b.vote.map_or(0, |v| v + 1), b.decided.map_or(0, |d| d + 1)];
        add(said.iter().fold(0, |all, &part| all << 8 | u64::from(part)));
        b.notes.iter().for_each(|&note| add(note as u32 as u64));
        if self.code.stores {
            add(b.stored);
        }
        hash
    }

    pub(super) fn texts_of(&self, b: &Board<W, S>, moves: &[Move]) -> Vec<String> {
        let mut legal = Vec::new();
        self.list_legal(b, &mut legal);
        // As the rules speak of them, which is how their deeds are numbered.
        legal.sort_unstable_by_key(|mv| mv.0);
        legal.dedup();
        // Different moves that read the same are told apart by their place among them.
        let mut same: FxHashMap<String, Vec<Move>> = FxHashMap::default();
        for mv in legal {
            same.entry(self.plain_text(b, mv)).or_default().push(mv);
        }
        let text_of = |&mv: &Move| {
            let text = self.plain_text(b, mv);
            let alike = same.get(&text).filter(|alike| alike.len() > 1);
            match alike.and_then(|alike| alike.iter().position(|&other| other == mv)) {
                Some(place) => format!("{text}#{}", place + 1),
                None => text,
            }
        };
        moves.iter().map(text_of).collect()
    }

    fn plain_text(&self, b: &Board<W, S>, mv: Move) -> String {
        let step = Step::of(mv);
        let kind = |site: i32| (site >= 0).then(|| self.game.kind_at(None, site));
        let site = |site: i32| show::site(&self.game, kind(site), site);
        let Some(deed) = self.code.deeds.get(step.deed as usize) else {
            return String::new();
        };
        match deed.act {
            Act::Pass => "pass".to_string(),
            Act::Swap => "swap".to_string(),
            Act::Move | Act::Lift(_) | Act::Copy | Act::Exchange => {
                format!("{}-{}", site(step.from), site(step.to))
            }
            Act::Select if step.from == step.to => site(step.from),
            Act::Select => format!("{}-{}", site(step.from), site(step.to)),
            Act::Propose(text) => format!("propose {}", self.game.texts[text as usize]),
            Act::Vote(text) => format!("vote {}", self.game.texts[text as usize]),
            Act::Remove | Act::Pull(_) => format!("x{}", site(step.to)),
            Act::Place(what, _) => {
                let placed = show::placed(&self.game, i32::from(what), site(step.to));
                // The rules count the first piece that is turned to the decision.
                match self.first_turned(b, deed, step.to) {
                    Some(at) => {
                        let state = self.flipped(b, at).unwrap_or(b.state(at));
                        format!("{placed},{}:{state}", site(at))
                    }
                    None => placed,
                }
            }
            Act::Promote(what) => {
                format!("{}={}", site(step.to), show::piece(&self.game, i32::from(what)))
            }
            Act::Tile(what, ..) | Act::Add(what) => {
                show::placed(&self.game, i32::from(what), site(step.to))
            }
        }
    }

    fn first_turned(&self, b: &Board<W, S>, deed: &Deed, to: i32) -> Option<i32> {
        let Some(Effect::Custodial(custodial)) = &deed.before else {
            return None;
        };
        self.first_caught(b, &Binds::path(to, to, NOWHERE), custodial)
    }

    pub(super) fn shown(&self, b: &Board<W, S>) -> String {
        let mut state = self.game.empty_state();
        for site in 0..self.code.sites as i32 {
            let kind = self.game.kind_at(None, site);
            if self.stacks.is_some() {
                self.stack(b, site).for_each(|piece| state.layers[kind as usize].push(site, piece));
            } else if b.what(site) != 0 {
                state.layers[kind as usize].update(site, |place| *place = self.piece(b, site));
            }
        }
        for &(site, die) in &self.dice_at_start {
            let layer = &mut state.layers[SiteType::Cell as usize];
            match self.stacks {
                Some(_) => layer.push(site, die),
                None => layer.update(site, |p| *p = die),
            }
        }
        show::board(&self.game, &state, None)
    }
}
