//! Vectors drawn roughly: how far each goes the ways in which those of its container differ most, in four bits a way. A
//! scan of many rows looks at these first, a fourth of the upper halves in length, and at few of the rows closer.
//!
//! What a sketch leaves out of a vector is measured when it is drawn, so how far it can be wrong is known, and no row is
//! passed over that the upper halves would not have passed over as well.
//!
//! The vectors of a container point much the same way, so how far each goes that way is kept in full, and drawn is only
//! what it has beside that: less is left out, and of a question only what it has beside that way can meet it.
//! Any ways give the same outcome; good ones let fewer rows by.

use super::vectors::{Quantised, Size};
use super::ways::{WAYS, Ways};

/// So many rows are looked at together.
pub(super) const ROWS_AT_ONCE: usize = 8;
/// With fewer rows a scan is quick without sketches.
const FROM_ROWS: usize = 4_096;
/// With more dimensions it would take too long to find the ways.
const MOST_DIMENSIONS: usize = 4_096;
/// Where there are so many times the rows that there were, ways are looked for again.
const OUTGROWN: usize = 8;

/// The sketch of a row. A byte of its first half holds a number and the one 32 behind it; so does one of its second
/// half, for the 64 numbers that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Drawn(pub(super) [u8; WAYS / 2]);

/// The numbers of a question that meet a sketch, in their order.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Asked(pub(super) [i8; WAYS]);

/// The sketches of the vectors of a container, by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Sketches {
    /// For how many rows the ways were found; none while nothing is drawn.
    found_for: usize,
    /// The way that most vectors go, of length one; empty where there is none.
    way: Vec<f32>,
    ways: Ways,
    drawn: Vec<Drawn>,
    /// How far each vector goes the common way.
    along: Vec<f32>,
    /// What half a step of each sketch stands for.
    half_steps: Vec<f32>,
    /// How long what each sketch leaves out of its own ways is.
    left_out: Vec<f32>,
    /// How long what each vector has beside all ways is.
    beside: Vec<f32>,
}

/// Some rows that are looked at together.
pub(super) struct Together<'a> {
    pub(super) drawn: &'a [Drawn; ROWS_AT_ONCE],
    along: &'a [f32; ROWS_AT_ONCE],
    half_steps: &'a [f32; ROWS_AT_ONCE],
    left_out: &'a [f32; ROWS_AT_ONCE],
    beside: &'a [f32; ROWS_AT_ONCE],
}

/// Numbers of a sketch stand for so many half steps above their own, doubled: from 15 below nothing to 15 above it.
const MIDDLE: i32 = 15;

/// How wrong a product along the ways can be, and the square of what is beside them, by single precision: the
/// sums of 4,096 products for twice as many ways would be wrong by less.
const ROUNDED: f64 = 5e-4;

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

fn largest(numbers: &[f32]) -> f32 {
    numbers.iter().fold(0.0, |most, it| it.abs().max(most))
}

fn length(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.map(|it| it * it).sum::<f64>().sqrt()
}

/// A vector as its container sees it.
struct Turned {
    /// How far it goes the common way.
    along: f64,
    /// How far it goes each of the ways.
    ways: [f32; WAYS],
    /// How long it is along all of them.
    length: f64,
    /// How long what it has beside all of them is, at the most.
    beside: f64,
}

impl Sketches {
    /// Whether vectors of so many dimensions are to be drawn where there are so many.
    pub(super) const fn are_wanted(slots: usize, dimensions: usize) -> bool {
        slots >= FROM_ROWS && 1 <= dimensions && dimensions <= MOST_DIMENSIONS
    }

    pub(super) const fn are_there(&self) -> bool {
        self.found_for > 0
    }

    /// Whether there are so many rows now that better ways may be found.
    pub(super) const fn are_outgrown(&self, slots: usize) -> bool {
        self.are_there() && slots / OUTGROWN >= self.found_for
    }

    /// Makes room for so many rows.
    pub(super) fn reach(&mut self, slots: usize) {
        let rows = slots.next_multiple_of(ROWS_AT_ONCE);
        super::vectors::grow(&mut self.drawn, rows, Drawn([0; WAYS / 2]));
        super::vectors::grow(&mut self.along, rows, 0.0);
        super::vectors::grow(&mut self.half_steps, rows, 0.0);
        super::vectors::grow(&mut self.left_out, rows, 0.0);
        super::vectors::grow(&mut self.beside, rows, 0.0);
    }

