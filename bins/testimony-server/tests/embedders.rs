//! A server whose embedder is chosen in the file of settings: a memory changes to it and is found all the while, the
//! embedder goes away and comes back, and what its cosines mean is measured by a command.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may end it where it stands"
)]

mod support;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use support::{Memory, Served};

const DIMENSIONS: usize = 32;

/// What people call otherwise and mean the same; a text points towards the places of its words.
const MEANINGS: &[&[&str]] = &[
    &["works", "job", "employed"],
    &["observatory", "telescopes", "stargazing"],
    &["ferry", "boat", "vessel"],
    &["leaves", "departs", "sails"],
    &["dusk", "nightfall", "evening"],
    &["orders", "buys", "purchases"],
    &["paint", "varnish", "lacquer"],
];

/// A server of vectors on this machine, which can be down: then it answers 503.
struct Vectors {
    url: String,
    is_down: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
}

impl Vectors {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let vectors = Self {
            url: format!("http://{}/v1", listener.local_addr().unwrap()),
            is_down: Arc::default(),
            asked: Arc::default(),
        };
        let (is_down, asked) = (vectors.is_down.clone(), vectors.asked.clone());
        // It ends with the process of the tests.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                asked.fetch_add(1, Ordering::SeqCst);
                // Whoever asks may have gone again.
                let _ = answer(stream.unwrap(), is_down.load(Ordering::SeqCst));
            }
        });
        vectors
    }

    fn be_down(&self, is_down: bool) {
        self.is_down.store(is_down, Ordering::SeqCst);
    }

    /// The settings of a server that wants it.
    fn settings(&self) -> String {
        format!(
            "embedder = \"house\"\n[embedders.house]\nurl = \"{}\"\nmodel = \"house-small\"\ndimensions = {DIMENSIONS}\nkey_file = \"house.key\"\nattempts = 1\nfailures_before_rest = 1\nrest_seconds = 0.2\n",
            self.url
        )
    }
}

