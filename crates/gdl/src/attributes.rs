//! Numbers that describe a position of a GDL game, for evaluations built from them.
//!
//! A description says nothing about what its facts mean, but much can be read off their form: facts of
//! one name that end alike are counted together (the `b` of all `(cell X Y b)`), facts that end in a
//! lone number are that number (`(step 7)`), and facts that name a role are told apart by whether it is
//! the player's own. With them come the number of moves and the goal values of the position.

use super::seats::Seats;
use ludex_game::Player;

/// More kinds of facts than this are counted by their names alone.
const MOST_KINDS: usize = 40;

/// What each fact adds to.
#[derive(Debug)]
pub struct FactAttributes {
    names: Vec<String>,
    facts: Vec<(Slot, f32)>,
    /// Which number says who is first, if some facts do not tell the players apart.
    seat: Option<usize>,
}

/// Which number a fact adds to.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// This one, whoever looks.
    Common(usize),
    /// The first for this role, the one after it for the others.
    Role(usize, usize),
}

/// The numbers that come before those of facts.
const FIRST: [&str; 4] = ["own mobility", "others' mobility", "own goal", "others' goal"];

impl FactAttributes {
    /// Reads the forms of all facts a game can have.
    pub fn new(facts: &[String], seats: &Seats) -> FactAttributes {
        let forms: Vec<Form> = facts.iter().map(|fact| Form::of(fact, seats.roles())).collect();
        let mut kinds: Vec<&str> = forms.iter().map(|form| &*form.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let by_name = kinds.len() > MOST_KINDS;
        let mut attributes = FactAttributes {
            names: FIRST.map(str::to_string).to_vec(),
            facts: Vec::new(),
            seat: None,
        };
        for form in &forms {
            let kind = if by_name { &form.name } else { &form.kind };
            let slot = attributes.slot(kind, form.role);
            attributes.facts.push((slot, form.weight));
        }
        let unclear = attributes.facts.iter().any(|(slot, _)| matches!(slot, Slot::Common(_)));
        if unclear && seats.players() > 1 {
            attributes.seat = Some(attributes.names.len());
            attributes.names.push("seat".to_string());
        }
        attributes
    }

    fn slot(&mut self, kind: &str, role: Option<usize>) -> Slot {
        let own = format!("own {kind}");
        let name = if role.is_some() { &own } else { kind };
        let at = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_string());
            if role.is_some() {
                self.names.push(format!("others' {kind}"));
            }
            self.names.len() - if role.is_some() { 2 } else { 1 }
        });
        role.map_or(Slot::Common(at), |role| Slot::Role(role, at))
    }

    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Writes the numbers of a position: its facts by index, and mobility and goal value of each role.
    pub fn write(
        &self,
        seats: &Seats,
        player: Player,
        facts: impl Iterator<Item = usize>,
        of_role: impl Fn(usize) -> [f32; 2],
        out: &mut [f32],
    ) {
        let own = seats.role_of(player);
        out.fill(0.0);
        for seat in 0..seats.players() as u8 {
            let role = seats.role_of(Player(seat));
            let [moves, goal] = of_role(role);
            out[usize::from(role != own)] += moves;
            out[2 + usize::from(role != own)] += goal;
        }
        for fact in facts {
            let (slot, weight) = self.facts[fact];
            let at = match slot {
                Slot::Common(at) => at,
                Slot::Role(role, at) => at + usize::from(role != own),
            };
            out[at] += weight;
        }
        if let Some(seat) = self.seat {
            out[seat] = if player == Player::FIRST { 1.0 } else { -1.0 };
        }
    }
}

/// What can be read off a fact.
struct Form {
    name: String,
    kind: String,
    role: Option<usize>,
    weight: f32,
}

impl Form {
    fn of(fact: &str, roles: &[String]) -> Form {
        let mut words = words(fact).into_iter();
        let name = words.next().unwrap_or_default().to_string();
        let mut rest: Vec<&str> = words.collect();
        let role_of = |word: &&str| roles.iter().position(|role| role == word);
        let role = rest.iter().find_map(role_of);
        rest.retain(|word| role_of(word).is_none());
        let (mut kind, mut weight) = (name.clone(), 1.0);
        match (rest.last().map(|last| (*last, last.parse::<f32>())), rest.len()) {
            (Some((_, Ok(number))), 1) => weight = number,
            (Some((last, Err(_))), _) => kind = format!("{name} {last}"),
            _ => {}
        }
        Form { name, kind, role, weight }
    }
}

/// The items of a term, `(cell 1 (at 2) b)` being `cell`, `1`, `(at 2)` and `b`.
fn words(term: &str) -> Vec<&str> {
    let inside = term.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(term);
    let mut depth = 0usize;
    let mut splits = |letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && letter == ' '
    };
    inside.split(&mut splits).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_counted_by_their_form() {
        let facts = ["(cell 1 2 b)", "(cell 1 1 b)", "(cell 1 1 x)", "(step 7)", "(control white)"];
        let seats = Seats::new(vec!["white".into(), "black".into()]).unwrap();
        let attributes = FactAttributes::new(&facts.map(str::to_string), &seats);
        let names = ["cell b", "cell x", "step", "own control", "others' control", "seat"];
        assert_eq!(attributes.names()[4..], names);
        let mut out = vec![9.0; attributes.names().len()];
        let of_role = |role: usize| [role as f32 + 1.0, 0.5];
        attributes.write(&seats, Player(1), 0..5, of_role, &mut out);
        assert_eq!(out, [2.0, 1.0, 0.5, 0.5, 2.0, 1.0, 7.0, 0.0, 1.0, -1.0]);
        assert_eq!(words("(cell 1 (at 2 3) b)"), ["cell", "1", "(at 2 3)", "b"]);
    }
}
