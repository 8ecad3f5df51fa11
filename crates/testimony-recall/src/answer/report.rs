//! The answer and its diagnostics, written from what became of the candidates.

use std::rc::Rc;

use testimony_domain::{DroppedClaim, Reason, Score, TrustPolicy};

use super::judge::{Bench, Held, Judged};
use super::lanes::{Lanes, Outcome, Ranked};
use super::{Answer, Recall, Recalled, Suppressed, Unconfirmed};
use crate::candidate::{Channel, SourceState, Sources};
use crate::diagnostics::{
    AnswerMatch, Audit, Diagnostics, FallbackReason, Signal, SourceHealth, StageCount, WhyRecalled,
};
use crate::gates::{GateVerdict, Stage};
use crate::score::{ALGORITHM_VERSION, SYSTEM_FLOOR, SubjectMatch, Weakness};

/// Writes the answer.
pub(crate) fn recall<'a>(bench: &Bench<'_>, mut outcome: Outcome<'a>) -> Recall<'a> {
    let limit = usize::try_from(bench.request.options.limit.get()).unwrap_or(usize::MAX);
    let direct_before_limit = outcome.lanes.direct.len();
    let related_before_limit = outcome.lanes.related.len();
    // Why there is no result is a matter of all that is relevant, however much of it is shown.
    let fallback_reason = fallback(bench, &outcome);
    let over = cut(&mut outcome.lanes, limit);
    let suppressed = suppressed(&outcome, &over);
    let audit = audit(&outcome.held);
    let mut diagnostics = diagnostics(bench, &outcome, &suppressed);
    diagnostics.fallback_reason = fallback_reason;
    diagnostics.direct_answer_count = direct_before_limit;
    diagnostics.tangential_suppressed_count += related_before_limit - outcome.lanes.related.len();
    let lanes = outcome.lanes;
    let answer = Answer {
        results: lanes
            .direct
            .iter()
            .map(|row| recalled(bench, row))
            .collect(),
        related_context: lanes
            .related
            .iter()
            .map(|row| recalled(bench, row))
            .collect(),
        needs_confirmation: lanes
            .confirm
            .iter()
            .filter_map(|row| unconfirmed(bench, row))
            .collect(),
        suppressed,
        trust_policy: bench.request.options.trust_policy,
        diagnostics,
    };
    Recall { answer, audit }
}

/// Cuts every lane to the limit; what is cut comes back by its id.
fn cut(lanes: &mut Lanes<'_>, limit: usize) -> Vec<Suppressed> {
    let mut over = Vec::new();
    for lane in [&mut lanes.direct, &mut lanes.related, &mut lanes.confirm] {
        let beyond = lane.split_off(limit.min(lane.len()));
        over.extend(beyond.iter().map(|row| Suppressed {
            id: row.judged.id(),
            reason: Reason::OverLimit,
            stage: Stage::Limit,
            added_gate: None,
        }));
    }
    over
}

fn suppressed(outcome: &Outcome<'_>, over: &[Suppressed]) -> Vec<Suppressed> {
    let at_gates = outcome.held.iter().filter_map(|held| {
        let (stage, reason) = held.known()?;
        Some(Suppressed {
            id: held.candidate.memory.id,
            reason,
            stage,
            added_gate: held.outcome.added,
        })
    });
    let after = outcome
        .lanes
        .dropped
        .iter()
        .map(|(judged, stage, reason)| Suppressed {
            id: judged.id(),
            reason: *reason,
            stage: *stage,
            added_gate: None,
        });
    let mut all: Vec<Suppressed> = at_gates.chain(after).chain(over.iter().copied()).collect();
    all.sort_by_key(|row| (row.stage, row.id));
    all
}

