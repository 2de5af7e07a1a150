//! Features in both notations: what is read is what is meant, what is printed reads back, and a fault is
//! underlined.

use expect_test::expect;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::features::{
    Feature, MAX_STEPS, Notation, Place, Sense, Spatial, Test, Turn, read_metadata, read_set,
    read_weights, write_weights,
};

fn read(text: &str) -> Feature {
    Feature::read(text, SourceId(0)).unwrap_or_else(|fault| panic!("{text}: {}", fault.message))
}

fn spatial(text: &str) -> Spatial {
    match read(text) {
        Feature::Spatial(spatial) => spatial,
        other => panic!("{text} is {other:?}"),
    }
}

fn fault(text: &str) -> String {
    let fault = Feature::read(text, SourceId(0)).expect_err(text);
    fault.to_text(|_| text, |_| "set.fs")
}

#[test]
fn the_bridge_is_the_same_in_both_notations() {
    let ludii = "rel:last_to=<{1/6}>:to=<{}>:pat=<els=[-{}, f{0}, f{1/3}]>";
    let paper = ".{} o{0} o{1/3} -> to {} after to {1/6}";
    assert_eq!(read(ludii), read(paper));
    assert_eq!(read(ludii).write(Notation::Paper), paper);
    assert_eq!(read(paper).write(Notation::Ludii), ludii);
}

#[test]
fn the_dash_is_empty_in_one_notation_and_off_the_board_in_the_other() {
    let test = |text| spatial(text).pattern.elements[0].test;
    assert_eq!(test("rel:to=<{}>:pat=<els=[-{0}]>"), Test::Empty);
    assert_eq!(test("-{0} -> to {}"), Test::Off);
    assert_eq!(test(".{0} -> to {}"), Test::Empty);
    assert_eq!(test("rel:to=<{}>:pat=<els=[#{0}]>"), Test::Off);
}

#[test]
fn one_place_may_have_several_qualifiers() {
    let elements = spatial("x!I3{0,-1/4} o {0} -> from {} to {0}").pattern.elements;
    let said: Vec<(Test, Sense)> = elements.iter().map(|e| (e.test, e.sense)).collect();
    let expected =
        [(Test::Enemy, Sense::Must), (Test::Item(3), Sense::MustNot), (Test::Friend, Sense::Must)];
    assert_eq!(said, expected);
    assert_eq!(elements[0].place, elements[1].place);
}

#[test]
fn every_form_reads_back_from_both_notations() {
    let features = [
        "rel:to=<{}>:pat=<els=[]>",
        "rel:last_from=<{0}>:last_to=<{}>:from=<{1/4,-1/6}>:to=<{0,0}>:pat=<els=[!-{}, f{0}, !e{1/3}]>",
        "rel:to=<{}>:pat=<refl=false,rots=[0.0,0.25,0.5],els=[#{0}, !#{1/2}, *{0,0}, 1{0}, !2{1/20}]>",
        "rel:from=<{}>:pat=<els=[I12{0}, pos3{0}, N6{0}, R0{0}, !R1{0}, LOSO2{0}, LOSD3{0}, P3{0}]>",
        "rel:to=<{0.123}>:pat=<els=[]>",
        "PassMove",
        "SwapMove",
        "Intercept",
        "abs:last_to=<5>:to=<12>:pat=<els=[f{abs-4}, !-{abs-8}]>",
    ];
    for text in features {
        let feature = read(text);
        assert_eq!(feature.write(Notation::Ludii), text);
        assert_eq!(read(&feature.write(Notation::Paper)), feature, "{text} in the paper's symbols");
    }
}

#[test]
fn older_spellings_are_read_and_printed_short() {
    let old = "rel:last_to=<{0.16666667}>:to=<{}>:pat=<refl=true,rots=all,els=[-{}, f{0.0}, f{0.33333334}]>:comment=\"a reply: complete\"";
    let feature = spatial(old);
    assert_eq!(feature.comment.as_deref(), Some("a reply: complete"));
    assert_eq!(feature.last_to, Some(Place::Walk(vec![Turn::of(1, 6)])));
    let short =
        "rel:last_to=<{1/6}>:to=<{}>:pat=<els=[-{}, f{0}, f{1/3}]>:comment=\"a reply: complete\"";
    assert_eq!(Feature::Spatial(feature).write(Notation::Ludii), short);
    assert_eq!(
        read("rel:pat=<els=[-{}, !-{0, 0}]>:to=<{}>"),
        read("rel:to=<{}>:pat=<els=[-{},!-{0,0}]>")
    );
}

