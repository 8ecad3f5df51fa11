//! Vectors drawn roughly, in four bits a number: a scan of many rows looks at these first, which are half as long as the
//! upper halves, and at few of the rows closer.
//!
//! What a sketch leaves out of a vector is measured when it is drawn, so how far it can be wrong is known, and no row is
//! passed over that the upper halves would not have passed over as well.
//!
//! The vectors of a container point much the same way, so how far each goes that way is kept in full, and drawn is only
//! what it has beside that: less is left out, and of a question only what it has beside that way can meet it.
//! Any way gives the same outcome; a good one lets fewer rows by.

use super::vectors::{Quantised, Size};

/// So many rows are looked at together.
pub(super) const ROWS_AT_ONCE: usize = 8;
/// With fewer rows a scan is quick without sketches.
const FROM_ROWS: usize = 1_024;
/// With more dimensions, a sum of products could leave 32 bits.
const MOST_DIMENSIONS: usize = 4_096;

/// So many numbers a piece holds, two in a byte.
pub(super) const NUMBERS: usize = 128;

/// Some numbers of a row. A byte of its first half holds a number and the one 32 behind it; so does one of its second
/// half, for the 64 numbers that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Piece(pub(super) [u8; NUMBERS / 2]);

/// The numbers of a question that meet a piece, in their order.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct AskedPiece(pub(super) [i8; NUMBERS]);

/// The sketches of the vectors of a container, by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Sketches {
    /// How many pieces a row has; none while nothing is drawn.
    pieces: usize,
    numbers: Vec<Piece>,
    /// The way that most vectors go, of length one; empty where there is none.
    way: Vec<f32>,
    /// How far each vector goes that way.
    along: Vec<f32>,
    /// What half a step of each sketch stands for.
    half_steps: Vec<f32>,
    /// How long what each sketch leaves out is.
    left_out: Vec<f32>,
}

/// Some rows that are looked at together.
pub(super) struct Together<'a> {
    pub(super) pieces: &'a [Piece],
    along: &'a [f32; ROWS_AT_ONCE],
    half_steps: &'a [f32; ROWS_AT_ONCE],
    left_out: &'a [f32; ROWS_AT_ONCE],
}

/// Numbers of a sketch stand for so many half steps above their own, doubled: from 15 below nothing to 15 above it.
const MIDDLE: i32 = 15;

/// The numbers of a vector, in full.
fn numbers_of<'a>(
    high: &'a [i8],
    low: &'a [i8],
    size: Size,
) -> impl Iterator<Item = f64> + Clone + 'a {
    let step = f64::from(size.step);
    let wholes = high.iter().zip(low);
    wholes.map(move |(high, low)| (f64::from(*high) * 256.0 + f64::from(*low)) * step)
}

/// How far a vector goes a way, and what it has beside that.
fn turned(numbers: impl Iterator<Item = f64> + Clone, way: &[f32]) -> (f64, Vec<f64>) {
    let ways = || way.iter().map(|it| f64::from(*it));
    let along: f64 = numbers
        .clone()
        .zip(ways())
        .map(|(one, way)| one * way)
        .sum();
    let ways = ways().chain(std::iter::repeat(0.0));
    let beside = numbers.zip(ways).map(|(one, way)| one - along * way);
    (along, beside.collect())
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, it| it.abs().max(most))
}

fn length(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.map(|it| it * it).sum::<f64>().sqrt()
}

impl Sketches {
    /// Whether vectors of so many dimensions are to be drawn where there are so many.
    pub(super) const fn are_wanted(slots: usize, dimensions: usize) -> bool {
        slots >= FROM_ROWS && 1 <= dimensions && dimensions <= MOST_DIMENSIONS
    }

    pub(super) const fn are_there(&self) -> bool {
        self.pieces > 0
    }

    /// Makes room for so many rows.
    pub(super) fn reach(&mut self, slots: usize, dimensions: usize) {
        let rows = slots.next_multiple_of(ROWS_AT_ONCE);
        self.pieces = dimensions.div_ceil(NUMBERS);
        let nothing = Piece([0; NUMBERS / 2]);
        super::vectors::grow(&mut self.numbers, rows * self.pieces, nothing);
        super::vectors::grow(&mut self.along, rows, 0.0);
        super::vectors::grow(&mut self.half_steps, rows, 0.0);
        super::vectors::grow(&mut self.left_out, rows, 0.0);
    }

