//! In which words two statements differ, by what a difference in each of them means.

use crate::claims::{Compared, WordRole};

/// In which words two statements differ, negations aside.
pub(super) struct Difference<'w> {
    pub(super) only_new: Vec<&'w Compared>,
    only_known: Vec<&'w Compared>,
    pub(super) shared: usize,
}

impl<'w> Difference<'w> {
    /// Compares the words of both as sorted lists, so that the work grows with their length alone.
    pub(super) fn of(new: &'w [Compared], known: &'w [Compared]) -> Self {
        let sorted = |words: &'w [Compared]| {
            let mut list: Vec<&Compared> = words
                .iter()
                .filter(|word| word.role != WordRole::Negation)
                .collect();
            list.sort_by(|a, b| a.stem.cmp(&b.stem));
            list
        };
        let (new, known) = (sorted(new), sorted(known));
        let mut found = Self {
            only_new: Vec::new(),
            only_known: Vec::new(),
            shared: 0,
        };
        let (mut left, mut right) = (new.into_iter().peekable(), known.into_iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some(a), Some(b)) => match a.stem.cmp(&b.stem) {
                    std::cmp::Ordering::Equal => {
                        found.shared += 1;
                        left.next();
                        right.next();
                    }
                    std::cmp::Ordering::Less => found.only_new.extend(left.next()),
                    std::cmp::Ordering::Greater => found.only_known.extend(right.next()),
                },
                (Some(_), None) => found.only_new.extend(left.next()),
                (None, Some(_)) => found.only_known.extend(right.next()),
                (None, None) => return found,
            }
        }
    }

    pub(super) fn words(&self) -> usize {
        self.only_new.len() + self.only_known.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words() == 0
    }

    pub(super) fn both_sides(&self) -> bool {
        !self.only_new.is_empty() && !self.only_known.is_empty()
    }

    pub(super) fn one_sided(&self) -> bool {
        self.only_new.is_empty() != self.only_known.is_empty()
    }

    pub(super) fn only(&self, role: WordRole) -> bool {
        self.only_new
            .iter()
            .chain(&self.only_known)
            .all(|word| word.role == role)
    }
}
