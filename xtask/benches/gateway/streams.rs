//! Many streams at a time: what they cost while they are held, and that nothing of them is left when their readers go.

use std::thread::sleep;
use std::time::{Duration, Instant};

use xtask::bench::{Bar, Report};

use super::{Gateway, Setting};
use crate::asked::{Listener, counted, question};
use crate::model::{ENDLESS, QUICK};
use crate::shared::data::Data;

/// How often what came is taken.
const BREATH: Duration = Duration::from_millis(20);
/// For how long it is watched how what was held is given back.
const LONGEST: Duration = Duration::from_secs(60);

/// What a server holds.
#[derive(Clone, Copy)]
struct Held {
    tasks: usize,
    files: usize,
    streams: usize,
    /// Answers that the model is still giving.
    answers: usize,
}

impl Held {
    fn by(gateway: &Gateway) -> Self {
        let files = std::fs::read_dir(gateway.served.told("fd"));
        Self {
            tasks: counted(&gateway.metrics, "testimony_tasks"),
            files: files.map_or(0, Iterator::count),
            streams: counted(&gateway.metrics, "testimony_gateway_streams"),
            answers: gateway.model.open(),
        }
    }

    const fn is_back_at(&self, before: &Self) -> bool {
        self.tasks <= before.tasks
            && self.files <= before.files
            && self.streams == 0
            && self.answers == 0
    }
}

pub(crate) fn measure(setting: &Setting, data: &Data, report: &mut Report) {
    let gateway = Gateway::start(setting, data, 0);
    let address = &gateway.served.address;
    // What stays once it was used, such as a connection to the model, is there before anything is counted.
    let mut warm = Listener::to(address);
    warm.first_word(&question(gateway.key(), QUICK, "Hello?", None));
    warm.rest();
    let (before, resident) = (Held::by(&gateway), gateway.served.resident());
    let mut all: Vec<Listener> = (0..setting.wanted.streams)
        .map(|_| opened(&gateway))
        .collect();
    let (count, held) = (all.len() as f64, Held::by(&gateway));
    let grown = hold(setting, &gateway, &mut all);
    let each = (gateway.served.resident() - resident) / count;
    let mut add = |what, value, unit, bar| report.add("streams", what, value, unit, bar);
    add(
        "held at a time",
        held.streams as f64,
        "",
        Bar::AtLeast(count),
    );
    add("memory for each of them", each / 1e3, "kB", Bar::None);
    let tasks = (held.tasks - before.tasks) as f64 / count;
    add("tasks for each of them", tasks, "", Bar::None);
    let most = Bar::AtMost(4.0);
    add("memory grown meanwhile", grown.bytes / 1e6, "MB", most);
    add("words passed on a second", grown.words, "/s", Bar::None);
    drop(all);
    tell_what_is_left(&gateway, &before, report);
    drop(warm);
    gateway.served.stop();
}

/// A stream without an end that has begun.
fn opened(gateway: &Gateway) -> Listener {
    let mut listener = Listener::to(&gateway.served.address);
    listener.first_word(&question(gateway.key(), ENDLESS, "Hello?", None));
    listener.no_longer_waits();
    listener
}

fn tell_what_is_left(gateway: &Gateway, before: &Held, report: &mut Report) {
    let (after, waited) = given_back(gateway, before);
    let mut add = |what, value, unit, most| {
        report.add("streams", what, value, unit, Bar::AtMost(most));
    };
    add("until everything is given back", waited, "s", 5.0);
    for (what, now, before) in [
        ("tasks left", after.tasks, before.tasks),
        ("files left open", after.files, before.files),
        ("streams left", after.streams, 0),
        ("answers that the model still gives", after.answers, 0),
    ] {
        add(what, now.saturating_sub(before) as f64, "", 0.0);
    }
}

/// What came of holding them.
struct Grown {
    /// How much more memory there was in the end, or at any time, than a fifth of the time after the beginning.
    bytes: f64,
    /// Words that came in a second.
    words: f64,
}

fn hold(setting: &Setting, gateway: &Gateway, all: &mut [Listener]) -> Grown {
    const BYTES_A_WORD: f64 = 160.0;
    let time = Duration::from_secs(setting.wanted.seconds);
    let start = Instant::now();
    let (mut settled, mut most, mut bytes) = (None, 0_f64, 0_usize);
    while start.elapsed() < time {
        bytes += all.iter_mut().map(Listener::takes).sum::<usize>();
        let resident = gateway.served.resident();
        if start.elapsed() * 5 > time {
            let _ = settled.get_or_insert(resident);
            most = most.max(resident);
        }
        sleep(BREATH);
    }
    Grown {
        bytes: most - settled.unwrap_or(most),
        words: bytes as f64 / BYTES_A_WORD / start.elapsed().as_secs_f64(),
    }
}

/// Watches how what was held is given back; what is left, and how long it took.
fn given_back(gateway: &Gateway, before: &Held) -> (Held, f64) {
    let start = Instant::now();
    loop {
        let now = Held::by(gateway);
        let waited = start.elapsed();
        if now.is_back_at(before) || waited > LONGEST {
            return (now, waited.as_secs_f64());
        }
        sleep(BREATH);
    }
}
