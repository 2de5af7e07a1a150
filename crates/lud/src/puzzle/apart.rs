//! Sites that cannot both have a value: of sites that exclude each other only one can have it, so that a board that
//! falls into few such groups has it on few sites.

use super::Operand;
use super::rules::{Cut, Domain, Rule};
use crate::ir::Cmp;

/// Groups into which sites fall; of each only one site can have the value.
pub(super) type Cover = Vec<Vec<i32>>;

/// On larger boards pairs of sites are not looked at.
const MOST_SITES: usize = 1_000;

/// By pair of sites, whether they exclude each other.
struct Pairs {
    sites: usize,
    apart: Vec<bool>,
}

impl Pairs {
    /// Pairs that rules forbid to have both a value.
    fn of(rules: &[Rule], value: Domain, sites: usize) -> Self {
        let mut pairs = Pairs { sites, apart: vec![false; sites * sites] };
        for rule in rules {
            match rule {
                Rule::Different { sites, free, .. } if free & value == 0 => {
                    for (at, &site) in sites.iter().enumerate() {
                        sites[at + 1..].iter().for_each(|&other| pairs.set(site, other, true));
                    }
                }
                Rule::Unless { site, value: free_of, sites, free }
                    if (free | free_of) & value == 0 && sites.contains(site) =>
                {
                    sites.iter().for_each(|&other| pairs.set(*site, other, true));
                }
                Rule::Compare(Cmp::Ne, Operand::Site(site), Operand::Site(other)) => {
                    pairs.set(*site, *other, true);
                }
                _ => {}
            }
        }
        pairs
    }

    fn set(&mut self, site: i32, other: i32, apart: bool) {
        let (site, other) = (site as usize, other as usize);
        self.apart[site * self.sites + other] = apart;
        self.apart[other * self.sites + site] = apart;
    }

    fn apart(&self, site: i32, other: i32) -> bool {
        self.apart[site as usize * self.sites + other as usize]
    }

    /// Groups of sites of which each excludes each, taken as they come.
    fn cover(&self, sites: &[i32]) -> Cover {
        let mut groups: Cover = Vec::new();
        for &site in sites {
            let fits = |group: &&mut Vec<i32>| {
                group.iter().all(|&other| other != site && self.apart(site, other))
            };
            match groups.iter_mut().find(fits) {
                Some(group) => group.push(site),
                None => groups.push(vec![site]),
            }
        }
        groups
    }
}

/// The ways in which sites fall into groups of which each site excludes each other with a value: the first, and others
/// of as few groups that share no pair with it, such as columns beside rows.
pub(super) fn covers(rules: &[Rule], sites: &[i32], value: Domain, board: usize) -> Vec<Cover> {
    let mut out: Vec<Cover> = Vec::new();
    if sites.is_empty() || board > MOST_SITES {
        return out;
    }
    let mut pairs = Pairs::of(rules, value, board);
    loop {
        let cover = pairs.cover(sites);
        let most = out.first().map_or(sites.len().saturating_sub(1), Vec::len);
        if cover.len() > most {
            return out;
        }
        for group in &cover {
            for (at, &site) in group.iter().enumerate() {
                group[at + 1..].iter().for_each(|&other| pairs.set(site, other, false));
            }
        }
        out.push(cover);
    }
}

/// The groups of a cover in which a site may still have the value, with that site where it is the only one.
pub(super) fn open<'c>(
    cover: &'c Cover,
    cut: &'c Cut,
    value: Domain,
) -> impl Iterator<Item = Option<i32>> + 'c {
    cover.iter().filter_map(move |group| {
        let mut may = group.iter().copied().filter(|&site| cut.of(site) & value != 0);
        let first = may.next()?;
        Some(may.next().is_none().then_some(first))
    })
}
