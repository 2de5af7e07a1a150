//! Plane geometry used to build and measure boards.
//!
//! The constants are part of the numbering: which points coincide, which polygon contains a
//! point and which three points turn clockwise decide how sites are numbered.

/// Two coordinates closer than this (summed over the axes) are one vertex.
pub const SAME_POINT: f64 = 0.001;

/// Below this a determinant or a length counts as zero.
pub const EPSILON: f64 = 0.000_000_1;

/// A point of the board. `z` is the height on layered and pyramidal boards, otherwise zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Up the board.
    pub y: f64,
    /// Out of the board.
    pub z: f64,
}

impl Point {
    /// A point on the ground.
    pub const fn flat(x: f64, y: f64) -> Self {
        Point { x, y, z: 0.0 }
    }

    /// A point in space.
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Point { x, y, z }
    }

    /// Distance in the plane.
    pub fn distance(self, other: Point) -> f64 {
        self.distance_squared(other).sqrt()
    }

    /// Squared distance in the plane.
    pub fn distance_squared(self, other: Point) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        dx * dx + dy * dy
    }

    /// Distance in space.
    pub fn distance_3d(self, other: Point) -> f64 {
        let (dx, dy, dz) = (other.x - self.x, other.y - self.y, other.z - self.z);
        (dx * dx + dy * dy + dz * dz).sqrt()
    }

    /// Whether both stand at the same place within `tolerance`.
    pub fn coincides(self, other: Point, tolerance: f64) -> bool {
        (other.x - self.x).abs() + (other.y - self.y).abs() + (other.z - self.z).abs() < tolerance
    }

    /// Angle of the ray from here to `other`, in radians from east, counter-clockwise. Edges with
    /// almost equal angles are sorted by it, so its last bit must be the same on every machine.
    pub fn angle_to(self, other: Point) -> f64 {
        libm::atan2(other.y - self.y, other.x - self.x)
    }

    /// The point a fraction `t` of the way to `other`, in the plane.
    pub fn lerp(self, t: f64, other: Point) -> Point {
        Point::flat(self.x + t * (other.x - self.x), self.y + t * (other.y - self.y))
    }

    /// Turned around the origin by `theta` radians.
    pub fn rotated(self, theta: f64) -> Point {
        let (sin, cos) = (theta.sin(), theta.cos());
        Point::new(self.x * cos - self.y * sin, self.y * cos + self.x * sin, self.z)
    }

    /// This vector with length one (unchanged when it has none).
    pub fn unit(self) -> Point {
        let length = (self.x * self.x + self.y * self.y + self.z * self.z).sqrt();
        if length < EPSILON {
            return self;
        }
        Point::new(self.x / length, self.y / length, self.z / length)
    }

    /// The vector from here to `other`.
    pub fn vector_to(self, other: Point) -> Point {
        Point::new(other.x - self.x, other.y - self.y, other.z - self.z)
    }

    /// Scalar product.
    pub fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
}

/// Distance of `p` from the straight line through `a` and `b`.
pub fn distance_to_line(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    if dx.abs() + dy.abs() < EPSILON {
        return p.distance(a);
    }
    let area = (p.y - a.y) * dx - (p.x - a.x) * dy;
    (area * area / (dx * dx + dy * dy)).sqrt()
}

/// Distance in space of `p` from the segment between `a` and `b`.
pub fn distance_to_segment(p: Point, a: Point, b: Point) -> f64 {
    let (to_a, along) = (p.vector_to(a), a.vector_to(b));
    let length = along.dot(along);
    if length < EPSILON {
        return to_a.dot(to_a).sqrt();
    }
    let t = (-to_a.dot(along) / length).clamp(0.0, 1.0);
    let off = Point::new(to_a.x + t * along.x, to_a.y + t * along.y, to_a.z + t * along.z);
    off.dot(off).sqrt()
}

/// Whether the turn `a` → `b` → `c` is to the right (straight on counts as right).
pub fn turns_right(a: Point, b: Point, c: Point) -> bool {
    (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y) < EPSILON
}

