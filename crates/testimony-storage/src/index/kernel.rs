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
        let product = |row: &[i8; 16], asked: &[i16; 16]| {
            let row = self.convert_i8x16_to_i16x16(pulp::cast(*row));
            self.multiply_wrapping_add_adjacent_i16x16(row, pulp::cast(*asked))
        };
        let mut even = self.splat_i32x8(0);
        let mut odd = even;
        for (row, asked) in row.iter().zip(asked) {
            let (row, _) = row.as_chunks::<16>();
            let (asked, _) = asked.as_chunks::<16>();
            if let ([first, second], [by_first, by_second]) = (row, asked) {
                even = self.wrapping_add_i32x8(even, product(first, by_first));
                odd = self.wrapping_add_i32x8(odd, product(second, by_second));
            }
        }
        let sums: [i32; 8] = pulp::cast(self.wrapping_add_i32x8(even, odd));
        sums.iter().sum::<i32>() + Plain.product(row_rest, asked_rest)
    }
}
