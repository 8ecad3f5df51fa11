//! The deterministic verdict: the verdict table, made stricter by every guardrail that holds.

use std::fmt;

use testimony_domain::{Reason, TemporalState, Verdict};

use crate::{Bench, GUARDRAILS, Guardrail, GuardrailRow};

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ground {
    /// A reason of the verdict table.
    Table(Reason),
    /// A guardrail that made the table's verdict stricter.
    Guardrail(Guardrail),
}

impl Ground {
    /// The stable code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Table(reason) => reason.as_str(),
            Self::Guardrail(rule) => rule.as_str(),
        }
    }

    /// The ground as a sentence for people.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Table(reason) => reason.sentence(),
            Self::Guardrail(rule) => {
                let row = GUARDRAILS.iter().find(|row| row.rule == rule);
                row.map_or("", |row| row.sentence)
            }
        }
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The verdict that the tables give without anybody's opinion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeterministicVerdict {
    /// The verdict.
    pub verdict: Verdict,
    /// What it rests on: the table's reasons, then the guardrails that made it stricter.
    pub reasons: Vec<Ground>,
    /// Whether the memory speaks about the present.
    pub temporal_state: TemporalState,
}

/// Judges what lies on the bench.
#[must_use]
pub fn judge(bench: &Bench<'_>) -> DeterministicVerdict {
    let table = bench.memory.ruling();
    let tightening: Vec<&GuardrailRow> = GUARDRAILS
        .iter()
        .filter(|row| row.floor > table.verdict && (row.holds)(bench))
        .collect();
    let from_table = table.reasons.iter().copied().map(Ground::Table);
    let from_rules = tightening.iter().map(|row| Ground::Guardrail(row.rule));
    DeterministicVerdict {
        verdict: tightening
            .iter()
            .fold(table.verdict, |so_far, row| so_far.stricter(row.floor)),
        reasons: from_table.chain(from_rules).collect(),
        temporal_state: bench.temporal,
    }
}
