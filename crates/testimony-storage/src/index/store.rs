//! The words of rows in tantivy: documents are added and removed, never changed, and hold nothing but terms.
//!
//! A term begins with the number of its container, so the words of a container are one range of the dictionary and no
//! lookup leaves it.
//! tantivy keeps no statistics that anybody is scored by: a search walks the postings of its few terms, and counts the
//! rows that its asker may see.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::MmapDirectory;
use tantivy::index::{InvertedIndexReader, SegmentId};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{
    Directory as _, Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, SegmentReader,
    TantivyDocument, Term,
};

use super::postings::{Document, HowOften, Place};
use super::tail::Terms;

/// Why the words could not be read or written.
pub(super) type StoreError = tantivy::TantivyError;

/// What a snapshot says of its words.
pub(super) const KIND: &str = "tantivy";
/// What tantivy may use while it takes in rows.
const WRITER_BYTES: usize = 48 << 20;

impl Place {
    fn key(self) -> u64 {
        u64::from(self.room) << 32 | u64::from(self.slot)
    }

    fn of_key(key: u64) -> Self {
        // The upper half and the lower half.
        let (room, slot) = ((key >> 32) as u32, key as u32);
        Self { room, slot }
    }
}

/// A term as the dictionary has it: the container in six characters that sort like their number.
fn keyed(room: u32, term: &str) -> String {
    const DIGITS: &[u8; 64] = b"+/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let digit = |shift: u32| {
        DIGITS
            .get((room >> shift & 63) as usize)
            .map_or('+', |digit| char::from(*digit))
    };
    // 32 bits are six digits of six bits.
    let mut key: String = [30, 24, 18, 12, 6, 0].into_iter().map(digit).collect();
    key.push_str(term);
    key
}

/// The words of all rows.
pub(super) struct WordStore {
    index: Index,
    reader: IndexReader,
    writer: Option<IndexWriter>,
    row: Field,
    terms: Field,
    /// Which slots the documents of a segment stand for; a segment never changes.
    slots: HashMap<SegmentId, Arc<[u32]>>,
    /// Whether a commit began of which nobody saw the end, so that its documents may be there or not.
    uncertain: bool,
}

/// What is searched: the segments as of one commit.
#[derive(Default)]
pub(super) struct Segments {
    segments: Vec<(Arc<InvertedIndexReader>, Arc<[u32]>)>,
    terms: Option<Field>,
    /// Keeps the files of the segments from being removed.
    _searcher: Option<tantivy::Searcher>,
}

impl Segments {
    /// Calls `each` with slot and frequency for every document of a container in which a term stands, whether or not its
    /// row is still there. Where nobody asks how often it stands there, it is once.
    pub(super) fn walk(
        &self,
        room: u32,
        term: &str,
        how_often: HowOften,
        each: &mut impl FnMut(u32, u32),
    ) -> tantivy::Result<()> {
        let wanted = match how_often {
            HowOften::Asked => IndexRecordOption::WithFreqs,
            HowOften::NotAsked => IndexRecordOption::Basic,
        };
        let Some(field) = self.terms else {
            return Ok(());
        };
        let term = Term::from_field_text(field, &keyed(room, term));
        for (inverted, slots) in &self.segments {
            let Some(mut block) = inverted.read_block_postings(&term, wanted)? else {
                continue;
            };
            while !block.docs().is_empty() {
                let slot = |document: &u32| slots.get(*document as usize).copied();
                let (documents, counts) = (block.docs(), block.freqs());
                // Frequencies that were not asked for are not there at all.
                if counts.is_empty() {
                    let there = documents.iter().filter_map(slot);
                    there.for_each(|slot| each(slot, 1));
                }
                for (document, count) in documents.iter().zip(counts) {
                    if let Some(slot) = slot(document) {
                        each(slot, *count);
                    }
                }
                block.advance();
            }
        }
        Ok(())
    }
}

fn schema() -> (Schema, Field, Field) {
    let mut schema = Schema::builder();
    let row = schema.add_u64_field("row", FAST | INDEXED);
    let frequencies = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::WithFreqs);
    let terms = schema.add_text_field(
        "terms",
        TextOptions::default().set_indexing_options(frequencies),
    );
    (schema.build(), row, terms)
}

impl WordStore {
    /// Opens what is in a folder, or begins it; in memory where there is no folder.
    pub(super) fn open(folder: Option<&Path>) -> tantivy::Result<Self> {
        let (schema, row, terms) = schema();
        let index = match folder {
            Some(folder) => Index::open_or_create(MmapDirectory::open(folder)?, schema)?,
            None => Index::create(
                tantivy::directory::RamDirectory::create(),
                schema,
                IndexSettings::default(),
            )?,
        };
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        Ok(Self {
            index,
            reader,
            writer: None,
            row,
            terms,
            slots: HashMap::new(),
            uncertain: false,
        })
    }

