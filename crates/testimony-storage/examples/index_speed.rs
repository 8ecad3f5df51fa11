//! How long a hybrid search takes beside a bare tantivy query and a bare scan of the same data, in the same run.
//!
//! ```sh
//! cargo run --release -p testimony-storage --example index_speed -- 100000 hard
//! cargo run --release -p testimony-storage --example index_speed -- 1000000 zipf 1000
//! cargo run --release -p testimony-storage --example index_speed -- 100000 hard 1 graphs
//! cargo run --release -p testimony-storage --example index_speed -- 100000 hard 1 rebuild
//! ```
//!
//! The second number is that of containers; with more than one, memory and the time of a start are measured instead.
//! With `graphs`, a graph of near neighbours is made as well, and compared with the scan; with `rebuild`, the index is
//! built again from a source of rows.
//!
//! Searches are measured by the processor time of their thread, and each question's quickest answer of several counts, so
//! that other work on the machine does not.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it measures, prints, and has no input but its own"
)]

use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use pulp::Arch;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, STRING, Schema, TEXT};
use tantivy::{Term, doc};
use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, Claim, ContainerGrant, ContainerTag,
    EffectiveIdentity, FactId, KeyId, Labels, Memory, MemoryId, MemoryKind, MemoryScope, Owner,
    Partition, Plane, Principal, PrincipalKind, Redacted, SourceClass, SourceLabel, Standing,
    State, Tag, Timestamp, Validity,
};
use testimony_recall::{Filters, TimeIntent, View};
use testimony_service::ports::embedder::{EmbedderIdentity, Vector};
use testimony_service::ports::index::{Cut, Index, IndexQuery, IndexState, Meaning};
use testimony_service::ports::ledger::audit::{Digest, Seq};
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::{Commit, CommitObserver, LedgerError, Page, RowChange};
use testimony_storage::index::{HybridIndex, Options, Replay};

const DIMENSIONS: usize = 256;
const WORDS_A_ROW: usize = 15;
const CANDIDATES: usize = 200;
const QUESTIONS: usize = 300;
const ROUNDS: usize = 7;

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A word by Zipf's law, or each of 80 alike.
    fn word(&mut self, hard: bool) -> String {
        let rank = if hard {
            (self.share() * 80.0) as u64
        } else {
            (20_000.0_f64.powf(self.share())) as u64
        };
        format!("wort{rank}")
    }

    fn direction(&mut self, near: Option<&[f32]>) -> Vec<f32> {
        let mut numbers = Vec::with_capacity(DIMENSIONS);
        for at in 0..DIMENSIONS {
            let noise = (self.share() + self.share() + self.share() - 1.5) as f32;
            numbers.push(near.map_or(noise, |near| near[at] + 0.5 * noise));
        }
        numbers
    }
}

/// Rows that are made when they are asked for, the same in every run.
struct Data {
    rows: usize,
    hard: bool,
    containers: usize,
    centres: Vec<Vec<f32>>,
}

