//! Evidence, origins, supports, and the partition that evidence shares with memories.

use rusqlite::{Connection, ToSql, params};
use testimony_domain::{
    AgentId, AppId, ContainerTag, Evidence, KeyId, Labels, MemoryScope, OrgId, Origin, Owner,
    Partition, Plane, Polarity, Reason, Redacted, RunId, SourceClass, SourceLabel, SourceRef,
    Support, UserId,
};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::evidence::Kept;

use super::memory::reasons;
use super::{Cols, Id, micros};

/// The columns of a piece of evidence, in the order in which [`kept`] reads them.
macro_rules! evidence_columns {
    () => {
        "id, container, plane, scope, owner_agent, owner_key, label_user, label_app, label_org, label_run, origin_key, \
         origin_agent, origin_run, origin_source, origin_class, origin_echo, label, text, observed_at, recorded_at, \
         reasons, metadata"
    };
}
pub(crate) use evidence_columns;

/// An owner in its two columns, of which exactly one is filled.
pub(crate) struct OwnerCols<'a> {
    pub(crate) agent: Option<&'a str>,
    pub(crate) key: Option<[u8; 16]>,
}

impl<'a> OwnerCols<'a> {
    pub(crate) fn of(owner: &'a Owner) -> Self {
        match owner {
            Owner::Agent(agent) => Self {
                agent: Some(agent.as_str()),
                key: None,
            },
            Owner::Key(key) => Self {
                agent: None,
                key: Some(key.bytes()),
            },
        }
    }
}

/// A partition in its nine columns.
pub(crate) struct PlaceCols<'a> {
    container: &'a str,
    plane: &'static str,
    scope: &'static str,
    owner: OwnerCols<'a>,
    labels: LabelCols<'a>,
}

impl<'a> PlaceCols<'a> {
    pub(crate) fn of(partition: &'a Partition) -> Self {
        Self {
            container: partition.container().as_str(),
            plane: partition.plane().as_str(),
            scope: partition.scope().as_str(),
            owner: OwnerCols::of(partition.owner()),
            labels: LabelCols::of(partition.labels()),
        }
    }

    pub(crate) fn bound(&self) -> [&dyn ToSql; 9] {
        [
            &self.container,
            &self.plane,
            &self.scope,
            &self.owner.agent,
            &self.owner.key,
            &self.labels.user,
            &self.labels.app,
            &self.labels.org,
            &self.labels.run,
        ]
    }
}

/// Labels in their four columns.
pub(crate) struct LabelCols<'a> {
    pub(crate) user: Option<&'a str>,
    pub(crate) app: Option<&'a str>,
    pub(crate) org: Option<&'a str>,
    pub(crate) run: Option<&'a str>,
}

impl<'a> LabelCols<'a> {
    pub(crate) fn of(labels: &'a Labels) -> Self {
        Self {
            user: labels.user.as_ref().map(UserId::as_str),
            app: labels.app.as_ref().map(AppId::as_str),
            org: labels.org.as_ref().map(OrgId::as_str),
            run: labels.run.as_ref().map(RunId::as_str),
        }
    }
}

pub(crate) fn partition(c: &mut Cols<'_, '_>) -> Result<Partition, LedgerError> {
    let container = c.word(ContainerTag::new)?;
    let plane = c.word(Plane::parse)?;
    let scope = c.word(MemoryScope::parse)?;
    let agent = c.maybe_word(AgentId::new)?;
    let key = c.maybe_id::<KeyId>()?;
    let owner = match (agent, key) {
        (Some(agent), None) => Owner::Agent(agent),
        (None, Some(key)) => Owner::Key(key),
        (_, _) => return Err(c.damaged("an owner is either an agent or a key")),
    };
    let labels = labels(c)?;
    Ok(Partition::stored(container, plane, scope, owner, labels))
}

/// Labels: `label_user, label_app, label_org, label_run`.
pub(crate) fn labels(c: &mut Cols<'_, '_>) -> Result<Labels, LedgerError> {
    Ok(Labels {
        user: c.maybe_word(UserId::new)?,
        app: c.maybe_word(AppId::new)?,
        org: c.maybe_word(OrgId::new)?,
        run: c.maybe_word(RunId::new)?,
    })
}

fn origin(c: &mut Cols<'_, '_>) -> Result<Origin, LedgerError> {
    Ok(Origin {
        key: c.id()?,
        agent: c.maybe_word(AgentId::new)?,
        run: c.maybe_word(RunId::new)?,
        source: c.maybe_word(SourceRef::new)?,
        class: c.word(SourceClass::parse)?,
        echo: c.flag()?,
    })
}

pub(crate) fn kept(c: &mut Cols<'_, '_>) -> Result<Kept, LedgerError> {
    let evidence = Evidence {
        id: c.id()?,
        partition: partition(c)?,
        origin: origin(c)?,
        label: c.word(SourceLabel::new)?,
        text: Redacted::attest(c.text()?),
        observed_at: c.time()?,
        recorded_at: c.time()?,
    };
    Ok(Kept {
        evidence,
        reasons: c.words(Reason::parse)?,
        metadata: c.maybe_text()?.map(str::to_owned),
    })
}

pub(crate) fn insert(conn: &Connection, kept: &Kept) -> rusqlite::Result<i64> {
    const SQL: &str = concat!(
        "INSERT INTO evidence (",
        evidence_columns!(),
        ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    let evidence = &kept.evidence;
    let place = PlaceCols::of(&evidence.partition);
    let origin = &evidence.origin;
    let id = evidence.id.bytes();
    let says: &[&dyn ToSql] = params![
        origin.key.bytes(),
        origin.agent.as_ref().map(AgentId::as_str),
        origin.run.as_ref().map(RunId::as_str),
        origin.source.as_ref().map(SourceRef::as_str),
        origin.class.as_str(),
        origin.echo,
        evidence.label.as_str(),
        evidence.text.as_str(),
        micros(evidence.observed_at),
        micros(evidence.recorded_at),
        reasons(&kept.reasons),
        kept.metadata,
    ];
    let row = [params![id], &place.bound(), says].concat();
    conn.prepare_cached(SQL)?.insert(&*row)
}

/// A support: `memory, evidence, polarity`, then its origin.
pub(crate) fn support(c: &mut Cols<'_, '_>) -> Result<Support, LedgerError> {
    Ok(Support {
        memory: c.id()?,
        evidence: c.id()?,
        polarity: c.word(Polarity::parse)?,
        origin: origin(c)?,
    })
}

/// Inserts a support, and says whether it was new.
pub(crate) fn insert_support(conn: &Connection, support: &Support) -> rusqlite::Result<bool> {
    const SQL: &str = "INSERT INTO supports (memory, evidence, polarity, origin_key, origin_agent, origin_run, \
                       origin_source, origin_class, origin_echo) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) \
                       ON CONFLICT DO NOTHING";
    let origin = &support.origin;
    let inserted = conn.prepare_cached(SQL)?.execute(params![
        support.memory.bytes(),
        support.evidence.bytes(),
        support.polarity.as_str(),
        origin.key.bytes(),
        origin.agent.as_ref().map(AgentId::as_str),
        origin.run.as_ref().map(RunId::as_str),
        origin.source.as_ref().map(SourceRef::as_str),
        origin.class.as_str(),
        origin.echo,
    ])?;
    Ok(inserted == 1)
}
