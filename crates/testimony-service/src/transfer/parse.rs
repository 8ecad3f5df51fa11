//! The lines of an export as rows. Nothing is believed: every word, label, id and number is read by the type that it is to
//! become, and what cannot be that is refused with its place.

use serde_json::{Map, Value};
use testimony_domain::{
    AgentId, AppId, ContainerTag, CustomId, Entity, Event, Evidence, Fact, Invalid, Labels, Memory,
    MemoryId, MemoryKind, MemoryScope, OrgId, Origin, Owner, Partition, Plane, Polarity, Problem,
    Reason, Redacted, ReviewNeed, RunId, Slot, SlotKey, SourceApp, SourceClass, SourceLabel,
    SourceRef, Speaker, State, Support, Tag, Timestamp, UserId, Validity,
};

use crate::ports::ledger::Made;
use crate::ports::ledger::audit::{Actor, Seq};
use crate::ports::ledger::containers::{Container, ContainerPolicy};
use crate::ports::ledger::evidence::Kept;
use crate::ports::ledger::memories::{Condition, HistoryLine, Link, Relation};
use crate::ports::ledger::reviews::{CaseKind, Closing, ReviewCase};

/// A row that a line stands for.
#[derive(Clone, Debug)]
pub(super) enum Record {
    Header,
    Container(Box<Container>),
    Evidence(Box<Kept>),
    Memory(Box<Told>),
    Fact(Fact),
    Link(Link),
    Case(Box<ReviewCase>),
}

/// A memory as another ledger tells of it.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) memory: Memory,
    pub(super) history: Vec<HistoryLine>,
    pub(super) supports: Vec<Support>,
    pub(super) mentions: Vec<Entity>,
}

type Read<T> = Result<T, Invalid>;

/// Looks through a text for secrets.
pub(super) type Redact<'a> = &'a dyn Fn(&str) -> Redacted;

/// Reads a line.
pub(super) fn record(line: &Value, redact: Redact<'_>) -> Read<Record> {
    let line = Line::of(line, "")?;
    match line.text("record")? {
        "header" => Ok(Record::Header),
        "container" => container(&line).map(Box::new).map(Record::Container),
        "evidence" => evidence(&line, redact).map(Box::new).map(Record::Evidence),
        "memory" => told(&line, redact).map(Box::new).map(Record::Memory),
        "fact" => fact(&line).map(Record::Fact),
        "link" => link(&line).map(Record::Link),
        "case" => case(&line).map(Box::new).map(Record::Case),
        _ => Err(line.wrong(
            "record",
            "header, container, evidence, memory, fact, link or case",
        )),
    }
}

/// An object with the place at which it stands in its line.
struct Line<'a> {
    members: &'a Map<String, Value>,
    at: String,
}

impl<'a> Line<'a> {
    fn of(value: &'a Value, at: &str) -> Read<Self> {
        let expected = "a JSON object";
        let members = value.as_object();
        let members = members.ok_or_else(|| Invalid::new(at, Problem::Malformed { expected }))?;
        Ok(Self {
            members,
            at: at.to_owned(),
        })
    }

    fn named(&self, name: &str) -> String {
        format!("{}/{name}", self.at)
    }

    fn wrong(&self, name: &str, expected: &'static str) -> Invalid {
        Invalid::new(&self.named(name), Problem::Malformed { expected })
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    fn text(&self, name: &str) -> Read<&'a str> {
        let text = self.value(name).and_then(Value::as_str);
        text.ok_or_else(|| self.wrong(name, "a text"))
    }

