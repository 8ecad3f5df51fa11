//! Keys, people and sessions.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};
use testimony_domain::{KeyId, PersonId, SessionId, Timestamp};
use testimony_service::ports::ledger::accounts::{
    KeyRecord, Person, Reads, SecretHash, Session, Writes,
};
use testimony_service::ports::ledger::audit::{Action, Actor, Digest, ObjectRef};
use testimony_service::ports::ledger::{LedgerError, Page};

use super::query::{self, failed, failed_insert};
use super::rows::account::{key, key_columns, person, secret, session, write_key, write_person};
use super::rows::{Cols, Id, count, id_column, maybe_micros, micros};
use super::trail::Line;
use super::tx::{Desk, Source, Tx};

pub(crate) const KEY: &str = concat!("SELECT ", key_columns!(), " FROM keys WHERE id = ?");
pub(crate) const SECRETS: &str = "SELECT hash, until FROM key_secrets WHERE key = ? ORDER BY place";
pub(crate) const SESSION: &str = "SELECT * FROM sessions WHERE token = ?";

/// So many events, and so many requests that read, are looked through for the last use of a key: neither is ordered by
/// who it was, and one that does nothing must not cost a look at everything that ever happened.
const LOOKED_THROUGH: usize = 100_000;
const LAST_USE: &str = "SELECT max(at) FROM (\
     SELECT * FROM (SELECT at FROM events WHERE seq > (SELECT max(seq) FROM events) - ?3 AND actor = ?1 \
     ORDER BY seq DESC LIMIT 1) UNION ALL \
     SELECT * FROM (SELECT at FROM read_rows WHERE ord > (SELECT max(ord) FROM read_rows) - ?3 AND key = ?2 \
     ORDER BY ord DESC LIMIT 1))";

/// The same for all keys at once, for lists of them: these many are looked through in one go.
const LOOKED_OVER: usize = 10_000;
const LAST_CHANGES: &str = "SELECT actor, max(at) FROM events WHERE seq > (SELECT max(seq) FROM events) - ? GROUP BY actor";
const LAST_READS: &str = "SELECT key, max(at) FROM read_rows WHERE ord > (SELECT max(ord) FROM read_rows) - ? \
     AND key IS NOT NULL GROUP BY key";

fn changed(c: &mut Cols<'_, '_>) -> Result<(Option<KeyId>, Timestamp), LedgerError> {
    let key = c.text()?.parse().ok();
    Ok((key, c.time()?))
}

fn read(c: &mut Cols<'_, '_>) -> Result<(KeyId, Timestamp), LedgerError> {
    Ok((c.id()?, c.time()?))
}

/// The instant in a row that holds nothing else; of no rows there is none.
fn instant(c: &mut Cols<'_, '_>) -> Result<Option<Timestamp>, LedgerError> {
    c.maybe_time()
}

fn secrets(conn: &Connection, id: KeyId) -> Result<Vec<SecretHash>, LedgerError> {
    query::all(conn, "key_secrets", SECRETS, [id.bytes()], secret)
}

impl<S: Source> Reads for Tx<S> {
    fn key(&self, id: KeyId) -> Result<Option<KeyRecord>, LedgerError> {
        let Some(found) = query::one(self.conn(), "keys", KEY, [id.bytes()], key)? else {
            return Ok(None);
        };
        let secrets = secrets(self.conn(), id)?;
        Ok(Some(KeyRecord { secrets, ..found }))
    }

    fn keys(&self, page: Page<KeyId>) -> Result<Vec<KeyRecord>, LedgerError> {
        const SQL: &str = concat!(
            "SELECT ",
            key_columns!(),
            " FROM keys WHERE ord > coalesce((SELECT ord FROM keys WHERE id = ?1), 0) ORDER BY ord LIMIT ?2"
        );
        let bound = params![page.after.map(Id::bytes), count(page.limit)];
        let mut found = query::all(self.conn(), "keys", SQL, bound, key)?;
        for record in &mut found {
            record.secrets = secrets(self.conn(), record.principal.key)?;
        }
        Ok(found)
    }

