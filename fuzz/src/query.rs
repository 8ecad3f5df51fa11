//! Queries of addresses: pairs of texts become typed fields, and those a request or faults with their places.

use serde_json::{Map, Value};
use testimony_transport::wire::field::Table;
use testimony_transport::wire::governance::{audit, jobs, memories, quarantine, review};
use testimony_transport::wire::reader::of_query;
use testimony_transport::wire::{courtroom, transfer};

/// Takes an input.
pub fn take(bytes: &[u8]) {
    let pairs = form_urlencoded::parse(bytes);
    let query: Map<String, Value> = pairs
        .map(|(name, value)| (name.into_owned(), Value::String(value.into_owned())))
        .collect();
    let of = |fields: Table| of_query(query.clone(), fields);
    drop(courtroom::read(&of(courtroom::FIELDS)));
    drop(memories::read_list(&of(memories::LIST)));
    drop(quarantine::read_list(&of(quarantine::LIST)));
    drop(review::read_queue(&of(review::QUEUE)));
    drop(audit::read_events(&of(audit::EVENTS)));
    drop(audit::read_part(&of(audit::PART)));
    drop(jobs::read_list(&of(jobs::LIST)));
    drop(transfer::read_export(&of(transfer::EXPORT)));
}
