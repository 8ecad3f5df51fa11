//! Tensors of a safetensors file, checked against the shape that they must have.

use std::path::Path;

use ndarray::{Array1, Array2};
use safetensors::{Dtype, SafeTensors};

use super::fault::{ModelError, ModelFault};

/// What some files put before every name.
const PREFIXES: &[&str] = &["", "bert.", "model.", "0.auto_model."];

/// The tensors of a file.
pub(super) struct Tensors<'a> {
    file: &'a Path,
    tensors: SafeTensors<'a>,
    prefix: &'static str,
}

impl<'a> Tensors<'a> {
    pub(super) fn read(file: &'a Path, bytes: &'a [u8]) -> Result<Self, ModelError> {
        let tensors = SafeTensors::deserialize(bytes)
            .map_err(|error| ModelFault::NotSafetensors(error).of(file))?;
        let stands = |prefix: &&&str| {
            let name = format!("{prefix}embeddings.word_embeddings.weight");
            tensors.tensor(&name).is_ok()
        };
        let prefix = PREFIXES.iter().find(stands).copied().unwrap_or_default();
        Ok(Self {
            file,
            tensors,
            prefix,
        })
    }

    pub(super) fn vector(&self, name: &str, size: usize) -> Result<Array1<f32>, ModelError> {
        Ok(Array1::from_vec(self.numbers(name, &[size])?))
    }

    pub(super) fn matrix(
        &self,
        name: &str,
        rows: usize,
        columns: usize,
    ) -> Result<Array2<f32>, ModelError> {
        let numbers = self.numbers(name, &[rows, columns])?;
        let shape = |_| self.shape_fault(name, &[], &[rows, columns]);
        Array2::from_shape_vec((rows, columns), numbers).map_err(shape)
    }

    fn shape_fault(&self, name: &str, found: &[usize], expected: &[usize]) -> ModelError {
        ModelFault::Shape {
            tensor: name.to_owned(),
            found: found.to_vec(),
            expected: expected.to_vec(),
        }
        .of(self.file)
    }

    fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let tensor = self
            .tensors
            .tensor(&format!("{}{name}", self.prefix))
            .map_err(|_| ModelFault::NoTensor(name.to_owned()).of(self.file))?;
        if tensor.shape() != shape {
            return Err(self.shape_fault(name, tensor.shape(), shape));
        }
        let Some(numbers) = numbers(tensor.dtype(), tensor.data()) else {
            let fault = ModelFault::NumberKind {
                tensor: name.to_owned(),
                found: format!("{:?}", tensor.dtype()),
            };
            return Err(fault.of(self.file));
        };
        match numbers.iter().position(|number| !number.is_finite()) {
            None => Ok(numbers),
            Some(index) => Err(ModelFault::NotFinite {
                tensor: name.to_owned(),
                index,
            }
            .of(self.file)),
        }
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the kinds are another crate's, and it adds to them"
)]
fn numbers(kind: Dtype, bytes: &[u8]) -> Option<Vec<f32>> {
    match kind {
        Dtype::F32 => Some(
            bytes
                .as_chunks()
                .0
                .iter()
                .copied()
                .map(f32::from_le_bytes)
                .collect(),
        ),
        Dtype::F16 => Some(halves(bytes).map(from_half).collect()),
        Dtype::BF16 => Some(
            halves(bytes)
                .map(|half| f32::from_bits(u32::from(half) << 16))
                .collect(),
        ),
        _ => None,
    }
}

fn halves(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.as_chunks().0.iter().copied().map(u16::from_le_bytes)
}

/// A number of 16 bits: sign, 5 bits of exponent, 10 of fraction.
fn from_half(half: u16) -> f32 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from((half >> 10) & 0x1F);
    let fraction = f32::from(half & 0x3FF);
    match exponent {
        0 => sign * fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        _ => sign * (1024.0 + fraction) * 2f32.powi(exponent - 25),
    }
}
