//! What the GDL reader says about faulty texts, as people see it.

use expect_test::{Expect, expect};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::kif;

/// A correct little game that each test breaks in one way.
const GAME: &str = "(role white) (init (step 1)) (succ 1 2) (legal white noop)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 2))) (goal white 100)
";

fn findings(text: &str) -> String {
    let found = match kif::read(SourceId(0), text) {
        Ok(checked) => checked.warnings,
        Err(found) => found,
    };
    found.iter().map(|found| found.to_text(|_| text, |_| "game.kif")).collect()
}

fn check_with(extra: &str, expected: Expect) {
    expected.assert_eq(&findings(&format!("{GAME}{extra}")));
}

#[test]
fn a_correct_game_has_no_findings() {
    check_with("", expect![""]);
}

#[test]
fn unbound_variables() {
    check_with(
        "(<= (p ?x) (not (q ?x))) (q 1)",
        expect![[r#"
        error: unsafe rule: `?x` is not bound
         --> game.kif:4:5
        4 | (<= (p ?x) (not (q ?x))) (q 1)
          |     ^^^^^^ `?x` occurs in the head only
        help: mention `?x` in a condition without `not`
    "#]],
    );
    check_with(
        "(<= (p ?x) (q ?x) (distinct ?x ?y)) (q 1)",
        expect![[r#"
        error: unsafe rule: `?y` is not bound
         --> game.kif:4:19
        4 | (<= (p ?x) (q ?x) (distinct ?x ?y)) (q 1)
          |                   ^^^^^^^^^^^^^^^^ `?y` occurs in `distinct` only
        help: mention `?y` in a condition without `not`
    "#]],
    );
}

#[test]
fn negative_cycles() {
    check_with(
        "(<= p (not q))\n(<= q p)",
        expect![[r#"
        error: unstratified negation: `p` depends on its own negation
         --> game.kif:4:12
        4 | (<= p (not q))
          |            ^ `q` depends on `p`
    "#]],
    );
}

#[test]
fn circles_that_constants_break_are_allowed() {
    check_with("(<= (goal white 0) (not (goal white 50)))", expect![""]);
}

#[test]
fn growing_recursion() {
    check_with(
        "(p 1)\n(<= (p (s ?x)) (p ?x))\n(<= (q ?x) (q (t ?x)) (p ?x))",
        expect![[r#"
            error: recursion through `p` is not restricted
             --> game.kif:5:16
            5 | (<= (p (s ?x)) (p ?x))
              |                ^^^^^^ nothing limits `?x`
            help: let `?x` be an argument of the head or of a condition outside the recursion
            error: recursion through `q` is not restricted
             --> game.kif:6:12
            6 | (<= (q ?x) (q (t ?x)) (p ?x))
              |            ^^^^^^^^^^ nothing limits `(t ?x)`
            help: let `(t ?x)` be an argument of the head or of a condition outside the recursion
        "#]],
    );
}

#[test]
fn arity_clashes() {
    check_with(
        "(p 1)\n(<= q (p 1 2))\n(<= r (true step 1))",
        expect![[r#"
            error: relation `p` takes 1 argument, not 2
             --> game.kif:5:7
            5 | (<= q (p 1 2))
              |       ^^^^^^^
             --> game.kif:4:1
            4 | (p 1)
              | ^^^^^ 1 argument here
            error: relation `true` takes 1 argument, not 2
             --> game.kif:6:7
            6 | (<= r (true step 1))
              |       ^^^^^^^^^^^^^
        "#]],
    );
    check_with(
        "(p (f 1)) (p (f 1 2))",
        expect![[r#"
            error: function `f` takes 1 argument, not 2
             --> game.kif:4:11
            4 | (p (f 1)) (p (f 1 2))
              |           ^^^^^^^^^^^
             --> game.kif:4:1
            4 | (p (f 1)) (p (f 1 2))
              | ^^^^^^^^^ 1 argument here
        "#]],
    );
}

#[test]
fn missing_keywords() {
    expect![[r#"
        error: no rule concludes `legal`: nobody can move
         --> game.kif:1:1
        1 | (role white)
          | ^^^^^^^^^^^^
        help: add one, such as `(legal white noop)`
        error: no rule concludes `next`: the position never changes
         --> game.kif:1:1
        1 | (role white)
          | ^^^^^^^^^^^^
        help: add one, such as `(next (control black))`
        error: no rule concludes `terminal`: the game never ends
         --> game.kif:1:1
        1 | (role white)
          | ^^^^^^^^^^^^
        help: add one, such as `(<= terminal (true (step 10)))`
        error: no rule concludes `goal`: nobody can win
         --> game.kif:1:1
        1 | (role white)
          | ^^^^^^^^^^^^
        help: add one, such as `(goal white 100)`
        warning: no rule concludes `init`: the game starts from an empty position
         --> game.kif:1:1
        1 | (role white)
          | ^^^^^^^^^^^^
    "#]]
    .assert_eq(&findings("(role white)"));
}

#[test]
fn unknown_keywords() {
    check_with(
        "(<= p (ture (step 1)))",
        expect![[r#"
        error: unknown keyword `ture`
         --> game.kif:4:7
        4 | (<= p (ture (step 1)))
          |       ^^^^^^^^^^^^^^^
        help: did you mean `true`?
    "#]],
    );
    check_with(
        "(<= p (and (true (step 1))))",
        expect![[r#"
        error: unknown keyword `and`
         --> game.kif:4:7
        4 | (<= p (and (true (step 1))))
          |       ^^^^^^^^^^^^^^^^^^^^^ GDL has `not`, `or` and `distinct`
        help: conditions one after another are already joined by "and"
    "#]],
    );
    check_with(
        "(leagl white jump)",
        expect![[r#"
        warning: no rule asks for `leagl`
         --> game.kif:4:1
        4 | (leagl white jump)
          | ^^^^^^^^^^^^^^^^^^
        help: did you mean the keyword `legal`?
    "#]],
    );
    check_with(
        "(<= p (undefined ?x))",
        expect![[r#"
        warning: no rule concludes `undefined`
         --> game.kif:4:7
        4 | (<= p (undefined ?x))
          |       ^^^^^^^^^^^^^^ this never holds
    "#]],
    );
}

#[test]
fn keywords_depend_one_way() {
    check_with(
        "(<= (legal white jump) p) (<= p (does white noop))",
        expect![[r#"
        error: `legal` must not depend on `does`
         --> game.kif:4:33
        4 | (<= (legal white jump) p) (<= p (does white noop))
          |                                 ^^^^^^^^^^^^^^^^^ it does through this
    "#]],
    );
}

#[test]
fn misplaced_keywords() {
    check_with(
        "(<= (true (step 3)) (succ 1 2))",
        expect![[r#"
        error: `true` cannot be the head of a rule
         --> game.kif:4:5
        4 | (<= (true (step 3)) (succ 1 2))
          |     ^^^^^^^^^^^^^^^
    "#]],
    );
    check_with(
        "(<= p (next (step 3)))",
        expect![[r#"
        error: `next` cannot be a condition
         --> game.kif:4:7
        4 | (<= p (next (step 3)))
          |       ^^^^^^^^^^^^^^^
        help: conditions about the position are written `(true …)`
    "#]],
    );
}

#[test]
fn malformed_operators() {
    check_with(
        "(<= p (not)) (<= q (distinct a)) (<= r (or))",
        expect![[r#"
            error: `not` takes one condition
             --> game.kif:4:7
            4 | (<= p (not)) (<= q (distinct a)) (<= r (or))
              |       ^^^^^ 0 given
            error: `distinct` compares two terms
             --> game.kif:4:20
            4 | (<= p (not)) (<= q (distinct a)) (<= r (or))
              |                    ^^^^^^^^^^^^ 1 given
            error: `or` without alternatives
             --> game.kif:4:40
            4 | (<= p (not)) (<= q (distinct a)) (<= r (or))
              |                                        ^^^^ expected at least one condition
        "#]],
    );
    check_with(
        "(<=) () (?x 1) ((a) b) (p (?f 1)) (p ()) (<= p (<= q))",
        expect![[r#"
        error: `<=` without a head
         --> game.kif:4:1
        4 | (<=) () (?x 1) ((a) b) (p (?f 1)) (p ()) (<= p (<= q))
          | ^^^^ expected `(<= head body…)`
        error: empty brackets
         --> game.kif:4:6
        4 | (<=) () (?x 1) ((a) b) (p (?f 1)) (p ()) (<= p (<= q))
          |      ^^ expected a relation
        error: a variable is no relation
         --> game.kif:4:10
        4 | (<=) () (?x 1) ((a) b) (p (?f 1)) (p ()) (<= p (<= q))
          |          ^^ expected a name
        error: a list is no relation
         --> game.kif:4:17
        4 | (<=) () (?x 1) ((a) b) (p (?f 1)) (p ()) (<= p (<= q))
          |                 ^^^ expected a name
        error: a variable is no function
         --> game.kif:4:28
        4 | (<=) () (?x 1) ((a) b) (p (?f 1)) (p ()) (<= p (<= q))
          |                            ^^ expected a name
        error: empty brackets
         --> game.kif:4:38
        4 | (<=) () (?x 1) ((a) b) (p (?f 1)) (p ()) (<= p (<= q))
          |                                      ^^ expected a term
        error: a rule inside a rule
         --> game.kif:4:49
        4 | (<=) () (?x 1) ((a) b) (p (?f 1)) (p ()) (<= p (<= q))
          |                                                 ^^ `<=` stands only at the outermost level
    "#]],
    );
}

#[test]
fn observations_are_unsupported() {
    check_with(
        "(<= (sees white (step ?n)) (true (step ?n)))",
        expect![[r#"
        unsupported: `sees` is not supported yet
         --> game.kif:4:5
        4 | (<= (sees white (step ?n)) (true (step ?n)))
          |     ^^^^^^^^^^^^^^^^^^^^^^ what players see is part of GDL-II
        help: only the role `random` of GDL-II is understood
    "#]],
    );
}

#[test]
fn brackets() {
    expect![[r#"
        error: a bracket is never closed
         --> game.kif:1:1
        1 | (role white
          | ^ the innermost one is opened here
    "#]]
    .assert_eq(&findings("(role white"));
    expect![[r#"
        error: this bracket closes nothing
         --> game.kif:1:13
        1 | (role white))
          |             ^ no matching `(`
        help: remove it, or look for a missing `(` before it
    "#]]
    .assert_eq(&findings("(role white))"));
}
