//! What the families that attack by asking have in common: a server with its first keys, the routes as it describes them
//! itself, answers that are compared, its log, and canaries with several pairs of eyes.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::client::{Answer, Client, get_as, post, with_body};
use crate::server::Server;
use crate::trial::{Found, Trial};

/// The container of the first keys.
pub(crate) const WORKSPACE: &str = "workspace";
/// How long bytes that no client would send are given to be answered.
const RAW: Duration = Duration::from_millis(700);

/// A server of one scenario, and whoever operates it.
pub(crate) struct House {
    pub(crate) server: Server,
    pub(crate) operator: String,
    pub(crate) agent: String,
    client: Client,
}

/// A key as its maker gets it.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) id: String,
    pub(crate) secret: String,
}

impl House {
    pub(crate) fn open(trial: &Trial, name: &str) -> Self {
        Self::open_with(trial, name, &[])
    }

    /// A house with further words on its server's command line.
    pub(crate) fn open_with(trial: &Trial, name: &str, words: &[&str]) -> Self {
        let folder = trial.room(name);
        let server = Server::start_with(trial.program, &folder, words, &[]);
        let server = server.map_err(|refused| refused.said).unwrap();
        Self {
            operator: server.first_key("operator_key"),
            agent: server.first_key("agent_key"),
            client: server.client(),
            server,
        }
    }

    /// Sends a request, once more where the connection had been closed; status 0 is no answer.
    pub(crate) fn ask(&mut self, request: &[u8]) -> Answer {
        let answer = self.client.send(request);
        let answer = answer.or_else(|_| self.client.send(request));
        answer.unwrap_or_else(|error| Answer {
            status: 0,
            head: String::new(),
            body: error.to_string().into_bytes(),
        })
    }

    pub(crate) fn timed(&mut self, request: &[u8]) -> (Answer, Duration) {
        let start = Instant::now();
        let answer = self.ask(request);
        (answer, start.elapsed())
    }

    /// For how long the server itself worked while a request was answered, whatever else the machine had to do.
    pub(crate) fn worked(&mut self, request: &[u8]) -> Duration {
        let before = self.server.worked();
        self.ask(request);
        self.server.worked().saturating_sub(before)
    }

    pub(crate) fn get(&mut self, key: &str, path: &str) -> Answer {
        self.ask(&get_as(key, path))
    }

    pub(crate) fn post(&mut self, key: &str, path: &str, body: &Value) -> Answer {
        self.ask(&post(key, path, body))
    }

    /// What an operator gets.
    pub(crate) fn as_operator(&mut self, path: &str) -> Value {
        let key = self.operator.clone();
        self.get(&key, path).json()
    }

    /// What comes of what an operator orders.
    pub(crate) fn order(&mut self, path: &str, body: &Value) -> Value {
        let key = self.operator.clone();
        self.post(&key, path, body).json()
    }

    /// A new key; it is for the workspace where nothing else is said.
    pub(crate) fn key(&mut self, order: Value) -> Key {
        let mut order = order;
        if order.get("containers").is_none() && order["kind"] != "operator" {
            order["containers"] = json!([WORKSPACE]);
        }
        let made = self.order("/api/v1/admin/keys", &order);
        let text = |name: &str| made[name].as_str().map(str::to_owned);
        let key = text("id").zip(text("key"));
        let (id, secret) = key.ok_or_else(|| format!("no key: {made}")).unwrap();
        Key { id, secret }
    }

    /// A key that speaks for an agent of its own, whose word is of this class.
    pub(crate) fn speaker(&mut self, agent: &str, class: &str) -> String {
        let order = json!({ "agent_id": agent, "class": class });
        self.key(order).secret
    }

    pub(crate) fn retain(&mut self, key: &str, item: &Value) -> Answer {
        self.post(key, &within(WORKSPACE, "retain"), item)
    }

    pub(crate) fn recall(&mut self, key: &str, question: &Value) -> Answer {
        self.post(key, &within(WORKSPACE, "recall"), question)
    }

    /// What is kept of a memory, as an operator sees it.
    pub(crate) fn memory(&mut self, id: &str) -> Value {
        self.as_operator(&format!("/api/v1/admin/memories/{id}"))
    }

    /// What the server logged.
    pub(crate) fn log(&self) -> String {
        let log = self.server.folder.with_extension("log");
        String::from_utf8_lossy(&std::fs::read(log).unwrap_or_default()).into_owned()
    }

    /// Nothing panicked, and it answers.
    pub(crate) fn is_well(&mut self, trial: &mut Trial, after: &str) {
        let log = self.log();
        if let Some(line) = log.lines().find(|line| line.contains("panicked")) {
            trial.broken(format!("after {after}: {line}"));
        }
        let ready = self.ask(&crate::client::get("/readyz")).status;
        if ready != 200 {
            trial.broken(format!("after {after} the server says {ready}"));
        }
    }

