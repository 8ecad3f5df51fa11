//! What time does by itself: rows expire, and what was kept for a while is let go of.
//!
//! [`Upkeep::tick`] does a bounded part of what is due and says what it did.
//! However often it is called, and however little it does each time, the end is the same as after one call that does
//! everything; and nothing that is not due changes.

mod expiry;
mod retention;

use std::sync::Arc;

use testimony_domain::Timestamp;

use crate::ports::ledger::{Fate, Ledger, LedgerError, Page, Writer};
use crate::work::service_act;

pub use retention::Retention;
use retention::{before, days_before};

/// Looks after what time does.
pub struct Upkeep {
    ledger: Arc<dyn Ledger>,
    retention: Retention,
    at_most: usize,
    version: &'static str,
}

/// What a call did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UpkeepReport {
    /// Memories that expired.
    pub expired: u64,
    /// Review cases that were closed by that.
    pub cases_closed: u64,
    /// Memories that are contested no longer, since the other side expired.
    pub conflicts_settled: u64,
    /// Evidence that was let go of.
    pub evidence: u64,
    /// Receipts that were let go of.
    pub receipts: u64,
    /// Lines of the journal of what was handed out that were forgotten.
    pub handed_out: u64,
    /// Rows of reading that were forgotten.
    pub reads: u64,
    /// Jobs that were put back because their lease ran out.
    pub leases: u64,
    /// Done jobs that were let go of.
    pub jobs: u64,
    /// Browser sessions that were over and were let go of.
    pub sessions: u64,
    /// Whether something may be left that is due.
    pub more: bool,
}

/// What a part of a call is given.
struct Part {
    now: Timestamp,
    retention: Retention,
    limit: usize,
}

/// A part of a call: a transaction that does at most so much, counts it, and returns how much of its limit it used.
type Do = fn(&mut dyn Writer, &Part, &mut UpkeepReport) -> Result<u64, LedgerError>;

/// Every part. None depends on what another does, so that their order is of no matter.
const PARTS: &[Do] = &[
    |writer, part, report| {
        let done = expiry::expire(writer, part.limit)?;
        report.expired = done.memories;
        report.cases_closed = done.cases_closed;
        report.conflicts_settled = done.conflicts_settled;
        Ok(done.memories)
    },
    |writer, part, report| {
        report.evidence = let_go_of_evidence(writer, part)?;
        Ok(report.evidence)
    },
    |writer, part, report| {
        report.receipts = writer.let_go_of_receipts(part.now, part.limit)?;
        Ok(report.receipts)
    },
    |writer, part, report| {
        report.handed_out = writer.forget_handed_out(part.now, part.limit)?;
        Ok(report.handed_out)
    },
    |writer, part, report| {
        let before = before(part.now, part.retention.reads);
        report.reads = writer.forget_reads(before, part.limit)?;
        Ok(report.reads)
    },
    |writer, part, report| {
        report.leases = writer.return_lapsed_jobs(part.limit)?;
        Ok(report.leases)
    },
    |writer, part, report| {
        let before = before(part.now, part.retention.done_jobs);
        report.jobs = writer.let_go_of_done_jobs(before, part.limit)?;
        Ok(report.jobs)
    },
    |writer, part, report| {
        report.sessions = writer.let_go_of_sessions(part.now, part.limit)?;
        Ok(report.sessions)
    },
];

impl Upkeep {
    /// Looks after a ledger, at most so many rows of each kind in a call. `version` is the version of the rules that
    /// stands in the events.
    #[must_use]
    pub fn new(
        ledger: Arc<dyn Ledger>,
        retention: Retention,
        at_most: usize,
        version: &'static str,
    ) -> Self {
        Self {
            ledger,
            retention,
            at_most: at_most.max(1),
            version,
        }
    }

    /// Does a part of what is due by now.
    ///
    /// # Errors
    /// [`LedgerError`] when the ledger fails; what was done by then is done, and the rest stays due.
    pub fn tick(&self, now: Timestamp) -> Result<UpkeepReport, LedgerError> {
        let mut report = UpkeepReport::default();
        for act in PARTS {
            let part = Part {
                now,
                retention: self.retention,
                limit: self.at_most,
            };
            // Each part is a transaction of its own, so that others can write between them.
            let ((told, used), _) =
                self.ledger
                    .write(service_act(now, self.version), move |writer| {
                        let mut told = report;
                        let used = act(writer, &part, &mut told)?;
                        let fate = if used == 0 { Fate::Discard } else { Fate::Keep };
                        Ok((fate, (told, used)))
                    })?;
            report = told;
            report.more |= usize::try_from(used).is_ok_and(|used| used >= self.at_most);
        }
        Ok(report)
    }
}

/// Lets go of evidence that no memory rests on, where the policy of its container has an end for it.
fn let_go_of_evidence(writer: &mut dyn Writer, part: &Part) -> Result<u64, LedgerError> {
    const PAGE: usize = 256;
    let mut left = part.limit;
    let mut after = None;
    while left > 0 {
        let page = Page { after, limit: PAGE };
        let containers = writer.containers(page)?;
        for container in &containers {
            let Some(days) = container.policy.evidence_kept_days else {
                continue;
            };
            let before = days_before(part.now, days);
            let idle = writer.idle_evidence(&container.tag, before, Page::first(left))?;
            for id in &idle {
                writer.let_go_of_evidence(*id)?;
            }
            left = left.saturating_sub(idle.len());
        }
        match containers.last() {
            Some(last) if containers.len() == PAGE => after = Some(last.tag.clone()),
            Some(_) | None => break,
        }
    }
    Ok((part.limit - left) as u64)
}
