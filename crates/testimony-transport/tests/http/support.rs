//! A server on a port of its own, keys for it, and a client that writes and reads bytes.

use std::cell::Cell;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};
use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, Clock, ContainerGrant, Labels, PrincipalKind,
    SequentialIds, SourceApp, SourceClass, Timestamp, UserId,
};
use testimony_embedding::StaticEmbedder;
use testimony_service::access::KeyOrder;
use testimony_service::ports::chance::{Chance, NoChance};
use testimony_service::ports::ledger::accounts::Allowance;
use testimony_service::ports::ledger::audit::{Act, Actor, ChainHead};
use testimony_service::ports::ledger::{Commit, CommitObserver, LedgerError, Reader, Work};
use testimony_service::{Ledger, Parts, Service, ServiceSecret};
use testimony_storage::Store;
use testimony_transport::http::{Drained, Limits, Options, Server};
use testimony_transport::problem::{DOCUMENT, ENVELOPE};
use testimony_transport::routes::all;
use testimony_transport::wire::shape::differences;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Bytes that only look random.
pub(crate) struct Counting(pub(crate) AtomicU8);

impl Chance for Counting {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoChance> {
        bytes.fill_with(|| self.0.fetch_add(41, Ordering::Relaxed));
        Ok(())
    }
}

/// A clock that goes on by a second whenever it is read, and can be made to fail or to wait.
#[derive(Default)]
pub(crate) struct TestClock {
    seconds: AtomicU64,
    /// Whoever reads the clock takes this lock, so whoever holds it stops every use case where it stands.
    pub(crate) gate: Mutex<()>,
    /// How often a use case read it.
    pub(crate) read: AtomicU64,
    pub(crate) broken: std::sync::atomic::AtomicBool,
}

impl TestClock {
    /// So many seconds go by.
    pub(crate) fn pass(&self, seconds: u64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        self.read.fetch_add(1, Ordering::SeqCst);
        drop(self.gate.lock());
        assert!(!self.broken.load(Ordering::SeqCst), "the clock is broken");
        let seconds = self.seconds.fetch_add(1, Ordering::SeqCst);
        Timestamp::from_second(1_790_000_000 + i64::try_from(seconds).unwrap()).unwrap()
    }
}

/// What a ledger can be made to say instead of doing what is asked.
pub(crate) type Excuse = fn() -> LedgerError;

thread_local! {
    static LOOKED_UP: Cell<u64> = const { Cell::new(0) };
}

/// How often this thread opened a ledger to read.
pub(crate) fn looked_up() -> u64 {
    LOOKED_UP.get()
}

/// What happens between the reading of a write and the write.
pub(crate) type Meanwhile = Box<dyn FnOnce() + Send>;

/// A ledger that can be made to fail, and before which something else can happen.
struct Stubborn {
    inner: Arc<dyn Ledger>,
    excuse: Arc<Mutex<Option<Excuse>>>,
    meanwhile: Arc<Mutex<Option<Meanwhile>>>,
}

impl Stubborn {
    fn excuse(&self) -> Result<(), LedgerError> {
        let excuse = *self.excuse.lock().unwrap();
        excuse.map_or(Ok(()), |excuse| Err(excuse()))
    }
}

impl Ledger for Stubborn {
    fn reader(&self) -> Result<Box<dyn Reader + '_>, LedgerError> {
        LOOKED_UP.set(LOOKED_UP.get() + 1);
        self.inner.reader()
    }

    fn submit(&self, act: Act, work: Work) -> Result<Commit, LedgerError> {
        self.excuse()?;
        let meanwhile = self.meanwhile.lock().unwrap().take();
        if let Some(happens) = meanwhile {
            happens();
        }
        self.inner.submit(act, work)
    }

    fn observe(&self, observer: Arc<dyn CommitObserver>) {
        self.inner.observe(observer);
    }

    fn head(&self) -> Result<ChainHead, LedgerError> {
        self.excuse()?;
        self.inner.head()
    }
}

/// Reading its table once is enough for all tests.
fn embedder() -> Arc<StaticEmbedder> {
    static TABLE: OnceLock<Arc<StaticEmbedder>> = OnceLock::new();
    Arc::clone(TABLE.get_or_init(|| Arc::new(StaticEmbedder::built_in().unwrap())))
}

/// A server that runs.
pub(crate) struct Harness {
    pub(crate) address: SocketAddr,
    pub(crate) metrics_address: Option<SocketAddr>,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) service: Arc<Service>,
    /// What the ledger says instead of writing.
    pub(crate) excuse: Arc<Mutex<Option<Excuse>>>,
    /// What happens just before the ledger is written to the next time.
    pub(crate) meanwhile: Arc<Mutex<Option<Meanwhile>>>,
    pub(crate) runtime: Runtime,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<Drained>>,
    /// Closed after everything that works on it.
    _store: Store,
}

