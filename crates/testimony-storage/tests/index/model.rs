//! Whatever is done in whatever order, the index answers like a plain list of rows.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use testimony_domain::{
    Capability, Labels, Memory, MemoryKind, Plane, ReviewNeed, SourceClass, Standing, State, Tag,
};
use testimony_recall::{Filters, TagMatch, TagMode, TimeIntent, View};
use testimony_service::ports::index::Index;
use testimony_storage::index::HybridIndex;

use crate::support::{
    ALL_STANDINGS, Asking, FakeLedger, NOW, at, cases, container, id, identity, in_memory, on_disk,
    placed, row, user, with_graphs,
};
use crate::twin::Twin;

/// Something that happens to the index.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Add(Box<Memory>, Option<u8>),
    Change(u64, Box<Change>),
    Embed(u64, u8),
    Erase(u64),
    Purge(u64),
    Flush,
    /// Written down, closed, opened again.
    Reopen,
    /// Closed and opened again with whatever was written down before.
    Crash,
}

/// What can change about a row.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    state: State,
    approved: bool,
    review: bool,
    contested: bool,
    origins: usize,
    over: bool,
}

const WORDS: &[&str] = &[
    "harbour",
    "harbours",
    "crane",
    "v1.2.3",
    "ops@example.com",
    "The",
    "was",
    "5 GB",
    "src/main.rs",
    "東京駅",
    "Éclair",
    "fooBar",
    "painting",
    "painted",
    "blue",
];
const NAMES: &[&str] = &["Ada Lovelace", "Zürich", "東京"];

pub(crate) fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(WORDS), 0..9)
        .prop_map(|words| words.join(" "))
}

fn labels() -> impl Strategy<Value = Labels> {
    let somebody = |number: u8| Labels {
        user: Some(user(number)),
        ..Labels::default()
    };
    prop_oneof![3 => Just(Labels::default()), 1 => (0_u8..2).prop_map(somebody)]
}

fn tags() -> impl Strategy<Value = Vec<Tag>> {
    let all = ["red", "red-ish", "cold"].map(|tag| Tag::new("tags", tag).unwrap());
    proptest::sample::subsequence(all.to_vec(), 0..=2)
}

fn change() -> impl Strategy<Value = Change> {
    let states = proptest::sample::select(State::ALL);
    (
        states,
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        1_usize..3,
        any::<bool>(),
    )
        .prop_map(
            |(state, approved, review, contested, origins, over)| Change {
                state,
                approved,
                review,
                contested,
                origins,
                over,
            },
        )
}

impl Change {
    fn applied_to(&self, memory: &Memory) -> Memory {
        Memory {
            state: self.state,
            approved: self.approved,
            review: self.review.then_some(ReviewNeed::Requested),
            contested: self.contested,
            origins: self.origins,
            expires_at: self.over.then(|| at("2026-05-20T00:00:00Z")),
            ..memory.clone()
        }
    }
}

pub(crate) fn memory() -> impl Strategy<Value = Memory> {
    let place = (
        0_u8..2,
        prop_oneof![4 => Just(Plane::Task), 1 => Just(Plane::Working)],
        labels(),
    );
    let classes = proptest::sample::select(SourceClass::ALL);
    let kinds = proptest::sample::select(MemoryKind::ALL);
    let names = proptest::sample::subsequence(NAMES.to_vec(), 0..=2);
    let plain = prop_oneof![3 => Just(None), 1 => change().prop_map(Some)];
    (
        0_u64..24,
        text(),
        place,
        classes,
        (kinds, tags(), names),
        plain,
    )
        .prop_map(
            |(number, text, (owner, plane, labels), class, (kind, tags, names), change)| {
                // A memory never leaves its container.
                let tag = container((number % 2) as u8);
                let memory = placed(row(number, &text), tag, owner, plane, labels);
                let entities = names.into_iter().map(str::to_owned).collect();
                let memory = Memory {
                    class,
                    kind,
                    tags,
                    entities,
                    ..memory
                };
                change.map_or(memory.clone(), |change| change.applied_to(&memory))
            },
        )
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let vector = proptest::option::of(0_u8..13);
    prop_oneof![
        8 => (memory(), vector).prop_map(|(memory, vector)| Step::Add(Box::new(memory), vector)),
        3 => (0_u64..24, change()).prop_map(|(number, change)| Step::Change(number, Box::new(change))),
        1 => (0_u64..24, 0_u8..13).prop_map(|(number, vector)| Step::Embed(number, vector)),
        2 => (0_u64..24).prop_map(Step::Erase),
        1 => (0_u64..24).prop_map(Step::Purge),
        2 => Just(Step::Flush),
    ]
}

