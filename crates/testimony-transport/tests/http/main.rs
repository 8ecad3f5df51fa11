//! The service over real HTTP on loopback: a ledger and an index in memory, the built-in embedder, and a client that
//! says exactly what is sent.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that goes wrong may panic"
)]

mod accounts;
#[cfg(unix)]
mod admin_socket;
mod answers;
mod audit;
#[cfg(test)]
mod banks;
mod console;
mod described;
mod differences;
mod erasing;
mod fields;
#[cfg(test)]
mod gateway;
mod governed;
mod held;
mod ignored;
mod jobs;
mod life;
mod limits;
mod logs;
mod memories;
mod models;
mod order;
mod quarantine;
#[cfg(test)]
mod reflecting;
mod reviews;
mod statistics;
mod statuses;
mod support;
#[cfg(feature = "tls")]
mod tls;
mod tools;
#[cfg(test)]
mod transferring;
mod watched;
mod writes;
