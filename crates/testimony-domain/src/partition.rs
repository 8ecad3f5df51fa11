//! Where a row lives inside its container, and who may know that it exists.

use crate::{
    AgentId, AgentScope, Capability, ContainerTag, EffectiveIdentity, Invalid, KeyId, Labels,
    Problem,
};

words! {
    /// The plane of a memory. `working` is private to its owner.
    pub enum Plane {
        /// About a person.
        Personal = "personal",
        /// About a task or project.
        Task = "task",
        /// About a tool.
        Tool = "tool",
        /// An agent's scratch paper.
        Working = "working",
    }
}

words! {
    /// The scope of a memory. `agent` is private to its owner, `session` to its run.
    pub enum MemoryScope {
        /// One run.
        Session = "session",
        /// One person.
        User = "user",
        /// One agent.
        Agent = "agent",
        /// One application.
        App = "app",
        /// One organisation.
        Org = "org",
    }
}

/// Whose private rows these are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// An agent, whatever key it holds today.
    Agent(AgentId),
    /// A key that is bound to no agent.
    Key(KeyId),
}

/// Where a row lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    container: ContainerTag,
    plane: Plane,
    scope: MemoryScope,
    owner: Owner,
    labels: Labels,
}

words! {
    /// Why a row does not exist for an identity.
    pub enum Hidden {
        /// It lives in another container.
        Container = "container",
        /// It is private to another agent or key.
        Owner = "owner",
        /// It carries another person.
        User = "user_id",
        /// It carries another application.
        App = "app_id",
        /// It carries another organisation.
        Org = "org_id",
        /// It carries another run.
        Run = "run_id",
    }
}

impl Partition {
    /// Where a row goes that `who` writes.
    ///
    /// # Errors
    /// [`Invalid`] when the row is to be private to a run and the request names none.
    pub fn written_by(
        who: &EffectiveIdentity,
        plane: Plane,
        scope: MemoryScope,
    ) -> Result<Self, Invalid> {
        if scope == MemoryScope::Session && who.labels().run.is_none() {
            return Err(Invalid::new(
                "memory_scope",
                Problem::Needs { other: "run_id" },
            ));
        }
        Ok(Self {
            container: who.container().clone(),
            plane,
            scope,
            owner: who.owner(),
            labels: who.labels().clone(),
        })
    }

    /// A row's place as a store remembers it.
    #[must_use]
    pub const fn stored(
        container: ContainerTag,
        plane: Plane,
        scope: MemoryScope,
        owner: Owner,
        labels: Labels,
    ) -> Self {
        Self {
            container,
            plane,
            scope,
            owner,
            labels,
        }
    }

    /// The container.
    #[must_use]
    pub const fn container(&self) -> &ContainerTag {
        &self.container
    }

    /// The plane.
    #[must_use]
    pub const fn plane(&self) -> Plane {
        self.plane
    }

    /// The scope.
    #[must_use]
    pub const fn scope(&self) -> MemoryScope {
        self.scope
    }

    /// Who wrote it.
    #[must_use]
    pub const fn owner(&self) -> &Owner {
        &self.owner
    }

    /// The labels it carries.
    #[must_use]
    pub const fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Whether plane and scope alone make the row private to its owner.
    #[must_use]
    pub const fn is_private_by_place(&self) -> bool {
        matches!(self.plane, Plane::Working) || matches!(self.scope, MemoryScope::Agent)
    }

    /// Whether `who` may know that a row exists which lives here; `private` says that it is its owner's alone.
    ///
    /// # Errors
    /// [`Hidden`] names the first reason why not.
    pub fn visible_to(&self, who: &EffectiveIdentity, private: bool) -> Result<(), Hidden> {
        if self.container != *who.container() {
            return Err(Hidden::Container);
        }
        if who.allows(Capability::Admin) {
            return Ok(());
        }
        let guarded = private || self.is_private_by_place();
        if guarded && who.agent_scope() == AgentScope::Own && self.owner != who.owner() {
            return Err(Hidden::Owner);
        }
        self.first_foreign_label(who.labels()).map_or(Ok(()), Err)
    }

    fn first_foreign_label(&self, seen_by: &Labels) -> Option<Hidden> {
        let Labels {
            user,
            app,
            org,
            run,
        } = &self.labels;
        let run_is_missing = self.scope == MemoryScope::Session && run.is_none();
        [
            (user.is_some() && *user != seen_by.user, Hidden::User),
            (app.is_some() && *app != seen_by.app, Hidden::App),
            (org.is_some() && *org != seen_by.org, Hidden::Org),
            (
                run_is_missing || run.is_some() && *run != seen_by.run,
                Hidden::Run,
            ),
        ]
        .into_iter()
        .find_map(|(foreign, why)| foreign.then_some(why))
    }
}
