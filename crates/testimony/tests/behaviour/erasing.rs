//! What is erased stands nowhere any more: not beside what was said with it, and not where it was said again.

use std::io::Read as _;
use std::path::Path;

use testimony::domain::{MemoryId, Principal};
use testimony::ports::ledger::erasure::Target;
use testimony::read::CourtroomRequest;
use testimony::write::{Item, RetainRequest, WriteAnswer, WritebackRequest};
use testimony_service::oversight::Ground;

use crate::support::{Desk, Somebody, done, named};

const SECRET: &str = "vermilion";
const GOES: &str = "The password hint of the workshop door is vermilion.";
const STAYS: &str = "The compressor in the workshop runs on 400 volts.";

/// The files of a folder, at any depth, in which the secret stands.
fn traces(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(traces(&path));
            continue;
        }
        let mut bytes = Vec::new();
        let mut file = std::fs::File::open(&path).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        let lower = bytes.to_ascii_lowercase();
        if lower
            .windows(SECRET.len())
            .any(|it| it == SECRET.as_bytes())
        {
            found.push(path.display().to_string());
        }
    }
    found
}

fn say_both(user: &Somebody<'_>) -> WriteAnswer {
    user.writeback(WritebackRequest {
        user_message: Some(format!("{GOES} {STAYS}")),
        extract: true,
        repetition: named("first", 1),
        ..WritebackRequest::default()
    })
}

fn of_words(answer: &WriteAnswer, word: &str) -> MemoryId {
    let rows = answer.retained.iter().map(|row| &row.memory);
    let mut rows = rows.filter(|row| row.content.as_str().contains(word));
    rows.next().unwrap().id
}

/// What a report on a memory shows of its evidence.
fn excerpts(user: &Somebody<'_>, memory: MemoryId) -> Vec<String> {
    let request = CourtroomRequest {
        id: memory.to_string(),
        claim: user.claim.clone(),
        ..CourtroomRequest::default()
    };
    let report = user.desk.service().courtroom(&user.principal, &request);
    let items = report.unwrap().report.supporting_evidence;
    let items = items.iter().map(|item| item.redacted_excerpt.to_string());
    items.collect()
}

#[test]
fn the_words_of_what_is_erased_stand_nowhere_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::within(folder.path());
    let user = desk.user();
    let said = say_both(&user);
    let (goes, stays) = (of_words(&said, SECRET), of_words(&said, "compressor"));
    // It is said again in several ways: with something new, to be looked at, and by an agent to which it was handed out.
    user.retain(&format!("{GOES} The lathe was oiled on Friday."));
    let waits = done(
        user.try_retain(&RetainRequest {
            review_required: true,
            ..user.request(vec![Item::of(GOES)])
        })
        .unwrap(),
    );
    assert!(waits.retained.is_empty(), "the same is known already");
    user.context("What is the password hint of the workshop door?");
    user.writeback(WritebackRequest {
        assistant_response: Some(format!("As I remember it: {GOES}")),
        extract: true,
        repetition: named("second", 2),
        ..WritebackRequest::default()
    });
    desk.memory.store().snapshot().unwrap();
    assert_ne!(traces(folder.path()), [""; 0], "the canary");
    assert!(
        excerpts(&user, stays).concat().contains(SECRET),
        "the canary"
    );

    let target = Target::Memory(goes);
    let erased = desk
        .service()
        .erase(&Principal::host(), &target, Ground::Other);
    let rows = erased.unwrap().toll.rows;
    assert!(
        rows.iter().any(|(table, _)| *table == "evidence_cut"),
        "{rows:?}"
    );
    let shown = excerpts(&user, stays).concat();
    assert!(
        shown.contains("compressor") && shown.contains("[erased]"),
        "{shown}"
    );
    assert!(!shown.contains(SECRET), "{shown}");
    let others: Vec<String> = desk
        .rows()
        .iter()
        .map(|row| row.content.to_string())
        .collect();
    assert!(!others.concat().contains(SECRET), "{others:?}");
    assert_eq!(traces(folder.path()), [""; 0]);
}

#[test]
fn what_waits_and_only_says_the_same_counts_for_nothing_and_goes_along() {
    let desk = Desk::new();
    let user = desk.user();
    let said = user.retain(GOES);
    let goes = of_words(&said, SECRET);
    let again = done(
        desk.agent("scout", testimony::domain::SourceClass::ToolResult)
            .try_retain(&RetainRequest {
                review_required: true,
                ..user.request(vec![Item::of(GOES)])
            })
            .unwrap(),
    );
    assert!(again.retained.is_empty());
    let reader = desk.service().ledger().reader().unwrap();
    let supports = reader.supports(goes).unwrap();
    assert_eq!(
        supports.iter().map(|it| it.origin.echo).collect::<Vec<_>>(),
        [false, true]
    );
    assert_eq!(reader.memories(&[goes]).unwrap()[0].origins, 1);
    let evidence = supports[1].evidence;
    drop(reader);
    let target = Target::Memory(goes);
    desk.service()
        .erase(&Principal::host(), &target, Ground::Other)
        .unwrap();
    let reader = desk.service().ledger().reader().unwrap();
    let kept = reader.evidence(&[evidence]).unwrap().remove(0);
    assert_eq!(kept.evidence.text.as_str(), "");
}
