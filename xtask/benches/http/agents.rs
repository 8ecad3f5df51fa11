//! Many agents that write back: how long the review queue becomes, and how many cases a person would have to open.

use std::collections::BTreeSet;
use std::path::Path;

use testimony::Testimony;
use testimony::domain::{CaseId, SourceClass, State};
use testimony::ports::ledger::Page;
use testimony::ports::ledger::reviews::{CaseFilter, ReviewCase};
use xtask::bench::{Bar, Report};

use super::Setting;
use crate::server::{Prepared, Served, key_of, path, prepared};
use crate::shared::client::{Request, Together, post, together};
use crate::shared::data::{Data, container};
use crate::turns::turn;

const AGENTS: usize = 200;
const TURNS: usize = 50;
const CLIENTS: usize = 16;
const REFUSED_AS_CONFLICT: u16 = 409;

pub(crate) fn measure(setting: &Setting, report: &mut Report) {
    let data = Data::new(setting.wanted.seed, false, 1);
    let prepared = prepared(setting, &data, 0);
    let agents = if setting.wanted.quick { 20 } else { AGENTS };
    let turns = if setting.wanted.quick { 10 } else { TURNS };
    let requests = writebacks(&prepared, agents, turns);
    let served = Served::start(setting, prepared.folder.path());
    let load = together(&served.address, CLIENTS, &requests);
    served.stop();
    tell(&load, &Queue::of(prepared.folder.path()), report);
}

/// Turn by turn, every agent with a key of its own.
fn writebacks(prepared: &Prepared, agents: usize, turns: usize) -> Vec<Request> {
    let memory = Testimony::open(prepared.folder.path()).unwrap();
    let class = SourceClass::AgentObservation;
    let keys: Vec<String> = (0..agents)
        .map(|agent| key_of(&memory, &container(0), agent, class))
        .collect();
    let each = (0..turns).flat_map(|number| keys.iter().enumerate().map(move |key| (number, key)));
    let path = path("agent/writeback");
    each.map(|(number, (agent, key))| post(key, &path, &turn(agent, number)))
        .collect()
}

/// What waits for a person.
struct Queue {
    open: usize,
    groups: usize,
    pending: u64,
    active: u64,
}

impl Queue {
    fn of(folder: &Path) -> Self {
        const AT_ONCE: usize = 1_000;
        let memory = Testimony::open(folder).unwrap();
        let reader = memory.service().ledger().reader().unwrap();
        let (mut cases, mut page) = (Vec::<ReviewCase>::new(), Page::<CaseId>::first(AT_ONCE));
        loop {
            let more = reader.cases(&CaseFilter::default(), page).unwrap();
            let Some(last) = more.last() else { break };
            page.after = Some(last.id);
            cases.extend(more);
        }
        let groups: BTreeSet<_> = cases
            .iter()
            .map(|case| (case.kind.as_str(), &case.group))
            .collect();
        let counted = reader.census(&container(0)).unwrap();
        let in_state = |state| {
            let of = counted.iter().find(|(of, _)| *of == state);
            of.map_or(0, |(_, count)| *count)
        };
        Self {
            open: cases.len(),
            groups: groups.len(),
            pending: in_state(State::Pending),
            active: in_state(State::Active),
        }
    }
}

fn tell(load: &Together, queue: &Queue, report: &mut Report) {
    let mut add = |what: &str, value, unit, bar| report.add("agents", what, value, unit, bar);
    let sent = load.answers.len() as f64;
    add("writebacks", sent, "", Bar::None);
    add("writebacks, 16 clients", load.rate(), "/s", Bar::None);
    let conflicts = load.with(|status| status == REFUSED_AS_CONFLICT);
    add(
        "answered that they say otherwise",
        conflicts as f64,
        "",
        Bar::None,
    );
    let errors = load.errors() - conflicts;
    add("errors", errors as f64, "", Bar::AtMost(0.0));
    add(
        "memories that are active",
        queue.active as f64,
        "",
        Bar::None,
    );
    add(
        "memories that are pending",
        queue.pending as f64,
        "",
        Bar::None,
    );
    add("cases in the queue", queue.open as f64, "", Bar::None);
    add(
        "cases that a person has to open",
        queue.groups as f64,
        "",
        Bar::None,
    );
    let each = sent / (queue.groups.max(1)) as f64;
    add("writebacks a case to open", each, "", Bar::AtLeast(50.0));
}
