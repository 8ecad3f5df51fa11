//! Containers, and what holds in each.

use rusqlite::{Connection, params};
use testimony_domain::ContainerTag;
use testimony_service::ports::embedder::EmbedderIdentity;
use testimony_service::ports::ledger::audit::{Action, ObjectRef};
use testimony_service::ports::ledger::containers::{Container, ContainerPolicy, Reads, Writes};
use testimony_service::ports::ledger::{LedgerError, Page};

use super::embeddings::{enrolled, identity};
use super::query::{self, failed_insert};
use super::rows::event::made;
use super::rows::{Cols, count, micros, words};
use super::trail::Line;
use super::tx::{Desk, Source, Tx};

const SELECT: &str = "SELECT c.tag, c.made_at, c.made_by, c.pending_expires_after_hours, c.evidence_kept_days, \
                      c.exempt_rules, c.allowed_fingerprints, e.name, e.revision, e.dimensions \
                      FROM containers c LEFT JOIN embedders e ON e.ord = c.embedder";

fn container(c: &mut Cols<'_, '_>) -> Result<Container, LedgerError> {
    let tag = c.word(ContainerTag::new)?;
    let made = made(c)?;
    let policy = ContainerPolicy {
        pending_expires_after_hours: c.maybe_count()?,
        evidence_kept_days: c.maybe_count()?,
        exempt_rules: c.json()?,
        allowed_fingerprints: c.json()?,
    };
    let embedder = identity(c)?;
    Ok(Container {
        tag,
        made,
        policy,
        embedder,
    })
}

impl<S: Source> Reads for Tx<S> {
    fn container(&self, tag: &ContainerTag) -> Result<Option<Container>, LedgerError> {
        let sql = format!("{SELECT} WHERE c.tag = ?");
        query::one(self.conn(), "containers", &sql, [tag.as_str()], container)
    }

    fn containers(&self, page: Page<ContainerTag>) -> Result<Vec<Container>, LedgerError> {
        let sql = format!("{SELECT} WHERE c.tag > ? ORDER BY c.tag LIMIT ?");
        let after = page.after.as_ref().map_or("", ContainerTag::as_str);
        let bound = params![after, count(page.limit)];
        query::all(self.conn(), "containers", &sql, bound, container)
    }
}

impl Writes for Desk<'_> {
    fn make_container(&mut self, container: &Container) -> Result<(), LedgerError> {
        self.whole(|desk| {
            const SQL: &str = "INSERT INTO containers VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
            let object = ObjectRef::Container(container.tag.clone());
            if desk.container(&container.tag)?.is_some() {
                return Err(LedgerError::Exists { object });
            }
            let embedder = container.embedder.as_ref();
            let embedder = embedder
                .map(|each| enrolled(desk.conn(), each))
                .transpose()?;
            let policy = &container.policy;
            let bound = params![
                container.tag.as_str(),
                micros(container.made.at),
                container.made.by.to_string(),
                policy.pending_expires_after_hours,
                policy.evidence_kept_days,
                words(policy.exempt_rules.iter().map(String::as_str)),
                words(policy.allowed_fingerprints.iter().map(String::as_str)),
                embedder,
            ];
            let inserted = insert(desk.conn(), SQL, bound);
            inserted.map_err(failed_insert(object.clone()))?;
            let line = Line::of(Action::ContainerMade, &object);
            desk.record(line.within(&container.tag)).map(drop)
        })
    }

    fn set_policy(
        &mut self,
        tag: &ContainerTag,
        policy: &ContainerPolicy,
    ) -> Result<(), LedgerError> {
        const SQL: &str = "UPDATE containers SET pending_expires_after_hours = ?, evidence_kept_days = ?, \
                           exempt_rules = ?, allowed_fingerprints = ? WHERE tag = ?";
        self.whole(|desk| {
            let bound = params![
                policy.pending_expires_after_hours,
                policy.evidence_kept_days,
                words(policy.exempt_rules.iter().map(String::as_str)),
                words(policy.allowed_fingerprints.iter().map(String::as_str)),
                tag.as_str(),
            ];
            let changed = query::run(desk.conn(), SQL, bound)?;
            noted(desk, tag, changed, "policy")
        })
    }

    fn set_embedder(
        &mut self,
        tag: &ContainerTag,
        embedder: &EmbedderIdentity,
    ) -> Result<(), LedgerError> {
        const SQL: &str = "UPDATE containers SET embedder = ? WHERE tag = ?";
        self.whole(|desk| {
            desk.must_have_container(tag)?;
            let embedder = enrolled(desk.conn(), embedder)?;
            let changed = query::run(desk.conn(), SQL, params![embedder, tag.as_str()])?;
            noted(desk, tag, changed, "embedder")
        })
    }
}

fn insert(conn: &Connection, sql: &str, bound: &[&dyn rusqlite::ToSql]) -> rusqlite::Result<usize> {
    conn.prepare_cached(sql)?.execute(bound)
}

fn noted(
    desk: &mut Desk<'_>,
    tag: &ContainerTag,
    changed: usize,
    what: &str,
) -> Result<(), LedgerError> {
    let object = ObjectRef::Container(tag.clone());
    if changed == 0 {
        return Err(LedgerError::Missing { object });
    }
    let line = Line::of(Action::ContainerChanged, &object).within(tag);
    desk.record(line.decided(Some(what))).map(drop)
}
