//! Taking an export in: lines in batches, each batch one piece of work.
//!
//! A row that is here already is passed over where it is the same and refused where it is not; what is refused leaves the
//! others alone, and every line that did not simply come in is named.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::Value;
use testimony_domain::{
    CaseId, ContainerTag, EntityId, EvidenceId, Fact, Ids, Invalid, JobId, Memory, Problem, State,
    Timestamp, words,
};

use super::export::{FORMAT, VERSION, whole};
use super::lines;
use super::parse::{Record, Told, record};
use super::recheck::{Checked, Said};
use crate::error::ServiceError;
use crate::ports::embedder::{EmbedderIdentity, Vector};
use crate::ports::ledger::audit::{Action, Actor, EventFilter, ObjectRef, Seq};
use crate::ports::ledger::containers::{Container, ContainerPolicy};
use crate::ports::ledger::embeddings::Embedding;
use crate::ports::ledger::jobs::{Job, JobKind};
use crate::ports::ledger::memories::{Condition, HistoryLine};
use crate::ports::ledger::reviews::{CaseKind, ReviewCase};
use crate::ports::ledger::{Fate, LedgerError, Page, Reader, Writer};
use crate::service::Service;
use crate::write::group_of;

/// A batch of lines.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportRequest {
    /// The header of the export that the lines are of.
    pub header: Value,
    /// The lines, in their order.
    pub lines: Vec<Value>,
    /// Whether to tell what would happen, and do nothing.
    pub dry_run: bool,
}

words! {
    /// What became of a line.
    pub enum TakenIn {
        /// It came in as it was.
        Whole = "taken_in",
        /// The same is here already.
        Known = "already_here",
        /// It held a secret, which was taken out of it.
        Redacted = "redacted",
        /// It came in, and is held where it would be today.
        Held = "held",
        /// It did not come in.
        Refused = "refused",
    }
}

/// A line that did not simply come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportLine {
    /// Its number in the batch, from 0.
    pub line: usize,
    /// The row that it speaks of, where it names one.
    pub id: Option<String>,
    /// What became of it.
    pub outcome: TakenIn,
    /// Why.
    pub reason: String,
}

/// What became of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportAnswer {
    /// How many lines each outcome had.
    pub counts: BTreeMap<&'static str, usize>,
    /// The lines that did not simply come in.
    pub lines: Vec<ImportLine>,
}

/// A line that was looked through.
struct Prepared {
    number: usize,
    id: Option<String>,
    outcome: TakenIn,
    reason: String,
    content: Result<Ready, Invalid>,
}

/// A row that can be taken in.
struct Ready {
    record: Record,
    /// The line of it, without its secrets.
    line: Value,
    /// What a person has to decide about it.
    case: Option<CaseKind>,
    vector: Option<Vector>,
    waits_for_vector: bool,
}

impl Service {
    /// Takes lines of an export in.
    ///
    /// # Errors
    /// [`ServiceError`] when the header is none of ours, or the ledger fails; then nothing of the batch stands.
    pub fn import(
        &self,
        actor: Actor,
        request: &ImportRequest,
    ) -> Result<ImportAnswer, ServiceError> {
        check_header(&request.header)?;
        let mut prepared = self.prepare(actor, &request.lines)?;
        self.embed_all(&mut prepared)?;
        let fate = if request.dry_run {
            Fate::Discard
        } else {
            Fate::Keep
        };
        let ids = Arc::clone(&self.ids);
        let embedder = self.embedders.wanted().identity().clone();
        let (answer, _) = self.ledger.write(self.act(actor, None), move |writer| {
            let mut taking = Taking {
                writer,
                ids: ids.as_ref(),
                wanted: &embedder,
            };
            let mut answer = ImportAnswer::default();
            for line in prepared {
                answer.add(taking.line(line)?);
            }
            Ok((fate, answer))
        })?;
        Ok(answer)
    }

    fn prepare(&self, actor: Actor, lines: &[Value]) -> Result<Vec<Prepared>, ServiceError> {
        let reader = self.ledger.reader()?;
        let mut desk = Desk {
            service: self,
            reader: reader.as_ref(),
            actor,
            policies: HashMap::new(),
            records: HashMap::new(),
        };
        lines
            .iter()
            .enumerate()
            .map(|(number, line)| desk.prepare(number, line))
            .collect()
    }

