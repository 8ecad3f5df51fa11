//! Evidence that says more than one thing, and evidence that says again what is erased.

use std::path::Path;

use testimony_domain::{EvidenceId, MemoryId, Polarity, Reason, Support};
use testimony_service::ports::ledger::Ledger;
use testimony_service::ports::ledger::audit::Digest;
use testimony_service::ports::ledger::erasure::{Target, Toll};
use testimony_service::ports::ledger::evidence::Kept;
use testimony_service::ports::ledger::receipts::{Judgment, Operation, Receipt, ReceiptKey};
use testimony_storage::ledger::{Options, SqliteLedger};

use crate::erasure::stands_in;
use crate::support::{Maker, act, agent, at, make_places, place, user, whole_chain, write};

const GOES: &str = "The vault opens with cinnabar-77.";
const STAYS: &str = "The pump on the east wall is green.";
const SECRET: &str = "cinnabar-77";

fn open(folder: &Path) -> SqliteLedger {
    SqliteLedger::open(folder, &Options::default()).unwrap()
}

fn kept(ledger: &SqliteLedger, id: EvidenceId) -> Kept {
    ledger.reader().unwrap().evidence(&[id]).unwrap().remove(0)
}

fn support(memory: MemoryId, kept: &Kept, polarity: Polarity) -> Support {
    Support {
        memory,
        evidence: kept.evidence.id,
        polarity,
        origin: kept.evidence.origin.clone(),
    }
}

/// Two memories drawn from one text, of which the first says the secret.
///
/// The other was judged, and the judgment quotes the text.
fn keep_both(ledger: &SqliteLedger, maker: &Maker, text: &str) -> (MemoryId, MemoryId, EvidenceId) {
    let mut kept = maker.evidence(0, text);
    kept.metadata = Some(format!("{{\"title\":\"{SECRET}\"}}"));
    let evidence = kept.evidence.id;
    let goes = maker.memory(0, GOES, vec![evidence]);
    let stays = maker.memory(0, STAYS, vec![evidence]);
    let ids = (goes.id, stays.id, evidence);
    let judgment = Judgment {
        memory: stays.id,
        about: Digest([9; 32]),
        said: format!("it is beside {SECRET}"),
        at: at(3),
    };
    write(ledger, 3, move |writer| {
        writer.keep_evidence(&kept)?;
        for memory in [&goes, &stays] {
            writer.add_memory(memory)?;
            writer.add_support(&support(memory.id, &kept, Polarity::Supports))?;
        }
        writer.keep_judgment(&judgment)
    })
    .unwrap();
    ids
}

fn erase(ledger: &SqliteLedger, memory: MemoryId) -> Toll {
    let erased = write(ledger, 5, move |writer| {
        let announced = writer.toll(&Target::Memory(memory))?;
        assert_eq!(writer.erase(&Target::Memory(memory))?, announced);
        Ok(announced)
    });
    erased.unwrap().0
}

fn rows(toll: &Toll, table: &str) -> u64 {
    let found = toll.rows.iter().find(|(name, _)| *name == table);
    found.map_or(0, |(_, rows)| *rows)
}

#[test]
fn of_shared_evidence_only_the_words_of_what_stays_are_left() {
    for text in [
        format!("{GOES} {STAYS}"),
        format!("{STAYS} {GOES}"),
        format!("By the way: {STAYS} Remember {SECRET}, as the vault opens with it. {GOES}"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let ledger = open(folder.path());
        make_places(&ledger, 1);
        let (goes, stays, evidence) = keep_both(&ledger, &Maker::default(), &text);
        assert_ne!(stands_in(folder.path(), SECRET), [""; 0], "the canary");
        let toll = erase(&ledger, goes);
        assert_eq!(
            (rows(&toll, "evidence"), rows(&toll, "evidence_cut")),
            (0, 1)
        );
        assert_eq!(stands_in(folder.path(), SECRET), [""; 0]);
        let left = kept(&ledger, evidence);
        let said = left.evidence.text.as_str();
        assert!(said.contains(STAYS) && said.contains("[erased]"), "{said}");
        assert_eq!(left.metadata, None);
        assert_eq!(left.reasons, [Reason::Admitted, Reason::ContentErased]);
        let reader = ledger.reader().unwrap();
        assert_eq!(
            reader.supports(stays).unwrap().len(),
            1,
            "it keeps its support"
        );
        assert_eq!(reader.resting_on(evidence).unwrap(), [stays]);
        drop(reader);
        whole_chain(&ledger);
        assert_eq!(ledger.doctor(None).unwrap(), []);
        let toll = erase(&ledger, stays);
        assert_eq!(
            (rows(&toll, "evidence"), rows(&toll, "evidence_cut")),
            (1, 0)
        );
        assert_eq!(kept(&ledger, evidence).evidence.text.as_str(), "");
    }
}

#[test]
fn where_no_place_is_known_nothing_of_the_text_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = open(folder.path());
    make_places(&ledger, 1);
    let text =
        format!("It is {SECRET} for the vault, and by the east wall there is something green.");
    let (goes, stays, evidence) = keep_both(&ledger, &Maker::default(), &text);
    erase(&ledger, goes);
    assert_eq!(stands_in(folder.path(), SECRET), [""; 0]);
    assert_eq!(kept(&ledger, evidence).evidence.text.as_str(), "[erased]");
    assert_eq!(
        ledger.reader().unwrap().resting_on(evidence).unwrap(),
        [stays]
    );
}

