//! A recall as somebody else would be answered it: for operators who want to see what an agent gets, and what not.
//!
//! Nothing is handed out by that, so the journal of what agents were told stays as it is; that it was looked at is noted
//! like every other look of an operator.

use testimony_domain::{AgentId, ContainerTag, Invalid, KeyId, MemoryId, Principal, Problem};
use testimony_recall::recall_as_read;

use super::aids::Aided;
use super::recall::{Asked, RecallAnswer, RecallRequest};
use super::why::{WhyRequest, nobody, plain};
use crate::access::Visitor;
use crate::error::ServiceError;
use crate::ports::ledger::reads::Route;
use crate::service::Service;

/// A recall, and as whom.
#[derive(Clone, Debug, Default)]
pub struct RecallAsRequest {
    /// The recall.
    pub recall: RecallRequest,
    /// As whom: the holder of this key.
    pub key: Option<KeyId>,
    /// As whom: a key of this agent that binds nothing. Where neither is named, a key without an agent asks.
    pub agent: Option<AgentId>,
}

impl Service {
    /// Answers a question as somebody else would be answered it, and hands the answer to `with`.
    ///
    /// # Errors
    /// [`NotFound::Key`](crate::NotFound::Key) when there is no such key; [`ServiceError`] when it could not be asked.
    pub fn recall_as<T>(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &RecallAsRequest,
        with: impl FnOnce(RecallAnswer<'_>) -> T,
    ) -> Result<T, ServiceError> {
        let overseer = self.oversee(principal, container)?;
        let wanted = &request.recall;
        if wanted.query.trim().is_empty() {
            return Err(Invalid::new("query", Problem::Empty).into());
        }
        let visitor = self.looking_as(request, &overseer)?;
        let asked = Asked {
            route: Route::Operator,
            request: None,
            ..Asked::of(&visitor, wanted)
        };
        let now = self.clock.now();
        self.judge(&asked, None, now, |question, reading, rows| {
            let recalled = recall_as_read(question, reading, rows);
            let packet = self.pack(&asked, &recalled);
            let shown = recalled.answer.results.iter();
            let shown: Vec<MemoryId> = shown.map(|row| row.memory.id).collect();
            self.note_oversight(&overseer, shown);
            with(RecallAnswer {
                visitor: asked.visitor,
                recall: &recalled,
                packet: &packet,
                aided: &Aided::default(),
            })
        })
    }

    /// Whoever is looked as, in the container of the operator.
    fn looking_as(
        &self,
        request: &RecallAsRequest,
        overseer: &Visitor,
    ) -> Result<Visitor, ServiceError> {
        let stand_in = WhyRequest {
            key: request.key,
            agent: request.agent.clone(),
            labels: request.recall.claim.labels.clone(),
            ..WhyRequest::default()
        };
        let asker = self.asker_named(&stand_in)?;
        let asker = asker.unwrap_or_else(|| plain(nobody(), None));
        self.stand_in(asker, overseer.container.clone(), &stand_in)
    }
}
