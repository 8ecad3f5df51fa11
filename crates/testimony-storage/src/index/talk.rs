//! What was said just before and just after a row: in a talk, a question is often answered beside the words that it
//! shares.
//!
//! What stands beside a row are rows of the same place that were said about the same time, in the order in which they
//! were said. Only rows that the asker may know of are counted, so that nothing foreign stands in between.

use std::collections::BTreeSet;

use super::eligible::Marks;
use super::meaning::AskedMeaning;
use super::room::Contents;
use super::words::WordScores;

/// What is said within this time of each other belongs together, in nanoseconds.
const SAME_TALK: i64 = 30 * 60 * 1_000_000_000;
/// How much the nearest row counts, and the one next to that.
const SHARES: [f64; 2] = [0.6, 0.4];

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
    /// The rows that were found, and those that stand beside the ones among them that speak most of what is asked, where
    /// both are wanted together; in the order of their slots.
    pub(super) fn with_what_stands_beside(
        &self,
        mut found: BTreeSet<u32>,
        best: usize,
        marks: &[Marks],
    ) -> Vec<u32> {
        let together = |one: u32, other: u32| {
            let mut marks = marks.iter();
            marks.any(|marks| marks.cuts_of(one) & marks.cuts_of(other) != 0)
        };
        if best > 0 {
            let slots: Vec<u32> = found.iter().copied().collect();
            for slot in self.best(&slots, best) {
                let beside = self.beside(slot).into_iter().flatten().flatten();
                found.extend(beside.filter(|other| together(slot, *other)));
            }
        }
        found.into_iter().collect()
    }

    /// Those of these slots that speak most of what is asked; equals by their ids.
    fn best(&self, slots: &[u32], count: usize) -> impl Iterator<Item = u32> {
        let said = slots.iter().copied().zip(self.speak(slots));
        let mut order: Vec<(u32, f64)> = said.collect();
        order.sort_by(|(one, says), (other, other_says)| {
            let id = |slot| self.contents.rows.id(slot);
            other_says
                .total_cmp(says)
                .then_with(|| id(*one).cmp(&id(*other)))
        });
        order.into_iter().take(count).map(|(slot, _)| slot)
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