    /// Has what is drawn from now on drawn beside the way that these vectors go together. What was drawn before has to
    /// be drawn again.
    pub(super) fn turn<'v>(&mut self, vectors: impl Iterator<Item = (&'v [i8], &'v [i8], Size)>) {
        let mut sums: Vec<f64> = Vec::new();
        for (high, low, size) in vectors {
            sums.resize(sums.len().max(high.len()), 0.0);
            for (sum, number) in sums.iter_mut().zip(numbers_of(high, low, size)) {
                *sum += number;
            }
        }
        let length = length(sums.iter().copied());
        let way = sums.iter().map(|sum| (sum / length) as f32);
        self.way = way.filter(|_| length > 1e-6).collect();
    }

    /// Draws the vector in a slot.
    pub(super) fn draw(&mut self, slot: usize, high: &[i8], low: &[i8], size: Size) {
        let from = slot * self.pieces;
        let Some(pieces) = self.numbers.get_mut(from..from + self.pieces) else {
            return;
        };
        let (along, beside) = turned(numbers_of(high, low, size), &self.way);
        // In single precision, as it is kept: what is left out is measured from what is read.
        let half_step = (largest(&beside) / f64::from(MIDDLE)) as f32;
        let half = f64::from(half_step);
        let mut squares = 0.0;
        for (piece, numbers) in pieces.iter_mut().zip(beside.chunks(NUMBERS)) {
            let mut drawn = [0_u8; NUMBERS];
            for (into, number) in drawn.iter_mut().zip(numbers) {
                // The nearest: a half is added, and what is behind the point is cut off.
                let nearest = (number / half + f64::from(MIDDLE + 1)) / 2.0;
                *into = nearest.clamp(0.0, 15.0) as u8;
                let wrong = number - f64::from(2 * i32::from(*into) - MIDDLE) * half;
                squares += wrong * wrong;
            }
            *piece = packed(&drawn);
        }
        let kept = (
            self.along.get_mut(slot),
            self.half_steps.get_mut(slot),
            self.left_out.get_mut(slot),
        );
        if let (Some(into_along), Some(into_half_step), Some(left_out)) = kept {
            (*into_along, *into_half_step) = (along as f32, half_step);
            // Single precision is wrong by less than this makes up for.
            *left_out = (squares.sqrt() * 1.000_001) as f32;
        }
    }

    /// All rows, some at a time, by slot.
    pub(super) fn together(&self) -> impl Iterator<Item = Together<'_>> {
        let pieces = self
            .numbers
            .chunks_exact((ROWS_AT_ONCE * self.pieces).max(1));
        let (along, _) = self.along.as_chunks();
        let (half_steps, _) = self.half_steps.as_chunks();
        let (left_out, _) = self.left_out.as_chunks();
        let rows = pieces.zip(along.iter().zip(half_steps.iter().zip(left_out)));
        rows.map(|(pieces, (along, (half_steps, left_out)))| Together {
            pieces,
            along,
            half_steps,
            left_out,
        })
    }
}

/// Two numbers in a byte.
fn packed(numbers: &[u8; NUMBERS]) -> Piece {
    let mut piece = Piece([0; NUMBERS / 2]);
    let (halves, _) = numbers.as_chunks::<64>();
    for (bytes, half) in piece.0.chunks_mut(32).zip(halves) {
        let (first, second) = half.split_at(32);
        for (byte, (low, high)) in bytes.iter_mut().zip(first.iter().zip(second)) {
            *byte = low | high << 4;
        }
    }
    piece
}

/// A question, ready to meet sketches.
pub(super) struct AskedRoughly {
    pub(super) pieces: Vec<AskedPiece>,
    /// How far it goes the way of the sketches.
    along: f32,
    /// What is taken from twice a product, since the numbers of a sketch are counted from their middle.
    offset: i32,
    /// What a product stands for, but for the step of the row.
    scale: f32,
    /// How wrong a product can be by what the row left out, and by what the question did.
    by_row: f32,
    by_question: f32,
}

impl AskedRoughly {
    pub(super) fn of(asked: &Quantised, sketches: &Sketches) -> Self {
        let numbers = numbers_of(&asked.high, &asked.low, asked.size);
        let (along, beside) = turned(numbers, &sketches.way);
        let step = largest(&beside) / 127.0;
        let drawn = beside.iter().map(|it| (it / step).round() as i8);
        let drawn: Vec<i8> = drawn.collect();
        let piece = |numbers: &[i8]| {
            let mut piece = AskedPiece([0; NUMBERS]);
            for (into, number) in piece.0.iter_mut().zip(numbers) {
                *into = *number;
            }
            piece
        };
        let sum: i32 = drawn.iter().map(|it| i32::from(*it)).sum();
        let wrong = beside.iter().zip(&drawn);
        let wrong = length(wrong.map(|(it, drawn)| it - f64::from(*drawn) * step));
        Self {
            pieces: drawn.chunks(NUMBERS).map(piece).collect(),
            along: along as f32,
            offset: MIDDLE * sum,
            scale: step as f32,
            // By Cauchy and Schwarz: what was left out of the row meets all of the question that is beside the way, and
            // its sketch, no longer than a vector of length one and what was left out together, meets what the question
            // is drawn wrong by.
            by_row: (1.000_001 * (length(beside.iter().copied()) + wrong)) as f32,
            // The last number covers the rounding to single precision.
            by_question: (1.01 * wrong + 2e-5) as f32,
        }
    }

