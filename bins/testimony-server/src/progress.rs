//! How far a long command has come: one line that is written over, for a person at a terminal and nobody else.

use std::io::{IsTerminal as _, Write as _};

/// Back to the beginning of the line, and nothing on it.
const CLEAN: &str = "\r\u{1b}[K";

/// A line on standard error; it is gone when the value is.
#[derive(Debug)]
pub(crate) struct Progress {
    is_shown: bool,
}

impl Progress {
    /// A line where somebody sees it, and where the answer does not go to the same terminal meanwhile.
    pub(crate) fn beside(answer: Answer) -> Self {
        let is_free = match answer {
            Answer::AtTheEnd => true,
            Answer::OnStandardOutput => !std::io::stdout().is_terminal(),
        };
        Self {
            is_shown: is_free && std::io::stderr().is_terminal(),
        }
    }

    /// Says how far it has come.
    pub(crate) fn say(&self, text: &str) {
        self.write(&format!("{CLEAN}{text}"));
    }

    fn write(&self, text: &str) {
        if self.is_shown {
            // Whoever does not see it misses nothing.
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
    }
}

/// Where the answer of a command goes while it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing is written before it is done.
    AtTheEnd,
    /// It is written as it comes.
    OnStandardOutput,
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.write(CLEAN);
    }
}
