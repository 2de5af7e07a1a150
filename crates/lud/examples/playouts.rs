//! Plays a number of uniformly random playouts of `.lud` files and says how fast: `playouts COUNT FILE…`.
//! A fixed number makes instruction counts comparable.

use ludex_game::playout::{Sampling, Scratch, Style};
use ludex_game::{Game, Rng, erase};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::kernel::fastest;
use ludex_lud::{Ludemes, compile};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

fn load(path: &str, general: bool) -> Result<Arc<dyn Game>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let fault = |d: &ludex_lang::diagnostic::Diagnostic| d.to_text(|_| &text, |_| path);
    let description = read(&text, SourceId(0), &Library::default(), &[]).map_err(|d| fault(&d))?;
    let compiled = compile(&description).map_err(|d| fault(&d))?;
    Ok(if general { erase(Ludemes::new(compiled)?) } else { fastest(compiled)? })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).peekable();
    let general = args.next_if(|arg| arg == "--general").is_some();
    let count: u32 = args.next().unwrap_or_default().parse()?;
    for path in args {
        let game = load(&path, general)?;
        let (mut scratch, mut rng) = (Scratch::default(), Rng::seeded(1));
        let start = game.start();
        let mut state = start.clone();
        let mut plies = 0u64;
        let began = Instant::now();
        for _ in 0..count {
            state.copy_from(&start);
            let sampling = &mut Sampling::default();
            plies += u64::from(game.playout(
                &mut state,
                sampling,
                Style::Optimised,
                &mut scratch,
                &mut rng,
            ));
        }
        let seconds = began.elapsed().as_secs_f64();
        let (rate, mean) = (plies as f64 / seconds / 1e6, plies as f64 / f64::from(count));
        println!("{path}: {plies} plies, {mean:.1} a playout, {rate:.2} M plies/s");
        println!("  {}: {}", game.info().playout, game.info().playout_reason);
    }
    Ok(())
}
