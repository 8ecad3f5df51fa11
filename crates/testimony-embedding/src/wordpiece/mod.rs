//! Texts as the tokens that models of the BERT family read.
//!
//! Equal to the reference tokeniser of these models but for one thing: the names of special tokens, such as `[SEP]`, are
//! ordinary text here, because what people write must not be able to steer the model.

mod normal;
mod vocabulary;

pub use normal::Casing;
pub use vocabulary::{Vocabulary, VocabularyError};

/// A word of more characters than this is unknown as a whole.
const LONGEST_WORD_CHARACTERS: usize = 100;

/// The number of a token, which is also its row in the table of the model.
pub type TokenId = u32;

/// A vocabulary and how texts are prepared for it.
#[derive(Clone, Debug)]
pub struct WordPiece {
    vocabulary: Vocabulary,
    casing: Casing,
}

impl WordPiece {
    /// A tokeniser.
    #[must_use]
    pub const fn new(vocabulary: Vocabulary, casing: Casing) -> Self {
        Self { vocabulary, casing }
    }

    /// Its vocabulary.
    #[must_use]
    pub const fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The tokens of a text, without special ones.
    #[must_use]
    pub fn tokens(&self, text: &str) -> Vec<TokenId> {
        let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
        self.each_token(text, usize::MAX, &mut |token| tokens.push(token));
        tokens
    }

    /// Calls `take` with at most `limit` tokens, and reads no further in the text than they need.
    pub fn each_token(&self, text: &str, limit: usize, take: &mut dyn FnMut(TokenId)) {
        let mut left = limit;
        normal::each_word(text, self.casing, &mut |word| {
            self.vocabulary.each_piece(word, &mut |token| {
                if left > 0 {
                    left -= 1;
                    take(token);
                }
            });
            left > 0
        });
    }
}
