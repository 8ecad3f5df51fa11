//! Counting tokens: a trait, and a counter on the embedded ranks of `o200k_base`.

use tiktoken_rs::o200k_base_singleton;

/// Counts the tokens that a text costs.
pub trait TokenCounter {
    /// How many tokens `text` costs.
    fn count(&self, text: &str) -> usize;

    /// The name of the vocabulary, as diagnostics give it.
    fn vocabulary(&self) -> &'static str;
}

/// Counts by the vocabulary `o200k_base`, exactly for text as people write it.
///
/// A run of more than [`LONGEST_PIECE`] bytes in which no space follows a visible character is cut into pieces before
/// it is counted; such a run may count a few tokens more than it costs, and never takes more than linear time.
#[derive(Clone, Copy, Debug, Default)]
pub struct O200k;

/// No more than so many bytes are handed to the encoder at once. Its expression backtracks within a piece, and a piece
/// of this size keeps that far below its limit.
pub const LONGEST_PIECE: usize = 1_024;

impl TokenCounter for O200k {
    fn count(&self, text: &str) -> usize {
        let encoder = o200k_base_singleton();
        Pieces { rest: text }
            .map(|piece| encoder.count_ordinary(piece))
            .sum()
    }

    fn vocabulary(&self) -> &'static str {
        "o200k_base"
    }
}

/// Pieces that are counted apart and add up to the whole.
struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (piece, rest) = self
            .rest
            .split_at_checked(cut(self.rest))
            .unwrap_or((self.rest, ""));
        self.rest = rest;
        Some(piece)
    }
}

/// Where the first piece ends: before the last space that follows a visible character, where no token can reach across;
/// without one at the last whole character.
fn cut(text: &str) -> usize {
    if text.len() <= LONGEST_PIECE {
        return text.len();
    }
    let (mut seam, mut last, mut before) = (0, 0, ' ');
    for (at, here) in text
        .char_indices()
        .take_while(|(at, _)| *at <= LONGEST_PIECE)
    {
        if here == ' ' && !before.is_whitespace() {
            seam = at;
        }
        (last, before) = (at, here);
    }
    if seam > 0 { seam } else { last }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prose of any length counts in pieces as it counts whole.
    #[test]
    fn pieces_add_up_to_the_whole() {
        let line = "The billing service (v2.3) moved to eu-west-1 on 3 May 2026, didn't it?\n  Ja, gewiß — 注文は三つ。 ";
        let long = line.repeat(60);
        assert!(long.len() > 4 * LONGEST_PIECE);
        assert_eq!(
            O200k.count(&long),
            o200k_base_singleton().count_ordinary(&long)
        );
    }

    #[test]
    fn pieces_lose_nothing_and_stay_small() {
        let texts = [
            "a".repeat(5_000),
            " ".repeat(5_000),
            "ß注🦀\u{200d}".repeat(900),
            "word ".repeat(2_000),
        ];
        for text in texts {
            let pieces: Vec<&str> = Pieces { rest: &text }.collect();
            assert_eq!(pieces.concat(), text);
            assert!(pieces.iter().all(|piece| piece.len() <= LONGEST_PIECE));
        }
    }

    #[test]
    fn the_worst_runs_are_counted_without_fail() {
        for run in [
            " ", "\n", "\t", "a", "A", "\u{301}", "'", "注", "🦀", "\u{0}", "1",
        ] {
            assert!(O200k.count(&run.repeat(20_000)) > 0, "{run:?}");
        }
        assert_eq!(O200k.count(""), 0);
        assert!(
            O200k.count("<|endoftext|>") > 1,
            "a special token is ordinary text"
        );
    }
}
