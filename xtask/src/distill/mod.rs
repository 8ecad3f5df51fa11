//! `cargo xtask distill`: the table of the static embedder, fitted to a sentence model over free text.
//!
//! The same model, texts and kind of processor give the same table, byte for byte.

use std::io::Write;
use std::path::PathBuf;

use testimony_embedding::{Embedder, StaticEmbedder, TableParts, Transformer};

use crate::{Outcome, Task, Trouble, shell};

mod calibrate;
mod fit;
mod reduce;
mod teacher;
mod texts;

pub use fit::Recipe;

use fit::Rows;
use teacher::Lessons;

/// What is to be distilled.
pub struct Distillation {
    /// The folder of the sentence model.
    pub model: PathBuf,
    /// The name of the embedder.
    pub name: String,
    /// The files with the texts.
    pub texts: Vec<PathBuf>,
    /// Where the table goes.
    pub out: PathBuf,
    /// A folder that keeps what the model said, for a second run.
    pub cache: Option<PathBuf>,
    /// How it is fitted.
    pub recipe: Recipe,
}

/// Makes the table.
///
/// # Errors
/// [`Trouble`] when the model or a text cannot be read or the table cannot be written.
pub fn run(wanted: &Distillation, out: &mut dyn Write) -> Task {
    let model = Transformer::open(&wanted.model)?;
    let (lessons, texts) = learn(wanted, &model, out)?;
    let alone = teacher::teach_tokens(&model, wanted.cache.as_deref())?;
    let fitted = fit::rows(&lessons, &alone, wanted.recipe);
    let rows = reduce::rows(&fitted, &lessons.sequences, wanted.recipe.dimensions);
    let bytes = table(wanted, &model, &rows, &lessons, &texts)?;
    shell::write_bytes(&wanted.out, &bytes)?;
    let table = StaticEmbedder::from_bytes(&bytes)?;
    writeln!(
        out,
        "revision {}, {} bytes",
        table.identity().revision,
        bytes.len()
    )?;
    for point in table
        .calibration()
        .iter()
        .flat_map(|calibration| calibration.points())
    {
        writeln!(
            out,
            "cosine {:.2} means {:.3}",
            point.cosine, point.likeness
        )?;
    }
    Ok(Outcome::Held)
}

/// Everything that the model says about the texts, and the texts.
fn learn(
    wanted: &Distillation,
    model: &Transformer,
    out: &mut dyn Write,
) -> Result<(Lessons, Vec<String>), Trouble> {
    let (mut lessons, mut texts) = (Lessons::none(model), Vec::new());
    for file in &wanted.texts {
        let source = texts::read(file)?;
        let more = teacher::teach(model, &source, wanted.cache.as_deref())?;
        let tokens: usize = more.sequences.iter().map(Vec::len).sum();
        writeln!(
            out,
            "{}: {} texts, {tokens} tokens",
            source.name,
            source.texts.len()
        )?;
        out.flush()?;
        lessons.join(more);
        texts.extend(source.texts);
    }
    Ok((lessons, texts))
}

/// The table with its calibration, which is measured on the table as it will be: with its numbers rounded.
fn table(
    wanted: &Distillation,
    model: &Transformer,
    rows: &Rows,
    lessons: &Lessons,
    texts: &[String],
) -> Result<Vec<u8>, Trouble> {
    let vocabulary = model.tokeniser().vocabulary().tokens();
    let vocabulary: Vec<&str> = vocabulary.iter().map(String::as_str).collect();
    let mut parts = TableParts {
        name: &wanted.name,
        vocabulary: &vocabulary,
        dimensions: rows.width,
        rows: &rows.numbers,
        calibration: &[],
    };
    let plain = StaticEmbedder::from_bytes(&parts.to_bytes()?)?;
    let vectors = lessons.vectors.chunks_exact(lessons.dimensions);
    let sample: Vec<calibrate::Seen<'_>> = texts
        .iter()
        .zip(vectors)
        .step_by(calibrate::stride(texts.len()))
        .filter_map(|(text, by_model)| {
            let by_table = plain.embed_one(text)?;
            Some(calibrate::Seen { by_table, by_model })
        })
        .collect();
    let points = calibrate::points(&sample);
    parts.calibration = &points;
    Ok(parts.to_bytes()?)
}