    fn maybe_text(&self, name: &str) -> Read<Option<&'a str>> {
        self.value(name).map(|_| self.text(name)).transpose()
    }

    fn owned(&self, name: &str) -> Read<String> {
        self.text(name).map(str::to_owned)
    }

    fn maybe_owned(&self, name: &str) -> Read<Option<String>> {
        Ok(self.maybe_text(name)?.map(str::to_owned))
    }

    fn flag(&self, name: &str) -> Read<bool> {
        let flag = self.value(name).and_then(Value::as_bool);
        flag.ok_or_else(|| self.wrong(name, "true or false"))
    }

    fn maybe_number<T: TryFrom<u64>>(&self, name: &str) -> Read<Option<T>> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        let number = value.as_u64().and_then(|number| T::try_from(number).ok());
        number
            .map(Some)
            .ok_or_else(|| self.wrong(name, "a whole number that is not negative"))
    }

    fn number<T: TryFrom<u64>>(&self, name: &str) -> Read<T> {
        self.maybe_number(name)?
            .ok_or_else(|| self.wrong(name, "a whole number that is not negative"))
    }

    /// A word or label, by the type that it is to become.
    fn word<T>(&self, name: &str, read: fn(&str, &str) -> Read<T>) -> Read<T> {
        read(&self.named(name), self.text(name)?)
    }

    fn maybe_word<T>(&self, name: &str, read: fn(&str, &str) -> Read<T>) -> Read<Option<T>> {
        let text = self.maybe_text(name)?;
        text.map(|text| read(&self.named(name), text)).transpose()
    }

    fn words<T>(&self, name: &str, read: fn(&str, &str) -> Read<T>) -> Read<Vec<T>> {
        let texts = self.texts(name)?;
        texts
            .iter()
            .map(|text| read(&self.named(name), text))
            .collect()
    }

    fn texts(&self, name: &str) -> Read<Vec<String>> {
        let expected = "a list of texts";
        let list = self.value(name).and_then(Value::as_array);
        let list = list.ok_or_else(|| self.wrong(name, expected))?;
        let texts = list.iter().map(|text| text.as_str().map(str::to_owned));
        texts
            .collect::<Option<_>>()
            .ok_or_else(|| self.wrong(name, expected))
    }

    fn id<T: std::str::FromStr<Err = Invalid>>(&self, name: &str) -> Read<T> {
        self.read_id(name, self.text(name)?)
    }

    fn read_id<T: std::str::FromStr<Err = Invalid>>(&self, name: &str, text: &str) -> Read<T> {
        text.parse().map_err(|invalid: Invalid| Invalid {
            field: self.named(name),
            ..invalid
        })
    }

    fn ids<T: std::str::FromStr<Err = Invalid>>(&self, name: &str) -> Read<Vec<T>> {
        let texts = self.texts(name)?;
        texts.iter().map(|text| self.read_id(name, text)).collect()
    }

    fn maybe_time(&self, name: &str) -> Read<Option<Timestamp>> {
        let text = self.maybe_text(name)?;
        let time = text.map(str::parse).transpose();
        time.map_err(|_| self.wrong(name, "2026-05-01T09:30:00Z"))
    }

    fn time(&self, name: &str) -> Read<Timestamp> {
        self.maybe_time(name)?
            .ok_or_else(|| self.wrong(name, "2026-05-01T09:30:00Z"))
    }

    fn actor(&self, name: &str) -> Read<Actor> {
        let text = self.text(name)?;
        let unnamed = [Actor::Service, Actor::Host]
            .into_iter()
            .find(|actor| actor.to_string() == text);
        let named = || {
            let key = text.parse().ok().map(Actor::Key);
            key.or_else(|| text.parse().ok().map(Actor::Person))
        };
        unnamed
            .or_else(named)
            .ok_or_else(|| self.wrong(name, "the id of a key or person, `host` or `service`"))
    }

    fn below(&self, name: &str) -> Read<Self> {
        let value = self.members.get(name).unwrap_or(&Value::Null);
        Self::of(value, &self.named(name))
    }

    fn maybe_below(&self, name: &str) -> Read<Option<Self>> {
        self.value(name).map(|_| self.below(name)).transpose()
    }

    fn each<T>(&self, name: &str, read: impl Fn(&Self) -> Read<T>) -> Read<Vec<T>> {
        let list = self.value(name).and_then(Value::as_array);
        let list = list.ok_or_else(|| self.wrong(name, "a list of objects"))?;
        let each = list.iter().enumerate().map(|(index, value)| {
            let at = format!("{}/{index}", self.named(name));
            read(&Self::of(value, &at)?)
        });
        each.collect()
    }
}