/// Limits under which nothing that is sent in earnest is refused, and no test waits long.
pub(crate) fn limits() -> Limits {
    Limits {
        body_bytes: 1 << 20,
        drain_time: Duration::from_secs(10),
        ..Limits::default()
    }
}

impl Harness {
    pub(crate) fn start() -> Self {
        Self::with(limits())
    }

    pub(crate) fn with(limits: Limits) -> Self {
        Self::of(Options {
            limits,
            ..Options::default()
        })
    }

    pub(crate) fn of(options: Options) -> Self {
        let clock = Arc::new(TestClock::default());
        let (excuse, meanwhile) = (Arc::default(), Arc::default());
        let store = Store::open_in_memory().unwrap();
        let ledger = Arc::new(Stubborn {
            inner: store.ledger(),
            excuse: Arc::clone(&excuse),
            meanwhile: Arc::clone(&meanwhile),
        });
        let service = Arc::new(service(&store, ledger, &clock));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let options = Options {
            listen: "127.0.0.1:0".parse().unwrap(),
            ..options
        };
        let bound = Server::bind(options, Arc::clone(&service));
        let server = runtime.block_on(bound).unwrap();
        let (address, metrics_address) = (server.address(), server.metrics_address());
        let (stop, stopped) = oneshot::channel();
        let serving = runtime.spawn(server.serve_until(async move {
            // A harness that is dropped stops its server as well.
            let _ = stopped.await;
        }));
        Self {
            address,
            metrics_address,
            clock,
            service,
            excuse,
            meanwhile,
            runtime,
            stop: Some(stop),
            serving: Some(serving),
            _store: store,
        }
    }

    /// The key of an agent with all that agents may do.
    pub(crate) fn agent(&self) -> String {
        self.key(|_| {})
    }

    /// A key with something changed.
    pub(crate) fn key(&self, change: impl FnOnce(&mut KeyOrder)) -> String {
        use Capability::{AgentContext, AgentWriteback, CourtroomRead, Recall, Reflect, Write};
        let mut order = KeyOrder {
            name: "an agent".to_owned(),
            kind: PrincipalKind::Agent,
            containers: ContainerGrant::parse("containers", &["workspace"]).unwrap(),
            capabilities: Capabilities::of([
                AgentContext,
                AgentWriteback,
                CourtroomRead,
                Recall,
                Reflect,
                Write,
            ]),
            source_app: Some(SourceApp::new("source_app", "desk").unwrap()),
            agent: Some(AgentId::new("agent_id", "helper").unwrap()),
            agent_scope: AgentScope::Own,
            class: SourceClass::UserStatement,
            ceiling: SourceClass::Operator,
            labels: Labels::default(),
            expires_at: None,
            allowance: Allowance::default(),
        };
        change(&mut order);
        let made = self.service.make_key(Actor::Service, order).unwrap();
        made.credential.reveal()
    }

    /// The key of an operator.
    pub(crate) fn operator(&self) -> String {
        let order = KeyOrder::operator("an operator");
        let made = self.service.make_key(Actor::Service, order).unwrap();
        made.credential.reveal()
    }

    /// Sends bytes on a connection of their own, and reads what comes until it ends.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // A server that has said all it wants to say may close before all has been sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream
    }

    /// Sends a request; what comes is held against what the routes say of their answers.
    pub(crate) fn send(&self, request: &Sent) -> Answer {
        let answer = Answer::read(&self.raw(&request.bytes()));
        request.check_described(&answer);
        answer
    }

    pub(crate) fn post(&self, key: &str, path: &str, body: &Value) -> Answer {
        self.send(&Sent::post(path).key(key).json(body))
    }

    pub(crate) fn retain(&self, key: &str, body: &Value) -> Answer {
        self.post(key, "/api/v2/containers/workspace/retain", body)
    }

    pub(crate) fn recall(&self, key: &str, body: &Value) -> Answer {
        self.post(key, "/api/v2/containers/workspace/recall", body)
    }

    pub(crate) fn context(&self, key: &str, body: &Value) -> Answer {
        self.post(key, "/api/v2/containers/workspace/agent/context", body)
    }

    pub(crate) fn writeback(&self, key: &str, body: &Value) -> Answer {
        self.post(key, "/api/v2/containers/workspace/agent/writeback", body)
    }

    pub(crate) fn get(&self, key: &str, path: &str) -> Answer {
        self.send(&Sent::new("GET", path).key(key))
    }

    /// Lets time pass.
    pub(crate) fn pass(&self, seconds: u64) {
        self.clock.seconds.fetch_add(seconds, Ordering::SeqCst);
    }

    pub(crate) fn patch(&self, key: &str, path: &str, body: &Value) -> Answer {
        self.send(&Sent::new("PATCH", path).key(key).json(body))
    }

    pub(crate) fn delete(&self, key: &str, path: &str) -> Answer {
        self.send(&Sent::new("DELETE", path).key(key))
    }

    /// Asks the server to stop.
    pub(crate) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Waits until it has stopped.
    pub(crate) fn stopped(&mut self) -> Drained {
        self.stop();
        let serving = self.serving.take().unwrap();
        self.runtime.block_on(serving).unwrap()
    }
}

