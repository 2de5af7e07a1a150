//! The engine as WebAssembly. The host writes a question into our memory, as JSON, and reads the answer from it; while a
//! search runs, what is found is handed to the host at once.
//!
//! The host gives two functions of a module `ludex`: `now` (see [`ludex_play::moment`]) and `told`, which is handed place
//! and length of a report.

use std::sync::OnceLock;
use std::time::Duration;

use ludex_game::Rng;
use ludex_game::playout::{Sampling, Scratch, Style};
use ludex_play::moment::Moment;
use ludex_play::search::Stop;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ask::{Desk, Refusal, agent_without_files};
use crate::shelf::{Shelf, Spec};
use crate::thought::think;

#[link(wasm_import_module = "ludex")]
unsafe extern "C" {
    /// Takes a report of a search under way.
    safe fn told(text: *const u8, length: usize);
}

/// Room for a text of so many bytes; whoever asks for it hands it back with [`ask`] or [`free`].
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
}

/// Gives the room of a text back.
///
/// # Safety
/// `text` came from [`room`] or [`ask`] with this length, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(text: *mut u8, length: usize) {
    // SAFETY: the caller says so.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(text, length)) });
}

/// Answers a question, whose room is given back; the upper half of the answer is its place, the lower its length.
///
/// # Safety
/// `text` came from [`room`] with this length, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(text: *mut u8, length: usize) -> u64 {
    // SAFETY: the caller says so.
    let text = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(text, length)) };
    let answer = match answer(&text) {
        Ok(value) => json!({ "answer": value }),
        Err(refusal) => refusal.answer(),
    };
    let answer = answer.to_string().into_bytes().into_boxed_slice();
    let length = answer.len() as u64;
    let place = Box::into_raw(answer).cast::<u8>() as u64;
    place << 32 | length
}

#[derive(Deserialize)]
struct Asked {
    what: String,
    #[serde(default)]
    asked: Value,
    /// The game that a search or a measurement is about; other workers know other numbers of tables.
    #[serde(default)]
    spec: Option<Spec>,
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    seed: u64,
}

fn answer(text: &[u8]) -> Result<Value, Refusal> {
    static DESK: OnceLock<Desk> = OnceLock::new();
    let malformed = |error: serde_json::Error| Refusal::Malformed(error.to_string());
    let Asked { what, mut asked, spec, seconds, seed } =
        serde_json::from_slice(text).map_err(malformed)?;
    let desk = DESK.get_or_init(|| Desk::new(Shelf::new(None), seed));
    match (what.as_str(), spec) {
        ("think", Some(spec)) => {
            asked["table"] = json!(desk.open(spec)?.id());
            let question = desk.question(asked, agent_without_files)?;
            let tell = |report: crate::thought::Told| {
                let text = json!(report).to_string();
                told(text.as_ptr(), text.len());
            };
            let found = think(question, Stop::default(), tell).map_err(Refusal::Asked)?;
            Ok(json!(found))
        }
        ("bench", Some(spec)) => bench(desk, spec, seconds.unwrap_or(1.0).clamp(0.01, 60.0)),
        _ => desk.ask(&what, asked),
    }
}

/// Complete uniform playouts from the start, as `ludex bench` measures them.
fn bench(desk: &Desk, spec: Spec, seconds: f64) -> Result<Value, Refusal> {
    const AT_ONCE: u64 = 64;
    let table = desk.open(spec)?;
    let (game, start) = (&*table.game, table.game.start());
    let (mut state, mut scratch) = (start.clone(), Scratch::default());
    let (mut sampling, mut rng) = (Sampling::default(), Rng::seeded(1));
    let (mut playouts, mut plies) = (0u64, 0u64);
    let (begun, time) = (Moment::now(), Duration::from_secs_f64(seconds));
    while begun.elapsed() < time {
        for _ in 0..AT_ONCE {
            state.copy_from(&start);
            plies += u64::from(game.playout(
                &mut state,
                &mut sampling,
                Style::Optimised,
                &mut scratch,
                &mut rng,
            ));
        }
        playouts += AT_ONCE;
    }
    let seconds = begun.elapsed().as_secs_f64();
    Ok(
        json!({ "playouts_per_s": playouts as f64 / seconds, "plies_per_s": plies as f64 / seconds }),
    )
}
