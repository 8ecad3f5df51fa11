//! What a person can decide about a row that waits.

use testimony_domain::{CaseId, Event, MemoryId, State};

/// What a person decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It holds. Rows that stand against it no longer do.
    Approve,
    /// It holds in these words, which are examined like any others and take its place.
    ApproveAs(String),
    /// It does not hold.
    Reject,
    /// It is not to be seen, whether or not it holds.
    Hide,
    /// It holds in place of another row.
    Supersede(MemoryId),
    /// It says what another row says, and speaks for that one.
    Merge(MemoryId),
    /// What is left of it without its secret becomes a row of its own, to be examined like any other.
    ReleaseRedacted,
    /// The last decision is taken back, and the case is open again.
    Undo,
}

impl Decision {
    /// The stable word by which a case remembers how it was closed.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Approve | Self::ApproveAs(_) => "approve",
            Self::Reject => "reject",
            Self::Hide => "hide",
            Self::Supersede(_) => "supersede",
            Self::Merge(_) => "merge",
            Self::ReleaseRedacted => "release_redacted",
            Self::Undo => "undo",
        }
    }

    /// What happens to the row itself.
    pub(super) const fn event(&self) -> Event {
        match self {
            Self::Approve | Self::ApproveAs(_) | Self::Supersede(_) => Event::Approve,
            // A row that is merged into another stands no longer by itself.
            Self::Reject | Self::Merge(_) => Event::Reject,
            Self::Hide => Event::Hide,
            Self::ReleaseRedacted => Event::ReleaseRedacted,
            Self::Undo => Event::Reopen,
        }
    }

    pub(super) const fn approves(&self) -> bool {
        matches!(
            self,
            Self::Approve | Self::ApproveAs(_) | Self::Supersede(_)
        )
    }
}

/// What came of a decision about one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The case.
    pub case: CaseId,
    /// The row.
    pub memory: MemoryId,
    /// How the row stands now.
    pub state: State,
    /// Other rows that changed with it.
    pub others: Vec<(MemoryId, State)>,
    /// The row that was made of what is left without secrets.
    pub released: Option<MemoryId>,
    /// The row in whose words it holds.
    pub reworded: Option<MemoryId>,
}
