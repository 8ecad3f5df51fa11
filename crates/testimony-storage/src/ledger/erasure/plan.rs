//! What an erasure takes, found by reading alone.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};
use testimony_domain::{ContainerTag, EntityId, EvidenceId, FactId, MemoryId, Owner, UserId};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::audit::ObjectRef;
use testimony_service::ports::ledger::erasure::{Target, Toll};
use testimony_service::ports::ledger::memories::MemoryFilter;

use super::list::Line;
use super::named::Named;
use super::shared;
use super::tables::{By, SPEAKING_OF, WITH_MEMORY};
use crate::ledger::memories::Conditions;
use crate::ledger::rows::{Cols, Id, id_column, int_column, micros};
use crate::ledger::{files, query};

/// A memory whose content goes.
pub(super) struct Doomed {
    pub(super) id: MemoryId,
    pub(super) ord: i64,
    pub(super) fact: FactId,
    pub(super) container: ContainerTag,
    /// Of whom or for whom it was said.
    pub(super) user: Option<UserId>,
    pub(super) content: String,
}

/// What goes.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) memories: Vec<Doomed>,
    pub(super) evidence: BTreeSet<EvidenceId>,
    /// Evidence on which others rest, with what is left of its text.
    pub(super) cuts: BTreeMap<EvidenceId, String>,
    pub(super) entities: BTreeSet<EntityId>,
    /// Rows by table and number.
    pub(super) rows: BTreeMap<&'static str, BTreeSet<i64>>,
    /// How many rows go with their memory, by table.
    pub(super) with_memory: BTreeMap<&'static str, u64>,
    /// How many copies lie beside the database from before its form was changed.
    pub(super) upgrade_copies: u64,
    /// By what it goes, where that is a name.
    pub(super) named: Option<Named>,
}

impl Plan {
    pub(super) fn of(conn: &Connection, target: &Target) -> Result<Self, LedgerError> {
        let plan = Self::begun(conn, target, i64::MAX)?;
        let repeating = shared::repeating(conn, &plan.memories)?;
        plan.complete(conn, repeating)
    }

    /// The plan of an erasure that was carried out elsewhere, as far as its rows are here and not erased.
    pub(super) fn again(conn: &Connection, line: &Line) -> Result<Self, LedgerError> {
        const KEPT: &str = "SELECT 1 FROM evidence WHERE id = ? AND erased = 0";
        let named = line.named.as_ref().map(|named| named.find(conn));
        let mut plan = match named.transpose()?.flatten() {
            // What came after the erasure was not meant by it.
            Some(target) => Self::begun(conn, &target, micros(line.at))?,
            None => Self::default(),
        };
        let known: HashSet<MemoryId> = plan.memories.iter().map(|doomed| doomed.id).collect();
        for id in line.memories.iter().filter(|id| !known.contains(id)) {
            let id = Value::from(id.bytes().to_vec());
            plan.memories.extend(select(conn, "id = ?", vec![id])?);
        }
        let mut repeating = BTreeSet::new();
        for (ids, evidence) in [
            (&line.evidence, &mut plan.evidence),
            (&line.cut, &mut repeating),
        ] {
            for id in ids {
                if query::exists(conn, KEPT, [id.bytes()])? {
                    evidence.insert(*id);
                }
            }
        }
        // What else repeats it is what the line names: whoever carries out many lines does not read everything for each.
        plan.complete(conn, repeating)
    }

    /// What the target itself names, as far as it was kept until an instant.
    fn begun(conn: &Connection, target: &Target, until: i64) -> Result<Self, LedgerError> {
        let mut plan = Self {
            memories: memories(conn, target, until)?,
            named: Named::of(conn, target)?,
            ..Self::default()
        };
        plan.add_named_evidence(conn, target, until)?;
        if let Some(container) = container_of(target) {
            plan.add_everything_in(conn, container, target, until)?;
        }
        Ok(plan)
    }

