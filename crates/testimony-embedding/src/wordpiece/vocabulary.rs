//! The tokens of a model, and how a word is cut into them.

use rustc_hash::FxHashMap;

use super::{LONGEST_WORD_CHARACTERS, TokenId};

/// What marks a token that goes on a word.
const CONTINUES: &str = "##";
/// The token for what no token stands for.
const UNKNOWN: &str = "[UNK]";

/// The tokens of a model.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    beginnings: Pieces,
    continuations: Pieces,
    unknown: TokenId,
    size: usize,
}

/// Pieces of words by their text.
#[derive(Clone, Debug, Default)]
struct Pieces {
    ids: FxHashMap<Box<str>, TokenId>,
    longest_bytes: usize,
}

/// Why tokens make no [`Vocabulary`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VocabularyError {
    /// The token for unknown words is missing.
    #[error("the vocabulary lacks `[UNK]`; it is none of a WordPiece model")]
    NoUnknown,
    /// A token stands twice.
    #[error("token {index} of the vocabulary stands there twice")]
    Twice {
        /// Where it stands the second time, from 0.
        index: usize,
    },
    /// There are more tokens than can be numbered.
    #[error("the vocabulary holds more tokens than 32 bits can number")]
    TooMany,
}

impl Vocabulary {
    /// A vocabulary of tokens whose place is their number.
    ///
    /// # Errors
    /// [`VocabularyError`] when a token stands twice or the one for unknown words is missing.
    pub fn new<'a>(tokens: impl IntoIterator<Item = &'a str>) -> Result<Self, VocabularyError> {
        let (mut beginnings, mut continuations) = (Pieces::default(), Pieces::default());
        let mut size = 0;
        for (index, token) in tokens.into_iter().enumerate() {
            let id = TokenId::try_from(index).map_err(|_| VocabularyError::TooMany)?;
            let is_new = match token.strip_prefix(CONTINUES) {
                Some(piece) if !piece.is_empty() => continuations.add(piece, id),
                Some(_) | None => beginnings.add(token, id),
            };
            if !is_new {
                return Err(VocabularyError::Twice { index });
            }
            size = index + 1;
        }
        let unknown = beginnings.ids.get(UNKNOWN).copied();
        Ok(Self {
            unknown: unknown.ok_or(VocabularyError::NoUnknown)?,
            beginnings,
            continuations,
            size,
        })
    }

    /// How many tokens there are.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The tokens, each in its place and as it is written in the vocabulary.
    #[must_use]
    pub fn tokens(&self) -> Vec<String> {
        let mut tokens = vec![String::new(); self.size];
        let all = self
            .beginnings
            .marked("")
            .chain(self.continuations.marked(CONTINUES));
        for (token, id) in all {
            if let Some(place) = usize::try_from(id).ok().and_then(|at| tokens.get_mut(at)) {
                *place = token;
            }
        }
        tokens
    }

    /// The number of a token that is written as it stands in the vocabulary.
    #[must_use]
    pub fn id(&self, token: &str) -> Option<TokenId> {
        match token.strip_prefix(CONTINUES) {
            Some(piece) if !piece.is_empty() => self.continuations.ids.get(piece).copied(),
            Some(_) | None => self.beginnings.ids.get(token).copied(),
        }
    }

    /// Cuts a word into the longest pieces from the left; a word that cannot be cut to its end is unknown as a whole.
    pub(super) fn each_piece(&self, word: &str, take: &mut dyn FnMut(TokenId)) {
        if let Some(id) = self.beginnings.ids.get(word)
            && !is_too_long(word)
        {
            return take(*id);
        }
        match self.cut(word) {
            Some(pieces) => pieces.into_iter().for_each(take),
            None => take(self.unknown),
        }
    }

    fn cut(&self, word: &str) -> Option<Vec<TokenId>> {
        if is_too_long(word) {
            return None;
        }
        let (first, mut rest) = self.beginnings.longest(word)?;
        let mut found = vec![first];
        while !rest.is_empty() {
            let (next, after) = self.continuations.longest(rest)?;
            found.push(next);
            rest = after;
        }
        Some(found)
    }
}

fn is_too_long(word: &str) -> bool {
    word.len() > LONGEST_WORD_CHARACTERS && word.chars().count() > LONGEST_WORD_CHARACTERS
}

impl Pieces {
    /// Whether it was not there before.
    fn add(&mut self, piece: &str, id: TokenId) -> bool {
        self.longest_bytes = self.longest_bytes.max(piece.len());
        self.ids.insert(piece.into(), id).is_none()
    }

    fn marked(&self, mark: &str) -> impl Iterator<Item = (String, TokenId)> {
        self.ids
            .iter()
            .map(move |(piece, id)| (format!("{mark}{piece}"), *id))
    }

    /// The longest piece that `text` begins with, and what follows it.
    fn longest<'t>(&self, text: &'t str) -> Option<(TokenId, &'t str)> {
        (1..=text.len().min(self.longest_bytes))
            .rev()
            .filter_map(|end| text.split_at_checked(end))
            .find_map(|(piece, rest)| Some((*self.ids.get(piece)?, rest)))
    }
}
