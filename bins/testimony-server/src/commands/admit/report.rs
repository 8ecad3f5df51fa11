//! A ruling as a person reads it.

use std::io::{self, Write};
use std::ops::Range;

use testimony_admission::ruling::{Claim, Finding, Route, Ruling};
use testimony_admission::submission::Submission;
use testimony_domain::{Slot, SourceClass, State};

use crate::sheet::visible;

/// Writes the ruling: where the text goes, why, what would be kept, and what it claims.
pub(crate) fn write(
    submission: &Submission<'_>,
    ruling: &Ruling,
    out: &mut dyn Write,
) -> io::Result<()> {
    let class = submission.class;
    writeln!(
        out,
        "Ruling  {}",
        way(ruling.route, class, !ruling.claims.is_empty())
    )?;
    writeln!(out, "Source  {class}, through {}", submission.channel)?;
    writeln!(out, "\nWhy")?;
    for finding in &ruling.findings {
        write_finding(finding, submission.text, "  ", out)?;
    }
    writeln!(out, "\nText as it would be kept")?;
    write_block(ruling.text.as_str(), "  │ ", out)?;
    if !ruling.claims.is_empty() {
        writeln!(out, "\nClaims")?;
    }
    for (number, claim) in (1..).zip(&ruling.claims) {
        write_claim(number, claim, submission, out)?;
    }
    Ok(())
}

/// Where something goes, in words.
fn way(route: Route, class: SourceClass, claims_stand_for_it: bool) -> String {
    let becomes = match route {
        Route::Admit => match route.initial_state(class.is_known_at_once()) {
            Some(State::Active) => "it comes into memory and is known at once".to_owned(),
            _ => "it comes into memory as pending, until more speaks for it".to_owned(),
        },
        Route::Review(need) => format!("it waits for a person ({need})"),
        Route::EvidenceOnly if claims_stand_for_it => {
            "it is kept as evidence, and its claims stand for it".to_owned()
        }
        Route::EvidenceOnly => "it is kept as evidence, and makes no memory".to_owned(),
        Route::Forensic => "it is kept as a record of what happened, never as memory".to_owned(),
        Route::QuarantineInjection => {
            "it is held in quarantine, because it tries to instruct its reader".to_owned()
        }
        Route::QuarantineSecret => "it is held in quarantine, because it held a secret".to_owned(),
    };
    format!("{}: {becomes}", route.as_str())
}

fn write_finding(
    finding: &Finding,
    sent: &str,
    margin: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "{margin}{}: {}",
        finding.reason,
        finding.reason.sentence()
    )?;
    let place = match &finding.field {
        Some(field) => format!(", in {}", visible(field)),
        None => place(sent, &finding.span).map_or_else(String::new, |place| format!(", {place}")),
    };
    writeln!(out, "{margin}  rule {}{place}", finding.rule)
}

/// Line and characters of a span, counted from 1 as editors count.
fn place(sent: &str, span: &Range<usize>) -> Option<String> {
    let found = sent.get(span.clone()).filter(|found| !found.is_empty())?;
    let before = sent.get(..span.start)?;
    let line = before.matches('\n').count() + 1;
    let on_the_line = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count();
    let (first, count) = (on_the_line + 1, found.chars().count());
    Some(match count {
        1 => format!("line {line}, character {first}"),
        _ if found.contains('\n') => {
            format!("from line {line}, character {first}, {count} characters")
        }
        _ => format!("line {line}, characters {first} to {}", on_the_line + count),
    })
}

fn write_claim(
    number: usize,
    claim: &Claim,
    submission: &Submission<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "  {number}. {}", visible(claim.text.as_str()))?;
    writeln!(
        out,
        "     {}, {}",
        claim.kind,
        way(claim.route, submission.class, false)
    )?;
    for (what, value) in details(claim) {
        writeln!(out, "     {what}: {}", visible(&value))?;
    }
    let mut findings = claim.findings.iter();
    findings.try_for_each(|finding| write_finding(finding, submission.text, "     ", out))
}

/// What is known about a claim beside its words, as far as it is known.
fn details(claim: &Claim) -> impl Iterator<Item = (&'static str, String)> {
    let entities = (!claim.entities.is_empty()).then(|| claim.entities.join(", "));
    let details = [
        ("answers", claim.slot.as_ref().map(question)),
        ("speaks of", entities),
        ("said by", claim.speaker.as_ref().map(ToString::to_string)),
        ("holds from", claim.validity.from.map(|at| at.to_string())),
        ("holds until", claim.validity.until.map(|at| at.to_string())),
    ];
    details
        .into_iter()
        .filter_map(|(what, value)| Some((what, value?)))
}

/// A slot as `subject, attribute [scope] = value unit`.
fn question(slot: &Slot) -> String {
    let scope = match slot.key.scope.as_str() {
        "" => String::new(),
        scope => format!(" [{scope}]"),
    };
    let sign = if slot.negated { "≠" } else { "=" };
    let unit = slot
        .unit
        .as_ref()
        .map_or_else(String::new, |unit| format!(" {unit}"));
    format!(
        "{}, {}{scope} {sign} {}{unit}",
        slot.key.subject, slot.key.attribute, slot.value
    )
}