    /// The addresses of all pages of a list.
    pub(crate) fn pages_of(&mut self, path: &str) -> Vec<String> {
        const MOST: usize = 400;
        let mark = if path.contains('?') { '&' } else { '?' };
        let mut pages = vec![path.to_owned()];
        while let Some(next) = self.as_operator(&pages[pages.len() - 1])["next"].as_str() {
            pages.push(format!("{path}{mark}after={next}"));
            if pages.len() >= MOST {
                break;
            }
        }
        pages
    }

    /// A field of everything that a list holds.
    pub(crate) fn listed(&mut self, path: &str, field: &str) -> Vec<String> {
        let pages = self.pages_of(path);
        let items = pages.iter().flat_map(|page| {
            let answer = self.as_operator(page);
            answer["items"].as_array().cloned().unwrap_or_default()
        });
        items
            .filter_map(|item| item[field].as_str().map(str::to_owned))
            .collect()
    }

    /// Every route that the server describes.
    pub(crate) fn routes(&mut self) -> Vec<Route> {
        let public = self.as_operator("/openapi.public.json");
        let operator = self.as_operator("/openapi.operator.json");
        let mut all = described(&public);
        all.extend(described(&operator));
        assert!(all.len() > 50, "only {} routes are described", all.len());
        all
    }
}

/// The path of a route of a container.
pub(crate) fn within(container: &str, route: &str) -> String {
    format!("/api/v2/containers/{container}/{route}")
}

/// Every memory that a write made, also where it stands against what is known.
pub(crate) fn made(answer: &Answer) -> Vec<String> {
    let body = answer.json();
    let told = if body["answer"].is_object() {
        &body["answer"]
    } else {
        &body
    };
    let ids = told["committed_memory_ids"]
        .as_array()
        .into_iter()
        .flatten();
    ids.filter_map(|id| id.as_str().map(str::to_owned))
        .collect()
}

/// The first memory that a write told of.
pub(crate) fn first_id(answer: &Answer) -> Option<String> {
    let body = answer.json();
    let id = body["memories"][0]["id"].as_str();
    id.map(str::to_owned)
}

/// A route as the server describes it.
#[derive(Clone)]
pub(crate) struct Route {
    pub(crate) method: String,
    pub(crate) pattern: String,
    pub(crate) statuses: Vec<u16>,
    /// The fields of its body by name, with their descriptions, where it reads one; and which of them it needs.
    pub(crate) body: Option<(Map<String, Value>, Vec<String>)>,
    pub(crate) query: Vec<String>,
    /// Whether a key lets one in, and whether a session does.
    pub(crate) takes_key: bool,
    pub(crate) takes_session: bool,
}

/// The routes of a description.
fn described(description: &Value) -> Vec<Route> {
    let paths = description["paths"].as_object();
    let each = paths.into_iter().flatten().flat_map(|(pattern, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(|(method, said)| Route::read(method, pattern, said, description))
    });
    each.collect()
}

impl Route {
    fn read(method: &str, pattern: &str, said: &Value, description: &Value) -> Self {
        let keys = said["responses"].as_object().into_iter().flatten();
        let schema = &said["requestBody"]["content"]["application/json"]["schema"];
        let named = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next());
        let body = named.and_then(|name| {
            let schema = &description["components"]["schemas"][name];
            let needed = schema["required"].as_array().into_iter().flatten();
            let needed = needed.filter_map(|it| it.as_str().map(str::to_owned));
            Some((schema["properties"].as_object()?.clone(), needed.collect()))
        });
        let parameters = said["parameters"].as_array().into_iter().flatten();
        let query = parameters.filter(|it| it["in"] == "query");
        let doors = said["security"].as_array().into_iter().flatten();
        let lets_in = |kind: &str| doors.clone().any(|door| door.get(kind).is_some());
        Self {
            method: method.to_uppercase(),
            pattern: pattern.to_owned(),
            statuses: keys.filter_map(|(status, _)| status.parse().ok()).collect(),
            body,
            query: query
                .filter_map(|it| it["name"].as_str().map(str::to_owned))
                .collect(),
            takes_key: lets_in("bearer"),
            takes_session: lets_in("session"),
        }
    }

    /// Its path, with what `there` gives for each name in it; an id that nothing has where it gives nothing.
    pub(crate) fn path(&self, there: &[(&str, &str)]) -> String {
        let parts = self.pattern.split('/').map(|part| {
            let Some(name) = part.strip_prefix('{').and_then(|it| it.strip_suffix('}')) else {
                return part.to_owned();
            };
            let given = there.iter().find(|(known, _)| *known == name);
            given.map_or_else(|| missing(name), |(_, value)| (*value).to_owned())
        });
        parts.collect::<Vec<_>>().join("/")
    }

    pub(crate) fn changes_something(&self) -> bool {
        self.method != "GET"
    }

    /// A request of this route.
    pub(crate) fn request(&self, key: &str, path: &str, body: &[u8]) -> Vec<u8> {
        if self.changes_something() {
            with_body(&self.method, key, path, body)
        } else {
            get_as(key, path)
        }
    }

    /// A body that has what the route needs, and no more.
    pub(crate) fn least(&self) -> Map<String, Value> {
        let Some((fields, needed)) = &self.body else {
            return Map::new();
        };
        let usual = USUAL.iter().map(|name| (*name).to_owned());
        let usual = usual.filter(|name| fields.contains_key(name));
        let filled = needed.iter().cloned().chain(usual).map(|name| {
            let schema = fields.get(&name).unwrap_or(&Value::Null);
            let value = plain(&name, schema);
            (name, value)
        });
        filled.collect()
    }
}

