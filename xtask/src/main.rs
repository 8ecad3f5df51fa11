//! The repository's own tasks. Placeholder until `ci`, `tidy` and `eval` land.
fn main() {}
