//! Embedders from outside: vectors that are vectors, tokens that are the model's, tables and folders that are damaged,
//! servers that fail.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at what it does not expect"
)]

mod calibrating;
mod pairs;
mod reading;
#[cfg(feature = "remote")]
mod remote;
#[cfg(feature = "remote")]
mod server;
mod static_table;
mod support;
#[cfg(feature = "transformer")]
mod tiny_model;
#[cfg(feature = "transformer")]
mod transformer;
mod vectors;
mod wordpiece;
