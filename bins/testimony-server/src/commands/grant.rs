//! What a key may do and for how long, as keys and connector tokens are made.

use clap::Args;

use crate::door::Ask;

/// What a key may do.
#[derive(Args, Debug)]
pub(crate) struct GrantArguments {
    /// A container, made where there is none; several times for several, or one prefix such as `user-*`.
    #[arg(long, value_name = "TAG")]
    container: Vec<String>,

    /// What you call it.
    #[arg(long, value_name = "NAME", default_value = "key")]
    name: String,

    /// The agent that it is bound to.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// The application that it is bound to.
    #[arg(long, value_name = "APP")]
    source_app: Option<String>,

    /// Whose word it is.
    #[arg(long, value_name = "CLASS", help = super::whose_word())]
    class: Option<String>,

    /// What it may do, with commas between; everything that an agent does where nothing is said.
    #[arg(long, value_name = "LIST", value_delimiter = ',', help = super::may_do())]
    capability: Vec<String>,

    /// Whether it sees what other agents of its container keep to themselves: own, container.
    #[arg(long, value_name = "SCOPE")]
    agent_scope: Option<String>,

    /// The person that it is fixed to.
    #[arg(long, value_name = "USER")]
    user: Option<String>,

    /// The application label that it is fixed to.
    #[arg(long, value_name = "APP")]
    app: Option<String>,

    /// The organisation that it is fixed to.
    #[arg(long, value_name = "ORG")]
    org: Option<String>,

    /// The run that it is fixed to.
    #[arg(long, value_name = "RUN")]
    run: Option<String>,

    /// When it ends, such as 2027-01-01T00:00:00Z; never where nothing is said.
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,

    /// How many requests a minute it may make.
    #[arg(long, value_name = "COUNT")]
    requests_per_minute: Option<u32>,

    /// How many items it may hand in on a day.
    #[arg(long, value_name = "COUNT")]
    items_per_day: Option<u32>,

    /// The gateway brings memory into its requests that say nothing about memory.
    #[arg(long)]
    gateway_memory: bool,
}

impl GrantArguments {
    pub(crate) fn on(&self, ask: Ask) -> Ask {
        ask.with("name", self.name.clone())
            .with("containers", self.container.clone())
            .with("capabilities", self.capability.clone())
            .with("source_app", self.source_app.clone())
            .with("agent_id", self.agent.clone())
            .with("agent_scope", self.agent_scope.clone())
            .with("class", self.class.clone())
            .with("user_id", self.user.clone())
            .with("app_id", self.app.clone())
            .with("org_id", self.org.clone())
            .with("run_id", self.run.clone())
            .with("expires_at", self.expires.clone())
            .with("requests_per_minute", self.requests_per_minute)
            .with("items_per_day", self.items_per_day)
            .with("gateway_memory", self.gateway_memory.then_some(true))
    }
}
