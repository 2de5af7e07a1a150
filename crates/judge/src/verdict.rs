//! An evaluation in words: one sentence that says what the game is like, and what is wrong with it.

use std::collections::BTreeMap;

use crate::evaluate::{Evaluation, Evidence, Tier};
use crate::figure::Figure;
use crate::yardstick::{Kind, Yardstick};

/// A share with its interval, in percent.
fn percent(figure: &Figure) -> String {
    let value = 100.0 * figure.value;
    match (figure.low, figure.high) {
        (Some(low), Some(high)) => {
            format!("{value:.1}% ({:.1}–{:.1})", 100.0 * low, 100.0 * high)
        }
        _ => format!("{value:.1}%"),
    }
}

/// Two players are even where neither is surely so much better off.
const EVEN: f64 = 0.05;
/// They are nearly even where the first seat's share is surely within this.
const NEAR: f64 = 0.1;
/// Seats are far from even beyond this.
const UNFAIR: f64 = 0.15;

/// Where more games than this are given up, the rest say nothing about the seats.
const MOST: f64 = 0.5;

/// What the game is like.
pub fn sentence(evaluation: &Evaluation) -> String {
    let metric = |name: &str| evaluation.metrics.get(name);
    let mut parts = Vec::new();
    let who = match evaluation.tier {
        Tier::Random => "for random play",
        Tier::Searched | Tier::Ladder => "for searching play",
    };
    if let Some(given_up) = metric("unfinished").filter(|share| share.value > MOST) {
        parts.push(format!("hardly a game ends {who}: {} were given up", percent(given_up)));
    } else if let (Some(first), Some(balance)) = (metric("first_seat"), metric("balance")) {
        let even = 1.0 / evaluation.players as f64;
        let fair = fairness(first, balance, even);
        let share = match evaluation.players {
            2 => String::new(),
            players => format!(" where {:.1}% is the share of each of {players}", 100.0 * even),
        };
        parts.push(format!("{fair} {who}: first seat {}{share}", percent(first)));
    } else if let Some(score) = metric("score") {
        parts.push(format!("a game for one: score {} {who}", percent(score)));
    }
    if let Some(draws) = metric("draws") {
        parts.push(format!("{:.0}% draws", 100.0 * draws.value));
    }
    let counted = match &evaluation.evidence.searched {
        Some(searched) => &searched.counted,
        None => &evaluation.evidence.random,
    };
    if let Some(length) = metric("length") {
        let spread = counted.length_at(0.05).zip(counted.length_at(0.95));
        let spread = spread.map(|(low, high)| format!(", 90% within {low}–{high}"));
        parts.push(format!("{:.0} plies{}", length.value, spread.unwrap_or_default()));
    }
    if let Some(branching) = metric("branching") {
        parts.push(format!("{:.1} moves to choose from", branching.value));
    }
    if let Some(decided) = metric("decided_at") {
        parts.push(format!("decided at {:.0}%", 100.0 * decided.value));
    }
    if let Some(drama) = metric("drama") {
        parts.push(format!("{} drama ({:.2})", size_of_drama(drama), drama.value));
    }
    if let Some(depth) = metric("skill_depth") {
        parts.push(format!("{:.0} doublings of skill", depth.value));
    }
    let mut text = parts.join("; ");
    if let Some(first) = text.get(..1).map(str::to_uppercase) {
        text.replace_range(..1, &first);
    }
    text + "."
}

/// How much drama there is, as far as the interval says.
fn size_of_drama(drama: &Figure) -> String {
    let size = |value: f64| match value {
        v if v < 0.05 => "little",
        v if v < 0.12 => "some",
        _ => "much",
    };
    let (least, most) = (drama.low.unwrap_or(drama.value), drama.high.unwrap_or(drama.value));
    match (size(least), size(most)) {
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least} to {most}"),
    }
}

/// How the seats stand. Every word says what the whole interval says, not where its middle lies.
fn fairness(first: &Figure, balance: &Figure, even: f64) -> &'static str {
    let (low, high) = (first.low.unwrap_or(0.0), first.high.unwrap_or(1.0));
    let surely_even = balance.low.is_some_and(|low| 1.0 - low <= 2.0 * EVEN);
    match () {
        () if surely_even => "fair",
        () if low > even + UNFAIR => "the first seat wins far too often",
        () if high < even - UNFAIR => "the first seat loses far too often",
        () if low > even + EVEN / 2.0 => "the first seat is better off",
        () if high < even - EVEN / 2.0 => "the first seat is worse off",
        () if balance.high.is_some_and(|high| high < 1.0 - 2.0 * EVEN) => "the seats are uneven",
        () if low > even => "the first seat is a little better off",
        () if high < even => "the first seat is a little worse off",
        () if low >= even - NEAR && high <= even + NEAR => "nearly even",
        () => "too few games to say whether the seats are even",
    }
}

