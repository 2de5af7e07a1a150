//! Any text: an agent's line is read or refused, and what is read prints as something that reads as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ludex_arena::catalog::GameSpec;
use ludex_arena::engine::PlayerSpec;
use ludex_play::spec::AgentSpec;

fuzz_target!(|text: &str| {
    match text.parse::<AgentSpec>() {
        Ok(spec) => {
            for printed in [spec.to_string(), spec.full()] {
                let again: AgentSpec = printed
                    .parse()
                    .unwrap_or_else(|fault| panic!("`{text}` printed as `{printed}`: {fault}"));
                assert_eq!(again.full(), spec.full(), "`{text}` printed as `{printed}`");
            }
        }
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
    let _ = text.parse::<PlayerSpec>();
    let _ = text.parse::<GameSpec>();
});
