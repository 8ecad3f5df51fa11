//! The stage as a whole.
