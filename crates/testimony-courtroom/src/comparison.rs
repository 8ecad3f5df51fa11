//! What memory banks elsewhere say about a memory: shown beside the verdict, and no part of it.
//!
//! A bank is a stranger. What it says has the class of a document that somebody found, so it moves nothing: no verdict, no
//! lifecycle, no support. A reader is told of it all the same, and a contradiction is a risk.

use testimony_domain::{Redacted, Timestamp, words};

use crate::{Bench, Bounds, Pen};

words! {
    /// How what a memory bank says stands to a memory; the one that decides for a comparison comes last.
    pub enum BankOutcome {
        /// It says nothing about it.
        Unknown = "unknown",
        /// It says what this memory is an update of.
        Outdated = "outdated",
        /// It says the same.
        Agrees = "agrees",
        /// It says otherwise.
        Contradicts = "contradicts",
    }
}

impl BankOutcome {
    /// The outcome as a sentence for people.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Unknown => "The memory bank says nothing about it.",
            Self::Outdated => "The memory bank says what this is an update of.",
            Self::Agrees => "The memory bank says the same.",
            Self::Contradicts => "The memory bank says otherwise.",
        }
    }
}

/// One statement of a memory bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankStatement {
    /// Its id there; empty where the bank gives none that can be shown.
    pub id: String,
    /// What it says.
    pub text: String,
    /// How it stands to the memory.
    pub outcome: BankOutcome,
    /// When it was said, as the bank has it.
    pub observed_at: Option<Timestamp>,
}

/// What a memory bank said when it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The bank, as the configuration names it.
    pub bank: String,
    /// How it stands to the memory, everything together.
    pub outcome: BankOutcome,
    /// What it says about it.
    pub statements: Vec<BankStatement>,
    /// How much of its answer was left out: too long, held by admission, or too much of it.
    pub left_out: usize,
    /// When it was asked.
    pub compared_at: Timestamp,
}

/// A statement of a memory bank as a report shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankExcerpt {
    /// Its id there.
    pub id: Redacted,
    /// Its words.
    pub redacted_excerpt: Redacted,
    /// How it stands to the memory.
    pub outcome: BankOutcome,
    /// When it was said, as the bank has it.
    pub observed_at: Option<Timestamp>,
}

/// A comparison as a report shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankComparison {
    /// The bank.
    pub bank: Redacted,
    /// How it stands to the memory.
    pub outcome: BankOutcome,
    /// What it says about it.
    pub statements: Vec<BankExcerpt>,
    /// How much of its answer was left out.
    pub left_out: usize,
    /// When it was asked.
    pub compared_at: Timestamp,
}

/// The comparisons as the reader may see them: none where the memory's own words are kept back.
pub(crate) fn shown(bench: &Bench<'_>, pen: &Pen<'_>) -> Vec<BankComparison> {
    let readable = bench
        .comparisons
        .iter()
        .filter(|_| bench.withheld.is_none());
    let shown = readable.take(Bounds::BANKS).map(|comparison| {
        let statements = comparison.statements.iter().take(Bounds::STATEMENTS);
        BankComparison {
            bank: pen.write(&comparison.bank, Bounds::NAME),
            outcome: comparison.outcome,
            statements: statements.map(|said| excerpt(said, pen)).collect(),
            left_out: comparison.left_out,
            compared_at: comparison.compared_at,
        }
    });
    shown.collect()
}

fn excerpt(said: &BankStatement, pen: &Pen<'_>) -> BankExcerpt {
    BankExcerpt {
        id: pen.write(&said.id, Bounds::NAME),
        redacted_excerpt: pen.write(&said.text, Bounds::EXCERPT),
        outcome: said.outcome,
        observed_at: said.observed_at,
    }
}

/// Whether a bank says otherwise.
pub(crate) fn contradicts(bench: &Bench<'_>) -> bool {
    let mut comparisons = bench.comparisons.iter();
    bench.withheld.is_none() && comparisons.any(|one| one.outcome == BankOutcome::Contradicts)
}
