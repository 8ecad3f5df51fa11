//! The naive twin: a plain list of rows, and every score written from its definition.

use std::collections::BTreeSet;

use tantivy::fieldnorm::FieldNormReader;
use testimony_domain::{Memory, MemoryId, Score, Standing, TrustPolicy};
use testimony_recall::gates::examine;
use testimony_recall::{Channel, Filters, GateContext, TimeIntent};
use testimony_service::ports::embedder::Vector;
use testimony_service::ports::index::Hit;
use testimony_storage::index::tokens::{is_stop_word, name, tokens};

use crate::support::{Asking, NOW, at, direction};

/// How far a cosine of sixteen bits may be from one of single precision.
const NEAR: f64 = 2e-4;

/// A list of rows.
#[derive(Debug, Default)]
pub(crate) struct Twin {
    pub(crate) rows: Vec<(Memory, Option<Vector>)>,
    /// The canary: it counts every row of the container, whoever may see it.
    pub(crate) counts_everything: bool,
    /// Whether rows that are near may be missing, as those that a graph does not find.
    pub(crate) misses_some: bool,
}

/// What a channel says of each row, in the order of the rows.
type Said = Vec<f64>;

impl Twin {
    /// What is wrong with an answer; nothing when it is right.
    pub(crate) fn complaint(&self, asking: &Asking, hits: &[Hit]) -> Option<String> {
        let visible: Vec<bool> = self
            .rows
            .iter()
            .map(|(row, _)| is_visible(asking, row))
            .collect();
        let said = self.channels(asking, &visible);
        let place = |id: MemoryId| self.rows.iter().position(|(row, _)| row.id == id);
        for hit in hits {
            let Some(at) = place(hit.memory).filter(|at| visible[*at]) else {
                return Some(format!("{} is not to be seen", hit.memory));
            };
            for (channel, said) in &said {
                let (ours, twins) = (hit.channels.get(*channel).map_or(0.0, Score::get), said[at]);
                let near = if *channel == Channel::Semantic {
                    NEAR
                } else {
                    1e-6
                };
                if (ours - twins).abs() > near {
                    return Some(format!(
                        "{}: {channel} says {ours}, the twin {twins}",
                        hit.memory
                    ));
                }
            }
        }
        let found: BTreeSet<MemoryId> = hits.iter().map(|hit| hit.memory).collect();
        let (must, may) = self.expected(asking, &visible, &said);
        let missing = must
            .difference(&found)
            .next()
            .map(|id| format!("{id} is missing"));
        missing.or_else(|| {
            found
                .difference(&may)
                .next()
                .map(|id| format!("{id} has no room"))
        })
    }

    /// Rows that have to be among the hits, and rows that may be.
    fn expected(
        &self,
        asking: &Asking,
        visible: &[bool],
        said: &[(Channel, Said)],
    ) -> (BTreeSet<MemoryId>, BTreeSet<MemoryId>) {
        let (mut must, mut may) = (BTreeSet::new(), BTreeSet::new());
        for (standings, time, limit) in &asking.cuts {
            let wanted = |(at, (row, _)): &(usize, &(Memory, Option<Vector>))| {
                visible[*at] && standings.contains(&row.standing()) && passes(asking, row, *time)
            };
            let wanted: Vec<usize> = self
                .rows
                .iter()
                .enumerate()
                .filter(wanted)
                .map(|(at, _)| at)
                .collect();
            for (channel, said) in said {
                let near = if *channel == Channel::Semantic {
                    NEAR
                } else {
                    0.0
                };
                if self.misses_some && *channel == Channel::Semantic {
                    may.extend(wanted.iter().map(|at| self.rows[*at].0.id));
                    continue;
                }
                let mut order: Vec<usize> = wanted
                    .iter()
                    .copied()
                    .filter(|at| said[*at] > near)
                    .collect();
                order.sort_by(|a, b| {
                    said[*b]
                        .total_cmp(&said[*a])
                        .then(self.rows[*a].0.id.cmp(&self.rows[*b].0.id))
                });
                let bar = if order.len() > *limit {
                    limit.checked_sub(1).map(|last| said[order[last]])
                } else {
                    Some(0.0)
                };
                for (place, at) in order.iter().enumerate() {
                    let id = self.rows[*at].0.id;
                    let Some(bar) = bar else { continue };
                    // Where rounding could decide, either is right.
                    if place < *limit && (near == 0.0 || said[*at] > bar + near || bar == 0.0) {
                        must.insert(id);
                    }
                    if place < *limit || (near > 0.0 && said[*at] >= bar - near) {
                        may.insert(id);
                    }
                }
                if near > 0.0 {
                    may.extend(
                        wanted
                            .iter()
                            .filter(|at| (0.0..=near).contains(&said[**at]))
                            .map(|at| self.rows[*at].0.id),
                    );
                }
            }
        }
        (must, may)
    }

    fn channels(&self, asking: &Asking, visible: &[bool]) -> Vec<(Channel, Said)> {
        vec![
            (Channel::Keyword, self.keyword(asking, visible)),
            (Channel::Lexical, self.lexical(asking, visible)),
            (Channel::Entity, self.entity(asking)),
            (Channel::Semantic, self.semantic(asking)),
        ]
    }

    fn counted(&self, asking: &Asking, visible: &[bool]) -> Vec<usize> {
        let same_container = |row: &Memory| row.partition.container() == asking.who.container();
        let counts = |at: &usize| {
            if self.counts_everything {
                same_container(&self.rows[*at].0)
            } else {
                visible[*at]
            }
        };
        (0..self.rows.len()).filter(counts).collect()
    }

