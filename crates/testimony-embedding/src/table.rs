//! The table of the static embedder as bytes: written by the distiller, read and checked here.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 16 | the mark |
//! | 6 × 4 | format, dimensions, tokens, then the sizes of vocabulary, calibration (points) and name |
//! | 32 | SHA-256 of the vocabulary |
//! | 32 | SHA-256 of everything before and after this field |
//! | … | the name; calibration, a cosine and a likeness for every point; the vocabulary, a token a line |
//! | 4 × tokens | the scale of every row |
//! | tokens × dimensions | the rows, a signed byte a number |

use sha2::{Digest, Sha256};

use crate::digest::short_hex;
use crate::{Calibration, CalibrationError, Point};

const MARK: &[u8; 16] = b"testimony-table\n";
const FORMAT: u32 = 1;
/// The byte that stands for the largest number of a row.
const LARGEST: f32 = 127.0;
/// So large that no sum of rows leaves the range of numbers, and far larger than any row of unit vectors needs.
const MOST_SCALE: f32 = 1e6;
/// More dimensions than any model has; a header that says more is damaged.
const MOST_DIMENSIONS: usize = 65_536;

/// A table that was read.
pub(crate) struct Table<'a> {
    pub(crate) name: &'a str,
    pub(crate) revision: String,
    pub(crate) dimensions: usize,
    pub(crate) vocabulary: &'a str,
    pub(crate) calibration: Option<Calibration>,
    pub(crate) scales: Vec<f32>,
    pub(crate) rows: &'a [u8],
}

/// What a table is made of.
#[derive(Clone, Copy, Debug)]
pub struct TableParts<'a> {
    /// The name of the embedder.
    pub name: &'a str,
    /// The tokens; their places are their rows.
    pub vocabulary: &'a [&'a str],
    /// How many numbers a row has.
    pub dimensions: usize,
    /// The rows, one after the other.
    pub rows: &'a [f32],
    /// What cosines mean; nothing for an embedder that was not measured.
    pub calibration: &'a [Point],
}

/// Why bytes are no table, or parts make none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The bytes are of something else.
    #[error("these bytes are no table of an embedder; make one with `cargo xtask distill`")]
    NoTable,
    /// The table is of a version that this program does not know.
    #[error(
        "the table has format {found}, and this program reads {FORMAT}; take the program that it came with"
    )]
    Format {
        /// The format that it has.
        found: u32,
    },
    /// The table ends too early, or goes on too long.
    #[error("the {part} of the table is cut off or too long; take an undamaged copy of the table")]
    Length {
        /// The part in question.
        part: &'static str,
    },
    /// The bytes are not those that were written.
    #[error("the checksum of the {part} does not hold; take an undamaged copy of the table")]
    Checksum {
        /// What was summed up.
        part: &'static str,
    },
    /// Names or tokens are no text.
    #[error("the {part} of the table is no text; make the table again with `cargo xtask distill`")]
    NoText {
        /// The part in question.
        part: &'static str,
    },
    /// The vocabulary is none.
    #[error("{0}; make the table again with `cargo xtask distill`")]
    Vocabulary(#[from] crate::wordpiece::VocabularyError),
    /// The calibration is none.
    #[error("{0}; make the table again with `cargo xtask distill`")]
    Calibration(#[from] CalibrationError),
    /// A number of the rows is not finite, or so large that sums would not be.
    #[error(
        "row {row} holds a number that is not finite or far too large; make the table again with `cargo xtask distill`"
    )]
    NotFinite {
        /// The row, from 0.
        row: usize,
    },
}

/// Bytes that are taken from the front, part by part.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize, part: &'static str) -> Result<&'a [u8], TableError> {
        let split = self.0.split_at_checked(count);
        let (taken, rest) = split.ok_or(TableError::Length { part })?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, TableError> {
        let bytes = self.take(4, "header")?;
        let bytes = bytes.try_into().unwrap_or_default();
        Ok(u32::from_le_bytes(bytes))
    }

    fn size(&mut self) -> Result<usize, TableError> {
        let size = usize::try_from(self.number()?).ok();
        size.ok_or(TableError::Length { part: "header" })
    }

    fn sum(&mut self) -> Result<[u8; 32], TableError> {
        let bytes = self.take(32, "header")?;
        Ok(bytes.try_into().unwrap_or_default())
    }

    fn text(&mut self, count: usize, part: &'static str) -> Result<&'a str, TableError> {
        let bytes = self.take(count, part)?;
        std::str::from_utf8(bytes).map_err(|_| TableError::NoText { part })
    }
}

/// What stands before the parts: their sizes, and the sum of the vocabulary.
struct Header {
    dimensions: usize,
    tokens: usize,
    vocabulary_bytes: usize,
    points: usize,
    name_bytes: usize,
    vocabulary_sum: [u8; 32],
    /// The sum of everything else, which is also the revision.
    sum: [u8; 32],
}

