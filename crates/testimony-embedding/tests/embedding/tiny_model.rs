//! A sentence model of a few hundred numbers in a folder of its own, and the plainest way to compute it.

#![expect(
    clippy::indexing_slicing,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde_json::{Value, json};
use testimony_embedding::Transformer;

pub(crate) const HIDDEN: usize = 8;
pub(crate) const POSITIONS: usize = 12;
const HEADS: usize = 2;
const LAYERS: usize = 2;
const BETWEEN: usize = 16;
const EPSILON: f64 = 1e-12;

pub(crate) const VOCABULARY: &[&str] = &[
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "green", "un", "##able", ",", ".", "a", "##a",
];

/// A tensor by its numbers.
#[derive(Clone)]
pub(crate) struct Tensor {
    pub(crate) shape: Vec<usize>,
    pub(crate) numbers: Vec<f32>,
}

pub(crate) type Tensors = BTreeMap<String, Tensor>;

/// A folder with a model, which a test may damage.
pub(crate) struct Folder {
    path: PathBuf,
    pub(crate) tensors: Tensors,
}

/// One model for tests that change nothing.
pub(crate) fn shared() -> &'static Transformer {
    static SHARED: LazyLock<Transformer> =
        LazyLock::new(|| Transformer::open(Folder::new("shared").path()).unwrap());
    &SHARED
}

/// One folder for tests that put back what they change.
pub(crate) fn scratch() -> MutexGuard<'static, Folder> {
    static SCRATCH: LazyLock<Mutex<Folder>> = LazyLock::new(|| Mutex::new(Folder::new("scratch")));
    SCRATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("tiny-models")
            .join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("1_Pooling")).unwrap();
        let folder = Self {
            path,
            tensors: tensors(),
        };
        folder.write("config.json", &settings());
        folder.write("tokenizer.json", &tokeniser(VOCABULARY));
        folder.write(
            "1_Pooling/config.json",
            &json!({"pooling_mode_mean_tokens": true}),
        );
        folder.write_tensors(&folder.tensors, Dtype::F32);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    pub(crate) fn write_bytes(&self, file: &str, bytes: &[u8]) {
        std::fs::write(self.path.join(file), bytes).unwrap();
    }

    #[expect(clippy::disallowed_methods, reason = "tests read their own files")]
    pub(crate) fn read(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.path.join(file)).unwrap()
    }

    pub(crate) fn write(&self, file: &str, json: &Value) {
        self.write_bytes(file, json.to_string().as_bytes());
    }

    pub(crate) fn remove(&self, file: &str) {
        std::fs::remove_file(self.path.join(file)).unwrap();
    }

    pub(crate) fn cut(&self, file: &str) {
        let bytes = self.read(file);
        self.write_bytes(file, &bytes[..bytes.len() - 7]);
    }

    pub(crate) fn set(&self, setting: &str, value: &Value) {
        let mut settings = settings();
        settings[setting] = value.clone();
        self.write("config.json", &settings);
    }

    pub(crate) fn spoil(&self, tensor: &str, number: f32) {
        let mut tensors = self.tensors.clone();
        tensors.get_mut(tensor).unwrap().numbers[0] = number;
        self.write_tensors(&tensors, Dtype::F32);
    }

    pub(crate) fn drop_tensor(&self, tensor: &str) {
        let mut tensors = self.tensors.clone();
        tensors.remove(tensor).unwrap();
        self.write_tensors(&tensors, Dtype::F32);
    }

    pub(crate) fn add_tokens(&self) {
        let longer = [VOCABULARY, &["one", "more"]].concat();
        self.write("tokenizer.json", &tokeniser(&longer));
    }

    pub(crate) fn write_tensors(&self, tensors: &Tensors, kind: Dtype) {
        let bytes: Vec<Vec<u8>> = tensors
            .values()
            .map(|tensor| encoded(&tensor.numbers, kind))
            .collect();
        let views = tensors.iter().zip(&bytes).map(|((name, tensor), bytes)| {
            (
                name,
                TensorView::new(kind, tensor.shape.clone(), bytes).unwrap(),
            )
        });
        let file = safetensors::serialize(views, None).unwrap();
        self.write_bytes("model.safetensors", &file);
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the kinds are another crate's, and it adds to them"
)]
fn encoded(numbers: &[f32], kind: Dtype) -> Vec<u8> {
    let one = |number: &f32| match kind {
        Dtype::F32 => number.to_le_bytes().to_vec(),
        Dtype::BF16 => number.to_bits().to_le_bytes()[2..].to_vec(),
        Dtype::F16 => half(*number).to_le_bytes().to_vec(),
        _ => vec![0],
    };
    numbers.iter().flat_map(one).collect()
}

