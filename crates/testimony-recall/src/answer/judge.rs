//! One row at a time: gates, evidence, relevance, fit. What is judged of a row depends on that row and the request alone.

use std::borrow::Cow;

use testimony_domain::{Lane, MemoryId, Reason, Score, TemporalState, TrustPolicy};

use super::Request;
use super::fit::{Fit, fit};
use super::succession::Statement;
use crate::candidate::{Candidate, Channel};
use crate::gates::{self, GateContext, GateOutcome, GateVerdict, Stage};
use crate::query::Reading;
use crate::request::TimeIntent;
use crate::score::{Evidence, Nearness, RowText, SYSTEM_FLOOR, SubjectMatch, Weakness};

/// A row with less to put it before others takes the place of none.
const COMPARED_FROM: f64 = 0.02;

/// A row that passed the gates, judged.
#[derive(Clone, Debug)]
pub(crate) struct Judged<'a> {
    pub(crate) candidate: Candidate<'a>,
    pub(crate) verdict: GateVerdict,
    /// The gate that gave the verdict.
    pub(crate) stage: Option<Stage>,
    pub(crate) evidence: Evidence,
    pub(crate) relevance: Score,
    pub(crate) weakness: Option<Weakness>,
    pub(crate) fit: Fit,
    pub(crate) is_current: bool,
    /// Whether it took the place of a row that would answer, and answers for it.
    pub(crate) is_heir: bool,
    /// What says the same in other words has the same key.
    pub(crate) same: Option<u128>,
    /// Kept of rows that are compared with each other: those that answer, help with a task, say what is over, stand high enough
    /// to take the place of one that answers, or were read beside it.
    pub(crate) statement: Option<Statement>,
}

/// Where a row ended at the gates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held<'a> {
    pub(crate) candidate: Candidate<'a>,
    pub(crate) outcome: GateOutcome,
}

/// What judging is done with.
pub(crate) struct Bench<'r> {
    pub(crate) request: &'r Request<'r>,
    pub(crate) reading: &'r Reading,
    pub(crate) context: GateContext<'r>,
    /// Words compared with those of the question.
    nearness: Nearness<'r>,
    /// The same for each part of it.
    nearness_of_parts: Vec<Nearness<'r>>,
}

impl<'r> Bench<'r> {
    pub(crate) fn new(request: &'r Request<'r>, reading: &'r Reading) -> Self {
        let context = GateContext {
            who: request.who,
            filters: &request.options.filters,
            time: reading.time,
            view: request.options.view,
            policy: request.options.trust_policy,
            now: request.now,
        };
        let nearness = |reading: &'r Reading| Nearness::of(&reading.focus, request.likeness);
        Self {
            request,
            reading,
            context,
            nearness: nearness(reading),
            nearness_of_parts: reading.parts.iter().map(nearness).collect(),
        }
    }

    /// Takes a row through the gates.
    pub(crate) fn examine(&self, candidate: &Candidate<'_>) -> GateOutcome {
        gates::examine(self.request.gates, &self.context, candidate.memory)
    }

    /// Judges a row that passed the gates.
    pub(crate) fn judge<'a>(&self, candidate: Candidate<'a>, outcome: GateOutcome) -> Judged<'a> {
        self.judge_as(candidate, outcome.verdict, outcome.stage)
    }

    /// The same, for a row of which it is known what the gates say.
    pub(crate) fn judge_as<'a>(
        &self,
        candidate: Candidate<'a>,
        verdict: GateVerdict,
        stage: Option<Stage>,
    ) -> Judged<'a> {
        with_text(&candidate, |row| {
            let (evidence, fit) = self.weigh(candidate, row);
            let state = candidate.memory.temporal_state(self.request.now);
            Judged {
                candidate,
                verdict,
                stage,
                relevance: relevance(&evidence, &fit),
                weakness: weakness(&evidence, &fit),
                statement: (self.is_compared(&candidate, &fit) || !row.over.is_empty())
                    .then(|| Statement::of(row, self.reading)),
                fit,
                is_current: state == TemporalState::Current,
                is_heir: false,
                same: row.same,
                evidence,
            }
        })
    }

    /// What a row says, to be compared with others.
    pub(super) fn statement<'j>(&self, row: &'j Judged<'_>) -> Cow<'j, Statement> {
        let read = || with_text(&row.candidate, |text| Statement::of(text, self.reading));
        let known = row.statement.as_ref().map(Cow::Borrowed);
        known.unwrap_or_else(|| Cow::Owned(read()))
    }

    fn is_compared(&self, candidate: &Candidate<'_>, fit: &Fit) -> bool {
        fit.direct
            || !self.reading.kind.is_question()
            || fit.place >= COMPARED_FROM
            || candidate.follows.is_some()
    }

    /// What speaks for a row, and how well it answers: the question, or the part of it that it answers best.
    fn weigh(&self, candidate: Candidate<'_>, row: &RowText) -> (Evidence, Fit) {
        let (request, memory) = (self.request, candidate.memory);
        let weigh = |(reading, nearness): (&Reading, &Nearness<'_>)| {
            let evidence = Evidence::of(reading, request.options, &candidate, row, nearness);
            let evidence = evidence.beside(request.usual);
            let fit = fit(reading, memory, row, &evidence, request.now);
            (evidence, fit)
        };
        let parts = self.reading.parts.iter().zip(&self.nearness_of_parts);
        let whole = weigh((self.reading, &self.nearness));
        parts.map(weigh).fold(whole, |best, part| {
            let better = (part.1.direct, part.1.degree) > (best.1.direct, best.1.degree);
            if better { part } else { best }
        })
    }

    /// The floor: the greater of the system's and the caller's.
    pub(crate) fn floor(&self) -> Score {
        Score::clamped(self.request.options.threshold.get().max(SYSTEM_FLOOR))
    }
}

