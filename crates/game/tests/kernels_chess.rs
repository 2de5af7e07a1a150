//! Kernels of games like chess: blocked knights, guns that jump, lords that may not face each other, and
//! players who pass for want of a move. Both forms of each walk side by side.

use ludex_game::conformance::agree;
use ludex_game::lud::kernel::kernel;
use ludex_game::lud::{Ludemes, compile};
use ludex_game::{Rng, erase};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};

const SHARED: &str = r#"
(define "Ours" (is Friend (who at:#1)))
(define "Foe" (is Enemy (who at:#1)))
(define "InCheck" (is Threatened (id "Lord" #1)))
(define "Mate"
    (if (and ("InCheck" Next)
             (not (can Move (do (forEach Piece Next) ifAfterwards:(not ("InCheck" Next))))))
        (result Mover Win)))
(define "LordOfEach" (piece "Lord" Each (move Step Orthogonal
    (to if:(not ("Ours" (to))) (apply (if ("Foe" (to)) (remove (to) (then (set Counter)))))))))
"#;

const GUNS_AND_HORSES: &str = r#"
(game "Guns and Horses"
    (players {(player N) (player S)})
    (equipment {
        (board (rectangle 7 6) use:Vertex)
        "LordOfEach"
        (piece "Horse" Each
            (forEach Direction Orthogonal
                (to if:(is Empty (to))
                    (apply (forEach Direction (from (to)) (directions {FR FL} of:All)
                        (if (not ("Ours" (to)))
                            (move (from) (to (apply if:("Foe" (to)) (remove (to))))))))))
            )
        (piece "Gun" Each
            (or
                (move Slide Orthogonal)
                (move Hop Orthogonal
                    (between before:(count Rows) after:(count Rows) if:(is Occupied (between)))
                    (to if:(is Empty (to)) (apply if:("Foe" (to)) (remove (to)))))))
        (piece "Foot" Each
            (move Step (if (is In (from) (sites Bottom)) Forward (directions {Forward Rightward}))
                (to if:(not ("Ours" (to))) (apply (remove (to))))))
    })
    (rules
        (start {
            (place "Lord1" 2) (place "Lord2" 39)
            (place "Horse1" (sites {1 4})) (place "Horse2" (sites {37 40}))
            (place "Gun1" (sites {6 11})) (place "Gun2" (sites {30 35}))
            (place "Foot1" (sites {12 14 17})) (place "Foot2" (sites {24 27 29}))
        })
        (play (do (forEach Piece)
            ifAfterwards:(and
                (or (!= (column of:(where "Lord" P1)) (column of:(where "Lord" P2)))
                    (< 0 (count Sites in:(forEach
                        (sites Direction from:(where "Lord" P1) N stop:(= (to) (where "Lord" P2)))
                        if:(is Occupied (site))))))
                (not ("InCheck" Mover)))))
        (end { "Mate" (if (or (no Moves Mover) (>= (counter) 70)) (result Mover Draw)) })
    )
)
"#;

fn both_forms_agree(text: &str) {
    let text = format!("{SHARED}{text}");
    let description = read(&text, SourceId(0), &Library::default(), &[]).expect("readable");
    let general = Ludemes::new(compile(&description).expect("compiles")).expect("playable");
    let kernel = kernel(&general).expect("a kernel");
    let general = erase(general);
    for seed in 0..12 {
        if let Err(fault) = agree(&*general, &*kernel, &mut Rng::seeded(seed), 120) {
            panic!("{fault}");
        }
    }
}

#[test]
fn blocked_knights_and_jumping_guns() {
    both_forms_agree(GUNS_AND_HORSES);
}
