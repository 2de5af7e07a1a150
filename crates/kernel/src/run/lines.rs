//! Lines through a site.

use super::Kernel;
use super::board::Board;
use super::eval::Binds;
use crate::code::Line;
use ludex_game::bits::Bits;

impl<const W: usize, const S: usize> Kernel<W, S> {
    pub(super) fn is_line(&self, b: &Board<W, S>, v: &Binds, line: &Line) -> bool {
        let pivot = self.num(b, v, &line.through);
        let Some(ways) = self.code.ways[line.ways].of.get(pivot as u32 as usize) else {
            return false;
        };
        let of = match &line.of {
            Some(set) => self.set(b, v, set),
            None => b.set(self.code.slots[b.what(pivot) as usize].0),
        };
        if !of.contains(pivot as usize) {
            return false;
        }
        if let Some(windows) = line.windows {
            let makes = |(line, beside): &(Bits<W>, Bits<W>)| {
                (*line & !of).is_empty() && (*beside & of).is_empty()
            };
            return self.windows[windows][pivot as usize].iter().any(makes);
        }
        for way in ways {
            let ahead = 1 + run(of, &way.ahead);
            if !line.exact && ahead >= line.length {
                return true;
            }
            if way.behind.is_empty() && ahead == line.length {
                return true;
            }
            for behind in &way.behind {
                let total = ahead + run(of, behind);
                let long = if line.exact { total == line.length } else { total >= line.length };
                if long {
                    return true;
                }
            }
        }
        false
    }
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// The sites of all lines of a table that a set has.
    pub(super) fn lined(&self, table: usize, of: Bits<W>) -> Bits<W> {
        let mut out = Bits::EMPTY;
        for &(line, beside) in self.lines[table].iter() {
            if (line & !of).is_empty() && (beside & of).is_empty() {
                out |= line;
            }
        }
        out
    }
}

fn run<const W: usize>(of: Bits<W>, sites: &[u16]) -> i32 {
    sites.iter().take_while(|&&site| of.contains(site as usize)).count() as i32
}