/// What is wrong, each with its evidence; `asked` is the tier that was asked for.
pub fn warnings(evaluation: &Evaluation, asked: Tier) -> Vec<String> {
    let mut out = Vec::new();
    endless(evaluation, asked, &mut out);
    seats(evaluation, &mut out);
    dull(evaluation, &mut out);
    dead(evaluation, &mut out);
    copies(evaluation, &mut out);
    out
}

fn endless(evaluation: &Evaluation, asked: Tier, out: &mut Vec<String>) {
    let random = &evaluation.evidence.random;
    let share = random.unfinished.mean().unwrap_or(0.0);
    let limit = random.plies.most;
    if share >= 1.0 {
        out.push(format!(
            "never ends: none of {} random games was over after {limit:.0} plies",
            random.games
        ));
    } else if share > 0.01 {
        out.push(format!(
            "{:.1}% of {} random games were not over after {limit:.0} plies",
            100.0 * share,
            random.games
        ));
    }
    if evaluation.tier < asked {
        let why = match share > MOST {
            true => "more than half of all random games never end, so neither would they",
            false => "none was over in the time there was",
        };
        out.push(format!("no searches were played: {why}"));
    }
    if let Some(searched) = &evaluation.evidence.searched {
        let share = searched.results.unfinished.mean().unwrap_or(0.0);
        if share > 0.02 {
            out.push(format!(
                "{:.0}% of {} searched games were given up after {} plies",
                100.0 * share,
                searched.results.games,
                evaluation.evidence.limit
            ));
        }
    }
}

/// Seats that win nearly always, from which budget on.
fn seats(evaluation: &Evaluation, out: &mut Vec<String>) {
    let mut budgets: Vec<(String, &crate::observe::Counted)> = Vec::new();
    let searched = !evaluation.evidence.by_budget.is_empty();
    let random = if searched { "in random games and at every budget" } else { "in random games" };
    budgets.push((random.to_string(), &evaluation.evidence.random));
    for (budget, results) in &evaluation.evidence.by_budget {
        budgets.push((format!("from {budget} simulations on"), results));
    }
    let even = 1.0 / evaluation.players as f64;
    let high = (even + 1.0) / 2.0 + 0.1;
    for seat in 0..evaluation.players.min(8) {
        if evaluation.players < 2 {
            break;
        }
        let share = |results: &crate::observe::Counted| {
            let tally = results.seats.get(seat)?;
            Some((tally.mean()?, tally.interval().low))
        };
        // The first budget from which on the seat always wins too often.
        let bad = |results: &crate::observe::Counted| {
            share(results).is_some_and(|(mean, low)| mean > high.min(0.8) && low > even + UNFAIR)
        };
        let since = (0..budgets.len()).find(|&at| budgets[at..].iter().all(|(_, r)| bad(r)));
        if let (Some(since), Some(last)) = (since, budgets.last()) {
            let (mean, _) = share(last.1).unwrap_or_default();
            let name = match seat {
                0 => "first".to_string(),
                1 => "second".to_string(),
                other => format!("{}th", other + 1).replace("3th", "third"),
            };
            let when = &budgets[since].0;
            let games = last.1.games;
            out.push(format!("the {name} seat wins {:.0}% {when} ({games} games)", 100.0 * mean));
        }
    }
}

fn surely_below(figure: &Figure, bound: f64) -> bool {
    figure.high.unwrap_or(figure.value) < bound
}