    /// What the rows can reach at the most, by their products with the question.
    #[inline(always)]
    pub(super) fn most(
        &self,
        products: [i32; ROWS_AT_ONCE],
        rows: &Together<'_>,
    ) -> [f32; ROWS_AT_ONCE] {
        let mut most = [0.0; ROWS_AT_ONCE];
        let sizes = rows.half_steps.iter().zip(rows.left_out);
        let sizes = rows.along.iter().zip(sizes);
        let of_rows = products.iter().zip(sizes);
        for (most, (product, (along, (half_step, left_out)))) in most.iter_mut().zip(of_rows) {
            let beside = (2 * product - self.offset) as f32 * (self.scale * half_step);
            *most = self.along * along + beside + self.by_row * left_out + self.by_question;
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::kernel::{Kernel, Plain};
    use crate::index::vectors::Quantised;
    use proptest::prelude::*;
    use testimony_service::ports::embedder::Vector;

    fn vectors() -> impl Strategy<Value = Vec<Quantised>> {
        let dimensions = prop_oneof![1_usize..=40, 90_usize..=300];
        let number = prop_oneof![6 => -1.0_f32..1.0, 1 => Just(0.0), 1 => -1e-3_f32..1e-3];
        dimensions.prop_flat_map(move |dimensions| {
            let vector = prop::collection::vec(number.clone(), dimensions);
            prop::collection::vec(vector, 2..12).prop_map(|all| {
                let vectors = all
                    .into_iter()
                    .filter_map(|it| Vector::from_direction(it).ok());
                vectors.map(|it| Quantised::of(&it)).collect()
            })
        })
    }

    /// What each row reaches at the most by its sketch, and what it does reach.
    fn most_and_whole(
        vectors: &[Quantised],
        turned_by: usize,
        kernel: impl Kernel,
    ) -> Vec<(f32, f64)> {
        let Some((asked, rows)) = vectors.split_first() else {
            return Vec::new();
        };
        let mut sketches = Sketches::default();
        sketches.reach(rows.len(), asked.high.len());
        let turning = rows.iter().take(turned_by);
        sketches.turn(turning.map(|row| (row.high.as_slice(), row.low.as_slice(), row.size)));
        for (slot, row) in rows.iter().enumerate() {
            sketches.draw(slot, &row.high, &row.low, row.size);
        }
        let roughly = AskedRoughly::of(asked, &sketches);
        let most = sketches.together().flat_map(|rows| {
            let products = kernel.products(rows.pieces, &roughly.pieces);
            roughly.most(products, &rows)
        });
        let whole = |row: &Quantised| {
            let number = |of: &Quantised, at: usize| {
                (f64::from(of.high[at]) * 256.0 + f64::from(of.low[at])) * f64::from(of.size.step)
            };
            let products = (0..row.high.len()).map(|at| number(row, at) * number(asked, at));
            products.sum::<f64>()
        };
        most.zip(rows.iter().map(whole)).collect()
    }

    proptest! {
        #![proptest_config(testimony_testkit::config())]

        #[test]
        fn no_row_reaches_more_than_its_sketch_says(vectors in vectors(), turned_by in 0_usize..4) {
            for (most, whole) in most_and_whole(&vectors, turned_by, Plain) {
                prop_assert!(f64::from(most) >= whole, "{most} is less than {whole}");
            }
        }

        #[test]
        fn every_machine_reads_a_sketch_alike(vectors in vectors(), turned_by in 0_usize..4) {
            let plain = most_and_whole(&vectors, turned_by, Plain);
            #[cfg(target_arch = "x86_64")]
            if let Some(kernel) = pulp::x86::V3::try_new() {
                prop_assert_eq!(most_and_whole(&vectors, turned_by, kernel), plain);
            }
        }
    }

    #[test]
    fn sketches_beside_a_common_way_are_wrong_by_less() {
        let row = |seed: u32| {
            let wave = |at: u32| 1.0 + ((at * 37 + seed * 101) as f32).sin();
            let vector = Vector::from_direction((0..256).map(wave).collect()).unwrap();
            Quantised::of(&vector)
        };
        let rows: Vec<Quantised> = (0..20).map(row).collect();
        let wrong = |turned_by: usize| -> f64 {
            let all = most_and_whole(&rows, turned_by, Plain).into_iter();
            all.map(|(most, whole)| f64::from(most) - whole).sum()
        };
        let (beside, whole) = (wrong(20), wrong(0));
        assert!(
            beside < 0.7 * whole,
            "{beside} is not much less than {whole}"
        );
    }

    #[test]
    fn the_property_catches_a_sketch_that_takes_itself_for_exact() {
        let broken = |vectors: &Vec<Quantised>| {
            let all = most_and_whole(vectors, 2, Plain);
            let margin = vectors.first().map_or(0.0, |asked| {
                let asked = AskedRoughly::of(asked, &Sketches::default());
                asked.by_row * 0.1
            });
            all.iter()
                .all(|(most, whole)| f64::from(most - margin) >= *whole)
        };
        assert!(testimony_testkit::breaks(&vectors(), broken));
    }
}
