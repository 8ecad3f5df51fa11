//! Who comes in: credentials as their holders have them, the records behind them, and the identity that a request acts
//! under.

mod at_hand;
mod bucket;
mod connectors;
mod containers;
mod credential;
mod entry;
mod first;
mod keys;
mod meter;
mod passwords;
mod people;
mod sessions;
mod throttle;
mod tokens;

pub(crate) use at_hand::AtHand;
pub use bucket::{Bucket, Rate, Standing};
pub use connectors::NewConnector;
pub use credential::Credential;
pub use entry::{Known, NoEntry, Visitor};
pub use keys::{KeyOrder, NewKey};
pub(crate) use meter::Meter;
pub(crate) use passwords::Passwords;
pub use passwords::check_password;
pub use people::PersonChange;
pub use sessions::SignedIn;
pub(crate) use throttle::Throttle;
pub use tokens::{Bearer, Tokens};
