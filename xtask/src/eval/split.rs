//! A secret in two rows: each half may pass alone, but the block that a model reads must not show the whole.

use std::path::Path;

use super::carried::is_left;
use super::{Entrance, NOBODYS_POLICY, corpus};
use crate::Trouble;

const FILE: &str = "secrets/split-across-rows.jsonl.gz";

/// What became of the halves.
#[derive(Default)]
pub(super) struct Split {
    /// Secrets that were split.
    pub(super) secrets: usize,
    /// Of which the block shows every half.
    pub(super) whole: usize,
    /// Of which it shows some half.
    pub(super) in_part: usize,
}

pub(super) fn measure(data: &Path, entrance: Entrance) -> Result<Split, Trouble> {
    let mut split = Split::default();
    for row in corpus::rows(data, FILE)? {
        let secret = row.secret().unwrap_or_default();
        let rows = row.rows();
        let admitted: Vec<_> = rows.iter().map(|text| entrance.rule(text).text).collect();
        let block = [(entrance.compose)(&admitted, &NOBODYS_POLICY).to_string()];
        let halves = rows.iter().filter_map(|text| half(secret, text));
        let shown: Vec<bool> = halves.map(|half| is_left(half, &block, "")).collect();
        split.secrets += 1;
        split.whole += usize::from(shown.iter().all(|shown| *shown));
        split.in_part += usize::from(shown.contains(&true));
    }
    Ok(split)
}

/// The longest beginning or end of the secret that stands in the row.
fn half<'a>(secret: &'a str, row: &str) -> Option<&'a str> {
    let cuts = secret.char_indices().map(|(at, _)| secret.split_at(at));
    let halves = cuts.flat_map(|(head, tail)| [head, tail]);
    halves
        .filter(|half| !half.is_empty() && row.contains(half))
        .max_by_key(|half| half.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_is_found_at_either_end() {
        assert_eq!(half("heron-blue", "first heron- here"), Some("heron-"));
        assert_eq!(half("heron-blue", "then blue here"), Some("blue"));
    }
}
