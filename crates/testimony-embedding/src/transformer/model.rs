//! The forward pass: tokens in, one state for every token out.

use std::path::Path;

use ndarray::{Array1, Array2, Axis, Slice};
use sha2::{Digest, Sha256};

use super::TokenStates;
use super::fault::ModelError;
use super::files;
use super::layers::{Attention, Linear, Norm, bend_all};
use super::settings::Shape;
use super::tensors::Tensors;
use crate::digest::short_hex;
use crate::wordpiece::TokenId;

pub(super) struct Model {
    words: Array2<f32>,
    positions: Array2<f32>,
    /// Every text is of the first kind.
    kind: Array1<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    attention: Attention,
    attention_norm: Norm,
    widen: Linear,
    narrow: Linear,
    norm: Norm,
}

impl Model {
    /// The model, and what tells its weights from others.
    pub(super) fn read(folder: &Path, shape: &Shape) -> Result<(Self, String), ModelError> {
        let file = folder.join("model.safetensors");
        let bytes = files::weights(&file)?;
        let model = Self::from_tensors(&Tensors::read(&file, &bytes)?, shape)?;
        Ok((model, short_hex(&Sha256::digest(&bytes))))
    }

    fn from_tensors(tensors: &Tensors<'_>, shape: &Shape) -> Result<Self, ModelError> {
        let table = |name: &str, rows| {
            tensors.matrix(
                &format!("embeddings.{name}_embeddings.weight"),
                rows,
                shape.hidden,
            )
        };
        let kinds = table("token_type", shape.kinds)?;
        let layers = (0..shape.layers).map(|at| Layer::read(tensors, at, shape));
        Ok(Self {
            words: table("word", shape.vocabulary)?,
            positions: table("position", shape.positions)?,
            kind: kinds.row(0).to_owned(),
            norm: Norm::read(tensors, "embeddings.LayerNorm", shape.hidden, shape.epsilon)?,
            layers: layers.collect::<Result<_, _>>()?,
        })
    }

    pub(super) fn states(&self, sequences: &[&[TokenId]]) -> Vec<TokenStates> {
        let sequences: Vec<Vec<usize>> = sequences.iter().map(|one| self.known(one)).collect();
        let lengths: Vec<usize> = sequences.iter().map(Vec::len).collect();
        let mut rows = self.embedded(&sequences);
        for layer in &self.layers {
            rows = layer.apply(&rows, &lengths);
        }
        let mut from = 0;
        let cut = lengths.iter().map(|length| {
            let part = rows.slice_axis(Axis(0), Slice::from(from..from + length));
            from += length;
            TokenStates {
                numbers: part.iter().copied().collect(),
                dimensions: rows.ncols(),
            }
        });
        cut.collect()
    }

    fn known(&self, sequence: &[TokenId]) -> Vec<usize> {
        let rows = sequence.iter().filter_map(|id| usize::try_from(*id).ok());
        rows.filter(|row| *row < self.words.nrows())
            .take(self.positions.nrows())
            .collect()
    }

    fn embedded(&self, sequences: &[Vec<usize>]) -> Array2<f32> {
        let rows: Vec<usize> = sequences.concat();
        let mut embedded = self.words.select(Axis(0), &rows);
        let places = sequences.iter().flat_map(|one| 0..one.len());
        for (mut row, place) in embedded.axis_iter_mut(Axis(0)).zip(places) {
            row += &self.positions.row(place);
            row += &self.kind;
        }
        self.norm.apply(&mut embedded);
        embedded
    }
}

impl Layer {
    fn read(tensors: &Tensors<'_>, at: usize, shape: &Shape) -> Result<Self, ModelError> {
        let name = |part: &str| format!("encoder.layer.{at}.{part}");
        let norm = |part: &str| Norm::read(tensors, &name(part), shape.hidden, shape.epsilon);
        let linear = |part: &str, from, to| Linear::read(tensors, &name(part), from, to);
        Ok(Self {
            attention: Attention::read(tensors, &name("attention"), shape.hidden, shape.heads)?,
            attention_norm: norm("attention.output.LayerNorm")?,
            widen: linear("intermediate.dense", shape.hidden, shape.between)?,
            narrow: linear("output.dense", shape.between, shape.hidden)?,
            norm: norm("output.LayerNorm")?,
        })
    }

    fn apply(&self, rows: &Array2<f32>, lengths: &[usize]) -> Array2<f32> {
        let mut attended = self.attention.apply(rows, lengths);
        attended += rows;
        self.attention_norm.apply(&mut attended);
        let mut wide = self.widen.apply(&attended.view());
        bend_all(&mut wide);
        let mut narrow = self.narrow.apply(&wide.view());
        narrow += &attended;
        self.norm.apply(&mut narrow);
        narrow
    }
}
