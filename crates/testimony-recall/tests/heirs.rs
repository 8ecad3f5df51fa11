//! What took the place of a row answers what that row would: because the ledger says so, and in no other case.

mod support;

use support::{candidate, instant, memory, reader};
use testimony_domain::{Memory, ReviewNeed, SequentialIds, State};
use testimony_recall::{
    Answer, Candidate, Channel, Options, Request, TimeIntent, diagnostics::Signal, recall,
};

const OLD: &str = "Our VPN client is OpenVPN.";
const NEW: &str = "Ops swapped it for WireGuard.";
const ASKED: &str = "Which VPN client do we use?";

/// The row that was replaced, what took its place, and something else.
fn rows() -> [Memory; 3] {
    let ids = SequentialIds::default();
    let [mut old, mut new, other] =
        [OLD, NEW, "The garden gate squeaks."].map(|text| memory(&ids, text));
    old.state = State::Superseded;
    (new.fact, new.revision) = (old.fact, old.revision + 1);
    new.observed_at = instant("2026-03-01");
    [old, new, other]
}

fn found(rows: &[Memory]) -> Vec<Candidate<'_>> {
    let found = rows.iter().map(|row| {
        let mut candidate = candidate(row);
        if row.content.as_str() == OLD {
            for channel in [Channel::Keyword, Channel::Semantic] {
                candidate.channels = candidate.channels.with(channel, support::score(0.6));
            }
        }
        candidate
    });
    found.collect()
}

fn answered<'a>(rows: &'a [Memory], options: &Options) -> Answer<'a> {
    answer_to(ASKED, rows, options)
}

fn answer_to<'a>(query: &str, rows: &'a [Memory], options: &Options) -> Answer<'a> {
    let who = reader();
    let request = Request::new(query, &who, options, instant("2026-06-01"));
    recall(&request, &found(rows)).answer
}

fn texts(rows: &[Memory]) -> Vec<String> {
    let answer = answered(rows, &Options::default());
    let results = answer.results.iter();
    results
        .map(|row| row.memory.content.as_str().to_owned())
        .collect()
}

#[test]
fn what_took_the_place_of_an_answer_answers_and_says_why() {
    let rows = rows();
    assert_eq!(texts(&rows), [NEW]);
    let answer = answered(&rows, &Options::default());
    assert_eq!(answer.results.len(), 1);
    let result = &answer.results[0];
    assert!(result.direct_answer && !result.why_recalled.current_state_only);
    assert!(result.why_recalled.signals.contains(&Signal::Succession));
    assert!(result.score < support::score(1.0));
}

#[test]
fn nothing_is_lent_by_what_may_not_be_known_or_was_never_settled() {
    type Change = fn(&mut [Memory; 3]);
    let cases: [(&str, Change); 6] = [
        ("of another fact", |rows| rows[1].fact = rows[2].fact),
        ("an earlier revision", |rows| rows[1].revision = 0),
        ("contested when it ended", |rows| rows[0].contested = true),
        ("waiting when it ended", |rows| {
            rows[0].review = Some(ReviewNeed::Requested);
        }),
        ("erased", |rows| rows[0].state = State::Erased),
        ("of another container", |rows| {
            rows[0].partition = support::place(
                "elsewhere",
                "builder",
                testimony_domain::Plane::Task,
                testimony_domain::MemoryScope::User,
                testimony_domain::Labels::default(),
            );
        }),
    ];
    for (why, change) in cases {
        let mut rows = rows();
        change(&mut rows);
        assert!(texts(&rows).is_empty(), "{why}");
    }
}

#[test]
fn it_helps_with_the_tasks_of_what_it_replaced() {
    const TASK: &str = "Write the guide for our VPN client.";
    let mut rows = rows();
    let helps = |rows: &[Memory]| {
        let answer = answer_to(TASK, rows, &Options::default());
        assert!(answer.results.is_empty(), "nothing answers a task");
        let mut related = answer.related_context.iter();
        let new = related.find(|row| row.memory.content.as_str() == NEW);
        new.map(|row| row.answer_relevance_score)
    };
    let lent = helps(&rows);
    assert!(lent > Some(support::score(0.1)), "{lent:?}");
    rows[1].fact = rows[2].fact;
    assert!(helps(&rows) < lent);
}

#[test]
fn whoever_looks_back_gets_the_row_itself() {
    let rows = rows();
    let options = Options {
        time_query: Some(TimeIntent::Historical),
        ..Options::default()
    };
    let answer = answered(&rows, &options);
    let first = answer
        .results
        .first()
        .map(|row| row.memory.content.as_str());
    assert_eq!(first, Some(OLD));
}
