//! From a description to a graph.

use super::BoardError;
use super::args::Args;
use super::expr::{Expr, ExprKind, fault};
use super::generate::{self, BrickShape, Diagonals, HexShape, Stores, Tiling, TriShape};
use super::geometry::Polygon;
use super::graph::{Graph, SiteType};
use super::operate;
use super::values::{
    Outline, by_place_or_number, cutter, diagonals, expect_list, index, ints, number, number_lists,
    outline, points, poly, word_of,
};
use crate::Place;

/// Descriptions nested deeper than this are refused.
const MAX_DEPTH: usize = 64;

/// The graph a description stands for, for a board played on `kind`.
pub fn graph_of(expr: &Expr, kind: SiteType) -> Result<Graph, BoardError> {
    Builder { kind, depth: 0 }.graph(expr)
}

/// Refuses graphs that no game can use.
fn check(graph: &Graph) -> Result<(), BoardError> {
    if graph.vertices.is_empty() {
        return Err(BoardError::NoSites);
    }
    if graph.vertices.len() > generate::MAX_VERTICES {
        return Err(BoardError::TooLarge(graph.vertices.len()));
    }
    if graph.edges.len() > generate::MAX_EDGES {
        return Err(BoardError::TooManyEdges(graph.edges.len()));
    }
    let far = |v: f64| v.is_nan() || v.abs() > generate::MAX_COORDINATE;
    let places = graph.vertices.iter().map(|v| v.at);
    if places.clone().any(|p| far(p.x) || far(p.y) || far(p.z)) {
        return Err(BoardError::TooFar);
    }
    Ok(())
}

struct Builder {
    kind: SiteType,
    depth: usize,
}

impl Builder {
    fn graph(&mut self, expr: &Expr) -> Result<Graph, BoardError> {
        let ExprKind::Call { name, args } = &expr.kind else {
            let message = format!("expected a board, found {}", expr.describe());
            return Err(fault(expr.at, message));
        };
        if self.depth >= MAX_DEPTH {
            return Err(fault(expr.at, "this board is nested too deeply"));
        }
        self.depth += 1;
        let mut args = Args::new(name, expr.at, args);
        let graph = match self.generated(name, &mut args)? {
            Some(graph) => graph,
            None => self
                .operated(name, &mut args)?
                .ok_or_else(|| BoardError::UnknownGraph { name: name.clone(), at: expr.at })?,
        };
        args.finish()?;
        self.depth -= 1;
        check(&graph).map_err(|error| error.at(expr.at))?;
        Ok(graph)
    }

    fn generated(&mut self, name: &str, args: &mut Args) -> Result<Option<Graph>, BoardError> {
        let at = args.at;
        let graph = match name {
            "square" => self.square(args),
            "rectangle" => self.rectangle(args),
            "hex" => hex(args),
            "tri" => self.tri(args),
            "brick" => brick(args),
            "celtic" => celtic(args),
            "quadhex" => quadhex(args),
            "tiling" => tiling(args),
            "concentric" => self.concentric(args),
            "regular" => self.regular(args),
            "wedge" => wedge(args),
            "spiral" => spiral(args),
            "repeat" => repeat(args),
            "graph" => manual(args),
            "mancalaBoard" => self.mancala(args),
            "surakartaBoard" => self.surakarta(args),
            "boardless" => self.boardless(args),
            _ => return Ok(None),
        };
        graph.map(Some).map_err(|error| error.at(at))
    }

    fn square(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        if let Some(outline) = outline(args)? {
            let diagonals = diagonals(args)?;
            return match outline {
                Outline::Polygon(polygon) => generate::square_within(&polygon, diagonals),
                Outline::Sides(sides) => generate::square_from_sides(&sides, diagonals),
            };
        }
        let shape = args.word(|w| {
            ["Square", "Limping", "Diamond", "Rectangle"].contains(&w).then(|| w.to_string())
        });
        let dim = args.int("a size")?;
        let pyramidal = args.flag("pyramidal", false)?;
        let diagonals = diagonals(args)?;
        match shape.as_deref() {
            Some("Diamond") => generate::diamond(dim, diagonals),
            Some("Rectangle") => Err(fault(args.at, "`square` has no shape `Rectangle`")),
            limping => {
                let columns = dim.saturating_add(i32::from(limping == Some("Limping")));
                if pyramidal {
                    generate::pyramid(dim, columns, self.kind)
                } else {
                    generate::rectangle(dim, columns, diagonals, self.kind)
                }
            }
        }
    }

