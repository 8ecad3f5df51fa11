//! Which of two rows that state the same thing comes first: the present one, the one of the time asked about, or the
//! earlier one.
//!
//! It orders rows that answer and takes none in or out.

use testimony_domain::{Memory, Timestamp};

use super::lanes::Ranked;
use crate::query::Reading;
use crate::request::TimeIntent;
use crate::text::Word;

/// Rows with this share of the shorter one's words in common state the same thing.
const SAME_THING: f64 = 0.5;
/// The same for a row that says that something changed.
const SAME_THING_CHANGED: f64 = 0.15;
/// A row that says that something changed and speaks of so much of what is asked states the same thing, in any words.
const SPEAKS_OF_IT: f64 = 0.4;
/// A row takes the place of another only where it is not much less likely to answer.
const LEAST_SHARE: f64 = 0.15;
/// So far down a lane it is looked for.
const LOOKED_AT: usize = 12;

/// What a row says, as far as it is compared with others.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Statement {
    words: Vec<u64>,
    says_change: bool,
}

impl Statement {
    pub(crate) fn of(words: &[Word], says_change: bool) -> Self {
        let content = words.iter().filter(|word| !word.stop && !word.whole);
        let mut words: Vec<u64> = content.map(|word| word.mark).collect();
        words.sort_unstable();
        words.dedup();
        Self { words, says_change }
    }

    /// The share of the shorter one's words that both have.
    #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
    fn in_common(&self, other: &Self) -> f64 {
        let shorter = self.words.len().min(other.words.len());
        if shorter == 0 {
            return 0.0;
        }
        let both = self
            .words
            .iter()
            .filter(|word| other.words.binary_search(word).is_ok());
        both.count() as f64 / shorter as f64
    }
}

/// Which of several states a question wants.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wanted {
    Newest,
    Earlier,
    NewestUntil(Timestamp),
}

impl Wanted {
    fn of(reading: &Reading) -> Option<Self> {
        if let Some(instant) = reading.past {
            return Some(Self::NewestUntil(instant));
        }
        match reading.time {
            // What is told of the past and names no time happened when it happened; a later row does not take its place.
            TimeIntent::Current if reading.tells_of_past && !reading.time_is_explicit => None,
            TimeIntent::Current => Some(Self::Newest),
            TimeIntent::AsOf(instant) => Some(Self::NewestUntil(instant)),
            TimeIntent::Historical => Some(Self::Earlier),
            TimeIntent::Any => None,
        }
    }

    /// Whether it would rather have `one` than `other`.
    fn prefers(self, one: &Memory, other: &Memory) -> bool {
        let (one, other) = (since(one), since(other));
        match self {
            Self::Newest => one > other,
            Self::Earlier => one < other,
            Self::NewestUntil(instant) => match (one <= instant, other <= instant) {
                (true, true) => one > other,
                (true, false) => true,
                (false, _) => false,
            },
        }
    }
}

fn since(memory: &Memory) -> Timestamp {
    memory.validity.from.unwrap_or(memory.observed_at)
}

/// Puts before each row those that state the same thing and are wanted rather.
pub(crate) fn order(lane: &mut [Ranked<'_>], reading: &Reading) {
    let Some(wanted) = Wanted::of(reading) else {
        return;
    };
    let looked_at = LOOKED_AT.min(lane.len());
    for at in 1..looked_at {
        let ahead = lane.get(..at).unwrap_or_default();
        let Some(row) = lane.get(at) else { break };
        let place = ahead
            .iter()
            .position(|before| goes_before(wanted, row, before));
        if let Some(moved) = place.and_then(|place| lane.get_mut(place..=at)) {
            moved.rotate_right(1);
        }
    }
}

fn goes_before(wanted: Wanted, row: &Ranked<'_>, before: &Ranked<'_>) -> bool {
    let (one, other) = (&row.judged, &before.judged);
    let rather_wanted = row.priority != before.priority
        || row.context_tags < before.context_tags
        || before.context_type && !row.context_type
        || one.marked().is_some() && other.marked().is_none();
    if rather_wanted
        || row.score.get() < LEAST_SHARE * before.score.get()
        || !wanted.prefers(one.candidate.memory, other.candidate.memory)
    {
        return false;
    }
    let is_later = since(one.candidate.memory) > since(other.candidate.memory);
    let (Some(says), Some(said)) = (&one.statement, &other.statement) else {
        return false;
    };
    let (newer, stated) = if is_later { (one, says) } else { (other, said) };
    let in_common = says.in_common(said);
    if stated.says_change {
        in_common >= SAME_THING_CHANGED || newer.evidence.wording.asked >= SPEAKS_OF_IT
    } else {
        in_common >= SAME_THING
    }
}