    /// Gives every memory its vector, those of a container together.
    fn embed_all(&self, prepared: &mut [Prepared]) -> Result<(), ServiceError> {
        let reader = self.ledger.reader()?;
        let mut of_container: BTreeMap<String, Vec<&mut Ready>> = BTreeMap::new();
        for line in prepared {
            if let Ok(ready) = &mut line.content
                && let Record::Memory(told) = &ready.record
            {
                let tag = told.memory.partition.container().to_string();
                of_container.entry(tag).or_default().push(ready);
            }
        }
        for (tag, rows) in of_container {
            let tag = ContainerTag::new("container", &tag)?;
            let container = reader.container(&tag)?;
            let embedder = container.as_ref().map_or_else(
                || self.embedders.wanted(),
                |container| self.embedders.of(container),
            );
            let texts: Vec<&str> = rows.iter().filter_map(|row| row.text()).collect();
            let embedded = embedder.embed(&texts);
            let waits = embedded.is_err();
            let vectors = embedded.unwrap_or_else(|_| vec![None; rows.len()]);
            for (row, vector) in rows.into_iter().zip(vectors) {
                row.vector = vector;
                row.waits_for_vector = waits;
            }
        }
        Ok(())
    }
}

impl Prepared {
    /// Says that admission holds the memory.
    fn hold(&mut self, checked: &Checked, memory: &Memory) {
        self.outcome = if checked.held_secret {
            TakenIn::Redacted
        } else {
            TakenIn::Held
        };
        let reason = memory.reasons.last().map(|reason| reason.sentence());
        reason
            .unwrap_or("Admission holds it.")
            .clone_into(&mut self.reason);
    }
}

impl Ready {
    fn text(&self) -> Option<&str> {
        match &self.record {
            Record::Memory(told) => Some(told.memory.content.as_str()),
            Record::Header
            | Record::Container(_)
            | Record::Evidence(_)
            | Record::Fact(_)
            | Record::Link(_)
            | Record::Case(_) => None,
        }
    }
}

impl ImportAnswer {
    fn add(&mut self, line: ImportLine) {
        *self.counts.entry(line.outcome.as_str()).or_default() += 1;
        if !matches!(line.outcome, TakenIn::Whole | TakenIn::Known) {
            self.lines.push(line);
        }
    }
}

fn check_header(header: &Value) -> Result<(), Invalid> {
    let member = |name: &str| header.get(name).unwrap_or(&Value::Null);
    let wrong = |name: &str, expected| {
        Invalid::new(&format!("header/{name}"), Problem::Malformed { expected })
    };
    if member("format").as_str() != Some(FORMAT) {
        return Err(wrong("format", "the header of an export of this service"));
    }
    if member("version").as_u64() != Some(VERSION) {
        return Err(wrong("version", "1, the version that this program reads"));
    }
    Ok(())
}

/// Reads lines, and has them pass admission.
struct Desk<'a> {
    service: &'a Service,
    reader: &'a dyn Reader,
    actor: Actor,
    /// What holds in each container, as the ledger or an earlier line says.
    policies: HashMap<ContainerTag, ContainerPolicy>,
    /// Evidence of earlier lines: whether it would only be a record today.
    records: HashMap<EvidenceId, bool>,
}

