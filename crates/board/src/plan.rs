//! A whole board from its description: graph, default sites and tracks.

use super::args::Args;
use super::build::graph_of;
use super::expr::{Expr, ExprKind, fault};
use super::{BoardError, END, SiteType, Topology, Track, surakarta_tracks};

/// A board with everything that is said about it.
#[derive(Debug)]
pub struct Board {
    /// The sites.
    pub topology: Topology,
    /// The kind of site pieces stand on unless something else is said.
    pub kind: SiteType,
    /// The ways around it.
    pub tracks: Vec<Track>,
    /// Whether stacks may become very high.
    pub large_stack: bool,
    /// Whether it is a table rather than a board.
    pub boardless: bool,
    /// Ranges of values its elements can take, in deduction puzzles.
    pub values: Vec<Values>,
}

/// The values elements of one kind can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    /// Which elements.
    pub kind: SiteType,
    /// Least value.
    pub from: i32,
    /// Greatest value.
    pub to: i32,
}

impl Board {
    /// The board of `(board …)`, `(mancalaBoard …)`, `(surakartaBoard …)` or `(boardless …)`;
    /// `with_layers` says that the rules mention layers.
    pub fn from_expr(expr: &Expr, with_layers: bool) -> Result<Board, BoardError> {
        let ExprKind::Call { name, args } = &expr.kind else {
            let message = format!("expected a board, found {}", expr.describe());
            return Err(fault(expr.at, message));
        };
        let mut args = Args::new(name, expr.at, args);
        let mut plan = Plan::default();
        let (graph, kind) = match name.as_str() {
            "board" => {
                let graph = args.required("a graph")?;
                let kind = plan.details(&mut args)?;
                args.finish()?;
                (graph_of(graph, kind)?, kind)
            }
            "mancalaBoard" => {
                let graph = graph_of(expr, SiteType::Vertex)?;
                args.int("a number of rows")?;
                args.int("a number of columns")?;
                args.named("store");
                args.named("numStores");
                plan.details(&mut args)?;
                (graph, SiteType::Vertex)
            }
            "surakartaBoard" => {
                plan.surakarta = Some(Surakarta::read(&mut args)?);
                (graph_of(expr, SiteType::Vertex)?, SiteType::Vertex)
            }
            "boardless" => {
                plan.large_stack = args.flag("largeStack", false)?;
                (graph_of(expr, SiteType::Cell)?, SiteType::Cell)
            }
            _ => {
                return Err(BoardError::UnknownGraph { name: name.clone(), at: expr.at });
            }
        };
        let topology =
            if with_layers { Topology::with_layers(graph) } else { Topology::new(graph) };
        let mut tracks = Vec::new();
        for track in &plan.tracks {
            tracks.push(read_track(track, &topology, kind)?);
        }
        if let Some(loops) = plan.surakarta {
            tracks = surakarta_tracks(&topology, loops.triangular, loops.count, loops.from);
        }
        Ok(Board {
            topology,
            kind,
            tracks,
            large_stack: plan.large_stack,
            boardless: name == "boardless",
            values: plan.values,
        })
    }
}

#[derive(Default)]
struct Plan<'a> {
    tracks: Vec<&'a Expr>,
    values: Vec<Values>,
    large_stack: bool,
    surakarta: Option<Surakarta>,
}

impl<'a> Plan<'a> {
    /// What may follow the graph; gives the default sites.
    fn details(&mut self, args: &mut Args<'a>) -> Result<SiteType, BoardError> {
        self.large_stack = args.flag("largeStack", false)?;
        let kind = match args.named("use") {
            Some(kind) => kind
                .word()
                .and_then(SiteType::from_name)
                .ok_or_else(|| fault(kind.at, "expected Vertex, Edge or Cell"))?,
            None => SiteType::Cell,
        };
        while let Some(next) = args.take() {
            match next.list() {
                Some(list) => {
                    for item in list {
                        self.detail(item)?;
                    }
                }
                None => self.detail(next)?,
            }
        }
        Ok(kind)
    }

