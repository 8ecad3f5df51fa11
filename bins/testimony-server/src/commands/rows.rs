//! Rows of memory as a person reads them.

use serde_json::Value;

use crate::read::{count, maybe, part, rows, score, text};
use crate::sheet::{Ink, Sheet, counted};

/// A row that was found: what it says, how well it fits, and what it is worth.
pub(crate) fn found(sheet: &mut Sheet, mark: &str, row: &Value) {
    sheet.line(0, &[(Ink::Dim, mark), (Ink::Bold, text(row, "content"))]);
    let bucket = text(row, "trust_bucket");
    let fits = format!(
        "{}  {}  ",
        score(row, "score"),
        spoken(text(row, "answer_match_type"))
    );
    let more = format!("  {}  {}", text(row, "lifecycle_state"), text(row, "id"));
    let indent = mark.chars().count();
    sheet.line(
        indent,
        &[
            (Ink::Dim, &fits),
            (Ink::of(bucket), &spoken(bucket)),
            (Ink::Dim, &more),
        ],
    );
    for name in ["marked", "reason"] {
        if let Some(sentence) = maybe(part(row, name), "sentence") {
            sheet.line(indent, &[(Ink::Careful, sentence)]);
        }
    }
}

/// Rows under a heading, where there are any.
pub(crate) fn under(sheet: &mut Sheet, heading: &str, rows: &[Value]) {
    if rows.is_empty() {
        return;
    }
    sheet.heading(heading);
    for row in rows {
        found(sheet, "  ", row);
    }
}

/// How many rows were held back, and why.
pub(crate) fn held_back(sheet: &mut Sheet, answer: &Value) {
    let held = rows(answer, "suppressed");
    let mut reasons: Vec<(&str, u64)> = Vec::new();
    for row in held {
        let sentence = text(part(row, "reason"), "sentence");
        match reasons.iter_mut().find(|(known, _)| *known == sentence) {
            Some((_, count)) => *count += 1,
            None => reasons.push((sentence, 1)),
        }
    }
    if reasons.is_empty() {
        return;
    }
    sheet.heading("Held back");
    for (sentence, count) in reasons {
        sheet.note(2, &format!("{}: {sentence}", counted(count, "row", "rows")));
    }
}

/// Why there is no result, in words.
const WHY_NOTHING: &[(&str, &str)] = &[
    (
        "no_direct_answer_above_threshold",
        "Something related is known, and none of it answers this.",
    ),
    (
        "no_relevant_candidates_above_threshold",
        "Nothing that is known comes near enough.",
    ),
    (
        "no_candidate_about_the_subject",
        "What comes near is about somebody or something else.",
    ),
    (
        "only_unconfirmed_candidates",
        "What comes near waits for a person to look at it.",
    ),
    (
        "held_by_trust_policy",
        "What comes near is held back by the trust policy.",
    ),
];

/// That nothing is known, and why that is.
pub(crate) fn nothing(sheet: &mut Sheet, answer: &Value) {
    let diagnostics = part(answer, "diagnostics");
    let reason = text(diagnostics, "fallback_reason");
    let known = WHY_NOTHING.iter().find(|(code, _)| *code == reason);
    let why = known.map_or("Nothing that is known answers this.", |(_, sentence)| {
        sentence
    });
    sheet.line(0, &[(Ink::Bold, "No answer. "), (Ink::Plain, why)]);
    let floor = score(diagnostics, "min_relevance_threshold");
    sheet.note(0, &format!("What scores below {floor} is not taken for relevant. `testimony why` tells about one memory."));
}

/// What is worth a word about a request.
pub(crate) fn warnings(sheet: &mut Sheet, answer: &Value) {
    for warning in rows(answer, "warnings") {
        let place = text(warning, "pointer").trim_start_matches('/');
        let said = format!("{place}: {}", text(warning, "detail"));
        sheet.line(0, &[(Ink::Careful, said.trim_start_matches(": "))]);
    }
}

/// That parts were not well while it was answered.
pub(crate) fn health(sheet: &mut Sheet, answer: &Value) {
    let status = text(part(answer, "diagnostics"), "source_health_status");
    if status.starts_with("degraded") {
        let said = format!(
            "Not every part is well ({}), so more may be known than is found.",
            spoken(status)
        );
        sheet.line(0, &[(Ink::Careful, &said)]);
    }
}

/// How much a packet costs.
pub(crate) fn cost(answer: &Value, rows: usize) -> String {
    let rows = counted(rows as u64, "memory", "memories");
    format!(
        "{rows}, {}.",
        counted(count(answer, "tokens_injected"), "token", "tokens")
    )
}

/// A word of a closed set as a person says it.
pub(crate) fn spoken(word: &str) -> String {
    word.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_for_silence_has_words() {
        for word in testimony::recall::diagnostics::FallbackReason::WORDS {
            assert!(WHY_NOTHING.iter().any(|(code, _)| code == word), "{word}");
        }
    }
}
