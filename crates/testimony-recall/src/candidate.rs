//! What a search hands in: a row, and how far each channel speaks for it.

use testimony_domain::{Memory, MemoryId, Score, words};

use crate::score::RowText;

words! {
    /// The ways in which a search can find a row.
    pub enum Channel {
        /// Indexed words.
        Keyword = "keyword",
        /// Meaning.
        Semantic = "semantic",
        /// Things spoken of.
        Entity = "entity",
        /// Relationships to other rows.
        Graph = "graph",
        /// What is known about the person who asks.
        Profile = "profile",
        /// The exact words of the question.
        Lexical = "lexical",
        /// What was said just before it.
        Before = "said_before",
        /// What was said just after it.
        After = "said_after",
    }
}

/// What is said within so many seconds of each other belongs together.
pub const SAME_TALK: i64 = 30 * 60;

/// How far each channel speaks for a row. A channel that did not look, or found nothing, says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Channels([Option<Score>; Channel::ALL.len()]);

impl Channels {
    /// The same with one channel set.
    #[must_use]
    pub fn with(mut self, channel: Channel, score: Score) -> Self {
        if let Some(slot) = self.0.get_mut(channel as usize) {
            *slot = Some(score);
        }
        self
    }

    /// Of each channel the better of what the two say.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        let better = |all: Self, channel: &Channel| match (all.get(*channel), other.get(*channel)) {
            (Some(one), Some(two)) if one.get() >= two.get() => all,
            (_, Some(two)) => all.with(*channel, two),
            (_, None) => all,
        };
        Channel::ALL.iter().fold(self, better)
    }

    /// What a channel says; `None` when it says nothing.
    #[must_use]
    pub fn get(&self, channel: Channel) -> Option<Score> {
        self.0.get(channel as usize).copied().flatten()
    }
}

/// A row that a search found.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The row.
    pub memory: &'a Memory,
    /// How far each channel speaks for it.
    pub channels: Channels,
    /// Its text, where whoever searches keeps it read; otherwise it is read here.
    pub text: Option<&'a RowText>,
    /// The logarithm of the odds that it answers, by whoever read it with the question before it.
    pub reads: Option<f64>,
    /// What was read of it beside an earlier row that answers, where it was.
    pub follows: Option<Follows>,
}

/// That a row may say anew what an earlier one says, by whoever read both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follows {
    /// The earlier row.
    pub earlier: MemoryId,
    /// The logarithm of the odds that what it says is out of date.
    pub odds: f64,
    /// The logarithm of the odds that the later one answers what is asked, where those of the other left that open.
    pub answers: Option<f64>,
}

words! {
    /// Whether a source of candidates could be asked.
    pub enum SourceState {
        /// It answered.
        Up = "up",
        /// It could not be asked.
        Down = "down",
    }
}

/// Which of the two primary sources could be asked for this request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The index of words.
    pub keyword: SourceState,
    /// The index of meanings.
    pub semantic: SourceState,
}

impl Default for Sources {
    fn default() -> Self {
        Self {
            keyword: SourceState::Up,
            semantic: SourceState::Up,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_searches_the_better_counts_in_each_channel() {
        let said = |keyword: f64, semantic: Option<f64>| {
            let channels = Channels::default().with(Channel::Keyword, Score::clamped(keyword));
            let semantic = semantic.map(Score::clamped);
            semantic.map_or(channels, |score| channels.with(Channel::Semantic, score))
        };
        let (weak, strong) = (said(0.2, Some(0.9)), said(0.7, None));
        for joined in [weak.joined(strong), strong.joined(weak)] {
            assert_eq!(joined, said(0.7, Some(0.9)));
        }
    }
}
