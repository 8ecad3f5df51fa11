//! The sum of products that a scan spends its time with, as quick as the machine allows.
//!
//! A scan waits for memory, and waits less the fewer operations a row takes, since more rows are then under way.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::__m256i;

use super::sketch::{Asked, Drawn, ROWS_AT_ONCE};

/// Sums products of a row and a question.
pub(super) trait Kernel: Copy {
    /// Of a row of eight bits and a question that has been widened to sixteen.
    fn product(self, row: &[i8], asked: &[i16]) -> i32;

    /// Of the sketches of some rows, which lie one behind the other, and a question.
    fn products(self, rows: &[Drawn; ROWS_AT_ONCE], asked: &Asked) -> [i32; ROWS_AT_ONCE];
}

/// What the compiler makes of it.
#[derive(Clone, Copy)]
pub(super) struct Plain;

impl Kernel for Plain {
    #[inline(always)]
    fn product(self, row: &[i8], asked: &[i16]) -> i32 {
        let pairs = row.iter().zip(asked);
        pairs
            .map(|(left, right)| i32::from(*left) * i32::from(*right))
            .sum()
    }

    #[inline(always)]
    fn products(self, rows: &[Drawn; ROWS_AT_ONCE], asked: &Asked) -> [i32; ROWS_AT_ONCE] {
        let mut products = [0; ROWS_AT_ONCE];
        for (product, row) in products.iter_mut().zip(rows) {
            *product = of_row(row, asked);
        }
        products
    }
}

/// The sum of the products of a sketch.
#[inline(always)]
fn of_row(row: &Drawn, asked: &Asked) -> i32 {
    let (asked, _) = asked.0.as_chunks::<32>();
    let halves = row.0.chunks(32);
    let halves = halves.flat_map(|bytes| [(bytes, 0), (bytes, 4)]);
    let of_half = |((bytes, shift), asked): ((&[u8], u32), &[i8; 32])| -> i32 {
        let pairs = bytes.iter().zip(asked);
        pairs
            .map(|(byte, asked)| i32::from(byte >> shift & 15) * i32::from(*asked))
            .sum()
    };
    halves.zip(asked).map(of_half).sum()
}

/// Sixteen numbers at a time, in two sums side by side.
#[cfg(target_arch = "x86_64")]
impl Kernel for pulp::x86::V3 {
    #[inline(always)]
    fn product(self, row: &[i8], asked: &[i16]) -> i32 {
        let (row, row_rest) = row.as_chunks::<32>();
        let (asked, asked_rest) = asked.as_chunks::<32>();
        let mut even = self.splat_i32x8(0);
        let mut odd = even;
        let mut asked = asked.iter();
        for row in row {
            let Some(asked) = asked.next() else { break };
            let [first, second]: [pulp::i8x16; 2] = pulp::cast(*row);
            let [by_first, by_second]: [pulp::i16x16; 2] = pulp::cast(*asked);
            let first = self.convert_i8x16_to_i16x16(first);
            let second = self.convert_i8x16_to_i16x16(second);
            let first = self.multiply_wrapping_add_adjacent_i16x16(first, by_first);
            let second = self.multiply_wrapping_add_adjacent_i16x16(second, by_second);
            even = self.wrapping_add_i32x8(even, first);
            odd = self.wrapping_add_i32x8(odd, second);
        }
        let [a, b, c, d, e, f, g, h]: [i32; 8] = pulp::cast(self.wrapping_add_i32x8(even, odd));
        let sum = ((a + e) + (b + f)) + ((c + g) + (d + h));
        if row_rest.is_empty() {
            return sum;
        }
        sum + Plain.product(row_rest, asked_rest)
    }

    #[inline(always)]
    fn products(self, rows: &[Drawn; ROWS_AT_ONCE], asked: &Asked) -> [i32; ROWS_AT_ONCE] {
        let [a, b, c, d, e, f, g, h] = rows;
        // No closures here: what they call is not compiled for the registers that this function may use.
        let first = paired(
            self,
            paired(self, of_sketch(self, a, asked), of_sketch(self, b, asked)),
            paired(self, of_sketch(self, c, asked), of_sketch(self, d, asked)),
        );
        let second = paired(
            self,
            paired(self, of_sketch(self, e, asked), of_sketch(self, f, asked)),
            paired(self, of_sketch(self, g, asked), of_sketch(self, h, asked)),
        );
        let lower = self.avx2._mm256_permute2x128_si256::<0x20>(first, second);
        let upper = self.avx2._mm256_permute2x128_si256::<0x31>(first, second);
        pulp::cast(self.avx2._mm256_add_epi32(lower, upper))
    }
}

/// The sums of neighbours, of both.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn paired(simd: pulp::x86::V3, one: __m256i, other: __m256i) -> __m256i {
    simd.avx2._mm256_hadd_epi32(one, other)
}

/// Eight sums that add up to the product of a sketch and a question. A sum of sixteen bits holds four products of four
/// bits and eight, each with its neighbour.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn of_sketch(simd: pulp::x86::V3, row: &Drawn, asked: &Asked) -> __m256i {
    let [first, second]: [__m256i; 2] = pulp::cast(row.0);
    let [a, b, c, d]: [__m256i; 4] = pulp::cast(asked.0);
    let sums = more(simd, simd.avx._mm256_setzero_si256(), first, [a, b]);
    let sums = more(simd, sums, second, [c, d]);
    simd.avx2
        ._mm256_madd_epi16(sums, simd.avx._mm256_set1_epi16(1))
}

/// The sums with the products of the lower and of the upper halves of some bytes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn more(simd: pulp::x86::V3, sums: __m256i, bytes: __m256i, asked: [__m256i; 2]) -> __m256i {
    let avx2 = simd.avx2;
    let four_bits = simd.avx._mm256_set1_epi8(15);
    let [by_low, by_high] = asked;
    let low = avx2._mm256_and_si256(bytes, four_bits);
    let high = avx2._mm256_and_si256(avx2._mm256_srli_epi16::<4>(bytes), four_bits);
    let low = avx2._mm256_maddubs_epi16(low, by_low);
    let high = avx2._mm256_maddubs_epi16(high, by_high);
    avx2._mm256_add_epi16(sums, avx2._mm256_add_epi16(low, high))
}
