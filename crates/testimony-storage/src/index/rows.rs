//! The rows of a container as a search has to know them before it cuts: where they live, how they stand, when they
//! hold, and what filters ask of them.
//!
//! A row is a slot: its number stays as long as the row is there, and is given to another only after a purge has removed
//! every trace of the row.
//! What every search looks at lies apart from what only some look at, so that a pass over all rows stays in the cache.

use std::collections::{HashMap, HashSet};

use sha2::{Digest as _, Sha256};
use testimony_domain::{
    Memory, MemoryId, MemoryKind, MemoryScope, Plane, SourceApp, SourceLabel, Standing, Tag,
    Timestamp,
};

use super::interner::Interner;
use super::order::{Order, Said};
use super::place::PlaceKey;
use super::vectors::grow;

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

/// What a row has in common with many others, and nearly every search asks: rows with the same profile get the same
/// answer to it, so it is given once for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Profile {
    /// The number of its [`PlaceKey`].
    pub(super) place: u32,
    pub(super) source: u32,
    /// The number of the application, or [`NOWHERE`].
    pub(super) app: u32,
    /// Standing, kind, plane and scope, by declaration.
    pub(super) standing: u8,
    pub(super) kind: u8,
    pub(super) plane: u8,
    pub(super) scope: u8,
    /// Whether time can end it: it is active or pending.
    pub(super) can_end: bool,
    /// Whether anybody said from when or until when it holds.
    pub(super) is_bounded: bool,
}

/// When a row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    /// It holds from this instant on; the least number where nobody said.
    pub(super) from: i64,
    /// It holds before this instant; the greatest number where nobody said.
    pub(super) until: i64,
    /// When it was said, where nobody said from when on it holds.
    pub(super) known: i64,
}

/// What is asked of the few rows that are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cold {
    pub(super) id: MemoryId,
    /// By this a row is known whose words changed.
    pub(super) words: u64,
    /// How many tokens it is found by.
    pub(super) length: u32,
}

/// All that is kept of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) profile: Profile,
    pub(super) tags: u32,
    /// When it was kept.
    pub(super) created: i64,
    pub(super) times: Times,
    pub(super) cold: Cold,
}

/// What statistics need of the rows of one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    pub(super) rows: u64,
    pub(super) tokens: u64,
}

/// The rows of a container, by slot: each search passes over the columns that it needs and over no other.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The number of a row's [`Profile`], or [`NOWHERE`] where there is no row.
    pub(super) profile: Vec<u32>,
    pub(super) tags_of: Vec<u32>,
    pub(super) created: Vec<i64>,
    pub(super) times: Vec<Times>,
    /// The length of a row's text as BM25 rounds it.
    pub(super) norm: Vec<u8>,
    cold: Vec<Cold>,
    slots: HashMap<MemoryId, u32>,
    free: Vec<u32>,
    order: Order,
    pub(super) profiles: Interner<Profile>,
    pub(super) places: Interner<PlaceKey>,
    pub(super) census: Vec<Census>,
    pub(super) sources: Interner<SourceLabel>,
    pub(super) apps: Interner<SourceApp>,
    pub(super) tags: Interner<Vec<Tag>>,
}

