//! Pieces put together: wrapped lines, concatenated strings, split code spans, spaced groups.

use std::ops::Range;

use super::Layer;
use super::unescape::holds;
use super::view::{Builder, View};
use crate::work::steps;

/// A piece that ends at a line break counts as the first half of something only from this length on.
const SHORTEST_HALF: usize = 4;
/// A piece of this length is taken for half of something even if it is all letters.
const CERTAINLY_HALF: usize = 20;
/// No more of a piece is looked at.
const LONGEST_HALF: usize = 128;
/// So many groups make a spaced secret.
const FEWEST_GROUPS: usize = 4;
/// A group is at most so long.
const LONGEST_GROUP: usize = 6;

/// A stretch to leave out.
struct Seam {
    range: Range<usize>,
    /// Whether both sides of it look like halves of something.
    certain: bool,
    /// Whether it is no more than the end of a line or of a literal, so that something else may follow.
    loose: bool,
    /// Whether a hyphen before it may be there only because the line ends.
    hyphen: bool,
}

impl Seam {
    /// The same seam without the hyphen before it.
    const fn without_hyphen(&self) -> Range<usize> {
        let hyphen = if self.hyphen { 1 } else { 0 };
        self.range.start.saturating_sub(hyphen)..self.range.end
    }
}

/// The joined views, where they differ: only the certain seams left out, and every seam and the hyphens before them,
/// because a word at the beginning of the next line would otherwise hide where a value ends.
pub(super) fn join<'a>(parent: &View<'a>) -> [Option<View<'a>>; 2] {
    let text = parent.text().as_bytes();
    let mut seams = Vec::new();
    let is_sign = |b| (b == b'\n') | (b == b'"') | (b == b'\'') | (b == b'`');
    let mut at = if holds(text, is_sign) { 0 } else { text.len() };
    while let Some(next) = next_sign(text, at) {
        at = next;
        let seam = match text.get(at) {
            Some(b'\n') => wrapped_line(text, at),
            Some(quote) => concatenation(text, at, *quote),
            None => None,
        };
        match seam {
            Some(seam) => {
                at = seam.range.end;
                seams.push(seam);
            }
            None => at += 1,
        }
    }
    spaced_groups(text, &mut seams);
    if seams.is_empty() {
        return [None, None];
    }
    seams.sort_by_key(|seam| seam.range.start);
    views_without(parent, &seams)
}

/// The view without the certain seams, and the one without any where that differs.
fn views_without<'a>(parent: &View<'a>, seams: &[Seam]) -> [Option<View<'a>>; 2] {
    let certain = || seams.iter().filter(|seam| seam.certain);
    let differs = seams.iter().any(|seam| !seam.certain || seam.hyphen);
    let careful = without(
        parent,
        certain().map(|seam| (seam.range.clone(), seam.loose)),
    );
    let all = || {
        let every = seams.iter();
        without(
            parent,
            every.map(|seam| (seam.without_hyphen(), seam.loose)),
        )
    };
    let all = differs.then(all).flatten();
    [careful, all.map(View::uncertain)]
}

/// The next line break or quote, where a seam may begin.
fn next_sign(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let found = rest
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'"' | b'\'' | b'`'));
    steps(found.unwrap_or(rest.len()));
    found.map(|found| from + found)
}

/// The view without these stretches, of which some are loose.
fn without<'a>(
    parent: &View<'a>,
    seams: impl Iterator<Item = (Range<usize>, bool)>,
) -> Option<View<'a>> {
    let mut seams = seams.peekable();
    seams.peek()?;
    let mut builder = Builder::new(parent);
    let mut kept_from = 0;
    for (seam, loose) in seams {
        if seam.start >= kept_from {
            builder.keep(kept_from..seam.start);
            kept_from = seam.end;
            if loose {
                builder.mark_break();
            }
        }
    }
    builder.keep(kept_from..parent.text().len());
    Some(builder.finish(Layer::Joined, parent.depth()))
}

/// Which bytes a token may hold; quotes, brackets, commas and the like end it.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses what is out of bounds"
)]
const TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        table[byte as usize] = true;
        byte += 1;
    }
    let ends = b"\"'`()[]{}<>,;\\|";
    let mut at = 0;
    while at < ends.len() {
        table[ends[at] as usize] = false;
        at += 1;
    }
    table
};

fn is_token(byte: u8) -> bool {
    TOKEN.get(usize::from(byte)).copied().unwrap_or(false)
}

/// The seam at the line break at `at`, where a token seems to run on behind it.
fn wrapped_line(text: &[u8], at: usize) -> Option<Seam> {
    let (before, after) = text.split_at_checked(at)?;
    let spaces = before
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'\r' | b'\\' | b' ' | b'\t'))
        .count();
    let before = before.get(..at - spaces)?;
    let left = token_before(before);
    let (margin, in_list) = margin_of(after.get(1..)?);
    let right = token_at(after.get(1 + margin..)?);
    steps(spaces + left.len() + margin + right.len());
    let first_looks_random = looks_random(left) || has_capitalised_part(left);
    let second_looks_random = looks_random(right) || has_hump(right);
    let runs_on = left.len() >= SHORTEST_HALF
        && !right.is_empty()
        && (first_looks_random || second_looks_random || is_no_word(left));
    let both = first_looks_random && second_looks_random;
    let named = names_something(right) || is_measure(right);
    runs_on.then(|| Seam {
        range: at - spaces..at + 1 + margin,
        certain: both && !in_list && !named && !is_filler(left) && !is_filler(right),
        loose: true,
        hyphen: matches!(left, [.., before, b'-'] if before.is_ascii_alphanumeric()),
    })
}