impl Desk<'_> {
    fn prepare(&mut self, number: usize, line: &Value) -> Result<Prepared, ServiceError> {
        let id = line.get("id").or_else(|| line.get("tag"));
        let id = id.and_then(Value::as_str).map(|text| self.shown(text));
        let mut prepared = Prepared {
            number,
            id,
            outcome: TakenIn::Whole,
            reason: String::new(),
            content: Err(Invalid::new("", Problem::Empty)),
        };
        let blank = |_: &str| testimony_domain::Redacted::default();
        prepared.content = match record(line, &blank) {
            Ok(raw) => self.ready(&raw, line, &mut prepared)?,
            Err(invalid) => Err(invalid),
        };
        Ok(prepared)
    }

    /// An id as it can be told of; what is none may be anything.
    fn shown(&self, text: &str) -> String {
        let usual = ContainerPolicy::default();
        self.service.redact(&usual, text).head(128).to_string()
    }

    fn ready(
        &mut self,
        raw: &Record,
        line: &Value,
        prepared: &mut Prepared,
    ) -> Result<Result<Ready, Invalid>, ServiceError> {
        let policy = self.policy_for(raw)?;
        let checked = self.service.check_line(&policy, line, said(raw, line));
        if checked.is_redacted {
            prepared.outcome = TakenIn::Redacted;
            "It held a credential, which was taken out of it.".clone_into(&mut prepared.reason);
        }
        let text = checked.text.clone();
        let record = match record(&checked.line, &|_| text.clone()) {
            Ok(record) => record,
            Err(invalid) => return Ok(Err(invalid)),
        };
        let mut ready = Ready {
            record,
            line: checked.line.clone(),
            case: None,
            vector: None,
            waits_for_vector: false,
        };
        self.admit(&mut ready, &policy, &checked, prepared)?;
        Ok(Ok(ready))
    }

    fn policy_for(&self, record: &Record) -> Result<ContainerPolicy, LedgerError> {
        let tag = match record {
            Record::Evidence(kept) => kept.evidence.partition.container(),
            Record::Memory(told) => told.memory.partition.container(),
            Record::Case(case) => &case.container,
            Record::Header | Record::Container(_) | Record::Fact(_) | Record::Link(_) => {
                return Ok(ContainerPolicy::default());
            }
        };
        if let Some(known) = self.policies.get(tag) {
            return Ok(known.clone());
        }
        let kept = self.reader.container(tag)?;
        Ok(kept.map(|container| container.policy).unwrap_or_default())
    }

    fn admit(
        &mut self,
        ready: &mut Ready,
        policy: &ContainerPolicy,
        checked: &Checked,
        prepared: &mut Prepared,
    ) -> Result<(), LedgerError> {
        match &mut ready.record {
            Record::Container(container) => {
                let known = self.reader.container(&container.tag)?;
                if known.is_none() {
                    // A file is somebody's word, and no word opens the gate that it has to pass.
                    container.policy.exempt_rules.clear();
                    container.policy.allowed_fingerprints.clear();
                }
                let policy = known.map_or(container.policy.clone(), |known| known.policy);
                self.policies.insert(container.tag.clone(), policy);
            }
            Record::Evidence(kept) => {
                let only_record = checked.route == testimony_admission::ruling::Route::Forensic;
                self.records.insert(kept.evidence.id, only_record);
            }
            Record::Memory(told) => {
                let only_records = self.only_records(policy, &told.memory)?;
                if let Some(held) = checked.hold(told, only_records) {
                    ready.case = held.case;
                    prepared.hold(checked, &told.memory);
                    let now = self.service.clock.now();
                    told.history.push(self.line_of(&told.memory, now));
                } else if told.history.is_empty() {
                    let line = self.line_of(&told.memory, told.memory.created_at);
                    told.history.push(line);
                }
            }
            Record::Header | Record::Fact(_) | Record::Link(_) | Record::Case(_) => {}
        }
        Ok(())
    }

    /// The condition of a memory as a line of its history, by whoever takes it in.
    fn line_of(&self, memory: &Memory, at: Timestamp) -> HistoryLine {
        HistoryLine {
            seq: Seq::default(),
            at,
            by: self.actor,
            event: None,
            condition: Condition::of(memory),
        }
    }

    /// Whether all that a memory was drawn from would be no more than a record today.
    fn only_records(
        &mut self,
        policy: &ContainerPolicy,
        memory: &Memory,
    ) -> Result<bool, LedgerError> {
        for id in &memory.evidence {
            if !self.records.contains_key(id) {
                let kept = self.reader.evidence(&[*id])?.pop();
                let only_record = kept.is_some_and(|kept| {
                    let evidence = &kept.evidence;
                    let said = Said {
                        text: evidence.text.as_str(),
                        class: evidence.origin.class,
                        kind: Some(memory.kind),
                        observed_at: evidence.observed_at,
                    };
                    self.service.is_record_only(policy, said)
                });
                self.records.insert(*id, only_record);
            }
        }
        let mut known = memory.evidence.iter().filter_map(|id| self.records.get(id));
        Ok(known.all(|only_record| *only_record))
    }
}

