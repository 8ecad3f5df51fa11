//! A memory at a fixed time, with people who use it.

use std::sync::{Arc, Mutex};

use testimony::access::KeyOrder;
use testimony::domain::{
    AgentId, Claim, Clock, ContainerTag, Memory, Principal, RequestId, SourceClass, State,
    Timestamp, TrustPolicy,
};
use testimony::ports::ledger::audit::{Actor, Digest};
use testimony::read::{ContextRequest, RecallRequest};
use testimony::recall::Options;
use testimony::write::{
    Item, Render, Repetition, RetainRequest, WriteAnswer, WritebackRequest, Written,
};
use testimony::{Service, ServiceError, Testimony};

/// A clock that tests move.
#[derive(Debug)]
pub(crate) struct Hand(Mutex<Timestamp>);

impl Clock for Hand {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

/// A memory with a clock that tests move.
pub(crate) struct Desk {
    pub(crate) memory: Testimony,
    clock: Arc<Hand>,
}

/// Somebody with a key.
pub(crate) struct Somebody<'d> {
    pub(crate) desk: &'d Desk,
    pub(crate) principal: Principal,
    pub(crate) claim: Claim,
}

pub(crate) fn container() -> ContainerTag {
    ContainerTag::new("container_tag", "workspace").unwrap()
}

impl Desk {
    pub(crate) fn new() -> Self {
        let clock = Arc::new(Hand(Mutex::new("2026-03-02T09:00:00Z".parse().unwrap())));
        let builder = Testimony::builder().clock(Arc::<Hand>::clone(&clock));
        Self {
            memory: builder.open_in_memory().unwrap(),
            clock,
        }
    }

    /// The same in a folder.
    pub(crate) fn within(folder: &std::path::Path) -> Self {
        let clock = Arc::new(Hand(Mutex::new("2026-03-02T09:00:00Z".parse().unwrap())));
        let builder = Testimony::builder().clock(Arc::<Hand>::clone(&clock));
        Self {
            memory: builder.open(folder).unwrap(),
            clock,
        }
    }

    pub(crate) fn service(&self) -> &Service {
        self.memory.service()
    }

    pub(crate) fn wait(&self, hours: i64) {
        let mut now = self.clock.0.lock().unwrap();
        *now += jiff::SignedDuration::from_hours(hours);
    }

    /// Somebody with a new key of this order.
    pub(crate) fn with_key(&self, order: KeyOrder) -> Somebody<'_> {
        let key = self.service().make_key(Actor::Service, order).unwrap();
        let shown = key.credential.reveal();
        let principal = self.service().authenticate(Some(&shown)).unwrap();
        Somebody {
            desk: self,
            principal,
            claim: Claim::default(),
        }
    }

    pub(crate) fn agent(&self, name: &str, class: SourceClass) -> Somebody<'_> {
        let agent = AgentId::new("agent_id", name).unwrap();
        self.with_key(KeyOrder::agent(name, container(), agent, class))
    }

    /// An agent that speaks for its user.
    pub(crate) fn user(&self) -> Somebody<'_> {
        self.agent("planner", SourceClass::UserStatement)
    }

    pub(crate) fn operator(&self) -> Somebody<'_> {
        self.with_key(KeyOrder::operator("operator"))
    }

    /// Every row of the ledger.
    pub(crate) fn rows(&self) -> Vec<Memory> {
        let reader = self.service().ledger().reader().unwrap();
        let page = testimony::ports::ledger::Page::first(10_000);
        reader.list(&Default::default(), page).unwrap()
    }
}

pub(crate) fn done(written: Written) -> WriteAnswer {
    match written {
        Written::Done(answer) => *answer,
        Written::Replayed(replay) => panic!("replayed: {replay:?}"),
    }
}

impl Somebody<'_> {
    pub(crate) fn try_retain(&self, request: &RetainRequest) -> Result<Written, ServiceError> {
        self.desk
            .service()
            .retain(&self.principal, &container(), request)
    }

    pub(crate) fn retain_item(&self, item: Item) -> WriteAnswer {
        done(self.try_retain(&self.request(vec![item])).unwrap())
    }

    pub(crate) fn retain(&self, text: &str) -> WriteAnswer {
        self.retain_item(Item::of(text))
    }

    pub(crate) fn request(&self, items: Vec<Item>) -> RetainRequest {
        RetainRequest {
            claim: self.claim.clone(),
            is_batch: items.len() > 1,
            items,
            ..RetainRequest::default()
        }
    }

    pub(crate) fn writeback(&self, request: WritebackRequest) -> WriteAnswer {
        let request = WritebackRequest {
            claim: self.claim.clone(),
            ..request
        };
        let service = self.desk.service();
        done(
            service
                .writeback(&self.principal, &container(), &request)
                .unwrap(),
        )
    }

    /// The texts of the results, of what stands near, and of what has to be confirmed.
    pub(crate) fn ask(&self, query: &str) -> [Vec<String>; 3] {
        self.ask_with(query, Options::default()).unwrap()
    }

    pub(crate) fn results(&self, query: &str) -> Vec<String> {
        let [results, _, _] = self.ask(query);
        results
    }

    pub(crate) fn strictly(&self, query: &str) -> Vec<String> {
        let options = Options {
            trust_policy: TrustPolicy::Strict,
            ..Options::default()
        };
        let [results, _, _] = self.ask_with(query, options).unwrap();
        results
    }

    pub(crate) fn ask_with(
        &self,
        query: &str,
        options: Options,
    ) -> Result<[Vec<String>; 3], ServiceError> {
        let request = RecallRequest {
            claim: self.claim.clone(),
            query: query.to_owned(),
            options,
            ..RecallRequest::default()
        };
        let service = self.desk.service();
        service.recall(&self.principal, &container(), &request, |answer| {
            let answer = &answer.recall.answer;
            let text = |row: &testimony::recall::Recalled<'_>| row.memory.content.to_string();
            [
                answer.results.iter().map(text).collect(),
                answer.related_context.iter().map(text).collect(),
                answer
                    .needs_confirmation
                    .iter()
                    .map(|it| text(&it.row))
                    .collect(),
            ]
        })
    }

    /// The prompt block for a turn.
    pub(crate) fn context(&self, message: &str) -> String {
        let request = ContextRequest {
            claim: self.claim.clone(),
            user_message: message.to_owned(),
            ..ContextRequest::default()
        };
        let service = self.desk.service();
        service
            .context(&self.principal, &container(), &request, |answer| {
                answer.packet.block.clone()
            })
            .unwrap()
    }
}

pub(crate) fn states(answer: &WriteAnswer) -> Vec<State> {
    answer.retained.iter().map(|row| row.memory.state).collect()
}

pub(crate) fn named(request: &str, body: u8) -> Repetition {
    Repetition {
        request: Some(RequestId::new("request_id", request).unwrap()),
        key: None,
        body: Digest([body; 32]),
        render: Render::new(|answer| format!("{} saved", answer.saved())),
    }
}
