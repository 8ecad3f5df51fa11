//! Lines of measurements that programs write: `saved=3 skipped=1`, `{"saved":1,"committed":true}`.
//!
//! The names of what is measured give such a line away, not its values: two names of the list below are enough, where
//! no more others stand beside them. A row that is named by its id, and a word for what became of it, say as much.

use std::sync::LazyLock;

use testimony_domain::Reason;

use super::prose::Finding;
use crate::folded::Marks;
use crate::lexicon::WordSet;

/// Longer texts are documents.
const LONGEST: usize = 400;
/// How many such names make a line of measurements.
const ENOUGH: usize = 2;

/// What a program reports about a step it took.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "status", "latency", "latency_ms", "saved", "skipped", "pending", "retained", "suppressed", "needs_confirmation", "pending_jobs", "committed", "key", "actor",
    "action", "object", "result", "count", "container", "decision", "old", "new", "existing", "reason", "similarity", "hits", "misses", "took", "took_ms",
    "duration", "duration_ms", "elapsed", "elapsed_ms", "route", "state", "policy", "ttl", "support", "run", "run_id", "seq", "ms", "rows", "errors", "retry",
    "retries", "attempt", "score", "verdict", "trust", "trust_score", "trust_bucket", "session", "session_id", "trace", "trace_id", "request_id", "span_id", "op", "event", "level", "code",
    "bytes", "tokens", "tokens_in", "tokens_out", "prompt_tokens", "completion_tokens", "candidates", "kept", "dropped", "merged", "deduped", "duplicates", "conflicts", "expired", "archived",
    "promoted", "evicted", "queue", "depth", "lag", "lag_ms", "worker", "job", "job_id", "mem", "memory_id", "fact_id", "evidence_id", "case", "case_id", "scope", "tier", "phase",
    "stage", "ok", "fail", "failed", "passed", "total", "inserted", "updated", "deleted", "read", "written", "matched", "returned", "model", "top_k", "k", "p50", "p95", "p99",
    "recall", "precision", "seed", "trial", "fold", "epoch", "loss", "exit", "exit_code", "pid", "ts", "agent", "agent_id", "source_type", "lifecycle_state", "hit_rate", "cache",
];

/// A line has at most so many words.
const MOST_WORDS: usize = 18;
/// What rows of the service are called in their ids.
const ROWS: &[&str] = &[
    "mem", "fact", "evd", "ev", "evt", "cand", "conv", "sess", "case", "claim", "mrow", "snap",
];
/// What becomes of them.
#[rustfmt::skip]
const DONE: &[&str] = &[
    "promoted", "demoted", "merged", "superseded", "expired", "archived", "kept", "linked", "opened", "closed", "released", "quarantined", "recalculated",
    "lowered", "raised", "changed", "dropped", "stored", "saved", "deleted", "erased", "rejected", "approved", "matched", "matches", "duplicate", "recalled", "returned",
    "retained", "reconciled", "consolidated", "updated", "reopened", "escalated", "downgraded", "upgraded", "pending", "active", "attached", "conflict", "conflicts", "skipped", "suppressed", "withheld",
];
/// Words of people's sentences.
const PEOPLE: &[&str] = &[
    "my", "our", "i", "we", "she", "he", "they", "her", "his", "their",
];

static KNOWN: LazyLock<WordSet<&str>> = LazyLock::new(|| NAMES.iter().copied().collect());

/// Whether the text is such a line.
pub(super) fn log_line(folded: &str, marks: Marks) -> Option<Finding> {
    if folded.len() > LONGEST || !marks.has_any(b"={_") {
        return None;
    }
    if marks.has_any(b"_") && tells_of_rows(folded) {
        return Some((Reason::LifecycleLog, "log.row_id"));
    }
    let may_give = marks.has_any(b"=") || marks.has_any(b":") && marks.has_any(b"\"");
    let gives = |byte: u8| matches!(byte, b'=' | b'{' | b'_');
    if !may_give || !folded.bytes().any(gives) {
        return None;
    }
    let (mut known, mut others) = (0_usize, 0_usize);
    for name in names(folded) {
        if KNOWN.contains(name) {
            known += 1;
        } else {
            others += 1;
        }
    }
    let is_line = known >= ENOUGH && known > others;
    // More words than these are a message that somebody put between the measurements.
    let is_short = || folded.split_whitespace().nth(MOST_WORDS).is_none();
    (is_line && is_short()).then_some((Reason::LifecycleLog, "log.telemetry"))
}

/// Whether the text says what became of a row of the service, which it names by its id: `mem_7 merged into mem_9`.
fn tells_of_rows(folded: &str) -> bool {
    let mut bars = folded.match_indices('_');
    // Most bars join other words.
    if !bars.any(|(at, _)| ROWS.contains(&kind_before(folded, at))) {
        return false;
    }
    let words = || folded.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let few = words()
        .filter(|word| !word.is_empty())
        .nth(MOST_WORDS)
        .is_none();
    few && words().any(is_row_id)
        && words().any(|word| DONE.contains(&word))
        && !words().any(|word| PEOPLE.contains(&word))
}

/// The letters right before the bar at `at`, as many as the word for a kind may have.
fn kind_before(folded: &str, at: usize) -> &str {
    const LONGEST_KIND: usize = 5;
    let before = folded.as_bytes().get(..at).unwrap_or_default();
    let letters = before.iter().rev().take(LONGEST_KIND);
    let len = letters.take_while(|byte| byte.is_ascii_lowercase()).count();
    folded.get(at - len..at).unwrap_or_default()
}

/// `mem_4f2a`: what kind of row it is, and letters and digits.
fn is_row_id(word: &str) -> bool {
    word.split_once('_').is_some_and(|(kind, id)| {
        ROWS.contains(&kind) && id.bytes().any(|byte| byte.is_ascii_digit()) && id.is_ascii()
    })
}

/// The names to which a text gives values, whether as `name=value` or as `"name": value`.
fn names(folded: &str) -> impl Iterator<Item = &str> {
    let bytes = folded.bytes().enumerate();
    let given = bytes.filter(|(_, byte)| matches!(byte, b'=' | b':'));
    given.filter_map(|(at, mark)| {
        let (before, after) = folded.split_at_checked(at)?;
        let is_given = after.get(1..).is_some_and(|value| {
            value.starts_with(|c: char| !c.is_whitespace() && c != '=' && c != '/')
        });
        if mark == b'=' {
            let name = last_word(before);
            return (is_given && !name.is_empty()).then_some(name);
        }
        let quoted = before.strip_suffix('"')?;
        let name = last_word(quoted);
        let opens = quoted.strip_suffix(name)?.ends_with('"');
        (opens && !name.is_empty()).then_some(name)
    })
}

/// The letters, digits and bars with which a text ends.
fn last_word(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let start = text.trim_end_matches(is_part).len();
    text.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folded::Folded;

    #[test]
    fn names_of_measurements_make_a_line_and_others_do_not() {
        let log_line = |text: &str| log_line(text, Folded::of(text).marks);
        assert!(log_line("sweep done: status=ok rows=12 took=8ms").is_some());
        assert!(log_line(r#"retain -> {"saved":1,"committed":true}"#).is_some());
        assert!(log_line("mem_77 superseded by mem_102 (clear update)").is_some());
        assert!(log_line("the photo mem_12 was taken by my aunt").is_none());
        assert!(log_line("we start it with host=db1 port=5432").is_none());
        assert!(log_line("if a == b then c = 2").is_none());
    }
}
