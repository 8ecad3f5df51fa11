//! The rows of a container as a search has to know them before it cuts: where they live, how they stand, when they
//! hold, and what filters ask of them.
//!
//! A row is a slot: its number stays as long as the row is there, and is given to another only after a purge has removed
//! every trace of the row.
//! What every search looks at lies apart from what only some look at, so that a pass over all rows stays in the cache.

use std::collections::{HashMap, HashSet};

use sha2::{Digest as _, Sha256};
use testimony_domain::{
    Memory, MemoryId, MemoryKind, MemoryScope, Plane, SourceApp, SourceLabel, Standing, State, Tag,
    Timestamp,
};

use super::interner::Interner;
use super::place::PlaceKey;

/// The place of a slot in which there is no row.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Nanoseconds since 1970, as far as 64 bits go: the years 1677 to 2262. What lies outside counts as their edge.
pub(super) fn nanoseconds(instant: Timestamp) -> i64 {
    let edge = if instant < Timestamp::UNIX_EPOCH {
        i64::MIN
    } else {
        i64::MAX
    };
    i64::try_from(instant.as_nanosecond()).unwrap_or(edge)
}

/// What every search looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hot {
    /// It holds from this instant on; the least number where nobody said.
    pub(super) from: i64,
    /// It holds before this instant; the greatest number where nobody said.
    pub(super) until: i64,
    /// The number of its [`PlaceKey`], or [`NOWHERE`].
    pub(super) place: u32,
    /// Its standing, by declaration.
    pub(super) standing: u8,
    /// Whether time can end it: it is active or pending.
    pub(super) can_end: bool,
    /// The length of its text as BM25 rounds it.
    pub(super) norm: u8,
    /// Kind, plane and scope, by declaration.
    pub(super) kind: u8,
}

/// What only some searches look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cold {
    pub(super) id: MemoryId,
    /// When it was kept.
    pub(super) created: i64,
    /// When it was said, where nobody said from when on it holds.
    pub(super) known: i64,
    pub(super) source: u32,
    /// The number of the application, or [`NOWHERE`].
    pub(super) app: u32,
    pub(super) tags: u32,
    /// How many tokens it is found by.
    pub(super) length: u32,
    pub(super) plane: u8,
    pub(super) scope: u8,
    /// By this a row is known whose words changed.
    pub(super) words: u64,
}

/// What statistics need of the rows of one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    pub(super) rows: u64,
    pub(super) tokens: u64,
}

/// The rows of a container.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) hot: Vec<Hot>,
    pub(super) cold: Vec<Cold>,
    slots: HashMap<MemoryId, u32>,
    free: Vec<u32>,
    pub(super) places: Interner<PlaceKey>,
    pub(super) census: Vec<Census>,
    pub(super) sources: Interner<SourceLabel>,
    pub(super) apps: Interner<SourceApp>,
    pub(super) tags: Interner<Vec<Tag>>,
}

const EMPTY_HOT: Hot = Hot {
    from: i64::MAX,
    until: i64::MIN,
    place: NOWHERE,
    standing: 0,
    can_end: false,
    norm: 0,
    kind: 0,
};

fn empty_cold() -> Cold {
    Cold {
        id: MemoryId::from_uuid(uuid::Uuid::nil()),
        created: 0,
        known: 0,
        source: NOWHERE,
        app: NOWHERE,
        tags: NOWHERE,
        length: 0,
        plane: 0,
        scope: 0,
        words: 0,
    }
}

