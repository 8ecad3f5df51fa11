//! Snapshots: what the index holds, written down so that the next start need not read the whole ledger.
//!
//! A snapshot is a folder that holds everything, tantivy's files by hard links, and is named by a manifest with a
//! checksum of every file; the manifest is put in place last, and as a whole.
//! tantivy goes on in a folder of its own, which the next start makes anew from the snapshot, so that rows and words
//! always are of one moment.
//! A file that is missing, cut short, altered or from elsewhere makes the whole snapshot unusable: it is removed, and the
//! index is built from the ledger.

pub(super) mod codec;
mod files;
mod rooms;

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use testimony_service::ports::index::{IndexError, IndexState};
use testimony_service::ports::ledger::audit::{Digest, Seq};

use super::follow::Following;
use super::hybrid::{Inner, Options, held};
use super::room::{Room, Unwritten};
use super::rooms::Rooms;
use super::store::{KIND, WordStore};
use codec::{Decoder, Encoder, wrong};
use files::Sealed;

/// Changes with whatever changes what is written, or what texts are found by.
const FORMAT: u32 = 4;

const MANIFEST: &str = "manifest.json";
const MOST_OF_A_MANIFEST: u64 = 16 << 20;
const SNAPSHOTS: &str = "snapshot-";
const WORK: &str = "work";
const WORDS: &str = "words";
const ROOMS: &str = "rooms";

/// What a snapshot is made of. In its file the checksum of its text stands before it.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    /// The kind of store that can read the words.
    words: String,
    ledger: String,
    reached: u64,
    fingerprint: Option<[u8; 32]>,
    folder: String,
    files: Vec<Sealed>,
}

/// What a snapshot brought.
struct Loaded {
    store: WordStore,
    rooms: Rooms,
    following: Following,
}

fn failed(doing: &'static str) -> impl Fn(io::Error) -> IndexError {
    move |source| IndexError::Store {
        doing,
        source: Box::new(source),
    }
}

impl Inner {
    /// Opens what is in the folder, or begins with nothing and says why.
    pub(in crate::index) fn open(
        options: Options,
        graphs_from: Option<usize>,
    ) -> Result<Self, IndexError> {
        let loaded = match &options.folder {
            None => Err("it lives in memory".to_owned()),
            Some(folder) => {
                crate::ledger::rights::make_folder(folder).map_err(failed("opened"))?;
                let was_there = folder.join(MANIFEST).exists();
                load(folder, &options.ledger).map_err(|error| {
                    if was_there {
                        tracing::warn!(%error, "the files of the index could not be read, so it is built anew from the ledger, which holds everything");
                    }
                    error.to_string()
                })
            }
        };
        let (loaded, because) = match loaded {
            Ok(loaded) => (
                loaded,
                "the ledger may have gone on since the snapshot".to_owned(),
            ),
            Err(because) => (begin(options.folder.as_deref())?, because),
        };
        let reached = loaded.following.reached.0;
        Ok(Self {
            options,
            rooms: loaded.rooms,
            store: loaded.store.into(),
            following: loaded.following.into(),
            state: IndexState::Rebuilding { because }.into(),
            reached: reached.into(),
            ledger: reached.into(),
            waiting: 0.into(),
            graphs_from,
            making: std::sync::Mutex::default(),
            closing: false.into(),
        })
    }

    /// Removes what the store holds, in memory and on disk.
    pub(super) fn empty(&self, store: &mut WordStore) -> Result<(), IndexError> {
        store.rest().map_err(super::hybrid::failed("emptied"))?;
        *store = begin(self.options.folder.as_deref())?.store;
        Ok(())
    }

    /// Removes every snapshot; returns whether there was one.
    pub(super) fn drop_snapshots(&self) -> Result<bool, IndexError> {
        let Some(folder) = &self.options.folder else {
            return Ok(false);
        };
        let had = folder.join(MANIFEST).exists();
        remove_snapshots(folder).map_err(failed("purged"))?;
        Ok(had)
    }

    /// Writes a snapshot.
    pub(super) fn snapshot(&self) -> Result<Seq, IndexError> {
        self.snapshot_of(&mut held(&self.store))
    }

    pub(super) fn snapshot_of(&self, store: &mut WordStore) -> Result<Seq, IndexError> {
        let (reached, replay) = {
            let following = held(&self.following);
            (following.reached, following.replay.clone())
        };
        let Some(folder) = &self.options.folder else {
            return Ok(reached);
        };
        // Whatever was taken in up to here goes into tantivy first; what comes meanwhile is left to a replay.
        self.flush(store)?;
        let resting = store
            .rest()
            .and_then(|()| self.settle(store, &Unwritten::default()));
        resting.map_err(super::hybrid::failed("written down"))?;
        let fingerprint = match replay {
            Some(replay) => replay
                .fingerprint(reached)
                .map_err(|source| IndexError::Store {
                    doing: "written down",
                    source: Box::new(source),
                })?,
            None => None,
        };
        let words = store
            .files()
            .map_err(super::hybrid::failed("written down"))?;
        let manifest = Manifest {
            format: FORMAT,
            words: KIND.to_owned(),
            ledger: self.options.ledger.clone(),
            reached: reached.0,
            fingerprint: fingerprint.map(|digest| digest.0),
            folder: next_name(folder),
            files: Vec::new(),
        };
        write(folder, manifest, &words, &self.rooms.all()).map_err(failed("written down"))?;
        Ok(reached)
    }
}

