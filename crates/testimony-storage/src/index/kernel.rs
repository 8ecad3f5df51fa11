//! The sum of products that a scan spends its time with, as quick as the machine allows.
//!
//! A scan waits for memory, and waits less the fewer operations a row takes, since more rows are then under way.

/// Sums the products of a row of eight bits and a question that has been widened to sixteen.
pub(super) trait Kernel: Copy {
    fn product(self, row: &[i8], asked: &[i16]) -> i32;
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
}
