//! Property 11: every function is total on arbitrary Unicode, and its work grows with its input, not faster.
//!
//! Work is counted where the crate hands it out: words asked for their rarity, rows shown to gates, bytes given to the
//! token counter, bytes written.

mod support;

use std::cell::Cell;

use proptest::prelude::*;
use support::strategies::{Sketch, breaks, holds, hostile, sketches};
use support::{candidate, instant, reader, score};
use testimony_domain::{Memory, SequentialIds, Speaker};
use testimony_recall::pack::{Budget, O200k, TokenCounter, pack};
use testimony_recall::{
    Candidate, Channel, GateContext, GateError, GateVerdict, Options, Request, Sort, TimeIntent,
    TrustGate, assess, recall, why_not,
};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,200}",
        ".{0,200}",
        hostile(),
        ("\\PC", 0..1_200_usize).prop_map(|(unit, times)| unit.repeat(times)),
        ("[A-Za-z ?.]{1,12}", 0..120_usize).prop_map(|(unit, times)| unit.repeat(times)),
    ]
}

fn worded(sketches: &[Sketch], texts: &[String]) -> Vec<Memory> {
    let ids = SequentialIds::default();
    // Few rows: what is looked for lies in the texts, not in their number.
    let with_text = sketches.iter().take(4).zip(texts).map(|(sketch, text)| {
        let mut sketch = sketch.clone();
        sketch.text.clone_from(text);
        let mut row = sketch.row(&ids);
        row.entities.push(text.clone());
        row.speaker = Speaker::new("speaker", text).ok();
        row
    });
    with_text.collect()
}

type Asked = (String, String, Vec<Sketch>, Vec<String>, Sort);

fn asked() -> impl Strategy<Value = Asked> {
    (
        text(),
        text(),
        sketches(),
        prop::collection::vec(text(), 4),
        prop::sample::select(Sort::ALL),
    )
}

/// What is read before anything else, for twins that read it wrongly.
type Reader = fn(&str);

fn is_answered(
    (query, goal, sketches, texts, sort): &Asked,
    read: Reader,
) -> Result<(), TestCaseError> {
    read(query);
    let rows = worded(sketches, texts);
    let who = reader();
    let options = Options {
        sort: *sort,
        priority_ids: rows.iter().map(|row| row.id).take(1).collect(),
        ..Options::default()
    };
    let mut request = Request::new(query, &who, &options, instant("2026-06-01"));
    request.goal = Some(goal);
    let found: Vec<Candidate<'_>> = rows.iter().map(candidate).collect();
    let answer = recall(&request, &found).answer;
    let budget = Budget {
        rows: 5,
        tokens: 300,
        counter: &O200k,
    };
    let packet = pack(&answer, &budget, &|_| Vec::new());
    prop_assert!(packet.tokens <= 300);
    if let Some(row) = found.first() {
        let _ = why_not(&request, &found, row.memory.id);
        let _ = assess(&request, row);
    }
    let _ = TimeIntent::parse("time_query", query);
    let _ = TimeIntent::parse("time_query", &format!("as_of:{query}"));
    Ok(())
}

#[test]
fn nothing_panics_whatever_the_text() {
    holds(&asked(), |asked| is_answered(&asked, |_| {})).unwrap();
}

#[test]
fn canary_a_reader_that_cuts_characters_is_caught() {
    let cuts = |query: &str| {
        let _ = query.split_at(query.len() / 2);
    };
    assert!(breaks(&asked(), |asked| is_answered(&asked, cuts)));
}

struct CountsRows(Cell<usize>);

impl TrustGate for CountsRows {
    fn name(&self) -> &'static str {
        "counts"
    }

    fn examine(&self, _: &GateContext<'_>, _: &Memory) -> Result<GateVerdict, GateError> {
        self.0.set(self.0.get() + 1);
        Ok(GateVerdict::Pass)
    }
}

type Recaller = fn(&Request<'_>, &[Candidate<'_>]);

fn once(request: &Request<'_>, found: &[Candidate<'_>]) {
    let _ = recall(request, found);
}

/// Begins anew with every row.
fn again_and_again(request: &Request<'_>, found: &[Candidate<'_>]) {
    for rows in 0..=found.len() {
        once(request, found.get(..rows).unwrap_or_default());
    }
}

