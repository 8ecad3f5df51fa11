//! Vectors drawn roughly, in four bits a number: a scan of many rows looks at these first, which are half as long as the
//! upper halves, and at few of the rows closer.
//!
//! What a sketch leaves out of a vector is measured when it is drawn, so how far it can be wrong is known, and no row is
//! passed over that the upper halves would not have passed over as well.

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
    /// What one step of each vector stands for.
    steps: Vec<f32>,
    /// How long what each sketch leaves out is.
    left_out: Vec<f32>,
}

/// Some rows that are looked at together.
pub(super) struct Together<'a> {
    pub(super) pieces: &'a [Piece],
    steps: &'a [f32; ROWS_AT_ONCE],
    left_out: &'a [f32; ROWS_AT_ONCE],
}

/// The middle of what a number of a sketch stands for, from which it is wrong by less than 2,048 steps to either side.
const fn middle_of(drawn: i32) -> i32 {
    (drawn - 8) * 4_096 + 1_920
}

/// A number of sixteen bits, of which the upper half is given, in four.
const fn drawn(high: i8) -> u8 {
    ((high >> 4) + 8) as u8
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
        super::vectors::grow(&mut self.steps, rows, 0.0);
        super::vectors::grow(&mut self.left_out, rows, 0.0);
    }

    /// Draws the vector in a slot.
    pub(super) fn draw(&mut self, slot: usize, high: &[i8], low: &[i8], size: Size) {
        let from = slot * self.pieces;
        let Some(pieces) = self.numbers.get_mut(from..from + self.pieces) else {
            return;
        };
        let mut squares = 0_i64;
        let mut numbers = high.iter().zip(low);
        for piece in pieces {
            let mut whole = [0_u8; NUMBERS];
            for (into, (high, low)) in whole.iter_mut().zip(numbers.by_ref()) {
                *into = drawn(*high);
                let number = i32::from(*high) * 256 + i32::from(*low);
                let wrong = i64::from(number - middle_of(i32::from(*into)));
                squares += wrong * wrong;
            }
            *piece = packed(&whole);
        }
        let length = (squares as f64).sqrt() * f64::from(size.step);
        if let (Some(step), Some(left_out)) =
            (self.steps.get_mut(slot), self.left_out.get_mut(slot))
        {
            // Single precision is wrong by less than this makes up for.
            (*step, *left_out) = (size.step, (length * 1.000_001) as f32);
        }
    }

    /// All rows, some at a time, by slot.
    pub(super) fn together(&self) -> impl Iterator<Item = Together<'_>> {
        let pieces = self
            .numbers
            .chunks_exact((ROWS_AT_ONCE * self.pieces).max(1));
        let (steps, _) = self.steps.as_chunks();
        let (left_out, _) = self.left_out.as_chunks();
        let rows = pieces.zip(steps.iter().zip(left_out));
        rows.map(|(pieces, (steps, left_out))| Together {
            pieces,
            steps,
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
    /// What is taken from a product, since the numbers of a sketch are counted from their middle.
    offset: i32,
    /// What a product stands for, but for the step of the row.
    scale: f32,
    /// How wrong a product can be by what the row left out, and by what the question did.
    by_row: f32,
    by_question: f32,
}

impl AskedRoughly {
    pub(super) fn of(asked: &Quantised) -> Self {
        let piece = |numbers: &[i8]| {
            let mut piece = AskedPiece([0; NUMBERS]);
            for (into, number) in piece.0.iter_mut().zip(numbers) {
                *into = *number;
            }
            piece
        };
        let sum: i32 = asked.high.iter().map(|it| i32::from(*it)).sum();
        let wholes = asked.high.iter().zip(&asked.low);
        let squares = wholes.map(|(high, low)| i64::from(*high) * 256 + i64::from(*low));
        let squares: i64 = squares.map(|whole| whole * whole).sum();
        let step = f64::from(asked.size.step);
        let (length, low_length) = (
            (squares as f64).sqrt() * step,
            f64::from(asked.size.low_length) * step,
        );
        Self {
            pieces: asked.high.chunks(NUMBERS).map(piece).collect(),
            offset: 241 * sum,
            scale: (32_768.0 * step) as f32,
            // By Cauchy and Schwarz: what was left out of the row meets the whole question, and its sketch, no longer
            // than a vector of length one and what was left out together, meets the lower halves of the question.
            by_row: (1.000_001 * (length + low_length)) as f32,
            // The last number covers the rounding to single precision.
            by_question: (1.01 * low_length + 2e-5) as f32,
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
        let sizes = rows.steps.iter().zip(rows.left_out);
        for (most, (product, (step, left_out))) in most.iter_mut().zip(products.iter().zip(sizes)) {
            // 4,096 and 30,848, which is eight times that less the middle, are 32 and 241 times 128.
            let middle = (32 * product - self.offset) as f32 * (self.scale * step);
            *most = middle + self.by_row * left_out + self.by_question;
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
    fn most_and_whole(vectors: &[Quantised], kernel: impl Kernel) -> Vec<(f32, f64)> {
        let Some((asked, rows)) = vectors.split_first() else {
            return Vec::new();
        };
        let mut sketches = Sketches::default();
        sketches.reach(rows.len(), asked.high.len());
        for (slot, row) in rows.iter().enumerate() {
            sketches.draw(slot, &row.high, &row.low, row.size);
        }
        let roughly = AskedRoughly::of(asked);
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
        fn no_row_reaches_more_than_its_sketch_says(vectors in vectors()) {
            for (most, whole) in most_and_whole(&vectors, Plain) {
                prop_assert!(f64::from(most) >= whole, "{most} is less than {whole}");
            }
        }

        #[test]
        fn every_machine_reads_a_sketch_alike(vectors in vectors()) {
            let plain = most_and_whole(&vectors, Plain);
            #[cfg(target_arch = "x86_64")]
            if let Some(kernel) = pulp::x86::V3::try_new() {
                prop_assert_eq!(most_and_whole(&vectors, kernel), plain);
            }
        }
    }

    #[test]
    fn the_property_catches_a_sketch_that_takes_itself_for_exact() {
        let broken = |vectors: &Vec<Quantised>| {
            let all = most_and_whole(vectors, Plain);
            let margin = vectors.first().map_or(0.0, |asked| {
                let asked = AskedRoughly::of(asked);
                asked.by_row * 0.1
            });
            all.iter()
                .all(|(most, whole)| f64::from(most - margin) >= *whole)
        };
        assert!(testimony_testkit::breaks(&vectors(), broken));
    }
}
