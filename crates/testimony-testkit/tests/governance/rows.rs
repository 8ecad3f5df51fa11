//! What is knocked for: a row of every standing in every state that the verdict table gives it, and two private ones.

use testimony_domain::{
    Evidence, EvidenceId, FactId, Labels, Memory, MemoryId, MemoryKind, MemoryScope, Origin, Owner,
    Partition, Plane, Redacted, ReviewNeed, SourceClass, SourceLabel, Standing, State, Validity,
    words,
};
use testimony_testkit::strategy::time::hours_after_noon;

use crate::actors::{agent, container, key, user};

words! {
    /// Where a row lives.
    pub(crate) enum Place {
        Shared = "shared",
        Scratch = "working plane",
        AgentScope = "agent scope",
    }
}

/// One row of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) standing: Standing,
    pub(crate) state: State,
    pub(crate) place: Place,
}

/// Every row: shared ones of every standing and state, and clean ones in each private place.
pub(crate) fn rows() -> Vec<Row> {
    let of_standing = |standing: &Standing, place| {
        let standing = *standing;
        let states = standing.row().states.iter().copied();
        states.map(move |state| Row {
            standing,
            state,
            place,
        })
    };
    let shared = Standing::ALL
        .iter()
        .flat_map(|one| of_standing(one, Place::Shared));
    let private = Place::ALL.iter().filter(|place| **place != Place::Shared);
    let clean = private.flat_map(|place| of_standing(&Standing::CleanPerson, *place));
    shared.chain(clean).collect()
}

/// What each row says.
pub(crate) const STATEMENT: &str = "The harbour office closes at 17:00.";
/// The question that it answers.
pub(crate) const QUESTION: &str = "When does the harbour office close?";

impl Row {
    const fn class(self) -> SourceClass {
        match self.standing {
            Standing::CleanTool => SourceClass::ToolResult,
            Standing::SingleOrigin | Standing::Established => SourceClass::AgentObservation,
            Standing::CleanPerson
            | Standing::AwaitsReview
            | Standing::Contested
            | Standing::Quarantined
            | Standing::Forensic
            | Standing::Superseded
            | Standing::Expired
            | Standing::Rejected
            | Standing::Erased => SourceClass::UserStatement,
        }
    }

    fn partition(self) -> Partition {
        let (plane, scope) = match self.place {
            Place::Shared => (Plane::Task, MemoryScope::User),
            Place::Scratch => (Plane::Working, MemoryScope::User),
            Place::AgentScope => (Plane::Task, MemoryScope::Agent),
        };
        Partition::stored(
            container(),
            plane,
            scope,
            Owner::Agent(agent("scout")),
            user("ada"),
        )
    }

    fn origins(self) -> u128 {
        if self.standing == Standing::Established {
            2
        } else {
            1
        }
    }

    /// The row as a memory.
    pub(crate) fn memory(self) -> Memory {
        let review = (self.standing == Standing::AwaitsReview).then_some(ReviewNeed::Requested);
        Memory {
            id: MemoryId::from_uuid(uuid::Uuid::from_u128(1)),
            fact: FactId::from_uuid(uuid::Uuid::from_u128(1)),
            revision: 1,
            content: Redacted::attest(STATEMENT),
            kind: MemoryKind::Fact,
            slot: None,
            entities: vec!["harbour office".to_owned()],
            speaker: None,
            partition: self.partition(),
            class: self.class(),
            source: SourceLabel::new("source", "api").unwrap(),
            source_app: None,
            tags: Vec::new(),
            custom_id: None,
            state: self.state,
            approved: false,
            review,
            contested: self.standing == Standing::Contested,
            origins: if self.standing == Standing::Established {
                2
            } else {
                1
            },
            reasons: Vec::new(),
            evidence: self.evidence().iter().map(|one| one.id).collect(),
            observed_at: hours_after_noon(-48),
            created_at: hours_after_noon(-48),
            validity: Validity::default(),
            expires_at: None,
        }
    }

    /// What speaks for it: one origin, or two that share nothing.
    pub(crate) fn evidence(self) -> Vec<Evidence> {
        let from = |number: u128| Evidence {
            id: EvidenceId::from_uuid(uuid::Uuid::from_u128(number)),
            partition: Partition::stored(
                container(),
                Plane::Task,
                MemoryScope::User,
                Owner::Agent(agent("scout")),
                Labels::default(),
            ),
            origin: Origin {
                key: key(number),
                agent: Some(agent(&format!("agent {number}"))),
                run: None,
                source: None,
                class: self.class(),
                echo: false,
            },
            label: SourceLabel::new("source", "api").unwrap(),
            text: Redacted::attest(STATEMENT),
            observed_at: hours_after_noon(-48),
            recorded_at: hours_after_noon(-48),
        };
        (1..=self.origins()).map(from).collect()
    }
}
