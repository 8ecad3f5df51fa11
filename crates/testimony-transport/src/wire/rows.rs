//! Rows of an answer, why they are there, what was held back, and how the answer came to be.

use serde_json::{Map, Value};
use testimony_courtroom::RecommendedAction;
use testimony_domain::{
    AppId, CustomId, Labels, Memory, MemoryId, OrgId, Reason, RunId, Score, SourceApp, Speaker,
    Tag, Timestamp, TrustBucket, UserId,
};
use testimony_recall::diagnostics::{Diagnostics, Signal, WhyRecalled};
use testimony_recall::pack::LeftOut;
use testimony_recall::{Recalled, Suppressed, TimeIntent, Unconfirmed};

use super::told::told;
use super::written::join;

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
pub(crate) fn reasons(reasons: &[Reason]) -> Vec<Value> {
    reasons.iter().copied().map(reason).collect()
}

/// A reason as code and sentence.
pub(crate) fn reason(reason: Reason) -> Value {
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

/// A row of an answer.
pub(crate) fn recalled(row: &Recalled<'_>, dress: Dress) -> Value {
    let memory = row.memory;
    let mut body = said_of(memory);
    join(
        &mut body,
        told!({
            "score": score(row.score),
            "relevance_score": score(row.relevance_score),
            "answer_relevance_score": score(row.answer_relevance_score),
            "answer_match_type": row.answer_match_type.as_str(),
            "direct_answer": row.direct_answer,
            "trust_bucket": row.trust_bucket.as_str(),
            "marked": row.why_recalled.marked.map(reason),
            "why_recalled": why(&row.why_recalled),
        }),
    );
    if dress.links {
        let url = case_url(memory);
        body.insert("courtroom_url".to_owned(), Value::String(url));
    }
    if dress.trust_report {
        let ruling = memory.ruling();
        join(
            &mut body,
            told!({
                "trust_verdict": ruling.verdict.as_str(),
                "trust_action": RecommendedAction::Use.fitted_to(ruling.verdict).as_str(),
                "trust_reasons": reasons(ruling.reasons),
            }),
        );
    }
    Value::Object(body)
}

/// What every answer says of a memory.
pub(crate) fn said_of(memory: &Memory) -> Map<String, Value> {
    let tags: Vec<&str> = memory.tags.iter().map(Tag::as_str).collect();
    let mut body = Map::new();
    join(
        &mut body,
        told!({
            "id": memory.id.to_string(),
            "fact_id": memory.fact.to_string(),
            "revision": memory.revision,
            "custom_id": memory.custom_id.as_ref().map(CustomId::as_str),
            "content": memory.content.as_str(),
            "memory_type": memory.kind.as_str(),
            "memory_plane": memory.partition.plane().as_str(),
            "memory_scope": memory.partition.scope().as_str(),
            "lifecycle_state": memory.state.public_name(),
            "source": memory.source.as_str(),
            "source_app": memory.source_app.as_ref().map(SourceApp::as_str),
            "source_class": memory.class.as_str(),
            "speaker": memory.speaker.as_ref().map(Speaker::as_str),
            "tags": tags,
            "observed_at": memory.observed_at.to_string(),
            "created_at": memory.created_at.to_string(),
            "expires_at": memory.expires_at.map(|at| at.to_string()),
        }),
    );
    body
}

/// Why a row was recalled.
pub(crate) fn why(why: &WhyRecalled) -> Value {
    let words = |signals: &[Signal]| -> Vec<&str> {
        signals.iter().map(|signal| signal.as_str()).collect()
    };
    told!({
        "signals": words(&why.signals),
        "relevance_signals": words(&why.relevance_signals),
        "relevance_score": score(why.relevance_score),
        "answer_match_type": why.answer_match_type.as_str(),
        "direct_answer": why.direct_answer,
        "min_relevance_threshold": score(why.min_relevance_threshold),
        "current_state_only": why.current_state_only,
        "lexical_overlap": score(why.lexical_overlap),
        "entity_hits": why.entity_hits,
        "profile_hits": why.profile_hits,
        "trust_policy_applied": why.trust_policy_applied.as_str(),
        "scope": why.scope.as_str(),
    })
}

/// A row that has to be confirmed first.
pub(crate) fn unconfirmed(row: &Unconfirmed<'_>, dress: Dress) -> Value {
    let mut body = recalled(&row.row, dress);
    if let Value::Object(body) = &mut body {
        body.insert("reason".to_owned(), reason(row.reason));
        body.insert("stage".to_owned(), row.stage.as_str().into());
    }
    body
}

/// A row that was held back: which, where and why, and nothing of what it says.
pub(crate) fn suppressed(row: &Suppressed) -> Value {
    told!({
        "id": row.id.to_string(),
        "reason": reason(row.reason),
        "stage": row.stage.as_str(),
        "gate": row.added_gate,
    })
}

/// A row that did not enter the packet.
pub(crate) fn left_out(row: &LeftOut) -> Value {
    told!({ "id": row.id.to_string(), "reason": reason(row.reason), "stage": "packet" })
}

/// How many rows of a bucket there are.
pub(crate) fn of_bucket(rows: &[Recalled<'_>], bucket: TrustBucket) -> usize {
    rows.iter().filter(|row| row.trust_bucket == bucket).count()
}

/// How an answer came to be.
pub(crate) fn diagnostics(said: &Diagnostics) -> Value {
    let mut body = counts(said);
    let stages = said.scope_filter_stage_counts.iter().map(|count| {
        told!({ "stage": count.stage.as_str(), "passed": count.passed, "removed": count.removed })
    });
    let sources: Vec<&str> = said
        .candidate_sources
        .iter()
        .map(|it| it.as_str())
        .collect();
    let own = told!({
        "candidate_sources": sources,
        "trust_policy_applied": said.trust_policy_applied.as_str(),
        "current_state_only_top1": said.current_state_only_top1,
        "fallback_reason": said.fallback_reason.map(testimony_recall::FallbackReason::as_str),
        "abstained": said.abstained,
        "min_relevance_threshold": score(said.min_relevance_threshold),
        "source_health_status": said.source_health_status.as_str(),
        "profile_intent_detected": said.profile_intent_detected.as_str(),
        "scope_filter_stage_counts": stages.collect::<Vec<_>>(),
        "algorithm_version": said.algorithm_version,
        "question_kind": said.question_kind.as_str(),
        "time_intent": time_intent(said.time_intent),
        "view_applied": said.view_applied.as_str(),
    });
    if let Value::Object(body) = &mut body {
        join(body, own);
    }
    body
}

fn counts(said: &Diagnostics) -> Value {
    told!({
        "cross_agent_candidates_suppressed": said.cross_agent_candidates_suppressed,
        "strict_suppressed_count": said.strict_suppressed_count,
        "balanced_caution_count": said.balanced_caution_count,
        "semantic_count": said.semantic_count,
        "keyword_count": said.keyword_count,
        "entity_count": said.entity_count,
        "profile_count": said.profile_count,
        "lexical_count": said.lexical_count,
        "entity_hits_merged": said.entity_hits_merged,
        "entity_signal_promoted_count": said.entity_signal_promoted_count,
        "single_signal_keyword_suppressed_count": said.single_signal_keyword_suppressed_count,
        "stale_suppressed_count": said.stale_suppressed_count,
        "weak_lexical_suppressed_count": said.weak_lexical_suppressed_count,
        "weak_keyword_suppressed_count": said.weak_keyword_suppressed_count,
        "direct_answer_count": said.direct_answer_count,
        "supporting_context_count": said.supporting_context_count,
        "tangential_context_count": said.tangential_context_count,
        "tangential_suppressed_count": said.tangential_suppressed_count,
    })
}

fn time_intent(intent: TimeIntent) -> String {
    let as_of = |at: Timestamp| format!("as_of:{at}");
    match intent {
        TimeIntent::Current => "current".to_owned(),
        TimeIntent::Historical => "historical".to_owned(),
        TimeIntent::AsOf(at) => as_of(at),
        TimeIntent::Any => "any".to_owned(),
    }
}
