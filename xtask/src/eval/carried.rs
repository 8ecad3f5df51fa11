//! What a ruling carries, and whether a value can still be read in it.

use std::collections::HashSet;

use testimony_admission::ruling::{Claim, Finding, Ruling};
use testimony_domain::{Reason, Slot, Speaker};

use super::views::{fold, readings};

/// As many characters of a value in a row give it away.
const WINDOW: usize = 8;

/// Everything found, on the text and on its claims.
pub(super) fn findings(ruling: &Ruling) -> impl Iterator<Item = &Finding> {
    let on_claims = ruling.claims.iter().flat_map(|claim| &claim.findings);
    ruling.findings.iter().chain(on_claims)
}

/// What was found to be a secret.
pub(super) fn secrets(ruling: &Ruling) -> impl Iterator<Item = &Finding> {
    findings(ruling).filter(|finding| {
        matches!(
            finding.reason,
            Reason::SecretFound | Reason::SecretInMetadata
        )
    })
}

/// Every text that leaves with a ruling. The rule ids inside redaction marks are left out: they come from the rule
/// table, and a prefix in the name of a rule is no prefix of a value.
pub(super) fn texts(ruling: &Ruling) -> Vec<String> {
    let mut texts = vec![ruling.text.to_string()];
    for (name, text) in &ruling.fields {
        texts.extend([name.clone(), text.to_string()]);
    }
    texts.extend(ruling.claims.iter().flat_map(claim_texts));
    for finding in findings(ruling) {
        texts.extend(finding.field.iter().chain(&finding.fingerprint).cloned());
    }
    let rules: HashSet<&str> = findings(ruling).map(|finding| finding.rule).collect();
    for text in &mut texts {
        *text = without_marks(text, &rules);
    }
    texts
}

fn claim_texts(claim: &Claim) -> Vec<String> {
    let mut texts = vec![claim.text.to_string()];
    texts.extend(claim.entities.iter().cloned());
    texts.extend(claim.speaker.as_ref().map(Speaker::to_string));
    if let Some(Slot {
        key, value, unit, ..
    }) = &claim.slot
    {
        texts.extend([&key.subject, &key.attribute, &key.scope, value].map(String::clone));
        texts.extend(unit.clone());
    }
    texts
}

fn without_marks(text: &str, rules: &HashSet<&str>) -> String {
    let marks = rules.iter().map(|rule| format!("[REDACTED:{rule}"));
    marks.fold(text.to_owned(), |text, mark| {
        text.replace(&mark, "[REDACTED")
    })
}

/// Whether a piece of `value` can be read in any of `texts`, under any reading.
///
/// A piece that also stands elsewhere in what was sent gives nothing away: the name of a provider may stand in a value
/// and in the sentence around it. `elsewhere` is what was sent, without the value.
pub(super) fn is_left(value: &str, texts: &[String], elsewhere: &str) -> bool {
    let raw = pieces(value, elsewhere);
    let folded = pieces(&fold(value), &fold(elsewhere));
    texts.iter().any(|text| {
        holds(text, &raw) || readings(text).iter().any(|reading| holds(reading, &folded))
    })
}

/// What was sent without the value; nothing where the value stands in it only in disguise.
pub(super) fn elsewhere(sent: &str, value: &str) -> String {
    if sent.contains(value) {
        sent.replace(value, "\n")
    } else {
        String::new()
    }
}

fn holds(text: &str, pieces: &HashSet<String>) -> bool {
    pieces.iter().any(|piece| text.contains(piece))
}

fn pieces(value: &str, elsewhere: &str) -> HashSet<String> {
    let letters: Vec<char> = value.chars().collect();
    let pieces = letters.windows(WINDOW.min(letters.len()).max(1));
    pieces
        .map(|piece| piece.iter().collect::<String>())
        .filter(|piece| !elsewhere.contains(piece))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(value: &str, text: &str, elsewhere: &str) -> bool {
        is_left(value, &[text.to_owned()], elsewhere)
    }

    #[test]
    fn eight_characters_give_a_value_away_and_seven_do_not() {
        assert!(left("heron-blue-4217", "it was heron-bl and more", ""));
        assert!(!left("heron-blue-4217", "it was heron-b and more", ""));
        assert!(left("short", "too short to hide", ""));
    }

    #[test]
    fn a_disguised_piece_counts_as_much_as_a_plain_one() {
        assert!(left("heron-blue-4217", "ZXJvbi1ibHVlLTQy", ""));
        assert!(left("heron-blue-4217", "her\u{200b}on-b\u{200b}lue-", ""));
    }

    #[test]
    fn what_stands_elsewhere_gives_nothing_away() {
        let sent = "The launchpad key is launchpad-77aa88bb.";
        let around = elsewhere(sent, "launchpad-77aa88bb");
        assert!(!left(
            "launchpad-77aa88bb",
            "The launchpad key is gone.",
            &around
        ));
        assert!(left(
            "launchpad-77aa88bb",
            "The launchpad key is -77aa88bb.",
            &around
        ));
    }
}
