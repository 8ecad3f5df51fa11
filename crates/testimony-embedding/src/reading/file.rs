//! The net of the reader as bytes: written by `xtask/fit/reading.py`, read and checked here.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 16 | the mark |
//! | 11 × 4 | format, then the sizes, in the order of [`Sizes`], and the tokens that open and close a text |
//! | 32 | SHA-256 of everything before and after this field |
//! | … | the parts, in the order in which [`super::net`] takes them |
//!
//! A row of a matrix is its scale and a signed byte a number; a vector is its numbers of 32 bits.

use sha2::{Digest, Sha256};

use crate::wordpiece::TokenId;

const MARK: &[u8; 16] = b"testimony-reader";
const FORMAT: u32 = 2;
/// More than any net of this kind has; a header that says more is damaged.
const MOST: usize = 1 << 20;

/// Why bytes are no net of a reader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The bytes are of something else.
    #[error("these bytes are no net of a reader; make one with `xtask/fit/reading.py`")]
    NoNet,
    /// The net is of a version that this program does not know.
    #[error(
        "the net has format {found}, and this program reads {FORMAT}; take the program that it came with"
    )]
    Format {
        /// The format that it has.
        found: u32,
    },
    /// The net ends too early, goes on too long, or its sizes do not fit together.
    #[error("the {part} of the net is cut off or too long; take an undamaged copy of the net")]
    Length {
        /// The part in question.
        part: &'static str,
    },
    /// The bytes are not those that were written.
    #[error("the checksum of the net does not hold; take an undamaged copy of the net")]
    Checksum,
    /// A number is none, or so large that sums would be none.
    #[error(
        "the net holds a number that is not finite or far too large among its {part}; make the net again with `xtask/fit/reading.py`"
    )]
    NotFinite {
        /// The part in question.
        part: &'static str,
    },
}

/// The sizes of a net.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// How many tokens have numbers of their own beside those of the table.
    pub(super) vocabulary: usize,
    /// How many each of them has.
    pub(super) own: usize,
    /// How many numbers a token has in the table.
    pub(super) table: usize,
    /// How many it has in the net.
    pub(super) width: usize,
    pub(super) heads: usize,
    /// How many numbers stand between the two maps of a layer.
    pub(super) between: usize,
    /// How many layers each half has.
    pub(super) layers: usize,
    /// How many places a text has.
    pub(super) places: usize,
}

impl Sizes {
    fn read(rest: &mut &[u8]) -> Result<Self, NetError> {
        let sizes = Self {
            vocabulary: size(rest)?,
            own: size(rest)?,
            table: size(rest)?,
            width: size(rest)?,
            heads: size(rest)?,
            between: size(rest)?,
            layers: size(rest)?,
            places: size(rest)?,
        };
        if sizes.width.is_multiple_of(sizes.heads) {
            Ok(sizes)
        } else {
            Err(NetError::Length { part: "heads" })
        }
    }
}

/// Bytes of which each part is taken in its turn.
pub(super) struct Parts<'a> {
    rest: &'a [u8],
    pub(super) sizes: Sizes,
    pub(super) opens: TokenId,
    pub(super) closes: TokenId,
}

fn taken<'a>(rest: &mut &'a [u8], count: usize, part: &'static str) -> Result<&'a [u8], NetError> {
    let (taken, left) = rest
        .split_at_checked(count)
        .ok_or(NetError::Length { part })?;
    *rest = left;
    Ok(taken)
}

fn number(rest: &mut &[u8]) -> Result<u32, NetError> {
    let bytes = taken(rest, 4, "header")?;
    Ok(u32::from_le_bytes(bytes.try_into().unwrap_or_default()))
}

fn size(rest: &mut &[u8]) -> Result<usize, NetError> {
    let size = usize::try_from(number(rest)?).ok();
    size.filter(|size| (1..=MOST).contains(size))
        .ok_or(NetError::Length { part: "header" })
}

