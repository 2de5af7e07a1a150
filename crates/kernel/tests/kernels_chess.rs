//! Kernels of games like chess: blocked knights, guns that jump, lords that may not face each other, pieces
//! dropped from hands, and players who pass for want of a move. Both forms of each walk side by side.

use ludex_game::conformance::agree;
use ludex_game::{Rng, erase};
use ludex_kernel::kernel;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::{Ludemes, compile};

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

const DROPS: &str = r#"
(define "Taking" (apply (if ("Foe" (to))
    (add (piece (mapEntry "Turned" (what at:(to)))) (to (mapEntry "Place" (what at:(to))))))))
(game "Drops"
    (players {(player N) (player S)})
    (equipment {
        (board (square 5))
        (piece "Lord" Each (move Step Adjacent (to if:(not ("Ours" (to))) "Taking")))
        (piece "Rider" Each (move Slide Orthogonal (to if:("Foe" (to)) "Taking")
            (then (if (is In (last To) (sites Mover "Far")) (moveAgain)))))
        (piece "Foot" Each (move Step Forward (to if:(not ("Ours" (to))) "Taking")))
        (piece "Prince" Each (move Step Adjacent (to if:(not ("Ours" (to))) "Taking")))
        (regions "Far" P1 (sites Top))
        (regions "Far" P2 (sites Bottom))
        (map "Turned" {
            (pair (id "Rider" P1) (id "Rider" P2)) (pair (id "Rider" P2) (id "Rider" P1))
            (pair (id "Prince" P1) (id "Rider" P2)) (pair (id "Prince" P2) (id "Rider" P1))
            (pair (id "Foot" P1) (id "Foot" P2)) (pair (id "Foot" P2) (id "Foot" P1))})
        (map "Place" {
            (pair (id "Rider" P1) (handSite P2)) (pair (id "Rider" P2) (handSite P1))
            (pair (id "Prince" P1) (handSite P2)) (pair (id "Prince" P2) (handSite P1))
            (pair (id "Foot" P1) (handSite P2 1)) (pair (id "Foot" P2) (handSite P1 1))})
        (map "Raised" {
            (pair (id "Rider" P1) (id "Prince" P1)) (pair (id "Rider" P2) (id "Prince" P2))})
        (hand Each size:2)
    })
    (rules
        (start {
            (place "Lord1" 2) (place "Lord2" 22)
            (place "Rider1" (sites {0 4})) (place "Rider2" (sites {20 24}))
            (place "Foot1" (sites {6 8})) (place "Foot2" (sites {16 18}))
        })
        (play
            (if (is Prev Mover)
                (or
                    (move Promote (last To) (piece (mapEntry "Raised" (what at:(last To)))))
                    (move Pass))
                (do
                    (or {
                        (move (from (sites Occupied by:Mover container:"Hand" component:"Rider"))
                            (to (sites Empty)))
                        (move (from (sites Occupied by:Mover container:"Hand" component:"Foot"))
                            (to (sites Empty) if:(=
                                (count Sites in:(sites Occupied by:Mover container:"Board" component:"Foot"))
                                (count Sites in:(difference
                                    (sites Occupied by:Mover container:"Board" component:"Foot")
                                    (sites Column (column of:(to))))))))
                        (forEach Piece)
                    })
                    ifAfterwards:(not ("InCheck" Mover)))))
        (end { "Mate" (if (no Moves Next) (result Mover Win)) })
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

#[test]
fn drops_from_hands() {
    both_forms_agree(DROPS);
}
