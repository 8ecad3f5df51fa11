//! What was said just before and just after a row: in a talk, a question is often answered beside the words that it
//! shares.
//!
//! What stands beside a row are rows of the same place that were said about the same time, in the order in which they
//! were said. Only rows that the asker may know of are counted, so that nothing foreign stands in between.

use std::collections::BTreeSet;

use testimony_domain::MemoryId;

use super::eligible::Marks;
use super::meaning::AskedMeaning;
use super::room::Contents;
use super::words::WordScores;

/// What is said within this time of each other belongs together, in nanoseconds.
const SAME_TALK: i64 = testimony_recall::SAME_TALK * 1_000_000_000;
/// How much the nearest row counts, and the one next to that.
const SHARES: [f64; 2] = [0.6, 0.4];

/// What was said beside so many rows that speak most of what is asked is looked at: an answer often stands beside the
/// words that it shares with nobody.
const TALKED_AROUND: usize = 16;

/// The visible rows, by the order in which they were said, and how far each speaks of what is asked.
pub(super) struct Talk<'a> {
    pub(super) contents: &'a Contents,
    pub(super) visible: &'a Marks,
    pub(super) words: &'a WordScores,
    pub(super) meaning: Option<&'a AskedMeaning<'a>>,
}

/// The slots of the rows before a row and after it, nearest first.
type Slots = [[Option<u32>; SHARES.len()]; 2];

impl Talk<'_> {
    /// The rows that were found, and so many of those that stand beside the ones among them that speak most of what is
    /// asked, where both are wanted together; in the order of their slots.
    pub(super) fn with_what_stands_beside(
        &self,
        mut found: BTreeSet<u32>,
        wanted: usize,
        marks: &[Marks],
    ) -> Vec<u32> {
        if wanted > 0 {
            let new = self.beside_the_best(&found, marks);
            let near = self.near(&new).into_iter().zip(self.speak(&new));
            let told = near.map(|([before, after], own)| before + after + own);
            let told: Vec<f64> = told.collect();
            found.extend(first(wanted, self.by_id(&new, &told)));
        }
        found.into_iter().collect()
    }

    /// What was not found itself and stands beside the rows that speak most of what is asked.
    fn beside_the_best(&self, found: &BTreeSet<u32>, marks: &[Marks]) -> Vec<u32> {
        let together = |one: u32, other: u32| {
            let mut marks = marks.iter();
            marks.any(|marks| marks.cuts_of(one) & marks.cuts_of(other) != 0)
        };
        let slots: Vec<u32> = found.iter().copied().collect();
        let mut new = BTreeSet::new();
        for slot in first(TALKED_AROUND, self.by_id(&slots, &self.speak(&slots))) {
            let beside = self.beside(slot).into_iter().flatten().flatten();
            let beside = beside.filter(|other| !found.contains(other));
            new.extend(beside.filter(|other| together(slot, *other)));
        }
        new.into_iter().collect()
    }

    /// These slots with what counts for each, and its id.
    fn by_id(&self, slots: &[u32], counts: &[f64]) -> Vec<(f64, Option<MemoryId>, u32)> {
        let id = |slot: u32| self.contents.rows.id(slot);
        let each = slots.iter().zip(counts);
        each.map(|(slot, count)| (*count, id(*slot), *slot))
            .collect()
    }

    /// How far what was said before each row speaks of what is asked, and what was said after it, from 0 to 1.
    pub(super) fn near(&self, slots: &[u32]) -> Vec<[f64; 2]> {
        let beside: Vec<Slots> = slots.iter().map(|slot| self.beside(*slot)).collect();
        let mut slots: Vec<u32> = beside
            .iter()
            .flatten()
            .flatten()
            .copied()
            .flatten()
            .collect();
        slots.sort_unstable();
        slots.dedup();
        let said = self.speak(&slots);
        let speaks = |slot: u32| {
            let at = slots.binary_search(&slot).ok();
            at.and_then(|at| said.get(at)).copied().unwrap_or(0.0)
        };
        let near = |side: [Option<u32>; SHARES.len()]| -> f64 {
            let by_distance = side.into_iter().zip(SHARES);
            by_distance
                .map(|(slot, share)| share * slot.map_or(0.0, speaks))
                .sum()
        };
        beside.into_iter().map(|sides| sides.map(near)).collect()
    }

    /// How far each of these rows speaks of what is asked, from 0 to 1.
    fn speak(&self, slots: &[u32]) -> Vec<f64> {
        let likeness = self.meaning.map(|meaning| meaning.likenesses(slots));
        let likeness = likeness.unwrap_or_default().into_iter();
        let each = slots.iter().zip(likeness.chain(std::iter::repeat(0.0)));
        each.map(|(slot, likeness)| 0.5 * self.words.keyword_of(*slot) + 0.5 * likeness)
            .collect()
    }

    /// What a row was said between.
    fn beside(&self, slot: u32) -> Slots {
        let rows = &self.contents.rows;
        let said = rows.times.get(slot as usize).map(|times| times.known);
        said.map_or_else(Slots::default, |said| {
            let (before, after) = (rows.said_before(slot), rows.said_after(slot));
            [self.nearest(said, before), self.nearest(said, after)]
        })
    }

    fn nearest(
        &self,
        said: i64,
        others: impl Iterator<Item = (i64, u32)>,
    ) -> [Option<u32>; SHARES.len()] {
        let of_talk = others.take_while(|(at, _)| at.abs_diff(said) <= SAME_TALK.unsigned_abs());
        let mut visible = of_talk.filter(|(_, slot)| self.visible.is_visible(*slot));
        std::array::from_fn(|_| visible.next().map(|(_, slot)| slot))
    }
}

/// The slots for which most counts, so many of them; equals by their ids.
fn first(count: usize, mut slots: Vec<(f64, Option<MemoryId>, u32)>) -> impl Iterator<Item = u32> {
    slots.sort_by(|(one, id, _), (other, other_id, _)| {
        other.total_cmp(one).then_with(|| id.cmp(other_id))
    });
    slots.into_iter().take(count).map(|(_, _, slot)| slot)
}
