//! Placeholder.

pub mod transform;
