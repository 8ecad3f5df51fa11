//! Commits, searches, writing and purging at the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use testimony_domain::{Capability, Labels};
use testimony_service::ports::index::{Index, IndexState};
use testimony_storage::index::{HybridIndex, Options, Replay};

use crate::support::{Asking, FakeLedger, container, id, identity, in_memory, row};

struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

#[test]
fn a_row_is_found_as_soon_as_its_commit_is_told() {
    let (index, ledger) = (in_memory(), FakeLedger::default());
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // The others end even when something is not found.
        let _ends = Ends(&done);
        scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                index.flush().unwrap();
            }
        });
        scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                index.purge(&[id(1_000_000)]).unwrap();
            }
        });
        for number in 0..150 {
            let word = format!("xylograph{number}");
            ledger.put(&row(number, &word), Some((number % 13) as u8), Some(&index));
            let who = identity(&container(0), 0, Labels::default(), Capability::Recall);
            assert_eq!(Asking::of(who.clone(), &word).ids(&index), [id(number)]);
            if number % 3 == 0 {
                ledger.erase(id(number), Some(&index));
                assert_eq!(Asking::of(who, &word).ids(&index), []);
            }
        }
    });
    let who = identity(&container(0), 0, Labels::default(), Capability::Recall);
    for number in 0..150 {
        let found = Asking::of(who.clone(), &format!("xylograph{number}")).ids(&index);
        assert_eq!(found.is_empty(), number % 3 == 0, "{number}");
    }
}

#[test]
fn the_worker_catches_up_while_commits_come() {
    let ledger = Arc::new(FakeLedger::default());
    for number in 0..50 {
        ledger.put(&row(number, "an old harbour"), None, None);
    }
    let index = HybridIndex::open(Options::default()).unwrap();
    let replay: Arc<dyn Replay> = Arc::<FakeLedger>::clone(&ledger);
    index.follow(replay);
    for number in 50..80 {
        ledger.put(&row(number, "a new harbour"), None, Some(&index));
        ledger.erase(id(number - 50), Some(&index));
    }
    while index.health().state != IndexState::Ready {
        std::thread::yield_now();
    }
    let who = identity(&container(0), 0, Labels::default(), Capability::Recall);
    let mut ids = Asking::of(who, "harbour").ids(&index);
    ids.sort_unstable();
    assert_eq!(ids, (30..80).map(id).collect::<Vec<_>>());
    assert_eq!(
        (index.health().reached.0, index.health().ledger.0),
        (110, 110)
    );
}
