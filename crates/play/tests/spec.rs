//! Agents as text: what is written is read back, and faults are underlined.

use ludex_play::spec::{AgentSpec, PlayoutSpec, catalogue};
use proptest::prelude::*;

fn read(text: &str) -> AgentSpec {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn assert_fault(text: &str, expected: expect_test::Expect) {
    let error = text.parse::<AgentSpec>().expect_err(text);
    expected.assert_eq(&error.to_string());
}

#[test]
fn the_short_form_is_kept() {
    for text in [
        "random",
        "uct",
        "uct(c=0.7) + ppa(payoff, memorize)",
        "uct(c=0.7, fpu=1, ties=0.01, final=mean, reuse=2) + nst(epsilon=0.3)",
        "uct + lgr + decisive(anti)",
        "uct(initial=\"open \\\"ings\\\\.bin\") + ppa(features, memorize)",
        "uct(threads=2) + mast(gibbs, tau=0.5) + lgr(remember)",
    ] {
        assert_eq!(read(text).to_string(), text);
    }
    assert_eq!(read(" uct ( c = 0.4 )+uniform ").to_string(), "uct");
    assert_eq!(read("uct + ppa(alpha=0.32)").to_string(), "uct + ppa");
    assert_eq!(read("uct + ppafm").to_string(), "uct + ppa(features, memorize)");
    assert_eq!("mast + decisive".parse::<PlayoutSpec>().unwrap().to_string(), "mast + decisive");
    assert_eq!(PlayoutSpec::default().to_string(), "uniform");
}

#[test]
fn faults_are_underlined() {
    use expect_test::expect;
    assert_fault(
        "uct(c=0.7) + ppa(alhpa=0.32)",
        expect![[r#"
            `ppa` has no setting `alhpa`; did you mean `alpha`?
              uct(c=0.7) + ppa(alhpa=0.32)
                               ^^^^^"#]],
    );
    assert_fault(
        "uct(c=lots)",
        expect![[r#"
            `c` is a number
              uct(c=lots)
                    ^^^^"#]],
    );
    assert_fault(
        "ppa",
        expect![[r#"
            `ppa` needs a search before it: `uct + ppa`
              ppa
              ^^^"#]],
    );
    assert_fault(
        "uct + mats",
        expect![[r#"
            there is no playout policy `mats`; did you mean `mast`?
              uct + mats
                    ^^^^"#]],
    );
    assert_fault(
        "uct + ppa + mast",
        expect![[r#"
            an agent has one playout policy
              uct + ppa + mast
                          ^^^^"#]],
    );
    assert_fault(
        "uct(c=0.7",
        expect![[r#"
            expected `,` or `)`, but the text ends
              uct(c=0.7
                       ^"#]],
    );
    assert_fault(
        "uct + mast(epsilon=1.5)",
        expect![[r#"
            `epsilon` lies between 0 and 1
              uct + mast(epsilon=1.5)
                                 ^^^"#]],
    );
    assert_fault(
        "uct(final=best)",
        expect![[r#"
            `final` is one of `visits` and `mean`
              uct(final=best)
                        ^^^^"#]],
    );
    assert_fault(
        "uct(c=1, c=2)",
        expect![[r#"
            `c` is said twice
              uct(c=1, c=2)
                       ^"#]],
    );
    assert_fault(
        "",
        expect![[r#"
            expected the name of a search or a policy, but the text ends
              
              ^"#]],
    );
    assert!("uct(initial=\"x)".parse::<AgentSpec>().is_err());
    assert!("uct + ppa(alpha=NaN)".parse::<AgentSpec>().is_err());
    assert!("uct ".repeat(10_000).parse::<AgentSpec>().is_err());
}

#[test]
fn everything_is_listed() {
    let names: Vec<_> = catalogue().into_iter().map(|part| part.name).collect();
    for name in
        ["uct", "uniform", "mast", "nst", "ppa", "nppa", "lgr", "decisive", "alphabeta", "eval"]
    {
        assert!(names.contains(&name), "{name}");
    }
}

/// Settings of each part, as text with values a person might give.
fn part(name: &'static str) -> BoxedStrategy<String> {
    let help = catalogue().into_iter().find(|part| part.name == name).unwrap();
    let arguments: Vec<BoxedStrategy<Option<String>>> =
        help.settings.iter().map(|setting| argument(&setting.usual)).collect();
    arguments
        .prop_map(move |given| {
            let given: Vec<String> = given.into_iter().flatten().collect();
            if given.is_empty() {
                name.to_string()
            } else {
                format!("{name}({})", given.join(", "))
            }
        })
        .boxed()
}

fn argument(usual: &str) -> BoxedStrategy<Option<String>> {
    let given = match usual.split_once('=') {
        None => Just(usual.to_string()).boxed(),
        Some(("final", _)) => Just("final=mean".to_string()).boxed(),
        Some(("start", _)) => Just("start=features(hex.toml)".to_string()).boxed(),
        Some(("prior", _)) => Just("prior=features(hex.toml, epsilon=0.5)".to_string()).boxed(),
        Some((name, "\"…\"")) => {
            let name = name.to_string();
            ".{0,12}"
                .prop_map(move |text: String| {
                    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
                    format!("{name}=\"{text}\"")
                })
                .boxed()
        }
        // Fractions of one are in every number's range; whole numbers accept only some.
        Some(("many", _)) => Just("many=maxn".to_string()).boxed(),
        Some(("table", _)) => Just("table=12".to_string()).boxed(),
        Some((
            name @ ("n" | "v" | "reuse" | "threads" | "ref" | "leaf" | "depth" | "quiet"),
            _,
        )) => {
            let name = name.to_string();
            (1u32..8).prop_map(move |count| format!("{name}={count}")).boxed()
        }
        Some(("nodes", _)) => Just("nodes=1000".to_string()).boxed(),
        Some((name, _)) => {
            let name = name.to_string();
            (0.001f32..1.0).prop_map(move |number| format!("{name}={number}")).boxed()
        }
    };
    proptest::option::of(given).boxed()
}

fn agent() -> BoxedStrategy<String> {
    let names = |wanted: &[&str]| -> Vec<&'static str> {
        let all = catalogue().into_iter().map(|part| part.name);
        all.filter(|name| wanted.contains(name)).collect()
    };
    let policies = names(&["uniform", "mast", "nst", "ppa", "nppa"]);
    let modifiers = ["lgr", "decisive"];
    let searches: Vec<&'static str> = catalogue()
        .into_iter()
        .map(|part| part.name)
        .filter(|name| !policies.contains(name) && !modifiers.contains(name))
        .filter(|name| *name != "features")
        .filter(|name| !["alphabeta", "ubfm", "eval", "cut", "auto", "level"].contains(name))
        .collect();
    let any = |names: Vec<&'static str>| proptest::sample::select(names).prop_flat_map(part);
    let optional = |names| proptest::option::of(any(names));
    let joined = |parts: Vec<Option<String>>| -> String {
        parts.into_iter().flatten().collect::<Vec<_>>().join(" + ")
    };
    let uct =
        (any(searches), optional(policies), optional(vec!["lgr"]), optional(vec!["decisive"]))
            .prop_map(move |(search, policy, lgr, decisive)| {
                joined(vec![Some(search), policy, lgr, decisive])
            });
    let eval = proptest::option::of(Just("eval(some.toml)".to_string()));
    let minimax = (any(vec!["alphabeta"]), eval)
        .prop_map(move |(search, eval)| joined(vec![Some(search), eval]));
    prop_oneof![4 => uct, 1 => minimax].boxed()
}

#[test]
fn features_name_their_file() {
    let both = "uct(prior=features(hex.toml)) + features(hex.toml, epsilon=0.25)";
    let spec: AgentSpec = both.parse().unwrap();
    let written = "uct(prior=\"features(file=\\\"hex.toml\\\")\") + features(file=\"hex.toml\", epsilon=0.25)";
    assert_eq!(spec.to_string(), written);
    assert_eq!(read(written), spec);
    for wrong in
        ["uct + features", "uct(prior=mast)", "uct(prior=features)", "uct(prior=features(a"]
    {
        assert!(wrong.parse::<AgentSpec>().unwrap_err().to_string().contains('^'), "{wrong}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_written_is_read_back(text in agent()) {
        let spec: AgentSpec = text.parse().map_err(|e| TestCaseError::fail(format!("{e}")))?;
        let written = spec.to_string();
        prop_assert_eq!(&read(&written), &spec, "{} became {}", text, written);
        prop_assert_eq!(read(&written).to_string(), written);
    }

    #[test]
    fn nonsense_is_refused_and_shown(text in ".{0,60}") {
        if let Err(error) = text.parse::<AgentSpec>() {
            prop_assert!(error.to_string().contains('^'));
        }
    }

    #[test]
    fn near_sense_is_refused_or_read(text in "[a-z(), +=0-9.\"-]{0,40}") {
        let _ = text.parse::<AgentSpec>();
        let _ = format!("uct({text})").parse::<AgentSpec>();
    }
}

#[test]
fn the_full_text_has_every_setting_and_reads_back() {
    for text in
        ["uct", "uct(c=0.7) + ppa(alpha=0.32, memorize)", "grave + nst + lgr + decisive", "random"]
    {
        let spec: AgentSpec = text.parse().unwrap();
        let full = spec.full();
        assert_eq!(full.parse(), Ok(spec.clone()), "{full}");
        assert_eq!(full.parse::<AgentSpec>().unwrap().full(), full);
    }
    let full = "uct + mast".parse::<AgentSpec>().unwrap().full();
    assert!(
        full.contains("c=0.4") && full.contains("threads=1") && full.contains("mast("),
        "{full}"
    );
    let evolved = |file: &str| {
        let mut spec: AgentSpec = format!("evolved({file})").parse().unwrap();
        if let AgentSpec::Evolved(spec) = &mut spec {
            spec.formula = Some("a + b".to_string());
        }
        spec.full()
    };
    assert_eq!(evolved("one.toml"), evolved("two.toml"), "the formula counts, not its file");
}
