//! A table and what belongs to it, written as aligned text, as Markdown or as part of a page.

use std::fmt::Write as _;

use super::plot::escaped;

/// Rows under a header; the first column is a name, the others are figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(header: &[&str]) -> Table {
        Table { header: header.iter().map(|title| title.to_string()).collect(), rows: Vec::new() }
    }

    /// The table without the columns of these titles in which no row says anything.
    pub fn without_empty(mut self, titles: &[&str]) -> Table {
        for column in (0..self.header.len()).rev() {
            let wanted = !titles.contains(&self.header[column].as_str());
            if wanted || self.rows.iter().any(|row| !row[column].is_empty()) {
                continue;
            }
            self.header.remove(column);
            self.rows.iter_mut().for_each(|row| drop(row.remove(column)));
        }
        self
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.header).chain(&self.rows)
    }

    fn write_text(&self, out: &mut String) {
        let width = |column: usize| self.lines().map(|line| line[column].chars().count()).max();
        let widths: Vec<usize> = (0..self.header.len()).map(|c| width(c).unwrap_or(0)).collect();
        for line in self.lines() {
            let mut shown = String::new();
            for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
                let pad = " ".repeat(width - cell.chars().count());
                let _ = match column {
                    0 => write!(shown, "{cell}{pad}"),
                    _ => write!(shown, "  {pad}{cell}"),
                };
            }
            let _ = writeln!(out, "{}", shown.trim_end());
        }
    }

    fn write_markdown(&self, out: &mut String) {
        for (number, line) in self.lines().enumerate() {
            let cells: Vec<String> = line.iter().map(|cell| cell.replace('|', "\\|")).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
            if number == 0 {
                let _ = writeln!(out, "|---|{}", "---:|".repeat(self.header.len() - 1));
            }
        }
    }

    fn write_html(&self, out: &mut String) {
        out.push_str("<table>\n");
        for (number, line) in self.lines().enumerate() {
            let tag = if number == 0 { "th" } else { "td" };
            let cell = |cell: &String| format!("<{tag}>{}</{tag}>", escaped(cell));
            let cells: String = line.iter().map(cell).collect();
            let class = if cells.contains("<td>no</td>") { " class=\"no\"" } else { "" };
            let _ = writeln!(out, "<tr{class}>{cells}</tr>");
        }
        out.push_str("</table>\n");
    }
}

/// An agent of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    pub name: String,
    /// Its text as people write it.
    pub short: String,
    /// Its text with every setting.
    pub full: String,
}

/// A table with all that has to be known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    pub heading: String,
    pub agents: Vec<Legend>,
    /// Which versions and machines played.
    pub played: Vec<String>,
    pub table: Table,
    /// What does not fit into the table.
    pub after: Vec<String>,
}

impl Section {
    pub fn write_text(&self, out: &mut String) {
        let _ = writeln!(out, "{}", self.heading);
        for Legend { name, short, full } in &self.agents {
            let _ = writeln!(out, "  {name} = {short}");
            if full != short {
                let _ = writeln!(out, "    in full: {full}");
            }
        }
        for played in &self.played {
            let _ = writeln!(out, "  played by {played}");
        }
        self.table.write_text(out);
        for line in &self.after {
            let _ = writeln!(out, "  {line}");
        }
        out.push('\n');
    }

    pub fn write_markdown(&self, out: &mut String) {
        let _ = writeln!(out, "### {}\n", self.heading);
        for Legend { name, short, full } in &self.agents {
            let _ = match full == short {
                true => writeln!(out, "- `{name} = {short}`"),
                false => writeln!(out, "- `{name} = {short}`, in full `{full}`"),
            };
        }
        for played in &self.played {
            let _ = writeln!(out, "- played by {played}");
        }
        out.push('\n');
        self.table.write_markdown(out);
        for line in &self.after {
            let _ = writeln!(out, "\n{line}");
        }
        out.push('\n');
    }

    pub fn write_html(&self, out: &mut String) {
        let _ = writeln!(out, "<h2>{}</h2>", escaped(&self.heading));
        for Legend { name, short, full } in &self.agents {
            let shown = escaped(&format!("{name} = {short}"));
            let _ = match full == short {
                true => writeln!(out, "<p><code>{shown}</code></p>"),
                false => writeln!(
                    out,
                    "<details><summary><code>{shown}</code></summary><code>{}</code></details>",
                    escaped(full)
                ),
            };
        }
        for played in &self.played {
            let _ = writeln!(out, "<p>Played by {}.</p>", escaped(played));
        }
        self.table.write_html(out);
        for line in &self.after {
            let _ = writeln!(out, "<p>{}</p>", escaped(line));
        }
    }
}
