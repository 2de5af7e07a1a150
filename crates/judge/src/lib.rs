//! Judges rule sets by playing them: is the game fair, alive, deep, and what would make it better?
//!
//! Three tiers by cost: random games ([`random`]), games between searches whose own values are kept for every
//! ply ([`searched`]), and a ladder of budgets ([`ladder`]). [`evaluate`] runs them and keeps everything in a store,
//! so that a run that was stopped goes on; [`verdict`] says in words what came out; [`improve`](mod@improve)
//! looks for better rules.

pub mod agreement;
pub mod copycat;
pub mod dead;
pub mod difference;
pub mod edit;
mod error;
pub mod evaluate;
pub mod figure;
pub mod goal;
pub mod improve;
pub mod ladder;
mod metrics;
pub mod observe;
pub mod page;
mod plots;
pub mod random;
pub mod searched;
pub mod sheet;
pub mod spread;
pub mod sweep;
pub mod verdict;
pub mod work;
pub mod yardstick;

pub use error::JudgeError;
pub use evaluate::{Evaluation, Plan, Tier, evaluate};
pub use figure::{Figure, Moments};