    fn person(&self, id: PersonId) -> Result<Option<Person>, LedgerError> {
        const SQL: &str = "SELECT * FROM people WHERE id = ?";
        query::one(self.conn(), "people", SQL, [id.bytes()], person)
    }

    fn person_named(&self, name: &str) -> Result<Option<Person>, LedgerError> {
        const SQL: &str = "SELECT * FROM people WHERE name = ?";
        query::one(self.conn(), "people", SQL, [name], person)
    }

    fn people(&self) -> Result<Vec<Person>, LedgerError> {
        const SQL: &str = "SELECT * FROM people ORDER BY name";
        query::all(self.conn(), "people", SQL, [], person)
    }

    fn last_use(&self, id: KeyId) -> Result<Option<Timestamp>, LedgerError> {
        let actor = Actor::Key(id).to_string();
        let bound = params![actor, id.bytes(), count(LOOKED_THROUGH)];
        let last = query::one(self.conn(), "events", LAST_USE, bound, instant)?;
        Ok(last.flatten())
    }

    fn last_uses(&self) -> Result<Vec<(KeyId, Timestamp)>, LedgerError> {
        let bound = [count(LOOKED_OVER)];
        let changes = query::all(self.conn(), "events", LAST_CHANGES, bound, changed)?;
        let reads = query::all(self.conn(), "read_rows", LAST_READS, bound, read)?;
        let changes = changes.into_iter().filter_map(|(key, at)| Some((key?, at)));
        let mut last: BTreeMap<KeyId, Timestamp> = BTreeMap::new();
        for (key, at) in changes.chain(reads) {
            let known = last.entry(key).or_insert(at);
            *known = at.max(*known);
        }
        Ok(last.into_iter().collect())
    }

    fn session(&self, token: Digest) -> Result<Option<Session>, LedgerError> {
        query::one(self.conn(), "sessions", SESSION, params![token.0], session)
    }
}

