//! Containers: what makes and changes one, and how one is sent.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use testimony_admission::secrets::rules;
use testimony_domain::{ContainerTag, EvidenceDays, Invalid, PendingHours, Problem};
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::containers::{Container, ContainerPolicy};

use crate::wire::Notes;
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Form, Kind, Table, label};
use crate::wire::page::{PAGE, page};
use crate::wire::reader::{Log, Object};
use crate::wire::shape::{Member, Shape};

/// So many rules or fingerprints are listed for one container.
const MOST: usize = 100;

/// The ids of every rule about secrets.
static RULES: LazyLock<Vec<&'static str>> = LazyLock::new(|| rules().map(|rule| rule.id).collect());

const RULE: Kind = Kind::Form(Form {
    like: "the id of a rule",
    check: |field, text| {
        let allowed = RULES.as_slice();
        let known = allowed.contains(&text);
        known
            .then_some(())
            .ok_or_else(|| Invalid::new(field, Problem::NotOneOf { allowed }))
    },
});

const FINGERPRINT: Kind = Kind::Form(Form {
    like: "fp_ and 32 hexadecimal digits",
    check: |field, text| {
        let digits = text.strip_prefix("fp_").filter(|digits| digits.len() == 32);
        let known = digits.is_some_and(|digits| {
            digits
                .bytes()
                .all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
        });
        let expected = "fp_ and 32 hexadecimal digits, as a finding names it";
        known
            .then_some(())
            .ok_or_else(|| Invalid::new(field, Problem::Malformed { expected }))
    },
});

#[rustfmt::skip]
const POLICY: &[Field] = &[
    Field::new("pending_expires_after_hours", Kind::Whole("PendingHours"), "After how many hours a pending memory expires; `null` for never."),
    Field::new("evidence_kept_days", Kind::Whole("EvidenceDays"), "For how many days evidence is kept that no memory rests on; `null` for ever."),
    Field::new("exempt_rules", Kind::List(&RULE, MOST), "Rules about secrets that are switched off here."),
    Field::new("allowed_fingerprints", Kind::List(&FINGERPRINT, MOST), "Values that were found and are no secrets here."),
];

/// What makes a container. What is not said is as usual.
#[rustfmt::skip]
pub const MAKE: Table = &[&[
    Field::new("container_tag", label!(ContainerTag), "The name of the container, as it stands in paths.").required(),
], POLICY];

/// What changes a container. What is not said stays.
pub const CHANGE: Table = &[POLICY];

/// Which part of the list is wanted.
pub const LIST: Table = &[PAGE];

/// A change of a policy: each part that was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyChange {
    pending: Option<Option<u32>>,
    evidence: Option<Option<u32>>,
    exempt_rules: Option<Vec<String>>,
    allowed_fingerprints: Option<Vec<String>>,
}

impl PolicyChange {
    /// Changes a policy.
    pub fn carry_out(self, policy: &mut ContainerPolicy) {
        let policy_of_time = [
            (self.pending, &mut policy.pending_expires_after_hours),
            (self.evidence, &mut policy.evidence_kept_days),
        ];
        for (sent, kept) in policy_of_time {
            if let Some(sent) = sent {
                *kept = sent;
            }
        }
        let lists = [
            (self.exempt_rules, &mut policy.exempt_rules),
            (self.allowed_fingerprints, &mut policy.allowed_fingerprints),
        ];
        for (sent, kept) in lists {
            if let Some(sent) = sent {
                *kept = sent;
            }
        }
    }

