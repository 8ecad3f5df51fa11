//! A purged row leaves no trace in any file.

use std::sync::Arc;

use testimony_domain::{Capability, Labels, Memory, Tag};
use testimony_service::ports::index::Index;

use crate::support::{
    Asking, FakeLedger, container, id, identity, on_disk, placed, row, stands_in, user, words_in,
};

fn telling(number: u64) -> Memory {
    let labels = Labels {
        user: Some(user(number as u8)),
        ..Labels::default()
    };
    let memory = row(
        number,
        &format!("the xylograph{number} hangs in the harbour"),
    );
    let tags = vec![Tag::new("tags", &format!("tag-of-{number}")).unwrap()];
    placed(
        Memory { tags, ..memory },
        container(0),
        0,
        testimony_domain::Plane::Task,
        labels,
    )
}

#[test]
fn a_purged_row_leaves_no_trace_in_any_file() {
    let (ledger, folder) = (
        Arc::new(FakeLedger::default()),
        tempfile::tempdir().unwrap(),
    );
    let index = on_disk(folder.path(), &ledger);
    for number in 0..30 {
        ledger.put(&telling(number), Some(number as u8), Some(&index));
        if number % 10 == 9 {
            index.flush().unwrap();
        }
    }
    index.snapshot().unwrap();
    ledger.put(&telling(40), None, Some(&index));
    let traces = |number: u64| {
        [
            words_in(folder.path()).contains(&format!("xylograph{number}")),
            stands_in(folder.path(), format!("tag-of-{number}").as_bytes()),
            stands_in(folder.path(), format!("user-{number}").as_bytes()),
        ]
    };
    assert_eq!(
        traces(17),
        [true; 3],
        "the test looks for what is not there anyway"
    );
    let bytes_of_17 = uuid::Uuid::from_bytes(*id(17).uuid().as_bytes());
    assert!(stands_in(folder.path(), bytes_of_17.as_bytes()));
    let gone = [17, 40];
    for number in gone {
        ledger.erase(id(number), Some(&index));
    }
    index.purge(&gone.map(id)).unwrap();
    for number in gone {
        assert_eq!(traces(number), [false; 3], "{number}");
        assert!(
            !stands_in(folder.path(), id(number).uuid().as_bytes()),
            "{number}"
        );
    }
    let files_without_use = words_in(folder.path()).contains("?");
    assert!(!files_without_use, "a file is left that may hold words");
    // The others are still there, in the files as in the answers, and what comes next takes the empty places.
    assert_eq!(traces(18), [true; 3]);
    ledger.put(&telling(41), Some(5), Some(&index));
    let operator = identity(&container(0), 0, Labels::default(), Capability::Admin);
    let ids = |index: &_| {
        let mut ids = Asking::of(operator.clone(), "harbour").ids(index);
        ids.sort_unstable();
        ids
    };
    let expected: Vec<_> = (0..30)
        .filter(|number| *number != 17)
        .chain([41])
        .map(id)
        .collect();
    assert_eq!(ids(&index), expected);
    index.flush().unwrap();
    assert_eq!(ids(&index), expected);
    assert_eq!(
        Asking::of(operator.clone(), "xylograph17 xylograph40").ids(&index),
        []
    );
    assert_eq!(
        Asking::of(operator.clone(), "xylograph41").ids(&index),
        [id(41)]
    );
    index.snapshot().unwrap();
    drop(index);
    assert_eq!(ids(&on_disk(folder.path(), &ledger)), expected);
}
