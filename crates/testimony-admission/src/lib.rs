//! What may come in: one entrance, [`admit`], from a text and its context to a [`Ruling`](ruling::Ruling).
//!
//! The stages stand in the order in which they run: [`normalise`] the text so that no disguise hides what it says,
//! take every [`secrets`] value that is recognised out of it, find what is an [`echo`] of our own words, look for
//! [`injection`] and [`residue`], draw [`claims`] from what is left.
//! [`reconcile`] then tells how a claim stands to what is known.
//!
//! This crate does **not** store, fetch, log or remember anything, read a clock, or know a wire format.
//! Everything after [`secrets`] sees only redacted text, so nothing that a ruling carries holds a secret that was recognised.
#![warn(clippy::wildcard_enum_match_arm)]

mod admit;
pub mod claims;
pub mod echo;
mod folded;
pub mod injection;
mod lexicon;
mod listed;
pub mod normalise;
pub mod reconcile;
pub mod residue;
pub mod ruling;
pub mod secrets;
pub mod submission;
pub mod wording;
mod work;

#[cfg(test)]
#[path = "../tests/cases/many.rs"]
mod tries;

pub use admit::admit;
