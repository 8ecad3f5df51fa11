//! All containers of an index.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use testimony_domain::{ContainerTag, Memory, MemoryId};

use super::room::{Prepared, Room};
use super::store::Segments;

/// Containers by their tags.
#[derive(Default)]
pub(super) struct Rooms(RwLock<Registry>);

#[derive(Default)]
struct Registry {
    by_tag: HashMap<ContainerTag, Arc<Room>>,
    /// The number of the next one. Numbers are never given twice, since words of a container that is gone may remain.
    next: u32,
    /// What a new container searches: it has nothing there, but would otherwise keep old files from being removed.
    segments: Arc<Segments>,
}

impl Rooms {
    pub(super) fn of(rooms: Vec<Room>, segments: Arc<Segments>) -> Self {
        let next = rooms.iter().map(|room| room.number + 1).max().unwrap_or(0);
        let by_tag = rooms
            .into_iter()
            .map(|room| (room.tag.clone(), Arc::new(room)))
            .collect();
        Self(RwLock::new(Registry {
            by_tag,
            next,
            segments,
        }))
    }

    /// The container with this tag, if any row ever was in it.
    pub(super) fn find(&self, tag: &ContainerTag) -> Option<Arc<Room>> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .by_tag
            .get(tag)
            .cloned()
    }

    /// The container with this tag, made where there is none.
    pub(super) fn open(&self, tag: &ContainerTag) -> Arc<Room> {
        if let Some(room) = self.find(tag) {
            return room;
        }
        let mut registry = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let (number, segments) = (registry.next, Arc::clone(&registry.segments));
        let mut is_new = false;
        let room = registry.by_tag.entry(tag.clone()).or_insert_with(|| {
            is_new = true;
            Arc::new(Room::new(tag.clone(), number, segments))
        });
        let room = Arc::clone(room);
        registry.next += u32::from(is_new);
        room
    }

    /// Every container, by number.
    pub(super) fn all(&self) -> Vec<Arc<Room>> {
        let registry = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut rooms: Vec<Arc<Room>> = registry.by_tag.values().cloned().collect();
        rooms.sort_unstable_by_key(|room| room.number);
        rooms
    }

    /// Says what new containers search, and returns those that there are.
    pub(super) fn move_on(&self, segments: &Arc<Segments>) -> Vec<Arc<Room>> {
        self.0
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .segments = Arc::clone(segments);
        self.all()
    }

    /// Throws every container away.
    pub(super) fn clear(&self, segments: Arc<Segments>) {
        let mut registry = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for room in registry.by_tag.values() {
            room.write().graphs.clear();
        }
        *registry = Registry {
            segments,
            next: registry.next,
            ..Registry::default()
        };
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> u64 {
        self.all()
            .iter()
            .map(|room| room.read().rows.len() as u64)
            .sum()
    }

    /// Takes a row in. Returns how many changes wait for tantivy by that.
    pub(super) fn put(&self, memory: &Memory, mut prepared: Prepared) -> usize {
        let room = self.open(memory.partition.container());
        if !room.read().knows_words_of(memory) {
            prepared.words = Some(super::terms::of_row(memory));
        }
        room.write().put(memory, prepared)
    }

    /// Takes a row out of a container.
    pub(super) fn remove(&self, container: &ContainerTag, id: MemoryId) -> usize {
        self.find(container)
            .map_or(0, |room| room.write().remove(id))
    }

    /// Takes rows out, wherever they are.
    pub(super) fn remove_everywhere(&self, ids: &[MemoryId]) {
        for room in self.all() {
            let mut contents = room.write();
            for id in ids {
                contents.remove(*id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_given_once_though_everything_was_thrown_away_since() {
        let rooms = Rooms::default();
        let number = |tag: &str| {
            rooms
                .open(&ContainerTag::new("container", tag).unwrap())
                .number
        };
        let before = [number("one"), number("two")];
        rooms.clear(Arc::default());
        let after = number("three");
        assert!(before.iter().all(|before| *before < after));
    }
}
