//! What was said just before and after a row: it is found beside the row.

use testimony_domain::{Capability, Labels, Memory, MemoryId, Plane, Score, Standing, State};
use testimony_recall::{Channel, TimeIntent};
use testimony_storage::index::HybridIndex;

use crate::support::{
    Asking, FakeLedger, at, container, id, identity, in_memory, placed, row, user,
};

const QUESTION: &str = "when was the harbour crane painted";

/// A row that was said at a minute of one afternoon.
fn said(number: u64, minute: u8, text: &str) -> Memory {
    Memory {
        observed_at: at(&format!("2026-05-01T14:{minute:02}:00Z")),
        ..row(number, text)
    }
}

/// The best row alone, and what stands beside it where that is wanted.
fn asking(beside: usize) -> Asking {
    Asking {
        meaning: Some(1),
        cuts: vec![(vec![Standing::CleanPerson], TimeIntent::Current, 1)],
        beside,
        ..Asking::of(
            identity(&container(0), 0, Labels::default(), Capability::Recall),
            QUESTION,
        )
    }
}

/// A question in a talk, what was said to it, and something else three minutes later.
fn talk(index: &HybridIndex, ledger: &FakeLedger) {
    let lines = [
        (1, 0, "We had rain all week", 4),
        (2, 1, "When did they get the harbour crane painted?", 1),
        (3, 2, "Last summer, I believe", 2),
        (4, 3, "And the lighthouse too", 2),
        (5, 6, "Shall we go and eat?", 4),
    ];
    for (number, minute, text, vector) in lines {
        ledger.put(&said(number, minute, text), Some(vector), Some(index));
    }
}

fn ids(numbers: &[u64]) -> Vec<MemoryId> {
    let mut ids: Vec<MemoryId> = numbers.iter().map(|number| id(*number)).collect();
    ids.sort();
    ids
}

fn found(asking: &Asking, index: &HybridIndex) -> Vec<MemoryId> {
    let mut found = asking.ids(index);
    found.sort();
    found
}

#[test]
fn an_answer_is_found_beside_what_shares_its_words() {
    let (index, ledger) = (in_memory(), FakeLedger::default());
    talk(&index, &ledger);
    assert_eq!(found(&asking(0), &index), ids(&[2]));
    assert_eq!(found(&asking(1), &index).len(), 2, "one row more");
    // Of the first row no channel says anything, and the last one stands three rows further on: neither is found,
    // however many are wanted.
    let beside = found(&asking(9), &index);
    assert_eq!(beside, ids(&[2, 3, 4]));
    let hits = asking(9).ask(&index).hits;
    let answer = hits.iter().find(|hit| hit.memory == id(3)).unwrap();
    let says = |channel| answer.channels.get(channel).map_or(0.0, Score::get);
    let (before, after) = (says(Channel::Before), says(Channel::After));
    assert!(before > 0.2 && before > after, "{before} {after}");
}

#[test]
fn what_stands_beside_is_found_where_it_is_wanted_as_well() {
    let (index, ledger) = (in_memory(), FakeLedger::default());
    talk(&index, &ledger);
    let over = Memory {
        state: State::Superseded,
        ..said(3, 2, "Last summer, I believe")
    };
    ledger.put(&over, Some(2), Some(&index));
    assert!(!found(&asking(9), &index).contains(&id(3)));
}

#[test]
fn what_others_keep_to_themselves_stands_beside_nothing() {
    let (index, ledger) = (in_memory(), FakeLedger::default());
    talk(&index, &ledger);
    let labels = Labels {
        user: Some(user(1)),
        ..Labels::default()
    };
    let foreign = said(9, 1, "They painted the harbour crane, and nobody may know");
    let foreign = placed(foreign, container(0), 1, Plane::Task, labels);
    let before = asking(2).ask(&index).hits;
    ledger.put(&foreign, Some(1), Some(&index));
    assert_eq!(asking(2).ask(&index).hits, before);
}

#[test]
fn half_an_hour_ends_a_talk() {
    for (minute, is_same_talk) in [(36, true), (37, false)] {
        let (index, ledger) = (in_memory(), FakeLedger::default());
        talk(&index, &ledger);
        let late = said(6, minute, "It was red before that");
        ledger.put(&late, Some(5), Some(&index));
        let asking = Asking {
            words: String::new(),
            meaning: Some(5),
            ..asking(1)
        };
        let found = found(&asking, &index);
        assert!(found.contains(&id(6)), "{minute}: {found:?}");
        assert_eq!(found.contains(&id(5)), is_same_talk, "{minute}: {found:?}");
    }
}