impl Writes for Desk<'_> {
    fn make_key(&mut self, key: &KeyRecord) -> Result<(), LedgerError> {
        const SQL: &str = concat!(
            "INSERT INTO keys (",
            key_columns!(),
            ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        );
        self.whole(|desk| {
            let object = ObjectRef::Key(key.principal.key);
            write_key(desk.conn(), SQL, key).map_err(failed_insert(object.clone()))?;
            put_secrets(desk.conn(), key)?;
            desk.record(Line::of(Action::KeyMade, &object)).map(drop)
        })
    }

    fn replace_key(&mut self, key: &KeyRecord) -> Result<(), LedgerError> {
        self.whole(|desk| {
            let object = ObjectRef::Key(key.principal.key);
            let replaced = write_key(desk.conn(), REPLACE_KEY, key).map_err(failed("written"))?;
            if replaced == 0 {
                return Err(LedgerError::Missing { object });
            }
            put_secrets(desk.conn(), key)?;
            let line = Line::of(Action::KeyChanged, &object);
            let decision = key.revoked_at.map(|_| "revoked");
            desk.record(line.decided(decision)).map(drop)
        })
    }

    fn make_person(&mut self, person: &Person) -> Result<(), LedgerError> {
        const SQL: &str = "INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
        self.whole(|desk| {
            let object = ObjectRef::Person(person.id);
            write_person(desk.conn(), SQL, person).map_err(failed_insert(object.clone()))?;
            desk.record(Line::of(Action::PersonMade, &object)).map(drop)
        })
    }

    fn replace_person(&mut self, person: &Person) -> Result<(), LedgerError> {
        const SQL: &str = "UPDATE people SET name = ?2, role = ?3, password = ?4, made_at = ?5, made_by = ?6, \
                           password_set_at = ?7, disabled_at = ?8 WHERE id = ?1";
        self.whole(|desk| {
            let object = ObjectRef::Person(person.id);
            let written = write_person(desk.conn(), SQL, person);
            if written.map_err(failed_insert(object.clone()))? == 0 {
                return Err(LedgerError::Missing { object });
            }
            let line = Line::of(Action::PersonChanged, &object);
            let decision = person.disabled_at.map(|_| "disabled");
            desk.record(line.decided(decision)).map(drop)
        })
    }

    fn open_session(&mut self, session: &Session) -> Result<(), LedgerError> {
        self.whole(|desk| open_session(desk, session))
    }

    fn close_session(&mut self, id: SessionId) -> Result<(), LedgerError> {
        self.whole(|desk| {
            const SQL: &str = "DELETE FROM sessions WHERE id = ?";
            if query::run(desk.conn(), SQL, [id.bytes()])? == 1 {
                desk.record(Line::of(Action::SessionClosed, &ObjectRef::Session(id)))?;
            }
            Ok(())
        })
    }

    fn close_sessions_of(&mut self, person: PersonId) -> Result<u64, LedgerError> {
        const SQL: &str = "SELECT id FROM sessions WHERE person = ?";
        let open = query::all(
            self.conn(),
            "sessions",
            SQL,
            [person.bytes()],
            id_column::<SessionId>,
        )?;
        for session in &open {
            self.close_session(*session)?;
        }
        Ok(open.len() as u64)
    }

    fn let_go_of_sessions(&mut self, by: Timestamp, limit: usize) -> Result<u64, LedgerError> {
        const SQL: &str = "DELETE FROM sessions WHERE id IN \
                           (SELECT id FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)";
        let bound = [micros(by), count(limit)];
        self.whole(|desk| query::run(desk.conn(), SQL, bound).map(|gone| gone as u64))
    }
}

const REPLACE_KEY: &str = "UPDATE keys SET kind = ?2, containers = ?3, capabilities = ?4, source_app = ?5, agent = ?6, \
     agent_scope = ?7, class = ?8, ceiling = ?9, label_user = ?10, label_app = ?11, label_org = ?12, label_run = ?13, \
     expires_at = ?14, name = ?15, made_at = ?16, made_by = ?17, revoked_at = ?18, requests_per_minute = ?19, \
     items_per_day = ?20, gateway_memory = ?21 WHERE id = ?1";

fn put_secrets(conn: &Connection, record: &KeyRecord) -> Result<(), LedgerError> {
    const FORGET: &str = "DELETE FROM key_secrets WHERE key = ?";
    const PUT: &str = "INSERT INTO key_secrets VALUES (?, ?, ?, ?)";
    let key = record.principal.key.bytes();
    query::run(conn, FORGET, [key])?;
    for (place, secret) in (0_i64..).zip(&record.secrets) {
        let bound = params![key, place, secret.hash.0, maybe_micros(secret.until)];
        query::run(conn, PUT, bound)?;
    }
    Ok(())
}

fn open_session(desk: &mut Desk<'_>, session: &Session) -> Result<(), LedgerError> {
    const SQL: &str = "INSERT INTO sessions VALUES (?, ?, ?, ?, ?)";
    if desk.person(session.person)?.is_none() {
        let object = ObjectRef::Person(session.person);
        return Err(LedgerError::Missing { object });
    }
    let object = ObjectRef::Session(session.id);
    let mut statement = desk.conn().prepare_cached(SQL).map_err(failed("written"))?;
    let inserted = statement.execute(params![
        session.id.bytes(),
        session.person.bytes(),
        session.token.0,
        micros(session.opened_at),
        micros(session.expires_at),
    ]);
    inserted.map_err(failed_insert(object.clone()))?;
    drop(statement);
    desk.record(Line::of(Action::SessionOpened, &object))
        .map(drop)
}
