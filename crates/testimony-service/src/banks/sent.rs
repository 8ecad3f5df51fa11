//! What a bank is told: rows that are open, everybody's in their container, and clean; and of those, words alone.

use testimony_domain::{Ids, JobId, Memory, Reason, Redacted};

use crate::ports::ledger::containers::ContainerPolicy;
use crate::ports::ledger::jobs::{Job, JobKind};
use crate::ports::ledger::{LedgerError, Writer};
use crate::service::Service;

/// So long a text can be that is sent, in characters; nobody finds anything by a longer one.
const LONGEST_SENT: usize = 2_000;

/// What tries to instruct its reader is not handed on, and of what held a secret nothing is.
const fn is_unsent(reason: Reason) -> bool {
    reason.is_of_an_injection() || matches!(reason, Reason::SecretFound | Reason::SecretInMetadata)
}

/// Whether a bank may be told of a row. What is private by its place, or labelled for one person, application,
/// organisation or run, stays here: a bank knows nothing of such walls, and neither does what it answers.
pub(super) fn may_be_sent(row: &Memory) -> bool {
    let is_everybodys =
        !row.partition.is_private_by_place() && *row.partition.labels() == Default::default();
    let is_clean = !row.reasons.iter().any(|reason| is_unsent(*reason));
    row.state.is_open() && is_everybodys && is_clean
}

/// Queues the work of comparing a row, where a bank may be told of it; says whether.
pub(crate) fn queue_comparison(
    writer: &mut dyn Writer,
    ids: &dyn Ids,
    row: &Memory,
) -> Result<bool, LedgerError> {
    if !may_be_sent(row) {
        return Ok(false);
    }
    let now = writer.act().at;
    let container = row.partition.container().clone();
    let id = JobId::mint(ids);
    let job = Job::new(id, JobKind::Compare, container, Some(row.id), now);
    writer.queue_job(&job)?;
    Ok(true)
}

impl Service {
    /// The words of a row as a bank is told them. What an operator let through for a container was let into it, not out
    /// of it, so nothing is exempt here.
    pub(super) fn words_for_a_bank(&self, row: &Memory) -> Redacted {
        let redacted = self.redact(&ContainerPolicy::default(), row.content.as_str());
        redacted.head(LONGEST_SENT)
    }
}
