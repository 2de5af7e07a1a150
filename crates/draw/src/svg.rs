//! Writing SVG: numbers short, text escaped.

use std::fmt::Write;

/// A number with at most two places.
pub fn number(n: f32) -> String {
    let text = format!("{n:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// A text as it may stand between tags and in quotes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Pairs of coordinates as `points` has them.
pub fn points(all: impl IntoIterator<Item = (f32, f32)>) -> String {
    let mut out = String::new();
    for (x, y) in all {
        let gap = if out.is_empty() { "" } else { " " };
        let _ = write!(out, "{gap}{},{}", number(x), number(y));
    }
    out
}

/// A circle of a class.
pub fn circle(class: &str, x: f32, y: f32, r: f32) -> String {
    let (x, y, r) = (number(x), number(y), number(r));
    format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>")
}

/// A line of a class.
pub fn line(class: &str, from: (f32, f32), to: (f32, f32)) -> String {
    let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
    format!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>")
}

/// A polygon of a class.
pub fn polygon(class: &str, corners: impl IntoIterator<Item = (f32, f32)>) -> String {
    format!("<polygon class=\"{class}\" points=\"{}\"/>", points(corners))
}

/// A text in the middle of a place.
pub fn text(class: &str, x: f32, y: f32, size: f32, text: &str) -> String {
    let (x, y, size, text) = (number(x), number(y), number(size), escaped(text));
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{text}</text>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_texts_safe() {
        assert_eq!([number(1.0), number(-0.001), number(2.346)], ["1", "0", "2.35"]);
        assert_eq!(escaped("a<b & \"c\"\u{7}"), "a&lt;b &amp; &quot;c&quot; ");
    }
}