    fn of(body: &Map<String, Value>, object: &Object<'_>, log: &mut Log) -> Self {
        let hours = object.whole("pending_expires_after_hours", log, PendingHours::new);
        let days = object.whole("evidence_kept_days", log, EvidenceDays::new);
        // In a change `null` takes away what holds (RFC 7396); what is absent stays.
        let is_sent = |name: &str| body.contains_key(name);
        let list = |name: &str| {
            is_sent(name).then(|| {
                let mut sent: Vec<String> = object.texts(name).map(str::to_owned).collect();
                sent.sort_unstable();
                sent.dedup();
                sent
            })
        };
        Self {
            pending: is_sent("pending_expires_after_hours").then(|| hours.map(PendingHours::get)),
            evidence: is_sent("evidence_kept_days").then(|| days.map(EvidenceDays::get)),
            exempt_rules: list("exempt_rules"),
            allowed_fingerprints: list("allowed_fingerprints"),
        }
    }
}

/// A container that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewContainer {
    /// Its tag; without one there was a fault.
    pub tag: Option<ContainerTag>,
    /// How its policy differs from the usual one.
    pub change: PolicyChange,
}

/// Reads what makes a container.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_new(body: &Map<String, Value>) -> Result<(NewContainer, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, MAKE, &mut log);
    let tag = object.read("container_tag", &mut log, ContainerTag::new);
    let change = PolicyChange::of(body, &object, &mut log);
    log.end(NewContainer { tag, change })
}

/// Reads what changes a container.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_change(body: &Map<String, Value>) -> Result<(PolicyChange, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, CHANGE, &mut log);
    let change = PolicyChange::of(body, &object, &mut log);
    log.end(change)
}

/// Reads which part of the list is wanted.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_list(query: &Map<String, Value>) -> Result<(Page<ContainerTag>, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, LIST, &mut log);
    let page = page(&object, &mut log, ContainerTag::new);
    log.end(page)
}

#[rustfmt::skip]
const EMBEDDER: &[Member] = &[
    Member::new("name", Shape::Text, "The embedder by which its memories are found."),
    Member::new("revision", Shape::Text, "Which revision of it."),
    Member::new("dimensions", Shape::Whole, "How many dimensions its vectors have."),
];

/// A container as it is sent.
#[rustfmt::skip]
pub const CONTAINER: &[Member] = &[
    Member::new("container_tag", Shape::Text, "Its name."),
    Member::new("made_at", Shape::Time, "When it was made."),
    Member::new("made_by", Shape::Text, "By whom."),
    Member::new("pending_expires_after_hours", Shape::Maybe(&Shape::Whole), "After how many hours a pending memory expires."),
    Member::new("evidence_kept_days", Shape::Maybe(&Shape::Whole), "For how many days evidence is kept that no memory rests on."),
    Member::new("exempt_rules", Shape::List(&Shape::Text), "Rules about secrets that are switched off."),
    Member::new("allowed_fingerprints", Shape::List(&Shape::Text), "Values that were found and are no secrets."),
    Member::new("embedder", Shape::Maybe(&Shape::Object(EMBEDDER)), "By what its memories are found by meaning."),
    Member::new("warnings", Shape::List(&Shape::Anything), "What is worth a word about the request.").at_times(),
];

/// A part of the list of containers.
#[rustfmt::skip]
pub const CONTAINERS: &[Member] = &[
    Member::new("items", Shape::List(&Shape::Object(CONTAINER)), "Containers in the order of their tags."),
    Member::new("next", Shape::Maybe(&Shape::Text), "Where to go on."),
];

/// A container as it is sent.
#[must_use]
pub fn sent(container: &Container) -> Value {
    let policy = &container.policy;
    let embedder = container
        .embedder
        .as_ref()
        .map(|it| json!({ "name": it.name, "revision": it.revision, "dimensions": it.dimensions }));
    json!({
        "container_tag": container.tag.as_str(),
        "made_at": container.made.at.to_string(),
        "made_by": container.made.by.to_string(),
        "pending_expires_after_hours": policy.pending_expires_after_hours,
        "evidence_kept_days": policy.evidence_kept_days,
        "exempt_rules": policy.exempt_rules,
        "allowed_fingerprints": policy.allowed_fingerprints,
        "embedder": embedder,
    })
}