impl Data {
    fn text(&self, row: usize) -> Vec<String> {
        let mut dice = Dice((row as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        (0..WORDS_A_ROW).map(|_| dice.word(self.hard)).collect()
    }

    fn direction(&self, row: usize) -> Vec<f32> {
        let mut dice = Dice((row as u64 + 1).wrapping_mul(0xC2B2_AE3D_27D4_EB4F));
        dice.direction(Some(&self.centres[row % 200]))
    }

    fn vector(&self, row: usize) -> Vector {
        Vector::from_direction(self.direction(row)).unwrap()
    }

    /// A question that a row answers, about as near to it as questions are.
    fn question(&self, dice: &mut Dice) -> Vector {
        let near = self.direction(dice.next() as usize % self.rows);
        let once = dice.direction(Some(&near));
        Vector::from_direction(dice.direction(Some(&once))).unwrap()
    }

    fn memory(&self, row: usize, dice: &mut Dice) -> Memory {
        memory(row, container(row % self.containers), &self.text(row), dice)
    }
}

fn container(number: usize) -> ContainerTag {
    ContainerTag::new("container", &format!("bench-{number}")).unwrap()
}

fn memory(number: usize, container: ContainerTag, text: &[String], dice: &mut Dice) -> Memory {
    let id = uuid::Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 + number as u128);
    let owner = Owner::Agent(AgentId::new("agent", &format!("agent-{}", number % 20)).unwrap());
    let plane = if number.is_multiple_of(10) {
        Plane::Working
    } else {
        Plane::Task
    };
    let now: Timestamp = "2026-05-01T00:00:00Z".parse().unwrap();
    Memory {
        id: MemoryId::from_uuid(id),
        fact: FactId::from_uuid(id),
        revision: 1,
        content: Redacted::attest(text.join(" ")),
        kind: if dice.share() < 0.7 {
            MemoryKind::Fact
        } else {
            MemoryKind::Decision
        },
        slot: None,
        entities: Vec::new(),
        speaker: None,
        partition: Partition::stored(
            container,
            plane,
            MemoryScope::User,
            owner,
            Labels::default(),
        ),
        class: SourceClass::UserStatement,
        source: SourceLabel::new("source", "bench").unwrap(),
        source_app: None,
        tags: vec![Tag::new("tag", &format!("tag-{}", number % 50)).unwrap()],
        custom_id: None,
        state: State::Active,
        approved: false,
        review: None,
        contested: false,
        origins: 1,
        reasons: Vec::new(),
        evidence: Vec::new(),
        observed_at: now,
        created_at: now,
        validity: Validity::default(),
        expires_at: None,
    }
}

fn asker(container: &ContainerTag) -> EffectiveIdentity {
    let principal = Principal {
        key: KeyId::from_uuid(uuid::Uuid::from_u128(1)),
        kind: PrincipalKind::Agent,
        containers: ContainerGrant::All,
        capabilities: Capabilities::of([Capability::Recall]),
        source_app: None,
        agent: Some(AgentId::new("agent", "agent-0").unwrap()),
        agent_scope: AgentScope::Own,
        class: SourceClass::UserStatement,
        ceiling: SourceClass::UserStatement,
        labels: Labels::default(),
        expires_at: None,
    };
    let now = "2026-06-01T00:00:00Z".parse().unwrap();
    principal
        .act(container, Capability::Recall, &Claim::default(), now)
        .unwrap()
        .0
}

fn fill(index: &HybridIndex, data: &Data, embedder: &EmbedderIdentity) {
    let mut dice = Dice(11);
    for from in (0..data.rows).step_by(100) {
        let until = (from + 100).min(data.rows);
        let change = |row: usize| {
            let memory = data.memory(row, &mut dice);
            let embedding = Embedding {
                memory: memory.id,
                embedder: embedder.clone(),
                vector: data.vector(row),
            };
            RowChange {
                seq: Seq(row as u64 + 1),
                before: None,
                after: Some(Arc::new(memory)),
                embedding: Some(Arc::new(embedding)),
            }
        };
        let changes = (from..until).map(change).collect();
        index.committed(&Commit {
            changes_access: false,
            reached: Seq(until as u64),
            changes,
        });
    }
}

/// The quickest of several rounds for each question.
fn quickest(mut ask: impl FnMut(usize) -> usize) -> Vec<Duration> {
    let mut times = vec![Duration::MAX; QUESTIONS];
    for _ in 0..ROUNDS {
        for (question, time) in times.iter_mut().enumerate() {
            let start = ThreadTime::now();
            std::hint::black_box(ask(question));
            *time = (*time).min(start.elapsed());
        }
    }
    times.sort_unstable();
    times
}

fn say(what: &str, times: &[Duration]) -> (f64, f64) {
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{what:<28} p50 {:7.3} ms   p99 {:7.3} ms",
        at(0.5),
        at(0.99)
    );
    (at(0.5), at(0.99))
}