fn answer(mut stream: TcpStream, is_down: bool) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut head, mut length) = (String::new(), 0);
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head)? > 0 {}
    for line in head.lines() {
        if let Some(bytes) = line.to_lowercase().strip_prefix("content-length:") {
            length = bytes.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let question: Value = serde_json::from_slice(&body).unwrap_or_default();
    let texts = question["input"].as_array().cloned().unwrap_or_default();
    let lines: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(
            |(index, text)| json!({ "index": index, "embedding": numbers(text.as_str().unwrap()) }),
        )
        .collect();
    let (status, body) = if is_down {
        ("503 Busy", String::new())
    } else {
        ("200 OK", json!({ "data": lines }).to_string())
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

fn numbers(text: &str) -> Vec<f32> {
    let mut numbers = vec![0.1_f32; DIMENSIONS];
    let text = text.to_lowercase();
    for word in text.split(|letter: char| !letter.is_alphanumeric()) {
        let meaning = MEANINGS.iter().position(|words| words.contains(&word));
        let other = || MEANINGS.len() + word.bytes().map(usize::from).sum::<usize>() % 20;
        let (place, weight) = meaning.map_or_else(|| (other(), 0.2), |place| (place, 2.0));
        numbers[place] += weight;
    }
    numbers
}

const KNOWN: &[(&str, &str)] = &[
    ("Mara works at the observatory.", "Where does Mara work?"),
    (
        "The ferry to Skerry leaves at dusk.",
        "When does the ferry to Skerry leave?",
    ),
];

const WHOLE: &str = "healthy_multi_signal";
const WORDS_ALONE: &str = "degraded_keyword_only";

fn ask(served: &Served, path: &str, body: &Value) -> Value {
    let key = served.keys["agent_key"].as_str().unwrap();
    let url = format!("{}/api/v2/containers/workspace/{path}", served.url);
    let asked = ureq::post(url)
        .header("Authorization", format!("Bearer {key}"))
        .header("Content-Type", "application/json");
    let mut answer = asked.send(body.to_string()).unwrap();
    serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap()
}

fn retain(served: &Served, content: &str) -> Value {
    ask(served, "retain", &json!({ "content": content }))
}

/// How the sources were, where what is known was found for its question.
fn found(served: &Served, (content, question): (&str, &str)) -> String {
    let answer = ask(served, "recall", &json!({ "query": question }));
    let rows = ["results", "related_context"].map(|lane| answer[lane].as_array().cloned());
    let mut rows = rows.into_iter().flatten().flatten();
    assert!(rows.any(|row| row["content"] == content), "{answer:#}");
    let health = &answer["diagnostics"]["source_health_status"];
    health.as_str().unwrap().to_owned()
}

fn jobs(served: &Served, state: &str) -> Vec<String> {
    let words = ["job", "list", "--state", state, "--json"];
    let lines = served.memory.run(&words).lines();
    let kinds = lines
        .iter()
        .map(|job| job["kind"].as_str().unwrap().to_owned());
    kinds.collect()
}

/// Waits until no job is open, while everything known is found.
fn until_all_is_done(served: &Served) {
    for _ in 0..600 {
        if jobs(served, "queued").is_empty() && jobs(served, "leased").is_empty() {
            return;
        }
        for known in KNOWN {
            found(served, *known);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the jobs were not done");
}

fn configure(memory: &Memory, settings: &str) {
    let write = |name: &str, text: &str| std::fs::write(memory.folder().join(name), text).unwrap();
    write("house.key", "swordfish-7\n");
    write("testimony.toml", settings);
}

/// A server on a folder that another one has begun, with another embedder.
fn begun_with_the_table(vectors: &Vectors) -> Served {
    let mut first = Served::start(&[]);
    for (content, _) in KNOWN {
        retain(&first, content);
    }
    assert_eq!(first.stop(), Some(0));
    configure(&first.memory, &vectors.settings());
    first.again()
}

#[test]
fn a_memory_changes_its_embedder_and_is_found_all_the_while() {
    let vectors = Vectors::start();
    let served = begun_with_the_table(&vectors);
    for known in KNOWN {
        assert_eq!(found(&served, *known), WHOLE);
    }
    until_all_is_done(&served);
    assert!(jobs(&served, "done").contains(&"reembed".to_owned()));
    assert!(vectors.asked.load(Ordering::SeqCst) > 0);
    for known in KNOWN {
        assert_eq!(found(&served, *known), WHOLE);
    }
    // No word of the question stands in what is known; only the new embedder knows what it means.
    let question = "Which boat sails in the evening?";
    found(&served, (KNOWN[1].0, question));
}

#[test]
fn while_the_embedder_is_away_texts_are_kept_and_found_by_their_words_and_get_their_vectors_later()
{
    let vectors = Vectors::start();
    let served = begun_with_the_table(&vectors);
    until_all_is_done(&served);
    vectors.be_down(true);
    let new = (
        "Tom orders paint for the pier.",
        "What does Tom order for the pier?",
    );
    let retained = retain(&served, new.0);
    assert_eq!(retained["saved"], 1, "{retained:#}");
    assert_eq!(retained["pending_jobs"], json!(["embed"]), "{retained:#}");
    for known in [KNOWN[0], KNOWN[1], new] {
        assert_eq!(found(&served, known), WORDS_ALONE);
    }
    assert_eq!(jobs(&served, "dead"), Vec::<String>::new());
    vectors.be_down(false);
    until_all_is_done(&served);
    assert!(jobs(&served, "done").contains(&"embed".to_owned()));
    // The breaker lets a question through again once it has rested.
    for _ in 0..100 {
        if found(&served, new) == WHOLE {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("meaning stayed down");
}

#[test]
fn an_embedder_is_measured_by_a_command_and_listed_as_calibrated_from_then_on() {
    let (memory, vectors) = (Memory::new(), Vectors::start());
    memory.run(&["init"]).done();
    configure(&memory, &vectors.settings());
    let listed = memory.run(&["embedder", "list", "--json"]).lines();
    assert_eq!(listed[0]["kind"], "table");
    assert!(listed[0]["calibration"].is_string() && listed[0]["wanted"] == false);
    assert_eq!(listed[1]["name"], "house");
    assert!(listed[1]["calibration"].is_null() && listed[1]["wanted"] == true);
    let file = memory.folder().join("house.json");
    let words = [
        "embedder",
        "calibrate",
        "house",
        "--out",
        file.to_str().unwrap(),
    ];
    let said = memory.run(&words).done();
    assert!(said.contains("under [embedders.house]"), "{said}");
    let made = std::fs::read_to_string(&file).unwrap();
    memory.run(&words).done();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), made);
    let settings = format!("{}calibration = \"house.json\"\n", vectors.settings());
    configure(&memory, &settings);
    let listed = memory.run(&["embedder", "list"]).done();
    assert!(!listed.contains("not calibrated"), "{listed}");
    let shown = memory.run(&["serve", "--print-config"]).done();
    assert!(
        shown.contains("house.json") && !shown.contains("swordfish"),
        "{shown}"
    );
}

#[test]
fn a_calibration_is_refused_for_any_embedder_but_the_one_that_it_was_measured_for() {
    let (memory, vectors) = (Memory::new(), Vectors::start());
    memory.run(&["init"]).done();
    configure(&memory, &vectors.settings());
    let file = memory.folder().join("house.json");
    let file = file.to_str().unwrap();
    memory
        .run(&["embedder", "calibrate", "house", "--out", file])
        .done();
    let settings = format!("{}calibration = \"house.json\"\n", vectors.settings());
    let other = settings.replace("house-small", "house-large");
    configure(&memory, &other);
    let refused = memory.run(&["recall", "Who is there?"]);
    assert_eq!(refused.status, 2);
    for told in [
        "[embedders.house]",
        "it is of `house-small`",
        "calibrate house --out",
    ] {
        assert!(refused.err.contains(told), "{}", refused.err);
    }
}

/// What a server logs that is started on a folder and asked to stop.
fn log_of_a_start(memory: &Memory) -> String {
    let words = ["serve", "--listen", "127.0.0.1:0", "--log-format", "text"];
    let mut command = memory.command(&words);
    let mut child = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let asked = Command::new("kill").arg(child.id().to_string()).status();
    assert!(asked.unwrap().success());
    let log = child.wait_with_output().unwrap().stderr;
    String::from_utf8(log).unwrap()
}

#[test]
fn the_log_says_at_the_start_what_an_embedder_wants_of_whoever_runs_the_server() {
    let (memory, vectors) = (Memory::new(), Vectors::start());
    memory.run(&["init"]).done();
    configure(&memory, &vectors.settings());
    let log = log_of_a_start(&memory);
    assert!(log.contains("testimony embedder calibrate"), "{log}");
    assert!(!log.contains("embedded again"), "{log}");
    memory.run(&["retain", KNOWN[0].0]).done();
    configure(&memory, "");
    let log = log_of_a_start(&memory);
    for told in [
        "containers are embedded again",
        "house-small",
        "describe it under [embedders.NAME]",
    ] {
        assert!(log.contains(told), "{told}: {log}");
    }
}

#[test]
fn an_embedder_that_cannot_be_measured_is_told_with_what_helps() {
    let (memory, vectors) = (Memory::new(), Vectors::start());
    memory.run(&["init"]).done();
    configure(&memory, &vectors.settings());
    let folder = memory.folder();
    let (out, few) = (folder.join("out.json"), folder.join("few.txt"));
    std::fs::write(&few, "one\ntwo\n").unwrap();
    let (out_at, few_at) = (out.to_str().unwrap(), few.to_str().unwrap());
    let run =
        |more: &[&str]| memory.run(&[&["embedder", "calibrate", "--out", out_at], more].concat());
    let unknown = run(&["swordfish"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("there are: house"), "{}", unknown.err);
    assert!(!unknown.err.contains("swordfish"), "{}", unknown.err);
    let few = run(&["house", "--texts", few_at]);
    assert_eq!(few.status, 2);
    assert!(
        few.err.contains("--texts: 2 different texts are too few"),
        "{}",
        few.err
    );
    vectors.be_down(true);
    let down = run(&["house"]);
    assert_eq!(down.status, 3);
    assert!(down.err.contains("answers 503"), "{}", down.err);
    assert!(!out.exists());
}

#[test]
fn a_command_on_the_folder_that_wants_another_embedder_than_before_says_so() {
    let (memory, vectors) = (Memory::new(), Vectors::start());
    memory.run(&["init"]).done();
    memory
        .run(&["retain", "Mara works at the observatory."])
        .done();
    configure(&memory, &vectors.settings());
    let said = memory.run(&["recall", "Where does Mara work?"]);
    assert!(
        said.err.contains("1 container is by another embedder"),
        "{}",
        said.err
    );
    assert!(said.done().contains("observatory"));
}
