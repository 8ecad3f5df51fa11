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

/// "Call me Mo" names the speaker.
pub(super) fn called(sight: &Sight<'_>, scene: &Scene) -> Option<Slot> {
    let words: Vec<String> = sight
        .tokens
        .iter()
        .filter(|t| !t.is_any_mark())
        .map(|t| t.of(sight.text).to_lowercase())
        .collect();
    let mut pairs = words.windows(2);
    let at = pairs.position(|pair| pair == ["call", "me"])?;
    let name = words.get(at + 2)?;
    if NO_NAMES.contains(&name.as_str()) {
        return None;
    }
    let surname = words
        .get(at + 3)
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
