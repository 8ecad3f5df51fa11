//! Sentences of a language that the tables do not know, or know in part.

use super::lexicon::Language;
use super::token::{Shape, Token};

/// Whether it ends as a sentence does, and few of its words are known.
pub(super) fn is_foreign(said: &str, tokens: &[Token], language: Language) -> bool {
    if !said.ends_with(['.', '。', '।', '؟', '۔']) {
        return false;
    }
    let words = tokens.iter().filter(|t| t.shape == Shape::Word);
    let (known, all) = words.fold((0, 0), |(known, all), token| {
        (known + usize::from(token.lexeme.is_some()), all + 1)
    });
    let unspaced = !said.is_ascii() && said.chars().take(4).all(|c| c >= '\u{0e00}');
    // In a language whose verbs are known in part only, a small word of no table may be the verb.
    let may_carry =
        |token: &Token| token.shape == Shape::Word && !token.capital && token.lexeme.is_none();
    let partly_known =
        language != Language::English && all >= 4 && tokens.iter().skip(1).any(may_carry);
    known * 2 <= all && (all >= 2 || unspaced) || partly_known
}
