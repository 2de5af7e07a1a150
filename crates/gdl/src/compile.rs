//! From a checked description to a game, by the engine that suits it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use ludex_lang::kif::Description;

use super::bounds::Bounds;
use super::datalog::DatalogRules;
use super::ground::ground;
use super::machine::Machine;
use super::network::NetworkRules;
use super::program::Prepared;
use ludex_game::{Game, GameError, erase};

/// A way to run GDL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// A propositional network: fast, if the rules ground.
    Network,
    /// The rules themselves: always possible.
    Datalog,
}

impl FromStr for Engine {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        match text {
            "network" => Ok(Engine::Network),
            "datalog" => Ok(Engine::Datalog),
            _ => Err(GameError::Options(format!("`{text}` is no engine: network or datalog"))),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Engine::Network => "network",
            Engine::Datalog => "datalog",
        })
    }
}

/// A compiled game, its engine still visible.
#[derive(Debug)]
pub enum Compiled {
    /// Run by a network.
    Network(Box<NetworkRules>),
    /// Run by its rules.
    Datalog(Box<DatalogRules>),
}

impl Compiled {
    /// The engine.
    pub fn engine(&self) -> Engine {
        match self {
            Compiled::Network(_) => Engine::Network,
            Compiled::Datalog(_) => Engine::Datalog,
        }
    }

    /// The roles in the order of the rules, `random` included.
    pub fn role_names(&self) -> &[String] {
        match self {
            Compiled::Network(rules) => rules.role_names(),
            Compiled::Datalog(rules) => rules.role_names(),
        }
    }

    /// The game as search and arena see it.
    pub fn into_game(self) -> Arc<dyn Game> {
        match self {
            Compiled::Network(rules) => erase(*rules),
            Compiled::Datalog(rules) => erase(*rules),
        }
    }
}

/// Compiles a description: as a network if it grounds within the bounds, and else for direct
/// evaluation; or as the given engine and no other. Ends with an error soon after the bounds' signal is
/// raised.
pub fn compile(
    name: &str,
    description: &Description,
    engine: Option<Engine>,
    bounds: &Bounds,
) -> Result<Compiled, GameError> {
    let refusal = match engine {
        Some(Engine::Datalog) => "the datalog engine was asked for".to_owned(),
        _ => {
            let grounded = Prepared::condensed(description, bounds)
                .and_then(|prepared| Ok((ground(&prepared, bounds)?, prepared)));
            match grounded {
                Ok((grounded, prepared)) => {
                    let rules = NetworkRules::new(name, &prepared, &grounded, &bounds.cancel)?;
                    return Ok(Compiled::Network(Box::new(rules)));
                }
                Err(_) if bounds.cancel.is_raised() => return Err(called_off()),
                Err(exceeded) => format!("rules are evaluated directly because {exceeded}"),
            }
        }
    };
    if engine == Some(Engine::Network) {
        return Err(GameError::Options(format!("no network: {refusal}")));
    }
    let prepared = Prepared::direct(description, bounds)
        .map_err(|exceeded| GameError::Options(exceeded.to_string()))?;
    if bounds.cancel.is_raised() {
        return Err(called_off());
    }
    Ok(Compiled::Datalog(Box::new(DatalogRules::new(name, prepared, &refusal)?)))
}

/// The end of a compilation that nobody wants any more.
pub(super) fn called_off() -> GameError {
    GameError::Options("the compilation was called off".to_owned())
}
