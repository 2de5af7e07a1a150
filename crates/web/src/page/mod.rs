//! The web page: its files, the requests it makes, and the games and searches behind them.

mod assets;
mod guard;
mod house;
mod routes;
mod rules;
mod serve;
mod table;
mod thought;

pub use serve::{ServeError, Settings, run};
