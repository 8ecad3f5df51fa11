//! Who is let in: the check that comes before anything else of a request is looked at.

use testimony_domain::{
    Capability, Claim, ContainerGrant, ContainerTag, Principal, PrincipalKind, Refusal,
};
use testimony_service::access::{NoEntry, SignedIn, Visitor};
use testimony_service::{Service, ServiceError};

use super::Named;
use crate::problem::{Code, Problem};
use crate::share::Place;

/// Who is let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// Whoever reaches the container of the path with this capability.
    Container(Capability),
    /// Whoever holds a credential; the use case decides about the object of the path, by this capability.
    Object(Capability),
    /// Whoever holds this capability, wherever.
    Holder(Capability),
    /// Whoever operates the service.
    Operator,
    /// Whoever has signed in.
    Person,
}

/// Somebody who was let in.
pub(crate) struct Guest {
    pub(crate) principal: Principal,
    /// Where, behind the door of a container.
    pub(crate) visitor: Option<Visitor>,
    /// By which session, where it is a person.
    pub(crate) session: Option<SignedIn>,
    /// What it takes of the room for requests.
    pub(crate) _place: Option<Place>,
}

impl Guest {
    /// Lets somebody in whose credential is known, or says why not.
    pub(crate) fn let_in(
        service: &Service,
        principal: Principal,
        named: &Named,
        door: Door,
    ) -> Result<Self, Problem> {
        let visitor = match door {
            Door::Container(needed) => {
                let tag = named.get("container_tag");
                let Ok(tag) = ContainerTag::new("container_tag", tag) else {
                    return Err(no_tag(&principal));
                };
                Some(service.enter(&principal, &tag, needed, &Claim::default())?)
            }
            Door::Object(_) => None,
            Door::Holder(needed) if principal.capabilities.allow(needed) => None,
            Door::Holder(needed) => {
                return Err(ServiceError::from(Refusal::Capability { needed }).into());
            }
            Door::Person if principal.kind == PrincipalKind::Person => None,
            Door::Person => return Err(ServiceError::from(NoEntry::Session).into()),
            Door::Operator if operates(&principal) => None,
            Door::Operator => {
                let needed = Capability::Admin;
                return Err(ServiceError::from(Refusal::Capability { needed }).into());
            }
        };
        Ok(Self {
            principal,
            visitor,
            session: None,
            _place: None,
        })
    }
}

/// Whoever operates reaches every container: `admin` on a few of them would otherwise make keys to all.
fn operates(principal: &Principal) -> bool {
    principal.capabilities.allow(Capability::Admin)
        && matches!(principal.containers, ContainerGrant::All)
}

/// What is no tag names no container that there could be, and none that a key of some containers reaches.
fn no_tag(principal: &Principal) -> Problem {
    match principal.containers {
        ContainerGrant::All => Problem::no_container(),
        ContainerGrant::Listed(_) | ContainerGrant::Prefix(_) => Problem::new(
            Code::ContainerNotReached,
            "this key does not reach this container; use a key that is bound to it",
        ),
    }
}
