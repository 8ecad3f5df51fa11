//! Who comes in and where: what operators do about it, and what everybody else may not even ask.

mod connectors;
mod containers;
mod doors;
mod guesses;
mod keys;
pub(crate) mod people;
mod rates;
mod sessions;
#[cfg(feature = "jwt")]
mod tokens;

use serde_json::Value;
use testimony_transport::routes::all;
use testimony_transport::wire::shape::differences;

/// Holds an answer against what its route says it gives.
pub(crate) fn fits(route: &str, body: &Value) {
    let route = all().find(|known| known.name == route).unwrap();
    let found = differences(&route.answer, body);
    assert_eq!(found, Vec::<String>::new(), "{}: {body:#}", route.name);
}
