//! From offsets in a redacted text back to the text as it was sent.

use std::ops::Range;

/// A map from byte offsets of a redacted text to byte offsets of the original.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetMap {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    redacted: Range<usize>,
    original: Range<usize>,
    /// A label in place of a secret: it stands for all of it.
    label: bool,
}

/// A label in a redacted text, and the secret for which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where the label stands in the redacted text, in bytes.
    pub redacted: Range<usize>,
    /// Where the secret stood in the text as it was sent, in bytes.
    pub original: Range<usize>,
}

impl OffsetMap {
    pub(super) fn keep(&mut self, redacted: usize, original: usize, len: usize) {
        self.pieces.push(Piece {
            redacted: redacted..redacted + len,
            original: original..original + len,
            label: false,
        });
    }

    pub(super) fn replace(&mut self, redacted: usize, len: usize, original: Range<usize>) {
        self.pieces.push(Piece {
            redacted: redacted..redacted + len,
            original,
            label: true,
        });
    }

    /// Every label that stands in place of a secret, in the order of the text.
    pub fn labels(&self) -> impl Iterator<Item = Label> {
        let labels = self.pieces.iter().filter(|piece| piece.label);
        labels.map(|piece| Label {
            redacted: piece.redacted.clone(),
            original: piece.original.clone(),
        })
    }

    /// Where `range` of the redacted text stood in the original. A range that touches a label covers all that the
    /// label stands for.
    #[must_use]
    pub fn original(&self, range: Range<usize>) -> Range<usize> {
        let start = self.start_of(range.start);
        if range.is_empty() {
            return start..start;
        }
        start..self.end_of(range.end).max(start)
    }

    fn start_of(&self, at: usize) -> usize {
        let index = self
            .pieces
            .partition_point(|piece| piece.redacted.end <= at);
        match self.pieces.get(index) {
            Some(piece) if piece.label => piece.original.start,
            Some(piece) => piece.original.start + at.saturating_sub(piece.redacted.start),
            None => self.pieces.last().map_or(at, |piece| piece.original.end),
        }
    }

    fn end_of(&self, at: usize) -> usize {
        let index = self.pieces.partition_point(|piece| piece.redacted.end < at);
        match self.pieces.get(index) {
            Some(piece) if piece.label => piece.original.end,
            Some(piece) => piece.original.start + at.saturating_sub(piece.redacted.start),
            None => self.pieces.last().map_or(at, |piece| piece.original.end),
        }
    }
}
