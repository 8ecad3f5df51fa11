//! What the sentence model says about the texts: a vector for each, and the mean state of every token.

use std::path::Path;

use sha2::{Digest, Sha256};
use testimony_embedding::Embedder;
use testimony_embedding::transformer::{TokenStates, Transformer};
use testimony_embedding::wordpiece::TokenId;

use super::texts::Source;
use crate::{Trouble, shell};

/// How many tokens one thread computes at once.
const TOKENS_AT_ONCE: usize = 768;
/// How many batches are under way before their results are added, in their order.
const BATCHES_AT_ONCE: usize = 8;
const THREADS: usize = 2;

/// What was learnt from texts.
pub(super) struct Lessons {
    /// How many numbers a vector has.
    pub(super) dimensions: usize,
    /// The tokens of each text, without the special ones.
    pub(super) sequences: Vec<Vec<TokenId>>,
    /// The unit vector of each text, row after row.
    pub(super) vectors: Vec<f32>,
    /// For every token the sum of its own states and of the vectors of the texts around it, half and half.
    pub(super) states: Vec<f32>,
    /// How often every token was seen.
    pub(super) counts: Vec<u32>,
}

impl Lessons {
    fn new(sequences: Vec<Vec<TokenId>>, dimensions: usize, vocabulary: usize) -> Self {
        Self {
            dimensions,
            vectors: vec![0.0; sequences.len() * dimensions],
            sequences,
            states: vec![0.0; vocabulary * dimensions],
            counts: vec![0; vocabulary],
        }
    }

    /// Nothing learnt yet.
    pub(super) fn none(model: &Transformer) -> Self {
        let vocabulary = model.tokeniser().vocabulary().size();
        Self::new(Vec::new(), model.identity().dimensions, vocabulary)
    }

    /// Adds what was learnt from other texts.
    pub(super) fn join(&mut self, other: Self) {
        self.sequences.extend(other.sequences);
        self.vectors.extend(other.vectors);
        for (sum, more) in self.states.iter_mut().zip(other.states) {
            *sum += more;
        }
        for (sum, more) in self.counts.iter_mut().zip(other.counts) {
            *sum += more;
        }
    }

    fn add(&mut self, text: usize, states: &TokenStates) {
        let dimensions = self.dimensions;
        let rows: Vec<&[f32]> = states.numbers.chunks_exact(dimensions).collect();
        let mut vector = vec![0.0; dimensions];
        for row in &rows {
            add_scaled(&mut vector, row, 1.0 / rows.len() as f32);
        }
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-12);
        vector.iter_mut().for_each(|x| *x /= length);
        let tokens = self.sequences.get(text).cloned().unwrap_or_default();
        for (token, row) in tokens.iter().zip(rows.iter().skip(1)) {
            let place = *token as usize;
            if let Some(sum) = self.states.chunks_exact_mut(dimensions).nth(place) {
                add_scaled(sum, row, 0.5 / length);
                add_scaled(sum, &vector, 0.5);
            }
            if let Some(count) = self.counts.get_mut(place) {
                *count += 1;
            }
        }
        if let Some(place) = self.vectors.chunks_exact_mut(dimensions).nth(text) {
            place.copy_from_slice(&vector);
        }
    }
}

fn add_scaled(sum: &mut [f32], row: &[f32], scale: f32) {
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum += scale * number;
    }
}

/// Runs all texts of a source through the model, or takes what an earlier run has kept.
pub(super) fn teach(
    model: &Transformer,
    source: &Source,
    cache: Option<&Path>,
) -> Result<Lessons, Trouble> {
    let framed: Vec<Vec<TokenId>> = source
        .texts
        .iter()
        .map(|text| model.sequence(text))
        .collect();
    teach_sequences(model, &framed, cache)
}

