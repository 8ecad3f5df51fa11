//! Whether one word could be what a person types or a lock wants: a weak password, a number, a name with a password.

use std::ops::Range;

use super::chance::{are_drawn, changes_case};
use super::stated_words::{AT_LAST, DESCRIBES, FUNCTION_WORDS, TECHNICAL};
use super::value::{
    could_be_word, first_hump, is_benign, is_digest, is_placeholder, is_typed_along,
};

/// The shortest password that is taken from a sentence.
const SHORTEST: usize = 6;
/// The longest.
const LONGEST: usize = 64;

/// Whether `value` could be a password that somebody chose. Where nothing but its place speaks for it, it must be more
/// than a name with a number.
pub(super) fn is_typed(value: &str, by_place: bool) -> bool {
    let fits = (SHORTEST..=LONGEST).contains(&value.len());
    if !fits || says_something_else(value) {
        return false;
    }
    let has = |kind: fn(&u8) -> bool| value.bytes().any(|b| kind(&b));
    let (letters, digits) = (has(u8::is_ascii_alphabetic), has(u8::is_ascii_digit));
    let inner = value.trim_end_matches(['!', '*', '#']);
    let signs = inner.bytes().filter(|b| is_sign(*b)).count();
    if by_place {
        let parts = value
            .bytes()
            .any(|b| is_sign(b) || matches!(b, b'-' | b'_' | b'.'));
        return letters
            && digits
            && (parts || value.len() >= 8 && value.bytes().any(|b| b.is_ascii_uppercase()));
    }
    letters && (digits || signs > 0)
        || !digits && (is_joined_words(value) || are_drawn(value) || is_spelled(value))
}

/// `d-w-k-r-q`: one letter after the other with bars between.
fn is_spelled(value: &str) -> bool {
    const FEWEST: usize = 5;
    let letters = value.split('-');
    letters.clone().count() >= FEWEST && letters.into_iter().all(|letter| letter.len() == 1)
}

/// Letters in both cases and digits, of which no part is a word: what its place alone gives away.
pub(super) fn is_drawn_by_place(value: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| value.bytes().any(|b| kind(&b));
    let mixed =
        has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit);
    mixed && changes_case(value) && is_typed(value, true)
}

const fn is_sign(byte: u8) -> bool {
    matches!(
        byte,
        b'!' | b'@' | b'#' | b'$' | b'%' | b'&' | b'*' | b'+' | b'=' | b'~' | b'^' | b'?'
    )
}

/// A plain word counts where its writer set it apart with quotes.
pub(super) fn is_quoted_word(value: &str) -> bool {
    let plain = value.chars().all(char::is_alphabetic);
    plain && (SHORTEST..=LONGEST).contains(&value.len()) && !says_something_else(value)
}

/// What stands in the place of a password and is none: placeholders, code, links, methods, descriptions.
pub(super) fn says_something_else(value: &str) -> bool {
    let code = |c: char| {
        matches!(
            c,
            '(' | ')' | '{' | '}' | '[' | ']' | '<' | '>' | '\\' | '|'
        )
    };
    let lower = value.to_lowercase();
    // In `sonnenblume-see-92` a word stands by chance; in `12-character` and `hard-to-guess` the last one decides.
    let parts: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let numbered = value.bytes().any(|b| b.is_ascii_digit());
    let decisive = if numbered {
        parts.len().saturating_sub(1)
    } else {
        0
    };
    let described = parts.iter().skip(decisive).any(|part| {
        let reported = part.len() > 4 && part.ends_with("ed") && !part.ends_with("eed");
        reported || DESCRIBES.contains(part)
    });
    value.contains(code)
        || value.starts_with(['$', '%', '@', '/', '-'])
        || is_placeholder(value)
        || is_benign(value)
        || is_digest(value)
        || is_masked_or_measured(value)
        || is_file(value)
        || described
        || is_technical(&lower)
        || FUNCTION_WORDS.contains(&lower.as_str())
}

/// Dates, times, amounts and ranges.
fn is_masked_or_measured(value: &str) -> bool {
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let unit = value.starts_with(|c: char| c.is_ascii_digit())
        && letters <= 3
        && !value.bytes().any(is_sign);
    let behind_digits = value.trim_start_matches(|c: char| c.is_ascii_digit());
    let counted = behind_digits.len() < value.len() && behind_digits.starts_with('-') && {
        let kind = behind_digits.trim_start_matches('-');
        kind.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
    };
    unit || counted
}

/// `main.rs`, `config/prod.yaml`, `db-3.internal`: the last part behind a dot is a short word.
fn is_file(value: &str) -> bool {
    let Some((base, ending)) = value.rsplit_once('.') else {
        return false;
    };
    let short = (1..=8).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_lowercase());
    short
        && base
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'_' | b'.'))
}

