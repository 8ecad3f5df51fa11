//! Rows of an answer, why they are there, what was held back, and how the answer came to be.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
use testimony_courtroom::RecommendedAction;
use testimony_domain::{
    AppId, CustomId, Labels, Memory, MemoryId, OrgId, Reason, RunId, Score, SourceApp, Speaker,
    Tag, TrustBucket, UserId,
};
use testimony_recall::diagnostics::{Diagnostics, Signal, SourceHealth, StageCount, WhyRecalled};
use testimony_recall::pack::{Citation, LeftOut};
use testimony_recall::{FallbackReason, Recalled, Suppressed, TimeIntent, Unconfirmed};
use testimony_service::ModelFailure;
use testimony_service::read::Aided;

use super::Noted;
use super::told::{Each, Shown, told};

/// Where the case report of a memory is.
#[must_use]
pub fn courtroom_url(id: MemoryId) -> String {
    format!("/api/v1/memories/{id}/courtroom")
}

/// Where the case report of a memory is, with the labels under which it exists.
pub(crate) fn case_url(memory: &Memory) -> String {
    let Labels {
        user,
        app,
        org,
        run,
    } = memory.partition.labels();
    let labels = [
        ("user_id", user.as_ref().map(UserId::as_str)),
        ("app_id", app.as_ref().map(AppId::as_str)),
        ("org_id", org.as_ref().map(OrgId::as_str)),
        ("run_id", run.as_ref().map(RunId::as_str)),
    ];
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in labels {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    let (path, query) = (courtroom_url(memory.id), query.finish());
    if query.is_empty() {
        path
    } else {
        format!("{path}?{query}")
    }
}

/// Reasons as code and sentence.
pub(crate) fn reasons(reasons: &[Reason]) -> impl Serialize {
    Each(reasons.iter().copied().map(reason))
}

/// A reason as code and sentence.
pub(crate) fn reason(reason: Reason) -> impl Serialize {
    told!({ "code": reason.as_str(), "sentence": reason.sentence() })
}

/// A score as it is sent: to four places, which is finer than it means.
pub(crate) fn score(score: Score) -> f64 {
    (score.get() * 10_000.0).round() / 10_000.0
}

/// What rows are sent with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dress {
    /// With the address of the case report.
    pub(crate) links: bool,
    /// With verdict, action and reasons.
    pub(crate) trust_report: bool,
}

/// What is said of a row beside what every answer says of its memory.
#[derive(Clone, Copy)]
struct Beside<'a> {
    row: &'a Recalled<'a>,
    dress: Dress,
    /// What it waits for, and at which gate, where it has to be confirmed first.
    waits: Option<(Reason, &'static str)>,
}

/// A row of an answer.
pub(crate) fn recalled<'a>(row: &'a Recalled<'a>, dress: Dress) -> impl Serialize {
    let waits = None;
    said(row.memory, Some(Beside { row, dress, waits }))
}

/// A row that has to be confirmed first.
pub(crate) fn unconfirmed<'a>(waiting: &'a Unconfirmed<'a>, dress: Dress) -> impl Serialize {
    let row = &waiting.row;
    let waits = Some((waiting.reason, waiting.stage.as_str()));
    said(row.memory, Some(Beside { row, dress, waits }))
}

/// What every answer says of a memory.
pub(crate) fn said_of(memory: &Memory) -> Map<String, Value> {
    match serde_json::to_value(said(memory, None)) {
        Ok(Value::Object(body)) => body,
        // It is an object, and its names are texts.
        Ok(_) | Err(_) => Map::new(),
    }
}

