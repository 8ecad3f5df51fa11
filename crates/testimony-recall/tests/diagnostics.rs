//! Every counter and every hint by itself: what makes it count, and that it makes a difference.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that cannot build its value has to fail its test"
)]

mod support;

use support::{candidate, identity, instant, memory, place, reader, score, searched, tag};
use testimony_domain::{
    Capability, DroppedClaim, Labels, Memory, MemoryKind, MemoryScope, Plane, Reason, RecallLimit,
    ReviewNeed, SequentialIds, SourceClass, State, Threshold, TrustPolicy,
};
use testimony_recall::diagnostics::{AnswerMatch, Signal, SourceHealth};
use testimony_recall::{
    Candidate, Channel, Diagnostics, FallbackReason, Mode, Options, QuestionKind, Request, Sort,
    SourceState, Sources, Stage, TimeIntent, View, WhyNot, recall, why_not,
};

fn rows(texts: &[&str]) -> Vec<Memory> {
    let ids = SequentialIds::default();
    texts.iter().map(|text| memory(&ids, text)).collect()
}

fn found<'m>(rows: &'m [Memory], channels: &[(Channel, f64)]) -> Vec<Candidate<'m>> {
    rows.iter()
        .map(|row| {
            let mut found = candidate(row);
            for (channel, value) in channels {
                found.channels = found.channels.with(*channel, score(*value));
            }
            found
        })
        .collect()
}

