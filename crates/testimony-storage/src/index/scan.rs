//! The exact search by meaning: every wanted vector is looked at by its upper halves, and whatever could still be among
//! the best is measured in full.
//!
//! Upper halves alone are wrong by a bounded amount, so a row is left out only when even the most that it could reach is
//! less than what enough others reach at the least: the outcome is that of measuring every row in full.

use pulp::{Arch, Simd, WithSimd};

use super::best::Best;
use super::eligible::Marks;
use super::rows::Rows;
use super::vectors::{Quantised, Size, Space, product};

/// The best rows by meaning for each cut: slots, each once, in no order.
pub(super) fn best_by_meaning(
    space: &Space,
    asked: &Quantised,
    rows: &Rows,
    marks: &Marks,
    limits: &[usize],
) -> Vec<u32> {
    let rough = rough_products(space, asked, marks);
    let bars = bars(&rough, limits);
    let could_matter = |row: &Rough, at: usize| {
        row.cuts & 1 << at != 0 && bars.get(at).is_none_or(|bar| row.most >= *bar)
    };
    let left: Vec<&Rough> = rough
        .iter()
        .filter(|row| (0..limits.len()).any(|at| could_matter(row, at)))
        .collect();
    let mut best: Vec<Best> = limits.iter().map(|limit| Best::new(*limit)).collect();
    for (row, cosine) in left.iter().zip(cosines(space, asked, &left)) {
        let Some(cosine) = cosine else { continue };
        for (at, best) in best.iter_mut().enumerate() {
            if could_matter(row, at) {
                best.offer(cosine, row.slot, || rows.id(row.slot));
            }
        }
    }
    let mut slots: Vec<u32> = best.iter().flat_map(Best::slots).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// A row after the first look: between what and what its cosine lies.
struct Rough {
    slot: u32,
    cuts: u32,
    least: f32,
    most: f32,
}

/// For each cut the least that enough rows reach.
fn bars(rough: &[Rough], limits: &[usize]) -> Vec<f32> {
    let bar = |(at, limit): (usize, &usize)| {
        let mut least = Best::new(*limit);
        let nobody = testimony_domain::MemoryId::from_uuid(uuid::Uuid::nil());
        for row in rough.iter().filter(|row| row.cuts & 1 << at != 0) {
            least.offer(row.least, row.slot, || Some(nobody));
        }
        least.bar().unwrap_or(f32::NEG_INFINITY)
    };
    limits.iter().enumerate().map(bar).collect()
}

/// The first look at every wanted row.
struct Look<'a> {
    space: &'a Space,
    asked: &'a Quantised,
    marks: &'a Marks,
}

// What is written as an operation of its own is compiled once for each kind of machine, with its widest registers.
impl WithSimd for Look<'_> {
    type Output = Vec<Rough>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<Rough> {
        let margin = Margin::of(self.asked);
        let dimensions = self.space.dimensions().max(1);
        let vectors = self.space.high.chunks_exact(dimensions);
        let rows = vectors.zip(&self.space.sizes).zip(self.marks.all_cuts());
        let mut rough = Vec::with_capacity(self.space.sizes.len());
        for (slot, ((vector, size), cuts)) in (0_u32..).zip(rows) {
            if cuts != 0 && size.step > 0.0 {
                let product = product(vector, &self.asked.high);
                rough.push(margin.around(slot, cuts, product, *size));
            }
        }
        rough
    }
}

fn rough_products(space: &Space, asked: &Quantised, marks: &Marks) -> Vec<Rough> {
    Arch::new().dispatch(Look {
        space,
        asked,
        marks,
    })
}

/// The second look, at the few that are left.
struct Measure<'a> {
    space: &'a Space,
    asked: &'a Quantised,
    left: &'a [&'a Rough],
}

impl WithSimd for Measure<'_> {
    type Output = Vec<Option<f32>>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<Option<f32>> {
        let mut cosines = Vec::with_capacity(self.left.len());
        for row in self.left {
            cosines.push(self.space.cosine(self.asked, row.slot));
        }
        cosines
    }
}

fn cosines(space: &Space, asked: &Quantised, left: &[&Rough]) -> Vec<Option<f32>> {
    Arch::new().dispatch(Measure { space, asked, left })
}

/// How far a product of upper halves can be from the whole one.
struct Margin {
    step: f64,
    high_length: f64,
    low_length: f64,
}

impl Margin {
    fn of(asked: &Quantised) -> Self {
        let squares: i64 = asked
            .high
            .iter()
            .map(|number| i64::from(*number) * i64::from(*number))
            .sum();
        Self {
            step: f64::from(asked.size.step),
            high_length: (squares as f64).sqrt() * 256.0,
            low_length: f64::from(asked.size.low_length),
        }
    }

    /// By Cauchy and Schwarz, each product that was left out is at most that of the two lengths.
    #[inline(always)]
    fn around(&self, slot: u32, cuts: u32, product: i32, size: Size) -> Rough {
        let scale = self.step * f64::from(size.step);
        let low = f64::from(size.low_length);
        // A vector has length one, so its upper halves are no longer than that and its lower halves together.
        let high = 1.01 / f64::from(size.step) + low;
        let wrong =
            (self.high_length * low + self.low_length * high + self.low_length * low) * scale;
        let middle = f64::from(product) * 65_536.0 * scale;
        // The last digit covers the rounding to single precision.
        Rough {
            slot,
            cuts,
            least: (middle - wrong) as f32 - 1e-6,
            most: (middle + wrong) as f32 + 1e-6,
        }
    }
}
