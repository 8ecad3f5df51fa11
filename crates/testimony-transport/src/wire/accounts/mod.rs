//! What operators' routes about accounts carry and answer: containers, keys, connector tokens, people and their sessions.

pub mod clients;
pub mod connectors;
pub mod containers;
pub mod keys;
pub mod people;
