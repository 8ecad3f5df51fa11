//! What an index holds, row by row, for whoever compares it with the ledger.

use std::collections::{HashMap, HashSet};

use testimony_domain::{ContainerTag, Memory, MemoryId};
use testimony_service::ports::index::IndexError;

use super::hybrid::{HybridIndex, failed, held};
use super::place::PlaceKey;
use super::postings::Document;
use super::room::Room;
use super::rows::{self, is_kept_as};

/// Whether a row of the ledger is in the index as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    /// It is.
    Sound,
    /// It is not there, and should be.
    Missing,
    /// It is there, and nobody is to find it.
    Ghost,
    /// It is there in another container, condition or time, or with other words.
    Stale,
    /// Its words are found nowhere.
    Wordless,
}

/// What an index holds, as of one moment.
pub struct Inventory {
    rows: HashMap<MemoryId, Row>,
    orphaned_words: u64,
}

/// A row as the index holds it.
struct Row {
    container: ContainerTag,
    place: Option<PlaceKey>,
    kept: rows::Row,
    has_words: bool,
    has_vector: bool,
}

impl Inventory {
    /// How a row of the ledger is held.
    #[must_use]
    pub fn holding(&self, memory: &Memory) -> Holding {
        match (PlaceKey::of(memory), self.rows.get(&memory.id)) {
            (None, None) => Holding::Sound,
            (None, Some(_)) => Holding::Ghost,
            (Some(_), None) => Holding::Missing,
            (Some(place), Some(row)) => row.holding(memory, &place),
        }
    }

    /// Whether a row has a vector, by whatever embedder.
    #[must_use]
    pub fn has_a_vector(&self, memory: MemoryId) -> bool {
        self.rows.get(&memory).is_some_and(|row| row.has_vector)
    }

    /// Every row that is held, in no order.
    pub fn memories(&self) -> impl Iterator<Item = MemoryId> {
        self.rows.keys().copied()
    }

    /// How many documents of words stand for no row, and do not wait to be removed.
    #[must_use]
    pub const fn orphaned_words(&self) -> u64 {
        self.orphaned_words
    }

    fn count_in(&mut self, room: &Room, documents: &[Document]) {
        let contents = room.read();
        let waiting = contents.waiting_slots();
        let written = documents.iter().filter(|document| !document.removed);
        let written: HashSet<u32> = written.map(|document| document.slot).collect();
        let leaving: HashSet<u32> = contents.gone().iter().copied().collect();
        let stray = |slot: &&u32| !contents.rows.is_live(**slot) && !leaving.contains(*slot);
        self.orphaned_words += written.iter().filter(stray).count() as u64;
        for (id, slot) in contents.rows.iter() {
            let Some(kept) = contents.rows.row(slot) else {
                continue;
            };
            let row = Row {
                container: room.tag.clone(),
                place: contents.rows.places.value(kept.profile.place).cloned(),
                kept,
                has_words: waiting.contains(&slot) || written.contains(&slot),
                has_vector: contents.spaces.iter().any(|space| space.has(slot)),
            };
            self.rows.insert(id, row);
        }
    }
}

impl Row {
    fn holding(&self, memory: &Memory, place: &PlaceKey) -> Holding {
        let same = self.container == *memory.partition.container()
            && self.place.as_ref() == Some(place)
            && is_kept_as(&self.kept, memory);
        match (same, self.has_words) {
            (false, _) => Holding::Stale,
            (true, false) => Holding::Wordless,
            (true, true) => Holding::Sound,
        }
    }
}

impl HybridIndex {
    /// What it holds, row by row. It goes on being searched and written to meanwhile.
    ///
    /// # Errors
    /// [`IndexError`] when its files cannot be read.
    pub fn inventory(&self) -> Result<Inventory, IndexError> {
        let mut inventory = Inventory {
            rows: HashMap::new(),
            orphaned_words: 0,
        };
        // While the store is held, no row is on its way from memory into a file.
        let store = held(&self.inner.store);
        let documents = store.documents().map_err(failed("examined"))?;
        for room in self.inner.rooms.all() {
            let of_room = documents.get(&room.number).map_or(&[][..], Vec::as_slice);
            inventory.count_in(&room, of_room);
        }
        Ok(inventory)
    }

    /// Throws everything away and says why; [`HybridIndex::catch_up`] builds it again.
    pub fn start_anew(&self, because: &str) {
        self.inner.start_anew(because);
    }
}