/// On which side of the line `a` → `b` the point lies: 1 left, -1 right, 0 on it.
pub fn side_of(p: Point, a: Point, b: Point) -> i32 {
    let result = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    if result < -EPSILON { -1 } else { i32::from(result > EPSILON) }
}

/// Tangent of the bend at `b` on the way `a` → `b` → `c`; infinite for a bend of 90° or more.
pub fn bend(a: Point, b: Point, c: Point) -> f64 {
    let (v, u) = (a.vector_to(b), b.vector_to(c));
    let dot = u.dot(v);
    if dot <= 0.0 {
        return f64::INFINITY;
    }
    let cross = Point::new(v.y * u.z - v.z * u.y, v.z * u.x - v.x * u.z, v.x * u.y - v.y * u.x);
    (cross.dot(cross).sqrt() / dot).abs()
}

/// Signed bend in radians at `b` on the way `a` → `b` → `c` (left is positive).
pub fn signed_bend(a: Point, b: Point, c: Point) -> f64 {
    let (v, u) = (a.vector_to(b), b.vector_to(c));
    (u.x * -v.y + u.y * v.x).atan2(u.x * v.x + u.y * v.y)
}

/// Twice-halved signed area of a polygon: negative when its points run clockwise.
pub fn signed_area(points: &[Point]) -> f64 {
    let mut area = 0.0;
    for (n, a) in points.iter().enumerate() {
        let b = points[(n + 1) % points.len()];
        area += a.x * b.y - b.x * a.y;
    }
    area / 2.0
}

/// Whether the polygon holds the point, by the even-odd rule.
pub fn inside(points: &[Point], p: Point) -> bool {
    let mut odd = false;
    let Some(mut j) = points.last() else {
        return false;
    };
    for i in points {
        let spans = i.y < p.y && j.y >= p.y || j.y < p.y && i.y >= p.y;
        if spans && (i.x <= p.x || j.x <= p.x) {
            odd ^= i.x + (p.y - i.y) / (j.y - i.y) * (j.x - i.x) < p.x;
        }
        j = i;
    }
    odd
}

/// The two positions (as fractions of each segment) at which the lines of `a0`–`a1` and `b0`–`b1`
/// meet; `None` when they are parallel.
fn meeting(a0: Point, a1: Point, b0: Point, b1: Point) -> Option<(f64, f64)> {
    let (lx, ly) = (a1.x - a0.x, a1.y - a0.y);
    let (nx, ny) = (b1.x - b0.x, b1.y - b0.y);
    let (mx, my) = (b0.x - a0.x, b0.y - a0.y);
    let det = nx * ly - ny * lx;
    if det.abs() < EPSILON {
        return None;
    }
    let inverse = 1.0 / det;
    Some(((nx * my - ny * mx) * inverse, (lx * my - ly * mx) * inverse))
}

/// Whether two segments meet, their ends included.
pub fn segments_meet(a0: Point, a1: Point, b0: Point, b1: Point) -> bool {
    let within = |t: f64| (-EPSILON..=1.0 + EPSILON).contains(&t);
    meeting(a0, a1, b0, b1).is_some_and(|(s, t)| within(s) && within(t))
}

/// The point where two segments properly cross, away from their ends.
pub fn crossing(a0: Point, a1: Point, b0: Point, b1: Point) -> Option<Point> {
    let proper = |t: f64| t > 0.01 && t < 0.99;
    let (s, t) = meeting(a0, a1, b0, b1)?;
    (proper(s) && proper(t))
        .then(|| Point::flat(a0.x + s * (a1.x - a0.x), a0.y + s * (a1.y - a0.y)))
}

/// A closed outline that selects part of a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    /// Its corners in order.
    pub points: Vec<Point>,
}

