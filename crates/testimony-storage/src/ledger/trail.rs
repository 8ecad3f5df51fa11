//! The trail: every change appends to it, in the transaction of the change.

use rusqlite::{params, params_from_iter};
use testimony_domain::{ContainerTag, Reason, Timestamp};
use testimony_service::ports::ledger::audit::{
    self, Action, AuditEvent, ChainHead, Digest, EventFilter, ObjectRef, Reads, Seq, Tally,
};
use testimony_service::ports::ledger::{LedgerError, Page};

use super::query::{self, failed};
use super::rows::event::{event, event_columns, insert};
use super::rows::{count, digest_column, hour_of, maybe_micros, micros, seq};
use super::tx::{Desk, Source, Tx};

pub(crate) const TALLIES: &str = "SELECT hour, action, decision, events FROM tallies WHERE container = ? AND hour >= ? \
     ORDER BY hour, action, decision";

/// What a change says about itself.
pub(crate) struct Line<'a> {
    pub(crate) action: Action,
    pub(crate) container: Option<&'a ContainerTag>,
    /// The row, as it is spelled.
    object: String,
    pub(crate) decision: Option<&'a str>,
    pub(crate) reasons: &'a [Reason],
}

impl<'a> Line<'a> {
    pub(crate) fn of(action: Action, object: &ObjectRef) -> Self {
        Self {
            action,
            container: None,
            object: object.to_string(),
            decision: None,
            reasons: &[],
        }
    }

    pub(crate) fn within(self, container: &'a ContainerTag) -> Self {
        Self {
            container: Some(container),
            ..self
        }
    }

    pub(crate) fn decided(self, decision: Option<&'a str>) -> Self {
        Self { decision, ..self }
    }

    pub(crate) fn because(self, reasons: &'a [Reason]) -> Self {
        Self { reasons, ..self }
    }
}

impl Desk<'_> {
    /// Appends an event to the chain, and returns its place.
    pub(crate) fn record(&mut self, line: Line<'_>) -> Result<Seq, LedgerError> {
        let act = &self.0.act;
        let mut event = AuditEvent {
            seq: self.0.head.seq.next(),
            at: act.at,
            actor: act.actor,
            request: act.request.clone(),
            action: line.action,
            container: line.container.cloned(),
            object: line.object,
            decision: line.decision.map(str::to_owned),
            reasons: line.reasons.to_vec(),
            rules: act.rules.to_owned(),
            previous: self.0.head.hash,
            own: Digest::default(),
        };
        event.own = event.digest();
        insert(self.conn(), &event)?;
        self.tally(&event)?;
        self.0.changes_access |= event.action.changes_access();
        self.0.head = ChainHead {
            seq: event.seq,
            hash: event.own,
        };
        Ok(event.seq)
    }

    /// Counts an event in its hour.
    fn tally(&self, event: &AuditEvent) -> Result<(), LedgerError> {
        const SQL: &str = "INSERT INTO tallies VALUES (?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET events = events + 1";
        let Some(container) = event
            .container
            .as_ref()
            .filter(|_| event.action.is_tallied())
        else {
            return Ok(());
        };
        let decision = event.decision.as_deref().unwrap_or_default();
        let hour = hour_of(micros(event.at));
        let bound = params![container.as_str(), hour, event.action.as_str(), decision];
        query::run(self.conn(), SQL, bound).map(drop)
    }
}

