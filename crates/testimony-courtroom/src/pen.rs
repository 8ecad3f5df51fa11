//! The only way into a report for text: through the redactor, and cut to its bound between characters.

use std::fmt;

use testimony_domain::Redacted;

/// How long the texts and lists of a report can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds;

impl Bounds {
    /// Characters of an excerpt of evidence or of another memory.
    pub const EXCERPT: usize = 320;
    /// Characters of the memory's own statement.
    pub const STATEMENT: usize = 2_000;
    /// Characters of a judge's rationale.
    pub const RATIONALE: usize = 1_200;
    /// Characters of a name, such as a source label, provider or model.
    pub const NAME: usize = 128;
    /// Characters of a question, an answer or an explanation.
    pub const LINE: usize = 600;
    /// Characters of a reader's question that are read.
    pub const QUERY: usize = 2_000;
    /// Pieces of evidence listed on each side.
    pub const EXHIBITS: usize = 50;
    /// Contradicting memories listed.
    pub const RIVALS: usize = 20;
    /// Revisions listed.
    pub const REVISIONS: usize = 50;
    /// Questions asked.
    pub const QUESTIONS: usize = 8;
    /// Quotes in an answer.
    pub const QUOTES: usize = 3;
    /// Memory banks that were compared with.
    pub const BANKS: usize = 8;
    /// Statements of one memory bank.
    pub const STATEMENTS: usize = 3;
    /// Moments in a timeline.
    pub const MOMENTS: usize = 200;
}

/// Writes text into a report.
#[derive(Clone, Copy)]
pub struct Pen<'a> {
    redact: &'a dyn Fn(&str) -> Redacted,
}

impl<'a> Pen<'a> {
    /// A pen that takes out what `redact` takes out.
    #[must_use]
    pub fn new(redact: &'a dyn Fn(&str) -> Redacted) -> Self {
        Self { redact }
    }

    /// The text without secrets, at most `max` characters of it.
    ///
    /// It is redacted before it is cut: half a secret is not recognised and would slip through.
    #[must_use]
    pub fn write(&self, text: &str, max: usize) -> Redacted {
        self.clean(text).head(max)
    }

    /// The whole text without secrets.
    #[must_use]
    pub fn clean(&self, text: &str) -> Redacted {
        (self.redact)(text)
    }

    /// Whether anything has to be taken out of the text.
    #[must_use]
    pub fn finds_secret_in(&self, text: &str) -> bool {
        self.clean(text).as_str() != text
    }
}

impl fmt::Debug for Pen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pen")
    }
}
