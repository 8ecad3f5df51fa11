//! What the configuration lets tokens of an issuer do: fixed values, and claims that choose within them.

use serde_json::{Map, Value};
use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, ContainerGrant, ContainerTag, Labels,
    PrincipalKind, SourceApp, SourceClass, UserId,
};
use testimony_service::access::KeyOrder;
use testimony_service::ports::ledger::accounts::Allowance;

/// What tokens of an issuer let their holders do.
#[derive(Clone, Debug)]
pub struct Grant {
    /// Where they reach at most.
    pub containers: ContainerGrant,
    /// The claim that names containers within that; without it a token reaches all of it.
    pub containers_claim: Option<String>,
    /// What they may do at most.
    pub capabilities: Capabilities,
    /// The claim that names capabilities within that; without it a token may do all of it.
    pub capabilities_claim: Option<String>,
    /// The application that they are bound to.
    pub source_app: Option<SourceApp>,
    /// The agent that they are bound to.
    pub agent: Option<AgentId>,
    /// The claim that names the agent.
    pub agent_claim: Option<String>,
    /// Whether they see what other agents keep to themselves.
    pub agent_scope: AgentScope,
    /// The labels that they are fixed to.
    pub labels: Labels,
    /// The claim that names the person.
    pub user_claim: Option<String>,
    /// Whose word theirs is.
    pub class: SourceClass,
    /// How many requests a minute each subject may make.
    pub requests_per_minute: Option<u32>,
}

impl Grant {
    /// What a token with these claims lets its holder do; `None` where a claim that has to name somebody does not.
    ///
    /// A name that is missing never falls back to nobody: a holder without a person could choose one.
    pub(super) fn order(&self, claims: &Map<String, Value>) -> Option<KeyOrder> {
        let agent = named(
            self.agent_claim.as_deref(),
            claims,
            "agent_id",
            AgentId::new,
        )?;
        let user = named(self.user_claim.as_deref(), claims, "user_id", UserId::new)?;
        Some(KeyOrder {
            name: String::new(),
            kind: PrincipalKind::Agent,
            containers: self.reach(claims),
            capabilities: self.may(claims),
            source_app: self.source_app.clone(),
            agent: agent.or_else(|| self.agent.clone()),
            agent_scope: self.agent_scope,
            class: self.class,
            ceiling: self.class,
            labels: Labels {
                user: user.or_else(|| self.labels.user.clone()),
                ..self.labels.clone()
            },
            expires_at: None,
            allowance: Allowance {
                requests_per_minute: self.requests_per_minute,
                ..Allowance::default()
            },
        })
    }

    fn reach(&self, claims: &Map<String, Value>) -> ContainerGrant {
        let Some(claim) = &self.containers_claim else {
            return self.containers.clone();
        };
        let tags = words(claims.get(claim));
        let tags = tags.filter_map(|tag| ContainerTag::new("containers", tag).ok());
        ContainerGrant::Listed(tags.filter(|tag| self.containers.reaches(tag)).collect())
    }

    fn may(&self, claims: &Map<String, Value>) -> Capabilities {
        let Some(claim) = &self.capabilities_claim else {
            return self.capabilities;
        };
        let named: Vec<&str> = words(claims.get(claim)).collect();
        let both = self.capabilities.iter();
        Capabilities::of(
            both.filter(|capability: &Capability| named.contains(&capability.as_str())),
        )
    }
}

/// The words of a claim: a list, or one text with spaces between, as scopes are written.
fn words(claim: Option<&Value>) -> impl Iterator<Item = &str> {
    let list = claim.and_then(Value::as_array).into_iter().flatten();
    let alone = claim.and_then(Value::as_str).into_iter();
    let texts = list.filter_map(Value::as_str);
    texts.chain(alone.flat_map(str::split_ascii_whitespace))
}

/// What a claim names: nothing where none is configured, `None` where it names nobody.
fn named<T, E>(
    claim: Option<&str>,
    claims: &Map<String, Value>,
    field: &str,
    read: fn(&str, &str) -> Result<T, E>,
) -> Option<Option<T>> {
    let Some(claim) = claim else {
        return Some(None);
    };
    let text = claims.get(claim)?.as_str()?;
    read(field, text).ok().map(Some)
}