    fn rectangle(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        let rows = args.int("a number of rows")?;
        let columns = args.optional_int()?.unwrap_or(rows);
        generate::rectangle(rows, columns, diagonals(args)?, self.kind)
    }

    fn tri(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        match outline(args)? {
            Some(Outline::Polygon(polygon)) => return generate::tri_within(&polygon),
            Some(Outline::Sides(sides)) => return generate::tri_from_sides(&sides),
            None => {}
        }
        let shape = args.word(TriShape::from_name).unwrap_or(TriShape::Triangle);
        let a = args.int("a size")?;
        generate::tri(shape, a, args.optional_int()?, self.kind)
    }

    fn concentric(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        let mut joins = generate::Joins::default();
        joins.midpoints = args.flag("midpoints", joins.midpoints)?;
        joins.join_midpoints = args.flag("joinMidpoints", joins.join_midpoints)?;
        joins.join_corners = args.flag("joinCorners", joins.join_corners)?;
        let stagger = args.flag("stagger", false)?;
        let rings = args.named("rings").map(Expr::int).transpose()?;
        let steps = args.named("steps").map(Expr::int).transpose()?;
        let sides = args.named("sides").map(Expr::int).transpose()?;
        if let Some(cells) = args.list() {
            let cells = ints(cells)?;
            return generate::concentric_circles(&cells, stagger, self.kind);
        }
        let shape = args.word(|w| Some(w.to_string()));
        let rings = rings.ok_or_else(|| fault(args.at, "`concentric` needs `rings:`"))?;
        let sides = match (shape.as_deref(), sides) {
            (Some("Triangle"), _) => 3,
            (Some("Square"), _) => 4,
            (Some("Hexagon"), _) => 6,
            (Some("Target"), _) => {
                return match steps {
                    Some(steps) => {
                        let count = usize::try_from(rings).unwrap_or(0).min(1000);
                        generate::concentric_circles(&vec![steps; count], false, self.kind)
                    }
                    None => generate::concentric_target(rings, self.kind),
                };
            }
            (None, Some(sides)) => sides,
            _ => return Err(fault(args.at, "`concentric` needs a shape, sides or cells")),
        };
        generate::concentric_polygons(sides, rings, joins, self.kind)
    }

    fn regular(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        let star = args.word(|w| (w == "Star").then_some(())).is_some();
        generate::regular(args.int("a number of sides")?, star, self.kind)
    }

    fn mancala(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        let rows = args.int("a number of rows")?;
        let columns = args.int("a number of columns")?;
        let stores = word_of(args.named("store"), "a place for stores", Stores::from_name)?;
        let number = args.named("numStores").map_or(Ok(2), Expr::int)?;
        args.flag("largeStack", false)?;
        while args.call_of("track").is_some() || args.list().is_some() {}
        let stores = stores.unwrap_or(Stores::Outer);
        generate::mancala(rows, columns, stores, number, SiteType::Vertex)
    }

    fn surakarta(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        for name in ["loops", "from", "largeStack"] {
            args.named(name);
        }
        self.inner(args)
    }

    /// A table large enough for games that need no board.
    fn boardless(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        let shape = args.word(|w| Some(w.to_string()));
        let dim = args.optional_int()?;
        args.flag("largeStack", false)?;
        match shape.as_deref() {
            Some("Square") => {
                let dim = dim.unwrap_or(41);
                generate::rectangle(dim, dim, Diagonals::Implied, SiteType::Cell)
            }
            Some("Hexagonal") => generate::hex(HexShape::Hexagon, dim.unwrap_or(21), None),
            Some("Triangular") => {
                generate::tri(TriShape::Triangle, dim.unwrap_or(41), None, SiteType::Cell)
            }
            _ => Err(fault(args.at, "`boardless` needs Square, Triangular or Hexagonal")),
        }
    }