fn service(store: &Store, ledger: Arc<dyn Ledger>, clock: &Arc<TestClock>) -> Service {
    Service::new(Parts {
        ledger,
        index: store.index(),
        embedders: testimony_service::work::Embedders::new(embedder()),
        clock: Arc::clone(clock) as Arc<_>,
        ids: Arc::new(SequentialIds::default()),
        chance: Arc::new(Counting(AtomicU8::new(3))),
        secret: ServiceSecret::new([9; 32]),
        gates: Vec::new(),
    })
}

/// The person of these letters.
pub(crate) fn user(name: &str) -> UserId {
    UserId::new("user_id", name).unwrap()
}

/// A request as it is sent.
#[derive(Clone)]
pub(crate) struct Sent {
    line: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Sent {
    pub(crate) fn new(method: &str, path: &str) -> Self {
        Self {
            line: format!("{method} {path} HTTP/1.1"),
            headers: vec![
                ("Host".to_owned(), "localhost".to_owned()),
                ("Connection".to_owned(), "close".to_owned()),
            ],
            body: Vec::new(),
        }
    }

    pub(crate) fn post(path: &str) -> Self {
        Self::new("POST", path)
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn key(self, key: &str) -> Self {
        self.header("Authorization", &format!("Bearer {key}"))
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string().as_bytes())
    }

    pub(crate) fn body(mut self, kind: &str, body: &[u8]) -> Self {
        self.body = body.to_vec();
        self.header("Content-Type", kind)
            .header("Content-Length", &body.len().to_string())
    }

    /// Whatever is answered is as the table of routes says: a status that the route can have, and a body of its shape.
    fn check_described(&self, answer: &Answer) {
        let mut words = self.line.split(' ');
        let (method, target) = (words.next().unwrap(), words.next().unwrap());
        let path = target.split('?').next().unwrap_or_default();
        let route = all().find(|route| route.method.as_str() == method && route.matches(path));
        let kind = answer.header("content-type").unwrap_or_default();
        let shape = match (answer.status, route) {
            (200, Some(route)) => route.answer,
            (400.., _) if kind == "application/problem+json" => DOCUMENT,
            (400.., _) if path.starts_with("/v1/") => ENVELOPE,
            _ => return,
        };
        if kind.ends_with("json") {
            let wrong = differences(&shape, &answer.body);
            assert_eq!(
                wrong,
                Vec::<String>::new(),
                "{}: {:#}",
                self.line,
                answer.body
            );
        }
        if let Some(route) = route {
            let described = route.all_statuses().any(|status| status == answer.status);
            assert!(
                described,
                "{} is not said to answer {}",
                route.name, answer.status
            );
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{}\r\n", self.line).into_bytes();
        for (name, value) in &self.headers {
            bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        Self {
            status: status.and_then(|code| code.parse().ok()).unwrap_or(0),
            headers: lines
                .filter_map(|line| line.split_once(": "))
                .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
                .collect(),
            body: serde_json::from_str(body).unwrap_or(Value::Null),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The code of a problem, in whichever words it came.
    pub(crate) fn code(&self) -> &str {
        let of_gateway = &self.body["error"]["code"];
        let code = self.body["code"].as_str().or(of_gateway.as_str());
        code.unwrap_or_default()
    }

    /// The pointers of everything that is wrong.
    pub(crate) fn pointers(&self) -> Vec<&str> {
        let errors = self.body["errors"].as_array();
        let mut all: Vec<&str> = errors
            .into_iter()
            .flatten()
            .filter_map(|error| error["pointer"].as_str())
            .collect();
        all.sort_unstable();
        all
    }

    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{:#}", self.body);
        self
    }

    /// The texts of rows.
    pub(crate) fn contents(&self, list: &str) -> Vec<&str> {
        let rows = self.body[list].as_array();
        rows.into_iter()
            .flatten()
            .filter_map(|row| row["content"].as_str())
            .collect()
    }
}

/// A fact that means something.
pub(crate) fn fact() -> Value {
    json!({ "content": "The staging database of Harborlight runs on port 6543." })
}

pub(crate) const QUESTION: &str = "On which port does the staging database of Harborlight run?";
