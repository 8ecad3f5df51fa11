//! Containers as bytes: shared values first, then rows, then vectors.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::sync::Arc;

use testimony_domain::{
    AgentId, AppId, ContainerTag, Invalid, KeyId, Labels, MemoryId, OrgId, Owner, RunId, SourceApp,
    SourceLabel, Tag, UserId,
};
use testimony_service::ports::embedder::EmbedderIdentity;

use super::codec::{Decoder, Encoder, wrong};
use crate::index::interner::Interner;
use crate::index::place::{PlaceKey, Shelf};
use crate::index::postings::Document;
use crate::index::room::{Contents, Room};
use crate::index::rows::{Cold, Profile, Row, Rows, Times};
use crate::index::store::Segments;
use crate::index::vectors::{Size, Space};

/// So many vectors are copied at a time, so that nobody waits long for a container.
const VECTORS_AT_ONCE: usize = 4_096;

/// Writes a container. Rows whose words are not in tantivy yet are left out: a replay brings them.
pub(super) fn write(room: &Room, out: &mut impl Write) -> io::Result<()> {
    let mut bytes = Encoder::default();
    let spaces: Vec<(EmbedderIdentity, usize)> = {
        let contents = room.read();
        bytes.text(room.tag.as_str());
        bytes.u32(room.number);
        shared_values(&mut bytes, &contents.rows);
        rows(&mut bytes, &contents);
        contents
            .spaces
            .iter()
            .map(|space| (space.embedder.clone(), space.sizes.len()))
            .collect()
    };
    bytes.count(spaces.len());
    out.write_all(&bytes.0)?;
    spaces
        .iter()
        .try_for_each(|(embedder, slots)| write_space(room, embedder, *slots, out))
}

fn shared_values(bytes: &mut Encoder, rows: &Rows) {
    each(bytes, &rows.places, |bytes, place| {
        bytes.byte(place.shelf() as u8);
        bytes.maybe(place.owner(), |bytes, owner| match owner {
            Owner::Agent(agent) => {
                bytes.byte(0);
                bytes.text(agent.as_str());
            }
            Owner::Key(key) => {
                bytes.byte(1);
                bytes.id(key.uuid());
            }
        });
        let Labels {
            user,
            app,
            org,
            run,
        } = place.labels();
        bytes.maybe(user.as_ref(), |bytes, it| bytes.text(it.as_str()));
        bytes.maybe(app.as_ref(), |bytes, it| bytes.text(it.as_str()));
        bytes.maybe(org.as_ref(), |bytes, it| bytes.text(it.as_str()));
        bytes.maybe(run.as_ref(), |bytes, it| bytes.text(it.as_str()));
        bytes.byte(u8::from(place.lost_run()));
    });
    each(bytes, &rows.sources, |bytes, source| {
        bytes.text(source.as_str());
    });
    each(bytes, &rows.apps, |bytes, app| bytes.text(app.as_str()));
    each(bytes, &rows.tags, |bytes, tags| {
        bytes.count(tags.len());
        tags.iter().for_each(|tag| bytes.text(tag.as_str()));
    });
}

fn each<T: Eq + std::hash::Hash>(
    bytes: &mut Encoder,
    values: &Interner<T>,
    write: impl Fn(&mut Encoder, &T),
) {
    bytes.count(values.len());
    values.values().for_each(|value| write(bytes, value));
}

/// Slot by slot, so that no file speaks of more slots than it has bytes.
fn rows(bytes: &mut Encoder, contents: &Contents) {
    let waiting = contents.waiting_slots();
    let slots = u32::try_from(contents.rows.slots()).unwrap_or(u32::MAX);
    let row = |slot: u32| contents.rows.row(slot).filter(|_| !waiting.contains(&slot));
    bytes.count(slots as usize);
    for row in (0..slots).map(row) {
        bytes.maybe(row, write_row);
    }
}