/// Good for numbers between the smallest and the largest of 16 bits, which is all that the model has.
fn half(number: f32) -> u16 {
    let bits = number.to_bits();
    let exponent = ((bits >> 23) & 0xFF) as i32 - 112;
    let sign = ((bits >> 16) & 0x8000) as u16;
    if exponent <= 0 {
        return sign | (number.abs() * 2f32.powi(24)).round() as u16;
    }
    sign | (exponent as u16) << 10 | ((bits >> 13) & 0x3FF) as u16
}

fn settings() -> Value {
    json!({
        "_name_or_path": "somebody/tiny-bert", "model_type": "bert", "hidden_act": "gelu",
        "vocab_size": VOCABULARY.len(), "hidden_size": HIDDEN, "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS, "intermediate_size": BETWEEN,
        "max_position_embeddings": POSITIONS, "type_vocab_size": 2, "layer_norm_eps": EPSILON,
    })
}

fn tokeniser(tokens: &[&str]) -> Value {
    let vocabulary: BTreeMap<&str, usize> = tokens.iter().copied().zip(0..).collect();
    json!({
        "normalizer": {"type": "BertNormalizer", "lowercase": true, "strip_accents": null},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "vocab": vocabulary},
    })
}

/// Numbers that follow no pattern and are the same everywhere.
fn tensors() -> Tensors {
    let mut tensors = Tensors::new();
    let mut seed = 7u32;
    let mut add = |name: String, shape: &[usize], around: f32| {
        let count = shape.iter().product();
        let next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            around + ((seed >> 8) as f32 / 8_388_608.0 - 1.0) * 0.6
        };
        let numbers = std::iter::repeat_with(next).take(count).collect();
        let shape = shape.to_vec();
        tensors.insert(name, Tensor { shape, numbers });
    };
    for (name, rows) in [
        ("word", VOCABULARY.len()),
        ("position", POSITIONS),
        ("token_type", 2),
    ] {
        add(
            format!("embeddings.{name}_embeddings.weight"),
            &[rows, HIDDEN],
            0.0,
        );
    }
    let mut norms = vec!["embeddings.LayerNorm".to_owned()];
    for layer in 0..LAYERS {
        let at = format!("encoder.layer.{layer}");
        for (part, to, from) in [
            ("attention.self.query", HIDDEN, HIDDEN),
            ("attention.self.key", HIDDEN, HIDDEN),
            ("attention.self.value", HIDDEN, HIDDEN),
            ("attention.output.dense", HIDDEN, HIDDEN),
            ("intermediate.dense", BETWEEN, HIDDEN),
            ("output.dense", HIDDEN, BETWEEN),
        ] {
            add(format!("{at}.{part}.weight"), &[to, from], 0.0);
            add(format!("{at}.{part}.bias"), &[to], 0.0);
        }
        norms.push(format!("{at}.attention.output.LayerNorm"));
        norms.push(format!("{at}.output.LayerNorm"));
    }
    for norm in norms {
        add(format!("{norm}.weight"), &[HIDDEN], 1.0);
        add(format!("{norm}.bias"), &[HIDDEN], 0.0);
    }
    tensors
}

type Matrix = Vec<Vec<f64>>;