/// Every token of the vocabulary as a text of its own.
pub(super) fn teach_tokens(model: &Transformer, cache: Option<&Path>) -> Result<Lessons, Trouble> {
    let frame = model.sequence("");
    let (opens, closes) = (frame.first().copied(), frame.last().copied());
    let tokens = 0..model.tokeniser().vocabulary().size() as TokenId;
    let framed: Vec<Vec<TokenId>> = tokens
        .map(|token| opens.into_iter().chain([token]).chain(closes).collect())
        .collect();
    teach_sequences(model, &framed, cache)
}

fn teach_sequences(
    model: &Transformer,
    framed: &[Vec<TokenId>],
    cache: Option<&Path>,
) -> Result<Lessons, Trouble> {
    let inner = framed.iter().map(|one| {
        let inner = one.get(1..one.len().saturating_sub(1));
        inner.unwrap_or_default().to_vec()
    });
    let vocabulary = model.tokeniser().vocabulary().size();
    let mut lessons = Lessons::new(inner.collect(), model.identity().dimensions, vocabulary);
    let kept = cache.map(|folder| folder.join(format!("{}.lessons", digest(model, framed))));
    if let Some(kept) = kept.as_deref().filter(|kept| kept.exists()) {
        recall(&mut lessons, &shell::read(kept)?);
        return Ok(lessons);
    }
    run(model, framed, &mut lessons);
    if let Some(kept) = kept {
        shell::write_bytes(&kept, &remember(&lessons))?;
    }
    Ok(lessons)
}

fn digest(model: &Transformer, framed: &[Vec<TokenId>]) -> String {
    let mut hasher = Sha256::new();
    hasher.update(model.identity().revision.as_bytes());
    for token in framed.iter().flatten() {
        hasher.update(token.to_le_bytes());
    }
    hasher
        .finalize()
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Texts of like length go together; results are added in the same order whatever thread was quicker.
fn run(model: &Transformer, framed: &[Vec<TokenId>], lessons: &mut Lessons) {
    let mut order: Vec<usize> = (0..framed.len()).collect();
    order.sort_by_key(|at| (framed.get(*at).map(Vec::len), *at));
    let batches = batches(&order, framed);
    for group in batches.chunks(BATCHES_AT_ONCE) {
        let mut found: Vec<Vec<TokenStates>> = group.iter().map(|_| Vec::new()).collect();
        std::thread::scope(|scope| {
            let share = group.len().div_ceil(THREADS);
            for (batches, places) in group.chunks(share).zip(found.chunks_mut(share)) {
                scope.spawn(move || {
                    for (batch, place) in batches.iter().zip(places) {
                        let sequences: Vec<&[TokenId]> = batch
                            .iter()
                            .filter_map(|at| framed.get(*at).map(Vec::as_slice))
                            .collect();
                        *place = model.states(&sequences);
                    }
                });
            }
        });
        for (batch, states) in group.iter().zip(found) {
            for (text, states) in batch.iter().zip(states) {
                lessons.add(*text, &states);
            }
        }
    }
}

fn batches(order: &[usize], framed: &[Vec<TokenId>]) -> Vec<Vec<usize>> {
    let mut batches = Vec::new();
    let mut batch = Vec::new();
    let mut tokens = 0;
    for at in order {
        batch.push(*at);
        tokens += framed.get(*at).map_or(0, Vec::len);
        if tokens >= TOKENS_AT_ONCE {
            batches.push(std::mem::take(&mut batch));
            tokens = 0;
        }
    }
    batches.push(batch);
    batches
}

fn remember(lessons: &Lessons) -> Vec<u8> {
    let numbers = lessons.vectors.iter().chain(&lessons.states);
    let counts = lessons.counts.iter().flat_map(|count| count.to_le_bytes());
    numbers
        .flat_map(|number| number.to_le_bytes())
        .chain(counts)
        .collect()
}

fn recall(lessons: &mut Lessons, bytes: &[u8]) {
    let mut fours = bytes.as_chunks::<4>().0.iter().copied();
    for number in lessons.vectors.iter_mut().chain(&mut lessons.states) {
        *number = fours.next().map_or(0.0, f32::from_le_bytes);
    }
    for count in &mut lessons.counts {
        *count = fours.next().map_or(0, u32::from_le_bytes);
    }
}
