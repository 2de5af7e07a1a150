//! What a board must look like.

use ludex_board::{Mark, Relation, SiteType, Topology, Track};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// The ground truth of one game's board.
pub struct Truth {
    pub kind: SiteType,
    json: Value,
}

/// Expressions with the path of a game that uses each.
pub fn expressions(path: &Path) -> Vec<(String, String)> {
    let mut reader = csv::Reader::from_path(path).expect("readable table");
    let headers = reader.headers().expect("a header").clone();
    let column = |name: &str| headers.iter().position(|h| h == name).expect("known column");
    let (expression, example) = (column("graph_expression"), column("example"));
    reader
        .records()
        .map(|row| row.expect("readable row"))
        .map(|row| (row[expression].to_string(), row[example].to_string()))
        .collect()
}

impl Truth {
    /// All boards by the path of their game.
    pub fn read_all(path: &Path) -> HashMap<String, Truth> {
        let packed = std::fs::read(path).expect("readable archive");
        let mut text = Vec::new();
        lzma_rs::xz_decompress(&mut packed.as_slice(), &mut text).expect("an xz archive");
        let text = String::from_utf8(text).expect("text");
        let mut all = HashMap::new();
        for line in text.lines() {
            let json: Value = serde_json::from_str(line).expect("a JSON object");
            let path = json["path"].as_str().unwrap_or_default().to_string();
            let kind = json["default"].as_str().and_then(SiteType::from_name);
            if let Some(kind) = kind {
                all.insert(path, Truth { kind, json });
            }
        }
        all
    }

    fn numbers(&self, key: &str) -> Vec<Vec<usize>> {
        let lists = self.json[key].as_array().map_or(&[][..], Vec::as_slice);
        lists.iter().map(sites).collect()
    }

    /// The names of everything that differs.
    pub fn faults(&self, board: &Topology) -> Vec<String> {
        let mut faults = Vec::new();
        let graph = board.graph();
        let own = board.sites(self.kind);
        let mut check = |name: &str, same: bool| {
            if !same {
                faults.push(name.to_string());
            }
        };
        check("vertices", self.same_points("V", graph.vertices.iter().map(|v| v.at)));
        let edges: Vec<Vec<usize>> = graph.edges.iter().map(|e| vec![e.a, e.b]).collect();
        check("edges", edges == self.numbers("E"));
        check("cells", self.same_cells(board));
        let relations = [
            ("orth", Relation::Orthogonal),
            ("diag", Relation::Diagonal),
            ("off", Relation::OffDiagonal),
        ];
        // Edges have only one kind of neighbour.
        for (key, relation) in relations {
            let list = |site| -> Vec<usize> {
                let near = own.neighbours(site, relation);
                near.iter().map(|&n| n as usize).collect()
            };
            let found: Vec<Vec<usize>> = (0..own.len()).map(list).collect();
            check(key, found == self.numbers(key));
        }
        let marks = [
            ("corners", Mark::Corner),
            ("outer", Mark::Outer),
            ("perimeter", Mark::Perimeter),
            ("centre", Mark::Centre),
            ("top", Mark::Top),
            ("bottom", Mark::Bottom),
            ("left", Mark::Left),
            ("right", Mark::Right),
        ];
        for (key, mark) in marks {
            let found: Vec<usize> = own.marked(mark).iter().collect();
            check(key, found == sites(&self.json[key]));
        }
        let phase: Vec<usize> = (0..own.len()).map(|s| own.phase(s)).collect();
        check("phase", phase == sites(&self.json["phase"]));
        let rcl: Vec<Vec<usize>> =
            (0..own.len()).map(|s| vec![own.row(s), own.column(s), own.layer(s)]).collect();
        check("rows and columns", rcl == self.numbers("rcl"));
        let labels = self.json["labels"].as_array().map_or(&[][..], Vec::as_slice);
        let same_label = |(n, l): (usize, &Value)| l.as_str() == Some(own.label(n));
        let same = labels.len() == own.len() && labels.iter().enumerate().all(same_label);
        check("labels", same || self.kind == SiteType::Edge);
        faults
    }

    /// Whether the tracks have the right names, owners and sites.
    pub fn same_tracks(&self, found: &[Track]) -> bool {
        let expected = self.json["tracks"].as_array().map_or(&[][..], Vec::as_slice);
        expected.len() == found.len()
            && expected.iter().zip(found).all(|(e, track)| {
                let sites: Vec<Option<i64>> = track.sites().map(|s| Some(i64::from(s))).collect();
                let elems = e["elems"].as_array().map_or(&[][..], Vec::as_slice);
                e["name"] == track.name.as_str()
                    && e["owner"] == track.owner
                    && elems.iter().map(Value::as_i64).eq(sites)
            })
    }

    fn same_points(
        &self,
        key: &str,
        found: impl ExactSizeIterator<Item = ludex_board::geometry::Point>,
    ) -> bool {
        let expected = self.json[key].as_array().map_or(&[][..], Vec::as_slice);
        expected.len() == found.len()
            && expected.iter().zip(found).all(|(e, p)| {
                let near = |n: usize, v: f64| (e[n].as_f64().unwrap_or(0.0) - v).abs() < 0.0001;
                near(0, p.x) && near(1, p.y) && near(2, p.z)
            })
    }

    fn same_cells(&self, board: &Topology) -> bool {
        let expected = self.json["C"].as_array().map_or(&[][..], Vec::as_slice);
        let faces = &board.graph().faces;
        expected.len() == faces.len()
            && expected.iter().zip(faces).all(|(e, face)| {
                let near =
                    |n: usize, v: f64| (e["c"][n].as_f64().unwrap_or(0.0) - v).abs() < 0.0001;
                near(0, face.at.x) && near(1, face.at.y) && sites(&e["v"]) == face.vertices
            })
    }
}

fn sites(list: &Value) -> Vec<usize> {
    let items = list.as_array().map_or(&[][..], Vec::as_slice);
    items.iter().filter_map(Value::as_u64).map(|n| n as usize).collect()
}
