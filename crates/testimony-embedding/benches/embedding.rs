//! What a sentence costs: as tokens, as a vector of the table, and how long the table takes to be read and checked.
//!
//! With the feature `transformer` and the variable `TESTIMONY_MODEL` set to a model's folder, the model is timed too.

use divan::{Bencher, black_box};
use testimony_embedding::{Embedder, StaticEmbedder};

const SENTENCE: &str =
    "The committee approved the annual budget after a long debate on Tuesday in the town";

fn main() {
    divan::main();
}

#[expect(
    clippy::expect_used,
    reason = "a bench that cannot begin has nothing to say"
)]
fn built_in() -> StaticEmbedder {
    StaticEmbedder::built_in().expect("the binary is undamaged")
}

#[divan::bench]
fn tokens_of_15_words(bencher: Bencher<'_, '_>) {
    let embedder = built_in();
    bencher.bench_local(|| embedder.tokeniser().tokens(black_box(SENTENCE)));
}

#[divan::bench]
fn table_15_words(bencher: Bencher<'_, '_>) {
    let embedder = built_in();
    bencher.bench_local(|| embedder.embed_one(black_box(SENTENCE)));
}

#[divan::bench]
fn table_15_words_with_accents(bencher: Bencher<'_, '_>) {
    let embedder = built_in();
    let text = SENTENCE.replace("annual", "année's");
    bencher.bench_local(|| embedder.embed_one(black_box(&text)));
}

#[divan::bench]
fn table_100_sentences(bencher: Bencher<'_, '_>) {
    let embedder = built_in();
    bencher.bench_local(|| embedder.embed(black_box(&[SENTENCE; 100])));
}

#[divan::bench(sample_count = 10)]
fn table_read_and_checked(bencher: Bencher<'_, '_>) {
    let bytes = include_bytes!("../table/all-minilm-l6-v2.table");
    bencher.bench_local(|| StaticEmbedder::from_bytes(black_box(bytes)));
}

#[cfg(feature = "transformer")]
#[divan::bench]
fn transformer_15_words(bencher: Bencher<'_, '_>) {
    let Some(folder) = std::env::var_os("TESTIMONY_MODEL") else {
        return;
    };
    let Ok(model) = testimony_embedding::Transformer::open(folder.as_ref()) else {
        return;
    };
    bencher.bench_local(|| model.embed(black_box(&[SENTENCE])));
}