/// The forward pass as a textbook writes it, in double precision and without any matrix product of others.
pub(crate) fn plain_states(tensors: &Tensors, sequence: &[u32]) -> Vec<f64> {
    let of = |name: &str| &tensors[name];
    let row = |name: &str, at: usize| -> Vec<f64> {
        let tensor = of(&format!("embeddings.{name}_embeddings.weight"));
        tensor.numbers[at * HIDDEN..(at + 1) * HIDDEN]
            .iter()
            .map(|x| f64::from(*x))
            .collect()
    };
    let embedded = sequence.iter().enumerate().map(|(place, token)| {
        let parts = [
            row("word", *token as usize),
            row("position", place),
            row("token_type", 0),
        ];
        (0..HIDDEN)
            .map(|at| parts.iter().map(|part| part[at]).sum())
            .collect()
    });
    let mut rows = norm(tensors, "embeddings.LayerNorm", &embedded.collect());
    for layer in 0..LAYERS {
        let at = format!("encoder.layer.{layer}");
        let attended = attend(tensors, &format!("{at}.attention"), &rows);
        rows = norm(
            tensors,
            &format!("{at}.attention.output.LayerNorm"),
            &plus(&rows, &attended),
        );
        let mut wide = linear(tensors, &format!("{at}.intermediate.dense"), &rows);
        wide.iter_mut()
            .flatten()
            .for_each(|x| *x = 0.5 * *x * (1.0 + erf(*x / 2f64.sqrt())));
        let narrow = linear(tensors, &format!("{at}.output.dense"), &wide);
        rows = norm(
            tensors,
            &format!("{at}.output.LayerNorm"),
            &plus(&rows, &narrow),
        );
    }
    rows.concat()
}

fn plus(one: &Matrix, other: &Matrix) -> Matrix {
    let rows = one.iter().zip(other);
    rows.map(|(one, other)| {
        one.iter()
            .zip(other)
            .map(|(one, other)| one + other)
            .collect()
    })
    .collect()
}

fn linear(tensors: &Tensors, name: &str, rows: &Matrix) -> Matrix {
    let (weight, bias) = (
        &tensors[&format!("{name}.weight")],
        &tensors[&format!("{name}.bias")],
    );
    let from = weight.shape[1];
    let one = |row: &Vec<f64>| {
        let lines = weight.numbers.chunks(from).zip(&bias.numbers);
        lines
            .map(|(line, bias)| {
                f64::from(*bias)
                    + row
                        .iter()
                        .zip(line)
                        .map(|(x, w)| x * f64::from(*w))
                        .sum::<f64>()
            })
            .collect()
    };
    rows.iter().map(one).collect()
}

fn norm(tensors: &Tensors, name: &str, rows: &Matrix) -> Matrix {
    let (weight, bias) = (
        &tensors[&format!("{name}.weight")].numbers,
        &tensors[&format!("{name}.bias")].numbers,
    );
    let one = |row: &Vec<f64>| {
        let mean = row.iter().sum::<f64>() / HIDDEN as f64;
        let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / HIDDEN as f64;
        let scaled = |at: usize| (row[at] - mean) / (variance + EPSILON).sqrt();
        (0..HIDDEN)
            .map(|at| scaled(at) * f64::from(weight[at]) + f64::from(bias[at]))
            .collect()
    };
    rows.iter().map(one).collect()
}

fn attend(tensors: &Tensors, name: &str, rows: &Matrix) -> Matrix {
    let part = |part: &str| linear(tensors, &format!("{name}.self.{part}"), rows);
    let (query, key, value) = (part("query"), part("key"), part("value"));
    let width = HIDDEN / HEADS;
    let one = |at: usize| {
        let mut taken = vec![0.0; HIDDEN];
        for head in 0..HEADS {
            let places = head * width..(head + 1) * width;
            let score = |other: usize| {
                places
                    .clone()
                    .map(|at_| query[at][at_] * key[other][at_])
                    .sum::<f64>()
                    / (width as f64).sqrt()
            };
            let shares: Vec<f64> = (0..rows.len()).map(|other| score(other).exp()).collect();
            let total: f64 = shares.iter().sum();
            for place in places.clone() {
                taken[place] = (0..rows.len())
                    .map(|other| shares[other] / total * value[other][place])
                    .sum();
            }
        }
        taken
    };
    linear(
        tensors,
        &format!("{name}.output.dense"),
        &(0..rows.len()).map(one).collect(),
    )
}

/// The error function by its series, which is exact for the small numbers of a small model.
fn erf(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    for n in 1..200 {
        term *= -x * x / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    sum * std::f64::consts::FRAC_2_SQRT_PI
}
