//! Risk flags: what a reader should know even where it does not change the verdict.

use testimony_domain::{Reason, State, TemporalState, words};

use crate::guardrail::{
    class_above_lineage, no_evidence, not_yet_valid, only_echoes, unapproved_injection,
};
use crate::{Bench, Withheld, comparison};

words! {
    /// A risk of relying on a memory.
    pub enum RiskFlag {
        /// One origin only.
        SingleOrigin = "single_origin",
        /// From a source whose word counts little.
        WeakSource = "weak_source",
        /// Nothing speaks for it.
        NoEvidence = "no_evidence",
        /// Only our own words speak for it.
        EchoOnly = "echo_only",
        /// Our own words are among what speaks for it.
        EchoPresent = "echo_present",
        /// One side of a conflict.
        UnresolvedConflict = "unresolved_conflict",
        /// A stronger source says otherwise.
        ContradictedByStronger = "contradicted_by_stronger",
        /// A source of the same class says otherwise.
        ContradictedByEqual = "contradicted_by_equal",
        /// A weaker source says otherwise.
        ContradictedByWeaker = "contradicted_by_weaker",
        /// Approved, and contradicted by a source that is at least as strong.
        ContradictedAfterApproval = "contradicted_after_approval",
        /// A memory bank elsewhere says otherwise.
        ContradictedByBank = "contradicted_by_bank",
        /// A person has to look first.
        ReviewOpen = "review_open",
        /// Signs of instructions to its reader.
        InjectionSignals = "injection_signals",
        /// It held a secret.
        SecretRedacted = "secret_redacted",
        /// It still holds one.
        SecretInText = "secret_in_text",
        /// It was only supposed.
        Hedged = "hedged",
        /// Part of it was disguised.
        Obfuscated = "obfuscated",
        /// Out of its time.
        Stale = "stale",
        /// Replaced.
        Superseded = "superseded",
        /// Not begun.
        NotYetValid = "not_yet_valid",
        /// Expires within a week.
        ExpiresSoon = "expires_soon",
        /// Claims more than its lineage.
        ClassAboveLineage = "class_above_lineage",
        /// Never was a memory.
        EvidenceOnly = "evidence_only",
        /// Its text is kept from this reader.
        ContentWithheld = "content_withheld",
        /// Its evidence could not be read.
        EvidenceUnavailable = "evidence_unavailable",
        /// Its history could not be read.
        HistoryUnavailable = "history_unavailable",
    }
}

impl RiskFlag {
    /// The risk as a sentence for people.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        let row = RISKS.iter().find(|row| row.flag == self);
        row.map_or("", |row| row.sentence)
    }
}