    /// Has what is drawn from now on drawn along the ways of these vectors, some of so many. What was drawn before has to
    /// be drawn again.
    pub(super) fn turn<'v>(
        &mut self,
        slots: usize,
        vectors: impl Iterator<Item = (&'v [i8], &'v [i8], Size)> + Clone,
    ) {
        let mut sums: Vec<f64> = Vec::new();
        for (high, low, size) in vectors.clone() {
            sums.resize(sums.len().max(high.len()), 0.0);
            for (sum, number) in sums.iter_mut().zip(numbers_of(high, low, size)) {
                *sum += number;
            }
        }
        let length = length(sums.iter().copied());
        let way = sums.iter().map(|sum| (sum / length) as f32);
        self.way = way.filter(|_| length > 1e-6).collect();
        let beside = vectors.map(|(high, low, size)| {
            let numbers = numbers_of(high, low, size);
            self.beside_the_way(numbers).1
        });
        self.ways = Ways::of(sums.len(), beside);
        self.found_for = slots;
    }

    /// How far a vector goes the common way, and what it has beside that.
    fn beside_the_way(&self, numbers: impl Iterator<Item = f64> + Clone) -> (f64, Vec<f32>) {
        let way = || self.way.iter().map(|it| f64::from(*it));
        let along: f64 = numbers.clone().zip(way()).map(|(one, way)| one * way).sum();
        let way = way().chain(std::iter::repeat(0.0));
        let beside = numbers
            .zip(way)
            .map(|(one, way)| (one - along * way) as f32);
        (along, beside.collect())
    }

    fn turned(&self, numbers: impl Iterator<Item = f64> + Clone) -> Turned {
        let (along, beside) = self.beside_the_way(numbers);
        let ways = self.ways.along(&beside);
        let squares =
            |numbers: &[f32]| -> f64 { numbers.iter().map(|it| f64::from(it * it)).sum() };
        let (all, of_ways) = (squares(&beside), squares(&ways));
        Turned {
            along,
            ways,
            length: of_ways.sqrt(),
            beside: ((all - of_ways).max(0.0) + ROUNDED).sqrt(),
        }
    }

    /// Draws the vector in a slot.
    pub(super) fn draw(&mut self, slot: usize, high: &[i8], low: &[i8], size: Size) {
        let turned = self.turned(numbers_of(high, low, size));
        // In single precision, as it is kept: what is left out is measured from what is read.
        let half_step = largest(&turned.ways) / MIDDLE as f32;
        let mut numbers = [0_u8; WAYS];
        let mut squares = 0.0;
        for (into, number) in numbers.iter_mut().zip(&turned.ways) {
            // The nearest: a half is added, and what is behind the point is cut off.
            let nearest = (number / half_step + (MIDDLE + 1) as f32) / 2.0;
            *into = nearest.clamp(0.0, 15.0) as u8;
            let read = f64::from(2 * i32::from(*into) - MIDDLE) * f64::from(half_step);
            squares += (f64::from(*number) - read).powi(2);
        }
        let kept = (
            (self.drawn.get_mut(slot), self.half_steps.get_mut(slot)),
            (self.along.get_mut(slot), self.left_out.get_mut(slot)),
            self.beside.get_mut(slot),
        );
        if let ((Some(drawn), Some(half_steps)), (Some(along), Some(left_out)), Some(beside)) = kept
        {
            (*drawn, *half_steps) = (packed(&numbers), half_step);
            // Single precision is wrong by less than this makes up for.
            let more = |length: f64| (length * 1.000_001) as f32;
            (*along, *left_out) = (turned.along as f32, more(squares.sqrt()));
            *beside = more(turned.beside);
        }
    }

    /// All rows from one on, some at a time, by slot; the first is a multiple of as many as are looked at together.
    pub(super) fn together(&self, first: usize) -> impl Iterator<Item = Together<'_>> {
        let first = first / ROWS_AT_ONCE;
        let drawn = from(&self.drawn, first);
        let along = from(&self.along, first);
        let half_steps = from(&self.half_steps, first);
        let left_out = from(&self.left_out, first);
        let beside = from(&self.beside, first);
        let sizes = half_steps.iter().zip(left_out.iter().zip(beside));
        let rows = drawn.iter().zip(along.iter().zip(sizes));
        rows.map(
            |(drawn, (along, (half_steps, (left_out, beside))))| Together {
                drawn,
                along,
                half_steps,
                left_out,
                beside,
            },
        )
    }
}

