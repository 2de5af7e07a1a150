//! x
use ludex_game::lud::{Ludemes, compile};
use ludex_game::*;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
fn main() {
    let mut a = std::env::args().skip(1);
    let f = a.next().unwrap();
    let path: Vec<String> = a.collect();
    let t = std::fs::read_to_string(&f).unwrap();
    let d = read(&t, SourceId(0), &Library::default(), &[]).unwrap();
    let g = match compile(&d) {
        Ok(g) => g,
        Err(e) => {
            println!("{}", e.to_text(|_| &t, |_| &f));
            return;
        }
    };
    let g = Ludemes::new(g).unwrap();
    let mut s = g.start();
    for m in path {
        if let Turn::Players(p) = g.turn(&s) {
            let mv = g.parse_move(&s, p.first().unwrap(), &m).unwrap();
            g.apply(&mut s, &[mv]);
        }
    }
    println!("{}", g.show(&s, None));
    if let Turn::Players(p) = g.turn(&s) {
        let p = p.first().unwrap();
        let mut v = vec![];
        g.moves(&s, p, &mut v);
        println!("{} moves", v.len());
        for m in v {
            let t = g.move_text(&s, Some(p), m);
            let mut n = s.clone();
            g.apply(&mut n, &[m]);
            let mut w = vec![];
            if let Turn::Players(q) = g.turn(&n) {
                g.moves(&n, q.first().unwrap(), &mut w);
            }
            print!("{t}:{} ", w.len());
        }
        println!();
    } else {
        println!("{:?}", g.turn(&s));
    }
}
