//! Arguments that a ludeme takes and that mean nothing to it, in the reference as well. A description with one of them
//! is played as if it were not there, and a warning says so.

use super::{Args, Lower, Lowered};

/// Such arguments of a ludeme.
struct Idle {
    key: &'static str,
    arguments: &'static [&'static str],
    /// They mean something where this argument is given.
    unless: Option<&'static str>,
}

const fn always(key: &'static str, arguments: &'static [&'static str]) -> Idle {
    Idle { key, arguments, unless: None }
}

/// What stands on a site says nothing about the board around it.
const ABOUT_PIECES: &[&str] = &["name", "who", "what", "whats"];

const IDLE: &[Idle] = &[
    always("count", ABOUT_PIECES),
    always("count.Adjacent", ABOUT_PIECES),
    always("count.Diagonal", ABOUT_PIECES),
    always("count.Groups", &["throughAny", "isVisible"]),
    always("count.Neighbours", ABOUT_PIECES),
    always("count.Off", ABOUT_PIECES),
    always("count.Orthogonal", ABOUT_PIECES),
    always("count.Pips", &["type", "name", "in", "if"]),
    always("count.Sites", &["who", "what", "whats"]),
    always("count.SizeBiggestGroup", &["min"]),
    Idle { key: "count.Steps", arguments: &["newRotation"], unless: Some("stepMove") },
    always("countSizeBiggestGroup", &["min"]),
    always("dice", &["biased"]),
    always("is.Pattern", &["froms"]),
    always("is.PyramidCorners", ABOUT_WALKS),
    always("set.Count", &["level"]),
    always("sites.Hand", &["name", "moves"]),
    Idle { key: "sites.Distance", arguments: &["newRotation"], unless: Some("stepMove") },
];

/// The corners of a pyramid have one shape and one colour.
const ABOUT_WALKS: &[&str] = &["walk", "what", "whats"];

impl Lower<'_> {
    /// Every argument given was read, or is idle.
    pub fn done(&mut self, args: &Args<'_>) -> Lowered<()> {
        while let Some((name, argument)) = args.unread() {
            let idle = |idle: &&Idle| {
                idle.key == args.key()
                    && idle.arguments.contains(&name)
                    && idle.unless.is_none_or(|other| !args.has(other))
            };
            if !IDLE.iter().any(|known| idle(&known)) {
                let what = format!("the argument `{name}` of {}", args.spoken());
                if (args.key(), name) == ("from", "region") {
                    let why =
                        "a piece moves from one site: `(forEach Site … (move … (from (site)) …))`";
                    return self.refuse_for(argument.place, &what, why);
                }
                return self.refuse(argument.place, &what);
            }
            args.get(name);
            let message = format!("`{name}` means nothing in this {}", args.spoken());
            self.warn(argument.place, message, None);
        }
        Ok(())
    }
}
