//! Where texts go, counted: the same words from a web page and from a user.

use std::collections::BTreeMap;
use std::path::Path;

use testimony_admission::ruling::{Route, Ruling};
use testimony_domain::SourceClass;

use super::{Entrance, corpus};
use crate::Trouble;

/// How many texts of a set took each way.
pub(super) struct Routes {
    pub(super) set: &'static str,
    pub(super) class: SourceClass,
    pub(super) taken: BTreeMap<&'static str, usize>,
}

/// Which sets are counted, and as whose words.
const COUNTED: &[(&str, &str, SourceClass)] = &[
    (
        "BIPIA attacks",
        "injection/bipia-attacks.jsonl.gz",
        SourceClass::ExternalDocument,
    ),
    (
        "BIPIA attacks",
        "injection/bipia-attacks.jsonl.gz",
        SourceClass::UserStatement,
    ),
    (
        "clean e-mails",
        "injection/clean-emails.jsonl.gz",
        SourceClass::ExternalDocument,
    ),
];

pub(super) fn count(data: &Path, entrance: Entrance) -> Result<Vec<Routes>, Trouble> {
    let counted = COUNTED.iter().map(|(set, file, class)| {
        let mut taken = BTreeMap::new();
        for row in corpus::rows(data, file)? {
            let ruling = entrance.rule_as(row.text(), *class);
            *taken.entry(strictest(&ruling).as_str()).or_default() += 1;
        }
        Ok(Routes {
            set,
            class: *class,
            taken,
        })
    });
    counted.collect()
}

/// The strictest of the ways that a text and its claims took.
fn strictest(ruling: &Ruling) -> Route {
    let claims = ruling.claims.iter().map(|claim| claim.route);
    let stands_for_itself = ruling.route != Route::EvidenceOnly || ruling.claims.is_empty();
    let own = stands_for_itself.then_some(ruling.route);
    claims
        .chain(own)
        .max_by_key(|route| strictness(*route))
        .unwrap_or(ruling.route)
}

const fn strictness(route: Route) -> u8 {
    match route {
        Route::Admit => 0,
        Route::EvidenceOnly => 1,
        Route::Review(_) => 2,
        Route::Forensic => 3,
        Route::QuarantineInjection => 4,
        Route::QuarantineSecret => 5,
    }
}

/// Whether something of the text enters memory, and nothing of it is held back.
pub(super) fn is_admitted(ruling: &Ruling) -> bool {
    let held = |route| strictness(route) > strictness(Route::EvidenceOnly);
    let enters = ruling.route == Route::Admit || !ruling.claims.is_empty();
    // A claim that is only a greeting is left out without anything of the text being held.
    let claims = ruling.claims.iter().map(|claim| claim.route);
    enters && !held(ruling.route) && !claims.filter(|route| *route != Route::Forensic).any(held)
}

#[cfg(test)]
mod tests {
    use testimony_admission::ruling::Claim;
    use testimony_domain::{MemoryKind, Redacted, ReviewNeed, Timestamp, Validity};

    use super::*;

    fn ruling(route: Route, claims: &[Route]) -> Ruling {
        let claim = |route: &Route| Claim {
            text: Redacted::attest("The shop opens at nine."),
            span: 0..23,
            route: *route,
            findings: Vec::new(),
            kind: MemoryKind::Fact,
            slot: None,
            entities: Vec::new(),
            speaker: None,
            observed_at: Timestamp::UNIX_EPOCH,
            validity: Validity::default(),
        };
        Ruling {
            route,
            findings: Vec::new(),
            text: Redacted::default(),
            fields: Vec::new(),
            claims: claims.iter().map(claim).collect(),
        }
    }

    #[test]
    fn admitted_is_what_comes_in_with_nothing_held() {
        use Route::{Admit, EvidenceOnly, Forensic, QuarantineInjection, Review};
        let review = Review(ReviewNeed::WeakInjection);
        for (route, claims, admitted) in [
            (Admit, &[][..], true),
            (EvidenceOnly, &[Admit, Forensic], true),
            (EvidenceOnly, &[], false),
            (EvidenceOnly, &[Admit, review], false),
            (EvidenceOnly, &[Admit, QuarantineInjection], false),
            (review, &[], false),
            (Forensic, &[], false),
        ] {
            let ruling = ruling(route, claims);
            assert_eq!(is_admitted(&ruling), admitted, "{route:?} {claims:?}");
        }
    }

    #[test]
    fn the_strictest_way_is_counted_and_claims_stand_for_their_text() {
        let way = |route, claims: &[Route]| strictest(&ruling(route, claims));
        assert_eq!(way(Route::EvidenceOnly, &[Route::Admit]), Route::Admit);
        assert_eq!(way(Route::EvidenceOnly, &[]), Route::EvidenceOnly);
        let held = Route::QuarantineSecret;
        assert_eq!(way(Route::EvidenceOnly, &[Route::Admit, held]), held);
        assert_eq!(way(Route::Forensic, &[Route::Admit]), Route::Forensic);
    }
}
