//! Crashes: a process that is killed, a log that was torn, and bytes that were flipped.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;

use testimony_domain::{EvidenceId, MemoryId};
use testimony_service::ports::ledger::memories::MemoryFilter;
use testimony_service::ports::ledger::{Ledger, Page, Reader};
use testimony_storage::ledger::{Options, SqliteLedger};

use crate::support::{
    Dice, Maker, all_events, chosen, embedding, keep, make_places, whole_chain, write,
};

const FOLDER: &str = "LEDGER_CHILD_FOLDER";
const NUMBER: &str = "LEDGER_CHILD_NUMBER";
const WRITERS: u64 = 3;

/// What the parent runs in a process of its own: it writes until it is killed, and says what was acknowledged.
#[test]
#[ignore = "a part of the test that kills it"]
fn writes_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let ledger = SqliteLedger::open(Path::new(&folder), &small_log()).unwrap();
    let number = chosen(NUMBER, 0);
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let ledger = &ledger;
            scope.spawn(move || write_for_ever(ledger, number * WRITERS + writer));
        }
    });
}

/// A log that is emptied often, so that kills fall into checkpoints too.
fn small_log() -> Options {
    Options {
        log_soft_bytes: 128 << 10,
        ..Options::default()
    }
}

fn write_for_ever(ledger: &SqliteLedger, number: u64) {
    let maker = Maker::numbered(number);
    for count in 0.. {
        let text = format!("row {count} of writer {number} ").repeat(1 + count % 40);
        let kept = maker.evidence(0, &text);
        let memory = maker.memory(0, &text, vec![kept.evidence.id]);
        let (id, evidence) = (memory.id, kept.evidence.id);
        let written = write(ledger, 3, move |writer| {
            writer.keep_evidence(&kept)?;
            writer.add_memory(&memory)?;
            writer.keep_embedding(&embedding(memory.id, "static"))
        });
        written.unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "acknowledged {id} {evidence}").unwrap();
        out.flush().unwrap();
    }
}

fn begin_child(folder: &Path, number: u64) -> (Child, BufReader<ChildStdout>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "crash::writes_until_it_is_killed",
            "--ignored",
            "--nocapture",
        ])
        .env(FOLDER, folder)
        .env(NUMBER, number.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    (child, out)
}

fn acknowledged(line: &str) -> Option<(MemoryId, EvidenceId)> {
    let mut words = line.split("acknowledged ").nth(1)?.split_whitespace();
    let memory = words.next()?.parse().ok()?;
    let evidence = words.next()?.parse().ok()?;
    Some((memory, evidence))
}

