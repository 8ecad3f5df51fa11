//! The vectors of a container by one embedder, in sixteen bits a number.
//!
//! The upper eight bits of all numbers lie side by side, so that a scan reads half of what is kept; the lower eight make
//! the exact order of what the scan leaves.
//! Everything is summed in whole numbers, which add up to the same whatever the order and the machine.

use pulp::{Arch, Simd, WithSimd};
use testimony_service::ports::embedder::{EmbedderIdentity, Vector};

use super::kernel::{Kernel, Plain};
use super::sketch::Sketches;

/// The largest number of sixteen bits that is used: its upper half then never leaves eight bits.
const LARGEST: f32 = 127.0 * 256.0;

/// With more, a sum of products could leave 32 bits.
const MOST_DIMENSIONS: usize = 1 << 16;

/// About so many vectors tell which ways all of them go.
const TELL_THE_WAY: usize = 4_096;

/// A vector in sixteen bits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantised {
    pub(super) high: Vec<i8>,
    pub(super) low: Vec<i8>,
    pub(super) size: Size,
}

/// How large the numbers of a vector are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Size {
    /// What one step stands for; 0 says that there is no vector.
    pub(super) step: f32,
    /// The length of the lower halves, in steps: by so much the upper halves alone can be wrong.
    pub(super) low_length: f32,
}

impl Quantised {
    pub(super) fn of(vector: &Vector) -> Self {
        let largest = vector
            .as_slice()
            .iter()
            .fold(0.0_f32, |largest, number| largest.max(number.abs()));
        let step = largest / LARGEST;
        let mut this = Self {
            high: Vec::new(),
            low: Vec::new(),
            size: Size {
                step,
                low_length: 0.0,
            },
        };
        let mut squares = 0_i64;
        for number in vector.as_slice() {
            let whole = (number / step).round().clamp(-LARGEST, LARGEST) as i32;
            let high = (whole + 128) >> 8;
            let low = whole - (high << 8);
            squares += i64::from(low) * i64::from(low);
            this.high.push(high as i8);
            this.low.push(low as i8);
        }
        this.size.low_length = (squares as f64).sqrt() as f32;
        this
    }
}

/// The vectors of a container by one embedder, by slot.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) embedder: EmbedderIdentity,
    pub(super) high: Vec<i8>,
    pub(super) low: Vec<i8>,
    pub(super) sizes: Vec<Size>,
    /// Rougher than the upper halves; there are some where there are many rows.
    pub(super) sketches: Sketches,
}

impl Space {
    pub(super) fn new(embedder: EmbedderIdentity) -> Self {
        Self {
            embedder,
            high: Vec::new(),
            low: Vec::new(),
            sizes: Vec::new(),
            sketches: Sketches::default(),
        }
    }

    pub(super) fn dimensions(&self) -> usize {
        self.embedder.dimensions
    }

    pub(super) fn has(&self, slot: u32) -> bool {
        self.sizes
            .get(slot as usize)
            .is_some_and(|size| size.step > 0.0)
    }

    /// Puts a vector into a slot. One of other dimensions than its embedder says is not taken.
    pub(super) fn put(&mut self, slot: u32, vector: &Quantised) {
        let dimensions = self.dimensions();
        if vector.high.len() != dimensions || !(1..=MOST_DIMENSIONS).contains(&dimensions) {
            return;
        }
        let slots = (slot as usize + 1).max(self.sizes.len());
        grow(&mut self.sizes, slots, Size::default());
        grow(&mut self.high, slots * dimensions, 0);
        grow(&mut self.low, slots * dimensions, 0);
        self.write(slot, &vector.high, &vector.low, vector.size);
    }

    /// Whether this very vector stands in a slot.
    pub(super) fn holds(&self, slot: u32, vector: &Quantised) -> bool {
        let range = self.range(slot);
        self.sizes.get(slot as usize) == Some(&vector.size)
            && self.high.get(range.clone()) == Some(vector.high.as_slice())
            && self.low.get(range) == Some(vector.low.as_slice())
    }

