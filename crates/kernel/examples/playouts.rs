//! Plays uniformly random playouts of `.lud` files and says how fast:
//! `playouts [--general] [--defs DIR] COUNT|SECONDSs FILE…`, as in `playouts --defs LIBRARY/def 0.2s A.lud B.lud`.
//! A fixed number makes instruction counts comparable; seconds are those of the processor.

use cpu_time::ThreadTime;
use ludex_game::playout::{Sampling, Scratch, Style};
use ludex_game::{Game, Rng, erase};
use ludex_kernel::fastest;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::{Ludemes, compile};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// How long a game is played.
enum Length {
    Playouts(u32),
    Seconds(f64),
}

impl Length {
    fn read(text: &str) -> Result<Self, Box<dyn Error>> {
        Ok(match text.strip_suffix('s') {
            Some(seconds) => Length::Seconds(seconds.parse()?),
            None => Length::Playouts(text.parse()?),
        })
    }
}

fn load(path: &str, defines: &Library, general: bool) -> Result<Arc<dyn Game>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let description = read(&text, SourceId(0), defines, &[]).map_err(|d| d.message)?;
    let compiled = compile(&description).map_err(|d| d.message)?;
    Ok(if general { erase(Ludemes::new(compiled)?) } else { fastest(compiled)? })
}

/// The texts of all defines below a folder.
fn defines(folder: &Path, texts: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            defines(&path, texts)?;
        } else if path.extension().is_some_and(|end| end == "def") {
            texts.push(std::fs::read_to_string(path)?);
        }
    }
    Ok(())
}

fn play(game: &dyn Game, length: &Length) -> (u64, u64, f64) {
    let (mut scratch, mut rng) = (Scratch::default(), Rng::seeded(1));
    let start = game.start();
    let mut state = start.clone();
    let (mut playouts, mut plies) = (0, 0);
    let began = ThreadTime::now();
    loop {
        let seconds = began.elapsed().as_secs_f64();
        let enough = match length {
            Length::Playouts(count) => playouts >= u64::from(*count),
            Length::Seconds(most) => seconds >= *most,
        };
        if enough {
            return (playouts, plies, seconds);
        }
        state.copy_from(&start);
        let sampling = &mut Sampling::default();
        let style = Style::Optimised;
        plies += u64::from(game.playout(&mut state, sampling, style, &mut scratch, &mut rng));
        playouts += 1;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).peekable();
    let general = args.next_if(|arg| arg == "--general").is_some();
    let mut texts = Vec::new();
    if args.next_if(|arg| arg == "--defs").is_some() {
        defines(Path::new(&args.next().unwrap_or_default()), &mut texts)?;
    }
    let library = Library::read(texts.iter().map(String::as_str), SourceId(1));
    let library = library.map_err(|d| d.message)?;
    let length = Length::read(&args.next().unwrap_or_default())?;
    println!("machine\tkind\tplies/s\tplies a playout\tplies\tfile\trefusal");
    for path in args {
        let game = match load(&path, &library, general) {
            Ok(game) => game,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let (playouts, plies, seconds) = play(&*game, &length);
        let (rate, mean) = (plies as f64 / seconds, plies as f64 / playouts as f64);
        let info = game.info();
        let (machine, kind, why) = (&info.machine, &info.playout, &info.refusal);
        println!("{machine}\t{kind}\t{rate:.0}\t{mean:.1}\t{plies}\t{path}\t{why}");
    }
    Ok(())
}
