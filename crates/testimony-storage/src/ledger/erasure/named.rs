//! By what was erased, as the erasure list remembers it: a digest, by which a name is known again and cannot be read.
//!
//! It is made under a key that the ledger holds and the list does not, so that nobody who has the list alone can try
//! names on it. The service's own secret would not do: it is in no backup, and a backup has to know the names again.
//!
//! A backup may hold rows of that name which the ledger had let go of before the erasure, so that no id of them stands
//! in the list.

use hmac::{Hmac, Mac as _};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use testimony_domain::{AgentId, ContainerTag, SourceLabel, UserId, words};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::audit::Seq;
use testimony_service::ports::ledger::erasure::Target;

use crate::ledger::query;
use crate::ledger::rows::{digest_column, seq};

words! {
    /// By what rows of a container are named.
    pub(crate) enum NamedBy {
        /// By a person.
        User = "user",
        /// By an agent.
        Agent = "agent",
        /// By a source.
        Source = "source",
        /// By their container.
        Container = "container",
    }
}

/// By what was erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Named {
    /// The hash of the ledger's first event: in another ledger the same names are other people's.
    ledger: String,
    container: String,
    by: String,
    digest: String,
    /// The event whose hash is the key. Lines of before have none, nor have those of a ledger in which no key was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    under: Option<u64>,
}

/// Where names of each kind stand.
#[rustfmt::skip]
const NAMES: &[(NamedBy, &str)] = &[
    (NamedBy::User, "SELECT label_user FROM evidence WHERE container = ?1 AND label_user IS NOT NULL \
                     UNION SELECT label_user FROM memories WHERE container = ?1 AND label_user IS NOT NULL"),
    (NamedBy::Agent, "SELECT owner_agent FROM evidence WHERE container = ?1 AND owner_agent IS NOT NULL \
                      UNION SELECT origin_agent FROM evidence WHERE container = ?1 AND origin_agent IS NOT NULL \
                      UNION SELECT owner_agent FROM memories WHERE container = ?1 AND owner_agent IS NOT NULL"),
    (NamedBy::Source, "SELECT label FROM evidence WHERE container = ?1 UNION SELECT source FROM memories WHERE container = ?1"),
    (NamedBy::Container, "SELECT tag FROM containers WHERE tag = ?1"),
];

impl Named {
    pub(super) fn of(conn: &Connection, target: &Target) -> Result<Option<Self>, LedgerError> {
        let (container, by, name) = match target {
            Target::User(container, user) => (container, NamedBy::User, user.as_str()),
            Target::Agent(container, agent) => (container, NamedBy::Agent, agent.as_str()),
            Target::Source(container, source) => (container, NamedBy::Source, source.as_str()),
            Target::Container(container) => (container, NamedBy::Container, container.as_str()),
            Target::Memory(_) | Target::Fact(_) | Target::Filter(_) => return Ok(None),
        };
        let key = key(conn)?;
        let under = key.as_ref().map(|(seq, _)| *seq);
        let key = key.map(|(_, hash)| hash);
        Ok(Some(Self {
            ledger: ledger(conn)?,
            container: container.to_string(),
            by: by.to_string(),
            digest: digest(key, container.as_str(), by, name),
            under,
        }))
    }

    /// The target that this stands for, where a row of that name is there.
    pub(super) fn find(&self, conn: &Connection) -> Result<Option<Target>, LedgerError> {
        let known = NAMES.iter().find(|(by, _)| by.as_str() == self.by);
        let (Some((by, sql)), Ok(container)) =
            (known, ContainerTag::new("container", &self.container))
        else {
            return Ok(None);
        };
        if self.ledger != ledger(conn)? {
            return Ok(None);
        }
        let key = self.under.map(|seq| own(conn, seq)).transpose()?;
        if key == Some(None) {
            return Ok(None);
        }
        let key = key.flatten();
        let names = query::all(conn, "evidence", sql, [&self.container], |c| {
            c.text().map(str::to_owned)
        })?;
        let name = names
            .into_iter()
            .find(|name| digest(key, &self.container, *by, name) == self.digest);
        Ok(name.and_then(|name| target(*by, container, &name)))
    }
}

/// What tells a ledger from every other: the hash of its first event.
fn ledger(conn: &Connection) -> Result<String, LedgerError> {
    const SQL: &str = "SELECT own FROM events WHERE seq = 1";
    let first = query::one(conn, "events", SQL, [], digest_column)?;
    Ok(first.map(|first| first.to_string()).unwrap_or_default())
}

/// The event whose hash keys the digests: the first that made a key, since its id is random and no list holds it. The
/// hash of the very first event stands in every line.
fn key(conn: &Connection) -> Result<Option<(u64, [u8; 32])>, LedgerError> {
    const SQL: &str =
        "SELECT seq, own FROM events WHERE seq > 1 AND action = 'key.made' ORDER BY seq LIMIT 1";
    query::one(conn, "events", SQL, [], |c| Ok((c.seq()?.0, c.digest()?.0)))
}

fn own(conn: &Connection, at: u64) -> Result<Option<[u8; 32]>, LedgerError> {
    const SQL: &str = "SELECT own FROM events WHERE seq = ?";
    let found = query::one(conn, "events", SQL, [seq(Seq(at))], digest_column)?;
    Ok(found.map(|found| found.0))
}

fn target(by: NamedBy, container: ContainerTag, name: &str) -> Option<Target> {
    match by {
        NamedBy::User => UserId::new("user_id", name)
            .ok()
            .map(|user| Target::User(container, user)),
        NamedBy::Agent => AgentId::new("agent_id", name)
            .ok()
            .map(|agent| Target::Agent(container, agent)),
        NamedBy::Source => SourceLabel::new("source", name)
            .ok()
            .map(|source| Target::Source(container, source)),
        NamedBy::Container => Some(Target::Container(container)),
    }
}

fn digest(key: Option<[u8; 32]>, container: &str, by: NamedBy, name: &str) -> String {
    let mut said = Vec::new();
    for part in [container, by.as_str(), name] {
        said.extend((part.len() as u64).to_le_bytes());
        said.extend(part.as_bytes());
    }
    let Some(key) = key else {
        return super::list::hex(&Sha256::digest(&said));
    };
    let mut block = [0; 64];
    block.iter_mut().zip(key).for_each(|(to, from)| *to = from);
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new(&block.into());
    mac.update(&said);
    super::list::hex(&mac.finalize().into_bytes())
}
