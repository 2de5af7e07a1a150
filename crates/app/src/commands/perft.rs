//! `ludex perft`: counting move sequences.

use std::io::Write;

use ludex_arena::catalog;
use serde::Serialize;

use crate::cli::PerftArgs;
use crate::output::{grouped, json_line, table};

#[derive(Serialize)]
struct Counts {
    game: String,
    counts: Vec<u64>,
}

pub fn run(args: &PerftArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let spec = args.game.spec();
    let game = catalog::load(&spec)?;
    let counts = ludex_game::perft(&*game, &game.start(), args.depth.into());
    if args.json {
        return json_line(out, &Counts { game: spec.to_string(), counts });
    }
    let mut table = table(&["depth", "sequences"], &[0, 1]);
    for (index, &count) in counts.iter().enumerate() {
        table.add_row([(index + 1).to_string(), grouped(count as f64)]);
    }
    writeln!(out, "{table}")?;
    Ok(())
}
