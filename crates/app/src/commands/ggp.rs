//! `ludex ggp`: a player for game managers.

use std::io::Write;
use std::sync::Arc;

use anyhow::Context;
use ludex_lang::kif::Strictness;
use ludex_web::ggp::{GgpPlayer, Settings, serve};
use ludex_web::server::listen;

use crate::agents;
use crate::cli::GgpArgs;

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
        margin: args.margin,
        ponder: args.ponder,
        matches: args.matches.into(),
        strictness: strictness(args.lenient),
        seed: args.seed,
        log: Box::new(|text| eprintln!("{text}")),
        ..Settings::default()
    };
    let listener = listen(args.bind, args.port)
        .with_context(|| format!("cannot listen on {} port {}", args.bind, args.port))?;
    writeln!(out, "listening on {}", listener.local_addr()?)?;
    out.flush()?;
    Ok(serve(listener, Arc::new(GgpPlayer::new(settings)))?)
}

/// How strictly rules are taken.
pub fn strictness(lenient: bool) -> Strictness {
    if lenient { Strictness::Lenient } else { Strictness::Strict }
}
