//! A direction: finite numbers of length one, by construction.

/// How far the length of stored numbers may be from one before they count as damaged.
const LENGTH_TOLERANCE: f32 = 1e-3;

/// A vector of length one whose numbers are all finite.
///
/// It cannot be made otherwise, so that an index never meets a NaN, an infinity or a zero vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector(Box<[f32]>);

/// Why numbers make no [`Vector`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum VectorError {
    /// There are no numbers at all.
    #[error("a vector needs at least one dimension")]
    Empty,
    /// A number is NaN or infinite.
    #[error("the number at {index} is not finite")]
    NotFinite {
        /// Where it stands, from 0.
        index: usize,
    },
    /// All numbers are zero, or so small that no direction is left of them.
    #[error("the numbers have no direction: their length is zero")]
    Zero,
    /// Numbers that should have been of length one are not.
    #[error("the length is {length}, not 1; the numbers are damaged or were never a unit vector")]
    NotUnit {
        /// The length that they have.
        length: f32,
    },
}

/// Two vectors that do not live in the same space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{left} and {right} dimensions cannot be compared; embed both texts with the same embedder"
)]
pub struct DimensionMismatch {
    /// The dimensions of the one.
    pub left: usize,
    /// The dimensions of the other.
    pub right: usize,
}

impl Vector {
    /// The direction of `numbers`, whatever their length.
    ///
    /// # Errors
    /// [`VectorError`] when a number is not finite or no direction is left.
    pub fn from_direction(mut numbers: Vec<f32>) -> Result<Self, VectorError> {
        let length = length_of(&numbers)?;
        for number in &mut numbers {
            *number = (f64::from(*number) / length) as f32;
        }
        Ok(Self(numbers.into_boxed_slice()))
    }

    /// Takes back numbers that were a vector before, from a file or from another program, and checks that they still are.
    ///
    /// # Errors
    /// [`VectorError`] when a number is not finite or the length is not one.
    pub fn from_unit(numbers: Vec<f32>) -> Result<Self, VectorError> {
        let length = length_of(&numbers)? as f32;
        if (length - 1.0).abs() > LENGTH_TOLERANCE {
            return Err(VectorError::NotUnit { length });
        }
        Ok(Self(numbers.into_boxed_slice()))
    }

    /// How many numbers it has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.0.len()
    }

    /// Its numbers.
    #[must_use]
    pub fn as_slice(&self) -> &[f32] {
        &self.0
    }

    /// Its numbers, given away.
    #[must_use]
    pub fn into_numbers(self) -> Vec<f32> {
        self.0.into_vec()
    }

    /// The cosine of the angle between two vectors, from -1 to 1.
    ///
    /// # Errors
    /// [`DimensionMismatch`] when they are of different spaces.
    pub fn cosine(&self, other: &Self) -> Result<f32, DimensionMismatch> {
        let (left, right) = (self.dimensions(), other.dimensions());
        if left != right {
            return Err(DimensionMismatch { left, right });
        }
        let pairs = self.0.iter().zip(&other.0);
        let product: f32 = pairs.map(|(left, right)| left * right).sum();
        Ok(product.clamp(-1.0, 1.0))
    }
}

/// The length in double precision, which squares of the largest and of the smallest single numbers do not leave.
fn length_of(numbers: &[f32]) -> Result<f64, VectorError> {
    if numbers.is_empty() {
        return Err(VectorError::Empty);
    }
    if let Some(index) = numbers.iter().position(|number| !number.is_finite()) {
        return Err(VectorError::NotFinite { index });
    }
    let squares: f64 = numbers
        .iter()
        .map(|number| f64::from(*number) * f64::from(*number))
        .sum();
    if squares > 0.0 {
        Ok(squares.sqrt())
    } else {
        Err(VectorError::Zero)
    }
}
