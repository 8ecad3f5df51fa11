//! Numbers that a lock is said to have, without a word for codes: `the lock on the shed is 8841`, `to get in press 4471`.
//!
//! Only what is nothing but a lock is read so; what may be a year, a time of day or a count of something is left.

use std::ops::Range;

use super::line::{BLANKS, Tokens, bare_token, core};
use super::stated::{Mention, ends_clause};
use super::stated_words::{DESCRIBES, OPENS, OTHER_CODES};
use super::typed::{digits_in_groups, is_number};

/// The rule for numbers that a lock has.
pub(super) const LOCK_RULE: &str = "beside_lock";

/// Things that are locks.
#[rustfmt::skip]
pub(super) const LOCKS: &[&str] = &[
    "lock", "padlock", "lockbox", "lock box", "key safe", "keysafe", "key box", "keybox", "alarm", "keypad", "vorhängeschloss", "zahlenschloss",
    "fahrradschloss", "schlüsselbox", "schlüsselsafe", "schlüsseltresor", "alarmanlage", "cadenas", "boîte à clés", "candado", "lucchetto",
    "hangslot", "fietsslot", "cijferslot", "sleutelkluis", "safe", "tresor", "coffre-fort", "caja fuerte", "cassaforte", "kluis",
];

/// Those of them that have other numbers too, which stand right behind them: canals, patents, programs, rows of a table.
const NUMBERED: &[&str] = &[
    "lock",
    "alarm",
    "keypad",
    "alarmanlage",
    "safe",
    "tresor",
    "coffre-fort",
    "caja fuerte",
    "cassaforte",
    "kluis",
];

/// What somebody does with a number at a door.
#[rustfmt::skip]
pub(super) const PRESSES: &[&str] = &[
    "get in with", "press", "punch in", "key in", "enter", "dial", "drücke", "drücken", "tippe", "tippen", "tapez", "tape", "pulsa", "marca", "digita", "toets",
];

/// Where numbers are pressed to get through.
#[rustfmt::skip]
const DOORS: &[&str] = &[
    "door", "gate", "building", "keypad", "alarm", "lobby", "garage", "entrance", "intercom", "locker", "safe", "lockbox", "open", "unlock", "disarm",
    "tür", "haustür", "tor", "öffnen", "alarmanlage", "porte", "portail", "immeuble", "alarme", "ouvrir", "puerta", "portal", "alarma", "abrir",
    "portone", "cancello", "allarme", "aprire", "deur", "poort", "alarm", "openen",
];

/// What says what a lock has now. What it was is more often a price.
const IS: &[&str] = &["is", "ist", "lautet", "est", "es", "è"];

/// What a phrase of the lock itself begins with.
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "the", "my", "our", "her", "his", "their", "your", "a", "der", "die", "das", "mein", "unser", "le", "la", "mon", "notre", "el", "mi", "nuestro",
    "il", "lo", "mio", "nostro", "de", "het", "mijn", "ons",
];

/// So far behind the lock its number may begin.
const REACH: usize = 80;
/// So many words may stand between them.
const MOST_BETWEEN: usize = 6;

/// Whether a digit stands as near behind the word for a lock that ends at `at` as its number may begin.
pub(super) fn is_before_a_number(text: &str, at: usize) -> bool {
    let behind = text.as_bytes().get(at..).unwrap_or_default();
    let near = behind.iter().take(REACH);
    let mut near = near.take_while(|byte| **byte != b'\n');
    !behind.first().is_some_and(u8::is_ascii_alphanumeric) && near.any(u8::is_ascii_digit)
}

/// The number that the sentence of `noun` gives to a lock.
pub(super) fn stated_number(noun: &Mention<'_>) -> Option<Range<usize>> {
    let word = noun.text.get(noun.range.clone())?.to_lowercase();
    let at = if PRESSES.contains(&word.as_str()) {
        let next = Tokens::of(noun.text, noun.range.end, REACH).next()?;
        (word.ends_with(" with") || is_at_a_door(noun)).then_some(next.start)?
    } else {
        behind_lock(noun, &word)
            .filter(|_| !is_part_of_another(noun) && !is_a_state(noun, &word))?
    };
    number_at(noun.text, at, &word)
}

