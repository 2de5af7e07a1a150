//! Starts the page's server.

use std::net::SocketAddr;

use super::guard::Guard;
use super::house::{Folders, House};
use super::routes::{MOST_BYTES, Page, router};
use crate::server::{Limits, give_way, listen, serve};

/// How the page is served.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen; port nought takes a free one.
    pub address: SocketAddr,
    /// What the page may look into.
    pub folders: Folders,
    /// What everything random comes from.
    pub seed: u64,
}

/// Why the page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be had.
    #[error("cannot listen at {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// A folder cannot be read.
    #[error(transparent)]
    Folder(#[from] ludex_arena::ArenaError),
    /// Something else of the machine's.
    #[error(transparent)]
    Machine(#[from] std::io::Error),
}

/// Serves the page until the program ends; `ready` is given the link to open.
pub fn run(settings: Settings, ready: impl FnOnce(&str)) -> Result<(), ServeError> {
    let Settings { address, folders, seed } = settings;
    let house = House::new(folders, seed)?;
    let listener = listen(address.ip(), address.port())
        .map_err(|source| ServeError::Listen { address, source })?;
    let address = listener.local_addr()?;
    let guard = Guard::new(address)?;
    ready(&format!("http://{address}/?token={}", guard.token()));
    let page = Page::new(house, guard);
    let house = page.house.clone();
    std::thread::spawn(move || {
        give_way();
        house.desk.shelf.read_library();
    });
    let app = router(page);
    let limits = Limits { body_bytes: MOST_BYTES, ..Limits::default() };
    Ok(serve(listener, app, limits)?)
}
