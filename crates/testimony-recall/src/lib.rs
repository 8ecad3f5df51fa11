//! What may go out: from a query, an identity and candidates with channel scores to an answer with full diagnostics.
//!
//! The stages stand in the order in which they run: [`gates`] hold back what the asker may not have.
//!
//! This crate does **not** search, embed, store, fetch or remember anything, read a clock, call a model or know a wire
//! format.
//! Channel scores, the present instant and the second secret scan come in as arguments.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod gates;
pub mod request;
