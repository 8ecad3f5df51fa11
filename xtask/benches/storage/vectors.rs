//! Whether the nearest vectors are found: the index beside cosines of single precision over every row.

use std::collections::HashSet;

use testimony_domain::MemoryId;
use testimony_service::ports::embedder::Vector;
use testimony_service::ports::index::Index;
use xtask::bench::{Bar, Report, Wanted};

use crate::shared::data::Data;
use crate::world::{By, MEANING, Questions, index_in, take_in};

const NEAREST: usize = 10;
const QUESTIONS: usize = 100;

pub(crate) fn measure(wanted: &Wanted, report: &mut Report) {
    let rows = wanted.rows.unwrap_or(100_000);
    let rows = if wanted.quick { 1_000 } else { rows };
    let data = Data::new(wanted.seed, false, 1);
    let folder = tempfile::tempdir_in(&wanted.out).unwrap();
    let index = index_in(folder.path());
    take_in(&index, &data, 0..rows);
    let questions = Questions::of(&data, QUESTIONS);
    let share = recall(&index, &data, rows, &questions);
    let name = "recall@10 against exact cosines";
    report.add("vectors", name, share, "", Bar::AtLeast(0.99));
}

/// The share of the nearest rows that an index finds, of those that its asker may see.
pub(crate) fn recall(index: &dyn Index, data: &Data, rows: usize, questions: &Questions) -> f64 {
    let by = By {
        filtered: false,
        limit: NEAREST,
        ..MEANING
    };
    let nearest = nearest(data, rows, &questions.meanings);
    let mut found = 0;
    for (which, nearest) in nearest.iter().enumerate() {
        let hits = questions.ask(index, which, by);
        found += hits
            .iter()
            .filter(|hit| nearest.contains(&hit.memory))
            .count();
    }
    found as f64 / (questions.len() * NEAREST) as f64
}

fn nearest(data: &Data, rows: usize, asked: &[Vector]) -> Vec<HashSet<MemoryId>> {
    let mut best: Vec<Vec<(f32, MemoryId)>> = vec![Vec::new(); asked.len()];
    // Rows of the working plane are seen by their own agent alone, which the asker is for every twentieth.
    let visible = (0..rows).filter(|row| !row.is_multiple_of(10) || row.is_multiple_of(20));
    for row in visible {
        let text = data.text(row);
        let (vector, id) = (data.meaning(&text), data.memory(row, &text).id);
        for (asked, best) in asked.iter().zip(&mut best) {
            let cosine = asked.cosine(&vector).unwrap();
            let worst = best.last().map_or(f32::MIN, |last| last.0);
            if best.len() < NEAREST || cosine > worst {
                let at = best.partition_point(|(other, _)| *other >= cosine);
                best.insert(at, (cosine, id));
                best.truncate(NEAREST);
            }
        }
    }
    let ids = best.into_iter();
    ids.map(|best| best.into_iter().map(|(_, id)| id).collect())
        .collect()
}
