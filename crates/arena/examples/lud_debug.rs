//! Shows our legal moves at a step of a recorded game: `lud_debug LIBRARY GAME TRIAL STEP`.

use ludex_arena::ludemes::library::read_text;
use ludex_arena::ludemes::{Defines, Trial};
use ludex_game::lud::Ctx;
use std::path::Path;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let root = Path::new(&args[1]);
    let defines = Defines::read(&root.join("def")).unwrap();
    let text = read_text(&root.join("lud").join(format!("{}.lud", args[2]))).unwrap();
    let game = match defines.compile(&text, &[]) {
        Ok(game) => game,
        Err(error) => {
            println!("{}", defines.explain(&error, &args[2], &text));
            return;
        }
    };
    let path = root.join("trials").join(&args[2]).join(format!("RandomTrial_{}.txt", args[3]));
    let trial = Trial::parse(&read_text(&path).unwrap());
    let until: usize = args[4].parse().unwrap();
    let mut ctx = Ctx::new(&game, game.empty_state());
    ctx.start();
    println!(
        "stacking {} counts {} components {:?}",
        game.stacking,
        game.counts,
        game.components.iter().map(|c| (&c.name, c.owner, c.facing)).collect::<Vec<_>>()
    );
    for t in &game.tracks {
        println!("track {} {} loop {} {:?}", t.name, t.owner, t.looped, t.sites);
    }
    let name = |index: u16| game.vars[index as usize].to_string();
    for step in 0..=until {
        let recorded = &trial.moves[trial.initial + step];
        ctx.chance.dice = recorded
            .actions
            .iter()
            .take_while(|a| a.name == "SetStateAndUpdateDice")
            .filter_map(|a| a.number("state"))
            .collect();
        let moves = ctx.legal_moves();
        if step == until {
            println!(
                "mover {} prev {} next {} phase {:?} dice {:?} sum {:?} recorded size {}",
                ctx.s.mover,
                ctx.s.prev,
                ctx.s.next,
                ctx.s.phases,
                ctx.s.dice,
                ctx.s.dice_sum,
                trial.sizes[step]
            );
            println!(
                "recorded {} {}->{}: {:?}",
                recorded.mover,
                recorded.from,
                recorded.to,
                recorded
                    .actions
                    .iter()
                    .map(|a| format!("{}{:?}", a.name, a.fields))
                    .collect::<Vec<_>>()
            );
            for m in &moves {
                let mut look = ctx.clone();
                look.s.pending.clear();
                let log: Vec<String> = look.apply_move(m).iter().map(|a| a.text(&name)).collect();
                println!("  {}->{} {}", m.from, m.to, log.join(""));
            }
        } else {
            let texts: Vec<_> =
                moves.iter().filter(|m| m.from == recorded.from && m.to == recorded.to).collect();
            let m = texts.iter().find(|m| {
                let mut look = ctx.clone();
                look.s.pending.clear();
                let log = look.apply_move(m);
                log.len() == recorded.actions.len()
                    && log.iter().zip(&recorded.actions).all(|(a, b)| {
                        ludex_arena::ludemes::trial::RecordedAction::parse(&a.text(&name)).agrees(b)
                    })
            });
            let Some(m) = m else {
                println!("step {step}: no such move");
                return;
            };
            ctx.play(m);
        }
    }
}
