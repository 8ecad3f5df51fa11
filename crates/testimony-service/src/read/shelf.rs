//! Rows at hand: what recalls need of a row again and again, kept read for as long as nobody changes it.
//!
//! It follows the ledger, so a row that changed is gone from here before whoever changed it is answered, and what is
//! kept is only what could be read from the ledger at this instant.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use testimony_admission::reconcile::Reading;
use testimony_domain::{Memory, MemoryId};
use testimony_recall::{RowText, Vocabulary};

use crate::ports::ledger::audit::Seq;
use crate::ports::ledger::{Commit, CommitObserver};
use crate::write::neighbour;

/// So much room rows at hand take; some hundred thousand of fifteen words, which is about a KiB for each.
const ROOM: usize = 96 << 20;

/// So many changes are remembered, to know which rows may not be put here any more by whoever began to read before.
const CHANGES: usize = 4_096;

/// A row with its text read.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) memory: Memory,
    pub(crate) text: RowText,
    /// What it says to whoever compares something new with it; only rows that were met so have it.
    said: OnceLock<Reading>,
}

impl Known {
    fn of(memory: Memory, vocabulary: &mut Vocabulary) -> Self {
        Self {
            text: RowText::read_with(&memory, vocabulary),
            said: OnceLock::new(),
            memory,
        }
    }

    /// What it says, read for comparing.
    pub(crate) fn said(&self) -> &Reading {
        let read = || Reading::of_neighbour(&neighbour(&self.memory));
        self.said.get_or_init(read)
    }

    /// About how much room what it says takes.
    fn bytes_said(&self) -> usize {
        /// Every word is kept as it stands and as it is compared, twice.
        const TIMES_ITS_TEXT: usize = 32;
        TIMES_ITS_TEXT * self.memory.content.as_str().len()
    }

    fn bytes(&self) -> usize {
        /// What a row takes beside its texts.
        const BESIDE: usize = 512;
        BESIDE + self.memory.content.as_str().len() + self.text.bytes()
    }
}

/// How far the ledger had come when somebody began to read it.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    number: u64,
    /// What of the ledger was known then: a row at hand is as the ledger had it with this sequence, or later.
    pub(crate) reached: Seq,
    /// The words of that time.
    words: Arc<Mutex<Vocabulary>>,
}

/// Rows at hand.
pub(crate) struct Shelf(Mutex<Rows>);

struct Rows {
    room: usize,
    bytes: usize,
    kept: HashMap<MemoryId, Slot>,
    /// In the order in which they came; who was used since gets another round.
    round: VecDeque<MemoryId>,
    /// The last changes, with their moments.
    changed: VecDeque<(u64, MemoryId)>,
    moment: u64,
    reached: Seq,
    /// Words of rows, which share them. A row that is removed takes all of them with it: one of its words might stand
    /// nowhere else. Whoever has begun to read before keeps to those of that time, which nobody else asks any more.
    words: Arc<Mutex<Vocabulary>>,
}

struct Slot {
    row: Arc<Known>,
    used: bool,
    bytes: usize,
}

impl Default for Shelf {
    fn default() -> Self {
        Self::with_room(ROOM)
    }
}

impl Shelf {
    fn with_room(room: usize) -> Self {
        Self(Mutex::new(Rows {
            room,
            bytes: 0,
            kept: HashMap::new(),
            round: VecDeque::new(),
            changed: VecDeque::new(),
            moment: 0,
            reached: Seq::default(),
            words: Arc::default(),
        }))
    }

    /// The rows that are at hand, each in the place of its id, and the moment from which on the others are to be read.
    pub(crate) fn look(&self, ids: &[MemoryId]) -> (Vec<Option<Arc<Known>>>, Moment) {
        let mut rows = self.rows();
        let moment = Moment {
            number: rows.moment,
            reached: rows.reached,
            words: Arc::clone(&rows.words),
        };
        let found = ids.iter().map(|id| {
            let slot = rows.kept.get_mut(id)?;
            slot.used = true;
            Some(Arc::clone(&slot.row))
        });
        (found.collect(), moment)
    }

    /// Reads rows and keeps those that did not change since that moment.
    pub(crate) fn keep(&self, since: &Moment, read: Vec<Memory>) -> Vec<Arc<Known>> {
        // The words are held for one row at a time, so that nobody waits for long.
        let known = |memory| Arc::new(Known::of(memory, &mut held(&since.words)));
        let known: Vec<Arc<Known>> = read.into_iter().map(known).collect();
        let mut rows = self.rows();
        for row in &known {
            if !rows.may_have_changed(row.memory.id, since.number) {
                rows.put(row);
            }
        }
        rows.make_room();
        known
    }

    /// Has rows read for comparing, outside of any lock; whoever compares with one of them later finds it read.
    pub(crate) fn have_read<'r>(&self, rows: impl Iterator<Item = &'r Arc<Known>>) {
        for row in rows.filter(|row| row.said.get().is_none()) {
            row.said();
            self.rows().grew(row);
        }
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        held(&self.0)
    }
}

/// Nothing that is done under these locks leaves what they guard half done.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CommitObserver for Shelf {
    fn committed(&self, commit: &Commit) {
        let mut rows = self.rows();
        rows.moment += 1;
        rows.reached = commit.reached;
        for change in &commit.changes {
            let row = change.after.as_ref().or(change.before.as_ref());
            if let Some(row) = row {
                rows.change(row.id);
            }
        }
        if commit.changes.iter().any(|change| change.after.is_none()) {
            rows.words = Arc::default();
        }
    }
}

