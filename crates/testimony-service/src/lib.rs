//! The ports of Testimony: what its use cases need from the world around them.
//!
//! [`ports::ledger`] is the one truth, an append-and-read log of governed rows; [`ports::index`] finds candidates in a
//! cache of it; [`ports::embedder`] turns text into meaning.
//! Each is a trait with the values that go through it, so that what stands above can be read and tested without a
//! database.
//!
//! [`work`] does later what need not be done before an answer leaves, and [`upkeep`] what time does by itself.
//!
//! This crate does **not** speak SQL or HTTP, open a file, or read a clock.
//! What is decided about trust is decided in the crates below; what is kept is kept by the crates that fill the ports.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod ports;
pub mod upkeep;
pub mod work;

pub use ports::embedder::{Calibration, EmbedError, Embedder, EmbedderIdentity, Vector};
pub use ports::index::Index;
pub use ports::ledger::Ledger;
