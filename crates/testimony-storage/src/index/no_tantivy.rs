//! What stands for tantivy in a build without it: the words of rows in memory, in parts that never change.
//!
//! A commit adds a part; now and then all parts become one, without what was removed. On disk there is one file of them,
//! written when a snapshot asks for it. What there is to search is as large as the memory, and so is what is written.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::postings::{Document, HowOften, Place};
use super::snapshot::codec::{Decoder, Encoder, wrong};
use super::tail::Terms;

/// Why the words could not be read or written.
pub(super) type StoreError = io::Error;

/// What a snapshot says of its words.
pub(super) const KIND: &str = "memory";
/// The file of the words.
const FILE: &str = "words";
/// After so many parts they become one.
const PARTS: usize = 12;

/// Where the terms of a container stand: slots, and how often.
type Postings = HashMap<Box<str>, Vec<(u32, u32)>>;

/// Rows of one commit, and where their terms stand.
#[derive(Default)]
struct Part {
    rows: Vec<(Place, Terms)>,
    postings: HashMap<u32, Postings>,
}

impl Part {
    fn of(rows: Vec<(Place, Terms)>) -> Self {
        let mut postings: HashMap<u32, Postings> = HashMap::new();
        for (place, terms) in &rows {
            let of_room = postings.entry(place.room).or_default();
            for (term, count) in terms.iter() {
                of_room
                    .entry(term.clone())
                    .or_default()
                    .push((place.slot, *count));
            }
        }
        Self { rows, postings }
    }
}

/// The words of all rows.
pub(super) struct WordStore {
    folder: Option<PathBuf>,
    parts: Vec<Arc<Part>>,
    /// Rows that are gone, while a part still has their words.
    removed: HashSet<Place>,
}

/// What is searched: the parts as of one commit.
#[derive(Default)]
pub(super) struct Segments {
    parts: Vec<Arc<Part>>,
}

impl Segments {
    /// Calls `each` with slot and frequency for every row of a container in which a term stands, whether or not it is
    /// still there. Where nobody asks how often it stands there, it is once.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "the store that is on disk can fail here"
    )]
    pub(super) fn walk(
        &self,
        room: u32,
        term: &str,
        how_often: HowOften,
        each: &mut impl FnMut(u32, u32),
    ) -> Result<(), StoreError> {
        for part in &self.parts {
            let postings = part.postings.get(&room).and_then(|terms| terms.get(term));
            for (slot, count) in postings.into_iter().flatten() {
                let asked = how_often == HowOften::Asked;
                each(*slot, if asked { *count } else { 1 });
            }
        }
        Ok(())
    }
}

impl WordStore {
    /// Reads what is in a folder, or begins it; in memory where there is no folder.
    pub(super) fn open(folder: Option<&Path>) -> Result<Self, StoreError> {
        let file = folder.map(|folder| folder.join(FILE));
        let parts = match file.filter(|file| file.exists()) {
            Some(file) => vec![Arc::new(Part::of(read(&file)?))],
            None => Vec::new(),
        };
        Ok(Self {
            folder: folder.map(Path::to_path_buf),
            parts,
            removed: HashSet::new(),
        })
    }

    /// Adds rows and removes others.
    pub(super) fn commit(
        &mut self,
        added: &[(Place, Terms)],
        removed: &[Place],
    ) -> Result<(), StoreError> {
        self.removed.extend(removed);
        if added.iter().any(|(place, _)| self.removed.contains(place)) {
            self.scrub()?;
        }
        if !added.is_empty() {
            self.parts.push(Arc::new(Part::of(added.to_vec())));
        }
        if self.parts.len() > PARTS {
            self.scrub()?;
        }
        Ok(())
    }

    /// Makes one part of all, without the rows that are gone.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "the store that is on disk can fail here"
    )]
    pub(super) fn scrub(&mut self) -> Result<(), StoreError> {
        let rows = self.parts.iter().flat_map(|part| part.rows.iter());
        let there = rows.filter(|(place, _)| !self.removed.contains(place));
        let one = Part::of(there.cloned().collect());
        self.parts = vec![Arc::new(one)];
        self.removed.clear();
        Ok(())
    }

    /// Removes the file; the next snapshot writes it anew.
    pub(super) fn collect_garbage(&mut self) -> Result<(), StoreError> {
        match self.file().map(std::fs::remove_file) {
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// What the last commit left.
    #[expect(
        clippy::unnecessary_wraps,
        clippy::needless_pass_by_ref_mut,
        reason = "the store that is on disk can fail here, and changes"
    )]
    pub(super) fn segments(&mut self) -> Result<Segments, StoreError> {
        Ok(Segments {
            parts: self.parts.clone(),
        })
    }

    /// Which rows there are words of, by container, removed ones among them.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "the store that is on disk can fail here"
    )]
    pub(super) fn documents(&self) -> Result<HashMap<u32, Vec<Document>>, StoreError> {
        let mut documents: HashMap<u32, Vec<Document>> = HashMap::new();
        for (place, _) in self.parts.iter().flat_map(|part| part.rows.iter()) {
            let of_room = documents.entry(place.room).or_default();
            of_room.push(Document {
                slot: place.slot,
                removed: self.removed.contains(place),
            });
        }
        Ok(documents)
    }

    /// The files that a snapshot needs, by name.
    pub(super) fn files(&self) -> Result<Vec<String>, StoreError> {
        let Some(file) = self.file() else {
            return Ok(Vec::new());
        };
        // A snapshot holds the file by a hard link, so it is never written over.
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let rows = self.parts.iter().flat_map(|part| part.rows.iter());
        let there = rows.filter(|(place, _)| !self.removed.contains(place));
        write(&file, &there.collect::<Vec<_>>())?;
        Ok(vec![FILE.to_owned()])
    }

    /// Comes to rest. It is always at rest.
    #[expect(
        clippy::unnecessary_wraps,
        clippy::needless_pass_by_ref_mut,
        clippy::unused_self,
        reason = "the store that is on disk has merges to wait for"
    )]
    pub(super) const fn rest(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn file(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(FILE))
    }
}

fn write(file: &Path, rows: &[&(Place, Terms)]) -> Result<(), StoreError> {
    let mut out = BufWriter::new(std::fs::File::create(file)?);
    let mut bytes = Encoder::default();
    bytes.count(rows.len());
    for (place, terms) in rows {
        bytes.u32(place.room);
        bytes.u32(place.slot);
        bytes.count(terms.len());
        for (term, count) in terms.iter() {
            bytes.text(term);
            bytes.u32(*count);
        }
        out.write_all(&bytes.0)?;
        bytes.0.clear();
    }
    out.write_all(&bytes.0)?;
    out.into_inner()?.sync_all()
}

fn read(file: &Path) -> Result<Vec<(Place, Terms)>, StoreError> {
    let mut bytes = Decoder(BufReader::new(std::fs::File::open(file)?));
    let count = bytes.count()?;
    let rows = (0..count).map(|_| {
        let (room, slot) = (bytes.u32()?, bytes.u32()?);
        let terms = bytes.count()?;
        let terms = (0..terms).map(|_| Ok((bytes.text()?.into(), bytes.u32()?)));
        let terms: Vec<(Box<str>, u32)> = terms.collect::<Result<_, StoreError>>()?;
        Ok((Place { room, slot }, Terms::from(terms)))
    });
    let rows = rows.collect::<Result<_, StoreError>>()?;
    match bytes.0.buffer() {
        [] => Ok(rows),
        _ => Err(wrong("there is more in the file of words than it says")),
    }
}
