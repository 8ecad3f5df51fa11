//! Which time a query says it is about.

use testimony_domain::Timestamp;

use super::dates::{AskedDate, end_of, month_named, said_for_sure};
use crate::request::{TimeIntent, end_of_day};
use crate::text::Word;
use crate::words::TIMES;

/// The time that the words say; of a day or a month that is over any time counts. `None` when they leave it open.
pub(crate) fn said_or_dated(words: &[Word], dates: &[AskedDate]) -> Option<TimeIntent> {
    let is_over = !dates.is_empty() && tells_of_past(words);
    said(words).or(is_over.then_some(TimeIntent::Any))
}

/// The time that the words say; `None` when they leave it open.
fn said(words: &[Word]) -> Option<TimeIntent> {
    let raws: Vec<&str> = words.iter().map(|word| word.raw.as_str()).collect();
    if let Some((_, instant)) = as_of(words) {
        return Some(TimeIntent::AsOf(instant));
    }
    let mut found = None;
    for at in 0..raws.len() {
        let here = raws.get(at..).unwrap_or_default();
        match TIMES.at(here).map(|(_, name)| name) {
            Some("historical") => return Some(TimeIntent::Historical),
            Some("any") => found = Some(TimeIntent::Any),
            Some("current") => found = found.or(Some(TimeIntent::Current)),
            Some(_) | None => {}
        }
    }
    if asks_what_was_before(&raws) || asks_for_the_old(&raws) {
        return Some(TimeIntent::Historical);
    }
    found
}

/// "Where did Ana live before Porto", not "before Friday I need".
fn asks_what_was_before(raws: &[&str]) -> bool {
    let looks_back = raws
        .iter()
        .any(|raw| matches!(*raw, "did" | "was" | "were" | "had"));
    looks_back && raws.contains(&"before")
}

/// "What was the rent in March 2024": what held then, which need not hold any more.
pub(crate) fn dated_past(words: &[Word], dates: &[AskedDate]) -> Option<Timestamp> {
    let last = dates.iter().filter_map(end_of).max();
    end_of_day(last.filter(|_| tells_of_past(words))?)
}

/// Whether a question asks in the past tense.
pub(crate) fn tells_of_past(words: &[Word]) -> bool {
    let looks_back = |word: &Word| LOOKS_BACK.contains(&word.raw.as_str());
    words.iter().any(looks_back)
}

/// Whether a question asks how things are or will be: when something was told says nothing of that.
pub(crate) fn tells_of_present(words: &[Word]) -> bool {
    let holds = |word: &Word| HOLDS.contains(&word.raw.as_str());
    !tells_of_past(words) && words.iter().any(holds)
}

/// Verbs that do not, and help no participle to do so.
const HOLDS: &[&str] = &[
    "is", "are", "does", "do", "will", "can", "must", "should", "wird", "werden", "muss", "soll",
];

/// Verbs that look back, in the languages that are read.
const LOOKS_BACK: &[&str] = &[
    "did", "was", "were", "had", "war", "waren", "hatte", "era", "eran", "fue", "estaba", "était",
    "avait",
];

/// In "where did Ana live before Porto", the name after `before`, not stemmed: Oatly is no oats.
pub(crate) fn what_came_after(words: &[Word]) -> Vec<String> {
    let Some(at) = words.iter().position(|word| word.raw == "before") else {
        return Vec::new();
    };
    let after = words.get(at + 1..).unwrap_or_default();
    let begins = after.iter().take(4).position(Word::is_name);
    let name = begins.and_then(|at| after.get(at..)).unwrap_or_default();
    let name = name.iter().take_while(|word| word.is_name());
    name.map(|word| word.raw.clone()).collect()
}

/// "The old region", not "how old" and not "ten years old".
fn asks_for_the_old(raws: &[&str]) -> bool {
    raws.iter().zip(raws.iter().skip(1)).any(|(before, word)| {
        *word == "old"
            && matches!(
                *before,
                "the" | "our" | "my" | "her" | "his" | "their" | "an"
            )
    })
}

/// "As of 2025-03-01", "as of Mar 2025", "as of 2025": the words with which it says so, and until when.
fn as_of(words: &[Word]) -> Option<(&[Word], Timestamp)> {
    let opens = |pair: &[Word]| {
        let [a, b] = pair else { return false };
        a.raw == "as" && matches!(b.raw.as_str(), "of" | "at")
    };
    let at = words.windows(2).position(opens)?;
    let here = words.get(at..)?;
    let here = here.get(..LONGEST_AS_OF.min(here.len()))?;
    let day = said_for_sure(here).first().and_then(end_of)?;
    Some((here, end_of_day(day)?))
}

/// The words that say when: they say nothing of what is asked.
pub(crate) fn words_of_time(words: &[Word]) -> Vec<String> {
    let raws: Vec<&str> = words.iter().map(|word| word.raw.as_str()).collect();
    let mut found: Vec<String> = vec!["before".to_owned()];
    for at in 0..raws.len() {
        let here = raws.get(at..).unwrap_or_default();
        if let Some((length, _)) = TIMES.at(here) {
            found.extend(here.iter().take(length).map(ToString::to_string));
        }
    }
    if let Some((here, _)) = as_of(words) {
        let says_when =
            |word: &&Word| word.raw.contains(char::is_numeric) || month_named(word).is_some();
        found.extend(here.iter().filter(says_when).map(|word| word.raw.clone()));
    }
    if asks_for_the_old(&raws) {
        found.push("old".to_owned());
    }
    found
}

/// "as of" and a date in its parts and as a whole.
const LONGEST_AS_OF: usize = 7;
