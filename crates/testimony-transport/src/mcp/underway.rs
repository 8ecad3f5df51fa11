//! Calls that are worked on, so that whoever made one can say that nobody waits for it any longer.
//!
//! There are no sessions, so a call is known by the credential that made it and the id of its message. Clients that share
//! a credential count their messages alike; where two such calls are under way, neither is given up.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use testimony_domain::KeyId;
use testimony_service::ports::caller::Caller;

/// A call: who made it, and the id of its message as JSON.
type Named = (KeyId, String);

/// The calls.
#[derive(Debug, Default)]
pub(super) struct Underway(Mutex<HashMap<Named, Vec<Caller>>>);

impl Underway {
    /// A call begins.
    pub(super) fn begin(self: &Arc<Self>, key: KeyId, id: String, caller: Caller) -> Call {
        let named = (key, id);
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        calls.entry(named.clone()).or_default().push(caller.clone());
        drop(calls);
        Call {
            all: Arc::clone(self),
            named,
            caller,
        }
    }

    /// Whoever made a call waits for it no longer; whether there was one.
    pub(super) fn give_up(&self, key: KeyId, id: &Value) -> bool {
        let calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = calls.get(&(key, id.to_string())).map(Vec::as_slice);
        let Some([caller]) = found else { return false };
        let caller = caller.clone();
        // What is done when it leaves may end the call, which is then taken out.
        drop(calls);
        caller.leave();
        true
    }
}

/// A call that is worked on until this goes; then nobody waits for it.
#[derive(Debug)]
pub(super) struct Call {
    all: Arc<Underway>,
    named: Named,
    caller: Caller,
}

impl Drop for Call {
    fn drop(&mut self) {
        self.caller.leave();
        let mut calls = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(callers) = calls.get_mut(&self.named) {
            callers.retain(|caller| !caller.has_left());
            if callers.is_empty() {
                calls.remove(&self.named);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn key(number: u8) -> KeyId {
        format!("key_{number:032x}").parse().unwrap()
    }

    #[test]
    fn a_call_is_given_up_by_who_made_it_and_where_there_is_no_doubt_which() {
        let all = Arc::new(Underway::default());
        let begin = |by, id: Value| {
            let caller = Caller::default();
            (all.begin(key(by), id.to_string(), caller.clone()), caller)
        };
        let (call, caller) = begin(1, json!(7));
        assert!(!all.give_up(key(2), &json!(7)));
        assert!(!all.give_up(key(1), &json!("7")));
        let (twin, of_twin) = begin(1, json!(7));
        assert!(!all.give_up(key(1), &json!(7)));
        assert!(!caller.has_left() && !of_twin.has_left());
        drop(twin);
        assert!(all.give_up(key(1), &json!(7)));
        assert!(caller.has_left());
        drop(call);
        assert!(!all.give_up(key(1), &json!(7)));
        assert!(all.0.lock().unwrap().is_empty());
    }
}