/// What there is of each row, as many rows together as are looked at, without the first of these.
fn from<T>(of_rows: &[T], first: usize) -> &[[T; ROWS_AT_ONCE]] {
    let (together, _) = of_rows.as_chunks();
    together.get(first..).unwrap_or_default()
}

/// Two numbers in a byte.
fn packed(numbers: &[u8; WAYS]) -> Drawn {
    let mut drawn = Drawn([0; WAYS / 2]);
    let (halves, _) = numbers.as_chunks::<64>();
    for (bytes, half) in drawn.0.chunks_mut(32).zip(halves) {
        let (first, second) = half.split_at(32);
        for (byte, (low, high)) in bytes.iter_mut().zip(first.iter().zip(second)) {
            *byte = low | high << 4;
        }
    }
    drawn
}

/// A question, ready to meet sketches.
pub(super) struct AskedRoughly {
    pub(super) asked: Asked,
    /// How far it goes the way of the sketches.
    along: f32,
    /// What is taken from twice a product, since the numbers of a sketch are counted from their middle.
    offset: i32,
    /// What a product stands for, but for the step of the row.
    scale: f32,
    /// How wrong a product can be by what the row left out, by what either has beside the ways, and by what the question
    /// left out.
    by_row: f32,
    beside: f32,
    by_question: f32,
}

impl AskedRoughly {
    pub(super) fn of(asked: &Quantised, sketches: &Sketches) -> Self {
        let turned = sketches.turned(numbers_of(&asked.high, &asked.low, asked.size));
        let step = largest(&turned.ways) / 127.0;
        let drawn = turned.ways.map(|it| (it / step).round() as i8);
        let sum: i32 = drawn.iter().map(|it| i32::from(*it)).sum();
        let wrong = turned.ways.iter().zip(&drawn);
        let wrong = wrong.map(|(it, drawn)| f64::from(*it) - f64::from(*drawn) * f64::from(step));
        let wrong = length(wrong);
        Self {
            asked: Asked(drawn),
            along: turned.along as f32,
            offset: MIDDLE * sum,
            scale: step,
            // By Cauchy and Schwarz: what was left out of the row meets all of the question that is along the ways, and
            // its sketch, no longer than a vector of length one and what was left out together, meets what the question
            // is drawn wrong by; what both have beside the ways is met by nothing else.
            by_row: (1.000_001 * (turned.length + wrong)) as f32,
            beside: (1.000_001 * turned.beside) as f32,
            // The last number covers the rounding to single precision.
            by_question: (1.01 * wrong + ROUNDED) as f32,
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
        let sizes = rows.left_out.iter().zip(rows.beside);
        let sizes = rows.half_steps.iter().zip(sizes);
        let of_rows = products.iter().zip(rows.along.iter().zip(sizes));
        for (most, (product, (along, (half_step, (left_out, beside))))) in
            most.iter_mut().zip(of_rows)
        {
            let drawn = (2 * product - self.offset) as f32 * (self.scale * half_step);
            let wrong = self.by_row * left_out + self.beside * beside + self.by_question;
            *most = self.along * along + drawn + wrong;
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
        // With more dimensions than ways these have to be found, which takes a while.
        let dimensions = prop_oneof![12 => 1_usize..=40, 2 => 90_usize..=128, 1 => 129_usize..=200];
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
        sketches.reach(rows.len());
        let turning = rows.iter().take(turned_by);
        let turning = turning.map(|row| (row.high.as_slice(), row.low.as_slice(), row.size));
        sketches.turn(rows.len(), turning);
        for (slot, row) in rows.iter().enumerate() {
            sketches.draw(slot, &row.high, &row.low, row.size);
        }
        let roughly = AskedRoughly::of(asked, &sketches);
        let most = sketches.together(0).flat_map(|rows| {
            let products = kernel.products(rows.drawn, &roughly.asked);
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
            let margin = 0.1;
            all.iter()
                .all(|(most, whole)| f64::from(most - margin) >= *whole)
        };
        assert!(testimony_testkit::breaks(&vectors(), broken));
    }
}
