//! The words of Testimony, and the two tables that decide what becomes of a memory.
//!
//! This crate holds typed ids ([`id`]), bounded numbers and texts ([`bounds`], [`label`]), who speaks and what it may
//! do ([`identity`], [`class`], [`partition`]), what is kept ([`evidence`], [`memory`], [`support`], [`slot`]), the
//! lifecycle table ([`lifecycle`]), the verdict table ([`verdict`]) and the reasons that every decision carries
//! ([`reason`]).
//!
//! It does **not** read a clock, draw a random number, touch a file, know a wire format or a database, or wait for
//! anything.
//! Time, ids and randomness come in as arguments through [`clock::Clock`] and [`id::Ids`].
#![warn(clippy::wildcard_enum_match_arm)]

#[macro_use]
mod words;

pub mod bounds;
pub mod class;
pub mod clock;
pub mod evidence;
pub mod id;
pub mod identity;
pub mod invalid;
pub mod label;
pub mod lifecycle;
pub mod memory;
pub mod partition;
pub mod reason;
pub mod slot;
pub mod support;
pub mod temporal;
pub mod verdict;

pub use bounds::{
    Bound, Confidence, ConnectorMinutes, ContextLimit, ContextTokens, EvidenceDays, ExpiryHours,
    GraphHops, ItemsPerDay, OverlapHours, PageLimit, PendingHours, RecallLimit, ReflectLimit,
    ReplyTokens, RequestsPerMinute, ResponseBytes, Score, Temperature, Threshold,
};
pub use class::{EvidenceChannel, SourceClass};
pub use clock::{Clock, FixedClock};
pub use evidence::{Evidence, Redacted};
pub use id::{
    CaseId, ConnectorId, EntityId, EventId, EvidenceId, FactId, Ids, JobId, KeyId, MemoryId,
    PersonId, SequentialIds, SessionId,
};
pub use identity::{
    AgentScope, Capabilities, Capability, Claim, ContainerGrant, DroppedClaim, EffectiveIdentity,
    Labels, Principal, PrincipalKind, Refusal,
};
pub use invalid::{Invalid, Problem};
pub use jiff::Timestamp;
pub use label::{
    AgentId, AppId, ContainerTag, CustomId, OrgId, PersonName, RequestId, RunId, SourceApp,
    SourceLabel, SourceRef, Speaker, Tag, UserId,
};
pub use lifecycle::{Cell, Effect, Event, State, transition};
pub use memory::{Entity, Fact, Memory, MemoryKind, ReviewNeed};
pub use partition::{Hidden, MemoryScope, Owner, Partition, Plane};
pub use reason::Reason;
pub use slot::{Slot, SlotKey};
pub use support::{Origin, Polarity, Support, independent_origins, origin_groups};
pub use temporal::{TemporalState, Validity};
pub use verdict::{Lane, Standing, TrustBucket, TrustPolicy, Verdict, VerdictRow};
