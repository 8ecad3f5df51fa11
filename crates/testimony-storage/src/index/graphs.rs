//! The graphs of a container: one for each place that is large, so that a graph holds no row that somebody who may see
//! one of its rows may not see.
//!
//! What a graph answers thus depends on rows of its own place alone, and rows of other places change no answer.
//! A row that leaves its place, or gets another vector, takes the graph with it: a trace of it would be left otherwise.
//! Rows that a graph does not hold are scanned, and everything is while there is no graph.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use testimony_domain::MemoryId;
use testimony_service::ports::embedder::EmbedderIdentity;

use super::eligible::{CUTS_AT_ONCE, Marks};
use super::graph::{AVAILABLE, Graph};
use super::hybrid::held;
use super::place::PlaceKey;
use super::room::{Contents, Room};
use super::vectors::{Quantised, Space};

/// No graph holds the row.
const NONE: u8 = 0;
/// A graph is being made that will hold the row.
const IN_THE_MAKING: u8 = u8::MAX;
/// With more, looking around in a graph costs more than a scan.
const WIDEST: usize = 2_000;
/// With fewer, a graph finds too few of the best.
const NARROWEST: usize = 256;
/// So many vectors are copied at a time, so that nobody waits long for a container.
const VECTORS_AT_ONCE: usize = 4_096;
/// After a graph is lost the next one waits a period of the builder for so many rows.
const ROWS_A_PERIOD: usize = 2_000;

/// The graphs of a container.
#[derive(Default)]
pub(super) struct Graphs {
    built: Vec<Option<Built>>,
    /// For each slot the number of its graph, counted from one.
    number_of: Vec<u8>,
    /// What is being made, and of which place.
    making: Option<(PlaceKey, Arc<Making>)>,
    /// Graphs that hold a row which left them, and are to be freed where nobody waits for it.
    lost: Vec<Graph>,
    /// Makings that were stopped, and may not have noticed yet.
    stopped: Vec<Arc<Making>>,
    /// How many periods the next making waits.
    rest: usize,
}

struct Built {
    place: PlaceKey,
    embedder: EmbedderIdentity,
    rows: usize,
    graph: Graph,
}

/// A graph that is being made.
#[derive(Default)]
struct Making {
    stop: AtomicBool,
    /// Held as long as there are copies of vectors.
    copies: Mutex<()>,
}

/// A place that is large enough for a graph: which rows it is to hold, in the order of their ids.
struct Wanted {
    place: PlaceKey,
    embedder: EmbedderIdentity,
    rows: Vec<(MemoryId, u32)>,
}

/// The cuts that graphs answer, and what they found for them.
#[derive(Default)]
pub(super) struct Answered {
    /// For each number of a graph the cuts that need no scan of its rows.
    cuts: Vec<u8>,
    /// Slots near, with those of these cuts that want them.
    pub(super) near: Vec<(u32, u8)>,
}

/// So many rows of a place go into its graph: rows that come later change nothing until they are a quarter more.
fn step_below(rows: usize, from: usize) -> Option<usize> {
    let from = from.max(1);
    let mut step = (rows >= from).then_some(from)?;
    while let Some(next) = step.checked_add((step / 4).max(1)).filter(|it| *it <= rows) {
        step = next;
    }
    Some(step)
}

impl Graphs {
    /// How many graphs there are, and how many rows they hold.
    pub(super) fn count(&self) -> (usize, usize) {
        let built = self.built.iter().flatten();
        built.fold((0, 0), |(graphs, rows), it| (graphs + 1, rows + it.rows))
    }

    /// Takes note that a row leaves its place or gets another vector.
    pub(super) fn leaves(&mut self, slot: u32) {
        let number = self.number_of.get(slot as usize).copied().unwrap_or(NONE);
        if number == IN_THE_MAKING {
            self.stop_making();
        } else if let Some(built) = at_number(&mut self.built, number).and_then(Option::take) {
            self.clear_number(number);
            self.rest = built.rows / ROWS_A_PERIOD;
            if self.making.as_ref().is_some_and(|it| it.0 == built.place) {
                self.stop_making();
            }
            self.lost.push(built.graph);
        }
    }

