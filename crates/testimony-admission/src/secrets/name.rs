//! The name that stands before a value, and what it says about it.

use std::ops::Range;

use super::value::first_hump;
use super::words::{ABOUT, ABOUT_IDS, HEADS, Head, NOT_HEADS, TAILS, TYPES};

/// How much text before a value is read for its name.
const NAME_REACH: usize = 120;

/// How a value is linked to the name before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    None,
    Blank,
    Assigns,
}

/// The name before a value.
#[derive(Debug)]
pub(super) struct Name {
    /// The name and up to two words before it, in lower case without signs.
    pub(super) squashed: String,
    /// Where the name itself stands.
    pub(super) range: Range<usize>,
    /// Where the name and the words before it stand.
    pub(super) wide: Range<usize>,
    pub(super) operator: Operator,
    /// Whether the operator is an equals sign.
    pub(super) equals: bool,
    /// Whether its last part says something about a thing.
    pub(super) about: bool,
    /// Its last two parts, in lower case without signs.
    last_two: String,
}

impl Name {
    /// What a name that is given rather than read ends with.
    pub(super) fn head_of_given(name: &str) -> Option<Head> {
        let squashed = squash(name);
        // Most names end with nothing that is listed, and what else they say is not asked then.
        let head = ending_of(&squashed).filter(|_| !name.is_empty())?;
        let excluded = is_about(name) || is_no_head(&squashed) || is_no_head(&last_two(name));
        (!excluded).then_some(head)
    }

    pub(super) fn before(text: &str, at: usize) -> Self {
        let floor = text.ceil_char_boundary(at.saturating_sub(NAME_REACH));
        let before = text.get(floor..at).unwrap_or_default();
        let (operator, rest) = strip_operator(before);
        let equals = before.get(rest.len()..).unwrap_or_default().contains('=');
        let (mut name, mut ahead) = last_name(rest);
        if operator == Operator::Assigns && is_type(name) {
            let (_, inner) = strip_operator(ahead);
            let (next, further) = last_name(inner);
            if !next.is_empty() {
                (name, ahead) = (next, further);
            }
        }
        let end = floor + ahead.len() + name.len();
        let mut squashed = String::new();
        let mut wide = end - name.len()..end;
        for word in words_before(ahead) {
            squashed.insert_str(0, &squash(word));
            wide.start = wide.start.min(floor + offset_in(before, word));
        }
        squashed.push_str(&squash(name));
        let wide_start = wide.start;
        Self {
            squashed,
            range: end - name.len()..end,
            wide,
            operator,
            equals,
            about: is_about(name),
            last_two: last_two(text.get(wide_start..end).unwrap_or_default()),
        }
    }

    /// Whether the name says something about a thing rather than what opens it.
    pub(super) fn is_about(&self) -> bool {
        self.about
    }

    pub(super) fn head(&self) -> Option<Head> {
        if self.range.is_empty() || self.is_excluded() {
            return None;
        }
        ending_of(&self.squashed)
    }

    pub(super) fn is_excluded(&self) -> bool {
        self.is_about() || is_no_head(&self.squashed) || is_no_head(&self.last_two)
    }

    /// `UPPER_CASE=`
    pub(super) fn is_shell(&self, text: &str) -> bool {
        let name = text.get(self.range.clone()).unwrap_or_default();
        let follows = text.as_bytes().get(self.range.end) == Some(&b'=');
        let upper = name
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        follows && upper && name.len() >= 3
    }
}

/// What a name ends with, whatever numbers and tails stand behind that.
fn ending_of(squashed: &str) -> Option<Head> {
    let mut name = squashed;
    for _ in 0..3 {
        name = name.trim_end_matches(|c: char| c.is_ascii_digit());
        if let Some(head) = head_of(name) {
            return Some(head);
        }
        name = TAILS.iter().find_map(|tail| name.strip_suffix(tail))?;
    }
    None
}

/// As the end of a longer name such a word may be telling, so only whole names and last parts are asked for it.
fn is_no_head(name: &str) -> bool {
    NOT_HEADS.contains(&name)
}

fn head_of(name: &str) -> Option<Head> {
    // The longest ending decides: `secretkey` is not a `key` of its own.
    // `key`, `token` and the like are frequent, so the last letter is asked first.
    let last = name.as_bytes().last();
    let endings = HEADS.iter().flat_map(|(head, words)| {
        words
            .iter()
            .filter(|word| word.as_bytes().last() == last && name.ends_with(**word))
            .map(move |word| (word.len(), *head))
    });
    endings.max_by_key(|(len, _)| *len).map(|(_, head)| head)
}

