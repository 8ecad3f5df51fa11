//! The courtroom: what its query carries, and the report as it is sent.

use serde_json::{Map, Value, json};
use testimony_courtroom::{
    ActorKind, AiJudgment, AiStatus, Answer, AnswerStatus, BankComparison, BankExcerpt,
    BankOutcome, CacheStatus, CaseReport, Contradiction, CourtroomStatus, EvidenceItem,
    EvidenceStatus, Hypothesis, Lineage, MissingEvidence, Moment, Override, RecommendedAction,
    RevisionLine, RiskFlag, Strength, TimelineEntry,
};
use testimony_domain::{
    Bound, Claim, Event, Polarity, Reason, Redacted, SourceClass, TemporalState, Verdict,
};
use testimony_service::ModelFailure;
use testimony_service::ports::models::ModelIdentity;
use testimony_service::read::CaseHeard;

use super::Noted;
use super::common::{Notes, SESSION, claim};
use super::fault::{Fault, Pointer};
use super::field::{Field, Kind, Table, label};
use super::parts;
use super::reader::{Log, Object as Fields};
use super::rows::courtroom_url;
use super::shape::{Member, Shape};
use super::written::{join, note};

use Shape::{Flag, Groups, List, Maybe, Named, Number, Object, Text, Time, Whole, Word};

/// The question of a reader.
pub const QUERY: Bound = Bound {
    name: "query",
    min: 0.0,
    max: 2_000.0,
    default: None,
    unit: "characters",
    meaning: "A question to the evidence.",
};

const TRUTH: Kind = Kind::Word(&["true", "false"]);

const LABEL: &str = "Needed for a memory that carries one, unless the key is fixed to it.";

/// The labels under which a memory is looked for.
const LABELS: &[Field] = &[
    Field::new("user_id", label!(UserId), LABEL),
    Field::new("app_id", label!(AppId), LABEL),
    Field::new("org_id", label!(OrgId), LABEL),
    Field::new("run_id", label!(RunId), LABEL),
    SESSION,
];

/// What the query of a case report carries.
#[rustfmt::skip]
pub const FIELDS: Table = &[LABELS, &[
    Field::new("query", Kind::Text(&QUERY), "A question of the reader's own, answered from the evidence."),
    Field::new("include_ai", TRUTH, "Whether the judgment of a model is wanted.").or(|| "false".into()),
    Field::new("refresh", TRUTH, "Whether the judgment is to be made anew, and shown; for operators, and said to be ignored otherwise.").or(|| "false".into()),
]];

/// A request for a case report that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// Under which labels the memory is looked for.
    pub claim: Claim,
    /// A question of the reader's own.
    pub query: Option<String>,
    /// Whether the judgment of a model is wanted.
    pub include_ai: bool,
    /// Whether it is to be made anew.
    pub refresh: bool,
}

/// Reads the query of a case report.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read(query: &Map<String, Value>) -> Result<(Case, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Fields::checked(query, &root, FIELDS, &mut log);
    let case = Case {
        claim: claim(&object, &mut log),
        query: object.owned("query"),
        include_ai: object.text("include_ai") == Some("true"),
        refresh: object.text("refresh") == Some("true"),
    };
    log.end(case)
}

/// How the judge was asked.
#[rustfmt::skip]
const JUDGE: &[Member] = &[
    Member::new("judge_failure", Maybe(&Word(ModelFailure::WORDS)), "Why there is no judgment that was asked for, or where `status` is `cached` no new one, so that the one that was kept stays in force; `null` where there is what was asked for."),
    Member::new("refresh_ignored", Flag, "Whether a new judgment was asked for by a key that is not an operator's."),
];

