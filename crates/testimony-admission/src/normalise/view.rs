//! A view: a string, and where each of its bytes came from.

use std::borrow::Cow;
use std::ops::Range;

use super::Layer;
use crate::work::steps;

/// A stretch of a view and the stretch of the original text that it came from.
///
/// Where both are equally long they run in step; otherwise the piece stands for its whole origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    view: usize,
    len: usize,
    origin: usize,
    origin_len: usize,
}

impl Piece {
    const fn view_end(&self) -> usize {
        self.view + self.len
    }

    const fn runs_in_step(&self) -> bool {
        self.len == self.origin_len
    }

    /// Where the byte at view offset `at` begins in the original.
    const fn start_of(&self, at: usize) -> usize {
        if self.runs_in_step() {
            self.origin + at.saturating_sub(self.view)
        } else {
            self.origin
        }
    }

    /// Where the byte before view offset `at` ends in the original.
    const fn end_of(&self, at: usize) -> usize {
        if self.runs_in_step() {
            self.origin + at.saturating_sub(self.view)
        } else {
            self.origin + self.origin_len
        }
    }
}

/// One way to read a text, with a map back to it.
#[derive(Clone, Debug)]
pub struct View<'a> {
    text: Cow<'a, str>,
    layer: Layer,
    depth: u8,
    raw: &'a str,
    /// Whether nothing was put together that might not belong together.
    certain: bool,
    /// Whether the last step and all before it went through to the end.
    complete: bool,
    /// Sorted by view offset, without gaps; empty for the raw view, which is its own origin.
    pieces: Vec<Piece>,
    /// Where the end of a line or of a literal was left out, in order.
    breaks: Vec<usize>,
}

impl<'a> View<'a> {
    /// The text as it was sent.
    pub(super) const fn raw(text: &'a str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            layer: Layer::Raw,
            depth: 0,
            raw: text,
            certain: true,
            complete: true,
            pieces: Vec::new(),
            breaks: Vec::new(),
        }
    }

    /// What this view reads.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The last step that led here.
    #[must_use]
    pub const fn layer(&self) -> Layer {
        self.layer
    }

    /// How many decodings led here.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    /// Whether nothing was put together on the way here that might not belong together.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        self.certain
    }

    /// Whether every step that led here went through to the end of the text.
    pub(super) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// The same view, but some of its seams may join strangers.
    pub(super) fn uncertain(mut self) -> Self {
        self.certain = false;
        self
    }

    /// Whether something was left out right before the byte at `at`: what stands on either side may be one word or two.
    #[must_use]
    pub fn is_seam(&self, at: usize) -> bool {
        let left_out = || at > 0 && self.origin_of_end(at) < self.origin_of_start(at);
        self.breaks.binary_search(&at).is_ok() || self.layer == Layer::Joined && left_out()
    }

    /// Where inside of `range` the end of a line or of a literal was left out: what stands behind may be another thing.
    pub(crate) fn breaks_in(&self, range: &Range<usize>) -> &[usize] {
        let from = self.breaks.partition_point(|at| *at <= range.start);
        let to = self.breaks.partition_point(|at| *at < range.end);
        self.breaks.get(from..to).unwrap_or_default()
    }

    /// What stands between such a break and the next one, no longer than any value.
    pub(crate) fn behind_break(&self, end: usize) -> &str {
        const LONGEST: usize = 512;
        let behind = self.breaks.partition_point(|at| *at <= end);
        let next = self.breaks.get(behind).copied();
        let to = next
            .unwrap_or(self.text.len())
            .min(end.saturating_add(LONGEST));
        self.text
            .get(end..self.text.floor_char_boundary(to))
            .unwrap_or_default()
    }

    /// Where the bytes of `range` stand in the text as it was sent: on character boundaries, and never empty for a
    /// range that is not.
    #[must_use]
    pub fn original(&self, range: Range<usize>) -> Range<usize> {
        let found = if self.layer == Layer::Raw {
            range
        } else if range.is_empty() {
            let at = self.origin_of_start(range.start);
            at..at
        } else {
            self.origin_of_start(range.start)..self.origin_of_end(range.end)
        };
        let start = self.raw.floor_char_boundary(found.start);
        let end = self.raw.ceil_char_boundary(found.end).max(start);
        start..end
    }

    fn piece_at(&self, at: usize) -> Option<&Piece> {
        let index = self.pieces.partition_point(|piece| piece.view_end() <= at);
        self.pieces.get(index)
    }

    fn origin_of_start(&self, at: usize) -> usize {
        self.piece_at(at)
            .map_or(self.raw.len(), |piece| piece.start_of(at))
    }

    fn origin_of_end(&self, at: usize) -> usize {
        let last_byte = at.saturating_sub(1);
        self.piece_at(last_byte)
            .map_or(self.raw.len(), |piece| piece.end_of(at))
    }
}

