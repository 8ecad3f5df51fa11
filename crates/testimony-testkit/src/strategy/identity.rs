//! Labels, credentials and the identities under which they act.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{BoxedStrategy, Just, Strategy, prop_oneof};
use proptest::sample::{select, subsequence};
use testimony_domain::{
    AgentId, AgentScope, AppId, Capabilities, Capability, Claim, ContainerGrant, ContainerTag,
    EffectiveIdentity, KeyId, Labels, OrgId, Owner, Principal, PrincipalKind, RunId, SourceApp,
    SourceClass, UserId,
};

use super::one_of;
use super::time::{instants, now};

const CONTAINERS: &[&str] = &["workspace", "user-1", "user-2"];
const NAMES: &[&str] = &["ada", "bo", "cy"];

macro_rules! names {
    ($($(#[$meta:meta])* $strategy:ident: $label:ident;)+) => {
        $(
            $(#[$meta])*
            pub fn $strategy() -> impl Strategy<Value = $label> + Clone {
                select(NAMES).prop_filter_map("a name is a label", |name| {
                    $label::new("strategy", name).ok()
                })
            }
        )+
    };
}

names! {
    /// One of a few agents.
    agents: AgentId;
    /// One of a few applications that keys are bound to.
    source_apps: SourceApp;
    /// One of a few people.
    users: UserId;
    /// One of a few applications that rows are grouped under.
    apps: AppId;
    /// One of a few organisations.
    orgs: OrgId;
    /// One of a few runs.
    runs: RunId;
}

/// One of a few containers.
pub fn containers() -> impl Strategy<Value = ContainerTag> + Clone {
    select(CONTAINERS).prop_filter_map("a tag is a label", |tag| {
        ContainerTag::new("strategy", tag).ok()
    })
}

/// One of a few keys.
pub fn keys() -> impl Strategy<Value = KeyId> + Clone {
    (1_u128..4).prop_map(|number| KeyId::from_uuid(uuid::Uuid::from_u128(number)))
}

/// Labels, most of them absent.
pub fn labels() -> BoxedStrategy<Labels> {
    let rarely = 0.3;
    (
        option::weighted(rarely, users()),
        option::weighted(rarely, apps()),
        option::weighted(rarely, orgs()),
        option::weighted(rarely, runs()),
    )
        .prop_map(|(user, app, org, run)| Labels {
            user,
            app,
            org,
            run,
        })
        .boxed()
}

/// What a request body may say about identity.
pub fn claims() -> BoxedStrategy<Claim> {
    (option::of(agents()), option::of(source_apps()), labels())
        .prop_map(|(agent, source_app, labels)| Claim {
            agent,
            source_app,
            labels,
        })
        .boxed()
}

/// Which containers a credential reaches.
pub fn grants() -> impl Strategy<Value = ContainerGrant> + Clone {
    prop_oneof![
        vec(containers(), 0..3).prop_map(ContainerGrant::Listed),
        select(&["", "user-", "w"][..])
            .prop_map(|prefix| ContainerGrant::Prefix(prefix.to_owned())),
        Just(ContainerGrant::All),
    ]
}

/// Any set of capabilities.
pub fn capabilities() -> impl Strategy<Value = Capabilities> + Clone {
    subsequence(Capability::ALL, 0..=Capability::ALL.len()).prop_map(Capabilities::of)
}

/// Any credential.
pub fn principals() -> BoxedStrategy<Principal> {
    let bound = (option::of(agents()), option::of(source_apps()), labels());
    let may = (grants(), capabilities(), one_of(AgentScope::ALL));
    let says = (one_of(SourceClass::ALL), one_of(SourceClass::ALL));
    let is = (
        keys(),
        one_of(PrincipalKind::ALL),
        option::weighted(0.2, instants()),
    );
    (bound, may, says, is)
        .prop_map(|(bound, may, (class, ceiling), is)| {
            let (agent, source_app, labels) = bound;
            let (containers, capabilities, agent_scope) = may;
            let (key, kind, expires_at) = is;
            Principal {
                key,
                kind,
                containers,
                capabilities,
                source_app,
                agent,
                agent_scope,
                class,
                ceiling,
                labels,
                expires_at,
            }
        })
        .boxed()
}

/// Any identity: a credential that acts in a container with some claim.
pub fn identities() -> BoxedStrategy<EffectiveIdentity> {
    one_of(Capability::ALL)
        .prop_flat_map(identities_with)
        .boxed()
}

/// Any identity that has a capability. Only operators may also be `admin`, which sees everything.
pub fn identities_with(needed: Capability) -> BoxedStrategy<EffectiveIdentity> {
    let parts = (principals(), containers(), claims());
    parts
        .prop_filter_map(
            "the credential acts",
            move |(mut principal, container, claim)| {
                let is_operator = principal.kind == PrincipalKind::Operator;
                let held = principal.capabilities.iter();
                let kept = held.filter(|one| is_operator || *one != Capability::Admin);
                principal.capabilities = Capabilities::of(kept.chain([needed]).collect::<Vec<_>>());
                principal.containers = ContainerGrant::All;
                principal.expires_at = None;
                let acted = principal.act(&container, needed, &claim, now());
                acted.ok().map(|(identity, _)| identity)
            },
        )
        .boxed()
}

/// Whose private rows some are.
pub fn owners() -> impl Strategy<Value = Owner> + Clone {
    prop_oneof![
        3 => agents().prop_map(Owner::Agent),
        1 => keys().prop_map(Owner::Key),
    ]
}
