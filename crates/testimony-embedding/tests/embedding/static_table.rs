//! The embedder inside the binary, and tables that are damaged.

use proptest::prelude::*;
use testimony_embedding::{Embedder, Point, StaticEmbedder, TableError, TableParts, Vector};

use crate::support;

fn built_in() -> StaticEmbedder {
    StaticEmbedder::built_in().unwrap()
}

fn vector(text: &str) -> Vector {
    built_in().embed_one(text).unwrap()
}

#[test]
fn says_who_it_is_and_what_its_cosines_mean() {
    let embedder = built_in();
    let identity = embedder.identity();
    assert_eq!(
        (identity.name.as_str(), identity.dimensions),
        ("static-all-minilm-l6-v2", 256)
    );
    assert_eq!(identity.revision.len(), 16);
    let calibration = embedder.calibration().unwrap();
    assert_eq!(calibration.version(), identity.revision);
    assert!(calibration.likeness(0.05) < 0.2 && calibration.likeness(0.95) > 0.8);
}

#[test]
fn a_text_that_says_nothing_has_no_vector_among_texts_that_have() {
    let texts = ["", "a word", " \t\n\u{3000}", "\u{200B}\u{FEFF}\u{0}", "."];
    let found = built_in().embed(&texts).unwrap();
    let has: Vec<bool> = found.iter().map(Option::is_some).collect();
    assert_eq!(has, [false, true, false, false, true]);
}

#[derive(serde::Deserialize)]
struct Triple {
    text: String,
    nearer: String,
    farther: String,
}

#[test]
fn what_means_nearly_the_same_is_nearer_than_what_shares_a_topic_or_a_word() {
    for (line, case) in support::cases::<Triple>("embedding/nearer.jsonl") {
        let text = vector(&case.text);
        let nearer = text.cosine(&vector(&case.nearer)).unwrap();
        let farther = text.cosine(&vector(&case.farther)).unwrap();
        assert!(nearer > farther, "line {line}: {nearer} {farther}");
    }
}

proptest! {
    #![proptest_config(support::config())]

    #[test]
    fn any_text_gives_a_unit_vector_or_none_and_the_same_alone_and_among_others(
        texts in prop::collection::vec(support::hostile_text(), 1..4)
    ) {
        let embedder = built_in();
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        let together = embedder.embed(&borrowed).unwrap();
        prop_assert_eq!(together.len(), texts.len());
        for (text, found) in texts.iter().zip(together) {
            prop_assert_eq!(&found, &embedder.embed_one(text));
            prop_assert_eq!(found.is_some(), !embedder.tokeniser().tokens(text).is_empty());
            if let Some(vector) = found {
                prop_assert!(support::is_unit(vector.as_slice()));
            }
        }
    }
}

/// The canary: rows that are only added up are no unit vectors, and the check of the property must see it.
#[test]
fn the_check_of_the_property_catches_vectors_that_are_not_brought_to_length_one() {
    let sum: Vec<f32> = vector("one")
        .as_slice()
        .iter()
        .map(|number| number * 1.01)
        .collect();
    assert!(!support::is_unit(&sum));
    assert!(!support::is_unit(&[f32::NAN, 1.0]));
    assert!(!support::is_unit(&[]));
}

const VOCABULARY: &[&str] = &["[UNK]", "red", "green", "##ish"];

fn small_table() -> Vec<u8> {
    let calibration = [(0.0, 0.0), (1.0, 1.0)].map(|(cosine, likeness)| Point { cosine, likeness });
    TableParts {
        name: "small",
        vocabulary: VOCABULARY,
        dimensions: 2,
        rows: &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5, 0.5],
        calibration: &calibration,
    }
    .to_bytes()
    .unwrap()
}

#[test]
fn a_table_is_read_as_it_was_written() {
    let embedder = StaticEmbedder::from_bytes(&small_table()).unwrap();
    assert_eq!(embedder.identity().name, "small");
    let found = |text: &str| embedder.embed_one(text).map(Vector::into_numbers);
    assert_eq!(found("Red"), Some(vec![1.0, 0.0]));
    assert_eq!(found("GREEN green"), Some(vec![0.0, 1.0]));
    assert_eq!(found("blue"), None, "a row of zeros has no direction");
    let greenish = found("greenish").unwrap();
    assert!(greenish[1] > greenish[0] && greenish[0] > 0.0);
}

#[test]
fn every_damaged_byte_is_noticed_with_a_remedy() {
    let table = small_table();
    for at in 0..table.len() {
        let mut damaged = table.clone();
        damaged[at] ^= 0x20;
        let error = StaticEmbedder::from_bytes(&damaged).err();
        let error = error.unwrap_or_else(|| panic!("byte {at}"));
        assert!(error.to_string().contains("table"), "{error}");
    }
    for length in 0..table.len() {
        assert!(
            StaticEmbedder::from_bytes(&table[..length]).is_err(),
            "{length}"
        );
    }
    let longer = [table.as_slice(), &[0]].concat();
    assert!(StaticEmbedder::from_bytes(&longer).is_err());
}

#[test]
fn what_is_wrong_with_a_table_has_its_own_word() {
    let table = small_table();
    let read = |table: &[u8]| StaticEmbedder::from_bytes(table).err();
    assert_eq!(read(b"something else entirely"), Some(TableError::NoTable));
    let mut newer = table.clone();
    newer[16] = 9;
    assert_eq!(read(&newer), Some(TableError::Format { found: 9 }));
    let mut flipped = table.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert_eq!(read(&flipped), Some(TableError::Checksum { part: "table" }));
}

#[test]
fn parts_that_do_not_fit_together_make_no_table() {
    let parts = TableParts {
        name: "small",
        vocabulary: VOCABULARY,
        dimensions: 2,
        rows: &[0.0; 8],
        calibration: &[],
    };
    assert!(parts.to_bytes().is_ok());
    for wrong in [
        TableParts {
            rows: &[0.0; 7],
            ..parts
        },
        TableParts {
            rows: &[f32::NAN; 8],
            ..parts
        },
        TableParts {
            dimensions: 0,
            ..parts
        },
        TableParts {
            vocabulary: &["[UNK]", "a\nb", "c"],
            ..parts
        },
        TableParts {
            vocabulary: &["a", "b", "c", "d"],
            ..parts
        },
        TableParts {
            vocabulary: &["[UNK]", "b", "b", "d"],
            ..parts
        },
    ] {
        let read = wrong
            .to_bytes()
            .and_then(|bytes| StaticEmbedder::from_bytes(&bytes));
        assert!(read.is_err(), "{wrong:?}");
    }
}
