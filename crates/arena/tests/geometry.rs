//! Geometry, views and ends of moves of whole libraries of games, against each other and against ground truth.
//!
//! `LUDEX_EVERY=1` looks at every game rather than at one of so many; with it
//! `cargo test -p ludex-arena --test geometry -- --nocapture` prints what share of the recorded GDL games has
//! geometry.

mod common;

use ludex_arena::catalog::{self, GameSpec, compile_kif};
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_game::conformance::{check_sites, flaw};
use ludex_game::geometry::OFF;
use ludex_game::{
    Detail, Ends, Game, Geometry, Move, Player, Rng, SiteId, State, Turn, View, erase,
};
use ludex_lud::Ludemes;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

/// One of so many games is looked at.
fn every(usual: usize) -> usize {
    std::env::var("LUDEX_EVERY").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The games in Rust, the options that give their descriptions the same board, and whether rows of one are
/// columns of the other.
const FORMS: &[(&str, &[&str], bool)] = &[
    ("atarigo", &["Board Size/8x8"], false),
    ("breakthrough", &[], false),
    ("domineering", &[], true),
    ("knightthrough", &[], false),
    ("misere-breakthrough", &[], false),
    ("misere-domineering", &[], true),
    ("misere-knightthrough", &[], false),
    ("nogo", &["Board Size/8x8"], false),
];

#[test]
fn games_in_rust_and_in_ludemes_look_the_same() {
    for &(name, options, turned) in FORMS {
        let rust = catalog::load(&GameSpec::named(name)).expect("a built-in game");
        let ludemes = catalog::load(&GameSpec {
            options: options.iter().map(|option| option.to_string()).collect(),
            ..GameSpec::named(format!("{name}.lud"))
        });
        let turn = |site: SiteId| if turned { site % 8 * 8 + site / 8 } else { site };
        for seed in 0..3 {
            walk_both(name, &*rust, &**ludemes.as_ref().expect("a description"), &turn, seed);
        }
    }
}

fn walk_both(
    name: &str,
    rust: &dyn Game,
    ludemes: &dyn Game,
    turn: &dyn Fn(SiteId) -> SiteId,
    seed: u64,
) {
    let (mut a, mut b) = (rust.start(), ludemes.start());
    let mut rng = Rng::seeded(seed);
    loop {
        assert_eq!(rust.turn(&a), ludemes.turn(&b), "{name}");
        let (one, other) = (seen(rust, &a, &|site| site), seen(ludemes, &b, turn));
        assert_eq!(one, other, "{name}\n{}", rust.show(&a, None));
        let Turn::Players(players) = rust.turn(&a) else { return };
        let player = players.first().unwrap_or_default();
        let (mine, theirs) = (ends(rust, &a, player, &|s| s), ends(ludemes, &b, player, turn));
        let only = |ends: &[(Ends, Move)]| ends.iter().map(|(ends, _)| *ends).collect::<Vec<_>>();
        assert_eq!(only(&mine), only(&theirs), "{name}\n{}", rust.show(&a, None));
        let nth = rng.below(mine.len() as u32) as usize;
        rust.apply(&mut a, &[mine[nth].1]);
        ludemes.apply(&mut b, &[theirs[nth].1]);
    }
}

/// Whose piece is on top of a site, and of which kind.
type Top = (Option<Player>, Option<u16>);

/// What is on each site, and the last move.
fn seen(
    game: &dyn Game,
    state: &State,
    turn: &dyn Fn(SiteId) -> SiteId,
) -> (Vec<Option<Top>>, Option<Ends>) {
    let mut view = View::new();
    game.view(state, None, Detail::Pieces, &mut view);
    let top = |site: SiteId| view.top(turn(site)).map(|piece| (piece.owner, piece.kind));
    let last = game.last_move(state).map(|ends| turned(ends, turn));
    ((0..view.len() as SiteId).map(top).collect(), last)
}

fn ends(
    game: &dyn Game,
    state: &State,
    player: Player,
    turn: &dyn Fn(SiteId) -> SiteId,
) -> Vec<(Ends, Move)> {
    let mut moves = Vec::new();
    game.moves(state, player, &mut moves);
    let of = |&mv: &Move| (turned(game.ends(state, Some(player), mv), turn), mv);
    let mut all: Vec<(Ends, Move)> = moves.iter().map(of).collect();
    all.sort_by_key(|(ends, _)| (ends.from, ends.to));
    all
}

fn turned(ends: Ends, turn: &dyn Fn(SiteId) -> SiteId) -> Ends {
    Ends { from: ends.from.map(turn), to: ends.to.map(turn), ..ends }
}

/// A game of the library in its general form.
fn load(defines: &Defines, file: &Path) -> Option<Arc<dyn Game>> {
    let compiled = defines.compile(&read_text(file).ok()?, &[]).ok()?;
    Some(erase(Ludemes::new(compiled).ok()?))
}

#[test]
fn every_game_of_the_library_has_geometry() {
    let Some(library) = common::ludeme_library() else { return };
    let defines = Defines::read(&library.join("def")).expect("defines");
    let mut files = Vec::new();
    files_below(&library.join("lud"), "lud", &mut files).expect("descriptions");
    let (mut games, mut faults) = (0, Vec::new());
    for file in files.iter().step_by(every(40)) {
        let Some(game) = load(&defines, file) else { continue };
        games += 1;
        match game.geometry() {
            Some(geometry) if !geometry.is_empty() => {}
            _ => faults.push(format!("{}: no geometry", file.display())),
        }
        if let Err(fault) = check_sites(&*game, 1, 4) {
            faults.push(format!("{}: {fault}", file.display()));
        }
    }
    println!("{games} games of the library, {} faults", faults.len());
    assert!(games > 0 && faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Neighbours clockwise with gaps, kinds of piece with their owners, and distances to regions are those of the
/// reference.
#[test]
fn boards_are_as_patterns_see_them() {
    let (Some(library), Some(data)) = (common::ludeme_library(), common::feature_data()) else {
        return;
    };
    let defines = Defines::read(&library.join("def")).expect("defines");
    let mut files = Vec::new();
    files_below(&data.join("boards"), "json", &mut files).expect("boards");
    let mut faults = Vec::new();
    for file in files.iter().step_by(every(4)) {
        let truth: serde_json::Value =
            serde_json::from_str(&read_text(file).expect("readable")).expect("JSON");
        let path = format!("lud/{}.lud", truth["lud"].as_str().expect("a path"));
        let Some(game) = load(&defines, &library.join(&path)) else {
            faults.push(format!("{path}: not loaded"));
            continue;
        };
        let geometry = game.geometry().expect("geometry");
        faults.extend(differences(geometry, &truth).into_iter().map(|d| format!("{path}: {d}")));
    }
    println!("{} boards, {} faults", files.len().div_ceil(every(4)), faults.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn differences(geometry: &Geometry, truth: &serde_json::Value) -> Vec<String> {
    let mut faults = Vec::new();
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    for (site, wanted) in (0..).zip(list(&truth["orthos"])) {
        let wanted: Vec<i64> = list(&wanted).iter().filter_map(serde_json::Value::as_i64).collect();
        let near = |&near: &SiteId| if near == OFF { -1 } else { i64::from(near) };
        let found: Vec<i64> = geometry.around(site).iter().map(near).collect();
        if found != wanted {
            faults.push(format!("site {site} has {found:?}, not {wanted:?}"));
            break;
        }
    }
    let names: Vec<&str> = geometry.kinds.iter().map(|kind| kind.name.as_str()).collect();
    let wanted = list(&truth["components"]);
    let wanted: Vec<&str> = wanted.iter().skip(1).filter_map(serde_json::Value::as_str).collect();
    if names != wanted {
        faults.push(format!("pieces are {names:?}, not {wanted:?}"));
    }
    for (region, wanted) in geometry.regions.iter().zip(list(&truth["regions"])) {
        let wanted: Option<Vec<i64>> = wanted["dist"]
            .as_array()
            .map(|dist| dist.iter().filter_map(serde_json::Value::as_i64).collect());
        let found = region.sites.as_ref().map(|sites| distances(geometry, sites));
        let known = found.as_ref().zip(wanted.as_ref());
        if known.is_some_and(|(found, wanted)| found[..wanted.len()] != wanted[..]) {
            faults.push(format!("distances to {} are {found:?}, not {wanted:?}", region.name));
        }
    }
    if geometry.regions.len() != list(&truth["regions"]).len() {
        faults.push(format!("{} regions", geometry.regions.len()));
    }
    faults
}

/// Steps to a region; nought where no way leads there.
fn distances(geometry: &Geometry, region: &[SiteId]) -> Vec<i64> {
    let mut steps: Vec<Option<i64>> = vec![None; geometry.len()];
    let mut open: VecDeque<SiteId> = region.iter().copied().collect();
    region.iter().for_each(|&site| steps[site as usize] = Some(0));
    while let Some(site) = open.pop_front() {
        for &near in geometry.adjacent(site) {
            if steps[near as usize].is_none() {
                steps[near as usize] = steps[site as usize].map(|steps| steps + 1);
                open.push_back(near);
            }
        }
    }
    steps.into_iter().map(|steps| steps.unwrap_or(0)).collect()
}

#[test]
fn gdl_games_of_our_own_have_geometry() {
    for (name, _) in ludex_games::gdl::DESCRIPTIONS {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/gdl");
        let path = format!("{folder}/{name}.kif");
        let game = compile_kif(Path::new(&path), None).expect("a game").into_game();
        let geometry = game.geometry().unwrap_or_else(|| panic!("{name} has no geometry"));
        assert_eq!(flaw(geometry, game.info().players), None, "{name}");
        let owned = geometry.kinds.iter().filter(|kind| kind.owner.is_some()).count();
        assert!(owned >= 2, "{name}: {:?}", geometry.kinds);
        check_sites(&*game, 3, 60).unwrap_or_else(|fault| panic!("{fault}"));
    }
}

/// GDL and Rust show the same pieces on the same sites: rows are counted upwards in both.
#[test]
fn games_in_rust_and_in_gdl_look_the_same() {
    for (name, gdl) in
        [("breakthrough", "breakthrough.kif"), ("knightthrough", "knightThrough.kif")]
    {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/gdl");
        let rust = catalog::load(&GameSpec::named(name)).expect("a built-in game");
        let gdl = catalog::load(&GameSpec::named(format!("{folder}/{gdl}"))).expect("a game");
        // Sites of GDL are numbered by their words: first coordinate, then second.
        let turn = |site: SiteId| site % 8 * 8 + site / 8;
        let owners = |game: &dyn Game, state: &State, turn: &dyn Fn(SiteId) -> SiteId| {
            let (sites, _) = seen(game, state, turn);
            sites.into_iter().map(|top| top.and_then(|top| top.0)).collect::<Vec<_>>()
        };
        let (mut a, mut b) = (rust.start(), gdl.start());
        let mut rng = Rng::seeded(7);
        while let Turn::Players(players) = rust.turn(&a) {
            assert_eq!(owners(&*rust, &a, &|s| s), owners(&*gdl, &b, &turn), "{name}");
            let player = players.first().unwrap_or_default();
            let (mine, theirs) = (ends(&*rust, &a, player, &|s| s), ends(&*gdl, &b, player, &turn));
            let only =
                |ends: &[(Ends, Move)]| ends.iter().map(|(ends, _)| *ends).collect::<Vec<_>>();
            assert_eq!(only(&mine), only(&theirs), "{name}\n{}", rust.show(&a, None));
            let nth = rng.below(mine.len() as u32) as usize;
            rust.apply(&mut a, &[mine[nth].1]);
            gdl.apply(&mut b, &[theirs[nth].1]);
            assert_eq!(rust.turn(&a) == Turn::Over, gdl.turn(&b) == Turn::Over, "{name}");
        }
    }
}

#[test]
fn most_recorded_gdl_games_have_geometry() {
    let Some(records) = common::gdl_records() else { return };
    let mut files = Vec::new();
    files_below(&records.join("oracle"), "jsonl", &mut files).expect("records");
    let (mut games, mut without) = (0, Vec::new());
    for file in files.iter().step_by(every(14)) {
        let key = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let rules = records.join(format!("games/{key}.kif"));
        let Ok(compiled) = compile_kif(&rules, None) else { continue };
        games += 1;
        let game = compiled.into_game();
        match game.geometry() {
            None => without.push(key.to_string()),
            Some(_) => check_sites(&*game, 1, 6).unwrap_or_else(|fault| panic!("{key}: {fault}")),
        }
    }
    let share = 1.0 - without.len() as f64 / f64::from(games);
    println!("{:.1}% of {games} have geometry; without: {}", 100.0 * share, without.join(" "));
    assert!(share >= 0.6, "only {share}");
}
