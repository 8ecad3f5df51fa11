//! Plain words that a sentence states as a password: `the password for Netflix is …`, `the wifi is …, password …`.
//!
//! Nothing about such a word shows that somebody chose it, so the sentence has to: it says of the password alone what it
//! is, and ends its clause with the word. A word that tells a state, a rule, a place, a time or an owner is none; closed
//! lists and endings tell it. A word that everybody knows as a password, and a number of four or five digits, need a verb
//! that says so.
//! The word is everybody's, so it is taken out where it is stated and looked for nowhere else.

use std::ops::Range;

use super::led::behind_change;
use super::line::{BLANKS, Token, Tokens, bare_token, core, quoted, without_bold};
use super::plain_words::{
    BEFORE_NAMES, BREAKS, DEEDS, JOINTS, KNOWN, KNOWN_IN_QUOTES, NETS, OF_ANYTHING, OF_GERMAN,
    OPENED, PASSWORDS, STATES, STATES_BY_ENDING, STILL, STORIES,
};
use super::stated::{Mention, ends_clause};
use super::stated_words::{DESCRIBES, FUNCTION_WORDS, INSTANCES, NOUNS, OPENS, SETS, TO, USERS};
use super::typed::{is_number, says_something_else};

/// The rule for plain words.
pub(super) const PLAIN_RULE: &str = "beside_plain";
/// So many words may stand between the noun and what says what it is.
const MOST_BETWEEN: usize = 8;
/// So far behind the noun the word may begin.
const REACH: usize = 100;
/// How many letters a password has. Shorter words are more often remarks.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=32;