fn audit(held: &[Held<'_>]) -> Audit {
    let at = |stage: Stage| {
        held.iter()
            .filter(|it| it.outcome.stage == Some(stage))
            .count()
    };
    let failed = GateVerdict::Deny(Reason::GateFailed);
    Audit {
        outside_container: at(Stage::Identity),
        outside_scope: at(Stage::Scope),
        gate_failures: held
            .iter()
            .filter(|it| it.outcome.verdict == failed)
            .count(),
    }
}

pub(crate) fn recalled<'a>(bench: &Bench<'_>, row: &Ranked<'a>) -> Recalled<'a> {
    let judged = &row.judged;
    let memory = judged.candidate.memory;
    let direct = judged.fit.direct;
    let match_type = if direct {
        AnswerMatch::DirectAnswer
    } else {
        AnswerMatch::SupportingContext
    };
    Recalled {
        memory,
        score: row.score,
        relevance_score: row.relevance,
        answer_relevance_score: row.answer_relevance(),
        answer_match_type: match_type,
        direct_answer: direct,
        of_another: judged.is_of_other_subject(),
        outdated: row.outdated,
        supporting: is_supporting(judged),
        trust_bucket: memory.ruling().verdict.bucket(),
        why_recalled: why(bench, row, match_type),
    }
}

fn why(bench: &Bench<'_>, row: &Ranked<'_>, match_type: AnswerMatch) -> WhyRecalled {
    let judged = &row.judged;
    let relevance_signals = judged.evidence.relevance_signals();
    let relevance_signals: Vec<Signal> = relevance_signals.map(Signal::from).collect();
    let others = [
        (judged.is_heir, Signal::Succession),
        (judged.is_current, Signal::CurrentState),
        (row.priority, Signal::Priority),
        (row.context_tags > 0, Signal::ContextTag),
        (row.context_type, Signal::ContextType),
    ];
    let others = others
        .into_iter()
        .filter_map(|(holds, signal)| holds.then_some(signal));
    WhyRecalled {
        signals: relevance_signals.iter().copied().chain(others).collect(),
        relevance_score: row.relevance,
        answer_match_type: match_type,
        direct_answer: judged.fit.direct,
        min_relevance_threshold: bench.floor(),
        current_state_only: judged.is_current_only(),
        lexical_overlap: Score::clamped(judged.evidence.overlap),
        entity_hits: judged.evidence.entity_hits,
        profile_hits: judged.evidence.profile_hits,
        trust_policy_applied: bench.request.options.trust_policy,
        scope: judged.candidate.memory.partition.scope(),
        marked: judged.marked(),
        relevance_signals,
    }
}

fn unconfirmed<'a>(bench: &Bench<'_>, row: &Ranked<'a>) -> Option<Unconfirmed<'a>> {
    Some(Unconfirmed {
        row: recalled(bench, row),
        reason: row.judged.verdict.reason()?,
        stage: row.judged.stage?,
    })
}

fn health(sources: Sources) -> SourceHealth {
    match (sources.keyword, sources.semantic) {
        (SourceState::Up, SourceState::Up) => SourceHealth::MultiSignal,
        (SourceState::Up, SourceState::Down) => SourceHealth::KeywordOnly,
        (SourceState::Down, SourceState::Up) => SourceHealth::SemanticOnly,
        (SourceState::Down, SourceState::Down) => SourceHealth::NoPrimarySources,
    }
}

fn diagnostics(bench: &Bench<'_>, outcome: &Outcome<'_>, suppressed: &[Suppressed]) -> Diagnostics {
    let (passed, lanes) = (&outcome.passed, &outcome.lanes);
    let speaks = |channel| {
        let by = passed.iter().filter(|row| row.evidence.is_signal(channel));
        by.count()
    };
    let weak = |kind: Weakness| {
        passed
            .iter()
            .filter(|row| row.weakness == Some(kind))
            .count()
    };
    let ended = |reason: Reason| suppressed.iter().filter(|row| row.reason == reason).count();
    let near = |row: &&Ranked<'_>| is_supporting(&row.judged);
    let supporting = lanes.related.iter().filter(near).count();
    let claimed = [DroppedClaim::Agent, DroppedClaim::SourceApp];
    let dropped = bench
        .request
        .dropped
        .iter()
        .any(|claim| claimed.contains(claim));
    Diagnostics {
        candidate_sources: sources_of(passed, &outcome.held),
        cross_agent_candidates_suppressed: usize::from(dropped),
        trust_policy_applied: bench.request.options.trust_policy,
        strict_suppressed_count: ended(Reason::HeldByStrictPolicy),
        balanced_caution_count: shown(lanes)
            .filter(|row| row.judged.marked().is_some())
            .count(),
        current_state_only_top1: top(passed).is_some_and(|row| row.is_current_only()),
        fallback_reason: None,
        abstained: lanes.direct.is_empty(),
        min_relevance_threshold: bench.floor(),
        source_health_status: health(bench.request.sources),
        semantic_count: speaks(Channel::Semantic),
        keyword_count: speaks(Channel::Keyword),
        entity_count: speaks(Channel::Entity),
        profile_count: speaks(Channel::Profile),
        lexical_count: speaks(Channel::Lexical),
        entity_hits_merged: passed.iter().map(|row| row.evidence.entity_hits).sum(),
        entity_signal_promoted_count: passed.iter().filter(|row| needs_entities(row)).count(),
        profile_intent_detected: bench.reading.profile,
        single_signal_keyword_suppressed_count: weak(Weakness::SingleKeyword),
        stale_suppressed_count: stale(suppressed),
        weak_lexical_suppressed_count: weak(Weakness::FewWords),
        weak_keyword_suppressed_count: weak(Weakness::CommonKeyword),
        direct_answer_count: lanes.direct.len(),
        supporting_context_count: supporting,
        tangential_context_count: lanes.related.len() - supporting,
        tangential_suppressed_count: ended(Reason::WrongSubject),
        scope_filter_stage_counts: stage_counts(outcome, suppressed),
        algorithm_version: ALGORITHM_VERSION,
        question_kind: bench.reading.kind,
        time_intent: bench.reading.time,
        view_applied: bench.context.granted_view(),
    }
}

fn shown<'l, 'a>(lanes: &'l Lanes<'a>) -> impl Iterator<Item = &'l Ranked<'a>> {
    lanes.direct.iter().chain(&lanes.related)
}

/// About the right subject and circumstance, only no answer.
fn is_supporting(judged: &Judged<'_>) -> bool {
    judged.evidence.subject != SubjectMatch::Other && !judged.evidence.excluded
}

fn stale(suppressed: &[Suppressed]) -> usize {
    const OVER: [Reason; 4] = [
        Reason::Superseded,
        Reason::Expired,
        Reason::NotCurrent,
        Reason::NotAsOf,
    ];
    suppressed
        .iter()
        .filter(|row| matches!(row.stage, Stage::Lifecycle | Stage::Time))
        .filter(|row| OVER.contains(&row.reason))
        .count()
}

fn sources_of(passed: &[Rc<Judged<'_>>], held: &[Held<'_>]) -> Vec<Channel> {
    let known = held.iter().filter(|it| it.known().is_some());
    let all: Vec<_> = passed
        .iter()
        .map(|row| row.candidate)
        .chain(known.map(|it| it.candidate))
        .collect();
    let found = |channel: &Channel| all.iter().any(|it| it.channels.get(*channel).is_some());
    Channel::ALL.iter().copied().filter(found).collect()
}

fn top<'p, 'a>(passed: &'p [Rc<Judged<'a>>]) -> Option<&'p Rc<Judged<'a>>> {
    passed.iter().max_by(|a, b| {
        let by_relevance = a.relevance.get().total_cmp(&b.relevance.get());
        by_relevance.then_with(|| b.id().cmp(&a.id()))
    })
}

