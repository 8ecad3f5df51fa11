//! The service over real HTTP on loopback: a ledger and an index in memory, the built-in embedder, and a client that
//! says exactly what is sent.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that goes wrong may panic"
)]

mod answers;
mod fields;
mod life;
mod limits;
mod logs;
mod order;
#[cfg(test)]
mod reflecting;
mod support;
#[cfg(feature = "tls")]
mod tls;
#[cfg(test)]
mod transferring;
mod writes;