fn write_row(bytes: &mut Encoder, row: Row) {
    let (profile, times) = (row.profile, row.times);
    [profile.place, profile.source, profile.app]
        .into_iter()
        .for_each(|number| bytes.u32(number));
    bytes.0.extend([
        profile.standing,
        profile.kind,
        profile.plane,
        profile.scope,
        u8::from(profile.can_end),
        u8::from(profile.is_bounded),
    ]);
    bytes.u32(row.tags);
    [row.created, times.from, times.until, times.known]
        .into_iter()
        .for_each(|instant| bytes.i64(instant));
    bytes.id(row.cold.id.uuid());
    bytes.u64(row.cold.words);
    bytes.u32(row.cold.length);
}

fn write_space(
    room: &Room,
    embedder: &EmbedderIdentity,
    slots: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut bytes = Encoder::default();
    bytes.text(&embedder.name);
    bytes.text(&embedder.revision);
    bytes.count(embedder.dimensions);
    bytes.count(slots);
    out.write_all(&bytes.0)?;
    for from in (0..slots).step_by(VECTORS_AT_ONCE) {
        let until = (from + VECTORS_AT_ONCE).min(slots);
        let mut bytes = Encoder::default();
        copy_vectors(room, embedder, from..until, &mut bytes);
        out.write_all(&bytes.0)?;
    }
    Ok(())
}

/// Copies some vectors; a space that was dropped meanwhile has none.
fn copy_vectors(
    room: &Room,
    embedder: &EmbedderIdentity,
    slots: std::ops::Range<usize>,
    bytes: &mut Encoder,
) {
    let contents = room.read();
    let dimensions = embedder.dimensions;
    let range = slots.start * dimensions..slots.end * dimensions;
    let space = contents
        .spaces
        .iter()
        .find(|space| space.embedder == *embedder);
    let parts = space.and_then(|space| {
        Some((
            space.sizes.get(slots.clone())?,
            space.high.get(range.clone())?,
            space.low.get(range.clone())?,
        ))
    });
    match parts {
        Some((sizes, high, low)) => {
            for size in sizes {
                bytes.f32(size.step);
                bytes.f32(size.low_length);
            }
            bytes.signed(high);
            bytes.signed(low);
        }
        None => bytes.0.resize(slots.len() * (8 + 2 * dimensions), 0),
    }
}

/// Reads a container whose words the documents of these segments hold.
pub(super) fn read(
    bytes: &mut Decoder<impl Read>,
    segments: &Arc<Segments>,
    documents: &HashMap<u32, Vec<Document>>,
) -> io::Result<Room> {
    let tag = ContainerTag::new("container", &bytes.text()?)
        .map_err(|_| wrong("a container has no name"))?;
    let number = bytes.u32()?;
    let mut contents = Contents::default();
    contents.segments = Arc::clone(segments);
    read_shared_values(bytes, &tag, &mut contents.rows)?;
    let slots = read_rows(bytes, &mut contents.rows)?;
    let documents = documents.get(&number).map_or(&[][..], Vec::as_slice);
    if documents
        .iter()
        .any(|document| document.slot as usize >= slots)
    {
        return Err(wrong("there are words of a row that has no place"));
    }
    contents.learn_of(documents);
    for _ in 0..bytes.count()? {
        let space = read_space(bytes)?;
        if space.sizes.len() > slots {
            return Err(wrong("there are vectors of rows that have no place"));
        }
        contents.spaces.push(space);
    }
    contents.clear_vectors_without_row();
    Ok(Room::holding(tag, number, contents))
}

fn read_shared_values(
    bytes: &mut Decoder<impl Read>,
    tag: &ContainerTag,
    rows: &mut Rows,
) -> io::Result<()> {
    read_each(bytes, &mut rows.places, |bytes| read_place(bytes, tag))?;
    read_each(bytes, &mut rows.sources, |bytes| {
        label(bytes, SourceLabel::new)
    })?;
    read_each(bytes, &mut rows.apps, |bytes| label(bytes, SourceApp::new))?;
    read_each(bytes, &mut rows.tags, |bytes| {
        let count = bytes.count()?;
        (0..count).map(|_| label(bytes, Tag::new)).collect()
    })
}

fn read_each<R: Read, T: Eq + std::hash::Hash>(
    bytes: &mut Decoder<R>,
    values: &mut Interner<T>,
    read: impl Fn(&mut Decoder<R>) -> io::Result<T>,
) -> io::Result<()> {
    for at in 0..bytes.count()? {
        if values.number(read(bytes)?) as usize != at {
            return Err(wrong("a shared value is twice there"));
        }
    }
    Ok(())
}

