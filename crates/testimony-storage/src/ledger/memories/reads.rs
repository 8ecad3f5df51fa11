//! What can be asked of memories.

use rusqlite::params;
use testimony_domain::{
    ContainerTag, CustomId, Entity, EntityId, Fact, FactId, Memory, MemoryId, Owner, Plane,
    SlotKey, State, Support, Timestamp,
};
use testimony_service::ports::ledger::audit::{Digest, Reads as _, Seq};
use testimony_service::ports::ledger::memories::{HistoryLine, Link, MemoryFilter, Reads, RunOut};
use testimony_service::ports::ledger::{LedgerError, Page};

use super::{by_ids, entities, folded, listing};
use crate::ledger::query;
use crate::ledger::rows::evidence::{OwnerCols, support};
use crate::ledger::rows::memory::{fact, history_line, link, memory, memory_columns};
use crate::ledger::rows::{Id, count, id_column, micros, seq};
use crate::ledger::tx::{Source, Tx};

pub(super) const REVISIONS: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM memories WHERE fact = ? ORDER BY revision"
);
pub(super) const WITH_CUSTOM_ID: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM memories WHERE container = ? AND custom_id = ? AND owner_agent IS ? AND owner_key IS ? ORDER BY ord DESC"
);
pub(super) const IN_SLOT: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM memories WHERE container = ? AND slot_subject = ? AND slot_attribute = ? AND slot_scope = ? \
     AND state IN ('active', 'pending') ORDER BY ord"
);
pub(super) const IN_WORDS: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM memories WHERE container = ? AND words = ? AND state IN ('active', 'pending') ORDER BY ord"
);
pub(super) const CHANGED: &str = concat!(
    "SELECT changed, ",
    memory_columns!(),
    " FROM memories WHERE changed > ? ORDER BY changed LIMIT ?"
);
pub(super) const UNCHANGED: &str = "SELECT id FROM memories WHERE id = ? AND changed <= ?";
pub(super) const HISTORY: &str = "SELECT h.seq, e.at, e.actor, h.event, h.state, h.approved, h.review, h.contested, h.origins, \
     h.reasons, h.valid_from, h.valid_until, h.expires_at, CASE e.action WHEN 'taken_in' THEN e.decision END \
     FROM history h JOIN events e ON e.seq = h.seq WHERE h.memory = ? ORDER BY h.seq";
pub(super) const RUN_OUT: &str = concat!(
    "SELECT min(ends.due), ",
    memory_columns!(),
    " FROM (",
    // At its own end.
    "SELECT * FROM (SELECT expires_at AS due, ord FROM memories WHERE expires_at IS NOT NULL \
     AND state IN ('active', 'pending') AND expires_at <= ?1 ORDER BY expires_at, ord LIMIT ?2) UNION ALL ",
    // At the end of what it says.
    "SELECT * FROM (SELECT valid_until AS due, ord FROM memories WHERE valid_until IS NOT NULL \
     AND state IN ('active', 'pending') AND valid_until <= ?1 ORDER BY valid_until, ord LIMIT ?2) UNION ALL ",
    // By its container's policy, counted from when something last happened to it.
    "SELECT * FROM (SELECT coalesce((SELECT e.at FROM history h JOIN events e ON e.seq = h.seq \
     WHERE h.memory = m.id AND h.event IS NOT NULL ORDER BY h.seq DESC LIMIT 1), m.created_at) \
     + c.pending_expires_after_hours * 3600000000 AS due, m.ord FROM containers c CROSS JOIN memories m \
     WHERE m.container = c.tag AND m.state = 'pending' \
     AND m.created_at <= ?1 - c.pending_expires_after_hours * 3600000000 \
     AND due <= ?1 ORDER BY due, m.ord LIMIT ?2)",
    ") AS ends JOIN memories ON memories.ord = ends.ord GROUP BY ends.ord ORDER BY min(ends.due), ends.ord LIMIT ?2"
);
pub(super) const SUPPORTS: &str = "SELECT memory, evidence, polarity, origin_key, origin_agent, origin_run, origin_source, origin_class, \
     origin_echo FROM supports WHERE memory = ? ORDER BY ord";
pub(super) const LINKS: &str =
    "SELECT source, relation, target FROM links WHERE source = ?1 OR target = ?1 ORDER BY ord";
pub(super) const ENTITY: &str = "SELECT e.id, e.name, e.aliases FROM entity_names n JOIN entities e ON e.id = n.entity \
     WHERE n.container = ? AND n.folded = ?";
pub(super) const CENSUS: &str =
    "SELECT state, count(*) FROM memories WHERE container = ? GROUP BY state";
pub(super) const PLANES: &str =
    "SELECT plane, state, count(*) FROM memories WHERE container = ? GROUP BY plane, state";

impl<S: Source> Reads for Tx<S> {
    fn memories(&self, ids: &[MemoryId]) -> Result<Vec<Memory>, LedgerError> {
        by_ids(self.conn(), ids)
    }

