//! Products of whole numbers, which are the same on every machine in whatever order they are summed, as quick as the machine
//! allows: what reading spends its time with.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::__m256i;

/// So many states are multiplied with two rows of a matrix at once.
pub(super) const AT_ONCE: usize = 4;

/// Sums products of rows of a matrix and of states.
pub(super) trait Kernel: Copy {
    /// Of each of two rows with each of some states: those of the first row, then those of the second.
    fn products(self, rows: [&[i16]; 2], states: [&[i16]; AT_ONCE]) -> [i32; 2 * AT_ONCE];
}

/// What the compiler makes of it.
#[derive(Clone, Copy)]
pub(super) struct Plain;

impl Kernel for Plain {
    #[inline(always)]
    fn products(self, rows: [&[i16]; 2], states: [&[i16]; AT_ONCE]) -> [i32; 2 * AT_ONCE] {
        let [first, second] = rows;
        let [a, b, c, d] = states;
        [
            product(first, a),
            product(first, b),
            product(first, c),
            product(first, d),
            product(second, a),
            product(second, b),
            product(second, c),
            product(second, d),
        ]
    }
}

#[inline(always)]
fn product(one: &[i16], other: &[i16]) -> i32 {
    let pairs = one.iter().zip(other);
    pairs
        .map(|(one, other)| i32::from(*one) * i32::from(*other))
        .sum()
}

/// Sixteen numbers at a time; what does not fill sixteen is summed as everywhere.
#[cfg(target_arch = "x86_64")]
impl Kernel for pulp::x86::V3 {
    #[inline(always)]
    fn products(self, rows: [&[i16]; 2], states: [&[i16]; AT_ONCE]) -> [i32; 2 * AT_ONCE] {
        let avx2 = self.avx2;
        let zero = self.avx._mm256_setzero_si256();
        let mut sums = [zero; 2 * AT_ONCE];
        let [(first, first_rest), (second, second_rest)] = rows.map(|row| row.as_chunks::<16>());
        let [(a, a_rest), (b, b_rest), (c, c_rest), (d, d_rest)] =
            states.map(|state| state.as_chunks::<16>());
        let states = a.iter().zip(b).zip(c.iter().zip(d));
        for ((first, second), ((a, b), (c, d))) in first.iter().zip(second).zip(states) {
            let first: __m256i = pulp::cast(*first);
            let second: __m256i = pulp::cast(*second);
            let [a, b, c, d]: [__m256i; AT_ONCE] = [
                pulp::cast(*a),
                pulp::cast(*b),
                pulp::cast(*c),
                pulp::cast(*d),
            ];
            sums[0] = avx2._mm256_add_epi32(sums[0], avx2._mm256_madd_epi16(first, a));
            sums[1] = avx2._mm256_add_epi32(sums[1], avx2._mm256_madd_epi16(first, b));
            sums[2] = avx2._mm256_add_epi32(sums[2], avx2._mm256_madd_epi16(first, c));
            sums[3] = avx2._mm256_add_epi32(sums[3], avx2._mm256_madd_epi16(first, d));
            sums[4] = avx2._mm256_add_epi32(sums[4], avx2._mm256_madd_epi16(second, a));
            sums[5] = avx2._mm256_add_epi32(sums[5], avx2._mm256_madd_epi16(second, b));
            sums[6] = avx2._mm256_add_epi32(sums[6], avx2._mm256_madd_epi16(second, c));
            sums[7] = avx2._mm256_add_epi32(sums[7], avx2._mm256_madd_epi16(second, d));
        }
        let mut sums = self.each_summed(sums);
        if !first_rest.is_empty() {
            let rest = [a_rest, b_rest, c_rest, d_rest];
            let rest = Plain.products([first_rest, second_rest], rest);
            for (sum, rest) in sums.iter_mut().zip(rest) {
                *sum += rest;
            }
        }
        sums
    }
}

#[cfg(target_arch = "x86_64")]
trait Summed {
    /// The sum of the numbers of each.
    fn each_summed(self, numbers: [__m256i; 2 * AT_ONCE]) -> [i32; 2 * AT_ONCE];
}

#[cfg(target_arch = "x86_64")]
impl Summed for pulp::x86::V3 {
    #[inline(always)]
    fn each_summed(self, numbers: [__m256i; 2 * AT_ONCE]) -> [i32; 2 * AT_ONCE] {
        let avx2 = self.avx2;
        let [a, b, c, d, e, f, g, h] = numbers;
        let (ab, cd) = (avx2._mm256_hadd_epi32(a, b), avx2._mm256_hadd_epi32(c, d));
        let (ef, gh) = (avx2._mm256_hadd_epi32(e, f), avx2._mm256_hadd_epi32(g, h));
        let (lower, upper) = (
            avx2._mm256_hadd_epi32(ab, cd),
            avx2._mm256_hadd_epi32(ef, gh),
        );
        let low = avx2._mm256_permute2x128_si256::<0x20>(lower, upper);
        let high = avx2._mm256_permute2x128_si256::<0x31>(lower, upper);
        pulp::cast(avx2._mm256_add_epi32(low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all sizes that occur, always the same.
    fn numbers(seed: u32, count: usize, most: i16) -> Vec<i16> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            i16::try_from(i64::from(state >> 8) % (2 * i64::from(most) + 1)).unwrap_or_default()
        };
        (0..count).map(|_| next() - most).collect()
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn every_kind_of_machine_sums_the_same() {
        let Some(kernel) = pulp::x86::V3::try_new() else {
            return;
        };
        for count in [1, 15, 16, 31, 64, 320, 384, 390] {
            let rows = [1, 2].map(|seed| numbers(seed, count, 127));
            let states = [3, 4, 5, 6].map(|seed| numbers(seed, count, 8_191));
            let rows = [rows[0].as_slice(), rows[1].as_slice()];
            let states = [&states[0], &states[1], &states[2], &states[3]].map(Vec::as_slice);
            assert_eq!(
                kernel.products(rows, states),
                Plain.products(rows, states),
                "{count}"
            );
        }
    }

    #[test]
    fn products_are_sums_of_products() {
        let (first, second) = ([1, 2, 3], [0, -1, 5]);
        let states: [&[i16]; AT_ONCE] = [&[1, 1, 1], &[2, 0, 0], &[0, 0, -4], &[0, 0, 0]];
        let sums = Plain.products([&first, &second], states);
        assert_eq!(sums, [6, 2, -12, 0, 4, 0, -20, 0]);
    }
}
