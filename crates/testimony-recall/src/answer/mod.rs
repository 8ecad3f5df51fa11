//! From candidates to an answer: what is a result, what only stands near, what has to be confirmed, what is held back.

mod again;
mod companions;
pub(crate) mod fit;
mod followed;
mod heirs;
mod judge;
mod lanes;
mod reader;
mod renewal;
mod report;
mod succession;
mod talk;

use std::rc::Rc;

use testimony_domain::{
    DroppedClaim, EffectiveIdentity, Memory, MemoryId, Reason, Score, Timestamp, TrustBucket,
    TrustPolicy,
};

pub use fit::{Fit, Told};
pub(crate) use judge::{Bench, Held, Judged};
pub(crate) use lanes::{Lanes, Outcome, Ranked};
pub use reader::read;
pub use renewal::{Renewal, renewal_sign_names};

use crate::candidate::{Candidate, Sources};
use crate::diagnostics::{AnswerMatch, Audit, Diagnostics, WhyRecalled};
use crate::gates::{GateOutcome, GateVerdict, Stage, TrustGate};
use crate::query::{Likeness, Rarity, Reading, RowReader};
use crate::request::Options;
use crate::score::{Evidence, Weakness};

/// A question with everything that decides what may answer it.
#[derive(Clone, Copy)]
pub struct Request<'r> {
    /// What is asked.
    pub query: &'r str,
    /// What the turn is for, where the caller says so: its words count half.
    pub goal: Option<&'r str>,
    /// Who asks, by credential.
    pub who: &'r EffectiveIdentity,
    /// What the body claimed in vain.
    pub dropped: &'r [DroppedClaim],
    /// What the caller wants beside the question.
    pub options: &'r Options,
    /// Gates that the embedding program adds.
    pub gates: &'r [&'r dyn TrustGate],
    /// Which sources of candidates could be asked.
    pub sources: Sources,
    /// How rare words are among the rows that the asker may see, where the search knows.
    pub rarity: Option<Rarity<'r>>,
    /// How alike words are in meaning, where whoever searches knows.
    pub likeness: Option<Likeness<'r>>,
    /// Who reads the likeliest rows with the question before them, where somebody does.
    pub reader: Option<&'r dyn RowReader>,
    /// How like the question a row is that only happens to be near, among those that the asker may see, where whoever
    /// searches knows.
    pub usual: Option<f64>,
    /// The present instant.
    pub now: Timestamp,
}

impl<'r> Request<'r> {
    /// A request with nothing but the necessary.
    #[must_use]
    pub fn new(
        query: &'r str,
        who: &'r EffectiveIdentity,
        options: &'r Options,
        now: Timestamp,
    ) -> Self {
        Self {
            query,
            goal: None,
            who,
            dropped: &[],
            options,
            gates: &[],
            sources: Sources::default(),
            rarity: None,
            likeness: None,
            reader: None,
            usual: None,
            now,
        }
    }

    /// What the query says of itself.
    #[must_use]
    pub fn reading(&self) -> Reading {
        Reading::of(self.query, self.goal, self.options.time_query, self.rarity)
    }
}

/// A row of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled<'a> {
    /// The row.
    pub memory: &'a Memory,
    /// How well it answers, lifted by what the caller named as context; it never rises down a list.
    pub score: Score,
    /// How relevant it is.
    pub relevance_score: Score,
    /// How relevant it is as an answer.
    pub answer_relevance_score: Score,
    /// What it is to the question.
    pub answer_match_type: AnswerMatch,
    /// Whether it answers.
    pub direct_answer: bool,
    /// Whether it is about somebody or something else than the question.
    pub of_another: bool,
    /// Whether a later row that would help with the same task says another value of what it says.
    pub outdated: bool,
    /// Whether it is about the right subject and circumstance, even where it does not answer.
    pub supporting: bool,
    /// How far it may be relied on, as callers see it.
    pub trust_bucket: TrustBucket,
    /// Why it was recalled.
    pub why_recalled: WhyRecalled,
}

/// A row that counts only once it is confirmed.
#[derive(Clone, Debug, PartialEq)]
pub struct Unconfirmed<'a> {
    /// The row, as it would have been recalled.
    pub row: Recalled<'a>,
    /// What it waits for.
    pub reason: Reason,
    /// The gate that holds it.
    pub stage: Stage,
}