    /// The upper halves of the vector in a slot, with nothing below them.
    pub(super) fn upper_halves(&self, slot: u32) -> Option<Quantised> {
        let size = self.sizes.get(slot as usize).filter(|it| it.step > 0.0)?;
        Some(Quantised {
            high: self.high.get(self.range(slot))?.to_vec(),
            low: Vec::new(),
            size: *size,
        })
    }

    /// Has the upper halves in these slots, and how large they are, come from memory together: measured one by one, each would be waited for alone.
    #[inline(always)]
    pub(super) fn fetch(&self, slots: impl Iterator<Item = u32>) {
        let mut any = 0;
        for slot in slots {
            let size = self.sizes.get(slot as usize);
            any |= size.map_or(0, |size| size.step.to_bits() as i8);
            any |= a_number_of_each_line(&self.high, self.range(slot));
        }
        std::hint::black_box(any);
    }

    fn range(&self, slot: u32) -> std::ops::Range<usize> {
        let dimensions = self.dimensions();
        slot as usize * dimensions..(slot as usize + 1) * dimensions
    }

    /// Overwrites what stands in a slot.
    pub(super) fn clear(&mut self, slot: u32) {
        if (slot as usize) < self.sizes.len() {
            let nothing = vec![0; self.dimensions()];
            self.write(slot, &nothing, &nothing, Size::default());
        }
    }

    fn write(&mut self, slot: u32, high: &[i8], low: &[i8], size: Size) {
        let range = self.range(slot);
        if let (Some(into_high), Some(into_low), Some(into_size)) = (
            self.high.get_mut(range.clone()),
            self.low.get_mut(range),
            self.sizes.get_mut(slot as usize),
        ) {
            into_high.copy_from_slice(high);
            into_low.copy_from_slice(low);
            *into_size = size;
        }
        let slots = self.sizes.len();
        if self.sketches.are_there() && !self.sketches.are_outgrown(slots) {
            self.sketches.reach(slots);
            self.sketches.draw(slot as usize, high, low, size);
        } else {
            self.sketch();
        }
    }

    /// Draws every vector, where there are so many that it pays.
    pub(super) fn sketch(&mut self) {
        if Sketches::are_wanted(self.sizes.len(), self.dimensions()) {
            self.draw_all();
        }
    }

    /// Draws every vector, along the ways of all of them.
    pub(super) fn draw_all(&mut self) {
        let (slots, dimensions) = (self.sizes.len(), self.dimensions());
        self.sketches.reach(slots);
        let vectors = self.high.chunks_exact(dimensions);
        let vectors = vectors.zip(self.low.chunks_exact(dimensions));
        let vectors = vectors.zip(&self.sizes);
        let vectors = vectors.map(|((high, low), size)| (high, low, *size));
        let few = vectors.clone().step_by(slots.div_ceil(TELL_THE_WAY).max(1));
        self.sketches.turn(slots, few);
        for (slot, (high, low, size)) in vectors.enumerate() {
            self.sketches.draw(slot, high, low, size);
        }
    }

    /// The cosines to the vectors in these slots, as exactly as sixteen bits have them.
    pub(super) fn cosines(&self, asked: &Quantised, slots: &[u32]) -> Vec<Option<f32>> {
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = pulp::x86::V3::try_new() {
            let measure = Measure::of(self, asked, slots, kernel);
            return Simd::vectorize(kernel, measure);
        }
        Arch::new().dispatch(Measure::of(self, asked, slots, Plain))
    }
}

/// Exact cosines, a few at a time.
struct Measure<'a, K> {
    space: &'a Space,
    slots: &'a [u32],
    /// The halves of the question, widened.
    high: Vec<i16>,
    low: Vec<i16>,
    step: f64,
    kernel: K,
}

impl<'a, K: Kernel> Measure<'a, K> {
    fn of(space: &'a Space, asked: &Quantised, slots: &'a [u32], kernel: K) -> Self {
        let widened = |half: &[i8]| half.iter().map(|it| i16::from(*it)).collect();
        Self {
            space,
            slots,
            high: widened(&asked.high),
            low: widened(&asked.low),
            step: f64::from(asked.size.step),
            kernel,
        }
    }

