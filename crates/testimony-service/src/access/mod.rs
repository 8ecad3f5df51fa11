//! Who comes in: credentials as their holders have them, the records behind them, and the identity that a request acts
//! under.

mod containers;
mod credential;
mod entry;
mod keys;

pub use credential::Credential;
pub use entry::{NoEntry, Visitor};
pub use keys::{KeyOrder, NewKey};
