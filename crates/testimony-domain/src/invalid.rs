//! The one error for values that cannot be what they claim: which field, what is wrong, and what to do about it.

use std::fmt;

/// A value that was refused.
///
/// The value itself is never part of the error: it may be the secret that somebody pasted into the wrong field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{field}` {problem}; {}", problem.remedy())]
pub struct Invalid {
    /// The field as the caller knows it.
    pub field: String,
    /// What is wrong with it.
    pub problem: Problem,
}

impl Invalid {
    /// An error on `field`.
    #[must_use]
    pub fn new(field: &str, problem: Problem) -> Self {
        Self {
            field: field.to_owned(),
            problem,
        }
    }
}

/// What can be wrong with a single value.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// A number outside its bounds, or not a number at all.
    OutOfRange {
        /// Smallest allowed value.
        min: f64,
        /// Largest allowed value.
        max: f64,
    },
    /// A text that must say something and does not.
    Empty,
    /// A text over its length, counted in characters.
    TooLong {
        /// Characters sent.
        length: usize,
        /// Characters allowed.
        max: usize,
    },
    /// A character that this kind of text cannot hold.
    BadCharacter {
        /// Where it stands, counted in characters from 0.
        position: usize,
        /// What may stand there instead.
        allowed: &'static str,
    },
    /// A word outside a closed set.
    NotOneOf {
        /// The closed set.
        allowed: &'static [&'static str],
    },
    /// A text that does not have the form of what it stands for.
    Malformed {
        /// The form that is expected, as a person would write it.
        expected: &'static str,
    },
    /// A field that only makes sense together with another.
    Needs {
        /// The field that is missing.
        other: &'static str,
    },
}

impl Problem {
    /// What the caller can do about it, as the second half of a sentence.
    #[must_use]
    pub fn remedy(&self) -> String {
        match self {
            Self::OutOfRange { min, max } => format!("send a number from {min} to {max}"),
            Self::Empty => "send at least one character".to_owned(),
            Self::TooLong { max, .. } => format!("send at most {max} characters, or split it"),
            Self::BadCharacter { allowed, .. } => format!("use only {allowed}"),
            Self::NotOneOf { allowed } => format!("send one of: {}", allowed.join(", ")),
            Self::Malformed { expected } => format!("write it like {expected}"),
            Self::Needs { other } => format!("send `{other}` too"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange { min, max } => write!(f, "is not between {min} and {max}"),
            Self::Empty => f.write_str("is empty"),
            Self::TooLong { length, max } => {
                write!(f, "has {length} characters where {max} are allowed")
            }
            Self::BadCharacter { position, .. } => write!(
                f,
                "has a character at position {position} that cannot be used here"
            ),
            Self::NotOneOf { .. } => f.write_str("is not a known word"),
            Self::Malformed { .. } => f.write_str("does not have the expected form"),
            Self::Needs { other } => write!(f, "means nothing without `{other}`"),
        }
    }
}
