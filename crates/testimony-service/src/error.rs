//! Why a use case was not carried out: what was wrong, and what to do about it.

use testimony_domain::{ContainerTag, Invalid, Reason, Refusal};

use crate::access::NoEntry;
use crate::ports::chance::NoChance;
use crate::ports::ledger::LedgerError;
use crate::ports::ledger::reviews::CaseKind;

/// Why a use case was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// Nobody is known by this credential.
    #[error(transparent)]
    NoEntry(#[from] NoEntry),
    /// The credential does not reach so far.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// What is spoken of is not there, as far as the credential may know.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// Something of the request cannot be what it claims.
    #[error("{}", list(.0))]
    Invalid(Vec<Invalid>),
    /// A decision is not open for a row in its state.
    #[error("this cannot be decided about it: {}", .0.sentence())]
    Undecidable(Reason),
    /// A case also concerns a row that the reviewer does not see.
    #[error(
        "this case also concerns a memory that this key does not see; decide it with a key of agent scope `container`, or as an operator"
    )]
    BeyondSight,
    /// Something concerns every container, and the credential reaches only some.
    #[error(
        "this concerns every container, and this key reaches only some; name one that it reaches, or use an operator's key for all"
    )]
    NotOverAll,
    /// A group would be approved together with what was held.
    #[error(
        "the group holds {}, and what was held is approved apart from the rest; say which `kind` is meant",
        counted(kinds)
    )]
    MixedGroup {
        /// How many cases of each kind.
        kinds: Vec<(CaseKind, u64)>,
    },
    /// A reviewer would approve what the reviewer wrote.
    #[error(
        "this key or its agent said this itself, so it cannot approve it; have another reviewer or an operator decide"
    )]
    OwnWord,
    /// What is asked for is not open for a row as it stands.
    #[error("this is not open to that: {0}")]
    NotOpen(&'static str),
    /// The same idempotency key came with another body.
    #[error(
        "this idempotency key was used for another body; send the first body again, or use a new key"
    )]
    KeyReused,
    /// A password was tried too often.
    #[error("it was tried too often; wait before you try again")]
    TooManyAttempts {
        /// For how long to wait.
        wait: std::time::Duration,
    },
    /// The key handed in as many items as it may on a day.
    #[error(
        "this key may hand in {items_per_day} items a day, and {left} of today's are left; send fewer, wait for the next day of UTC, or ask your operator for more"
    )]
    QuotaSpent {
        /// How many it may hand in.
        items_per_day: u32,
        /// How many of them are left.
        left: u64,
        /// How long the day goes on.
        wait: std::time::Duration,
    },
    /// As many passwords are worked on as are at a time.
    #[error("as many people sign in as can at a time; try again in a moment")]
    Busy,
    /// A judge is hearing the case already.
    #[error(
        "a judge is hearing this case already; wait as long as `Retry-After` says, or read the report without `refresh`"
    )]
    CaseInSession {
        /// When it makes sense to ask again.
        wait: std::time::Duration,
    },
    /// Results cannot be ordered by what was named.
    #[error("there is no such way of ordering results; send one of: {}", .allowed.join(", "))]
    UnknownBackend {
        /// By what they can.
        allowed: Vec<String>,
    },
    /// Something of this name is there already.
    #[error(transparent)]
    Taken(#[from] Taken),
    /// The system gave no random bytes.
    #[error(transparent)]
    NoChance(#[from] NoChance),
    /// The ledger did not do what was asked.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl ServiceError {
    /// One thing that is wrong with a request.
    #[must_use]
    pub fn invalid(invalid: Invalid) -> Self {
        Self::Invalid(vec![invalid])
    }
}

impl From<Invalid> for ServiceError {
    fn from(invalid: Invalid) -> Self {
        Self::invalid(invalid)
    }
}

fn counted(kinds: &[(CaseKind, u64)]) -> String {
    let kinds = kinds.iter();
    let said: Vec<String> = kinds
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    said.join(", ")
}

fn list(wrong: &[Invalid]) -> String {
    let said: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    said.join("; ")
}

/// What is not there, as far as the asker may know: something foreign is not told from something missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    /// A container.
    #[error("there is no container `{0}`; an operator can make it, or a key that is bound to it")]
    Container(ContainerTag),
    /// A memory.
    #[error(
        "no memory with this id is visible to this key; check the id, and the key's container and labels"
    )]
    Memory,
    /// A memory that the request asked for first.
    #[error(
        "a memory of `priority_ids` is not visible to this key; leave it out, or check the key's container and labels"
    )]
    Priority,
    /// A review case.
    #[error("no review case with this id is visible to this key; check the id")]
    Case,
    /// A person.
    #[error("there is no person with this id; list the people to see who there is")]
    Person,
    /// A connector token, or one that can still be exchanged.
    #[error("there is no such connector token, or it was used or has ended; have a new one made")]
    Connector,
    /// A fact.
    #[error("there is no fact with this id; check the id")]
    Fact,
    /// A job.
    #[error("there is no job with this id; list the jobs to see which there are")]
    Job,
    /// A key.
    #[error("there is no key with this id; list the keys to see which there are")]
    Key,
}

/// What has a name that somebody wanted to give again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Taken {
    /// A container.
    #[error("there is a container of this tag already; choose another tag, or change its policy")]
    Container,
    /// A person.
    #[error("somebody signs in with this name already; choose another name")]
    Person,
}
