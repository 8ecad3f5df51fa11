//! What somebody stored is text on every page, whatever it holds.

use serde_json::json;

use super::Browser;
use crate::support::Harness;

/// Texts that would do something if they were anything else than text.
fn hostile() -> Vec<(&'static str, String)> {
    vec![
        (
            "script",
            "<script>alert('owned')</script> at pier 4".to_owned(),
        ),
        (
            "markup",
            "<img src=x onerror=alert(1)> & <b>bold</b> \"quoted\" 'single'".to_owned(),
        ),
        (
            "attribute",
            "\" autofocus onfocus=\"alert(1) stands at pier 4".to_owned(),
        ),
        (
            "address",
            "[here](javascript:alert(1)) and https://evil.example/ at pier 4".to_owned(),
        ),
        (
            "template",
            "{{7*7}} ${7*7} <%= 7*7 %> #{7*7} at pier 4".to_owned(),
        ),
        (
            "turned",
            "The invoice is \u{202e}fdp.exe\u{202c} and \u{2066}hidden\u{2069} at pier 4"
                .to_owned(),
        ),
        ("right to left", "העוגן מונח על מזח ארבע".to_owned()),
        (
            "unseen",
            "Zero\u{200b}width\u{feff} and bell\u{7} at pier 4".to_owned(),
        ),
        ("long", "The quay is long. ".repeat(2_777)),
        ("one word", "ø".repeat(50_000)),
    ]
}

#[test]
fn nothing_that_is_stored_does_anything_to_a_page() {
    let harness = Harness::start();
    let agent = harness.agent();
    let admin = Browser::of(&harness, "mara", "admin");
    for (name, content) in hostile() {
        let body = json!({ "content": content, "source": "chat", "tags": ["<i>tag</i>"], "auto_extract": false, "review_required": true, "review_reason": "<script>why</script>" });
        let kept = harness.retain(&agent, &body);
        assert_eq!(kept.status, 200, "{name}: {:#}", kept.body);
    }
    let rows = harness
        .get(
            &harness.operator(),
            "/api/v1/admin/containers/workspace/memories?limit=100",
        )
        .expect(200);
    let mut paths = vec![
        "/memories?limit=100".to_owned(),
        "/review".to_owned(),
        "/activity/audit".to_owned(),
    ];
    for row in rows.body["items"].as_array().unwrap() {
        let id = row["id"].as_str().unwrap();
        paths.push(format!("/memories?view=courtroom&case={id}"));
        paths.push(format!("/memories?view=why&case={id}&q=pier+4"));
    }
    for path in paths {
        let page = admin.get(&path).expect(200);
        // What is edited is edited as it is, within its box.
        let shown: String = page
            .text
            .split("<textarea")
            .map(|part| {
                part.split_once("</textarea>")
                    .map_or(part, |(_, behind)| behind)
            })
            .collect();
        for harm in [
            "<script>",
            "<img",
            "<b>bold",
            "<i>tag",
            "onfocus=\"alert",
            "\u{202e}",
            "\u{2066}",
            "\u{200b}",
            "\u{7}",
        ] {
            assert!(!shown.contains(harm), "{harm:?} on {path}");
        }
    }
    let page = admin.get("/memories?limit=100").expect(200);
    page.says("&lt;script&gt;").says("U+202E").says("העוגן");
}

#[test]
fn what_an_address_carries_is_text_too() {
    let harness = Harness::start();
    harness
        .retain(
            &harness.agent(),
            &json!({ "content": "The quay is at pier 4." }),
        )
        .expect(200);
    let admin = Browser::of(&harness, "mara", "admin");
    let harm = "%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    for path in [
        format!("/memories?q={harm}"),
        format!("/memories?source={harm}"),
        format!("/memories?view=recall&q={harm}"),
        format!("/memories?container={harm}"),
        format!("/review?kind={harm}"),
        format!("/review?group={harm}&state={harm}"),
        format!("/activity?span={harm}"),
        format!("/activity/audit?action={harm}&object={harm}"),
        format!("/login?next={harm}&done={harm}"),
        format!("/memories?done={harm}&undo={harm}"),
    ] {
        let page = admin.get(&path);
        let status = page.status;
        let page = page.expect(status);
        assert!(status < 500, "{path}: {status}");
        assert!(!page.text.contains("<script>alert"), "{path}");
    }
}

#[test]
fn another_session_sees_nothing_of_it() {
    let harness = Harness::start();
    let admin = Browser::of(&harness, "mara", "admin");
    for cookie in [
        "testimony_session=",
        "testimony_session=x",
        "testimony_session=a; testimony_session=b",
        "other=x",
    ] {
        let foreign = Browser {
            harness: &harness,
            cookie: cookie.to_owned(),
            token: admin.token.clone(),
        };
        foreign.get("/memories").expect(303);
        foreign.post("/people", &[("name", "eve")]).expect(303);
    }
}
