//! Why a folder holds no model that can be used: the file, the reason, the remedy.

use std::path::{Path, PathBuf};

use crate::wordpiece::VocabularyError;

/// A model that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}; {}", file.display(), fault.remedy())]
pub struct ModelError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    #[source]
    pub fault: Box<ModelFault>,
}

/// What is wrong with a file of a model.
#[derive(Debug, thiserror::Error)]
pub enum ModelFault {
    /// The system does not give it out.
    #[error("cannot be read ({0})")]
    Unreadable(std::io::Error),
    /// It is larger than any model that this reader is made for.
    #[error("is larger than {most} bytes")]
    TooLarge {
        /// The most that is read.
        most: u64,
    },
    /// It is no JSON.
    #[error("is no JSON ({0})")]
    NotJson(serde_json::Error),
    /// A setting is missing or of the wrong kind.
    #[error("`{setting}` is missing or is not {expected}")]
    Setting {
        /// The setting, with dots between its parts.
        setting: &'static str,
        /// What belongs there.
        expected: &'static str,
    },
    /// A setting asks for something that this reader cannot do.
    #[error("`{setting}` is `{found}`, and only {known} can be done here")]
    Unsupported {
        /// The setting.
        setting: &'static str,
        /// What it says.
        found: String,
        /// What could be done.
        known: &'static str,
    },
    /// Two settings contradict each other.
    #[error("{0}")]
    Contradiction(&'static str),
    /// The vocabulary is none.
    #[error("{0}")]
    Vocabulary(#[from] VocabularyError),
    /// A special token is missing.
    #[error("the vocabulary lacks `{0}`")]
    NoSpecialToken(&'static str),
    /// There are fewer or more tokens than rows.
    #[error("the vocabulary has {tokens} tokens, the model {rows} rows for them")]
    VocabularySize {
        /// The tokens.
        tokens: usize,
        /// The rows.
        rows: usize,
    },
    /// It is no safetensors file.
    #[error("is no safetensors file ({0})")]
    NotSafetensors(safetensors::SafeTensorError),
    /// A tensor is missing.
    #[error("lacks the tensor `{0}`")]
    NoTensor(String),
    /// A tensor has another shape than the settings say.
    #[error("tensor `{tensor}` is {found:?}, and by the settings it must be {expected:?}")]
    Shape {
        /// The tensor.
        tensor: String,
        /// The shape that it has.
        found: Vec<usize>,
        /// The shape that it must have.
        expected: Vec<usize>,
    },
    /// Numbers of a kind that is not read here.
    #[error("tensor `{tensor}` holds numbers of the kind {found}; F32, F16 and BF16 are read")]
    NumberKind {
        /// The tensor.
        tensor: String,
        /// The kind that it has.
        found: String,
    },
    /// A number is NaN or infinite.
    #[error("tensor `{tensor}` holds a number that is not finite, at {index}")]
    NotFinite {
        /// The tensor.
        tensor: String,
        /// Where it stands, from 0.
        index: usize,
    },
}

impl ModelFault {
    /// What helps.
    #[must_use]
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => {
                "name the folder of a sentence model: config.json, model.safetensors, and tokenizer.json or vocab.txt"
            }
            Self::TooLarge { .. } => "take a smaller model",
            Self::NotJson(_) | Self::Setting { .. } | Self::Contradiction(_) => {
                "take the file as the makers of the model publish it"
            }
            Self::Unsupported { .. } => {
                "take a BERT sentence model such as all-MiniLM-L6-v2, or an embedding service"
            }
            Self::Vocabulary(_) | Self::NoSpecialToken(_) | Self::VocabularySize { .. } => {
                "take the vocabulary that was published with this model"
            }
            Self::NotSafetensors(_)
            | Self::NoTensor(_)
            | Self::Shape { .. }
            | Self::NotFinite { .. } => {
                "load the model again from its origin, config.json and model.safetensors together"
            }
            Self::NumberKind { .. } => "take the unquantised model",
        }
    }

    pub(super) fn of(self, file: &Path) -> ModelError {
        ModelError {
            file: file.to_path_buf(),
            fault: Box::new(self),
        }
    }
}
