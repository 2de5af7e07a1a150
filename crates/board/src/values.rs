//! Reading the values of a description: outlines, points, lists of numbers.

use super::BoardError;
use super::args::Args;
use super::expr::{Expr, ExprKind, fault};
use super::generate::Diagonals;
use super::geometry::{Point, Polygon};

/// An outline given instead of dimensions.
pub(super) enum Outline {
    Polygon(Polygon),
    Sides(Vec<i32>),
}

pub(super) fn outline(args: &mut Args) -> Result<Option<Outline>, BoardError> {
    if let Some(polygon) = args.call_of("poly") {
        return poly(polygon).map(|p| Some(Outline::Polygon(p)));
    }
    match args.list() {
        Some(sides) => ints(sides).map(|s| Some(Outline::Sides(s))),
        None => Ok(None),
    }
}

pub(super) fn poly(expr: &Expr) -> Result<Polygon, BoardError> {
    let ExprKind::Call { name, args } = &expr.kind else {
        let message = format!("expected `(poly …)`, found {}", expr.describe());
        return Err(fault(expr.at, message));
    };
    if name != "poly" {
        let message = format!("expected `(poly …)`, found {}", expr.describe());
        return Err(fault(expr.at, message));
    }
    let mut args = Args::new(name, expr.at, args);
    let corners = points(args.required("a list of points")?)?;
    let rotations = args.named("rotns").map_or(Ok(0), Expr::int)?;
    args.finish()?;
    Ok(Polygon::new(corners, rotations))
}

/// An outline to cut along. One with a point that is none is no outline, and nothing is cut.
pub(super) fn cutter(expr: &Expr) -> Result<Polygon, BoardError> {
    let ExprKind::Call { args, .. } = &expr.kind else { return poly(expr) };
    let corners = args.first().and_then(|arg| arg.value.list()).unwrap_or_default();
    let numbers = |corner: &Expr| corner.list().is_some_and(|n| n.iter().all(Expr::is_number));
    let short = |corner: &Expr| corner.list().is_some_and(|n| n.len() < 2);
    match corners.iter().all(numbers) && corners.iter().any(short) {
        true => Ok(Polygon::new(Vec::new(), 0)),
        false => poly(expr),
    }
}

pub(super) fn number(args: &mut Args, what: &str) -> Result<f64, BoardError> {
    args.required(what)?.float().map(f64::from)
}

pub(super) fn diagonals(args: &mut Args) -> Result<Diagonals, BoardError> {
    let named = args.named("diagonals");
    word_of(named, "a kind of diagonals", Diagonals::from_name)
        .map(|d| d.unwrap_or(Diagonals::Implied))
}

pub(super) fn word_of<T>(
    value: Option<&Expr>,
    what: &str,
    from_name: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, BoardError> {
    let Some(value) = value else {
        return Ok(None);
    };
    match value.word().and_then(from_name) {
        Some(found) => Ok(Some(found)),
        None => Err(fault(value.at, format!("expected {what}, found {}", value.describe()))),
    }
}

pub(super) fn expect_list(expr: &Expr) -> Result<&[Expr], BoardError> {
    expr.list().ok_or_else(|| fault(expr.at, format!("expected a list, found {}", expr.describe())))
}

pub(super) fn ints(items: &[Expr]) -> Result<Vec<i32>, BoardError> {
    items.iter().map(Expr::int).collect()
}

pub(super) fn index(expr: &Expr) -> Result<usize, BoardError> {
    let value = expr.int()?;
    usize::try_from(value).map_err(|_| fault(expr.at, format!("{value} is no site")))
}

/// `{{x y} {x y z} …}`
pub(super) fn points(expr: &Expr) -> Result<Vec<Point>, BoardError> {
    expect_list(expr)?.iter().map(point).collect()
}

fn point(expr: &Expr) -> Result<Point, BoardError> {
    let values = expect_list(expr)?
        .iter()
        .map(|v| v.float().map(f64::from))
        .collect::<Result<Vec<f64>, _>>()?;
    match values[..] {
        [x, y] => Ok(Point::flat(x, y)),
        [x, y, z] => Ok(Point::new(x, y, z)),
        _ => Err(fault(expr.at, "a point has two or three coordinates")),
    }
}

/// `{{0 1} {1 2} …}`
pub(super) fn number_lists(expr: &Expr) -> Result<Vec<Vec<usize>>, BoardError> {
    expect_list(expr)?.iter().map(|list| expect_list(list)?.iter().map(index).collect()).collect()
}

pub(super) type Places = Vec<Vec<Point>>;

/// Elements are given by the places of their corners or by the numbers of their vertices.
pub(super) fn by_place_or_number(
    expr: Option<&Expr>,
) -> Result<(Places, Vec<Vec<usize>>), BoardError> {
    let Some(expr) = expr else {
        return Ok((Vec::new(), Vec::new()));
    };
    let first = expect_list(expr)?.first().and_then(|e| e.list()?.first());
    if first.is_some_and(|e| e.list().is_some()) {
        let places = expect_list(expr)?.iter().map(points).collect::<Result<_, _>>()?;
        return Ok((places, Vec::new()));
    }
    Ok((Vec::new(), number_lists(expr)?))
}
