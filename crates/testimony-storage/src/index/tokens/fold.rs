//! One spelling for what readers take for the same: lower case, no accents, full-width forms made plain.

use unicode_normalization::UnicodeNormalization;

use super::tables;

/// Folds a piece of text.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        let apart = |c: &char| *c != '\'';
        return text
            .chars()
            .filter(apart)
            .map(|c| c.to_ascii_lowercase())
            .collect();
    }
    let bare = text
        .nfkd()
        .filter(|c| !tables::DROPPED_MARKS.iter().any(|range| range.contains(c)));
    let lower: String = bare.nfc().flat_map(char::to_lowercase).collect();
    let mut folded = String::with_capacity(lower.len());
    for c in lower.chars().filter(|c| !matches!(c, '\'' | '’')) {
        let spelled = tables::SPELLED_OUT.iter().find(|(letter, _)| *letter == c);
        match spelled {
            Some((_, letters)) => folded.push_str(letters),
            // Lower case can bring a mark of its own, as of the Turkish capital I with a dot.
            None if tables::DROPPED_MARKS.iter().any(|range| range.contains(&c)) => {}
            None => folded.push(c),
        }
    }
    folded
}