    fn operated(&mut self, name: &str, args: &mut Args) -> Result<Option<Graph>, BoardError> {
        Ok(Some(match name {
            "add" => self.add(args)?,
            "remove" => self.remove(args)?,
            "merge" => {
                let connect = args.flag("connect", false)?;
                operate::merge(self.graphs(args)?, connect)
            }
            "union" => {
                let connect = args.flag("connect", false)?;
                operate::union(self.graphs(args)?, connect)
            }
            "intersect" => operate::intersect(self.graphs(args)?),
            "rotate" => {
                let degrees = number(args, "degrees")?;
                self.changed(args, |graph| graph.rotate(degrees))?
            }
            "shift" => {
                let (dx, dy) = (number(args, "a distance")?, number(args, "a second distance")?);
                let dz = args.optional_float()?.unwrap_or(0.0);
                self.changed(args, |graph| graph.shift(dx, dy, dz))?
            }
            "scale" => {
                let x = number(args, "a factor")?;
                let y = args.optional_float()?;
                let z = args.optional_float()?.unwrap_or(1.0);
                self.changed(args, |graph| graph.scale(x, y.unwrap_or(x), z))?
            }
            "skew" => {
                let amount = number(args, "an amount")?;
                self.changed(args, |graph| graph.skew(amount))?
            }
            "trim" => self.changed(args, Graph::trim)?,
            "makeFaces" => self.changed(args, |graph| graph.make_faces(true))?,
            "splitCrossings" => {
                let mut graph = self.inner(args)?;
                operate::split_crossings(&mut graph).map_err(|e| e.at(args.at))?;
                graph
            }
            "complete" => {
                let each = args.flag("eachCell", false)?;
                let mut graph = self.inner(args)?;
                operate::complete(&mut graph, each).map_err(|e| e.at(args.at))?;
                graph
            }
            "subdivide" => {
                let min = args.named("min").map_or(Ok(1), Expr::int)?;
                let kind = self.kind;
                let min = usize::try_from(min).unwrap_or(0);
                self.changed(args, |graph| operate::subdivide(graph, min, kind))?
            }
            "dual" => operate::dual(&self.inner(args)?),
            "layers" => self.layers(args)?,
            "renumber" => self.renumber(args)?,
            "recoordinate" => {
                while args.word(SiteType::from_name).is_some() {}
                self.inner(args)?
            }
            "keep" => self.cut(args, operate::keep)?,
            "clip" => self.cut(args, operate::clip)?,
            "hole" => self.cut(args, operate::hole)?,
            _ => return Ok(None),
        }))
    }

    fn inner(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        let inner = args.required("a board")?;
        self.graph(inner)
    }

    fn changed(
        &mut self,
        args: &mut Args,
        change: impl FnOnce(&mut Graph),
    ) -> Result<Graph, BoardError> {
        let mut graph = self.inner(args)?;
        change(&mut graph);
        Ok(graph)
    }

    fn cut(&mut self, args: &mut Args, cut: fn(&mut Graph, &Polygon)) -> Result<Graph, BoardError> {
        let mut graph = self.inner(args)?;
        let polygon = args.required("an outline `(poly …)`")?;
        cut(&mut graph, &cutter(polygon)?);
        Ok(graph)
    }

    fn graphs(&mut self, args: &mut Args) -> Result<Vec<Graph>, BoardError> {
        let mut graphs = Vec::new();
        let mut vertices = 0;
        while let Some(next) = args.take() {
            let parts = next.list().unwrap_or(std::slice::from_ref(next));
            for expr in parts {
                let graph = self.graph(expr)?;
                vertices += graph.vertices.len();
                if vertices > generate::MAX_VERTICES {
                    return Err(BoardError::TooLarge(vertices).at(args.at));
                }
                graphs.push(graph);
            }
        }
        Ok(graphs)
    }

    fn layers(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        let count = args.int("a number of layers")?;
        let graph = self.inner(args)?;
        let count = usize::try_from(count).unwrap_or(0);
        if count == 0 {
            return Err(BoardError::NoSites.at(args.at));
        }
        let vertices = count.saturating_mul(graph.vertices.len());
        if vertices > generate::MAX_VERTICES {
            return Err(BoardError::TooLarge(vertices).at(args.at));
        }
        Ok(operate::layers(count, &graph))
    }

    fn renumber(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        let mut kinds = Vec::new();
        while let Some(kind) = args.word(SiteType::from_name) {
            kinds.push(kind);
        }
        let mut graph = self.inner(args)?;
        if kinds.is_empty() {
            graph.reorder();
        }
        for kind in SiteType::ALL.into_iter().filter(|k| kinds.contains(k)) {
            graph.reorder_kind(kind);
        }
        Ok(graph)
    }

