//! That no way in is missing: every route that takes a text, every tool and every form of a page has one.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::desk::Desk;
use super::ways::Way;
use super::{MOST_PAGES, Trial};
use crate::asking::Route;
use crate::console::links;

/// Forms in which nobody writes anything.
const WITHOUT_TEXT: &[&str] = &[
    "FORM /logout",
    "FORM /operations/backup",
    "FORM /operations/doctor",
    "FORM /connections/keys/{}/rotate",
    "FORM /connections/keys/{}/revoke",
    "FORM /connections/tokens/{}/withdraw",
    "FORM /operations/jobs/{}/revive",
];

/// Whatever takes a text has a way, and whatever is a way is there.
pub(super) fn is_whole(trial: &mut Trial, desk: &mut Desk, ways: &[Way]) {
    let known: BTreeSet<String> = ways.iter().map(|way| nameless(way.route)).collect();
    let tools: Vec<Value> = ways
        .iter()
        .map(|way| (way.body)("")["params"]["name"].clone())
        .collect();
    let there: BTreeSet<String> = routes(desk).into_iter().chain(forms(desk)).collect();
    for missing in there.difference(&known) {
        trial.broken(format!("no credential goes through {missing}"));
    }
    for tool in self::tools(desk) {
        if !tools.contains(&tool) {
            trial.broken(format!("no credential goes through the tool {tool}"));
        }
    }
}

/// Routes of both descriptions that take a text in their body.
fn routes(desk: &mut Desk) -> Vec<String> {
    let takes_text = |route: &Route| {
        let mut fields = route.body.iter().flat_map(|(fields, _)| fields.values());
        fields.any(can_say_something)
    };
    let routes = desk.house.routes();
    let writing = routes.iter().filter(|it| it.changes_something());
    let named = writing
        .filter(|it| takes_text(it))
        .map(|it| nameless(&format!("{} {}", it.method, it.pattern)));
    named.collect()
}

/// Whether a field takes words of one's own: neither a number nor a flag, nor one word of a few.
fn can_say_something(schema: &Value) -> bool {
    let kinds = schema["type"].as_array().into_iter().flatten();
    let mut kinds = kinds.chain([&schema["type"]]);
    let is_bare = |kind: &Value| ["integer", "number", "boolean"].iter().any(|it| kind == it);
    schema["enum"].is_null() && !kinds.any(is_bare)
}

/// Tools that take anything.
fn tools(desk: &mut Desk) -> Vec<Value> {
    let asked = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let agent = desk.house.agent.clone();
    let told = desk.house.post(&agent, "/mcp", &asked).json();
    let tools = told["result"]["tools"].as_array().into_iter().flatten();
    let takes = tools.filter(|tool| {
        let fields = tool["inputSchema"]["properties"].as_object();
        fields.is_some_and(|fields| fields.keys().any(|name| name != "container_tag"))
    });
    takes.map(|tool| tool["name"].clone()).collect()
}

/// Where the pages of the console send forms.
fn forms(desk: &mut Desk) -> BTreeSet<String> {
    let pages = desk.browser.pages(&mut desk.house, MOST_PAGES);
    let pages = pages
        .iter()
        .map(|(_, page)| String::from_utf8_lossy(&page.body));
    let sent: BTreeSet<String> = pages
        .flat_map(|page| {
            let forms = page.split("<form").skip(1);
            let heads = forms.filter_map(|form| form.split('>').next());
            let sending = heads.filter(|head| head.contains("method=\"post\""));
            let to = sending.flat_map(|head| links(head, "action=\""));
            to.map(|path| nameless(&format!("FORM {path}")))
                .collect::<Vec<_>>()
        })
        .filter(|form| !WITHOUT_TEXT.contains(&form.as_str()))
        .collect();
    assert!(sent.len() > 5, "only {sent:?} were found");
    sent
}

/// A route with nothing between the braces, and braces where an id stands.
fn nameless(route: &str) -> String {
    let is_id = |part: &str| {
        let id = part.split_once('_').map(|(_, id)| id);
        id.is_some_and(|id| id.len() == 32 && id.bytes().all(|it| it.is_ascii_hexdigit()))
    };
    let parts = route.split('/').map(|part| {
        if part.starts_with('{') || is_id(part) {
            "{}"
        } else {
            part
        }
    });
    parts.collect::<Vec<_>>().join("/")
}