/// What the text of a row makes, as whoever searches keeps it read, or read now.
fn with_text<T>(candidate: &Candidate<'_>, make: impl FnOnce(&RowText) -> T) -> T {
    match candidate.text {
        Some(row) => make(row),
        None => make(&RowText::of(candidate.memory)),
    }
}

/// What its signals add up to; and what is likely to answer, or to be the right row where any is, is at least as relevant
/// as that.
fn relevance(evidence: &Evidence, fit: &Fit) -> Score {
    let relevance = evidence.relevance().get();
    Score::clamped(relevance.max(fit.degree).max(fit.place))
}

/// Why its own words are no evidence; what stands beside it may be enough.
fn weakness(evidence: &Evidence, fit: &Fit) -> Option<Weakness> {
    evidence
        .weakness()
        .filter(|_| fit.place.max(fit.degree) < SYSTEM_FLOOR)
}

impl Judged<'_> {
    pub(crate) const fn id(&self) -> MemoryId {
        self.candidate.memory.id
    }

    /// Whether it says of something by its name that it is over.
    pub(crate) fn says_what_is_over(&self) -> bool {
        let mut statement = self.statement.iter();
        statement.any(Statement::says_what_is_over)
    }

    /// Whether its signals are evidence and clear the system's floor.
    pub(crate) fn is_relevant(&self) -> bool {
        self.weakness.is_none() && self.relevance.get() >= SYSTEM_FLOOR
    }

    pub(crate) const fn waits_for_confirmation(&self) -> bool {
        matches!(self.verdict, GateVerdict::Confirm(_))
    }

    /// Whether it speaks of somebody or something else, and nothing that is asked about leads to it.
    pub(crate) fn is_of_other_subject(&self) -> bool {
        self.evidence.subject == SubjectMatch::Other && !self.evidence.is_signal(Channel::Graph)
    }

    /// Whether it is no answer whatever it comes with: it is about another, or says so itself.
    pub(crate) fn speaks_against(&self) -> bool {
        self.is_of_other_subject() || self.evidence.speaks_against()
    }

    /// Whether a trust policy shows it, for all that other gates say.
    pub(super) fn is_shown_under(&self, policy: TrustPolicy) -> bool {
        let lane = self.candidate.memory.ruling().lane(policy);
        !matches!(lane, Lane::Held | Lane::NeedsConfirmation)
    }

    /// Whether it is a result under some trust policy: held by nothing but that of the request, and waiting for nobody.
    pub(super) fn is_result_of_some_policy(&self) -> bool {
        let is_denied = matches!(self.verdict, GateVerdict::Deny(_));
        let by_policy = self.stage == Some(Stage::TrustPolicy);
        (!is_denied || by_policy)
            && !self.waits_for_confirmation()
            && self.is_shown_under(TrustPolicy::Off)
    }

    /// Why it is no evidence.
    pub(crate) fn weak_because(&self) -> Reason {
        self.weakness.map_or(Reason::BelowFloor, Weakness::reason)
    }

    /// Whether a question that looks back would rather have this row: it is over.
    pub(crate) fn is_sought_past(&self, time: TimeIntent) -> bool {
        time == TimeIntent::Historical && !self.is_current
    }

    /// Whether it was read beside an earlier row that answers: that tells better than words whether it says that anew.
    pub(super) const fn was_read_beside(&self) -> bool {
        self.candidate.follows.is_some()
    }

    /// Whether nothing but its currentness speaks for it.
    pub(crate) fn is_current_only(&self) -> bool {
        self.is_current && !self.is_heir && self.evidence.relevance_signals().next().is_none()
    }

    pub(crate) const fn marked(&self) -> Option<Reason> {
        match self.verdict {
            GateVerdict::Mark(reason) => Some(reason),
            GateVerdict::Pass | GateVerdict::Confirm(_) | GateVerdict::Deny(_) => None,
        }
    }
}

impl Held<'_> {
    /// Where and why it ended; `None` for a row that does not exist for the caller.
    pub(crate) fn known(&self) -> Option<(Stage, Reason)> {
        if !self.outcome.is_known_to_caller() {
            return None;
        }
        Some((self.outcome.stage?, self.outcome.verdict.reason()?))
    }
}