fn filters() -> impl Strategy<Value = Filters> {
    let some = (
        proptest::option::of(proptest::sample::select(MemoryKind::ALL)),
        tags(),
        tags(),
        any::<bool>(),
        any::<bool>(),
    );
    let some = some.prop_map(|(kind, tags, exclude_tags, all, exact)| Filters {
        kind,
        tags,
        exclude_tags,
        tag_mode: if all { TagMode::All } else { TagMode::Any },
        tag_match: if exact {
            TagMatch::Exact
        } else {
            TagMatch::Prefix
        },
        ..Filters::default()
    });
    prop_oneof![2 => Just(Filters::default()), 1 => some]
}

pub(crate) fn asking() -> impl Strategy<Value = Asking> {
    let capabilities = [Capability::Recall, Capability::Review, Capability::Admin];
    let who = (
        0_u8..2,
        0_u8..2,
        labels(),
        proptest::sample::select(capabilities.to_vec()),
    );
    let names = proptest::sample::subsequence(NAMES.to_vec(), 0..=2);
    let times = [
        TimeIntent::Current,
        TimeIntent::Historical,
        TimeIntent::AsOf(at("2026-05-10T00:00:00Z")),
    ];
    let standings = proptest::sample::subsequence(ALL_STANDINGS.to_vec(), 1..=Standing::ALL.len());
    let cut = (
        standings,
        proptest::sample::select(times.to_vec()),
        0_usize..6,
    );
    let views = proptest::sample::select(View::ALL);
    (
        who,
        views,
        text(),
        names,
        proptest::option::of(0_u8..13),
        filters(),
        proptest::collection::vec(cut, 1..3),
    )
        .prop_map(
            |((tag, agent, labels, capability), view, words, names, meaning, filters, cuts)| {
                Asking {
                    view,
                    entities: names.into_iter().map(str::to_owned).collect(),
                    meaning,
                    filters,
                    cuts,
                    ..Asking::of(identity(&container(tag), agent, labels, capability), &words)
                }
            },
        )
}

/// Does one thing to a ledger and to the index that follows it.
pub(crate) fn carry_out(step: &Step, ledger: &FakeLedger, index: &HybridIndex) {
    match step {
        Step::Add(memory, vector) => ledger.put(memory, *vector, Some(index)),
        Step::Change(number, change) => {
            if let Some(memory) = ledger
                .row(id(*number))
                .filter(|memory| memory.state != State::Erased)
            {
                ledger.put(&change.applied_to(&memory), None, Some(index));
            }
        }
        Step::Embed(number, vector) => {
            if let Some(memory) = ledger
                .row(id(*number))
                .filter(|memory| memory.state != State::Erased)
            {
                ledger.put(&memory, Some(*vector), Some(index));
            }
        }
        Step::Erase(number) => ledger.erase(id(*number), Some(index)),
        Step::Purge(number) => {
            ledger.erase(id(*number), Some(index));
            index.purge(&[id(*number)]).unwrap();
        }
        Step::Flush => {
            index.flush().unwrap();
            index.make_graphs();
        }
        Step::Reopen | Step::Crash => {}
    }
}

