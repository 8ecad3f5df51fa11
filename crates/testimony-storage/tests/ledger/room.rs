//! Room: one process a folder, a log that stays small, and a disk that fills up.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use testimony_domain::MemoryId;
use testimony_service::ports::ledger::memories::MemoryFilter;
use testimony_service::ports::ledger::{Ledger, LedgerError, Page};
use testimony_storage::ledger::{OpenError, Options, SqliteLedger};

use crate::support::{Maker, keep, make_places, whole_chain, write};

#[test]
fn a_second_opener_is_told_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    let refused = SqliteLedger::open(folder.path(), &Options::default());
    let error = refused.err().unwrap();
    assert!(matches!(error, OpenError::Locked { .. }));
    let says = error.to_string();
    assert!(says.contains(folder.path().to_str().unwrap()), "{says}");
    assert!(says.contains("stop it and try again"), "{says}");
    drop(ledger);
    SqliteLedger::open(folder.path(), &Options::default()).unwrap();
}

#[test]
fn the_log_stays_small_while_readers_come_and_go() {
    const MEBIBYTE: u64 = 1 << 20;
    let options = Options {
        log_soft_bytes: MEBIBYTE / 4,
        log_hard_bytes: MEBIBYTE,
        durable: false,
        ..Options::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let ledger = Arc::new(SqliteLedger::open(folder.path(), &options).unwrap());
    make_places(&*ledger, 1);
    let over = Arc::new(AtomicBool::new(false));
    let reading = {
        let (ledger, over) = (Arc::clone(&ledger), Arc::clone(&over));
        // At every instant one of these readers is open.
        thread::spawn(move || {
            let mut open = ledger.reader().unwrap();
            while !over.load(Ordering::Relaxed) {
                let next = ledger.reader().unwrap();
                open.list(&MemoryFilter::default(), Page::first(1)).unwrap();
                open = next;
            }
        })
    };
    let log = folder.path().join("ledger.sqlite-wal");
    let (mut written, mut longest) = (0, 0);
    let maker = Maker::default();
    let text = "a long row ".repeat(2_000);
    while written < 24 * MEBIBYTE {
        keep(&*ledger, &maker, &text);
        written += 2 * text.len() as u64;
        longest = longest.max(std::fs::metadata(&log).map_or(0, |file| file.len()));
    }
    over.store(true, Ordering::Relaxed);
    reading.join().unwrap();
    let stats = ledger.stats();
    println!("{written} bytes written, log at most {longest}, {stats:?}");
    assert!(stats.checkpoints > 0);
    assert!(longest < 8 * MEBIBYTE, "{longest}");
}

/// Writes until there is no more room, and returns what was acknowledged.
fn fill(ledger: &SqliteLedger, maker: &Maker) -> Vec<MemoryId> {
    let mut kept = Vec::new();
    for _ in 0..100_000 {
        let evidence = maker.evidence(0, &"filling up ".repeat(500));
        let memory = maker.memory(0, "filling up", vec![evidence.evidence.id]);
        let id = memory.id;
        let written = write(ledger, 3, move |writer| {
            writer.keep_evidence(&evidence)?;
            writer.add_memory(&memory)
        });
        match written {
            Ok(_) => kept.push(id),
            Err(LedgerError::Full) => return kept,
            Err(other) => panic!("{other}"),
        }
    }
    panic!("it never filled up");
}

fn is_all_there(ledger: &SqliteLedger, kept: &[MemoryId]) {
    let reader = ledger.reader().unwrap();
    let all = reader.list(&MemoryFilter::default(), Page::first(usize::MAX));
    let ids: Vec<MemoryId> = all.unwrap().iter().map(|memory| memory.id).collect();
    assert_eq!(ids, kept);
    drop(reader);
    whole_chain(ledger);
}

#[test]
fn a_full_ledger_says_so_and_writes_again_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        max_pages: Some(400),
        durable: false,
        ..Options::default()
    };
    let ledger = SqliteLedger::open(folder.path(), &options).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    let mut kept = fill(&ledger, &maker);
    is_all_there(&ledger, &kept);
    ledger.limit_pages(None).unwrap();
    kept.push(keep(&ledger, &maker, "there is room again"));
    is_all_there(&ledger, &kept);
    assert_eq!(ledger.doctor(None).unwrap(), []);
}

/// A file system of its own with so many bytes, where the machine lets us have one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(bytes: u64) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let size = format!("size={bytes}");
        let mut mount = std::process::Command::new("mount");
        let mounted = mount
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(folder.path())
            .output();
        mounted
            .is_ok_and(|mounted| mounted.status.success())
            .then(|| Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let unmounted = std::process::Command::new("umount")
            .arg(self.path())
            .output();
        println!("{unmounted:?}");
    }
}

#[test]
fn a_full_disk_loses_nothing_and_writing_goes_on_when_there_is_room() {
    let Some(disk) = SmallDisk::mount(6 << 20) else {
        println!("no file system can be mounted here; the limit on pages stands for it");
        return;
    };
    let ballast = disk.path().join("ballast");
    let file = std::fs::File::create(&ballast).unwrap();
    std::io::Write::write_all(&mut &file, &vec![1; 2 << 20]).unwrap();
    drop(file);
    let folder = disk.path().join("ledger");
    let ledger = SqliteLedger::open(&folder, &Options::default()).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    let mut kept = fill(&ledger, &maker);
    is_all_there(&ledger, &kept);
    std::fs::remove_file(&ballast).unwrap();
    kept.push(keep(&ledger, &maker, "there is room again"));
    is_all_there(&ledger, &kept);
    drop(ledger);
    let again = SqliteLedger::open(&folder, &Options::default()).unwrap();
    is_all_there(&again, &kept);
}
