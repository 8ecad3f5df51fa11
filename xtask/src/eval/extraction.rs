//! How much of what was observed in long conversations the claims drawn from their turns cover, and whether the claims
//! say what their text says.
//!
//! An observation names the turns that it was made from. It is covered where one of the claims drawn from these turns is
//! as like it as hardly any claim of other turns is: more alike, by the vectors of the table in the binary, than the best
//! of equally many claims of other turns is for nineteen observations in twenty. What the bare turns would cover by the
//! same measure is told beside it, since no extraction could do better by it.
//! A claim is supported where every word of it stands in its text, the name of the speaker aside.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use serde_json::{Value, json};
use testimony_admission::ruling::Route;
use testimony_admission::submission::Submission;
use testimony_embedding::{StaticEmbedder, Vector};

use super::{Entrance, NOBODYS_POLICY, Told, submission};
use crate::{Outcome, Task, Trouble, shell};

/// The least share of observations that are covered, and the largest of claims that their text does not bear.
const BARS: (f64, f64) = (0.65, 0.1);
/// The share of observations that claims of other turns may cover by chance.
const BY_CHANCE: f64 = 0.05;

/// What a turn says, and what was drawn from it.
struct Turn {
    said: Option<Vector>,
    claims: Vec<Option<Vector>>,
}

/// Sums over conversations.
#[derive(Default)]
struct Sums {
    claims: usize,
    unsupported: usize,
    turns: usize,
    /// Turns of which something was observed, and of these, those that gave no claim.
    observed: usize,
    silent: usize,
    /// How like each observation is to the nearest claim of its turns, of other turns, and to its bare turns.
    own: Vec<f64>,
    others: Vec<f64>,
    bare: Vec<f64>,
}

/// Draws claims from every turn, and looks for every observation among them.
///
/// # Errors
/// [`Trouble`] when the set or the table cannot be read.
pub fn extraction(wanted: &Told, entrance: Entrance, out: &mut dyn Write) -> Task {
    let text = shell::read_gzip(&wanted.data)?;
    let all: Vec<Value> = serde_json::from_str(&text).map_err(|error| Trouble::Malformed {
        place: wanted.data.display().to_string(),
        what: error.to_string(),
    })?;
    let embedder = StaticEmbedder::built_in()?;
    let mut sums = Sums::default();
    for conversation in &all {
        measure(conversation, entrance, &embedder, &mut sums);
    }
    let bar = share_at(&sums.others, 1.0 - BY_CHANCE);
    let covered = above(&sums.own, bar);
    let ceiling = above(&sums.bare, bar);
    let unsupported = sums.unsupported as f64 / sums.claims.max(1) as f64;
    writeln!(
        out,
        "{} claims from {} turns; {:.1} % of them unsupported by their text\n{} observations: {:.1} % covered, {:.1} % by \
         their bare turns, at a likeness of {bar:.3}\n{} of {} turns with an observation give no claim",
        sums.claims,
        sums.turns,
        100.0 * unsupported,
        sums.own.len(),
        100.0 * covered,
        100.0 * ceiling,
        sums.silent,
        sums.observed,
    )?;
    if let Some(path) = &wanted.json {
        let figures = json!({
            "claims": sums.claims, "turns": sums.turns, "unsupported": unsupported, "observations": sums.own.len(),
            "covered": covered, "covered_by_bare_turns": ceiling, "likeness": bar, "observed_turns": sums.observed,
            "silent_turns": sums.silent,
        });
        shell::write(path, &format!("{figures:#}\n"))?;
    }
    let holds = covered >= BARS.0 && unsupported <= BARS.1;
    Ok(Outcome::held_if(!wanted.check || holds))
}

fn measure(value: &Value, entrance: Entrance, embedder: &StaticEmbedder, sums: &mut Sums) {
    let turns = turns(value, entrance, embedder, sums);
    let names: Vec<&String> = turns.keys().collect();
    let observations = observations(value);
    let observed: BTreeSet<&String> = observations.iter().flat_map(|(_, of)| of).collect();
    let observed: Vec<&Turn> = observed.iter().filter_map(|it| turns.get(*it)).collect();
    sums.observed += observed.len();
    sums.silent += observed.iter().filter(|it| it.claims.is_empty()).count();
    for (number, (text, of)) in observations.iter().enumerate() {
        let Some(vector) = embedder.embed_one(text) else {
            continue;
        };
        let own: Vec<&Turn> = of.iter().filter_map(|name| turns.get(name)).collect();
        if own.is_empty() {
            continue;
        }
        // Other turns, as many as its own: a stride that meets all of them in the long run.
        let others = (0..own.len()).filter_map(|at| {
            let name = names.get((number * 37 + at * 11 + 5) % names.len().max(1))?;
            turns.get(*name).filter(|_| !of.contains(*name))
        });
        let others: Vec<&Turn> = others.collect();
        let claims = |turn: &[&Turn]| -> f64 {
            let claims = turn.iter().flat_map(|turn| &turn.claims);
            nearest(&vector, claims)
        };
        sums.own.push(claims(&own));
        sums.others.push(claims(&others));
        sums.bare
            .push(nearest(&vector, own.iter().map(|turn| &turn.said)));
    }
}

