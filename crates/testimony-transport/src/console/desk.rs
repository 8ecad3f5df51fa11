//! What stands behind the pages: the routes, asked in this process as the person who signed in.

use std::net::IpAddr;
use std::time::Duration;

use serde_json::{Map, Value, json};
use testimony_console::{Answered, Desk, Kept, Part, Person, Refused, Role, SignIn, Tally, Took};
use testimony_domain::{AgentId, ContainerTag, KeyId, MemoryId, Timestamp};
use testimony_service::access::{NoEntry, SignedIn};
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::accounts::Role as Kept_;
use testimony_service::read::RecallAsRequest;
use testimony_service::{NotFound, Service, ServiceError};

use super::{examine, refused};
use crate::problem::{Code, Problem};
use crate::routes::{Call, Found, Guest, Handler, Method, Running, find};
use crate::wire::accounts::clients::setups;
use crate::wire::fault::{Fault, Pointer};
use crate::wire::governance::memory_row;
use crate::wire::reader::of_query;
use crate::wire::recall::{answer, read};

/// So many containers are named at most.
const CONTAINERS: usize = 500;
/// So many groups of rows that wait are shown at a time, and so many rows of one.
const GROUPS: usize = 25;
const WAITING: usize = 50;

/// Where one visit is answered.
pub(crate) struct AtDesk<'a> {
    pub(crate) service: &'a Service,
    pub(crate) running: &'a Running,
    /// The address under which callers know the service.
    pub(crate) address: &'a str,
    pub(crate) from: Option<IpAddr>,
    signed_in: Option<SignedIn>,
    person: Option<Person>,
}

impl<'a> AtDesk<'a> {
    pub(crate) fn new(
        (service, running): (&'a Service, &'a Running),
        address: &'a str,
        from: Option<IpAddr>,
        signed_in: Option<SignedIn>,
    ) -> Self {
        let person = signed_in.as_ref().map(|signed_in| Person {
            id: signed_in.person.id.to_string(),
            name: signed_in.person.name.clone(),
            role: match signed_in.person.role {
                Kept_::Reviewer => Role::Reviewer,
                Kept_::Admin => Role::Admin,
            },
            page_token: signed_in.page_token.clone(),
        });
        Self {
            service,
            running,
            address,
            from,
            signed_in,
            person,
        }
    }

    fn asked(&self, method: &str, path: &str, input: Map<String, Value>) -> Result<Value, Problem> {
        let signed_in = self.signed_in.as_ref().ok_or_else(nobody)?;
        let Found::Route(route, named) = find(method, path) else {
            return Err(no_route());
        };
        let Handler::Behind(door, handle) = route.handler else {
            return Err(no_route());
        };
        let mut guest = Guest::let_in(self.service, signed_in.principal(), &named, door)?;
        guest.session = Some(signed_in.clone());
        let input = match route.method {
            Method::Get | Method::Delete => of_query(input, route.query),
            Method::Post | Method::Patch => input,
        };
        let reply = handle(&Call {
            service: self.service,
            principal: &guest.principal,
            visitor: guest.visitor.as_ref(),
            session: guest.session.as_ref(),
            from: self.from,
            named: &named,
            input: &input,
            idempotency_key: None,
            running: Some(self.running),
            slip: None,
        })?;
        Ok(reply.into_json())
    }

    fn recalled_as(
        &self,
        container: &str,
        mut input: Map<String, Value>,
    ) -> Result<Value, Problem> {
        let signed_in = self.signed_in.as_ref().ok_or_else(nobody)?;
        let tag = tag(container)?;
        let key = input.remove("key_id");
        let key = key
            .as_ref()
            .and_then(Value::as_str)
            .map(str::parse::<KeyId>);
        let (recall, notes) = read(&input).map_err(Problem::invalid)?;
        let agent = input.get("agent_id").and_then(Value::as_str);
        let agent = agent.map(|agent| AgentId::new("agent_id", agent));
        let request = RecallAsRequest {
            recall: recall.request.clone(),
            key: key.transpose().map_err(wrong)?,
            agent: agent.transpose().map_err(wrong)?,
        };
        // Whoever looks typed the question a moment ago, and nobody else sees the page.
        let (query, notes) = (&recall.request.query, notes.as_sent(str::to_owned));
        let principal = signed_in.principal();
        let found = self.service.recall_as(&principal, &tag, &request, |found| {
            json!(answer(&recall, &found, query, &notes))
        });
        Ok(found?)
    }

