//! A browser that shows a page of somebody else beside the service: forms across sites, chosen sessions, names that lead
//! here and are not ours.

use serde_json::Value;

use crate::asking::{House, Route, code, first_id, raw, statuses, with_headers};
use crate::client::Answer;
use crate::console::{Browser, links, named, try_to_enter};
use crate::trial::Trial;

/// Hosts that could lead a browser here, and are not the service's.
const STRANGE_HOSTS: &[&str] = &[
    "evil.example",
    "evil.example:80",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "localhost@evil.example",
    "evil.example#localhost",
    "[::1].evil.example",
    "0.0.0.0",
    "2130706433",
    "",
];

/// Where pages come from that are not the service's.
const STRANGE_ORIGINS: &[&str] = &[
    "null",
    "http://evil.example",
    "https://localhost.evil.example",
    "http://evil.example#localhost",
    "file://",
];

/// The paths of forms that change something, as pages have them.
const FORMS: &[&str] = &[
    "/account/password",
    "/activity/audit/verify",
    "/connections/verify",
    "/connections/keys",
    "/containers",
    "/operations/backup",
    "/operations/doctor",
    "/operations/erase",
    "/operations/erase/now",
    "/people",
    "/review/decide",
    "/review/group",
    "/logout",
];

pub(super) fn strange_pages(trial: &mut Trial) {
    let mut house = House::open(trial, "data");
    let routes = house.routes();
    named(&mut house, "mara", "admin");
    named(&mut house, "olaf", "admin");
    for round in 0..trial.rounds {
        if round > 0 {
            // Attempts to sign in are counted by name; a new person has none.
            named(&mut house, &format!("mara-{round}"), "admin");
        }
        let name = if round == 0 {
            "mara".to_owned()
        } else {
            format!("mara-{round}")
        };
        one_round(trial, &mut house, &routes, &name);
        trial.round();
    }
    house.is_well(trial, "strange pages");
}

fn one_round(trial: &mut Trial, house: &mut House, routes: &[Route], name: &str) {
    let Some(browser) = Browser::enter(house, name, None) else {
        trial.broken("nobody could sign in");
        return;
    };
    let head = house.as_operator("/api/v1/admin/audit/head");
    for route in routes {
        without_token(trial, house, route, &browser);
    }
    forms(trial, house, &browser);
    if head != house.as_operator("/api/v1/admin/audit/head") {
        trial.leaked("a page of somebody else changed something");
    }
    fixed(trial, house, name);
    for route in routes {
        strange_names(trial, house, route);
    }
}

/// The cookie alone changes nothing, and counts for nothing where agents ask.
fn without_token(trial: &mut Trial, house: &mut House, route: &Route, browser: &Browser) {
    let path = route.path(&[("container_tag", crate::asking::WORKSPACE)]);
    let body = Value::Object(route.least()).to_string();
    let answer = house.ask(&browser.bare(&route.method, &path, &body));
    trial.fault();
    let expected = match (route.takes_session, route.takes_key) {
        (true, _) if route.changes_something() => (403, "csrf_token_missing"),
        (false, true) => (401, "credential_missing"),
        _ => return,
    };
    expect(trial, &answer, expected, route);
}

fn expect(trial: &mut Trial, answer: &Answer, (status, word): (u16, &str), route: &Route) {
    if (answer.status, code(answer).as_str()) != (status, word) {
        let found = (answer.status, code(answer));
        let (method, pattern) = (&route.method, &route.pattern);
        trial.broken(format!(
            "{method} {pattern}: {found:?}, not {status} {word}"
        ));
    }
}

/// Forms that a page of somebody else sends with the cookie of the person.
fn forms(trial: &mut Trial, house: &mut House, browser: &Browser) {
    for form in FORMS {
        for site in ["cross-site", "same-site"] {
            let headers = [
                ("Cookie", browser.cookie.as_str()),
                ("Content-Type", "application/x-www-form-urlencoded"),
                ("Origin", "http://evil.example"),
                ("Sec-Fetch-Site", site),
            ];
            let body = format!("csrf={}&name=eve&path=eve", browser.token);
            let answer = house.ask(&with_headers("POST", form, &headers, &body));
            trial.fault();
            if !(400..500).contains(&answer.status) {
                trial.leaked(format!(
                    "{form} from a page of somebody else: {}",
                    answer.status
                ));
            }
        }
    }
}

