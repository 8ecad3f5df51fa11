//! What a claim says beside the rows near it, read while nobody waits for the ledger.

use std::cell::RefCell;
use std::collections::HashMap;

use testimony_admission::reconcile::{
    Challenger, Neighbour, PairOdds, PairReader, Reading, SAYS_NOTHING, may_be_read, reconcile_read,
};

/// So many of the rows near a claim are read with it, the nearest first.
const MOST_READ: usize = 3;

/// What was read of a claim and rows near it, by what those rows say; of other rows it says nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadTogether(HashMap<String, PairOdds>);

impl ReadTogether {
    /// Reads the claim with those of these rows of which nothing else tells how they stand to it.
    pub(super) fn by<'n>(
        reader: &dyn PairReader,
        challenger: &Challenger<'_>,
        said: &Reading,
        near: impl Iterator<Item = (Neighbour<'n>, &'n Reading)>,
    ) -> Self {
        let near = may_be_read(challenger, said, near);
        if near.is_empty() {
            return Self::default();
        }
        let kept = Kept {
            reader,
            read: RefCell::default(),
        };
        let challenger = Challenger {
            reader: Some(&kept),
            ..*challenger
        };
        // Who is asked of which row is decided there; how they stand is decided again before the ledger.
        let _ = reconcile_read(&challenger, said, &near);
        Self(kept.read.into_inner())
    }
}

impl PairReader for ReadTogether {
    fn read(&self, known: &str, _new: &str) -> PairOdds {
        self.0.get(known).copied().unwrap_or(SAYS_NOTHING)
    }
}

/// A reader of which is kept what it said, and who is asked no more than so often.
struct Kept<'r> {
    reader: &'r dyn PairReader,
    read: RefCell<HashMap<String, PairOdds>>,
}

impl PairReader for Kept<'_> {
    fn read(&self, known: &str, new: &str) -> PairOdds {
        let mut read = self.read.borrow_mut();
        if let Some(odds) = read.get(known) {
            return *odds;
        }
        if read.len() >= MOST_READ {
            return SAYS_NOTHING;
        }
        let odds = self.reader.read(known, new);
        read.insert(known.to_owned(), odds);
        odds
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn no_more_than_so_many_rows_are_read_and_none_twice() {
        struct Counting(Cell<usize>);
        impl PairReader for Counting {
            fn read(&self, _: &str, _: &str) -> PairOdds {
                self.0.set(self.0.get() + 1);
                [1.0; 5]
            }
        }
        let reader = Counting(Cell::new(0));
        let kept = Kept {
            reader: &reader,
            read: RefCell::default(),
        };
        for known in ["a", "b", "a", "c", "d"] {
            kept.read(known, "new");
        }
        assert_eq!(reader.0.get(), MOST_READ);
        let read = ReadTogether(kept.read.into_inner());
        assert_eq!(read.read("c", "new"), [1.0; 5]);
        assert!(read.read("d", "new").iter().all(|odds| odds.is_nan()));
    }
}