#[test]
fn faults_are_underlined() {
    let mut all = String::new();
    for text in [
        "rel:to=<{}>:pat=<els=[g{0}]>",
        "rel:to=<{1/0}>:pat=<els=[]>",
        "rel:to=<{0:pat=<els=[]>",
        "rel:to=<{}>:to=<{}>:pat=<els=[]>",
        "rel:too=<{}>",
        "rel:to=<{}>:pat=<els=[I{0}]>",
        "rel:to=<{}>:pat=<els=[f{0}]> x",
        "to the north",
        "o{0} -> at {}",
        "o{0} -> to {} to {}",
        "q{0} -> to {}",
    ] {
        all += &fault(text);
    }
    expect![[r#"
        error: expected an element
         --> set.fs:1:23
        1 | rel:to=<{}>:pat=<els=[g{0}]>
          |                       ^ found `g`
        help: an element is `-` (empty), `f`, `e`, `#` (off the board), `*`, `1`, `2`, or `I`, `pos`, `N`, `R`, `LOSO`, `LOSD` with a number
        error: this is no turn
         --> set.fs:1:10
        1 | rel:to=<{1/0}>:pat=<els=[]>
          |          ^^^
        help: a turn is a part of the full circle, such as `0`, `1/4`, `-1/6` or `0.5`
        error: expected `,` or `}` after a turn
         --> set.fs:1:11
        1 | rel:to=<{0:pat=<els=[]>
          |           ^ found `:`
        error: `to` is said twice
         --> set.fs:1:13
        1 | rel:to=<{}>:to=<{}>:pat=<els=[]>
          |             ^^
        error: a feature has no part `too`
         --> set.fs:1:5
        1 | rel:too=<{}>
          |     ^^^
        help: it has `last_from`, `last_to`, `from`, `to`, `pat` or `comment`
        error: expected a number after `I`
         --> set.fs:1:24
        1 | rel:to=<{}>:pat=<els=[I{0}]>
          |                        ^ found `{`
        error: the feature is over before this
         --> set.fs:1:30
        1 | rel:to=<{}>:pat=<els=[f{0}]> x
          |                              ^
        error: this is not a feature
         --> set.fs:1:1
        1 | to the north
          | ^^^^^^^^^^^^
        help: a feature begins with `rel:` or `abs:`, is `PassMove`, `SwapMove` or `Intercept`, or is a pattern with `-> to {…}` in the paper's symbols
        error: expected `to {…}` or `from {…}`: the move that the pattern is about
         --> set.fs:1:9
        1 | o{0} -> at {}
          |         ^ found `a`
        error: expected each end of a move once
         --> set.fs:1:17
        1 | o{0} -> to {} to {}
          |                 ^ found ` `
        error: expected a symbol or a walk
         --> set.fs:1:1
        1 | q{0} -> to {}
          | ^ found `q`
        help: the symbols are `-` (off the board), `.` (empty), `o`, `x`, `P` and `I` with a number, and `!` before any of them
    "#]].assert_eq(&all);
}

#[test]
fn endless_texts_are_refused() {
    let long = format!("rel:to=<{{{}0}}>:pat=<els=[]>", "0,".repeat(MAX_STEPS + 5));
    assert!(fault(&long).contains("at most 200 steps"));
    let many = format!("rel:to=<{{}}>:pat=<els=[{}-{{}}]>", "-{},".repeat(600));
    assert!(fault(&many).contains("at most 500 elements"));
    assert!(fault("rel:to=<{1e9}>").contains("this is no turn"));
    assert!(fault("rel:to=<{99999999999/2}>").contains("this is no turn"));
    let large = "Intercept\n".repeat(2 << 20);
    assert!(read_set(&large, SourceId(0)).is_err());
}

#[test]
fn files_of_features_and_weights() {
    let text = "rel:to=<{}>:pat=<els=[]>\r\n\n  o{0} -> to {}\nIntercept";
    let set = read_set(text, SourceId(0)).expect("a set");
    assert_eq!(set.len(), 3);
    assert_eq!(&text[set[1].span.range()], "o{0} -> to {}");
    let text = "100.0\n-0.25\nFeatureSet=Hex.fs\n";
    let weights = read_weights(text, SourceId(0)).expect("weights");
    assert_eq!(weights.weights, [100.0, -0.25]);
    assert_eq!(write_weights(&weights), text);
    assert!(read_weights("1\nNaN", SourceId(0)).is_err());
    assert!(read_weights("FeatureSet=a\n1", SourceId(0)).is_err());
}

#[test]
fn sets_inside_the_definition_of_an_agent() {
    let text = r#"(define "X_ai" (useFor { "Board/9x9" } trainedFeatures:(features {
        (featureSet P1 selectionFeatures:{ (pair "rel:to=<{}>:pat=<els=[f{0}]>" 1.5) })
        (featureSet P2 { (pair "Intercept" -2) })
    })))"#;
    let sets = read_metadata(text, SourceId(0)).expect("sets");
    assert_eq!(sets.iter().map(|set| set.player).collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert_eq!(sets[0].options, ["Board/9x9"]);
    assert_eq!(sets[0].purpose, "selectionFeatures");
    assert_eq!((sets[0].weights[0], sets[1].weights[0]), (1.5, -2.0));
    assert!(read_metadata(&text.replace("f{0}", "f0}"), SourceId(0)).is_err());
}

/// All sets that come with Ludii, from a folder of their definitions: `LUDEX_LUDII_AI=…/def_ai`.
#[test]
fn the_shipped_sets_read_and_print_back() {
    let Some(folder) = std::env::var_os("LUDEX_LUDII_AI") else {
        eprintln!("skipped: set LUDEX_LUDII_AI to a folder of Ludii's agent definitions");
        return;
    };
    let (mut sets, mut features) = (0, 0);
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("text");
        let read = read_metadata(&text, SourceId(0))
            .unwrap_or_else(|fault| panic!("{}", fault.to_text(|_| &text, |_| "definition")));
        for set in read {
            sets += 1;
            features += set.entries.len();
            for entry in &set.entries {
                let span = entry.span.range();
                let written = text[span].trim_matches('"').replace("refl=true,rots=all,", "");
                assert_eq!(entry.feature.write(Notation::Ludii), written);
            }
        }
    }
    assert!(sets > 2_000, "{sets} sets with {features} features");
    println!("{sets} sets, {features} features");
}
