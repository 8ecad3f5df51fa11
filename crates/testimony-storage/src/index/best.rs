//! The best of many: as many rows as a cut has room for, equals in the order of their ids.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use testimony_domain::MemoryId;

/// A row with its score; the greater is the worse, so that the worst of a heap is on top.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ranked {
    score: f32,
    id: MemoryId,
    slot: u32,
}

impl Eq for Ranked {}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .score
            .total_cmp(&self.score)
            .then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The best rows so far.
#[derive(Debug)]
pub(super) struct Best {
    heap: BinaryHeap<Ranked>,
    limit: usize,
}

impl Best {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            heap: BinaryHeap::new(),
            limit,
        }
    }

    /// Whether a row of this score could still be among them.
    pub(super) fn takes(&self, score: f32) -> bool {
        self.heap.len() < self.limit || self.heap.peek().is_some_and(|worst| score >= worst.score)
    }

    /// Offers a row; its id is asked for only where it can matter.
    pub(super) fn offer(&mut self, score: f32, slot: u32, id: impl FnOnce() -> Option<MemoryId>) {
        if !self.takes(score) {
            return;
        }
        let Some(id) = id() else { return };
        let row = Ranked { score, id, slot };
        if self.heap.len() < self.limit {
            self.heap.push(row);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && row < *worst
        {
            *worst = row;
        }
    }

    /// The score that a row has to reach; `None` while there is room.
    pub(super) fn bar(&self) -> Option<f32> {
        if self.heap.len() < self.limit {
            None
        } else {
            self.heap.peek().map(|worst| worst.score)
        }
    }

    /// The rows by slot, in no order.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> {
        self.heap.iter().map(|row| row.slot)
    }
}
