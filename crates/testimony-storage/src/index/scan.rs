//! The exact search by meaning: where there are many rows each is looked at by its sketch, what is left by the upper halves
//! of its vector, and whatever could still be among the best is measured in full.
//!
//! Sketches and upper halves are wrong by bounded amounts, so a row is left out only when even the most that it could
//! reach is less than what enough others reach at the least: the outcome is that of measuring every row in full.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Mutex, OnceLock};

use pulp::{Arch, Simd, WithSimd};

use super::best::Best;
use super::eligible::{Marks, cuts_of};
use super::floors::Floors;
use super::hybrid::held;
use super::kernel::{Kernel, Plain};
use super::meaning::AskedMeaning;
use super::room::Contents;
use super::sketch::{AskedRoughly, ROWS_AT_ONCE};
use super::vectors::{Quantised, Size, Space};

/// The best rows by meaning for each cut: slots, each once, in no order. Rows that are likely to be among them are looked
/// at first, so that most of the others are passed over; which these are changes nothing else.
pub(super) fn best_by_meaning(
    contents: &Contents,
    meaning: &AskedMeaning<'_>,
    marks: &Marks,
    limits: &[usize],
    likely: &[u32],
) -> Vec<u32> {
    let (space, asked) = (meaning.space, &meaning.vector);
    let by_graphs = contents.graphs.ask(space, asked, marks, limits);
    let wanted = if by_graphs.is_nothing() {
        marks.of_all().to_vec()
    } else {
        contents.graphs.left_of(marks, &by_graphs)
    };
    let look = || Look {
        space,
        asked,
        bars: Bars::of(limits),
        floors: Floors::of(marks, f32::NEG_INFINITY),
    };
    let parts = (wanted.len() / WORTH_A_THREAD).clamp(1, processors());
    let mut left = in_parts(wanted, likely, parts, look);
    left.extend(by_graphs.near);
    best_of(contents, meaning, &left, limits)
}

/// So many rows are worth a thread. With a third of them it did not pay: what a thread saves it then costs to begin.
const WORTH_A_THREAD: usize = 1 << 18;

