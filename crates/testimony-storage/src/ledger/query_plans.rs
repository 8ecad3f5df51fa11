//! Every read that a request waits for is led by an index: SQLite says itself how it would go about each.

use rusqlite::Connection;

use super::connection;
use super::memories::HOT as MEMORIES;
use super::open::SqliteLedger;
use super::options::Options;

const OTHERS: &[(&str, &str)] = &[
    ("resting on", super::evidence::RESTING_ON),
    ("idle evidence", super::evidence::IDLE),
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
    ("receipt", super::receipts::RECEIPT),
    ("read rows", super::reads::ROWS),
    ("handed out", super::reads::HANDED),
    ("key", super::accounts::KEY),
    ("secrets", super::accounts::SECRETS),
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
