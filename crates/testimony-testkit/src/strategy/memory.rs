//! Rows in every state, class and standing, whether or not the tables would ever bring them there.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{BoxedStrategy, Strategy, any, prop_oneof};
use testimony_domain::{
    Event, Evidence, EvidenceId, FactId, Memory, MemoryId, MemoryKind, MemoryScope, Origin,
    Partition, Plane, Polarity, Reason, Redacted, ReviewNeed, Slot, SlotKey, SourceClass,
    SourceLabel, SourceRef, State, Support, Validity,
};

use super::identity::{agents, containers, keys, labels, owners, runs, source_apps};
use super::one_of;
use super::text::{giant_texts, hostile_texts};
use super::time::instants;

const MOST_EVIDENCE: u128 = 8;

fn id(number: u128) -> uuid::Uuid {
    uuid::Uuid::from_u128(number)
}

/// One of a few ids of evidence.
pub fn evidence_ids() -> impl Strategy<Value = EvidenceId> + Clone {
    (1..=MOST_EVIDENCE).prop_map(|number| EvidenceId::from_uuid(id(number)))
}

/// One of a few ids of memories.
pub fn memory_ids() -> impl Strategy<Value = MemoryId> + Clone {
    (1_u128..=6).prop_map(|number| MemoryId::from_uuid(id(number)))
}

/// Where a row may live.
pub fn partitions() -> BoxedStrategy<Partition> {
    let place = (containers(), one_of(Plane::ALL), one_of(MemoryScope::ALL));
    (place, owners(), labels())
        .prop_map(|((container, plane, scope), owner, labels)| {
            Partition::stored(container, plane, scope, owner, labels)
        })
        .boxed()
}

/// A question with its answer, from a few words.
pub fn slots() -> impl Strategy<Value = Slot> + Clone {
    let word = || one_of(&["pump", "pressure", "colour", "5", ""]).prop_map(str::to_owned);
    let key = (word(), word(), word());
    (key, word(), option::of(word()), any::<bool>()).prop_map(
        |((subject, attribute, scope), value, unit, negated)| Slot {
            key: SlotKey {
                subject,
                attribute,
                scope,
            },
            value,
            unit,
            negated,
        },
    )
}

/// When a claim may hold; the ends can be the wrong way round.
pub fn validities() -> impl Strategy<Value = Validity> + Clone {
    let end = || option::weighted(0.3, instants());
    (end(), end()).prop_map(|(from, until)| Validity { from, until })
}

/// Any source label.
fn source_labels() -> impl Strategy<Value = SourceLabel> + Clone {
    one_of(&["api", "mail", "agent_runtime"]).prop_filter_map("a word is a label", |word| {
        SourceLabel::new("strategy", word).ok()
    })
}

/// Any row.
pub fn memories() -> BoxedStrategy<Memory> {
    let is = (
        memory_ids(),
        one_of(MemoryKind::ALL),
        option::of(slots()),
        prop_oneof![15 => hostile_texts(), 1 => giant_texts()],
    );
    let stands = (
        one_of(State::ALL),
        one_of(SourceClass::ALL),
        (
            any::<bool>(),
            option::weighted(0.2, one_of(ReviewNeed::ALL)),
            any::<bool>(),
        ),
        0_usize..4,
        vec(one_of(Reason::ALL), 0..2),
    );
    let lives = (partitions(), source_labels(), option::of(source_apps()));
    let when = (
        instants(),
        instants(),
        validities(),
        option::weighted(0.2, instants()),
    );
    let rests_on = vec(evidence_ids(), 0..4);
    (is, stands, lives, when, rests_on, 1_u32..4)
        .prop_map(|(is, stands, lives, when, evidence, revision)| {
            let (id, kind, slot, content) = is;
            let (state, class, (approved, review, contested), origins, reasons) = stands;
            let (partition, source, source_app) = lives;
            let (observed_at, created_at, validity, expires_at) = when;
            Memory {
                id,
                fact: FactId::from_uuid(uuid::Uuid::from_u128(1)),
                revision,
                content: Redacted::attest(content),
                kind,
                slot,
                entities: Vec::new(),
                speaker: None,
                partition,
                class,
                source,
                source_app,
                tags: Vec::new(),
                custom_id: None,
                state,
                approved,
                review,
                contested,
                origins,
                reasons,
                evidence,
                observed_at,
                created_at,
                validity,
                expires_at,
            }
        })
        .boxed()
}

/// Rows that one origin of a weak class said, and nobody approved.
pub fn weak_single_origin_memories() -> BoxedStrategy<Memory> {
    let weak = SourceClass::ALL
        .iter()
        .filter(|class| !class.is_known_at_once());
    let weak: Vec<SourceClass> = weak.copied().collect();
    let said = (memories(), proptest::sample::select(weak), evidence_ids());
    said.prop_map(|(mut memory, class, evidence)| {
        memory.class = class;
        memory.state = State::Pending;
        memory.approved = false;
        memory.origins = 1;
        memory.evidence = vec![evidence];
        memory
    })
    .boxed()
}

/// Where evidence may come from.
pub fn origins() -> BoxedStrategy<Origin> {
    let document = one_of(&["mail 1", "page 2"]).prop_filter_map("a word is a reference", |word| {
        SourceRef::new("strategy", word).ok()
    });
    let through = (keys(), option::of(agents()), option::of(runs()));
    let of = (option::weighted(0.3, document), one_of(SourceClass::ALL));
    (through, of, proptest::bool::weighted(0.2))
        .prop_map(|((key, agent, run), (source, class), echo)| Origin {
            key,
            agent,
            run,
            source,
            class,
            echo,
        })
        .boxed()
}

/// Any piece of evidence.
pub fn evidence() -> BoxedStrategy<Evidence> {
    let says = (evidence_ids(), hostile_texts(), source_labels());
    (says, partitions(), origins(), instants(), instants())
        .prop_map(
            |((id, text, label), partition, origin, observed_at, recorded_at)| Evidence {
                id,
                partition,
                origin,
                label,
                text: Redacted::attest(text),
                observed_at,
                recorded_at,
            },
        )
        .boxed()
}

/// Any link between a memory and a piece of evidence.
pub fn supports() -> BoxedStrategy<Support> {
    (
        memory_ids(),
        evidence_ids(),
        one_of(Polarity::ALL),
        origins(),
    )
        .prop_map(|(memory, evidence, polarity, origin)| Support {
            memory,
            evidence,
            polarity,
            origin,
        })
        .boxed()
}

/// What may happen to a row, one thing after another.
pub fn event_sequences() -> impl Strategy<Value = Vec<Event>> + Clone {
    vec(one_of(Event::ALL), 0..24)
}
