use ludex_game::*;
use ludex_games::seven_wonders::*;
fn main() {
    let players: usize = std::env::args().nth(1).map_or(3, |a| a.parse().unwrap());
    let rules = SevenWonders::new(players, Sides::A, Payments::Cheapest);
    let mut rng = Rng::seeded(1);
    let mut buffer = Vec::new();
    let n = 50000;
    let t = std::time::Instant::now();
    let mut sum = 0i64;
    for _ in 0..n {
        let mut s = rules.start();
        rules.playout_uniform(&mut s, &mut rng, 64, &mut buffer);
        sum += rules.sheet(&s, 0).total() as i64;
    }
    let e = t.elapsed().as_secs_f64();
    println!(
        "{:.0} games/s mean score {:.2} state {} bytes",
        n as f64 / e,
        sum as f64 / n as f64,
        std::mem::size_of::<state::State>()
    );
}
