//! Spans and maps in texts with one secret, several, secrets side by side, at the first byte and at the last, with
//! characters of many bytes around them.

use testimony_admission::secrets::{Label, Scan, scan};

use super::OPEN;

/// Synthetic tokens of a well-known shape, put together here so that no file shows one.
fn token(nth: usize) -> String {
    let ends = ["Js5Pf0Ga2Te7", "Ku6Qg1Hb3Uf8", "Lv7Rh2Jc4Vg9"];
    ["gh", "p_", "q7Rk2mZt9Xw4", "Bv6Ny1Lc8Hd3", ends[nth]].concat()
}

/// A text in which `0`, `1` and `2` between braces stand for tokens, and where the tokens stand in it.
fn written(template: &str) -> (String, Vec<std::ops::Range<usize>>) {
    let mut text = String::new();
    let mut spans = Vec::new();
    for part in template.split_inclusive(['{', '}']) {
        let plain = part.trim_end_matches(['{', '}']);
        match plain.parse::<usize>() {
            Ok(nth) if part.ends_with('}') => {
                let start = text.len();
                text.push_str(&token(nth));
                spans.push(start..text.len());
            }
            _ => text.push_str(plain),
        }
    }
    (text, spans)
}

const TEMPLATES: &[&str] = &[
    "{0}",
    "{0} opens it.",
    "It opens with {0}",
    "Ana keeps {0} for the nightly job.",
    "Ünïcödé 🙂 vorher {0} und 秘密 danach ☕",
    "🙂{0}🙂",
    "{0},{1}",
    "{0}\n- {1}\n- {2}",
    "é{0}é{1}é",
    "первый {0}, второй {1}; третий {2}.",
    "{0} {0}",
    "— {1}",
];

fn cases() -> impl Iterator<Item = (String, Vec<std::ops::Range<usize>>, Scan)> {
    TEMPLATES.iter().map(|template| {
        let (text, spans) = written(template);
        let scan = scan(&text, &OPEN);
        (text, spans, scan)
    })
}

#[test]
fn findings_and_labels_stand_where_the_secrets_stood() {
    for (text, spans, scan) in cases() {
        let found: Vec<_> = scan
            .findings
            .iter()
            .map(|finding| finding.span.clone())
            .collect();
        assert_eq!(found, spans, "{text}");
        let labels: Vec<Label> = scan.map.labels().collect();
        let originals: Vec<_> = labels.iter().map(|label| label.original.clone()).collect();
        assert_eq!(originals, spans, "{text}");
        for label in labels {
            assert_eq!(
                &scan.redacted.as_str()[label.redacted],
                "[REDACTED:github_classic]"
            );
        }
    }
}

#[test]
fn what_is_kept_leads_back_to_itself() {
    for (text, _, scan) in cases() {
        let redacted = scan.redacted.as_str();
        let labels: Vec<Label> = scan.map.labels().collect();
        let touches = |at: usize| labels.iter().any(|label| label.redacted.contains(&at));
        for (at, character) in redacted.char_indices().filter(|(at, _)| !touches(*at)) {
            let original = scan.map.original(at..at + character.len_utf8());
            assert_eq!(
                text[original].chars().collect::<Vec<_>>(),
                [character],
                "{text} at {at}"
            );
        }
    }
}

#[test]
fn a_range_that_touches_a_label_covers_the_whole_secret() {
    for (text, _, scan) in cases() {
        for label in scan.map.labels() {
            let (start, end) = (label.redacted.start, label.redacted.end);
            for from in start..end {
                assert_eq!(scan.map.original(from..from + 1), label.original, "{text}");
                assert_eq!(scan.map.original(from..end), label.original, "{text}");
                assert_eq!(scan.map.original(start..from + 1), label.original, "{text}");
                assert_eq!(
                    scan.map.original(from..from).start,
                    label.original.start,
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn ranges_across_labels_keep_their_ends() {
    for (text, spans, scan) in cases() {
        let redacted = scan.redacted.as_str();
        assert_eq!(
            scan.map.original(0..redacted.len()),
            0..text.len(),
            "{text}"
        );
        let end = redacted.len();
        assert_eq!(
            scan.map.original(end..end),
            text.len()..text.len(),
            "{text}"
        );
        assert_eq!(
            scan.map.original(end..end + 3),
            text.len()..text.len(),
            "{text}"
        );
        let labels: Vec<Label> = scan.map.labels().collect();
        for pair in labels.windows(2) {
            let inner = scan
                .map
                .original(pair[0].redacted.start..pair[1].redacted.end);
            assert_eq!(
                inner,
                pair[0].original.start..pair[1].original.end,
                "{text}"
            );
            let gap = scan
                .map
                .original(pair[0].redacted.end..pair[1].redacted.start);
            assert_eq!(gap, pair[0].original.end..pair[1].original.start, "{text}");
        }
        assert_eq!(labels.len(), spans.len());
    }
}

#[test]
fn overlapping_finds_become_one_label_with_all_they_cover() {
    let inner = token(0);
    let text = format!("postgres://ledger:{inner}@db.kestrel.example:5432/books ☕ ok");
    let scan = scan(&text, &OPEN);
    let [label] = scan.map.labels().collect::<Vec<_>>().try_into().unwrap();
    assert!(text[label.original.clone()].contains(&inner));
    let at = scan.redacted.as_str().find('☕').unwrap();
    assert_eq!(&text[scan.map.original(at..at + '☕'.len_utf8())], "☕");
}

#[test]
fn a_text_without_secrets_is_its_own_map() {
    let scan = scan("Ana wohnt in Köln.", &OPEN);
    assert_eq!(scan.map.original(4..9), 4..9);
    assert_eq!(scan.map.labels().count(), 0);
}