impl<S: Source> Reads for Tx<S> {
    fn events(
        &self,
        filter: &EventFilter,
        page: Page<Seq>,
    ) -> Result<Vec<AuditEvent>, LedgerError> {
        let mut sql = concat!("SELECT ", event_columns!(), " FROM events WHERE seq > ?").to_owned();
        let mut bound: Vec<rusqlite::types::Value> =
            vec![seq(page.after.unwrap_or_default()).into()];
        let text = |value: &str| rusqlite::types::Value::from(value.to_owned());
        let wanted = [
            (
                " AND container = ?",
                filter.container.as_ref().map(|tag| text(tag.as_str())),
            ),
            (
                " AND object = ?",
                filter.object.as_ref().map(|object| text(object)),
            ),
            (
                " AND actor = ?",
                filter.actor.map(|actor| text(&actor.to_string())),
            ),
            (
                " AND action = ?",
                filter.action.map(|action| text(action.as_str())),
            ),
            (" AND at >= ?", maybe_micros(filter.since).map(Into::into)),
            (" AND at < ?", maybe_micros(filter.until).map(Into::into)),
        ];
        for (condition, value) in wanted {
            if let Some(value) = value {
                sql.push_str(condition);
                bound.push(value);
            }
        }
        sql.push_str(" ORDER BY seq LIMIT ?");
        bound.push(count(page.limit).into());
        query::all(self.conn(), "events", &sql, params_from_iter(bound), event)
    }

    fn tallies(
        &self,
        container: &ContainerTag,
        since: Timestamp,
    ) -> Result<Vec<Tally>, LedgerError> {
        let bound = params![container.as_str(), hour_of(micros(since))];
        query::all(self.conn(), "tallies", TALLIES, bound, |c| {
            Ok(Tally {
                hour: c.time()?,
                action: c.word(Action::parse)?,
                decision: Some(c.text()?.to_owned()).filter(|decision| !decision.is_empty()),
                events: c.count()?,
            })
        })
    }

    fn chain_head(&self) -> Result<ChainHead, LedgerError> {
        const SQL: &str = "SELECT seq, own FROM events ORDER BY seq DESC LIMIT 1";
        let head = query::one(self.conn(), "events", SQL, [], |c| {
            Ok(ChainHead {
                seq: c.seq()?,
                hash: c.digest()?,
            })
        })?;
        Ok(head.unwrap_or_default())
    }
}

/// The end of the chain, with its last event checked against its own hash.
pub(crate) fn verified_head<S: Source>(tx: &Tx<S>) -> Result<ChainHead, LedgerError> {
    const SQL: &str = concat!(
        "SELECT ",
        event_columns!(),
        " FROM events ORDER BY seq DESC LIMIT 1"
    );
    let Some(last) = query::one(tx.conn(), "events", SQL, [], event)? else {
        return Ok(ChainHead::default());
    };
    if last.own == last.digest() {
        Ok(ChainHead {
            seq: last.seq,
            hash: last.own,
        })
    } else {
        let broken = audit::ChainBreak::Altered { at: last.seq };
        Err(LedgerError::Damaged {
            place: "events.own".to_owned(),
            what: broken.to_string(),
        })
    }
}

/// Follows the whole chain, and says where it ends or breaks.
pub(crate) fn follow_all<S: Source>(
    tx: &Tx<S>,
) -> Result<Result<ChainHead, audit::ChainBreak>, LedgerError> {
    const EVENTS_AT_ONCE: usize = 1_000;
    let mut head = ChainHead::default();
    loop {
        let page = Page {
            after: Some(head.seq),
            limit: EVENTS_AT_ONCE,
        };
        let events = tx.events(&EventFilter::default(), page)?;
        if events.is_empty() {
            return Ok(Ok(head));
        }
        head = match audit::follow(head, &events) {
            Ok(head) => head,
            Err(broken) => return Ok(Err(broken)),
        };
    }
}

/// The hash of one event, where there is one.
pub(crate) fn hash_at<S: Source>(tx: &Tx<S>, at: Seq) -> Result<Option<Digest>, LedgerError> {
    const SQL: &str = "SELECT own FROM events WHERE seq = ?";
    query::one(tx.conn(), "events", SQL, params![seq(at)], digest_column)
}

/// Makes a reader see one consistent state from now on.
pub(crate) fn settle_snapshot(conn: &rusqlite::Connection) -> Result<(), LedgerError> {
    // A deferred transaction takes its snapshot with its first read, so it is given one.
    conn.execute_batch("BEGIN; SELECT 1 FROM events LIMIT 1;")
        .map_err(failed("read"))
}