/// The text of a line, with what is known of its writer.
fn said<'a>(record: &Record, line: &'a Value) -> Said<'a> {
    let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default();
    match record {
        Record::Evidence(kept) => Said {
            text: text("text"),
            class: kept.evidence.origin.class,
            kind: None,
            observed_at: kept.evidence.observed_at,
        },
        Record::Memory(told) => Said {
            text: text("content"),
            class: told.memory.class,
            kind: Some(told.memory.kind),
            observed_at: told.memory.observed_at,
        },
        Record::Header
        | Record::Container(_)
        | Record::Fact(_)
        | Record::Link(_)
        | Record::Case(_) => Said::NOTHING,
    }
}

/// Takes rows in, within one piece of work.
struct Taking<'w> {
    writer: &'w mut dyn Writer,
    ids: &'w dyn Ids,
    /// The embedder of a container that has none yet.
    wanted: &'w EmbedderIdentity,
}

/// Whether a row came in, is known, or is refused and why.
enum Came {
    In,
    Known,
    Refused(String),
}

impl Came {
    fn otherwise() -> Self {
        Self::Refused("it is here already and says otherwise; nothing was changed".to_owned())
    }
}

impl Taking<'_> {
    fn line(&mut self, prepared: Prepared) -> Result<ImportLine, LedgerError> {
        let came = match &prepared.content {
            Ok(ready) => refusable(self.ready(ready))?,
            Err(invalid) => Came::Refused(format!("{invalid}")),
        };
        let (outcome, reason) = match came {
            Came::In => (prepared.outcome, prepared.reason),
            Came::Known => (TakenIn::Known, String::new()),
            Came::Refused(why) => (TakenIn::Refused, why),
        };
        Ok(ImportLine {
            line: prepared.number,
            id: prepared.id,
            outcome,
            reason,
        })
    }

    fn ready(&mut self, ready: &Ready) -> Result<Came, LedgerError> {
        match &ready.record {
            Record::Header => Ok(Came::Known),
            Record::Container(container) => self.container(container),
            Record::Evidence(kept) => {
                let there = self.writer.evidence(&[kept.evidence.id])?.pop();
                match there {
                    Some(there) => Ok(compared(&lines::evidence(&there), &ready.line)),
                    None => self.writer.keep_evidence(kept).map(|()| Came::In),
                }
            }
            Record::Memory(told) => self.memory(told, ready),
            Record::Fact(fact) => self.fact(fact),
            Record::Link(link) => {
                let known = self.writer.links(link.from)?.contains(link);
                if known {
                    return Ok(Came::Known);
                }
                self.writer.link(*link).map(|()| Came::In)
            }
            Record::Case(case) => match self.writer.case(case.id)? {
                Some(there) => Ok(compared(&lines::case(&there), &ready.line)),
                None => self.writer.take_in_case(case).map(|()| Came::In),
            },
        }
    }

    /// A fact is made by its first memory; its own line says the rest of it, once. One that lives here, or whose memory
    /// was erased here, stays as it is.
    fn fact(&mut self, fact: &Fact) -> Result<Came, LedgerError> {
        let there = self.writer.fact(fact.id)?;
        if there.as_ref() == Some(fact) {
            return Ok(Came::Known);
        }
        let current = self.writer.memories(&[fact.current])?.pop();
        if current.is_some_and(|memory| memory.state == State::Erased) {
            return Ok(Came::Refused("its memory was erased here".to_owned()));
        }
        if let Some(there) = there {
            let settled = self.came_in(&ObjectRef::Fact(there.id))?;
            if settled || !self.came_in(&ObjectRef::Memory(there.current))? {
                return Ok(Came::otherwise());
            }
        }
        self.writer.take_in_fact(fact).map(|()| Came::In)
    }

    /// Whether a row came in by an import.
    fn came_in(&self, object: &ObjectRef) -> Result<bool, LedgerError> {
        let filter = EventFilter {
            object: Some(object.to_string()),
            action: Some(Action::TakenIn),
            ..EventFilter::default()
        };
        let found = self.writer.events(&filter, Page::first(1))?;
        Ok(!found.is_empty())
    }

    fn container(&mut self, container: &Container) -> Result<Came, LedgerError> {
        let Some(there) = self.writer.container(&container.tag)? else {
            return self.writer.make_container(container).map(|()| Came::In);
        };
        Ok(compared(
            &lines::container(&there),
            &lines::container(container),
        ))
    }

    fn memory(&mut self, told: &Told, ready: &Ready) -> Result<Came, LedgerError> {
        let memory = &told.memory;
        if let Some(there) = self.writer.memories(&[memory.id])?.pop() {
            let there = whole(as_reader(self.writer), &there, None)?;
            return Ok(compared(
                &as_held(&there, None),
                &as_held(&ready.line, Some(memory)),
            ));
        }
        let named: Vec<EvidenceId> = told.supports.iter().map(|it| it.evidence).collect();
        if self.writer.living_evidence(&named)?.len() != named.len() {
            let why = "evidence that speaks for or against it is not here; take that in first";
            return Ok(Came::Refused(why.to_owned()));
        }
        self.writer.take_in_memory(memory, &told.history)?;
        for support in &told.supports {
            self.writer.add_support(support)?;
        }
        self.mention(told)?;
        self.embed(memory, ready)?;
        if let Some(kind) = ready.case {
            self.open_case(kind, memory)?;
        }
        Ok(Came::In)
    }

    /// Names what a memory speaks of; a thing that is known here by its name is that thing.
    fn mention(&mut self, told: &Told) -> Result<(), LedgerError> {
        let container = told.memory.partition.container();
        for entity in &told.mentions {
            let known = self.writer.entity(container, &entity.name)?;
            let id = match known {
                Some(known) => known.id,
                None => match self.writer.name_entity(container, entity) {
                    Ok(()) => entity.id,
                    Err(LedgerError::Exists { .. }) => {
                        let mut own = entity.clone();
                        own.id = EntityId::mint(self.ids);
                        own.aliases.clear();
                        self.writer.name_entity(container, &own)?;
                        own.id
                    }
                    Err(error) => return Err(error),
                },
            };
            self.writer.mention(told.memory.id, id)?;
        }
        Ok(())
    }

    fn embed(&mut self, memory: &Memory, ready: &Ready) -> Result<(), LedgerError> {
        let tag = memory.partition.container();
        if let Some(vector) = &ready.vector {
            let container = self.writer.container(tag)?;
            let own = container.and_then(|container| container.embedder);
            if own.is_none() {
                self.writer.set_embedder(tag, self.wanted)?;
            }
            return self.writer.keep_embedding(&Embedding {
                memory: memory.id,
                embedder: own.unwrap_or_else(|| self.wanted.clone()),
                vector: vector.clone(),
            });
        }
        if !ready.waits_for_vector {
            return Ok(());
        }
        let (id, now) = (JobId::mint(self.ids), self.writer.act().at);
        let job = Job::new(id, JobKind::Embed, tag.clone(), Some(memory.id), now);
        self.writer.queue_job(&job).map(drop)
    }

    fn open_case(&mut self, kind: CaseKind, memory: &Memory) -> Result<(), LedgerError> {
        let case = ReviewCase {
            id: CaseId::mint(self.ids),
            container: memory.partition.container().clone(),
            kind,
            group: group_of(memory),
            memory: memory.id,
            against: Vec::new(),
            note: None,
            opened_at: self.writer.act().at,
            closed: None,
        };
        self.writer.open_case(&case).map(drop)
    }
}

fn as_reader(writer: &dyn Writer) -> &dyn Reader {
    writer
}

/// What is wrong with one line is no failure of the batch.
fn refusable(came: Result<Came, LedgerError>) -> Result<Came, LedgerError> {
    match came {
        Err(
            error @ (LedgerError::Missing { .. }
            | LedgerError::Changed { .. }
            | LedgerError::Exists { .. }),
        ) => Ok(Came::Refused(error.to_string())),
        Ok(_) | Err(_) => came,
    }
}

fn compared(here: &Value, told: &Value) -> Came {
    if here == told {
        return Came::Known;
    }
    Came::otherwise()
}

/// A memory's line as it is compared: how it came to be what it is may be told differently, and where admission holds it is
/// where it is.
fn as_held(line: &Value, held: Option<&Memory>) -> Value {
    let mut line = line.clone();
    if let Value::Object(members) = &mut line {
        members.remove("history");
        members.remove("mentions");
        if let Some(memory) = held {
            let condition = lines::condition(&Condition::of(memory));
            members.insert("condition".to_owned(), condition);
        }
    }
    line
}
