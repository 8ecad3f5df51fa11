//! Keys and containers at hand: every request needs one of each, and they hardly ever change.
//!
//! It follows the ledger. Whatever changes who may come in, or where, empties it before the change is answered, so a
//! revocation bites on the next request, as it does where the record is read each time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use testimony_domain::{ContainerTag, KeyId};

use crate::ports::ledger::accounts::KeyRecord;
use crate::ports::ledger::containers::Container;
use crate::ports::ledger::{Commit, CommitObserver, Ledger, LedgerError, Reader};

/// So many keys, and so many containers, are at hand at most.
const MOST: usize = 4_096;

/// Keys and containers at hand.
#[derive(Default)]
pub(crate) struct AtHand(Mutex<Records>);

#[derive(Default)]
struct Records {
    keys: HashMap<KeyId, Arc<KeyRecord>>,
    containers: HashMap<ContainerTag, Arc<Container>>,
    /// How often they were thrown away: what was read before the last time is not kept.
    emptied: u64,
}

type Shelf<Id, T> = fn(&mut Records) -> &mut HashMap<Id, Arc<T>>;

impl AtHand {
    /// A key, from here or from the ledger.
    pub(crate) fn key(
        &self,
        ledger: &dyn Ledger,
        id: KeyId,
    ) -> Result<Option<Arc<KeyRecord>>, LedgerError> {
        match self.key_here(id) {
            None => self.key_afresh(ledger, id),
            here => Ok(here),
        }
    }

    /// A key, where it is here already.
    pub(crate) fn key_here(&self, id: KeyId) -> Option<Arc<KeyRecord>> {
        self.here(&id, |it| &mut it.keys)
    }

    /// A key as the ledger has it, whatever is here.
    pub(crate) fn key_afresh(
        &self,
        ledger: &dyn Ledger,
        id: KeyId,
    ) -> Result<Option<Arc<KeyRecord>>, LedgerError> {
        self.afresh(ledger, &id, |it| &mut it.keys, |reader| reader.key(id))
    }

    /// A container, from here or from the ledger.
    pub(crate) fn container(
        &self,
        ledger: &dyn Ledger,
        tag: &ContainerTag,
    ) -> Result<Option<Arc<Container>>, LedgerError> {
        match self.here(tag, |it| &mut it.containers) {
            None => self.afresh(
                ledger,
                tag,
                |it| &mut it.containers,
                |reader| reader.container(tag),
            ),
            here => Ok(here),
        }
    }

    fn here<Id: Eq + Hash, T>(&self, id: &Id, shelf: Shelf<Id, T>) -> Option<Arc<T>> {
        shelf(&mut self.records()).get(id).map(Arc::clone)
    }

    /// Reads what the ledger has, and keeps it here.
    fn afresh<Id: Clone + Eq + Hash, T>(
        &self,
        ledger: &dyn Ledger,
        id: &Id,
        shelf: Shelf<Id, T>,
        read: impl FnOnce(&dyn Reader) -> Result<Option<T>, LedgerError>,
    ) -> Result<Option<Arc<T>>, LedgerError> {
        let emptied = self.records().emptied;
        let Some(found) = read(ledger.reader()?.as_ref())?.map(Arc::new) else {
            return Ok(None);
        };
        let mut records = self.records();
        if records.emptied == emptied {
            let shelf = shelf(&mut records);
            if shelf.len() >= MOST {
                shelf.clear();
            }
            shelf.insert(id.clone(), Arc::clone(&found));
        }
        Ok(Some(found))
    }

    /// Nothing that is done under the lock leaves it half done.
    fn records(&self) -> MutexGuard<'_, Records> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CommitObserver for AtHand {
    fn committed(&self, commit: &Commit) {
        if commit.changes_access {
            let mut records = self.records();
            records.keys.clear();
            records.containers.clear();
            records.emptied += 1;
        }
    }
}
