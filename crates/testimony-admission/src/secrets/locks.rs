//! Numbers that a lock or a door is said to have, without a word for codes: `the lock on the shed is 8841`, `to get in
//! press 4471`, `the gate needs 7713`, `5518 opens the garage`.
//!
//! A lock has such a number; a door has it where the sentence says that it wants one or that somebody presses one there.
//! What may be a year, a time of day, a sum, somebody's extension or a count of something is left.

use std::ops::Range;

use super::line::{BLANKS, Tokens, bare_token, core, without_bold};
use super::lock_words::{
    ARTICLES, ASIDES, ASKED, CALLED, DOORS, GETTING_IN, HANDLING, IS, LOCKS, NO_ENTRANCES,
    NUMBERED, OF_SUMS, OPENERS, OPENING, PRESSES, PRESSES_APART, USES, WANTS, WHEN_OR_WHERE, WITH,
    WITH_KEYS,
};
use super::stated::{Mention, ends_clause};
use super::stated_words::{DESCRIBES, FUNCTION_WORDS, OPENS, OTHER_CODES};
use super::typed::{digits_in_groups, is_number};

/// The rule for numbers that a lock has.
pub(super) const LOCK_RULE: &str = "beside_lock";

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

/// Whether a number ends right before the word that begins at `at`, as one does that opens something.
pub(super) fn is_behind_a_number(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    let number = before.strip_suffix(b" ").and_then(<[u8]>::last);
    number.is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'#' | b'*'))
}

/// The number that the sentence of `noun` gives to a lock or a door.
pub(super) fn stated_number(noun: &Mention<'_>) -> Option<Range<usize>> {
    let word = noun.text.get(noun.range.clone())?.to_lowercase();
    let is = |known: &[&str]| known.contains(&word.as_str());
    if is(PRESSES) {
        let at = pressed_at_once(noun)?;
        (word.ends_with(" with") || is_at_a_door(noun)).then_some(())?;
        number_at(noun.text, at, &word)
    } else if is(PRESSES_APART) {
        is_at_a_door(noun).then(|| pressed_apart(noun))?
    } else if is(USES) {
        is_at_a_door(noun).then(|| used_at(noun, pressed_at_once(noun)?))?
    } else if is(OPENERS) {
        opener(noun)
    } else {
        of_a_thing(noun, &word)
    }
}

fn pressed_at_once(noun: &Mention<'_>) -> Option<usize> {
    let next = Tokens::of(noun.text, noun.range.end, REACH).next()?;
    Some(next.start)
}

/// "Tapez le 5093", "gib am Tor 8812 ein", "am Tor 8812 drücken".
fn pressed_apart(noun: &Mention<'_>) -> Option<Range<usize>> {
    const MOST: usize = 5;
    let mut ended = false;
    let mut words = Tokens::of(noun.text, noun.range.end, REACH)
        .take(MOST)
        .take_while(|word| {
            let goes_on = !ended;
            ended = word.text.ends_with(['.', ',', ';', '!', '?']);
            goes_on
        });
    let behind = words.find_map(|word| number_at(noun.text, word.start, ""));
    behind.or_else(|| number_before(noun))
}

/// The number right before `noun`.
fn number_before(noun: &Mention<'_>) -> Option<Range<usize>> {
    let before = noun.before().strip_suffix(' ')?;
    let number = before.rsplit(' ').next()?;
    let end = noun.range.start - 1;
    opens(number, "", "").then(|| end - number.len()..end)
}

/// "Use 2290 at the side door": no sum, and nothing beside which a door is only named.
fn used_at(noun: &Mention<'_>, at: usize) -> Option<Range<usize>> {
    let found = number_at(noun.text, at, "")?;
    let fits = !is_round(noun.text.get(found.clone())) && !names_what_is_at_a_door(noun, found.end);
    fits.then_some(found)
}

/// "The lobby screen": what a number is used for behind `from` is only named after a door.
fn names_what_is_at_a_door(noun: &Mention<'_>, from: usize) -> bool {
    let words: Vec<&str> = Tokens::of(noun.text, from, REACH)
        .map(|it| it.text)
        .collect();
    let is = |word: &str, known: &[&str]| known.contains(&core(word).as_str());
    words.array_windows().any(|[door, next]| {
        let apart =
            !door.ends_with(char::is_alphanumeric) || !next.starts_with(char::is_alphabetic);
        is(door, DOORS)
            && !apart
            && !is(next, FUNCTION_WORDS)
            && !is(next, OPENS)
            && !is(next, WITH_KEYS)
            && !is_door(&core(next))
    })
}

/// "5518 opens the garage": the number begins its clause, since behind another word it is the number of that.
fn opener(noun: &Mention<'_>) -> Option<Range<usize>> {
    const MOST: usize = 4;
    let found = number_before(noun)?;
    let before = noun.text.get(..found.start)?.trim_end_matches(BLANKS);
    let last = core(before.rsplit([' ', '\n']).next().unwrap_or_default());
    let begins = before.is_empty()
        || !before.ends_with(char::is_alphanumeric)
        || FUNCTION_WORDS.contains(&last.as_str());
    let mut words = Tokens::of(noun.text, noun.range.end, REACH).take(MOST);
    let mut opened = || {
        let word = noun.text.get(noun.range.clone()).unwrap_or_default();
        word.contains(' ') || words.any(|word| is_door(&core(word.text)))
    };
    (begins && opened()).then_some(found)
}

fn is_door(word: &str) -> bool {
    [DOORS, LOCKS, ASKED]
        .iter()
        .any(|known| known.contains(&word))
}

