//! The timeline: everything about a case that has an instant, in order.

use testimony_domain::{Event, EvidenceId, MemoryId, Polarity, Reason, Timestamp, words};

use crate::{ActorKind, Bench, Bounds, Exhibit};

words! {
    /// What happened at a moment.
    pub enum Moment {
        /// The claim begins to hold.
        HoldsFrom = "holds_from",
        /// It was said by a source that speaks for it.
        Said = "said",
        /// Something was said against it.
        SaidOtherwise = "said_otherwise",
        /// A memory was written that says otherwise.
        Contradicted = "contradicted",
        /// It became a memory.
        Recorded = "recorded",
        /// Its lifecycle moved.
        Lifecycle = "lifecycle",
        /// The claim ceases to hold.
        HoldsUntil = "holds_until",
        /// It expires.
        Expires = "expires",
    }
}

/// One moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineEntry {
    /// When.
    pub at: Timestamp,
    /// What.
    pub moment: Moment,
    /// Which lifecycle event, where it is one.
    pub event: Option<Event>,
    /// Who did it, where that is on record.
    pub actor: Option<ActorKind>,
    /// Why, where that is on record.
    pub reason: Option<Reason>,
    /// The evidence it is about, where it is about one.
    pub evidence: Option<EvidenceId>,
    /// The other memory it is about, where it is about one.
    pub memory: Option<MemoryId>,
}

impl TimelineEntry {
    const fn at(at: Timestamp, moment: Moment) -> Self {
        Self {
            at,
            moment,
            event: None,
            actor: None,
            reason: None,
            evidence: None,
            memory: None,
        }
    }
}

/// The moments of a case, oldest first; the latest where there are too many.
pub(crate) fn timeline(bench: &Bench<'_>) -> Vec<TimelineEntry> {
    let mut entries = own_moments(bench);
    entries.extend(statements(&bench.supporting));
    entries.extend(statements(&bench.contradicting));
    entries.extend(rivals(bench));
    entries.extend(history(bench));
    entries.sort_by_key(|entry| (entry.at, entry.moment));
    let surplus = entries.len().saturating_sub(Bounds::MOMENTS);
    entries.split_off(surplus)
}

fn own_moments(bench: &Bench<'_>) -> Vec<TimelineEntry> {
    let memory = bench.memory;
    let recorded = Some((memory.created_at, Moment::Recorded));
    let holds_from = memory.validity.from.map(|at| (at, Moment::HoldsFrom));
    let holds_until = memory.validity.until.map(|at| (at, Moment::HoldsUntil));
    let expires = memory.expires_at.map(|at| (at, Moment::Expires));
    [recorded, holds_from, holds_until, expires]
        .into_iter()
        .flatten()
        .map(|(at, moment)| TimelineEntry::at(at, moment))
        .collect()
}

fn statements(side: &[Exhibit<'_>]) -> impl Iterator<Item = TimelineEntry> {
    side.iter().map(|exhibit| {
        let moment = match exhibit.polarity {
            Polarity::Supports => Moment::Said,
            Polarity::Contradicts => Moment::SaidOtherwise,
        };
        TimelineEntry {
            evidence: Some(exhibit.evidence.id),
            ..TimelineEntry::at(exhibit.evidence.observed_at, moment)
        }
    })
}

fn rivals(bench: &Bench<'_>) -> impl Iterator<Item = TimelineEntry> {
    bench.rivals.iter().map(|rival| TimelineEntry {
        memory: Some(rival.id),
        ..TimelineEntry::at(rival.created_at, Moment::Contradicted)
    })
}

fn history(bench: &Bench<'_>) -> impl Iterator<Item = TimelineEntry> {
    bench.history.iter().flatten().map(|entry| TimelineEntry {
        event: Some(entry.event),
        actor: Some(entry.actor),
        reason: entry.reason,
        ..TimelineEntry::at(entry.at, Moment::Lifecycle)
    })
}
