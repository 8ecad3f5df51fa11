//! How statements are handed over: the words in front of one that are no part of it, and questions that tell.

use super::class::*;
use super::clauses::own_subject;
use super::token::{Shape, Token};
use super::words::{Words, any_of, sketches_of_first};

/// How a statement is handed over without being part of it.
const SPOKEN_LEADS: &[&[&str]] = &[
    &["please", "remember", "that"],
    &["please", "note", "that"],
    &["please", "keep", "in", "mind", "that"],
    &["please", "remember"],
    &["remember", "that"],
    &["note", "that"],
    &["keep", "in", "mind", "that"],
    &["do", "n't", "forget", "that"],
    &["do", "not", "forget", "that"],
    &["please", "remind", "me", "that"],
    &["remind", "me", "that"],
    &["remind", "us", "that"],
    &["just", "so", "you", "know"],
    &["for", "your", "information"],
    &["for", "the", "record"],
    &["by", "the", "way"],
    &["for", "what", "it", "'s", "worth"],
    &["for", "what", "it", "’s", "worth"],
    &["just", "fyi"],
    &["fyi"],
    &["btw"],
];

/// Whether `tokens` are such words and nothing else.
pub(crate) fn is_lead(text: &str, tokens: &[Token]) -> bool {
    SPOKEN_LEADS.iter().any(|lead| {
        let mut words = tokens.iter().map(|token| token.of(text));
        lead.len() == tokens.len()
            && lead.iter().all(|part| {
                words
                    .next()
                    .is_some_and(|word| word.eq_ignore_ascii_case(part))
            })
    })
}

/// Where the statement begins behind such words and the comma, colon or dash that follows them.
pub(crate) fn behind_spoken_lead(text: &str, tokens: &[Token]) -> Option<usize> {
    const FIRST_WORDS: u64 = sketches_of_first(SPOKEN_LEADS);
    if FIRST_WORDS >> tokens.first()?.sketch & 1 == 0 {
        return None;
    }
    let lead = SPOKEN_LEADS.iter().find(|lead| {
        lead.iter().enumerate().all(|(at, word)| {
            let token = tokens.get(at).map_or("", |token| token.of(text));
            token.eq_ignore_ascii_case(word)
        })
    })?;
    let behind = tokens.get(lead.len()..)?;
    let start = behind.iter().find(|token| !token.is_any_mark())?;
    // "By the way is the title of …": here they are what is spoken of.
    if start.is(COPULA) {
        return None;
    }
    behind
        .iter()
        .any(|token| token.is(VERB))
        .then_some(start.start)
}

/// What a question states behind `from`, without the mark that it ends with, and where that ends.
pub(crate) fn told_in_question(tokens: &[Token], from: usize) -> Option<(&[Token], usize)> {
    let last = tokens.iter().rposition(|token| !token.is_any_mark())?;
    let told = tokens.get(from..=last)?;
    Some((told, told.last()?.end))
}

/// What is stated behind an order and a pause, and where the order ends: "forget the blue paint, we chose green".
///
/// A pronoun for somebody of whom the order speaks states nothing alone.
pub(crate) fn statement_behind<'t>(
    text: &str,
    tokens: &'t [Token],
) -> Option<(usize, &'t [Token])> {
    let pause = |token: &Token| matches!(token.shape, Shape::Mark(',' | ';' | '—' | '–' | ':'));
    let at = tokens
        .iter()
        .enumerate()
        .skip(1)
        .take(LONGEST_ORDER)
        .find(|(at, token)| pause(token) && states_itself(text, tokens, at + 1))?
        .0;
    let end = tokens.get(at.checked_sub(1)?)?.end;
    Some((end, tokens.get(at + 1..)?))
}

/// "User says": somebody speaks, and nothing is told of what.
pub(super) fn only_says_who_speaks(text: &str, tokens: &[Token]) -> bool {
    const MOST_WORDS: usize = 4;
    let words = || tokens.iter().filter(|token| !token.is_any_mark());
    let says = any_of![
        "says", "said", "sagt", "sagte", "dit", "dice", "dijo", "writes", "wrote"
    ];
    words().count() <= MOST_WORDS
        && words().nth(1).is_some()
        && words()
            .next_back()
            .is_some_and(|last| says.hold(last, text))
        && !words().any(|token| token.is(FIRST | NEGATION))
}

/// An order in front of a statement has at most so many tokens.
const LONGEST_ORDER: usize = 24;

/// Whether a statement with a subject of its own begins at `at`.
fn states_itself(text: &str, tokens: &[Token], at: usize) -> bool {
    let first = tokens.get(at);
    let leans = first.is_some_and(|token| {
        token.is(PRONOUN) && !token.is(FIRST | PLURAL_FIRST | ARTICLE | POSSESSIVE)
    });
    !leans && own_subject(text, tokens, at)
}

/// What people say in front of a sentence without saying anything by it.
#[rustfmt::skip]
const OPENERS: &Words = &Words::of(&[
    "honestly", "frankly", "seriously", "basically", "obviously", "otherwise", "anyway", "anyways", "luckily", "sadly", "funnily", "weirdly", "guys", "dude", "folks",
    "omg", "lol", "haha", "hahaha", "hehe", "lmao", "rofl", "ugh", "wow", "whoa", "yay", "yikes", "oops", "gosh", "hmm", "hm", "mm", "ah", "aw", "aww", "ooh", "phew", "meh", "eh", "oof", "welp", "nah", "yep", "yup", "nope", "tbh", "ngl", "imo", "btw", "fyi",
    "ehrlich", "übrigens", "naja", "tja", "sonst", "ansonsten", "mensch", "boah", "puh", "ach", "hach", "juhu",
    "bueno", "pues", "oye", "jaja", "jajaja", "vaya", "uf", "uy", "ay", "madre", "sinceramente", "menos",
    "bref", "bon", "alors", "ben", "bah", "hein", "franchement", "honnêtement", "sinon", "mdr", "sérieusement", "oups", "zut", "ouf",
]);

/// How many of these stand in front of the words from `at` on: a comma follows, or a subject that is no name.
pub(crate) fn openers(text: &str, tokens: &[Token], at: usize) -> usize {
    let taken = tokens
        .iter()
        .skip(at)
        .take(MOST_OPENERS)
        .take_while(|token| {
            OPENERS.hold(token, text) || token.beyond_ascii && holds_folded(text, token)
        })
        .count();
    let next = tokens.get(at + taken);
    let goes_on = next.is_some_and(|next| {
        next.is_any_mark()
            || next.is(PRONOUN | ARTICLE | POSSESSIVE) && !next.is(COORDINATOR)
            || next.shape == Shape::Word && !next.capital && !next.is(VERB | PREPOSITION | FUNCTION)
    });
    if goes_on { taken } else { 0 }
}

/// So many openers in front of one sentence at most.
const MOST_OPENERS: usize = 3;

fn holds_folded(text: &str, token: &Token) -> bool {
    OPENERS.hold_word(&token.of(text).to_lowercase())
}