fn container(line: &Line<'_>) -> Read<Container> {
    Ok(Container {
        tag: line.word("tag", ContainerTag::new)?,
        made: Made {
            at: line.time("made_at")?,
            by: line.actor("made_by")?,
        },
        policy: ContainerPolicy {
            pending_expires_after_hours: line.maybe_number("pending_expires_after_hours")?,
            evidence_kept_days: line.maybe_number("evidence_kept_days")?,
            exempt_rules: line.texts("exempt_rules")?,
            allowed_fingerprints: line.texts("allowed_fingerprints")?,
        },
        embedder: None,
    })
}

fn evidence(line: &Line<'_>, redact: Redact<'_>) -> Read<Kept> {
    let metadata = line.maybe_below("metadata")?;
    Ok(Kept {
        evidence: Evidence {
            id: line.id("id")?,
            partition: place(&line.below("place")?)?,
            origin: origin(&line.below("origin")?)?,
            label: line.word("label", SourceLabel::new)?,
            text: redact(line.text("text")?),
            observed_at: line.time("observed_at")?,
            recorded_at: line.time("recorded_at")?,
        },
        reasons: line.words("reasons", Reason::parse)?,
        metadata: metadata.map(|it| Value::Object(it.members.clone()).to_string()),
    })
}

fn told(line: &Line<'_>, redact: Redact<'_>) -> Read<Told> {
    let memory = memory(line, redact)?;
    let id = memory.id;
    Ok(Told {
        history: line.each("history", happened)?,
        supports: line.each("supports", |line| support(line, id))?,
        mentions: line.each("mentions", entity)?,
        memory,
    })
}

fn memory(line: &Line<'_>, redact: Redact<'_>) -> Read<Memory> {
    let condition = condition(&line.below("condition")?)?;
    let blank = Memory {
        id: line.id("id")?,
        fact: line.id("fact")?,
        revision: line.number("revision")?,
        content: redact(line.text("content")?),
        kind: line.word("kind", MemoryKind::parse)?,
        slot: line.maybe_below("slot")?.map(|it| slot(&it)).transpose()?,
        entities: line.texts("entities")?,
        speaker: line.maybe_word("speaker", Speaker::new)?,
        partition: place(&line.below("place")?)?,
        class: line.word("class", SourceClass::parse)?,
        source: line.word("source", SourceLabel::new)?,
        source_app: line.maybe_word("source_app", SourceApp::new)?,
        tags: line.words("tags", Tag::new)?,
        custom_id: line.maybe_word("custom_id", CustomId::new)?,
        evidence: line.ids("evidence")?,
        observed_at: line.time("observed_at")?,
        created_at: line.time("created_at")?,
        state: condition.state,
        approved: false,
        review: None,
        contested: false,
        origins: 0,
        reasons: Vec::new(),
        validity: Validity::default(),
        expires_at: None,
    };
    Ok(condition.applied_to(&blank))
}

fn happened(line: &Line<'_>) -> Read<HistoryLine> {
    Ok(HistoryLine {
        seq: Seq::default(),
        at: line.time("at")?,
        by: line.actor("by")?,
        event: line.maybe_word("event", Event::parse)?,
        condition: condition(&line.below("condition")?)?,
    })
}

