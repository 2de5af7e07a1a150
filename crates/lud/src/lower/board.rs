//! Lowering of the board: its tree is read by the crate of boards.

use super::end::mentions;
use super::{Args, Lower, Lowered};
use crate::game::{Container, ContainerKind, Track};
use crate::memo::Memo;
use crate::topo::{SiteType, Topology};
use ludex_board::expr::{Arg, Expr, ExprKind};
use ludex_board::{Board, Place};
use ludex_lang::diagnostic::{Diagnostic, SourceId, Span};
use ludex_lang::lud::check::located;
use ludex_lang::lud::tree::{Node, NodeKind};

impl Lower<'_> {
    pub(super) fn board(&mut self, args: &Args<'_>, text: &Node) -> Lowered<()> {
        if !self.containers.is_empty() {
            return self.refuse(args.call.place, "a second board");
        }
        let layers = mentions(text, "layer") || mentions(text, "Layer");
        let Some(node) = find_board(text) else {
            return self.wrong(args.call.place, "this equipment has no board");
        };
        self.board_doubted(node, args.call.place.via);
        let expr = expr_of(node);
        let board = match Board::from_expr(&expr, layers) {
            Ok(board) => board,
            Err(error) => {
                let span = error.place().map_or(args.call.place.span, span_of);
                let diagnostic = Diagnostic::error(error.to_string(), span);
                let via = args.call.place.via;
                return Err(Box::new(located(diagnostic, via, self.expansions)));
            }
        };
        self.flags.large_stack = board.large_stack || self.flag(args, "largeStack");
        self.flags.boardless = board.boardless;
        self.tracks = board.tracks.iter().map(track_of).collect();
        self.topo = Topology::new(board.topology, board.kind);
        let count = self.topo.count(SiteType::Cell).max(self.topo.count(board.kind));
        self.kinds_known(text);
        self.containers.push(Container {
            name: "Board".into(),
            first: 0,
            count: count as i32,
            owner: 0,
            kind: ContainerKind::Board,
        });
        for values in self.items(args, "valuesArray") {
            self.sheet_values(values)?;
        }
        if let Some(values) = args.get("values") {
            self.sheet_values(values)?;
        }
        Ok(())
    }
}

fn track_of(track: &ludex_board::Track) -> Track {
    Track {
        name: track.name.as_str().into(),
        owner: track.owner as i32,
        sites: track.sites().collect(),
        looped: track.looped,
        bumps: track.steps.iter().map(|step| step.bump as i32).collect(),
        first: Memo::default(),
        set: Memo::default(),
    }
}

/// The first board of a description.
fn find_board(node: &Node) -> Option<&Node> {
    if matches!(node.head(), Some("board" | "mancalaBoard" | "surakartaBoard" | "boardless")) {
        return Some(node);
    }
    node.children().iter().find_map(find_board)
}

/// The tree the board module reads.
fn expr_of(node: &Node) -> Expr {
    let kind = match &node.kind {
        NodeKind::Text(text) => ExprKind::Text(text.to_string()),
        NodeKind::Word(word) => match word.parse::<f64>() {
            Ok(number) => ExprKind::Number(number),
            // The end of a track, in lists of its sites.
            Err(_) if &**word == "End" => ExprKind::Number(-2.0),
            Err(_) => ExprKind::Word(word.to_string()),
        },
        NodeKind::List(items) | NodeKind::Angle(items) => {
            ExprKind::List(items.iter().map(expr_of).collect())
        }
        NodeKind::Call(items) => ExprKind::Call {
            name: items.first().and_then(Node::word).unwrap_or("").to_owned(),
            args: items
                .iter()
                .skip(1)
                .map(|item| Arg {
                    name: item.name.as_deref().map(str::to_owned),
                    value: expr_of(item),
                })
                .collect(),
        },
    };
    Expr { at: place_of(node.span), kind }
}

/// Where a part of a board was written, as boards remember it.
fn place_of(span: Span) -> Place {
    Place { source: span.source.0, start: span.start, end: span.end }
}

fn span_of(place: Place) -> Span {
    Span { source: SourceId(place.source), start: place.start, end: place.end }
}
