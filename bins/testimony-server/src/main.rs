//! The `testimony` command. Placeholder until `admit --explain` lands.
fn main() {}
