//! Stores of experiments: how far they are, their tables and plots, and every match they keep.

use std::path::Path;
use std::time::{Duration, SystemTime};

use axum::extract::{Query, State};
use axum::response::Response;
use ludex_arena::ArenaError;
use ludex_arena::catalog::GameSpec;
use ludex_arena::course::{Course, Payoffs};
use ludex_arena::experiment::{Store, StoredGame};
use ludex_arena::ludemes::library::read_text;
use ludex_arena::report;
use ludex_desk::{Desk, Language, Refusal, Spec};
use ludex_game::Trial;
use serde::Deserialize;
use serde_json::{Value, json};

use super::house::House;
use super::library::within;
use super::routes::{Page, work};

/// A store that was written within this time is being played into.
const LIVE: Duration = Duration::from_secs(15);

/// So many matches are listed at once.
const PAGE: usize = 200;

#[derive(Deserialize)]
pub struct Named {
    name: String,
}

#[derive(Deserialize)]
pub struct Cell {
    name: String,
    cell: i64,
    #[serde(default)]
    from: usize,
}

#[derive(Deserialize)]
pub struct Match {
    name: String,
    cell: i64,
    number: u64,
}

fn asked(error: ArenaError) -> Refusal {
    Refusal::Asked(error.to_string())
}

fn folder(house: &House) -> Result<&Path, Refusal> {
    let none = || Refusal::Asked("this page was given no folder of experiments".to_string());
    house.experiments.as_deref().ok_or_else(none)
}

fn opened(house: &House, name: &str) -> Result<Store, Refusal> {
    let file =
        within(folder(house)?, name).filter(|file| file.extension().is_some_and(|e| e == "sqlite"));
    let file = file.ok_or_else(|| Refusal::Asked(format!("there is no store {name}")))?;
    Store::open_to_read(&file).map_err(asked)
}

/// The stores of the folder with how far they are.
pub async fn stores(State(page): State<Page>) -> Response {
    let house = page.house.clone();
    work(&page, move || {
        let Ok(folder) = folder(&house) else { return Ok(json!([])) };
        let files = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| entry.ok());
        let names = files.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".sqlite")).collect();
        names.sort();
        Ok(Value::Array(names.iter().map(|name| line(&house, folder, name)).collect()))
    })
    .await
}

/// A store in the list; one that cannot be read says why.
fn line(house: &House, folder: &Path, name: &str) -> Value {
    let found = opened(house, name).and_then(|store| {
        let (finished, planned) = store.progress().map_err(asked)?;
        Ok(json!({ "name": name, "title": store.title().map_err(asked)?, "finished": finished,
            "planned": planned, "live": is_live(folder, name) && finished < planned }))
    });
    found.unwrap_or_else(|refusal| json!({ "name": name, "fault": refusal.to_string() }))
}

/// Whether somebody writes into a store; what was written last may still be beside it.
fn is_live(folder: &Path, name: &str) -> bool {
    let written = |file: &Path| {
        let age = SystemTime::now().duration_since(std::fs::metadata(file).ok()?.modified().ok()?);
        Some(age.unwrap_or_default())
    };
    let beside = [folder.join(name), folder.join(format!("{name}-wal"))];
    beside.iter().filter_map(|file| written(file)).any(|age| age < LIVE)
}

/// The tables and plots of a store, and its cells.
pub async fn store(State(page): State<Page>, Query(Named { name }): Query<Named>) -> Response {
    let house = page.house.clone();
    work(&page, move || {
        let store = opened(&house, &name)?;
        let reports = report::gather(&store).map_err(asked)?;
        let courses = report::courses(&store, &reports, None).map_err(asked)?;
        let cells: Vec<Value> = reports
            .iter()
            .map(|report| {
                json!({ "id": report.cell.id, "game": report.game, "names": report.names,
                    "budget": report.cell.budget, "planned": report.cell.planned,
                    "finished": report.tallies.first().map_or(0, |tally| tally.matches) })
            })
            .collect();
        let (finished, planned) = store.progress().map_err(asked)?;
        let live = is_live(folder(&house)?, &name) && finished < planned;
        Ok(json!({ "name": name, "title": store.title().map_err(asked)?, "finished": finished,
            "planned": planned, "live": live, "cells": cells,
            "report": report::body(&reports, &courses), "text": report::text(&reports) }))
    })
    .await
}

