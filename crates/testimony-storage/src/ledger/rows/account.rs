//! Keys, connector tokens, people and sessions.

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, ContainerGrant, ContainerTag, Principal,
    PrincipalKind, SourceApp, SourceClass,
};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::accounts::{
    Allowance, KeyRecord, Person, Role, SecretHash, Session,
};
use testimony_service::ports::ledger::connectors::ConnectorToken;

use super::event::made;
use super::evidence::{LabelCols, labels};
use super::{Cols, Id, maybe_micros, micros, words};

/// The columns of a key, in the order in which [`key`] reads them.
macro_rules! key_columns {
    () => {
        "id, kind, containers, capabilities, source_app, agent, agent_scope, class, ceiling, label_user, label_app, \
         label_org, label_run, expires_at, name, made_at, made_by, revoked_at, requests_per_minute, \
         items_per_day, gateway_memory"
    };
}
pub(crate) use key_columns;

/// Which containers a key reaches, as it is kept.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum GrantColumn {
    All,
    Prefix(String),
    Listed(Vec<String>),
}

impl GrantColumn {
    fn of(grant: &ContainerGrant) -> Self {
        match grant {
            ContainerGrant::All => Self::All,
            ContainerGrant::Prefix(prefix) => Self::Prefix(prefix.clone()),
            ContainerGrant::Listed(tags) => {
                Self::Listed(tags.iter().map(ToString::to_string).collect())
            }
        }
    }

    fn read(self, c: &Cols<'_, '_>) -> Result<ContainerGrant, LedgerError> {
        match self {
            Self::All => Ok(ContainerGrant::All),
            Self::Prefix(prefix) => Ok(ContainerGrant::Prefix(prefix)),
            Self::Listed(tags) => {
                let tags = tags.iter().map(|tag| ContainerTag::new("containers", tag));
                let tags: Result<_, _> = tags.collect();
                tags.map(ContainerGrant::Listed)
                    .map_err(|error| c.damaged(error.problem))
            }
        }
    }
}

/// A key without its secrets, which lie in a table of their own.
pub(crate) fn key(c: &mut Cols<'_, '_>) -> Result<KeyRecord, LedgerError> {
    let id = c.id()?;
    let kind = c.word(PrincipalKind::parse)?;
    let containers = c.json::<GrantColumn>()?.read(c)?;
    let capabilities = Capabilities::of(c.words(Capability::parse)?);
    let principal = Principal {
        key: id,
        kind,
        containers,
        capabilities,
        source_app: c.maybe_word(SourceApp::new)?,
        agent: c.maybe_word(AgentId::new)?,
        agent_scope: c.word(AgentScope::parse)?,
        class: c.word(SourceClass::parse)?,
        ceiling: c.word(SourceClass::parse)?,
        labels: labels(c)?,
        expires_at: c.maybe_time()?,
    };
    Ok(KeyRecord {
        principal,
        name: c.text()?.to_owned(),
        secrets: Vec::new(),
        made: made(c)?,
        revoked_at: c.maybe_time()?,
        allowance: Allowance {
            requests_per_minute: c.maybe_count()?,
            items_per_day: c.maybe_count()?,
            gateway_memory: c.flag()?,
        },
    })
}

/// A secret of a key: `hash, until`.
pub(crate) fn secret(c: &mut Cols<'_, '_>) -> Result<SecretHash, LedgerError> {
    Ok(SecretHash {
        hash: c.digest()?,
        until: c.maybe_time()?,
    })
}

/// Runs `sql` with the columns of a key bound to `?1` and up, in the order of `key_columns!`.
pub(crate) fn write_key(
    conn: &Connection,
    sql: &str,
    record: &KeyRecord,
) -> rusqlite::Result<usize> {
    let principal = &record.principal;
    let labels = LabelCols::of(&principal.labels);
    let grant = serde_json::to_string(&GrantColumn::of(&principal.containers));
    let grant = grant.map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    conn.prepare_cached(sql)?.execute(params![
        principal.key.bytes(),
        principal.kind.as_str(),
        grant,
        words(principal.capabilities.iter().map(Capability::as_str)),
        principal.source_app.as_ref().map(SourceApp::as_str),
        principal.agent.as_ref().map(AgentId::as_str),
        principal.agent_scope.as_str(),
        principal.class.as_str(),
        principal.ceiling.as_str(),
        labels.user,
        labels.app,
        labels.org,
        labels.run,
        maybe_micros(principal.expires_at),
        record.name,
        micros(record.made.at),
        record.made.by.to_string(),
        maybe_micros(record.revoked_at),
        record.allowance.requests_per_minute,
        record.allowance.items_per_day,
        record.allowance.gateway_memory,
    ])
}

/// A connector token: `connector, token, ends_at, used_at, withdrawn_at`, and the columns of its key.
pub(crate) fn connector(c: &mut Cols<'_, '_>) -> Result<ConnectorToken, LedgerError> {
    Ok(ConnectorToken {
        id: c.id()?,
        token: c.digest()?,
        ends_at: c.time()?,
        used_at: c.maybe_time()?,
        withdrawn_at: c.maybe_time()?,
        key: key(c)?,
    })
}

/// A person: every column of its table.
pub(crate) fn person(c: &mut Cols<'_, '_>) -> Result<Person, LedgerError> {
    Ok(Person {
        id: c.id()?,
        name: c.text()?.to_owned(),
        role: c.word(Role::parse)?,
        password: c.text()?.to_owned(),
        made: made(c)?,
        password_set_at: c.time()?,
        disabled_at: c.maybe_time()?,
    })
}

/// Runs `sql` with the columns of a person bound to `?1` and up.
pub(crate) fn write_person(
    conn: &Connection,
    sql: &str,
    person: &Person,
) -> rusqlite::Result<usize> {
    conn.prepare_cached(sql)?.execute(params![
        person.id.bytes(),
        person.name,
        person.role.as_str(),
        person.password,
        micros(person.made.at),
        person.made.by.to_string(),
        micros(person.password_set_at),
        maybe_micros(person.disabled_at),
    ])
}

/// A session: every column of its table.
pub(crate) fn session(c: &mut Cols<'_, '_>) -> Result<Session, LedgerError> {
    Ok(Session {
        id: c.id()?,
        person: c.id()?,
        token: c.digest()?,
        opened_at: c.time()?,
        expires_at: c.time()?,
    })
}
