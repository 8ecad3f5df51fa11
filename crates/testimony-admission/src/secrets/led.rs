//! What leads to a value over the end of a question, or from one value to the next one.

use super::line::BLANKS;
use super::stated_words::{ANSWERS, FROM, TO};

/// Longer than anything that an answer begins with, in letters.
const LONGEST_ANSWER: usize = 24;

/// What answers the question that ends here: "… my password? It is …".
pub(super) fn behind_question(text: &str) -> Option<&str> {
    let behind = text.strip_prefix('?')?.trim_start_matches(BLANKS);
    let behind = behind.strip_prefix('\n').unwrap_or(behind);
    let start: String = behind.chars().take(LONGEST_ANSWER).collect();
    let lower = start.to_lowercase();
    let answer = ANSWERS.iter().find(|answer| lower.starts_with(**answer))?;
    let answer = behind.get(answer.len()..)?;
    answer
        .starts_with(BLANKS)
        .then(|| answer.trim_start_matches(BLANKS))
}

/// "The key from … to …": whether a value is the one before another.
pub(super) fn was(gap: &str, behind: Option<&str>) -> bool {
    let behind = behind.and_then(|behind| behind.strip_prefix(' '));
    let goes_on = |behind: &str| {
        let mut rest = TO.iter().filter_map(|to| behind.strip_prefix(*to));
        rest.any(|rest| rest.starts_with(' '))
    };
    FROM.contains(&gap.trim()) && behind.is_some_and(goes_on)
}