    fn grouped(&self, container: &str, after: &str) -> Result<Value, Problem> {
        let signed_in = self.signed_in.as_ref().ok_or_else(nobody)?;
        let page = Page {
            after: after.parse().ok(),
            limit: GROUPS,
        };
        let who = signed_in.principal();
        let part = self.service.waiting_groups(&who, &tag(container)?, page)?;
        let items = part.groups.iter().map(|group| {
            let first = memory_row(&group.first);
            json!({ "group": group.group, "rows": group.rows, "first": first })
        });
        let next = part.next.map(|id| id.to_string());
        let items: Vec<Value> = items.collect();
        Ok(json!({ "items": items, "next": next, "rows": part.rows, "more": part.more }))
    }

    fn waits(&self, container: &str, group: &str) -> Result<Value, Problem> {
        let signed_in = self.signed_in.as_ref().ok_or_else(nobody)?;
        let who = signed_in.principal();
        let rows = self
            .service
            .waiting(&who, &tag(container)?, group, WAITING)?;
        Ok(json!({ "items": rows.iter().map(memory_row).collect::<Vec<_>>() }))
    }

    fn taken_up(&self, container: &str, memories: &[&str]) -> Result<Vec<String>, Problem> {
        let signed_in = self.signed_in.as_ref().ok_or_else(nobody)?;
        let ids = memories.iter().map(|id| id.parse::<MemoryId>());
        let ids = ids.collect::<Result<Vec<_>, _>>();
        let ids = ids.map_err(|_| Problem::from(ServiceError::from(NotFound::Memory)))?;
        let who = signed_in.principal();
        let cases = self.service.take_up(&who, &tag(container)?, &ids)?;
        Ok(cases.iter().map(ToString::to_string).collect())
    }

    fn lasted(&self, container: &str, since: Timestamp) -> Result<Vec<Took>, Problem> {
        let signed_in = self.signed_in.as_ref().ok_or_else(nobody)?;
        let who = signed_in.principal();
        let counted = self.service.latencies(&who, &tag(container)?, since)?;
        let took = counted.iter().map(|it| Took {
            hour: it.hour,
            route: it.route.as_str(),
            micros: it.step.longest_us(),
            requests: it.requests,
        });
        Ok(took.collect())
    }

    fn tallied(&self, container: &str, since: Timestamp) -> Result<Vec<Tally>, Problem> {
        let signed_in = self.signed_in.as_ref().ok_or_else(nobody)?;
        let who = signed_in.principal();
        let counted = self.service.tallies(&who, &tag(container)?, since)?;
        let tallies = counted.into_iter().map(|it| Tally {
            hour: it.hour,
            action: it.action.as_str(),
            decision: it.decision.unwrap_or_default(),
            events: it.events,
        });
        Ok(tallies.collect())
    }

    fn used(&self) -> Result<Value, Problem> {
        let last = match self.is_admin() {
            true => self.service.last_uses()?,
            false => Vec::new(),
        };
        let last = last
            .into_iter()
            .map(|(key, at)| (key.to_string(), Value::from(at.to_string())));
        Ok(Value::Object(last.collect()))
    }

