//! What is counted of a model while it is used.

use std::sync::atomic::{AtomicU64, Ordering};

use testimony_service::ports::models::TokenUsage;

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Questions that were sent, each once however often it was sent.
    pub questions: u64,
    /// Questions without an answer that can be used.
    pub failures: u64,
    /// How often a question was sent again.
    pub retries: u64,
    /// Tokens that it says it read.
    pub prompt_tokens: u64,
    /// Tokens that it says it wrote.
    pub completion_tokens: u64,
}

/// The counters.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    questions: AtomicU64,
    failures: AtomicU64,
    retries: AtomicU64,
    prompt_tokens: AtomicU64,
    completion_tokens: AtomicU64,
}

impl Counts {
    pub(crate) fn question(&self) {
        self.questions.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn failure(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn retry(&self) {
        self.retries.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn used(&self, usage: TokenUsage) {
        self.prompt_tokens
            .fetch_add(usage.prompt, Ordering::Relaxed);
        self.completion_tokens
            .fetch_add(usage.completion, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> Counted {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counted {
            questions: read(&self.questions),
            failures: read(&self.failures),
            retries: read(&self.retries),
            prompt_tokens: read(&self.prompt_tokens),
            completion_tokens: read(&self.completion_tokens),
        }
    }
}