impl Rows {
    fn change(&mut self, id: MemoryId) {
        if let Some(slot) = self.kept.remove(&id) {
            self.bytes -= slot.bytes;
        }
        self.changed.push_back((self.moment, id));
        if self.changed.len() > CHANGES {
            self.changed.pop_front();
        }
    }

    fn may_have_changed(&self, id: MemoryId, since: u64) -> bool {
        let forgotten = self.changed.len() >= CHANGES
            && self
                .changed
                .front()
                .is_some_and(|(first, _)| *first > since);
        let later = self.changed.iter().rev();
        let mut later = later.take_while(|(moment, _)| *moment > since);
        forgotten || later.any(|(_, changed)| *changed == id)
    }

    fn put(&mut self, row: &Arc<Known>) {
        let slot = Slot {
            row: Arc::clone(row),
            used: false,
            bytes: row.bytes(),
        };
        self.bytes += slot.bytes;
        match self.kept.insert(row.memory.id, slot) {
            Some(before) => self.bytes -= before.bytes,
            None => self.round.push_back(row.memory.id),
        }
    }

    /// Counts what a row takes since it was read for comparing.
    fn grew(&mut self, row: &Arc<Known>) {
        let slot = self.kept.get_mut(&row.memory.id);
        if let Some(slot) = slot.filter(|slot| Arc::ptr_eq(&slot.row, row)) {
            slot.bytes += row.bytes_said();
            self.bytes += row.bytes_said();
            self.make_room();
        }
    }

    fn make_room(&mut self) {
        while self.bytes > self.room {
            let Some(id) = self.round.pop_front() else {
                return;
            };
            match self.kept.get_mut(&id) {
                Some(slot) if slot.used => {
                    slot.used = false;
                    self.round.push_back(id);
                }
                Some(_) => {
                    if let Some(slot) = self.kept.remove(&id) {
                        self.bytes -= slot.bytes;
                    }
                }
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use testimony_testkit::strategy::memory::memories;

    use super::*;
    use crate::ports::ledger::RowChange;

    const ROWS: usize = 4;

    /// What can happen around a shelf, in any order.
    #[derive(Clone, Debug)]
    enum Step {
        /// Somebody reads a row, and has not put it here yet.
        Read(usize),
        /// Somebody puts here what was read so many readings ago.
        Keep(usize),
        /// A row changes.
        Change(usize),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            (0..ROWS).prop_map(Step::Read),
            (0..3_usize).prop_map(Step::Keep),
            (0..ROWS).prop_map(Step::Change),
        ];
        prop::collection::vec(step, 0..40)
    }

    fn rows() -> impl Strategy<Value = Vec<Memory>> {
        prop::collection::vec(memories(), ROWS).prop_map(|mut rows| {
            for (row, number) in rows.iter_mut().zip(1_u128..) {
                row.id = MemoryId::from_uuid(uuid::Uuid::from_u128(number));
                row.revision = 1;
            }
            rows
        })
    }

    fn told(shelf: &Shelf, row: &Memory) {
        shelf.committed(&Commit {
            changes_access: false,
            reached: Seq(1),
            changes: vec![RowChange {
                seq: Seq(1),
                before: None,
                after: Some(Arc::new(row.clone())),
                embedding: None,
            }],
        });
    }

    /// Whether what is at hand is what the ledger holds, after every step; `follow` tells the shelf of a change.
    fn holds(mut rows: Vec<Memory>, steps: &[Step], follow: impl Fn(&Shelf, &Memory)) -> bool {
        let shelf = Shelf::with_room(2_000);
        let ids: Vec<MemoryId> = rows.iter().map(|row| row.id).collect();
        let mut read: Vec<(Moment, Memory)> = Vec::new();
        steps.iter().all(|step| {
            match step {
                Step::Read(at) => read.push((shelf.look(&[]).1, rows[*at].clone())),
                Step::Keep(back) if *back < read.len() => {
                    let (since, row) = read.remove(read.len() - 1 - back);
                    shelf.keep(&since, vec![row]);
                }
                Step::Keep(_) => {}
                Step::Change(at) => {
                    rows[*at].revision += 1;
                    follow(&shelf, &rows[*at]);
                }
            }
            let (at_hand, _) = shelf.look(&ids);
            let mut each = rows.iter().zip(at_hand);
            each.all(|(row, known)| known.is_none_or(|known| known.memory == *row))
        })
    }

    proptest! {
        #![proptest_config(testimony_testkit::config())]

        #[test]
        fn what_is_at_hand_is_what_the_ledger_holds(rows in rows(), steps in steps()) {
            prop_assert!(holds(rows, &steps, told));
        }
    }

    #[test]
    fn a_row_that_is_removed_takes_the_words_with_it() {
        let shelf = Shelf::default();
        let words = || shelf.look(&[]).1.words;
        let (before, again) = (words(), words());
        shelf.committed(&Commit {
            changes_access: false,
            reached: Seq(1),
            changes: vec![RowChange {
                seq: Seq(1),
                before: None,
                after: None,
                embedding: None,
            }],
        });
        assert!(Arc::ptr_eq(&before, &again) && !Arc::ptr_eq(&before, &words()));
    }

    #[test]
    fn the_property_catches_a_shelf_that_forgets_who_changed() {
        let inputs = (rows(), steps());
        let forgetful = |shelf: &Shelf, row: &Memory| {
            told(shelf, row);
            shelf.rows().changed.clear();
        };
        assert!(testimony_testkit::breaks(&inputs, |(rows, steps)| {
            holds(rows.clone(), steps, forgetful)
        }));
    }
}