/// Whether a piece is a rule or a row of crosses: mostly one sign over and over.
fn is_filler(piece: &[u8]) -> bool {
    let pairs = piece.array_windows::<2>();
    let same = pairs.filter(|[left, right]| left == right).count();
    same >= SHORTEST_HALF && same * 4 >= piece.len() * 3
}

/// Whether a piece is a date, a time or another number in parts.
fn is_measure(piece: &[u8]) -> bool {
    let sign = |b: &u8| matches!(b, b'-' | b'/' | b':' | b'.');
    piece.iter().any(sign) && piece.iter().all(|b| sign(b) || b.is_ascii_digit())
}

/// The end of a text, as far as it is one token.
fn token_before(text: &[u8]) -> &[u8] {
    let last = text.len().saturating_sub(LONGEST_HALF);
    let near = text.get(last..).unwrap_or_default();
    let ended = near.iter().rposition(|b| !is_token(*b));
    near.get(ended.map_or(0, |at| at + 1)..).unwrap_or_default()
}

/// The beginning of a text, as far as it is one token.
fn token_at(text: &[u8]) -> &[u8] {
    let near = text.get(..LONGEST_HALF).unwrap_or(text);
    let ended = near.iter().position(|b| !is_token(*b));
    near.get(..ended.unwrap_or(near.len())).unwrap_or_default()
}

/// Whether a piece is the name of the next thing, as in `user:` or `size=4`: letters that read like words, then a sign.
fn names_something(piece: &[u8]) -> bool {
    let Some(sign) = piece.iter().position(|b| matches!(b, b'=' | b':')) else {
        return false;
    };
    // An equals sign with nothing but signs behind it is the padding of base64.
    let padding = piece.get(sign) == Some(&b'=')
        && piece
            .iter()
            .skip(sign)
            .all(|b| matches!(b, b'=' | b':' | b'.'));
    let name = piece.get(..sign).unwrap_or_default();
    sign >= 2 && !padding && reads_like_a_name(name)
}

/// Letters and separators, a vowel in every part of it.
fn reads_like_a_name(name: &[u8]) -> bool {
    let mut vowels_since_hump = 0;
    let mut previous = b'A';
    for byte in name {
        if !(byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.')) {
            return false;
        }
        if previous.is_ascii_lowercase() && byte.is_ascii_uppercase() {
            if vowels_since_hump == 0 {
                return false;
            }
            vowels_since_hump = 0;
        }
        vowels_since_hump += usize::from(is_vowel(byte));
        previous = *byte;
    }
    vowels_since_hump > 0
}

/// So many marks of quotations or comments may stand before a line.
const MOST_MARKS: usize = 3;

/// How long the indent and the marks of a quotation, comment or list at the beginning of a line are, and whether the
/// mark is one of a list.
fn margin_of(line: &[u8]) -> (usize, bool) {
    let blank = |from: usize| {
        let rest = line.get(from..).unwrap_or_default();
        rest.iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count()
    };
    let mut margin = blank(0);
    let mut in_list = false;
    for _ in 0..MOST_MARKS {
        let rest = line.get(margin..).unwrap_or_default();
        let sign = |b: &u8| {
            matches!(
                b,
                b'/' | b'>' | b'#' | b'*' | b'|' | b'-' | b';' | b'%' | b'!'
            )
        };
        let mark = rest.iter().take(MOST_MARKS).take_while(|b| sign(b)).count();
        let gap = blank(margin + mark);
        if mark == 0 || gap == 0 {
            break;
        }
        in_list |= rest.starts_with(b"- ");
        margin += mark + gap;
    }
    (margin, in_list)
}

/// Whether a long piece is anything but a word of a sentence.
fn is_no_word(piece: &[u8]) -> bool {
    let sign = piece.iter().any(|b| matches!(b, b'-' | b'.' | b':'));
    let capitals = piece.iter().filter(|b| b.is_ascii_uppercase()).count();
    piece.len() >= 8 && (sign || capitals > 1)
}

/// Whether a piece looks like half of a secret rather than a word.
fn looks_random(piece: &[u8]) -> bool {
    let digit = piece.iter().any(u8::is_ascii_digit);
    let sign = piece.iter().any(|b| matches!(b, b'_' | b'=' | b'+' | b'/'));
    digit
        || sign
        || has_inner_sign(piece)
        || piece.len() >= CERTAINLY_HALF && !reads_like_a_word(piece)
}

