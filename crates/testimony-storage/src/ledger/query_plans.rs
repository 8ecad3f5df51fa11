//! Every read that a request waits for is led by an index: SQLite says itself how it would go about each.

use rusqlite::Connection;
use testimony_domain::{
    ContainerTag, MemoryId, MemoryKind, Plane, SourceLabel, State, Tag, UserId,
};
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::memories::MemoryFilter;

use super::connection;
use super::memories::HOT as MEMORIES;
use super::open::SqliteLedger;
use super::options::Options;

const OTHERS: &[(&str, &str)] = &[
    ("resting on", super::evidence::RESTING_ON),
    ("idle evidence", super::evidence::IDLE),
    ("handed in", super::evidence::HANDED_IN),
    ("known as", super::transfer::KNOWN_AS),
    ("spoken of", super::transfer::SPOKEN_OF),
    ("vector", super::embeddings::VECTOR_OF),
    ("not embedded", super::embeddings::NOT_EMBEDDED),
    ("jobs due", super::jobs::DUE),
    ("next due", super::jobs::NEXT_DUE),
    ("lapsed leases", super::jobs::LAPSED),
    ("jobs done", super::jobs::DONE_BEFORE),
    ("jobs of a memory", super::jobs::OF_MEMORY),
    ("jobs in a state", super::jobs::IN_STATE),
    ("open jobs", super::jobs::OPEN),
    ("open cases", super::reviews::CENSUS),
    ("what a receipt names", super::receipts::NAMES),
    ("read rows before", super::reads::ROWS_BEFORE),
    ("read through", super::reads::THROUGH),
    ("receipt", super::receipts::RECEIPT),
    ("read rows", super::reads::ROWS),
    ("latencies", super::reads::LATENCIES),
    ("tallies", super::trail::TALLIES),
    ("handed out", super::reads::HANDED),
    ("key", super::accounts::KEY),
    ("secrets", super::accounts::SECRETS),
    ("connector token", super::connectors::OF_TOKEN),
    ("session", super::accounts::SESSION),
];

fn plan(conn: &Connection, sql: &str) -> Vec<String> {
    let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let nothing = vec![rusqlite::types::Value::Null; statement.parameter_count()];
    let steps = statement.query_map(rusqlite::params_from_iter(nothing), |row| row.get(3));
    steps.unwrap().collect::<Result<_, _>>().unwrap()
}

/// What may be looked at as a whole: containers, of which there are few, and what was cut before.
const FEW: &[&str] = &["SCAN c", "SCAN ends", "SCAN (subquery"];

/// A step that looks at every row of a table or of an index.
fn looks_at_everything(step: &str) -> bool {
    let few = |few: &&str| step == *few || few.ends_with("(subquery") && step.starts_with(*few);
    step.starts_with("SCAN ") && !FEW.iter().any(few)
}

/// Filters by which operators list the memories of a container.
fn listings() -> Vec<MemoryFilter> {
    let within = || MemoryFilter {
        container: ContainerTag::new("container", "workspace").ok(),
        ..MemoryFilter::default()
    };
    vec![
        within(),
        MemoryFilter {
            states: vec![State::Active, State::Pending],
            ..within()
        },
        MemoryFilter {
            user: UserId::new("user", "ana").ok(),
            plane: Some(Plane::Tool),
            kind: Some(MemoryKind::Fact),
            ..within()
        },
        MemoryFilter {
            tag: Tag::new("tag", "pier").ok(),
            source: SourceLabel::new("source", "log").ok(),
            ..within()
        },
    ]
}

#[test]
fn no_listing_of_a_container_looks_at_the_rows_of_others() {
    let folder = tempfile::tempdir().unwrap();
    drop(SqliteLedger::open(folder.path(), &Options::default()).unwrap());
    let conn = connection::writer(&folder.path().join(super::FILE), &Options::default()).unwrap();
    for filter in listings() {
        let page = Page {
            after: Some(MemoryId::from_uuid(uuid::Uuid::nil())),
            limit: 9,
        };
        let steps = plan(&conn, &super::memories::statement(&filter, page).sql);
        assert!(
            !steps.iter().any(|step| looks_at_everything(step)),
            "{filter:?}: {steps:#?}"
        );
    }
    // The canary: without a container there is no index to lead.
    let nowhere = super::memories::statement(&MemoryFilter::default(), Page::first(9));
    let steps = plan(&conn, &nowhere.sql);
    assert!(
        steps.iter().any(|step| looks_at_everything(step)),
        "{steps:?}"
    );
}

#[test]
fn no_hot_read_looks_at_every_row() {
    let folder = tempfile::tempdir().unwrap();
    drop(SqliteLedger::open(folder.path(), &Options::default()).unwrap());
    let conn = connection::writer(&folder.path().join(super::FILE), &Options::default()).unwrap();
    for (name, sql) in MEMORIES.iter().chain(OTHERS) {
        let steps = plan(&conn, sql);
        let scans: Vec<_> = steps
            .iter()
            .filter(|step| looks_at_everything(step))
            .collect();
        assert!(scans.is_empty(), "{name}: {steps:#?}");
    }
    // The canary: a question that no index answers is caught.
    let steps = plan(&conn, "SELECT id FROM memories WHERE content = ?");
    assert!(
        steps.iter().any(|step| looks_at_everything(step)),
        "{steps:?}"
    );
}