fn looks_once(query: &str, sketches: &[Sketch], recaller: Recaller) -> Result<(), TestCaseError> {
    let ids = SequentialIds::default();
    let rows: Vec<Memory> = sketches.iter().map(|it| it.row(&ids)).collect();
    let found: Vec<Candidate<'_>> = rows.iter().map(candidate).collect();
    let (asked, gate) = (Cell::new(0_usize), CountsRows(Cell::new(0)));
    let rarity = |_: &str| {
        asked.set(asked.get() + 1);
        0.5
    };
    let who = reader();
    let options = Options::default();
    let mut request = Request::new(query, &who, &options, instant("2026-06-01"));
    request.rarity = Some(&rarity);
    let gates: [&dyn TrustGate; 1] = [&gate];
    request.gates = &gates;
    recaller(&request, &found);
    prop_assert!(asked.get() <= query.chars().count().min(4_000) * 2);
    prop_assert!(gate.0.get() <= rows.len());
    Ok(())
}

#[test]
fn each_word_and_each_row_is_looked_at_once() {
    holds(&(text(), sketches()), |(query, sketches)| {
        looks_once(&query, &sketches, once)
    })
    .unwrap();
}

#[test]
fn canary_a_recall_that_begins_anew_with_every_row_is_caught() {
    assert!(breaks(&(text(), sketches()), |(query, sketches)| {
        looks_once(&query, &sketches, again_and_again)
    }));
}

/// Counts the bytes that it is given to count.
struct CountsBytes(Cell<usize>);

impl TokenCounter for CountsBytes {
    fn count(&self, text: &str) -> usize {
        self.0.set(self.0.get() + text.len());
        text.len() / 4
    }

    fn vocabulary(&self) -> &'static str {
        "none"
    }
}

type Packer = fn(&testimony_recall::Answer<'_>, &Budget<'_>) -> usize;

fn honest(answer: &testimony_recall::Answer<'_>, budget: &Budget<'_>) -> usize {
    pack(answer, budget, &|_| Vec::new()).block.len()
}

/// Packs anew for every row that it adds.
fn from_scratch(answer: &testimony_recall::Answer<'_>, budget: &Budget<'_>) -> usize {
    let packed = |rows| {
        pack(answer, &Budget { rows, ..*budget }, &|_| Vec::new())
            .block
            .len()
    };
    (0..=answer.results.len()).fold(0, |_, rows| packed(rows))
}

/// Bytes per row that the block writes around a text.
const AROUND: usize = 300;

fn bytes_grow_with_the_rows(
    count: usize,
    length: usize,
    packer: Packer,
) -> Result<(), TestCaseError> {
    let ids = SequentialIds::default();
    let rows: Vec<Memory> = (0..count)
        .map(|number| {
            support::memory(
                &ids,
                &format!("Marta lives in Lisbon {number} {}", "[\u{0}".repeat(length)),
            )
        })
        .collect();
    let found: Vec<Candidate<'_>> = rows
        .iter()
        .map(|row| {
            let mut found = candidate(row);
            found.channels = found.channels.with(Channel::Keyword, score(0.8));
            found
        })
        .collect();
    let who = reader();
    let options = Options {
        limit: testimony_domain::RecallLimit::MAX,
        ..Options::default()
    };
    let request = Request::new(
        "Where does Marta live?",
        &who,
        &options,
        instant("2026-06-01"),
    );
    let answer = recall(&request, &found).answer;
    prop_assert_eq!(answer.results.len(), count);
    let counter = CountsBytes(Cell::new(0));
    let budget = Budget {
        rows: 100,
        tokens: usize::MAX,
        counter: &counter,
    };
    let written = packer(&answer, &budget);
    let input: usize = rows
        .iter()
        .map(|row| row.content.as_str().len() + AROUND)
        .sum();
    prop_assert!(written <= 5 * input + AROUND, "{written} of {input}");
    prop_assert!(
        counter.0.get() <= 2 * written + 3 * AROUND,
        "{} of {written}",
        counter.0.get()
    );
    Ok(())
}

fn sizes() -> impl Strategy<Value = (usize, usize)> {
    (1..16_usize, 0..40_usize)
}

#[test]
fn bytes_counted_and_written_grow_with_the_rows() {
    holds(&sizes(), |(count, length)| {
        bytes_grow_with_the_rows(count, length, honest)
    })
    .unwrap();
}

#[test]
fn canary_a_packer_that_begins_anew_with_every_row_is_caught() {
    assert!(breaks(
        &sizes(),
        |(count, length)| bytes_grow_with_the_rows(count, length, from_scratch)
    ));
}
