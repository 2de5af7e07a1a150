//! `ludex ggp`: a player for game managers.

use std::io::Write;
use std::net::TcpListener;
use std::sync::Arc;

use crate::agents;
use crate::cli::GgpArgs;
use crate::ggp::{GgpPlayer, Settings, serve};

pub fn run(args: &GgpArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let settings = Settings {
        name: args.name.clone(),
        agent: agents::parse(&args.agent)?,
        simulations: None,
        margin: args.margin,
        seed: args.seed,
    };
    let listener = TcpListener::bind((args.bind, args.port))?;
    writeln!(out, "listening on {}", listener.local_addr()?)?;
    out.flush()?;
    serve(&listener, &Arc::new(GgpPlayer::new(settings)))?;
    Ok(())
}
