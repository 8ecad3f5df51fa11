//! What a scenario is, and what it has in its hands while it runs.

use std::path::{Path, PathBuf};

/// A kind of fault or attack, with everything that belongs to it.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// What has to be so for every scenario of it.
    pub(crate) passes_when: &'static str,
    pub(crate) scenarios: &'static [Scenario],
    /// The same eyes on something that is broken on purpose: they must see it.
    pub(crate) canary: Scenario,
}

/// One thing that is done to a server, again and again.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// Rounds of the short form.
    pub(crate) short: usize,
    /// Rounds of the long form.
    pub(crate) long: usize,
    pub(crate) run: fn(&mut Trial),
}

impl Scenario {
    pub(crate) const fn new(
        name: &'static str,
        short: usize,
        long: usize,
        run: fn(&mut Trial),
    ) -> Self {
        Self {
            name,
            short,
            long,
            run,
        }
    }
}

/// One run of a scenario: what it needs, and what it found.
pub(crate) struct Trial<'a> {
    /// The server.
    pub(crate) program: &'a Path,
    /// A folder with sets of credentials, where one was given.
    pub(crate) data: Option<PathBuf>,
    /// An empty folder of its own, gone afterwards.
    pub(crate) folder: PathBuf,
    /// How many rounds it is to have.
    pub(crate) rounds: usize,
    /// Whether it is the long form.
    pub(crate) is_long: bool,
    pub(crate) chance: Chance,
    pub(crate) found: Found,
}

/// What came of a scenario.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) rounds: usize,
    /// How often something was done to the server that it must bear.
    pub(crate) faults: usize,
    /// What was acknowledged and is gone.
    pub(crate) lost: usize,
    /// What came to somebody who must not have it.
    pub(crate) leaked: usize,
    /// Any other rule that did not hold.
    pub(crate) broken: usize,
    /// Whether this machine lacks what it takes, so that nothing, or not all of it, was done.
    pub(crate) skipped: bool,
    /// What was seen, in words; the first few of each kind.
    pub(crate) said: Vec<String>,
    /// What is worth a line in the table though nothing is wrong with it.
    pub(crate) remarks: Vec<String>,
}

impl Found {
    pub(crate) const fn holds(&self) -> bool {
        self.lost == 0 && self.leaked == 0 && self.broken == 0
    }
}

/// How much is kept in words.
const SAID: usize = 12;

impl Trial<'_> {
    /// A round is done.
    pub(crate) const fn round(&mut self) {
        self.found.rounds += 1;
    }

    /// Something was done to the server.
    pub(crate) const fn fault(&mut self) {
        self.found.faults += 1;
    }

    pub(crate) fn lost(&mut self, what: impl Into<String>) {
        self.found.lost += 1;
        self.say(what);
    }

    pub(crate) fn leaked(&mut self, what: impl Into<String>) {
        self.found.leaked += 1;
        self.say(what);
    }

    pub(crate) fn broken(&mut self, what: impl Into<String>) {
        self.found.broken += 1;
        self.say(what);
    }

    pub(crate) fn remark(&mut self, what: impl Into<String>) {
        self.found.remarks.push(what.into());
    }

    /// This machine lacks what it takes.
    pub(crate) fn skip(&mut self, why: &str) {
        self.found.skipped = true;
        self.remark(format!("skipped: {why}"));
    }

    fn say(&mut self, what: impl Into<String>) {
        if self.found.said.len() < SAID {
            self.found.said.push(what.into());
        }
    }

    /// A folder of this name inside the scenario's own.
    pub(crate) fn room(&self, name: &str) -> PathBuf {
        let room = self.folder.join(name);
        std::fs::create_dir_all(&room).unwrap();
        room
    }
}

/// Chance that can be had again: `SplitMix64`.
pub(crate) struct Chance(u64);

impl Chance {
    /// What the seed and the name give, so that scenarios do not depend on which others ran.
    pub(crate) fn of(seed: u64, name: &str) -> Self {
        let mixed = name.bytes().fold(seed, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Self(mixed)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Below this, which is not 0.
    pub(crate) const fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let index = usize::try_from(self.below(all.len() as u64)).unwrap();
        &all[index]
    }
}