/// How many threads can look at once.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Looks at the rows with these marks in so many parts, each in a thread of its own where threads are to be had. What is
/// left of a part could still be among the best; how the rows were cut changes nothing of what is found.
fn in_parts<'a>(
    mut marks: Vec<u8>,
    likely: &[u32],
    parts: usize,
    look: impl Fn() -> Look<'a> + Sync,
) -> Vec<(u32, u8)> {
    let rows = marks.len().div_ceil(parts.max(1)).max(1);
    let rows = rows.next_multiple_of(ROWS_AT_ONCE);
    let untaken = Mutex::new((0_u32..).step_by(rows).zip(marks.chunks_mut(rows)));
    let next = || held(&untaken).next();
    // Whoever is done with a part takes another, so a thread that could not be begun is made up for by the others.
    let take_parts = || -> Vec<(u32, u8)> {
        let parts = std::iter::from_fn(next);
        parts
            .flat_map(|(first, marks)| look().at(first, marks, likely))
            .collect()
    };
    std::thread::scope(|scope| {
        let begin = |_| {
            let thread = std::thread::Builder::new().name("scan".into());
            thread.spawn_scoped(scope, take_parts).ok()
        };
        let others: Vec<_> = (1..parts).filter_map(begin).collect();
        let mut left = take_parts();
        for other in others {
            let of_other = other.join();
            left.extend(of_other.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        left
    })
}

/// Of the rows that are left for each cut the best, measured in full.
fn best_of(
    contents: &Contents,
    meaning: &AskedMeaning<'_>,
    left: &[(u32, u8)],
    limits: &[usize],
) -> Vec<u32> {
    let slots: Vec<u32> = left.iter().map(|(slot, _)| *slot).collect();
    let mut best: Vec<Best> = limits.iter().map(|limit| Best::new(*limit)).collect();
    for ((slot, wanted), cosine) in left.iter().zip(meaning.cosines(&slots)) {
        let Some(cosine) = cosine else { continue };
        for (at, best) in best.iter_mut().enumerate() {
            if wanted & 1 << at != 0 {
                best.offer(cosine, *slot);
            }
        }
    }
    let best = best.into_iter();
    let mut slots: Vec<u32> = best
        .flat_map(|best| best.slots(|slot| contents.rows.id(slot)))
        .collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// A row after the first look: what its cosine is at most.
struct Rough {
    slot: u32,
    cuts: u8,
    most: f32,
}

/// For each cut the least that enough rows reach, as far as is known.
struct Bars(Vec<Bar>);

struct Bar {
    /// What the best rows so far reach at the least, the worst of them on top.
    least: BinaryHeap<Reverse<Ordered>>,
    limit: usize,
    bar: f32,
}

/// A number in its total order.
#[derive(Clone, Copy, PartialEq)]
struct Ordered(f32);

impl Eq for Ordered {}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Bars {
    fn of(limits: &[usize]) -> Self {
        let bar = |limit: &usize| Bar {
            least: BinaryHeap::new(),
            limit: *limit,
            // A cut without room wants nothing.
            bar: if *limit == 0 {
                f32::INFINITY
            } else {
                f32::NEG_INFINITY
            },
        };
        Self(limits.iter().map(bar).collect())
    }

    /// The cuts for which a row could still be among the best.
    #[inline(always)]
    fn wants(&self, row: &Rough) -> u8 {
        let mut wanted = 0;
        for (at, bar) in self.0.iter().enumerate() {
            wanted |= u8::from(row.most >= bar.bar) << at;
        }
        wanted & row.cuts
    }

    /// What a row has to reach at the most to be among the best of a cut.
    fn bar(&self, at: usize) -> f32 {
        self.0.get(at).map_or(f32::INFINITY, |bar| bar.bar)
    }

    /// Raises the bars by a row that reaches at least so much.
    fn raise(&mut self, cuts: u8, least: f32) {
        for (at, bar) in self.0.iter_mut().enumerate() {
            if cuts & 1 << at == 0 || least <= bar.bar {
                continue;
            }
            bar.least.push(Reverse(Ordered(least)));
            if bar.least.len() > bar.limit {
                bar.least.pop();
            }
            if bar.least.len() == bar.limit {
                bar.bar = bar.least.peek().map_or(bar.bar, |worst| worst.0.0);
            }
        }
    }
}

/// The first look at every wanted row.
struct Look<'a> {
    space: &'a Space,
    asked: &'a Quantised,
    bars: Bars,
    floors: Floors,
}

impl Look<'_> {
    /// Looks at the rows from the first on with these marks, by slot, and at the likely ones among them first. Says which
    /// are left, and for which cuts.
    fn at(self, first: u32, marks: &mut [u8], likely: &[u32]) -> Vec<(u32, u8)> {
        let (rough, bars) = self.roughly(first, marks, likely);
        let rough = rough.iter().map(|row| (row.slot, bars.wants(row)));
        rough.filter(|(_, wanted)| *wanted != 0).collect()
    }

    fn roughly(self, first: u32, marks: &mut [u8], likely: &[u32]) -> (Vec<Rough>, Bars) {
        let part = Part::of(first, marks, likely);
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = pulp::x86::V3::try_new() {
            return Simd::vectorize(kernel, LookAt::of(self, part, kernel));
        }
        Arch::new().dispatch(LookAt::of(self, part, Plain))
    }
}

/// So many rows that their sketches let by wait to be looked at closer: then memory is waited for once for several.
const WAITING: usize = 64;

/// A row that waits to be looked at closer: what its sketch says that it reaches at the most.
#[derive(Clone, Copy)]
struct LetBy {
    slot: u32,
    cuts: u8,
    most: f32,
}

/// Rows that lie side by side.
struct Part<'a> {
    first: u32,
    /// Without those of the likely rows, which wait before all others.
    marks: &'a [u8],
    waiting: Vec<LetBy>,
}

impl<'a> Part<'a> {
    fn of(first: u32, marks: &'a mut [u8], likely: &[u32]) -> Self {
        // A row that is named twice is nobody's any more when it is met again, so none is looked at twice.
        let take = |slot: &u32| {
            let at = slot.checked_sub(first)? as usize;
            let cuts = cuts_of(std::mem::take(marks.get_mut(at)?));
            (cuts != 0).then_some(LetBy {
                slot: *slot,
                cuts,
                most: f32::INFINITY,
            })
        };
        let waiting = likely.iter().filter_map(take).collect();
        Self {
            first,
            marks,
            waiting,
        }
    }
}

struct LookAt<'a, 'm, K> {
    space: &'a Space,
    first: u32,
    marks: &'m [u8],
    waiting: Vec<LetBy>,
    /// The upper halves of the question, widened.
    asked: Vec<i16>,
    margin: Margin,
    roughly: AskedRoughly,
    bars: Bars,
    floors: Floors,
    rough: Vec<Rough>,
    kernel: K,
}