fn bare_words(data: &Data, questions: &[Vec<String>]) -> Vec<Duration> {
    let mut schema = Schema::builder();
    let text = schema.add_text_field("text", TEXT);
    let _ = schema.add_text_field("id", STRING);
    let folder = tempfile::tempdir().unwrap();
    let index = tantivy::Index::create_in_dir(folder.path(), schema.build()).unwrap();
    let mut writer: tantivy::IndexWriter = index.writer_with_num_threads(1, 100 << 20).unwrap();
    for row in 0..data.rows {
        writer
            .add_document(doc!(text => data.text(row).join(" ")))
            .unwrap();
    }
    writer.commit().unwrap();
    let searcher = index.reader().unwrap().searcher();
    quickest(|question| {
        let terms = questions[question].iter().map(|word| {
            let term = Term::from_field_text(text, word);
            let query: Box<dyn Query> =
                Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            (Occur::Should, query)
        });
        let top = TopDocs::with_limit(CANDIDATES).order_by_score();
        searcher
            .search(&BooleanQuery::new(terms.collect()), &top)
            .unwrap()
            .len()
    })
}

fn bare_scan(data: &Data, questions: &[Vector]) -> Vec<Duration> {
    let eight_bits = |vector: &Vector| -> Vec<i8> {
        vector
            .as_slice()
            .iter()
            .map(|it| (it * 127.0) as i8)
            .collect()
    };
    let all: Vec<i8> = (0..data.rows)
        .flat_map(|row| eight_bits(&data.vector(row)))
        .collect();
    let asked: Vec<Vec<i8>> = questions.iter().map(eight_bits).collect();
    quickest(|question| {
        let mut best: BinaryHeap<std::cmp::Reverse<(i32, usize)>> = BinaryHeap::new();
        let asked = &asked[question];
        Arch::new().dispatch(
            #[inline(always)]
            || {
                for (row, vector) in all.chunks_exact(DIMENSIONS).enumerate() {
                    let pairs = vector.iter().zip(asked);
                    let score: i32 = pairs
                        .map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b)))
                        .sum();
                    if best.len() < CANDIDATES {
                        best.push(std::cmp::Reverse((score, row)));
                    } else if best.peek().is_some_and(|worst| score > worst.0.0) {
                        best.pop();
                        best.push(std::cmp::Reverse((score, row)));
                    }
                }
            },
        );
        best.len()
    })
}

fn resident_mib() -> u64 {
    let mut text = String::new();
    std::io::Read::read_to_string(
        &mut std::fs::File::open("/proc/self/statm").unwrap(),
        &mut text,
    )
    .unwrap();
    text.split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<u64>()
        .unwrap()
        * 4
        / 1024
}

