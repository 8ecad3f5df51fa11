//! The command as a person or a script meets it: what it prints, and with which status it ends.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test may end it where it stands"
)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn testimony(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_testimony"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments has no need to read on.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8(both).unwrap()
}

#[test]
fn a_ruling_is_made_from_arguments_and_from_standard_input_alike() {
    let text = "The staging database runs PostgreSQL 16.";
    let written = testimony(
        &[
            "admit",
            "--explain",
            "--observed-at",
            "2026-03-01",
            "--json",
            text,
        ],
        "",
    );
    let piped = testimony(
        &[
            "admit",
            "--explain",
            "--observed-at",
            "2026-03-01",
            "--json",
        ],
        text,
    );
    assert_eq!(written.status.code(), Some(0), "{}", said(&written));
    assert_eq!(written.stdout, piped.stdout);
    let answer: serde_json::Value = serde_json::from_slice(&written.stdout).unwrap();
    for field in ["route", "class", "channel", "reasons", "text", "claims"] {
        assert!(answer.get(field).is_some(), "{field} in {answer}");
    }
}

#[test]
fn a_secret_is_never_printed() {
    // Synthetic, and put together here so that scanners of this repository stay quiet.
    let value = [
        "gh", "p_", "7hKqLmZ2", "xVbN4wRt", "Yc8dSf1g", "Pj0aUe3i", "Ok5B",
    ]
    .concat();
    let text = format!("Deploy with {value} on Friday.");
    for form in [&["--json"][..], &[]] {
        let arguments = [&["admit", "--explain"], form, &[text.as_str()]].concat();
        let output = testimony(&arguments, "");
        let shown = value
            .as_bytes()
            .windows(8)
            .any(|window| said(&output).as_bytes().windows(8).any(|w| w == window));
        assert!(!shown, "{}", said(&output));
    }
}

#[test]
fn a_wrong_command_line_ends_with_2() {
    for arguments in [
        &["admit", "a fact without --explain"][..],
        &["admit", "--explain", "--class", "nobody", "a fact"],
        &["admit", "--explain", "--observed-at", "soon", "a fact"],
        &["admit", "--explain", "--speaker", "", "a fact"],
        &["remember"],
    ] {
        let output = testimony(arguments, "");
        assert_eq!(
            output.status.code(),
            Some(2),
            "{arguments:?}: {}",
            said(&output)
        );
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_word_that_is_not_understood_is_not_repeated() {
    for arguments in [
        &["admit", "--explain", "--heron-blue-4217"][..],
        &["heron-blue-4217"],
    ] {
        let output = testimony(arguments, "");
        assert_eq!(output.status.code(), Some(2));
        assert!(!said(&output).contains("heron"), "{}", said(&output));
    }
}

#[test]
fn a_word_that_looks_like_one_of_ours_is_answered_with_ours() {
    for (arguments, meant) in [
        (&["rekall", "who?"][..], "recall"),
        (&["recall", "--limt", "3", "who?"], "--limit"),
    ] {
        let output = testimony(arguments, "");
        assert_eq!(output.status.code(), Some(2));
        let said = said(&output);
        assert!(said.contains(&format!("`{meant}` is one")), "{said}");
    }
}

#[test]
fn a_file_that_is_not_there_ends_with_3() {
    let output = testimony(&["admit", "--explain", "--file", "no/such/file"], "");
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("no/such/file"));
}

#[test]
fn help_ends_with_0_and_names_the_statuses() {
    for arguments in [&["--help"][..], &["-h"]] {
        let output = testimony(arguments, "");
        assert_eq!(output.status.code(), Some(0));
        assert!(said(&output).contains("Exit status:"), "{}", said(&output));
    }
}

fn json(output: &Output) -> serde_json::Value {
    assert_eq!(output.status.code(), Some(0), "{}", said(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_memory_is_made_once_and_its_keys_are_shown_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("memory");
    let data = data.to_str().unwrap();
    let first = json(&testimony(&["init", "--data", data, "--json"], ""));
    for field in ["operator_key", "agent_key"] {
        let key = first[field].as_str().unwrap();
        assert!(key.starts_with("tst_"), "{field}");
    }
    assert_eq!(first["container"], "workspace");
    let again = json(&testimony(&["init", "--data", data, "--json"], ""));
    assert!(again["agent_key"].is_null());
    let listed = testimony(&["key", "list", "--data", data], "");
    assert_eq!(said(&listed).lines().count(), 2);
    let secret = first["agent_key"]
        .as_str()
        .unwrap()
        .rsplit('_')
        .next()
        .unwrap();
    assert!(!said(&listed).contains(secret));
}

#[test]
fn a_key_that_cannot_be_made_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    for (arguments, told) in [
        (&["--container", "Notes"][..], "lower-case"),
        (&[], "--container: It is required"),
        (&["--container", "notes", "--class", "king"], "operator"),
        (
            &["--container", "notes", "--capability", "fly"],
            "memory.recall",
        ),
    ] {
        let words = [&["key", "create", "--data", data], arguments].concat();
        let output = testimony(&words, "");
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains(told), "{}", said(&output));
    }
}

#[test]
fn what_holds_is_shown_with_where_it_came_from() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let words = ["serve", "--data", data, "--at-once", "9", "--print-config"];
    let told = said(&testimony(&words, ""));
    let line = |name: &str| {
        let found = told.lines().find(|line| line.starts_with(name));
        found.unwrap_or_default().to_owned()
    };
    assert!(line("at_once = 9").ends_with("# --at-once"), "{told}");
    assert!(line("listen = ").ends_with("# default"), "{told}");
    let told = json(&testimony(&[&words[..], &["--json"]].concat(), ""));
    assert_eq!(told["at_once"]["value"], "9", "{told}");
    let wrong = testimony(&["serve", "--data", data, "--at-once", "heron"], "");
    assert_eq!(wrong.status.code(), Some(2));
    let told = said(&wrong);
    assert!(
        told.contains("at_once") && !told.contains("heron"),
        "{told}"
    );
}

