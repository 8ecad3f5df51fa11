//! Who looks after the folder: backups and examinations, for the routes that only the host asks.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use testimony::Testimony;
use testimony::ports::ledger::audit::ChainHead;
use testimony::store::Examination;
use testimony_transport::caretaker::{Backup, Caretaker, Examined, Finding};
use testimony_transport::routes::{Gateway, HealthProbe, Running};

/// Looks after a memory.
pub(crate) struct Keeper(Testimony);

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keeper(…)")
    }
}

impl Keeper {
    pub(crate) fn of(memory: &Testimony) -> Arc<dyn Caretaker> {
        Arc::new(Self(memory.clone()))
    }
}

impl Caretaker for Keeper {
    fn back_up(&self, to: &Path) -> Result<Backup, String> {
        let made = self.0.store().backup_to(to);
        let made = made.map_err(|error| error.to_string())?;
        let (head, bytes) = (made.head, made.bytes);
        Ok(Backup { head, bytes })
    }

    fn examine(&self, against: Option<ChainHead>, repair: bool) -> Result<Examined, String> {
        let store = self.0.store();
        let found = if repair {
            store.repair(against)
        } else {
            store.doctor(against)
        };
        found.map(told).map_err(|error| error.to_string())
    }
}

fn told(found: Examination) -> Examined {
    let ledger = found.ledger.into_iter().map(|finding| Finding {
        part: "ledger",
        kind: finding.kind.as_str(),
        place: Some(finding.place),
        detail: finding.detail,
        remedy: finding.kind.remedy(),
    });
    let index = found.index.into_iter().map(|finding| Finding {
        part: "index",
        kind: finding.kind.as_str(),
        place: finding.memory.map(|id| id.to_string()),
        detail: finding.detail,
        remedy: finding.kind.remedy(),
    });
    Examined {
        head: found.head,
        rows: found.rows,
        findings: ledger.chain(index).collect(),
    }
}

/// What this process has beside the use cases when it works on a memory itself.
pub(crate) fn running(memory: &Testimony) -> Running {
    let parts = memory.clone();
    Running {
        health: HealthProbe::new(move || parts.health()),
        metrics: Arc::default(),
        gauge: None,
        caretaker: Some(Keeper::of(memory)),
        gateway: Gateway::default(),
    }
}
