//! `ludex agents`: what an agent's text may say, as the code that reads it describes itself.

use std::io::Write;

use anyhow::bail;
use ludex_play::spec::{PartHelp, catalogue};
use serde::Serialize;

use crate::cli::AgentsArgs;
use crate::output::json_line;

const FORM: &str = "An agent is a search, at most one playout policy, and what goes before it, joined by `+`; or one of
  auto                      whatever is known to play the game best; `ludex auto GAME` says what that is
  alphabeta + eval(FILE)    looks ahead and judges by what `ludex train` learned
  ubfm + eval(FILE)         follows the best line further and further
  uct + cut + eval(FILE)    ends playouts early and judges where they stop
  random                    plays any legal move
  rule-ai                   a scripted player of the game's own, where it has one
  evolved(FILE)             judges every move by an evolved formula
  gtp(COMMAND), uci(COMMAND), lines(COMMAND)   another program, in matches and experiments (docs/engine.md)

Examples:
  uct
  uct(c=0.7, final=mean) + mast(epsilon=0.4)
  uct + ppafm(alpha=0.32) + decisive
  grave(ref=50) + nst

Searches, playout policies and what goes before them, with their settings as they usually are:
";

#[derive(Serialize)]
struct Setting<'a> {
    usual: &'a str,
    help: &'a str,
}

#[derive(Serialize)]
struct Part<'a> {
    name: &'a str,
    settings: Vec<Setting<'a>>,
}

pub fn run(args: &AgentsArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let all = catalogue();
    let wanted = |part: &&PartHelp| args.name.as_deref().is_none_or(|name| name == part.name);
    let parts: Vec<&PartHelp> = all.iter().filter(wanted).collect();
    if let (Some(name), true) = (&args.name, parts.is_empty()) {
        let names: Vec<&str> = all.iter().map(|part| part.name).collect();
        bail!("there is no search or policy `{name}`; there are {}", names.join(", "));
    }
    if !args.json && args.name.is_none() {
        writeln!(out, "{FORM}")?;
    }
    for part in parts {
        let settings = part.settings.iter();
        if args.json {
            let settings = settings.map(|one| Setting { usual: &one.usual, help: &one.help });
            json_line(out, &Part { name: part.name, settings: settings.collect() })?;
            continue;
        }
        writeln!(out, "{}", part.name)?;
        for setting in settings {
            writeln!(out, "  {:<18} {}", setting.usual, setting.help)?;
        }
    }
    Ok(())
}
