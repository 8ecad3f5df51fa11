//! Who knocks. The rows were written by the agent `scout` through key 1, for the person `ada`.

use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, Claim, ContainerGrant, ContainerTag, KeyId,
    Labels, Principal, PrincipalKind, SourceClass, UserId, words,
};
use testimony_testkit::strategy::time::hours_after_noon;

words! {
    /// Who knocks.
    pub(crate) enum Actor {
        Operator = "operator",
        Reviewer = "reviewer, a person",
        Writer = "writer, own key",
        WriterOtherKey = "same agent, other key",
        OtherAgent = "other agent, same container",
        ContainerScope = "other agent, container scope",
        OtherUser = "same agent, bound to another user",
        OtherContainer = "key of another container",
        Connector = "connector",
        Lacking = "writer without the capability",
        Expired = "writer, expired key",
    }
}

pub(crate) fn container() -> ContainerTag {
    ContainerTag::new("container_tag", "workspace").unwrap()
}

pub(crate) fn user(name: &str) -> Labels {
    Labels {
        user: UserId::new("user_id", name).ok(),
        ..Labels::default()
    }
}

pub(crate) fn key(number: u128) -> KeyId {
    KeyId::from_uuid(uuid::Uuid::from_u128(number))
}

pub(crate) fn agent(name: &str) -> AgentId {
    AgentId::new("agent_id", name).unwrap()
}

/// What every request says of itself: it is about ada.
pub(crate) fn claim() -> Claim {
    Claim {
        labels: user("ada"),
        ..Claim::default()
    }
}

fn writer() -> Principal {
    let everything = Capability::ALL.iter().copied();
    let of_agents = everything.filter(|one| !matches!(one, Capability::Admin | Capability::Review));
    Principal {
        key: key(1),
        kind: PrincipalKind::Agent,
        containers: ContainerGrant::Listed(vec![container()]),
        capabilities: Capabilities::of(of_agents),
        source_app: None,
        agent: Some(agent("scout")),
        agent_scope: AgentScope::Own,
        class: SourceClass::UserStatement,
        ceiling: SourceClass::UserStatement,
        labels: Labels::default(),
        expires_at: None,
    }
}

impl Actor {
    /// The credential that knocks where `needed` is asked for.
    pub(crate) fn principal(self, needed: Capability) -> Principal {
        let writer = writer();
        let other = Principal {
            key: key(2),
            agent: Some(agent("other")),
            ..writer.clone()
        };
        match self {
            Self::Operator => Principal {
                kind: PrincipalKind::Operator,
                capabilities: Capabilities::of([Capability::Admin]),
                containers: ContainerGrant::All,
                agent: None,
                class: SourceClass::Operator,
                ceiling: SourceClass::Operator,
                ..other
            },
            Self::Reviewer => Principal {
                kind: PrincipalKind::Person,
                capabilities: Capabilities::of([
                    Capability::Review,
                    Capability::CourtroomRead,
                    Capability::Recall,
                ]),
                agent: None,
                agent_scope: AgentScope::Container,
                ..other
            },
            Self::Writer => writer,
            Self::WriterOtherKey => Principal {
                key: key(3),
                ..writer
            },
            Self::OtherAgent => other,
            Self::ContainerScope => Principal {
                agent_scope: AgentScope::Container,
                ..other
            },
            Self::OtherUser => Principal {
                labels: user("bob"),
                ..writer
            },
            Self::OtherContainer => Principal {
                containers: ContainerGrant::Prefix("user-".to_owned()),
                ..writer
            },
            Self::Connector => Principal {
                kind: PrincipalKind::Connector,
                class: SourceClass::AgentObservation,
                ..other
            },
            Self::Lacking => Principal {
                capabilities: Capabilities::of(
                    writer.capabilities.iter().filter(|one| *one != needed),
                ),
                ..writer
            },
            Self::Expired => Principal {
                expires_at: Some(hours_after_noon(0)),
                ..writer
            },
        }
    }
}
