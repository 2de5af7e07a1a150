//! `ludex ludemes`: the reference of the ludeme language.

use std::io::Write;
use std::process::ExitCode;

use ludex_lang::lud::reference::{self, Answer};

use crate::cli::LudemesArgs;

pub fn run(args: &LudemesArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Some(name) = &args.name else {
        let all = if args.markdown { reference::page() } else { reference::text() };
        write!(out, "{all}")?;
        return Ok(ExitCode::SUCCESS);
    };
    match reference::look_up(name) {
        Answer::Found(text) => {
            write!(out, "{text}")?;
            Ok(ExitCode::SUCCESS)
        }
        Answer::Near(names) if names.is_empty() => {
            anyhow::bail!("there is no ludeme or word `{name}`; `ludex ludemes` lists all")
        }
        Answer::Near(names) => {
            anyhow::bail!("there is no ludeme or word `{name}`; did you mean {}?", names.join(", "))
        }
    }
}