/// A method or product with its number: `SHA-256`, `OAuth2`, `argon2id`.
pub(super) fn is_technical(lower: &str) -> bool {
    TECHNICAL.iter().any(|name| {
        let rest = lower
            .strip_prefix(name)
            .map(|rest| rest.trim_start_matches('-'));
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// `three-blind-mice`, `BlueHeronLake`: at least three words in one.
fn is_joined_words(value: &str) -> bool {
    let parts: Vec<&str> = value.split(['-', '_', '.']).collect();
    let words = |parts: &[&str]| {
        parts.len() >= 3
            && parts.iter().all(|part| {
                could_be_word(part) && !FUNCTION_WORDS.contains(&part.to_lowercase().as_str())
            })
    };
    words(&parts) || words(&humps(value))
}

fn humps(value: &str) -> Vec<&str> {
    let mut humps = Vec::new();
    let mut rest = value;
    while !rest.is_empty() {
        let (hump, behind) = first_hump(rest);
        humps.push(hump);
        rest = behind;
    }
    humps
}

/// Whether `value` is a number that opens something: `4471#`, `24-8-31`, `83749201`. `behind` is what follows it: where
/// that is a thing (`4 digits`, `1200 lines`), the number counts it.
pub(super) fn is_number(value: &str, behind: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let only = value
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'#' | b'*' | b'-' | b'!' | b'.' | b'/'));
    let parted = value
        .split(['-', '.', '/'])
        .filter(|part| !part.is_empty())
        .count();
    let dated =
        value.contains(['-', '.', '/']) && (value.starts_with("19") || value.starts_with("20"));
    let whole = (4..=12).contains(&digits) && letters <= 1 && only && parted <= 4 && !dated;
    whole && !counts_something(behind)
}

/// How long groups of four digits are that a line begins with, where they are as many as a network's key has.
pub(super) fn key_in_groups(line: &str) -> Option<usize> {
    const FEWEST: usize = 3;
    const DIGITS: usize = 4;
    let count = groups(line).take_while(|len| *len == DIGITS).count();
    (count >= FEWEST).then(|| count * (DIGITS + 1) - 1)
}

/// How long a number is that a line begins with in groups: `2 7 1 9`, `88 41 02`.
pub(super) fn digits_in_groups(line: &str) -> Option<usize> {
    const LONGEST: usize = 4;
    let groups: Vec<usize> = groups(line).collect();
    let digits: usize = groups.iter().sum();
    let len = digits + groups.len().saturating_sub(1);
    let alike = groups.array_windows().all(|[one, next]| one == next);
    let small = groups
        .iter()
        .all(|group| *group <= if alike { LONGEST } else { 2 });
    let fits = groups.len() > 1 && (4..=12).contains(&digits) && small;
    (fits && !counts_something(line.get(len..).unwrap_or_default())).then_some(len)
}

/// How many digits stand in each of the groups that a line begins with; a mark of the sentence ends the last one.
fn groups(line: &str) -> impl Iterator<Item = usize> {
    let mut ended = false;
    line.split(' ').map_while(move |word| {
        let group = word.trim_end_matches(['.', ',', ';', ')']);
        let is_group = !ended && !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
        ended = group.len() < word.len();
        is_group.then_some(group.len())
    })
}

/// Whether `value` is a number as networks have for a key, longer than people remember.
pub(super) fn is_long_number(value: &str) -> bool {
    (13..=63).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit())
}

/// Whether `value` is one of the codes that let somebody in once: short groups of letters and digits.
pub(super) fn is_once(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let dated =
        letters == 0 && (value.starts_with("19") || value.starts_with("20")) && value.contains('-');
    is_grouped(value)
        && !dated
        && (digits >= 2 && letters > 0 && !is_technical(&value.to_lowercase()) || digits >= 6)
}

/// Short groups of letters and digits.
fn is_grouped(value: &str) -> bool {
    let only = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    let mut groups = value.split('-');
    (6..=40).contains(&value.len())
        && value.bytes().all(only)
        && groups.all(|group| (2..=16).contains(&group.len()))
}

/// Whether `value` has groups as long as those of `code`, at least two of them: what stands in a list with a code.
pub(super) fn is_grouped_like(value: &str, code: &str) -> bool {
    let groups = |text: &str| text.split('-').map(str::len).collect::<Vec<_>>();
    is_grouped(value) && value.contains('-') && groups(value) == groups(code)
}

fn counts_something(behind: &str) -> bool {
    let Some(next) = behind.strip_prefix([' ', '\t', '-', '%']) else {
        return false;
    };
    let word: String = next.chars().take_while(|c| c.is_alphabetic()).collect();
    let word = word.to_lowercase();
    let says_when = AT_LAST.contains(&word.as_str());
    !word.is_empty() && !says_when && !FUNCTION_WORDS.contains(&word.as_str())
}

/// Where the password stands in `anna / …`, `anna:…`, `anna and …`.
pub(super) fn is_pair(line: &str) -> Option<Range<usize>> {
    let bare = line.trim_start_matches(['"', '\'', '`', '“']);
    let name: usize = bare
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '@' | '+'))
        .map(char::len_utf8)
        .sum();
    let behind = bare.get(name..)?;
    let between = [
        " / ", "/", ":", ": ", " : ", ", ", " | ", " and ", " und ", " et ", " y ", " e ", " en ",
        " with ", " mit ",
    ];
    let sign = between
        .iter()
        .filter(|sign| behind.starts_with(**sign))
        .max_by_key(|sign| sign.len())?;
    let rest = behind.get(sign.len()..)?;
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '”' | '<' | '>');
    let token = rest
        .split(ends)
        .next()?
        .trim_end_matches(['.', ',', ';', ':', '?', ')']);
    let start = line.len() - rest.len();
    let issued = || *sign == " / " && is_digest(token);
    // Blanks around the sign set a name and its password apart; nobody writes an address and then a word so.
    let set_apart = || *sign == " / " && is_typed(token, false);
    let mailed = || {
        let address = bare.get(..name).is_some_and(|name| name.contains('@'));
        address && matches!(*sign, " / " | "/" | ", " | " | ") && is_quoted_word(token)
    };
    let taken = name >= 2
        && (is_typed(token, true) || issued() || set_apart() || mailed())
        && !is_typed_along(token);
    taken.then(|| start..start + token.len())
}