/// Whether a sign that no word holds stands inside of a piece.
fn has_inner_sign(piece: &[u8]) -> bool {
    let inner = piece.get(1..piece.len().saturating_sub(1));
    let odd = |b: &u8| {
        matches!(
            b,
            b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'@' | b'^' | b'~'
        )
    };
    inner.unwrap_or_default().iter().any(odd)
}

/// Small letters, of which many are vowels.
fn reads_like_a_word(piece: &[u8]) -> bool {
    let tail = piece.get(1..).unwrap_or_default();
    let vowels = piece.iter().filter(|b| is_vowel(b)).count();
    tail.iter().all(u8::is_ascii_lowercase) && vowels * 10 >= piece.len() * 3
}

fn is_vowel(byte: &u8) -> bool {
    matches!(
        byte.to_ascii_lowercase(),
        b'a' | b'e' | b'i' | b'o' | b'u' | b'y'
    )
}

/// Whether a capital follows a small letter.
fn has_hump(piece: &[u8]) -> bool {
    let mut pairs = piece.array_windows::<2>();
    pairs.any(|[a, b]| a.is_ascii_lowercase() && b.is_ascii_uppercase())
}

/// Whether a small letter follows a capital. Before a line break that is enough: taking two lines for one thing costs
/// another view, taking a half for a word hides what is broken there.
fn has_capitalised_part(piece: &[u8]) -> bool {
    let mut pairs = piece.array_windows::<2>();
    pairs.any(|[a, b]| a.is_ascii_uppercase() && b.is_ascii_lowercase())
}

/// The seam between two string literals or code spans, beginning with the quote at `at`.
fn concatenation(text: &[u8], at: usize, quote: u8) -> Option<Seam> {
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
    let ties = |b: &u8| matches!(b, b'+' | b'.' | b'&' | b'\\');
    let tied = text.get(at..next).unwrap_or_default().iter().any(ties);
    steps(next - at);
    let opens = text.get(next) == Some(&quote);
    let goes_on = text.get(next + 1).is_some_and(|byte| is_token(*byte));
    (opens && goes_on).then(|| Seam {
        range: at..next + 1,
        certain: true,
        loose: !tied,
        hyphen: false,
    })
}

/// Adds the blanks between groups of equal length.
fn spaced_groups(text: &[u8], seams: &mut Vec<Seam>) {
    let mut run = Run::default();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let len = rest.iter().position(|b| !is_token(*b));
        let end = len.map_or(text.len(), |len| at + len);
        steps(end - at);
        if !run.take(at..end) {
            run.close(text, seams);
            run = Run::begun(at..end);
        }
        if text.get(end) != Some(&b' ') {
            run.close(text, seams);
            run = Run::default();
        }
        at = end + 1;
    }
    run.close(text, seams);
}

/// Groups of one size with a single blank between them. The last one may be shorter; then nothing follows it.
/// Size and count say where each of them stands, so that ordinary words cost no list.
#[derive(Default)]
struct Run {
    start: usize,
    size: usize,
    count: usize,
    end: usize,
    /// Whether another group may follow.
    open: bool,
}

impl Run {
    /// A run of one group, if it is one.
    fn begun(group: Range<usize>) -> Self {
        if group.is_empty() || group.len() > LONGEST_GROUP {
            return Self::default();
        }
        Self {
            start: group.start,
            size: group.len(),
            count: 1,
            end: group.end,
            open: true,
        }
    }

    /// Whether the group goes on with this run, which then holds it.
    fn take(&mut self, group: Range<usize>) -> bool {
        let follows = self.open && self.end + 1 == group.start;
        let taken = follows && !group.is_empty() && group.len() <= self.size;
        if taken {
            self.count += 1;
            self.end = group.end;
            self.open = group.len() == self.size;
        }
        taken
    }

    fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = (0..self.count).map(|at| self.start + at * (self.size + 1));
        starts.map(|start| start..(start + self.size).min(self.end))
    }

    fn close(&self, text: &[u8], seams: &mut Vec<Seam>) {
        if self.count < FEWEST_GROUPS || self.is_formula(text) {
            return;
        }
        let certain = !self.is_words(text);
        let seam = |group: Range<usize>| Seam {
            range: group.end..group.end + 1,
            certain,
            loose: false,
            hyphen: false,
        };
        seams.extend(self.groups().take(self.count - 1).map(seam));
    }

    /// Whether most groups could be the short words of a sentence, as in `the api key is`.
    fn is_words(&self, text: &[u8]) -> bool {
        let groups = self.groups().filter_map(|group| text.get(group));
        let word = |group: &&[u8]| {
            let tail = group.get(1..).unwrap_or_default();
            tail.iter().all(u8::is_ascii_lowercase) && group.iter().any(is_vowel)
        };
        self.size > 1 && groups.filter(word).count() * 2 > self.count
    }

    /// Whether single signs with blanks between them are more signs than letters, as in `a + b - c`.
    fn is_formula(&self, text: &[u8]) -> bool {
        let groups = self.groups().filter_map(|group| text.get(group));
        let signs = groups.filter(|group| !group.iter().any(u8::is_ascii_alphanumeric));
        signs.count() * 3 > self.count
    }
}
