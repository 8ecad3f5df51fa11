//! What you need to attack a trust gate, ours or your own.
//!
//! [`strategy`] makes principals, rows, requests, histories and hostile texts for property tests.
//! [`suite`] holds the properties that every stack of gates must have, as functions that return a [`Failure`] with the
//! smallest counterexample found; [`assert`](mod@assert) has the same as assertions.
//! [`broken`] holds stacks that are wrong on purpose: a suite that does not catch them is worth nothing.
//!
//! A gate of your own implements [`TrustGate`]; [`Behind`] puts it behind the service's gates, where it can only
//! tighten.
//! The example `my_gate` shows all of it in a page.
//!
//! ```
//! use testimony_domain::{Memory, MemoryKind, Reason};
//! use testimony_testkit::{Behind, GateContext, GateError, GateVerdict, TrustGate, suite};
//!
//! /// Shows nothing that was only observed.
//! struct NoObservations;
//!
//! impl TrustGate for NoObservations {
//!     fn name(&self) -> &'static str {
//!         "no_observations"
//!     }
//!
//!     fn examine(&self, _: &GateContext<'_>, memory: &Memory) -> Result<GateVerdict, GateError> {
//!         let observed = memory.kind == MemoryKind::Observation;
//!         Ok(if observed { GateVerdict::Deny(Reason::NotInView) } else { GateVerdict::Pass })
//!     }
//! }
//!
//! assert_eq!(suite::errors_deny(&Behind(&NoObservations)), Ok(()));
//! assert_eq!(suite::tightens_only(&Behind(&NoObservations)), Ok(()));
//! ```
//!
//! This crate does **not** run in a service, decide about real rows, or know a wire format.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod assert;
pub mod broken;
mod failure;
mod stack;
pub mod strategy;
pub mod suite;
pub mod transform;

pub use failure::{Counterexample, Failure, breaks, config};
pub use stack::{Behind, Scripted, ServiceStack, Stack};
pub use strategy::request::Asked;
pub use testimony_recall::gates::{GateContext, GateError, GateVerdict, TrustGate};
