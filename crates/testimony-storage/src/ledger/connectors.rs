//! Connector tokens, and the keys for which they are exchanged.

use rusqlite::params;
use testimony_domain::ConnectorId;
use testimony_service::ports::ledger::audit::{Action, Digest, ObjectRef};
use testimony_service::ports::ledger::connectors::{ConnectorToken, Reads, Writes};
use testimony_service::ports::ledger::{LedgerError, Page};

use super::query::{self, failed_insert};
use super::rows::account::{connector, key_columns, write_key};
use super::rows::{Id, count, maybe_micros, micros};
use super::trail::Line;
use super::tx::{Desk, Source, Tx};

/// The columns of a connector token, in the order in which they are read.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT connector, token, ends_at, used_at, withdrawn_at, ",
            key_columns!(),
            " FROM connector_tokens JOIN connector_keys ON id = becomes ",
            $rest
        )
    };
}

pub(crate) const OF_TOKEN: &str = select!("WHERE token = ?");

impl<S: Source> Reads for Tx<S> {
    fn connector(&self, id: ConnectorId) -> Result<Option<ConnectorToken>, LedgerError> {
        const SQL: &str = select!("WHERE connector = ?");
        query::one(
            self.conn(),
            "connector_tokens",
            SQL,
            [id.bytes()],
            connector,
        )
    }

    fn connector_of(&self, token: Digest) -> Result<Option<ConnectorToken>, LedgerError> {
        query::one(
            self.conn(),
            "connector_tokens",
            OF_TOKEN,
            params![token.0],
            connector,
        )
    }

    fn connectors(&self, page: Page<ConnectorId>) -> Result<Vec<ConnectorToken>, LedgerError> {
        const SQL: &str = select!(
            "WHERE ord > coalesce((SELECT ord FROM connector_tokens WHERE connector = ?1), 0) ORDER BY ord LIMIT ?2"
        );
        let bound = params![page.after.map(Id::bytes), count(page.limit)];
        query::all(self.conn(), "connector_tokens", SQL, bound, connector)
    }
}

impl Writes for Desk<'_> {
    fn make_connector(&mut self, connector: &ConnectorToken) -> Result<(), LedgerError> {
        const KEY: &str = concat!(
            "INSERT INTO connector_keys (",
            key_columns!(),
            ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        );
        self.whole(|desk| {
            let object = ObjectRef::Connector(connector.id);
            let failed = || failed_insert(object.clone());
            write_key(desk.conn(), KEY, &connector.key).map_err(failed())?;
            insert(desk, connector).map_err(failed())?;
            desk.record(Line::of(Action::ConnectorMade, &object))
                .map(drop)
        })
    }

    fn close_connector(&mut self, connector: &ConnectorToken) -> Result<(), LedgerError> {
        const SQL: &str =
            "UPDATE connector_tokens SET used_at = ?2, withdrawn_at = ?3 WHERE connector = ?1";
        self.whole(|desk| {
            let object = ObjectRef::Connector(connector.id);
            let (used, withdrawn) = (connector.used_at, connector.withdrawn_at);
            let bound = params![
                connector.id.bytes(),
                maybe_micros(used),
                maybe_micros(withdrawn)
            ];
            if query::run(desk.conn(), SQL, bound)? == 0 {
                return Err(LedgerError::Missing { object });
            }
            let decision = match (used, withdrawn) {
                (Some(_), _) => Some("used"),
                (None, Some(_)) => Some("withdrawn"),
                (None, None) => None,
            };
            let line = Line::of(Action::ConnectorChanged, &object);
            desk.record(line.decided(decision)).map(drop)
        })
    }
}

fn insert(desk: &Desk<'_>, connector: &ConnectorToken) -> rusqlite::Result<usize> {
    const SQL: &str = "INSERT INTO connector_tokens (connector, token, ends_at, used_at, withdrawn_at, becomes) \
                       VALUES (?, ?, ?, ?, ?, ?)";
    desk.conn().prepare_cached(SQL)?.execute(params![
        connector.id.bytes(),
        connector.token.0,
        micros(connector.ends_at),
        maybe_micros(connector.used_at),
        maybe_micros(connector.withdrawn_at),
        connector.key.principal.key.bytes(),
    ])
}
