//! Who acts, what it may do, and as whom: always from the credential, never from a request body.

use crate::{
    AgentId, AppId, ContainerTag, EvidenceChannel, Invalid, KeyId, OrgId, Owner, Problem, RunId,
    SourceApp, SourceClass, Timestamp, UserId,
};

words! {
    /// What a credential lets its holder do.
    pub enum Capability {
        /// Search memory.
        Recall = "memory.recall",
        /// Retain memory.
        Write = "memory.write",
        /// Have a question answered from memory.
        Reflect = "memory.reflect",
        /// Have a context packet built before a turn.
        AgentContext = "agent.context",
        /// Hand in what a turn brought.
        AgentWriteback = "agent.writeback",
        /// Read case reports.
        CourtroomRead = "courtroom.read",
        /// Talk to a model through the gateway.
        GatewayChat = "gateway.chat",
        /// Call tools over MCP.
        McpTools = "mcp.tools",
        /// Decide review cases.
        Review = "memory.review",
        /// Operate the service.
        Admin = "admin",
    }
}

/// A set of capabilities. `admin` includes every other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Capabilities(u16);

impl Capabilities {
    /// The set of the given capabilities.
    pub fn of(capabilities: impl IntoIterator<Item = Capability>) -> Self {
        Self(
            capabilities
                .into_iter()
                .fold(0, |set, capability| set | Self::bit(capability)),
        )
    }

    /// Whether the holder may do this.
    #[must_use]
    pub const fn allow(self, capability: Capability) -> bool {
        self.0 & (Self::bit(capability) | Self::bit(Capability::Admin)) != 0
    }

    /// The capabilities that were granted by name, in the order of their declaration.
    pub fn iter(self) -> impl Iterator<Item = Capability> {
        Capability::ALL
            .iter()
            .copied()
            .filter(move |capability| self.0 & Self::bit(*capability) != 0)
    }

    const fn bit(capability: Capability) -> u16 {
        1 << capability as u16
    }
}

words! {
    /// Whether a key sees what other agents of its container keep to themselves.
    pub enum AgentScope {
        /// Only its own private rows, and what is shared.
        Own = "own",
        /// The private rows of every agent in its containers.
        Container = "container",
    }
}

words! {
    /// What kind of credential stands behind a principal.
    pub enum PrincipalKind {
        /// A scoped key of an agent or application.
        Agent = "agent",
        /// A key that came out of a connector token.
        Connector = "connector",
        /// A named person with a browser session.
        Person = "person",
        /// An operator's key.
        Operator = "operator",
        /// Whoever is at the machine: a command on the data folder itself.
        Host = "host",
    }
}

/// Which containers a credential reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContainerGrant {
    /// Exactly these.
    Listed(Vec<ContainerTag>),
    /// Every tag that starts so, written `user-*`.
    Prefix(String),
    /// Every container; for operators.
    All,
}

impl ContainerGrant {
    /// Reads a grant as its maker writes it: tags, or one prefix that ends in `*`, such as `user-*`.
    ///
    /// Nothing that is written reaches every container; only [`ContainerGrant::All`] does.
    ///
    /// # Errors
    /// [`Invalid`] when a tag is none, or a prefix stands beside anything else.
    pub fn parse(field: &str, patterns: &[&str]) -> Result<Self, Invalid> {
        if let [pattern] = patterns
            && let Some(prefix) = pattern.strip_suffix('*')
        {
            if prefix.is_empty() {
                let expected = "`user-*`; every container is reached by an operator's key alone";
                return Err(Invalid::new(field, Problem::Malformed { expected }));
            }
            return ContainerTag::new(field, prefix).map(|tag| Self::Prefix(tag.to_string()));
        }
        if patterns.is_empty() {
            return Err(Invalid::new(field, Problem::Empty));
        }
        let tags = patterns.iter().map(|tag| ContainerTag::new(field, tag));
        tags.collect::<Result<_, _>>().map(Self::Listed)
    }

    /// Whether `container` is reached.
    #[must_use]
    pub fn reaches(&self, container: &ContainerTag) -> bool {
        match self {
            Self::Listed(tags) => tags.contains(container),
            Self::Prefix(prefix) => {
                !prefix.is_empty() && container.as_str().starts_with(prefix.as_str())
            }
            Self::All => true,
        }
    }

