//! What the page asks of the engine, answered without a server: games on a shelf, positions with their pictures, faults
//! in rules, records, searches as reports. The server answers the page by it over HTTP, and as WebAssembly it is the whole
//! engine of a page that has no server.

mod ask;
mod bounds;
mod course;
mod entries;
mod records;
mod seats;
mod shelf;
mod table;
mod thought;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use ask::{Desk, Refusal, agent_without_files, agents, files};
pub use course::Line;
pub use entries::Entry;
pub use records::Format;
pub use shelf::{Fault, Finding, Language, Library, Loaded, Menu, Shelf, Spec};
pub use table::{Position, Table};
pub use thought::{Question, Told, Wanted, think};
