//! A container as the index holds it: its rows, their vectors, and the words that are not yet in tantivy.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use testimony_domain::{ContainerTag, Memory, MemoryId};
use testimony_service::ports::embedder::EmbedderIdentity;

use super::graphs::Graphs;
use super::place::PlaceKey;
use super::postings::{Document, HowOften, Place};
use super::rows::{Rows, digest_of_words};
use super::store::{Segments, StoreError};
use super::tail::{Tail, Terms};
use super::vectors::{Quantised, Space};

/// A container.
pub(super) struct Room {
    pub(super) tag: ContainerTag,
    /// By which its terms are kept apart from those of others.
    pub(super) number: u32,
    contents: RwLock<Contents>,
}

/// What a container holds.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) rows: Rows,
    pub(super) spaces: Vec<Space>,
    pub(super) graphs: Graphs,
    /// Words on their way into tantivy.
    frozen: Vec<Arc<Tail>>,
    tail: Tail,
    /// Slots of rows that are gone, and whose words may still be in tantivy.
    gone: Vec<u32>,
    pub(super) segments: Arc<Segments>,
}

/// What a row is found by, made before the container is locked.
#[derive(Clone, Debug, Default)]
pub(super) struct Prepared {
    /// Its terms and its length; `None` where its words are known already.
    pub(super) words: Option<(Terms, u32)>,
    /// A vector and whose it is.
    pub(super) meaning: Option<(EmbedderIdentity, Quantised)>,
}

/// What has to be written into tantivy.
#[derive(Default)]
pub(super) struct Unwritten {
    pub(super) added: Vec<(Place, Terms)>,
    pub(super) removed: Vec<Place>,
}

impl Room {
    pub(super) fn new(tag: ContainerTag, number: u32, segments: Arc<Segments>) -> Self {
        Self {
            tag,
            number,
            contents: RwLock::new(Contents {
                segments,
                ..Contents::default()
            }),
        }
    }

