//! The parts of which the model is made: a linear map, a normalised row, attention, and the bend between two maps.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut1, Axis, Slice};

use super::fault::ModelError;
use super::tensors::Tensors;

/// `x · weightᵀ + bias`.
pub(super) struct Linear {
    /// Turned, so that the product reads it from the front to the back.
    turned: Array2<f32>,
    bias: Array1<f32>,
}

impl Linear {
    pub(super) fn read(
        tensors: &Tensors<'_>,
        name: &str,
        from: usize,
        to: usize,
    ) -> Result<Self, ModelError> {
        let weight = tensors.matrix(&format!("{name}.weight"), to, from)?;
        Ok(Self {
            turned: weight.t().as_standard_layout().into_owned(),
            bias: tensors.vector(&format!("{name}.bias"), to)?,
        })
    }

    pub(super) fn apply(&self, rows: &ArrayView2<'_, f32>) -> Array2<f32> {
        let mut out = Array2::zeros((rows.nrows(), self.bias.len()));
        out += &self.bias;
        general_mat_mul(1.0, rows, &self.turned, 1.0, &mut out);
        out
    }
}

/// Rows brought to mean 0 and variance 1, then stretched and moved.
pub(super) struct Norm {
    weight: Array1<f32>,
    bias: Array1<f32>,
    epsilon: f32,
}

impl Norm {
    pub(super) fn read(
        tensors: &Tensors<'_>,
        name: &str,
        size: usize,
        epsilon: f32,
    ) -> Result<Self, ModelError> {
        Ok(Self {
            weight: tensors.vector(&format!("{name}.weight"), size)?,
            bias: tensors.vector(&format!("{name}.bias"), size)?,
            epsilon,
        })
    }

    pub(super) fn apply(&self, rows: &mut Array2<f32>) {
        for row in rows.axis_iter_mut(Axis(0)) {
            self.apply_to_one(row);
        }
    }

    fn apply_to_one(&self, mut row: ArrayViewMut1<'_, f32>) {
        let count = row.len() as f32;
        let mean = row.sum() / count;
        row -= mean;
        let variance = row.dot(&row) / count;
        row /= (variance + self.epsilon).sqrt();
        row *= &self.weight;
        row += &self.bias;
    }
}

/// What each token of a sequence takes over from each other one, head by head.
pub(super) struct Attention {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    heads: usize,
}

impl Attention {
    pub(super) fn read(
        tensors: &Tensors<'_>,
        name: &str,
        size: usize,
        heads: usize,
    ) -> Result<Self, ModelError> {
        let linear = |part: &str| Linear::read(tensors, &format!("{name}.{part}"), size, size);
        Ok(Self {
            query: linear("self.query")?,
            key: linear("self.key")?,
            value: linear("self.value")?,
            output: linear("output.dense")?,
            heads,
        })
    }

    /// `lengths` says how many of the rows belong to each sequence; no row looks into another sequence.
    pub(super) fn apply(&self, rows: &Array2<f32>, lengths: &[usize]) -> Array2<f32> {
        let rows = rows.view();
        let (query, key, value) = (
            self.query.apply(&rows),
            self.key.apply(&rows),
            self.value.apply(&rows),
        );
        let width = query.ncols() / self.heads;
        let scale = 1.0 / (width as f32).sqrt();
        let mut taken = Array2::zeros(query.raw_dim());
        let mut from = 0;
        for length in lengths {
            let sequence = Slice::from(from..from + length);
            for head in 0..self.heads {
                let part = Slice::from(head * width..(head + 1) * width);
                let of = |rows| cut(rows, sequence, part);
                let mut shares = Array2::zeros((*length, *length));
                general_mat_mul(scale, &of(&query), &of(&key).t(), 0.0, &mut shares);
                shares.rows_mut().into_iter().for_each(soft_max);
                let mut rows = taken.slice_axis_mut(Axis(0), sequence);
                let mut place = rows.slice_axis_mut(Axis(1), part);
                general_mat_mul(1.0, &shares, &of(&value), 0.0, &mut place);
            }
            from += length;
        }
        self.output.apply(&taken.view())
    }
}

/// Some of the rows, and of those some columns.
fn cut(of: &Array2<f32>, rows: Slice, columns: Slice) -> ArrayView2<'_, f32> {
    let mut part = of.view();
    part.slice_axis_inplace(Axis(0), rows);
    part.slice_axis_inplace(Axis(1), columns);
    part
}

/// Numbers become shares of one.
fn soft_max(mut row: ArrayViewMut1<'_, f32>) {
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.mapv_inplace(|number| exp(number - most));
    let sum = row.sum();
    row /= sum;
}

/// The bend between the two maps of a layer: `x · Φ(x)`, by the error function and not by its usual shortcut.
pub(super) fn gelu(numbers: &mut Array2<f32>) {
    numbers.mapv_inplace(|x| 0.5 * x * (1.0 + error_function(x * std::f32::consts::FRAC_1_SQRT_2)));
}

/// Abramowitz and Stegun, formula 7.1.26: wrong by no more than 1.5e-7.
fn error_function(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let polynomial = ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_7) * t - 0.284_496_72) * t
        + 0.254_829_6)
        * t;
    (1.0 - polynomial * exp(-size * size)).copysign(x)
}

/// `e` to the power of a number that is not positive, without a call or a branch, so that whole rows are computed at once.
///
/// The power of two is split off by rounding; what is left is small enough for a short polynomial.
fn exp(x: f32) -> f32 {
    /// Added and taken off again, it leaves a number rounded.
    const ROUNDS: f32 = 12_582_912.0;
    let x = x.max(-87.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUNDS;
    let twos = rounded - ROUNDS;
    // ln 2 in two pieces, so that the remainder keeps its last bits.
    let rest = (x - twos * 0.693_359_4) + twos * 2.121_944_4e-4;
    let polynomial = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5
                        + rest
                            * (0.166_666_67
                                + rest
                                    * (0.041_666_66 + rest * (0.008_333_4 + rest * 0.001_391_5)))));
    let power = f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    polynomial * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_exponential_is_the_exponential() {
        for step in 0..8_700 {
            let x = -(step as f32) / 100.0;
            let (quick, exact) = (f64::from(exp(x)), f64::from(x).exp());
            assert!(
                (quick - exact).abs() <= 4e-7 * exact,
                "{x}: {quick} {exact}"
            );
        }
        assert!(exp(f32::NEG_INFINITY) < 1e-37);
    }

    #[test]
    fn the_error_function_has_its_known_values() {
        for (x, known) in [
            (0.0, 0.0),
            (0.5, 0.520_499_9),
            (1.0, 0.842_700_8),
            (2.0, 0.995_322_3),
            (6.0, 1.0),
        ] {
            assert!((error_function(x) - known).abs() < 5e-7, "{x}");
            assert!((error_function(-x) + known).abs() < 5e-7, "-{x}");
        }
    }

    #[test]
    fn shares_add_up_to_one_even_where_numbers_are_far_apart() {
        let mut row = Array1::from_vec(vec![1_000.0, -1_000.0, 999.0]);
        soft_max(row.view_mut());
        assert!((row.sum() - 1.0).abs() < 1e-6);
        assert!(row[0] > row[2] && row[2] > row[1]);
    }
}
