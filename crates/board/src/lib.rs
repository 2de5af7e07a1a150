//! Boards as graphs: made from a few numbers or from a description, numbered in a fixed way, and
//! measured for play.
//!
//! ```
//! use ludex_board::{Direction, SiteType, Topology, generate};
//!
//! let graph = generate::rectangle(8, 8, generate::Diagonals::Implied, SiteType::Cell)?;
//! let board = Topology::new(graph);
//! let cells = board.sites(SiteType::Cell);
//! assert_eq!(cells.label(0), "A1");
//! assert_eq!(cells.towards(0, Direction::NE), [9]);
//! assert_eq!(cells.radials().line(0, Direction::E).len(), 7);
//! # Ok::<(), ludex_board::BoardError>(())
//! ```

mod args;
mod build;
mod direction;
mod edit;
mod error;
pub mod expr;
mod faces;
pub mod generate;
pub mod geometry;
mod graph;
mod operate;
mod plan;
mod sites;
mod topology;
mod track;
mod values;

pub use build::graph_of;
pub use direction::{Direction, DirectionSet};
pub use error::{BoardError, Place};
pub use geometry::Point;
pub use graph::{Edge, Face, Graph, Pivot, SiteType, Vertex};
pub use plan::{Board, Values};
pub use sites::SiteSet;
pub use topology::{Lists, Mark, Marks, Radial, Radials, Relation, Sites, Topology, perimeters};
pub use track::{END, Track, TrackStep, surakarta_tracks};