/// The matches of a cell, some at a time.
pub async fn matches(State(page): State<Page>, Query(asked_for): Query<Cell>) -> Response {
    let house = page.house.clone();
    work(&page, move || {
        let Cell { name, cell, from } = asked_for;
        let store = opened(&house, &name)?;
        let all = store.matches(cell).map_err(asked)?;
        let shown = all.iter().skip(from).take(PAGE).map(|one| {
            json!({ "number": one.number, "seating": one.seating, "points": one.points,
                "plies": one.plies, "forfeit": one.forfeit })
        });
        Ok(json!({ "all": all.len(), "from": from, "matches": shown.collect::<Vec<_>>() }))
    })
    .await
}

/// A match as the board shows it: the game, all moves, who sat where, and what they expected.
pub async fn one(State(page): State<Page>, Query(asked_for): Query<Match>) -> Response {
    let house = page.house.clone();
    work(&page, move || {
        let Match { name, cell, number } = asked_for;
        let store = opened(&house, &name)?;
        let cells = store.cells().map_err(asked)?;
        let missing = || Refusal::Asked(format!("{name} has no match {number} there"));
        let kept = cells.into_iter().find(|one| one.id == cell).ok_or_else(missing)?;
        let game = store.game(cell, number).map_err(asked)?.ok_or_else(missing)?;
        let spec = spec_of(&house, &kept.game)?;
        let table = house.desk.open(spec.clone())?;
        let trial = Trial { moves: game.moves.clone(), ..Trial::default() };
        let line = table.line_of(&trial)?;
        let seat = |&entrant: &usize| kept.names.get(entrant).cloned().unwrap_or_default();
        Ok(json!({
            "spec": spec,
            "expected": expected(&house.desk, &spec, &line, &game)?,
            "line": line,
            "seats": game.seating.iter().map(seat).collect::<Vec<_>>(),
            "title": format!("{name}, match {number}"),
            "forfeit": game.forfeit,
        }))
    })
    .await
}

/// What each seat expected, by ply.
fn expected(
    desk: &Desk,
    spec: &Spec,
    line: &[Vec<String>],
    game: &StoredGame,
) -> Result<Vec<Option<Vec<f64>>>, Refusal> {
    let choosers = game.moves.iter().filter_map(|(who, _)| *who);
    let known: Vec<bool> = game.thoughts.iter().map(|thought| thought.value.is_some()).collect();
    let choices = choosers.zip(game.thoughts.iter().copied());
    let course = Course::new(choices, &game.payoffs, Payoffs::of(&game.payoffs));
    let (mut values, mut choice) = (course.values.into_iter(), 0);
    let table = desk.open(spec.clone())?;
    let mut by_ply = Vec::new();
    for ply in 0..line.len() {
        let chosen = match table.game.turn(&table.state(&line[..ply])?) {
            ludex_game::Turn::Players(players) => players.len(),
            _ => 0,
        };
        let searched = known.iter().skip(choice).take(chosen).filter(|known| **known).count();
        choice += chosen;
        by_ply.push((0..searched).filter_map(|_| values.next()).last());
    }
    Ok(by_ply)
}

/// A game that a store names: one that comes with the program or is in the library, or a file beside the store.
fn spec_of(house: &House, game: &str) -> Result<Spec, Refusal> {
    let named: GameSpec = game.parse().map_err(|error| Refusal::Asked(format!("{error}")))?;
    let spec = Spec::of(&named);
    if house.desk.shelf.has(&spec) {
        return Ok(spec);
    }
    let language = if named.name.ends_with(".kif") { Language::Kif } else { Language::Lud };
    let beside = folder(house).ok().and_then(|folder| within(folder, &named.name));
    if let Some(text) = beside.and_then(|file| read_text(&file).ok()) {
        let spec = Spec {
            text: Some(text),
            language: Some(language),
            options: named.options,
            ..Spec::default()
        };
        return Ok(spec);
    }
    match house.desk.shelf.find(&named.name) {
        Some(found) => Ok(Spec { game: Some(found), ..spec }),
        None => {
            Err(Refusal::Asked(format!("the rules of {game} are not in the folders of this page")))
        }
    }
}