/// A row that was held back: which, where and why, and nothing of what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suppressed {
    /// Which.
    pub id: MemoryId,
    /// Why.
    pub reason: Reason,
    /// Where.
    pub stage: Stage,
    /// The added gate by name, where one held it.
    pub added_gate: Option<&'static str>,
}

/// The answer, as its asker gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<'a> {
    /// Rows that answer, in the order that was asked for, within the limit.
    pub results: Vec<Recalled<'a>>,
    /// Rows that stand near: to explain, never to be taken for an answer.
    pub related_context: Vec<Recalled<'a>>,
    /// Rows that would be relevant and wait for a person.
    pub needs_confirmation: Vec<Unconfirmed<'a>>,
    /// Rows that were held back.
    pub suppressed: Vec<Suppressed>,
    /// The policy that held.
    pub trust_policy: TrustPolicy,
    /// How it came to be.
    pub diagnostics: Diagnostics,
}

/// The answer, and what only the audit trail learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Recall<'a> {
    /// The answer.
    pub answer: Answer<'a>,
    /// What only the audit trail and operators learn.
    pub audit: Audit,
}

/// Answers a request from candidates.
///
/// The order of the candidates plays no part, nor does any row that the asker may not know of.
#[must_use]
pub fn recall<'a>(request: &Request<'_>, candidates: &[Candidate<'a>]) -> Recall<'a> {
    recall_as_read(request, &request.reading(), candidates)
}

/// The same for a request that was read already, to look for its candidates.
#[must_use]
pub fn recall_as_read<'a>(
    request: &Request<'_>,
    reading: &Reading,
    candidates: &[Candidate<'a>],
) -> Recall<'a> {
    let bench = Bench::new(request, reading);
    let outcome = Outcome::of(&bench, candidates);
    report::recall(&bench, outcome)
}

/// What is judged of one row by itself: it depends on that row and the request, on no other row.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// What the gates say.
    pub gates: GateOutcome,
    /// How relevant the row is.
    pub relevance: Score,
    /// Why its signals are no evidence, when they are none.
    pub weakness: Option<Weakness>,
    /// What speaks for it.
    pub evidence: Evidence,
    /// How well it answers.
    pub fit: Fit,
    /// What each of the signs in the table of weights says, in the order of [`crate::score::sign_names`].
    pub signs: Vec<f64>,
}

impl Assessment {
    /// Whether the row answers by itself: it passes every gate, clears the floor and is a direct answer.
    #[must_use]
    pub fn answers(&self, floor: Score) -> bool {
        let passes = matches!(self.gates.verdict, GateVerdict::Pass | GateVerdict::Mark(_));
        passes && self.weakness.is_none() && self.relevance >= floor && self.fit.direct
    }
}

/// Judges one row by itself.
#[must_use]
pub fn assess(request: &Request<'_>, candidate: &Candidate<'_>) -> Assessment {
    let reading = request.reading();
    let bench = Bench::new(request, &reading);
    let gates = bench.examine(candidate);
    let judged = bench.judge(*candidate, gates);
    Assessment {
        gates,
        signs: fit::told(&reading, &judged.evidence, &judged.fit),
        relevance: judged.relevance,
        weakness: judged.weakness,
        evidence: judged.evidence,
        fit: judged.fit,
    }
}

/// What is weighed of newer rows beside the first one that answers, where a question wants what holds now: for whoever fits the
/// weights of it, or measures them.
#[must_use]
pub fn renewals(request: &Request<'_>, candidates: &[Candidate<'_>]) -> Vec<Renewal> {
    let reading = request.reading();
    Lanes::renewals(&Bench::new(request, &reading), candidates)
}

/// Takes every candidate through the gates: those that passed, judged, and those that were held.
pub(crate) fn sort_out<'a>(
    bench: &Bench<'_>,
    candidates: &[Candidate<'a>],
) -> (Vec<Rc<Judged<'a>>>, Vec<Held<'a>>) {
    let (mut passed, mut held) = (Vec::new(), Vec::new());
    for candidate in candidates {
        let outcome = bench.examine(candidate);
        if outcome.is_denied() {
            held.push(Held {
                candidate: *candidate,
                outcome,
            });
        } else {
            passed.push(Rc::new(bench.judge(*candidate, outcome)));
        }
    }
    reader::judge_again(bench, &mut passed, &mut held);
    heirs::pass_on(bench, &mut passed, &held);
    (passed, held)
}
