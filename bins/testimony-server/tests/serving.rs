//! The server as somebody meets it who starts it for the first time: it says where it listens and where the keys are, the
//! quickstarts run against it, and it stops when it is asked to.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a helper of a test may end it where it stands"
)]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::Served;

/// Runs one of the quickstarts against a server.
fn quickstart(served: &Served, program: &str, script: &str) -> String {
    let output = Command::new(program)
        .arg(repository().join("quickstart").join(script))
        .env("TESTIMONY_URL", &served.url)
        .env("TESTIMONY_KEY", served.keys["agent_key"].as_str().unwrap())
        .output();
    let output =
        output.unwrap_or_else(|error| panic!("{program} is needed to run the quickstart: {error}"));
    said(&output)
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
        .to_owned()
}

fn said(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_quickstart_with_curl_remembers_and_abstains() {
    let served = Served::start(&[]);
    let said = quickstart(&served, "sh", "quickstart.sh");
    let answers: Vec<serde_json::Value> = said
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let [retained, known, unknown, context] = answers.as_slice() else {
        panic!("{said}")
    };
    assert_eq!(retained["saved"], 2, "{retained}");
    assert_eq!(
        known["results"][0]["content"],
        "Mara works at the observatory."
    );
    assert_eq!(unknown["results"], serde_json::json!([]));
    assert_eq!(unknown["diagnostics"]["abstained"], true);
    let block = context["prompt_memory_block"].as_str().unwrap();
    assert!(block.contains("observatory"), "{block}");
}

#[test]
fn the_quickstart_with_python_learns_what_the_user_said() {
    let served = Served::start(&[]);
    let said = quickstart(&served, "python3", "quickstart.py");
    for expected in [
        "active     Mara works at the observatory.",
        "forensic   Hello!",
        "not known: no_",
        "<testimony-memory rows=",
        "learnt:    ['User prefers answers in Portuguese.']",
    ] {
        assert!(said.contains(expected), "{expected:?} in {said}");
    }
}

#[test]
fn it_says_how_each_of_its_parts_is() {
    let served = Served::start(&[]);
    let output = Command::new("curl")
        .args(["--silent", "--max-time", "10"])
        .arg(format!("{}/readyz", served.url))
        .output()
        .unwrap();
    let ready: serde_json::Value = serde_json::from_str(&said(&output)).unwrap();
    for part in ["ledger", "index", "embedder", "jobs"] {
        assert!(ready["dependencies"][part].is_string(), "{part} in {ready}");
    }
}

#[test]
fn it_stops_when_it_is_asked_to_and_what_it_kept_is_there_again() {
    let mut served = Served::start(&[]);
    quickstart(&served, "sh", "quickstart.sh");
    assert_eq!(served.stop(), Some(0));
    let memory = testimony::Testimony::open(served.memory.folder()).unwrap();
    let reader = memory.service().ledger().reader().unwrap();
    let page = testimony::ports::ledger::Page::first(100);
    let rows = reader.list(&Default::default(), page).unwrap();
    assert!(
        rows.iter()
            .any(|row| row.content.as_str().contains("observatory"))
    );
}

#[test]
fn it_does_not_listen_in_the_open_without_tls() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_testimony"))
        .args(["serve", "--listen", "0.0.0.0:0", "--data"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("--tls-certificate") && told.contains("--behind-proxy"),
        "{told}"
    );
}