/// Reads a table and checks everything about it.
pub(crate) fn read(bytes: &[u8]) -> Result<Table<'_>, TableError> {
    let mut rest = Rest(bytes);
    let header = header(bytes, &mut rest)?;
    let revision = short_hex(&header.sum);
    let name = rest.text(header.name_bytes, "name")?;
    let points = rest.take(header.points.saturating_mul(8), "calibration")?;
    let calibration = calibration(points, &revision)?;
    let vocabulary = rest.text(header.vocabulary_bytes, "vocabulary")?;
    if sum_of(&[vocabulary.as_bytes()]) != header.vocabulary_sum {
        return Err(TableError::Checksum { part: "vocabulary" });
    }
    if vocabulary.lines().count() != header.tokens {
        return Err(TableError::Length { part: "vocabulary" });
    }
    let scales = scales(rest.take(header.tokens.saturating_mul(4), "scales")?)?;
    let rows = rest.take(header.tokens.saturating_mul(header.dimensions), "rows")?;
    if !rest.0.is_empty() {
        return Err(TableError::Length { part: "rows" });
    }
    Ok(Table {
        name,
        revision,
        dimensions: header.dimensions,
        vocabulary,
        calibration,
        scales,
        rows,
    })
}

/// The header, once it is known that all the bytes are those that were written.
fn header(bytes: &[u8], rest: &mut Rest<'_>) -> Result<Header, TableError> {
    if rest.take(MARK.len(), "mark").ok() != Some(MARK.as_slice()) {
        return Err(TableError::NoTable);
    }
    let found = rest.number()?;
    if found != FORMAT {
        return Err(TableError::Format { found });
    }
    let header = Header {
        dimensions: rest.size()?,
        tokens: rest.size()?,
        vocabulary_bytes: rest.size()?,
        points: rest.size()?,
        name_bytes: rest.size()?,
        vocabulary_sum: rest.sum()?,
        sum: checked_sum(bytes, rest)?,
    };
    if (1..=MOST_DIMENSIONS).contains(&header.dimensions) {
        return Ok(header);
    }
    Err(TableError::Length { part: "rows" })
}

/// The sum that the table says it has, where it has it.
fn checked_sum(bytes: &[u8], rest: &mut Rest<'_>) -> Result<[u8; 32], TableError> {
    let before = bytes.get(..bytes.len() - rest.0.len()).unwrap_or_default();
    let sum = rest.sum()?;
    if sum_of(&[before, rest.0]) == sum {
        Ok(sum)
    } else {
        Err(TableError::Checksum { part: "table" })
    }
}

fn sum_of(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize().into()
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks().0.iter().copied().map(f32::from_le_bytes)
}

fn calibration(bytes: &[u8], version: &str) -> Result<Option<Calibration>, TableError> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let numbers: Vec<f32> = numbers(bytes).collect();
    let points = numbers.as_chunks().0.iter();
    let points = points.map(|[cosine, likeness]| Point {
        cosine: *cosine,
        likeness: *likeness,
    });
    Ok(Some(Calibration::new(version, points.collect())?))
}

fn scales(bytes: &[u8]) -> Result<Vec<f32>, TableError> {
    let scales: Vec<f32> = numbers(bytes).collect();
    let is_usual = |scale: &f32| (0.0..=MOST_SCALE).contains(scale);
    match scales.iter().position(|scale| !is_usual(scale)) {
        None => Ok(scales),
        Some(row) => Err(TableError::NotFinite { row }),
    }
}

impl TableParts<'_> {
    /// The bytes of the table. Every row is scaled by its own largest number.
    ///
    /// # Errors
    /// [`TableError`] when the parts do not fit together; what is written can be read.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TableError> {
        let vocabulary: String = self
            .vocabulary
            .iter()
            .flat_map(|token| [*token, "\n"])
            .collect();
        let sizes = [
            FORMAT as usize,
            self.dimensions,
            self.vocabulary.len(),
            vocabulary.len(),
            self.calibration.len(),
            self.name.len(),
        ];
        let mut head = MARK.to_vec();
        for size in sizes {
            let size = u32::try_from(size).map_err(|_| TableError::Length { part: "header" })?;
            head.extend(size.to_le_bytes());
        }
        head.extend(sum_of(&[vocabulary.as_bytes()]));
        let mut body = self.name.as_bytes().to_vec();
        let points = self.calibration.iter();
        body.extend(
            points
                .flat_map(|point| [point.cosine, point.likeness])
                .flat_map(f32::to_le_bytes),
        );
        body.extend(vocabulary.as_bytes());
        self.add_rows(&mut body)?;
        head.extend(sum_of(&[&head, &body]));
        head.extend(body);
        read(&head)?;
        Ok(head)
    }

    fn add_rows(&self, body: &mut Vec<u8>) -> Result<(), TableError> {
        let rows = || self.rows.chunks(self.dimensions.max(1));
        if let Some(row) = rows().position(|row| !row.iter().all(|number| number.is_finite())) {
            return Err(TableError::NotFinite { row });
        }
        let scale =
            |row: &[f32]| row.iter().fold(0f32, |most, number| most.max(number.abs())) / LARGEST;
        body.extend(rows().map(scale).flat_map(f32::to_le_bytes));
        for row in rows() {
            let scale = scale(row);
            let byte = |number: &f32| {
                if scale > 0.0 {
                    (number / scale).round() as i8
                } else {
                    0
                }
            };
            body.extend(row.iter().map(byte).flat_map(i8::to_le_bytes));
        }
        Ok(())
    }
}
