//! What an identity is answered does not depend on rows that it may not see, nor on what becomes of them.

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use testimony_domain::{Capability, Labels};
use testimony_recall::{TimeIntent, View};
use testimony_service::ports::index::Hit;
use testimony_storage::index::HybridIndex;

use crate::model::{Step, asking, carry_out, step, text};
use crate::support::{
    ALL_STANDINGS, Asking, FakeLedger, cases, container, identity, in_memory, row, with_graphs,
};

/// An asker without a capability that shows what others keep to themselves.
fn asker() -> impl Strategy<Value = Asking> {
    asking().prop_map(|asking| {
        let who = identity(
            asking.who.container(),
            0,
            asking.who.labels().clone(),
            Capability::Recall,
        );
        Asking {
            who,
            view: View::Assistant,
            beside: 3,
            ..asking
        }
    })
}

/// How an index is asked.
type Ask = fn(&Asking, &HybridIndex) -> Vec<Hit>;

fn honestly(asking: &Asking, index: &HybridIndex) -> Vec<Hit> {
    asking.ask(index).hits
}

/// The canary: statistics over the whole container, and foreign rows taken out of the answer afterwards.
fn by_everybodys_statistics(asking: &Asking, index: &HybridIndex) -> Vec<Hit> {
    let operator = identity(
        asking.who.container(),
        0,
        Labels::default(),
        Capability::Admin,
    );
    let all = Asking {
        who: operator,
        view: View::Forensic,
        cuts: widest(),
        ..asking.clone()
    }
    .ask(index)
    .hits;
    let own = asking.ids(index);
    all.into_iter()
        .filter(|hit| own.contains(&hit.memory))
        .collect()
}

fn widest() -> Vec<(Vec<testimony_domain::Standing>, TimeIntent, usize)> {
    vec![(ALL_STANDINGS.to_vec(), TimeIntent::Any, 1_000)]
}

/// Runs the same own rows with and without foreign ones.
fn is_isolated(open: fn() -> HybridIndex, ask: Ask) -> Result<(), TestCaseError> {
    let own = proptest::collection::vec(text(), 1..10);
    let foreign = proptest::collection::vec(step(), 0..24);
    let mut runner = TestRunner::new(cases());
    let outcome = runner.run(
        &(own, foreign, asker(), any::<bool>()),
        |(own, foreign, asking, flush)| {
            let (alone, crowded) = (open(), open());
            let (ledger, shared) = (FakeLedger::default(), FakeLedger::default());
            let mut strangers = foreign.iter().filter(|step| is_foreign(step, &asking));
            for (number, text) in (100..).zip(&own) {
                let memory = crate::support::placed(
                    row(number, text),
                    asking.who.container().clone(),
                    0,
                    testimony_domain::Plane::Task,
                    Labels::default(),
                );
                let vector = Some((number % 13) as u8);
                ledger.put(&memory, vector, Some(&alone));
                for step in strangers.by_ref().take(3) {
                    carry_out(step, &shared, &crowded);
                }
                shared.put(&memory, vector, Some(&crowded));
            }
            strangers.for_each(|step| carry_out(step, &shared, &crowded));
            if flush {
                alone.flush().unwrap();
            }
            alone.make_graphs();
            crowded.make_graphs();
            prop_assert_eq!(ask(&asking, &alone), ask(&asking, &crowded));
            Ok(())
        },
    );
    outcome.map_err(|error| TestCaseError::fail(error.to_string()))
}

/// Whether what the step does concerns rows that the asker never sees: other containers, and others' private rows.
fn is_foreign(step: &Step, asking: &Asking) -> bool {
    match step {
        Step::Add(memory, _) => {
            let own_place = memory
                .partition
                .visible_to(&asking.who, memory.is_private_until_supported())
                .is_ok();
            let shown = !matches!(
                memory.state,
                testimony_domain::State::Forensic
                    | testimony_domain::State::Rejected
                    | testimony_domain::State::QuarantinedInjection
                    | testimony_domain::State::QuarantinedSecret
                    | testimony_domain::State::Erased
            );
            !(own_place && shown)
        }
        // A change could show a row to the asker.
        Step::Change(..) => false,
        Step::Embed(..)
        | Step::Erase(_)
        | Step::Purge(_)
        | Step::Flush
        | Step::Reopen
        | Step::Crash => true,
    }
}

#[test]
fn foreign_rows_change_no_bit_of_an_answer() {
    is_isolated(in_memory, honestly).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn foreign_rows_change_no_bit_of_an_answer_that_graphs_give() {
    is_isolated(with_graphs, honestly).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn statistics_over_everything_are_caught() {
    for open in [in_memory, with_graphs] {
        assert!(
            is_isolated(open, by_everybodys_statistics).is_err(),
            "nobody noticed whose rows were counted"
        );
    }
}

#[test]
fn foreign_rows_that_move_around_change_no_bit_of_an_answer() {
    let (index, ledger) = (in_memory(), FakeLedger::default());
    for number in 0..4 {
        ledger.put(
            &row(number, "the crane in the harbour is blue"),
            Some(1),
            Some(&index),
        );
    }
    let who = identity(&container(0), 7, Labels::default(), Capability::Recall);
    let asking = Asking {
        meaning: Some(2),
        ..Asking::of(who, "blue crane harbour painting")
    };
    let before = asking.ask(&index).hits;
    let private = |number: u64, owner: u8| {
        let memory = row(
            number,
            "a painting of a blue harbour, and of harbours again",
        );
        crate::support::placed(
            memory,
            container(0),
            owner,
            testimony_domain::Plane::Working,
            Labels::default(),
        )
    };
    for round in 0..3 {
        for number in 10..40 {
            ledger.put(&private(number, round + 1), Some(3), Some(&index));
        }
        assert_eq!(before, asking.ask(&index).hits);
        index.flush().unwrap();
        assert_eq!(before, asking.ask(&index).hits);
        (10..25).for_each(|number| ledger.erase(crate::support::id(number), Some(&index)));
        assert_eq!(before, asking.ask(&index).hits);
        testimony_service::ports::index::Index::purge(&index, &[crate::support::id(30)]).unwrap();
        assert_eq!(before, asking.ask(&index).hits);
    }
}
