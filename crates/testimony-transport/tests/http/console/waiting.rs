//! Rows of one origin in the queue: they stand in groups, and one decision serves all of a group that were shown.

use serde_json::json;
use testimony_domain::SourceClass;

use super::{Browser, Page};
use crate::support::Harness;

const ALIKE: [&str; 3] = [
    "Somebody left the gate of the east yard open.",
    "The crew of the ferry sang until late.",
    "Gulls have nested above the paint shed again.",
];
const LATER: &str = "The winch of the slipway was greased by hand.";

/// The values of a hidden field, each once.
fn values(page: &Page, name: &str) -> Vec<String> {
    let mark = format!("type=\"hidden\" name=\"{name}\" value=\"");
    let mut all: Vec<String> = page.text.split(&mark).skip(1).map(until_quote).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn until_quote(rest: &str) -> String {
    rest.split('"').next().unwrap().replace("&amp;", "&")
}

#[test]
fn rows_of_one_origin_stand_in_groups_that_one_decision_serves() {
    let harness = Harness::start();
    let weak = harness.key(|order| order.class = SourceClass::AgentObservation);
    let say = |words: &str| {
        let kept = harness.retain(&weak, &json!({ "content": words }));
        let kept = kept.expect(200).body;
        assert_eq!(
            kept["memories"][0]["lifecycle_state"], "pending",
            "{kept:#}"
        );
    };
    ALIKE.into_iter().for_each(say);
    let reviewer = Browser::of(&harness, "olaf", "reviewer");
    let queue = reviewer.get("/review?kind=pending").expect(200);
    queue.says("and 2 alike");
    assert_eq!(queue.text.matches("<article").count(), 1, "{}", queue.text);
    let (_, way) = queue.text.split_once("class=\"alike\" href=\"").unwrap();
    let way = until_quote(way);
    let page = reviewer.get(&way).expect(200);
    page.says("All 3 at once").says("Approve all");
    let (group, rows) = (page.field("group"), values(&page, "memory"));
    assert_eq!(rows.len(), 3);
    say(LATER);
    let mut fields = vec![
        ("container", "workspace"),
        ("group", group.as_str()),
        ("kind", "pending"),
        ("decision", "approve"),
    ];
    fields.extend(rows.iter().map(|row| ("memory", row.as_str())));
    let done = reviewer.does("/review/group", &fields).expect(200);
    done.says("Decided for the whole group.");
    // What came while the reviewer was reading was not shown, and still waits.
    done.says(LATER);
    for words in ALIKE {
        assert!(!done.text.contains(words), "{words}");
    }
    let decided = reviewer.get("/review?state=closed").expect(200);
    for words in ALIKE {
        decided.says(words);
    }
    reviewer.post("/review/group", &fields).expect(404);
}
