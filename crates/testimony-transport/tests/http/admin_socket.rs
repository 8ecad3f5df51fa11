//! The socket for commands at the machine: who comes in by it is the host, and it comes and goes with the server.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use testimony_transport::http::{BindError, Drained, Limits, Options, Server, SocketError};

use crate::support::{Answer, Harness, QUESTION, Sent, fact, limits};

fn beside(path: &Path) -> Options {
    Options {
        limits: limits(),
        admin_socket: Some(path.to_owned()),
        ..Options::default()
    }
}

fn said(path: &Path, sent: &Sent) -> Answer {
    let mut stream = UnixStream::connect(path).unwrap();
    stream.write_all(&sent.bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    Answer::read(&answer)
}

#[test]
fn whoever_may_open_it_needs_no_credential() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("admin.sock");
    let harness = Harness::of(beside(&path));
    // The container comes with the key.
    let key = harness.agent();
    harness.retain(&key, &fact()).expect(200);
    let ask = Sent::post("/api/v2/containers/workspace/recall").json(&json!({ "query": QUESTION }));
    let found = said(&path, &ask).expect(200);
    assert_eq!(found.contents("results").len(), 1);
    // By the address the same request is nobody's, and the host of a name that is not served is refused there only.
    harness.send(&ask).expect(401);
    let strange = ask.header("Host", "elsewhere.test");
    said(&path, &strange).expect(200);
    harness.send(&strange).expect(421);
}

#[test]
fn it_is_for_its_owner_and_goes_with_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("admin.sock");
    let mut harness = Harness::of(beside(&path));
    let rights = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(rights & 0o777, 0o600);
    assert_eq!(harness.stopped(), Drained::Whole);
    assert!(!path.exists());
}

#[test]
fn it_answers_when_nobody_else_is_let_in_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("admin.sock");
    let full = Limits {
        connections: 1,
        ..limits()
    };
    let harness = Harness::of(Options {
        limits: full,
        ..beside(&path)
    });
    let _only = harness.connect();
    said(&path, &Sent::new("GET", "/healthz")).expect(200);
}

fn refused(harness: &Harness, path: &Path) -> SocketError {
    let options = Options {
        listen: "127.0.0.1:0".parse().unwrap(),
        ..beside(path)
    };
    let bound = Server::bind(options, Arc::clone(&harness.service));
    match harness.runtime.block_on(bound) {
        Err(BindError::Socket(error)) => error,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it listens"),
    }
}

#[test]
fn a_socket_that_was_left_is_replaced_and_nothing_else_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("admin.sock");
    drop(UnixListener::bind(&path).unwrap());
    let harness = Harness::of(beside(&path));
    said(&path, &Sent::new("GET", "/healthz")).expect(200);
    let taken = refused(&harness, &path);
    assert!(matches!(taken, SocketError::Taken { .. }), "{taken}");
    let file = folder.path().join("notes");
    std::fs::File::create(&file).unwrap();
    let other = refused(&harness, &file);
    assert!(matches!(other, SocketError::Other { .. }), "{other}");
    assert!(file.exists());
}

#[test]
fn a_path_that_no_socket_can_have_is_refused_with_a_remedy() {
    let harness = Harness::start();
    let folder = tempfile::tempdir().unwrap();
    let long = folder.path().join("deep".repeat(30)).join("admin.sock");
    let error = refused(&harness, &long).to_string();
    assert!(error.contains("shorter path"), "{error}");
}
