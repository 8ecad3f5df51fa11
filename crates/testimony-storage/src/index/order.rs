//! The order in which the rows of each place were said, and who stands beside whom in it.
//!
//! Who stands beside whom is asked of hundreds of rows for each question, so each row knows its neighbours; where a row
//! belongs is looked for only when it is written.

use std::collections::BTreeMap;
use std::ops::Bound;

use testimony_domain::MemoryId;

use super::rows::NOWHERE;
use super::vectors::grow;

/// Where a row stands: its place, when it was said, and its id. A slot would tell of other rows, which come and go and
/// leave their slots behind.
pub(super) type Said = (u32, i64, MemoryId);

/// The rows that were said just before and just after a row, in the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Neighbours {
    before: u32,
    after: u32,
}

const ALONE: Neighbours = Neighbours {
    before: NOWHERE,
    after: NOWHERE,
};

/// All rows, place by place and in the order in which they were said.
#[derive(Debug, Default)]
pub(super) struct Order {
    slots: BTreeMap<Said, u32>,
    /// By slot.
    neighbours: Vec<Neighbours>,
}

impl Order {
    /// Makes room for so many slots.
    pub(super) fn reach(&mut self, slots: usize) {
        grow(&mut self.neighbours, slots, ALONE);
    }

    pub(super) fn insert(&mut self, said: Said, slot: u32) {
        self.remove(&said);
        let after = (Bound::Excluded(said), Bound::Unbounded);
        let of_place = |((place, ..), slot): (&Said, &u32)| (*place == said.0).then_some(*slot);
        let before = self.slots.range(..said).next_back().and_then(of_place);
        let after = self.slots.range(after).next().and_then(of_place);
        let (before, after) = (before.unwrap_or(NOWHERE), after.unwrap_or(NOWHERE));
        self.slots.insert(said, slot);
        self.meet(before, slot);
        self.meet(slot, after);
    }

    pub(super) fn remove(&mut self, said: &Said) {
        let Some(slot) = self.slots.remove(said) else {
            return;
        };
        if let Some(place) = self.neighbours.get_mut(slot as usize) {
            let Neighbours { before, after } = std::mem::replace(place, ALONE);
            self.meet(before, after);
        }
    }

    /// Has one row stand just before another; either may be nobody.
    fn meet(&mut self, before: u32, after: u32) {
        if let Some(one) = self.neighbours.get_mut(before as usize) {
            one.after = after;
        }
        if let Some(other) = self.neighbours.get_mut(after as usize) {
            other.before = before;
        }
    }

    /// The rows of the same place that were said before a row, the nearest first.
    pub(super) fn before(&self, slot: u32) -> impl Iterator<Item = u32> {
        self.from(slot, |neighbours| neighbours.before)
    }

    /// The same for those that were said after it.
    pub(super) fn after(&self, slot: u32) -> impl Iterator<Item = u32> {
        self.from(slot, |neighbours| neighbours.after)
    }

    fn from(&self, slot: u32, next: impl Fn(&Neighbours) -> u32) -> impl Iterator<Item = u32> {
        let next = move |slot: &u32| {
            let next = next(self.neighbours.get(*slot as usize)?);
            (next != NOWHERE).then_some(next)
        };
        std::iter::successors(next(&slot), next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u32) -> MemoryId {
        MemoryId::from_uuid(uuid::Uuid::from_u128(
            u128::from(number % 7) << 64 | u128::from(number),
        ))
    }

    #[test]
    fn neighbours_are_those_of_a_sorted_list_whatever_comes_and_goes() {
        const SLOTS: u32 = 40;
        let mut order = Order::default();
        order.reach(SLOTS as usize);
        let mut rows: Vec<(Said, u32)> = Vec::new();
        let mut state = 7_u64;
        for _ in 0..4_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let number = (state >> 33) as u32;
            let slot = number % SLOTS;
            if let Some(at) = rows.iter().position(|(_, other)| *other == slot) {
                order.remove(&rows.remove(at).0);
            } else {
                // Few places and few instants, so that many rows stand close.
                let said = (number >> 8 & 1, i64::from(number >> 10 & 7), id(slot));
                order.insert(said, slot);
                rows.push((said, slot));
                rows.sort_unstable();
            }
            for (at, ((place, ..), slot)) in rows.iter().enumerate() {
                let of_place = |(said, slot): &(Said, u32)| (said.0 == *place).then_some(*slot);
                let before: Vec<u32> = rows[..at].iter().rev().filter_map(of_place).collect();
                let after: Vec<u32> = rows[at + 1..].iter().filter_map(of_place).collect();
                assert_eq!(order.before(*slot).collect::<Vec<_>>(), before);
                assert_eq!(order.after(*slot).collect::<Vec<_>>(), after);
            }
        }
    }
}
