//! The service's own gates, one function each, and the table that puts them in their order.

use testimony_domain::{
    Capability, Lane, Memory, Reason, Standing, State, Tag, TemporalState, TrustPolicy, words,
};

use super::trust_gate::{GateContext, GateError, GateVerdict};
use crate::request::{TagMatch, TagMode, TimeIntent, View};

words! {
    /// The stages in the order in which a row meets them: the gates, and what comes after.
    pub enum Stage {
        /// The container of the identity.
        Identity = "identity",
        /// Partition and scope.
        Scope = "scope",
        /// The request's own filters.
        Filters = "request_filters",
        /// What became of the row.
        Lifecycle = "lifecycle",
        /// When it holds.
        Time = "time",
        /// What the view shows.
        View = "view",
        /// How strict the request is.
        TrustPolicy = "trust_policy",
        /// Whether a person has to look first.
        Review = "review",
        /// Whether another row says otherwise.
        Conflict = "conflict",
        /// Gates that the embedding program added.
        Added = "added_gates",
        /// Whether the row is relevant enough.
        Relevance = "relevance",
        /// Whether it is about the right subject.
        Answer = "answer",
        /// Whether a better row says the same.
        Duplicates = "duplicates",
        /// Whether there is room.
        Limit = "limit",
    }
}

impl Stage {
    /// Whether a row that ends here exists for the caller at all: before and at scope it does not.
    #[must_use]
    pub const fn is_known_to_caller(self) -> bool {
        !matches!(self, Self::Identity | Self::Scope)
    }
}

type Examine = fn(&GateContext<'_>, &Memory) -> Result<GateVerdict, GateError>;

/// One of the service's own gates.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// Its place and name.
    pub stage: Stage,
    /// What it says of a row.
    pub examine: Examine,
}

/// The service's own gates, in their order.
#[rustfmt::skip]
pub const GATES: &[Gate] = &[
    Gate { stage: Stage::Identity, examine: identity },
    Gate { stage: Stage::Scope, examine: scope },
    Gate { stage: Stage::Filters, examine: request_filters },
    Gate { stage: Stage::Lifecycle, examine: lifecycle },
    Gate { stage: Stage::Time, examine: time },
    Gate { stage: Stage::View, examine: view },
    Gate { stage: Stage::TrustPolicy, examine: trust_policy },
    Gate { stage: Stage::Review, examine: review },
    Gate { stage: Stage::Conflict, examine: conflict },
];

/// Which standings a view opens beyond the verdict table. An opened row is always marked.
#[rustfmt::skip]
const OPENED_BY_VIEW: &[(View, &[Standing])] = &[
    (View::Assistant, &[]),
    (View::Review, &[Standing::Quarantined, Standing::Rejected]),
    (View::Forensic, &[Standing::Quarantined, Standing::Forensic, Standing::Rejected,
        Standing::Superseded, Standing::Expired]),
];

impl GateContext<'_> {
    /// The view that the identity may have: the asked one, or the assistant's where the capability is missing.
    #[must_use]
    pub const fn granted_view(&self) -> View {
        let needed = match self.view {
            View::Assistant => return View::Assistant,
            View::Review => Capability::Review,
            View::Forensic => Capability::Admin,
        };
        if self.who.allows(needed) {
            self.view
        } else {
            View::Assistant
        }
    }

    /// Whether the view shows a row that the verdict table hides.
    fn view_opens(&self, memory: &Memory) -> bool {
        let view = self.granted_view();
        let opened = OPENED_BY_VIEW
            .iter()
            .find(|(of, _)| *of == view)
            .is_some_and(|(_, standings)| standings.contains(&memory.standing()));
        // What held a secret is for operators alone, even after its redaction.
        opened && (view == View::Forensic || memory.state != State::QuarantinedSecret)
    }
}

fn pass_if(holds: bool, otherwise: Reason) -> Result<GateVerdict, GateError> {
    Ok(if holds {
        GateVerdict::Pass
    } else {
        GateVerdict::Deny(otherwise)
    })
}

fn identity(context: &GateContext<'_>, memory: &Memory) -> Result<GateVerdict, GateError> {
    let same = memory.partition.container() == context.who.container();
    pass_if(same, Reason::OutOfScope)
}

fn scope(context: &GateContext<'_>, memory: &Memory) -> Result<GateVerdict, GateError> {
    pass_if(memory.visible_to(context.who).is_ok(), Reason::OutOfScope)
}

fn request_filters(context: &GateContext<'_>, memory: &Memory) -> Result<GateVerdict, GateError> {
    let wanted = context.filters;
    let same_place = wanted.plane.is_none_or(|it| it == memory.partition.plane())
        && wanted.scope.is_none_or(|it| it == memory.partition.scope())
        && wanted.kind.is_none_or(|it| it == memory.kind);
    let same_source = wanted.source.as_ref().is_none_or(|it| *it == memory.source)
        && wanted
            .source_app
            .as_ref()
            .is_none_or(|it| Some(it) == memory.source_app.as_ref());
    let in_time = wanted
        .created_after
        .is_none_or(|it| it <= memory.created_at)
        && wanted
            .created_before
            .is_none_or(|it| memory.created_at < it);
    let holds = same_place && same_source && in_time && tags_fit(context, memory);
    pass_if(holds, Reason::FilteredOut)
}

