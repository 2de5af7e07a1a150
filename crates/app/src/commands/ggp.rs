//! `ludex ggp`: a player for game managers.

use std::io::Write;
use std::net::TcpListener;
use std::sync::Arc;

use anyhow::Context;

use crate::agents;
use crate::cli::GgpArgs;
use crate::ggp::{GgpPlayer, Settings, serve};

/// Answers game managers until the process is ended.
pub fn run(args: &GgpArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    anyhow::ensure!(
        !args.name.is_empty() && args.name.chars().all(plain),
        "`{}` is no name: letters, digits, `-`, `_` and `.` only",
        args.name
    );
    let settings = Settings {
        name: args.name.clone(),
        agent: agents::parse(&args.agent)?,
        simulations: None,
        margin: args.margin,
        ponder: args.ponder,
        seed: args.seed,
    };
    let listener = TcpListener::bind((args.bind, args.port))
        .with_context(|| format!("cannot listen on {} port {}", args.bind, args.port))?;
    writeln!(out, "listening on {}", listener.local_addr()?)?;
    out.flush()?;
    serve(&listener, &Arc::new(GgpPlayer::new(settings)));
    Ok(())
}