/// Builds a view from the view before it, front to back.
pub(super) struct Builder<'p, 'a> {
    parent: &'p View<'a>,
    text: String,
    pieces: Vec<Piece>,
    /// The first piece of the parent that may still be needed; ranges come in order, so it only moves forward.
    cursor: usize,
    complete: bool,
    breaks: Vec<usize>,
    /// How many of the parent's line ends were passed.
    passed: usize,
}

impl<'p, 'a> Builder<'p, 'a> {
    pub(super) fn new(parent: &'p View<'a>) -> Self {
        Self {
            parent,
            text: String::with_capacity(parent.text.len()),
            pieces: Vec::new(),
            cursor: 0,
            complete: parent.complete,
            breaks: Vec::new(),
            passed: 0,
        }
    }

    /// Bytes written so far.
    pub(super) const fn len(&self) -> usize {
        self.text.len()
    }

    /// Says that what follows is copied as it is because the view has grown too much.
    pub(super) const fn give_up(&mut self) {
        self.complete = false;
    }

    /// Says that the end of a line or of a literal is left out here.
    pub(super) fn mark_break(&mut self) {
        self.breaks.push(self.text.len());
    }

    /// Takes over what the parent left out before `to`, of what is written from `from` on.
    fn pass_breaks(&mut self, from: usize, to: usize) {
        while let Some(end) = self.parent.breaks.get(self.passed)
            && *end < to
        {
            steps(1);
            self.breaks.push(self.text.len() + end.saturating_sub(from));
            self.passed += 1;
        }
    }

    /// Copies a stretch of the parent.
    pub(super) fn keep(&mut self, range: Range<usize>) {
        let Some(text) = self.parent.text.get(range.clone()) else {
            return;
        };
        steps(text.len());
        self.pass_breaks(range.start, range.end);
        let at = self.text.len();
        self.text.push_str(text);
        if self.parent.layer == Layer::Raw {
            self.push(Piece {
                view: at,
                len: range.len(),
                origin: range.start,
                origin_len: range.len(),
            });
            return;
        }
        self.skip_pieces_before(range.start);
        for index in self.cursor..self.parent.pieces.len() {
            let Some(piece) = self.parent.pieces.get(index).copied() else {
                break;
            };
            if piece.view >= range.end {
                break;
            }
            steps(1);
            let from = piece.view.max(range.start);
            let to = piece.view_end().min(range.end);
            let origin = piece.start_of(from);
            self.push(Piece {
                view: at + (from - range.start),
                len: to - from,
                origin,
                origin_len: piece.end_of(to) - origin,
            });
        }
    }

    /// Writes `text` in place of a stretch of the parent.
    pub(super) fn put(&mut self, text: &str, instead_of: Range<usize>) {
        steps(text.len());
        self.pass_breaks(instead_of.end, instead_of.end);
        let origin = self.parent.original(instead_of);
        let piece = Piece {
            view: self.text.len(),
            len: text.len(),
            origin: origin.start,
            origin_len: origin.len(),
        };
        self.text.push_str(text);
        self.push(piece);
    }

    /// Writes bytes that were decoded; `source` says which stretch of the parent a stretch of them stands for.
    /// Only what is text is written: the caller passes bytes that are.
    pub(super) fn put_decoded(
        &mut self,
        text: &str,
        source: impl Fn(Range<usize>) -> Range<usize>,
    ) {
        for (at, character) in text.char_indices() {
            let mut buffer = [0_u8; 4];
            let written = character.encode_utf8(&mut buffer);
            let range = at..at + written.len();
            self.put(written, source(range));
        }
    }

    fn skip_pieces_before(&mut self, at: usize) {
        while self
            .parent
            .pieces
            .get(self.cursor)
            .is_some_and(|piece| piece.view_end() <= at)
        {
            steps(1);
            self.cursor += 1;
        }
    }

    fn push(&mut self, piece: Piece) {
        if piece.len == 0 {
            return;
        }
        if let Some(last) = self.pieces.last_mut() {
            let continues = last.runs_in_step()
                && piece.runs_in_step()
                && last.origin + last.origin_len == piece.origin;
            if continues {
                last.len += piece.len;
                last.origin_len += piece.origin_len;
                return;
            }
        }
        self.pieces.push(piece);
    }

    /// The finished view.
    pub(super) fn finish(self, layer: Layer, depth: u8) -> View<'a> {
        View {
            text: Cow::Owned(self.text),
            layer,
            depth,
            raw: self.parent.raw,
            certain: self.parent.certain,
            complete: self.complete,
            pieces: self.pieces,
            breaks: self.breaks,
        }
    }
}
