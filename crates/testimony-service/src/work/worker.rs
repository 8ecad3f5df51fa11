//! The worker: it takes jobs, has them worked on, and ends them; one step at a time, so that a test can walk with it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use testimony_domain::{Clock, JobId, Timestamp};

use super::handler::{Handler, Readiness, Shift};
use super::next::{Outcome, given_up, later, next};
use crate::ports::health::Health;
use crate::ports::ledger::audit::{Act, Actor};
use crate::ports::ledger::jobs::{Job, JobEnd, JobKind, JobState};
use crate::ports::ledger::{Fate, Ledger, LedgerError};
use crate::upkeep::{Upkeep, UpkeepReport};

/// How a worker works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkRules {
    /// How long a lease is; whoever has not said anything for so long has lost its jobs.
    pub lease: Duration,
    /// How often time is looked after, while nothing is left over.
    pub upkeep_every: Duration,
    /// The version of the rules that stands in the events.
    pub version: &'static str,
}

impl WorkRules {
    /// The usual rules.
    #[must_use]
    pub const fn new(version: &'static str) -> Self {
        Self {
            lease: Duration::from_secs(120),
            upkeep_every: Duration::from_secs(60),
            version,
        }
    }
}

/// What a step did.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Jobs of a kind were worked on, and ended so.
    Worked {
        /// Which kind.
        kind: JobKind,
        /// Each with how it ended; one that somebody else took meanwhile is left out.
        ended: Vec<(JobId, JobEnd)>,
    },
    /// Time was looked after.
    Kept(UpkeepReport),
    /// There is nothing to do before an instant, where one is known.
    Idle(Option<Timestamp>),
}

/// Takes jobs, has them worked on, and ends them. Several threads may call it; each step has jobs of its own.
pub struct Worker {
    ledger: Arc<dyn Ledger>,
    clock: Arc<dyn Clock + Send + Sync>,
    handlers: Vec<Box<dyn Handler>>,
    upkeep: Upkeep,
    rules: WorkRules,
    turn: AtomicUsize,
    stopping: AtomicBool,
    memory: Mutex<Remembered>,
}

/// What a worker knows beside the ledger.
#[derive(Default)]
struct Remembered {
    next_upkeep: Option<Timestamp>,
    /// Why the last step failed, where it did.
    failure: Option<String>,
    /// Why time could not be looked after the last time, where it could not.
    upkeep_failure: Option<String>,
}

impl Worker {
    /// A worker on a ledger.
    #[must_use]
    pub fn new(
        ledger: Arc<dyn Ledger>,
        clock: Arc<dyn Clock + Send + Sync>,
        handlers: Vec<Box<dyn Handler>>,
        upkeep: Upkeep,
        rules: WorkRules,
    ) -> Self {
        Self {
            ledger,
            clock,
            handlers,
            upkeep,
            rules,
            turn: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
            memory: Mutex::new(Remembered::default()),
        }
    }

    /// Does one thing that is to be done.
    ///
    /// # Errors
    /// [`LedgerError`] when the ledger fails. Jobs that were taken by then are taken again when their lease runs out.
    pub fn run_once(&self) -> Result<Step, LedgerError> {
        let step = self.step();
        let failure = step.as_ref().err().map(ToString::to_string);
        self.remembered(|memory| memory.failure = failure);
        step
    }

