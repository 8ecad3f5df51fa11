//! Receipts of writes, and judgments of models.

use rusqlite::{Connection, params};
use testimony_domain::{ContainerTag, MemoryId, RequestId, Timestamp};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::audit::{Action, Digest, ObjectRef};
use testimony_service::ports::ledger::receipts::{
    Judgment, Operation, Reads, Receipt, ReceiptKey, Writes,
};

use super::query;
use super::rows::{Cols, Id, count, id_column, micros, packed};
use super::trail::Line;
use super::tx::{Desk, Source, Tx};

pub(crate) const RECEIPT: &str = "SELECT key, container, operation, request, body, response, memories, at, until FROM receipts \
     WHERE key = ? AND container = ? AND operation = ? AND request = ? AND until > ?";

pub(crate) const NAMES: &str = "SELECT m.memory FROM receipts r JOIN receipt_memories m ON m.receipt = r.ord \
     WHERE r.key = ? AND r.container = ? AND r.operation = ? AND r.request = ? ORDER BY m.memory";

fn receipt(c: &mut Cols<'_, '_>) -> Result<Receipt, LedgerError> {
    let key = ReceiptKey {
        key: c.id()?,
        container: c.word(ContainerTag::new)?,
        operation: c.word(Operation::parse)?,
        request: c.word(RequestId::new)?,
    };
    Ok(Receipt {
        key,
        body: c.digest()?,
        response: c.text()?.to_owned(),
        memories: c.ids()?,
        names: Vec::new(),
        at: c.time()?,
        until: c.time()?,
    })
}

impl<S: Source> Reads for Tx<S> {
    fn receipt(&self, key: &ReceiptKey, now: Timestamp) -> Result<Option<Receipt>, LedgerError> {
        let bound = params![
            key.key.bytes(),
            key.container.as_str(),
            key.operation.as_str(),
            key.request.as_str(),
            micros(now)
        ];
        let found = query::one(self.conn(), "receipts", RECEIPT, bound, receipt)?;
        let Some(mut receipt) = found else {
            return Ok(None);
        };
        let bound = params![
            key.key.bytes(),
            key.container.as_str(),
            key.operation.as_str(),
            key.request.as_str()
        ];
        let all = query::all(self.conn(), "receipt_memories", NAMES, bound, id_column)?;
        let named = all.into_iter().filter(|id| !receipt.memories.contains(id));
        receipt.names = named.collect();
        Ok(Some(receipt))
    }

    fn judgment(&self, memory: MemoryId, about: Digest) -> Result<Option<Judgment>, LedgerError> {
        const SQL: &str =
            "SELECT memory, about, said, at FROM judgments WHERE memory = ? AND about = ?";
        let bound = params![memory.bytes(), about.0];
        query::one(self.conn(), "judgments", SQL, bound, |c| {
            Ok(Judgment {
                memory: c.id()?,
                about: c.digest()?,
                said: c.text()?.to_owned(),
                at: c.time()?,
            })
        })
    }
}

impl Writes for Desk<'_> {
    fn keep_receipt(&mut self, receipt: &Receipt) -> Result<(), LedgerError> {
        self.whole(|desk| keep(desk.conn(), receipt))
    }

    fn let_go_of_receipts(&mut self, now: Timestamp, limit: usize) -> Result<u64, LedgerError> {
        const SQL: &str = "DELETE FROM receipts WHERE ord IN \
                           (SELECT ord FROM receipts WHERE until <= ? ORDER BY until LIMIT ?)";
        let bound = [micros(now), count(limit)];
        self.whole(|desk| query::run(desk.conn(), SQL, bound).map(|gone| gone as u64))
    }

    fn keep_judgment(&mut self, judgment: &Judgment) -> Result<(), LedgerError> {
        const SQL: &str = "INSERT INTO judgments VALUES (?1, ?2, ?3, ?4) \
                           ON CONFLICT (memory, about) DO UPDATE SET said = ?3, at = ?4";
        self.whole(|desk| {
            let container = desk.container_of_living(judgment.memory)?;
            let bound = params![
                judgment.memory.bytes(),
                judgment.about.0,
                judgment.said,
                micros(judgment.at)
            ];
            query::run(desk.conn(), SQL, bound)?;
            let object = ObjectRef::Memory(judgment.memory);
            let line = Line::of(Action::JudgmentKept, &object);
            desk.record(line.within(&container)).map(drop)
        })
    }
}

fn keep(conn: &Connection, receipt: &Receipt) -> Result<(), LedgerError> {
    const REPLACE: &str =
        "DELETE FROM receipts WHERE key = ? AND container = ? AND operation = ? AND request = ?";
    const SQL: &str = "INSERT INTO receipts (key, container, operation, request, body, response, memories, at, until) \
                       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const SPEAKS_OF: &str = "INSERT INTO receipt_memories VALUES (?, ?) ON CONFLICT DO NOTHING";
    let key = &receipt.key;
    let (credential, operation) = (key.key.bytes(), key.operation.as_str());
    let (container, request) = (key.container.as_str(), key.request.as_str());
    query::run(
        conn,
        REPLACE,
        params![credential, container, operation, request],
    )?;
    let bound = params![
        credential,
        container,
        operation,
        request,
        receipt.body.0,
        receipt.response,
        packed(&receipt.memories),
        micros(receipt.at),
        micros(receipt.until),
    ];
    query::run(conn, SQL, bound)?;
    let ord = conn.last_insert_rowid();
    for memory in receipt.memories.iter().chain(&receipt.names) {
        query::run(conn, SPEAKS_OF, params![memory.bytes(), ord])?;
    }
    Ok(())
}
