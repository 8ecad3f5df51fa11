//! How a text is worded, in numbers that were learnt from labelled texts.
//!
//! Rules know what somebody thought of; what nobody thought of is still worded like other texts of its kind.
//! A table knows *signs*: the beginning of a word, two of them side by side, two around a third.
//! It gives each of them a weight for each kind of text that it tells from ordinary ones, and the weights of all signs
//! in a stretch together say how much more likely it is of that kind.
//! It is a file of readable lines, which `cargo xtask fit` learns from the labelled texts in `fixtures/`.
//!
//! This module decides nothing: [`crate::injection`] and [`crate::residue`] ask it beside their rules, and
//! [`crate::reconcile`] reads a table of its own signs with it.

mod sign;

use std::ops::Range;
use std::sync::LazyLock;

use crate::folded::{Folded, Word};
use crate::lexicon::{Keys, WordMap, sentences};
use crate::work::steps;

/// Whether a sentence is worded as one that instructs its reader.
pub(crate) static ATTACKS: LazyLock<Table> =
    LazyLock::new(|| Table::read(include_str!("attacks.tsv"), sign::key_of));
/// Whether a text is worded as a row of a trial, a log, a program or a terminal.
pub(crate) static RECORDS: LazyLock<Table> =
    LazyLock::new(|| Table::read(include_str!("records.tsv"), sign::key_of));

/// What a weight of one is in a file.
pub const ONE: f64 = 100.0;
/// The sum of many signs grows with their root: a long text is no surer of anything than a short one.
pub const SPREAD: f64 = 3.0;
/// Fewer signs than this count as so many, so that one word alone decides nothing.
pub const FEWEST_SIGNS: usize = 4;
/// Where not one sign in so many is known, the text may be in a language that no labelled text had.
const LEAST_KNOWN: usize = 3;
/// So many bits of a key say whether a sign may be known: four times as many places as signs.
const HEAD_BITS: u32 = 18;
/// More kinds are told apart by no table.
const MOST_KINDS: usize = 7;
/// How the line of a kind begins; no sign holds this mark.
const KIND: char = '=';

/// Weights of signs.
pub(crate) struct Table {
    /// The kinds of text that it tells from ordinary ones, by name.
    kinds: Vec<&'static str>,
    /// What speaks for each kind before a word is read.
    base: Vec<f64>,
    /// The highest bits of the keys of all signs: most signs of most texts are unknown, and most of these are told by that
    /// without a look at the far larger map.
    heads: Keys<{ 1 << (HEAD_BITS - 6) }>,
    /// Where the weights of a sign stand.
    places: WordMap<u64, Range<u32>>,
    /// For which kind, and how much.
    weights: Vec<(u8, i16)>,
}

/// What a stretch of text is worded as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Likeness {
    /// The likeliest kind of text.
    pub(crate) kind: &'static str,
    /// How much likelier it is than ordinary text, as the logarithm of the odds.
    pub(crate) odds: f64,
    /// Whether enough of its signs are known to say that it is no text of another language.
    pub(crate) is_known: bool,
}

impl Table {
    /// Reads a file: a line for each kind with what speaks for it beforehand, then one for each sign with its weights.
    /// What cannot be read is left out, which a test excludes.
    pub(crate) fn read(file: &'static str, key_of: fn(&'static str) -> u64) -> Self {
        let mut table = Self {
            kinds: Vec::new(),
            base: Vec::new(),
            heads: Keys::none(),
            places: WordMap::default(),
            weights: Vec::new(),
        };
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            let mut cells = line.split('\t');
            let Some(first) = cells.next() else { continue };
            if let Some(kind) = first.strip_prefix(KIND) {
                table.kinds.push(kind);
                let base = cells.next().and_then(|base| base.parse::<f64>().ok());
                table.base.extend(base.map(|base| base / ONE));
                continue;
            }
            let from = table.weights.len() as u32;
            table.weights.extend(cells.filter_map(weight));
            let to = table.weights.len() as u32;
            table.places.insert(key_of(first), from..to);
        }
        table.heads = Keys::of(table.places.keys().copied().map(head));
        table
    }

    /// The names of its kinds.
    #[cfg(test)]
    pub(crate) fn kinds(&self) -> &[&'static str] {
        &self.kinds
    }

    /// What the words of a stretch of a folded text are worded as.
    pub(crate) fn likeness(&self, text: &str, words: &[Word]) -> Option<Likeness> {
        let signs = sign::keys(text, words);
        steps(signs.len());
        let odds = self.odds(&signs);
        let (kind, likeliest) = odds.likeliest()?;
        Some(Likeness {
            kind,
            odds: likeliest,
            is_known: odds.known * LEAST_KNOWN >= signs.len(),
        })
    }

    /// How likely each kind is by these signs.
    pub(crate) fn odds(&self, signs: &[u64]) -> Odds<'_> {
        let known = signs.iter().filter(|key| self.heads.may_hold(head(**key)));
        let known = known.filter_map(|key| Some((*key, self.places.get(key)?)));
        let mut known: Vec<(u64, &Range<u32>)> = known.collect();
        let met = known.len();
        // Each sign counts once, however often it stands there.
        known.sort_unstable_by_key(|(key, _)| *key);
        known.dedup_by_key(|(key, _)| *key);
        let mut sums = [0_i32; MOST_KINDS];
        for (_, place) in &known {
            let weights = self.weights.get(place.start as usize..place.end as usize);
            for (kind, weight) in weights.into_iter().flatten() {
                if let Some(sum) = sums.get_mut(usize::from(*kind)) {
                    *sum += i32::from(*weight);
                }
            }
        }
        let share = SPREAD / (known.len().max(FEWEST_SIGNS) as f64).sqrt() / ONE;
        let mut odds = [0.0; MOST_KINDS];
        for ((odds, sum), base) in odds.iter_mut().zip(sums).zip(&self.base) {
            *odds = base + f64::from(sum) * share;
        }
        Odds {
            kinds: &self.kinds,
            odds,
            known: met,
        }
    }
}

/// How much likelier each kind is than ordinary text, as the logarithm of the odds.
pub(crate) struct Odds<'t> {
    kinds: &'t [&'static str],
    odds: [f64; MOST_KINDS],
    /// How many signs were known.
    known: usize,
}

impl Odds<'_> {
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.kinds.iter().copied().zip(self.odds)
    }

    pub(crate) fn likeliest(&self) -> Option<(&'static str, f64)> {
        self.all().max_by(|(_, a), (_, b)| a.total_cmp(b))
    }
}

/// The highest bits of a key.
const fn head(key: u64) -> u32 {
    (key >> (64 - HEAD_BITS)) as u32
}

/// `3:-120`: the kind by its number, and the weight.
fn weight(cell: &str) -> Option<(u8, i16)> {
    let (kind, weight) = cell.split_once(':')?;
    Some((kind.parse().ok()?, weight.parse().ok()?))
}

/// The number of a sign that is one word.
pub(crate) use sign::number as key_of;

/// Where the sentences of a text stand.
#[must_use]
pub fn sentences_of(text: &str) -> Vec<Range<usize>> {
    let found = sentences(text);
    found
        .map(|(start, sentence)| start..start + sentence.len())
        .collect()
}

/// The signs of a text, as its table writes them.
#[must_use]
pub fn signs_of(text: &str) -> Vec<String> {
    let folded = Folded::of(text);
    sign::written(&folded.text, &folded.words)
}

#[cfg(test)]
mod tests;
