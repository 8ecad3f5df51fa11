//! Rows that somebody reads with the question before them: which they are, what becomes of what is said of them, and that
//! property 7 holds with a reader too.

mod support;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use proptest::prelude::*;
use support::strategies::{Sketch, breaks, candidates, holds, question, sketches};
use support::{instant, memory, reader, searched};
use testimony_domain::{
    Labels, Memory, MemoryId, MemoryScope, Plane, RecallLimit, Score, SequentialIds, Speaker,
    State, Threshold, TrustPolicy,
};
use testimony_recall::query::RowReader;
use testimony_recall::{Candidate, Channel, Options, Request, recall};

/// Says that rows answer which hold a word, and notes what it was asked to read.
struct Noting {
    word: &'static str,
    read: RefCell<Vec<String>>,
}

impl Noting {
    fn of(word: &'static str) -> Self {
        Self {
            word,
            read: RefCell::default(),
        }
    }
}

impl RowReader for Noting {
    fn read(&self, _: &str, rows: &[&str]) -> Vec<f64> {
        let texts = rows.iter().map(ToString::to_string);
        self.read.borrow_mut().extend(texts);
        let odds = |row: &&str| if row.contains(self.word) { 6.0 } else { -7.0 };
        rows.iter().map(odds).collect()
    }
}

/// Says anything, but of the same row always the same, and counts what it reads beside a first row.
#[derive(Default)]
struct Whimsical {
    beside: Cell<usize>,
}

impl RowReader for Whimsical {
    fn read(&self, question: &str, rows: &[&str]) -> Vec<f64> {
        let odds = |row: &&str| {
            let mut hasher = DefaultHasher::new();
            (question, row).hash(&mut hasher);
            f64::from(u8::try_from(hasher.finish() % 16).unwrap_or_default()) - 8.0
        };
        rows.iter().map(odds).collect()
    }

    fn renews(&self, earlier: &str, later: &[&str]) -> Vec<f64> {
        self.beside.set(self.beside.get() + later.len());
        self.read(earlier, later)
    }
}

/// Says that rows answer which hold one word, that later ones which hold another make any of them out of date, and notes which
/// were read beside which.
struct Renewing {
    answer: &'static str,
    anew: &'static str,
    beside: RefCell<Vec<(String, String)>>,
}

impl Renewing {
    fn of(answer: &'static str, anew: &'static str) -> Self {
        let beside = RefCell::default();
        Self {
            answer,
            anew,
            beside,
        }
    }
}

impl RowReader for Renewing {
    fn read(&self, question: &str, rows: &[&str]) -> Vec<f64> {
        Noting::of(self.answer).read(question, rows)
    }

    fn renews(&self, earlier: &str, later: &[&str]) -> Vec<f64> {
        let beside = later
            .iter()
            .map(|row| (earlier.to_owned(), (*row).to_owned()));
        self.beside.borrow_mut().extend(beside);
        Noting::of(self.anew).read(earlier, later)
    }
}

fn texts(query: &str, rows: &[Memory], by: &dyn RowReader) -> Vec<String> {
    let rows: Vec<&Memory> = rows.iter().collect();
    answered(query, &searched(query, &rows), by)
}

fn answered(query: &str, found: &[Candidate<'_>], by: &dyn RowReader) -> Vec<String> {
    let (who, options) = (reader(), Options::default());
    let mut request = Request::new(query, &who, &options, instant("2026-06-01"));
    request.reader = Some(by);
    let recalled = recall(&request, found);
    let results = recalled.answer.results.iter();
    results
        .map(|row| row.memory.content.as_str().to_owned())
        .collect()
}

/// Candidates with a channel for each.
fn spoken_for(rows: &[Memory], channel: Channel, by: f64) -> Vec<Candidate<'_>> {
    let speaks = |row| {
        let candidate = support::candidate(row);
        Candidate {
            channels: candidate.channels.with(channel, Score::clamped(by)),
            ..candidate
        }
    };
    rows.iter().map(speaks).collect()
}

fn rows(texts: &[&str]) -> Vec<Memory> {
    let ids = SequentialIds::default();
    texts.iter().map(|text| memory(&ids, text)).collect()
}

#[test]
fn what_is_read_to_answer_answers_and_what_is_not_does_not() {
    let rows = rows(&[
        "Marta is coeliac, so she brings her own bread.",
        "Marta lives in Lisbon with her sister.",
    ]);
    let query = "What can we not serve Marta?";
    let coeliac = ["Marta is coeliac, so she brings her own bread."];
    assert_eq!(texts(query, &rows, &Noting::of("coeliac")), coeliac);
    assert!(texts(query, &rows, &Noting::of("peanuts")).is_empty());
}

#[test]
fn what_words_say_for_certain_is_not_read() {
    let rows = rows(&["The gate code is 4417.", "The gate was painted in May."]);
    let noting = Noting::of("nothing");
    let found = spoken_for(&rows, Channel::Semantic, 0.9);
    let found = answered("What is the gate code?", &found, &noting);
    assert_eq!(found[0], "The gate code is 4417.");
    assert!(noting.read.borrow().is_empty(), "{:?}", noting.read);
}

