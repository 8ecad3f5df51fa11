//! A correction: a retain that names the memory in whose place it comes.

use serde_json::{Map, Value};

use super::Members;
use super::catalogue::Tool;
use crate::problem::Problem;
use crate::wire::fault::Pointer;
use crate::wire::field::each;
use crate::wire::reader::{Log, Object};

/// The body of the retain that corrects a memory.
pub(super) fn body(tool: &Tool, mut arguments: Members) -> Result<Members, Problem> {
    let own: Map<String, Value> = each(tool.own)
        .filter_map(|field| arguments.remove_entry(field.name))
        .collect();
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(&own, &root, tool.own, &mut log);
    if !log.faults.is_empty() {
        return Err(Problem::invalid(log.faults));
    }
    let names = if object.flag("retract") == Some(true) {
        "retracts"
    } else {
        "supersedes"
    };
    for (name, from) in [(names, "memory_id"), ("content", "content")] {
        let value = object.value(from).cloned();
        arguments.insert(name.to_owned(), value.unwrap_or_default());
    }
    Ok(arguments)
}
