//! Numbers that describe a position, for evaluations built from them.

use ludex_game::Player;

/// The names of each side's numbers, from a player's own side and then from the opponent's, and
/// whether it is the player's turn.
pub(crate) fn names(each_side: &[&str]) -> Vec<String> {
    let own = each_side.iter().map(|name| format!("own {name}"));
    let theirs = each_side.iter().map(|name| format!("opponent's {name}"));
    own.chain(theirs).chain(["turn".to_string()]).collect()
}

/// Writes the numbers of both sides in the order of [`names`].
pub(crate) fn write(
    mover: Player,
    player: Player,
    out: &mut [f32],
    each_side: impl Fn(Player) -> Vec<f32>,
) {
    let sides = each_side(player).into_iter().chain(each_side(player.opponent()));
    let turn = if mover == player { 1.0 } else { 0.0 };
    for (slot, value) in out.iter_mut().zip(sides.chain([turn])) {
        *slot = value;
    }
}
