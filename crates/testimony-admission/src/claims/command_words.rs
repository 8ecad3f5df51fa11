//! What an instruction may be, and the words by which one is told from another.

use super::words::Words;

/// What a reader gives, of whose form somebody may have wishes.
pub(super) const ANSWERS: &Words = &Words::of(&[
    "answer",
    "answers",
    "reply",
    "replies",
    "response",
    "responses",
    "message",
    "messages",
    "summary",
    "summaries",
    "explanation",
    "explanations",
    "e-mails",
    "emails",
    "drafts",
    "texts",
    "code",
    "sentences",
]);

/// Verbs by which a new value is told as an order: "change my address to".
pub(super) const SETTING_VERBS: &Words =
    &Words::of(&["change", "update", "set", "correct", "switch"]);

/// Verbs that take back what was said, whatever it was.
pub(super) const DROPPING_VERBS: &Words = &Words::of(&["forget", "disregard", "ignore"]);

/// Words that say on which occasion something is wished.
pub(super) const OCCASIONS: &Words = &Words::of(&["when", "whenever", "if"]);

/// Verbs that make a lasting wish of an instruction: "use tabs", "call me Mo".
pub(super) const STYLE_VERBS: &Words = &Words::of(&["use", "prefer", "avoid", "stick", "address"]);

/// Verbs that do so where they speak of the speaker or of answers: "call me Mo", "keep answers short".
pub(super) const READER_VERBS: &Words = &Words::of(&["call", "keep", "make", "write", "format"]);

/// What somebody is told not to do once: "don't forget to lock up" is no lasting wish.
pub(super) const SINGLE_WARNINGS: &Words =
    &Words::of(&["forget", "worry", "hesitate", "bother", "wait"]);

/// What an instruction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// One thing to do now.
    Once,
    /// How things are to be done from now on.
    Lasting,
    /// A new value, told as an order.
    Changes,
    /// The same, and why: it says how somebody wants things, whoever reports it.
    Reasoned,
}
