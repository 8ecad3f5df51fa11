//! From a thread that may wait to a runtime that never does.

use std::fmt;
use std::future::Future;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use testimony_service::ports::caller::Caller;
use testimony_service::ports::models::ModelError;
use tokio::runtime::{Builder, Handle, Runtime};

/// What asks.
pub(crate) struct Driver {
    handle: Handle,
    /// Where nobody gave one.
    own: Option<Runtime>,
}

impl Driver {
    /// Asks on somebody's runtime, which has to run while it is used.
    pub(crate) const fn on(handle: Handle) -> Self {
        Self { handle, own: None }
    }

    /// Asks on a thread of its own.
    ///
    /// # Errors
    /// When the system gives none.
    pub(crate) fn own() -> std::io::Result<Self> {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("models").enable_all();
        let own = runtime.build()?;
        Ok(Self {
            handle: own.handle().clone(),
            own: Some(own),
        })
    }

    /// Waits for an answer, and gives it up a little after it should have come, or as soon as whoever waits for it has
    /// left.
    ///
    /// # Errors
    /// What the answer is, or that there is none.
    pub(crate) fn wait<T: Send + 'static>(
        &self,
        model: &str,
        deadline: Duration,
        answer: impl Future<Output = Result<T, ModelError>> + Send + 'static,
    ) -> Result<T, ModelError> {
        /// Whoever answers keeps to the deadline by itself; this is for a runtime that has stopped.
        const GRACE: Duration = Duration::from_secs(2);
        let (say, said) = sync_channel(1);
        let task = self.handle.spawn(async move {
            // Whoever asked may have stopped waiting.
            let _ = say.send(answer.await);
        });
        let caller = Caller::current();
        if let Some(caller) = &caller {
            let task = task.abort_handle();
            caller.on_leaving(move || task.abort());
        }
        match said.recv_timeout(deadline.saturating_add(GRACE)) {
            Ok(answer) => answer,
            Err(why) => {
                task.abort();
                let has_left = caller.is_some_and(|caller| caller.has_left());
                Err(gone(model, deadline, why, has_left))
            }
        }
    }
}

fn gone(model: &str, after: Duration, why: RecvTimeoutError, has_left: bool) -> ModelError {
    let model = model.to_owned();
    let because = match why {
        RecvTimeoutError::Timeout => return ModelError::TooSlow { model, after },
        RecvTimeoutError::Disconnected if has_left => "whoever waited for it has left",
        RecvTimeoutError::Disconnected => "whoever asks it is stopping",
    };
    ModelError::Unreachable {
        model,
        because: because.to_owned(),
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(own) = self.own.take() {
            // It may be dropped where nobody may wait.
            own.shutdown_background();
        }
    }
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Driver(…)")
    }
}
