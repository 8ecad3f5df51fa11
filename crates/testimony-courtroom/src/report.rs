//! The case report: everything that the courtroom has to say about one memory, to one reader.

use testimony_domain::{
    EvidenceId, FactId, MemoryId, Redacted, SourceClass, Standing, State, Timestamp, TrustBucket,
    Validity, Verdict, words,
};

use crate::judgment::join_judgment;
use crate::{
    AiJudgment, AiStatus, Answer, BankComparison, Bench, Bounds, CaseFile, Contradiction,
    DeterministicVerdict, EvidenceItem, EvidenceStatus, EvidenceTotals, GuardrailOverride,
    MissingEvidence, NoCase, Pen, RecommendedAction, RiskFlag, TimelineEntry, answer, comparison,
    evidence, judge, missing, questions, risk, rivals, timeline,
};

words! {
    /// Whether everything that the report needs was there.
    pub enum CourtroomStatus {
        /// It was.
        Ready = "ready",
        /// Evidence, history or the judge that was asked for could not be reached.
        Degraded = "degraded",
    }
}

/// Another revision of the same fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RevisionLine {
    /// The revision.
    pub memory_id: MemoryId,
    /// Its number.
    pub revision: u32,
    /// What became of it.
    pub state: State,
    /// Who said it.
    pub class: SourceClass,
    /// When it was said.
    pub observed_at: Timestamp,
    /// When it holds.
    pub validity: Validity,
}

/// Where a memory comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    /// The fact it is a revision of.
    pub fact_id: FactId,
    /// Which revision.
    pub revision: u32,
    /// The class it has.
    pub class: SourceClass,
    /// The weakest class of what it was drawn from.
    pub weakest_evidence_class: Option<SourceClass>,
    /// What it was drawn from.
    pub drawn_from: Vec<EvidenceId>,
    /// The other revisions, in order.
    pub revisions: Vec<RevisionLine>,
}

/// The case report.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseReport {
    /// The memory.
    pub memory_id: MemoryId,
    /// What it says; empty where it is withheld.
    pub statement: Redacted,
    /// What the tables say of it.
    pub deterministic_verdict: DeterministicVerdict,
    /// What an AI judge says of it.
    pub ai_judgment: AiJudgment,
    /// The stricter of both.
    pub final_verdict: Verdict,
    /// The final verdict as callers see it.
    pub trust_bucket: TrustBucket,
    /// What to do.
    pub final_recommended_action: RecommendedAction,
    /// Where the judge was corrected.
    pub guardrail_overrides: Vec<GuardrailOverride>,
    /// Whether there is evidence to look at.
    pub evidence_status: EvidenceStatus,
    /// Whether everything was there.
    pub courtroom_status: CourtroomStatus,
    /// How much evidence there is.
    pub evidence_totals: EvidenceTotals,
    /// What speaks for it, oldest first.
    pub supporting_evidence: Vec<EvidenceItem>,
    /// What speaks against it, oldest first.
    pub contradicting_evidence: Vec<EvidenceItem>,
    /// Memories that say otherwise, strongest first.
    pub contradiction_hypotheses: Vec<Contradiction>,
    /// What memory banks elsewhere say about it; no part of the verdict.
    pub bank_comparisons: Vec<BankComparison>,
    /// What would change the verdict.
    pub missing_evidence: Vec<MissingEvidence>,
    /// What to ask.
    pub cross_examination_questions: Vec<Redacted>,
    /// The answer to the reader's own question, where there was one.
    pub answer: Option<Answer>,
    /// What to know even where it does not change the verdict.
    pub risk_flags: Vec<RiskFlag>,
    /// What happened when.
    pub timeline: Vec<TimelineEntry>,
    /// Where it comes from.
    pub lineage: Lineage,
}

/// Hears a case. Every text in the report has been through `redact`.
///
/// # Errors
/// [`NoCase`] when the reader may not read cases, or may not know that this memory exists.
pub fn examine(
    file: &CaseFile<'_>,
    redact: &dyn Fn(&str) -> Redacted,
) -> Result<CaseReport, NoCase> {
    let pen = Pen::new(redact);
    let bench = Bench::lay_out(file, &pen)?;
    Ok(report(&bench, file, &pen))
}

