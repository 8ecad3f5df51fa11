//! The three ways to the service: the folder, the socket of a server that runs on it, and its address with a key. Every
//! command is carried out through each of them, and nothing of what it answers tells which one it was.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a helper of a test may end it where it stands"
)]

mod support;

use serde_json::Value;
use support::{Memory, Said, Served};

const FACT: &str = "The staging database of Harborlight runs on port 6543.";
const QUESTION: &str = "On which port does the staging database of Harborlight run?";

/// A life of a memory, from its first key to a case report.
fn live(ask: &dyn Fn(&[&str]) -> Said) {
    let made = ask(&[
        "key",
        "create",
        "--container",
        "notes",
        "--agent",
        "scribe",
        "--json",
    ])
    .json();
    assert_eq!(made.as_object().unwrap().len(), 2, "{made}");
    let id = made["id"].as_str().unwrap();
    let rotated = ask(&["key", "rotate", id, "--json"]).json();
    assert_eq!(rotated["id"], made["id"]);
    assert_ne!(rotated["key"], made["key"]);
    ask(&["key", "revoke", id]).done();
    let listed = ask(&["key", "list", "--json"]).lines();
    let listed = listed.iter().find(|key| key["id"] == made["id"]).unwrap();
    assert_eq!(listed["containers"][0], "notes");
    assert!(listed["revoked_at"].is_string(), "{listed}");
    let secret = made["key"].as_str().unwrap().rsplit('_').next().unwrap();
    let table = ask(&["key", "list"]).done();
    assert!(table.contains(id) && !table.contains(secret), "{table}");

    ask(&["container", "create", "work", "--pending-hours", "72"]).done();
    let changed = ask(&[
        "container",
        "policy",
        "work",
        "--pending-hours",
        "never",
        "--json",
    ])
    .json();
    assert!(
        changed["pending_expires_after_hours"].is_null(),
        "{changed}"
    );

    let kept = ask(&["retain", FACT, "--container", "work", "--json"]).json();
    assert_eq!(kept["saved"], 1, "{kept}");
    let found = ask(&["recall", QUESTION, "--container", "work"]).done();
    assert!(found.starts_with(&format!("1. {FACT}")), "{found}");
    let silent = ask(&[
        "recall",
        "Who won the chess cup?",
        "--container",
        "work",
        "--check",
    ]);
    assert_eq!(silent.status, 1, "{}", silent.out);
    assert!(silent.out.starts_with("No answer."), "{}", silent.out);
    let packet = ask(&["context", QUESTION, "--container", "work"]).done();
    assert!(
        packet.contains("<testimony-memory") && packet.contains("6543"),
        "{packet}"
    );
    let reply = ask(&["reflect", QUESTION, "--container", "work"]).done();
    assert!(
        reply.contains("6543") && reply.contains("It rests on"),
        "{reply}"
    );

    let id = kept["committed_memory_ids"][0].as_str().unwrap();
    let report = ask(&["case", id]).done();
    assert!(
        report.contains("Verdict: trusted") && report.contains("For it"),
        "{report}"
    );
    let nobody = ask(&["case", "mem_00000000000000000000000000000000", "--check"]);
    assert_eq!(nobody.status, 1, "{}", nobody.err);

    ask(&[
        "retain",
        "Harborlight moves in May.",
        "--review",
        "--container",
        "work",
    ])
    .done();
    let waiting = ask(&["review", "--container", "work", "list", "--json"]).lines();
    let case = waiting[0]["id"].as_str().unwrap();
    ask(&["review", "--container", "work", "show", case]).done();
    let decided = ask(&["review", "--container", "work", "decide", case, "approve"]).done();
    assert!(decided.contains("is now active"), "{decided}");
    let left = ask(&["review", "--container", "work", "list"]).done();
    assert_eq!(left, "Nothing waits for a person.\n");

    let wrong = ask(&["recall", "x", "--container", "work", "--limit", "900"]);
    assert_eq!(wrong.status, 2, "{}", wrong.err);
    assert!(wrong.err.contains("limit:"), "{}", wrong.err);
    let nowhere = ask(&["recall", "x", "--container", "nowhere", "--json"]);
    assert_eq!(nowhere.status, 3, "{}", nowhere.err);
    assert_eq!(
        serde_json::from_str::<Value>(&nowhere.out).unwrap()["code"],
        "container_not_found"
    );
}

#[test]
fn a_memory_is_lived_with_in_its_folder() {
    let memory = Memory::new();
    live(&|words| memory.run(words));
}

#[cfg(unix)]
#[test]
fn a_memory_is_lived_with_through_the_socket_of_its_server() {
    let served = Served::start(&[]);
    live(&|words| served.memory.run(words));
}

#[test]
fn a_memory_is_lived_with_from_elsewhere_with_a_key() {
    let served = Served::start(&[]);
    let elsewhere = Memory::new();
    let key = served.keys["operator_key"].as_str().unwrap();
    live(&|words| {
        let words = [words, &["--url", &served.url]].concat();
        elsewhere.run_with(&words, &[("TESTIMONY_KEY", key)], "")
    });
    assert!(
        !elsewhere.holds("ledger.sqlite"),
        "nothing is made where the command runs"
    );
}

