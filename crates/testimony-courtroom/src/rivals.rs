//! Memories that say otherwise, each with a hypothesis of how both can have come to be.

use testimony_domain::{
    Memory, MemoryId, Redacted, Slot, SourceClass, Timestamp, TrustBucket, words,
};

use crate::evidence::excerpt;
use crate::words::topics;
use crate::{Bench, Bounds, Pen};

words! {
    /// How two memories that disagree may both have come to be.
    pub enum Hypothesis {
        /// They hold at different times.
        OtherTime = "other_time",
        /// They hold under different circumstances.
        OtherCircumstances = "other_circumstances",
        /// They count in different units.
        OtherUnit = "other_unit",
        /// One denies what the other states.
        Denied = "denied",
        /// They give different answers to the same question.
        OtherValue = "other_value",
        /// They disagree in a way that the tables do not name.
        Unspecified = "unspecified",
    }
}

impl Hypothesis {
    /// What it says, for people.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::OtherTime => "Both may be right, at different times.",
            Self::OtherCircumstances => "Both may be right, under different circumstances.",
            Self::OtherUnit => "Both may be right, in different units.",
            Self::Denied => "One states what the other denies, so at most one is right.",
            Self::OtherValue => {
                "They give different answers to the same question, so at most one is right."
            }
            Self::Unspecified => "They disagree, and nothing shows how both could be right.",
        }
    }
}

words! {
    /// How a rival's source compares with the memory's.
    pub enum Strength {
        /// Its word counts less.
        Weaker = "weaker",
        /// Its word counts as much.
        Equal = "equal",
        /// Its word counts more.
        Stronger = "stronger",
    }
}

/// One contradiction hypothesis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The other memory.
    pub memory_id: MemoryId,
    /// What it says.
    pub redacted_excerpt: Redacted,
    /// How both may have come to be.
    pub hypothesis: Hypothesis,
    /// How its source compares.
    pub strength: Strength,
    /// Its class.
    pub class: SourceClass,
    /// How far it may be relied on.
    pub trust_bucket: TrustBucket,
    /// Whether it speaks about the present.
    pub holds_now: bool,
    /// When it was said.
    pub observed_at: Timestamp,
}

pub(crate) fn hypotheses(bench: &Bench<'_>, pen: &Pen<'_>) -> Vec<Contradiction> {
    let wanted = topics(bench.memory.content.as_str());
    bench
        .rivals
        .iter()
        .take(Bounds::RIVALS)
        .map(|rival| Contradiction {
            memory_id: rival.id,
            redacted_excerpt: excerpt(rival.content.as_str(), &wanted, pen),
            hypothesis: hypothesis(bench.memory, rival),
            strength: strength(bench.memory.class, rival.class),
            class: rival.class,
            trust_bucket: rival.ruling().verdict.bucket(),
            holds_now: bench.holds_now(rival),
            observed_at: rival.observed_at,
        })
        .collect()
}

fn strength(memory: SourceClass, rival: SourceClass) -> Strength {
    match rival.cmp(&memory) {
        std::cmp::Ordering::Less => Strength::Weaker,
        std::cmp::Ordering::Equal => Strength::Equal,
        std::cmp::Ordering::Greater => Strength::Stronger,
    }
}

fn hypothesis(memory: &Memory, rival: &Memory) -> Hypothesis {
    if never_at_the_same_time(memory, rival) {
        return Hypothesis::OtherTime;
    }
    match (&memory.slot, &rival.slot) {
        (Some(ours), Some(theirs)) => of_slots(ours, theirs),
        (None, _) | (_, None) => Hypothesis::Unspecified,
    }
}

fn of_slots(ours: &Slot, theirs: &Slot) -> Hypothesis {
    if ours.key.scope != theirs.key.scope {
        Hypothesis::OtherCircumstances
    } else if ours.unit != theirs.unit {
        Hypothesis::OtherUnit
    } else if ours.negated != theirs.negated && ours.value == theirs.value {
        Hypothesis::Denied
    } else if ours.value != theirs.value {
        Hypothesis::OtherValue
    } else {
        Hypothesis::Unspecified
    }
}

fn never_at_the_same_time(one: &Memory, other: &Memory) -> bool {
    let ends_before = |first: &Memory, second: &Memory| {
        let (until, from) = (first.validity.until, second.validity.from);
        until.zip(from).is_some_and(|(until, from)| until <= from)
    };
    ends_before(one, other) || ends_before(other, one)
}
