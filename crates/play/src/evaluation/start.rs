//! Weights before anything is learned, by what a survey of the game shows: pieces count by how much they can do, sites by
//! how near they are to where games are won, rows by how much of them is filled, scores by how far apart they end.

use std::collections::VecDeque;

use ludex_game::Game;
use ludex_game::geometry::{Geometry, SiteId};

use super::shape::Shape;
use super::{Features, Weights};
use crate::survey::{Goal, Survey};

/// What an average piece is worth, as the logarithm of odds.
const PIECE: f64 = 0.6;
/// What it is worth more where games are won than as far from there as can be.
const ARRIVED: f32 = 1.2;
/// What a row is worth that lacks one piece, two, and so on.
const ROWS: [f32; 6] = [1.0, 0.3, 0.08, 0.02, 0.005, 0.0];
/// What a row of the one who is not to move is worth to him, beside one of the mover.
const WAITING: f32 = 0.8;
/// What a group less is worth, and a step nearer to the middle of one's pieces, where they are to come together.
const GROUP: f32 = 0.3;
const AWAY: f32 = 0.12;
/// What a lead is worth that is as large as leads are in the end.
const LEAD: f64 = 2.0;

impl Weights {
    /// Weights for a game that was looked at.
    pub fn start(game: &dyn Game, survey: &Survey) -> Weights {
        let features = Features::new(game);
        let groups = features.groups().filter_map(|(name, places)| {
            let weights = match (name, survey.goal, game.geometry()) {
                ("tempo", ..) => Some(vec![0.05; places.len()]),
                ("material", _, Some(_)) => Some(material(&features, survey)),
                ("squares", Goal::Reach, Some(geometry)) => {
                    Some(squares(&features, geometry, survey))
                }
                ("shape", Goal::Group, _) => Some(together()),
                ("score", ..) => {
                    let lead = if survey.lead > 0.0 { survey.lead } else { 20.0 };
                    Some(vec![(LEAD / (0.1 * lead)) as f32; places.len()])
                }
                (name, Goal::Line(length), _) if name == format!("lines-{length}") => {
                    Some(rows(length))
                }
                _ => None,
            }?;
            (weights.len() == places.len()).then(|| (name.to_string(), weights))
        });
        Weights { groups: groups.collect() }
    }
}

/// A piece is worth what it can do: one that never moves half as much as one that has as many moves as most.
fn material(features: &Features, survey: &Survey) -> Vec<f32> {
    let kinds = || features.kinds.iter().zip(&survey.mobility);
    let of_base = |base: usize| {
        let able: Vec<f64> = kinds().filter(|(of, _)| **of == base).map(|(_, m)| *m).collect();
        // Kinds that did not come up say nothing.
        let seen: Vec<f64> = able.into_iter().filter(|mobility| *mobility > 0.0).collect();
        if seen.is_empty() { 0.0 } else { seen.iter().sum::<f64>() / seen.len() as f64 }
    };
    let mobilities: Vec<f64> = (0..features.kind_count).map(of_base).collect();
    let known: Vec<f64> = mobilities.iter().copied().filter(|mobility| *mobility > 0.0).collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let worth = |mobility: &f64| (PIECE * (1.0 + mobility) / (1.0 + mean)) as f32;
    let sides = if features.mirror.is_some() { 1 } else { features.players };
    let once: Vec<f32> = mobilities.iter().map(worth).collect();
    once.repeat(sides)
}

/// Sites are worth the more the nearer they are to the player's goals.
fn squares(features: &Features, geometry: &Geometry, survey: &Survey) -> Vec<f32> {
    let sides = if features.mirror.is_some() { 1 } else { features.players };
    let mut weights = Vec::new();
    for side in 0..sides {
        let goals = survey.goals.get(side).map_or(&[][..], Vec::as_slice);
        let steps = distances(geometry, goals);
        let farthest = steps.iter().flatten().max().copied().unwrap_or(0).max(1) as f32;
        let worth = |steps: &Option<u32>| match steps {
            Some(steps) => ARRIVED * (1.0 - *steps as f32 / farthest).powi(2),
            None => 0.0,
        };
        let once: Vec<f32> = steps.iter().map(worth).collect();
        weights.extend(once.repeat(features.kind_count));
    }
    weights
}

/// Pieces that are to come together are worth the more the nearer they are to their middle and the fewer groups they are.
fn together() -> Vec<f32> {
    let own = Shape::weights(-GROUP, -AWAY);
    own.iter().copied().chain(own.iter().map(|weight| -weight)).collect()
}

/// How many steps each site is from the nearest of some.
fn distances(geometry: &Geometry, from: &[SiteId]) -> Vec<Option<u32>> {
    let mut steps = vec![None; geometry.len()];
    let mut queue: VecDeque<(SiteId, u32)> = from.iter().map(|&site| (site, 0)).collect();
    while let Some((site, away)) = queue.pop_front() {
        let Some(known) = steps.get_mut(site as usize) else { continue };
        if known.is_none() {
            *known = Some(away);
            queue.extend(geometry.adjacent(site).iter().map(|&next| (next, away + 1)));
        }
    }
    steps
}

/// Rows of the mover first, then those of the other.
fn rows(length: usize) -> Vec<f32> {
    let worth =
        |filled: usize| 5.0 * ROWS.get((length - filled).max(1) - 1).copied().unwrap_or(0.0);
    let own = (1..=length).map(worth);
    own.clone().chain(own.map(|weight| -WAITING * weight)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_worth_more_the_fuller_they_are() {
        let weights = rows(4);
        assert_eq!(weights.len(), 8);
        assert!(weights[..3].is_sorted() && weights[2] == 5.0);
        assert!(weights[4..].iter().all(|&weight| weight < 0.0));
    }

    #[test]
    fn distances_are_counted_in_steps() {
        let board = Geometry::rectangle(3, 3);
        let steps = distances(&board, &[0]);
        assert_eq!(steps[8], Some(2));
        assert_eq!(steps[1], Some(1));
    }
}