#[test]
fn keywords_and_statements_are_not_read() {
    let rows = rows(&["Marta is coeliac.", "Marta lives in Lisbon."]);
    for query in ["Marta dinner", "Marta is here."] {
        let noting = Noting::of("coeliac");
        texts(query, &rows, &noting);
        assert!(noting.read.borrow().is_empty(), "{query}");
    }
}

#[test]
fn what_is_read_to_help_with_a_task_is_likelier_to() {
    let rows = rows(&["Marta is coeliac.", "Marta lives in Lisbon."]);
    let rows: Vec<&Memory> = rows.iter().collect();
    let query = "Plan dinner with Marta";
    let (who, options) = (reader(), Options::default());
    let noting = Noting::of("coeliac");
    let mut request = Request::new(query, &who, &options, instant("2026-06-01"));
    request.reader = Some(&noting);
    let answer = recall(&request, &searched(query, &rows)).answer;
    assert_eq!(noting.read.borrow().len(), 2);
    assert!(answer.results.is_empty(), "a task has no answer");
    let helps = answer.related_context.iter();
    let helps: Vec<bool> = helps
        .map(|row| row.answer_relevance_score.get() > 0.5)
        .collect();
    assert_eq!(helps, [true, false]);
    assert_eq!(answer.related_context[0].memory.id, rows[0].id);
}

#[test]
fn no_more_is_read_than_a_few_milliseconds_take() {
    let short: Vec<String> = (0..40)
        .map(|at| format!("Marta met friend {at}."))
        .collect();
    let long = (0..40).map(|at| format!("Marta met {at} {}.", "and talked on ".repeat(30)));
    let long: Vec<String> = long.collect();
    for (texts_of_rows, most) in [(short, 6), (long, 2)] {
        let texts_of_rows: Vec<&str> = texts_of_rows.iter().map(String::as_str).collect();
        let noting = Noting::of("nothing");
        texts("What does Marta fear?", &rows(&texts_of_rows), &noting);
        assert_eq!(noting.read.borrow().len(), most);
    }
}

#[test]
fn what_no_trust_policy_shows_takes_no_place_among_what_is_read() {
    let friends: Vec<String> = (0..8).map(|at| format!("Marta fears dog {at}.")).collect();
    let mut rows = rows(&friends.iter().map(String::as_str).collect::<Vec<_>>());
    for (at, held) in rows.iter_mut().take(7).enumerate() {
        held.state = match at % 3 {
            0 => State::QuarantinedInjection,
            1 => State::Rejected,
            _ => State::Forensic,
        };
    }
    let noting = Noting::of("nothing");
    texts("What does Marta fear?", &rows, &noting);
    assert_eq!(noting.read.take(), ["Marta fears dog 7."]);
}

#[test]
fn turns_of_a_talk_are_not_read() {
    const HERS: &str = "I am coeliac, you know.";
    let mut rows = rows(&[
        HERS,
        "I like Lisbon.",
        "The gate squeaks.",
        "The lift was inspected.",
    ]);
    for row in &mut rows[..2] {
        row.speaker = Some(Speaker::new("speaker", "Marta").unwrap());
    }
    let is_read = |rows: &[Memory], by| {
        let noting = Noting::of("coeliac");
        let found = spoken_for(rows, Channel::Before, by);
        answered("What can we not serve Marta?", &found, &noting);
        noting.read.into_inner().iter().any(|text| text == HERS)
    };
    assert!(is_read(&rows, 0.2), "what she notes by herself is");
    rows[1].speaker = Some(Speaker::new("speaker", "Jonas").unwrap());
    assert!(!is_read(&rows, 0.2));
    assert!(is_read(&rows, 0.0), "nothing was said beside it");
    rows[1].observed_at = instant("2026-02-10");
    assert!(is_read(&rows, 0.2), "he spoke another day");
    assert!(
        !is_read(&rows[..2], 0.2),
        "what goes on and is of several is a talk, though a search finds little of it"
    );
}

/// Rows, a month after each other.
fn monthly(texts: &[&str]) -> Vec<Memory> {
    let mut rows = rows(texts);
    for (month, row) in (1..).zip(&mut rows) {
        row.observed_at = instant(&format!("2025-{month:02}-10"));
    }
    rows
}

const CARE: [&str; 4] = [
    "The lift is inspected in spring.",
    "Our GP is Dr Wickham, who comes on Tuesdays.",
    "The garden gate squeaks.",
    "The GP who sees our people is Dr Faraday.",
];

#[test]
fn what_is_read_to_make_the_first_answer_out_of_date_goes_before_it() {
    let rows = monthly(&CARE);
    let renewing = Renewing::of("Tuesdays", "Faraday");
    let told = texts("Who is our GP?", &rows, &renewing);
    assert_eq!(told, [CARE[3], CARE[1]]);
    assert_eq!(
        renewing.beside.into_inner(),
        [(CARE[1].to_owned(), CARE[3].to_owned())],
        "later rows alone are read, and of those what may be found to follow"
    );
    assert_eq!(
        texts(
            "Who is our GP?",
            &rows,
            &Renewing::of("Tuesdays", "nothing")
        ),
        [CARE[1]]
    );
}