    fn writer(&mut self) -> tantivy::Result<&mut IndexWriter> {
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => self.index.writer_with_num_threads(1, WRITER_BYTES)?,
        };
        Ok(self.writer.insert(writer))
    }

    /// Adds rows and removes others, durably; when it fails it can be tried again.
    pub(super) fn commit(
        &mut self,
        added: &[(Place, Terms)],
        removed: &[Place],
    ) -> tantivy::Result<()> {
        let again = std::mem::replace(&mut self.uncertain, true);
        let done = self.try_commit(added, removed, again);
        if done.is_err() {
            // What a writer holds after a failure cannot be trusted; the next one starts from the last commit.
            self.writer = None;
        }
        done
    }

    fn try_commit(
        &mut self,
        added: &[(Place, Terms)],
        removed: &[Place],
        again: bool,
    ) -> tantivy::Result<()> {
        let (row, terms) = (self.row, self.terms);
        let writer = self.writer()?;
        let doubtful = added.iter().map(|(place, _)| place).filter(|_| again);
        for place in removed.iter().chain(doubtful) {
            writer.delete_term(Term::from_field_u64(row, place.key()));
        }
        for (place, found_by) in added {
            let mut document = TantivyDocument::default();
            document.add_u64(row, place.key());
            document.add_pre_tokenized_text(terms, tokens_of(place.room, found_by));
            writer.add_document(document)?;
        }
        writer.commit()?;
        // A search does not ask tantivy which documents are gone, so none may be there twice.
        if again { self.scrub() } else { Ok(()) }
    }

    /// Takes removed rows out of every file and removes the files that held them.
    pub(super) fn scrub(&mut self) -> tantivy::Result<()> {
        // Merges that go on beside this one would keep segments back from it.
        if let Some(writer) = self.writer.take() {
            writer.wait_merging_threads()?;
        }
        let metas = self.index.searchable_segment_metas()?;
        let touched: Vec<SegmentId> = metas
            .iter()
            .filter(|meta| meta.has_deletes())
            .map(tantivy::SegmentMeta::id)
            .collect();
        drop(metas);
        for segment in touched {
            self.writer()?.merge(&[segment]).wait()?;
        }
        Ok(())
    }

    /// Removes the files that no segment needs. Nothing may hold segments of an earlier commit.
    pub(super) fn collect_garbage(&mut self) -> tantivy::Result<()> {
        self.slots.retain(|_, slots| Arc::strong_count(slots) > 1);
        self.writer()?.garbage_collect_files().wait()?;
        Ok(())
    }

    /// What the last commit left.
    pub(super) fn segments(&mut self) -> tantivy::Result<Segments> {
        self.reader.reload()?;
        let searcher = self.reader.searcher();
        let mut segments = Vec::new();
        let mut slots = HashMap::new();
        for reader in searcher.segment_readers() {
            let id = reader.segment_id();
            let of_segment = match self.slots.remove(&id) {
                Some(known) => known,
                None => slots_of(reader)?,
            };
            segments.push((reader.inverted_index(self.terms)?, Arc::clone(&of_segment)));
            slots.insert(id, of_segment);
        }
        self.slots = slots;
        self.uncertain = false;
        Ok(Segments {
            segments,
            terms: Some(self.terms),
            _searcher: Some(searcher),
        })
    }

    /// Which rows the documents of the last commit stand for, by container, removed ones that are still in a file among
    /// them.
    pub(super) fn documents(&self) -> tantivy::Result<HashMap<u32, Vec<Document>>> {
        let mut documents: HashMap<u32, Vec<Document>> = HashMap::new();
        for reader in self.reader.searcher().segment_readers() {
            let rows = reader.fast_fields().u64("row")?;
            for number in 0..reader.max_doc() {
                let Some(place) = rows.first(number).map(Place::of_key) else {
                    continue;
                };
                let of_room = documents.entry(place.room).or_default();
                of_room.push(Document {
                    slot: place.slot,
                    removed: reader.is_deleted(number),
                });
            }
        }
        Ok(documents)
    }

    /// The files that the last commit needs, by name. Only while the store rests.
    pub(super) fn files(&self) -> tantivy::Result<Vec<String>> {
        let of_segments = self.index.load_metas()?.list_segment_files();
        let all = of_segments
            .into_iter()
            .chain([".managed.json".into(), "meta.json".into()]);
        let there =
            all.filter(|path: &PathBuf| self.index.directory().exists(path).unwrap_or(false));
        Ok(there
            .map(|path| path.to_string_lossy().into_owned())
            .collect())
    }

    /// Lets merges come to their end, so that the files stand still.
    pub(super) fn rest(&mut self) -> tantivy::Result<()> {
        self.writer
            .take()
            .map_or(Ok(()), IndexWriter::wait_merging_threads)
    }
}

impl Drop for WordStore {
    fn drop(&mut self) {
        // A merge that went on would write into a folder that belongs to the next store already.
        if let Err(error) = self.rest() {
            tracing::warn!(%error, "the index of words did not come to rest");
        }
    }
}

fn slots_of(reader: &SegmentReader) -> tantivy::Result<Arc<[u32]>> {
    let rows = reader.fast_fields().u64("row")?;
    let slot = |document| {
        let place = rows.first(document).map(Place::of_key);
        place.map_or(u32::MAX, |place| place.slot)
    };
    Ok((0..reader.max_doc()).map(slot).collect())
}

fn tokens_of(room: u32, terms: &Terms) -> PreTokenizedString {
    let repeated = terms.iter().flat_map(|(term, count)| {
        let token = Token {
            text: keyed(room, term),
            position: 0,
            ..Token::default()
        };
        std::iter::repeat_n(token, *count as usize)
    });
    PreTokenizedString {
        text: String::new(),
        tokens: repeated.collect(),
    }
}