    fn detail(&mut self, expr: &'a Expr) -> Result<(), BoardError> {
        match &expr.kind {
            ExprKind::Call { name, .. } if name == "track" => self.tracks.push(expr),
            ExprKind::Call { name, args } if name == "values" => {
                let args = Args::new(name, expr.at, args);
                self.values.push(read_values(args)?);
            }
            _ => {
                let message = format!("expected a track or values, found {}", expr.describe());
                return Err(fault(expr.at, message));
            }
        }
        Ok(())
    }
}

struct Surakarta {
    triangular: bool,
    count: Option<usize>,
    from: usize,
}

impl Surakarta {
    fn read(args: &mut Args) -> Result<Self, BoardError> {
        let whole = |value: Option<&Expr>| -> Result<Option<usize>, BoardError> {
            let number = value.map(Expr::int).transpose()?;
            Ok(number.and_then(|n| usize::try_from(n).ok()))
        };
        let (count, from) = (whole(args.named("loops"))?, whole(args.named("from"))?);
        Ok(Surakarta {
            triangular: args.peek().is_some_and(is_triangular),
            count,
            from: from.unwrap_or(1),
        })
    }
}

fn is_triangular(graph: &Expr) -> bool {
    matches!(&graph.kind, ExprKind::Call { name, .. } if name == "tri")
}

/// `(values Cell (range 1 9))`
fn read_values(mut args: Args) -> Result<Values, BoardError> {
    let kind = args.word(SiteType::from_name).unwrap_or(SiteType::Cell);
    let range = args.required("a range")?;
    let ExprKind::Call { name, args: bounds } = &range.kind else {
        return Err(fault(range.at, "expected `(range …)`"));
    };
    let mut bounds = Args::new(name, range.at, bounds);
    let (from, to) = (bounds.int("a least value")?, bounds.int("a greatest value")?);
    args.finish()?;
    Ok(Values { kind, from, to })
}

/// `(track "Name" "0,E,N" P1 loop:True)` or with `{ sites }`.
fn read_track(expr: &Expr, board: &Topology, kind: SiteType) -> Result<Track, BoardError> {
    let ExprKind::Call { name, args } = &expr.kind else {
        return Err(fault(expr.at, "expected a track"));
    };
    let mut args = Args::new(name, expr.at, args);
    let looped = args.flag("loop", false)?;
    let directed = args.flag("directed", false)?;
    let name = match &args.required("a name")?.kind {
        ExprKind::Text(name) => name.clone(),
        _ => return Err(fault(expr.at, "a track needs a name in quotes")),
    };
    let way = args.required("sites or directions")?;
    let owner = match args.take() {
        Some(owner) => owner_of(owner)?,
        None => 0,
    };
    args.finish()?;
    match &way.kind {
        ExprKind::Text(text) => Track::parse(board, kind, &name, text, owner, looped, directed)
            .map_err(|error| error.at(way.at)),
        ExprKind::List(sites) => {
            let sites = sites.iter().map(track_site).collect::<Result<Vec<_>, _>>()?;
            Ok(Track::new(&name, &sites, owner, looped, directed))
        }
        _ => Err(fault(way.at, "a track is a list of sites or a text such as \"0,E,N,W\"")),
    }
}

/// A place of a track: a site, or the end of the track.
fn track_site(expr: &Expr) -> Result<i32, BoardError> {
    match expr.word() {
        Some("End") => Ok(END),
        _ => expr.int(),
    }
}

/// A player's number: `P1` is 1, nobody's is 0.
fn owner_of(expr: &Expr) -> Result<usize, BoardError> {
    if expr.is_number() {
        return Ok(usize::try_from(expr.int()?).unwrap_or(0));
    }
    let word = expr.word().unwrap_or_default();
    if word == "Neutral" {
        return Ok(0);
    }
    let number = word.strip_prefix('P').and_then(|n| n.parse().ok());
    number.ok_or_else(|| fault(expr.at, format!("expected a player, found {}", expr.describe())))
}
