//! Property 2: rows that a principal may not see change nothing in what it gets.
//!
//! The channel scores come from an index of this test's own, so that statistics are part of what is tested.

mod support;

use proptest::prelude::*;
use support::strategies::{self, Sketch, breaks, holds, question, sketch, sketches};
use support::{WordIndex, identity, instant, labels, score};
use testimony_domain::{EffectiveIdentity, Memory, SequentialIds, TrustPolicy};
use testimony_recall::{Audit, Candidate, Channel, Options, Request, View, recall, why_not};

#[derive(Clone, Debug)]
struct Case {
    query: String,
    rows: Vec<Sketch>,
    strangers: Vec<Sketch>,
    options: Options,
    user: Option<&'static str>,
}

fn case() -> impl Strategy<Value = Case> {
    (
        question(),
        sketches(),
        prop::collection::vec(sketch(), 1..6),
        prop::sample::select(TrustPolicy::ALL),
        prop::sample::select(View::ALL),
        prop::option::of(Just("ana")),
    )
        .prop_map(|(query, rows, strangers, trust_policy, view, user)| Case {
            query,
            rows,
            strangers,
            options: Options {
                trust_policy,
                view,
                ..Options::default()
            },
            user,
        })
}

fn is_visible(who: &EffectiveIdentity, row: &Memory) -> bool {
    row.partition
        .visible_to(who, row.is_private_until_supported())
        .is_ok()
}

/// What the caller gets, as text: every field of the answer, and of `why_not` for every visible row.
fn heard(
    case: &Case,
    who: &EffectiveIdentity,
    rows: &[&Memory],
    index_sees: impl Fn(&Memory) -> bool,
) -> (String, Audit) {
    let seen = rows.iter().filter(|row| index_sees(row));
    let index = WordIndex::of(seen.map(|row| row.content.as_str()));
    let candidates: Vec<Candidate<'_>> = rows
        .iter()
        .map(|row| {
            let found = index.score(&case.query, row.content.as_str());
            let mut candidate = support::candidate(row);
            candidate.channels = candidate.channels.with(Channel::Keyword, score(found));
            candidate
        })
        .collect();
    let request = Request::new(&case.query, who, &case.options, instant("2026-06-01"));
    let answered = recall(&request, &candidates);
    let mut visible: Vec<&&Memory> = rows.iter().filter(|row| is_visible(who, row)).collect();
    visible.sort_by_key(|row| row.id);
    let reasons: Vec<_> = visible
        .iter()
        .map(|row| why_not(&request, &candidates, row.id))
        .collect();
    (
        format!("{:#?}{reasons:#?}", answered.answer),
        answered.audit,
    )
}

/// The whole world and the visible part of it give the same answer.
fn same_with_and_without(case: &Case, twin: Twin) -> Result<(), TestCaseError> {
    let ids = SequentialIds::default();
    let who = identity("builder", &[], labels(case.user, None));
    let sketches: Vec<Sketch> = case.rows.iter().chain(&case.strangers).cloned().collect();
    let all = strategies::rows(&sketches, &ids);
    let world: Vec<&Memory> = all.iter().collect();
    let visible: Vec<&Memory> = all.iter().filter(|row| is_visible(&who, row)).collect();
    let sees = |row: &Memory| twin == Twin::LeakyIndex || is_visible(&who, row);
    let (with, audit_with) = heard(case, &who, &world, sees);
    let (without, audit_without) = heard(case, &who, &visible, sees);
    prop_assert_eq!(with, without);
    if twin == Twin::LeakyCounter {
        prop_assert_eq!(audit_with, audit_without);
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Twin {
    None,
    /// Statistics over all rows of the container.
    LeakyIndex,
    /// True counts of hidden rows go to the caller.
    LeakyCounter,
}

#[test]
fn rows_that_one_may_not_see_change_nothing() {
    holds(&case(), |case| same_with_and_without(&case, Twin::None)).unwrap();
}

#[test]
fn canary_an_index_with_statistics_over_hidden_rows_is_caught() {
    assert!(breaks(&case(), |case| same_with_and_without(
        &case,
        Twin::LeakyIndex
    )));
}

#[test]
fn canary_a_counter_of_hidden_rows_is_caught() {
    assert!(breaks(&case(), |case| same_with_and_without(
        &case,
        Twin::LeakyCounter
    )));
}

/// The order in which a search hands in its rows plays no part either.
#[test]
fn the_order_of_the_candidates_plays_no_part() {
    holds(&case(), |case| {
        let ids = SequentialIds::default();
        let who = identity("builder", &[], labels(case.user, None));
        let all = strategies::rows(&case.rows, &ids);
        let forward: Vec<&Memory> = all.iter().collect();
        let backward: Vec<&Memory> = all.iter().rev().collect();
        let sees = |row: &Memory| is_visible(&who, row);
        prop_assert_eq!(
            heard(&case, &who, &forward, sees).0,
            heard(&case, &who, &backward, sees).0
        );
        Ok(())
    })
    .unwrap();
}