fn tags_fit(context: &GateContext<'_>, memory: &Memory) -> bool {
    let wanted = context.filters;
    let carries = |asked: &Tag| {
        memory
            .tags
            .iter()
            .any(|tag| tag_is(tag, asked, wanted.tag_match))
    };
    let included = match wanted.tag_mode {
        TagMode::All => wanted.tags.iter().all(carries),
        TagMode::Any => wanted.tags.is_empty() || wanted.tags.iter().any(carries),
    };
    included && !wanted.exclude_tags.iter().any(carries)
}

/// Whether a row's tag is the asked one.
fn tag_is(tag: &Tag, asked: &Tag, how: TagMatch) -> bool {
    match how {
        TagMatch::Exact => tag == asked,
        TagMatch::Prefix => tag.as_str().starts_with(asked.as_str()),
    }
}

/// What the verdict table shows to nobody in any view, and what is over while the question is about now.
fn lifecycle(context: &GateContext<'_>, memory: &Memory) -> Result<GateVerdict, GateError> {
    if memory.state == State::Erased {
        return Ok(GateVerdict::Deny(Reason::ContentErased));
    }
    let row = memory.ruling();
    let why = row.reasons.first().copied().unwrap_or(Reason::NotCurrent);
    let shown = match row.lane(context.policy) {
        Lane::HistoricalOnly => context.time.looks_back(),
        // A quarantined, forensic or rejected row is a matter of the view.
        Lane::Never | Lane::Held | Lane::NeedsConfirmation | Lane::ResultMarked | Lane::Result => {
            true
        }
    };
    pass_if(shown || context.view_opens(memory), why)
}

fn time(context: &GateContext<'_>, memory: &Memory) -> Result<GateVerdict, GateError> {
    if context.view_opens(memory) {
        return Ok(GateVerdict::Pass);
    }
    match context.time {
        TimeIntent::Current => {
            let state = memory.temporal_state(context.now);
            // What is not memory at all is no matter of time; the view decides about it.
            let judged = memory.state.is_open();
            pass_if(
                !judged || state == TemporalState::Current,
                Reason::NotCurrent,
            )
        }
        TimeIntent::AsOf(instant) => {
            let known_since = memory.validity.from.unwrap_or(memory.observed_at);
            let known = known_since <= instant;
            let ended = memory.expires_at.is_some_and(|end| end <= instant);
            let holds = known && !ended && memory.validity.holds_at(instant);
            pass_if(holds, Reason::NotAsOf)
        }
        TimeIntent::Historical | TimeIntent::Any => Ok(GateVerdict::Pass),
    }
}

fn view(context: &GateContext<'_>, memory: &Memory) -> Result<GateVerdict, GateError> {
    let row = memory.ruling();
    if row.lane(context.policy) != Lane::Never {
        return Ok(GateVerdict::Pass);
    }
    let why = row.reasons.first().copied().unwrap_or(Reason::NotInView);
    Ok(if context.view_opens(memory) {
        GateVerdict::Mark(why)
    } else {
        GateVerdict::Deny(why)
    })
}

fn trust_policy(context: &GateContext<'_>, memory: &Memory) -> Result<GateVerdict, GateError> {
    let row = memory.ruling();
    let why = row.reasons.first().copied();
    Ok(match row.lane(context.policy) {
        Lane::Held if awaits_a_person(memory) && context.granted_view() != View::Assistant => {
            GateVerdict::Pass
        }
        Lane::Held => GateVerdict::Deny(Reason::HeldByStrictPolicy),
        Lane::ResultMarked => GateVerdict::Mark(why.unwrap_or(Reason::SingleSupport)),
        // What nobody settled while it stood is no better for being over.
        Lane::HistoricalOnly
            if context.policy == TrustPolicy::Strict && ended_unsettled(memory).is_some() =>
        {
            GateVerdict::Deny(Reason::HeldByStrictPolicy)
        }
        // Whoever looks back strictly still gets what is over, marked.
        Lane::HistoricalOnly => GateVerdict::Mark(why.unwrap_or(Reason::Superseded)),
        Lane::Result | Lane::NeedsConfirmation | Lane::Never => GateVerdict::Pass,
    })
}

fn awaits_a_person(memory: &Memory) -> bool {
    matches!(
        memory.standing(),
        Standing::AwaitsReview | Standing::Contested
    )
}

/// What a row still waited for when it was replaced or ran out: its end is no review and settles no conflict.
pub(crate) fn ended_unsettled(memory: &Memory) -> Option<Standing> {
    let is_over = matches!(memory.state, State::Superseded | State::Expired);
    if is_over && memory.contested {
        Some(Standing::Contested)
    } else if is_over && memory.review.is_some() && !memory.approved {
        Some(Standing::AwaitsReview)
    } else {
        None
    }
}

fn review(_: &GateContext<'_>, memory: &Memory) -> Result<GateVerdict, GateError> {
    confirm_if(Standing::AwaitsReview, Reason::PendingReview, memory)
}

fn conflict(_: &GateContext<'_>, memory: &Memory) -> Result<GateVerdict, GateError> {
    confirm_if(Standing::Contested, Reason::Conflict, memory)
}

fn confirm_if(standing: Standing, why: Reason, memory: &Memory) -> Result<GateVerdict, GateError> {
    let waits = memory.standing() == standing || ended_unsettled(memory) == Some(standing);
    Ok(if waits {
        GateVerdict::Confirm(why)
    } else {
        GateVerdict::Pass
    })
}
