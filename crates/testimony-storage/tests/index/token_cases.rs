//! What texts are found by, case by case, and that no text is too strange.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use testimony_domain::{Capability, Labels};
use testimony_storage::index::tokens::{name, tokens};

use crate::support::{Asking, FakeLedger, cases, container, id, identity, in_memory, row};

#[derive(serde::Deserialize)]
struct Case {
    text: String,
    /// Stems that it is found by.
    #[serde(default)]
    found_by: Vec<String>,
    /// Stems that it is not found by.
    #[serde(default)]
    not_by: Vec<String>,
    /// Exact words.
    #[serde(default)]
    words: Vec<String>,
    /// A question that has a token in common with it.
    #[serde(default)]
    answers: Vec<String>,
}

#[test]
fn texts_are_found_by_what_people_type() {
    let lines = include_str!("../../../../fixtures/index/tokens.jsonl");
    for line in lines.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let read = tokens(&case.text);
        for stem in &case.found_by {
            assert!(
                read.stems.contains(stem),
                "{}: `{stem}` is not among {:?}",
                case.text,
                read.stems
            );
        }
        for stem in &case.not_by {
            assert!(
                !read.stems.contains(stem),
                "{}: `{stem}` is among {:?}",
                case.text,
                read.stems
            );
        }
        for word in &case.words {
            assert!(
                read.words.contains(word),
                "{}: `{word}` is not among {:?}",
                case.text,
                read.words
            );
        }
        for question in &case.answers {
            let asked = tokens(question).stems;
            assert!(
                asked.iter().any(|stem| read.stems.contains(stem)),
                "{}: not found by {asked:?}",
                case.text
            );
        }
    }
}

#[test]
fn no_text_is_too_strange() {
    let strange = proptest::collection::vec(any::<char>(), 0..40).prop_map(String::from_iter);
    let tokens_and_signs = "([a-zA-Z0-9éßあ東€%,./@:_+'’-]|\\PC){0,40}";
    let text = prop_oneof![strange, tokens_and_signs];
    let mut runner = TestRunner::new(cases());
    let outcome = runner.run(&text, |text| {
        let read = tokens(&text);
        prop_assert!(
            read.stems
                .iter()
                .chain(&read.words)
                .all(|token| !token.is_empty() && token.len() <= 120)
        );
        // Linear in the text: each of the few levels repeats it once at most.
        let longest: usize = read.stems.iter().map(String::len).sum();
        prop_assert!(
            longest <= 60 * text.len() + 60,
            "{longest} for {}",
            text.len()
        );
        prop_assert_eq!(&read, &tokens(&text));
        prop_assert!(name(&text).len() <= 120);
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_strange_row_is_found_by_its_own_text() {
    let text = proptest::collection::vec(any::<char>(), 1..30).prop_map(String::from_iter);
    let mut runner = TestRunner::new(ProptestConfig {
        cases: cases().cases.min(256),
        ..cases()
    });
    let outcome = runner.run(&(text, any::<bool>()), |(text, flush)| {
        let (index, ledger) = (in_memory(), FakeLedger::default());
        ledger.put(&row(1, &text), None, Some(&index));
        if flush {
            index.flush().unwrap();
        }
        let who = identity(&container(0), 0, Labels::default(), Capability::Recall);
        let found = Asking::of(who, &text).ids(&index);
        prop_assert_eq!(found == [id(1)], !tokens(&text).stems.is_empty());
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn very_long_texts_stay_quick_and_whole() {
    for text in [
        "a".repeat(1 << 20),
        "a.b-c/".repeat(1 << 16),
        "東".repeat(1 << 16),
        "aB".repeat(1 << 17),
        "1,".repeat(1 << 16),
    ] {
        assert!(!tokens(&text).stems.is_empty());
    }
}
