//! Text of a game to a checked description.
