//! A ruling as JSON, for scripts.

use std::ops::Range;

use serde_json::{Value, json};
use testimony_admission::ruling::{Claim, Finding, Route, Ruling};
use testimony_admission::submission::Submission;
use testimony_domain::{Slot, SourceClass, Speaker, Timestamp};

/// The ruling, with the class and the way in under which it was made.
pub(crate) fn ruling(submission: &Submission<'_>, ruling: &Ruling) -> Value {
    json!({
        "route": ruling.route.as_str(),
        "state": state(ruling.route, submission.class),
        "class": submission.class.as_str(),
        "channel": submission.channel.as_str(),
        "reasons": findings(&ruling.findings),
        "text": ruling.text.as_str(),
        "claims": ruling.claims.iter().map(|each| claim(each, submission.class)).collect::<Vec<_>>(),
    })
}

fn state(route: Route, class: SourceClass) -> Option<&'static str> {
    route
        .initial_state(class.is_known_at_once())
        .map(testimony_domain::State::public_name)
}

fn findings(findings: &[Finding]) -> Vec<Value> {
    let as_json = findings.iter().map(|finding| {
        json!({
            "code": finding.reason.as_str(),
            "sentence": finding.reason.sentence(),
            "rule": finding.rule,
            "span": span(&finding.span),
            "field": finding.field,
        })
    });
    as_json.collect()
}

/// A span in bytes of the text as it was sent; nothing where a finding is on the whole text.
fn span(span: &Range<usize>) -> Option<Value> {
    (!span.is_empty()).then(|| json!({ "start": span.start, "end": span.end }))
}

fn claim(claim: &Claim, class: SourceClass) -> Value {
    json!({
        "text": claim.text.as_str(),
        "span": span(&claim.span),
        "route": claim.route.as_str(),
        "state": state(claim.route, class),
        "kind": claim.kind.as_str(),
        "reasons": findings(&claim.findings),
        "slot": claim.slot.as_ref().map(slot),
        "entities": claim.entities,
        "speaker": claim.speaker.as_ref().map(Speaker::as_str),
        "observed_at": claim.observed_at.to_string(),
        "valid_from": claim.validity.from.as_ref().map(Timestamp::to_string),
        "valid_until": claim.validity.until.as_ref().map(Timestamp::to_string),
    })
}

fn slot(slot: &Slot) -> Value {
    json!({
        "subject": slot.key.subject,
        "attribute": slot.key.attribute,
        "scope": slot.key.scope,
        "value": slot.value,
        "unit": slot.unit,
        "negated": slot.negated,
    })
}
