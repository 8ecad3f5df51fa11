//! Bodies of requests: bytes become an object or a refusal, and an object becomes a request or faults with their places.

use serde_json::Value;
use testimony_transport::wire::accounts::{containers, people};
use testimony_transport::wire::governance::{erasure, memories, review, why};
use testimony_transport::wire::json::{Measure, digest, object};
use testimony_transport::wire::{
    Sent, context, gateway, machine, recall, reflect, retain, writeback,
};

const MOST: Measure = Measure {
    depth: 32,
    values: 20_000,
};

/// Takes an input.
pub fn take(bytes: &[u8]) {
    let Ok(body) = object(bytes, MOST) else {
        return;
    };
    // What was read says the same when it is written and read again.
    let written = Value::Object(body.clone()).to_string();
    let again = object(written.as_bytes(), MOST);
    assert_eq!(again.map(|again| digest(&again)), Ok(digest(&body)));
    let sent = Sent::default();
    drop(retain::read(&body, &sent));
    drop(writeback::read(&body, &sent));
    drop(reflect::read(&body, &sent));
    drop(recall::read(&body));
    drop(context::read(&body));
    for table in [gateway::CHAT, gateway::RESPONSES] {
        drop(gateway::read(&body, table));
    }
    drop(gateway::question(&body));
    drop(review::read_decision(&body, review::DECIDE));
    drop(erasure::read(&body));
    drop(why::read(&body));
    drop(memories::read_change(&body, memories::CORRECT));
    drop(machine::read_backup(&body));
    drop(containers::read_new(&body));
    drop(people::read_new(&body));
}