fn agrees(
    ledger: &FakeLedger,
    index: &HybridIndex,
    askings: &[Asking],
    twin: &Twin,
) -> Result<(), TestCaseError> {
    let twin = Twin {
        rows: ledger.rows(),
        ..*twin
    };
    for asking in askings {
        let found = asking.ask(index);
        if let Some(complaint) = twin.complaint(asking, &found.hits) {
            return Err(TestCaseError::fail(format!("{complaint}\n{asking:#?}")));
        }
    }
    Ok(())
}

/// What a list of rows is like that has no rows yet and makes no mistakes.
fn honest() -> Twin {
    Twin::default()
}

/// Whether an index answers like a list of rows after each of many steps.
fn answers_like_a_list(open: fn() -> HybridIndex, twin: fn() -> Twin) -> Result<(), String> {
    let steps =
        proptest::collection::vec((step(), proptest::option::weighted(0.2, asking())), 1..28);
    let mut runner = TestRunner::new(cases());
    let outcome = runner.run(
        &(steps, proptest::collection::vec(asking(), 3)),
        |(steps, askings)| {
            let (ledger, index) = (FakeLedger::default(), open());
            for (step, asking) in &steps {
                carry_out(step, &ledger, &index);
                agrees(&ledger, &index, asking.as_slice(), &twin())?;
            }
            index.make_graphs();
            agrees(&ledger, &index, &askings, &twin())
        },
    );
    outcome.map_err(|error| error.to_string())
}

#[test]
fn the_index_answers_like_a_list_of_rows() {
    answers_like_a_list(in_memory, honest).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn an_index_with_graphs_answers_like_a_list_that_misses_some_that_are_near() {
    let twin = || Twin {
        misses_some: true,
        ..Twin::default()
    };
    answers_like_a_list(with_graphs, twin).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_twin_that_counts_foreign_rows_is_caught() {
    let twin = || Twin {
        counts_everything: true,
        misses_some: true,
        ..Twin::default()
    };
    for open in [in_memory, with_graphs] {
        assert!(
            answers_like_a_list(open, twin).is_err(),
            "nobody noticed that foreign rows were counted"
        );
    }
}

#[test]
fn closing_and_opening_changes_no_answer() {
    let step = prop_oneof![8 => step(), 1 => Just(Step::Reopen), 1 => Just(Step::Crash)];
    let steps = proptest::collection::vec(step, 1..24);
    // Each case makes files and waits for the disk several times.
    let config = ProptestConfig {
        cases: cases().cases.min(128),
        ..cases()
    };
    let mut runner = TestRunner::new(config);
    let outcome = runner.run(
        &(steps, proptest::collection::vec(asking(), 3)),
        |(steps, askings)| {
            let folder = tempfile::tempdir().unwrap();
            let ledger = Arc::new(FakeLedger::default());
            let mut index = on_disk(folder.path(), &ledger);
            for step in &steps {
                if matches!(step, Step::Reopen) {
                    index.snapshot().unwrap();
                }
                if matches!(step, Step::Reopen | Step::Crash) {
                    drop(index);
                    index = on_disk(folder.path(), &ledger);
                }
                carry_out(step, &ledger, &index);
            }
            agrees(&ledger, &index, &askings, &honest())?;
            index.snapshot().unwrap();
            drop(index);
            agrees(
                &ledger,
                &on_disk(folder.path(), &ledger),
                &askings,
                &honest(),
            )
        },
    );
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_row_counts_the_same_before_and_after_it_is_written() {
    let rows = proptest::collection::vec((memory(), proptest::option::of(0_u8..13)), 1..20);
    let mut runner = TestRunner::new(cases());
    let outcome = runner.run(&(rows, asking()), |(rows, asking)| {
        let (ledger, index) = (FakeLedger::default(), in_memory());
        rows.iter()
            .for_each(|(memory, vector)| ledger.put(memory, *vector, Some(&index)));
        let before = asking.ask(&index);
        index.flush().unwrap();
        prop_assert_eq!(before, asking.ask(&index), "now {}", NOW);
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