fn dull(evaluation: &Evaluation, out: &mut Vec<String>) {
    let metric = |name: &str| evaluation.metrics.get(name);
    if let Some(draws) = metric("draws").filter(|draws| draws.low.is_some_and(|low| low > 0.5)) {
        out.push(format!("most games are drawn: {} of {}", percent(draws), draws.games));
    }
    if let Some(decisions) = metric("decisions").filter(|d| surely_below(d, 0.2)) {
        out.push(format!(
            "there is hardly a choice: only {} of turns offer one",
            percent(decisions)
        ));
    }
    if let Some(again) = metric("repetition").filter(|again| again.low.unwrap_or(again.value) > 0.3)
    {
        out.push(format!("{} of positions had been there before", percent(again)));
    }
    if let Some(length) = metric("length").filter(|length| surely_below(length, 3.0)) {
        out.push(format!("games are over after {:.1} plies", length.value));
    }
    let flat = metric("skill_depth").filter(|depth| depth.high == Some(0.0));
    if let Some(depth) = flat {
        out.push(format!("thinking longer never helps ({} games of the ladder)", depth.games));
    }
}

fn listed(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(12).map(String::as_str).collect();
    let more = names.len().saturating_sub(12);
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn dead(evaluation: &Evaluation, out: &mut Vec<String>) {
    let evidence = &evaluation.evidence;
    let games = evidence.random.looked();
    if !evidence.dead_pieces.is_empty() {
        let names = listed(&evidence.dead_pieces);
        out.push(format!(
            "pieces that are never placed, moved or taken in {games} random games: {names}"
        ));
    }
    if !evidence.dead_sites.is_empty() {
        let names = listed(&evidence.dead_sites);
        out.push(format!("sites that nothing ever stands on in {games} random games: {names}"));
    }
    for rule in evidence.rules.iter().flat_map(|rules| &rules.dead) {
        out.push(format!(
            "this rule is never used, or others say the same: {} ({} random games went the same way without it)",
            rule.text, rule.games
        ));
    }
}

/// How games ended, the most frequent first.
pub fn ends(ends: &BTreeMap<String, u64>) -> String {
    let games = ends.values().sum::<u64>().max(1) as f64;
    let mut by_count: Vec<(&String, &u64)> = ends.iter().collect();
    by_count.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let one =
        |(end, count): (&String, &u64)| format!("{end} {:.1}%", 100.0 * *count as f64 / games);
    by_count.into_iter().take(8).map(one).collect::<Vec<_>>().join(", ")
}

/// What is to be known about the numbers themselves.
pub fn notes(kind: &Kind, evidence: &Evidence) -> Vec<String> {
    let mut out = vec![Yardstick::shipped().basis(kind)];
    if let Some(rules) = evidence.rules.as_ref().filter(|rules| rules.untried > 0) {
        let all = rules.tried + rules.untried;
        out.push(format!(
            "{} of {all} rules were tried; for the others there was no time",
            rules.tried
        ));
    }
    out
}

fn copies(evaluation: &Evaluation, out: &mut Vec<String>) {
    let copycat = evaluation.evidence.copycat.as_ref();
    if let Some(copycat) = copycat.filter(|copycat| copycat.succeeds()) {
        let score = copycat.score.mean().unwrap_or_default();
        out.push(format!(
            "the second player can copy: by mirroring every move {}, which was possible at {:.0}% of his \
             turns, he scored {:.0}% of {} games against a search",
            copycat.symmetry,
            100.0 * copycat.possible,
            100.0 * score,
            copycat.score.matches
        ));
    }
}

/// Numbers that are shares, and so are shown in percent.
fn is_share(name: &str) -> bool {
    let name = name.strip_prefix("random_").unwrap_or(name);
    let shares = [
        "balance",
        "completion",
        "draws",
        "unfinished",
        "decisions",
        "coverage",
        "repetition",
        "decided_at",
        "permanence",
        "luck",
        "score",
    ];
    shares.contains(&name) || name.starts_with("seat_") || name.starts_with("first_seat")
}

/// Numbers of things that are counted one by one.
fn is_count(name: &str) -> bool {
    name.starts_with("dead_") || name == "skill_depth"
}

/// A number as tables show it, with its interval from the lower to the upper end.
pub fn shown(name: &str, figure: &Figure) -> String {
    let (scale, unit) = if is_share(name) { (100.0, "%") } else { (1.0, "") };
    let value = scale * figure.value;
    let digits = match value.abs() {
        _ if value == value.trunc() && (figure.low == figure.high || is_count(name)) => 0,
        v if v >= 10.0 || is_share(name) => 1,
        v if v >= 1.0 => 2,
        _ => 3,
    };
    match (figure.low, figure.high) {
        (Some(low), Some(high)) if low < high => {
            let (low, high) = (scale * low, scale * high);
            format!("{value:.digits$}{unit} ({low:.digits$}–{high:.digits$})")
        }
        _ => format!("{value:.digits$}{unit}"),
    }
}

/// What a number means, in a few words.
pub fn meaning(name: &str) -> &'static str {
    match name.strip_prefix("random_").unwrap_or(name) {
        "balance" => "one less the largest gap between two seats",
        "first_seat" => "the first seat's share of the point",
        "completion" => "games with a winner",
        "draws" => "games drawn by the rules",
        "unfinished" => "games given up at the limit of plies",
        "length" => "plies",
        "branching" => "legal moves a turn",
        "decision_factor" => "legal moves where there are several",
        "decisions" => "turns with a choice",
        "coverage" => "sites of the board that ever held a piece",
        "repetition" => "positions that had been there before in the game",
        "game_tree" => "decimal digits of the number of games, roughly",
        "opening_variety" => "first moves in effect",
        "drama" => "how far behind the later winner was",
        "uncertainty" => "how open the result was, 0 to 1",
        "decided_at" => "share of the game after which the winner stays above 80%",
        "lead_changes" => "changes of the lead a game",
        "killer_moves" => "moves a game that gain more than 0.3",
        "permanence" => "such gains still there two choices later",
        "clarity" => "0 where one move stands out, 1 where all look alike",
        "first_move_spread" => "standard deviation of the first moves' values",
        "good_first_moves" => "first moves within 0.05 of the best, where enough is known",
        "skill_depth" => "doublings of thinking that surely win more than 55%",
        "luck" => "what the weaker side scores against sixteen times its thinking",
        "dead_rules" => "rules without which all games went the same way",
        "dead_pieces" => "kinds of piece that were never used, if not only rare",
        "dead_sites" => "sites that were never used, if not only rare",
        "score" => "points of the one player",
        name if name.starts_with("first_seat_at_") => "the first seat's share at this budget",
        name if name.starts_with("seat_") => "this seat's share of the point",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Origin;

    fn figure(value: f64, half: f64) -> Figure {
        let origin = Origin { agent: "random".to_string(), seed: 1 };
        origin.figure(value, Some(value - half), Some(value + half), 90)
    }

    #[test]
    fn words_say_no_more_than_the_interval() {
        let said = |first: f64, half: f64| {
            // Of two seats, the gap is twice what the first is away from a half.
            let gap = figure(1.0 - 2.0 * (first - 0.5).abs(), 2.0 * half);
            fairness(&figure(first, half), &gap, 0.5)
        };
        assert_eq!(said(0.5, 0.02), "fair");
        assert_eq!(said(0.52, 0.06), "nearly even");
        assert_eq!(said(0.393, 0.102), "the first seat is a little worse off");
        assert_eq!(said(0.42, 0.102), "too few games to say whether the seats are even");
        assert_eq!(said(0.5, 0.2), "too few games to say whether the seats are even");
        assert_eq!(said(0.6, 0.05), "the first seat is better off");
        assert_eq!(said(0.9, 0.05), "the first seat wins far too often");
        assert_eq!(said(0.1, 0.05), "the first seat loses far too often");
    }

    #[test]
    fn intervals_are_shown_from_end_to_end() {
        let mut none = ludex_arena::stats::Tally::default();
        (0..64).for_each(|_| none.add(0.0));
        let origin = Origin { agent: "random".to_string(), seed: 1 };
        let figure = origin.share(&none).unwrap();
        assert_eq!(shown("draws", &figure), "0.0% (0.0–5.7)");
        assert_eq!(percent(&figure), "0.0% (0.0–5.7)");
        assert_eq!(
            shown("length", &origin.figure(12.0, Some(11.5), Some(13.0), 9)),
            "12.0 (11.5–13.0)"
        );
        assert_eq!(shown("dead_sites", &origin.figure(3.0, Some(0.0), Some(3.0), 9)), "3 (0–3)");
        assert_eq!(shown("dead_sites", &origin.figure(0.0, Some(0.0), Some(0.0), 9)), "0");
    }

    #[test]
    fn drama_between_two_sizes_is_called_both() {
        assert_eq!(size_of_drama(&figure(0.02, 0.01)), "little");
        assert_eq!(size_of_drama(&figure(0.06, 0.02)), "little to some");
        assert_eq!(size_of_drama(&figure(0.3, 0.05)), "much");
    }
}
