//! Names in claims: what is one, and what only looks like one.

use testimony_admission::claims::{Context, extract};
use testimony_domain::{EvidenceChannel, SourceClass};

/// A text, and the names in its claims.
#[rustfmt::skip]
const CASES: &[(&str, &[&str])] = &[
    ("Mara lives in Oslo.", &["Mara", "Oslo"]),
    ("The invoice came from Acme Corp. last week.", &["Acme Corp"]),
    ("Dr. Vega moved to San Sebastián.", &["Dr. Vega", "San Sebastián"]),
    ("We met Ana Berg and Tom at the pier.", &["Ana Berg", "Tom"]),
    ("The logs are in /var/log/app.log.", &["/var/log/app.log"]),
    ("Her e-mail is ana@example.org.", &["ana@example.org"]),
    ("We run v2.10.3 on db-1.internal.", &["v2.10.3", "db-1.internal"]),
    ("The meeting is on Monday in May.", &[]),
    ("Yesterday it rained.", &[]),
    ("I moved yesterday.", &[]),
    ("NASA launched the probe.", &["NASA"]),
    ("The Bank of England raised rates.", &["Bank of England"]),
    ("Ludwig van Beethoven wrote nine symphonies.", &["Ludwig van Beethoven"]),
    ("The host is 10.0.0.12.", &["10.0.0.12"]),
    ("My sister June plays the cello.", &["June"]),
];

#[test]
fn names_are_told_from_other_capitals() {
    let context = Context {
        speaker: None,
        observed_at: "2023-05-20T12:00:00Z".parse().unwrap(),
        kind: None,
        channel: EvidenceChannel::Retain,
        class: SourceClass::UserStatement,
        residue: None,
    };
    let misses: Vec<String> = CASES
        .iter()
        .filter_map(|(text, expected)| {
            let found: Vec<String> = extract(text, &context)
                .claims
                .into_iter()
                .flat_map(|claim| claim.entities)
                .collect();
            (found != *expected).then(|| format!("{text:?}: {found:?}, not {expected:?}"))
        })
        .collect();
    assert!(misses.len() * 20 <= CASES.len(), "{misses:#?}");
}
