//! What became of everything that was sent: counts, reasons, and what did not simply come in, as far as there is room.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::commands::rows::spoken;
use crate::read::{count, maybe, part, rows, text, texts};
use crate::sheet::{Ink, Sheet, counted};

/// So many are named for a script.
const MOST_NAMED: usize = 1_000;
/// So many are named for a person.
const MOST_SHOWN: usize = 20;
/// So many reasons are told apart.
const MOST_REASONS: usize = 200;
/// Every further reason.
const OTHER: &str = "another reason";

/// What an import came to.
#[derive(Debug)]
pub(super) struct Tally {
    dry_run: bool,
    requests: u64,
    read: u64,
    counts: BTreeMap<String, u64>,
    reasons: BTreeMap<String, u64>,
    named: Vec<Value>,
    unnamed: u64,
    stopped_at: Option<u64>,
}

/// Outcomes that a file can do something about.
const REFUSED: &[&str] = &["refused", "unreadable"];

impl Tally {
    pub(super) const fn new(dry_run: bool) -> Self {
        Self {
            dry_run,
            requests: 0,
            read: 0,
            counts: BTreeMap::new(),
            reasons: BTreeMap::new(),
            named: Vec::new(),
            unnamed: 0,
            stopped_at: None,
        }
    }

    pub(super) const fn is_dry(&self) -> bool {
        self.dry_run
    }

    pub(super) const fn read(&self) -> u64 {
        self.read
    }

    /// Whether anything was sent and answered.
    pub(super) const fn is_begun(&self) -> bool {
        self.read > 0
    }

    /// Whether something has to be mended before it can come in.
    pub(super) fn has_refused(&self) -> bool {
        REFUSED.iter().any(|word| self.counts.contains_key(*word))
    }

    /// Says at which line it ended early.
    pub(super) fn stop_at(&mut self, line: u64) {
        self.stopped_at.get_or_insert(line);
    }

    /// Adds an answer about lines of our own, which have these numbers in their file.
    pub(super) fn add_lines(&mut self, answer: &Value, numbers: &[u64]) {
        self.requests += 1;
        self.read += numbers.len() as u64;
        self.add_counts(answer);
        for line in rows(answer, "lines") {
            let at = usize::try_from(count(line, "line")).ok();
            let number = at.and_then(|at| numbers.get(at));
            self.add_reason(text(line, "reason"), 1);
            self.name(json!({
                "line": number,
                "id": part(line, "id"),
                "outcome": part(line, "outcome"),
                "reasons": [text(line, "reason")],
            }));
        }
    }

    /// Adds an answer about entries of another service.
    pub(super) fn add_entries(&mut self, answer: &Value) {
        self.requests += 1;
        self.read += count(answer, "read");
        self.add_counts(answer);
        for (reason, times) in members(answer, "reasons") {
            self.add_reason(reason, times);
        }
        for line in rows(answer, "lines") {
            self.name(line.clone());
        }
    }

    /// Adds an entry that could not even be sent.
    pub(super) fn refuse_entry(&mut self, reason: &str) {
        self.read += 1;
        *self.counts.entry("unreadable".to_owned()).or_default() += 1;
        self.add_reason(reason, 1);
        self.name(json!({ "id": null, "outcome": "unreadable", "reasons": [reason] }));
    }

    fn add_counts(&mut self, answer: &Value) {
        for (outcome, times) in members(answer, "counts") {
            *self.counts.entry(outcome.clone()).or_default() += times;
        }
    }

    fn add_reason(&mut self, reason: &str, times: u64) {
        let is_new = !self.reasons.contains_key(reason);
        let reason = if is_new && self.reasons.len() >= MOST_REASONS {
            OTHER
        } else {
            reason
        };
        *self.reasons.entry(reason.to_owned()).or_default() += times;
    }

