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
const STRANGE: &str = "Who won the chess cup?";

/// Carries out a command whose words have spaces between them; a text may be several of them.
type Carry<'c> = &'c dyn Fn(&str) -> Said;

fn split(words: &str) -> Vec<&str> {
    words.split_whitespace().collect()
}

/// A life of a memory, from its first key to its end.
fn live(carry: Carry<'_>) {
    keep_keys(carry);
    carry("container create work --pending-hours 72").done();
    let changed = carry("container policy work --pending-hours never --json").json();
    assert!(
        changed["pending_expires_after_hours"].is_null(),
        "{changed}"
    );
    let id = remember(carry);
    look_into(carry, &id);
    decide(carry);
    examine(carry);
    follow_the_trail(carry, &id);
    set_right(carry);
    hold_back(carry);
    erase(carry, &id);
    be_refused(carry);
}

fn keep_keys(carry: Carry<'_>) {
    let made = carry("key create --container notes --agent scribe --json").json();
    assert_eq!(made.as_object().unwrap().len(), 2, "{made}");
    let id = made["id"].as_str().unwrap();
    let rotated = carry(&format!("key rotate {id} --json")).json();
    assert_eq!(rotated["id"], made["id"]);
    assert_ne!(rotated["key"], made["key"]);
    carry(&format!("key revoke {id}")).done();
    let listed = carry("key list --json").lines();
    let listed = listed.iter().find(|key| key["id"] == made["id"]).unwrap();
    assert_eq!(listed["containers"][0], "notes");
    assert!(listed["revoked_at"].is_string(), "{listed}");
    let secret = made["key"].as_str().unwrap().rsplit('_').next().unwrap();
    let table = carry("key list").done();
    assert!(table.contains(id) && !table.contains(secret), "{table}");
}

/// Keeps the fact and asks for it in every way.
fn remember(carry: Carry<'_>) -> String {
    let kept = carry(&format!("retain {FACT} --container work --json")).json();
    assert_eq!(kept["saved"], 1, "{kept}");
    let ask = |command: &str| carry(&format!("{command} --container work {QUESTION}")).done();
    let found = ask("recall");
    assert!(found.starts_with(&format!("1. {FACT}")), "{found}");
    let packet = ask("context");
    assert!(
        packet.contains("<testimony-memory") && packet.contains("6543"),
        "{packet}"
    );
    let reply = ask("reflect");
    assert!(
        reply.contains("6543") && reply.contains("It rests on"),
        "{reply}"
    );
    let silent = carry(&format!("recall --container work --check {STRANGE}"));
    assert_eq!(silent.status, 1, "{}", silent.out);
    assert!(silent.out.starts_with("No answer."), "{}", silent.out);
    kept["committed_memory_ids"][0].as_str().unwrap().to_owned()
}

fn look_into(carry: Carry<'_>, id: &str) {
    let report = carry(&format!("case {id}")).done();
    assert!(
        report.contains("Verdict: trusted") && report.contains("For it"),
        "{report}"
    );
    let nobody = carry("case mem_00000000000000000000000000000000 --check");
    assert_eq!(nobody.status, 1, "{}", nobody.err);
    let listed = carry("list --container work --json").lines();
    assert!(listed.iter().any(|row| row["id"] == id), "{listed:?}");
    let why = carry(&format!("why {id} {QUESTION}")).done();
    assert!(why.starts_with("It is recalled."), "{why}");
    let why = carry(&format!("why --check {id} {STRANGE}"));
    assert_eq!(why.status, 1, "{}", why.err);
}

fn decide(carry: Carry<'_>) {
    carry("retain Harborlight moves in May. --review --container work").done();
    let review = |words: &str| carry(&format!("review --container work {words}"));
    let waiting = review("list --json").lines();
    let case = waiting[0]["id"].as_str().unwrap();
    let shown = review(&format!("show {case}")).done();
    assert!(shown.contains("Harborlight moves in May."), "{shown}");
    let decided = review(&format!("decide {case} approve")).done();
    assert!(decided.contains("is now active"), "{decided}");
    assert_eq!(review("list").done(), "Nothing waits for a person.\n");
}

fn examine(carry: Carry<'_>) {
    let sound = carry("doctor --json").json();
    let head = sound["head"].as_str().unwrap();
    carry(&format!("doctor --against {head}")).done();
    let (seq, hash) = head.split_once(':').unwrap();
    let other: String = hash.chars().rev().collect();
    let cut = carry(&format!("doctor --against {seq}:{other}"));
    assert_eq!(cut.status, 1, "{}", cut.err);
    assert!(cut.out.contains("outside head"), "{}", cut.out);
    let counted = carry("stats --container work --json").json();
    assert!(
        counted["by_state"]["active"].as_u64().unwrap() >= 1,
        "{counted}"
    );
    carry("stats --container work").done();
    assert_eq!(carry("job list").done(), "No job here.\n");
}