    #[inline(always)]
    fn cosine(&self, slot: u32) -> Option<f32> {
        let (space, kernel) = (self.space, self.kernel);
        let range = space.range(slot);
        let size = space
            .sizes
            .get(slot as usize)
            .filter(|size| size.step > 0.0)?;
        let (high, low) = (space.high.get(range.clone())?, space.low.get(range)?);
        let of = |row: &[i8], asked: &[i16]| i64::from(kernel.product(row, asked));
        let middle = of(high, &self.low) + of(low, &self.high);
        let sum = (of(high, &self.high) << 16) + (middle << 8) + of(low, &self.low);
        let cosine = sum as f64 * f64::from(size.step) * self.step;
        Some(cosine.clamp(-1.0, 1.0) as f32)
    }
}

// What is written as an operation of its own is compiled once for each kind of machine, with its widest registers.
impl<K: Kernel> WithSimd for Measure<'_, K> {
    type Output = Vec<Option<f32>>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<Option<f32>> {
        let mut cosines = Vec::with_capacity(self.slots.len());
        for slots in self.slots.chunks(TOGETHER) {
            self.space.fetch(slots.iter().copied());
            let low = slots.iter().map(|slot| self.space.range(*slot));
            let low = low.map(|range| a_number_of_each_line(&self.space.low, range));
            std::hint::black_box(low.fold(0, |any, number| any | number));
            for slot in slots {
                cosines.push(self.cosine(*slot));
            }
        }
        cosines
    }
}

/// So many vectors come from memory together.
const TOGETHER: usize = 16;

/// As much as comes from memory at once.
const LINE: usize = 64;

/// Looks at a number of each line that these lie on, so that all of them are on their way.
#[inline(always)]
fn a_number_of_each_line(numbers: &[i8], range: std::ops::Range<usize>) -> i8 {
    let lines = numbers.get(range).unwrap_or_default().chunks(LINE);
    let first = |line: &[i8]| line.first().copied().unwrap_or(0);
    lines.fold(0, |any, line| any | first(line))
}

/// Grows by an eighth at a time: with a thousand containers, doubling would leave a third of all memory unused.
pub(super) fn grow<T: Clone>(numbers: &mut Vec<T>, length: usize, value: T) {
    if length > numbers.capacity() {
        numbers.reserve_exact(length + length / 8 - numbers.len());
    }
    if length > numbers.len() {
        numbers.resize(length, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bits_keep_a_cosine_to_four_digits() {
        let numbers = |seed: u32| {
            let wave = |at: u32| ((at * 37 + seed * 101) as f32).sin();
            Vector::from_direction((0..256).map(wave).collect()).unwrap()
        };
        let embedder = EmbedderIdentity {
            name: "wave".into(),
            revision: "1".into(),
            dimensions: 256,
        };
        let mut space = Space::new(embedder);
        for seed in 0..50 {
            space.put(seed, &Quantised::of(&numbers(seed)));
        }
        let asked = numbers(7);
        for seed in 0..50 {
            let kept = space.cosines(&Quantised::of(&asked), &[seed]);
            let kept = kept.first().copied().flatten().unwrap();
            assert!(
                (kept - asked.cosine(&numbers(seed)).unwrap()).abs() < 1e-4,
                "{seed}"
            );
        }
        space.clear(7);
        let cleared = space.cosines(&Quantised::of(&asked), &[7]);
        assert_eq!((space.has(7), cleared), (false, vec![None]));
    }

    #[test]
    fn tiny_and_lone_numbers_stay_in_their_bits() {
        for numbers in [
            vec![1.0],
            vec![-1.0, 1e-30],
            vec![1e-20; 3],
            vec![-0.5, 0.5, -0.5, 0.5],
        ] {
            let quantised = Quantised::of(&Vector::from_direction(numbers).unwrap());
            assert!(quantised.size.step > 0.0);
        }
    }
}
