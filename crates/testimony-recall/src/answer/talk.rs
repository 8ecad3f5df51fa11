//! Which rows are turns of a talk: they answer each other, and whoever reads one of them alone, just before or after which
//! another was said, misses what it is about.
//!
//! It takes two to talk: what one person notes is none, however much of it within an hour.

use testimony_domain::{Memory, Partition, Speaker, Timestamp};

use super::judge::Judged;
use crate::candidate::{Channel, SAME_TALK};

/// Who said what goes on from something else, and when, in the order of time.
pub(super) struct Talk<'a> {
    said: Vec<(Timestamp, &'a Partition, &'a Speaker)>,
    /// Whether most of what is known goes on, and several speak: of a long talk a search finds turns without those beside them.
    is_all: bool,
}

impl<'a> Talk<'a> {
    /// What is known of the rows that the asker may know of.
    pub(super) fn among<'r>(rows: impl Iterator<Item = &'r Judged<'a>>) -> Self
    where
        'a: 'r,
    {
        let (mut said, mut alone) = (Vec::new(), 0);
        for row in rows {
            let memory: &'a Memory = row.candidate.memory;
            match &memory.speaker {
                Some(speaker) if goes_on(row) => {
                    said.push((memory.observed_at, &memory.partition, speaker));
                }
                _ => alone += 1,
            }
        }
        said.sort_unstable_by_key(|(at, ..)| *at);
        let first = said.first().map(|(.., speaker)| *speaker);
        let several = said.iter().any(|(.., speaker)| first != Some(*speaker));
        let is_all = several && said.len() > alone;
        Self { said, is_all }
    }

    /// Whether something was said just before or after a row, and somebody else spoke then.
    pub(super) fn has(&self, row: &Judged<'_>) -> bool {
        let memory = row.candidate.memory;
        let others_spoke = |speaker| self.is_all || self.others_spoke(memory, speaker);
        goes_on(row) && memory.speaker.as_ref().is_some_and(others_spoke)
    }

    fn others_spoke(&self, memory: &Memory, speaker: &Speaker) -> bool {
        let apart = |at: Timestamp| {
            at.as_second()
                .saturating_sub(memory.observed_at.as_second())
        };
        let from = self
            .said
            .partition_point(|(at, ..)| apart(*at) < -SAME_TALK);
        let said = self.said.iter().skip(from);
        let mut said = said.take_while(|(at, ..)| apart(*at) <= SAME_TALK);
        said.any(|(_, place, other)| **place == memory.partition && **other != *speaker)
    }
}

/// Whether something was said just before or after a row.
fn goes_on(row: &Judged<'_>) -> bool {
    let goes_on = |channel| row.evidence.channel(channel) > 0.0;
    [Channel::Before, Channel::After].into_iter().any(goes_on)
}