    fn add(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        let mut graph = match args.peek() {
            Some(_) => self.inner(args)?,
            None => Graph::new(),
        };
        let vertices = args.named("vertices").map(points).transpose()?;
        let edges = args.named("edges");
        let curved = args.named("edgesCurved");
        let cells = args.named("cells");
        let connect = args.flag("connect", false)?;
        if let Some(curved) = curved {
            add_curves(&mut graph, curved)?;
        }
        let mut new = Vec::new();
        for point in vertices.unwrap_or_default() {
            if graph.find_vertex(point).is_none() {
                new.push(graph.add_vertex(point));
            }
        }
        let (edges_at, edges_by_number) = by_place_or_number(edges)?;
        let (cells_at, cells_by_number) = by_place_or_number(cells)?;
        for ends in edges_at {
            if let [a, b] = ends.as_slice() {
                let (a, b) = (graph.find_or_add_vertex(*a), graph.find_or_add_vertex(*b));
                graph.find_or_add_edge(a, b);
            }
        }
        for corners in cells_at {
            let corners: Vec<usize> =
                corners.into_iter().map(|p| graph.find_or_add_vertex(p)).collect();
            for (n, &corner) in corners.iter().enumerate() {
                graph.find_or_add_edge(corner, corners[(n + 1) % corners.len()]);
            }
            graph.find_or_add_face(&corners);
        }
        for ends in edges_by_number {
            if let [a, b, ..] = ends[..]
                && a.max(b) < graph.vertices.len()
            {
                graph.find_or_add_edge(a, b);
            }
        }
        for corners in cells_by_number {
            if corners.len() >= 3 {
                graph.find_or_add_face(&corners);
            }
        }
        if connect {
            graph.join_close(&new);
        }
        Ok(graph)
    }

    fn remove(&mut self, args: &mut Args) -> Result<Graph, BoardError> {
        let mut graph = self.inner(args)?;
        let trim = args.flag("trimEdges", true)?;
        if let Some(polygon) = args.call_of("poly") {
            operate::remove_within(&mut graph, &poly(polygon)?);
        }
        if let Some(cells) = args.named("cells") {
            remove_cells(&mut graph, cells, trim)?;
        }
        let (edges_at, edges_by_number) = by_place_or_number(args.named("edges"))?;
        for ends in edges_at {
            if let [a, b] = ends.as_slice()
                && let (Some(a), Some(b)) = (graph.find_vertex(*a), graph.find_vertex(*b))
                && let Some(edge) = graph.find_edge(a, b)
            {
                graph.remove_edge(edge);
            }
        }
        for ends in edges_by_number {
            if let [a, b] = ends[..]
                && let Some(edge) = graph.find_edge(a, b)
            {
                graph.remove_edge(edge);
            }
        }
        if let Some(vertices) = args.named("vertices") {
            remove_vertices(&mut graph, vertices)?;
        }
        Ok(graph)
    }
}

fn remove_cells(graph: &mut Graph, cells: &Expr, trim: bool) -> Result<(), BoardError> {
    let items = expect_list(cells)?;
    if items.iter().all(Expr::is_number) {
        for index in descending(items)? {
            graph.remove_face(index, trim);
        }
        return Ok(());
    }
    for corners in items {
        let found: Option<Vec<usize>> =
            points(corners)?.iter().map(|p| graph.find_vertex(*p)).collect();
        if let Some(face) = found.and_then(|corners| graph.find_face(&corners)) {
            graph.remove_face(face, trim);
        }
    }
    Ok(())
}

fn remove_vertices(graph: &mut Graph, vertices: &Expr) -> Result<(), BoardError> {
    let items = expect_list(vertices)?;
    if items.iter().all(Expr::is_number) {
        for index in descending(items)? {
            graph.remove_vertex(index);
        }
        return Ok(());
    }
    for place in points(vertices)? {
        if let Some(vertex) = graph.find_vertex(place) {
            graph.remove_vertex(vertex);
        }
    }
    Ok(())
}

/// Numbers from the largest to the smallest, so that removing one does not move the next.
fn descending(items: &[Expr]) -> Result<Vec<usize>, BoardError> {
    let mut numbers = items.iter().map(index).collect::<Result<Vec<_>, _>>()?;
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    Ok(numbers)
}

fn add_curves(graph: &mut Graph, curves: &Expr) -> Result<(), BoardError> {
    for curve in expect_list(curves)? {
        if let [a, b, ta, tb] = points(curve)?[..] {
            let (a, b) = (graph.find_or_add_vertex(a), graph.find_or_add_vertex(b));
            graph.add_curved_edge(a, b, Some([ta, tb]));
        }
    }
    Ok(())
}

