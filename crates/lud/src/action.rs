//! Primitive changes of a position, as game records list them.

use super::topo::SiteType;
use std::fmt::Write as _;

/// Nothing was said; records leave such fields out.
pub const NONE: i32 = -1;

/// One primitive change and whether it is the player's decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    /// What changes.
    pub kind: Change,
    /// The player's decision.
    pub decision: bool,
}

/// The primitive changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are those of the record format")]
pub enum Change {
    /// A piece moves.
    Move {
        kind_from: SiteType,
        from: i32,
        level_from: i32,
        kind_to: SiteType,
        to: i32,
        level_to: i32,
        state: i32,
        rotation: i32,
        value: i32,
        stack: bool,
    },
    /// Several of a pile move.
    MoveN { kind_from: SiteType, from: i32, kind_to: SiteType, to: i32, count: i32 },
    /// The upper part of a stack moves.
    StackMove { kind_from: SiteType, from: i32, kind_to: SiteType, to: i32, levels: i32 },
    /// A piece is copied.
    Copy { kind_from: SiteType, from: i32, level_from: i32, kind_to: SiteType, to: i32 },
    /// A piece appears.
    Add {
        kind: SiteType,
        to: i32,
        what: i32,
        count: i32,
        state: i32,
        rotation: i32,
        value: i32,
        stack: bool,
    },
    /// A piece appears inside a stack.
    Insert { kind: SiteType, to: i32, level: i32, what: i32, state: i32 },
    /// A piece vanishes; unless `applied` it only will, at the end of the turn.
    Remove { kind: SiteType, to: i32, level: i32, applied: bool },
    /// A site is chosen; nothing changes.
    Select {
        kind_from: SiteType,
        from: i32,
        kind_to: Option<SiteType>,
        to: i32,
        level_from: i32,
        level_to: i32,
    },
    /// A piece becomes another.
    Promote { kind: SiteType, to: i32, what: i32 },
    /// The number of pieces on a site.
    SetCount { kind: SiteType, to: i32, what: i32, count: i32 },
    /// Local state.
    SetState { kind: SiteType, to: i32, level: i32, state: i32 },
    /// Rotation.
    SetRotation { kind: SiteType, to: i32, rotation: i32 },
    /// Value.
    SetValue { kind: SiteType, to: i32, level: i32, value: i32 },
    /// A site of a puzzle gets a value.
    Assign { kind: SiteType, site: i32, value: i32 },
    /// A die falls.
    Die { site: i32, state: i32 },
    /// Whether all dice show the same.
    DiceEqual { value: bool },
    /// A die is used.
    UseDie { dice: i32, die: i32, site: i32 },
    /// A number kept between moves.
    SetTemp { value: i32 },
    /// Which suit is trump.
    SetTrumpSuit { suit: i32 },
    /// Who moves next.
    SetNext { player: i32 },
    /// Nobody does anything.
    Pass { forced: bool },
    /// A score.
    SetScore { player: i32, score: i32, add: bool },
    /// A variable.
    SetVar { index: u16, value: i32 },
    /// A pending value.
    SetPending { value: i32 },
    /// The counter.
    SetCounter { value: i32 },
    /// The pot.
    SetPot { value: i32 },
    /// A player's money.
    SetAmount { player: i32, value: i32 },
    /// A player's value.
    SetPlayerValue { player: i32, value: i32 },
    /// A bet.
    Bet { player: i32, value: i32 },
    /// A value to remember.
    Remember { name: Option<std::sync::Arc<str>>, value: i32 },
    /// A value to forget.
    Forget { name: Option<std::sync::Arc<str>>, value: i32 },
    /// Two players change seats.
    Swap { a: i32, b: i32 },
    /// A player joins a team.
    Team { team: i32, player: i32 },
    /// Something is hidden or shown.
    Hide { data: u8, kind: SiteType, to: i32, level: i32, who: i32, value: bool },
    /// An event.
    Trigger { event: Box<str>, player: i32 },
    /// A note to a player.
    Note { text: Box<str>, to: i32 },
    /// A proposal.
    Propose { text: Box<str>, index: u16 },
    /// A vote.
    Vote { text: Box<str>, index: u16 },
    /// The position is kept.
    Store { hash: u64 },
    /// The cost of a site.
    SetCost { kind: SiteType, to: i32, cost: i32 },
    /// The phase of a site.
    SetPhase { kind: SiteType, to: i32, phase: i32 },
    /// The next game of a match begins.
    NextInstance,
    /// Nothing: an effect that turned out empty.
    Nothing,
}

