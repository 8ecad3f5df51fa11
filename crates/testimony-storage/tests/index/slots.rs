//! A place whose words are still in a file is given to nobody else, and words whose row is gone leave the files.

use std::sync::{Arc, OnceLock, Weak};

use testimony_domain::{Capability, ContainerTag, Labels, Memory, MemoryId};
use testimony_service::ports::index::Index;
use testimony_service::ports::ledger::audit::{Digest, Seq};
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::{LedgerError, Page};
use testimony_storage::index::{HybridIndex, Options, Replay};

use crate::support::{Asking, FakeLedger, container, id, identity, on_disk, row, words_in};

fn operator() -> testimony_domain::EffectiveIdentity {
    identity(&container(0), 0, Labels::default(), Capability::Admin)
}

/// Whether the place of the removed row is between those of others or behind them all, a new row does not inherit its words.
#[test]
fn a_row_inherits_no_words_of_one_that_was_gone_before_a_restart() {
    for gone in 0..4 {
        let (ledger, folder) = (
            Arc::new(FakeLedger::default()),
            tempfile::tempdir().unwrap(),
        );
        let index = on_disk(folder.path(), &ledger);
        for number in 0..4 {
            ledger.put(&row(number, &format!("crane{number}")), None, Some(&index));
        }
        index.flush().unwrap();
        ledger.erase(id(gone), Some(&index));
        index.snapshot().unwrap();
        drop(index);
        let index = on_disk(folder.path(), &ledger);
        ledger.put(&row(9, "harbour"), None, Some(&index));
        let found = Asking::of(operator(), &format!("crane{gone}")).ids(&index);
        assert_eq!(found, [], "row {gone}");
    }
}

/// A ledger in which a row is erased while a snapshot is made: when the snapshot asks it for its fingerprint.
struct ErasesMeanwhile {
    ledger: Arc<FakeLedger>,
    index: OnceLock<Weak<HybridIndex>>,
    victim: MemoryId,
}

impl Replay for ErasesMeanwhile {
    fn changed_since(&self, page: Page<Seq>) -> Result<(Vec<Memory>, Seq), LedgerError> {
        self.ledger.changed_since(page)
    }

    fn embeddings(
        &self,
        container: &ContainerTag,
        memories: &[MemoryId],
    ) -> Result<Vec<Embedding>, LedgerError> {
        self.ledger.embeddings(container, memories)
    }

    fn fingerprint(&self, at: Seq) -> Result<Option<Digest>, LedgerError> {
        if let Some(index) = self.index.get().and_then(Weak::upgrade) {
            self.ledger.erase(self.victim, Some(&index));
        }
        self.ledger.fingerprint(at)
    }

    fn head(&self) -> Result<Seq, LedgerError> {
        self.ledger.head()
    }
}

#[test]
fn a_row_that_went_while_a_snapshot_was_made_can_be_purged_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let index = Arc::new(
        HybridIndex::open(Options {
            folder: Some(folder.path().to_owned()),
            ledger: "sample".into(),
        })
        .unwrap(),
    );
    let replay = Arc::new(ErasesMeanwhile {
        ledger: Arc::default(),
        index: OnceLock::new(),
        victim: id(1),
    });
    let as_replay: Arc<dyn Replay> = Arc::<ErasesMeanwhile>::clone(&replay);
    index.catch_up(&as_replay).unwrap();
    let ledger = Arc::clone(&replay.ledger);
    for (number, text) in [(0, "harbour"), (1, "xylograph"), (2, "crane")] {
        ledger.put(&row(number, text), None, Some(&index));
    }
    assert!(replay.index.set(Arc::downgrade(&index)).is_ok());
    index.snapshot().unwrap();
    assert!(words_in(folder.path()).contains("xylograph"));
    drop((replay, as_replay));
    drop(index);

    let index = on_disk(folder.path(), &ledger);
    index.purge(&[id(1)]).unwrap();
    assert_eq!(
        words_in(folder.path()),
        ["crane", "harbour"].map(String::from).into()
    );
}
