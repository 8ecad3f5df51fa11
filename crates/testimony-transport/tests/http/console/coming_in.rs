//! The first run, signing in and out, and where somebody is sent who is not in.

use super::{Browser, PASSWORD, form, visit};
use crate::support::{Harness, Sent};

#[test]
fn the_first_person_is_named_once_and_only_with_the_token() {
    let harness = Harness::start();
    let token = harness.service.first_token().unwrap().unwrap();
    let first = visit(&harness, &Sent::new("GET", "/")).expect(303);
    assert_eq!(first.header("location"), Some("/welcome"));
    visit(&harness, &Sent::new("GET", "/welcome"))
        .expect(200)
        .says("First run");
    let fields = |token| [("token", token), ("name", "mara"), ("password", PASSWORD)];
    visit(&harness, &form("/welcome", &fields("a guess")))
        .expect(401)
        .says("the token is wrong");
    let short = [
        ("token", token.as_str()),
        ("name", "mara"),
        ("password", "short"),
    ];
    // A token that was right stands there again; what else was typed may be a secret in the wrong field.
    let again = visit(&harness, &form("/welcome", &short)).expect(422);
    assert_eq!(again.field("token"), token);
    assert!(!again.text.contains("mara"), "{}", again.text);
    let named = visit(&harness, &form("/welcome", &fields(&token))).expect(303);
    assert_eq!(named.header("location"), Some("/memories"));
    assert!(named.header("set-cookie").is_some());
    // From here on the token is nothing.
    assert_eq!(harness.service.first_token().unwrap(), None);
    let again = [
        ("token", token.as_str()),
        ("name", "eve"),
        ("password", PASSWORD),
    ];
    visit(&harness, &form("/welcome", &again)).expect(401);
    let gone = visit(&harness, &Sent::new("GET", "/welcome")).expect(303);
    assert_eq!(gone.header("location"), Some("/login"));
}

#[test]
fn nothing_that_was_typed_in_vain_is_shown_again() {
    let harness = Harness::start();
    let typed = "heron-pier-lamp-7";
    let fields = [("token", typed), ("name", typed), ("password", PASSWORD)];
    let refused = visit(&harness, &form("/welcome", &fields)).expect(401);
    assert!(!refused.text.contains(typed), "{}", refused.text);
    let _browser = Browser::of(&harness, "mara", "admin");
    let refused = visit(&harness, &form("/login", &fields[1..])).expect(401);
    assert!(!refused.text.contains(typed), "{}", refused.text);
}

#[test]
fn whoever_is_not_in_is_sent_to_sign_in_and_from_there_only_to_our_own_pages() {
    let harness = Harness::start();
    let _browser = Browser::of(&harness, "mara", "admin");
    let path = "/memories?view=courtroom&case=mem_1";
    let sent = visit(&harness, &Sent::new("GET", path)).expect(303);
    let address = sent.header("location").unwrap().to_owned();
    assert_eq!(
        address,
        "/login?next=%2Fmemories%3Fview%3Dcourtroom%26case%3Dmem_1"
    );
    let page = visit(&harness, &Sent::new("GET", &address)).expect(200);
    assert_eq!(
        page.field("next"),
        "/memories?view=courtroom&amp;case=mem_1"
    );
    for (next, goes_to) in [
        (path, path),
        ("//evil.example/", "/memories"),
        ("/\\evil.example", "/memories"),
        ("https://evil.example/", "/memories"),
        ("javascript:alert(1)", "/memories"),
        ("/a\nSet-Cookie: b", "/memories"),
        ("", "/memories"),
    ] {
        let fields = [("name", "mara"), ("password", PASSWORD), ("next", next)];
        let came = visit(&harness, &form("/login", &fields)).expect(303);
        assert_eq!(came.header("location"), Some(goes_to), "{next}");
        harness.pass(120);
    }
}

#[test]
fn a_link_from_elsewhere_asks_again_from_here_before_anybody_has_to_sign_in() {
    let harness = Harness::start();
    let _browser = Browser::of(&harness, "mara", "admin");
    let linked = Sent::new("GET", "/memories?view=courtroom&case=mem_1")
        .header("Sec-Fetch-Site", "cross-site");
    let page = visit(&harness, &linked).expect(200);
    page.says("http-equiv=\"refresh\"")
        .says("0;url=/memories?view=courtroom&amp;case=mem_1");
}

#[test]
fn nobody_is_signed_in_by_a_form_of_another_site() {
    let harness = Harness::start();
    let _browser = Browser::of(&harness, "mara", "admin");
    let fields = [("name", "mara"), ("password", PASSWORD)];
    for (header, value) in [
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ] {
        let sent = form("/login", &fields).header(header, value);
        let refused = visit(&harness, &sent).expect(403);
        assert_eq!(refused.header("set-cookie"), None, "{header}: {value}");
    }
}

#[test]
fn a_wrong_password_says_no_more_than_a_wrong_name() {
    let harness = Harness::start();
    let _browser = Browser::of(&harness, "mara", "admin");
    let told = |name| {
        let fields = [("name", name), ("password", "a long enough guess")];
        let page = visit(&harness, &form("/login", &fields)).expect(401);
        page.text.replace(name, "")
    };
    assert_eq!(told("mara"), told("nobody"));
}

#[test]
fn whoever_signs_out_is_out() {
    let harness = Harness::start();
    let browser = Browser::of(&harness, "mara", "admin");
    let out = browser.post("/logout", &[]).expect(303);
    assert!(out.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(
        browser.get("/memories").expect(303).header("location"),
        Some("/login?next=%2Fmemories")
    );
}

#[test]
fn a_new_password_ends_every_session() {
    let harness = Harness::start();
    let browser = Browser::of(&harness, "mara", "admin");
    let fields = [
        ("password", PASSWORD),
        ("new_password", "five lamps on the pier"),
    ];
    let changed = browser.post("/account/password", &fields).expect(303);
    assert_eq!(changed.header("location"), Some("/login?done=password"));
    browser.get("/memories").expect(303);
    let old = [("name", "mara"), ("password", PASSWORD)];
    visit(&harness, &form("/login", &old)).expect(401);
}
