//! Containers as operators make them, and what they say holds in each.

use testimony_domain::{ContainerTag, Invalid, Problem};

use crate::error::{NotFound, ServiceError, Taken};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::containers::{Container, ContainerPolicy};
use crate::ports::ledger::{Fate, Made, Page};
use crate::service::Service;

impl Service {
    /// Tags stand in the trail, which cannot forget.
    pub(crate) fn must_be_a_name(&self, tag: &ContainerTag) -> Result<(), ServiceError> {
        if self.looks_like_a_credential(tag.as_str()) {
            let expected = "a name that does not look like a credential";
            return Err(Invalid::new("container_tag", Problem::Malformed { expected }).into());
        }
        Ok(())
    }

    /// Makes a container.
    ///
    /// # Errors
    /// [`Taken::Container`] when there is one of this tag.
    pub fn make_container(
        &self,
        actor: Actor,
        tag: ContainerTag,
        policy: ContainerPolicy,
    ) -> Result<Container, ServiceError> {
        self.must_be_a_name(&tag)?;
        let act = self.act(actor, None);
        let container = Container {
            tag,
            made: Made {
                at: act.at,
                by: actor,
            },
            policy,
            embedder: None,
        };
        let made = container.clone();
        let (is_new, _) = self.ledger.write(act, move |writer| {
            if writer.container(&container.tag)?.is_some() {
                return Ok((Fate::Discard, false));
            }
            writer.make_container(&container)?;
            Ok((Fate::Keep, true))
        })?;
        if is_new {
            Ok(made)
        } else {
            Err(Taken::Container.into())
        }
    }

    /// Changes what holds in a container, and returns it as it is then. What changes nothing is no event.
    ///
    /// # Errors
    /// [`NotFound::Container`] when there is none of this tag.
    pub fn change_policy(
        &self,
        actor: Actor,
        tag: &ContainerTag,
        change: impl FnOnce(&mut ContainerPolicy) + Send + 'static,
    ) -> Result<Container, ServiceError> {
        let wanted = tag.clone();
        let (found, _) = self.ledger.write(self.act(actor, None), move |writer| {
            let Some(mut container) = writer.container(&wanted)? else {
                return Ok((Fate::Discard, None));
            };
            let before = container.policy.clone();
            change(&mut container.policy);
            if container.policy == before {
                return Ok((Fate::Discard, Some(container)));
            }
            writer.set_policy(&wanted, &container.policy)?;
            Ok((Fate::Keep, Some(container)))
        })?;
        found.ok_or_else(|| NotFound::Container(tag.clone()).into())
    }

    /// The container with this tag, for operators.
    ///
    /// # Errors
    /// [`NotFound::Container`] when there is none.
    pub fn container(&self, tag: &ContainerTag) -> Result<Container, ServiceError> {
        let found = self.ledger.reader()?.container(tag)?;
        found.ok_or_else(|| NotFound::Container(tag.clone()).into())
    }

    /// Containers in the order of their tags, for operators.
    ///
    /// # Errors
    /// [`ServiceError::Ledger`] when they cannot be read.
    pub fn containers(&self, page: Page<ContainerTag>) -> Result<Vec<Container>, ServiceError> {
        Ok(self.ledger.reader()?.containers(page)?)
    }
}