#[test]
fn a_shell_learns_to_complete_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let script = said(&testimony(&["completions", shell], ""));
        for command in ["recall", "retain", "review"] {
            assert!(script.contains(command), "{command} in {shell}");
        }
    }
}

#[test]
fn the_description_of_the_interface_is_printed() {
    let public = json(&testimony(&["openapi"], ""));
    assert_eq!(public["openapi"], "3.1.0");
    let operator = json(&testimony(&["openapi", "--operator"], ""));
    assert!(operator["paths"]["/api/v1/admin/keys"].is_object());
}

#[test]
fn issuers_that_cannot_be_believed_are_named_before_anything_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("issuers.json");
    let mut written = std::fs::File::create(&file).unwrap();
    let config = r#"{ "issuers": [{ "issuer": "a", "audience": "t", "algorithm": "none", "keys": [], "containers": "w" }] }"#;
    written.write_all(config.as_bytes()).unwrap();
    let data = folder.path().join("data");
    let arguments = [
        "serve",
        "--issuers",
        file.to_str().unwrap(),
        "--data",
        data.to_str().unwrap(),
    ];
    let output = testimony(&arguments, "");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(
        said(&output).contains("/issuers/0/algorithm"),
        "{}",
        said(&output)
    );
}

#[test]
fn a_machine_is_measured_with_a_memory_that_is_gone_afterwards() {
    let inside = tempfile::tempdir().unwrap();
    let folder = inside.path().to_str().unwrap();
    let words = ["bench", "--memories", "120", "--times", "3", "--in", folder];
    let measured = json(&testimony(&[&words[..], &["--json"]].concat(), ""));
    let rows = measured["rows"].as_array().unwrap();
    let names: Vec<&str> = rows
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), 5);
    assert!(names.contains(&"recall") && names.contains(&"keep 4 KiB for good"));
    assert!(
        rows.iter()
            .all(|row| row["per_second"].as_f64().unwrap() > 0.0)
    );
    assert_eq!(
        std::fs::read_dir(folder).unwrap().count(),
        0,
        "nothing is left"
    );
    let nowhere = testimony(&["bench", "--in", "no/such/folder"], "");
    assert_eq!(nowhere.status.code(), Some(3), "{}", said(&nowhere));
}
