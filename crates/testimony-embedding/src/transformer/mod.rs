//! Sentence models of the BERT family, from a folder with `config.json`, `model.safetensors` and `tokenizer.json` or
//! `vocab.txt`.
//!
//! Everything is read, checked and owned before the first text comes; afterwards no file is touched.

mod fault;
mod files;
mod layers;
mod model;
mod settings;
mod tensors;
mod words;

use std::path::Path;

use crate::wordpiece::{TokenId, WordPiece};
use testimony_service::ports::embedder::{
    Calibration, EmbedError, Embedder, EmbedderIdentity, Vector,
};

pub use fault::{ModelError, ModelFault};
pub use settings::Pooling;

use model::Model;
use settings::Settings;

/// How many tokens are computed together: more would leave the cache of the processor.
const TOKENS_AT_ONCE: usize = 512;

/// A sentence model, ready to embed.
pub struct Transformer {
    identity: EmbedderIdentity,
    calibration: Option<Calibration>,
    tokeniser: WordPiece,
    settings: Settings,
    model: Model,
    frame: Frame,
}

/// The tokens around every text.
#[derive(Clone, Copy)]
struct Frame {
    opens: TokenId,
    closes: TokenId,
}

/// What the model makes of every token of a sequence: one row for each, the special tokens included.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenStates {
    /// The numbers, row after row.
    pub numbers: Vec<f32>,
    /// How many numbers a row has.
    pub dimensions: usize,
}

impl Transformer {
    /// Reads a model from its folder.
    ///
    /// # Errors
    /// [`ModelError`] names the file, what is wrong with it and what helps.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let settings = Settings::read(folder)?;
        let tokeniser = words::read(folder)?;
        let (model, revision) = Model::read(folder, &settings.shape)?;
        let frame = words::frame(folder, &tokeniser)?;
        words::check_size(folder, &tokeniser, settings.shape.vocabulary)?;
        Ok(Self {
            identity: EmbedderIdentity {
                name: settings.name.clone(),
                revision,
                dimensions: settings.shape.hidden,
            },
            calibration: None,
            tokeniser,
            settings,
            model,
            frame,
        })
    }

    /// The same with what its cosines mean, where somebody has measured it.
    #[must_use]
    pub fn calibrated(self, calibration: Calibration) -> Self {
        Self {
            calibration: Some(calibration),
            ..self
        }
    }

    /// The tokeniser of the model.
    #[must_use]
    pub const fn tokeniser(&self) -> &WordPiece {
        &self.tokeniser
    }

    /// How the states of the tokens become one vector.
    #[must_use]
    pub const fn pooling(&self) -> Pooling {
        self.settings.pooling
    }

    /// The tokens of a text between the special ones, as many as the model reads.
    #[must_use]
    pub fn sequence(&self, text: &str) -> Vec<TokenId> {
        let room = self.settings.longest_sequence.saturating_sub(2);
        let mut sequence = vec![self.frame.opens];
        self.tokeniser
            .each_token(text, room, &mut |token| sequence.push(token));
        sequence.push(self.frame.closes);
        sequence
    }

    /// The states of the tokens of several sequences, computed together.
    ///
    /// Of a sequence, only the tokens that the model knows and the positions that it has are read.
    #[must_use]
    pub fn states(&self, sequences: &[&[TokenId]]) -> Vec<TokenStates> {
        self.model.states(sequences)
    }

    /// The mean of rows, or the first of them, as the model wants it.
    fn pool(&self, states: &TokenStates) -> Vec<f32> {
        let mut rows = states.numbers.chunks_exact(states.dimensions);
        match self.settings.pooling {
            Pooling::First => rows.next().map(<[f32]>::to_vec).unwrap_or_default(),
            Pooling::Mean => {
                // The length does not matter: the vector is brought to length one.
                let mut sum = vec![0.0; states.dimensions];
                for row in rows {
                    for (sum, number) in sum.iter_mut().zip(row) {
                        *sum += number;
                    }
                }
                sum
            }
        }
    }

    fn embed_some(
        &self,
        sequences: &[(usize, Vec<TokenId>)],
        found: &mut [Option<Vector>],
    ) -> Result<(), EmbedError> {
        let borrowed: Vec<&[TokenId]> = sequences.iter().map(|(_, one)| one.as_slice()).collect();
        for ((index, _), states) in sequences.iter().zip(self.states(&borrowed)) {
            let vector = Vector::from_direction(self.pool(&states)).map_err(|source| {
                EmbedError::NoVector {
                    embedder: self.identity.name.clone(),
                    index: *index,
                    source,
                }
            })?;
            if let Some(place) = found.get_mut(*index) {
                *place = Some(vector);
            }
        }
        Ok(())
    }
}

impl Embedder for Transformer {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
        let mut found = vec![None; texts.len()];
        let mut waiting = Vec::new();
        let mut tokens = 0;
        for (index, text) in texts.iter().enumerate() {
            let sequence = self.sequence(text);
            if sequence.len() <= 2 {
                continue;
            }
            tokens += sequence.len();
            waiting.push((index, sequence));
            if tokens >= TOKENS_AT_ONCE {
                self.embed_some(&waiting, &mut found)?;
                waiting.clear();
                tokens = 0;
            }
        }
        self.embed_some(&waiting, &mut found)?;
        Ok(found)
    }
}