    /// The one container that is reached, if it is one: the default of gateway and MCP.
    #[must_use]
    pub fn sole(&self) -> Option<&ContainerTag> {
        match self {
            Self::Listed(tags) => match tags.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            Self::Prefix(_) | Self::All => None,
        }
    }
}

/// The labels that partition rows inside a container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Labels {
    /// The person.
    pub user: Option<UserId>,
    /// The application.
    pub app: Option<AppId>,
    /// The organisation.
    pub org: Option<OrgId>,
    /// The run or session.
    pub run: Option<RunId>,
}

/// What a request body says about identity. None of it is believed; some of it narrows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// The claimed agent.
    pub agent: Option<AgentId>,
    /// The claimed application.
    pub source_app: Option<SourceApp>,
    /// The claimed labels; each counts only where the credential leaves it open.
    pub labels: Labels,
}

words! {
    /// A claim of a request body that the credential contradicts, and that was therefore dropped.
    pub enum DroppedClaim {
        /// Another agent than the key's.
        Agent = "agent_id",
        /// Another application than the key's.
        SourceApp = "source_app",
        /// Another person than the key's.
        User = "user_id",
        /// Another application label than the key's.
        App = "app_id",
        /// Another organisation than the key's.
        Org = "org_id",
        /// Another run than the key's.
        Run = "run_id",
    }
}

/// The holder of a credential, as the service keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The credential. A person is one by the person's own id; whoever is at the machine has the nil id.
    pub key: KeyId,
    /// What kind of credential it is.
    pub kind: PrincipalKind,
    /// Where it may act.
    pub containers: ContainerGrant,
    /// What it may do.
    pub capabilities: Capabilities,
    /// The application it is bound to.
    pub source_app: Option<SourceApp>,
    /// The agent it is bound to.
    pub agent: Option<AgentId>,
    /// Whether it sees other agents' private rows.
    pub agent_scope: AgentScope,
    /// The class of what it says.
    pub class: SourceClass,
    /// The strongest class that anything from it can have.
    pub ceiling: SourceClass,
    /// The labels it is fixed to; an absent one is open to the request.
    pub labels: Labels,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// Why a credential may not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It ended.
    #[error("this key expired at {at}; ask your operator for a new one")]
    Expired {
        /// When it ended.
        at: Timestamp,
    },
    /// It does not reach the container, whether or not that exists.
    #[error("this key does not reach container `{container}`; use a key that is bound to it")]
    Container {
        /// The container asked for.
        container: ContainerTag,
    },
    /// It lacks the capability.
    #[error("this key lacks the capability `{needed}`; ask your operator to grant it")]
    Capability {
        /// The capability that the route needs.
        needed: Capability,
    },
}

impl Principal {
    /// Whoever is at the machine, and may read and write the data folder anyway: everything, everywhere.
    #[must_use]
    pub fn host() -> Self {
        Self {
            key: KeyId::from_uuid(uuid::Uuid::nil()),
            kind: PrincipalKind::Host,
            containers: ContainerGrant::All,
            capabilities: Capabilities::of([Capability::Admin]),
            source_app: None,
            agent: None,
            agent_scope: AgentScope::Container,
            class: SourceClass::Operator,
            ceiling: SourceClass::Operator,
            labels: Labels::default(),
            expires_at: None,
        }
    }