fn asked_by(
    index: &HybridIndex,
    who: &EffectiveIdentity,
    words: &str,
    meaning: Option<Meaning<'_>>,
) -> usize {
    let filters = Filters {
        kind: Some(MemoryKind::Fact),
        exclude_tags: vec![Tag::new("tag", "tag-7").unwrap()],
        created_after: Some("2026-01-01T00:00:00Z".parse().unwrap()),
        ..Filters::default()
    };
    let standings = [
        Standing::CleanPerson,
        Standing::Established,
        Standing::CleanTool,
    ];
    let cuts = [Cut {
        standings: &standings,
        time: TimeIntent::Current,
        limit: CANDIDATES,
    }];
    let query = IndexQuery {
        identity: who,
        view: View::Assistant,
        words,
        entities: &[],
        meaning,
        filters: &filters,
        now: "2026-06-01T00:00:00Z".parse().unwrap(),
        beside: 0,
        cuts: &cuts,
    };
    index.search(&query).unwrap().hits.len()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let rows = arguments
        .get(1)
        .map_or(100_000, |rows| rows.parse().unwrap());
    let hard = arguments.get(2).is_some_and(|kind| kind == "hard");
    let containers: usize = arguments
        .get(3)
        .map_or(1, |containers| containers.parse().unwrap());
    let mut dice = Dice(88_172_645_463_325_252);
    let centres = (0..200).map(|_| dice.direction(None)).collect();
    let data = Data {
        rows,
        hard,
        containers,
        centres,
    };
    let embedder = EmbedderIdentity {
        name: "bench".into(),
        revision: "1".into(),
        dimensions: DIMENSIONS,
    };
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        folder: Some(folder.path().to_owned()),
        ledger: "bench".into(),
    };
    let also = arguments.get(4).map_or("", String::as_str);
    let graphs_from = (also == "graphs").then_some(rows / 2);
    let index = HybridIndex::open_with_graphs(options.clone(), graphs_from).unwrap();
    let (before, start) = (resident_mib(), Instant::now());
    fill(&index, &data, &embedder);
    index.flush().unwrap();
    let (seconds, mib) = (start.elapsed().as_secs_f64(), resident_mib() - before);
    println!("{rows} rows made, taken in and written in {seconds:.1} s, {mib} MiB more resident");
    let start = Instant::now();
    index.snapshot().unwrap();
    println!("snapshot written in {:.2} s", start.elapsed().as_secs_f64());
    let questions: Vec<Vec<String>> = (0..QUESTIONS)
        .map(|_| (0..5).map(|_| dice.word(hard)).collect())
        .collect();
    let meanings: Vec<Vector> = (0..QUESTIONS).map(|_| data.question(&mut dice)).collect();
    let index = if containers > 1 {
        started_again(index, options, &questions)
    } else {
        index
    };
    let askers: Vec<EffectiveIdentity> = (0..QUESTIONS)
        .map(|it| asker(&container(it % containers)))
        .collect();
    let ask = |question: usize, words: bool, meaning: bool| {
        let words = if words {
            questions[question].join(" ")
        } else {
            String::new()
        };
        let meaning = meaning.then(|| Meaning {
            vector: &meanings[question],
            embedder: &embedder,
            calibration: None,
        });
        asked_by(&index, &askers[question], &words, meaning)
    };
    let hybrid = say("hybrid", &quickest(|question| ask(question, true, true)));
    say(
        "  words alone",
        &quickest(|question| ask(question, true, false)),
    );
    say(
        "  meaning alone",
        &quickest(|question| ask(question, false, true)),
    );
    say(
        "  neither",
        &quickest(|question| ask(question, false, false)),
    );
    if containers == 1 {
        let words = say("bare tantivy", &bare_words(&data, &questions));
        let scan = say("bare scan", &bare_scan(&data, &meanings));
        let (p50, p99) = (hybrid.0 / (words.0 + scan.0), hybrid.1 / (words.1 + scan.1));
        println!("hybrid / (bare + bare): p50 {p50:.2}, p99 {p99:.2}");
        let best = |question: usize| best_by_meaning(&index, &meanings[question], &embedder);
        say(
            "ten best, scanned",
            &quickest(|question| best(question).len()),
        );
        let scanned: Vec<BTreeSet<MemoryId>> = (0..QUESTIONS).map(best).collect();
        compare_with_measuring(&data, &meanings, &scanned);
        if also == "graphs" {
            let (before, start) = (resident_mib(), Instant::now());
            index.make_graphs();
            let (seconds, mib) = (start.elapsed().as_secs_f64(), resident_mib() - before);
            println!(
                "{:?} made in {seconds:.1} s, {mib} MiB more resident",
                index.graphs()
            );
            say(
                "ten best, by graph",
                &quickest(|question| best(question).len()),
            );
            say(
                "meaning alone, by graph",
                &quickest(|question| ask(question, false, true)),
            );
            say(
                "hybrid, by graph",
                &quickest(|question| ask(question, true, true)),
            );
            let found = (0..QUESTIONS).map(|it| best(it).intersection(&scanned[it]).count());
            let recall = found.sum::<usize>() as f64 / (10 * QUESTIONS) as f64;
            println!("recall@10 of the graph against the scan: {recall:.4}");
        }
    }
    if also == "rebuild" {
        rebuild(data, &embedder, &questions);
    }
}

/// The ten best by meaning alone, among all that the asker may see.
fn best_by_meaning(
    index: &HybridIndex,
    vector: &Vector,
    embedder: &EmbedderIdentity,
) -> BTreeSet<MemoryId> {
    let who = asker(&container(0));
    let query = IndexQuery {
        identity: &who,
        view: View::Assistant,
        words: "",
        entities: &[],
        meaning: Some(Meaning {
            vector,
            embedder,
            calibration: None,
        }),
        filters: &Filters::default(),
        now: "2026-06-01T00:00:00Z".parse().unwrap(),
        beside: 0,
        cuts: &[Cut {
            standings: &[Standing::CleanPerson],
            time: TimeIntent::Current,
            limit: 10,
        }],
    };
    let hits = index.search(&query).unwrap().hits;
    hits.iter().map(|hit| hit.memory).collect()
}