/// What every answer says of a memory, and what is said beside it.
fn said<'a>(memory: &'a Memory, beside: Option<Beside<'a>>) -> impl Serialize {
    let (row, dress) = beside.map(|it| (it.row, it.dress)).unzip();
    let waits = beside.and_then(|beside| beside.waits);
    let links = dress.is_some_and(|dress| dress.links);
    let reported = dress.is_some_and(|dress| dress.trust_report);
    let ruling = reported.then(|| memory.ruling());
    told!({
        "answer_match_type"?: row.map(|row| row.answer_match_type.as_str()),
        "answer_relevance_score"?: row.map(|row| score(row.answer_relevance_score)),
        "content": memory.content.as_str(),
        "courtroom_url"?: links.then(|| case_url(memory)),
        "created_at": Shown(memory.created_at),
        "custom_id": memory.custom_id.as_ref().map(CustomId::as_str),
        "direct_answer"?: row.map(|row| row.direct_answer),
        "expires_at": memory.expires_at.map(Shown),
        "fact_id": Shown(memory.fact),
        "id": Shown(memory.id),
        "lifecycle_state": memory.state.public_name(),
        "marked"?: row.map(|row| row.why_recalled.marked.map(reason)),
        "memory_plane": memory.partition.plane().as_str(),
        "memory_scope": memory.partition.scope().as_str(),
        "memory_type": memory.kind.as_str(),
        "observed_at": Shown(memory.observed_at),
        "reason"?: waits.map(|(waits_for, _)| reason(waits_for)),
        "relevance_score"?: row.map(|row| score(row.relevance_score)),
        "revision": memory.revision,
        "score"?: row.map(|row| score(row.score)),
        "source": memory.source.as_str(),
        "source_app": memory.source_app.as_ref().map(SourceApp::as_str),
        "source_class": memory.class.as_str(),
        "speaker": memory.speaker.as_ref().map(Speaker::as_str),
        "stage"?: waits.map(|(_, stage)| stage),
        "tags": Each(memory.tags.iter().map(Tag::as_str)),
        "trust_action"?: ruling.map(|it| RecommendedAction::Use.fitted_to(it.verdict).as_str()),
        "trust_bucket"?: row.map(|row| row.trust_bucket.as_str()),
        "trust_reasons"?: ruling.map(|it| reasons(it.reasons)),
        "trust_verdict"?: ruling.map(|it| it.verdict.as_str()),
        "why_recalled"?: row.map(|row| why(&row.why_recalled)),
    })
}

/// Why a row was recalled.
pub(crate) fn why(why: &WhyRecalled) -> impl Serialize {
    fn words(signals: &[Signal]) -> impl Serialize {
        Each(signals.iter().map(|signal| signal.as_str()))
    }
    told!({
        "answer_match_type": why.answer_match_type.as_str(),
        "current_state_only": why.current_state_only,
        "direct_answer": why.direct_answer,
        "entity_hits": why.entity_hits,
        "lexical_overlap": score(why.lexical_overlap),
        "min_relevance_threshold": score(why.min_relevance_threshold),
        "profile_hits": why.profile_hits,
        "relevance_score": score(why.relevance_score),
        "relevance_signals": words(&why.relevance_signals),
        "scope": why.scope.as_str(),
        "signals": words(&why.signals),
        "trust_policy_applied": why.trust_policy_applied.as_str(),
    })
}

/// A row that was held back: which, where and why, and nothing of what it says.
pub(crate) fn suppressed(row: &Suppressed) -> impl Serialize {
    held_back(row.id, row.reason, row.stage.as_str(), Some(row.added_gate))
}

/// A row that did not enter the packet.
pub(crate) fn left_out(row: &LeftOut) -> impl Serialize {
    held_back(row.id, row.reason, "packet", None)
}

fn held_back(
    id: MemoryId,
    why: Reason,
    stage: &'static str,
    gate: Option<Option<&'static str>>,
) -> impl Serialize + use<> {
    told!({
        "gate"?: gate,
        "id": Shown(id),
        "reason": reason(why),
        "stage": stage,
    })
}

/// How many rows of a bucket there are.
pub(crate) fn of_bucket(rows: &[Recalled<'_>], bucket: TrustBucket) -> usize {
    rows.iter().filter(|row| row.trust_bucket == bucket).count()
}

/// What else an answer says of how it came to be, where it was not only looked for but served.
#[derive(Clone, Copy)]
pub(crate) enum More<'a> {
    /// Nothing.
    Nothing,
    /// What helped with a recall, and what was noted beside it.
    Recall(&'a Aided, &'a Noted),
    /// Why the rows of a packet were recalled, and what was noted beside it.
    Context(&'a [Citation<'a>], &'a Noted),
}

