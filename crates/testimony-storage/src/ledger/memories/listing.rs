//! Memories by filter: each wish of a filter is one condition, and an absent one is none.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use testimony_domain::{Memory, MemoryId};
use testimony_service::ports::ledger::memories::MemoryFilter;
use testimony_service::ports::ledger::{LedgerError, Page};

use crate::ledger::query;
use crate::ledger::rows::evidence::OwnerCols;
use crate::ledger::rows::memory::{memory, memory_columns};
use crate::ledger::rows::{Id, count, maybe_micros};

/// Conditions with what is bound to them.
pub(crate) struct Conditions {
    pub(crate) sql: String,
    pub(crate) bound: Vec<Value>,
}

impl Conditions {
    pub(crate) fn of(filter: &MemoryFilter) -> Self {
        let mut conditions = Self {
            sql: "TRUE".to_owned(),
            bound: Vec::new(),
        };
        let text = |value: &str| Value::from(value.to_owned());
        let container = filter.container.as_ref().map(|tag| text(tag.as_str()));
        conditions.add("container = ?", container.clone());
        conditions.add_states(filter);
        if let Some(owner) = filter.owner.as_ref().map(OwnerCols::of) {
            conditions.add("owner_agent = ?", owner.agent.map(text));
            conditions.add(
                "owner_key = ?",
                owner.key.map(|key| Value::from(key.to_vec())),
            );
        }
        conditions.add("plane = ?", filter.plane.map(|plane| text(plane.as_str())));
        conditions.add("kind = ?", filter.kind.map(|kind| text(kind.as_str())));
        conditions.add(
            "label_user = ?",
            filter.user.as_ref().map(|user| text(user.as_str())),
        );
        conditions.add(
            "source = ?",
            filter.source.as_ref().map(|source| text(source.as_str())),
        );
        conditions.add_tag(filter);
        conditions.add(
            "created_at >= ?",
            maybe_micros(filter.created_after).map(Into::into),
        );
        conditions.add(
            "created_at < ?",
            maybe_micros(filter.created_before).map(Into::into),
        );
        conditions
    }

    pub(crate) fn add(&mut self, condition: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.sql.push_str(" AND ");
            self.sql.push_str(condition);
            self.bound.push(value);
        }
    }

    fn add_states(&mut self, filter: &MemoryFilter) {
        let mut states = filter.states.iter();
        if let Some(first) = states.next() {
            self.add("state IN (?", Some(first.as_str().to_owned().into()));
            for state in states {
                self.sql.push_str(", ?");
                self.bound.push(state.as_str().to_owned().into());
            }
            self.sql.push(')');
        }
    }

    fn add_tag(&mut self, filter: &MemoryFilter) {
        let tag = filter.tag.as_ref().map(|tag| tag.as_str().to_owned());
        self.add(
            "EXISTS (SELECT 1 FROM memory_tags t WHERE t.container = memories.container AND t.tag = ? \
             AND t.memory = memories.ord)",
            tag.map(Into::into),
        );
    }
}

/// The statement by which a list is read, with what is bound to it.
pub(crate) fn statement(filter: &MemoryFilter, page: Page<MemoryId>) -> Conditions {
    let mut conditions = Conditions::of(filter);
    let after = page.after.map(|id| Value::from(id.bytes().to_vec()));
    conditions.add("ord > (SELECT ord FROM memories WHERE id = ?)", after);
    conditions.sql = format!(
        "SELECT {} FROM memories WHERE {} ORDER BY ord LIMIT {}",
        memory_columns!(),
        conditions.sql,
        count(page.limit)
    );
    conditions
}

pub(super) fn list(
    conn: &Connection,
    filter: &MemoryFilter,
    page: Page<MemoryId>,
) -> Result<Vec<Memory>, LedgerError> {
    let Conditions { sql, bound } = statement(filter, page);
    query::all(conn, "memories", &sql, params_from_iter(bound), memory)
}
