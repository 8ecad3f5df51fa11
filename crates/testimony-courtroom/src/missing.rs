//! What is missing: what would change the verdict if somebody brought it.

use testimony_domain::{Standing, State, TemporalState, words};

use crate::guardrail::{
    class_above_lineage, no_evidence, no_longer_holds, not_yet_valid, only_echoes,
    unapproved_injection,
};
use crate::{Bench, Ground, Guardrail, judge};

words! {
    /// Something that would change a verdict.
    pub enum MissingEvidence {
        /// Another origin that shares no cause with the first.
        SecondIndependentOrigin = "second_independent_origin",
        /// A person's approval.
        HumanApproval = "human_approval",
        /// A decision about which side of a conflict holds.
        ResolvedConflict = "resolved_conflict",
        /// A date from which it holds.
        StartDate = "start_date",
        /// Evidence that is not our own words.
        OriginalEvidence = "original_evidence",
        /// A source of the class that it claims.
        SourceOfClaimedClass = "source_of_claimed_class",
        /// A recent statement that it still holds.
        CurrentConfirmation = "current_confirmation",
        /// That its time comes.
        BegunValidity = "begun_validity",
        /// The entry that shows who approved it.
        RecordOfApproval = "record_of_approval",
        /// A statement of the same without the credential.
        RestatementWithoutSecret = "restatement_without_secret",
        /// A withdrawal of the claim that took its place.
        WithdrawnSuccessor = "withdrawn_successor",
        /// A person's decision to open it again.
        Reopening = "reopening",
        /// The evidence store.
        ReadableEvidence = "readable_evidence",
    }
}

impl MissingEvidence {
    /// What it is, as a sentence for people.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        let row = MISSING.iter().find(|row| row.what == self);
        row.map_or("", |row| row.sentence)
    }
}

/// One row of what can be missing.
#[derive(Clone, Copy, Debug)]
pub struct MissingRow {
    /// What.
    pub what: MissingEvidence,
    /// Whether it is missing here.
    pub is_missing: fn(&Bench<'_>) -> bool,
    /// What it is, for people.
    pub sentence: &'static str,
}

/// Everything that can be missing, in the order in which a report names it.
#[rustfmt::skip]
pub const MISSING: [MissingRow; MissingEvidence::ALL.len()] = [
    MissingRow { what: MissingEvidence::SecondIndependentOrigin, is_missing: second_origin,
        sentence: "A second origin that shares no key, agent, run or document with the first." },
    MissingRow { what: MissingEvidence::HumanApproval, is_missing: approval,
        sentence: "A person's decision that it may be relied on." },
    MissingRow { what: MissingEvidence::ResolvedConflict, is_missing: settled_conflict,
        sentence: "A decision about which side of the conflict holds." },
    MissingRow { what: MissingEvidence::StartDate, is_missing: start_date,
        sentence: "A date from which it holds, which would tell whether it and what contradicts it can both be right." },
    MissingRow { what: MissingEvidence::OriginalEvidence, is_missing: |bench| is_open(bench) && (no_evidence(bench) || only_echoes(bench)),
        sentence: "Evidence that does not come from this service's own words." },
    MissingRow { what: MissingEvidence::SourceOfClaimedClass, is_missing: |bench| is_open(bench) && class_above_lineage(bench),
        sentence: "A statement by a source of the class that it claims." },
    MissingRow { what: MissingEvidence::CurrentConfirmation, is_missing: confirmation,
        sentence: "A recent statement that it still holds." },
    MissingRow { what: MissingEvidence::BegunValidity, is_missing: |bench| not_yet_valid(bench),
        sentence: "That the time comes from which it holds." },
    MissingRow { what: MissingEvidence::RecordOfApproval, is_missing: |bench| rests_on(bench, Guardrail::ApprovalUnproven),
        sentence: "The entry that shows which person approved it." },
    MissingRow { what: MissingEvidence::RestatementWithoutSecret, is_missing: |bench| bench.memory.state == State::QuarantinedSecret || bench.secret_in_text,
        sentence: "A statement of the same without the credential." },
    MissingRow { what: MissingEvidence::WithdrawnSuccessor, is_missing: |bench| bench.memory.state == State::Superseded,
        sentence: "A withdrawal of the claim that took its place." },
    MissingRow { what: MissingEvidence::Reopening, is_missing: |bench| bench.memory.state == State::Rejected,
        sentence: "A person's decision to open it again." },
    MissingRow { what: MissingEvidence::ReadableEvidence, is_missing: |bench| !bench.evidence_readable,
        sentence: "The evidence, which could not be read just now." },
];

pub(crate) fn missing(bench: &Bench<'_>) -> Vec<MissingEvidence> {
    MISSING
        .iter()
        .filter(|row| (row.is_missing)(bench))
        .map(|row| row.what)
        .collect()
}

fn is_open(bench: &Bench<'_>) -> bool {
    bench.memory.state.is_open()
}

fn rests_on(bench: &Bench<'_>, rule: Guardrail) -> bool {
    judge(bench).reasons.contains(&Ground::Guardrail(rule))
}

fn second_origin(bench: &Bench<'_>) -> bool {
    let alone = matches!(
        bench.memory.standing(),
        Standing::SingleOrigin | Standing::CleanTool
    );
    alone || rests_on(bench, Guardrail::TooFewOrigins)
}

fn approval(bench: &Bench<'_>) -> bool {
    let waits = matches!(
        bench.memory.standing(),
        Standing::SingleOrigin | Standing::AwaitsReview
    );
    waits
        || bench.memory.state == State::QuarantinedInjection
        || is_open(bench) && unapproved_injection(bench)
}

fn settled_conflict(bench: &Bench<'_>) -> bool {
    bench.memory.standing() == Standing::Contested
        || rests_on(bench, Guardrail::StrongerContradiction)
        || rests_on(bench, Guardrail::EqualContradiction)
}

fn start_date(bench: &Bench<'_>) -> bool {
    let contradicted = !bench.rivals.is_empty() || !bench.contradicting.is_empty();
    is_open(bench) && contradicted && bench.memory.validity.from.is_none()
}

fn confirmation(bench: &Bench<'_>) -> bool {
    bench.temporal == TemporalState::Stale || no_longer_holds(bench)
}
