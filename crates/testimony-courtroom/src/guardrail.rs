//! Guardrails: named rules that look at the case itself and can only make the table's verdict stricter.

use testimony_domain::{Reason, SourceClass, Standing, Verdict, words};

use crate::Bench;
use crate::bench::carries_an_injection;

words! {
    /// A rule that tightens a verdict.
    pub enum Guardrail {
        /// The text still holds a secret.
        SecretInText = "secret_in_text",
        /// It was found to be a test row, a log line or residue.
        FoundForensic = "found_forensic",
        /// Its time has run out, whatever its state says.
        ExpiredByClock = "expired_by_clock",
        /// What it says has ended.
        NoLongerHolds = "no_longer_holds",
        /// What it says has not begun.
        NotYetValid = "not_yet_valid",
        /// It tries to instruct its reader, and nobody approved it.
        UnapprovedInjection = "unapproved_injection",
        /// Nothing speaks for it any more.
        NoEvidence = "no_evidence",
        /// Only repetitions of our own words speak for it.
        OnlyEchoes = "only_echoes",
        /// A stronger source says otherwise.
        StrongerContradiction = "stronger_contradiction",
        /// A source of the same class says otherwise.
        EqualContradiction = "equal_contradiction",
        /// Its class is above that of what it was drawn from.
        ClassAboveLineage = "class_above_lineage",
        /// Fewer independent origins speak for it than its state claims.
        TooFewOrigins = "too_few_origins",
        /// Its approval is not on record.
        ApprovalUnproven = "approval_unproven",
        /// The evidence could not be read.
        EvidenceUnavailable = "evidence_unavailable",
    }
}

