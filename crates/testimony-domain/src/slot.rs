//! A slot: the question that a claim answers, so that two answers to the same question can be told to conflict.

/// The question: of whom or what, which attribute, and under which circumstances.
///
/// All three are normalised words: lower case, no articles, one space between words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotKey {
    /// Of whom or what.
    pub subject: String,
    /// Which attribute.
    pub attribute: String,
    /// Under which circumstances: an environment, a region, a season; empty when unconditional.
    pub scope: String,
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// The question.
    pub key: SlotKey,
    /// The answer, normalised.
    pub value: String,
    /// The unit of a number, normalised.
    pub unit: Option<String>,
    /// Whether the claim denies the value.
    pub negated: bool,
}