    fn is_admin(&self) -> bool {
        let person = self.person.as_ref();
        person.is_some_and(|person| person.role == Role::Admin)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over an error")]
fn wrong(invalid: testimony_domain::Invalid) -> Problem {
    Problem::invalid(vec![Fault::at(
        Pointer::of_field(&invalid.field),
        invalid.to_string(),
    )])
}

fn tag(container: &str) -> Result<ContainerTag, Problem> {
    let tag = ContainerTag::new("container_tag", container);
    tag.map_err(|_| Problem::no_container())
}

fn nobody() -> Problem {
    Problem::from(ServiceError::from(NoEntry::Session))
}

fn no_route() -> Problem {
    Problem::new(
        Code::RouteNotFound,
        "There is no such route; please report this.",
    )
}

impl Desk for AtDesk<'_> {
    fn now(&self) -> Timestamp {
        self.service.now()
    }

    fn address(&self) -> &str {
        self.address
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn person(&self) -> Option<&Person> {
        self.person.as_ref()
    }

    fn is_of_page(&self, shown: &str) -> bool {
        let signed_in = self.signed_in.as_ref();
        signed_in.is_some_and(|signed_in| self.service.is_of_page(signed_in, shown))
    }

    fn ask(&self, method: &str, path: &str, input: Map<String, Value>) -> Answered {
        self.asked(method, path, input).map_err(refused)
    }

    fn recall_as(&self, container: &str, input: Map<String, Value>) -> Answered {
        self.recalled_as(container, input).map_err(refused)
    }

    fn containers(&self) -> Result<Vec<String>, Refused> {
        if self.signed_in.is_none() {
            return Ok(Vec::new());
        }
        let found = self.service.containers(Page::first(CONTAINERS));
        let found = found.map_err(|error| refused(error.into()))?;
        Ok(found.iter().map(|it| it.tag.to_string()).collect())
    }

    fn waiting_groups(&self, container: &str, after: &str) -> Answered {
        self.grouped(container, after).map_err(refused)
    }

    fn waiting(&self, container: &str, group: &str) -> Answered {
        self.waits(container, group).map_err(refused)
    }

    fn take_up(&self, container: &str, memories: &[&str]) -> Result<Vec<String>, Refused> {
        self.taken_up(container, memories).map_err(refused)
    }

    fn awaits_first(&self) -> Result<bool, Refused> {
        let token = self.service.first_token();
        let token = token.map_err(|error| refused(error.into()))?;
        Ok(token.is_some())
    }

    fn make_first(&self, token: &str, name: &str, password: &str) -> Result<(), Refused> {
        let made = self
            .service
            .make_first_person(token, name, password, self.from);
        made.map(drop).map_err(|error| refused(error.into()))
    }

    fn sign_in(&self, name: &str, password: &str) -> SignIn {
        let signed_in = self.service.sign_in(name, password, self.from);
        let signed_in = signed_in.map_err(|error| refused(error.into()))?;
        let session = &signed_in.session;
        let life = session.expires_at.duration_since(session.opened_at);
        let life = Duration::try_from(life).unwrap_or_default();
        Ok(Kept::Token(signed_in.token, life))
    }

    fn examine_key(&self, words: &str) -> Value {
        if !self.is_admin() {
            return Value::Null;
        }
        examine::key(self.service, words)
    }

    fn setups(&self, key: &str) -> Value {
        json!({ "items": setups(&format!("{}/mcp", self.address), key) })
    }

    fn durations(&self) -> Value {
        json!({ "items": self.running.metrics.percentiles() })
    }

    fn took(&self, container: &str, since: Timestamp) -> Result<Vec<Took>, Refused> {
        self.lasted(container, since).map_err(refused)
    }

    fn tallies(&self, container: &str, since: Timestamp) -> Result<Vec<Tally>, Refused> {
        self.tallied(container, since).map_err(refused)
    }

    fn last_uses(&self) -> Answered {
        self.used().map_err(refused)
    }

    fn parts(&self) -> Vec<Part> {
        let ledger = match self.service.ledger().head() {
            Ok(_) => "healthy",
            Err(_) => "unavailable",
        };
        let first = Part {
            name: "ledger".to_owned(),
            state: ledger.to_owned(),
            because: None,
        };
        let rest = self.running.health.ask().into_iter();
        let rest = rest.map(|(name, health)| Part {
            name: name.to_string(),
            state: health.as_str().to_owned(),
            because: health.because().map(str::to_owned),
        });
        std::iter::once(first).chain(rest).collect()
    }

    fn settings(&self) -> Value {
        let caretaker = self.running.caretaker.as_ref().filter(|_| self.is_admin());
        caretaker.map_or(Value::Null, |caretaker| caretaker.settings())
    }

    fn back_up(&self) -> Answered {
        let caretaker = self.running.caretaker.as_ref().filter(|_| self.is_admin());
        let Some(caretaker) = caretaker else {
            let detail = "Nobody looks after what this service is kept in.";
            return Err(refused(Problem::new(Code::NotDone, detail)));
        };
        let name = format!(
            "testimony-{}.db",
            self.service.now().strftime("%Y%m%dT%H%M%SZ")
        );
        let made = caretaker.back_up_beside(&name);
        let (path, made) = made.map_err(|why| refused(Problem::new(Code::NotDone, why)))?;
        let path = path.display().to_string();
        Ok(crate::wire::machine::backed_up(&path, &made))
    }
}
