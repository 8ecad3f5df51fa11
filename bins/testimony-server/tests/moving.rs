//! What a memory holds leaves it and comes into another: `testimony export` and `testimony import` as a person or a script
//! meets them.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test may end it where it stands"
)]

mod support;

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::{Memory, Said, Served};

const FACT: &str = "The kiln of Brackwater Pottery is fired on Thursdays.";
const QUESTION: &str = "When is the kiln of Brackwater Pottery fired?";

/// Says several things, corrects one, and leaves one to a person.
fn fill(memory: &Memory) {
    for words in [
        &["retain", FACT][..],
        &[
            "retain",
            "The glaze store moved to the east shed.",
            "--tag",
            "glaze",
        ],
        &["retain", "Ilse Brandt orders the clay.", "--user", "ilse"],
        &["container", "create", "notes"],
        &[
            "retain",
            "The shop closes in August.",
            "--container",
            "notes",
        ],
    ] {
        memory.run(words).done();
    }
    let other = "The kiln of Brackwater Pottery is fired on Fridays.";
    let held = memory.run(&["retain", other]);
    assert_eq!(held.status, 3, "it waits for a person: {}", held.err);
}

fn place(memory: &Memory, name: &str) -> PathBuf {
    memory.folder().with_extension(name)
}

fn bytes(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut file = std::fs::File::open(path).unwrap();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

fn written(path: &Path, bytes: &[u8]) -> String {
    let mut file = std::fs::File::create(path).unwrap();
    file.write_all(bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// An export into a file of this name beside the memory.
fn exported(memory: &Memory, name: &str) -> PathBuf {
    let file = place(memory, name);
    memory.run(&["export", file.to_str().unwrap()]).done();
    file
}

/// How many rows came in or were here, where that is all that became of any.
fn in_or_here(report: &Value) -> u64 {
    let counts = report["counts"].as_object().unwrap();
    let good = |word: &&String| ["taken_in", "already_here"].contains(&word.as_str());
    assert!(counts.keys().all(|word| good(&word)), "{report}");
    counts.values().map(|count| count.as_u64().unwrap()).sum()
}

fn report(said: &Said) -> Value {
    let line = said.out.lines().next().unwrap_or_default();
    serde_json::from_str(line).unwrap()
}

#[test]
fn a_memory_goes_into_an_empty_folder_and_comes_out_the_same() {
    let memory = Memory::new();
    memory.run(&["init"]).done();
    fill(&memory);
    let file = exported(&memory, "jsonl");
    let other = Memory::new();
    let dry = other.run(&["import", file.to_str().unwrap(), "--dry-run"]);
    assert_eq!(dry.status, 3, "{}", dry.err);
    assert!(!other.holds("ledger.sqlite"), "a dry run makes nothing");
    let taken = other
        .run(&["import", file.to_str().unwrap(), "--json"])
        .json();
    let lines = bytes(&file).iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(taken["read"], lines - 1, "{taken}");
    // A fact comes in with the memory that stands for it, and is here when its own line is read.
    assert_eq!(in_or_here(&taken), lines as u64 - 1, "{taken}");
    assert_eq!(bytes(&exported(&other, "jsonl")), bytes(&file));
    let found = other.run(&["recall", QUESTION]).done();
    assert!(found.contains(FACT), "{found}");
    assert_eq!(found, memory.run(&["recall", QUESTION]).done());
    other.run(&["doctor"]).done();

    let again = other
        .run(&["import", file.to_str().unwrap(), "--json"])
        .json();
    assert_eq!(again["counts"], json!({ "already_here": lines - 1 }));
}

#[cfg(unix)]
#[test]
fn a_memory_moves_from_one_running_server_to_another() {
    let (from, to) = (Served::start(&[]), Served::start(&[]));
    fill(&from.memory);
    let file = place(&from.memory, "jsonl");
    let path = file.to_str().unwrap();
    let told = from
        .memory
        .run(&["export", "--container", "notes", path])
        .done();
    assert!(told.contains("The export is in"), "{told}");
    to.memory.run(&["import", path]).done();
    let again = place(&to.memory, "jsonl");
    let words = ["export", "--container", "notes", again.to_str().unwrap()];
    to.memory.run(&words).done();
    assert_eq!(bytes(&again), bytes(&file));
    let key = to.keys["operator_key"].as_str().unwrap();
    let words = ["export", "--container", "notes", "--url", &to.url];
    let elsewhere = from.memory.run_with(&words, &[("TESTIMONY_KEY", key)], "");
    assert_eq!(elsewhere.done().into_bytes(), bytes(&file));
}

#[test]
fn standard_output_holds_the_lines_alone_and_standard_input_takes_them() {
    let memory = Memory::new();
    memory.run(&["init"]).done();
    fill(&memory);
    let said = memory.run(&["export", "--user", "ilse", "--json"]);
    let summary: Value = serde_json::from_str(&said.err).unwrap();
    let (out, rows) = (said.out.clone(), said.lines());
    assert_eq!(summary["lines"], rows.len());
    assert_eq!(rows[0]["user"], "ilse");
    assert!(out.contains("orders the clay") && !out.contains("glaze store"));
    let other = Memory::new();
    let taken = other.run_with(&["import", "-"], &[], &out).done();
    assert!(taken.contains("taken in"), "{taken}");
}

#[cfg(unix)]
#[test]
fn the_file_is_for_its_owner_and_is_whole_or_not_there() {
    use std::os::unix::fs::PermissionsExt as _;
    let memory = Memory::new();
    memory.run(&["init"]).done();
    let file = exported(&memory, "jsonl");
    let rights = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(rights & 0o777, 0o600);
    let before = bytes(&file);
    let path = file.to_str().unwrap();
    let refused = memory.run(&["export", "--container", "nowhere", path]);
    assert_eq!(refused.status, 3, "{}", refused.err);
    assert_eq!(bytes(&file), before, "what was there stays");
    let beside = std::fs::read_dir(file.parent().unwrap()).unwrap();
    let left = beside.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().contains("partial")
    });
    assert_eq!(left.count(), 0);
}

#[test]
fn a_file_that_breaks_off_comes_in_as_far_as_it_goes_and_is_gone_on_with() {
    let memory = Memory::new();
    memory.run(&["init"]).done();
    fill(&memory);
    let whole = bytes(&exported(&memory, "jsonl"));
    let cut = written(&place(&memory, "cut"), &whole[..whole.len() - 20]);
    let last = whole.iter().filter(|byte| **byte == b'\n').count();
    let other = Memory::new();
    let broken = other.run(&["import", &cut, "--json"]);
    assert_eq!(broken.status, 2, "{}", broken.err);
    let place_of = format!("line {last} of {cut} breaks off");
    assert!(broken.err.contains(&place_of), "{}", broken.err);
    assert!(broken.err.contains("run this again"), "{}", broken.err);
    assert_eq!(report(&broken)["stopped_at"], last);
    assert_eq!(in_or_here(&report(&broken)), last as u64 - 2);

    let whole = written(&place(&memory, "cut"), &whole);
    let taken = other.run(&["import", &whole, "--json"]).json();
    assert_eq!(in_or_here(&taken), last as u64 - 1, "{taken}");
    assert_eq!(taken["counts"]["taken_in"], 1, "{taken}");
    assert_eq!(
        bytes(&exported(&other, "jsonl")),
        bytes(&exported(&memory, "jsonl"))
    );
}

#[test]
fn a_row_that_says_otherwise_is_refused_by_its_line_and_leaves_the_others_alone() {
    let memory = Memory::new();
    memory.run(&["init"]).done();
    fill(&memory);
    let file = exported(&memory, "jsonl");
    let changed = String::from_utf8(bytes(&file))
        .unwrap()
        .replace("glaze store", "glaze pantry");
    let changed = written(&place(&memory, "changed"), changed.as_bytes());
    let refused = memory.run(&["import", &changed, "--json"]);
    assert_eq!(refused.status, 1, "{}", refused.err);
    let told = report(&refused);
    assert!(told["counts"]["refused"].as_u64().unwrap() >= 1, "{told}");
    assert!(told["lines"][0]["line"].as_u64().unwrap() > 1, "{told}");
    assert_eq!(bytes(&exported(&memory, "jsonl")), bytes(&file));
}

#[test]
fn more_lines_than_one_request_takes_come_in_all_the_same() {
    let memory = Memory::new();
    memory.run(&["init"]).done();
    let entries: Vec<Value> = (0..420)
        .map(|number| json!({ "id": format!("n-{number}"), "memory": format!("Crate {number} stands in aisle {}.", number % 37) }))
        .collect();
    let document = written(
        &place(&memory, "json"),
        json!(entries).to_string().as_bytes(),
    );
    memory.run(&["import", "--from", "mem0", &document]).done();
    let file = exported(&memory, "jsonl");
    assert!(bytes(&file).iter().filter(|byte| **byte == b'\n').count() > 1_200);
    let other = Memory::new();
    other.run(&["import", file.to_str().unwrap()]).done();
    assert_eq!(bytes(&exported(&other, "jsonl")), bytes(&file));
}

/// What another service could have exported; every value is made up.
fn foreign() -> Value {
    json!({ "results": [
        { "id": "a-1", "memory": "Oren prefers trains to planes.", "user_id": "oren", "created_at": "2026-02-03T10:00:00Z" },
        { "id": "a-2", "memory": "Oren rents a flat in Maastricht.", "user_id": "oren" },
        { "id": "a-3", "memory": " " },
        "no entry",
    ] })
}

#[test]
fn what_another_service_exported_is_looked_at_before_it_comes_in() {
    let memory = Memory::new();
    memory.run(&["init"]).done();
    let file = written(&place(&memory, "json"), foreign().to_string().as_bytes());
    let import = |more: &[&str]| {
        let words = [&["import", "--from", "mem0", &file, "--json"], more].concat();
        let said = memory.run(&words);
        assert_eq!(said.status, 1, "one entry is none: {}", said.err);
        report(&said)
    };
    let before = bytes(&exported(&memory, "jsonl"));
    let dry = import(&["--dry-run"]);
    assert_eq!(dry["dry_run"], true);
    assert_eq!(dry["read"], 4, "{dry}");
    assert_eq!(dry["counts"]["unreadable"], 1, "{dry}");
    assert_eq!(dry["counts"]["left_out"], 1, "{dry}");
    assert_eq!(bytes(&exported(&memory, "jsonl")), before);
    let done = import(&[]);
    assert_eq!(done["counts"], dry["counts"]);
    let again = import(&[]);
    assert_eq!(again["counts"]["already_here"], 2, "{again}");
    let vouched = json!([{ "id": "b-1", "memory": "Oren keeps bees.", "user_id": "oren" }]);
    let vouched = written(&place(&memory, "vouched"), vouched.to_string().as_bytes());
    let words = [
        "import",
        "--from",
        "mem0",
        "--class",
        "user_statement",
        "--json",
        &vouched,
    ];
    assert_eq!(memory.run(&words).json()["counts"], json!({ "active": 1 }));
}

#[test]
fn what_cannot_be_imported_is_named_with_what_helps() {
    let memory = Memory::new();
    memory.run(&["init"]).done();
    let document = foreign().to_string();
    let file = |name: &str, text: &str| written(&place(&memory, name), text.as_bytes());
    let foreign = file("json", &document);
    let cut = file("cut", document.trim_end_matches(['}', ']']));
    let empty = file("empty", "");
    let newer = file(
        "newer",
        "{\"record\":\"header\",\"format\":\"testimony-export\",\"version\":99}\n{\"record\":\"link\"}\n",
    );
    for (words, helps) in [
        (&[foreign.as_str()][..], "--from"),
        (&[&cut, "--from", "mem0"], "breaks off"),
        (&[&empty], "is empty"),
        (&[&newer], "version"),
        (&["/nowhere/memory.jsonl"], "could not be read"),
        (
            &[&foreign, "--container", "notes"],
            "--container goes with --from",
        ),
        (&[&foreign, "--user", "oren"], "--from"),
        (&[&foreign, "--from", "elsewhere"], "--from"),
    ] {
        let refused = memory.run(&[&["import"], words].concat());
        assert_eq!(refused.status, 2, "{words:?}: {}", refused.err);
        assert!(refused.err.contains(helps), "{words:?}: {}", refused.err);
    }
    let nowhere = memory.run(&[
        "import",
        &foreign,
        "--from",
        "mem0",
        "--container",
        "nowhere",
    ]);
    assert_eq!(nowhere.status, 3, "{}", nowhere.err);
}

/// A conversation as another service writes it; every word is made up.
fn conversation() -> Value {
    let message = |id: &str, parent: Value, role: &str, said: &str| json!({ "parent": parent, "message": { "id": id, "author": { "role": role }, "content": { "parts": [said] } } });
    json!([{ "id": "c-1", "title": "Kiln", "current_node": "m-2", "mapping": {
        "m-1": message("m-1", Value::Null, "user", "My workshop is in Deventer."),
        "m-2": message("m-2", json!("m-1"), "assistant", "Noted."),
    } }])
}

#[test]
fn what_a_person_wrote_elsewhere_comes_in_through_standard_input() {
    let memory = Memory::new();
    memory.run(&["init"]).done();
    let words = ["import", "-", "--from", "chatgpt", "--user", "ilse"];
    let import = |more: &[&str]| {
        let words = [&words[..], more].concat();
        memory
            .run_with(&words, &[], &conversation().to_string())
            .done()
    };
    let dry = import(&["--dry-run"]);
    assert!(dry.contains("Nothing was done."), "{dry}");
    let done = import(&[]);
    assert!(done.contains("left out  1"), "{done}");
    assert!(done.contains("assistant's word"), "{done}");
    let listed = memory.run(&["list", "--json"]).lines();
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0]["lifecycle_state"], "pending", "{listed:?}");
}

#[test]
fn a_memory_that_has_the_container_keeps_its_own_and_takes_the_rows() {
    let (from, to) = (Memory::new(), Memory::new());
    for memory in [&from, &to] {
        memory.run(&["init"]).done();
    }
    from.run(&["retain", FACT]).done();
    let file = exported(&from, "jsonl");
    let said = to.run(&["import", file.to_str().unwrap(), "--json"]);
    assert_eq!(said.status, 1, "{}", said.err);
    let told = report(&said);
    assert_eq!(told["counts"]["refused"], 1, "{told}");
    assert_eq!(told["lines"][0]["id"], "workspace", "{told}");
    let found = to.run(&["recall", QUESTION]).done();
    assert!(found.starts_with(&format!("1. {FACT}")), "{found}");
}