/// What leads to the word.
#[derive(Clone, Copy)]
enum Led {
    /// A verb that says what the password is.
    Verb(&'static str),
    /// What sets it.
    Set,
    /// A colon behind it.
    Sign,
    /// A name that it belongs to stands before it, and nothing between.
    Name,
}

/// The plain word that the sentence of `noun` states.
pub(super) fn stated_word(noun: &Mention<'_>) -> Option<Range<usize>> {
    // What touches it from before makes it a name of a program: `"password"`, `db_password`.
    let touching = ['"', '\'', '`', '_', '.', '-', '$', '<'];
    if noun.before().ends_with(touching) && !is_compound(noun) {
        return None;
    }
    let behind_change = behind_change(noun).map(|at| (at, Led::Verb("is")));
    let leads = [
        behind_colon(noun),
        behind_name(noun),
        behind_words(noun),
        behind_change,
    ];
    let mut leads = leads.into_iter().flatten();
    let opens = |at| !is_one_of(noun, OF_ANYTHING) || names_what_it_opens(noun, at);
    leads.find_map(|(at, led)| word_at(noun, at, led).filter(|_| opens(at)))
}

/// "La clave del wifi", but not "la clave del éxito".
fn names_what_it_opens(noun: &Mention<'_>, at: usize) -> bool {
    let between = noun.text.get(noun.range.end..at).unwrap_or_default();
    let mut words = between.split_whitespace().map(core);
    words.any(|word| OPENED.contains(&word.as_str()))
}

/// The word at `at`, if it ends its clause and somebody chose it.
fn word_at(noun: &Mention<'_>, at: usize, led: Led) -> Option<Range<usize>> {
    let said = matches!(led, Led::Verb(_) | Led::Set);
    if let Some(inside) = quoted(noun.text, at).filter(|_| said) {
        let word = noun.text.get(inside.clone())?;
        return is_set_apart(word, led).then_some(inside);
    }
    let token = bare_token(noun.text, at);
    let word = noun.text.get(token.clone())?;
    let behind = noun.text.get(token.end..)?;
    if said && is_known(word) && (ends_clause(behind) || goes_on_behind_it(behind)) {
        return Some(token);
    }
    let ends = match led {
        Led::Name => ends_clause(behind) && !ends_code(behind),
        Led::Sign => (ends_clause(behind) || is_joined(behind)) && !ends_code(behind),
        Led::Set | Led::Verb(_) => ends_clause(behind) || is_joined(behind),
    };
    if said && ends && is_short_number(word) {
        return Some(token);
    }
    let large = !is_one_of(noun, OF_GERMAN) || word.starts_with(char::is_uppercase);
    (ends && large && is_chosen(word, led)).then_some(token)
}

/// A word in quotes behind what says what the password is: it stands for itself, unless it tells a state.
fn is_set_apart(word: &str, led: Led) -> bool {
    let lower = word.to_lowercase();
    is_known(word) || KNOWN_IN_QUOTES.contains(&lower.as_str()) || is_chosen(word, led)
}

/// A word that everybody knows as a password.
fn is_known(word: &str) -> bool {
    KNOWN.contains(&word.to_lowercase().as_str())
}

/// "… admin on every printer": behind a known word nothing else can be meant.
fn goes_on_behind_it(behind: &str) -> bool {
    let opened = behind.trim_start_matches(BLANKS);
    let next = core(opened.split(BLANKS).next().unwrap_or_default());
    is_joined(behind) || opened.len() < behind.len() && FUNCTION_WORDS.contains(&next.as_str())
}

/// Longer numbers are found by other rules, wherever they stand.
fn is_short_number(word: &str) -> bool {
    (4..=5).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && is_number(word, "")
}

/// `WLAN-Passwort`: letters, a bar and the noun.
fn is_compound(noun: &Mention<'_>) -> bool {
    let before = noun.before().strip_suffix('-').unwrap_or_default();
    before.ends_with(char::is_alphabetic)
}

fn is_one_of(noun: &Mention<'_>, words: &[&str]) -> bool {
    let word = noun.text.get(noun.range.clone()).unwrap_or_default();
    words.contains(&word.to_lowercase().as_str())
}

/// "Wifi password: …": a colon right behind the noun. In lower case at the beginning of a line it is the key of a program.
fn behind_colon(noun: &Mention<'_>) -> Option<(usize, Led)> {
    let behind = without_bold(noun.text.get(noun.range.end..)?);
    let value = behind.trim_start_matches(BLANKS).strip_prefix(':')?;
    let value = without_bold(value);
    let word = value.trim_start_matches(BLANKS);
    let told = noun
        .text
        .get(noun.range.start..)?
        .starts_with(char::is_uppercase)
        || noun
            .before()
            .trim_end()
            .ends_with(|c: char| c.is_alphanumeric() || c == ',');
    (told && word.len() < value.len()).then_some((noun.text.len() - word.len(), Led::Sign))
}

/// "The wifi is Heron, password …": the word follows at once where a network or a user was named before.
fn behind_name(noun: &Mention<'_>) -> Option<(usize, Led)> {
    let next = Tokens::of(noun.text, noun.range.end, REACH).next()?;
    let before = noun.before().trim_end();
    let apart = before.ends_with([',', ';', '/', '–', '—', '-']) || ends_with_joint(before);
    if !apart
        || !next
            .text
            .ends_with(|c: char| c.is_alphabetic() || matches!(c, '.' | ',' | ';' | ')' | '!'))
    {
        return None;
    }
    let words: Vec<String> = before.split_whitespace().map(core).collect();
    let named = |word: &String| NETS.contains(&word.as_str()) || USERS.contains(&word.as_str());
    // Something has to stand between "wifi" and the comma: its name.
    let (_, head) = words.split_last()?;
    head.iter().any(named).then_some((next.start, Led::Name))
}

fn ends_with_joint(before: &str) -> bool {
    let last = before.split_whitespace().next_back().map(core);
    last.is_some_and(|word| JOINTS.contains(&word.as_str()))
}

/// "The password for Netflix is …", "… for the school portal: …", "we changed the password to …".
fn behind_words(noun: &Mention<'_>) -> Option<(usize, Led)> {
    let mut words = words_behind(noun)?.take(MOST_BETWEEN + 3).peekable();
    let takes_names = is_one_of(noun, BEFORE_NAMES);
    let (mut first, mut set) = (true, false);
    while let Some(word) = words.next() {
        let plain = core(word.text);
        let is = |known: &[&str]| known.contains(&plain.as_str());
        if let Some(verb) = verb_of(&plain) {
            let still = |word: &Token<'_>| STILL.contains(&core(word.text).as_str());
            while words.next_if(still).is_some() {}
            let value = words.next()?;
            set = SETS.contains(&core(value.text).as_str());
            if !set {
                return Some((value.start, Led::Verb(verb)));
            }
            continue;
        }
        if first && is(SETS) && !is(DEEDS) {
            (first, set) = (false, true);
            continue;
        }
        if is(TO) && (set || noun.follows_change()) {
            return Some((words.next()?.start, Led::Set));
        }
        let named = || takes_names && word.text.starts_with(char::is_uppercase);
        let opens = !first || is(OPENS) || plain.contains(['\'', '’']) || named();
        if !opens || is(BREAKS) || is(STORIES) || word.text.ends_with(['.', ',', ';', '!', '?']) {
            return None;
        }
        if word.text.ends_with(':') {
            return (!is(INSTANCES)).then_some((words.next()?.start, Led::Sign));
        }
        first = false;
    }
    None
}

/// The words behind the noun and what closes the quotes around it.
fn words_behind<'t>(noun: &Mention<'t>) -> Option<Tokens<'t>> {
    let behind = noun.text.get(noun.range.end..)?;
    let behind = behind.strip_prefix(['"', '»', '”', '’']).unwrap_or(behind);
    let apart = behind.starts_with(BLANKS);
    apart.then(|| Tokens::of(noun.text, noun.text.len() - behind.len(), REACH))
}