/// A case report, as a shape.
#[rustfmt::skip]
pub const ANSWER: Shape = Named("CaseReport", &Groups(&[VERDICTS, EVIDENCE, &[
    Member::new("memory_id", parts::MEMORY, "The memory."),
    Member::new("fact_id", parts::FACT, "The fact that its revisions share."),
    Member::new("statement", Text, "What it says; empty where that may not be shown."),
    parts::CASE_URL,
    Member::new("courtroom_status", Word(CourtroomStatus::WORDS), "Whether the report is whole."),
    Member::new("answer", Maybe(&Named("CaseAnswer", &Object(&[
        Member::new("status", Word(AnswerStatus::WORDS), "Whether the evidence says it."),
        Member::new("text", Text, "What the evidence says."),
        Member::new("citations", List(&Named("Quote", &Object(&[
            Member::new("evidence_id", parts::EVIDENCE, "The evidence."),
            Member::new("quote", Text, "Its words; secrets are redacted."),
        ]))), "Where it says so."),
    ]))), "The answer to `query`; `null` where nothing was asked."),
    Member::new("timeline", List(&Named("TimelineEntry", &Object(&[
        Member::new("at", Time, "When."),
        Member::new("moment", Word(Moment::WORDS), "What kind of moment it was."),
        Member::new("event", Maybe(&Word(Event::WORDS)), "The event of the lifecycle."),
        Member::new("actor", Maybe(&Word(ActorKind::WORDS)), "Who did it."),
        Member::new("reason", Maybe(&Word(Reason::WORDS)), "Why."),
        Member::new("evidence_id", Maybe(&parts::EVIDENCE), "The evidence that came."),
        Member::new("memory_id", Maybe(&parts::MEMORY), "The memory that it is about."),
    ]))), "What happened, in its order."),
    Member::new("lineage", Named("Lineage", &Object(LINEAGE)), "Where it comes from."),
    Member::new("diagnostics", Groups(&[parts::IDLE, JUDGE]), "What was noted about the request, and how the judge was asked."),
    parts::WARNINGS,
]]));

#[rustfmt::skip]
const VERDICTS: &[Member] = &[
    Member::new("deterministic_verdict", Named("DeterministicVerdict", &Object(&[
        Member::new("verdict", Word(Verdict::WORDS), "The verdict of the rules."),
        Member::new("reasons", parts::TEXTS, "What it rests on, in words that do not change."),
        Member::new("reason_sentences", parts::TEXTS, "What they mean."),
        Member::new("temporal_state", Word(TemporalState::WORDS), "Whether it holds now."),
    ])), "What the rules say."),
    Member::new("ai_judgment", Named("AiJudgment", &Object(&[
        Member::new("status", Word(AiStatus::WORDS), "Whether there is a judgment of a model."),
        Member::new("ai_verdict", Maybe(&Word(Verdict::WORDS)), "What the model says."),
        Member::new("recommended_action", Maybe(&Word(RecommendedAction::WORDS)), "What it would do."),
        Member::new("confidence", Maybe(&Number), "How sure it is, from 0 to 1."),
        Member::new("rationale", Text, "Why; secrets are redacted."),
    ])), "What a model says; it can only make the verdict stricter."),
    Member::new("judge_provider", Maybe(&Text), "Who runs the model that was asked, also where its answer cannot be used."),
    Member::new("judge_model", Maybe(&Text), "The model that was asked."),
    Member::new("judgment_cache_status", Word(CacheStatus::WORDS), "Whether the judgment was kept from before."),
    Member::new("final_verdict", Word(Verdict::WORDS), "The stricter of both."),
    parts::BUCKET,
    Member::new("final_recommended_action", Word(RecommendedAction::WORDS), "What to do."),
    Member::new("guardrail_overrides", List(&Named("GuardrailOverride", &Object(&[
        Member::new("rule", Word(Override::WORDS), "The rule."),
        Member::new("ai_verdict_downgraded", Flag, "Whether it made the model's verdict stricter."),
    ]))), "Where rules corrected the model."),
    Member::new("risk_flags", List(&Named("RiskFlag", &Object(&[
        Member::new("code", Word(RiskFlag::WORDS), "The risk, in a word that does not change."),
        Member::new("sentence", Text, "What it means."),
    ]))), "What to be careful about."),
];

