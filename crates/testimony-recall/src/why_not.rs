//! Why one given row was recalled or was not: the first gate that removed it, its relevance against the floor, or its
//! rank against the limit.

use testimony_domain::{MemoryId, Reason, Score};

use crate::answer::{Bench, Outcome, Request};
use crate::candidate::Candidate;
use crate::gates::Stage;

/// What became of one row.
#[derive(Clone, Debug, PartialEq)]
pub enum WhyNot {
    /// No such row exists for the asker, or no source found it. Which of the two is not said.
    Unknown,
    /// A gate removed it.
    Held {
        /// The gate.
        stage: Stage,
        /// Why.
        reason: Reason,
        /// The added gate by name, where one removed it.
        added_gate: Option<&'static str>,
    },
    /// It is not relevant enough, or its signals are no evidence.
    NotRelevant {
        /// How relevant it is.
        relevance: Score,
        /// What it would have to reach.
        floor: Score,
        /// Why.
        reason: Reason,
    },
    /// It is about somebody or something else.
    WrongSubject {
        /// How relevant it is.
        relevance: Score,
    },
    /// Another row says the same.
    Duplicate {
        /// Which.
        of: MemoryId,
    },
    /// It waits for a person and is listed so.
    AwaitsConfirmation {
        /// What it waits for.
        reason: Reason,
        /// Its rank among the rows that wait, from 1.
        rank: usize,
    },
    /// It stands near the question and does not answer it.
    Related {
        /// Its rank among the related rows, from 1.
        rank: usize,
        /// How many are shown.
        limit: usize,
        /// How relevant it is.
        relevance: Score,
    },
    /// It answers, and more relevant rows filled the limit.
    OverLimit {
        /// Its rank among the results, from 1.
        rank: usize,
        /// How many are shown.
        limit: usize,
        /// How relevant it is.
        relevance: Score,
    },
    /// It is among the results.
    Recalled {
        /// Its rank, from 1.
        rank: usize,
        /// How relevant it is.
        relevance: Score,
    },
}

/// Tells what became of the row `id` among `candidates`.
#[must_use]
pub fn why_not(request: &Request<'_>, candidates: &[Candidate<'_>], id: MemoryId) -> WhyNot {
    let reading = request.reading();
    let bench = Bench::new(request, &reading);
    let outcome = Outcome::of(&bench, candidates);
    at_gates(&outcome, id)
        .or_else(|| in_a_lane(&bench, &outcome, id))
        .or_else(|| dropped(&bench, &outcome, id))
        .unwrap_or(WhyNot::Unknown)
}

fn at_gates(outcome: &Outcome<'_>, id: MemoryId) -> Option<WhyNot> {
    let held = outcome
        .held
        .iter()
        .find(|it| it.candidate.memory.id == id)?;
    let (stage, reason) = held.known()?;
    Some(WhyNot::Held {
        stage,
        reason,
        added_gate: held.outcome.added,
    })
}

fn in_a_lane(bench: &Bench<'_>, outcome: &Outcome<'_>, id: MemoryId) -> Option<WhyNot> {
    let limit = usize::try_from(bench.request.options.limit.get()).unwrap_or(usize::MAX);
    let lanes = &outcome.lanes;
    let find = |lane: &[crate::answer::Ranked<'_>]| {
        let at = lane.iter().position(|row| row.judged.id() == id)?;
        let row = lane.get(at)?;
        Some((at + 1, row.relevance, row.judged.verdict.reason()))
    };
    if let Some((rank, relevance, _)) = find(&lanes.direct) {
        return Some(if rank > limit {
            WhyNot::OverLimit {
                rank,
                limit,
                relevance,
            }
        } else {
            WhyNot::Recalled { rank, relevance }
        });
    }
    let of_another = |row: &&crate::answer::Ranked<'_>| {
        row.judged.id() == id && row.judged.is_of_other_subject()
    };
    if let Some(row) = lanes.related.iter().find(of_another) {
        let relevance = row.relevance;
        return Some(WhyNot::WrongSubject { relevance });
    }
    if let Some((rank, relevance, _)) = find(&lanes.related) {
        return Some(WhyNot::Related {
            rank,
            limit,
            relevance,
        });
    }
    let (rank, _, reason) = find(&lanes.confirm)?;
    Some(WhyNot::AwaitsConfirmation {
        reason: reason?,
        rank,
    })
}

fn dropped(bench: &Bench<'_>, outcome: &Outcome<'_>, id: MemoryId) -> Option<WhyNot> {
    if let Some((_, of)) = outcome.lanes.collapsed.iter().find(|(row, _)| *row == id) {
        return Some(WhyNot::Duplicate { of: *of });
    }
    let found = outcome
        .lanes
        .dropped
        .iter()
        .find(|(row, ..)| row.id() == id)?;
    let (judged, stage, reason) = found;
    Some(if *stage == Stage::Answer {
        WhyNot::WrongSubject {
            relevance: judged.relevance,
        }
    } else {
        WhyNot::NotRelevant {
            relevance: judged.relevance,
            floor: bench.floor(),
            reason: *reason,
        }
    })
}
