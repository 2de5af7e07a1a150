//! The `Game` contract, boards, compiled rules and playouts.