    /// Has every step end as soon as it can, and none begin.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    pub(super) fn clock(&self) -> &dyn Clock {
        self.clock.as_ref()
    }

    /// How the jobs stand: what waits for what, and what was given up.
    #[must_use]
    pub fn health(&self) -> Health {
        if let Some(failure) = self.remembered(|memory| memory.failure.clone()) {
            return Health::unavailable(failure);
        }
        let census = self.ledger.reader().and_then(|reader| reader.job_census());
        match census {
            Ok(census) => self.health_of(&census),
            Err(error) => Health::unavailable(error.to_string()),
        }
    }

    fn health_of(&self, census: &[(JobKind, JobState, u64)]) -> Health {
        let count = |wanted: &dyn Fn(JobKind, JobState) -> bool| -> u64 {
            let counted = census
                .iter()
                .filter(|(kind, state, _)| wanted(*kind, *state));
            counted.map(|(_, _, count)| count).sum()
        };
        let upkeep_failure = self.remembered(|memory| memory.upkeep_failure.clone());
        let told = upkeep_failure.map(|why| format!("time is not looked after: {why}"));
        let mut because: Vec<String> = told.into_iter().collect();
        for handler in &self.handlers {
            let waiting = count(&|kind, state| kind == handler.kind() && state == JobState::Queued);
            if let Some(missing) = handler.readiness().missing()
                && waiting > 0
            {
                because.push(format!(
                    "{waiting} jobs `{}` wait: {missing}",
                    handler.kind()
                ));
            }
        }
        let dead = count(&|_, state| state == JobState::Dead);
        if dead > 0 {
            because.push(format!(
                "{dead} jobs failed for good; look at why, and put them back"
            ));
        }
        if because.is_empty() {
            return Health::Healthy;
        }
        Health::degraded(because.join("; "))
    }

    fn step(&self) -> Result<Step, LedgerError> {
        let now = self.clock.now();
        if self.is_stopping() {
            return Ok(Step::Idle(None));
        }
        if self.takes_upkeep(now) {
            return self.look_after_time(now);
        }
        let mut wake = self.remembered(|memory| memory.next_upkeep);
        let mut sooner = |at: Timestamp| wake = Some(wake.map_or(at, |wake| wake.min(at)));
        let first = self.turn.fetch_add(1, Ordering::Relaxed);
        for place in 0..self.handlers.len() {
            let place = first.wrapping_add(place) % self.handlers.len();
            let Some(handler) = self.handlers.get(place) else {
                continue;
            };
            if let Readiness::Waits { until, .. } = handler.readiness() {
                sooner(until);
                continue;
            }
            match self.ledger.reader()?.next_due(handler.kind())? {
                Some(due) if due > now => sooner(due),
                None => {}
                Some(_) => {
                    let jobs = self.take(handler.as_ref(), now)?;
                    if !jobs.is_empty() {
                        return self.work(handler.as_ref(), jobs);
                    }
                }
            }
        }
        Ok(Step::Idle(wake))
    }

    /// Whether it is time to look after time, which then is this caller's to do.
    fn takes_upkeep(&self, now: Timestamp) -> bool {
        let every = self.rules.upkeep_every;
        self.remembered(|memory| {
            let due = memory.next_upkeep.is_none_or(|next| next <= now);
            if due {
                memory.next_upkeep = Some(later(now, every));
            }
            due
        })
    }

    fn look_after_time(&self, now: Timestamp) -> Result<Step, LedgerError> {
        let ticked = self.upkeep.tick(now);
        let failure = ticked.as_ref().err().map(ToString::to_string);
        self.remembered(|memory| memory.upkeep_failure = failure);
        let report = ticked?;
        if report.more {
            self.remembered(|memory| memory.next_upkeep = Some(now));
        }
        Ok(Step::Kept(report))
    }

    fn take(&self, handler: &dyn Handler, now: Timestamp) -> Result<Vec<Job>, LedgerError> {
        let (kind, limit) = (handler.kind(), handler.at_once());
        let until = later(now, self.rules.lease);
        let lease = move |writer: &mut dyn crate::ports::ledger::Writer| {
            Ok((Fate::Keep, writer.lease_jobs(kind, limit, until)?))
        };
        self.ledger.write(self.act(), lease).map(|(jobs, _)| jobs)
    }

    fn work(&self, handler: &dyn Handler, jobs: Vec<Job>) -> Result<Step, LedgerError> {
        let mut ends: Vec<(Job, JobEnd)> = Vec::with_capacity(jobs.len());
        let (over, open): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().partition(|job| given_up(job).is_some());
        ends.extend(
            over.into_iter()
                .filter_map(|job| given_up(&job).map(|end| (job, end))),
        );
        // What failed before is worked on alone, so that it cannot take others down with it again.
        let (fresh, tried): (Vec<Job>, Vec<Job>) =
            open.into_iter().partition(|job| job.attempts <= 1);
        let lots = std::iter::once(fresh).chain(tried.into_iter().map(|job| vec![job]));
        for (number, lot) in lots.enumerate().filter(|(_, lot)| !lot.is_empty()) {
            // The leases of the first lot were taken just now.
            let goes_on = if number == 0 {
                !self.is_stopping()
            } else {
                self.keep_leases(&lot)?
            };
            let outcomes = if goes_on {
                self.outcomes(handler, &lot)?
            } else {
                vec![Outcome::Unfinished; lot.len()]
            };
            let now = self.clock.now();
            let mut outcomes = outcomes.into_iter();
            for job in lot {
                let missing = || Outcome::Failed {
                    failure: "nothing was said about it".to_owned(),
                };
                let outcome = outcomes.next().unwrap_or_else(missing);
                let end = next(job.attempts, &outcome, now);
                ends.push((job, end));
            }
        }
        self.end(handler.kind(), ends)
    }

    fn outcomes(&self, handler: &dyn Handler, jobs: &[Job]) -> Result<Vec<Outcome>, LedgerError> {
        let keep_leases = || self.keep_leases(jobs);
        let act = || self.act();
        let shift = Shift {
            ledger: self.ledger.as_ref(),
            act: &act,
            keep_leases: &keep_leases,
        };
        // A handler shares nothing with us that a panic could leave half-done: what it writes is a transaction.
        catch_unwind(AssertUnwindSafe(|| handler.work(jobs, &shift))).unwrap_or_else(|_| {
            let failure =
                "whoever worked on it stopped where it should not; this is a defect".to_owned();
            Ok(vec![Outcome::Failed { failure }; jobs.len()])
        })
    }

    /// Keeps leases for another while; `false` when the worker stops or one of them is lost.
    fn keep_leases(&self, jobs: &[Job]) -> Result<bool, LedgerError> {
        if self.is_stopping() {
            return Ok(false);
        }
        let until = later(self.clock.now(), self.rules.lease);
        let held: Vec<(JobId, u32)> = jobs.iter().map(|job| (job.id, job.attempts)).collect();
        let (kept, _) = self.ledger.write(self.act(), move |writer| {
            let mut kept = true;
            for (id, attempt) in held {
                kept &= still_there(writer.renew_job(id, attempt, until))?;
            }
            Ok((Fate::Keep, kept))
        })?;
        Ok(kept)
    }

    fn end(&self, kind: JobKind, ends: Vec<(Job, JobEnd)>) -> Result<Step, LedgerError> {
        let (ended, _) = self.ledger.write(self.act(), move |writer| {
            let mut ended = Vec::with_capacity(ends.len());
            for (job, end) in ends {
                if still_there(writer.end_job(job.id, job.attempts, &end))? {
                    ended.push((job.id, end));
                }
            }
            Ok((Fate::Keep, ended))
        })?;
        Ok(Step::Worked { kind, ended })
    }

    fn act(&self) -> Act {
        service_act(self.clock.now(), self.rules.version)
    }

    fn remembered<T>(&self, with: impl FnOnce(&mut Remembered) -> T) -> T {
        // Every change behind the lock is one assignment, so a panic elsewhere has left nothing half-done.
        with(&mut self.memory.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What the service does by itself.
pub(crate) fn service_act(at: Timestamp, rules: &'static str) -> Act {
    Act {
        actor: Actor::Service,
        at,
        request: None,
        rules,
    }
}

/// Whether what was to be changed was still there, and as it was: a lease may have run out, a row may have been erased.
pub(super) fn still_there(done: Result<(), LedgerError>) -> Result<bool, LedgerError> {
    match done {
        Ok(()) => Ok(true),
        Err(LedgerError::Changed { .. } | LedgerError::Missing { .. }) => Ok(false),
        Err(
            error @ (LedgerError::Full
            | LedgerError::Overloaded { .. }
            | LedgerError::Stopped
            | LedgerError::Exists { .. }
            | LedgerError::Damaged { .. }
            | LedgerError::Store { .. }),
        ) => Err(error),
    }
}
