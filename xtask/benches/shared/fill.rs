//! A ledger filled with rows, durably and many at a time.

use testimony_embedding::Embedder;
use testimony_service::ports::ledger::audit::{Act, Actor};
use testimony_service::ports::ledger::containers::{Container, ContainerPolicy};
use testimony_service::ports::ledger::{Fate, Ledger, Made};

use super::data::{Data, Row, at, container};

/// How many rows come in one piece of work.
pub(crate) const BATCH: usize = 100;

pub(crate) fn act() -> Act {
    Act {
        actor: Actor::Service,
        at: at("2026-05-01T00:00:00Z"),
        request: None,
        rules: "bench",
    }
}

pub(crate) fn make_containers(ledger: &dyn Ledger, data: &Data) {
    let by = data.embedder().identity().clone();
    let count = data.containers;
    let made = Made {
        at: at("2026-05-01T00:00:00Z"),
        by: Actor::Service,
    };
    let work = move |writer: &mut dyn testimony_service::ports::ledger::Writer| {
        for number in 0..count {
            writer.make_container(&Container {
                tag: container(number),
                made: made.clone(),
                policy: ContainerPolicy::default(),
                embedder: Some(by.clone()),
            })?;
        }
        Ok((Fate::Keep, ()))
    };
    ledger.write(act(), work).unwrap();
}

/// Writes rows as one piece of work, durably.
pub(crate) fn insert(ledger: &dyn Ledger, rows: Vec<Row>) {
    let work = move |writer: &mut dyn testimony_service::ports::ledger::Writer| {
        for row in &rows {
            writer.keep_evidence(&row.kept)?;
            writer.add_memory(&row.memory)?;
            writer.keep_embedding(&row.embedding)?;
        }
        Ok(Fate::Keep)
    };
    ledger.submit(act(), Box::new(work)).unwrap();
}

/// Writes all rows up to a number, from another on, many at a time.
pub(crate) fn fill(ledger: &dyn Ledger, data: &Data, rows: std::ops::Range<usize>) {
    const AT_ONCE: usize = 1_000;
    let end = rows.end;
    for from in rows.step_by(AT_ONCE) {
        insert(ledger, data.rows(from..(from + AT_ONCE).min(end)));
    }
}