fn hex(args: &mut Args) -> Result<Graph, BoardError> {
    match outline(args)? {
        Some(Outline::Polygon(polygon)) => return generate::hex_within(&polygon),
        Some(Outline::Sides(sides)) => return generate::hex_from_sides(&sides),
        None => {}
    }
    let shape = args.word(HexShape::from_name).unwrap_or(HexShape::Hexagon);
    let a = args.int("a size")?;
    generate::hex(shape, a, args.optional_int()?)
}

fn brick(args: &mut Args) -> Result<Graph, BoardError> {
    let shape = args.word(BrickShape::from_name);
    let a = args.int("a size")?;
    let b = args.optional_int()?;
    let trim = args.flag("trim", false)?;
    generate::brick(shape.unwrap_or(BrickShape::Rectangle), a, b, trim)
}

fn celtic(args: &mut Args) -> Result<Graph, BoardError> {
    let step = 2.0 / 2f64.sqrt();
    let steps = [[step, 0.0], [0.0, step], [-step, 0.0], [0.0, -step]];
    match outline(args)? {
        Some(Outline::Polygon(polygon)) => return generate::celtic_within(&polygon),
        Some(Outline::Sides(sides)) => {
            return generate::celtic_within(&Polygon::from_sides(&sides, &steps));
        }
        None => {}
    }
    let rows = args.int("a number of rows")?;
    generate::celtic(rows, args.optional_int()?.unwrap_or(rows))
}

fn quadhex(args: &mut Args) -> Result<Graph, BoardError> {
    let layers = args.int("a number of layers")?;
    generate::quadhex(layers, args.flag("thirds", false)?)
}

fn tiling(args: &mut Args) -> Result<Graph, BoardError> {
    let Some(kind) = args.word(Tiling::from_name) else {
        return Err(fault(args.at, "`tiling` needs the name of a tiling, such as T3464"));
    };
    match outline(args)? {
        Some(Outline::Polygon(polygon)) => return generate::tiling_within(kind, &polygon),
        Some(Outline::Sides(sides)) => return generate::tiling_from_sides(kind, &sides),
        None => {}
    }
    let a = args.int("a size")?;
    generate::tiling(kind, a, args.optional_int()?)
}

fn wedge(args: &mut Args) -> Result<Graph, BoardError> {
    let rows = args.int("a number of rows")?;
    generate::wedge(rows, args.optional_int()?.unwrap_or(3))
}

fn spiral(args: &mut Args) -> Result<Graph, BoardError> {
    let need = |value: Option<&Expr>, name: &str, at: Place| match value {
        Some(value) => value.int(),
        None => Err(fault(at, format!("`spiral` needs `{name}:`"))),
    };
    let turns = need(args.named("turns"), "turns", args.at)?;
    let sites = need(args.named("sites"), "sites", args.at)?;
    generate::spiral(turns, sites, args.flag("clockwise", true)?)
}

fn repeat(args: &mut Args) -> Result<Graph, BoardError> {
    let rows = args.int("a number of rows")?;
    let columns = args.int("a number of columns")?;
    let step = args.named("step").map(points).transpose()?;
    let (across, up) = match step.as_deref() {
        Some([across, up, ..]) => (*across, *up),
        _ => return Err(fault(args.at, "`repeat` needs two steps, `step:{{1 0} {0 1}}`")),
    };
    let mut outlines = Vec::new();
    while let Some(next) = args.take() {
        match next.list() {
            Some(list) => {
                for item in list {
                    outlines.push(poly(item)?);
                }
            }
            None => outlines.push(poly(next)?),
        }
    }
    generate::repeat(rows, columns, across, up, &outlines)
}

fn manual(args: &mut Args) -> Result<Graph, BoardError> {
    let vertices = args.named("vertices").map(points).transpose()?;
    let edges = args.named("edges").map(number_lists).transpose()?;
    let vertices = vertices.unwrap_or_default();
    let mut joins = Vec::new();
    for pair in edges.unwrap_or_default() {
        match pair[..] {
            [a, b] if a.max(b) < vertices.len() => joins.push((a, b)),
            _ => {
                let message = format!("an edge joins two of the {} vertices", vertices.len());
                return Err(fault(args.at, message));
            }
        }
    }
    if vertices.len() > generate::MAX_VERTICES {
        return Err(BoardError::TooLarge(vertices.len()));
    }
    Ok(Graph::from_lists(&vertices, &joins))
}
