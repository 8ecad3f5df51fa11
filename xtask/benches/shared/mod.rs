//! What the programs that measure speed share: seeded rows, a ledger filled with them, and what the machine says.

pub(crate) mod client;
pub(crate) mod data;
pub(crate) mod fill;
pub(crate) mod machine;
pub(crate) mod measures;
pub(crate) mod memory;
pub(crate) mod room;
pub(crate) mod weighed;
