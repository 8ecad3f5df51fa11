//! What operators' routes about accounts carry and answer: containers, keys, people and their sessions.

pub mod containers;
pub mod keys;
pub mod people;
