//! Lowering of moves for each piece, site, player, value, die, direction …

use super::moves::Uses;
use super::{Args, Lower, Lowered};
use crate::ir::{
    Directions, ForEachDie, ForEachDirection, ForEachPiece, Int, MovesKind, Range, Values,
};
use crate::topo::Dir;

impl Lower<'_> {
    pub(super) fn for_each(&mut self, args: &Args<'_>) -> Lowered<MovesKind> {
        use MovesKind as K;
        Ok(match args.key() {
            "forEach.Piece" => K::ForEachPiece(Box::new(self.for_each_piece(args)?)),
            "forEach.Site" => {
                let region = self.need(args, "region")?;
                let region = Box::new(self.region(region)?);
                let inner = Box::new(self.needed_moves(args, "generator")?);
                let otherwise = self.opt_moves(args, "noMoveYet")?.map(Box::new);
                K::ForEachSite(region, inner, otherwise)
            }
            "forEach.Player" => K::ForEachPlayer(None, Box::new(self.needed_moves(args, "moves")?)),
            "forEach" => {
                let players = self.need(args, "players")?;
                let players = Box::new(self.ints(players)?);
                K::ForEachPlayer(Some(players), Box::new(self.needed_moves(args, "moves")?))
            }
            "forEach.Value" => {
                let values = match args.get("values") {
                    Some(values) => Values::List(self.ints(values)?),
                    None => Values::Range(self.need_int(args, "min")?, self.need_int(args, "max")?),
                };
                let inner = Box::new(self.needed_moves(args, "generator")?);
                K::ForEachValue(Box::new(values), inner)
            }
            "forEach.Die" => {
                self.dice_needed(args)?;
                K::ForEachDie(Box::new(ForEachDie {
                    dice: self.int_or(args, "handDiceIndex", Int::Const(0))?,
                    combined: self.bool_or(args, "combined", false)?,
                    replay_double: self.bool_or(args, "replayDouble", false)?,
                    cond: self.bool_or(args, "if", true)?,
                    moves: self.needed_moves(args, "moves")?,
                }))
            }
            "forEach.Direction" => self.for_each_direction(args)?,
            "forEach.Level" => {
                let kind = self.kind(args, "type");
                let site = Box::new(self.need_int(args, "site")?);
                let bottom = self.word(args, "stackDirection") == Some("FromBottom");
                let inner = Box::new(self.needed_moves(args, "moves")?);
                K::ForEachLevel(kind, site, bottom, inner)
            }
            "forEach.Group" => {
                let groups = Box::new(self.groups(args)?);
                K::ForEachGroup(groups, Box::new(self.needed_moves(args, "moves")?))
            }
            "forEach.Team" => K::ForEachTeam(Box::new(self.needed_moves(args, "moves")?)),
            _ => return self.unknown(args),
        })
    }

    pub(super) fn for_each_piece(&mut self, args: &Args<'_>) -> Lowered<ForEachPiece> {
        let mut items = self.texts_of(args, "item");
        items.extend(self.texts_of(args, "items"));
        for item in &items {
            self.pieces_called(args.call.place, item)?;
        }
        let container = match self.text(args, "containerName") {
            None => self.int_or(args, "container", Int::Const(0))?,
            Some(name) => Int::Const(self.container_named(args.call.place, name)? as i32),
        };
        let role = self.word(args, "role");
        let everybody = matches!(role, Some("All" | "Each"));
        let player = self.player(args, &["player", "role"])?;
        let top = self.bool_or(args, "top", false)?;
        self.flags.stacking |= args.has("top");
        Ok(ForEachPiece {
            on: self.kind(args, "on"),
            items,
            container,
            moves: self.opt_moves(args, "specificMoves")?,
            player: player.unwrap_or(Int::Mover),
            everybody,
            top,
            meant: Default::default(),
        })
    }

    pub(super) fn for_each_direction(&mut self, args: &Args<'_>) -> Lowered<MovesKind> {
        let origin = self.origin(args, Int::From, &Uses::only(&[]))?;
        let passed = self.passed(args, &Uses::only(&["range", "if"]))?;
        let dirs = match args.get("directions") {
            Some(dirs) => self.directions(dirs)?,
            None => Directions::Absolute(vec![Dir::ADJACENT]),
        };
        let (cond, moves) = match args.get("moves") {
            Some(moves) => (None, self.moves(moves)?),
            None => {
                let to = self.target(args, &Uses::only(&["if", "effect"]))?;
                let Some(effect) = to.effect else {
                    return self.unknown(args);
                };
                if to.effect_if.is_some() {
                    return self.unknown(args);
                }
                (to.cond, effect)
            }
        };
        let one = Range { min: Int::Const(1), max: Int::Const(1) };
        Ok(MovesKind::ForEachDirection(Box::new(ForEachDirection {
            kind: origin.kind,
            from: origin.site,
            dirs,
            distance: passed.range.unwrap_or(one),
            between: passed.cond,
            to: cond,
            moves,
        })))
    }
}
