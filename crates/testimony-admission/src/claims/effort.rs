//! How much is looked at while claims are drawn, so that a test can see it grow with the text and no faster.

use std::cell::Cell;

/// Counts what is looked at: bytes, lines, tokens and dates, each as often as it is. It belongs to whoever asks for it.
#[derive(Debug, Default)]
pub struct Effort(Cell<usize>);

impl Effort {
    /// So much was looked at.
    pub(crate) fn spend(&self, amount: usize) {
        self.0.set(self.0.get().saturating_add(amount));
    }

    /// How much was looked at so far.
    #[must_use]
    pub const fn spent(&self) -> usize {
        self.0.get()
    }
}
