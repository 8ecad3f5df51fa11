//! What is asked when somebody looks: rows, cases and jobs in the ledger, how far the index is, how the parts are.

use std::collections::BTreeMap;

use testimony_domain::State;
use testimony_service::Service;
use testimony_service::ports::ledger::{LedgerError, Page, Reader};

use super::text::{Kind, Text};
use crate::routes::HealthProbe;

/// Adds what can be found out. What cannot be read is left out, and the ledger's health says so.
pub(super) fn add(text: &mut Text, service: &Service, health: &HealthProbe) {
    let readable = service
        .ledger()
        .reader()
        .and_then(|reader| of_ledger(text, &*reader));
    if let Err(error) = &readable {
        tracing::warn!(cause = %error, "the ledger could not be measured");
    }
    of_index(text, service);
    const HEALTH: &str = "testimony_health";
    text.family(
        HEALTH,
        Kind::Gauge,
        "How a part is: 1 for the state that it is in.",
    );
    let ledger = if readable.is_ok() {
        "healthy"
    } else {
        "unavailable"
    };
    text.sample(HEALTH, &[("part", "ledger"), ("state", ledger)], 1);
    for (part, found) in health.ask() {
        let labels = [("part", part.as_str()), ("state", found.as_str())];
        text.sample(HEALTH, &labels, 1);
    }
}

fn of_ledger(text: &mut Text, reader: &dyn Reader) -> Result<(), LedgerError> {
    const ROWS: &str = "testimony_memories";
    text.family(ROWS, Kind::Gauge, "Memories that are kept, by state.");
    for (state, count) in states(reader)? {
        text.sample(ROWS, &[("state", state.as_str())], count);
    }
    const CASES: &str = "testimony_open_cases";
    text.family(
        CASES,
        Kind::Gauge,
        "Review cases that wait for a person, by kind.",
    );
    for (kind, count) in reader.open_census()? {
        text.sample(CASES, &[("kind", kind.as_str())], count);
    }
    const JOBS: &str = "testimony_jobs";
    text.family(JOBS, Kind::Gauge, "Jobs that are kept, by kind and state.");
    for (kind, state, count) in reader.job_census()? {
        text.sample(
            JOBS,
            &[("kind", kind.as_str()), ("state", state.as_str())],
            count,
        );
    }
    Ok(())
}

/// How many memories there are in each state, over all containers.
fn states(reader: &dyn Reader) -> Result<BTreeMap<State, u64>, LedgerError> {
    const AT_ONCE: usize = 500;
    let mut all = BTreeMap::new();
    let mut page = Page::first(AT_ONCE);
    loop {
        let containers = reader.containers(page.clone())?;
        for container in &containers {
            for (state, count) in reader.census(&container.tag)? {
                *all.entry(state).or_default() += count;
            }
        }
        match containers.last() {
            Some(last) if containers.len() == AT_ONCE => page.after = Some(last.tag.clone()),
            _ => return Ok(all),
        }
    }
}

fn of_index(text: &mut Text, service: &Service) {
    let index = service.index().health();
    const HELD: &str = "testimony_index_rows";
    text.family(HELD, Kind::Gauge, "Memories that the index holds.");
    text.sample(HELD, &[], index.rows);
    const BEHIND: &str = "testimony_index_behind_events";
    text.family(
        BEHIND,
        Kind::Gauge,
        "Events of the ledger that the index has not taken in.",
    );
    text.sample(BEHIND, &[], index.ledger.0.saturating_sub(index.reached.0));
    const REACHED: &str = "testimony_ledger_events_total";
    text.family(REACHED, Kind::Counter, "Events that the ledger holds.");
    text.sample(REACHED, &[], index.ledger.0);
}