    /// Gives up the graphs of embedders that are not asked any more.
    pub(super) fn keep_only(&mut self, spaces: &[Space]) {
        self.lose(|built| spaces.iter().all(|space| space.embedder != built.embedder));
    }

    /// Gives up some graphs.
    fn lose(&mut self, is_lost: impl Fn(&Built) -> bool) {
        for number in 1..IN_THE_MAKING {
            let of_number = at_number(&mut self.built, number);
            if let Some(built) = of_number.and_then(|it| it.take_if(|it| is_lost(it))) {
                self.clear_number(number);
                self.lost.push(built.graph);
            }
        }
    }

    /// Gives every graph up.
    pub(super) fn clear(&mut self) {
        self.stop_making();
        let built = self.built.drain(..).flatten();
        self.lost.extend(built.map(|built| built.graph));
        self.number_of.clear();
    }

    fn stop_making(&mut self) {
        if let Some((_, making)) = self.making.take() {
            making.stop.store(true, Ordering::Release);
            let rows = self.number_of.iter().filter(|it| **it == IN_THE_MAKING);
            self.rest = rows.count() / ROWS_A_PERIOD;
            self.stopped.push(making);
            self.clear_number(IN_THE_MAKING);
        }
    }

    fn clear_number(&mut self, number: u8) {
        for it in self.number_of.iter_mut().filter(|it| **it == number) {
            *it = NONE;
        }
    }

    /// Asks the graphs that have a share in what is wanted, where that is cheaper than a scan and finds enough.
    pub(super) fn ask(
        &self,
        space: &Space,
        asked: &Quantised,
        marks: &Marks,
        limits: &[usize],
    ) -> Answered {
        let mut answered = Answered::default();
        let same = |built: &&Built| built.embedder == space.embedder;
        if !self.built.iter().flatten().any(|built| same(&built)) {
            return answered;
        }
        answered.cuts = vec![0; usize::from(u8::MAX) + 1];
        let wanted = self.wanted(marks);
        let of_graphs = answered.cuts.iter_mut().skip(1);
        for ((built, cuts), wanted) in self.built.iter().zip(of_graphs).zip(wanted) {
            if let Some(built) = built.as_ref().filter(same) {
                let (by_graph, near) = built.ask(asked, marks, limits, &wanted);
                *cuts = by_graph;
                answered.near.extend(near);
            }
        }
        answered
    }

    /// For each graph, how many of its rows each cut wants.
    fn wanted(&self, marks: &Marks) -> Vec<[usize; CUTS_AT_ONCE]> {
        let mut by_mark = vec![[0_usize; 1 << CUTS_AT_ONCE]; self.built.len()];
        for (number, cuts) in self.number_of.iter().zip(marks.cuts()) {
            let of_graph = at_number(&mut by_mark, *number);
            if let Some(count) = of_graph.and_then(|it| it.get_mut(usize::from(cuts))) {
                *count += 1;
            }
        }
        let by_cut = |by_mark: &[usize; 1 << CUTS_AT_ONCE]| {
            let mut by_cut = [0; CUTS_AT_ONCE];
            for (cuts, count) in by_mark.iter().enumerate() {
                for (at, sum) in by_cut.iter_mut().enumerate() {
                    *sum += count * (cuts >> at & 1);
                }
            }
            by_cut
        };
        by_mark.iter().map(by_cut).collect()
    }

    /// What is left of the cuts of each slot for a scan.
    pub(super) fn left_of(&self, marks: &Marks, answered: &Answered) -> Vec<u8> {
        let numbers = self.number_of.iter().copied();
        let numbers = numbers.chain(std::iter::repeat(NONE));
        let left = marks.cuts().zip(numbers).map(|(cuts, number)| {
            cuts & !answered.cuts.get(usize::from(number)).copied().unwrap_or(0)
        });
        left.collect()
    }
}

