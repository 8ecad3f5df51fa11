//! What was read, what was handed out, and the statistics of it.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};
use testimony_domain::{ContainerTag, KeyId, MemoryId, RequestId, RunId, Timestamp};
use testimony_service::ports::ledger::audit::Actor;
use testimony_service::ports::ledger::reads::{
    HandedOut, Latency, LatencyStep, ReadRow, Reads, Rollup, Route, Writes,
};
use testimony_service::ports::ledger::{LedgerError, Page};

use super::query;
use super::rows::{Cols, Id, count, hour_of, id_column, micros, packed};
use super::tx::{Desk, Source, Tx};

pub(crate) const ROWS: &str = "SELECT at, key, person, container, route, request, returned, suppressed, abstained, latency_us \
     FROM read_rows WHERE container = ? AND at >= ? ORDER BY at DESC, ord DESC LIMIT ?";
pub(crate) const ROWS_BEFORE: &str = "SELECT at, key, person, container, route, request, returned, suppressed, abstained, latency_us \
     FROM read_rows WHERE container = ?1 AND at < ?3 AND at >= coalesce((SELECT min(at) FROM (SELECT at FROM read_rows \
     WHERE container = ?1 AND at >= ?2 AND at < ?3 ORDER BY at DESC LIMIT ?4)), ?3) ORDER BY at DESC, ord DESC";
pub(crate) const THROUGH: &str = "SELECT ?2, container, route, sum(requests), sum(abstained), sum(returned), sum(suppressed), \
     sum(latency_us) FROM rollups WHERE hour >= ?2 AND container = ?1 GROUP BY route ORDER BY route";
pub(crate) const ROLLUPS: &str = "SELECT hour, container, route, requests, abstained, returned, suppressed, latency_us \
     FROM rollups WHERE hour >= ?1 AND hour > ?2 AND hour <= coalesce((SELECT max(hour) FROM (SELECT DISTINCT hour \
     FROM rollups WHERE hour >= ?1 AND hour > ?2 ORDER BY hour LIMIT ?3)), ?2) ORDER BY hour, container, route";
pub(crate) const LATENCIES: &str = "SELECT hour, route, step, requests FROM latencies WHERE container = ? AND hour >= ? \
     ORDER BY hour, route, step";
pub(crate) const HANDED: &str = "SELECT memory FROM handed_out WHERE key = ? AND run = ? AND until > ? ORDER BY at DESC, memory DESC LIMIT ?";

/// Who read. Where neither a key nor a person stands, it was the host; before persons were kept, it may have been one.
fn reader(c: &mut Cols<'_, '_>) -> Result<Actor, LedgerError> {
    let (key, person) = (c.maybe_id()?, c.maybe_id()?);
    let of_person = person.map_or(Actor::Host, Actor::Person);
    Ok(key.map_or(of_person, Actor::Key))
}

fn read_row(c: &mut Cols<'_, '_>) -> Result<ReadRow, LedgerError> {
    Ok(ReadRow {
        at: c.time()?,
        by: reader(c)?,
        container: c.word(ContainerTag::new)?,
        route: c.word(Route::parse)?,
        request: c.maybe_word(RequestId::new)?,
        returned: c.ids()?,
        suppressed: c.count()?,
        abstained: c.flag()?,
        latency_us: c.count()?,
    })
}

fn rollup(c: &mut Cols<'_, '_>) -> Result<Rollup, LedgerError> {
    Ok(Rollup {
        hour: c.time()?,
        container: c.word(ContainerTag::new)?,
        route: c.word(Route::parse)?,
        requests: c.count()?,
        abstained: c.count()?,
        returned: c.count()?,
        suppressed: c.count()?,
        latency_us: c.count()?,
    })
}

fn latency(c: &mut Cols<'_, '_>) -> Result<Latency, LedgerError> {
    Ok(Latency {
        hour: c.time()?,
        route: c.word(Route::parse)?,
        step: LatencyStep::at(c.count()?),
        requests: c.count()?,
    })
}

/// A run as it is kept: no label is empty, so the empty text stands for none.
fn run_column(run: Option<&RunId>) -> &str {
    run.map_or("", RunId::as_str)
}

impl<S: Source> Reads for Tx<S> {
    fn read_rows(
        &self,
        container: &ContainerTag,
        since: Timestamp,
        limit: usize,
    ) -> Result<Vec<ReadRow>, LedgerError> {
        let bound = params![container.as_str(), micros(since), count(limit)];
        query::all(self.conn(), "read_rows", ROWS, bound, read_row)
    }

