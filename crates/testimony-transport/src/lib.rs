//! The way in over HTTP.
//!
//! [`wire`] says what requests carry and what answers hold, as pure functions over JSON; [`routes`] is the table of what
//! can be asked; [`problem`] is what is told when something goes wrong; [`http`] is the shell around them: it listens,
//! limits, checks in one order and drains.
//!
//! This crate does **not** decide anything about trust, keep anything, read configuration or install a subscriber, a
//! signal handler or a process-wide crypto provider.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod http;
pub mod problem;
pub mod routes;
pub mod wire;
