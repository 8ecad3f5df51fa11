//! What admission found in an item, kept with its evidence: by which rules, and under which fingerprints an operator can
//! allow it.

use serde_json::{Map, Value, json};
use testimony_admission::ruling::{Finding, Ruling};
use testimony_domain::Reason;

use crate::ports::ledger::evidence::Kept;

/// The name under which it stands beside what the caller sent; nobody but the service writes there.
const FINDINGS: &str = "testimony.findings";
/// So many are kept of one item.
const MOST: usize = 32;

/// What a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundByRule {
    /// The rule or signal, by its stable id.
    pub rule: String,
    /// The keyed fingerprint of a secret.
    pub fingerprint: Option<String>,
    /// What it means.
    pub reason: Reason,
}

/// Metadata with what was found, in place of whatever its sender put there.
pub(super) fn with_findings(metadata: Option<&str>, ruling: &Ruling) -> Option<String> {
    let found = findings_in(ruling);
    let claims_to_know = metadata.is_some_and(|text| text.contains(FINDINGS));
    if found.is_empty() && !claims_to_know {
        return metadata.map(str::to_owned);
    }
    let mut whole = metadata.map(object).unwrap_or_default();
    whole.remove(FINDINGS);
    if !found.is_empty() {
        whole.insert(FINDINGS.to_owned(), Value::Array(found));
    }
    (!whole.is_empty()).then(|| Value::Object(whole).to_string())
}

fn object(text: &str) -> Map<String, Value> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => object,
        Ok(_) | Err(_) => Map::new(),
    }
}

fn findings_in(ruling: &Ruling) -> Vec<Value> {
    let of_claims = ruling.claims.iter().flat_map(|claim| &claim.findings);
    let mut found: Vec<Value> = Vec::new();
    for finding in ruling.findings.iter().chain(of_claims).filter(tells) {
        let line = json!({
            "rule": finding.rule,
            "fingerprint": finding.fingerprint,
            "reason": finding.reason.as_str(),
        });
        if found.len() < MOST && !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

/// Whether somebody who looks into quarantine wants to know.
fn tells(finding: &&Finding) -> bool {
    let of_a_secret = matches!(
        finding.reason,
        Reason::SecretFound | Reason::SecretInMetadata | Reason::SecretExempted
    );
    of_a_secret || finding.reason.is_of_an_injection() || finding.fingerprint.is_some()
}

/// What was found in a piece of evidence.
pub(crate) fn found_in(kept: &Kept) -> Vec<FoundByRule> {
    let whole = kept.metadata.as_deref().map(object).unwrap_or_default();
    let lines = whole.get(FINDINGS).and_then(Value::as_array);
    let read = |line: &Value| {
        let text = |name: &str| line.get(name).and_then(Value::as_str);
        Some(FoundByRule {
            rule: text("rule")?.to_owned(),
            fingerprint: text("fingerprint").map(str::to_owned),
            reason: Reason::parse("reason", text("reason")?).ok()?,
        })
    };
    lines.into_iter().flatten().filter_map(read).collect()
}
