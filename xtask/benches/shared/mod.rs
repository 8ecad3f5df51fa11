//! What the programs that measure speed share: seeded rows, a ledger filled with them, and what the machine says.

pub(crate) mod data;
pub(crate) mod fill;
pub(crate) mod machine;
