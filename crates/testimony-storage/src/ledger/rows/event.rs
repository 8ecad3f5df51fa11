//! Events of the trail, and actors.

use rusqlite::{Connection, params};
use testimony_domain::{ContainerTag, Reason, RequestId};
use testimony_service::ports::ledger::audit::{Action, Actor, AuditEvent};
use testimony_service::ports::ledger::{LedgerError, Made};

use super::memory::reasons;
use super::{Cols, micros, seq};
use crate::ledger::query;

/// The columns of an event, in the order in which [`event`] reads them.
macro_rules! event_columns {
    () => {
        "seq, at, actor, request, action, container, object, decision, reasons, rules, previous, own"
    };
}
pub(crate) use event_columns;

pub(crate) fn event(c: &mut Cols<'_, '_>) -> Result<AuditEvent, LedgerError> {
    Ok(AuditEvent {
        seq: c.seq()?,
        at: c.time()?,
        actor: actor(c)?,
        request: c.maybe_word(RequestId::new)?,
        action: c.word(Action::parse)?,
        container: c.maybe_word(ContainerTag::new)?,
        object: c.text()?.to_owned(),
        decision: c.maybe_text()?.map(str::to_owned),
        reasons: c.words(Reason::parse)?,
        rules: c.text()?.to_owned(),
        previous: c.digest()?,
        own: c.digest()?,
    })
}

pub(crate) fn insert(conn: &Connection, event: &AuditEvent) -> Result<(), LedgerError> {
    const SQL: &str = concat!(
        "INSERT INTO events (",
        event_columns!(),
        ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    query::run(
        conn,
        SQL,
        params![
            seq(event.seq),
            micros(event.at),
            event.actor.to_string(),
            event.request.as_ref().map(RequestId::as_str),
            event.action.as_str(),
            event.container.as_ref().map(ContainerTag::as_str),
            event.object,
            event.decision,
            reasons(&event.reasons),
            event.rules,
            event.previous.0,
            event.own.0,
        ],
    )
    .map(drop)
}

/// An actor as it is spelled in the trail.
pub(crate) fn actor(c: &mut Cols<'_, '_>) -> Result<Actor, LedgerError> {
    let text = c.text()?;
    read_actor(text)
        .ok_or_else(|| c.damaged("it names no key, no person, neither the machine nor the service"))
}

/// An actor of whom there may be none.
pub(crate) fn maybe_actor(c: &mut Cols<'_, '_>) -> Result<Option<Actor>, LedgerError> {
    let Some(text) = c.maybe_text()? else {
        return Ok(None);
    };
    let actor = read_actor(text);
    actor
        .map(Some)
        .ok_or_else(|| c.damaged("it names no key, no person, neither the machine nor the service"))
}

pub(crate) fn read_actor(text: &str) -> Option<Actor> {
    let key = || text.parse().ok().map(Actor::Key);
    let person = || text.parse().ok().map(Actor::Person);
    let unnamed = [Actor::Service, Actor::Host]
        .into_iter()
        .find(|actor| text == actor.to_string());
    unnamed.or_else(key).or_else(person)
}

/// When a row was made and by whom: `made_at, made_by`.
pub(crate) fn made(c: &mut Cols<'_, '_>) -> Result<Made, LedgerError> {
    Ok(Made {
        at: c.time()?,
        by: actor(c)?,
    })
}
