//! A disk that is full, and one that cannot be written: reads go on, nothing is lost, and writing goes on when it can.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use super::{is_helpful, nobody_panicked};
use crate::server::Server;
use crate::told::{Asker, Told, again, are_there, end, is_sound};
use crate::trial::Trial;

/// A file system of its own, gone with the value.
struct Mounted {
    at: PathBuf,
}

impl Mounted {
    /// A small one, where this machine lets one be made.
    fn small(at: PathBuf) -> Option<Self> {
        let options = ["-t", "tmpfs", "-o", "size=6m", "tmpfs"];
        mount(&options, &at).then_some(Self { at })
    }

    /// Mounted in another way from now on.
    fn remount(&self, options: &str) -> bool {
        mount(&["-o", &format!("remount,{options}")], &self.at)
    }

    /// What somebody else puts on the disk, until nothing goes on it any more.
    fn fill(&self) {
        let mut rest = std::fs::File::create(self.at.join("rest")).unwrap();
        while std::io::Write::write_all(&mut rest, &[7; 1 << 12]).is_ok() {}
    }

    fn make_room(&self) {
        std::fs::remove_file(self.at.join("rest")).unwrap();
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(&self.at).status());
    }
}

fn mount(options: &[&str], at: &Path) -> bool {
    let mut mount = Command::new("mount");
    mount.args(options).arg(at).stderr(Stdio::null());
    mount.status().is_ok_and(|status| status.success())
}

/// In each round a server on a file system of its own, or a remark that there is none.
fn on_disks(trial: &mut Trial, round: fn(&mut Trial, &Mounted, Server)) {
    for number in 0..trial.rounds {
        let Some(disk) = Mounted::small(trial.room(&format!("disk-{number}"))) else {
            return trial.skip("this machine lets nobody mount a file system");
        };
        let Some(server) = again(trial, &disk.at) else {
            return;
        };
        round(trial, &disk, server);
        trial.round();
    }
}

pub(super) fn full(trial: &mut Trial) {
    on_disks(trial, |trial, disk, server| {
        let mut told = until_full(trial, &server, disk);
        reads_go_on(trial, &server, &told);
        server.kill();
        starts_or_says(trial, &disk.at, &told);
        disk.make_room();
        writes_go_on(trial, &disk.at, &mut told);
        nobody_panicked(trial, &disk.at);
    });
}

/// Writes until nothing is taken any more; what is refused is 507 and nothing else.
fn until_full(trial: &mut Trial, server: &Server, disk: &Mounted) -> Vec<Told> {
    let mut agent = Asker::agent(server);
    let mut told: Vec<Told> = Vec::new();
    for number in 0..60 {
        if number == 3 {
            disk.fill();
            trial.fault();
        }
        let mut next = Told::new(&mut trial.chance, 10);
        let status = next.say(&mut agent).unwrap_or(0);
        told.push(next);
        match status {
            200 => {}
            507 => return told,
            other => trial.broken(format!("a full disk was answered with {other}")),
        }
    }
    trial.broken("the disk is full, and everything was taken");
    told
}

fn reads_go_on(trial: &mut Trial, server: &Server, told: &[Told]) {
    are_there(trial, server, told);
    let query = json!({ "query": "Where does the colleague keep the spare key?" });
    let (status, _) = Asker::agent(server).ask(crate::told::RECALL, &query);
    if status != 200 {
        trial.broken(format!("a recall on a full disk got {status}"));
    }
}

/// With no room it starts, or says that there is none.
fn starts_or_says(trial: &mut Trial, folder: &Path, told: &[Told]) {
    match Server::start(trial.program, folder) {
        Ok(server) => {
            are_there(trial, &server, told);
            server.kill();
        }
        Err(refused) => is_helpful(trial, folder, &refused),
    }
}

fn writes_go_on(trial: &mut Trial, folder: &Path, told: &mut Vec<Told>) {
    let Some(server) = again(trial, folder) else {
        return;
    };
    let mut next = Told::new(&mut trial.chance, 10);
    let status = next.say(&mut Asker::agent(&server)).unwrap_or(0);
    if status != 200 {
        trial.broken(format!("with room again a write got {status}"));
    }
    told.push(next);
    are_there(trial, &server, told);
    is_sound(trial, &server);
}

pub(super) fn read_only(trial: &mut Trial) {
    on_disks(trial, |trial, disk, server| {
        let mut told = vec![Told::new(&mut trial.chance, 5)];
        drop(told[0].say(&mut Asker::agent(&server)));
        server.kill();
        refuses_to_start(trial, disk);
        writes_go_on(trial, &disk.at, &mut told);
    });
}

/// A folder that cannot be written is refused, whichever way it cannot be.
fn refuses_to_start(trial: &mut Trial, disk: &Mounted) {
    if !disk.remount("ro") {
        trial.skip("this machine lets nobody make a file system read-only");
        return;
    }
    trial.fault();
    let refused = crate::program::run(
        trial.program,
        &disk.at,
        &["serve", "--listen", "127.0.0.1:0"],
    );
    if refused.succeeded() || !refused.said.contains("writable") {
        trial.broken(format!(
            "a folder that cannot be written was not refused as one: {}",
            end(&refused.said)
        ));
    }
    assert!(disk.remount("rw"), "what was mounted can be written again");
}
