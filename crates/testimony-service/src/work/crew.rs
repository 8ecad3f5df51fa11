//! Threads that call a worker until they are told to stop.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use testimony_domain::Timestamp;

use super::worker::{Step, Worker};
use crate::ports::health::Health;

/// How long nobody looks at most, so that what was queued without a word is found all the same.
const LONGEST_IDLE: Duration = Duration::from_secs(5);

/// How long nobody tries after the ledger failed.
const AFTER_A_FAILURE: Duration = Duration::from_secs(1);

/// Threads at work; as many jobs are worked on at the same time as there are threads, each with its lot.
pub struct Crew {
    worker: Arc<Worker>,
    bell: Arc<Bell>,
    threads: Vec<JoinHandle<()>>,
}

/// Wakes who waits.
#[derive(Default)]
struct Bell {
    rung: Mutex<u64>,
    heard: Condvar,
}

impl Crew {
    /// Has so many threads work.
    ///
    /// # Errors
    /// Where the system gives no thread; those that began stop again.
    pub fn start(worker: Arc<Worker>, threads: usize) -> std::io::Result<Self> {
        let mut crew = Self {
            worker,
            bell: Arc::default(),
            threads: Vec::with_capacity(threads),
        };
        for number in 0..threads {
            let (worker, bell) = (crew.worker.clone(), crew.bell.clone());
            let named = std::thread::Builder::new().name(format!("testimony-work-{number}"));
            let thread = named.spawn(move || keep_working(&worker, &bell))?;
            crew.threads.push(thread);
        }
        Ok(crew)
    }

    /// Says that there is something new to do.
    pub fn wake(&self) {
        self.bell.ring();
    }

    /// How the jobs stand, and whether anybody works on them.
    #[must_use]
    pub fn health(&self) -> Health {
        let gone = self
            .threads
            .iter()
            .filter(|thread| thread.is_finished())
            .count();
        let all = self.threads.len();
        if gone == all {
            return Health::unavailable("nobody works on jobs; start the service again");
        }
        match self.worker.health() {
            Health::Healthy if gone > 0 => Health::degraded(format!(
                "{gone} of {all} threads are gone; start the service again"
            )),
            health @ (Health::Healthy | Health::Degraded { .. } | Health::Unavailable { .. }) => {
                health
            }
        }
    }

    /// Has everybody finish what can be finished soon and give back the rest, and waits for it.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.worker.stop();
        self.bell.ring();
        for thread in self.threads.drain(..) {
            // One that ended by a panic has nothing left to give back; its lease runs out.
            let _ = thread.join();
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.end();
    }
}

fn keep_working(worker: &Worker, bell: &Bell) {
    while !worker.is_stopping() {
        // Read before the step, so that a bell that rings during it is heard.
        let heard = bell.count();
        let idle = match worker.run_once() {
            Ok(Step::Worked { .. } | Step::Kept(_)) => continue,
            Ok(Step::Idle(until)) => until.map_or(LONGEST_IDLE, |until| time_to(until, worker)),
            Err(_) => AFTER_A_FAILURE,
        };
        if !worker.is_stopping() {
            bell.wait(heard, idle.min(LONGEST_IDLE));
        }
    }
}

fn time_to(until: Timestamp, worker: &Worker) -> Duration {
    let left = until.duration_since(worker.clock().now());
    Duration::try_from(left).unwrap_or_default()
}

impl Bell {
    fn count(&self) -> u64 {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.heard.notify_all();
    }

    /// Waits until the bell has rung more often than that, or so long.
    fn wait(&self, heard: u64, longest: Duration) {
        let rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let silent = |rung: &mut u64| *rung == heard;
        drop(self.heard.wait_timeout_while(rung, longest, silent));
    }
}
