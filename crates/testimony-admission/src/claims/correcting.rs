//! Words by which a speaker takes back what was said before: they stay with the statement, which replaces the other by them.

use super::token::Token;
use super::words::sketches_of_first;

/// What is said in front of the statement that holds instead.
const OPENERS: &[&[&str]] = &[
    &["i", "was", "wrong"],
    &["i", "was", "mistaken"],
    &["i", "made", "a", "mistake"],
    &["i", "got", "that", "wrong"],
    &["i", "misspoke"],
    &["my", "mistake"],
    &["my", "bad"],
    &["scratch", "that"],
    &["ich", "lag", "falsch"],
    &["ich", "habe", "mich", "geirrt"],
    &["mein", "fehler"],
    &["je", "me", "suis", "trompé"],
    &["je", "me", "suis", "trompée"],
    &["me", "equivoqué"],
    &["mi", "sono", "sbagliato"],
    &["mi", "sono", "sbagliata"],
];

/// Whether `tokens` say no more than that something was wrong, an excuse in front of it aside.
pub(crate) fn corrects(text: &str, tokens: &[Token]) -> bool {
    const LONGEST: usize = 8;
    const FIRST_WORDS: u64 = sketches_of_first(OPENERS);
    if tokens.len() > LONGEST {
        return false;
    }
    let worded = tokens.iter().filter(|token| !token.is_any_mark());
    let may_open = |token: &Token| FIRST_WORDS >> token.sketch & 1 != 0;
    if !worded.clone().take(2).any(may_open) {
        return false;
    }
    let words: Vec<String> = worded.map(|token| token.of(text).to_lowercase()).collect();
    OPENERS.iter().any(|opener| {
        let before = words.len().checked_sub(opener.len());
        before.is_some_and(|before| {
            before <= 1
                && words
                    .iter()
                    .skip(before)
                    .map(String::as_str)
                    .eq(opener.iter().copied())
        })
    })
}
