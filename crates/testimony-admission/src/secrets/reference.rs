//! What stands beside a word for a credential and is none: the number of a ticket, a thing that is made for passwords.

use super::words::{NUMBERED, THINGS};

/// Longer than any word that is asked for here.
const LONGEST_WORD: usize = 32;

/// Whether a value is the number of a thing or a case, as `Ticket SUP-48213` is: capitals, digits, perhaps a letter more.
pub(super) fn is_reference(value: &str) -> bool {
    let mut parts = value.split('-');
    let (kind, number) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let all = |part: &str, is: fn(&u8) -> bool| part.bytes().all(|b| is(&b));
    let named = (1..=5).contains(&kind.len()) && all(kind, u8::is_ascii_uppercase);
    let numbered = (3..=8).contains(&number.len()) && all(number, u8::is_ascii_digit);
    let ended = parts.all(|part| part.len() <= 3 && all(part, u8::is_ascii_alphanumeric));
    named && numbered && ended
}

/// Whether a word before a value says that the value is its number: `Ticket`, `Part`.
pub(super) fn is_numbered_thing(text: &str, at: usize) -> bool {
    let floor = text.ceil_char_boundary(at.saturating_sub(LONGEST_WORD));
    let before = text.get(floor..at).unwrap_or_default();
    let words = before.split(|c: char| !c.is_alphanumeric()).rev();
    let mut words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    let is = |word: String| NUMBERED.contains(&word.as_str());
    words
        .next()
        .is_some_and(|word| is(word) || words.next().is_some_and(is))
}

/// "The password manager", "the login page": a thing for credentials.
pub(super) fn is_part_of_a_name(text: &str, at: usize) -> bool {
    let ceiling = text.floor_char_boundary((at + LONGEST_WORD).min(text.len()));
    let behind = text.get(at..ceiling).unwrap_or_default();
    // A shorter keyword ends inside of its word.
    let rest = behind.trim_start_matches(char::is_alphabetic);
    let next = rest.strip_prefix([' ', '-']).unwrap_or_default();
    let end = next.find(|c: char| !c.is_alphanumeric());
    let word = next.get(..end.unwrap_or(next.len())).unwrap_or_default();
    THINGS.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_capitals_and_digits() {
        for value in ["SUP-48213", "SO-99812-B", "SN-44871-X"] {
            assert!(is_reference(value), "{value}");
        }
        for value in [
            "Fern-48213",
            "SUP-48",
            "SUP48213",
            "SUP-48a13",
            "SUP-48213-Quay",
        ] {
            assert!(!is_reference(value), "{value}");
        }
    }
}
