//! The web page: its files, the requests it makes, and the searches and experiments behind them. What it asks about games is
//! answered by `ludex-desk`.

mod assets;
mod experiments;
mod guard;
mod house;
mod library;
mod routes;
mod serve;
mod thought;

pub use assets::{File, static_files};
pub use guard::{Guard, Turned};
pub use house::{Folders, House};
pub use routes::{Page, router};
pub use serve::{ServeError, Settings, run};
