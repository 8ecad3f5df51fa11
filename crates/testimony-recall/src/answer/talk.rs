//! Which rows are turns of a talk: they answer each other, and whoever reads one of them alone, just before or after which
//! another was said, misses what it is about.
//!
//! It takes two to talk: what one person notes is none, however much of it within an hour.

use testimony_domain::{Memory, Partition, Speaker, Timestamp};

use super::judge::Judged;
use crate::candidate::Channel;

/// What is said within this time of each other belongs together.
const SAME_TALK: i64 = 30 * 60;

/// Who said something when, in the order of time.
pub(super) struct Talk<'a>(Vec<(Timestamp, &'a Partition, &'a Speaker)>);

impl<'a> Talk<'a> {
    /// What is known of the rows that the asker may know of.
    pub(super) fn among<'r>(rows: impl Iterator<Item = &'r Judged<'a>>) -> Self
    where
        'a: 'r,
    {
        let memories = rows.map(|row| row.candidate.memory);
        let said = memories.filter_map(|memory: &'a Memory| {
            let speaker = memory.speaker.as_ref()?;
            Some((memory.observed_at, &memory.partition, speaker))
        });
        let mut said: Vec<_> = said.collect();
        said.sort_unstable_by_key(|(at, ..)| *at);
        Self(said)
    }

    /// Whether something was said just before or after a row, and somebody else spoke then.
    pub(super) fn has(&self, row: &Judged<'_>) -> bool {
        let goes_on = |channel| row.evidence.channel(channel) > 0.0;
        let memory = row.candidate.memory;
        let speaker = memory.speaker.as_ref();
        [Channel::Before, Channel::After].into_iter().any(goes_on)
            && speaker.is_some_and(|speaker| self.others_spoke(memory, speaker))
    }

    fn others_spoke(&self, memory: &Memory, speaker: &Speaker) -> bool {
        let apart = |at: Timestamp| {
            at.as_second()
                .saturating_sub(memory.observed_at.as_second())
        };
        let from = self.0.partition_point(|(at, ..)| apart(*at) < -SAME_TALK);
        let said = self.0.iter().skip(from);
        let mut said = said.take_while(|(at, ..)| apart(*at) <= SAME_TALK);
        said.any(|(_, place, other)| **place == memory.partition && **other != *speaker)
    }
}