/// Lets a child write, kills it after so many lines, and returns everything that it said was acknowledged.
fn write_and_kill(folder: &Path, number: u64, lines: u64) -> Vec<(MemoryId, EvidenceId)> {
    let (mut child, mut out) = begin_child(folder, number);
    let mut said = Vec::new();
    let mut line = String::new();
    while (said.len() as u64) < lines && out.read_line(&mut line).unwrap() > 0 {
        said.extend(acknowledged(&line));
        line.clear();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut rest = Vec::new();
    out.read_to_end(&mut rest).unwrap();
    let rest = String::from_utf8_lossy(&rest).into_owned();
    // A line that was not ended may have been cut within an id.
    let whole = rest
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    said.extend(whole.filter_map(acknowledged));
    said
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let seed = chosen("LEDGER_SEED", 20_260_311);
    let rounds = chosen("LEDGER_ROUNDS", 15);
    println!("seed {seed}, {rounds} rounds");
    let mut dice = Dice(seed);
    let folder = tempfile::tempdir().unwrap();
    make_places(
        &SqliteLedger::open(folder.path(), &Options::default()).unwrap(),
        1,
    );
    let mut said = Vec::new();
    for round in 0..rounds {
        let lines = 1 + dice.below(60);
        said.extend(write_and_kill(folder.path(), round, lines));
        let ledger = SqliteLedger::open(folder.path(), &small_log()).unwrap();
        let reader = ledger.reader().unwrap();
        for (memory, evidence) in &said {
            assert_eq!(
                reader.memories(&[*memory]).unwrap().len(),
                1,
                "round {round}"
            );
            assert_eq!(
                reader.evidence(&[*evidence]).unwrap().len(),
                1,
                "round {round}"
            );
        }
        nothing_is_half(&*reader);
        drop(reader);
        whole_chain(&ledger);
        assert_eq!(ledger.doctor(None).unwrap(), [], "round {round}");
    }
    println!("{} acknowledged rows survived", said.len());
}

/// Every piece of work is there with all that it wrote, or not at all.
fn nothing_is_half(reader: &dyn Reader) {
    let all = reader.list(&MemoryFilter::default(), Page::first(usize::MAX));
    let all = all.unwrap();
    let ids: Vec<MemoryId> = all.iter().map(|memory| memory.id).collect();
    let embedder = crate::support::embedder("static");
    assert_eq!(reader.embeddings(&embedder, &ids).unwrap().len(), ids.len());
    for memory in &all {
        assert_eq!(reader.history(memory.id).unwrap().len(), 1);
        assert_eq!(reader.evidence(&memory.evidence).unwrap().len(), 1);
    }
    let made = 1 + 2 * all.len();
    assert_eq!(all_events(reader).len(), made);
}

/// A ledger whose last writes lie in its log alone, copied while it is open, with the ids in the order in which they
/// were acknowledged.
fn copied_with_log(to: &Path) -> Vec<MemoryId> {
    let folder = tempfile::tempdir().unwrap();
    make_places(
        &SqliteLedger::open(folder.path(), &Options::default()).unwrap(),
        1,
    );
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    let maker = Maker::default();
    let ids = (0..40)
        .map(|n| keep(&ledger, &maker, &format!("row {n}")))
        .collect();
    for name in ["ledger.sqlite", "ledger.sqlite-wal"] {
        std::fs::copy(folder.path().join(name), to.join(name)).unwrap();
    }
    ids
}

/// Opens what is in the folder, and returns the ids in it; `None` when it is refused.
fn ids_in(folder: &Path) -> Option<Vec<MemoryId>> {
    let options = Options {
        durable: false,
        ..Options::default()
    };
    let ledger = SqliteLedger::open(folder, &options).ok()?;
    whole_chain(&ledger);
    let reader = ledger.reader().unwrap();
    let all = reader.list(&MemoryFilter::default(), Page::first(usize::MAX));
    Some(all.unwrap().iter().map(|memory| memory.id).collect())
}

#[test]
fn a_torn_log_gives_back_what_was_committed_before_the_tear() {
    let seed = chosen("LEDGER_SEED", 4_711);
    println!("seed {seed}");
    let mut dice = Dice(seed);
    let source = tempfile::tempdir().unwrap();
    let ids = copied_with_log(source.path());
    let log = source.path().join("ledger.sqlite-wal");
    let length = std::fs::metadata(&log).unwrap().len();
    let mut lengths = std::collections::BTreeSet::new();
    for tear in 0..120 {
        let folder = tempfile::tempdir().unwrap();
        for name in ["ledger.sqlite", "ledger.sqlite-wal"] {
            std::fs::copy(source.path().join(name), folder.path().join(name)).unwrap();
        }
        let torn = OpenOptions::new()
            .write(true)
            .open(folder.path().join("ledger.sqlite-wal"))
            .unwrap();
        let offset = dice.below(length);
        torn.set_len(offset).unwrap();
        if let Some(found) = ids_in(folder.path()) {
            assert!(ids.starts_with(&found), "tear {tear} at {offset}");
            lengths.insert(found.len());
        }
    }
    println!("{} different prefixes", lengths.len());
    assert!(lengths.len() > 5, "the tears all fell into one place");
}

#[test]
fn flipped_bytes_never_panic() {
    let seed = chosen("LEDGER_SEED", 815);
    let rounds = chosen("LEDGER_FLIPS", 120);
    println!("seed {seed}");
    let mut dice = Dice(seed);
    let source = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(source.path(), &Options::default()).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    for number in 0..60 {
        keep(
            &ledger,
            &maker,
            &format!("row {number} of a ledger that will be damaged"),
        );
    }
    drop(ledger);
    let mut outcomes = [0_u32; 3];
    for round in 0..rounds {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ledger.sqlite");
        std::fs::copy(source.path().join("ledger.sqlite"), &file).unwrap();
        flip(&file, &mut dice);
        let looked = catch_unwind(AssertUnwindSafe(|| look_at_everything(folder.path())));
        let outcome = looked.unwrap_or_else(|_| panic!("round {round} of seed {seed} panicked"));
        outcomes[outcome] += 1;
    }
    let [refused, found, quiet] = outcomes;
    println!("{refused} refused, {found} found by the doctor, {quiet} without a trace");
    assert!(refused + found > 0);
}

fn flip(file: &Path, dice: &mut Dice) {
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(file)
        .unwrap();
    let length = file.metadata().unwrap().len();
    for _ in 0..=dice.below(4) {
        let place = SeekFrom::Start(dice.below(length));
        let mut byte = [0];
        file.seek(place).unwrap();
        file.read_exact(&mut byte).unwrap();
        byte[0] ^= 1 << dice.below(8);
        file.seek(place).unwrap();
        file.write_all(&byte).unwrap();
    }
}

/// 0 when it is refused, 1 when the doctor finds something, 2 when nothing is noticed.
fn look_at_everything(folder: &Path) -> usize {
    let Ok(ledger) = SqliteLedger::open(folder, &Options::default()) else {
        return 0;
    };
    let findings = ledger.doctor(None);
    let Ok(reader) = ledger.reader() else {
        return 0;
    };
    let listed = reader.list(&MemoryFilter::default(), Page::first(usize::MAX));
    for memory in listed.iter().flatten() {
        let _ = reader.history(memory.id);
        let _ = reader.evidence(&memory.evidence);
    }
    drop(reader);
    let _ = write(&ledger, 9, |writer| {
        writer.keep_evidence(&Maker::numbered(7).evidence(0, "one more"))
    });
    match findings {
        Ok(findings) if findings.is_empty() && listed.is_ok() => 2,
        Ok(_) | Err(_) => 1,
    }
}
