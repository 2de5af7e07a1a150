//! Facts gathered elsewhere: science points and ways to pay. Skipped where they are not at hand.

use ludex_games::seven_wonders::city::City;
use ludex_games::seven_wonders::components::RESOURCE_LETTERS;
use ludex_games::seven_wonders::demand::{Demand, Market, Prices, Split};
use ludex_games::seven_wonders::score::Scoring;
use ludex_games::seven_wonders::{COMPONENTS, read};
use serde_json::Value;

fn vectors() -> Option<Value> {
    let shared = std::env::var("LUDEX_SHARED")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").to_string());
    let path = format!("{shared}/seven-wonders/test_vectors.json");
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).expect("the vectors are JSON")),
        Err(_) => {
            eprintln!("skipped: {path} is not here (set LUDEX_SHARED)");
            None
        }
    }
}

fn kind(letter: char) -> usize {
    RESOURCE_LETTERS.iter().position(|known| *known == letter).expect("a resource")
}

fn fixed(letters: &Value) -> Demand {
    let mut units = [0; 7];
    letters.as_str().unwrap().chars().for_each(|letter| units[kind(letter)] += 1);
    Demand::of_units(&units)
}

fn producers(case: &Value, who: &str) -> Demand {
    let mut all = fixed(&case[format!("{who}_fixed")]);
    for choice in case[format!("{who}_choice")].as_array().unwrap() {
        let kinds = choice.as_str().unwrap().chars().fold(0, |set, letter| set | 1 << kind(letter));
        all.add(&Demand::of_choice(kinds));
    }
    all
}

fn splits(value: &Value) -> Vec<Split> {
    let coins = |pair: &Value, side: usize| pair[side].as_u64().unwrap() as u8;
    let pairs = value.as_array().unwrap().iter();
    pairs.map(|pair| Split { left: coins(pair, 0), right: coins(pair, 1) }).collect()
}

#[test]
fn every_way_to_pay() {
    let Some(vectors) = vectors() else { return };
    let cases = vectors["payments"].as_array().unwrap();
    for case in cases {
        let price = |flag: &str| if case[flag].as_bool().unwrap() { 1 } else { 2 };
        let prices = Prices {
            raw_left: price("raw_discount_left"),
            raw_right: price("raw_discount_right"),
            goods: price("manufactured_discount"),
        };
        let [own, left, right] = ["own", "left", "right"].map(|who| producers(case, who));
        let market = Market { own: &own, left: &left, right: &right, prices };
        let need = fixed(&case["cost"]);
        let mut ways = Vec::new();
        market.every_way(&need, &mut ways);
        assert_eq!(ways, splits(&case["pareto_unlimited"]), "{case}");
        let coins = case["coins"].as_u64().unwrap() as u8;
        let affordable: Vec<Split> =
            ways.iter().copied().filter(|way| way.total() <= coins).collect();
        assert_eq!(affordable, splits(&case["pareto_affordable"]), "{case}");
        let least = ways.iter().map(|way| way.total()).min();
        assert_eq!(market.least_coins(&need), least, "{case}");
        for favour_left in [false, true] {
            if let Some(least) = least {
                let way = market.cheapest(&need, favour_left);
                assert!(way.total() == least && ways.contains(&way), "{case} {way:?}");
            }
        }
    }
    assert_eq!(cases.len(), 300);
}

#[test]
fn every_science_score() {
    let Some(vectors) = vectors() else { return };
    let scoring = Scoring::new(&read(COMPONENTS).expect("our components"));
    let rows = vectors["science"].as_array().unwrap();
    for row in rows {
        let row: Vec<u8> =
            row.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as u8).collect();
        let city = City { science: [row[0], row[1], row[2], row[3]], ..City::default() };
        assert_eq!(scoring.science_points(&city), i16::from(row[4]), "{row:?}");
    }
    assert_eq!(rows.len(), 375);
}
