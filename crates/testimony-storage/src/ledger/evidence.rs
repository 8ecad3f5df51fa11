//! Evidence: kept once, and let go of by retention or erasure alone.

use rusqlite::params;
use testimony_domain::{ContainerTag, EvidenceId, KeyId, MemoryId, Timestamp};
use testimony_service::ports::ledger::audit::{Action, ObjectRef};
use testimony_service::ports::ledger::evidence::{Kept, Reads, Writes};
use testimony_service::ports::ledger::{LedgerError, Page};

use super::query::{self, failed_insert};
use super::rows::evidence::{evidence_columns, insert, kept};
use super::rows::{Id, count, id_column, micros};
use super::trail::Line;
use super::tx::{Desk, Source, Tx};

pub(crate) const RESTING_ON: &str = "SELECT memory FROM rests WHERE evidence = ?1 \
     UNION SELECT memory FROM supports WHERE evidence = ?1";
pub(crate) const HANDED_IN: &str =
    "SELECT count(*) FROM evidence WHERE origin_key = ?1 AND recorded_at >= ?2";
pub(crate) const IDLE: &str = "SELECT id FROM evidence AS e WHERE container = ?1 AND recorded_at < ?2 \
     AND (?3 IS NULL OR (recorded_at, ord) > (SELECT recorded_at, ord FROM evidence WHERE id = ?3)) \
     AND NOT EXISTS (SELECT 1 FROM rests r WHERE r.evidence = e.id) \
     AND NOT EXISTS (SELECT 1 FROM supports s WHERE s.evidence = e.id) ORDER BY recorded_at, ord LIMIT ?4";

impl<S: Source> Reads for Tx<S> {
    fn evidence(&self, ids: &[EvidenceId]) -> Result<Vec<Kept>, LedgerError> {
        const SQL: &str = concat!(
            "SELECT ",
            evidence_columns!(),
            " FROM evidence WHERE id = ?"
        );
        let found = ids
            .iter()
            .map(|id| query::one(self.conn(), "evidence", SQL, [id.bytes()], kept));
        found.filter_map(Result::transpose).collect()
    }

    fn idle_evidence(
        &self,
        container: &ContainerTag,
        before: Timestamp,
        page: Page<EvidenceId>,
    ) -> Result<Vec<EvidenceId>, LedgerError> {
        let bound = params![
            container.as_str(),
            micros(before),
            page.after.map(Id::bytes),
            count(page.limit)
        ];
        query::all(self.conn(), "evidence", IDLE, bound, id_column)
    }

    fn handed_in(&self, key: KeyId, since: Timestamp) -> Result<u64, LedgerError> {
        let bound = params![key.bytes(), micros(since)];
        let counted = query::number(self.conn(), HANDED_IN, bound)?;
        Ok(counted.unsigned_abs())
    }

    fn resting_on(&self, evidence: EvidenceId) -> Result<Vec<MemoryId>, LedgerError> {
        query::all(
            self.conn(),
            "rests",
            RESTING_ON,
            params![evidence.bytes()],
            id_column,
        )
    }
}

impl Writes for Desk<'_> {
    fn keep_evidence(&mut self, kept: &Kept) -> Result<(), LedgerError> {
        self.whole(|desk| {
            let evidence = &kept.evidence;
            let container = evidence.partition.container();
            desk.must_have_container(container)?;
            let object = ObjectRef::Evidence(evidence.id);
            insert(desk.conn(), kept).map_err(failed_insert(object.clone()))?;
            let line = Line::of(Action::EvidenceKept, &object).within(container);
            desk.record(line.because(&kept.reasons)).map(drop)
        })
    }

    fn let_go_of_evidence(&mut self, id: EvidenceId) -> Result<(), LedgerError> {
        self.whole(|desk| {
            const FIND: &str = "SELECT container FROM evidence WHERE id = ?";
            let object = ObjectRef::Evidence(id);
            let container = query::one(desk.conn(), "evidence", FIND, [id.bytes()], |c| {
                c.word(ContainerTag::new)
            })?;
            let Some(container) = container else {
                return Err(LedgerError::Missing { object });
            };
            if !desk.resting_on(id)?.is_empty() {
                return Err(LedgerError::Changed { object });
            }
            query::run(
                desk.conn(),
                "DELETE FROM evidence WHERE id = ?",
                [id.bytes()],
            )?;
            let line = Line::of(Action::EvidenceRemoved, &object).within(&container);
            desk.record(line.decided(Some("retention"))).map(drop)
        })
    }
}