#[rustfmt::skip]
const EVIDENCE: &[Member] = &[
    Member::new("evidence_status", Word(EvidenceStatus::WORDS), "Whether evidence can be shown."),
    Member::new("evidence_totals", Named("EvidenceTotals", &Object(&[
        Member::new("supporting", Whole, "How much speaks for it."),
        Member::new("contradicting", Whole, "How much speaks against it."),
        Member::new("independent_origins", Whole, "From how many independent origins."),
        Member::new("echoes", Whole, "How much only repeats what the service had said."),
    ])), "How much evidence there is, also of what is not shown."),
    Member::new("supporting_evidence", List(&Named("Exhibit", &Object(EXHIBIT))), "What speaks for it."),
    Member::new("contradicting_evidence", List(&Named("Exhibit", &Object(EXHIBIT))), "What speaks against it."),
    Member::new("contradiction_hypotheses", List(&Named("Contradiction", &Object(CONTRADICTION))), "Memories that say otherwise."),
    Member::new("bank_comparisons", List(&Named("BankComparison", &Object(BANK))), "What memory banks elsewhere say about it; no part of the verdict."),
    Member::new("missing_evidence", List(&Word(MissingEvidence::WORDS)), "What would be needed."),
    Member::new("missing_evidence_sentences", parts::TEXTS, "What that means."),
    Member::new("cross_examination_questions", parts::TEXTS, "What to ask whoever says it."),
];

#[rustfmt::skip]
const EXHIBIT: &[Member] = &[
    Member::new("evidence_id", parts::EVIDENCE, "The evidence."),
    Member::new("polarity", Word(Polarity::WORDS), "For or against."),
    Member::new("redacted_excerpt", Text, "Its words; secrets are redacted."),
    Member::new("class", Word(SourceClass::WORDS), "Whose word it is."),
    Member::new("source", Text, "Where it came from."),
    Member::new("independence_group", Maybe(&Whole), "Evidence of the same number has one origin."),
    Member::new("echo", Flag, "Whether it only repeats what the service had said."),
    Member::new("observed_at", Time, "When it was said."),
    Member::new("recorded_at", Time, "When it was kept."),
];

#[rustfmt::skip]
const CONTRADICTION: &[Member] = &[
    Member::new("memory_id", parts::MEMORY, "The memory that says otherwise."),
    Member::new("redacted_excerpt", Text, "Its words; secrets are redacted."),
    Member::new("hypothesis", Word(Hypothesis::WORDS), "What may be the matter."),
    Member::new("hypothesis_sentence", Text, "What that means."),
    Member::new("strength", Word(Strength::WORDS), "How strong it is."),
    Member::new("class", Word(SourceClass::WORDS), "Whose word it is."),
    parts::BUCKET,
    Member::new("holds_now", Flag, "Whether it holds now."),
    Member::new("observed_at", Time, "When it was said."),
    parts::CASE_URL,
];

#[rustfmt::skip]
const BANK: &[Member] = &[
    Member::new("bank", Text, "The memory bank, as the configuration of this service names it."),
    Member::new("outcome", Word(BankOutcome::WORDS), "How what it says stands to the memory, everything together."),
    Member::new("sentence", Text, "What that means."),
    Member::new("statements", List(&Named("BankStatement", &Object(&[
        Member::new("bank_memory_id", Text, "Its id there; empty where it has none that can be shown."),
        Member::new("redacted_excerpt", Text, "Its words; secrets are redacted."),
        Member::new("outcome", Word(BankOutcome::WORDS), "How it stands to the memory."),
        Member::new("observed_at", Maybe(&Time), "When it was said, as the bank has it."),
    ]))), "What it says about it."),
    Member::new("left_out", Whole, "How many of its memories were not used: too long, held by admission, or too many."),
    Member::new("compared_at", Time, "When it was asked."),
];

#[rustfmt::skip]
const LINEAGE: &[Member] = &[
    Member::new("fact_id", parts::FACT, "The fact."),
    Member::new("revision", Whole, "Which revision this is."),
    Member::new("class", Word(SourceClass::WORDS), "Whose word it is."),
    Member::new("weakest_evidence_class", Maybe(&Word(SourceClass::WORDS)), "The weakest word that it rests on."),
    Member::new("drawn_from", List(&parts::EVIDENCE), "The evidence that it was drawn from."),
    Member::new("revisions", List(&Named("Revision", &Object(&[
        Member::new("memory_id", parts::MEMORY, "The memory."),
        Member::new("revision", Whole, "Which revision it is."),
        Member::new("lifecycle_state", Word(parts::STATES), "How it stands."),
        Member::new("class", Word(SourceClass::WORDS), "Whose word it is."),
        Member::new("observed_at", Time, "When it was said."),
        Member::new("holds_from", Maybe(&Time), "Since when it holds."),
        Member::new("holds_until", Maybe(&Time), "Until when it held."),
    ]))), "All revisions of the fact."),
];

