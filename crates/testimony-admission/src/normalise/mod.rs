//! The first stage: a text read in every way in which somebody could have disguised what it says.
//!
//! [`Reading::of`] gives *views* of a text.
//! A [`View`] is a string with a map from its byte ranges back to byte ranges of the text as it was sent, so a rule
//! may match on whatever view shows its target and still report the original span:
//!
//! | layer | what it shows |
//! |---|---|
//! | [`Layer::Raw`] | the text itself; always the first view |
//! | [`Layer::Folded`] | NFKC; format, zero-width, bidi, soft-hyphen and variation characters dropped; tag characters as ASCII; exotic spaces and quotes unified; look-alike letters as Latin inside words that mix scripts |
//! | [`Layer::Joined`] | wrapped lines (also with backslash, indent or a quote mark), string concatenations, split code spans and spaced groups joined |
//! | [`Layer::Unescaped`] | percent, HTML, `\u`, `\x`, octal and the usual backslash escapes resolved in place |
//! | [`Layer::Decoded`] | base64 (standard or URL alphabet, padded or not) and hexadecimal stretches replaced in place by the text they hold |
//!
//! Views are made from views: what base64 held is folded, joined and unescaped again, to [`MAX_DEPTH`] decodings.
//! A view exists only where it differs from every view before it, so a plain text has one view and allocates nothing.
//! All views together hold at most [`MAX_GROWTH`] bytes for each byte of the text (and [`SMALL_TEXT`] more), which
//! keeps every stage that reads them linear.
//! A text that needs more is not read to its end, and [`Reading::is_complete`] says so: whoever floods a reading to hide
//! something behind the flood must not get past a person.
//!
//! ```
//! use testimony_admission::normalise::{Layer, Reading};
//!
//! let text = "he\u{200b}llo";
//! let reading = Reading::of(text);
//! let folded = reading.views().find(|view| view.layer() == Layer::Folded).unwrap();
//! assert_eq!(folded.text(), "hello");
//! assert_eq!(folded.original(1..3), 1..6);
//! ```

mod decode;
mod fold;
mod fold_tables;
mod join;
mod unescape;
mod view;

use testimony_domain::words;

use crate::work::steps;
pub use view::View;

words! {
    /// What was done to a text to get a view of it; the last step counts.
    pub enum Layer {
        /// Nothing.
        Raw = "raw",
        /// Characters were unified.
        Folded = "folded",
        /// Pieces were put together.
        Joined = "joined",
        /// Escapes were resolved.
        Unescaped = "unescaped",
        /// Encoded stretches were decoded.
        Decoded = "decoded",
    }
}

/// How many decodings (escapes, base64, hexadecimal) may lie on top of each other.
pub const MAX_DEPTH: u8 = 3;
/// How many bytes all views together may hold for each byte of the text.
pub const MAX_GROWTH: usize = 24;
/// How many bytes all views together may hold beyond that.
pub const SMALL_TEXT: usize = 4_096;
/// How many views a reading has at most.
const MAX_VIEWS: usize = 32;

/// A text and every view of it.
#[derive(Clone, Debug)]
pub struct Reading<'a> {
    raw: &'a str,
    plain: View<'a>,
    /// Every view but the plain one; most texts have none.
    others: Vec<View<'a>>,
    complete: bool,
}

impl<'a> Reading<'a> {
    /// Reads `text` in every way.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        let mut reading = Self {
            raw: text,
            plain: View::raw(text),
            others: Vec::new(),
            complete: true,
        };
        let mut children = children_of(&reading.plain);
        for next in 0.. {
            children.into_iter().for_each(|child| reading.admit(child));
            let Some(parent) = reading.others.get(next) else {
                break;
            };
            children = children_of(parent);
        }
        reading
    }

    /// The text as it was sent.
    #[must_use]
    pub const fn raw(&self) -> &'a str {
        self.raw
    }

    /// Every view, the raw one first, shallower ones before deeper ones.
    pub fn views(&self) -> impl Iterator<Item = &View<'a>> {
        std::iter::once(&self.plain).chain(&self.others)
    }

    /// Whether the raw text is all there is to read.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.others.is_empty()
    }

    /// Whether the text was read in every way to its end; otherwise the budget stopped it, and what the views do not
    /// show may still be in it.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// How many bytes the views hold together: the work that a stage which reads them all has to do.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.views().map(|view| view.text().len()).sum()
    }

    /// Keeps a view that says something new, within the budget.
    fn admit(&mut self, view: View<'a>) {
        let budget = self.raw.len() * MAX_GROWTH + SMALL_TEXT;
        let fits = self.others.len() + 1 < MAX_VIEWS
            && self.bytes().saturating_add(view.text().len()) <= budget;
        steps(view.text().len());
        if self.views().any(|known| known.text() == view.text()) {
            return;
        }
        self.complete &= fits && view.is_complete();
        if fits {
            self.others.push(view);
        }
    }
}

/// The views that one step makes of `parent`. A step that changes nothing makes none.
fn children_of<'a>(parent: &View<'a>) -> Vec<View<'a>> {
    let folded = match parent.layer() {
        Layer::Raw | Layer::Unescaped | Layer::Decoded => fold::fold(parent),
        Layer::Folded | Layer::Joined => None,
    };
    // What can be folded is folded before anything else looks at it.
    if folded.is_some() {
        return folded.into_iter().collect();
    }
    let joined = match parent.layer() {
        Layer::Joined => [None, None],
        Layer::Raw | Layer::Folded | Layer::Unescaped | Layer::Decoded => join::join(parent),
    };
    let deeper = parent.depth() < MAX_DEPTH;
    let unescaped = deeper.then(|| unescape::unescape(parent)).flatten();
    let decoded = deeper.then(|| decode::decode(parent)).flatten();
    let steps = joined.into_iter().chain([unescaped, decoded]);
    steps.flatten().collect()
}

#[cfg(test)]
mod tests;