/// One guardrail.
#[derive(Clone, Copy, Debug)]
pub struct GuardrailRow {
    /// Its name.
    pub rule: Guardrail,
    /// The loosest verdict that is left when it holds.
    pub floor: Verdict,
    /// Whether it holds.
    pub holds: fn(&Bench<'_>) -> bool,
    /// What it says, for people.
    pub sentence: &'static str,
}

/// Every guardrail, in the order in which a report names them.
#[rustfmt::skip]
pub const GUARDRAILS: [GuardrailRow; Guardrail::ALL.len()] = [
    GuardrailRow { rule: Guardrail::SecretInText, floor: Verdict::Rejected, holds: |bench| bench.secret_in_text,
        sentence: "Its text still holds a credential." },
    GuardrailRow { rule: Guardrail::FoundForensic, floor: Verdict::Rejected, holds: |bench| carries(bench, FORENSIC_REASONS),
        sentence: "It was found to be a test row, a log line or residue." },
    GuardrailRow { rule: Guardrail::ExpiredByClock, floor: Verdict::Rejected, holds: expired_by_clock,
        sentence: "Its time has run out." },
    GuardrailRow { rule: Guardrail::NoLongerHolds, floor: Verdict::Rejected, holds: no_longer_holds,
        sentence: "What it says has ended." },
    GuardrailRow { rule: Guardrail::NotYetValid, floor: Verdict::NeedsReview, holds: not_yet_valid,
        sentence: "What it says has not begun." },
    GuardrailRow { rule: Guardrail::UnapprovedInjection, floor: Verdict::NeedsReview, holds: unapproved_injection,
        sentence: "It has signs of instructions to its reader, and nobody approved it." },
    GuardrailRow { rule: Guardrail::NoEvidence, floor: Verdict::NeedsReview, holds: no_evidence,
        sentence: "No evidence speaks for it any more." },
    GuardrailRow { rule: Guardrail::OnlyEchoes, floor: Verdict::NeedsReview, holds: only_echoes,
        sentence: "Only repetitions of what this service had handed out speak for it." },
    GuardrailRow { rule: Guardrail::StrongerContradiction, floor: Verdict::NeedsReview, holds: stronger_contradiction,
        sentence: "A stronger source says otherwise." },
    GuardrailRow { rule: Guardrail::EqualContradiction, floor: Verdict::NeedsReview, holds: equal_contradiction,
        sentence: "A source of the same class says otherwise." },
    GuardrailRow { rule: Guardrail::ClassAboveLineage, floor: Verdict::NeedsReview, holds: class_above_lineage,
        sentence: "It claims a stronger class than what it was drawn from." },
    GuardrailRow { rule: Guardrail::TooFewOrigins, floor: Verdict::Caution, holds: too_few_origins,
        sentence: "Fewer independent origins speak for it than its state claims." },
    GuardrailRow { rule: Guardrail::ApprovalUnproven, floor: Verdict::Caution, holds: approval_unproven,
        sentence: "Its approval is not on record." },
    GuardrailRow { rule: Guardrail::EvidenceUnavailable, floor: Verdict::Caution, holds: |bench| !bench.evidence_readable,
        sentence: "The evidence could not be read." },
];

/// Reasons that a row can only carry when it never was a memory.
const FORENSIC_REASONS: &[Reason] = &[
    Reason::TestRow,
    Reason::LifecycleLog,
    Reason::SystemGenerated,
    Reason::ResidueGreeting,
    Reason::ResidueThanks,
    Reason::ResidueAcknowledgement,
    Reason::ResidueEmoji,
    Reason::ResidueAnswerDump,
    Reason::ResidueWebProse,
    Reason::ResidueSetupProse,
    Reason::ResidueTerminalNoise,
    Reason::ResidueQuestion,
    Reason::Forensic,
];

fn carries(bench: &Bench<'_>, reasons: &[Reason]) -> bool {
    bench.memory.reasons.iter().any(|one| reasons.contains(one))
}

fn expired_by_clock(bench: &Bench<'_>) -> bool {
    let over = bench.memory.expires_at.is_some_and(|end| end <= bench.now);
    bench.memory.state.is_open() && over
}

pub(crate) fn no_longer_holds(bench: &Bench<'_>) -> bool {
    let over = bench
        .memory
        .validity
        .until
        .is_some_and(|end| end <= bench.now);
    bench.memory.state.is_open() && over
}

pub(crate) fn not_yet_valid(bench: &Bench<'_>) -> bool {
    let ahead = bench
        .memory
        .validity
        .from
        .is_some_and(|start| bench.now < start);
    bench.memory.state.is_open() && ahead
}

pub(crate) fn unapproved_injection(bench: &Bench<'_>) -> bool {
    !bench.memory.approved && carries_an_injection(bench.memory)
}

pub(crate) fn no_evidence(bench: &Bench<'_>) -> bool {
    bench.evidence_readable && bench.supporting.is_empty()
}

pub(crate) fn only_echoes(bench: &Bench<'_>) -> bool {
    !bench.supporting.is_empty() && bench.supporting.iter().all(|one| one.origin.echo)
}

/// A person's approval stands until a person takes it back; until then contradictions only raise a flag.
fn stronger_contradiction(bench: &Bench<'_>) -> bool {
    !bench.memory.approved && bench.strongest_contradiction() > Some(bench.memory.class)
}

fn equal_contradiction(bench: &Bench<'_>) -> bool {
    !bench.memory.approved && bench.strongest_contradiction() == Some(bench.memory.class)
}

pub(crate) fn class_above_lineage(bench: &Bench<'_>) -> bool {
    bench
        .lineage_class()
        .is_some_and(|lineage| lineage < bench.memory.class)
}

/// Where support is all that a row stands on, the support is counted anew.
fn too_few_origins(bench: &Bench<'_>) -> bool {
    let stands_on_support =
        bench.memory.standing() == Standing::Established && !bench.memory.approved;
    let known_by_itself = matches!(
        bench.memory.class,
        SourceClass::Operator | SourceClass::UserStatement
    );
    let counted = bench.independent_origins();
    stands_on_support
        && !known_by_itself
        && bench.evidence_readable
        && counted < testimony_domain::verdict::ORIGINS_THAT_ESTABLISH
}

fn approval_unproven(bench: &Bench<'_>) -> bool {
    bench.memory.approved && bench.approval_is_on_record() == Some(false)
}
