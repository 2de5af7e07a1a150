//! Small games, one for each form of rule that kernels have code of their own for: they must have a kernel, and
//! it must be the same game as the general form.

use ludex_game::conformance::{Effort, agree, check_with};
use ludex_game::{Game, Rng, erase};
use ludex_kernel::kernel;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::{Ludemes, compile};
use std::sync::Arc;

fn walk_both(text: &str) {
    let kernel = agreeing(text);
    let effort = Effort { games: 2, plies: 12, draws: 400, playouts: 16 };
    if let Err(fault) = check_with(&*kernel, 3, effort) {
        panic!("{fault}");
    }
}

/// The kernel of a game, which is the same game as the general form.
fn agreeing(text: &str) -> Arc<dyn Game> {
    let description = read(text, SourceId(0), &Library::default(), &[]).expect("readable");
    let general = Ludemes::new(compile(&description).expect("compiles")).expect("playable");
    let kernel = kernel(&general).unwrap_or_else(|reason| panic!("no kernel: {reason}"));
    let general = erase(general);
    for seed in 0..4 {
        if let Err(fault) = agree(&*general, &*kernel, &mut Rng::seeded(seed), 80) {
            panic!("{fault}");
        }
    }
    kernel
}

#[test]
fn placings_turn_what_they_enclose() {
    walk_both(include_str!("forms/discs.lud"));
}

#[test]
fn events_and_players_without_a_move_end_games() {
    walk_both(include_str!("forms/king.lud"));
}

#[test]
fn pieces_are_copied_and_values_of_players_kept() {
    walk_both(include_str!("forms/spread.lud"));
}

#[test]
fn parts_of_the_board_turn() {
    walk_both(include_str!("forms/quarter.lud"));
}

#[test]
fn rows_are_taken_and_votes_given() {
    walk_both(include_str!("forms/rows.lud"));
}

#[test]
fn dice_are_thrown_and_pieces_come_from_hands() {
    walk_both(include_str!("forms/throws.lud"));
}

#[test]
fn of_three_players_some_play_on() {
    walk_both(include_str!("forms/three.lud"));
}

#[test]
fn tiles_cover_several_cells() {
    walk_both(include_str!("forms/tiles.lud"));
}

#[test]
fn groups_are_asked_for() {
    walk_both(include_str!("forms/groups.lud"));
}

#[test]
fn ways_depend_on_values_and_hops_take_rows() {
    walk_both(include_str!("forms/ways.lud"));
}

#[test]
fn balls_rest_on_others() {
    walk_both(include_str!("forms/heights.lud"));
}

#[test]
fn several_sites_are_pending() {
    walk_both(include_str!("forms/waiting.lud"));
}

/// The reference lists placings twice that something comes with, which breaks a law of games.
#[test]
fn placings_take_what_stands_there() {
    agreeing(include_str!("forms/takers.lud"));
}

/// Every way in which the past may forbid a move.
fn walk_all_repetitions(text: &str) {
    for kind in ["", " Positional", " Situational", " PositionalInTurn", " SituationalInTurn"] {
        walk_both(&text.replace("(no Repeat)", &format!("(no Repeat{kind})")));
    }
}

#[test]
fn leaps_go_on_where_no_position_comes_back() {
    walk_all_repetitions(include_str!("forms/leaps.lud"));
}

#[test]
fn kings_are_guarded_and_no_position_comes_back() {
    walk_all_repetitions(include_str!("forms/guard.lud"));
}

#[test]
fn stronger_pieces_push_and_pull_and_no_turn_leaves_all_as_it_was() {
    walk_both(include_str!("forms/push.lud"));
}

#[test]
fn pieces_leave_stacks() {
    walk_both(include_str!("forms/goats.lud"));
}

#[test]
fn dice_are_used_one_after_the_other() {
    walk_both(include_str!("forms/tables.lud"));
}

#[test]
fn pieces_move_from_within_stacks() {
    walk_both(include_str!("forms/towers.lud"));
}

#[test]
fn teams_win_together() {
    walk_both(include_str!("forms/teams.lud"));
}

#[test]
fn lines_run_over_stacks() {
    walk_both(include_str!("forms/crowns.lud"));
}

#[test]
fn what_stands_on_a_site_is_the_lowest_of_a_stack() {
    walk_both(include_str!("forms/lowest.lud"));
}

#[test]
fn hops_go_on_any_way_but_back() {
    walk_both(include_str!("forms/sweep.lud"));
}

#[test]
fn seeds_are_sown_after_something_else_and_holes_stay_entered() {
    walk_both(include_str!("forms/pits.lud"));
}