impl<'a, 'm, K: Kernel> LookAt<'a, 'm, K> {
    fn of(look: Look<'a>, part: Part<'m>, kernel: K) -> Self {
        Self {
            space: look.space,
            first: part.first,
            marks: part.marks,
            waiting: part.waiting,
            asked: look.asked.high.iter().map(|it| i16::from(*it)).collect(),
            margin: Margin::of(look.asked),
            roughly: AskedRoughly::of(look.asked, &look.space.sketches),
            bars: look.bars,
            floors: look.floors,
            rough: Vec::new(),
            kernel,
        }
    }

    /// Looks at the upper halves of each row that some cut wants.
    #[inline(always)]
    fn at_upper_halves(&mut self) {
        for (slot, mark) in (self.first..).zip(self.marks) {
            let cuts = cuts_of(*mark);
            if cuts != 0 {
                self.closer(slot, cuts);
            }
        }
    }

    /// Looks at sketches first.
    #[inline(always)]
    fn at_sketches(&mut self) {
        let space = self.space;
        let together = space.sketches.together(self.first as usize);
        let together = together.zip(self.marks.chunks(ROWS_AT_ONCE));
        for (first, (rows, marks)) in (self.first..).step_by(ROWS_AT_ONCE).zip(together) {
            if marks.iter().all(|mark| cuts_of(*mark) == 0) {
                continue;
            }
            let products = self.kernel.products(rows.drawn, &self.roughly.asked);
            let most = self.roughly.most(products, &rows);
            if !self.floors.let_any_by(&most) {
                continue;
            }
            for (slot, (mark, most)) in (first..).zip(marks.iter().zip(most)) {
                let cuts = cuts_of(*mark);
                if cuts != 0 && self.floors.let_by(cuts, most) {
                    self.waiting.push(LetBy { slot, cuts, most });
                }
            }
            if self.waiting.len() >= WAITING {
                self.look_closer();
            }
        }
        self.look_closer();
    }

    /// Looks closer at the rows that wait for it, as far as they may still be good enough.
    #[inline(always)]
    fn look_closer(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        for rows in waiting.chunks(WAITING) {
            let floors = &self.floors;
            let wanted = rows.iter().filter(|row| floors.let_by(row.cuts, row.most));
            self.space.fetch(wanted.map(|row| row.slot));
            for row in rows {
                if self.floors.let_by(row.cuts, row.most) {
                    self.closer(row.slot, row.cuts);
                }
            }
        }
        waiting.clear();
        self.waiting = waiting;
    }

    /// Looks at the upper halves of a row.
    #[inline(always)]
    fn closer(&mut self, slot: u32, cuts: u8) {
        let at = slot as usize;
        let dimensions = self.space.dimensions();
        let vector = self.space.high.get(at * dimensions..(at + 1) * dimensions);
        let (Some(vector), Some(size)) = (vector, self.space.sizes.get(at)) else {
            return;
        };
        if size.step <= 0.0 {
            return;
        }
        let product = self.kernel.product(vector, &self.asked);
        let (middle, wrong) = self.margin.around(product, *size);
        let most = middle + wrong;
        if !self.floors.let_by(cuts, most) {
            return;
        }
        let row = Rough { slot, cuts, most };
        let wanted = self.bars.wants(&row);
        if wanted != 0 {
            self.rough.push(row);
            self.bars.raise(wanted, middle - wrong);
            let bars = &self.bars;
            self.floors.rise_to(|at| bars.bar(at));
        }
    }
}

// What is written as an operation of its own is compiled once for each kind of machine, with its widest registers.
impl<K: Kernel> WithSimd for LookAt<'_, '_, K> {
    type Output = (Vec<Rough>, Bars);

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> (Vec<Rough>, Bars) {
        self.look_closer();
        if self.space.sketches.are_there() {
            self.at_sketches();
        } else {
            self.at_upper_halves();
        }
        (self.rough, self.bars)
    }
}

/// How far a product of upper halves can be from the whole one.
struct Margin {
    /// What one step of such a product stands for, but for the step of the row.
    scale: f32,
    /// How wrong it can be by what the row left out, and by what the question did.
    by_row: f32,
    by_question: f32,
}

impl Margin {
    /// By Cauchy and Schwarz, each product that was left out is at most that of the two lengths.
    fn of(asked: &Quantised) -> Self {
        let squares: i64 = asked
            .high
            .iter()
            .map(|number| i64::from(*number) * i64::from(*number))
            .sum();
        let step = f64::from(asked.size.step);
        let high_length = (squares as f64).sqrt() * 256.0 * step;
        let low_length = f64::from(asked.size.low_length) * step;
        Self {
            scale: (65_536.0 * step) as f32,
            // What was left out of a row meets the upper and the lower halves of the question, and its upper halves, no
            // longer than a vector of length one and what was left out together, meet the lower halves.
            by_row: (high_length + 2.0 * low_length) as f32,
            by_question: (1.01 * low_length) as f32,
        }
    }