    /// Adds everything around it; `repeating` is evidence that says again what goes.
    fn complete(
        mut self,
        conn: &Connection,
        repeating: BTreeSet<EvidenceId>,
    ) -> Result<Self, LedgerError> {
        let ids: HashSet<MemoryId> = self.memories.iter().map(|doomed| doomed.id).collect();
        let orders: HashSet<i64> = self.memories.iter().map(|doomed| doomed.ord).collect();
        for index in 0..self.memories.len() {
            let Some(doomed) = self.memories.get(index) else {
                break;
            };
            let (id, ord) = (doomed.id, doomed.ord);
            self.add_evidence_of(conn, id, &ids)?;
            self.add_entities_of(conn, ord, &orders)?;
            self.add_rows_of(conn, id, ord)?;
        }
        for evidence in repeating {
            self.add_evidence(conn, evidence, &ids, true)?;
        }
        self.add_rows_that_list(conn, &ids)?;
        self.add_what_quotes_evidence(conn)?;
        self.upgrade_copies = upgrade_copies(conn)?;
        Ok(self)
    }

    pub(super) fn takes_something(&self) -> bool {
        let rows = self.rows.values().any(|rows| !rows.is_empty());
        let evidence = !self.evidence.is_empty() || !self.cuts.is_empty();
        rows || evidence || !self.memories.is_empty() || !self.entities.is_empty()
    }

    pub(super) fn toll(&self) -> Toll {
        let own = [
            ("memories", self.memories.len()),
            ("evidence", self.evidence.len()),
            ("evidence_cut", self.cuts.len()),
            ("entities", self.entities.len()),
        ];
        let own = own.into_iter().map(|(table, rows)| (table, rows as u64));
        let with_memory = self.with_memory.iter().map(|(table, rows)| (*table, *rows));
        let others = self
            .rows
            .iter()
            .map(|(table, rows)| (*table, rows.len() as u64));
        // They go with the first erasure that takes something.
        let copies = if self.takes_something() {
            self.upgrade_copies
        } else {
            0
        };
        let copies = [("upgrade_copies", copies)];
        let rows = own.chain(with_memory).chain(others).chain(copies);
        Toll {
            memories: self.memories.iter().map(|doomed| doomed.id).collect(),
            rows: rows.filter(|(_, rows)| *rows > 0).collect(),
        }
    }

    /// Evidence that the target names itself, whatever rests on it.
    fn add_named_evidence(
        &mut self,
        conn: &Connection,
        target: &Target,
        until: i64,
    ) -> Result<(), LedgerError> {
        let (condition, container, value) = match target {
            Target::User(container, user) => ("label_user = ?2", container, user.as_str()),
            Target::Agent(container, agent) => (
                "(owner_agent = ?2 OR origin_agent = ?2)",
                container,
                agent.as_str(),
            ),
            Target::Source(container, source) => ("label = ?2", container, source.as_str()),
            Target::Container(container) => ("container = ?2", container, container.as_str()),
            Target::Memory(_) | Target::Fact(_) | Target::Filter(_) => return Ok(()),
        };
        let sql = format!(
            "SELECT id FROM evidence WHERE container = ?1 AND {condition} AND recorded_at <= ?3 AND erased = 0"
        );
        let bound = params![container.as_str(), value, until];
        let named = query::all(conn, "evidence", &sql, bound, id_column::<EvidenceId>)?;
        self.evidence.extend(named);
        Ok(())
    }

    /// What speaks of a container's rows without naming them: receipts also answer for evidence that made no memory, and
    /// with the whole of a container go its things.
    fn add_everything_in(
        &mut self,
        conn: &Connection,
        container: &ContainerTag,
        target: &Target,
        until: i64,
    ) -> Result<(), LedgerError> {
        const RECEIPTS: &str =
            "SELECT ord FROM receipts WHERE container = ? AND at <= ? AND response <> ''";
        const THINGS: &str = "SELECT id FROM entities e WHERE container = ?1 AND NOT EXISTS \
            (SELECT 1 FROM mentions s JOIN memories m ON m.ord = s.memory WHERE s.entity = e.id AND m.created_at > ?2)";
        let within = params![container.as_str(), until];
        let is_whole = matches!(target, Target::Container(_));
        if is_whole || !self.memories.is_empty() || !self.evidence.is_empty() {
            let receipts = query::all(conn, "receipts", RECEIPTS, within, int_column)?;
            self.rows.entry("receipts").or_default().extend(receipts);
        }
        if is_whole {
            let things = query::all(conn, "entities", THINGS, within, id_column::<EntityId>)?;
            self.entities.extend(things);
        }
        Ok(())
    }

