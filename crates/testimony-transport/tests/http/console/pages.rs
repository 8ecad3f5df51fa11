//! Every page: it is there for whoever may see it, and for nobody else.

use serde_json::json;

use super::{Browser, visit};
use crate::support::{Harness, QUESTION, Sent, fact};

/// Pages of anybody who has signed in, with words that stand on them.
const FOR_PEOPLE: &[(&str, &str)] = &[
    ("/memories", "Memories"),
    ("/memories?view=recall", "Ask a question"),
    ("/review", "Nothing waits"),
    ("/review?state=closed", "No case fits"),
    ("/account", "Another password"),
];
/// Pages of operators.
const FOR_OPERATORS: &[(&str, &str)] = &[
    ("/memories?state=active", "Harborlight"),
    ("/memories?state=erased", "Nothing fits"),
    ("/memories?q=Harborlight", "Harborlight"),
    ("/connections", "Verify a key"),
    ("/connections/new", "New key"),
    ("/connections/new?kind=connector", "New connector token"),
    ("/activity", "Asked"),
    ("/activity?span=day", "Held back"),
    ("/activity/audit", "memory made"),
    ("/operations", "Examine everything"),
    ("/operations/erase", "What would go?"),
    ("/people", "mara"),
];

#[test]
fn every_page_is_there_for_whoever_may_see_it() {
    let harness = Harness::start();
    harness.retain(&harness.agent(), &fact()).expect(200);
    let (admin, reviewer) = (
        Browser::of(&harness, "mara", "admin"),
        Browser::of(&harness, "olaf", "reviewer"),
    );
    for (path, words) in FOR_PEOPLE {
        admin.get(path).expect(200);
        reviewer.get(path).expect(200).says(words);
        let sent = visit(&harness, &Sent::new("GET", path)).expect(303);
        assert!(sent.header("location").unwrap().starts_with("/login?next="));
    }
    for (path, words) in FOR_OPERATORS {
        admin.get(path).expect(200).says(words);
        if !path.starts_with("/memories") {
            let hidden = reviewer.get(path).expect(404);
            assert!(!hidden.text.contains(words), "{path}");
        }
        visit(&harness, &Sent::new("GET", path)).expect(303);
    }
}

#[test]
fn files_are_kept_by_browsers_and_pages_are_not() {
    let harness = Harness::start();
    for (path, kind) in [
        ("/assets/console.css", "text/css; charset=utf-8"),
        ("/assets/console.js", "text/javascript; charset=utf-8"),
        ("/assets/mark.svg", "image/svg+xml"),
    ] {
        let file = visit(&harness, &Sent::new("GET", path)).expect(200);
        assert_eq!(file.header("content-type"), Some(kind));
        assert!(file.header("cache-control").unwrap().contains("immutable"));
    }
    let page = visit(&harness, &Sent::new("GET", "/welcome")).expect(200);
    assert_eq!(page.header("cache-control"), Some("no-store"));
}

#[test]
fn the_case_of_a_memory_is_where_the_interface_says() {
    let harness = Harness::start();
    let kept = harness.retain(&harness.agent(), &fact()).expect(200);
    let id = kept.body["memories"][0]["id"].as_str().unwrap();
    let admin = Browser::of(&harness, "mara", "admin");
    let reviewer = Browser::of(&harness, "olaf", "reviewer");
    let path = format!("/memories?view=courtroom&case={id}&ask=Who+said+so%3F");
    let page = admin.get(&path).expect(200);
    for words in [
        "Final verdict",
        "By the rules",
        "By a model",
        "6543",
        "Cross-examination",
        "Lineage",
        "Record",
        "<svg",
    ] {
        page.says(words);
    }
    let seen = reviewer.get(&path).expect(200);
    seen.says("Final verdict");
    assert!(!seen.text.contains("Set it right"));
    for path in [
        "/memories?view=courtroom",
        "/memories?view=courtroom&case=mem_0",
        "/memories?view=else",
    ] {
        admin.get(path).expect(404);
    }
}

#[test]
fn what_an_agent_gets_stands_beside_what_was_held_back() {
    let harness = Harness::start();
    harness.retain(&harness.agent(), &fact()).expect(200);
    let weaker = harness.key(|order| order.class = testimony_domain::SourceClass::AgentObservation);
    let said = json!({ "content": "The staging database of Harborlight runs on port 7777." });
    harness.retain(&weaker, &said);
    let admin = Browser::of(&harness, "mara", "admin");
    let query: String = form_urlencoded::byte_serialize(QUESTION.as_bytes()).collect();
    let page = admin
        .get(&format!(
            "/memories?view=recall&trust_policy=strict&agent_id=helper&q={query}"
        ))
        .expect(200);
    page.says("What it gets")
        .says("6543")
        .says("What was held back")
        .says("7777")
        .says("Why?");
    let id = page
        .text
        .split("id=\"mem_")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    let why = admin
        .get(&format!("/memories?view=why&case=mem_{id}&q={query}"))
        .expect(200);
    why.says("class=\"outcome\"").says("Relevance");
}

#[test]
fn a_look_hands_nothing_out() {
    let harness = Harness::start();
    let agent = harness.agent();
    harness.retain(&agent, &fact()).expect(200);
    let admin = Browser::of(&harness, "mara", "admin");
    let query: String = form_urlencoded::byte_serialize(QUESTION.as_bytes()).collect();
    admin
        .get(&format!("/memories?view=recall&q={query}"))
        .expect(200)
        .says("6543");
    let rows = harness
        .get(
            &harness.operator(),
            "/api/v1/admin/containers/workspace/reads",
        )
        .expect(200);
    let routes: Vec<&str> = rows.body["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["route"].as_str().unwrap())
        .collect();
    assert!(!routes.contains(&"recall"), "{routes:?}");
    // What an agent says after a look is no echo of it.
    let again = harness.retain(&agent, &fact()).expect(200);
    assert!(!again.body.to_string().contains("echo"), "{:#}", again.body);
}
