//! Models behind a provider that does what each test tells it to: over real HTTP, on loopback.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that goes wrong may panic"
)]

#[cfg(test)]
mod asking;
#[cfg(test)]
mod banking;
#[cfg(test)]
mod relaying;
mod scripted;
