//! Where a text is cut: into compounds, runs of a script without spaces, and symbols that belong to numbers.

use unicode_normalization::char::is_combining_mark;

use super::{fold, tables};

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, or words and numbers that signs hold together: `v1.2.3`, `ops@example.com`, `src/main.rs`.
    Compound,
    /// A run of a script that writes no spaces.
    Characters,
    /// A currency sign, or a percent sign.
    Symbol,
}

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    start: usize,
}

impl Piece<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is_currency(&self) -> bool {
        self.kind == Kind::Symbol && self.text != "%"
    }

    pub(super) fn touches(&self, next: &Self) -> bool {
        self.end() == next.start
    }

    /// Whether `next` says what this number counts: a sign or a unit at most one space behind it.
    pub(super) fn measured_by(&self, next: &Self) -> bool {
        let near = next.start <= self.end() + 1;
        let is_unit = || tables::UNITS.contains(&fold::fold(next.text).as_str());
        near && match next.kind {
            Kind::Symbol => true,
            Kind::Compound => is_unit(),
            Kind::Characters => false,
        }
    }
}

/// Cuts a text into its pieces, in their order.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut open: Option<(usize, Kind)> = None;
    let mut before: Option<char> = None;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|(_, next)| *next);
        let kind = kind_of(c);
        let goes_on = match (open, kind) {
            (Some((_, of)), Some(kind)) => of == kind && kind != Kind::Symbol,
            (Some((_, Kind::Compound)), None) => connects(before, c, next),
            (Some(_) | None, None) | (None, Some(_)) => false,
        };
        if !goes_on {
            close(text, &mut pieces, open, at);
            open = kind.map(|kind| (at, kind));
        }
        before = Some(c);
    }
    close(text, &mut pieces, open, text.len());
    pieces
}

fn close<'a>(text: &'a str, pieces: &mut Vec<Piece<'a>>, open: Option<(usize, Kind)>, end: usize) {
    if let Some((start, kind)) = open
        && let Some(text) = text.get(start..end)
    {
        pieces.push(Piece { kind, text, start });
    }
}

fn kind_of(c: char) -> Option<Kind> {
    if tables::SYMBOLS.contains(&c) {
        Some(Kind::Symbol)
    } else if tables::SPACELESS.iter().any(|range| range.contains(&c)) {
        Some(Kind::Characters)
    } else if c.is_alphanumeric() || is_combining_mark(c) {
        Some(Kind::Compound)
    } else {
        None
    }
}

/// Whether a sign between two characters holds them together.
fn connects(before: Option<char>, sign: char, after: Option<char>) -> bool {
    let both = |is: fn(char) -> bool| before.is_some_and(is) && after.is_some_and(is);
    match sign {
        ',' => both(|c| c.is_ascii_digit()),
        '\'' | '’' => both(char::is_alphabetic),
        _ => {
            tables::SEPARATORS.iter().any(|level| level.contains(&sign))
                && both(char::is_alphanumeric)
        }
    }
}

/// How many kinds of separators there are: the signs of the table, and a change of case within a word.
pub(super) const LEVELS: usize = tables::SEPARATORS.len() + 1;

/// The parts of a compound by the separators of one level.
pub(super) fn parts(text: &str, level: usize) -> Vec<&str> {
    match tables::SEPARATORS.get(level) {
        Some(separators) => text
            .split(*separators)
            .filter(|part| !part.is_empty())
            .collect(),
        None => by_case(text),
    }
}

/// `parseHttpBody` and `HTTPServer` are several words.
fn by_case(text: &str) -> Vec<&str> {
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let mut parts = Vec::new();
    let mut rest = text;
    let mut cut_at = 0;
    for window in characters.windows(2) {
        let [(_, before), (at, c)] = window else {
            continue;
        };
        let after = text
            .get(at + c.len_utf8()..)
            .and_then(|rest| rest.chars().next());
        let begins = before.is_lowercase() && c.is_uppercase();
        let begins_after_capitals =
            before.is_uppercase() && c.is_uppercase() && after.is_some_and(char::is_lowercase);
        if (begins || begins_after_capitals)
            && let Some((part, behind)) = rest.split_at_checked(at - cut_at)
            && !part.is_empty()
        {
            parts.push(part);
            (rest, cut_at) = (behind, *at);
        }
    }
    parts.push(rest);
    parts
}
