//! How claims are judged beside what is known, on labelled pairs.
//!
//! A pair is of the tuned half or of the other by its own words, as in the tests; rules are made on the one, and no pair
//! of the other is ever named here.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use testimony_admission::reconcile::{
    Challenger, Neighbour, PairReader, Reconciliation, Relation, may_be_told_together,
    reconcile as judge, signs_of_pair,
};
use testimony_domain::{MemoryId, SequentialIds, SourceClass, Timestamp, Validity};
use testimony_embedding::BuiltInReader;

use super::Told;
use crate::{Outcome, Task, Trouble, shell};

/// The least share of the untuned pairs that is judged rightly.
const BAR: f64 = 0.93;
const EARLIER: Timestamp = Timestamp::constant(1_684_584_000, 0);
const LATER: Timestamp = Timestamp::constant(1_687_262_400, 0);
const OLDER: Timestamp = Timestamp::constant(1_672_574_400, 0);

/// Sums over pairs.
#[derive(Default)]
struct Half {
    pairs: usize,
    right: usize,
    /// What rules and tables tell rightly where nobody reads.
    right_unread: usize,
    /// Independent pairs of which the known one was replaced.
    replaced: usize,
    /// How often each relation was expected, and judged.
    confusion: BTreeMap<(String, &'static str), usize>,
}

impl Half {
    fn share(&self) -> f64 {
        self.right as f64 / self.pairs.max(1) as f64
    }

    fn add(&mut self, expected: &str, found: Relation) {
        self.pairs += 1;
        self.right += usize::from(expected == found.as_str());
        let independent = expected == Relation::Independent.as_str();
        self.replaced += usize::from(independent && found == Relation::Supersedes);
        let told = (expected.to_owned(), found.as_str());
        *self.confusion.entry(told).or_default() += 1;
    }

    fn print(&self, name: &str, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(
            out,
            "{name:<9} {:>5} pairs, {:>5.1} % right, {:>5.1} % unread, {} independent pairs taken for a newer value",
            self.pairs,
            100.0 * self.share(),
            100.0 * self.right_unread as f64 / self.pairs.max(1) as f64,
            self.replaced
        )?;
        for ((expected, found), count) in &self.confusion {
            writeln!(out, "    {expected:<12} judged {found:<12} {count:>4}")?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let told = self.confusion.iter();
        let told = told.map(|((expected, found), count)| json!([expected, found, count]));
        json!({
            "pairs": self.pairs,
            "right": self.share(),
            "right_unread": self.right_unread as f64 / self.pairs.max(1) as f64,
            "wrong_supersessions": self.replaced,
            "confusion": told.collect::<Vec<_>>(),
        })
    }
}

/// Judges every pair of the folder's files.
///
/// # Errors
/// [`Trouble`] when a file cannot be read, or a line of it is no pair.
pub fn reconcile(wanted: &Told, out: &mut dyn Write) -> Task {
    let reader = BuiltInReader::new()?;
    let (mut tuned, mut held) = (Half::default(), Half::default());
    for (path, is_folder) in shell::entries(&wanted.data)? {
        if is_folder || path.extension().is_none_or(|it| it != "jsonl") {
            continue;
        }
        for pair in pairs(&path)? {
            let is_held = is_untuned(&pair);
            let found = judged(&pair, Some(&reader));
            let expected = word(&pair, "relation").unwrap_or_default();
            if wanted.misses && !is_held && expected != found.relation.as_str() {
                writeln!(out, "{}: by {}: {pair}", found.relation, found.cue)?;
            }
            let half = if is_held { &mut held } else { &mut tuned };
            half.add(expected, found.relation);
            let unread = judged(&pair, None).relation;
            half.right_unread += usize::from(expected == unread.as_str());
        }
    }
    tuned.print("tuned", out)?;
    held.print("untuned", out)?;
    if let Some(path) = &wanted.json {
        let figures = json!({ "tuned": tuned.json(), "untuned": held.json() });
        shell::write(path, &format!("{figures:#}\n"))?;
    }
    let holds = held.share() >= BAR && held.replaced == 0;
    Ok(Outcome::held_if(!wanted.check || holds))
}

/// Whether a pair is of the half that no rule is made on and no table learnt from.
pub(crate) fn is_untuned(pair: &Value) -> bool {
    is_held_out(&pair.to_string())
}

/// The half of a pair, by its own words.
fn is_held_out(key: &str) -> bool {
    let hash = key.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 32) & 1 == 1
}

fn pairs(path: &Path) -> Result<Vec<Value>, Trouble> {
    let text = shell::read(path)?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().enumerate();
    let read = lines.map(|(number, line)| {
        serde_json::from_str(line).map_err(|error| Trouble::Malformed {
            place: format!("{}:{}", path.display(), number + 1),
            what: error.to_string(),
        })
    });
    read.collect()
}

fn word<'v>(pair: &'v Value, name: &str) -> Option<&'v str> {
    pair.get(name).and_then(Value::as_str)
}

fn judged(pair: &Value, reader: Option<&dyn PairReader>) -> Reconciliation {
    as_judged(pair, |new, known| {
        judge(&Challenger { reader, ..*new }, &[*known])
    })
}

/// Whether the table of pairs would be asked about a pair.
pub(crate) fn may_be_told(pair: &Value) -> bool {
    as_judged(pair, may_be_told_together)
}

/// The signs by which the table of pairs tells a labelled pair.
pub(crate) fn signs_beside(pair: &Value) -> Vec<String> {
    as_judged(pair, signs_of_pair)
}

fn as_judged<R>(pair: &Value, judge: impl Fn(&Challenger<'_>, &Neighbour<'_>) -> R) -> R {
    let class = |name| {
        let named = word(pair, name).and_then(|class| SourceClass::parse(name, class).ok());
        named.unwrap_or(SourceClass::UserStatement)
    };
    let holds = |name: &str| pair.get(name).and_then(Value::as_bool).unwrap_or(false);
    let known = Neighbour {
        id: MemoryId::mint(&SequentialIds::default()),
        text: word(pair, "known").unwrap_or_default(),
        speaker: word(pair, "known_speaker"),
        slot: None,
        class: class("known_class"),
        approved: holds("approved"),
        established: holds("established"),
        observed_at: EARLIER,
        validity: Validity::default(),
    };
    let new = Challenger {
        text: word(pair, "new").unwrap_or_default(),
        speaker: word(pair, "speaker"),
        slot: None,
        class: class("class"),
        observed_at: match word(pair, "when") {
            Some("later") => LATER,
            Some("older") => OLDER,
            _ => EARLIER,
        },
        validity: Validity::default(),
        supersedes: &[],
        retracts: &[],
        reader: None,
    };
    judge(&new, &known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_pairs_are_many_and_the_untuned_ones_clear_the_bar() {
        let wanted = Told {
            data: shell::repository_root().join("fixtures/reconcile"),
            json: None,
            check: true,
            misses: false,
        };
        let mut out = Vec::new();
        let outcome = reconcile(&wanted, &mut out).unwrap();
        assert_eq!(outcome, Outcome::Held, "{}", String::from_utf8_lossy(&out));
    }

    #[test]
    fn an_independent_pair_that_was_replaced_is_counted() {
        let mut half = Half::default();
        half.add("independent", Relation::Supersedes);
        half.add("supersedes", Relation::Supersedes);
        assert_eq!((half.pairs, half.right, half.replaced), (2, 1, 1));
    }
}