impl Change {
    /// Where it starts, as the reference counts it.
    pub fn from(&self) -> i32 {
        match *self {
            Change::Move { from, .. }
            | Change::MoveN { from, .. }
            | Change::StackMove { from, .. }
            | Change::Copy { from, .. }
            | Change::Select { from, .. } => from,
            Change::Add { to, .. }
            | Change::Insert { to, .. }
            | Change::Remove { to, .. }
            | Change::Promote { to, .. }
            | Change::SetCount { to, .. }
            | Change::SetState { to, .. }
            | Change::SetRotation { to, .. }
            | Change::SetValue { to, .. }
            | Change::SetCost { to, .. }
            | Change::SetPhase { to, .. }
            | Change::Hide { to, .. } => to,
            Change::Die { site, .. } | Change::Assign { site, .. } => site,
            Change::UseDie { site, .. } => site,
            _ => NONE,
        }
    }

    /// Where it ends, as the reference counts it.
    pub fn to(&self) -> i32 {
        match *self {
            Change::Move { to, .. }
            | Change::MoveN { to, .. }
            | Change::StackMove { to, .. }
            | Change::Copy { to, .. } => to,
            Change::Select { from, to, .. } => {
                if to == NONE {
                    from
                } else {
                    to
                }
            }
            _ => self.from(),
        }
    }

    /// Whether it changes pieces, variables, scores, pending values or who is next, and nothing else.
    pub fn is_local(&self) -> bool {
        matches!(
            self,
            Change::Move { .. }
                | Change::MoveN { .. }
                | Change::StackMove { .. }
                | Change::Copy { .. }
                | Change::Add { .. }
                | Change::Insert { .. }
                | Change::Remove { applied: true, .. }
                | Change::Promote { .. }
                | Change::SetCount { .. }
                | Change::SetState { .. }
                | Change::SetRotation { .. }
                | Change::SetValue { .. }
                | Change::Assign { .. }
                | Change::SetVar { .. }
                | Change::SetTemp { .. }
                | Change::SetScore { .. }
                | Change::SetPending { .. }
                | Change::SetCounter { .. }
                | Change::SetPot { .. }
                | Change::SetNext { .. }
                | Change::Nothing
        )
    }

    /// Kinds of site it starts and ends on.
    pub fn kinds(&self) -> [Option<SiteType>; 2] {
        match *self {
            Change::Move { kind_from, kind_to, .. }
            | Change::MoveN { kind_from, kind_to, .. }
            | Change::StackMove { kind_from, kind_to, .. }
            | Change::Copy { kind_from, kind_to, .. } => [Some(kind_from), Some(kind_to)],
            Change::Select { kind_from, kind_to, .. } => {
                [Some(kind_from), kind_to.or(Some(kind_from))]
            }
            Change::Add { kind, .. }
            | Change::Insert { kind, .. }
            | Change::Remove { kind, .. }
            | Change::Promote { kind, .. }
            | Change::SetCount { kind, .. }
            | Change::SetState { kind, .. }
            | Change::SetRotation { kind, .. }
            | Change::SetValue { kind, .. }
            | Change::Assign { kind, .. } => [Some(kind), Some(kind)],
            _ => [None, None],
        }
    }
}

/// Builds the text of one action field by field.
struct Fields(String);

impl Fields {
    fn new(name: &str) -> Self {
        Fields(format!("[{name}:"))
    }