    /// BM25 with the lengths that tantivy keeps, over the rows that count.
    fn keyword(&self, asking: &Asking, visible: &[bool]) -> Said {
        let (k1, b) = (1.2_f32, 0.75_f32);
        let counted = self.counted(asking, visible);
        let stems: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|(row, _)| tokens(row.content.as_str()).stems)
            .collect();
        let all: u64 = counted.iter().map(|at| stems[*at].len() as u64).sum();
        let average = all as f32 / counted.len() as f32;
        let asked = topical_stems(&asking.words);
        let (mut sums, mut scale) = (vec![0.0_f32; self.rows.len()], 0.0_f32);
        for stem in &asked {
            let with = counted
                .iter()
                .filter(|at| stems[**at].contains(stem))
                .count();
            let idf = idf(with, counted.len());
            scale += idf;
            for at in 0..self.rows.len() {
                let count = stems[at].iter().filter(|it| *it == stem).count() as f32;
                let length = FieldNormReader::id_to_fieldnorm(FieldNormReader::fieldnorm_to_id(
                    stems[at].len() as u32,
                ));
                let norm = k1 * (1.0 - b + b * length as f32 / average);
                if count > 0.0 {
                    sums[at] += idf * (1.0 + k1) * (count / (count + norm));
                }
            }
        }
        let share = |sum: f32| f64::from(sum) / f64::from(scale);
        sums.into_iter()
            .map(|sum| {
                if sum > 0.0 {
                    share(sum) * 3.2 / (2.2 * (share(sum) + 1.0))
                } else {
                    0.0
                }
            })
            .collect()
    }

    /// The share of the question's exact words, each by how rare it is.
    fn lexical(&self, asking: &Asking, visible: &[bool]) -> Said {
        let counted = self.counted(asking, visible);
        let words: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|(row, _)| tokens(row.content.as_str()).words)
            .collect();
        let mut asked = tokens(&asking.words).words;
        asked.retain(|word| !is_stop_word(word));
        once_each(&mut asked);
        let (mut sums, mut scale) = (vec![0.0_f32; self.rows.len()], 0.0_f32);
        for word in &asked {
            let idf = idf(
                counted
                    .iter()
                    .filter(|at| words[**at].contains(word))
                    .count(),
                counted.len(),
            );
            scale += idf;
            for (sum, words) in sums.iter_mut().zip(&words) {
                *sum += if words.contains(word) { idf } else { 0.0 };
            }
        }
        sums.into_iter()
            .map(|sum| {
                if sum > 0.0 {
                    f64::from(sum) / f64::from(scale)
                } else {
                    0.0
                }
            })
            .collect()
    }

    /// The share of the question's names.
    fn entity(&self, asking: &Asking) -> Said {
        let mut asked: Vec<String> = asking
            .entities
            .iter()
            .map(|it| name(it))
            .filter(|it| !it.is_empty())
            .collect();
        asked.sort();
        asked.dedup();
        let share = |row: &Memory| {
            let own: Vec<String> = row.entities.iter().map(|it| name(it)).collect();
            asked.iter().filter(|it| own.contains(it)).count() as f64 / asked.len().max(1) as f64
        };
        self.rows.iter().map(|(row, _)| share(row)).collect()
    }

    fn semantic(&self, asking: &Asking) -> Said {
        let Some(asked) = asking.meaning.map(direction) else {
            return vec![0.0; self.rows.len()];
        };
        let likeness = |vector: &Option<Vector>| {
            vector.as_ref().map_or(0.0, |vector| {
                f64::from(vector.cosine(&asked).unwrap()).clamp(0.0, 1.0)
            })
        };
        self.rows
            .iter()
            .map(|(_, vector)| likeness(vector))
            .collect()
    }
}

fn idf(with: usize, of: usize) -> f32 {
    (1.0 + (of as f32 - with as f32 + 0.5) / (with as f32 + 0.5)).ln()
}

fn once_each(words: &mut Vec<String>) {
    let mut seen = BTreeSet::new();
    words.retain(|word| seen.insert(word.clone()));
}

/// The stems of a question without those of words that carry no topic, unless there are no others.
fn topical_stems(question: &str) -> Vec<String> {
    let read = tokens(question);
    let idle: BTreeSet<String> = read
        .words
        .iter()
        .filter(|word| is_stop_word(word))
        .flat_map(|word| tokens(word).stems)
        .collect();
    let mut stems = read.stems;
    if stems.iter().any(|stem| !idle.contains(stem)) {
        stems.retain(|stem| !idle.contains(stem));
    }
    once_each(&mut stems);
    stems
}

/// Whether the gates could ever show this row to this identity in this view.
fn is_visible(asking: &Asking, row: &Memory) -> bool {
    let context = GateContext {
        who: &asking.who,
        filters: &Filters::default(),
        time: TimeIntent::Any,
        view: asking.view,
        policy: TrustPolicy::Off,
        now: at(NOW),
    };
    !examine(&[], &context, row).is_denied()
}

/// Whether the gates of filters and time let it through, where a question about now asks for what is over by its standing.
fn passes(asking: &Asking, row: &Memory, time: TimeIntent) -> bool {
    let over = matches!(row.standing(), Standing::Superseded | Standing::Expired);
    let time = if over && time == TimeIntent::Current {
        TimeIntent::Any
    } else {
        time
    };
    let context = GateContext {
        who: &asking.who,
        filters: &asking.filters,
        time,
        view: asking.view,
        policy: TrustPolicy::Off,
        now: at(NOW),
    };
    !examine(&[], &context, row).is_denied()
}