impl Polygon {
    /// The outline through `points`, repeated by rotation around the origin `rotations` times.
    pub fn new(mut points: Vec<Point>, rotations: i32) -> Self {
        if rotations < 0 {
            points.reverse();
        }
        let base = points.clone();
        if rotations != 0 {
            let step = 2.0 * std::f64::consts::PI / f64::from(rotations);
            let mut angle = step;
            for _ in 1..rotations.unsigned_abs().min(360) {
                points.extend(base.iter().map(|p| p.rotated(angle)));
                angle += step;
            }
        }
        Polygon { points }
    }

    /// The outline walked from the origin: each side turns left and goes that many `steps` (a
    /// negative length turns right and goes backwards).
    pub fn from_sides(sides: &[i32], steps: &[[f64; 2]]) -> Self {
        let count = steps.len();
        let mut heading = count - 1;
        let (mut x, mut y) = (0.0, 0.0);
        let mut points = vec![Point::flat(x, y)];
        for &side in sides {
            heading = (heading + if side < 0 { count - 1 } else { 1 }) % count;
            x += f64::from(side) * steps[heading][0];
            y += f64::from(side) * steps[heading][1];
            points.push(Point::flat(x, y));
        }
        Polygon { points }
    }

    /// Whether the outline holds the point.
    pub fn contains(&self, p: Point) -> bool {
        inside(&self.points, p)
    }

    /// Pushes every corner outwards, so that points on the outline are safely inside.
    pub fn inflate(&mut self, amount: f64) {
        let n = self.points.len();
        let shifts: Vec<Point> = (0..n)
            .map(|i| {
                let (a, b, c) =
                    (self.points[i], self.points[(i + 1) % n], self.points[(i + 2) % n]);
                let (incoming, outgoing) = if turns_right(a, b, c) {
                    (a.vector_to(b), c.vector_to(b))
                } else {
                    (b.vector_to(a), b.vector_to(c))
                };
                let (i, o) = (incoming.unit(), outgoing.unit());
                Point::flat(
                    (i.x * amount + o.x * amount) * 0.5,
                    (i.y * amount + o.y * amount) * 0.5,
                )
            })
            .collect();
        for (i, point) in self.points.iter_mut().enumerate() {
            let shift = shifts[(i + n - 1) % n];
            point.x += shift.x;
            point.y += shift.y;
        }
    }

    /// Smallest and largest corner of the box around the outline.
    pub fn bounds(&self) -> (Point, Point) {
        bounds(self.points.iter().copied())
    }
}

/// Smallest and largest corner of the box around some points; the origin twice when there are none.
pub fn bounds(points: impl Iterator<Item = Point>) -> (Point, Point) {
    let far = 1_000_000.0;
    let mut low = Point::flat(far, far);
    let mut high = Point::flat(-far, -far);
    let mut any = false;
    for p in points {
        any = true;
        low = Point::flat(low.x.min(p.x), low.y.min(p.y));
        high = Point::flat(high.x.max(p.x), high.y.max(p.y));
    }
    if any { (low, high) } else { (Point::default(), Point::default()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_holds_its_middle_and_not_its_outside() {
        let square =
            Polygon::from_sides(&[4, 4, 4], &[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]);
        assert!(square.contains(Point::flat(2.0, 2.0)));
        assert!(!square.contains(Point::flat(5.0, 2.0)));
    }

    #[test]
    fn crossing_segments_meet_in_the_middle() {
        let at = |x, y| Point::flat(x, y);
        let found = crossing(at(0.0, 0.0), at(2.0, 2.0), at(0.0, 2.0), at(2.0, 0.0)).unwrap();
        assert!(found.coincides(at(1.0, 1.0), SAME_POINT));
        assert_eq!(crossing(at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)), None);
    }

    #[test]
    fn straight_on_does_not_bend() {
        let at = |x, y| Point::flat(x, y);
        assert_eq!(bend(at(0.0, 0.0), at(1.0, 0.0), at(2.0, 0.0)), 0.0);
        assert!(bend(at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0)).is_infinite());
    }
}