/// The verb that `word` is, if it says what a password is.
fn verb_of(word: &str) -> Option<&'static str> {
    let mut verbs = STATES_BY_ENDING.iter().flat_map(|(verbs, _)| *verbs);
    verbs.find(|verb| **verb == word).copied()
}

/// A sign with which a line of a program goes on, or a question.
fn ends_code(behind: &str) -> bool {
    let sign = |rest: &str| rest.is_empty() || rest.starts_with(['\n', '\r']);
    behind.starts_with([')', ';']) || behind.strip_prefix(',').is_some_and(sign)
}

/// "… and the code is …": the sentence goes on with something else.
fn is_joined(behind: &str) -> bool {
    let opened = behind.trim_start_matches(BLANKS);
    let next = opened.split(BLANKS).next().unwrap_or_default();
    opened.len() < behind.len()
        && (next.starts_with(['(', '–', '—']) || JOINTS.contains(&core(next).as_str()))
}

/// Whether somebody chose `word`: it tells no state and names nothing that passwords have.
fn is_chosen(word: &str, led: Led) -> bool {
    let lower = word.to_lowercase();
    let small = word.chars().skip(1).all(char::is_lowercase);
    let large = word.len() > 6 && word.chars().all(char::is_uppercase);
    let plain = word.chars().all(char::is_alphabetic) && (small || large);
    plain
        && LENGTHS.contains(&word.chars().count())
        && !tells_a_state(&lower, led)
        && !says_something_else(word)
        && !names_one(&lower)
}

fn tells_a_state(lower: &str, led: Led) -> bool {
    const SHORTEST: usize = 6;
    let verb = match led {
        Led::Verb(verb) => verb,
        Led::Set | Led::Sign | Led::Name => "is",
    };
    let rows = STATES_BY_ENDING
        .iter()
        .filter(|(verbs, _)| verbs.contains(&verb));
    let mut endings = rows.flat_map(|(_, endings)| *endings);
    let ended = lower.len() >= SHORTEST
        && !lower.ends_with("eed")
        && endings.any(|ending| lower.ends_with(ending));
    ended
        || [STATES, DESCRIBES, FUNCTION_WORDS]
            .iter()
            .any(|known| known.contains(&lower))
}

/// `passwords`, `passcode`: a word of the same kind.
fn names_one(lower: &str) -> bool {
    let mut nouns = NOUNS.iter().flat_map(|(_, nouns)| *nouns);
    nouns.any(|noun| noun.len() > 4 && lower.starts_with(noun)) || PASSWORDS.contains(&lower)
}