fn nearest<'v>(to: &Vector, among: impl Iterator<Item = &'v Option<Vector>>) -> f64 {
    let likenesses = among.flatten().filter_map(|vector| to.cosine(vector).ok());
    let likenesses = likenesses.map(f64::from);
    likenesses.fold(0.0, f64::max)
}

fn turns(
    value: &Value,
    entrance: Entrance,
    embedder: &StaticEmbedder,
    sums: &mut Sums,
) -> BTreeMap<String, Turn> {
    let mut turns = BTreeMap::new();
    let talk = value.get("conversation").and_then(Value::as_object);
    let lists = talk
        .into_iter()
        .flatten()
        .filter_map(|(_, it)| it.as_array());
    for turn in lists.flatten() {
        let text = |name: &str| turn.get(name).and_then(Value::as_str).unwrap_or_default();
        let (said, speaker) = (text("text"), text("speaker"));
        let asked = Submission {
            speaker: Some(speaker).filter(|name| !name.is_empty()),
            ..submission(said)
        };
        let ruling = (entrance.admit)(&asked, &NOBODYS_POLICY);
        let kept = ruling.claims.iter().filter(|it| it.route == Route::Admit);
        let claims: Vec<String> = kept.map(|claim| claim.text.as_str().to_owned()).collect();
        sums.turns += 1;
        sums.claims += claims.len();
        sums.unsupported += claims.iter().filter(|it| !bears(said, speaker, it)).count();
        let named = |words: &str| embedder.embed_one(&format!("{speaker}: {words}"));
        let drawn = Turn {
            said: named(said),
            claims: claims.iter().map(|claim| named(claim)).collect(),
        };
        turns.insert(text("dia_id").to_owned(), drawn);
    }
    turns
}

/// Whether every word of a claim stands in the text or names the speaker.
fn bears(text: &str, speaker: &str, claim: &str) -> bool {
    let said: BTreeSet<String> = words(text).chain(words(speaker)).collect();
    words(claim).all(|word| said.contains(&word))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let split = text.split(|c: char| !c.is_alphanumeric());
    split.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// What was observed, each with the turns that it was made from.
fn observations(value: &Value) -> Vec<(String, BTreeSet<String>)> {
    let sessions = value.get("observation").and_then(Value::as_object);
    let speakers = sessions
        .into_iter()
        .flatten()
        .filter_map(|(_, it)| it.as_object());
    let lines = speakers
        .flatten()
        .filter_map(|(_, it)| it.as_array())
        .flatten();
    let observed = lines.filter_map(|line| {
        let text = line.get(0)?.as_str()?.to_owned();
        Some((text, named(line.get(1)?)))
    });
    observed.collect()
}

/// Turns, however they are written: one, a list, or several in one text.
fn named(value: &Value) -> BTreeSet<String> {
    match value {
        Value::String(text) => {
            let parts = text.split(|c: char| !(c.is_alphanumeric() || c == ':'));
            parts
                .filter(|it| !it.is_empty())
                .map(str::to_owned)
                .collect()
        }
        Value::Array(values) => values.iter().flat_map(named).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => BTreeSet::new(),
    }
}

fn share_at(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len() as f64 * share) as usize;
    sorted
        .get(at.min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}

fn above(values: &[f64], bar: f64) -> f64 {
    let covered = values.iter().filter(|value| **value >= bar).count();
    covered as f64 / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_borne_by_its_words_and_the_name_of_who_speaks() {
        assert!(bears("I rowed to Lund.", "Ana", "Ana rowed to Lund."));
        assert!(!bears("I rowed to Lund.", "Ana", "Ana rowed to Malmö."));
    }

    #[test]
    fn the_bar_leaves_the_wanted_share_above_it() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        assert!((share_at(&values, 0.95) - 95.0).abs() < f64::EPSILON);
        assert!((above(&values, 95.0) - 0.05).abs() < f64::EPSILON);
    }
}