#[test]
fn what_only_speaks_against_it_is_not_cut() {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    let (goes, _, _) = keep_both(&ledger, &maker, &format!("{GOES} {STAYS}"));
    let against = maker.evidence(0, "No, the vault has a card reader. Ask Mina for one.");
    let evidence = against.evidence.id;
    let other = maker.memory(0, "The vault has a card reader.", vec![evidence]);
    write(&ledger, 4, move |writer| {
        writer.keep_evidence(&against)?;
        writer.add_memory(&other)?;
        writer.add_support(&support(goes, &against, Polarity::Contradicts))
    })
    .unwrap();
    erase(&ledger, goes);
    let text = kept(&ledger, evidence).evidence.text;
    assert_eq!(
        text.as_str(),
        "No, the vault has a card reader. Ask Mina for one."
    );
}

/// Evidence that no row came of: the same words again, and an echo in words that are near.
fn repetitions(maker: &Maker) -> [Kept; 3] {
    let known = maker.evidence(0, &format!("As I said, {}", GOES.to_lowercase()));
    let mut echo = maker.evidence(0, "I know that the vault opens with that word cinnabar-77.");
    echo.evidence.origin.echo = true;
    let mut other = maker.evidence(0, GOES);
    other.evidence.partition = Maker::partition(0, agent(0), Some(user(3)));
    [known, echo, other]
}

fn receipt(kept: &Kept, number: u128) -> Receipt {
    Receipt {
        key: ReceiptKey {
            key: kept.evidence.origin.key,
            container: place(0),
            operation: Operation::Retain,
            request: testimony_domain::RequestId::new("request_id", &format!("r-{number}"))
                .unwrap(),
        },
        body: Digest([3; 32]),
        response: format!(
            "{{\"skipped\":[{{\"evidence_id\":\"{}\",\"content\":\"{}\"}}]}}",
            kept.evidence.id, kept.evidence.text
        ),
        memories: vec![],
        names: vec![],
        at: at(3),
        until: at(9_000),
    }
}

#[test]
fn what_says_it_again_goes_along_and_what_another_person_says_stays() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = open(folder.path());
    make_places(&ledger, 1);
    let maker = Maker::default();
    let (goes, _, _) = keep_both(&ledger, &maker, &format!("{GOES} {STAYS}"));
    let [known, echo, other] = repetitions(&maker);
    let ids = [&known, &echo, &other].map(|kept| kept.evidence.id);
    write(&ledger, 4, move |writer| {
        for (number, kept) in (0..).zip([&known, &echo]) {
            writer.keep_evidence(kept)?;
            writer.keep_receipt(&receipt(kept, number))?;
        }
        writer.keep_evidence(&other)
    })
    .unwrap();
    let backups = tempfile::tempdir().unwrap();
    let backup = backups.path().join("before.sqlite");
    ledger.backup_to(&backup).unwrap();
    let toll = erase(&ledger, goes);
    assert_eq!((rows(&toll, "evidence"), rows(&toll, "receipts")), (2, 2));
    let texts = |ledger: &SqliteLedger| ids.map(|id| kept(ledger, id).evidence.text.to_string());
    assert_eq!(texts(&ledger), ["", "", GOES]);
    erase_person(&ledger);
    assert_eq!(stands_in(folder.path(), SECRET), [""; 0]);
    drop(ledger);

    // The same holds for an older copy to which the list is brought.
    let (empty, options) = (tempfile::tempdir().unwrap(), Options::default());
    let list = folder.path().join("erasures.list");
    let restored = SqliteLedger::restore(&backup, empty.path(), &[&list], act(9), &options);
    let restored = restored.unwrap();
    assert_eq!(texts(&restored), ["", "", ""]);
    assert_eq!(stands_in(empty.path(), SECRET), [""; 0]);
    assert_eq!(restored.doctor(None).unwrap(), []);
}

fn erase_person(ledger: &SqliteLedger) {
    let person = Target::User(place(0), user(3));
    write(ledger, 6, move |writer| writer.erase(&person)).unwrap();
}