/// One risk.
#[derive(Clone, Copy, Debug)]
pub struct RiskRow {
    /// Its name.
    pub flag: RiskFlag,
    /// Whether it is there.
    pub holds: fn(&Bench<'_>) -> bool,
    /// What it says, for people.
    pub sentence: &'static str,
}

/// Every risk, in the order in which a report names them.
#[rustfmt::skip]
pub const RISKS: [RiskRow; RiskFlag::ALL.len()] = [
    RiskRow { flag: RiskFlag::SingleOrigin, holds: |bench| bench.independent_origins() == 1,
        sentence: "Only one origin speaks for it." },
    RiskRow { flag: RiskFlag::WeakSource, holds: |bench| !bench.memory.class.is_known_at_once(),
        sentence: "It comes from a source whose word alone does not count." },
    RiskRow { flag: RiskFlag::NoEvidence, holds: no_evidence,
        sentence: "No evidence speaks for it." },
    RiskRow { flag: RiskFlag::EchoOnly, holds: only_echoes,
        sentence: "Only repetitions of what this service had handed out speak for it." },
    RiskRow { flag: RiskFlag::EchoPresent, holds: |bench| bench.supporting.iter().any(|one| one.origin.echo),
        sentence: "Some of what speaks for it only repeats what this service had handed out." },
    RiskRow { flag: RiskFlag::UnresolvedConflict, holds: |bench| bench.memory.state.is_open() && bench.memory.contested,
        sentence: "It is one side of a conflict that nobody has settled." },
    RiskRow { flag: RiskFlag::ContradictedByStronger, holds: |bench| bench.strongest_contradiction() > Some(bench.memory.class),
        sentence: "A stronger source says otherwise." },
    RiskRow { flag: RiskFlag::ContradictedByEqual, holds: |bench| bench.strongest_contradiction() == Some(bench.memory.class),
        sentence: "A source of the same class says otherwise." },
    RiskRow { flag: RiskFlag::ContradictedByWeaker, holds: contradicted_by_weaker,
        sentence: "A weaker source says otherwise." },
    RiskRow { flag: RiskFlag::ContradictedAfterApproval, holds: contradicted_after_approval,
        sentence: "A person approved it, and a source that counts no less says otherwise." },
    RiskRow { flag: RiskFlag::ContradictedByBank, holds: comparison::contradicts,
        sentence: "A memory bank elsewhere says otherwise, which decides nothing here." },
    RiskRow { flag: RiskFlag::ReviewOpen, holds: |bench| bench.memory.state.is_open() && bench.memory.review.is_some() && !bench.memory.approved,
        sentence: "A person has to look at it first." },
    RiskRow { flag: RiskFlag::InjectionSignals, holds: |bench| bench.memory.state == State::QuarantinedInjection || unapproved_injection(bench),
        sentence: "It has signs of instructions to its reader." },
    RiskRow { flag: RiskFlag::SecretRedacted, holds: held_a_secret,
        sentence: "It held a credential." },
    RiskRow { flag: RiskFlag::SecretInText, holds: |bench| bench.secret_in_text,
        sentence: "Its text still holds a credential, which this report leaves out." },
    RiskRow { flag: RiskFlag::Hedged, holds: |bench| carries(bench, Reason::Hedged),
        sentence: "It was only supposed, not stated." },
    RiskRow { flag: RiskFlag::Obfuscated, holds: |bench| carries(bench, Reason::ObfuscationDecoded),
        sentence: "Part of it was encoded or disguised." },
    RiskRow { flag: RiskFlag::Stale, holds: |bench| bench.temporal == TemporalState::Stale,
        sentence: "Its time ran out." },
    RiskRow { flag: RiskFlag::Superseded, holds: |bench| bench.temporal == TemporalState::Superseded,
        sentence: "A newer claim took its place." },
    RiskRow { flag: RiskFlag::NotYetValid, holds: not_yet_valid,
        sentence: "What it says has not begun." },
    RiskRow { flag: RiskFlag::ExpiresSoon, holds: expires_soon,
        sentence: "It expires within a week." },
    RiskRow { flag: RiskFlag::ClassAboveLineage, holds: class_above_lineage,
        sentence: "It claims a stronger class than what it was drawn from." },
    RiskRow { flag: RiskFlag::EvidenceOnly, holds: |bench| bench.memory.state == State::Forensic,
        sentence: "It is kept as evidence of what happened, not as a memory." },
    RiskRow { flag: RiskFlag::ContentWithheld, holds: |bench| bench.withheld == Some(Withheld::Injection),
        sentence: "Its text is shown to reviewers only." },
    RiskRow { flag: RiskFlag::EvidenceUnavailable, holds: |bench| !bench.evidence_readable,
        sentence: "Its evidence could not be read." },
    RiskRow { flag: RiskFlag::HistoryUnavailable, holds: |bench| bench.history.is_none(),
        sentence: "Its history could not be read." },
];

const SOON_SECONDS: i64 = 7 * 24 * 60 * 60;

pub(crate) fn flags(bench: &Bench<'_>) -> Vec<RiskFlag> {
    RISKS
        .iter()
        .filter(|row| (row.holds)(bench))
        .map(|row| row.flag)
        .collect()
}

fn carries(bench: &Bench<'_>, reason: Reason) -> bool {
    bench.memory.reasons.contains(&reason)
}

fn contradicted_by_weaker(bench: &Bench<'_>) -> bool {
    let mut classes = bench.contradicting_classes();
    classes.any(|class| class < bench.memory.class)
}

fn contradicted_after_approval(bench: &Bench<'_>) -> bool {
    bench.memory.approved && bench.strongest_contradiction() >= Some(bench.memory.class)
}

fn held_a_secret(bench: &Bench<'_>) -> bool {
    bench.memory.state == State::QuarantinedSecret
        || carries(bench, Reason::SecretFound)
        || carries(bench, Reason::SecretInMetadata)
}

fn expires_soon(bench: &Bench<'_>) -> bool {
    let left = bench
        .memory
        .expires_at
        .map(|end| end.as_second().saturating_sub(bench.now.as_second()));
    bench.memory.state.is_open() && left.is_some_and(|left| 0 < left && left <= SOON_SECONDS)
}
