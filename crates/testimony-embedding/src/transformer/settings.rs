//! What the files beside the weights say: the shape of the model, and how its states become one vector.

use std::path::Path;

use serde_json::Value;

use super::fault::{ModelError, ModelFault};
use super::files;

/// How the states of the tokens become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// Their mean.
    Mean,
    /// The state of the first, special token.
    First,
}

/// The sizes that the tensors must have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) vocabulary: usize,
    pub(super) hidden: usize,
    pub(super) layers: usize,
    pub(super) heads: usize,
    pub(super) between: usize,
    pub(super) positions: usize,
    pub(super) kinds: usize,
    pub(super) epsilon: f32,
}

#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) pooling: Pooling,
    pub(super) longest_sequence: usize,
}

/// Attention looks from every position to every other: at this length one text takes 256 MiB.
const MOST_POSITIONS: usize = 8_192;

/// A kind of setting of `config.json` of which only one value is understood; a missing one has that value.
struct Only {
    setting: &'static str,
    value: &'static str,
}

#[rustfmt::skip]
const ONLY: &[Only] = &[
    Only { setting: "model_type", value: "bert" },
    Only { setting: "hidden_act", value: "gelu" },
    Only { setting: "position_embedding_type", value: "absolute" },
];

/// The poolings that `1_Pooling/config.json` can ask for, and what is done for each.
#[rustfmt::skip]
const POOLINGS: &[(&str, Option<Pooling>)] = &[
    ("pooling_mode_mean_tokens", Some(Pooling::Mean)),
    ("pooling_mode_cls_token", Some(Pooling::First)),
    ("pooling_mode_max_tokens", None),
    ("pooling_mode_mean_sqrt_len_tokens", None),
    ("pooling_mode_weightedmean_tokens", None),
    ("pooling_mode_lasttoken", None),
];

impl Settings {
    pub(super) fn read(folder: &Path) -> Result<Self, ModelError> {
        let file = folder.join("config.json");
        let config = files::json(&file)?;
        let shape = shape(&config).map_err(|fault| fault.of(&file))?;
        Ok(Self {
            name: name(folder, &config),
            shape,
            pooling: pooling(folder)?,
            longest_sequence: longest_sequence(folder, shape.positions)?,
        })
    }
}

/// The name that the makers gave it, else that of the folder.
fn name(folder: &Path, config: &Value) -> String {
    let given = config.get("_name_or_path").and_then(Value::as_str);
    let last = given.and_then(|path| path.rsplit('/').find(|part| !part.is_empty()));
    let of_folder = || folder.file_name().map(|name| name.to_string_lossy());
    last.map(str::to_owned)
        .or_else(|| of_folder().map(std::borrow::Cow::into_owned))
        .unwrap_or_else(|| "bert".to_owned())
}

fn shape(config: &Value) -> Result<Shape, ModelFault> {
    for only in ONLY {
        check_only(config, only)?;
    }
    let shape = Shape {
        vocabulary: size(config, "vocab_size")?,
        hidden: size(config, "hidden_size")?,
        layers: size(config, "num_hidden_layers")?,
        heads: size(config, "num_attention_heads")?,
        between: size(config, "intermediate_size")?,
        positions: size(config, "max_position_embeddings")?,
        kinds: size(config, "type_vocab_size")?,
        epsilon: epsilon(config)?,
    };
    if !shape.hidden.is_multiple_of(shape.heads) {
        let what = "`hidden_size` cannot be divided among `num_attention_heads`";
        return Err(ModelFault::Contradiction(what));
    }
    if shape.positions > MOST_POSITIONS {
        return Err(ModelFault::Unsupported {
            setting: "max_position_embeddings",
            found: shape.positions.to_string(),
            known: "up to 8192",
        });
    }
    if shape.positions < 3 {
        let what = "`max_position_embeddings` leaves no room for a text between the special tokens";
        return Err(ModelFault::Contradiction(what));
    }
    Ok(shape)
}

fn check_only(config: &Value, only: &Only) -> Result<(), ModelFault> {
    let found = match config.get(only.setting) {
        None => return Ok(()),
        Some(Value::String(found)) => found.clone(),
        Some(other) => other.to_string(),
    };
    if found == only.value {
        return Ok(());
    }
    Err(ModelFault::Unsupported {
        setting: only.setting,
        found,
        known: only.value,
    })
}

fn size(config: &Value, setting: &'static str) -> Result<usize, ModelFault> {
    let found = config.get(setting).and_then(Value::as_u64);
    // No size of a model of this family comes near a million; larger ones would only be multiplied out of range.
    let usual = found.filter(|size| (1..1_000_000).contains(size));
    let size = usual.and_then(|size| usize::try_from(size).ok());
    size.ok_or(ModelFault::Setting {
        setting,
        expected: "a number from 1 to 999999",
    })
}

fn epsilon(config: &Value) -> Result<f32, ModelFault> {
    let found = match config.get("layer_norm_eps") {
        None => Some(1e-12),
        Some(value) => value.as_f64(),
    };
    let usual = found.filter(|epsilon| (0.0..1.0).contains(epsilon));
    usual
        .map(|epsilon| epsilon as f32)
        .ok_or(ModelFault::Setting {
            setting: "layer_norm_eps",
            expected: "a number from 0 to 1",
        })
}

fn pooling(folder: &Path) -> Result<Pooling, ModelError> {
    let file = folder.join("1_Pooling").join("config.json");
    let Some(config) = files::json_if_there(&file)? else {
        return Ok(Pooling::Mean);
    };
    let asked = POOLINGS
        .iter()
        .filter(|(setting, _)| config.get(setting).and_then(Value::as_bool) == Some(true));
    let asked: Vec<_> = asked.collect();
    match asked.as_slice() {
        [(_, Some(pooling))] => Ok(*pooling),
        asked => Err(ModelFault::Unsupported {
            setting: "pooling_mode",
            found: asked
                .iter()
                .map(|(setting, _)| *setting)
                .collect::<Vec<_>>()
                .join(" + "),
            known: "the mean of the tokens or the first token alone",
        }
        .of(&file)),
    }
}

/// What `sentence_bert_config.json` says, but never more than the model has positions.
fn longest_sequence(folder: &Path, positions: usize) -> Result<usize, ModelError> {
    let file = folder.join("sentence_bert_config.json");
    let Some(config) = files::json_if_there(&file)? else {
        return Ok(positions);
    };
    if config.get("max_seq_length").is_none_or(Value::is_null) {
        return Ok(positions);
    }
    let longest = size(&config, "max_seq_length").map_err(|fault| fault.of(&file))?;
    Ok(longest.clamp(3, positions))
}