fn report(bench: &Bench<'_>, file: &CaseFile<'_>, pen: &Pen<'_>) -> CaseReport {
    let verdict = judge(bench);
    let action = action(bench, verdict.verdict);
    let mut joined = join_judgment(verdict.verdict, action, &file.judgment, pen);
    if bench.withheld.is_some() {
        // A judge quotes what it judges.
        joined.ai.rationale = Redacted::default();
    }
    let query = file.query.filter(|query| !query.trim().is_empty());
    CaseReport {
        memory_id: bench.memory.id,
        statement: statement(bench, pen),
        final_verdict: joined.verdict,
        trust_bucket: joined.verdict.bucket(),
        final_recommended_action: joined.action,
        guardrail_overrides: joined.overrides,
        evidence_status: evidence::status(bench),
        courtroom_status: status(bench, &joined.ai),
        evidence_totals: evidence::totals(bench),
        supporting_evidence: evidence::items(bench, &bench.supporting, pen),
        contradicting_evidence: evidence::items(bench, &bench.contradicting, pen),
        contradiction_hypotheses: rivals::hypotheses(bench, pen),
        bank_comparisons: comparison::shown(bench, pen),
        missing_evidence: missing::missing(bench),
        cross_examination_questions: questions::questions(bench, pen),
        answer: query.map(|query| answer::answer(bench, &verdict, query, pen)),
        risk_flags: risk::flags(bench),
        timeline: timeline::timeline(bench),
        lineage: lineage(bench),
        deterministic_verdict: verdict,
        ai_judgment: joined.ai,
    }
}

fn statement(bench: &Bench<'_>, pen: &Pen<'_>) -> Redacted {
    match bench.withheld {
        Some(_) => Redacted::default(),
        None => pen.write(bench.memory.content.as_str(), Bounds::STATEMENT),
    }
}

/// What the tables would do: by the standing, fitted to the verdict that the guardrails left.
fn action(bench: &Bench<'_>, verdict: Verdict) -> RecommendedAction {
    let contradicted =
        !bench.memory.approved && bench.strongest_contradiction() >= Some(bench.memory.class);
    let by_standing = match bench.memory.standing() {
        Standing::CleanPerson | Standing::Established => RecommendedAction::Use,
        Standing::CleanTool => RecommendedAction::UseWithCare,
        Standing::SingleOrigin => RecommendedAction::CollectMoreEvidence,
        Standing::Contested => RecommendedAction::ResolveConflict,
        Standing::AwaitsReview => RecommendedAction::RequestReview,
        Standing::Quarantined
        | Standing::Forensic
        | Standing::Superseded
        | Standing::Expired
        | Standing::Rejected
        | Standing::Erased => RecommendedAction::Exclude,
    };
    let by_conflict = if contradicted {
        RecommendedAction::ResolveConflict
    } else {
        RecommendedAction::Use
    };
    by_standing.max(by_conflict).fitted_to(verdict)
}

fn status(bench: &Bench<'_>, ai: &AiJudgment) -> CourtroomStatus {
    let stores_answered = bench.evidence_readable && bench.history.is_some();
    if stores_answered && ai.status != AiStatus::Unavailable {
        CourtroomStatus::Ready
    } else {
        CourtroomStatus::Degraded
    }
}

fn lineage(bench: &Bench<'_>) -> Lineage {
    let memory = bench.memory;
    Lineage {
        fact_id: memory.fact,
        revision: memory.revision,
        class: memory.class,
        weakest_evidence_class: bench.lineage_class(),
        drawn_from: bench
            .drawn_from()
            .map(|one| one.evidence.id)
            .take(Bounds::EXHIBITS)
            .collect(),
        revisions: bench
            .revisions
            .iter()
            .take(Bounds::REVISIONS)
            .map(|other| RevisionLine {
                memory_id: other.id,
                revision: other.revision,
                state: other.state,
                class: other.class,
                observed_at: other.observed_at,
                validity: other.validity,
            })
            .collect(),
    }
}
