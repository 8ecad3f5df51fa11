//! What operators' routes about accounts carry and answer: containers and keys.

pub mod containers;
pub mod keys;