/// What is said of the lock or the door itself.
fn of_a_thing(noun: &Mention<'_>, thing: &str) -> Option<Range<usize>> {
    if let Some(at) = wanted(noun) {
        return demanded_at(noun.text, at, thing);
    }
    if ASKED.contains(&thing) {
        let at = is_handled(noun).then(|| behind_lock(noun, thing))??;
        return number_at(noun.text, at, thing);
    }
    let at = behind_lock(noun, thing)?;
    let own = !is_part_of_another(noun) && !is_a_state(noun, thing);
    own.then(|| number_at(noun.text, at, thing))?
}

/// "The gate needs …", "you can open the lockbox with …".
fn wanted(noun: &Mention<'_>) -> Option<usize> {
    const MOST: usize = 5;
    let mut words = Tokens::of(noun.text, noun.range.end, REACH)
        .take(MOST)
        .peekable();
    let is = |word: &str, known: &[&str]| known.contains(&core(word).as_str());
    loop {
        let word = words.next()?;
        let opened = || opens_before(noun);
        if is(word.text, WANTS) || is(word.text, WITH) && opened() {
            break;
        }
        if word.text.ends_with(['.', ',', ';', '!', '?', ':']) || is(word.text, IS) {
            return None;
        }
    }
    while words.next_if(|word| is(word.text, ASIDES)).is_some() {}
    Some(words.next()?.start)
}

/// Whether what opens something stands before `noun` in its clause.
fn opens_before(noun: &Mention<'_>) -> bool {
    const MOST: usize = 5;
    let clause = noun.before().rsplit([',', ';', '.', '(', ':']).next();
    let clause = clause.unwrap_or_default();
    let mut words = clause.split_whitespace().rev().take(MOST).map(core);
    words.any(|word| OPENING.contains(&word.as_str())) || gets_in(&clause.to_lowercase())
}

/// What a door wants at `at`: no sum, and nothing that it wants for something else.
fn demanded_at(text: &str, at: usize, thing: &str) -> Option<Range<usize>> {
    let found = number_at(text, at, thing)?;
    let mut behind = Tokens::of(text, found.end, REACH).map(|word| core(word.text));
    let next = behind.next().unwrap_or_default();
    let apart = ends_clause(text.get(found.end..)?);
    let mut opening = || {
        behind
            .next()
            .is_some_and(|word| OPENING.contains(&word.as_str()))
    };
    let sum = is_round(text.get(found.clone()))
        || !apart && OF_SUMS.contains(&next.as_str()) && !opening();
    (!sum).then_some(found)
}

/// `4500`: what ends in two noughts is more often a sum.
fn is_round(number: Option<&str>) -> bool {
    number.is_some_and(|number| number.ends_with("00"))
}

/// "The shed is 3306, then turn the handle".
fn is_handled(noun: &Mention<'_>) -> bool {
    let mut words = Tokens::of(noun.text, noun.range.end, REACH);
    words
        .any(|word| word.text.ends_with(['#', '*']) || HANDLING.contains(&core(word.text).as_str()))
}

/// Where the number of a lock begins that the sentence is about.
fn behind_lock(noun: &Mention<'_>, lock: &str) -> Option<usize> {
    let behind = noun.text.get(noun.range.end..)?;
    if let Some(value) = without_bold(behind).strip_prefix(':') {
        // `lock: 4471` is a line of a program's settings.
        let named = noun.before().trim_end().ends_with(char::is_alphanumeric);
        let value = without_bold(value).strip_prefix(' ').filter(|_| named)?;
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

/// Whether the sentence tells of a door, or of getting in, and of nobody who is called.
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
    let mut words: Vec<String> = before.split_whitespace().map(core).collect();
    words.extend(behind.map(|word| core(word.text)));
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    !has(CALLED) && (has(DOORS) || has(OPENING) || gets_in(&words.join(" ")))
}

/// "To get in", but not "to get in touch".
fn gets_in(sentence: &str) -> bool {
    GETTING_IN.iter().any(|words| {
        let behind = sentence.split_once(words).map(|(_, behind)| behind);
        behind.is_some_and(|behind| {
            let next = behind.split_whitespace().next().unwrap_or_default();
            behind.is_empty() || behind.starts_with(' ') && !NO_ENTRANCES.contains(&next)
        })
    })
}

/// What a lock takes at `at`.
fn number_at(text: &str, at: usize, noun: &str) -> Option<Range<usize>> {
    let line = text.get(at..)?.split('\n').next()?;
    if let Some(len) = digits_in_groups(line) {
        return Some(at..at + len);
    }
    let token = bare_token(text, at);
    let behind = text.get(token.end..)?;
    let led = ends_clause(behind) || behind.starts_with(BLANKS);
    (led && opens(text.get(token.clone())?, behind, noun)).then_some(token)
}

/// Whether `value` could open `noun`: no year, nothing of which the sentence tells what it is, and an alarm rings at a time
/// of day.
fn opens(value: &str, behind: &str, noun: &str) -> bool {
    let plain = value.len() == 4 && value.bytes().all(|b| b.is_ascii_digit());
    let year = plain && (value.starts_with("19") || value.starts_with("20"));
    let clock = value.split_at_checked(2);
    let timed = clock.is_some_and(|(hour, minute)| hour < "24" && minute < "60");
    let time = plain && noun.starts_with("alarm") && timed;
    let next = core(behind.split_whitespace().next().unwrap_or_default());
    let told = WHEN_OR_WHERE.contains(&next.as_str());
    let counted = if told { "" } else { behind };
    let other = ["of", "as"].contains(&next.as_str())
        || IS.contains(&next.as_str())
        || value.contains(['.', '/']);
    !year && !time && !other && is_number(value, counted)
}