/// A case report.
#[must_use]
pub fn answer(case: &CaseHeard, notes: &Noted) -> Value {
    let CaseHeard { report, heard } = case;
    let mut body = Map::new();
    join(&mut body, verdicts(report, heard.judge.as_ref()));
    join(&mut body, evidence(report));
    join(
        &mut body,
        json!({
            "memory_id": report.memory_id.to_string(),
            "fact_id": report.lineage.fact_id.to_string(),
            "statement": report.statement.as_str(),
            "courtroom_url": courtroom_url(report.memory_id),
            "courtroom_status": report.courtroom_status.as_str(),
            "answer": report.answer.as_ref().map(said),
            "timeline": report.timeline.iter().map(moment).collect::<Vec<_>>(),
            "lineage": lineage(&report.lineage),
            "diagnostics": {
                "judge_failure": heard.failure.map(ModelFailure::as_str),
                "refresh_ignored": heard.refresh_ignored,
            },
        }),
    );
    note(&mut body, notes);
    Value::Object(body)
}

fn verdicts(report: &CaseReport, judge: Option<&ModelIdentity>) -> Value {
    let verdict = &report.deterministic_verdict;
    let ai = &report.ai_judgment;
    let [provider, model] = [&ai.provider, &ai.model].map(|it| it.as_ref().map(Redacted::as_str));
    let overrides = report.guardrail_overrides.iter().map(|one| {
        json!({ "rule": one.rule.as_str(), "ai_verdict_downgraded": one.ai_verdict_downgraded })
    });
    json!({
        "deterministic_verdict": {
            "verdict": verdict.verdict.as_str(),
            "reasons": verdict.reasons.iter().map(|ground| ground.as_str()).collect::<Vec<_>>(),
            "reason_sentences": verdict.reasons.iter().map(|ground| ground.sentence()).collect::<Vec<_>>(),
            "temporal_state": verdict.temporal_state.as_str(),
        },
        "ai_judgment": judgment(ai),
        "judge_provider": provider.or(judge.map(|judge| judge.provider.as_str())),
        "judge_model": model.or(judge.map(|judge| judge.model.as_str())),
        "judgment_cache_status": ai.cache.as_str(),
        "final_verdict": report.final_verdict.as_str(),
        "trust_bucket": report.trust_bucket.as_str(),
        "final_recommended_action": report.final_recommended_action.as_str(),
        "guardrail_overrides": overrides.collect::<Vec<_>>(),
        "risk_flags": report.risk_flags.iter().map(|flag| json!({ "code": flag.as_str(), "sentence": flag.sentence() })).collect::<Vec<_>>(),
    })
}

fn judgment(ai: &AiJudgment) -> Value {
    json!({
        "status": ai.status.as_str(),
        "ai_verdict": ai.ai_verdict.map(Verdict::as_str),
        "recommended_action": ai.recommended_action.map(RecommendedAction::as_str),
        "confidence": ai.confidence.map(testimony_domain::Confidence::get),
        "rationale": ai.rationale.as_str(),
    })
}

fn evidence(report: &CaseReport) -> Value {
    let totals = report.evidence_totals;
    json!({
        "evidence_status": report.evidence_status.as_str(),
        "evidence_totals": {
            "supporting": totals.supporting,
            "contradicting": totals.contradicting,
            "independent_origins": totals.independent_origins,
            "echoes": totals.echoes,
        },
        "supporting_evidence": report.supporting_evidence.iter().map(exhibit).collect::<Vec<_>>(),
        "contradicting_evidence": report.contradicting_evidence.iter().map(exhibit).collect::<Vec<_>>(),
        "contradiction_hypotheses": report.contradiction_hypotheses.iter().map(contradiction).collect::<Vec<_>>(),
        "bank_comparisons": report.bank_comparisons.iter().map(bank).collect::<Vec<_>>(),
        "missing_evidence": report.missing_evidence.iter().map(|it| it.as_str()).collect::<Vec<_>>(),
        "missing_evidence_sentences": report.missing_evidence.iter().map(|it| it.sentence()).collect::<Vec<_>>(),
        "cross_examination_questions": report.cross_examination_questions.iter().map(Redacted::as_str).collect::<Vec<_>>(),
    })
}

