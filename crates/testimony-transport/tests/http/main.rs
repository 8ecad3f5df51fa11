//! The service over real HTTP on loopback: a ledger and an index in memory, the built-in embedder, and a client that
//! says exactly what is sent.

mod answers;
mod fields;
mod life;
mod limits;
mod order;
mod support;
#[cfg(feature = "tls")]
mod tls;
mod writes;
