//! Lowering of rules, phases and ends.

use super::{Args, Lower, Lowered};
use crate::game::{Compiled, ContainerKind, Meta, Mode};
use crate::ir::{Bool, EndResult, EndRule, EndWho, Moves, NextPhase, Outcome, Phase};
use crate::topo::SiteType;
use ludex_lang::lud::check::{Argument, Value};
use ludex_lang::lud::tree::Node;

impl Lower<'_> {
    /// The whole game, once the equipment is there.
    pub(super) fn game<T>(
        &mut self,
        args: &Args<'_>,
        text: &Node,
        more: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<(Compiled, T)> {
        let name = self.text(args, "name").unwrap_or("").into();
        args.get("players");
        args.get("equipment");
        let mode = self.mode(args)?;
        let rules = self.need(args, "rules")?;
        let rules = self.call_of(rules)?;
        self.done(args)?;
        self.number_messages(text);
        let phases_given = self.items(&rules, "phases");
        self.phase_names = phases_given
            .iter()
            .filter_map(|phase| match &phase.value {
                Value::Call(call) => Some(Args::new(call)),
                _ => None,
            })
            .filter_map(|phase| self.text(&phase, "name").map(Into::into))
            .collect();
        let meta = self.meta(&rules)?;
        let start = match rules.get("start") {
            Some(start) => self.start(start)?,
            None => Vec::new(),
        };
        let moves = self.piece_moves(args);
        self.keep(moves);
        let play = match rules.get("play") {
            Some(play) => {
                let play = self.play(play);
                self.keep(play)
            }
            None => None,
        };
        let mut phases: Vec<Phase> = Vec::new();
        for phase in phases_given {
            let phase = self.phase(phase, play.as_ref());
            phases.extend(self.keep(phase));
        }
        if let (true, Some(play)) = (phases.is_empty(), play) {
            phases.push(Phase {
                name: "".into(),
                owner: None,
                play,
                end: Vec::new(),
                next: Vec::new(),
            });
        }
        let end = match rules.get("end") {
            Some(end) => self.end(end)?,
            None => Vec::new(),
        };
        let read = self.done(&rules);
        self.keep(read);
        let known = self.names_known();
        self.keep(known);
        self.equipment_asked();
        for ends in [self.regions_end(), self.pieces_end()] {
            self.keep(ends);
        }
        self.sound()?;
        self.phases_reached(phases_given, &phases);
        self.lines_fit();
        if phases.is_empty() {
            return self.wrong(rules.call.place, "these rules have no play");
        }
        if let (Some(forbidden), Some(asked)) = (meta.no_repeat, self.flags.repeats)
            && forbidden != asked
        {
            let why = "a game compares its positions in one way";
            return self.refuse_for(rules.call.place, "repetitions of several kinds", why);
        }
        if self.flags.large_piece && self.flags.stacking {
            let why = "a piece of several sites would lie at a height of its own on each of them";
            return self.refuse_for(rules.call.place, "stacking in a game with large pieces", why);
        }
        if let (Some(place), true) = (self.flags.flat_line, self.flags.stacking) {
            let why = "lines of stacks go through one site and have no gaps";
            return self.refuse_for(place, "this kind of line of stacks", why);
        }
        let more = more(self)?;
        let puzzle = match (self.sheet.values, self.clauses.is_empty()) {
            (Some(range), false) => Some(range),
            (Some(_), true) => {
                let why = "values belong to puzzles, whose play is `(satisfy …)`";
                let what = "a board with values without `(satisfy …)`";
                return self.refuse_for(rules.call.place, what, why);
            }
            (None, _) => None,
        };
        if let (Some(place), None) = (self.solved, puzzle) {
            let why = "constraints say what is solved";
            return self.refuse_for(place, "`(is Solved)` without `(satisfy …)`", why);
        }
        if let (Some(place), None) = (self.sheet_place, puzzle) {
            let why = "constraints alone ask for rows and columns; sites are given by `(sites …)`";
            return self.refuse_for(place, "a region given by its kind outside puzzles", why);
        }
        if let Some((min, max)) = puzzle {
            self.value_pieces(min, max);
        }
        let mut game = self.finish(name, mode, meta, start, phases, end, text);
        let ground = |range| crate::puzzle::ground(&game, &self.sheet, &self.clauses, range);
        game.puzzle = puzzle.map(ground).map(Box::new);
        game.clues = crate::puzzle::clues(&self.sheet, &self.clauses);
        Ok((game, more))
    }

    fn mode(&mut self, args: &Args<'_>) -> Lowered<Mode> {
        let Some(mode) = args.get("mode") else {
            return Ok(if self.players == 0 { Mode::Simulation } else { Mode::Alternating });
        };
        let inner = self.call_of(mode)?;
        match self.word(&inner, "mode") {
            // Where nobody plays, nobody takes turns.
            Some(_) if self.players == 0 => Ok(Mode::Simulation),
            Some("Alternating") => Ok(Mode::Alternating),
            Some("Simultaneous") => Ok(Mode::Simultaneous),
            Some("Simulation") => Ok(Mode::Simulation),
            _ => self.refuse(mode.place, "this mode of play"),
        }
    }

    fn meta(&mut self, rules: &Args<'_>) -> Lowered<Meta> {
        let mut meta = Meta::default();
        let Some(argument) = rules.get("meta") else {
            return Ok(meta);
        };
        let args = self.call_of(argument)?;
        let mut list: Vec<&Argument> = self.items(&args, "rules").iter().collect();
        list.extend(args.get("rule"));
        for item in list {
            let rule = self.call_of(item)?;
            match rule.key() {
                "swap" => meta.swap = true,
                "no.Repeat" => {
                    let word = self.word(&rule, "repetitionType");
                    meta.no_repeat = Some(self.repetition(word));
                }
                "automove" => meta.automove = true,
                "no.Suicide" => meta.no_suicide = true,
                "passEnd" => {
                    if self.word(&rule, "type") == Some("NoEnd") {
                        self.flags.not_all_pass = true;
                    }
                }
                "pin" => {
                    self.word(&rule, "type");
                    meta.pin = true;
                }
                "gravity" => {
                    self.word(&rule, "type");
                    meta.gravity = true;
                }
                "noStackOn" => {
                    self.word(&rule, "type");
                    meta.no_stack_on = true;
                }
                _ => return self.unknown(&rule),
            }
            self.done(&rule)?;
        }
        self.done(&args)?;
        Ok(meta)
    }

    fn play(&mut self, argument: &Argument) -> Lowered<Moves> {
        let args = self.call_of(argument)?;
        let moves = self.need(&args, "moves")?;
        let moves = self.moves(moves)?;
        self.done(&args)?;
        Ok(moves)
    }

    fn phase(&mut self, argument: &Argument, play: Option<&Moves>) -> Lowered<Phase> {
        let args = self.call_of(argument)?;
        let name = self.text(&args, "name").unwrap_or("").into();
        let owner = match self.word(&args, "role") {
            None | Some("Shared" | "All" | "Each") => None,
            Some(role) => match self.role(role) {
                crate::ir::Int::Const(player) => Some(player),
                _ => return self.refuse(argument.place, "the role of this phase"),
            },
        };
        if args.has("mode") {
            let why =
                "all phases of a game are played in one mode: `(mode …)` stands in `(game …)`";
            return self.refuse_for(argument.place, "the mode of this phase", why);
        }
        let play = match args.get("play") {
            Some(play) => self.play(play)?,
            None => match play {
                Some(play) => play.clone(),
                None => return self.wrong(argument.place, "this phase has no play"),
            },
        };
        let end = match args.get("end") {
            Some(end) => self.end(end)?,
            None => Vec::new(),
        };
        let mut next = Vec::new();
        for item in self.items(&args, "nextPhases") {
            next.push(self.next_phase(item)?);
        }
        if let Some(item) = args.get("nextPhase") {
            next.push(self.next_phase(item)?);
        }
        self.done(&args)?;
        Ok(Phase { name, owner, play, end, next })
    }

    fn next_phase(&mut self, argument: &Argument) -> Lowered<NextPhase> {
        let args = self.call_of(argument)?;
        let who = self.player(&args, &["role", "indexPlayer"])?;
        let to = match self.text(&args, "phaseName") {
            None => None,
            Some(name) => match self.phase_names.iter().position(|known| &**known == name) {
                Some(at) => Some(at),
                None => {
                    let known = self.phase_names.iter().map(|name| &**name);
                    return self.nothing_called(argument.place, "phase", name, known);
                }
            },
        };
        let cond: Bool = self.bool_or(&args, "cond", true)?;
        self.done(&args)?;
        Ok(NextPhase { who, cond, to })
    }

    pub(super) fn end(&mut self, argument: &Argument) -> Lowered<Vec<EndRule>> {
        let args = self.call_of(argument)?;
        let mut out = Vec::new();
        for item in self.items(&args, "endRules").iter().chain(args.get("endRule")) {
            let rule = self.end_rule(item);
            out.extend(self.keep(rule));
        }
        self.done(&args)?;
        Ok(out)
    }

    /// Every phase is entered from another, or is somebody's first.
    fn phases_reached(&mut self, given: &[Argument], phases: &[Phase]) {
        let mine = |phase: &Phase, player: i32| phase.owner.is_none_or(|owner| owner == player);
        let first = |player: i32| phases.iter().position(|phase| mine(phase, player));
        let mut open: Vec<usize> = (1..=self.players.max(1)).filter_map(first).collect();
        let mut reached = vec![false; phases.len()];
        while let Some(at) = open.pop() {
            if at < phases.len() && !std::mem::replace(&mut reached[at], true) {
                // The one after may be the first again.
                let after = |to: Option<usize>| to.unwrap_or((at + 1) % phases.len());
                open.extend(phases[at].next.iter().map(|next| after(next.to)));
            }
        }
        for (phase, _) in given.iter().zip(&reached).filter(|(_, reached)| !**reached) {
            self.warn(phase.place, "no other phase leads to this one".into(), None);
        }
    }

    fn end_rule(&mut self, argument: &Argument) -> Lowered<EndRule> {
        let args = self.call_of(argument)?;
        let rule = match args.key() {
            "if" => {
                let test = self.need(&args, "test")?;
                let test = self.bool(test)?;
                let mut subs = Vec::new();
                for item in self.items(&args, "subs") {
                    subs.push(self.end_rule(item)?);
                }
                if let Some(sub) = args.get("sub") {
                    subs.push(self.end_rule(sub)?);
                }
                let result = match args.get("result") {
                    Some(result) => Some(self.end_result(result)?),
                    None => None,
                };
                if subs.is_empty() && result.is_none() {
                    let message = "nothing comes of this condition".into();
                    let help = "say what it means, such as `(result Mover Win)`".to_string();
                    self.warn(argument.place, message, Some(help));
                }
                EndRule::If(test, subs, result)
            }
            "forEach" => {
                let cond = self.need(&args, "if")?;
                let cond = self.bool(cond)?;
                let result = self.need(&args, "result")?;
                let result = self.end_result(result)?;
                if args.get("trackType").is_some() {
                    EndRule::ForEachTrack(cond, result)
                } else {
                    let non_mover = match self.word(&args, "type") {
                        Some("NonMover") => true,
                        None | Some("Player") => false,
                        Some(_) => return self.refuse(argument.place, "this role"),
                    };
                    EndRule::ForEachPlayer { non_mover, cond, result }
                }
            }
            _ => return self.unknown(&args),
        };
        self.done(&args)?;
        Ok(rule)
    }

    fn end_result(&mut self, argument: &Argument) -> Lowered<EndResult> {
        let args = self.call_of(argument)?;
        let result = match args.key() {
            "result" => {
                let role = self.word(&args, "who").unwrap_or("All");
                let who = match role {
                    "All" => EndWho::All,
                    "Shared" | "Each" | "NonMover" | "Enemy" | "Friend" | "Ally" => {
                        let what = format!(
                            "`{role}` in a result, which is of one player, a team or `All`,"
                        );
                        return self.refuse(argument.place, &what);
                    }
                    team if team.starts_with("Team") => EndWho::Team(self.role(team)),
                    role => {
                        if role == "Neutral" && self.players > 0 {
                            let message = "nobody is `Neutral`: nothing comes of this result";
                            self.warn(argument.place, message.into(), None);
                        }
                        EndWho::Player(self.role(role))
                    }
                };
                let outcome = match self.word(&args, "result") {
                    Some("Win") => Outcome::Win,
                    Some("Loss") => Outcome::Loss,
                    Some("Draw") => Outcome::Draw,
                    Some("Tie") => Outcome::Tie,
                    _ => return self.refuse(argument.place, "this outcome"),
                };
                EndResult::Result(who, outcome)
            }
            "byScore" => {
                let mut scores = Vec::new();
                for item in self.items(&args, "finalScore") {
                    let score = self.call_of(item)?;
                    let role = self.word(&score, "role").unwrap_or("Mover");
                    let player = self.role(role);
                    scores.push((player, self.need_int(&score, "score")?));
                    self.done(&score)?;
                }
                EndResult::ByScore(scores, self.bool_or(&args, "misere", false)?)
            }
            "payoffs" => {
                let mut payoffs = Vec::new();
                for item in self.items(&args, "finalPayoffs") {
                    let paid = self.call_of(item)?;
                    let player = self.role(self.word(&paid, "role").unwrap_or("Mover"));
                    let payoff = self.need(&paid, "payoff")?;
                    payoffs.push((player, self.float(payoff)?));
                    self.done(&paid)?;
                }
                EndResult::Payoffs(payoffs)
            }
            _ => return self.unknown(&args),
        };
        self.done(&args)?;
        Ok(result)
    }

    #[allow(clippy::too_many_arguments, reason = "everything gathered comes together here")]
    pub(super) fn finish(
        &mut self,
        name: Box<str>,
        mode: Mode,
        meta: Meta,
        start: Vec<crate::ir::Start>,
        phases: Vec<Phase>,
        end: Vec<EndRule>,
        text: &Node,
    ) -> Compiled {
        let take = std::mem::take::<Vec<_>>;
        let late = std::mem::take(&mut self.late);
        let flags = self.flags.clone();
        let history = meta.no_repeat.or(flags.repeats);
        let stacking = flags.stacking || flags.large_stack;
        // Hands and dice let sites hold several pieces.
        let hands = self.containers.len() > 1;
        let dice = |c: &&crate::game::Container| matches!(c.kind, ContainerKind::Dice(_));
        let dice_owners: Vec<i32> = self.containers.iter().filter(dice).map(|c| c.owner).collect();
        let default = self.topo.default;
        let mut used = [false; 3];
        used[default as usize] = true;
        for kind in [SiteType::Vertex, SiteType::Edge, SiteType::Cell] {
            used[kind as usize] |= mentions(text, kind.name());
        }
        let board = self.topo.count(SiteType::Cell).max(self.topo.count(default));
        let mut container_of = vec![0u8; board];
        for (at, container) in self.containers.iter().enumerate().skip(1) {
            container_of.extend(std::iter::repeat_n(at as u8, container.count as usize));
        }
        let inner_loops = self.tracks.iter().any(|t| {
            t.bumps.iter().all(|&b| b == 0)
                && (1..t.sites.len()).any(|n| t.sites[..n].contains(&t.sites[n]))
        });
        let outer = self.topo.plane(default).set("Outer");
        let turns = |kind| self.topo.plane(kind).supported(crate::ir::Relation::All).len();
        let rotations = if mentions(text, "Rotation") {
            turns(SiteType::Cell).max(turns(SiteType::Vertex))
        } else {
            0
        };
        let placeholder = ludex_board::Topology::new(ludex_board::Graph::new());
        let topo =
            std::mem::replace(&mut self.topo, crate::topo::Topology::new(placeholder, default));
        Compiled {
            name,
            players: self.players,
            player_facing: take(&mut self.facings),
            topo,
            components: std::mem::take(&mut self.components),
            containers: std::mem::take(&mut self.containers),
            container_of,
            tracks: std::mem::take(&mut self.tracks),
            inner_loops,
            regions: std::mem::take(&mut self.regions),
            maps: std::mem::take(&mut self.maps),
            vars: std::mem::take(&mut self.vars),
            texts: std::mem::take(&mut self.texts),
            consequences: std::mem::take(&mut self.consequences),
            late,
            start,
            phases,
            end,
            meta,
            mode,
            boardless: flags.boardless,
            line_of_play: flags.line_of_play,
            stacking,
            large_stacks: flags.large_stack,
            counts: !stacking && (flags.counts || hands),
            visited: flags.visited,
            cycles: flags.cycles,
            sequence_capture: flags.sequence_capture,
            asks_ends: flags.asks_ends,
            asks_turn_from: flags.asks_turn_from,
            history,
            clues: Vec::new(),
            puzzle: None,
            teams: flags.teams,
            hides: flags.hides,
            all_pass_ends: !flags.not_all_pass
                && dice_owners.is_empty()
                && mode != Mode::Simulation,
            chance: flags.chance,
            counts_legal: flags.counts_legal,
            random: flags.random,
            rolls_later: flags.rolls_later,
            max_turns: flags.max_turns,
            max_moves: flags.max_moves,
            max_count: i32::MAX,
            rotations: rotations as i32,
            dice_owners,
            used,
            outer,
            large_pieces: flags.large_piece,
            subgames: Vec::new(),
            scores: flags.scores,
            places: crate::memo::Memo::default(),
            recall: crate::memo::Memo::default(),
            kinds: crate::memo::Memo::default(),
            warnings: self.warnings.take(),
        }
    }
}

/// Whether a word occurs anywhere in a tree.
pub(super) fn mentions(node: &Node, word: &str) -> bool {
    node.word() == Some(word) || node.children().iter().any(|child| mentions(child, word))
}
