//! What must hold for every input, whoever wrote it: one function a law, from bytes.
//!
//! `cargo test -p ludex-laws` tries each on inputs that were broken in random ways, the same ones everywhere, or for
//! `LUDEX_FUZZ_SECONDS`; the targets in `fuzz/` hand them what a fuzzer finds by looking at which code an input reaches.

mod documents;
pub mod drawn;
pub mod mutants;
mod requests;
mod rules;
mod stores;
pub mod walks;

/// One law.
pub struct Law {
    /// Its name, which is that of the fuzzer's target, too.
    pub name: &'static str,
    /// Panics where it does not hold.
    pub holds: fn(&[u8]),
    /// Inputs to begin with.
    pub corpus: fn() -> Vec<String>,
    /// Words that change the meaning of such inputs most.
    pub words: &'static [&'static str],
}

/// All of them.
pub const LAWS: &[Law] = &[
    Law { name: "lud_reader", holds: rules::lud_reader, corpus: rules::lud, words: rules::LUD },
    Law { name: "lud_compiler", holds: rules::lud_compiler, corpus: rules::lud, words: rules::LUD },
    Law { name: "lud_walks", holds: walks::drawn_walks, corpus: walks::seeds, words: &[] },
    Law { name: "lud_edits", holds: walks::edited_walks, corpus: walks::seeds, words: &[] },
    Law { name: "kif_reader", holds: rules::kif_reader, corpus: rules::kif, words: rules::KIF },
    Law { name: "kif_compiler", holds: rules::kif_compiler, corpus: rules::kif, words: rules::KIF },
    Law {
        name: "records",
        holds: documents::records,
        corpus: documents::some_records,
        words: documents::RECORDS,
    },
    Law {
        name: "agents",
        holds: documents::agents,
        corpus: documents::some_agents,
        words: documents::AGENTS,
    },
    Law {
        name: "experiments",
        holds: documents::experiments,
        corpus: documents::some_experiments,
        words: documents::EXPERIMENTS,
    },
    Law { name: "stores", holds: stores::stores, corpus: walks::seeds, words: &[] },
    Law {
        name: "questions",
        holds: requests::questions,
        corpus: requests::some_questions,
        words: requests::QUESTIONS,
    },
    Law {
        name: "ggp_messages",
        holds: requests::ggp_messages,
        corpus: requests::some_messages,
        words: rules::KIF,
    },
    Law {
        name: "engine_lines",
        holds: requests::engine_lines,
        corpus: requests::some_lines,
        words: requests::LINES,
    },
];

/// The law of this name.
pub fn law(name: &str) -> &'static Law {
    LAWS.iter().find(|law| law.name == name).expect("a law of this name")
}

/// An input as text; bytes that are none are passed over.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
