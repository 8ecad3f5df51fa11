//! The use cases of Testimony, and the ports that they need.
//!
//! [`Service`] carries them out: who comes in ([`access`]), what is written ([`write`]), what is read ([`read`]), and
//! what a person decides ([`review`]).
//! It stands on three ports: [`ports::ledger`] is the one truth, an append-and-read log of governed rows;
//! [`ports::index`] finds candidates in a cache of it; [`ports::embedder`] turns text into meaning.
//!
//! Whoever answers for the service looks into everything and sets right what has to be ([`oversight`]).
//!
//! [`models`] says which language model is asked for what; without any, everything works, and says what it did without.
//!
//! [`banks`] says which memory bank elsewhere is asked about which container, and what is left of its answer.
//!
//! [`work`] does later what need not be done before an answer leaves, and [`upkeep`] what time does by itself.
//!
//! What is decided about trust is decided in the crates below; here it is carried out.
//! This crate does **not** speak SQL or HTTP, open a file, read a clock or draw a random number.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod access;
pub mod banks;
mod conflict;
mod error;
mod find;
mod keyring;
pub mod models;
pub mod oversight;
pub mod ports;
pub mod read;
mod redaction;
pub mod review;
mod revise;
mod service;
pub mod transfer;
pub mod upkeep;
pub mod work;
pub mod write;

pub use banks::Banks;
pub use error::{NotFound, ServiceError, Taken};
pub use keyring::ServiceSecret;
pub use models::{ModelFailure, Models};
pub use ports::embedder::{Calibration, EmbedError, Embedder, EmbedderIdentity, Vector};
pub use ports::index::Index;
pub use ports::ledger::Ledger;
pub use service::{Parts, RULES_VERSION, Service, SharedGate, SharedPairReader, SharedReader};