fn at_number<T>(all: &mut [T], number: u8) -> Option<&mut T> {
    all.get_mut(usize::from(number.checked_sub(1)?))
}

impl Answered {
    pub(super) fn is_nothing(&self) -> bool {
        self.cuts.iter().all(|cuts| *cuts == 0)
    }
}

impl Built {
    /// The cuts that this graph answers, and the wanted rows that it found near.
    ///
    /// Too narrow a cut is left to the scan, and so is one for which fewer rows are found than there are.
    fn ask(
        &self,
        asked: &Quantised,
        marks: &Marks,
        limits: &[usize],
        wanted: &[usize; CUTS_AT_ONCE],
    ) -> (u8, Vec<(u32, u8)>) {
        // Twice the room that a cut has, as thinly as its rows lie among the others.
        let width = |(limit, wanted): (&usize, &usize)| {
            let width = limit.saturating_mul(2).saturating_mul(self.rows) / wanted.max(&1);
            Some(width.max(NARROWEST)).filter(|width| *wanted > 0 && *width <= WIDEST)
        };
        let widths: Vec<Option<usize>> = limits.iter().zip(wanted).map(width).collect();
        let Some(widest) = widths.iter().flatten().max() else {
            return (0, Vec::new());
        };
        let found = self.graph.near(asked, *widest);
        let mut cuts = 0;
        for (at, _) in widths.iter().enumerate().filter(|(_, it)| it.is_some()) {
            let of_cut = found
                .iter()
                .filter(|slot| marks.cuts_of(**slot) >> at & 1 != 0);
            let room = limits.get(at).zip(wanted.get(at)).map(|(a, b)| a.min(b));
            if room.is_some_and(|room| of_cut.count() >= *room) {
                cuts |= 1 << at;
            }
        }
        let near = found
            .into_iter()
            .map(|slot| (slot, marks.cuts_of(slot) & cuts));
        (cuts, near.filter(|(_, cuts)| *cuts != 0).collect())
    }
}

impl Contents {
    /// A place that has become large enough for a graph, or for a larger one.
    fn wants_graph(&self, from: usize) -> Option<Wanted> {
        let space = self.spaces.last()?;
        let large = |(census, _): &(&super::rows::Census, &PlaceKey)| census.rows >= from as u64;
        let places = self.rows.census.iter().zip(self.rows.places.values());
        for (number, (_, place)) in (0_u32..).zip(places).filter(|(_, it)| large(it)) {
            let mut rows = self.rows.of_place(number);
            rows.retain(|(_, slot)| space.has(*slot));
            let Some(step) = step_below(rows.len(), from) else {
                continue;
            };
            let same = |built: &&Built| built.place == *place && built.embedder == space.embedder;
            let built = self.graphs.built.iter().flatten().find(same);
            if built.is_some_and(|built| built.rows >= step) {
                continue;
            }
            rows.sort_unstable();
            rows.truncate(step);
            return Some(Wanted {
                place: place.clone(),
                embedder: space.embedder.clone(),
                rows,
            });
        }
        None
    }

    /// Takes note that a graph of these rows is being made; `None` when they have changed already.
    fn begin_making(&mut self, wanted: &Wanted) -> Option<Arc<Making>> {
        self.graphs.stop_making();
        let place = self.rows.places.find(&wanted.place)?;
        let space = self
            .spaces
            .iter()
            .find(|it| it.embedder == wanted.embedder)?;
        let stands = |(id, slot): &(MemoryId, u32)| {
            self.rows.slot(*id) == Some(*slot)
                && self.rows.place(*slot) == Some(place)
                && space.has(*slot)
        };
        if !wanted.rows.iter().all(stands) {
            return None;
        }
        let slots = self.rows.slots();
        self.graphs.number_of.resize(slots, NONE);
        for (_, slot) in &wanted.rows {
            // What a smaller graph of the place holds says so until the larger one is there.
            if let Some(number) = self.graphs.number_of.get_mut(*slot as usize)
                && *number == NONE
            {
                *number = IN_THE_MAKING;
            }
        }
        let making = Arc::new(Making::default());
        self.graphs.making = Some((wanted.place.clone(), Arc::clone(&making)));
        Some(making)
    }
}

