//! In this process, on the folder itself, while no server runs on it.

use std::path::Path;

use testimony::Testimony;
use testimony::domain::Principal;
use testimony_transport::local;
use testimony_transport::routes::Running;

use super::{Answer, Ask};
use crate::caretaker;
use crate::failure::Failure;

/// A memory that this process has open.
pub(crate) struct Folder {
    memory: Testimony,
    running: Running,
}

impl Folder {
    pub(super) fn open(data: &Path, makes: bool) -> Result<Self, Failure> {
        let memory = if makes { open(data)? } else { open_made(data)? };
        let running = caretaker::running(&memory);
        Ok(Self { memory, running })
    }

    pub(super) fn ask(&self, ask: &Ask) -> Answer {
        let question = local::Ask {
            method: ask.method,
            path: &ask.path,
            input: ask.input.clone(),
            idempotency_key: None,
        };
        match local::ask(
            self.memory.service(),
            Some(&self.running),
            Principal::host(),
            &question,
        ) {
            Ok(reply) => Answer {
                status: reply.status,
                body: reply.into_json(),
            },
            Err(problem) => Answer {
                status: problem.code.status(),
                body: problem.document("local"),
            },
        }
    }
}

/// Opens the memory of a folder that holds one.
pub(crate) fn open_made(data: &Path) -> Result<Testimony, Failure> {
    if Testimony::is_in(data) {
        open(data)
    } else {
        Err(Failure::NoMemory(data.to_owned()))
    }
}

/// Opens the memory of a folder; where another process has it, says how to reach that one.
pub(crate) fn open(data: &Path) -> Result<Testimony, Failure> {
    Testimony::open(data).map_err(|error| {
        if error.is_locked() {
            Failure::Busy(data.to_owned())
        } else {
            error.into()
        }
    })
}