    fn put(mut self, key: &str, value: impl std::fmt::Display) -> Self {
        let comma = if self.0.ends_with(':') { "" } else { "," };
        let _ = write!(self.0, "{comma}{key}={value}");
        self
    }

    fn unless(self, default: i32, key: &str, value: i32) -> Self {
        if value == default { self } else { self.put(key, value) }
    }

    fn end(mut self, decision: bool) -> String {
        if decision {
            self = self.put("decision", true);
        }
        self.0.push(']');
        self.0
    }
}

impl Action {
    /// An action that is not a decision.
    pub fn effect(kind: Change) -> Self {
        Action { kind, decision: false }
    }

    /// The text that records use; `var_name` gives the names of variables.
    pub fn text(&self, var_name: &dyn Fn(u16) -> String) -> String {
        let f = Fields::new;
        let fields = match &self.kind {
            Change::Move {
                kind_from,
                from,
                level_from,
                kind_to,
                to,
                level_to,
                state,
                rotation,
                value,
                stack,
            } => {
                let fields = f("Move")
                    .put("typeFrom", kind_from.name())
                    .put("from", from)
                    .unless(NONE, "levelFrom", *level_from)
                    .put("typeTo", kind_to.name())
                    .put("to", to)
                    .unless(NONE, "levelTo", *level_to)
                    .unless(NONE, "state", *state)
                    .unless(NONE, "rotation", *rotation)
                    .unless(NONE, "value", *value);
                if *stack { fields.put("stack", true) } else { fields }
            }
            Change::MoveN { kind_from, from, kind_to, to, count } => f("Move")
                .put("typeFrom", kind_from.name())
                .put("from", from)
                .put("typeTo", kind_to.name())
                .put("to", to)
                .put("count", count),
            Change::StackMove { kind_from, from, kind_to, to, levels } => f("StackMove")
                .put("typeFrom", kind_from.name())
                .put("from", from)
                .put("typeTo", kind_to.name())
                .put("to", to)
                .put("numLevel", levels),
            Change::Copy { kind_from, from, level_from, kind_to, to } => f("Copy")
                .put("typeFrom", kind_from.name())
                .put("from", from)
                .unless(NONE, "levelFrom", *level_from)
                .put("typeTo", kind_to.name())
                .put("to", to),
            Change::Add { kind, to, what, count, state, rotation, value, stack } => {
                let fields = f("Add")
                    .put("type", kind.name())
                    .put("to", to)
                    .put("what", what)
                    .unless(1, "count", *count)
                    .unless(NONE, "state", *state)
                    .unless(NONE, "rotation", *rotation)
                    .unless(NONE, "value", *value);
                if *stack { fields.put("stack", true) } else { fields }
            }
            Change::Insert { kind, to, level, what, state } => f("Insert")
                .put("type", kind.name())
                .put("to", to)
                .put("level", level)
                .put("what", what)
                .unless(NONE, "state", *state),
            Change::Remove { kind, to, level, applied } => {
                let fields = f("Remove")
                    .put("type", kind.name())
                    .put("to", to)
                    .unless(NONE, "level", *level);
                if *applied { fields } else { fields.put("applied", false) }
            }
            Change::Select { kind_from, from, kind_to, to, level_from, level_to } => {
                let fields = f("Select")
                    .put("typeFrom", kind_from.name())
                    .put("from", from)
                    .unless(NONE, "levelFrom", *level_from);
                match kind_to {
                    Some(kind) if *to != NONE => fields
                        .put("typeTo", kind.name())
                        .put("to", to)
                        .unless(NONE, "levelTo", *level_to),
                    _ => fields,
                }
            }
            Change::Promote { kind, to, what } => {
                f("Promote").put("type", kind.name()).put("to", to).put("what", what)
            }
            Change::SetCount { kind, to, what, count } => f("SetCount")
                .put("type", kind.name())
                .put("to", to)
                .put("what", what)
                .put("count", count),
            Change::SetState { kind, to, level, state } => f("SetState")
                .put("type", kind.name())
                .put("to", to)
                .unless(NONE, "level", *level)
                .put("state", state),
            Change::SetRotation { kind, to, rotation } => {
                f("SetRotation").put("type", kind.name()).put("to", to).put("rotation", rotation)
            }
            Change::Assign { kind, site, value } => {
                f("Set").put("type", kind.name()).put("var", site).put("value", value)
            }
            Change::SetValue { kind, to, level, value } => f("SetValue")
                .put("type", kind.name())
                .put("to", to)
                .unless(NONE, "level", *level)
                .put("value", value),
            Change::Die { site, state } => {
                f("SetStateAndUpdateDice").put("site", site).put("state", state)
            }
            Change::DiceEqual { value } => f("SetDiceAllEqual").put("value", value),
            Change::UseDie { dice, die, site } => {
                f("UseDie").put("indexHandDice", dice).put("indexDie", die).put("site", site)
            }
            Change::SetTemp { value } => f("SetTemp").put("temp", value),
            Change::SetTrumpSuit { suit } => f("SetTrumpSuit").put("trumpSuit", suit),
            Change::SetNext { player } => f("SetNextPlayer").put("player", player),
            Change::Pass { forced } => {
                let text = if *forced { ",forced=true" } else { "" };
                let decision = if self.decision { "decision=true" } else { "" };
                return format!("[Pass:{decision}{text}]");
            }
            Change::SetScore { player, score, add } => {
                let fields = f("SetScore").put("player", player).put("score", score);
                if *add { fields.put("add", true) } else { fields }
            }
            Change::SetVar { index, value } => {
                f("SetVar").put("name", var_name(*index)).put("value", value)
            }
            Change::SetPending { value } => f("SetPending").unless(NONE, "value", *value),
            Change::SetCounter { value } => f("SetCounter").put("counter", value),
            Change::SetPot { value } => f("SetPot").put("pot", value),
            Change::SetAmount { player, value } => {
                f("SetAmount").put("player", player).put("amount", value)
            }
            Change::SetPlayerValue { player, value } => {
                f("SetValueOfPlayer").put("player", player).put("value", value)
            }
            Change::Bet { player, value } => f("Bet").put("player", player).put("bet", value),
            Change::Remember { name, value } => match name {
                Some(name) => f("RememberValue").put("name", name).put("value", value),
                None => f("RememberValue").put("name", "null").put("value", value),
            },
            Change::Forget { name, value } => match name {
                Some(name) => f("ForgetValue").put("name", name).put("value", value),
                None => f("ForgetValue").put("name", "null").put("value", value),
            },
            Change::Swap { a, b } => f("Swap").put("player1", a).put("player2", b),
            Change::Team { team, player } => {
                f("AddPlayerToTeam").put("team", team).put("player", player)
            }
            Change::Hide { data, kind, to, level, who, value } => {
                const NAMES: [&str; 7] = ["", "What", "Who", "State", "Count", "Rotation", "Value"];
                f(&format!("SetHidden{}", NAMES[*data as usize % 7]))
                    .put("type", kind.name())
                    .put("to", to)
                    .put("level", level)
                    .put("who", who)
                    .put("value", value)
            }
            Change::Trigger { event, player } => {
                f("Trigger").put("event", event).put("player", player)
            }
            Change::Note { text, to } => f("Note").put("message", text).put("to", to),
            Change::Propose { text, index } => {
                f("Propose").put("proposition", text).put("propositionInt", index)
            }
            Change::Vote { text, index } => f("Vote").put("vote", text).put("voteInt", index),
            Change::Store { hash } => f("StoreStateInContext").put("value", *hash as i64),
            Change::SetCost { kind, to, cost } => {
                f("SetCost").put("type", kind.name()).put("to", to).put("cost", cost)
            }
            Change::SetPhase { kind, to, phase } => {
                f("SetPhase").put("type", kind.name()).put("to", to).put("phase", phase)
            }
            Change::NextInstance => f("NextInstance"),
            Change::Nothing => f("Nothing"),
        };
        fields.end(self.decision)
    }
}