/// How many of the ten best by single precision the scan finds, over a few questions.
fn compare_with_measuring(data: &Data, questions: &[Vector], scanned: &[BTreeSet<MemoryId>]) {
    let who = asker(&container(0));
    let (mut found, mut all) = (0, 0);
    let some = questions.len().min(20);
    let mut best: Vec<Vec<(f32, MemoryId)>> = vec![Vec::new(); some];
    let mut dice = Dice(11);
    for row in 0..data.rows {
        let memory = data.memory(row, &mut dice);
        if memory.partition.visible_to(&who, false).is_err() {
            continue;
        }
        let vector = data.vector(row);
        for (question, best) in questions.iter().zip(&mut best) {
            best.push((question.cosine(&vector).unwrap(), memory.id));
            if best.len() > 1_000 {
                best.sort_by(|one, other| other.0.total_cmp(&one.0));
                best.truncate(10);
            }
        }
    }
    for (best, scanned) in best.iter_mut().zip(scanned) {
        best.sort_by(|one, other| other.0.total_cmp(&one.0));
        best.truncate(10);
        all += best.len();
        found += best.iter().filter(|(_, id)| scanned.contains(id)).count();
    }
    println!("recall@10 of the scan against single precision: {found} of {all}");
}

/// The rows of the bench as a ledger would bring them.
struct Source(Data, EmbedderIdentity);

impl Replay for Source {
    fn changed_since(&self, page: Page<Seq>) -> Result<(Vec<Memory>, Seq), LedgerError> {
        let from = page.after.map_or(0, |seq| seq.0 as usize);
        let until = (from + page.limit).min(self.0.rows);
        let mut dice = Dice(from as u64 + 11);
        let rows = (from..until).map(|row| self.0.memory(row, &mut dice));
        Ok((rows.collect(), Seq(until as u64)))
    }

    fn embeddings(
        &self,
        _: &ContainerTag,
        memories: &[MemoryId],
    ) -> Result<Vec<Embedding>, LedgerError> {
        let embedding = |memory: &MemoryId| Embedding {
            memory: *memory,
            embedder: self.1.clone(),
            vector: self.0.vector(memory.uuid().as_u128() as u32 as usize),
        };
        Ok(memories.iter().map(embedding).collect())
    }

    fn fingerprint(&self, _: Seq) -> Result<Option<Digest>, LedgerError> {
        Ok(Some(Digest::default()))
    }

    fn head(&self) -> Result<Seq, LedgerError> {
        Ok(Seq(self.0.rows as u64))
    }
}

/// Builds the index again from nothing, and asks it meanwhile.
fn rebuild(data: Data, embedder: &EmbedderIdentity, questions: &[Vec<String>]) {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        folder: Some(folder.path().to_owned()),
        ledger: "bench".into(),
    };
    let start = Instant::now();
    let index = HybridIndex::open_with_graphs(options, None).unwrap();
    index.follow(Arc::new(Source(data, embedder.clone())));
    let (mut first, mut slowest) = (None, Duration::ZERO);
    while index.health().state != IndexState::Ready {
        let asked = Instant::now();
        let found = asked_by(&index, &asker(&container(0)), &questions[0].join(" "), None);
        slowest = slowest.max(asked.elapsed());
        if found > 0 && first.is_none() {
            first = Some(start.elapsed());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    println!(
        "rebuilt in {:.1} s; first answer with rows after {:.2} s, slowest answer meanwhile {:.1} ms",
        start.elapsed().as_secs_f64(),
        first.unwrap_or_default().as_secs_f64(),
        slowest.as_secs_f64() * 1e3
    );
}

/// Closes the index, opens it from its snapshot, and asks it for the first time.
fn started_again(index: HybridIndex, options: Options, questions: &[Vec<String>]) -> HybridIndex {
    drop(index);
    let start = Instant::now();
    let index = HybridIndex::open(options).unwrap();
    let found = asked_by(&index, &asker(&container(0)), &questions[0].join(" "), None);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "opened and answered with {found} rows in {seconds:.2} s, {} MiB resident in all",
        resident_mib()
    );
    index
}
