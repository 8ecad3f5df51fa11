//! The best of many: as many rows as a cut has room for, equals in the order of their ids.
//!
//! An id is looked at only where it decides: for rows that are as good as the last that has room.

use testimony_domain::MemoryId;

/// So many times the room are gathered before all but the best of them are thrown out.
const GATHERED: usize = 4;

/// The best rows so far, and some that turned out not to be among them.
#[derive(Debug)]
pub(super) struct Best {
    rows: Vec<(f32, u32)>,
    limit: usize,
    bar: f32,
    /// When there are so many, the worse ones are thrown out.
    full: usize,
}

impl Best {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            rows: Vec::new(),
            limit,
            // Where there is no room nothing is good enough.
            bar: if limit == 0 {
                f32::INFINITY
            } else {
                f32::NEG_INFINITY
            },
            full: limit * GATHERED,
        }
    }

    /// What a row has to reach to be among them, as far as is known; it only rises.
    pub(super) const fn bar(&self) -> f32 {
        self.bar
    }

    /// Offers a row. Returns whether others have to reach more than before.
    pub(super) fn offer(&mut self, score: f32, slot: u32) -> bool {
        if score < self.bar || self.limit == 0 {
            return false;
        }
        self.rows.push((score, slot));
        self.rows.len() >= self.full && self.throw_out()
    }

    /// Throws out what is worse than the last that has room.
    fn throw_out(&mut self) -> bool {
        let before = self.bar;
        if self.rows.len() > self.limit {
            let last = self.limit.saturating_sub(1);
            let better = |one: &(f32, u32), other: &(f32, u32)| other.0.total_cmp(&one.0);
            let (_, last, _) = self.rows.select_nth_unstable_by(last, better);
            self.bar = last.0;
            let bar = self.bar;
            self.rows.retain(|(score, _)| *score >= bar);
        }
        // However many are equally good, each is moved a few times at the most.
        self.full = self.full.max(2 * self.rows.len());
        self.bar > before
    }

    /// The rows by slot, in no order; every row that was offered has an id.
    pub(super) fn slots(mut self, id: impl Fn(u32) -> Option<MemoryId>) -> Vec<u32> {
        self.throw_out();
        let bar = self.bar;
        let (mut slots, mut last): (Vec<u32>, Vec<(MemoryId, u32)>) = (Vec::new(), Vec::new());
        for (score, slot) in self.rows {
            if score > bar {
                slots.push(slot);
            } else {
                last.extend(id(slot).map(|id| (id, slot)));
            }
        }
        let room = self.limit.saturating_sub(slots.len());
        if last.len() > room {
            if room > 0 {
                last.select_nth_unstable(room - 1);
            }
            last.truncate(room);
        }
        slots.extend(last.into_iter().map(|(_, slot)| slot));
        slots
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use testimony_domain::MemoryId;
    use uuid::Uuid;

    use super::*;

    /// Ids that are in another order than slots.
    fn id(slot: u32) -> Option<MemoryId> {
        Some(MemoryId::from_uuid(Uuid::from_u128(u128::from(
            slot.wrapping_mul(0x9E37_79B1),
        ))))
    }

    /// All of them sorted.
    fn sorted(scores: &[f32], limit: usize) -> Vec<u32> {
        let mut rows: Vec<(f32, u32)> = scores.iter().copied().zip(0..).collect();
        rows.sort_by(|(one, slot), (other, of)| other.total_cmp(one).then(id(*slot).cmp(&id(*of))));
        let mut best: Vec<u32> = rows.into_iter().take(limit).map(|(_, slot)| slot).collect();
        best.sort_unstable();
        best
    }

    fn gathered(scores: &[f32], limit: usize, ids: impl Fn(u32) -> Option<MemoryId>) -> Vec<u32> {
        let mut best = Best::new(limit);
        for (score, slot) in scores.iter().zip(0..) {
            best.offer(*score, slot);
        }
        let mut slots = best.slots(ids);
        slots.sort_unstable();
        slots
    }

    /// Few different scores, so that many are equal.
    fn scores() -> impl Strategy<Value = Vec<f32>> {
        let score = prop_oneof![3 => (0_u8..4).prop_map(f32::from), 1 => -1.0_f32..9.0];
        prop::collection::vec(score, 0..200)
    }

    proptest! {
        #![proptest_config(testimony_testkit::config())]

        #[test]
        fn the_best_are_those_of_all_of_them_sorted(scores in scores(), limit in 0_usize..12) {
            prop_assert_eq!(gathered(&scores, limit, id), sorted(&scores, limit));
        }
    }

    #[test]
    fn the_property_catches_whoever_takes_equals_by_their_slots() {
        let by_slot = |slot: u32| Some(MemoryId::from_uuid(Uuid::from_u128(u128::from(slot))));
        let inputs = (scores(), 0_usize..12);
        assert!(testimony_testkit::breaks(&inputs, |(scores, limit)| {
            gathered(scores, *limit, by_slot) == sorted(scores, *limit)
        }));
    }

    #[test]
    fn what_has_to_be_reached_only_rises() {
        let mut best = Best::new(2);
        let mut bar = best.bar();
        for (score, slot) in [1.0, 5.0, 2.0, 2.0, 2.0, 7.0, 2.5, 6.0, 6.0, 6.5, 0.5, 8.0]
            .into_iter()
            .zip(0..)
        {
            let rose = best.offer(score, slot);
            assert_eq!(rose, best.bar() > bar, "{score}");
            assert!(best.bar() >= bar);
            bar = best.bar();
        }
        assert!(bar > 1.0);
        let mut slots = best.slots(id);
        slots.sort_unstable();
        assert_eq!(slots, [5, 11]);
    }
}
