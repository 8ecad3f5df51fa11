//! Line breaks: whether an editor made one where a line was full, or its writer where a thing ended.

use super::blocks::{Block, BlockKind, Line};
use crate::work::steps;

/// A line that is longer than this may have been wrapped by its writer's editor.
const WRAP_WIDTH: usize = 55;

/// Whether no line of a paragraph had room left for the word with which the next one begins. An editor breaks a line only
/// where it is full; whoever writes a thing a line breaks where the thing ends.
pub(super) fn may_be_wrapped(lines: &[Line<'_>]) -> bool {
    // Most texts are a line, of which nothing has to be counted.
    if lines.len() < 2 {
        return true;
    }
    let width = |line: &Line<'_>| line.text.chars().count();
    let longest = lines.iter().map(width).max().unwrap_or_default();
    lines.windows(2).all(|pair| {
        let [line, next] = pair else {
            return true;
        };
        let word = next.text.split(' ').next().unwrap_or_default();
        line.text.ends_with(SENTENCE_ENDS) || width(line) + 1 + word.chars().count() > longest
    })
}

/// What a sentence, or what leads to one, ends with.
pub(super) const SENTENCE_ENDS: [char; 8] = ['.', '!', '?', '…', '。', '！', '？', ':'];

/// No sentence ends with these, and none of a line of its own begins with those of the second list.
const LEAVES_OPEN: &[&str] = &[
    "and", "or", "but", "the", "a", "an", "of", "to", "in", "on", "at", "for", "with", "from",
    "by", "that", "which", "because", "my", "our", "his", "her", "their", "und", "oder", "der",
    "die", "das", "ein", "eine", "mit", "von", "zu", "y", "o", "de", "la", "el", "los", "las",
    "con", "et", "ou", "le", "les", "des", "e", "il", "di", "do", "da", "en", "het", "een", "van",
    "met",
];
const GOES_ON_WITH: &[&str] = &[
    "and", "or", "of", "because", "than", "und", "oder", "weil", "y", "porque", "et", "que",
];

/// Whether `line` goes on with the sentence that `before` leaves open.
pub(super) fn goes_on(text: &str, before: &Block, line: &Line<'_>) -> bool {
    let so_far = text.get(before.span.clone()).unwrap_or_default();
    let last_line = so_far.rsplit('\n').next().unwrap_or_default().trim();
    steps(last_line.len());
    let ended = last_line.ends_with(SENTENCE_ENDS) || last_line.ends_with(';');
    let small = line
        .text
        .starts_with(|c: char| c.is_lowercase() || matches!(c, '(' | ','));
    if before.kind == BlockKind::Item && line.indent == 0 {
        return false;
    }
    let last = last_line.rsplit(' ').next().unwrap_or_default();
    let first = line.text.split(' ').next().unwrap_or_default();
    let open =
        last_line.ends_with(',') || LEAVES_OPEN.contains(&last) || GOES_ON_WITH.contains(&first);
    let unended = !ended && small && last_line.contains(' ') && last_line.len() > 24;
    last_line.chars().count() >= WRAP_WIDTH && (line.wrapped || ended)
        || unended && (line.wrapped || open)
}
