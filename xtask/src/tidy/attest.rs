//! A text is called redacted only where redaction happens: whoever else says so has to be named here, with a reason.

use super::Complaint;
use super::rust_source::shipped_lines;
use crate::tree::Tree;

/// The places that may state it: how their path begins, and why they may.
#[rustfmt::skip]
const MAY_ATTEST: &[(&str, &str)] = &[
    ("crates/testimony-domain/src/evidence.rs", "declares it"),
    ("crates/testimony-admission/src/", "takes the secrets out, and cuts claims from what is left"),
    ("crates/testimony-storage/src/ledger/", "reads back its own rows, which were redacted before they were kept"),
    ("xtask/src/entrance.rs", "joins rows that admission has redacted, as the service joins them"),
    ("crates/testimony-testkit/src/", "makes memories that never held anything real"),
    ("fuzz/fuzz_targets/snapshot.rs", "makes the rows that its snapshots hold"),
];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    // In two pieces, so that this file does not complain about itself; without a parenthesis, since it may be passed on.
    let call = concat!("Redacted::", "attest");
    let elsewhere = tree.rust().filter(|file| {
        !MAY_ATTEST
            .iter()
            .any(|(place, _)| file.path.starts_with(place))
    });
    elsewhere
        .flat_map(|file| {
            let shipped = shipped_lines(file).into_iter();
            let calls = shipped.filter(|(_, line)| line.contains(call) && !line.trim_start().starts_with("//"));
            calls.map(|(line, _)| {
                let what = "calls a text redacted; take a `Redacted` as an argument, or name the place in xtask/src/tidy/attest.rs";
                Complaint::at(&file.path, line, what)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    const CALL: &str = "fn a() {\n    let text = Redacted::attest(body);\n}\n";

    #[test]
    fn catches_a_call_outside_admission() {
        for call in [CALL, "fn a() {\n    texts.map(Redacted::attest);\n}\n"] {
            let tree = sample::files(&[("crates/testimony-recall/src/lib.rs", call)]);
            assert_eq!(check(&tree).len(), 1, "{call}");
        }
    }

    #[test]
    fn is_quiet_about_admission_and_about_tests() {
        let in_tests = format!("#[cfg(test)]\nmod tests {{\n{CALL}}}\n");
        let tree = sample::files(&[
            ("crates/testimony-admission/src/claims/mod.rs", CALL),
            ("crates/testimony-recall/src/lib.rs", &in_tests),
            ("crates/testimony-recall/tests/gates.rs", CALL),
        ]);
        assert_eq!(check(&tree), []);
    }
}
