//! What was said just before and just after a row: in a talk, a question is often answered beside the words that it
//! shares.
//!
//! Neighbours are rows of the same place that were said about the same time, in the order in which they were said.
//! Only rows that the asker may know of are counted, so that nothing foreign stands in between.

use std::collections::HashSet;

use testimony_domain::MemoryId;

use super::eligible::Marks;
use super::meaning::AskedMeaning;
use super::room::Contents;
use super::words::WordScores;

/// What is said within this time of each other belongs together, in nanoseconds.
const SAME_TALK: i64 = 30 * 60 * 1_000_000_000;
/// How much the nearest neighbour counts, and the one behind it.
const SHARES: [f64; 2] = [0.6, 0.4];
/// So many visible rows are looked at to find a neighbour of the same place.
const LOOKED_AT: usize = 8;

/// The visible rows that can stand beside one that was found, by place and in the order in which they were said.
pub(super) struct Neighbours<'a> {
    contents: &'a Contents,
    visible: Vec<u32>,
}

/// Where a row stands among others: a slot would tell of foreign rows, which come and go and leave their slots behind.
type Standing = (Option<u32>, i64, Option<MemoryId>);

/// The slots of the rows beside a row, nearest first, before and after.
type Beside = [[Option<u32>; SHARES.len()]; 2];

impl<'a> Neighbours<'a> {
    pub(super) fn of(contents: &'a Contents, marks: &Marks, found: &[u32]) -> Self {
        let around = |slot: &u32| {
            let (place, half_hour) = talk(contents, *slot);
            [half_hour - 1, half_hour, half_hour + 1].map(|it| (place, it))
        };
        let talks: HashSet<(Option<u32>, i64)> = found.iter().flat_map(around).collect();
        let slots = 0..u32::try_from(contents.rows.slots()).unwrap_or(u32::MAX);
        let near = |slot: &u32| marks.is_visible(*slot) && talks.contains(&talk(contents, *slot));
        let mut visible: Vec<u32> = slots.filter(near).collect();
        visible.sort_by_cached_key(|slot| standing(contents, *slot));
        Self { contents, visible }
    }

    /// How far what stands beside each of these rows speaks of what is asked, from 0 to 1.
    pub(super) fn near(
        &self,
        words: &WordScores,
        meaning: Option<&AskedMeaning<'_>>,
        found: &[u32],
    ) -> Vec<f64> {
        let beside: Vec<Beside> = found.iter().map(|slot| self.beside(*slot)).collect();
        let mut slots: Vec<u32> = beside
            .iter()
            .flatten()
            .flatten()
            .copied()
            .flatten()
            .collect();
        slots.sort_unstable();
        slots.dedup();
        let likeness = meaning.map_or_else(Vec::new, |meaning| meaning.likenesses(&slots));
        let speaks = |slot: u32| {
            let at = slots.binary_search(&slot).ok();
            let likeness = at.and_then(|at| likeness.get(at)).copied().unwrap_or(0.0);
            0.5 * words.keyword_of(slot) + 0.5 * likeness
        };
        let near = |beside: &Beside| {
            let by_distance = SHARES.iter().enumerate().map(|(at, share)| {
                let both = beside.iter().filter_map(|side| *side.get(at)?);
                share * both.map(speaks).fold(0.0, f64::max)
            });
            by_distance.sum()
        };
        beside.iter().map(near).collect()
    }

    fn beside(&self, slot: u32) -> Beside {
        let here = standing(self.contents, slot);
        let place_of = |other: &u32| standing(self.contents, *other);
        let Ok(at) = self.visible.binary_search_by_key(&here, place_of) else {
            return Beside::default();
        };
        let (before, after) = self.visible.split_at(at);
        let before = before.iter().rev().copied();
        let after = after.iter().skip(1).copied();
        [self.nearest(slot, before), self.nearest(slot, after)]
    }

    fn nearest(&self, slot: u32, others: impl Iterator<Item = u32>) -> [Option<u32>; SHARES.len()] {
        let mut found = others
            .take(LOOKED_AT)
            .filter(|other| self.belong_together(slot, *other));
        std::array::from_fn(|_| found.next())
    }

    fn belong_together(&self, one: u32, other: u32) -> bool {
        let rows = &self.contents.rows;
        let said = |slot: u32| rows.times.get(slot as usize).map(|times| times.known);
        let together = said(one).zip(said(other));
        rows.place(one) == rows.place(other)
            && together.is_some_and(|(one, other)| one.abs_diff(other) <= SAME_TALK.unsigned_abs())
    }
}

fn known(contents: &Contents, slot: u32) -> i64 {
    let times = contents.rows.times.get(slot as usize);
    times.map_or(i64::MIN / 2, |times| times.known)
}

/// The place of a row, and the half hour in which it was said.
fn talk(contents: &Contents, slot: u32) -> (Option<u32>, i64) {
    let half_hour = known(contents, slot).div_euclid(SAME_TALK);
    (contents.rows.place(slot), half_hour)
}

fn standing(contents: &Contents, slot: u32) -> Standing {
    let rows = &contents.rows;
    (rows.place(slot), known(contents, slot), rows.id(slot))
}