fn follow_the_trail(carry: Carry<'_>, id: &str) {
    let head = carry("audit head").done();
    let told = carry(&format!("audit events --object {id}")).done();
    assert!(told.contains(id), "{told}");
    let verified = carry(&format!("audit verify --against {head}")).done();
    assert!(verified.starts_with("The trail holds."), "{verified}");
    let trail = carry("audit export").lines();
    let last = trail.last().unwrap()["hash"].as_str().unwrap();
    assert!(head.contains(last), "{head}");
}

fn set_right(carry: Carry<'_>) {
    let kept = carry("retain --json --container work The harbour gate opens at six.").json();
    let id = kept["committed_memory_ids"][0].as_str().unwrap();
    let corrected = carry(&format!(
        "memory correct {id} --reason new-plan --json The harbour gate opens at seven."
    ));
    let new = corrected.json();
    assert_eq!(new["fact_id"], kept["memories"][0]["fact_id"]);
    let shown = carry(&format!("memory show {id}")).done();
    for said in [
        "six",
        "superseded",
        "holds now",
        new["id"].as_str().unwrap(),
    ] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    let history = carry(&format!("memory history {id}")).done();
    assert!(history.contains("supersede → superseded"), "{history}");
    let new = new["id"].as_str().unwrap();
    let gone = carry(&format!("memory retract {new} --reason wrong")).done();
    assert!(gone.contains("rejected"), "{gone}");
    let nobody = carry("memory show mem_00000000000000000000000000000000 --check");
    assert_eq!(nobody.status, 1, "{}", nobody.err);
}

fn hold_back(carry: Carry<'_>) {
    // Synthetic, and put together here so that scanners of this repository stay quiet.
    let token = [
        "gh", "p_", "4tRwLmZ2", "xVbN7hRt", "Yc8dSf1g", "Pj0aUe3i", "Ok9Q",
    ]
    .concat();
    carry(&format!(
        "retain --container work The deploy token is {token}."
    ))
    .done();
    let quarantine = |words: &str| carry(&format!("quarantine --container work {words}"));
    let held = quarantine("list --kind secret --json").lines();
    let found = &held[0]["found"][0];
    let (rule, fingerprint) = (
        found["rule"].as_str().unwrap(),
        found["fingerprint"].as_str().unwrap(),
    );
    let told = quarantine("list").done();
    assert!(told.contains(rule) && !told.contains(&token), "{told}");
    let allowed = quarantine(&format!("allow {fingerprint}")).done();
    assert!(allowed.contains(fingerprint), "{allowed}");
    assert!(quarantine(&format!("exempt {rule}")).done().contains(rule));
    quarantine(&format!("allow {fingerprint} --no-more")).done();
    quarantine(&format!("exempt {rule} --no-more")).done();
    let none = quarantine("exemptions --json").json();
    assert_eq!(none["exempt_rules"], serde_json::json!([]));
}

fn erase(carry: Carry<'_>, id: &str) {
    let nothing = carry("erase --container work");
    assert_eq!(nothing.status, 2, "{}", nothing.err);
    let dry = carry(&format!("erase {id}")).done();
    assert!(dry.contains("would go; --yes has it done."), "{dry}");
    let asked = format!("recall --container work --check {QUESTION}");
    carry(&asked).done();
    let gone = carry(&format!("erase {id} --reason mistake --yes")).done();
    assert!(gone.contains("is gone."), "{gone}");
    assert_eq!(carry(&asked).status, 1);
}

fn be_refused(carry: Carry<'_>) {
    let wrong = carry("recall --container work --limit 900 x");
    assert_eq!(wrong.status, 2, "{}", wrong.err);
    assert!(wrong.err.contains("limit:"), "{}", wrong.err);
    let nowhere = carry("recall --container nowhere --json x");
    assert_eq!(nowhere.status, 3, "{}", nowhere.err);
    let problem: Value = serde_json::from_str(&nowhere.out).unwrap();
    assert_eq!(problem["code"], "container_not_found");
}

#[test]
fn a_memory_is_lived_with_in_its_folder() {
    let memory = Memory::new();
    live(&|words| memory.run(&split(words)));
}

#[cfg(unix)]
#[test]
fn a_memory_is_lived_with_through_the_socket_of_its_server() {
    let served = Served::start(&[]);
    live(&|words| served.memory.run(&split(words)));
}

