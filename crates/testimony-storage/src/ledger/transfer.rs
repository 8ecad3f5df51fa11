//! Rows that go to another ledger, and rows that come from one.

use rusqlite::params;
use testimony_domain::{
    ContainerTag, CustomId, Entity, EvidenceId, Fact, Memory, MemoryId, UserId,
};
use testimony_service::ports::ledger::audit::{Action, ObjectRef, Seq};
use testimony_service::ports::ledger::evidence::Kept;
use testimony_service::ports::ledger::memories::HistoryLine;
use testimony_service::ports::ledger::reviews::ReviewCase;
use testimony_service::ports::ledger::transfer::{Reads, Writes};
use testimony_service::ports::ledger::{LedgerError, Page};

use super::memories::{place_of, told};
use super::query::{self, failed_insert};
use super::rows::evidence::{evidence_columns, kept};
use super::rows::memory::{entity, insert_history, memory, memory_columns};
use super::rows::{Id, count, review};
use super::trail::Line;
use super::tx::{Desk, Source, Tx};

pub(crate) const EVIDENCE_OF: &str = concat!(
    "SELECT ",
    evidence_columns!(),
    " FROM evidence WHERE container = ?1 AND erased = 0 AND (?2 IS NULL OR label_user = ?2) \
     AND ord > coalesce((SELECT ord FROM evidence WHERE id = ?3), 0) ORDER BY ord LIMIT ?4"
);
pub(crate) const SPOKEN_OF: &str = "SELECT e.id, e.name, e.aliases FROM memories m \
     JOIN mentions s ON s.memory = m.ord JOIN entities e ON e.id = s.entity WHERE m.id = ? ORDER BY e.id";

pub(crate) const KNOWN_AS: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM memories WHERE container = ? AND custom_id = ? ORDER BY ord DESC"
);

impl<S: Source> Reads for Tx<S> {
    fn evidence_of(
        &self,
        container: &ContainerTag,
        user: Option<&UserId>,
        page: Page<EvidenceId>,
    ) -> Result<Vec<Kept>, LedgerError> {
        let bound = params![
            container.as_str(),
            user.map(UserId::as_str),
            page.after.map(Id::bytes),
            count(page.limit)
        ];
        query::all(self.conn(), "evidence", EVIDENCE_OF, bound, kept)
    }

    fn living_evidence(&self, ids: &[EvidenceId]) -> Result<Vec<EvidenceId>, LedgerError> {
        const SQL: &str = "SELECT 1 FROM evidence WHERE id = ? AND erased = 0";
        let mut living = Vec::with_capacity(ids.len());
        for id in ids {
            if query::exists(self.conn(), SQL, [id.bytes()])? {
                living.push(*id);
            }
        }
        Ok(living)
    }

    fn spoken_of(&self, memory: MemoryId) -> Result<Vec<Entity>, LedgerError> {
        query::all(self.conn(), "entities", SPOKEN_OF, [memory.bytes()], entity)
    }

    fn known_as(
        &self,
        container: &ContainerTag,
        id: &CustomId,
    ) -> Result<Vec<Memory>, LedgerError> {
        let bound = [container.as_str(), id.as_str()];
        query::all(self.conn(), "memories", KNOWN_AS, bound, memory)
    }
}

impl Writes for Desk<'_> {
    fn take_in_memory(
        &mut self,
        memory: &Memory,
        history: &[HistoryLine],
    ) -> Result<(), LedgerError> {
        self.whole(|desk| {
            let place = place_of(desk, memory)?;
            let at = history.iter().map(|line| record(desk, memory, line));
            let at = at.collect::<Result<Vec<Seq>, _>>()?;
            let object = ObjectRef::Memory(memory.id);
            let last = *at.last().ok_or(LedgerError::Missing { object })?;
            place.take(desk, last)?;
            for (line, seq) in history.iter().zip(at) {
                let id = memory.id.bytes();
                insert_history(desk.conn(), id, seq, line.event, &line.condition)?;
            }
            Ok(())
        })
    }

    fn take_in_fact(&mut self, fact: &Fact) -> Result<(), LedgerError> {
        const SQL: &str = "UPDATE facts SET slot_subject = ?2, slot_attribute = ?3, slot_scope = ?4, current = ?5 \
                           WHERE id = ?1 AND EXISTS (SELECT 1 FROM memories WHERE id = ?5 AND fact = ?1)";
        self.whole(|desk| {
            let slot = fact.slot.as_ref();
            let bound = params![
                fact.id.bytes(),
                slot.map(|slot| &slot.subject),
                slot.map(|slot| &slot.attribute),
                slot.map(|slot| &slot.scope),
                fact.current.bytes(),
            ];
            let object = ObjectRef::Fact(fact.id);
            if query::run(desk.conn(), SQL, bound)? == 0 {
                return Err(LedgerError::Missing { object });
            }
            let container = desk.container_of_memory(fact.current)?;
            let line = Line::of(Action::TakenIn, &object).within(&container);
            desk.record(line.decided(Some(&fact.current.to_string())))
                .map(drop)
        })
    }

    fn take_in_case(&mut self, case: &ReviewCase) -> Result<(), LedgerError> {
        self.whole(|desk| {
            if desk.container_of_living(case.memory)? != case.container {
                let object = ObjectRef::Memory(case.memory);
                return Err(LedgerError::Missing { object });
            }
            let object = ObjectRef::Case(case.id);
            review::insert(desk.conn(), case).map_err(failed_insert(object.clone()))?;
            let line = Line::of(Action::TakenIn, &object).within(&case.container);
            desk.record(line.decided(Some(case.kind.as_str())))
                .map(drop)
        })
    }
}

/// Says in the trail what happened elsewhere, when and by whom.
fn record(desk: &mut Desk<'_>, memory: &Memory, line: &HistoryLine) -> Result<Seq, LedgerError> {
    let object = ObjectRef::Memory(memory.id);
    let said = Line::of(Action::TakenIn, &object).within(memory.partition.container());
    let decided = told(line.at, line.by);
    desk.record(
        said.decided(Some(&decided))
            .because(&line.condition.reasons),
    )
}