/// Whether the signals of a row clear the system's floor only because of things spoken of.
fn needs_entities(judged: &Judged<'_>) -> bool {
    let clears = |relevance: Score| relevance.get() >= SYSTEM_FLOOR;
    let evidence = &judged.evidence;
    judged.is_relevant()
        && clears(evidence.relevance())
        && !clears(evidence.relevance_without_entities())
}

fn fallback(bench: &Bench<'_>, outcome: &Outcome<'_>) -> Option<FallbackReason> {
    let lanes = &outcome.lanes;
    let wrong = |(_, _, reason): &(Rc<Judged<'_>>, Stage, Reason)| *reason == Reason::WrongSubject;
    let of_others = |row: &Ranked<'_>| row.judged.is_of_other_subject();
    if !lanes.direct.is_empty() {
        None
    } else if !lanes.related.iter().all(of_others) {
        Some(FallbackReason::NoDirectAnswer)
    } else if !lanes.confirm.is_empty() {
        Some(FallbackReason::OnlyUnconfirmed)
    } else if holds_back_relevant(bench, &outcome.held) {
        Some(FallbackReason::HeldByTrustPolicy)
    } else if !lanes.related.is_empty() || lanes.dropped.iter().any(wrong) {
        Some(FallbackReason::WrongSubject)
    } else {
        Some(FallbackReason::NoRelevantCandidates)
    }
}

/// Whether the strict policy held a row that would be relevant.
fn holds_back_relevant(bench: &Bench<'_>, held: &[Held<'_>]) -> bool {
    let by_policy = GateVerdict::Deny(Reason::HeldByStrictPolicy);
    bench.request.options.trust_policy == TrustPolicy::Strict
        && held
            .iter()
            .filter(|it| it.outcome.verdict == by_policy)
            .any(|it| {
                let judged = bench.judge(it.candidate, it.outcome);
                judged.is_relevant()
                    && !judged.is_of_other_subject()
                    && judged.relevance >= bench.floor()
            })
}

/// What every stage let pass and removed, beginning with the rows that exist for the caller.
fn stage_counts(outcome: &Outcome<'_>, suppressed: &[Suppressed]) -> Vec<StageCount> {
    let known = outcome
        .held
        .iter()
        .filter(|it| it.known().is_some())
        .count();
    let mut left = outcome.passed.len() + known;
    Stage::ALL
        .iter()
        .map(|stage| {
            let removed = suppressed.iter().filter(|row| row.stage == *stage).count();
            left = left.saturating_sub(removed);
            StageCount {
                stage: *stage,
                passed: left,
                removed,
            }
        })
        .collect()
}