/// A session that somebody else chose is not taken over by signing in.
fn fixed(trial: &mut Trial, house: &mut House, name: &str) {
    let chosen = format!("testimony_session={}", "f".repeat(43));
    let answer = try_to_enter(house, name, Some(&chosen));
    trial.fault();
    let set = answer.header("set-cookie").unwrap_or_default();
    if answer.status != 200 || set.contains(&chosen) || set.is_empty() {
        trial.broken(format!(
            "signing in with a chosen session: {} {set:.40}",
            answer.status
        ));
    }
    let headers = [("Cookie", chosen.as_str())];
    let kept = house.ask(&with_headers("GET", "/api/v1/session", &headers, ""));
    if kept.status != 401 {
        trial.leaked(format!("a chosen session is one: {}", kept.status));
    }
}

/// A name that is not ours serves nothing that needs a credential; where agents speak, neither does a strange page.
fn strange_names(trial: &mut Trial, house: &mut House, route: &Route) {
    if !(route.takes_key || route.takes_session) {
        return;
    }
    let host = *trial.chance.one_of(STRANGE_HOSTS);
    let mut tried = vec![("Host", host, 421)];
    if route.pattern == "/mcp" {
        tried.extend(STRANGE_ORIGINS.iter().map(|it| ("Origin", *it, 403)));
        tried.extend(STRANGE_HOSTS.iter().map(|it| ("Host", *it, 421)));
    }
    for (header, value, expected) in tried {
        let came = raw_status(house, &led_astray(house, route, (header, value)));
        trial.fault();
        // What is no host at all is refused before it is read.
        if came != expected && came != 400 {
            let (method, pattern) = (&route.method, &route.pattern);
            trial.broken(format!(
                "{method} {pattern} with {header} {value:?}: {came}"
            ));
        }
    }
}

/// A request of an operator, as a browser sends it that was led here by this header.
fn led_astray(house: &House, route: &Route, header: (&str, &str)) -> Vec<u8> {
    let path = route.path(&[("container_tag", crate::asking::WORKSPACE)]);
    let body = Value::Object(route.least()).to_string();
    let bearer = format!("Bearer {}", house.operator);
    let headers = [
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
        header,
    ];
    with_headers(&route.method, &path, &headers, &body)
}

/// The status of a request that may be refused with the connection.
fn raw_status(house: &mut House, request: &[u8]) -> u16 {
    match house.ask(request).status {
        0 => statuses(&raw(&house.server.address, request))
            .first()
            .copied()
            .unwrap_or(0),
        status => status,
    }
}

/// Eyes for changes from a page: an honest one, with the token of its page.
pub(super) fn an_honest_page(trial: &mut Trial) {
    let mut house = House::open(trial, "honest");
    named(&mut house, "mara", "admin");
    let browser = Browser::enter(&mut house, "mara", None).unwrap();
    let agent = house.agent.clone();
    let row = serde_json::json!({ "content": "Ines keeps a boat." });
    assert!(first_id(&house.retain(&agent, &row)).is_some());
    let pages = browser.pages(&mut house, 12);
    assert!(
        pages
            .iter()
            .any(|(_, page)| !links(&String::from_utf8_lossy(&page.body), "href=\"").is_empty())
    );
    let routes = house.routes();
    let route = routes
        .iter()
        .find(|it| it.pattern == "/api/v1/admin/containers" && it.changes_something());
    let headers = [
        ("Cookie", browser.cookie.as_str()),
        ("X-CSRF-Token", browser.token.as_str()),
        ("Content-Type", "application/json"),
    ];
    let body = r#"{"container_tag":"honest"}"#;
    let answer = house.ask(&with_headers(
        "POST",
        "/api/v1/admin/containers",
        &headers,
        body,
    ));
    expect(trial, &answer, (403, "csrf_token_missing"), route.unwrap());
}
