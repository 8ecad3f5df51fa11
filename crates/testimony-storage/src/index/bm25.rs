//! BM25 over lengths of one byte, the same in every build: what a word says of a row.

/// How soon saying a word again adds little.
const SATURATION: f32 = 1.2;
/// How much a row of more than the average length loses.
const LENGTHS: f32 = 0.75;

/// Lengths up to here are told apart by one; above, by eighths of a power of two.
const EXACT: u32 = 24;

/// The length that a byte stands for.
const fn length_of(byte: u8) -> u32 {
    let byte = byte as u32;
    if byte < EXACT {
        return byte;
    }
    let (step, part) = ((byte - EXACT) >> 3, (byte - EXACT) & 7);
    // Two bytes at the end stand for more than 32 bits hold.
    let above = match step {
        0 => part as u64,
        _ => ((part | 8) as u64) << (step - 1),
    };
    let length = EXACT as u64 + above;
    if length > u32::MAX as u64 {
        u32::MAX
    } else {
        length as u32
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "a byte is below 256, and the compiler runs this"
)]
const LENGTH_OF: [u32; 256] = {
    let mut lengths = [0; 256];
    let mut byte = 0_u8;
    loop {
        lengths[byte as usize] = length_of(byte);
        if byte == u8::MAX {
            break lengths;
        }
        byte += 1;
    }
};

/// The byte of the longest length that is not longer than this one.
pub(super) fn byte_of(length: u32) -> u8 {
    let not_longer = LENGTH_OF.partition_point(|each| *each <= length);
    u8::try_from(not_longer.saturating_sub(1)).unwrap_or(u8::MAX)
}

/// How rare a word is that stands in so many of the rows: the inverse document frequency.
pub(super) fn rarity(standing_in: u64, rows: u64) -> f32 {
    let (standing_in, rows) = (standing_in as f32, rows as f32);
    (1.0 + (rows - standing_in + 0.5) / (standing_in + 0.5)).ln()
}

/// What one word is worth, row by row.
pub(super) struct Weight {
    most: f32,
    by_length: [f32; 256],
    /// What a row says that has it once, as most have.
    once: [f32; 256],
}

impl Weight {
    /// Of a word that is so rare, over rows whose average length this is.
    pub(super) fn of(rarity: f32, average: f32) -> Self {
        let dampened =
            |length: u32| SATURATION * (1.0 - LENGTHS + LENGTHS * length as f32 / average);
        let most = rarity * (1.0 + SATURATION);
        let by_length = LENGTH_OF.map(dampened);
        Self {
            most,
            by_length,
            once: by_length.map(|dampened| said(most, 1, dampened)),
        }
    }

    /// What a row says that has it so often, by the byte of its length.
    pub(super) fn score(&self, length: u8, count: u32) -> f32 {
        let place = usize::from(length);
        if count == 1 {
            return self.once.get(place).copied().unwrap_or(0.0);
        }
        let dampened = self.by_length.get(place).copied().unwrap_or(0.0);
        said(self.most, count, dampened)
    }
}

/// What a word says that stands there so often.
fn said(most: f32, count: u32, dampened: f32) -> f32 {
    let count = count as f32;
    most * (count / (count + dampened))
}

#[cfg(all(test, feature = "tantivy"))]
mod tests {
    use tantivy::fieldnorm::FieldNormReader;
    use tantivy::query::Bm25Weight;

    use super::*;

    #[test]
    fn lengths_are_rounded_as_tantivy_rounds_them() {
        let beside = |length: u32| [length.saturating_sub(1), length, length.saturating_add(1)];
        for length in (0..4_000).chain(LENGTH_OF.into_iter().flat_map(beside)) {
            assert_eq!(
                byte_of(length),
                FieldNormReader::fieldnorm_to_id(length),
                "{length}"
            );
        }
    }

    #[test]
    fn a_row_says_what_tantivy_would_have_it_say() {
        for (standing_in, rows, average) in [(1, 1, 1.0), (3, 1_000, 14.2), (900, 1_000, 80.0)] {
            let own = Weight::of(rarity(standing_in, rows), average);
            let other = Bm25Weight::for_one_term_without_explain(standing_in, rows, average);
            for (length, count) in [(0, 1), (12, 2), (40, 9), (120, 1), (255, 3)] {
                let scores = (own.score(length, count), other.score(length, count));
                assert!((scores.0 - scores.1).abs() <= 1e-6 * scores.1, "{scores:?}");
            }
        }
    }
}
