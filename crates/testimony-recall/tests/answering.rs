//! Property 7: there is a result exactly when some row passes every gate, clears the floor and answers; a higher
//! threshold never adds one; a stricter policy shows no more than a looser one.

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use support::strategies::{self, Sketch, breaks, candidates, holds, question, sketches};
use support::{instant, reader};
use testimony_domain::{
    EffectiveIdentity, Labels, Memory, MemoryId, MemoryKind, MemoryScope, Plane, RecallLimit,
    Score, SequentialIds, SourceClass, State, Threshold, TrustPolicy,
};
use testimony_recall::answer::{renewal_sign_names, renewals};
use testimony_recall::{
    Answer, Candidate, Channel, Options, Request, SYSTEM_FLOOR, assess, recall,
};

type Case = (String, Vec<Sketch>, f64, f64);

fn case() -> impl Strategy<Value = Case> {
    (question(), sketches(), 0.0..=1.0_f64, 0.0..=1.0_f64)
}

fn options(threshold: f64, trust_policy: TrustPolicy) -> Options {
    Options {
        limit: RecallLimit::MAX,
        threshold: Threshold::clamped(threshold),
        trust_policy,
        ..Options::default()
    }
}

type Recaller = fn(&str, &EffectiveIdentity, &Options, &[Candidate<'_>]) -> BTreeSet<MemoryId>;

fn honest(
    query: &str,
    who: &EffectiveIdentity,
    options: &Options,
    found: &[Candidate<'_>],
) -> BTreeSet<MemoryId> {
    let request = Request::new(query, who, options, instant("2026-06-01"));
    let answer = recall(&request, found).answer;
    assert_eq!(answer.diagnostics.abstained, answer.results.is_empty());
    assert_eq!(
        answer.diagnostics.fallback_reason.is_some(),
        answer.results.is_empty()
    );
    answer.results.iter().map(|row| row.memory.id).collect()
}

/// Takes the best two by keyword before it asks the gates, so that ineligible rows crowd out eligible ones.
fn crowding(
    query: &str,
    who: &EffectiveIdentity,
    options: &Options,
    found: &[Candidate<'_>],
) -> BTreeSet<MemoryId> {
    let mut best = found.to_vec();
    let keyword = |it: &Candidate<'_>| it.channels.get(Channel::Keyword).map_or(0.0, Score::get);
    best.sort_by(|a, b| keyword(b).total_cmp(&keyword(a)));
    best.truncate(2);
    honest(query, who, options, &best)
}

/// Reads a threshold the wrong way round.
fn inverted(
    query: &str,
    who: &EffectiveIdentity,
    options: &Options,
    found: &[Candidate<'_>],
) -> BTreeSet<MemoryId> {
    let mut options = options.clone();
    options.threshold = Threshold::clamped(1.0 - options.threshold.get());
    honest(query, who, &options, found)
}

/// Shows under the strict policy what is to be held.
fn lax(
    query: &str,
    who: &EffectiveIdentity,
    options: &Options,
    found: &[Candidate<'_>],
) -> BTreeSet<MemoryId> {
    let mut options = options.clone();
    options.trust_policy = match options.trust_policy {
        TrustPolicy::Strict => TrustPolicy::Off,
        TrustPolicy::Off | TrustPolicy::Balanced => TrustPolicy::Strict,
    };
    honest(query, who, &options, found)
}

fn rows(sketches: &[Sketch]) -> Vec<Memory> {
    strategies::rows(sketches, &SequentialIds::default())
}

/// Rows each of a fact of its own: what one answers by itself it does not answer for another.
fn rows_apart(sketches: &[Sketch]) -> Vec<Memory> {
    let ids = SequentialIds::default();
    sketches.iter().map(|it| it.row(&ids)).collect()
}

fn answers_exactly_when_some_row_does(
    case: &Case,
    recaller: Recaller,
) -> Result<(), TestCaseError> {
    let (query, sketches, threshold, _) = case;
    let rows = rows_apart(sketches);
    let found = candidates(sketches, &rows);
    let who = reader();
    for policy in TrustPolicy::ALL {
        let options = options(*threshold, *policy);
        let request = Request::new(query, &who, &options, instant("2026-06-01"));
        let floor = Score::clamped(threshold.max(SYSTEM_FLOOR));
        let expected = found.iter().any(|it| assess(&request, it).answers(floor));
        prop_assert_eq!(
            !recaller(query, &who, &options, &found).is_empty(),
            expected
        );
    }
    Ok(())
}

fn higher_threshold_adds_nothing(case: &Case, recaller: Recaller) -> Result<(), TestCaseError> {
    let (query, sketches, one, other) = case;
    let rows = rows(sketches);
    let found = candidates(sketches, &rows);
    let who = reader();
    for policy in TrustPolicy::ALL {
        let low = recaller(query, &who, &options(one.min(*other), *policy), &found);
        let high = recaller(query, &who, &options(one.max(*other), *policy), &found);
        prop_assert!(high.is_subset(&low), "{high:?} against {low:?}");
    }
    Ok(())
}

fn stricter_shows_no_more(case: &Case, recaller: Recaller) -> Result<(), TestCaseError> {
    let (query, sketches, threshold, _) = case;
    let rows = rows(sketches);
    let found = candidates(sketches, &rows);
    let who = reader();
    let under = |policy| recaller(query, &who, &options(*threshold, policy), &found);
    let (off, balanced, strict) = (
        under(TrustPolicy::Off),
        under(TrustPolicy::Balanced),
        under(TrustPolicy::Strict),
    );
    prop_assert!(
        strict.is_subset(&balanced),
        "{strict:?} against {balanced:?}"
    );
    prop_assert!(balanced.is_subset(&off), "{balanced:?} against {off:?}");
    Ok(())
}

type Cutter = fn(&mut Answer<'_>, RecallLimit);

fn told(answer: &mut Answer<'_>, limit: RecallLimit) {
    answer.cut_to(limit);
}

/// Takes rows away, and leaves what the answer says of itself.
fn silent(answer: &mut Answer<'_>, limit: RecallLimit) {
    let limit = usize::try_from(limit.get()).unwrap_or(usize::MAX);
    answer.results.truncate(limit);
    answer.related_context.truncate(limit);
    answer.needs_confirmation.truncate(limit);
}

fn a_cut_afterwards_is_as_one_before(case: &Case, cutter: Cutter) -> Result<(), TestCaseError> {
    let (query, sketches, threshold, _) = case;
    let rows = rows(sketches);
    let found = candidates(sketches, &rows);
    let who = reader();
    for (policy, limit) in TrustPolicy::ALL.iter().zip([1, 2, 3]) {
        let limit = RecallLimit::clamped(limit);
        let all = options(*threshold, *policy);
        let few = Options {
            limit,
            ..all.clone()
        };
        let answer = |options: &Options| {
            let request = Request::new(query, &who, options, instant("2026-06-01"));
            recall(&request, &found).answer
        };
        let mut cut = answer(&all);
        cutter(&mut cut, limit);
        prop_assert_eq!(cut, answer(&few));
    }
    Ok(())
}

#[test]
fn an_answer_that_is_cut_afterwards_says_the_same_as_one_of_fewer_rows() {
    holds(&case(), |case| {
        a_cut_afterwards_is_as_one_before(&case, told)
    })
    .unwrap();
}

/// What answers about somebody else is taken in beside two that answer, and no row that is merely related when it is cut.
#[test]
fn what_came_with_an_answer_is_counted_as_one_when_it_is_cut() {
    let row = |text: &str, class, approved, said, scores| Sketch {
        text: text.to_owned(),
        container: "workspace",
        owner: "builder",
        plane: Plane::Personal,
        scope: MemoryScope::User,
        labels: Labels::default(),
        class,
        state: State::Active,
        review: None,
        contested: false,
        approved,
        kind: MemoryKind::Fact,
        said,
        scores,
        replaces: false,
    };
    let sketches = vec![
        row(
            "The billing service runs in Lisbon.",
            SourceClass::ExternalDocument,
            false,
            "2025-09-10",
            [None; 6],
        ),
        row(
            "The billing service prefers Lisbon.",
            SourceClass::ExternalDocument,
            true,
            "2025-02-03",
            [None, Some(0.913), None, None, None, None],
        ),
        row(
            "Marta prefers Lisbon.",
            SourceClass::UserStatement,
            false,
            "2025-09-10",
            [None, Some(0.787), None, None, None, Some(0.544)],
        ),
    ];
    let asked = "In which region does the billing service run?".to_owned();
    a_cut_afterwards_is_as_one_before(&(asked, sketches, 0.0, 0.0), told).unwrap();
}

#[test]
fn canary_a_cut_that_leaves_the_counts_is_caught() {
    assert!(breaks(&case(), |case| a_cut_afterwards_is_as_one_before(
        &case, silent
    )));
}

#[test]
fn there_is_a_result_exactly_when_some_row_answers() {
    holds(&case(), |case| {
        answers_exactly_when_some_row_does(&case, honest)
    })
    .unwrap();
}

#[test]
fn canary_a_recall_in_which_rows_crowd_each_other_out_is_caught() {
    assert!(breaks(&case(), |case| answers_exactly_when_some_row_does(
        &case, crowding
    )));
}

#[test]
fn a_higher_threshold_never_adds_a_row() {
    holds(&case(), |case| higher_threshold_adds_nothing(&case, honest)).unwrap();
}

#[test]
fn canary_a_threshold_that_is_read_the_wrong_way_round_is_caught() {
    assert!(breaks(&case(), |case| higher_threshold_adds_nothing(
        &case, inverted
    )));
}

#[test]
fn a_stricter_policy_never_shows_more() {
    holds(&case(), |case| stricter_shows_no_more(&case, honest)).unwrap();
}

#[test]
fn canary_a_strict_policy_that_shows_what_it_holds_is_caught() {
    assert!(breaks(&case(), |case| stricter_shows_no_more(&case, lax)));
}

/// Relevance never falls when a channel rises.
#[test]
fn relevance_is_monotone_in_every_channel() {
    let strategy = (case(), prop::sample::select(Channel::ALL), 0.0..=1.0_f64);
    holds(&strategy, |((query, sketches, ..), channel, rise)| {
        let rows = rows(&sketches);
        let who = reader();
        let options = Options::default();
        let request = Request::new(&query, &who, &options, instant("2026-06-01"));
        for candidate in candidates(&sketches, &rows) {
            let before = candidate.channels.get(channel).map_or(0.0, Score::get);
            let mut risen = candidate;
            risen.channels = risen
                .channels
                .with(channel, support::score(before + rise * (1.0 - before)));
            let (low, high) = (assess(&request, &candidate), assess(&request, &risen));
            prop_assert!(high.relevance >= low.relevance);
            prop_assert!(
                low.weakness.is_some()
                    || high.weakness.is_none()
                    || low.relevance.get() < SYSTEM_FLOOR
            );
        }
        Ok(())
    })
    .unwrap();
}

/// Whoever sorts rows by what they say sees the order that the service saw.
#[test]
fn scores_never_rise_down_a_list() {
    holds(&case(), |(query, sketches, threshold, _)| {
        let rows = rows(&sketches);
        let (who, options) = (reader(), options(threshold, TrustPolicy::Off));
        let request = Request::new(&query, &who, &options, instant("2026-06-01"));
        let answer = recall(&request, &candidates(&sketches, &rows)).answer;
        for list in [&answer.results, &answer.related_context] {
            prop_assert!(list.is_sorted_by(|row, next| row.score >= next.score));
        }
        Ok(())
    })
    .unwrap();
}

/// What a threshold leaves stands in the order and has the scores that it had.
#[test]
fn a_higher_threshold_changes_nothing_of_what_it_leaves() {
    holds(&case(), |(query, sketches, one, other)| {
        let rows = rows(&sketches);
        let found = candidates(&sketches, &rows);
        let who = reader();
        let told = |threshold: f64| {
            let options = options(threshold, TrustPolicy::Off);
            let request = Request::new(&query, &who, &options, instant("2026-06-01"));
            let results = recall(&request, &found).answer.results;
            let told = results.iter().map(|row| (row.memory.id, row.score));
            told.collect::<Vec<_>>()
        };
        let (low, high) = (told(one.min(other)), told(one.max(other)));
        let left = low.iter().filter(|row| high.contains(row));
        prop_assert!(left.eq(&high), "{high:?} of {low:?}");
        Ok(())
    })
    .unwrap();
}

/// A row that stands before another with a better chance says what both say on average.
#[test]
fn what_follows_another_row_lends_it_its_score() {
    let ids = SequentialIds::default();
    let mut rows = [
        "Marta lives in Lisbon.",
        "Marta moved to Porto, she lives there now.",
    ]
    .map(|text| support::memory(&ids, text));
    rows[1].observed_at = instant("2026-05-01");
    let (who, options) = (reader(), options(0.0, TrustPolicy::Off));
    let request = Request::new(
        "Where does Marta live?",
        &who,
        &options,
        instant("2026-06-01"),
    );
    let found: Vec<Candidate<'_>> = rows.iter().map(support::candidate).collect();
    let answer = recall(&request, &found).answer;
    let [newer, older] = answer.results.as_slice() else {
        panic!("both answer: {:?}", answer.results)
    };
    assert_eq!(newer.memory.id, rows[1].id, "what holds now goes first");
    assert!(older.answer_relevance_score > newer.answer_relevance_score);
    assert_eq!(newer.score, older.score);
}

fn shown(query: &str, rows: &[Memory]) -> usize {
    let (who, options) = (reader(), options(0.0, TrustPolicy::Off));
    let found: Vec<Candidate<'_>> = rows
        .iter()
        .map(|row| {
            let mut found = support::candidate(row);
            found.channels = found.channels.with(Channel::Semantic, Score::clamped(0.95));
            found
        })
        .collect();
    let request = Request::new(query, &who, &options, instant("2026-06-01"));
    let answer = recall(&request, &found).answer;
    answer.results.len() + answer.related_context.len()
}

/// Rows are collapsed only where nothing that they say is lost.
#[test]
fn a_sign_that_carries_meaning_keeps_rows_apart() {
    let long = "Jonas keeps a long diary. ".repeat(700);
    let rows = |one: &str, two: &str| {
        let ids = SequentialIds::default();
        [support::memory(&ids, one), support::memory(&ids, two)]
    };
    let tastes = "What does Jonas prefer?";
    for (question, one, two, apart) in [
        (tastes, "Jonas prefers C++.", "Jonas prefers C#.", 2),
        (
            "What is the limit?",
            "The limit is -5.",
            "The limit is 5.",
            2,
        ),
        ("What is the fee?", "The fee is €5.", "The fee is $5.", 2),
        (tastes, "Jonas prefers C++.", "JONAS prefers “C++”!", 1),
        (tastes, "Jonas prefers tea.", "jonas prefers the tea", 1),
        (tastes, "Jonas prefers - tea.", "Jonas prefers tea.", 1),
        (tastes, "Jonas prefers v2.", "Jonas prefers -v2.", 1),
    ] {
        assert_eq!(shown(question, &rows(one, two)), apart, "{one} {two}");
    }
    let ends = rows(
        &format!("{long}It ends in Rome."),
        &format!("{long}It ends in Oslo."),
    );
    assert_eq!(
        shown("What does Jonas keep?", &ends),
        2,
        "what is not read may differ"
    );
    let mut first_person = rows("I prefer tea.", "I prefer tea.");
    assert_eq!(shown("What do I prefer?", &first_person), 1);
    first_person[0].speaker = testimony_domain::Speaker::new("speaker", "Ana").ok();
    first_person[1].speaker = testimony_domain::Speaker::new("speaker", "Ben").ok();
    assert_eq!(
        shown("What do I prefer?", &first_person),
        2,
        "two people say I"
    );
}

/// A row that two searches found counts with what both say of it, whichever came first.
#[test]
fn a_row_handed_in_twice_is_judged_by_all_its_channels() {
    let ids = SequentialIds::default();
    let row = support::memory(&ids, "Jonas prefers tea.");
    let by = |channel, score| {
        let mut found = support::candidate(&row);
        found.channels = found.channels.with(channel, Score::clamped(score));
        found
    };
    let (words, meaning) = (by(Channel::Keyword, 0.7), by(Channel::Semantic, 0.8));
    let (who, options) = (reader(), options(0.0, TrustPolicy::Off));
    let request = Request::new(
        "What does Jonas prefer?",
        &who,
        &options,
        instant("2026-06-01"),
    );
    let one = recall(&request, &[words, meaning]).answer;
    let other = recall(&request, &[meaning, words]).answer;
    assert_eq!(one, other);
    assert_eq!(one.diagnostics.semantic_count, 1);
    assert_eq!(one.diagnostics.keyword_count, 1);
}

/// Whoever fits the weights of it sees what decides: the same pair of rows, and the same answer to whether the newer one goes
/// first. Where nobody asks what holds now there is no such pair.
#[test]
fn what_is_weighed_of_a_newer_row_is_what_puts_it_first() {
    let ids = SequentialIds::default();
    let mut rows = [
        "The gate code is 4711.",
        "The gate code has changed to 5150.",
        "The gate was painted green.",
    ]
    .map(|text| support::memory(&ids, text));
    rows[1].observed_at = instant("2026-05-01");
    let (who, options) = (reader(), options(0.0, TrustPolicy::Off));
    let [older, newer, _] = &rows;
    for (query, is_asked) in [
        ("What is the gate code?", true),
        ("Is the gate code 4711?", false),
        ("What was the gate code before?", false),
    ] {
        let request = Request::new(query, &who, &options, instant("2026-06-01"));
        let found = support::searched(query, &rows.iter().collect::<Vec<_>>());
        let weighed = renewals(&request, &found);
        let of_it = weighed.iter().find(|it| it.later == newer.id);
        assert_eq!(of_it.is_some(), is_asked, "{query}");
        let Some(pair) = of_it else { continue };
        assert_eq!((pair.earlier, pair.renews), (older.id, true), "{query}");
        assert_eq!(pair.signs.len(), renewal_sign_names().count());
        let first = recall(&request, &found).answer.results.remove(0);
        assert_eq!(first.memory.id, newer.id, "{query}");
    }
}