#[test]
fn a_memory_is_lived_with_from_elsewhere_with_a_key() {
    let served = Served::start(&[]);
    let elsewhere = Memory::new();
    let key = served.keys["operator_key"].as_str().unwrap();
    live(&|words| {
        let words = [split(words).as_slice(), &["--url", &served.url]].concat();
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

const WANTED: &str = "[[containers]]
container_tag = \"notes\"
pending_expires_after_hours = 72

[[keys]]
name = \"scribe\"
containers = [\"notes\"]
agent_id = \"scribe\"
class = \"agent_observation\"
";

#[test]
fn a_file_of_containers_and_keys_is_applied_once_and_then_holds() {
    let memory = Memory::new();
    memory.run(&["init"]).done();
    let file = memory.folder().join("memory.toml");
    let apply = |text: &str, more: &[&str]| {
        let mut written = std::fs::File::create(&file).unwrap();
        std::io::Write::write_all(&mut written, text.as_bytes()).unwrap();
        memory.run(&[&["apply", "-f", file.to_str().unwrap(), "--json"], more].concat())
    };
    let outcomes = |said: &Value| -> Vec<String> {
        let steps = said.as_array().unwrap().iter();
        steps
            .map(|step| step["outcome"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        outcomes(&apply(WANTED, &["--dry-run"]).json()),
        ["made", "made"]
    );
    let made = apply(WANTED, &[]).json();
    assert_eq!(outcomes(&made), ["made", "made"]);
    assert!(
        made[1]["key"].as_str().unwrap().starts_with("tst_"),
        "{made}"
    );
    let again = apply(WANTED, &[]).json();
    assert_eq!(outcomes(&again), ["unchanged", "unchanged"], "{again}");
    let other = WANTED
        .replace("72", "\"never\"")
        .replace("agent_observation", "tool_result");
    let other = apply(&other, &[]);
    assert_eq!(other.status, 1, "{}", other.err);
    let other: Value = serde_json::from_str(&other.out).unwrap();
    assert_eq!(outcomes(&other), ["changed", "differs"]);
    assert_eq!(other[1]["fields"], serde_json::json!(["class"]));
    let strange = apply("[[people]]\n", &[]);
    assert_eq!(strange.status, 2, "{}", strange.err);
}

#[cfg(unix)]
#[test]
fn a_backup_is_made_while_the_server_runs_and_comes_back_with_its_keys() {
    let served = Served::start(&[]);
    served.memory.run(&["retain", FACT]).done();
    let elsewhere = Memory::new();
    let file = elsewhere.folder().with_extension("backup");
    let path = file.to_str().unwrap();
    served.memory.run(&["backup", "--with-secret", path]).done();
    let twice = served.memory.run(&["backup", path]);
    assert_eq!(twice.status, 3, "{}", twice.err);
    assert!(twice.err.contains("there already"), "{}", twice.err);

    let secret = format!("{path}.secret");
    let back = elsewhere
        .run(&["restore", path, "--secret", &secret])
        .done();
    assert!(back.contains("The memory is in"), "{back}");
    let nowhere = Memory::new();
    let broken = nowhere.run(&["restore", "tests/data/question.txt"]);
    assert_eq!(broken.status, 3, "{}", broken.err);
    assert!(!nowhere.folder().exists(), "nothing is left of it");
    let taken = elsewhere.run(&["restore", path]);
    assert_eq!(taken.status, 3, "{}", taken.err);
    let found = elsewhere.run(&["recall", QUESTION]).done();
    assert!(found.starts_with(&format!("1. {FACT}")), "{found}");
    elsewhere.run(&["doctor"]).done();
}

#[test]
fn nobody_has_files_of_the_machine_written_through_an_address() {
    let served = Served::start(&[]);
    let key = served.keys["operator_key"].as_str().unwrap();
    let body = r#"{"path":"/tmp/never"}"#;
    let asked = std::process::Command::new("curl")
        .args([
            "--silent",
            "--output",
            "-",
            "--write-out",
            "%{http_code}",
            "--data",
            body,
        ])
        .args(["--header", "Content-Type: application/json"])
        .args(["--header", &format!("Authorization: Bearer {key}")])
        .arg(format!("{}/api/v1/admin/backups", served.url))
        .output()
        .unwrap();
    let said = String::from_utf8(asked.stdout).unwrap();
    assert!(said.ends_with("403"), "{said}");
}

#[test]
fn people_are_named_changed_and_shut_out_and_their_passwords_stand_nowhere() {
    let memory = Memory::new();
    memory.run(&["init"]).done();
    let password = "a long first password";
    let create = [
        "person",
        "create",
        "amira",
        "--role",
        "reviewer",
        "--password-file",
        "-",
        "--json",
    ];
    let made = memory
        .run_with(&create, &[], &format!("{password}\n"))
        .json();
    assert_eq!(made["role"], "reviewer");
    assert!(!made.to_string().contains(password));
    let id = made["id"].as_str().unwrap();
    let nothing = memory.run(&["person", "change", id]);
    assert_eq!(nothing.status, 2, "{}", nothing.err);
    let out = memory
        .run(&["person", "change", id, "--shut-out", "--role", "admin"])
        .done();
    assert!(
        out.contains("shut out since") && out.contains("admin"),
        "{out}"
    );
    let back = memory.run(&["person", "change", id, "--let-in"]).done();
    assert!(back.contains("may sign in"), "{back}");
    let listed = memory.run(&["person", "list"]).done();
    assert!(listed.contains("amira"), "{listed}");
    let empty = memory.run_with(
        &["person", "create", "ben", "--password-file", "-"],
        &[],
        "",
    );
    assert_eq!(empty.status, 2, "{}", empty.err);
    assert!(empty.err.contains("first line"), "{}", empty.err);
}