fn exhibit(item: &EvidenceItem) -> Value {
    json!({
        "evidence_id": item.evidence_id.to_string(),
        "polarity": item.polarity.as_str(),
        "redacted_excerpt": item.redacted_excerpt.as_str(),
        "class": item.class.as_str(),
        "source": item.source.as_str(),
        "independence_group": item.independence_group,
        "echo": item.echo,
        "observed_at": item.observed_at.to_string(),
        "recorded_at": item.recorded_at.to_string(),
    })
}

fn contradiction(rival: &Contradiction) -> Value {
    json!({
        "memory_id": rival.memory_id.to_string(),
        "redacted_excerpt": rival.redacted_excerpt.as_str(),
        "hypothesis": rival.hypothesis.as_str(),
        "hypothesis_sentence": rival.hypothesis.sentence(),
        "strength": rival.strength.as_str(),
        "class": rival.class.as_str(),
        "trust_bucket": rival.trust_bucket.as_str(),
        "holds_now": rival.holds_now,
        "observed_at": rival.observed_at.to_string(),
        "courtroom_url": courtroom_url(rival.memory_id),
    })
}

fn bank(compared: &BankComparison) -> Value {
    let statements = compared.statements.iter().map(bank_statement);
    json!({
        "bank": compared.bank.as_str(),
        "outcome": compared.outcome.as_str(),
        "sentence": compared.outcome.sentence(),
        "statements": statements.collect::<Vec<_>>(),
        "left_out": compared.left_out,
        "compared_at": compared.compared_at.to_string(),
    })
}

fn bank_statement(said: &BankExcerpt) -> Value {
    json!({
        "bank_memory_id": said.id.as_str(),
        "redacted_excerpt": said.redacted_excerpt.as_str(),
        "outcome": said.outcome.as_str(),
        "observed_at": said.observed_at.map(|at| at.to_string()),
    })
}

fn said(answer: &Answer) -> Value {
    let citations = answer.citations.iter().map(|cited| {
        json!({ "evidence_id": cited.evidence_id.to_string(), "quote": cited.quote.as_str() })
    });
    json!({
        "status": answer.status.as_str(),
        "text": answer.text.as_str(),
        "citations": citations.collect::<Vec<_>>(),
    })
}

fn moment(entry: &TimelineEntry) -> Value {
    json!({
        "at": entry.at.to_string(),
        "moment": entry.moment.as_str(),
        "event": entry.event.map(Event::as_str),
        "actor": entry.actor.map(ActorKind::as_str),
        "reason": entry.reason.map(Reason::as_str),
        "evidence_id": entry.evidence.map(|id| id.to_string()),
        "memory_id": entry.memory.map(|id| id.to_string()),
    })
}

fn lineage(lineage: &Lineage) -> Value {
    json!({
        "fact_id": lineage.fact_id.to_string(),
        "revision": lineage.revision,
        "class": lineage.class.as_str(),
        "weakest_evidence_class": lineage.weakest_evidence_class.map(SourceClass::as_str),
        "drawn_from": lineage.drawn_from.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "revisions": lineage.revisions.iter().map(revision).collect::<Vec<_>>(),
    })
}

fn revision(line: &RevisionLine) -> Value {
    json!({
        "memory_id": line.memory_id.to_string(),
        "revision": line.revision,
        "lifecycle_state": line.state.public_name(),
        "class": line.class.as_str(),
        "observed_at": line.observed_at.to_string(),
        "holds_from": line.validity.from.map(|at| at.to_string()),
        "holds_until": line.validity.until.map(|at| at.to_string()),
    })
}