/// The first bytes of a digest over what a row is found by.
pub(super) fn digest_of_words(memory: &Memory) -> u64 {
    let mut hash = Sha256::new();
    for text in
        std::iter::once(memory.content.as_str()).chain(memory.entities.iter().map(String::as_str))
    {
        hash.update(text.len().to_le_bytes());
        hash.update(text.as_bytes());
    }
    let digest = hash.finalize();
    digest
        .iter()
        .take(8)
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

impl Rows {
    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// How many slots there are.
    pub(super) fn slots(&self) -> usize {
        self.hot.len()
    }

    pub(super) fn slot(&self, id: MemoryId) -> Option<u32> {
        self.slots.get(&id).copied()
    }

    /// Every row with its slot, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (MemoryId, u32)> {
        self.slots.iter().map(|(id, slot)| (*id, *slot))
    }

    pub(super) fn is_live(&self, slot: u32) -> bool {
        self.hot
            .get(slot as usize)
            .is_some_and(|row| row.place != NOWHERE)
    }

    /// What every search looks at of a row, and the digest of its words.
    pub(super) fn hot_and_words(&self, slot: u32) -> Option<(Hot, u64)> {
        let (hot, cold) = (self.hot.get(slot as usize), self.cold.get(slot as usize));
        hot.zip(cold).map(|(hot, cold)| (*hot, cold.words))
    }

    pub(super) fn id(&self, slot: u32) -> Option<MemoryId> {
        self.cold.get(slot as usize).map(|row| row.id)
    }

    /// Puts a row into a slot of its own, `length` tokens long.
    pub(super) fn insert(&mut self, memory: &Memory, place: PlaceKey, length: u32) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.hot.push(EMPTY_HOT);
            self.cold.push(empty_cold());
            u32::try_from(self.hot.len() - 1).unwrap_or(NOWHERE)
        });
        self.slots.insert(memory.id, slot);
        self.write(slot, memory, place, length);
        slot
    }

    /// Takes over what changed about the row in a slot; its words did not.
    pub(super) fn update(&mut self, slot: u32, memory: &Memory, place: PlaceKey) {
        let length = self.cold.get(slot as usize).map_or(0, |row| row.length);
        self.uncount(slot);
        self.write(slot, memory, place, length);
    }

    /// Takes a row out; its slot stays empty.
    pub(super) fn remove(&mut self, id: MemoryId) -> Option<u32> {
        let slot = self.slots.remove(&id)?;
        self.uncount(slot);
        if let Some(hot) = self.hot.get_mut(slot as usize) {
            *hot = EMPTY_HOT;
        }
        if let Some(cold) = self.cold.get_mut(slot as usize) {
            *cold = empty_cold();
        }
        Some(slot)
    }

    /// Makes room up to a slot.
    pub(super) fn reach(&mut self, slot: u32) {
        let slots = (slot as usize + 1).max(self.hot.len());
        self.hot.resize(slots, EMPTY_HOT);
        self.cold.resize(slots, empty_cold());
    }

    /// Gives empty slots to new rows again, but for those that something still knows.
    pub(super) fn free_empty_slots(&mut self, but: &HashSet<u32>) {
        let slots = 0..u32::try_from(self.hot.len()).unwrap_or(NOWHERE);
        self.free = slots
            .rev()
            .filter(|slot| !self.is_live(*slot) && !but.contains(slot))
            .collect();
    }

    /// Puts back a row as a snapshot has it. `false` when it cannot be right.
    pub(super) fn restore(&mut self, slot: u32, hot: Hot, cold: Cold) -> bool {
        let at = slot as usize;
        self.reach(slot);
        let (Some(into_hot), Some(into_cold)) = (self.hot.get_mut(at), self.cold.get_mut(at))
        else {
            return false;
        };
        (*into_hot, *into_cold) = (hot, cold);
        self.census.resize(self.places.len(), Census::default());
        let known = (hot.place as usize) < self.places.len()
            && usize::from(hot.standing) < Standing::ALL.len()
            && self.sources.value(cold.source).is_some()
            && self.tags.value(cold.tags).is_some()
            && (cold.app == NOWHERE || self.apps.value(cold.app).is_some());
        self.count(slot);
        known && self.slots.insert(cold.id, slot).is_none()
    }

    /// Forgets shared values that no row has any more: labels of people, tags, sources.
    pub(super) fn tidy(&mut self) {
        let mut kept = Self {
            slots: std::mem::take(&mut self.slots),
            ..Self::default()
        };
        for (hot, cold) in self.hot.iter_mut().zip(&mut self.cold) {
            if hot.place == NOWHERE {
                continue;
            }
            hot.place = moved(&self.places, &mut kept.places, hot.place);
            cold.source = moved(&self.sources, &mut kept.sources, cold.source);
            cold.app = moved(&self.apps, &mut kept.apps, cold.app);
            cold.tags = moved(&self.tags, &mut kept.tags, cold.tags);
        }
        kept.hot = std::mem::take(&mut self.hot);
        kept.cold = std::mem::take(&mut self.cold);
        kept.census = vec![Census::default(); kept.places.len()];
        for slot in 0..u32::try_from(kept.hot.len()).unwrap_or(NOWHERE) {
            kept.count(slot);
        }
        kept.free = std::mem::take(&mut self.free);
        *self = kept;
    }

    fn write(&mut self, slot: u32, memory: &Memory, place: PlaceKey, length: u32) {
        let place = self.places.number(place);
        self.census.resize(self.places.len(), Census::default());
        let hot = Hot {
            place,
            norm: tantivy::fieldnorm::FieldNormReader::fieldnorm_to_id(length),
            ..row_of(memory)
        };
        let cold = self.cold_of(memory, length);
        if let (Some(into_hot), Some(into_cold)) = (
            self.hot.get_mut(slot as usize),
            self.cold.get_mut(slot as usize),
        ) {
            (*into_hot, *into_cold) = (hot, cold);
        }
        self.count(slot);
    }

    fn cold_of(&mut self, memory: &Memory, length: u32) -> Cold {
        let mut tags = memory.tags.clone();
        tags.sort_unstable();
        tags.dedup();
        Cold {
            id: memory.id,
            created: nanoseconds(memory.created_at),
            known: nanoseconds(memory.validity.from.unwrap_or(memory.observed_at)),
            source: self.sources.number(memory.source.clone()),
            app: memory
                .source_app
                .clone()
                .map_or(NOWHERE, |app| self.apps.number(app)),
            tags: self.tags.number(tags),
            length,
            plane: memory.partition.plane() as u8,
            scope: memory.partition.scope() as u8,
            words: digest_of_words(memory),
        }
    }

    fn count(&mut self, slot: u32) {
        let at = slot as usize;
        if let (Some(hot), Some(cold)) = (self.hot.get(at), self.cold.get(at))
            && let Some(census) = self.census.get_mut(hot.place as usize)
        {
            census.rows += 1;
            census.tokens += u64::from(cold.length);
        }
    }

    fn uncount(&mut self, slot: u32) {
        let at = slot as usize;
        if let (Some(hot), Some(cold)) = (self.hot.get(at), self.cold.get(at))
            && let Some(census) = self.census.get_mut(hot.place as usize)
        {
            census.rows = census.rows.saturating_sub(1);
            census.tokens = census.tokens.saturating_sub(u64::from(cold.length));
        }
    }
}

/// A row as it is kept, but for its place and its length.
pub(super) fn row_of(memory: &Memory) -> Hot {
    let ends = [memory.validity.until, memory.expires_at];
    Hot {
        from: memory.validity.from.map_or(i64::MIN, nanoseconds),
        until: ends
            .into_iter()
            .flatten()
            .map(nanoseconds)
            .min()
            .unwrap_or(i64::MAX),
        place: NOWHERE,
        standing: memory.standing() as u8,
        can_end: matches!(memory.state, State::Active | State::Pending),
        norm: 0,
        kind: memory.kind as u8,
    }
}

fn moved<T: Clone + Eq + std::hash::Hash>(
    from: &Interner<T>,
    into: &mut Interner<T>,
    number: u32,
) -> u32 {
    from.value(number)
        .map_or(NOWHERE, |value| into.number(value.clone()))
}

/// The words of a closed set by the number that a row keeps.
pub(super) const fn kind_is(number: u8, kind: MemoryKind) -> bool {
    number == kind as u8
}

pub(super) const fn plane_is(number: u8, plane: Plane) -> bool {
    number == plane as u8
}

pub(super) const fn scope_is(number: u8, scope: MemoryScope) -> bool {
    number == scope as u8
}