/// That a lecture has moved to another room makes a note of it out of date, and says nothing of when it is.
#[test]
fn what_is_read_to_say_nothing_of_what_is_asked_goes_before_nothing() {
    const LECTURE: [&str; 2] = [
        "Statistics lecture: Mondays at 10 in room B204.",
        "We have moved to room C110.",
    ];
    let rows = monthly(&LECTURE);
    let first = |answers| {
        let renewing = Renewing::of(answers, "C110");
        texts("When is the statistics lecture?", &rows, &renewing).remove(0)
    };
    assert_eq!(first("Mondays"), LECTURE[0]);
    assert_eq!(first("room"), LECTURE[1]);
}

#[test]
fn where_nothing_answers_or_the_past_is_asked_for_nothing_is_read_beside_it() {
    let rows = monthly(&CARE);
    for (query, answer) in [
        ("Who was our GP before?", "Tuesdays"),
        ("Who is our GP?", "nothing"),
    ] {
        let renewing = Renewing::of(answer, "Faraday");
        texts(query, &rows, &renewing);
        assert!(renewing.beside.borrow().is_empty(), "{query}");
    }
}

#[test]
fn no_more_is_read_beside_it_than_a_few_milliseconds_take() {
    let mut texts_of_rows = vec!["Our GP is Dr Wickham.".to_owned()];
    texts_of_rows.extend((0..11).map(|at| format!("The GP saw room {at}.")));
    let texts_of_rows: Vec<&str> = texts_of_rows.iter().map(String::as_str).collect();
    let renewing = Renewing::of("Wickham", "nothing");
    texts("Who is our GP?", &monthly(&texts_of_rows), &renewing);
    assert_eq!(renewing.beside.borrow().len(), 6);
}

type Case = (String, Vec<Sketch>, f64, f64);

fn case() -> impl Strategy<Value = Case> {
    let rows = prop_oneof![1 => sketches(), 2 => sketches().prop_map(all_here)];
    (question(), rows, 0.0..=1.0_f64, 0.0..=1.0_f64)
}

/// The same where the asker may see them, and nothing but their class holds them.
fn all_here(mut sketches: Vec<Sketch>) -> Vec<Sketch> {
    for sketch in &mut sketches {
        (sketch.container, sketch.owner) = ("workspace", "builder");
        (sketch.plane, sketch.scope) = (Plane::Task, MemoryScope::User);
        (sketch.state, sketch.review, sketch.contested) = (State::Active, None, false);
        sketch.labels = Labels::default();
    }
    sketches
}

fn ids(case: &Case, threshold: f64, policy: TrustPolicy) -> BTreeSet<MemoryId> {
    asked(case, threshold, policy, &Whimsical::default())
}

fn asked(case: &Case, threshold: f64, policy: TrustPolicy, by: &Whimsical) -> BTreeSet<MemoryId> {
    let (query, sketches, ..) = case;
    let minted = SequentialIds::default();
    let rows: Vec<Memory> = sketches.iter().map(|it| it.row(&minted)).collect();
    let options = Options {
        limit: RecallLimit::MAX,
        threshold: Threshold::clamped(threshold),
        trust_policy: policy,
        ..Options::default()
    };
    let who = reader();
    let mut request = Request::new(query, &who, &options, instant("2026-06-01"));
    request.reader = Some(by);
    let recalled = recall(&request, &candidates(sketches, &rows));
    let results = recalled.answer.results.iter();
    results.map(|row| row.memory.id).collect()
}

/// Properties that reach no row read beside a first one say nothing of what follows from it.
#[test]
fn what_is_drawn_has_rows_that_are_read_beside_a_first_one() {
    let nothing_is_read = |case: Case| {
        let by = Whimsical::default();
        asked(&case, 0.0, TrustPolicy::Balanced, &by);
        prop_assert_eq!(by.beside.get(), 0);
        Ok(())
    };
    assert!(breaks(&case(), nothing_is_read));
}

#[test]
fn with_a_reader_a_higher_threshold_adds_nothing() {
    let adds_nothing = |case: Case| {
        let (_, _, one, other) = case;
        for policy in TrustPolicy::ALL {
            let low = ids(&case, one.min(other), *policy);
            let high = ids(&case, one.max(other), *policy);
            prop_assert!(high.is_subset(&low), "{high:?} against {low:?}");
        }
        Ok(())
    };
    holds(&case(), adds_nothing).unwrap();
}

#[test]
fn with_a_reader_a_stricter_policy_shows_no_more() {
    let shows_no_more = |case: Case| {
        let under = |policy| ids(&case, case.2, policy);
        let (off, balanced) = (under(TrustPolicy::Off), under(TrustPolicy::Balanced));
        prop_assert!(under(TrustPolicy::Strict).is_subset(&balanced));
        prop_assert!(balanced.is_subset(&off));
        Ok(())
    };
    holds(&case(), shows_no_more).unwrap();
}