fn label<T>(
    bytes: &mut Decoder<impl Read>,
    new: fn(&str, &str) -> Result<T, Invalid>,
) -> io::Result<T> {
    new("snapshot", &bytes.text()?).map_err(|_| wrong("a label cannot be one"))
}

fn read_place(bytes: &mut Decoder<impl Read>, tag: &ContainerTag) -> io::Result<PlaceKey> {
    let shelf = bytes.byte()?;
    let shelf = Shelf::ALL
        .get(usize::from(shelf))
        .copied()
        .ok_or_else(|| wrong("there is no such shelf"))?;
    let owner = bytes.maybe(|bytes| {
        if bytes.flag()? {
            bytes.id().map(|id| Owner::Key(KeyId::from_uuid(id)))
        } else {
            label(bytes, AgentId::new).map(Owner::Agent)
        }
    })?;
    let labels = Labels {
        user: bytes.maybe(|bytes| label(bytes, UserId::new))?,
        app: bytes.maybe(|bytes| label(bytes, AppId::new))?,
        org: bytes.maybe(|bytes| label(bytes, OrgId::new))?,
        run: bytes.maybe(|bytes| label(bytes, RunId::new))?,
    };
    let lost_run = bytes.flag()?;
    Ok(PlaceKey::new(shelf, tag.clone(), owner, labels, lost_run))
}

/// Reads the rows, and returns how many slots there are.
fn read_rows(bytes: &mut Decoder<impl Read>, rows: &mut Rows) -> io::Result<usize> {
    let slots = bytes.count()?;
    for slot in 0..slots {
        let slot = u32::try_from(slot).map_err(|_| wrong("there are too many rows"))?;
        let row = bytes.maybe(read_row)?;
        if row.is_some_and(|row| !rows.restore(slot, row)) {
            return Err(wrong("a row is twice there, or of no place"));
        }
    }
    Ok(slots)
}

fn read_row(bytes: &mut Decoder<impl Read>) -> io::Result<Row> {
    let profile = Profile {
        place: bytes.u32()?,
        source: bytes.u32()?,
        app: bytes.u32()?,
        standing: bytes.byte()?,
        kind: bytes.byte()?,
        plane: bytes.byte()?,
        scope: bytes.byte()?,
        can_end: bytes.flag()?,
        is_bounded: bytes.flag()?,
    };
    let tags = bytes.u32()?;
    let created = bytes.i64()?;
    let times = Times {
        from: bytes.i64()?,
        until: bytes.i64()?,
        known: bytes.i64()?,
    };
    let cold = Cold {
        id: MemoryId::from_uuid(bytes.id()?),
        words: bytes.u64()?,
        length: bytes.u32()?,
    };
    Ok(Row {
        profile,
        tags,
        created,
        times,
        cold,
    })
}

fn read_space(bytes: &mut Decoder<impl Read>) -> io::Result<Space> {
    let embedder = EmbedderIdentity {
        name: bytes.text()?,
        revision: bytes.text()?,
        dimensions: bytes.count()?,
    };
    let slots = bytes.count()?;
    let mut space = Space::new(embedder);
    for from in (0..slots).step_by(VECTORS_AT_ONCE) {
        let count = (from + VECTORS_AT_ONCE).min(slots) - from;
        for _ in 0..count {
            let size = Size {
                step: bytes.f32()?,
                low_length: bytes.f32()?,
            };
            let sound = |number: f32| number.is_finite() && number >= 0.0;
            if !sound(size.step) || !sound(size.low_length) {
                return Err(wrong("a vector has no length"));
            }
            space.sizes.push(size);
        }
        let numbers = count
            .checked_mul(space.dimensions())
            .ok_or_else(|| wrong("vectors are too long"))?;
        space
            .high
            .extend(bytes.bytes(numbers)?.into_iter().map(|byte| byte as i8));
        space
            .low
            .extend(bytes.bytes(numbers)?.into_iter().map(|byte| byte as i8));
    }
    space.sketch();
    Ok(space)
}
