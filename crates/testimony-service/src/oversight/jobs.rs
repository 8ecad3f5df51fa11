//! Jobs as operators look into them, and dead ones that are given another chance.

use testimony_domain::{ContainerTag, JobId, Principal};

use super::{operates, operates_all};
use crate::error::{NotFound, ServiceError};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::jobs::{Job, JobKind, JobState};
use crate::ports::ledger::{Fate, Page};
use crate::service::Service;

/// So many jobs are looked at in one go.
const LOOKED_AT: usize = 500;

/// Which jobs an operator wants.
#[derive(Clone, Debug)]
pub struct JobsRequest {
    /// In this state.
    pub state: JobState,
    /// Of this kind.
    pub kind: Option<JobKind>,
    /// In this container.
    pub container: Option<ContainerTag>,
    /// Which part of the list.
    pub page: Page<JobId>,
}

impl Service {
    /// Jobs in a state, in the order in which they were queued, of the containers that the credential reaches.
    ///
    /// # Errors
    /// [`ServiceError`] when the credential does not suffice, or they cannot be read.
    pub fn list_jobs(
        &self,
        principal: &Principal,
        request: &JobsRequest,
    ) -> Result<Vec<Job>, ServiceError> {
        operates(principal)?;
        let wanted = |job: &Job| {
            let in_container = request
                .container
                .as_ref()
                .is_none_or(|tag| *tag == job.container);
            let of_kind = request.kind.is_none_or(|kind| kind == job.kind);
            of_kind && in_container && principal.containers.reaches(&job.container)
        };
        let reader = self.ledger.reader()?;
        let mut jobs: Vec<Job> = Vec::new();
        let mut page = Page {
            after: request.page.after,
            limit: LOOKED_AT,
        };
        loop {
            let part = reader.jobs(request.state, page)?;
            let is_last = part.len() < page.limit;
            page.after = part.last().map(|job| job.id);
            jobs.extend(part.into_iter().filter(wanted));
            if is_last || jobs.len() >= request.page.limit {
                break;
            }
        }
        jobs.truncate(request.page.limit);
        Ok(jobs)
    }

    /// How many jobs there are, by kind and state.
    ///
    /// # Errors
    /// [`ServiceError::NotOverAll`] when the credential reaches only some containers.
    pub fn job_census(
        &self,
        principal: &Principal,
    ) -> Result<Vec<(JobKind, JobState, u64)>, ServiceError> {
        operates_all(principal)?;
        Ok(self.ledger.reader()?.job_census()?)
    }

    /// Puts a dead job back into the queue, with its attempts forgotten.
    ///
    /// # Errors
    /// [`NotFound::Job`] when there is none that the credential reaches, [`ServiceError::NotOpen`] when it is not dead.
    pub fn revive_job(&self, principal: &Principal, id: JobId) -> Result<Job, ServiceError> {
        operates(principal)?;
        let job = self.ledger.reader()?.job(id)?;
        let reached = job.filter(|job| principal.containers.reaches(&job.container));
        reached.ok_or(NotFound::Job)?;
        let act = self.act(Actor::by(principal.kind, principal.key), None);
        let (revived, _) = self.ledger.write(act, move |writer| {
            let dead = writer.job(id)?.filter(|job| job.state == JobState::Dead);
            if dead.is_none() {
                return Ok((Fate::Discard, None));
            }
            writer.revive_job(id)?;
            Ok((Fate::Keep, writer.job(id)?))
        })?;
        revived.ok_or(ServiceError::NotOpen("only a dead job can be revived"))
    }
}
