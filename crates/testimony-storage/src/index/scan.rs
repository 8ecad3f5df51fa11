//! The exact search by meaning: where there are many rows each is looked at by its sketch, what is left by the upper halves
//! of its vector, and whatever could still be among the best is measured in full.
//!
//! Sketches and upper halves are wrong by bounded amounts, so a row is left out only when even the most that it could
//! reach is less than what enough others reach at the least: the outcome is that of measuring every row in full.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pulp::{Arch, Simd, WithSimd};

use super::best::Best;
use super::eligible::{Marks, cuts_of};
use super::floors::Floors;
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
    let look = Look {
        space,
        asked,
        bars: Bars::of(limits),
        floors: Floors::of(marks, f32::NEG_INFINITY),
    };
    let (rough, bars) = if by_graphs.is_nothing() {
        look.at(marks.of_all().to_vec(), likely)
    } else {
        look.at(contents.graphs.left_of(marks, &by_graphs), likely)
    };
    let rough = rough.iter().map(|row| (row.slot, bars.wants(row)));
    let left: Vec<(u32, u8)> = rough
        .filter(|(_, wanted)| *wanted != 0)
        .chain(by_graphs.near)
        .collect();
    best_of(contents, meaning, &left, limits)
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
    /// Looks at the rows with these marks, by slot, and at the likely ones among them first.
    fn at(self, marks: Vec<u8>, likely: &[u32]) -> (Vec<Rough>, Bars) {
        let look = self;
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = pulp::x86::V3::try_new() {
            return Simd::vectorize(kernel, LookAt::of(look, marks, likely, kernel));
        }
        Arch::new().dispatch(LookAt::of(look, marks, likely, Plain))
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

struct LookAt<'a, K> {
    space: &'a Space,
    /// Without those of the likely rows, which wait before all others.
    marks: Vec<u8>,
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

impl<'a, K: Kernel> LookAt<'a, K> {
    fn of(look: Look<'a>, mut marks: Vec<u8>, likely: &[u32], kernel: K) -> Self {
        // A row that is named twice is nobody's any more when it is met again, so none is looked at twice.
        let take = |slot: &u32| {
            let cuts = cuts_of(std::mem::take(marks.get_mut(*slot as usize)?));
            (cuts != 0).then_some(LetBy {
                slot: *slot,
                cuts,
                most: f32::INFINITY,
            })
        };
        let waiting = likely.iter().filter_map(take).collect();
        Self {
            space: look.space,
            marks,
            waiting,
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
        for (slot, mark) in (0..).zip(std::mem::take(&mut self.marks)) {
            let cuts = cuts_of(mark);
            if cuts != 0 {
                self.closer(slot, cuts);
            }
        }
    }

    /// Looks at sketches first.
    #[inline(always)]
    fn at_sketches(&mut self) {
        let space = self.space;
        let marks = std::mem::take(&mut self.marks);
        let marks = marks.chunks(ROWS_AT_ONCE);
        let together = space.sketches.together().zip(marks);
        for (first, (rows, marks)) in (0..).step_by(ROWS_AT_ONCE).zip(together) {
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
impl<K: Kernel> WithSimd for LookAt<'_, K> {
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
