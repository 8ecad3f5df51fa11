//! The console: how long its pages take over many memories, as a browser asks for them.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use testimony::Testimony;
use testimony::domain::PersonName;
use testimony::ports::ledger::accounts::Role;
use testimony::ports::ledger::audit::Actor;
use xtask::bench::{Bar, Report};

use super::Setting;
use crate::reading::questions;
use crate::server::{Served, prepared};
use crate::shared::client::{Request, alone};
use crate::shared::data::{Data, agent, container, tag};

const NAME: &str = "Ida";
const PASSWORD: &str = "four lamps on the pier";
/// How often each page is asked for; a client that is alone does it three times.
const VISITS: usize = 20;

pub(crate) fn measure(setting: &Setting, report: &mut Report) {
    let data = Data::new(setting.wanted.seed, false, 1);
    let prepared = prepared(setting, &data, setting.wanted.rows());
    name_somebody(prepared.folder.path());
    let served = Served::start(setting, prepared.folder.path());
    let cookie = signed_in(&served.address);
    let words = questions(&data, 1).remove(0).replace(' ', "+");
    for (name, path) in pages(&words) {
        let visits = vec![visit(&path, &cookie); VISITS];
        let came = alone(&served.address, &visits);
        let mut add = |what: &str, value, unit, bar| {
            report.add("console", format!("{name}{what}"), value, unit, bar);
        };
        add(", p50", came.least.at(0.5), "ms", Bar::AtMost(50.0));
        if came.errors > 0 {
            add(", errors", came.errors as f64, "", Bar::AtMost(0.0));
        }
    }
    served.stop();
}

/// The pages: lists of a hundred rows, by each filter, and those that look at everything there is.
fn pages(words: &str) -> Vec<(&'static str, String)> {
    let list = format!("/memories?container={}&limit=100", container(0));
    let of = |more: &str| format!("{list}&{more}");
    vec![
        ("the newest 100 memories", list.clone()),
        ("100 memories by words", of(&format!("q={words}"))),
        ("100 memories by state", of("state=active")),
        ("100 memories by a state that none has", of("state=pending")),
        ("100 memories by trust", of("trust=trusted")),
        ("100 memories by tag", of(&format!("tag={}", tag(1)))),
        (
            "100 memories by agent",
            of(&format!("agent_id={}", agent(1))),
        ),
        ("100 memories by time", of("created_before=2020-01-01")),
        (
            "a recall as an agent sees it",
            format!("/memories?view=recall&container={}&q={words}", container(0)),
        ),
        ("the queue of reviews", "/review".to_owned()),
        ("connections", "/connections".to_owned()),
        ("activity", "/activity".to_owned()),
        ("the trail", "/activity/audit".to_owned()),
        ("operations", "/operations".to_owned()),
    ]
}

fn name_somebody(folder: &Path) {
    let memory = Testimony::open(folder).unwrap();
    let name = PersonName::new("name", NAME).unwrap();
    let service = memory.service();
    let person = service.make_person(Actor::Service, &name, Role::Admin, PASSWORD);
    person.unwrap();
}

fn visit(path: &str, cookie: &str) -> Request {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n").into_bytes()
}

/// The cookie of somebody who has signed in.
fn signed_in(address: &str) -> String {
    let form = format!("name={NAME}&password={}", PASSWORD.replace(' ', "+"));
    let request = format!(
        "POST /login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: http://localhost\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let cookie = answer.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("set-cookie").then_some(value)
    });
    let cookie = cookie.unwrap_or_else(|| panic!("nobody is signed in: {answer}"));
    cookie.split(';').next().unwrap().to_owned()
}
