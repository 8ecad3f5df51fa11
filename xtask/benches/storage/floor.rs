//! The floor of inserts: the very rows that the ledger wrote, written and committed through bare rusqlite.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use testimony_embedding::Embedder;

use crate::shared::data::Data;

/// Tables with a row or more a memory, in an order in which nothing refers to what comes later.
const TABLES: &[&str] = &[
    "events",
    "evidence",
    "facts",
    "memories",
    "memory_tags",
    "rests",
    "history",
    "embeddings",
];

/// All rows of a table.
struct Table {
    insert: String,
    rows: Vec<Vec<Value>>,
}

/// What a ledger holds, ready to be written again.
pub(crate) struct RowSet {
    /// What makes the tables.
    tables: Vec<String>,
    /// What makes indexes over them.
    indexes: Vec<String>,
    contents: Vec<Table>,
}

impl RowSet {
    pub(crate) fn of(ledger: &Path) -> Self {
        let conn = Connection::open(ledger).unwrap();
        Self {
            tables: made_by(&conn, "table"),
            indexes: made_by(&conn, "index"),
            contents: TABLES.iter().map(|table| read(&conn, table)).collect(),
        }
    }

    /// Writes everything in so many transactions, each with an equal part of every table, and its texts embedded.
    pub(crate) fn write(
        &self,
        file: &Path,
        batches: &[Vec<String>],
        data: &Data,
        with_indexes: bool,
    ) {
        let mut conn = Connection::open(file).unwrap();
        conn.pragma_update(None, "journal_mode", "WAL").unwrap();
        conn.pragma_update(None, "synchronous", "FULL").unwrap();
        // A floor looks after nothing but its rows.
        conn.pragma_update(None, "foreign_keys", "OFF").unwrap();
        let indexes: &[String] = if with_indexes { &self.indexes } else { &[] };
        for sql in self.tables.iter().chain(indexes) {
            conn.execute_batch(sql).unwrap();
        }
        let count = batches.len();
        for (batch, texts) in batches.iter().enumerate() {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            std::hint::black_box(data.embedder().embed(&texts).unwrap());
            let tx = conn.transaction().unwrap();
            for table in &self.contents {
                let rows = table.rows.len();
                let mut statement = tx.prepare_cached(&table.insert).unwrap();
                let part = batch * rows / count..(batch + 1) * rows / count;
                for row in &table.rows[part] {
                    statement.execute(params_from_iter(row)).unwrap();
                }
            }
            tx.commit().unwrap();
        }
    }
}

fn made_by(conn: &Connection, kind: &str) -> Vec<String> {
    let sql = "SELECT sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%'";
    let mut statement = conn.prepare(sql).unwrap();
    let rows = statement.query_map([kind], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn read(conn: &Connection, table: &str) -> Table {
    // In the order in which the rows came, as far as the table knows it.
    let order = match table {
        "memories" | "evidence" | "embeddings" => "ord",
        "events" | "history" => "seq",
        _ => "1",
    };
    let sql = format!("SELECT * FROM {table} ORDER BY {order}");
    let mut statement = conn.prepare(&sql).unwrap();
    let columns = statement.column_count();
    let marks = vec!["?"; columns].join(", ");
    let rows = statement.query_map([], |row| (0..columns).map(|at| row.get(at)).collect());
    Table {
        insert: format!("INSERT INTO {table} VALUES ({marks})"),
        rows: rows.unwrap().map(Result::unwrap).collect(),
    }
}