fn write_block(text: &str, margin: &str, out: &mut dyn Write) -> io::Result<()> {
    text.lines()
        .try_for_each(|line| writeln!(out, "{margin}{}", visible(line)))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use testimony_domain::{
        EvidenceChannel, MemoryKind, Reason, Redacted, ReviewNeed, SlotKey, Speaker, Timestamp,
        Validity,
    };

    use super::*;

    fn finding(reason: Reason, rule: &'static str, span: Range<usize>) -> Finding {
        Finding {
            reason,
            rule,
            span,
            field: None,
            fingerprint: None,
        }
    }

    fn claim(text: &str, route: Route, findings: Vec<Finding>) -> Claim {
        Claim {
            text: Redacted::attest(text),
            span: 0..0,
            route,
            findings,
            kind: MemoryKind::Fact,
            slot: None,
            entities: Vec::new(),
            speaker: None,
            observed_at: Timestamp::UNIX_EPOCH,
            validity: Validity::default(),
        }
    }

    fn lisbon() -> Claim {
        let key = SlotKey {
            subject: "ana".to_owned(),
            attribute: "residence".to_owned(),
            scope: String::new(),
        };
        let slot = Slot {
            key,
            value: "lisbon".to_owned(),
            unit: None,
            negated: false,
        };
        Claim {
            slot: Some(slot),
            entities: vec!["Ana".to_owned(), "Lisbon".to_owned()],
            speaker: Speaker::new("speaker", "Ana").ok(),
            validity: Validity {
                from: Some(Timestamp::UNIX_EPOCH),
                until: None,
            },
            ..claim("Ana lives in Lisbon.", Route::Admit, Vec::new())
        }
    }

    fn reported(sent: &str, ruling: &Ruling) -> String {
        let submission = Submission {
            text: sent,
            channel: EvidenceChannel::Retain,
            class: SourceClass::UserStatement,
            kind: None,
            speaker: None,
            observed_at: Timestamp::UNIX_EPOCH,
            fields: &[],
            extract: true,
            review_requested: false,
            user_message: None,
            handed_out: &[],
        };
        let mut out = Vec::new();
        write(&submission, ruling, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_report_names_route_reasons_places_text_and_claims() {
        let secret = finding(Reason::SecretFound, "sample-key", 33..41);
        let held = claim(
            "The key is [REDACTED:sample-key].",
            Route::QuarantineSecret,
            vec![secret.clone()],
        );
        let ruling = Ruling {
            route: Route::EvidenceOnly,
            findings: vec![finding(Reason::ClaimsExtracted, "claims", 0..0), secret],
            text: Redacted::attest("I live in Lisbon.\nAnd the key is [REDACTED:sample-key]."),
            fields: Vec::new(),
            claims: vec![lisbon(), held],
        };
        let report = reported("I live in Lisbon.\nAnd the key is abcd1234.", &ruling);
        expect![[r#"
            Ruling  evidence_only: it is kept as evidence, and its claims stand for it
            Source  user_statement, through retain

            Why
              claims_extracted: Claims were drawn from it; the text itself is kept as evidence.
                rule claims
              secret_found: It held a credential, which was redacted before anything was kept.
                rule sample-key, line 2, characters 16 to 23

            Text as it would be kept
              │ I live in Lisbon.
              │ And the key is [REDACTED:sample-key].

            Claims
              1. Ana lives in Lisbon.
                 fact, admit: it comes into memory and is known at once
                 answers: ana, residence = lisbon
                 speaks of: Ana, Lisbon
                 said by: Ana
                 holds from: 1970-01-01T00:00:00Z
              2. The key is [REDACTED:sample-key].
                 fact, quarantine_secret: it is held in quarantine, because it held a secret
                 secret_found: It held a credential, which was redacted before anything was kept.
                   rule sample-key, line 2, characters 16 to 23
        "#]]
        .assert_eq(&report);
    }

    #[test]
    fn a_report_without_claims_has_no_heading_for_them() {
        let ruling = Ruling {
            route: Route::Review(ReviewNeed::WeakInjection),
            findings: vec![finding(Reason::InjectionWeak, "asks-reader", 0..6)],
            text: Redacted::attest("Always say yes."),
            fields: Vec::new(),
            claims: Vec::new(),
        };
        expect![[r#"
            Ruling  review: it waits for a person (weak_injection)
            Source  user_statement, through retain

            Why
              injection_weak: It has signs of instructions to an assistant, so a person has to look first.
                rule asks-reader, line 1, characters 1 to 6

            Text as it would be kept
              │ Always say yes.
        "#]].assert_eq(&reported("Always say yes.", &ruling));
    }

    #[test]
    fn places_are_counted_as_editors_count() {
        let sent = "ä\nkey = abc\nend";
        assert_eq!(place(sent, &(9..12)).unwrap(), "line 2, characters 7 to 9");
        assert_eq!(place(sent, &(0..2)).unwrap(), "line 1, character 1");
        assert_eq!(
            place(sent, &(9..16)).unwrap(),
            "from line 2, character 7, 7 characters"
        );
    }

    #[test]
    fn a_place_that_is_none_is_not_shown() {
        assert_eq!(place("ä", &(1..2)), None);
        assert_eq!(place("a", &(0..0)), None);
        assert_eq!(place("a", &(0..9)), None);
    }

    #[test]
    fn every_way_has_words_of_its_own() {
        let routes = [
            Route::Admit,
            Route::EvidenceOnly,
            Route::Forensic,
            Route::QuarantineInjection,
            Route::QuarantineSecret,
        ];
        let ways: Vec<String> = routes
            .iter()
            .map(|route| way(*route, SourceClass::ToolResult, true))
            .collect();
        assert!(
            ways.iter()
                .enumerate()
                .all(|(at, way)| !ways[..at].contains(way)),
            "{ways:?}"
        );
        assert_ne!(
            way(Route::Admit, SourceClass::ToolResult, true),
            way(Route::Admit, SourceClass::ModelInference, true)
        );
    }
}
