//! Examples: a request for each public route, and what came back when it was asked.
//!
//! They stand in `crates/testimony-transport/src/openapi/examples.json`; a test asks them again, in their order, and holds
//! what comes against what stands there.

use serde_json::{Map, Value};

/// A request, and what came back.
#[derive(Clone, Debug)]
pub struct Example {
    /// The body that was sent; `null` where none is.
    pub request: Value,
    /// The answer.
    pub answer: Value,
}

const TEXT: &str = include_str!("examples.json");

impl Example {
    /// The example of a route.
    #[must_use]
    pub fn of(route: &str) -> Option<Self> {
        let mut all: Map<String, Value> = serde_json::from_str(TEXT).ok()?;
        let mut held = all.remove(route)?;
        Some(Self {
            request: held.get_mut("request")?.take(),
            answer: held.get_mut("answer")?.take(),
        })
    }
}