    /// The middle of what a product can stand for, and how far from there that can be.
    #[inline(always)]
    fn around(&self, product: i32, size: Size) -> (f32, f32) {
        let middle = product as f32 * (self.scale * size.step);
        let left_out = size.low_length * size.step;
        // The last number covers the rounding to single precision.
        (middle, self.by_row * left_out + self.by_question + 2e-6)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use testimony_service::ports::embedder::{EmbedderIdentity, Vector};

    use super::*;

    const DIMENSIONS: usize = 12;

    /// Vectors, the cuts that want each, and what is likely.
    #[derive(Clone, Debug)]
    struct Case {
        asked: Quantised,
        rows: Vec<(Quantised, u8)>,
        likely: Vec<u32>,
        has_sketches: bool,
        parts: usize,
    }

    fn vector() -> impl Strategy<Value = Quantised> {
        let number = prop_oneof![4 => -1.0_f32..1.0, 1 => Just(0.5)];
        let numbers = prop::collection::vec(number, DIMENSIONS);
        numbers.prop_map(|numbers| Quantised::of(&Vector::from_direction(numbers).unwrap()))
    }

    fn cases() -> impl Strategy<Value = Case> {
        let rows = prop::collection::vec((vector(), 0_u8..4), 1..90);
        let likely = prop::collection::vec(0_u32..100, 0..9);
        (vector(), rows, likely, any::<bool>(), 1_usize..6).prop_map(
            |(asked, rows, likely, has_sketches, parts)| Case {
                asked,
                rows,
                likely,
                has_sketches,
                parts,
            },
        )
    }

    fn space_of(case: &Case) -> Space {
        let mut space = Space::new(EmbedderIdentity {
            name: "test".into(),
            revision: "1".into(),
            dimensions: DIMENSIONS,
        });
        for (slot, (vector, _)) in (0..).zip(&case.rows) {
            space.put(slot, vector);
        }
        if case.has_sketches {
            space.draw_all();
        }
        space
    }

    const LIMITS: [usize; 2] = [3, 7];

    /// What the best rows of each cut reach, best first: of all rows, or of those that are left.
    fn best(case: &Case, space: &Space, left: &[(u32, u8)]) -> Vec<Vec<Option<f32>>> {
        let of_cut = |(at, limit): (usize, &usize)| {
            let slots = left.iter().filter(|(_, cuts)| cuts & 1 << at != 0);
            let slots: Vec<u32> = slots.map(|(slot, _)| *slot).collect();
            let mut best = space.cosines(&case.asked, &slots);
            best.sort_unstable_by(|one, other| other.partial_cmp(one).unwrap());
            best.truncate(*limit);
            best
        };
        LIMITS.iter().enumerate().map(of_cut).collect()
    }

    /// Whether what is left holds the best of all, and no row twice, when the last rows are not looked at.
    fn finds_the_best(case: &Case, not_looked_at: usize) -> bool {
        let space = space_of(case);
        let cuts: Vec<u8> = case.rows.iter().map(|(_, cuts)| *cuts).collect();
        let marks = Marks::wanted_by(&cuts);
        let look = || Look {
            space: &space,
            asked: &case.asked,
            bars: Bars::of(&LIMITS),
            floors: Floors::of(&marks, f32::NEG_INFINITY),
        };
        let looked_at = cuts.len().saturating_sub(not_looked_at);
        let looked_at = marks.of_all().iter().take(looked_at).copied().collect();
        let left = in_parts(looked_at, &case.likely, case.parts, look);
        let mut slots: Vec<u32> = left.iter().map(|(slot, _)| *slot).collect();
        slots.sort_unstable();
        let is_once = slots.windows(2).all(|pair| pair.first() != pair.last());
        let all: Vec<(u32, u8)> = (0..).zip(cuts).collect();
        is_once && best(case, &space, &left) == best(case, &space, &all)
    }

    proptest! {
        #![proptest_config(testimony_testkit::config())]

        #[test]
        fn the_best_are_left_however_the_rows_are_cut(case in cases()) {
            prop_assert!(finds_the_best(&case, 0));
        }
    }

    #[test]
    fn the_property_catches_a_part_that_nobody_takes() {
        let without_the_last = |case: &Case| finds_the_best(case, ROWS_AT_ONCE);
        assert!(testimony_testkit::breaks(&cases(), without_the_last));
    }
}