/// What a route needs one of, as far as it has them.
const USUAL: &[&str] = &[
    "content",
    "observed_facts",
    "containers",
    "container",
    "entries",
];

/// Something plain of the kind that a field takes.
fn plain(name: &str, schema: &Value) -> Value {
    if let Some(word) = schema["enum"].as_array().and_then(|all| all.first()) {
        return word.clone();
    }
    let kind = schema["type"].as_str();
    let kind = kind.or_else(|| schema["type"].as_array()?.first()?.as_str());
    match (name, kind) {
        ("containers", _) => json!([WORKSPACE]),
        ("container", _) => json!(WORKSPACE),
        ("observed_facts", _) => json!(["The lighthouse keeper is called Ines."]),
        ("messages", _) => json!([{ "role": "user", "content": "Where does Ines work?" }]),
        (_, Some("array")) => json!([]),
        (_, Some("object")) => json!({}),
        (_, Some("integer" | "number")) => json!(1),
        (_, Some("boolean")) => json!(false),
        _ => json!("The lighthouse keeper is called Ines."),
    }
}

/// An id of the right form that nothing has, or a name that nobody gave.
fn missing(name: &str) -> String {
    let kind = match name {
        "memory_id" => "mem",
        "key_id" => "key",
        "person_id" => "person",
        "connector_id" => "connector",
        "case_id" => "case",
        "job_id" => "job",
        _ => return "nowhere".to_owned(),
    };
    format!("{kind}_{}", "0".repeat(32))
}

/// What an answer says, but for what names the request and the moment.
pub(crate) fn told(answer: &Answer) -> (u16, String) {
    let mut body = answer.json();
    if body.is_null() {
        return (
            answer.status,
            String::from_utf8_lossy(&answer.body).into_owned(),
        );
    }
    forget(&mut body);
    (answer.status, body.to_string())
}

fn forget(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("request_id");
            members.values_mut().for_each(forget);
        }
        Value::Array(values) => values.iter_mut().for_each(forget),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Sends bytes over a connection of their own, and gives back everything that comes until it closes or falls silent.
pub(crate) fn raw(address: &str, bytes: &[u8]) -> Vec<u8> {
    let Ok(mut stream) = TcpStream::connect(address) else {
        return Vec::new();
    };
    let patient = stream.set_read_timeout(Some(RAW));
    // A server that has refused already reads no further.
    drop((patient, stream.write_all(bytes)));
    let (mut came, mut part) = (Vec::new(), [0; 1 << 14]);
    while let Ok(count @ 1..) = stream.read(&mut part) {
        came.extend_from_slice(&part[..count]);
    }
    came
}

/// The statuses of the answers in what came.
pub(crate) fn statuses(came: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(came);
    let heads = text.split("HTTP/1.").skip(1);
    heads
        .filter_map(|head| head.split(' ').nth(1)?.parse().ok())
        .collect()
}

/// Something broken for a pair of eyes.
pub(crate) type Eyes = (&'static str, fn(&mut Trial));

/// Has each pair of eyes look at what is broken for it. Only where every one saw it, something is said to be broken.
pub(crate) fn all_see(trial: &mut Trial, eyes: &[Eyes]) {
    let mut blind = Vec::new();
    for (name, look) in eyes {
        let kept = std::mem::take(&mut trial.found);
        look(trial);
        let found: Found = std::mem::replace(&mut trial.found, kept);
        trial.fault();
        if found.holds() {
            blind.push(*name);
        }
    }
    trial.round();
    if blind.is_empty() {
        trial.broken("every pair of eyes saw what was broken for it");
    } else {
        trial.remark(format!("not seen: {}", blind.join("; ")));
    }
}

/// A text as addresses and forms have it.
pub(crate) fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A request with these headers and no others but the host, which stands among them where it is another.
pub(crate) fn with_headers(
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Vec<u8> {
    let names_host = |(name, _): &(&str, &str)| name.eq_ignore_ascii_case("host");
    let host = (!headers.iter().any(names_host)).then_some(("Host", "localhost"));
    let body = if method == "GET" { "" } else { body };
    let length = body.len().to_string();
    let length = (method != "GET").then_some(("Content-Length", length.as_str()));
    let all = host
        .into_iter()
        .chain(headers.iter().copied())
        .chain(length);
    let lines: String = all
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    format!("{method} {path} HTTP/1.1\r\n{lines}\r\n{body}").into_bytes()
}

/// The word by which an answer says what went wrong, on routes of either manner.
pub(crate) fn code(answer: &Answer) -> String {
    let body = answer.json();
    let code = body["code"]
        .as_str()
        .or_else(|| body["error"]["code"].as_str());
    code.unwrap_or_default().to_owned()
}