    /// Evidence of a memory; what only speaks against it does not say what it says.
    fn add_evidence_of(
        &mut self,
        conn: &Connection,
        memory: MemoryId,
        going: &HashSet<MemoryId>,
    ) -> Result<(), LedgerError> {
        const OF_MEMORY: &str = "SELECT e.id, e.id IN (SELECT evidence FROM rests WHERE memory = ?1) \
            OR e.id IN (SELECT evidence FROM supports WHERE memory = ?1 AND polarity = 'supports') FROM evidence e \
            WHERE e.erased = 0 AND e.id IN \
            (SELECT evidence FROM rests WHERE memory = ?1 UNION SELECT evidence FROM supports WHERE memory = ?1)";
        let of_memory = query::all(conn, "evidence", OF_MEMORY, [memory.bytes()], |c| {
            Ok((c.id()?, c.flag()?))
        })?;
        for (evidence, says_it) in of_memory {
            self.add_evidence(conn, evidence, going, says_it)?;
        }
        Ok(())
    }

    /// Evidence on which nothing rests that stays goes; of other evidence that says what goes, only what stays is left.
    fn add_evidence(
        &mut self,
        conn: &Connection,
        evidence: EvidenceId,
        going: &HashSet<MemoryId>,
        says_it: bool,
    ) -> Result<(), LedgerError> {
        if self.evidence.contains(&evidence) {
            return Ok(());
        }
        let resting = shared::resting_on(conn, evidence)?;
        if resting.iter().all(|memory| going.contains(memory)) {
            self.evidence.insert(evidence);
        } else if says_it && let Some(left) = shared::left_of(conn, evidence, going)? {
            self.cuts.insert(evidence, left);
        }
        Ok(())
    }

    /// What quotes evidence of which something goes: judgments of whatever rests on it, and receipts, which say what was
    /// found in evidence that made no memory and then name that evidence alone.
    fn add_what_quotes_evidence(&mut self, conn: &Connection) -> Result<(), LedgerError> {
        const JUDGMENTS: &str = "SELECT rowid FROM judgments WHERE memory IN (SELECT memory FROM rests WHERE evidence = ?1 \
            UNION SELECT memory FROM supports WHERE evidence = ?1)";
        let touched = self.evidence.iter().chain(self.cuts.keys());
        let touched: BTreeSet<EvidenceId> = touched.copied().collect();
        for evidence in &touched {
            let rows = query::all(conn, "judgments", JUDGMENTS, [evidence.bytes()], int_column)?;
            self.rows.entry("judgments").or_default().extend(rows);
        }
        let places = self.memories.iter().map(|doomed| &doomed.container);
        let places: BTreeSet<ContainerTag> = places.cloned().collect();
        for place in &places {
            let receipts = shared::receipts_naming(conn, &touched, place)?;
            self.rows.entry("receipts").or_default().extend(receipts);
        }
        Ok(())
    }

    /// Things that nothing speaks of any more.
    fn add_entities_of(
        &mut self,
        conn: &Connection,
        memory: i64,
        going: &HashSet<i64>,
    ) -> Result<(), LedgerError> {
        const OF_MEMORY: &str = "SELECT entity FROM mentions WHERE memory = ?";
        const SPEAKING: &str = "SELECT memory FROM mentions WHERE entity = ?";
        let things = query::all(conn, "mentions", OF_MEMORY, [memory], id_column::<EntityId>)?;
        for thing in things {
            let speaking = query::all(conn, "mentions", SPEAKING, [thing.bytes()], int_column)?;
            if speaking.iter().all(|memory| going.contains(memory)) {
                self.entities.insert(thing);
            }
        }
        Ok(())
    }

    fn add_rows_of(
        &mut self,
        conn: &Connection,
        id: MemoryId,
        ord: i64,
    ) -> Result<(), LedgerError> {
        for table in WITH_MEMORY {
            let rows = match table.by {
                By::Order => query::number(conn, table.count, [ord])?,
                By::Id => query::number(conn, table.count, [id.bytes()])?,
            };
            *self.with_memory.entry(table.table).or_default() += rows.unsigned_abs();
        }
        for (table, find) in SPEAKING_OF {
            let rows = query::all(conn, table, find, [id.bytes()], int_column)?;
            self.rows.entry(table).or_default().extend(rows);
        }
        Ok(())
    }

