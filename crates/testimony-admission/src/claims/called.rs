//! "Call me Mo": what somebody goes by.

use testimony_domain::Slot;

use super::leave_out::Sight;
use super::noun::{Scene, UNNAMED_SPEAKER};

/// Words that stand behind "call me" and are no name.
const NO_NAMES: &[&str] = &[
    "before", "after", "at", "on", "when", "if", "back", "later", "tomorrow", "again", "only",
    "now", "in", "by", "a", "an", "the", "about", "when", "whenever", "every", "from", "to",
    "today", "tonight", "during", "names", "that", "this", "first", "once", "twice", "anything",
];

/// Titles, which are no name alone.
const TITLES: &[&str] = &[
    "dr",
    "mr",
    "mrs",
    "ms",
    "mx",
    "prof",
    "professor",
    "doctor",
    "captain",
    "coach",
    "auntie",
    "uncle",
    "sir",
];

/// How one says what one goes by; in these languages but English the name has a capital.
const CALLS: &[&[&str]] = &[
    &["call", "me"],
    &["nenn", "mich"],
    &["nenne", "mich"],
    &["nennt", "mich"],
    &["llámame"],
    &["llamame"],
    &["llámeme"],
    &["appelle-moi"],
    &["appelez-moi"],
];

/// Where such words stand, what follows them, and whether they are English.
fn call_in(words: &[String]) -> Option<(usize, usize, bool)> {
    CALLS.iter().enumerate().find_map(|(which, call)| {
        let mut runs = words.windows(call.len());
        let at = runs.position(|run| run.iter().zip(*call).all(|(word, part)| word == part))?;
        Some((at, at + call.len(), which == 0))
    })
}

/// "Call me Mo" names the speaker.
pub(super) fn called(sight: &Sight<'_>, scene: &Scene) -> Option<Slot> {
    let worded = || sight.tokens.iter().filter(|t| !t.is_any_mark());
    let words: Vec<String> = worded().map(|t| t.of(sight.text).to_lowercase()).collect();
    let (at, behind, english) = call_in(&words)?;
    let name = words.get(behind)?;
    let capital = english || worded().nth(behind).is_some_and(|t| t.capital);
    if NO_NAMES.contains(&name.as_str()) || !capital {
        return None;
    }
    let surname = words
        .get(behind + 1)
        .filter(|_| TITLES.contains(&name.as_str()));
    let value = surname.map_or_else(|| name.clone(), |surname| format!("{name} {surname}"));
    let subject = scene
        .speaker
        .clone()
        .unwrap_or_else(|| UNNAMED_SPEAKER.to_owned());
    let key = testimony_domain::SlotKey {
        subject,
        attribute: "nickname".to_owned(),
        scope: String::new(),
    };
    let before = words.iter().take(at);
    let negated = before
        .rev()
        .take(2)
        .any(|word| matches!(word.as_str(), "n't" | "n’t" | "not" | "never"));
    Some(Slot {
        key,
        value,
        unit: None,
        negated,
    })
}
