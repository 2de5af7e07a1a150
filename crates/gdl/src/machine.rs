//! What GDL itself says of a game: all roles, all facts, all legal moves. Both engines answer, so
//! that either can be compared with a record, with the other, or be shown to a game manager.

/// A GDL engine.
pub trait Machine {
    /// A position.
    type Position: Clone;

    /// The roles in the order of the rules, `random` included.
    fn role_names(&self) -> &[String];

    /// The first position.
    fn first_position(&self) -> Self::Position;

    /// The facts that are true, in no particular order.
    fn facts(&self, position: &Self::Position) -> Vec<String>;

    /// The legal moves of a role, in no particular order.
    fn legal_moves(&self, position: &Self::Position, role: usize) -> Vec<String>;

    /// Makes one move for each role, in role order. `false` if one of them is not legal.
    fn advance(&self, position: &mut Self::Position, joint: &[&str]) -> bool;

    /// Whether the game is over.
    fn is_terminal(&self, position: &Self::Position) -> bool;

    /// All goal values of a role that are true.
    fn goal_values(&self, position: &Self::Position, role: usize) -> Vec<String>;
}

/// A term's text with one blank between items and none inside brackets: the form in which engines
/// give and compare terms. Several words without brackets are a term whose brackets somebody left out.
pub fn normal_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut item = false;
    for part in text.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
        if item && part != ")" {
            out.push(' ');
        }
        out.push_str(part);
        item = part != "(";
    }
    if out.contains(' ') && !out.starts_with('(') { format!("({out})") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_normalised() {
        assert_eq!(normal_text("( move  1 (at 2\t3) )"), "(move 1 (at 2 3))");
        assert_eq!(normal_text(" noop "), "noop");
        assert_eq!(normal_text("drop 4"), "(drop 4)");
    }
}
