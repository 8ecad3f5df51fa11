//! What is decided before anything is cut, and the room that each cut has.

use testimony_domain::{
    Capability, Labels, Memory, MemoryKind, Score, Standing, State, Tag, Validity,
};
use testimony_recall::{Channel, Filters, TimeIntent, View};
use testimony_service::ports::embedder::{EmbedderIdentity, Vector};
use testimony_service::ports::index::{Cut, Index, IndexError, IndexQuery, Meaning};

use crate::support::{Asking, FakeLedger, NOW, at, container, id, identity, in_memory, row};

fn asking(words: &str) -> Asking {
    Asking::of(
        identity(&container(0), 0, Labels::default(), Capability::Recall),
        words,
    )
}

#[test]
fn rows_of_one_kind_never_crowd_out_those_of_another() {
    let (index, ledger) = (in_memory(), FakeLedger::default());
    for number in 0..60 {
        let over = Memory {
            state: State::Superseded,
            ..row(number, "blue blue blue harbour")
        };
        ledger.put(&over, Some(1), Some(&index));
    }
    ledger.put(
        &row(
            100,
            "the harbour used to have a blue crane, which somebody painted over",
        ),
        Some(5),
        Some(&index),
    );
    let cut = |standing: Standing| (vec![standing], TimeIntent::Current, 5);
    let both = Asking {
        meaning: Some(1),
        cuts: vec![cut(Standing::Superseded), cut(Standing::CleanPerson)],
        ..asking("blue harbour")
    };
    let found = both.ids(&index);
    assert!(found.contains(&id(100)) && found.len() == 6, "{found:?}");
    // One cut for both is what the two were made for.
    let one = Asking {
        cuts: vec![(
            vec![Standing::Superseded, Standing::CleanPerson],
            TimeIntent::Current,
            5,
        )],
        ..both
    };
    assert!(!one.ids(&index).contains(&id(100)));
}

#[test]
fn what_is_filtered_out_takes_no_room() {
    let (index, ledger) = (in_memory(), FakeLedger::default());
    let better = |number: u64| row(number, "blue harbour");
    let cold = vec![Tag::new("tags", "cold").unwrap()];
    let held_back = [
        Memory {
            kind: MemoryKind::Decision,
            ..better(0)
        },
        Memory {
            tags: cold.clone(),
            ..better(0)
        },
        Memory {
            created_at: at("2026-01-01T00:00:00Z"),
            ..better(0)
        },
        Memory {
            expires_at: Some(at("2026-05-01T00:00:00Z")),
            ..better(0)
        },
        Memory {
            validity: Validity {
                from: Some(at("2027-01-01T00:00:00Z")),
                until: None,
            },
            ..better(0)
        },
    ];
    for (number, memory) in (0_u64..).zip(held_back.iter().cycle().take(50)) {
        ledger.put(
            &Memory {
                id: id(number),
                ..memory.clone()
            },
            Some(1),
            Some(&index),
        );
    }
    ledger.put(
        &row(
            100,
            "a harbour that is blue in the evening, when the lamps are lit",
        ),
        Some(4),
        Some(&index),
    );
    let filters = Filters {
        kind: Some(MemoryKind::Fact),
        exclude_tags: cold,
        created_after: Some(at("2026-03-01T00:00:00Z")),
        ..Filters::default()
    };
    for flushed in [false, true] {
        if flushed {
            index.flush().unwrap();
        }
        let narrow = Asking {
            meaning: Some(1),
            filters: filters.clone(),
            cuts: vec![(vec![Standing::CleanPerson], TimeIntent::Current, 1)],
            ..asking("blue harbour")
        };
        assert_eq!(narrow.ids(&index), [id(100)], "now {NOW}");
    }
}

#[test]
fn a_question_about_another_time_is_not_crowded_by_what_was_not_known_then() {
    let (index, ledger) = (in_memory(), FakeLedger::default());
    for number in 0..20 {
        ledger.put(&row(number, "blue harbour"), None, Some(&index));
    }
    let early = Memory {
        observed_at: at("2025-01-01T00:00:00Z"),
        ..row(100, "the harbour was once not blue")
    };
    ledger.put(&early, None, Some(&index));
    let then = TimeIntent::AsOf(at("2025-06-01T00:00:00Z"));
    let asking = Asking {
        cuts: vec![(vec![Standing::CleanPerson], then, 1)],
        ..asking("blue harbour")
    };
    assert_eq!(asking.ids(&index), [id(100)]);
}

#[test]
fn every_channel_says_its_own() {
    let (index, ledger) = (in_memory(), FakeLedger::default());
    let known = Memory {
        entities: vec!["Zürich".to_owned()],
        ..row(1, "The painters were painting in Zürich.")
    };
    ledger.put(&known, Some(3), Some(&index));
    ledger.put(&row(2, "Nothing of the kind."), None, Some(&index));
    let asking = Asking {
        entities: vec!["zurich".to_owned()],
        meaning: Some(3),
        ..asking("Who painted in Zürich?")
    };
    let hits = asking.ask(&index).hits;
    let says = |channel: Channel| hits[0].channels.get(channel).map(Score::get);
    assert_eq!(hits.len(), 1);
    assert_eq!(says(Channel::Entity), Some(1.0));
    assert!(says(Channel::Semantic).unwrap() > 0.999);
    // The stem stands there twice over, the exact word "painted" does not.
    assert!(says(Channel::Keyword).unwrap() > 0.5);
    assert!((0.1..0.9).contains(&says(Channel::Lexical).unwrap()));
    assert_eq!(says(Channel::Graph), None);
}

#[test]
fn another_embedder_is_an_error_and_never_an_empty_answer() {
    let (index, ledger) = (in_memory(), FakeLedger::default());
    ledger.put(&row(1, "blue harbour"), Some(3), Some(&index));
    let who = identity(&container(0), 0, Labels::default(), Capability::Recall);
    let other = EmbedderIdentity {
        name: "other".into(),
        revision: "1".into(),
        dimensions: 3,
    };
    let vector = Vector::from_direction(vec![1.0, 2.0, 3.0]).unwrap();
    let cuts = [Cut {
        standings: &[Standing::CleanPerson],
        time: TimeIntent::Current,
        limit: 5,
    }];
    let filters = Filters::default();
    let asking = IndexQuery {
        identity: &who,
        view: View::Assistant,
        words: "blue",
        entities: &[],
        meaning: Some(Meaning {
            vector: &vector,
            embedder: &other,
            calibration: None,
        }),
        filters: &filters,
        now: at(NOW),
        beside: 0,
        cuts: &cuts,
    };
    let error = index.search(&asking).unwrap_err();
    let IndexError::OtherEmbedder { kept, asked } = &error else {
        panic!("{error}");
    };
    assert_eq!((kept.dimensions, asked.dimensions), (8, 3));
    // Where the asker may see no vector at all, foreign ones do not show.
    let elsewhere = identity(&container(1), 0, Labels::default(), Capability::Recall);
    assert!(
        index
            .search(&IndexQuery {
                identity: &elsewhere,
                ..asking
            })
            .unwrap()
            .hits
            .is_empty()
    );
}