fn condition(line: &Line<'_>) -> Read<Condition> {
    Ok(Condition {
        state: line.word("state", State::parse)?,
        approved: line.flag("approved")?,
        review: line.maybe_word("review", ReviewNeed::parse)?,
        contested: line.flag("contested")?,
        origins: line.number("origins")?,
        reasons: line.words("reasons", Reason::parse)?,
        validity: Validity {
            from: line.maybe_time("valid_from")?,
            until: line.maybe_time("valid_until")?,
        },
        expires_at: line.maybe_time("expires_at")?,
    })
}

fn support(line: &Line<'_>, memory: MemoryId) -> Read<Support> {
    Ok(Support {
        memory,
        evidence: line.id("evidence")?,
        polarity: line.word("polarity", Polarity::parse)?,
        origin: origin(&line.below("origin")?)?,
    })
}

fn entity(line: &Line<'_>) -> Read<Entity> {
    Ok(Entity {
        id: line.id("id")?,
        name: line.owned("name")?,
        aliases: line.texts("aliases")?,
    })
}

fn origin(line: &Line<'_>) -> Read<Origin> {
    Ok(Origin {
        key: line.id("key")?,
        agent: line.maybe_word("agent", AgentId::new)?,
        run: line.maybe_word("run", RunId::new)?,
        source: line.maybe_word("source", SourceRef::new)?,
        class: line.word("class", SourceClass::parse)?,
        echo: line.flag("echo")?,
    })
}

fn place(line: &Line<'_>) -> Read<Partition> {
    let agent = line.maybe_word("agent", AgentId::new)?;
    let owner = match (agent, line.maybe_text("key")?) {
        (Some(agent), None) => Owner::Agent(agent),
        (None, Some(_)) => Owner::Key(line.id("key")?),
        (Some(_), Some(_)) | (None, None) => {
            return Err(line.wrong("agent", "an owner: either an agent or a key"));
        }
    };
    let labels = Labels {
        user: line.maybe_word("user", UserId::new)?,
        app: line.maybe_word("app", AppId::new)?,
        org: line.maybe_word("org", OrgId::new)?,
        run: line.maybe_word("run", RunId::new)?,
    };
    Ok(Partition::stored(
        line.word("container", ContainerTag::new)?,
        line.word("plane", Plane::parse)?,
        line.word("scope", MemoryScope::parse)?,
        owner,
        labels,
    ))
}

fn slot(line: &Line<'_>) -> Read<Slot> {
    Ok(Slot {
        key: slot_key(line)?,
        value: line.owned("value")?,
        unit: line.maybe_owned("unit")?,
        negated: line.flag("negated")?,
    })
}

fn slot_key(line: &Line<'_>) -> Read<SlotKey> {
    Ok(SlotKey {
        subject: line.owned("subject")?,
        attribute: line.owned("attribute")?,
        scope: line.owned("scope")?,
    })
}

fn fact(line: &Line<'_>) -> Read<Fact> {
    let slot = line.maybe_below("slot")?;
    Ok(Fact {
        id: line.id("id")?,
        slot: slot.map(|it| slot_key(&it)).transpose()?,
        current: line.id("current")?,
    })
}

fn link(line: &Line<'_>) -> Read<Link> {
    Ok(Link {
        from: line.id("from")?,
        relation: line.word("relation", Relation::parse)?,
        to: line.id("to")?,
    })
}

fn case(line: &Line<'_>) -> Read<ReviewCase> {
    let closed = line.maybe_below("closed")?;
    Ok(ReviewCase {
        id: line.id("id")?,
        container: line.word("container", ContainerTag::new)?,
        kind: line.word("kind", CaseKind::parse)?,
        group: line.owned("group")?,
        memory: line.id("memory")?,
        against: line.ids("against")?,
        note: line.maybe_owned("note")?,
        opened_at: line.time("opened_at")?,
        closed: closed.map(|it| closing(&it)).transpose()?,
    })
}

fn closing(line: &Line<'_>) -> Read<Closing> {
    Ok(Closing {
        at: line.time("at")?,
        by: line.actor("by")?,
        decision: line.owned("decision")?,
        note: line.maybe_owned("note")?,
    })
}
