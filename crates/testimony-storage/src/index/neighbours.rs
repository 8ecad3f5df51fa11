//! What was said just before and just after a row: in a talk, a question is often answered beside the words that it
//! shares.
//!
//! Neighbours are rows of the same place that were said about the same time, in the order in which they were said.
//! Only rows that the asker may know of are counted, so that nothing foreign stands in between.

use super::eligible::Marks;
use super::meaning::AskedMeaning;
use super::room::Contents;
use super::words::WordScores;

/// What is said within this time of each other belongs together, in nanoseconds.
const SAME_TALK: i64 = 30 * 60 * 1_000_000_000;
/// How much the nearest neighbour counts, and the one behind it.
const SHARES: [f64; 2] = [0.6, 0.4];

/// The visible rows beside those that were found.
pub(super) struct Neighbours<'a> {
    contents: &'a Contents,
    visible: &'a Marks,
}

/// The slots of the rows beside a row, nearest first, before and after.
type Beside = [[Option<u32>; SHARES.len()]; 2];

impl<'a> Neighbours<'a> {
    pub(super) const fn of(contents: &'a Contents, visible: &'a Marks) -> Self {
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
        let rows = &self.contents.rows;
        let said = rows.times.get(slot as usize).map(|times| times.known);
        said.map_or_else(Beside::default, |said| {
            let (before, behind) = (rows.said_before(slot), rows.said_behind(slot));
            [self.nearest(said, before), self.nearest(said, behind)]
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