    /// Rows that hold ids in a list, which no index leads to: what was returned, and what a case stands against.
    fn add_rows_that_list(
        &mut self,
        conn: &Connection,
        going: &HashSet<MemoryId>,
    ) -> Result<(), LedgerError> {
        const READS: &str = "SELECT ord, returned FROM read_rows WHERE container = ?";
        const CASES: &str = "SELECT ord, against FROM review_cases WHERE container = ? \
                             AND (note IS NOT NULL OR closing_note IS NOT NULL)";
        let places = self.memories.iter().map(|doomed| doomed.container.clone());
        let places: BTreeSet<ContainerTag> = places.collect();
        for (table, sql) in [("read_rows", READS), ("review_cases", CASES)] {
            for place in &places {
                let listed = query::all(conn, table, sql, [place.as_str()], |c| {
                    Ok((c.int()?, c.ids::<MemoryId>()?))
                })?;
                let touched = listed
                    .into_iter()
                    .filter(|(_, ids)| ids.iter().any(|id| going.contains(id)));
                let rows = self.rows.entry(table).or_default();
                rows.extend(touched.map(|(ord, _)| ord));
            }
        }
        Ok(())
    }
}

fn upgrade_copies(conn: &Connection) -> Result<u64, LedgerError> {
    let Some(file) = conn.path().filter(|path| !path.is_empty()) else {
        return Ok(0);
    };
    let copies = files::upgrade_copies(Path::new(file));
    let copies = copies.map_err(|error| LedgerError::Store {
        doing: "looked through for copies of it",
        source: error.into(),
    })?;
    Ok(copies.len() as u64)
}

fn container_of(target: &Target) -> Option<&ContainerTag> {
    match target {
        Target::User(container, _)
        | Target::Agent(container, _)
        | Target::Source(container, _)
        | Target::Container(container) => Some(container),
        Target::Memory(_) | Target::Fact(_) | Target::Filter(_) => None,
    }
}

fn memories(conn: &Connection, target: &Target, until: i64) -> Result<Vec<Doomed>, LedgerError> {
    let within = |container: &ContainerTag| MemoryFilter {
        container: Some(container.clone()),
        ..MemoryFilter::default()
    };
    let filter = match target {
        Target::Memory(id) => return named(conn, ("id", id.bytes()), ObjectRef::Memory(*id)),
        Target::Fact(id) => return named(conn, ("fact", id.bytes()), ObjectRef::Fact(*id)),
        Target::User(container, user) => MemoryFilter {
            user: Some(user.clone()),
            ..within(container)
        },
        Target::Agent(container, agent) => MemoryFilter {
            owner: Some(Owner::Agent(agent.clone())),
            ..within(container)
        },
        Target::Source(container, source) => MemoryFilter {
            source: Some(source.clone()),
            ..within(container)
        },
        Target::Container(container) => within(container),
        Target::Filter(filter) => (**filter).clone(),
    };
    let mut conditions = Conditions::of(&filter);
    conditions.add("created_at <= ?", Some(until.into()));
    select(conn, &conditions.sql, conditions.bound)
}

/// The memories of one id, which has to be there.
fn named(
    conn: &Connection,
    (column, id): (&str, [u8; 16]),
    object: ObjectRef,
) -> Result<Vec<Doomed>, LedgerError> {
    let there = format!("SELECT 1 FROM memories WHERE {column} = ?");
    if !query::exists(conn, &there, [id])? {
        return Err(LedgerError::Missing { object });
    }
    select(conn, &format!("{column} = ?"), vec![id.to_vec().into()])
}

fn select(
    conn: &Connection,
    condition: &str,
    bound: Vec<Value>,
) -> Result<Vec<Doomed>, LedgerError> {
    let sql = format!(
        "SELECT id, ord, fact, container, label_user, content FROM memories WHERE {condition} AND state <> 'erased' ORDER BY ord"
    );
    query::all(conn, "memories", &sql, params_from_iter(bound), doomed)
}

fn doomed(c: &mut Cols<'_, '_>) -> Result<Doomed, LedgerError> {
    Ok(Doomed {
        id: c.id()?,
        ord: c.int()?,
        fact: c.id()?,
        container: c.word(ContainerTag::new)?,
        user: c.maybe_word(UserId::new)?,
        content: c.text()?.to_owned(),
    })
}