/// An index with nothing in it.
fn begin(folder: Option<&Path>) -> Result<Loaded, IndexError> {
    let work = folder.map(|folder| folder.join(WORK));
    if let (Some(folder), Some(work)) = (folder, &work) {
        remove_snapshots(folder)
            .and_then(|()| files::fresh_folder(work))
            .map_err(failed("opened"))?;
    }
    let mut store = WordStore::open(work.as_deref()).map_err(super::hybrid::failed("opened"))?;
    let segments = Arc::new(store.segments().map_err(super::hybrid::failed("opened"))?);
    let rooms = Rooms::of(Vec::new(), segments);
    Ok(Loaded {
        store,
        rooms,
        following: Following::from(Seq(0), None),
    })
}

fn remove_snapshots(folder: &Path) -> io::Result<()> {
    files::remove(&folder.join(MANIFEST))?;
    files::sync_folder(folder)?;
    files::remove_all(folder, SNAPSHOTS, None)
}

/// A name that no snapshot has.
fn next_name(folder: &Path) -> String {
    let names = (0_u32..).map(|number| format!("{SNAPSHOTS}{number}"));
    let mut unused = names.filter(|name| !folder.join(name).exists());
    unused.next().unwrap_or_else(|| SNAPSHOTS.to_owned())
}

fn write(
    folder: &Path,
    mut manifest: Manifest,
    words: &[String],
    rooms: &[Arc<Room>],
) -> io::Result<()> {
    let place = folder.join(&manifest.folder);
    files::fresh_folder(&place.join(WORDS))?;
    for name in words {
        files::link(&folder.join(WORK).join(name), &place.join(WORDS).join(name))?;
        manifest
            .files
            .push(files::seal(&place, &format!("{WORDS}/{name}"))?);
    }
    let mut out = BufWriter::new(std::fs::File::create(place.join(ROOMS))?);
    let mut count = Encoder::default();
    count.count(rooms.len());
    out.write_all(&count.0)?;
    for room in rooms {
        rooms::write(room, &mut out)?;
    }
    out.into_inner()?.sync_all()?;
    manifest.files.push(files::seal(&place, ROOMS)?);
    files::sync_folder(&place.join(WORDS))?;
    files::sync_folder(&place)?;
    let text = serde_json::to_string(&manifest)?;
    files::replace(
        folder,
        MANIFEST,
        &format!("{:08x}\n{text}", crc32fast::hash(text.as_bytes())),
    )?;
    files::remove_all(folder, SNAPSHOTS, Some(&manifest.folder))
}

fn load(folder: &Path, ledger: &str) -> io::Result<Loaded> {
    let manifest = read_manifest(folder, ledger)?;
    let place = folder.join(&manifest.folder);
    for sealed in &manifest.files {
        let found = files::seal(&place, &sealed.path);
        if found.ok().as_ref() != Some(sealed) {
            return Err(wrong(&format!(
                "`{}` of the snapshot is missing or damaged",
                sealed.path
            )));
        }
    }
    let work = folder.join(WORK);
    files::fresh_folder(&work)?;
    for name in manifest
        .files
        .iter()
        .filter_map(|sealed| sealed.path.strip_prefix(WORDS)?.strip_prefix('/'))
    {
        files::link(&place.join(WORDS).join(name), &work.join(name))?;
    }
    let mut store = WordStore::open(Some(&work)).map_err(io::Error::other)?;
    let segments = Arc::new(store.segments().map_err(io::Error::other)?);
    let documents = store.documents().map_err(io::Error::other)?;
    let mut bytes = Decoder(files::open(&place.join(ROOMS))?);
    let count = bytes.count()?;
    let rooms = (0..count)
        .map(|_| rooms::read(&mut bytes, &segments, &documents))
        .collect::<io::Result<_>>()?;
    let fingerprint = manifest.fingerprint.map(Digest);
    let following = Following::from(Seq(manifest.reached), fingerprint);
    files::remove_all(folder, SNAPSHOTS, Some(&manifest.folder))?;
    Ok(Loaded {
        store,
        rooms: Rooms::of(rooms, segments),
        following,
    })
}

fn read_manifest(folder: &Path, ledger: &str) -> io::Result<Manifest> {
    let text = files::text_of(&folder.join(MANIFEST), MOST_OF_A_MANIFEST).map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            wrong("there is no snapshot")
        } else {
            error
        }
    })?;
    let (check, text) = text
        .split_once('\n')
        .ok_or_else(|| wrong("the manifest of the snapshot is damaged"))?;
    if check != format!("{:08x}", crc32fast::hash(text.as_bytes())) {
        return Err(wrong("the manifest of the snapshot is damaged"));
    }
    let manifest: Manifest = serde_json::from_str(text)?;
    if manifest.format != FORMAT {
        return Err(wrong("the snapshot is of another version of this program"));
    }
    if manifest.words != KIND {
        return Err(wrong(
            "the words of the snapshot are of another build of this program",
        ));
    }
    if manifest.ledger != ledger {
        return Err(wrong("the snapshot is of another ledger"));
    }
    Ok(manifest)
}