/// Where the number of a lock begins that the sentence is about.
fn behind_lock(noun: &Mention<'_>, lock: &str) -> Option<usize> {
    let behind = noun.text.get(noun.range.end..)?;
    if let Some(value) = behind.strip_prefix(':') {
        // `lock: 4471` is a line of a program's settings.
        let named = noun.before().trim_end().ends_with(char::is_alphanumeric);
        let value = value.strip_prefix(' ').filter(|_| named)?;
        return Some(noun.text.len() - value.len());
    }
    let at_once = behind.strip_prefix(' ').filter(|it| is_number_alone(it));
    if let Some(number) = at_once.filter(|_| !NUMBERED.contains(&lock)) {
        return Some(noun.text.len() - number.len());
    }
    let mut words = Tokens::of(noun.text, noun.range.end, REACH).take(MOST_BETWEEN + 2);
    let mut first = true;
    while let Some(word) = words.next().filter(|_| behind.starts_with(BLANKS)) {
        let plain = core(word.text);
        let is = |known: &[&str]| known.contains(&plain.as_str());
        if is(IS) {
            return Some(words.next()?.start);
        }
        let opens =
            !first || is(OPENS) || ["by", "beside", "bei", "près"].contains(&plain.as_str());
        if !opens
            || is(DESCRIBES)
            || is(OTHER_CODES)
            || word.text.ends_with(['.', ',', ';', '!', '?'])
        {
            return None;
        }
        if word.text.ends_with(':') {
            return Some(words.next()?.start);
        }
        first = false;
    }
    None
}

/// "Bike shed padlock 7092."
fn is_number_alone(behind: &str) -> bool {
    let rest = behind.trim_start_matches(|c: char| c.is_ascii_digit());
    let alone = rest.len() < behind.len() && ends_clause(rest);
    alone || digits_in_groups(behind).is_some()
}

/// "The height of the lock": the number is that of what stands before.
fn is_part_of_another(noun: &Mention<'_>) -> bool {
    const MOST: usize = 4;
    let clause = noun
        .before()
        .rsplit([',', ';', '.', '(', ':'])
        .next()
        .unwrap_or_default();
    let words: Vec<String> = clause
        .split_whitespace()
        .rev()
        .take(MOST)
        .map(core)
        .collect();
    let article = words
        .iter()
        .position(|word| ARTICLES.contains(&word.as_str()));
    let led = |word: &String| {
        OPENS.contains(&word.as_str()) && !ARTICLES.contains(&word.as_str()) || word == "with"
    };
    match article {
        Some(at) => words.get(at + 1).is_some_and(led),
        None => words.iter().any(led),
    }
}

/// "It is safe": an adjective, before which no article stands.
fn is_a_state(noun: &Mention<'_>, lock: &str) -> bool {
    let mut before = noun.before().split_whitespace().rev().map(core);
    lock == "safe"
        && !before
            .next()
            .is_some_and(|word| ARTICLES.contains(&word.as_str()))
}

/// Whether the sentence tells of a door.
fn is_at_a_door(noun: &Mention<'_>) -> bool {
    let ends = ['.', ';', '!', '?'];
    let before = noun.before().rsplit(ends).next().unwrap_or_default();
    let words = Tokens::of(noun.text, noun.range.end, REACH);
    let mut ended = false;
    let behind = words.take_while(|word| {
        let goes_on = !ended;
        ended = word.text.ends_with(ends);
        goes_on
    });
    let words = before.split_whitespace().map(core);
    words
        .chain(behind.map(|word| core(word.text)))
        .any(|word| DOORS.contains(&word.as_str()))
}

/// What a lock takes at `at`, and no year; an alarm rings at a time of day.
fn number_at(text: &str, at: usize, noun: &str) -> Option<Range<usize>> {
    let line = text.get(at..)?.split('\n').next()?;
    if let Some(len) = digits_in_groups(line) {
        return Some(at..at + len);
    }
    let token = bare_token(text, at);
    let value = text.get(token.clone())?;
    let behind = text.get(token.end..)?;
    let plain = value.len() == 4 && value.bytes().all(|b| b.is_ascii_digit());
    let year = plain && (value.starts_with("19") || value.starts_with("20"));
    let (hour, minute) = value.split_at_checked(2)?;
    let time = plain && noun.starts_with("alarm") && hour < "24" && minute < "60";
    let led = ends_clause(behind) || behind.starts_with(BLANKS);
    (led && !year && !time && !value.contains(['.', '/']) && is_number(value, behind))
        .then_some(token)
}