#[cfg(unix)]
#[test]
fn an_operators_key_that_was_lost_is_replaced_at_the_machine() {
    let served = Served::start(&[]);
    let new = served
        .memory
        .run(&["key", "create", "--operator", "--json"])
        .json();
    let with = |key: &str| {
        let words = ["key", "list", "--url", served.url.as_str()];
        served
            .memory
            .run_with(&words, &[("TESTIMONY_KEY", key)], "")
    };
    with(new["key"].as_str().unwrap()).done();
    let old = served.keys["operator_key"].as_str().unwrap();
    let listed = served.memory.run(&["key", "list", "--json"]).lines();
    let lost = listed
        .iter()
        .find(|key| key["name"] == "first operator key")
        .unwrap();
    served
        .memory
        .run(&["key", "revoke", lost["id"].as_str().unwrap()])
        .done();
    let refused = with(old);
    assert_eq!(refused.status, 3, "{}", refused.err);
    assert!(!refused.err.contains(old));
}

#[test]
fn a_server_without_a_socket_is_named_with_what_to_do() {
    let served = Served::start(&["--admin-socket=false"]);
    let refused = served.memory.run(&["key", "list"]);
    assert_eq!(refused.status, 3);
    for remedy in ["--url", "--admin-socket", "stop it"] {
        assert!(refused.err.contains(remedy), "{}", refused.err);
    }
}

#[cfg(unix)]
#[test]
fn a_socket_that_a_killed_server_left_is_in_nobodys_way() {
    let mut served = Served::start(&[]);
    served.kill();
    assert!(served.memory.holds("admin.sock"));
    served.memory.run(&["key", "list"]).done();
    let again = served.again();
    again.memory.run(&["key", "list"]).done();
}

#[cfg(unix)]
#[test]
fn the_folder_and_the_socket_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut served = Served::start(&[]);
    for (path, rights) in [
        ("", 0o700),
        ("admin.sock", 0o600),
        ("first-keys.json", 0o600),
    ] {
        let path = served.memory.folder().join(path);
        let found = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(found & 0o777, rights, "{}", path.display());
    }
    assert_eq!(served.stop(), Some(0));
    assert!(!served.memory.holds("admin.sock"));
}

#[test]
fn where_there_is_no_memory_none_is_made_by_asking() {
    let memory = Memory::new();
    for words in [
        &["recall", "who?"][..],
        &["key", "list"],
        &["retain", "a fact"],
    ] {
        let refused = memory.run(words);
        assert_eq!(refused.status, 3, "{words:?}");
        assert!(refused.err.contains("testimony init"), "{}", refused.err);
    }
    assert!(!memory.holds("ledger.sqlite"));
}

#[test]
fn an_address_needs_a_key_and_a_service_behind_it() {
    let memory = Memory::new();
    let no_key = memory.run(&["key", "list", "--url", "http://127.0.0.1:1"]);
    assert_eq!(no_key.status, 2, "{}", no_key.err);
    assert!(no_key.err.contains("TESTIMONY_KEY"), "{}", no_key.err);
    let no_address = memory.run_with(
        &["key", "list", "--url", "memory"],
        &[("TESTIMONY_KEY", "k")],
        "",
    );
    assert_eq!(no_address.status, 2, "{}", no_address.err);
    // Nobody listens at the port that nobody may have.
    let nobody = memory.run_with(
        &["key", "list", "--url", "http://127.0.0.1:1"],
        &[("TESTIMONY_KEY", "k")],
        "",
    );
    assert_eq!(nobody.status, 3, "{}", nobody.err);
    assert!(
        nobody.err.contains("check that a server runs there"),
        "{}",
        nobody.err
    );
}

#[test]
fn a_text_comes_from_the_arguments_a_file_or_standard_input() {
    let memory = Memory::new();
    memory.run(&["init"]).done();
    memory.run(&["retain", FACT]).done();
    memory
        .run_with(&["retain", "--json"], &[], "The canteen opens at seven.")
        .done();
    let file = memory.folder().join("question.txt");
    std::fs::copy("tests/data/question.txt", &file).unwrap();
    let found = memory
        .run(&["recall", "--file", file.to_str().unwrap()])
        .done();
    assert!(found.starts_with(&format!("1. {FACT}")), "{found}");
    let found = memory
        .run_with(&["recall"], &[], "When does the canteen open?\n")
        .done();
    assert!(found.contains("seven"), "{found}");
}

#[test]
fn a_secret_is_never_printed_by_what_keeps_it_out() {
    // Synthetic, and put together here so that scanners of this repository stay quiet.
    let value = [
        "gh", "p_", "7hKqLmZ2", "xVbN4wRt", "Yc8dSf1g", "Pj0aUe3i", "Ok5B",
    ]
    .concat();
    let memory = Memory::new();
    memory.run(&["init"]).done();
    let text = format!("Deploy with {value} on Friday.");
    for words in [
        &["retain", &text][..],
        &["recall", &text],
        &["context", &text],
        &["recall", "--limit", &value, "x"],
        &["--colour", &value],
    ] {
        let said = memory.run(words);
        let both = format!("{}{}", said.out, said.err);
        assert!(!both.contains(&value[4..20]), "{words:?}: {both}");
    }
}
