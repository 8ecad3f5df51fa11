//! Pieces put together: wrapped lines, concatenated strings, split code spans, spaced groups.

use std::ops::Range;

use super::Layer;
use super::view::{Builder, View};

/// A piece that ends at a line break counts as the first half of something only from this length on.
const SHORTEST_HALF: usize = 4;
/// A piece of this length is taken for half of something even if it is all letters.
const CERTAINLY_HALF: usize = 20;
/// So many groups make a spaced secret.
const FEWEST_GROUPS: usize = 4;
/// A group is at most so long.
const LONGEST_GROUP: usize = 6;

/// The joined view, where it differs.
pub(super) fn join<'a>(parent: &View<'a>) -> Option<View<'a>> {
    let text = parent.text().as_bytes();
    let mut seams = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let seam = match byte {
            b'\n' => wrapped_line(text, at),
            b'"' | b'\'' | b'`' => concatenation(text, at, *byte),
            _ => None,
        };
        match seam {
            Some(seam) => {
                at = seam.end;
                seams.push(seam);
            }
            None => at += 1,
        }
    }
    spaced_groups(text, &mut seams);
    seams.sort_by_key(|seam| seam.start);
    without(parent, &seams)
}

/// The view without the seams.
fn without<'a>(parent: &View<'a>, seams: &[Range<usize>]) -> Option<View<'a>> {
    if seams.is_empty() {
        return None;
    }
    let mut builder = Builder::new(parent);
    let mut kept_from = 0;
    for seam in seams {
        if seam.start >= kept_from {
            builder.keep(kept_from..seam.start);
            kept_from = seam.end;
        }
    }
    builder.keep(kept_from..parent.text().len());
    Some(builder.finish(Layer::Joined, parent.depth()))
}

/// A byte that a token may hold; quotes, brackets, commas and the like end it.
const fn is_token(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'"' | b'\''
                | b'`'
                | b'('
                | b')'
                | b'['
                | b']'
                | b'{'
                | b'}'
                | b'<'
                | b'>'
                | b','
                | b';'
                | b'\\'
                | b'|'
        )
}

/// The seam at the line break at `at`, where a token seems to run on behind it.
fn wrapped_line(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (before, after) = text.split_at_checked(at)?;
    let spaces = before
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'\r' | b'\\' | b' ' | b'\t'))
        .count();
    let before = before.get(..at - spaces)?;
    let left = before.iter().rev().take(128).take_while(|b| is_token(**b));
    let left: Vec<u8> = left.copied().collect();
    let margin = margin_len(after.get(1..)?);
    let right = after.get(1 + margin..)?;
    let right: Vec<u8> = right
        .iter()
        .take(128)
        .take_while(|b| is_token(**b))
        .copied()
        .collect();
    let names_something = right.ends_with(b":")
        || right.iter().position(|b| *b == b'=').is_some_and(|at| {
            at >= 2
                && right.iter().skip(at).any(|b| *b != b'=')
                && right
                    .iter()
                    .take(at)
                    .all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'.'))
        });
    let runs_on = left.len() >= SHORTEST_HALF
        && !right.is_empty()
        && !names_something
        && (looks_random(&left) || looks_random(&right));
    runs_on.then(|| at - spaces..at + 1 + margin)
}

/// Indent, and the mark of a quotation or comment, at the beginning of a line.
fn margin_len(line: &[u8]) -> usize {
    let blank = |from: usize| {
        let rest = line.get(from..).unwrap_or_default();
        rest.iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count()
    };
    let indent = blank(0);
    let mark = match line.get(indent..).unwrap_or_default() {
        [b'/', b'/', b' ', ..] => 2,
        [b'>' | b'#' | b'*' | b'|', b' ', ..] => 1,
        _ => return indent,
    };
    indent + mark + blank(indent + mark)
}

/// Whether a piece looks like half of a secret rather than a word.
fn looks_random(piece: &[u8]) -> bool {
    let digit = piece.iter().any(u8::is_ascii_digit);
    let sign = piece.iter().any(|b| matches!(b, b'_' | b'=' | b'+' | b'/'));
    let capital_inside = piece
        .array_windows::<2>()
        .any(|[a, b]| a.is_ascii_lowercase() && b.is_ascii_uppercase());
    digit || sign || capital_inside || piece.len() >= CERTAINLY_HALF
}

/// The seam between two string literals or code spans, beginning with the quote at `at`.
fn concatenation(text: &[u8], at: usize, quote: u8) -> Option<Range<usize>> {
    let begun = at.checked_sub(1).and_then(|before| text.get(before));
    if !begun.is_some_and(|byte| is_token(*byte)) {
        return None;
    }
    let blank = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        let blanks = rest.iter().take(128);
        from + blanks
            .take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'\\'))
            .count()
    };
    let mut next = blank(at + 1);
    match text.get(next..).unwrap_or_default() {
        [b'.', b'.', ..] => next = blank(next + 2),
        [b'+' | b'.' | b'&', ..] => next = blank(next + 1),
        _ => {}
    }
    let opens = text.get(next) == Some(&quote);
    let goes_on = text.get(next + 1).is_some_and(|byte| is_token(*byte));
    (opens && goes_on).then(|| at..next + 1)
}

/// Adds the blanks between groups of equal length.
fn spaced_groups(text: &[u8], seams: &mut Vec<Range<usize>>) {
    let mut run: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let group = text
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take_while(|b| is_token(**b))
            .count();
        let end = at + group;
        let size = run.first().map_or(group, ExactSizeIterator::len);
        let follows = run.last().is_none_or(|last| last.end + 1 == at);
        let fits = group > 0 && group <= LONGEST_GROUP && follows;
        if fits && group == size {
            run.push(at..end);
        } else {
            let rest = fits && group < size && !run.is_empty();
            if rest {
                run.push(at..end);
            }
            close_run(text, &mut run, seams);
            if !rest && group > 0 && group <= LONGEST_GROUP {
                run.push(at..end);
            }
        }
        let single_blank = text.get(end) == Some(&b' ');
        if !single_blank {
            close_run(text, &mut run, seams);
        }
        at = end + 1;
    }
    close_run(text, &mut run, seams);
}

fn close_run(text: &[u8], run: &mut Vec<Range<usize>>, seams: &mut Vec<Range<usize>>) {
    if run.len() >= FEWEST_GROUPS && !is_formula(text, run) {
        let seam = |[a, b]: &[Range<usize>; 2]| a.end..b.start;
        seams.extend(run.array_windows::<2>().map(seam));
    }
    run.clear();
}

/// Whether single signs with blanks between them are more signs than letters, as in `a + b - c`.
fn is_formula(text: &[u8], run: &[Range<usize>]) -> bool {
    let groups = run.iter().filter_map(|group| text.get(group.clone()));
    let signs = groups.filter(|group| !group.iter().any(u8::is_ascii_alphanumeric));
    signs.count() * 3 > run.len()
}
