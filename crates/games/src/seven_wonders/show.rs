//! The table as text: cities, the viewer's hand with what it costs, and the final score sheet.

use std::fmt::Write as _;

use super::SevenWonders;
use super::action::Way;
use super::components::*;
use super::demand::Split;
use super::score::Sheet;
use super::state::{Phase, State, TURNS};

/// What the letters of resources stand for.
const LEGEND: &str = "W wood, S stone, C clay, O ore, G glass, L cloth, P papyrus";

/// A number of things, `1 coin` or `2 coins`.
fn counted(number: u16, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

impl SevenWonders {
    /// The table as the player in `viewer` sees it, or all of it.
    pub(super) fn show_table(&self, state: &State, viewer: Option<usize>) -> String {
        let mut out = self.heading(state, viewer);
        if state.phase == Phase::Boards {
            return out;
        }
        for seat in 0..self.players {
            self.show_city(state, seat, viewer, &mut out);
        }
        match state.phase {
            Phase::Over => self.score_sheet(state, &mut out),
            Phase::Play | Phase::Seventh => {
                for seat in 0..self.players {
                    let shown = viewer.is_none_or(|viewer| viewer == seat);
                    let acts = state.phase == Phase::Play || usize::from(state.actor) == seat;
                    if shown && acts {
                        self.show_hand(state, seat, &mut out);
                    }
                }
            }
            Phase::Pick => {
                let seat = usize::from(state.actor);
                if viewer.is_none_or(|viewer| viewer == seat) {
                    self.show_pile(state, &mut out);
                }
            }
            Phase::Boards | Phase::Deal => {}
        }
        out
    }

    fn heading(&self, state: &State, viewer: Option<usize>) -> String {
        let age = ["I", "II", "III"][usize::from(state.age.min(2))];
        let passes = if state.age == 1 { "right" } else { "left" };
        let turn = state.turn + 1;
        let mut line = match state.phase {
            Phase::Boards => "The boards are drawn.".to_string(),
            Phase::Deal => format!("The cards of age {age} are dealt."),
            Phase::Play => {
                format!("Age {age}, turn {turn} of {TURNS}; hands pass to the {passes}.")
            }
            Phase::Seventh => format!("Age {age}: the last card is played too."),
            Phase::Pick => format!("Age {age}, turn {turn}: a card of the discard pile is built."),
            Phase::Over => "The game is over.".to_string(),
        };
        if let Some(seat) = viewer.filter(|_| state.phase != Phase::Boards) {
            let name = |seat: usize| self.city_name(state, seat);
            let (left, right) = (name(state.left(seat)), name(state.right(seat)));
            let _ = write!(line, " Left of you: {left}; right of you: {right}.");
        }
        line.push_str("\n\n");
        line
    }

    fn city_name(&self, state: &State, seat: usize) -> String {
        let city = &state.cities[seat];
        let board = &self.components.boards[usize::from(city.board)].name;
        format!("P{} {board} {}", seat + 1, ["A", "B"][usize::from(city.side)])
    }

    fn show_city(&self, state: &State, seat: usize, viewer: Option<usize>, out: &mut String) {
        let city = &state.cities[seat];
        let board = &self.components.boards[usize::from(city.board)];
        let stages = &board.sides[usize::from(city.side)];
        let you = if viewer == Some(seat) { " (you)" } else { "" };
        let [compass, gear, tablet, any] = city.science;
        let wild = if any > 0 { format!(" +{any} any") } else { String::new() };
        let _ = writeln!(
            out,
            "{}{you}: {}, {}, tokens +{} -{}, science {compass}/{gear}/{tablet}{wild}, {} so far",
            self.city_name(state, seat),
            counted(city.coins, "coin"),
            counted(city.shields.into(), "shield"),
            city.victory_points,
            city.defeats(),
            counted(self.sheet(state, seat).total().max(0) as u16, "point"),
        );
        let mut produces = vec![self.letters(board.kinds, "")];
        let cards = (0u8..).zip(&self.components.cards);
        let structures: Vec<&Card> =
            cards.filter(|(id, _)| city.built >> id & 1 == 1).map(|(_, card)| card).collect();
        let built = structures.iter().map(|card| &card.effects);
        let done = stages[..usize::from(city.stages())].iter().map(|stage| &stage.effects);
        produces.extend(built.chain(done).filter_map(|effects| self.production(effects)));
        let _ = writeln!(out, "  produces {}", produces.join(" "));
        let _ = writeln!(out, "  wonder   {}", self.wonder_line(stages, city.stages()));
        for colour in Colour::ALL {
            let of_colour = structures.iter().filter(|card| card.colour == colour);
            let names: Vec<&str> = of_colour.map(|card| card.name.as_str()).collect();
            if !names.is_empty() {
                let _ = writeln!(out, "  {:8} {}", colour.word(), names.join(", "));
            }
        }
    }

    fn letters(&self, kinds: u8, between: &str) -> String {
        let given = (0..7).filter(|kind| kinds >> kind & 1 == 1);
        let letters: Vec<String> = given.map(|kind| RESOURCE_LETTERS[kind].to_string()).collect();
        letters.join(between)
    }

    fn production(&self, effects: &Effects) -> Option<String> {
        if effects.kinds == 0 {
            return None;
        }
        if effects.choice {
            return Some(self.letters(effects.kinds, "/"));
        }
        let repeat = |kind: usize| {
            RESOURCE_LETTERS[kind].to_string().repeat(usize::from(effects.produces.units(kind)))
        };
        Some((0..7).map(repeat).collect())
    }

    fn wonder_line(&self, stages: &[Stage], built: u8) -> String {
        let describe = |(index, stage): (usize, &Stage)| {
            let mark = if index < usize::from(built) { "built: " } else { "" };
            format!("[{mark}{} -> {}]", cost_text(&stage.cost), self.effects_text(&stage.effects))
        };
        stages.iter().enumerate().map(describe).collect::<Vec<_>>().join(" ")
    }

    fn show_hand(&self, state: &State, seat: usize, out: &mut String) {
        let _ = writeln!(out, "\nHand of {} ({LEGEND}):", self.city_name(state, seat));
        let options = self.options(state, seat);
        let mut hand = state.hand(seat).to_vec();
        hand.sort_unstable();
        for id in hand {
            let card = self.card(id);
            let _ = writeln!(
                out,
                "  {:20} {:7} {:9} {:44} {}{}",
                card.name,
                card.colour.word(),
                cost_text(&card.cost),
                self.effects_text(&card.effects),
                self.build_text(state, seat, id, &options),
                self.chain_text(id)
            );
        }
        let stage = options.as_slice().iter().find(|(way, _)| *way == Way::Stage);
        let text = match (stage, self.next_stage(state, seat)) {
            (Some(&couple), _) => self.price_text(state, seat, couple),
            (None, Some(_)) => "cannot be paid".to_string(),
            (None, None) => "the wonder is complete".to_string(),
        };
        let _ = writeln!(out, "  next stage of the wonder: {text}");
    }

    /// Which structures a card makes free later.
    fn chain_text(&self, id: CardId) -> String {
        let cards = self.components.cards.iter();
        let freed: Vec<&str> = cards
            .filter(|card| card.free_after >> id & 1 == 1)
            .map(|card| card.name.as_str())
            .collect();
        if freed.is_empty() { String::new() } else { format!("; frees {}", freed.join(", ")) }
    }

    fn build_text(
        &self,
        state: &State,
        seat: usize,
        id: CardId,
        options: &super::legal::Options,
    ) -> String {
        let card = self.card(id);
        let has = |way: Way| options.as_slice().contains(&(way, id));
        let mut text = if has(Way::Build) {
            if self.chained(state, seat, card) {
                "free by chain".to_string()
            } else {
                self.price_text(state, seat, (Way::Build, id))
            }
        } else if state.cities[seat].built & card.same_name != 0 {
            "already built".to_string()
        } else {
            "cannot be paid".to_string()
        };
        if has(Way::BuildFree) {
            text.push_str("; free by power");
        }
        text
    }

    /// Every way to pay for a legal couple.
    fn price_text(&self, state: &State, seat: usize, (way, id): (Way, CardId)) -> String {
        let mut splits = Vec::new();
        self.payments(state, seat, (way, id), &mut splits);
        let bank = match way {
            Way::Build => self.card(id).cost.coins,
            _ => self.next_stage(state, seat).map_or(0, |stage| stage.cost.coins),
        };
        let say = |split: &Split| {
            let part = |coins: u8, to: &str| (coins > 0).then(|| format!("{coins} {to}"));
            let parts =
                [part(bank, "to the bank"), part(split.left, "left"), part(split.right, "right")];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            if parts.is_empty() { "no coins".to_string() } else { parts.join(" + ") }
        };
        format!("can pay: {}", splits.iter().map(say).collect::<Vec<_>>().join(" or "))
    }

    fn show_pile(&self, state: &State, out: &mut String) {
        out.push_str("\nThe discard pile:\n");
        // Sorted: the order in which the cards went there face down is nobody's to see.
        let mut pile: Vec<CardId> = state.pile().map(|(_, id)| id).collect();
        pile.sort_unstable();
        for id in pile {
            let card = self.card(id);
            let effects = self.effects_text(&card.effects);
            let _ = writeln!(out, "  {:20} {:7} {effects}", card.name, card.colour.word());
        }
    }

    fn effects_text(&self, effects: &Effects) -> String {
        let mut parts = Vec::new();
        parts.extend(self.production(effects));
        let number = |n: u8, what: &str| (n > 0).then(|| counted(n.into(), what));
        parts.extend(number(effects.shields, "shield"));
        parts.extend(number(effects.points, "point"));
        parts.extend(number(effects.coins, "coin"));
        let symbols = ["compass", "gear", "tablet", "any symbol"];
        parts.extend(effects.science.map(|symbol| symbols[symbol as usize].to_string()));
        let per = |per: &PerCount, what: &str| per_text(per, what);
        parts.extend(effects.coins_per.as_ref().map(|count| per(count, "coins")));
        parts.extend(effects.points_per.as_ref().map(|count| per(count, "points")));
        for (flag, text) in [
            (DISCOUNT_RAW_LEFT, "raw materials from the left for 1"),
            (DISCOUNT_RAW_RIGHT, "raw materials from the right for 1"),
            (DISCOUNT_GOODS, "goods from both sides for 1"),
        ] {
            parts.extend((effects.discounts & flag != 0).then(|| text.to_string()));
        }
        for (flag, text) in [
            (POWER_FREE_BUILD, "one free structure an age"),
            (POWER_FROM_DISCARD, "a structure from the discard pile"),
            (POWER_SEVENTH_CARD, "the last card of an age is played"),
            (POWER_COPY_GUILD, "copies a neighbour's guild"),
        ] {
            parts.extend((effects.powers & flag != 0).then(|| text.to_string()));
        }
        parts.join(", ")
    }

    fn score_sheet(&self, state: &State, out: &mut String) {
        let _ = write!(out, "\n{:20}", "");
        for name in Sheet::NAMES {
            let _ = write!(out, "{name:>9}");
        }
        let _ = writeln!(out, "{:>9}{:>9}", "total", "coins");
        for seat in 0..self.players {
            let sheet = self.sheet(state, seat);
            let _ = write!(out, "{:20}", self.city_name(state, seat));
            for points in sheet.categories() {
                let _ = write!(out, "{points:9}");
            }
            let _ = writeln!(out, "{:9}{:9}", sheet.total(), state.cities[seat].coins);
        }
    }
}

fn cost_text(cost: &Cost) -> String {
    let resources: String = (0..7)
        .map(|kind| RESOURCE_LETTERS[kind].to_string().repeat(usize::from(cost.resources[kind])))
        .collect();
    match (cost.coins, resources.as_str()) {
        (0, "") => "free".to_string(),
        (0, _) => resources,
        (1, "") => "1 coin".to_string(),
        (coins, "") => format!("{coins} coins"),
        (coins, _) => format!("{coins} coins {resources}"),
    }
}

fn per_text(per: &PerCount, what: &str) -> String {
    let name = |bit: usize| match bit {
        COUNTED_STAGE => "stage",
        COUNTED_DEFEAT => "defeat",
        colour => Colour::ALL[colour].word(),
    };
    let counted: Vec<&str> = (0..9).filter(|bit| per.counted >> bit & 1 == 1).map(name).collect();
    let place = match (per.own, per.neighbours) {
        (true, false) => "own",
        (false, _) => "neighbours'",
        (true, true) => "own and neighbours'",
    };
    format!("{} {what} for each {place} {}", per.each, counted.join("/"))
}
