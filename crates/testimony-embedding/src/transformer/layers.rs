//! The parts of which the model is made: a linear map, a normalised row, attention, and the bend between two maps.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut1, Axis, Slice};

use super::fault::ModelError;
use super::tensors::Tensors;
use crate::bend::{exp, gelu};

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

/// The bend between the two maps of a layer.
pub(super) fn bend_all(numbers: &mut Array2<f32>) {
    numbers.mapv_inplace(gelu);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_one_even_where_numbers_are_far_apart() {
        let mut row = Array1::from_vec(vec![1_000.0, -1_000.0, 999.0]);
        soft_max(row.view_mut());
        assert!((row.sum() - 1.0).abs() < 1e-6);
        assert!(row[0] > row[2] && row[2] > row[1]);
    }
}
