//! What the page asks of the engine, answered without a server: games on a shelf, positions with their pictures, faults
//! in rules, records, searches as reports. The server answers the page by it over HTTP, and as WebAssembly it is the whole
//! engine of a page that has no server.

mod ask;
mod records;
mod shelf;
mod table;
mod thought;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use ask::{Desk, Refusal, agent_without_files, agents, files};
pub use records::Format;
pub use shelf::{Entry, Fault, Finding, Language, Library, Loaded, Menu, Shelf, Spec};
pub use table::{Line, Position, Seated, Table};
pub use thought::{Question, Told, Wanted, think};
