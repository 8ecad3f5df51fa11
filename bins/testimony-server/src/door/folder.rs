//! In this process, on the folder itself, while no server runs on it.

use testimony::Testimony;
use testimony::domain::Principal;
use testimony_transport::local;
use testimony_transport::routes::Running;

use super::{Answer, Ask};
use crate::caretaker;
use crate::embedders;
use crate::failure::Failure;
use crate::settings::Settings;
use crate::sheet::counted;

/// A memory that this process has open.
pub(crate) struct Folder {
    memory: Testimony,
    running: Running,
}

impl Folder {
    pub(super) fn open(settings: &Settings, makes: bool) -> Result<Self, Failure> {
        let memory = if makes {
            open(settings)?
        } else {
            open_made(settings)?
        };
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

/// Opens the memory of the folder, which holds one.
pub(crate) fn open_made(settings: &Settings) -> Result<Testimony, Failure> {
    let data = settings.data();
    if Testimony::is_in(&data) {
        open(settings)
    } else {
        Err(Failure::NoMemory(data))
    }
}

/// Opens the memory of the folder, with the embedders that a server on it has; where another process has it, says how to
/// reach that one.
pub(crate) fn open(settings: &Settings) -> Result<Testimony, Failure> {
    let data = settings.data();
    let memory = embedders::builder(settings)?.open(&data);
    let memory = memory.map_err(|error| {
        if error.is_locked() {
            Failure::Busy(data)
        } else {
            error.into()
        }
    })?;
    warn_of_another_embedder(&memory);
    Ok(memory)
}

/// A command that was not told of the embedder of the server would undo what the server does.
#[expect(
    clippy::print_stderr,
    reason = "what is said beside an answer goes to stderr"
)]
fn warn_of_another_embedder(memory: &Testimony) {
    let containers = memory.reembedding().containers;
    if containers > 0 {
        eprintln!(
            "testimony: {} by another embedder than the one that is wanted here, and embedded again; where that is not \
             meant, name the file of settings of the server with --config",
            counted(containers as u64, "container is", "containers are")
        );
    }
}