fn diagnosed(query: &str, options: &Options, found: &[Candidate<'_>]) -> Diagnostics {
    let who = reader();
    let request = Request::new(query, &who, options, instant("2026-06-01"));
    recall(&request, found).answer.diagnostics
}

/// Positions of the results among the candidates.
fn places(query: &str, options: &Options, found: &[Candidate<'_>]) -> Vec<usize> {
    let who = reader();
    let request = Request::new(query, &who, options, instant("2026-06-01"));
    let answer = recall(&request, found).answer;
    let place = |id| found.iter().position(|it| it.memory.id == id).unwrap();
    answer
        .results
        .iter()
        .map(|row| place(row.memory.id))
        .collect()
}

const WHERE: &str = "Where does Marta live?";

#[test]
fn channels_are_named_and_counted() {
    let rows = rows(&["Marta lives in Lisbon.", "Jonas teaches chemistry."]);
    let mut all = found(&rows, &[(Channel::Semantic, 0.9)]);
    all[0].channels = all[0]
        .channels
        .with(Channel::Keyword, score(0.5))
        .with(Channel::Entity, score(0.6));
    let said = diagnosed(WHERE, &Options::default(), &all);
    assert_eq!(
        said.candidate_sources,
        [Channel::Keyword, Channel::Semantic, Channel::Entity]
    );
    assert_eq!(
        (said.semantic_count, said.keyword_count, said.entity_count),
        (2, 1, 1)
    );
    assert_eq!(
        (
            said.lexical_count,
            said.profile_count,
            said.entity_hits_merged
        ),
        (1, 0, 1)
    );
    assert_eq!(said.direct_answer_count, 1);
    assert_eq!(said.fallback_reason, None);
    assert_eq!(said.question_kind, QuestionKind::Where);
}

#[test]
fn a_row_says_why_it_was_recalled() {
    let rows = rows(&["Marta lives in Lisbon."]);
    let (who, options) = (reader(), Options::default());
    let request = Request::new(WHERE, &who, &options, instant("2026-06-01"));
    let answer = recall(&request, &found(&rows, &[(Channel::Keyword, 0.5)])).answer;
    let why = &answer.results[0].why_recalled;
    assert_eq!(
        why.relevance_signals,
        [Signal::Keyword, Signal::Entity, Signal::Lexical]
    );
    assert_eq!(why.signals.last(), Some(&Signal::CurrentState));
    assert_eq!(why.answer_match_type, AnswerMatch::DirectAnswer);
    assert!(why.direct_answer && !why.current_state_only && why.marked.is_none());
    assert_eq!((why.entity_hits, why.profile_hits), (1, 0));
    assert_eq!(why.lexical_overlap.get().to_bits(), 1.0_f64.to_bits());
    assert_eq!(
        why.min_relevance_threshold.get().to_bits(),
        0.10_f64.to_bits()
    );
    assert_eq!(
        (why.trust_policy_applied, why.scope),
        (TrustPolicy::Off, MemoryScope::User)
    );
    let row = &answer.results[0];
    assert!(row.answer_relevance_score <= row.relevance_score);
}

#[test]
fn weak_signals_are_told_apart() {
    let row = rows(&["The quarterly report of the harbour office is late."]);
    let keyword = &[(Channel::Keyword, 0.9)];
    let common = diagnosed(
        "Where does Marta live?",
        &Options::default(),
        &found(&row, keyword),
    );
    assert_eq!(common.weak_keyword_suppressed_count, 1);
    let long = "How do lions, tigers, wolves, bears, foxes and report otters hunt?";
    let single = diagnosed(long, &Options::default(), &found(&row, keyword));
    assert_eq!(single.single_signal_keyword_suppressed_count, 1);
    let lexical = diagnosed(long, &Options::default(), &found(&row, &[]));
    assert_eq!(lexical.weak_lexical_suppressed_count, 1);
    for said in [common, single, lexical] {
        assert_eq!(
            said.fallback_reason,
            Some(FallbackReason::NoRelevantCandidates)
        );
        assert!(said.abstained);
    }
}

#[test]
fn currentness_alone_is_no_relevance() {
    let rows = rows(&["Jonas teaches chemistry."]);
    let said = diagnosed(
        "What is the melting point of tungsten?",
        &Options::default(),
        &found(&rows, &[]),
    );
    assert!(said.current_state_only_top1 && said.abstained);
    let said = diagnosed(
        WHERE,
        &Options::default(),
        &found(&self::rows(&["Marta lives in Lisbon."]), &[]),
    );
    assert!(!said.current_state_only_top1);
}

#[test]
fn policies_count_what_they_hold_and_mark() {
    let mut rows = rows(&["Marta lives in Lisbon."]);
    rows[0].class = SourceClass::ToolResult;
    let under = |trust_policy| Options {
        trust_policy,
        ..Options::default()
    };
    let balanced = diagnosed(WHERE, &under(TrustPolicy::Balanced), &found(&rows, &[]));
    assert_eq!(
        (
            balanced.balanced_caution_count,
            balanced.strict_suppressed_count
        ),
        (1, 0)
    );
    let strict = diagnosed(WHERE, &under(TrustPolicy::Strict), &found(&rows, &[]));
    assert_eq!(
        (
            strict.balanced_caution_count,
            strict.strict_suppressed_count
        ),
        (0, 1)
    );
    assert_eq!(
        strict.fallback_reason,
        Some(FallbackReason::HeldByTrustPolicy)
    );
    let off = diagnosed(WHERE, &under(TrustPolicy::Off), &found(&rows, &[]));
    assert_eq!(
        (off.balanced_caution_count, off.strict_suppressed_count),
        (0, 0)
    );
}

#[test]
fn stale_rows_supporting_rows_and_rows_of_others_are_counted() {
    let mut all = rows(&[
        "Marta lives in Ghent.",
        "Marta lives next to a bakery with her greyhound.",
        "Jonas lives in Leeds.",
        "Marta moved the staging host.",
    ]);
    all[0].state = State::Superseded;
    let said = diagnosed(
        "When did Marta live in Ghent?",
        &Options::default(),
        &found(&all, &[]),
    );
    assert_eq!(said.stale_suppressed_count, 1);
    assert_eq!(said.supporting_context_count, 2);
    assert_eq!(
        (
            said.tangential_context_count,
            said.tangential_suppressed_count
        ),
        (1, 0),
        "Jonas is another subject"
    );
    assert_eq!(said.fallback_reason, Some(FallbackReason::NoDirectAnswer));
    let other = diagnosed(
        "Where did Marta move the production host?",
        &Options::default(),
        &found(&all[3..], &[]),
    );
    assert_eq!(
        (
            other.supporting_context_count,
            other.tangential_context_count
        ),
        (0, 1)
    );
    let wrong = diagnosed(WHERE, &Options::default(), &found(&all[2..3], &[]));
    assert_eq!(wrong.fallback_reason, Some(FallbackReason::WrongSubject));
}

#[test]
fn rows_over_the_limit_are_named() {
    let rows = rows(&[
        "Marta lives in Lisbon.",
        "Marta lives in the old town of Lisbon.",
        "Marta owns a bakery.",
        "Marta owns a boat.",
    ]);
    let options = Options {
        limit: RecallLimit::MIN,
        ..Options::default()
    };
    let who = reader();
    let request = Request::new(WHERE, &who, &options, instant("2026-06-01"));
    let answer = recall(&request, &found(&rows, &[])).answer;
    assert_eq!(
        (answer.results.len(), answer.diagnostics.direct_answer_count),
        (1, 2)
    );
    assert_eq!(answer.diagnostics.tangential_suppressed_count, 1);
    let over = answer
        .suppressed
        .iter()
        .filter(|it| it.reason == Reason::OverLimit && it.stage == Stage::Limit);
    assert_eq!(over.count(), 2);
}

#[test]
fn rows_that_wait_are_listed_for_confirmation() {
    let mut rows = rows(&["Marta lives in Lisbon."]);
    rows[0].state = State::Pending;
    rows[0].review = Some(ReviewNeed::Requested);
    let (who, options) = (reader(), Options::default());
    let request = Request::new(WHERE, &who, &options, instant("2026-06-01"));
    let found = found(&rows, &[]);
    let answer = recall(&request, &found).answer;
    assert!(answer.results.is_empty());
    let waiting = &answer.needs_confirmation[0];
    assert_eq!(
        (waiting.reason, waiting.stage),
        (Reason::PendingReview, Stage::Review)
    );
    assert_eq!(
        answer.diagnostics.fallback_reason,
        Some(FallbackReason::OnlyUnconfirmed)
    );
    let why = why_not(&request, &found, rows[0].id);
    assert_eq!(
        why,
        WhyNot::AwaitsConfirmation {
            reason: Reason::PendingReview,
            rank: 1
        }
    );
}

#[test]
fn stages_count_only_rows_that_exist_for_the_caller() {
    let mut all = rows(&[
        "Marta lives in Lisbon.",
        "Marta lives in Ghent.",
        "Marta lives in Leeds.",
    ]);
    all[1].state = State::Superseded;
    all[2].partition = place(
        "workspace",
        "stranger",
        Plane::Working,
        MemoryScope::User,
        Labels::default(),
    );
    let (who, options) = (reader(), Options::default());
    let request = Request::new(WHERE, &who, &options, instant("2026-06-01"));
    let answered = recall(&request, &found(&all, &[]));
    let counts = &answered.answer.diagnostics.scope_filter_stage_counts;
    let of = |stage: Stage| {
        counts
            .iter()
            .find(|it| it.stage == stage)
            .map(|it| (it.passed, it.removed))
    };
    assert_eq!(of(Stage::Identity), Some((2, 0)));
    assert_eq!(of(Stage::Scope), Some((2, 0)));
    assert_eq!(of(Stage::Lifecycle), Some((1, 1)));
    assert_eq!(of(Stage::Limit), Some((1, 0)));
    assert_eq!(
        (
            answered.audit.outside_scope,
            answered.audit.outside_container
        ),
        (1, 0)
    );
    assert!(
        answered
            .answer
            .suppressed
            .iter()
            .all(|it| it.id != all[2].id)
    );
    assert_eq!(
        why_not(&request, &found(&all, &[]), all[2].id),
        WhyNot::Unknown
    );
}

#[test]
fn a_claimed_identity_shows_as_one_and_no_more() {
    let rows = rows(&["Marta lives in Lisbon."]);
    let (who, options) = (reader(), Options::default());
    let mut request = Request::new(WHERE, &who, &options, instant("2026-06-01"));
    for (dropped, count) in [
        (&[][..], 0),
        (&[DroppedClaim::Agent], 1),
        (&[DroppedClaim::SourceApp, DroppedClaim::Agent], 1),
        (&[DroppedClaim::User], 0),
    ] {
        request.dropped = dropped;
        let said = recall(&request, &found(&rows, &[])).answer.diagnostics;
        assert_eq!(said.cross_agent_candidates_suppressed, count);
    }
}

#[test]
fn the_health_of_sources_is_said() {
    let (who, options) = (reader(), Options::default());
    let mut request = Request::new(WHERE, &who, &options, instant("2026-06-01"));
    let (up, down) = (SourceState::Up, SourceState::Down);
    for (keyword, semantic, health) in [
        (up, up, SourceHealth::MultiSignal),
        (up, down, SourceHealth::KeywordOnly),
        (down, up, SourceHealth::SemanticOnly),
        (down, down, SourceHealth::NoPrimarySources),
    ] {
        request.sources = Sources { keyword, semantic };
        assert_eq!(
            recall(&request, &[])
                .answer
                .diagnostics
                .source_health_status,
            health
        );
    }
}

#[test]
fn entities_alone_can_lift_a_row_over_the_floor() {
    let rows = rows(&["The greyhound is called Pixel."]);
    let lifted = diagnosed(
        "Where was the festival?",
        &Options::default(),
        &found(&rows, &[(Channel::Entity, 0.9)]),
    );
    assert_eq!(lifted.entity_signal_promoted_count, 1);
    let by_words = diagnosed(
        "What is the greyhound called?",
        &Options::default(),
        &found(&rows, &[(Channel::Entity, 0.9)]),
    );
    assert_eq!(by_words.entity_signal_promoted_count, 0);
}

#[test]
fn rows_that_say_the_same_become_one() {
    let mut rows = rows(&[
        "Marta lives in Lisbon.",
        "marta lives in Lisbon",
        "Marta does not live in Lisbon.",
    ]);
    rows[0].class = SourceClass::ToolResult;
    let found = found(&rows, &[]);
    let options = Options {
        trust_policy: TrustPolicy::Balanced,
        ..Options::default()
    };
    let who = reader();
    let request = Request::new(WHERE, &who, &options, instant("2026-06-01"));
    let answer = recall(&request, &found).answer;
    let ids: Vec<_> = answer.results.iter().map(|row| row.memory.id).collect();
    assert_eq!(
        ids,
        [rows[1].id],
        "the trusted one stays; what denies the premise is no answer"
    );
    assert_eq!(
        why_not(&request, &found, rows[0].id),
        WhyNot::Duplicate { of: rows[1].id }
    );
}

/// What is collapsed lends its relevance to the row that stands for it.
#[test]
fn a_row_is_as_relevant_as_the_most_relevant_that_says_the_same() {
    let mut rows = rows(&["Marta lives in Lisbon.", "Marta lives in Lisbon"]);
    rows[0].class = SourceClass::ToolResult;
    let relevance = |by_first: f64, by_second: f64| {
        let mut found = found(&rows, &[]);
        for (row, semantic) in found.iter_mut().zip([by_first, by_second]) {
            row.channels = row.channels.with(Channel::Semantic, score(semantic));
        }
        let (who, options) = (reader(), Options::default());
        let request = Request::new(WHERE, &who, &options, instant("2026-06-01"));
        let answer = recall(&request, &found).answer;
        let [row] = answer.results.as_slice() else {
            panic!("they say the same")
        };
        assert_eq!(row.memory.id, rows[1].id);
        row.relevance_score
    };
    assert_eq!(relevance(0.95, 0.6), relevance(0.95, 0.95));
    assert_eq!(relevance(0.6, 0.95), relevance(0.95, 0.95));
    assert!(relevance(0.6, 0.6) < relevance(0.95, 0.6));
}

#[test]
fn each_context_tag_lifts_a_row_up_to_the_second() {
    let names = ["harbour", "river", "town"];
    let scored = |carried: usize| {
        let mut rows = rows(&["Marta owns a boat."]);
        rows[0].tags = names.iter().take(carried).map(|it| tag(it)).collect();
        let options = Options {
            context_tags: names.map(tag).to_vec(),
            ..Options::default()
        };
        let who = reader();
        let request = Request::new(WHERE, &who, &options, instant("2026-06-01"));
        let answer = recall(&request, &found(&rows, &[])).answer;
        let row = answer.related_context.first().unwrap();
        (row.score.get() * 100.0).round() as i64
    };
    let lifts: Vec<i64> = (1..=3).map(|tags| scored(tags) - scored(0)).collect();
    assert_eq!(lifts, [5, 10, 10]);
}

#[test]
fn why_not_names_floor_subject_rank_and_gate() {
    let mut all = rows(&[
        "Marta lives in Lisbon.",
        "Marta lives in the old town of Lisbon.",
        "Jonas lives in Leeds.",
        "Tea is green.",
        "Marta owns a boat.",
    ]);
    all[3].state = State::Forensic;
    let who = reader();
    let options = Options {
        limit: RecallLimit::MIN,
        ..Options::default()
    };
    let request = Request::new(WHERE, &who, &options, instant("2026-06-01"));
    let found = found(&all, &[]);
    let why = |at: usize| why_not(&request, &found, all[at].id);
    assert!(
        matches!(why(0), WhyNot::Recalled { rank: 1, .. }),
        "{:?}",
        why(0)
    );
    assert!(
        matches!(
            why(1),
            WhyNot::OverLimit {
                rank: 2,
                limit: 1,
                ..
            }
        ),
        "{:?}",
        why(1)
    );
    assert!(
        matches!(why(2), WhyNot::WrongSubject { .. }),
        "{:?}",
        why(2)
    );
    assert_eq!(
        why(3),
        WhyNot::Held {
            stage: Stage::View,
            reason: Reason::Forensic,
            added_gate: None
        }
    );
    assert!(
        matches!(why(4), WhyNot::Related { rank: 1 | 2, .. }),
        "{:?}",
        why(4)
    );
    let high = Options {
        threshold: Threshold::clamped(0.99),
        ..Options::default()
    };
    let request = Request::new(WHERE, &who, &high, instant("2026-06-01"));
    let below = why_not(&request, &found, all[4].id);
    assert!(
        matches!(
            below,
            WhyNot::NotRelevant {
                reason: Reason::BelowFloor,
                ..
            }
        ),
        "{below:?}"
    );
}

#[rustfmt::skip]
#[test]
fn each_hint_makes_a_difference() {
    let mut all = rows(&["Marta lives in Lisbon.", "Marta lives in the Lisbon harbour.", "Marta lives in Lisbon at the river."]);
    all[1].tags = vec![tag("harbour")];
    all[1].kind = MemoryKind::Artifact;
    for (row, day) in all.iter_mut().zip(["2026-01-03", "2026-01-01", "2026-01-02"]) {
        row.observed_at = instant(day);
    }
    let found = found(&all, &[]);
    let none = Options::default;
    let order = |options: Options| places(WHERE, &options, &found);
    assert_eq!(order(none()), [0, 2, 1]);
    assert_eq!(order(Options { context_tags: vec![tag("harbour")], ..none() })[0], 1);
    assert_eq!(order(Options { context_types: vec![MemoryKind::Artifact], ..none() })[0], 1);
    assert_eq!(order(Options { priority_ids: vec![all[1].id], ..none() })[0], 1);
    assert_eq!(order(Options { sort: Sort::Recent, ..none() }), [0, 2, 1]);
    assert_eq!(order(Options { sort: Sort::Oldest, ..none() }), [1, 2, 0]);
    assert_eq!(order(Options { limit: RecallLimit::MIN, ..none() }), [0]);
}

#[test]
fn mode_and_graph_decide_which_channels_count() {
    let rows = rows(&["The parcel lies behind the counter."]);
    let semantic = found(&rows, &[(Channel::Semantic, 0.8)]);
    let graph = found(&rows, &[(Channel::Graph, 0.8)]);
    let keyword = Options {
        mode: Mode::Keyword,
        ..Options::default()
    };
    let count = |options: &Options, found: &[Candidate<'_>]| {
        let said = diagnosed("How do we reach the island?", options, found);
        said.supporting_context_count + said.direct_answer_count
    };
    assert_eq!(
        (
            count(&Options::default(), &semantic),
            count(&keyword, &semantic)
        ),
        (1, 0)
    );
    let off = Options {
        graph_traversal: false,
        ..Options::default()
    };
    assert_eq!(
        (count(&Options::default(), &graph), count(&off, &graph)),
        (1, 0)
    );
    let lexical = found(&rows, &[(Channel::Lexical, 0.8)]);
    let meaning = Options {
        mode: Mode::Semantic,
        ..Options::default()
    };
    assert_eq!(
        (
            count(&Options::default(), &lexical),
            count(&meaning, &lexical)
        ),
        (1, 0)
    );
}

#[test]
fn time_goal_view_and_rarity_make_a_difference() {
    let mut all = rows(&[
        "Marta lives in Ghent.",
        "Deploy scripts are written in bash.",
    ]);
    all[0].state = State::Superseded;
    let place = found(&all[..1], &[]);
    let historical = Options {
        time_query: Some(TimeIntent::Historical),
        ..Options::default()
    };
    assert_eq!(places(WHERE, &Options::default(), &place), [0_usize; 0]);
    assert_eq!(places(WHERE, &historical, &place), [0]);
    let (who, options) = (reader(), Options::default());
    let script = found(&all[1..], &[]);
    let mut request = Request::new(
        "Please go on with it",
        &who,
        &options,
        instant("2026-06-01"),
    );
    assert!(recall(&request, &script).answer.related_context.is_empty());
    request.goal = Some("write the deploy script");
    assert_eq!(recall(&request, &script).answer.related_context.len(), 1);
    let reviewer = identity("builder", &[Capability::Review], Labels::default());
    let review = Options {
        view: View::Review,
        ..Options::default()
    };
    for (who, view) in [(&who, View::Assistant), (&reviewer, View::Review)] {
        let request = Request::new(WHERE, who, &review, instant("2026-06-01"));
        assert_eq!(recall(&request, &[]).answer.diagnostics.view_applied, view);
    }
    let mut request = Request::new("harbour festival", &who, &options, instant("2026-06-01"));
    let festival = rows(&["The festival was loud."]);
    let relevance = |request: &Request<'_>| {
        let answer = recall(request, &found(&festival, &[])).answer;
        let mut rows = answer.results.iter().chain(&answer.related_context);
        rows.next().unwrap().relevance_score
    };
    let even = relevance(&request);
    let rarity = |word: &str| if word == "festival" { 0.4 } else { 1.0 };
    request.rarity = Some(&rarity);
    assert!(relevance(&request) < even);
}

#[test]
fn marked_rows_rank_below_trusted_ones_of_equal_relevance() {
    let mut rows = rows(&[
        "Marta lives in Lisbon near a park.",
        "Marta lives in Lisbon near a cafe.",
    ]);
    rows[0].class = SourceClass::ToolResult;
    rows[0].observed_at = instant("2026-05-01");
    let balanced = Options {
        trust_policy: TrustPolicy::Balanced,
        ..Options::default()
    };
    let refs: Vec<&Memory> = rows.iter().collect();
    let found = searched(WHERE, &refs);
    assert_eq!(
        places(WHERE, &Options::default(), &found),
        [0, 1],
        "unmarked, the later one leads"
    );
    assert_eq!(places(WHERE, &balanced, &found), [1, 0]);
}