impl Graphs {
    /// Searches a graph from now on, unless a row has left it meanwhile; otherwise it comes back.
    fn end_making(&mut self, making: &Arc<Making>, slots: &[u32], built: Built) -> Option<Built> {
        let is_this = |it: &(PlaceKey, Arc<Making>)| Arc::ptr_eq(&it.1, making);
        if !self.making.as_ref().is_some_and(is_this) {
            return Some(built);
        }
        self.making = None;
        self.clear_number(IN_THE_MAKING);
        self.lose(|it| it.place == built.place);
        let free = self.built.iter().position(Option::is_none);
        let at = free.unwrap_or(self.built.len());
        let number = u8::try_from(at + 1).ok().filter(|it| *it < IN_THE_MAKING);
        let Some(number) = number else {
            return Some(built);
        };
        for slot in slots {
            if let Some(it) = self.number_of.get_mut(*slot as usize) {
                *it = number;
            }
        }
        self.built
            .resize_with(self.built.len().max(at + 1), || None);
        if let Some(place) = self.built.get_mut(at) {
            *place = Some(built);
        }
        None
    }
}

impl Room {
    /// Makes the graphs that this container wants. Nobody waits for it but for instants.
    pub(super) fn make_graphs(&self, from: usize, at_once: bool, close: &AtomicBool) {
        self.free_lost_graphs();
        if !AVAILABLE || !at_once && !self.has_rested() {
            return;
        }
        loop {
            let Some(wanted) = self.read().wants_graph(from) else {
                return;
            };
            let Some(making) = self.write().begin_making(&wanted) else {
                return;
            };
            if !self.make(&making, wanted, close) {
                return;
            }
            self.free_lost_graphs();
        }
    }

    /// Whether a graph could be made and is searched.
    fn make(&self, making: &Arc<Making>, wanted: Wanted, close: &AtomicBool) -> bool {
        let _copies = held(&making.copies);
        let stop = || making.stop.load(Ordering::Acquire) || close.load(Ordering::Acquire);
        let slots: Vec<u32> = wanted.rows.iter().map(|(_, slot)| *slot).collect();
        let Some(vectors) = self.copy_of(&wanted.embedder, &slots, stop) else {
            return false;
        };
        let Some(graph) = Graph::of(slots.iter().copied().zip(vectors), stop) else {
            return false;
        };
        let built = Built {
            place: wanted.place,
            embedder: wanted.embedder,
            rows: slots.len(),
            graph,
        };
        let left_over = self.write().graphs.end_making(making, &slots, built);
        left_over.is_none()
    }

    fn copy_of(
        &self,
        embedder: &EmbedderIdentity,
        slots: &[u32],
        stop: impl Fn() -> bool,
    ) -> Option<Vec<Quantised>> {
        let mut vectors = Vec::with_capacity(slots.len());
        for some in slots.chunks(VECTORS_AT_ONCE) {
            let contents = self.read();
            if stop() {
                return None;
            }
            let space = contents.spaces.iter().find(|it| it.embedder == *embedder)?;
            for slot in some {
                vectors.push(space.upper_halves(*slot)?);
            }
        }
        Some(vectors)
    }

    fn has_rested(&self) -> bool {
        if self.read().graphs.rest == 0 {
            return true;
        }
        self.write().graphs.rest -= 1;
        false
    }

    /// Frees what graphs have left in memory of rows that are no longer in them, and returns when it is free.
    pub(super) fn free_lost_graphs(&self) {
        {
            let graphs = &self.read().graphs;
            if graphs.lost.is_empty() && graphs.stopped.is_empty() {
                return;
            }
        }
        let (lost, stopped) = {
            let graphs = &mut self.write().graphs;
            (
                std::mem::take(&mut graphs.lost),
                std::mem::take(&mut graphs.stopped),
            )
        };
        drop(lost);
        for making in stopped {
            drop(held(&making.copies));
        }
    }
}