impl<'a> More<'a> {
    const fn aided(self) -> Option<&'a Aided> {
        match self {
            Self::Recall(aided, _) => Some(aided),
            Self::Nothing | Self::Context(..) => None,
        }
    }

    const fn cited(self) -> Option<&'a [Citation<'a>]> {
        match self {
            Self::Context(cited, _) => Some(cited),
            Self::Nothing | Self::Recall(..) => None,
        }
    }

    const fn noted(self) -> Option<&'a Noted> {
        match self {
            Self::Recall(_, noted) | Self::Context(_, noted) => Some(noted),
            Self::Nothing => None,
        }
    }
}

/// How an answer came to be.
pub(crate) fn diagnostics<'a>(of: &'a Diagnostics, more: More<'a>) -> impl Serialize {
    let (aided, cited, noted) = (more.aided(), more.cited(), more.noted());
    let health = of.source_health_status;
    let fallback = Some(health).filter(|health| *health != SourceHealth::MultiSignal);
    told!({
        "abstained": of.abstained,
        "algorithm_fallback_reason"?: cited.map(|_| fallback.map(SourceHealth::as_str)),
        "algorithm_version": of.algorithm_version,
        "balanced_caution_count": of.balanced_caution_count,
        "candidate_sources": Each(of.candidate_sources.iter().map(|it| it.as_str())),
        "cross_agent_candidates_suppressed": of.cross_agent_candidates_suppressed,
        "current_state_only_top1": of.current_state_only_top1,
        "direct_answer_count": of.direct_answer_count,
        "entity_count": of.entity_count,
        "entity_hits_merged": of.entity_hits_merged,
        "entity_signal_promoted_count": of.entity_signal_promoted_count,
        "fallback_reason": of.fallback_reason.map(FallbackReason::as_str),
        "ignored_fields"?: noted.map(|noted| &noted.ignored_fields),
        "keyword_count": of.keyword_count,
        "lexical_count": of.lexical_count,
        "min_relevance_threshold": score(of.min_relevance_threshold),
        "profile_count": of.profile_count,
        "profile_intent_detected": of.profile_intent_detected.as_str(),
        "question_kind": of.question_kind.as_str(),
        "recorded_only_fields"?: noted.map(|noted| &noted.recorded_only_fields),
        "rerank_failure"?: aided.map(|it| it.reranking.failure.map(ModelFailure::as_str)),
        "rerank_status"?: aided.map(|it| it.reranking.status.as_str()),
        "reranking_backend"?: aided.map(|it| it.backend.as_deref()),
        "rewrite_failure"?: aided.map(|it| it.rewriting.failure.map(ModelFailure::as_str)),
        "rewrite_status"?: aided.map(|it| it.rewriting.status.as_str()),
        "scope_filter_stage_counts": Each(of.scope_filter_stage_counts.iter().map(counted)),
        "semantic_count": of.semantic_count,
        "single_signal_keyword_suppressed_count": of.single_signal_keyword_suppressed_count,
        "source_health_status": health.as_str(),
        "stale_suppressed_count": of.stale_suppressed_count,
        "strict_suppressed_count": of.strict_suppressed_count,
        "supporting_context_count": of.supporting_context_count,
        "tangential_context_count": of.tangential_context_count,
        "tangential_suppressed_count": of.tangential_suppressed_count,
        "time_intent": time_intent(of.time_intent),
        "trust_policy_applied": of.trust_policy_applied.as_str(),
        "view_applied": of.view_applied.as_str(),
        "weak_keyword_suppressed_count": of.weak_keyword_suppressed_count,
        "weak_lexical_suppressed_count": of.weak_lexical_suppressed_count,
        "why_recalled"?: cited.map(why_cited),
    })
}

fn counted(count: &StageCount) -> impl Serialize + use<> {
    told!({
        "passed": count.passed,
        "removed": count.removed,
        "stage": count.stage.as_str(),
    })
}

/// Why each row of a packet was recalled, by its id.
fn why_cited<'a>(cited: &'a [Citation<'a>]) -> impl Serialize {
    let by_id = cited.iter().map(|cited| {
        let id = cited.row.memory.id.to_string();
        (id, why(&cited.row.why_recalled))
    });
    by_id.collect::<BTreeMap<_, _>>()
}

fn time_intent(intent: TimeIntent) -> Cow<'static, str> {
    match intent {
        TimeIntent::Current => "current".into(),
        TimeIntent::Historical => "historical".into(),
        TimeIntent::AsOf(at) => format!("as_of:{at}").into(),
        TimeIntent::Any => "any".into(),
    }
}