pub(super) fn squash(word: &str) -> String {
    if word.is_ascii() {
        let kept = word.bytes().filter(u8::is_ascii_alphanumeric);
        return kept.map(|b| char::from(b.to_ascii_lowercase())).collect();
    }
    word.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn is_type(name: &str) -> bool {
    let squashed = squash(name);
    TYPES.contains(&squashed.as_str())
}

/// Takes blanks, quotes and an operator off the end.
fn strip_operator(before: &str) -> (Operator, &str) {
    let opening = |c: char| {
        c.is_whitespace()
            || matches!(c, '"' | '\'' | '`' | '\\' | '“' | '‘' | '«' | '*' | '&' | 'r' if c != 'r')
    };
    let rest = before.trim_end_matches(opening);
    let breaks = before
        .get(rest.len()..)
        .unwrap_or_default()
        .matches('\n')
        .count();
    let signs = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '=' | ':'
                    | '>'
                    | '?'
                    | '+'
                    | '~'
                    | '.'
                    | '|'
                    | '('
                    | ','
                    | '：'
                    | '＝'
                    | '-'
                    | '→'
                    | '['
                    | '{'
            )
    };
    let name_end = rest.trim_end_matches(signs);
    let operator = rest.get(name_end.len()..).unwrap_or_default();
    let assigns = operator.contains(['=', ':', '：', '＝', '→'])
        || operator.contains('>')
        || operator.contains("|=");
    let passes = operator.trim_start().starts_with(',') || operator.contains('(');
    let closing = name_end.trim_end_matches(|c: char| {
        matches!(c, '"' | '\'' | '`' | ')' | ']' | '\\' | '*' | '”' | '’') || c == ' '
    });
    let closed = closing.len() < name_end.len();
    if breaks > 2 || (breaks > 0 && operator.ends_with('=')) {
        (Operator::None, closing)
    } else if assigns || (passes && closed) || (passes && operator.contains('(')) {
        (Operator::Assigns, closing)
    } else if operator.trim().is_empty() && breaks <= 1 {
        (Operator::Blank, closing)
    } else {
        (Operator::None, closing)
    }
}

/// The name at the end of `text`, and what stands before it.
pub(super) fn last_name(text: &str) -> (&str, &str) {
    let begin = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$' | '@' | '%'))
        .last()
        .map_or(text.len(), |(at, _)| at);
    let (ahead, name) = text.split_at_checked(begin).unwrap_or((text, ""));
    (name, ahead)
}

/// Up to two words that stand before a name on its line, with one sign or blank between, the nearer one first.
fn words_before(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let stripped = rest
            .strip_suffix([' ', '\n', '/', '"', '\'', '['])
            .unwrap_or(rest);
        if stripped.len() == rest.len() {
            return None;
        }
        let (word, ahead) = last_name(stripped);
        rest = ahead;
        (!word.is_empty()).then_some(word)
    })
    .take(2)
}

/// The last two parts of a name: what signs, blanks and humps separate.
fn last_two(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for word in name.split(|c: char| !c.is_alphanumeric()) {
        let mut rest = word;
        while !rest.is_empty() {
            let (hump, behind) = first_hump(rest);
            parts.push(hump);
            rest = behind;
        }
    }
    let from = parts.len().saturating_sub(2);
    parts.iter().skip(from).map(|part| squash(part)).collect()
}

/// Whether the last part of a name is one of [`ABOUT`].
pub(super) fn is_about(name: &str) -> bool {
    let parts = name.rsplit(|c: char| !c.is_alphanumeric());
    let last = parts
        .into_iter()
        .find(|part| !part.is_empty())
        .unwrap_or_default();
    let hump = last
        .as_bytes()
        .array_windows::<2>()
        .rposition(|[a, b]| a.is_ascii_lowercase() && b.is_ascii_uppercase())
        .map_or(0, |at| at + 1);
    let last = last.get(hump..).unwrap_or_default().to_ascii_lowercase();
    let about_an_id = |squashed: &str| ABOUT_IDS.iter().any(|id| squashed.ends_with(id));
    ABOUT.contains(&last.as_str()) || about_an_id(&squash(name))
}

/// Where `part` begins in `whole`, of which it is a slice.
fn offset_in(whole: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize)
}