    /// The identity under which this principal acts in `container`, and what it claimed in vain.
    ///
    /// # Errors
    /// [`Refusal`] when the credential has ended, does not reach the container or lacks the capability.
    pub fn act(
        &self,
        container: &ContainerTag,
        needed: Capability,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<(EffectiveIdentity, Vec<DroppedClaim>), Refusal> {
        if let Some(at) = self.expires_at.filter(|at| *at <= now) {
            return Err(Refusal::Expired { at });
        }
        if !self.containers.reaches(container) {
            return Err(Refusal::Container {
                container: container.clone(),
            });
        }
        if !self.capabilities.allow(needed) {
            return Err(Refusal::Capability { needed });
        }
        Ok(self.effective(container, claim))
    }

    fn effective(
        &self,
        container: &ContainerTag,
        claim: &Claim,
    ) -> (EffectiveIdentity, Vec<DroppedClaim>) {
        let mut dropped = Vec::new();
        if claim.agent.is_some() && claim.agent != self.agent {
            dropped.push(DroppedClaim::Agent);
        }
        if claim.source_app.is_some() && claim.source_app != self.source_app {
            dropped.push(DroppedClaim::SourceApp);
        }
        let (bound, said) = (&self.labels, &claim.labels);
        let labels = Labels {
            user: settle(
                bound.user.as_ref(),
                said.user.as_ref(),
                DroppedClaim::User,
                &mut dropped,
            ),
            app: settle(
                bound.app.as_ref(),
                said.app.as_ref(),
                DroppedClaim::App,
                &mut dropped,
            ),
            org: settle(
                bound.org.as_ref(),
                said.org.as_ref(),
                DroppedClaim::Org,
                &mut dropped,
            ),
            run: settle(
                bound.run.as_ref(),
                said.run.as_ref(),
                DroppedClaim::Run,
                &mut dropped,
            ),
        };
        let identity = EffectiveIdentity {
            container: container.clone(),
            key: self.key,
            kind: self.kind,
            capabilities: self.capabilities,
            source_app: self.source_app.clone(),
            agent: self.agent.clone(),
            agent_scope: self.agent_scope,
            class: self.class.min(self.ceiling),
            labels,
        };
        (identity, dropped)
    }
}

/// A bound label wins; an open one takes what the request says; a contradiction is dropped and noted.
fn settle<L: Clone + PartialEq>(
    bound: Option<&L>,
    said: Option<&L>,
    kind: DroppedClaim,
    dropped: &mut Vec<DroppedClaim>,
) -> Option<L> {
    if bound.is_some() && said.is_some() && bound != said {
        dropped.push(kind);
    }
    bound.or(said).cloned()
}

/// The identity under which a request acts. Only [`Principal::act`] makes one, so nothing in a body can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveIdentity {
    container: ContainerTag,
    key: KeyId,
    kind: PrincipalKind,
    capabilities: Capabilities,
    source_app: Option<SourceApp>,
    agent: Option<AgentId>,
    agent_scope: AgentScope,
    class: SourceClass,
    labels: Labels,
}

impl EffectiveIdentity {
    /// The container it acts in.
    #[must_use]
    pub const fn container(&self) -> &ContainerTag {
        &self.container
    }

    /// The credential behind it.
    #[must_use]
    pub const fn key(&self) -> KeyId {
        self.key
    }

    /// The kind of credential behind it.
    #[must_use]
    pub const fn kind(&self) -> PrincipalKind {
        self.kind
    }

    /// Whether it may do this.
    #[must_use]
    pub const fn allows(&self, capability: Capability) -> bool {
        self.capabilities.allow(capability)
    }

    /// The application it acts for.
    #[must_use]
    pub const fn source_app(&self) -> Option<&SourceApp> {
        self.source_app.as_ref()
    }

    /// The agent it acts for.
    #[must_use]
    pub const fn agent(&self) -> Option<&AgentId> {
        self.agent.as_ref()
    }

    /// Whether it sees other agents' private rows.
    #[must_use]
    pub const fn agent_scope(&self) -> AgentScope {
        self.agent_scope
    }

    /// The labels that hold for this request.
    #[must_use]
    pub const fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Whose private rows it writes and reads: the agent's, or the key's where no agent is bound.
    #[must_use]
    pub fn owner(&self) -> Owner {
        self.agent
            .clone()
            .map_or(Owner::Key(self.key), Owner::Agent)
    }

    /// The class of what comes in through `channel`. What the request asks for can only lower it.
    #[must_use]
    pub fn class_of(&self, channel: EvidenceChannel, asked: Option<SourceClass>) -> SourceClass {
        let highest = self.class.min(channel.ceiling());
        asked.map_or(highest, |asked| asked.min(highest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_is_read_as_it_is_written() {
        let tag = |text| ContainerTag::new("container", text).unwrap();
        let prefix = ContainerGrant::parse("container", &["user-*"]).unwrap();
        assert!(prefix.reaches(&tag("user-42")) && !prefix.reaches(&tag("users")));
        let listed = ContainerGrant::parse("container", &["a", "b"]).unwrap();
        assert!(listed.reaches(&tag("b")) && !listed.reaches(&tag("c")));
        assert_eq!(listed.sole(), None);
        for wrong in [&[][..], &["*"], &["user-*", "a"], &["A"]] {
            assert!(
                ContainerGrant::parse("container", wrong).is_err(),
                "{wrong:?}"
            );
        }
    }
}