    pub(super) fn holding(tag: ContainerTag, number: u32, contents: Contents) -> Self {
        Self {
            tag,
            number,
            contents: RwLock::new(contents),
        }
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Contents> {
        self.contents.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Contents> {
        self.contents
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets apart what is to be written now; it is searched all the same until [`Contents::settle`].
    pub(super) fn freeze(&self, into: &mut Unwritten) {
        let mut contents = self.write();
        contents.drop_outgrown_spaces();
        if contents.tail.len() > 0 {
            let tail = std::mem::take(&mut contents.tail);
            contents.frozen.push(Arc::new(tail));
        }
        let place = |slot: u32| Place {
            room: self.number,
            slot,
        };
        for (slot, terms) in contents.frozen.iter().flat_map(|tail| tail.rows()) {
            if contents.rows.is_live(*slot) {
                into.added.push((place(*slot), Arc::clone(terms)));
            }
        }
        into.removed
            .extend(contents.gone.iter().map(|slot| place(*slot)));
    }
}

impl Contents {
    /// Whether the words of this memory are known as they are.
    pub(super) fn knows_words_of(&self, memory: &Memory) -> bool {
        let slot = self.rows.slot(memory.id);
        let words = slot.and_then(|slot| self.rows.words_of(slot));
        words.is_some_and(|words| words == digest_of_words(memory))
    }

    /// Takes a row in as it is now, or out when nobody is to find it. Returns how many rows wait for tantivy by that.
    pub(super) fn put(&mut self, memory: &Memory, prepared: Prepared) -> usize {
        let Some(place) = PlaceKey::of(memory) else {
            return self.remove(memory.id);
        };
        let known = self
            .rows
            .slot(memory.id)
            .filter(|_| prepared.words.is_none());
        let mut waiting = 0;
        let slot = match (known, prepared.words) {
            (Some(slot), _) => {
                let before = self.rows.place(slot);
                self.rows.update(slot, memory, place);
                if self.rows.place(slot) != before {
                    self.graphs.leaves(slot);
                }
                slot
            }
            (None, words) => {
                self.remove(memory.id);
                let (terms, length) = words.unwrap_or_else(|| super::terms::of_row(memory));
                let slot = self.rows.insert(memory, place, length);
                self.tail.push(slot, terms);
                waiting = 1;
                slot
            }
        };
        if let Some((embedder, vector)) = prepared.meaning {
            let space = self.space_of(embedder);
            let had_another = space.has(slot) && !space.holds(slot, &vector);
            space.put(slot, &vector);
            if had_another {
                self.graphs.leaves(slot);
            }
        }
        waiting
    }

    /// Takes a row out. Returns how many removals wait for tantivy by that.
    pub(super) fn remove(&mut self, id: MemoryId) -> usize {
        let Some(slot) = self.rows.remove(id) else {
            return 0;
        };
        self.graphs.leaves(slot);
        for space in &mut self.spaces {
            space.clear(slot);
        }
        self.gone.push(slot);
        1
    }

    fn space_of(&mut self, embedder: EmbedderIdentity) -> &mut Space {
        let known = self
            .spaces
            .iter()
            .position(|space| space.embedder == embedder);
        let at = known.unwrap_or(self.spaces.len());
        if known.is_none() {
            self.spaces.push(Space::new(embedder));
        }
        // There is one at this place: it was found or pushed there.
        #[expect(
            clippy::indexing_slicing,
            reason = "the place was found or made in the lines above"
        )]
        &mut self.spaces[at]
    }

    /// A snapshot copies vectors behind rows, those of rows that it left out among them; whoever is given their slots
    /// next must not find them there.
    pub(super) fn clear_vectors_without_row(&mut self) {
        let slots = 0..u32::try_from(self.rows.slots()).unwrap_or(u32::MAX);
        for slot in slots.filter(|slot| !self.rows.is_live(*slot)) {
            for space in &mut self.spaces {
                space.clear(slot);
            }
        }
    }

    /// Calls `each` with slot and frequency wherever a term stands, rows that are gone among them.
    pub(super) fn walk(
        &self,
        room: u32,
        term: &str,
        how_often: HowOften,
        each: &mut impl FnMut(u32, u32),
    ) -> Result<(), StoreError> {
        self.segments.walk(room, term, how_often, each)?;
        for tail in self.frozen.iter().map(Arc::as_ref).chain([&self.tail]) {
            for (slot, count) in tail.postings(term) {
                each(*slot, *count);
            }
        }
        Ok(())
    }

    /// Searches these segments from now on, which hold what was set apart.
    pub(super) fn settle(&mut self, segments: Arc<Segments>, written: &[Place], room: u32) {
        self.segments = segments;
        self.frozen.clear();
        if !written.is_empty() {
            let written: HashSet<u32> = written
                .iter()
                .filter(|place| place.room == room)
                .map(|place| place.slot)
                .collect();
            self.gone.retain(|slot| !written.contains(slot));
        }
    }

    /// Learns what tantivy holds of rows: a slot of which words remain is given to no other row, and words whose row is
    /// gone are still to be removed.
    pub(super) fn learn_of(&mut self, documents: &[Document]) {
        let mut met = HashSet::new();
        for document in documents {
            self.rows.reach(document.slot);
            if !self.rows.is_live(document.slot) {
                met.insert(document.slot);
                if !document.removed {
                    self.gone.push(document.slot);
                }
            }
        }
        self.rows.free_empty_slots(&met);
    }

    /// Forgets what is left of rows that are gone. Their words must have left tantivy before.
    pub(super) fn forget_the_gone(&mut self) {
        if self.rows.slots() == self.rows.len() {
            return;
        }
        let mut known = self.waiting_slots();
        known.extend(&self.gone);
        self.rows.tidy();
        self.rows.free_empty_slots(&known);
    }

    /// An embedder whose every row the newest embedder has as well is not asked any more.
    fn drop_outgrown_spaces(&mut self) {
        let Some((newest, older)) = self.spaces.split_last() else {
            return;
        };
        let slots = 0..u32::try_from(self.rows.slots()).unwrap_or(u32::MAX);
        let outgrown = |space: &Space| {
            slots
                .clone()
                .all(|slot| !space.has(slot) || newest.has(slot))
        };
        let keep: Vec<bool> = older
            .iter()
            .map(|space| !outgrown(space))
            .chain([true])
            .collect();
        let mut keep = keep.into_iter();
        self.spaces.retain(|_| keep.next().unwrap_or(true));
        self.graphs.keep_only(&self.spaces);
    }

    /// Rows without a vector by the newest embedder.
    pub(super) fn without_vector(&self) -> Vec<MemoryId> {
        let newest = self.spaces.last();
        let bare = self
            .rows
            .iter()
            .filter(|(_, slot)| newest.is_none_or(|space| !space.has(*slot)));
        bare.map(|(id, _)| id).collect()
    }

    /// Gives a row its vector, if the row is still there and has none by this embedder.
    pub(super) fn give_vector(
        &mut self,
        id: MemoryId,
        embedder: EmbedderIdentity,
        vector: &Quantised,
    ) {
        if let Some(slot) = self.rows.slot(id) {
            let space = self.space_of(embedder);
            if !space.has(slot) {
                space.put(slot, vector);
            }
        }
    }

    /// Slots of rows that are gone, and whose words are still to be removed.
    pub(super) fn gone(&self) -> &[u32] {
        &self.gone
    }

    /// Slots whose words tantivy has not got yet.
    pub(super) fn waiting_slots(&self) -> HashSet<u32> {
        let tails = self.frozen.iter().map(Arc::as_ref).chain([&self.tail]);
        tails
            .flat_map(|tail| tail.rows().iter().map(|(slot, _)| *slot))
            .collect()
    }
}