impl<'a> Parts<'a> {
    /// Reads the header, and checks that all the bytes are those that were written.
    pub(super) fn of(bytes: &'a [u8]) -> Result<Self, NetError> {
        let mut rest = bytes;
        if taken(&mut rest, MARK.len(), "mark").ok() != Some(MARK.as_slice()) {
            return Err(NetError::NoNet);
        }
        let found = number(&mut rest)?;
        if found != FORMAT {
            return Err(NetError::Format { found });
        }
        let sizes = Sizes::read(&mut rest)?;
        let (opens, closes) = (number(&mut rest)?, number(&mut rest)?);
        let before = bytes.len() - rest.len();
        let told = taken(&mut rest, 32, "header")?;
        let mut sum = Sha256::new();
        sum.update(bytes.get(..before).unwrap_or_default());
        sum.update(rest);
        let sum = sum.finalize();
        if sum.as_slice() != told {
            return Err(NetError::Checksum);
        }
        Ok(Self {
            rest,
            sizes,
            opens,
            closes,
        })
    }

    pub(super) fn vector(
        &mut self,
        count: usize,
        part: &'static str,
    ) -> Result<Box<[f32]>, NetError> {
        let bytes = taken(&mut self.rest, count.saturating_mul(4), part)?;
        let numbers = bytes.as_chunks().0.iter().copied().map(f32::from_le_bytes);
        let numbers: Box<[f32]> = numbers.collect();
        if numbers.iter().all(|number| number.abs() <= LARGEST) {
            Ok(numbers)
        } else {
            Err(NetError::NotFinite { part })
        }
    }

    pub(super) fn matrix(
        &mut self,
        rows: usize,
        columns: usize,
        part: &'static str,
    ) -> Result<Matrix<'a>, NetError> {
        let scales = self.vector(rows, part)?;
        let bytes = taken(&mut self.rest, rows.saturating_mul(columns), part)?;
        Ok(Matrix {
            scales,
            bytes,
            columns,
        })
    }

    pub(super) fn end(self) -> Result<(), NetError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(NetError::Length { part: "end" })
        }
    }
}

/// So large that no sum of products leaves the range of numbers.
const LARGEST: f32 = 1e6;

/// Rows of signed bytes, each with a scale of its own.
pub(super) struct Matrix<'a> {
    scales: Box<[f32]>,
    bytes: &'a [u8],
    columns: usize,
}

impl Matrix<'_> {
    /// The bytes of a row, and what one of them is worth; nothing of a row that is not there.
    pub(super) fn row(&self, at: usize) -> (&[u8], f32) {
        let bytes = self.bytes.get(at * self.columns..(at + 1) * self.columns);
        let scale = self.scales.get(at).copied().unwrap_or_default();
        (bytes.unwrap_or_default(), scale)
    }

    /// Adds a row to numbers.
    pub(super) fn add_row(&self, at: usize, to: &mut [f32]) {
        let (bytes, scale) = self.row(at);
        for (number, byte) in to.iter_mut().zip(bytes) {
            *number += scale * f32::from(byte.cast_signed());
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.scales.len()
    }

    pub(super) const fn columns(&self) -> usize {
        self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NET: &[u8] = include_bytes!("../../table/reader.net");

    fn fault(bytes: &[u8]) -> Option<NetError> {
        Parts::of(bytes).err()
    }

    #[test]
    fn every_damage_is_named() {
        assert_eq!(fault(NET), None);
        assert_eq!(fault(b"something else"), Some(NetError::NoNet));
        let mut other = NET.to_vec();
        other[16] = 1;
        assert_eq!(fault(&other), Some(NetError::Format { found: 1 }));
        for at in [61, 70, NET.len() / 2, NET.len() - 1] {
            let mut damaged = NET.to_vec();
            damaged[at] ^= 1;
            assert_eq!(fault(&damaged), Some(NetError::Checksum), "{at}");
        }
        let cut = &NET[..NET.len() - 1];
        assert_eq!(fault(cut), Some(NetError::Checksum));
        assert_eq!(fault(&NET[..40]), Some(NetError::Length { part: "header" }));
    }
}