/// What stands in a slot without a row; no profile names it.
fn no_row() -> Row {
    Row {
        profile: Profile {
            place: NOWHERE,
            source: NOWHERE,
            app: NOWHERE,
            standing: 0,
            kind: 0,
            plane: 0,
            scope: 0,
            can_end: false,
            is_bounded: false,
        },
        tags: NOWHERE,
        created: 0,
        times: Times {
            from: i64::MAX,
            until: i64::MIN,
            known: i64::MAX,
        },
        cold: Cold {
            id: MemoryId::from_uuid(uuid::Uuid::nil()),
            words: 0,
            length: 0,
        },
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
        self.profile.len()
    }

    pub(super) fn slot(&self, id: MemoryId) -> Option<u32> {
        self.slots.get(&id).copied()
    }

    /// Every row with its slot, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (MemoryId, u32)> {
        self.slots.iter().map(|(id, slot)| (*id, *slot))
    }

    pub(super) fn is_live(&self, slot: u32) -> bool {
        self.profile
            .get(slot as usize)
            .is_some_and(|profile| *profile != NOWHERE)
    }

    pub(super) fn id(&self, slot: u32) -> Option<MemoryId> {
        self.cold.get(slot as usize).map(|row| row.id)
    }

    /// The number of the place of a row.
    pub(super) fn place(&self, slot: u32) -> Option<u32> {
        let profile = self.profiles.value(*self.profile.get(slot as usize)?);
        profile.map(|profile| profile.place)
    }

    /// The rows of a place, by slot.
    pub(super) fn of_place(&self, place: u32) -> Vec<(MemoryId, u32)> {
        let profiles = self.profiles.values().map(|it| it.place == place);
        let profiles: Vec<bool> = profiles.collect();
        let is_there = |profile: &u32| profiles.get(*profile as usize) == Some(&true);
        let rows = (0_u32..).zip(self.profile.iter().zip(&self.cold));
        rows.filter(|(_, (profile, _))| is_there(profile))
            .map(|(slot, (_, cold))| (cold.id, slot))
            .collect()
    }

    /// By what the words of a row are known.
    pub(super) fn words_of(&self, slot: u32) -> Option<u64> {
        self.cold.get(slot as usize).map(|row| row.words)
    }

    /// All that is kept of the row in a slot.
    pub(super) fn row(&self, slot: u32) -> Option<Row> {
        let at = slot as usize;
        Some(Row {
            profile: *self.profiles.value(*self.profile.get(at)?)?,
            tags: *self.tags_of.get(at)?,
            created: *self.created.get(at)?,
            times: *self.times.get(at)?,
            cold: *self.cold.get(at)?,
        })
    }

    /// Puts a row into a slot of its own, `length` tokens long.
    pub(super) fn insert(&mut self, memory: &Memory, place: PlaceKey, length: u32) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            let slot = u32::try_from(self.slots()).unwrap_or(NOWHERE);
            self.reach(slot);
            slot
        });
        self.slots.insert(memory.id, slot);
        let row = self.row_of(memory, place, length);
        self.write(slot, row);
        slot
    }

    /// Takes over what changed about the row in a slot; its words did not.
    pub(super) fn update(&mut self, slot: u32, memory: &Memory, place: PlaceKey) {
        let length = self.cold.get(slot as usize).map_or(0, |row| row.length);
        self.uncount(slot);
        let row = self.row_of(memory, place, length);
        self.write(slot, row);
    }

    /// Takes a row out; its slot stays empty.
    pub(super) fn remove(&mut self, id: MemoryId) -> Option<u32> {
        let slot = self.slots.remove(&id)?;
        self.uncount(slot);
        self.put(slot, NOWHERE, no_row());
        Some(slot)
    }

    /// Makes room up to a slot.
    pub(super) fn reach(&mut self, slot: u32) {
        let slots = (slot as usize + 1).max(self.slots());
        let nothing = no_row();
        grow(&mut self.profile, slots, NOWHERE);
        grow(&mut self.tags_of, slots, nothing.tags);
        grow(&mut self.created, slots, nothing.created);
        grow(&mut self.times, slots, nothing.times);
        grow(&mut self.norm, slots, 0);
        grow(&mut self.cold, slots, nothing.cold);
        self.order.reach(slots);
    }

    /// Gives empty slots to new rows again, but for those that something still knows.
    pub(super) fn free_empty_slots(&mut self, but: &HashSet<u32>) {
        let slots = 0..u32::try_from(self.slots()).unwrap_or(NOWHERE);
        self.free = slots
            .rev()
            .filter(|slot| !self.is_live(*slot) && !but.contains(slot))
            .collect();
    }

    /// Puts back a row as a snapshot has it. `false` when it cannot be right.
    pub(super) fn restore(&mut self, slot: u32, row: Row) -> bool {
        let profile = row.profile;
        let known = (profile.place as usize) < self.places.len()
            && usize::from(profile.standing) < Standing::ALL.len()
            && self.sources.value(profile.source).is_some()
            && self.tags.value(row.tags).is_some()
            && (profile.app == NOWHERE || self.apps.value(profile.app).is_some());
        if !known || self.slots.insert(row.cold.id, slot).is_some() {
            return false;
        }
        self.reach(slot);
        self.write(slot, row);
        true
    }

    /// Forgets shared values that no row has any more: labels of people, tags, sources.
    pub(super) fn tidy(&mut self) {
        let mut kept = Self {
            slots: std::mem::take(&mut self.slots),
            free: std::mem::take(&mut self.free),
            ..Self::default()
        };
        let slots = u32::try_from(self.slots()).unwrap_or(NOWHERE);
        if let Some(last) = slots.checked_sub(1) {
            kept.reach(last);
        }
        for slot in 0..slots {
            let Some(mut row) = self.row(slot) else {
                continue;
            };
            let profile = &mut row.profile;
            profile.place = moved(&self.places, &mut kept.places, profile.place);
            profile.source = moved(&self.sources, &mut kept.sources, profile.source);
            profile.app = moved(&self.apps, &mut kept.apps, profile.app);
            row.tags = moved(&self.tags, &mut kept.tags, row.tags);
            kept.write(slot, row);
        }
        *self = kept;
    }

    fn row_of(&mut self, memory: &Memory, place: PlaceKey, length: u32) -> Row {
        let times = times_of(memory);
        let mut tags = memory.tags.clone();
        tags.sort_unstable();
        tags.dedup();
        let app = memory.source_app.clone();
        Row {
            profile: Profile {
                place: self.places.number(place),
                source: self.sources.number(memory.source.clone()),
                app: app.map_or(NOWHERE, |app| self.apps.number(app)),
                standing: memory.standing() as u8,
                kind: memory.kind as u8,
                plane: memory.partition.plane() as u8,
                scope: memory.partition.scope() as u8,
                can_end: memory.state.is_open(),
                is_bounded: times.from != i64::MIN || times.until != i64::MAX,
            },
            tags: self.tags.number(tags),
            created: nanoseconds(memory.created_at),
            times,
            cold: Cold {
                id: memory.id,
                words: digest_of_words(memory),
                length,
            },
        }
    }

    fn write(&mut self, slot: u32, row: Row) {
        let profile = self.profiles.number(row.profile);
        self.census.resize(self.places.len(), Census::default());
        self.put(slot, profile, row);
        self.count(slot);
    }

    fn put(&mut self, slot: u32, profile: u32, row: Row) {
        let at = slot as usize;
        set(&mut self.profile, at, profile);
        set(&mut self.tags_of, at, row.tags);
        set(&mut self.created, at, row.created);
        set(&mut self.times, at, row.times);
        let norm = super::bm25::byte_of(row.cold.length);
        set(&mut self.norm, at, norm);
        set(&mut self.cold, at, row.cold);
    }

    /// The number of the place of a slot and its length.
    fn counted(&self, slot: u32) -> Option<(u32, u32)> {
        let profile = self.profiles.value(*self.profile.get(slot as usize)?)?;
        Some((profile.place, self.cold.get(slot as usize)?.length))
    }

    fn said(&self, slot: u32) -> Option<Said> {
        let at = slot as usize;
        let (place, _) = self.counted(slot)?;
        Some((place, self.times.get(at)?.known, self.cold.get(at)?.id))
    }

    /// The rows of the same place that were said before a row, the nearest first, each with when that was.
    pub(super) fn said_before(&self, slot: u32) -> impl Iterator<Item = (i64, u32)> {
        self.order.before(slot).filter_map(|slot| self.known(slot))
    }

    /// The same for those that were said after it.
    pub(super) fn said_after(&self, slot: u32) -> impl Iterator<Item = (i64, u32)> {
        self.order.after(slot).filter_map(|slot| self.known(slot))
    }

    /// When a row was said, with its slot.
    fn known(&self, slot: u32) -> Option<(i64, u32)> {
        let times = self.times.get(slot as usize)?;
        Some((times.known, slot))
    }

    fn count(&mut self, slot: u32) {
        if let Some(said) = self.said(slot) {
            self.order.insert(said, slot);
        }
        if let Some((place, length)) = self.counted(slot)
            && let Some(census) = self.census.get_mut(place as usize)
        {
            census.rows += 1;
            census.tokens += u64::from(length);
        }
    }

    fn uncount(&mut self, slot: u32) {
        if let Some(said) = self.said(slot) {
            self.order.remove(&said);
        }
        if let Some((place, length)) = self.counted(slot)
            && let Some(census) = self.census.get_mut(place as usize)
        {
            census.rows = census.rows.saturating_sub(1);
            census.tokens = census.tokens.saturating_sub(u64::from(length));
        }
    }
}

/// When a row holds, and since when it was known.
fn times_of(memory: &Memory) -> Times {
    let ends = [memory.validity.until, memory.expires_at];
    let until = ends.into_iter().flatten().map(nanoseconds).min();
    Times {
        from: memory.validity.from.map_or(i64::MIN, nanoseconds),
        until: until.unwrap_or(i64::MAX),
        known: nanoseconds(memory.validity.from.unwrap_or(memory.observed_at)),
    }
}

/// Whether a row is kept as the ledger has it, but for where it lives and what is kept by a number of its own.
pub(super) fn is_kept_as(row: &Row, memory: &Memory) -> bool {
    let profile = row.profile;
    row.times == times_of(memory)
        && row.cold.words == digest_of_words(memory)
        && row.created == nanoseconds(memory.created_at)
        && profile.standing == memory.standing() as u8
        && profile.kind == memory.kind as u8
        && profile.plane == memory.partition.plane() as u8
        && profile.scope == memory.partition.scope() as u8
        && profile.can_end == memory.state.is_open()
}

fn set<T>(column: &mut [T], at: usize, value: T) {
    if let Some(place) = column.get_mut(at) {
        *place = value;
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
