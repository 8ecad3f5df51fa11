//! Agent context: before a turn, what an agent should know, as a packet under a budget.

use testimony_domain::{
    Bound, Capability, Claim, ContainerTag, ContextLimit, ContextTokens, GraphHops, Invalid,
    Principal, Problem, RecallLimit, RequestId,
};
use testimony_recall::Options;

use super::aids::Aids;
use super::journal::Slip;
use super::recall::{Asked, RecallAnswer};
use crate::access::Visitor;
use crate::error::ServiceError;
use crate::ports::ledger::reads::Route;
use crate::service::Service;
use crate::write::USER_MESSAGE;

/// What a turn is for.
pub const TASK_GOAL: Bound = Bound {
    name: "task_goal",
    min: 0.0,
    max: 8_000.0,
    default: None,
    unit: "characters",
    meaning: "What the turn is for.",
};

/// A request for a packet.
#[derive(Clone, Debug, Default)]
pub struct ContextRequest {
    /// Whom it claims to come from.
    pub claim: Claim,
    /// What the user said.
    pub user_message: String,
    /// What the turn is for.
    pub task_goal: Option<String>,
    /// How many rows at most.
    pub limit: ContextLimit,
    /// How many tokens at most.
    pub tokens: ContextTokens,
    /// What is wanted beside; its limit does not count.
    pub options: Options,
    /// The caller's own id of the request.
    pub request: Option<RequestId>,
    /// Where it is noted what was handed out, once whoever passes the rows on knows; without one, all of them count.
    pub slip: Option<Slip>,
}

/// What a request for a packet answers.
pub type ContextAnswer<'a> = RecallAnswer<'a>;

impl Service {
    /// Builds the packet for a turn, and hands it to `with`.
    ///
    /// # Errors
    /// [`ServiceError`] when it could not be built. That nothing safe is known is an answer.
    pub fn context<T>(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &ContextRequest,
        with: impl FnOnce(ContextAnswer<'_>) -> T,
    ) -> Result<T, ServiceError> {
        let needed = Capability::AgentContext;
        let visitor = self.enter(principal, container, needed, &request.claim)?;
        self.packed(&visitor, request, Route::AgentContext, with)
    }

    /// Builds the same packet for a turn that goes on to a model by way of the gateway, and hands it to `with`.
    ///
    /// # Errors
    /// [`ServiceError`] when it could not be built. That nothing safe is known is an answer.
    pub fn inject<T>(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &ContextRequest,
        with: impl FnOnce(ContextAnswer<'_>) -> T,
    ) -> Result<T, ServiceError> {
        let needed = Capability::GatewayChat;
        self.enter(principal, container, needed, &request.claim)?;
        let needed = Capability::AgentContext;
        let visitor = self.enter(principal, container, needed, &request.claim)?;
        self.packed(&visitor, request, Route::Gateway, with)
    }

    fn packed<T>(
        &self,
        visitor: &Visitor,
        request: &ContextRequest,
        route: Route,
        with: impl FnOnce(ContextAnswer<'_>) -> T,
    ) -> Result<T, ServiceError> {
        check(request)?;
        // The packet cuts after kinds are chosen, so recall itself is asked for as much as it gives.
        let options = Options {
            limit: RecallLimit::MAX,
            ..request.options.clone()
        };
        let asked = Asked {
            visitor,
            query: &request.user_message,
            goal: request.task_goal.as_deref(),
            options: &options,
            hops: GraphHops::default(),
            budget: (request.limit.get() as usize, request.tokens.get() as usize),
            route,
            request: request.request.as_ref(),
            aids: Aids::default(),
            slip: request.slip.as_ref(),
        };
        self.answer(&asked, with)
    }
}

fn check(request: &ContextRequest) -> Result<(), Invalid> {
    crate::write::check_text("user_message", &request.user_message, &USER_MESSAGE)?;
    let length = request
        .task_goal
        .as_ref()
        .map_or(0, |goal| goal.chars().count());
    let max = TASK_GOAL.max as usize;
    if length > max {
        let problem = Problem::TooLong { length, max };
        return Err(Invalid::new(TASK_GOAL.name, problem));
    }
    Ok(())
}
