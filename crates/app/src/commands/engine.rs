//! `ludex engine`: a player for other programs.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use ludex_arena::catalog::{self, GameSpec, Places};
use ludex_arena::engine::{Letters, Protocol, Service, Session, serve};
use ludex_game::Game;
use ludex_play::search::Budget;

use crate::agents;
use crate::cli::{EngineArgs, LettersArg, ProtocolArg};

pub fn run(args: &EngineArgs) -> anyhow::Result<()> {
    let spec = args.game.spec();
    let budget = args.budget.budget(Budget::time(Duration::from_secs(1)));
    let found = catalog::find(&spec, Places::here())?;
    let (agent, why) = agents::for_game(&args.agent, &found, budget)?;
    if let Some(why) = why {
        eprintln!("{why}");
    }
    let session = Session::new(found.game, agent, args.seed)?.pondering(args.ponder);
    let service = Service {
        protocol: match args.protocol {
            ProtocolArg::Lines => Protocol::Lines,
            ProtocolArg::Gtp => Protocol::Gtp,
            ProtocolArg::Uci => Protocol::Uci,
        },
        budget,
        asked: args.budget.time.is_some(),
        letters: match args.letters {
            LettersArg::NoI => Letters::WithoutI,
            LettersArg::All => Letters::All,
        },
        resize: &|size| resized(&spec, size),
    };
    let input = io::BufReader::new(io::stdin());
    serve(session, &service, input, &mut io::stdout().lock())?;
    Ok(())
}

/// The same game on a board of another size: by the option that games have for it.
fn resized(spec: &GameSpec, size: usize) -> Option<Arc<dyn Game>> {
    let square = format!("{size}x{size}");
    let by_size = GameSpec { size: Some(square.clone()), ..spec.clone() };
    let mut by_option = spec.clone();
    by_option.options.retain(|option| !option.starts_with("Board Size/"));
    by_option.options.push(format!("Board Size/{square}"));
    [by_size, by_option].iter().find_map(|spec| catalog::load(spec).ok())
}
