//! What is counted: by route and status, never by whoever asks or by what was said.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use serde_json::json;
use testimony_domain::{Capabilities, Capability, ContainerGrant, PrincipalKind};
use testimony_transport::http::Options;
use testimony_transport::metrics::{Gauge, Measured};

use crate::support::{Harness, QUESTION, Sent, fact, limits};

fn operator(harness: &Harness) -> String {
    harness.key(|order| {
        order.kind = PrincipalKind::Operator;
        order.containers = ContainerGrant::All;
        order.capabilities = Capabilities::of([Capability::Admin]);
    })
}

fn told(harness: &Harness, key: &str) -> String {
    let answer = harness.raw(&Sent::new("GET", "/metrics").key(key).bytes());
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(
        head.contains("content-type: text/plain; version=0.0.4"),
        "{head}"
    );
    body.to_owned()
}

#[test]
fn operators_are_told_what_was_counted_and_nobody_else_is() {
    let harness = Harness::start();
    let key = harness.agent();
    harness.retain(&key, &fact()).expect(200);
    harness
        .recall(&key, &json!({ "query": QUESTION }))
        .expect(200);
    harness
        .recall(
            &key,
            &json!({ "query": "Who is the mayor of Springfield?" }),
        )
        .expect(200);
    harness.recall(&key, &json!({})).expect(422);
    harness.send(&Sent::new("GET", "/nowhere")).expect(404);
    harness.send(&Sent::new("GET", "/metrics")).expect(401);
    harness.get(&key, "/metrics").expect(403);
    let text = told(&harness, &operator(&harness));
    for line in [
        "testimony_requests_total{route=\"recall\",status=\"200\"} 2",
        "testimony_requests_total{route=\"recall\",status=\"422\"} 1",
        "testimony_requests_total{route=\"none\",status=\"404\"} 1",
        "testimony_abstentions_total{route=\"recall\"} 1",
        "testimony_request_duration_seconds_count{route=\"retain\"} 1",
        "testimony_requests_in_flight 1",
        "testimony_memories{state=\"active\"} 1",
        "testimony_index_rows 1",
        "testimony_index_behind_events 0",
        "testimony_health{part=\"ledger\",state=\"healthy\"} 1",
        "testimony_health{part=\"index\",state=\"healthy\"} 1",
    ] {
        assert!(text.lines().any(|held| held == line), "{line}\n{text}");
    }
    assert!(text.contains("testimony_build_info{version="), "{text}");
    // Neither where nor who nor what is a label.
    for word in ["workspace", "helper", "desk", "Harborlight", "Springfield"] {
        assert!(!text.contains(word), "{word}\n{text}");
    }
}

#[test]
fn every_line_is_a_family_or_a_sample_of_the_family_before_it() {
    let harness = Harness::start();
    harness.retain(&harness.agent(), &fact()).expect(200);
    let mut family = String::new();
    for line in told(&harness, &operator(&harness)).lines() {
        let mut words = line.split(' ');
        match (words.next(), words.next()) {
            (Some("#"), Some("HELP")) => family = words.next().unwrap().to_owned(),
            (Some("#"), Some("TYPE")) => assert_eq!(words.next(), Some(family.as_str())),
            (Some(name), Some(_)) => {
                assert!(name.starts_with(&family), "{line} under {family}");
                let value = line.rsplit(' ').next().unwrap();
                assert!(value.parse::<f64>().is_ok(), "{line}");
            }
            _ => panic!("{line}"),
        }
    }
}

#[test]
fn a_listener_of_its_own_tells_anybody_and_nothing_else() {
    let harness = Harness::of(Options {
        limits: limits(),
        metrics_listen: Some("127.0.0.1:0".parse().unwrap()),
        gauge: Some(Gauge::new(|| {
            vec![Measured {
                name: "testimony_ledger_waiting",
                help: "What waits.",
                grows: false,
                value: 7,
            }]
        })),
        ..Options::default()
    });
    let ask = |address: SocketAddr, line: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let sent = format!("{line} HTTP/1.1\r\nHost: anywhere\r\n\r\n");
        stream.write_all(sent.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let address = harness.metrics_address.unwrap();
    let told = ask(address, "GET /metrics");
    assert!(told.starts_with("HTTP/1.1 200"), "{told}");
    assert!(told.contains("\ntestimony_ledger_waiting 7\n"), "{told}");
    assert!(ask(address, "POST /metrics").starts_with("HTTP/1.1 405"));
    assert!(ask(address, "GET /api/v1/memories/mem_1/courtroom").starts_with("HTTP/1.1 404"));
}