    fn unchanged_since(&self, since: Seq, ids: &[MemoryId]) -> Result<Vec<MemoryId>, LedgerError> {
        let bound = ids.iter().map(|id| (id.bytes(), seq(since)));
        query::one_each(self.conn(), "memories", UNCHANGED, bound, id_column)
    }

    fn fact(&self, id: FactId) -> Result<Option<Fact>, LedgerError> {
        const SQL: &str =
            "SELECT id, slot_subject, slot_attribute, slot_scope, current FROM facts WHERE id = ?";
        query::one(self.conn(), "facts", SQL, [id.bytes()], fact)
    }

    fn revisions(&self, fact: FactId) -> Result<Vec<Memory>, LedgerError> {
        query::all(self.conn(), "memories", REVISIONS, [fact.bytes()], memory)
    }

    fn with_custom_id(
        &self,
        container: &ContainerTag,
        owner: &Owner,
        id: &CustomId,
    ) -> Result<Vec<Memory>, LedgerError> {
        let owner = OwnerCols::of(owner);
        let bound = params![container.as_str(), id.as_str(), owner.agent, owner.key];
        query::all(self.conn(), "memories", WITH_CUSTOM_ID, bound, memory)
    }

    fn in_slot(
        &self,
        container: &ContainerTag,
        slot: &SlotKey,
    ) -> Result<Vec<Memory>, LedgerError> {
        let bound = [
            container.as_str(),
            &slot.subject,
            &slot.attribute,
            &slot.scope,
        ];
        query::all(self.conn(), "memories", IN_SLOT, bound, memory)
    }

    fn in_the_same_words(
        &self,
        container: &ContainerTag,
        words: Digest,
    ) -> Result<Vec<Memory>, LedgerError> {
        let bound = params![container.as_str(), words.0];
        query::all(self.conn(), "memories", IN_WORDS, bound, memory)
    }

    fn list(
        &self,
        filter: &MemoryFilter,
        page: Page<MemoryId>,
    ) -> Result<Vec<Memory>, LedgerError> {
        listing::list(self.conn(), filter, page)
    }

    fn changed_since(&self, page: Page<Seq>) -> Result<(Vec<Memory>, Seq), LedgerError> {
        let after = page.after.unwrap_or_default();
        let bound = [seq(after), count(page.limit)];
        let found = query::all(self.conn(), "memories", CHANGED, bound, |c| {
            Ok((c.seq()?, memory(c)?))
        })?;
        let full_page = found.len() >= page.limit;
        let last = found.last().map(|(seq, _)| *seq).filter(|_| full_page);
        let reached = match last {
            Some(seq) => seq,
            None if page.limit == 0 => after,
            // Everything behind was looked at, so what comes next comes behind the head.
            None => self.chain_head()?.seq.max(after),
        };
        Ok((
            found.into_iter().map(|(_, memory)| memory).collect(),
            reached,
        ))
    }

    fn history(&self, id: MemoryId) -> Result<Vec<HistoryLine>, LedgerError> {
        query::all(self.conn(), "history", HISTORY, [id.bytes()], history_line)
    }

    fn run_out(&self, now: Timestamp, limit: usize) -> Result<Vec<RunOut>, LedgerError> {
        let bound = [micros(now), count(limit)];
        query::all(self.conn(), "memories", RUN_OUT, bound, |c| {
            let at = c.time()?;
            memory(c).map(|memory| RunOut { memory, at })
        })
    }

    fn supports(&self, memory: MemoryId) -> Result<Vec<Support>, LedgerError> {
        query::all(self.conn(), "supports", SUPPORTS, [memory.bytes()], support)
    }

    fn links(&self, memory: MemoryId) -> Result<Vec<Link>, LedgerError> {
        query::all(self.conn(), "links", LINKS, [memory.bytes()], link)
    }

    fn entity(&self, container: &ContainerTag, name: &str) -> Result<Option<Entity>, LedgerError> {
        let bound = [container.as_str(), &folded(name)];
        query::one(
            self.conn(),
            "entities",
            ENTITY,
            bound,
            crate::ledger::rows::memory::entity,
        )
    }

    fn speaking_of(
        &self,
        entity: EntityId,
        page: Page<MemoryId>,
    ) -> Result<Vec<MemoryId>, LedgerError> {
        entities::speaking_of(self.conn(), entity, page)
    }

    fn census(&self, container: &ContainerTag) -> Result<Vec<(State, u64)>, LedgerError> {
        let mut found = query::all(self.conn(), "memories", CENSUS, [container.as_str()], |c| {
            Ok((c.word(State::parse)?, c.count()?))
        })?;
        found.sort_unstable();
        Ok(found)
    }

    fn census_by_plane(
        &self,
        container: &ContainerTag,
    ) -> Result<Vec<(Plane, State, u64)>, LedgerError> {
        let bound = [container.as_str()];
        let mut found = query::all(self.conn(), "memories", PLANES, bound, |c| {
            Ok((c.word(Plane::parse)?, c.word(State::parse)?, c.count()?))
        })?;
        found.sort_unstable();
        Ok(found)
    }
}