    fn read_rows_before(
        &self,
        container: &ContainerTag,
        since: Timestamp,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<ReadRow>, LedgerError> {
        let bound = params![
            container.as_str(),
            micros(since),
            micros(before),
            count(limit)
        ];
        query::all(self.conn(), "read_rows", ROWS_BEFORE, bound, read_row)
    }

    fn read_through(
        &self,
        container: &ContainerTag,
        since: Timestamp,
    ) -> Result<Vec<Rollup>, LedgerError> {
        let bound = params![container.as_str(), hour_of(micros(since))];
        query::all(self.conn(), "rollups", THROUGH, bound, rollup)
    }

    fn rollups(&self, since: Timestamp, page: Page<Timestamp>) -> Result<Vec<Rollup>, LedgerError> {
        let since = hour_of(micros(since));
        let after = page.after.map_or(i64::MIN, micros);
        let bound = [since, after, count(page.limit)];
        query::all(self.conn(), "rollups", ROLLUPS, bound, rollup)
    }

    fn latencies(
        &self,
        container: &ContainerTag,
        since: Timestamp,
    ) -> Result<Vec<Latency>, LedgerError> {
        let bound = params![container.as_str(), hour_of(micros(since))];
        query::all(self.conn(), "latencies", LATENCIES, bound, latency)
    }

    fn handed_out(
        &self,
        key: KeyId,
        run: Option<&RunId>,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<MemoryId>, LedgerError> {
        let bound = params![key.bytes(), run_column(run), micros(now), count(limit)];
        query::all(self.conn(), "handed_out", HANDED, bound, id_column)
    }
}

impl Writes for Desk<'_> {
    fn keep_reads(&mut self, rows: &[&ReadRow]) -> Result<(), LedgerError> {
        self.whole(|desk| {
            keep_rows(desk.conn(), rows)?;
            let mut sums: BTreeMap<Counted<'_>, Sum> = BTreeMap::new();
            for row in rows {
                sums.entry(counted(row)).or_default().add(row);
            }
            for (counted, sum) in &sums {
                count_in(desk.conn(), counted, sum)?;
                count_latencies(desk.conn(), counted, sum)?;
            }
            Ok(())
        })
    }

    fn hand_out(&mut self, handed: &HandedOut) -> Result<(), LedgerError> {
        const SQL: &str = "INSERT INTO handed_out VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (key, run, memory) \
                           DO UPDATE SET at = max(at, ?4), until = max(until, ?5)";
        self.whole(|desk| {
            let bound = params![
                handed.key.bytes(),
                run_column(handed.run.as_ref()),
                handed.memory.bytes(),
                micros(handed.at),
                micros(handed.until),
            ];
            query::run(desk.conn(), SQL, bound).map(drop)
        })
    }

    fn forget_handed_out(&mut self, now: Timestamp, limit: usize) -> Result<u64, LedgerError> {
        const SQL: &str = "DELETE FROM handed_out WHERE (key, run, memory) IN \
                           (SELECT key, run, memory FROM handed_out WHERE until <= ? ORDER BY until LIMIT ?)";
        let bound = [micros(now), count(limit)];
        self.whole(|desk| query::run(desk.conn(), SQL, bound).map(|gone| gone as u64))
    }

    fn forget_reads(&mut self, before: Timestamp, limit: usize) -> Result<u64, LedgerError> {
        const SQL: &str = "DELETE FROM read_rows WHERE ord IN \
                           (SELECT ord FROM read_rows WHERE at < ? ORDER BY at LIMIT ?)";
        const OF_HOURS: &str = "DELETE FROM latencies WHERE (container, hour, route, step) IN \
                                (SELECT container, hour, route, step FROM latencies WHERE hour < ? ORDER BY hour LIMIT ?)";
        let bound = [micros(before), count(limit)];
        let hours = [hour_of(micros(before)), count(limit)];
        self.whole(|desk| {
            query::run(desk.conn(), OF_HOURS, hours)?;
            query::run(desk.conn(), SQL, bound).map(|gone| gone as u64)
        })
    }
}

fn keep_rows(conn: &Connection, rows: &[&ReadRow]) -> Result<(), LedgerError> {
    const SQL: &str = "INSERT INTO read_rows (at, key, person, container, route, request, returned, suppressed, abstained, \
                       latency_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    query::run_each(conn, SQL, rows, |statement, row| {
        let (key, person) = match row.by {
            Actor::Key(key) => (Some(key), None),
            Actor::Person(person) => (None, Some(person)),
            Actor::Host | Actor::Service => (None, None),
        };
        statement.execute(params![
            micros(row.at),
            key.map(Id::bytes),
            person.map(Id::bytes),
            row.container.as_str(),
            row.route.as_str(),
            row.request.as_ref().map(RequestId::as_str),
            packed(&row.returned),
            row.suppressed,
            row.abstained,
            row.latency_us,
        ])
    })
}

/// In which rollup a request is counted: hour, container, door.
type Counted<'r> = (i64, &'r str, &'static str);

fn counted(row: &ReadRow) -> Counted<'_> {
    let hour = hour_of(micros(row.at));
    (hour, row.container.as_str(), row.route.as_str())
}

/// What several requests add to a rollup, so that it is written once for all of them.
#[derive(Default)]
struct Sum {
    requests: i64,
    abstained: i64,
    returned: i64,
    suppressed: i64,
    latency_us: i64,
    /// How many took how long.
    steps: BTreeMap<LatencyStep, i64>,
}

impl Sum {
    fn add(&mut self, row: &ReadRow) {
        self.requests += 1;
        self.abstained += i64::from(row.abstained);
        self.returned += count(row.returned.len());
        self.suppressed += i64::from(row.suppressed);
        self.latency_us += i64::from(row.latency_us);
        *self
            .steps
            .entry(LatencyStep::of(row.latency_us))
            .or_default() += 1;
    }
}

fn count_latencies(
    conn: &Connection,
    (hour, container, route): &Counted<'_>,
    sum: &Sum,
) -> Result<(), LedgerError> {
    const SQL: &str = "INSERT INTO latencies VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET \
                       requests = requests + excluded.requests";
    let steps: Vec<_> = sum.steps.iter().collect();
    query::run_each(conn, SQL, &steps, |statement, (step, requests)| {
        statement.execute(params![container, hour, route, step.number(), requests])
    })
}

fn count_in(
    conn: &Connection,
    (hour, container, route): &Counted<'_>,
    sum: &Sum,
) -> Result<(), LedgerError> {
    const SQL: &str = "INSERT INTO rollups VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET \
                       requests = requests + ?4, abstained = abstained + ?5, returned = returned + ?6, \
                       suppressed = suppressed + ?7, latency_us = latency_us + ?8";
    let bound = params![
        hour,
        container,
        route,
        sum.requests,
        sum.abstained,
        sum.returned,
        sum.suppressed,
        sum.latency_us,
    ];
    query::run(conn, SQL, bound).map(drop)
}
