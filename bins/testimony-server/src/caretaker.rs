//! Who looks after the folder: backups and examinations, for the routes that only the host asks.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::make_for_owner;
use serde_json::Value;
use testimony::Testimony;
use testimony::ports::ledger::audit::ChainHead;
use testimony::store::Examination;
use testimony_transport::caretaker::{Backup, Caretaker, Examined, Finding};
use testimony_transport::routes::{Gateway, HealthProbe, Running};

/// Looks after a memory.
pub(crate) struct Keeper {
    memory: Testimony,
    /// The folder of the memory, and what the process was started with, where it serves.
    serving: Option<(PathBuf, Value)>,
}

/// Where backups lie that are asked for without a place, below the folder of the memory.
const BACKUPS: &str = "backups";

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keeper(…)")
    }
}

impl Keeper {
    pub(crate) fn of(memory: &Testimony) -> Arc<dyn Caretaker> {
        let memory = memory.clone();
        Arc::new(Self {
            memory,
            serving: None,
        })
    }

    /// Of a memory that is served from a folder.
    pub(crate) fn serving(
        memory: &Testimony,
        folder: &Path,
        settings: Value,
    ) -> Arc<dyn Caretaker> {
        let memory = memory.clone();
        Arc::new(Self {
            memory,
            serving: Some((folder.to_owned(), settings)),
        })
    }
}

impl Caretaker for Keeper {
    fn back_up(&self, to: &Path) -> Result<Backup, String> {
        let made = self.memory.store().backup_to(to);
        let made = made.map_err(|error| error.to_string())?;
        let (head, bytes) = (made.head, made.bytes);
        Ok(Backup { head, bytes })
    }

    fn back_up_beside(&self, name: &str) -> Result<(PathBuf, Backup), String> {
        let (folder, _) = self.serving.as_ref().ok_or("no folder is served")?;
        let place = std::path::absolute(folder.join(BACKUPS)).map_err(|error| error.to_string())?;
        make_for_owner(&place).map_err(|error| error.to_string())?;
        let path = place.join(name);
        let made = self.back_up(&path)?;
        Ok((path, made))
    }

    fn settings(&self) -> Value {
        let serving = self.serving.as_ref();
        serving.map_or(Value::Null, |(_, settings)| settings.clone())
    }

    fn examine(&self, against: Option<ChainHead>, repair: bool) -> Result<Examined, String> {
        let store = self.memory.store();
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
