//! How statements are handed over: the words in front of one that are no part of it, and questions that tell.

use super::class::VERB;
use super::token::Token;
use super::words::sketches_of_first;

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
    &["just", "so", "you", "know"],
    &["for", "your", "information"],
    &["for", "the", "record"],
    &["by", "the", "way"],
    &["just", "fyi"],
    &["fyi"],
    &["btw"],
];

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
