//! Statistics of a container.

use serde_json::{Map, Value, json};
use testimony_domain::{Plane, State, Timestamp};
use testimony_recall::parse_bound;
use testimony_service::oversight::Statistics;
use testimony_service::ports::ledger::reads::Rollup;

use super::audit::{ROLLUP, rollup};
use super::jobs::{COUNTS, counts};
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Table};
use crate::wire::reader::{Log, Object};
use crate::wire::recall::WHEN;
use crate::wire::shape::{Member, Shape};

/// Since when reading is looked at.
#[rustfmt::skip]
pub const ASKED: Table = &[&[
    Field::new("since", WHEN, "How it was read from the hour of this instant on; the last seven days where absent."),
]];

#[rustfmt::skip]
const COUNT: &[Member] = &[
    Member::new("memory_plane", Shape::Word(Plane::WORDS), "The plane."),
    Member::new("state", Shape::Word(State::WORDS), "The state."),
    Member::new("memories", Shape::Whole, "How many."),
];

/// How a container stands.
#[rustfmt::skip]
pub const STATISTICS: &[Member] = &[
    Member::new("container_tag", Shape::Text, "Which."),
    Member::new("memories", Shape::List(&Shape::Object(COUNT)), "How many memories, by plane and state."),
    Member::new("by_state", Shape::Map(&Shape::Whole), "How many memories, by state."),
    Member::new("open_cases", Shape::Map(&Shape::Whole), "How many review cases are open, by kind."),
    Member::new("jobs", COUNTS, "How many jobs are not done, by kind and state."),
    Member::new("since", Shape::Time, "Since when reading was looked at."),
    Member::new("reads", Shape::List(&Shape::Object(ROLLUP)), "How it was read since then, by door."),
    Member::new("suppressed", Shape::Whole, "How many rows were held back since then, through all doors."),
    Member::new("ledger_bytes", Shape::Whole, "How many bytes the whole ledger takes, with all containers."),
    Member::new("index_rows", Shape::Whole, "How many rows the whole index holds, of all containers."),
];

/// Reads since when reading is looked at.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read(query: &Map<String, Value>) -> Result<Option<Timestamp>, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, ASKED, &mut log);
    let since = object.read("since", &mut log, parse_bound);
    log.end(since).map(|(since, _)| since)
}

/// How a container stands.
#[must_use]
pub fn answer(container: &str, found: &Statistics) -> Value {
    let memories = found.memories.iter().map(|(plane, state, memories)| {
        json!({ "memory_plane": plane.as_str(), "state": state.as_str(), "memories": memories })
    });
    let cases = found.cases.iter();
    let cases = cases.map(|(kind, count)| (kind.to_string(), Value::from(*count)));
    let suppressed: u64 = found.reads.iter().map(|row| row.suppressed).sum();
    json!({
        "container_tag": container,
        "memories": memories.collect::<Vec<_>>(),
        "by_state": by_state(found),
        "open_cases": Map::from_iter(cases),
        "jobs": counts(&found.jobs),
        "since": found.since.to_string(),
        "reads": found.reads.iter().map(|row: &Rollup| rollup(row)).collect::<Vec<_>>(),
        "suppressed": suppressed,
        "ledger_bytes": found.ledger_bytes,
        "index_rows": found.index_rows,
    })
}

fn by_state(found: &Statistics) -> Value {
    let mut states = Map::new();
    for state in State::ALL {
        let of_state = found.memories.iter().filter(|(_, known, _)| known == state);
        let count: u64 = of_state.map(|(_, _, count)| count).sum();
        if count > 0 {
            states.insert(state.to_string(), Value::from(count));
        }
    }
    Value::Object(states)
}