    fn name(&mut self, line: Value) {
        if self.named.len() < MOST_NAMED {
            self.named.push(line);
        } else {
            self.unnamed += 1;
        }
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "dry_run": self.dry_run,
            "read": self.read,
            "counts": self.counts,
            "reasons": self.reasons,
            "lines": self.named,
            "stopped_at": self.stopped_at,
        })
    }

    pub(super) fn tell(&self, sheet: &mut Sheet) {
        let read = counted(self.read, "row was", "rows were");
        sheet.say(&format!("{read} read."));
        sheet.table(2, &in_words(&self.counts, ink));
        if !self.reasons.is_empty() {
            sheet.heading("Why");
            sheet.table(2, &in_words(&self.reasons, |_| Ink::Plain));
        }
        self.tell_named(sheet);
        self.tell_what_to_do(sheet);
    }

    fn tell_named(&self, sheet: &mut Sheet) {
        if self.named.is_empty() {
            return;
        }
        sheet.heading("What did not simply come in");
        for line in self.named.iter().take(MOST_SHOWN) {
            let number = count(line, "line");
            let place = if number > 0 {
                format!("line {number}  ")
            } else {
                String::new()
            };
            let id = maybe(line, "id").map(|id| format!("  {id}"));
            let outcome = text(line, "outcome");
            sheet.line(
                2,
                &[
                    (Ink::Dim, &place),
                    (ink(outcome), &spoken(outcome)),
                    (Ink::Dim, &id.unwrap_or_default()),
                ],
            );
            sheet.note(4, &texts(line, "reasons").join(" "));
        }
        let more = self.named.len().saturating_sub(MOST_SHOWN) as u64 + self.unnamed;
        if more > 0 {
            sheet.note(
                2,
                &format!("And {more} more; --json names up to {MOST_NAMED}."),
            );
        }
    }

    fn tell_what_to_do(&self, sheet: &mut Sheet) {
        if let Some(line) = self.stopped_at {
            sheet.say(&format!("It ended at line {line}."));
        }
        if self.dry_run {
            sheet.note(0, "Nothing was done.");
            if self.requests > 1 {
                sheet.note(0, "It was looked at in several parts, and none of them knows the others: what depends on a row of an earlier part can turn out otherwise when it is done.");
            }
        } else if self.has_refused() {
            sheet.note(0, "What was refused can be mended and sent again with the rest; what came in is passed over.");
        }
    }
}

fn members<'v>(answer: &'v Value, name: &str) -> impl Iterator<Item = (&'v String, u64)> {
    let members = part(answer, name).as_object().into_iter().flatten();
    members.map(|(name, count)| (name, count.as_u64().unwrap_or_default()))
}

fn in_words(counts: &BTreeMap<String, u64>, ink: fn(&str) -> Ink) -> Vec<Vec<(Ink, String)>> {
    let rows = counts
        .iter()
        .map(|(word, count)| vec![(ink(word), spoken(word)), (Ink::Bold, count.to_string())]);
    rows.collect()
}

fn ink(outcome: &str) -> Ink {
    match outcome {
        "taken_in" | "active" => Ink::Good,
        "redacted" | "held" | "pending" => Ink::Careful,
        "refused" | "unreadable" | "quarantined" => Ink::Bad,
        _ => Ink::Plain,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::sheet::Colours;

    fn told(tally: &Tally) -> String {
        let mut sheet = Sheet::new(Colours::Off);
        tally.tell(&mut sheet);
        sheet.into_text()
    }

    #[test]
    fn what_did_not_come_in_is_named_by_its_line_in_the_file() {
        let mut tally = Tally::new(false);
        tally.add_lines(
            &json!({ "counts": { "taken_in": 2 }, "lines": [] }),
            &[2, 3],
        );
        let refused = json!({ "line": 1, "id": "mem_1", "outcome": "refused", "reason": "It says otherwise." });
        tally.add_lines(
            &json!({ "counts": { "taken_in": 1, "refused": 1 }, "lines": [refused] }),
            &[4, 6],
        );
        tally.stop_at(7);
        assert!(tally.has_refused() && tally.is_begun());
        expect![[r#"
            4 rows were read.
              refused   1
              taken in  3

            Why
              It says otherwise.  1

            What did not simply come in
              line 6  refused  mem_1
                It says otherwise.
            It ended at line 7.
            What was refused can be mended and sent again with the rest; what came in is passed over.
        "#]]
        .assert_eq(&told(&tally));
    }

    #[test]
    fn a_flood_of_rows_and_reasons_stays_a_report() {
        let mut tally = Tally::new(true);
        for number in 0..MOST_NAMED + 5 {
            tally.refuse_entry(&number.to_string());
        }
        assert_eq!(tally.reasons.len(), MOST_REASONS + 1);
        assert_eq!(rows(&tally.json(), "lines").len(), MOST_NAMED);
        assert!(told(&tally).contains("And 985 more"), "{}", told(&tally));
    }
}
