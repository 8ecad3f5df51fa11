//! The default embedder: a text is the sum of the rows of its tokens.

use std::sync::{Arc, OnceLock};

use crate::table::{self, TableError};
use crate::wordpiece::{Casing, TokenId, Vocabulary, WordPiece};
use testimony_service::ports::embedder::{
    Calibration, EmbedError, Embedder, EmbedderIdentity, Vector,
};

/// Distilled from all-MiniLM-L6-v2; see NOTICE and docs/embedding.md.
static BUILT_IN: &[u8] = include_bytes!("../table/all-minilm-l6-v2.table");

/// What a text may have in tokens; of a longer one the beginning counts, as with the model that the table comes from.
const MOST_TOKENS: usize = 4_096;

/// An embedder that is a table: no model, no file, no network, a few microseconds a sentence.
///
/// ```
/// use testimony_embedding::{Embedder, StaticEmbedder};
///
/// let embedder = StaticEmbedder::built_in()?;
/// let texts = ["The cat sleeps on the sofa.", "A kitten naps on the couch.", "Interest rates rose again."];
/// let vectors: Vec<_> = embedder.embed(&texts)?.into_iter().flatten().collect();
/// assert!(vectors[0].cosine(&vectors[1])? > vectors[0].cosine(&vectors[2])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct StaticEmbedder {
    shared: Arc<Shared>,
}

struct Shared {
    identity: EmbedderIdentity,
    calibration: Option<Calibration>,
    tokeniser: WordPiece,
    scales: Vec<f32>,
    rows: Rows,
}

enum Rows {
    BuiltIn(&'static [u8]),
    Loaded(Box<[u8]>),
}

impl Rows {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::BuiltIn(bytes) => bytes,
            Self::Loaded(bytes) => bytes,
        }
    }
}

impl StaticEmbedder {
    /// The embedder inside the binary. It is read and checked once, however often this is called.
    ///
    /// # Errors
    /// [`TableError`] when the binary is damaged.
    pub fn built_in() -> Result<Self, TableError> {
        static ONCE: OnceLock<Result<StaticEmbedder, TableError>> = OnceLock::new();
        let read = || {
            let table = table::read(BUILT_IN)?;
            let rows = Rows::BuiltIn(table.rows);
            Self::from_table(table, rows)
        };
        ONCE.get_or_init(read).clone()
    }

    /// An embedder from the bytes of a table that `cargo xtask distill` has made.
    ///
    /// # Errors
    /// [`TableError`] when the bytes are no table or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TableError> {
        let table = table::read(bytes)?;
        let rows = Rows::Loaded(table.rows.into());
        Self::from_table(table, rows)
    }

    fn from_table(table: table::Table<'_>, rows: Rows) -> Result<Self, TableError> {
        let vocabulary = Vocabulary::new(table.vocabulary.lines())?;
        let shared = Shared {
            identity: EmbedderIdentity {
                name: table.name.to_owned(),
                revision: table.revision,
                dimensions: table.dimensions,
            },
            calibration: table.calibration,
            tokeniser: WordPiece::new(vocabulary, Casing::UNCASED),
            scales: table.scales,
            rows,
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// The tokeniser of the table.
    #[must_use]
    pub fn tokeniser(&self) -> &WordPiece {
        &self.shared.tokeniser
    }

    /// The vector of one text; `None` for a text that says nothing.
    #[must_use]
    pub fn embed_one(&self, text: &str) -> Option<Vector> {
        let shared = self.shared.as_ref();
        let mut sum = vec![0.0; shared.identity.dimensions];
        let mut add = |token| shared.add(token, &mut sum);
        shared.tokeniser.each_token(text, MOST_TOKENS, &mut add);
        // The rows are finite and far from the largest number, so that only a text without tokens, or with such as cancel
        // each other out, has no direction.
        Vector::from_direction(sum).ok()
    }
}

impl StaticEmbedder {
    /// Adds the row of a token.
    pub(crate) fn add_row(&self, token: TokenId, sum: &mut [f32]) {
        self.shared.add(token, sum);
    }
}

impl Shared {
    fn add(&self, token: TokenId, sum: &mut [f32]) {
        let Ok(at) = usize::try_from(token) else {
            return;
        };
        let width = sum.len();
        let row = self.rows.bytes().get(at * width..(at + 1) * width);
        let scale = self.scales.get(at).copied().unwrap_or_default();
        for (sum, byte) in sum.iter_mut().zip(row.unwrap_or_default()) {
            *sum += scale * f32::from(byte.cast_signed());
        }
    }
}

impl Embedder for StaticEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.shared.identity
    }

    fn calibration(&self) -> Option<&Calibration> {
        self.shared.calibration.as_ref()
    }

    fn reads_words(&self) -> bool {
        true
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
        Ok(texts.iter().map(|text| self.embed_one(text)).collect())
    }
}
