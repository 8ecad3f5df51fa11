//! What redaction does with matches, piece by piece. The values are made up and name no account.

use super::*;

const KEY: [u8; 32] = [7; 32];
/// Stands for any value; eight of its characters are a window.
const VALUE: &str = "q7Zr4Tn2Lw9Xc5Vb";

fn policy<'p>(exempt_rules: &'p [&'p str], allowed_fingerprints: &'p [&'p str]) -> Policy<'p> {
    Policy {
        exempt_rules,
        allowed_fingerprints,
        block_marks: &[],
        fingerprint_key: &KEY,
    }
}

/// The first rule of the table whose form is as asked for.
fn rule_of(is_wanted: impl Fn(Form) -> bool) -> usize {
    let mut rules = TABLE.rules().iter();
    rules.position(|rule| is_wanted(rule.form)).unwrap()
}

fn block() -> usize {
    rule_of(|form| matches!(form, Form::Block(_)))
}

fn shape() -> usize {
    rule_of(|form| matches!(form, Form::Shape(_)))
}

fn beside() -> usize {
    rule_of(|form| matches!(form, Form::Beside))
}

fn word() -> usize {
    rule_of(|form| matches!(form, Form::Word))
}

fn id(rule: usize) -> &'static str {
    TABLE.rule(rule).unwrap().id
}

fn found(rule: usize, span: Range<usize>, value: &str) -> Match {
    Match {
        rule,
        span,
        value: value.to_owned(),
    }
}

fn cut(span: Range<usize>, rule: &'static str) -> Cut {
    Cut {
        span,
        rule,
        fingerprint: None,
    }
}

fn live(form: Form, span: Range<usize>, value: &str) -> Live {
    Live {
        cut: cut(span, "any"),
        value: value.to_owned(),
        form,
    }
}

fn spans(cuts: &[Cut]) -> Vec<(Range<usize>, &'static str)> {
    let spans = cuts.iter().map(|cut| (cut.span.clone(), cut.rule));
    spans.collect()
}

#[test]
fn a_fingerprint_is_of_the_rule_the_value_and_the_key_and_of_no_notation() {
    let plain = fingerprint("rule", "abcdefghi", &KEY).unwrap();
    assert_eq!(plain.len(), "fp_".len() + 32);
    for same in ["abc def\n\tghi", "abc\\ndef\\nghi"] {
        assert_eq!(fingerprint("rule", same, &KEY).unwrap(), plain, "{same:?}");
    }
    assert_ne!(fingerprint("rule", "abcdefghj", &KEY).unwrap(), plain);
    assert_ne!(fingerprint("other", "abcdefghi", &KEY).unwrap(), plain);
    assert_ne!(fingerprint("rule", "abcdefghi", &[8; 32]).unwrap(), plain);
}

#[test]
fn what_was_found_alone_touches_what_overlaps_it() {
    let cuts_alone = Judged {
        cuts: vec![cut(4..8, "a"), cut(20..24, "b")],
        ..Judged::default()
    };
    let exempted_alone = Judged {
        exempted: vec![cut(4..8, "a"), cut(20..24, "b")],
        ..Judged::default()
    };
    for judged in [cuts_alone, exempted_alone] {
        for (span, touched) in [
            (0..4, false),
            (0..5, true),
            (5..6, true),
            (7..9, true),
            (8..20, false),
            (8..21, true),
            (23..30, true),
            (24..30, false),
        ] {
            assert_eq!(judged.touches(&span), touched, "{span:?}");
        }
    }
    assert!(!Judged::default().touches(&(0..9)));
}

#[test]
fn a_cover_holds_what_lies_in_one_of_its_stretches() {
    let cover = Cover::of(vec![10..14, 2..8, 3..5]);
    for (span, held) in [
        (2..8, true),
        (3..5, true),
        (3..8, true),
        (5..8, true),
        (1..5, false),
        (2..9, false),
        (7..11, false),
        (10..14, true),
        (10..15, false),
        (0..1, false),
        (20..21, false),
    ] {
        assert_eq!(cover.holds(&span), held, "{span:?}");
    }
}

#[test]
fn of_a_value_what_tells_it_may_stand_nowhere_else() {
    let letters = "Zk3vWq8LtNf6Hs1B";
    let pem = Form::Block("");
    let cases = [
        (Form::Shape(""), VALUE.to_owned(), vec![VALUE.to_owned()]),
        (Form::Beside, VALUE.to_owned(), vec![VALUE.to_owned()]),
        // One word that somebody chose is looked for as it is; of several words only those that are no words.
        (Form::Word, "open".to_owned(), vec!["open".to_owned()]),
        (
            Form::Word,
            "open x7k9q2 sesame".to_owned(),
            vec!["x7k9q2".to_owned()],
        ),
        (Form::Word, "open wide sesame".to_owned(), vec![]),
        // Of a block the lines of what it holds, where they are long enough to tell it from its notation.
        (
            pem,
            format!("-----BEGIN KEY-----\n{letters}\n{letters}+/==\n-----END KEY-----"),
            vec![letters.to_owned(), format!("{letters}+/==")],
        ),
        (pem, letters.replace('Z', ""), vec![]),
        (pem, "information and understanding".to_owned(), vec![]),
        (pem, "internationalization".to_owned(), vec![]),
    ];
    for (form, value, telling) in cases {
        let parts = telling_parts(&live(form, 0..value.len(), &value));
        assert_eq!(parts, telling, "{value:?}");
    }
}

#[test]
fn a_part_of_what_has_a_shape_says_nothing_more() {
    let all = |form: Form| live(form, 4..10, VALUE);
    let part = |form: Form| live(form, 5..10, VALUE);
    let beyond = |form: Form| live(form, 5..11, VALUE);
    for (whole, other, left) in [
        (all(Form::Shape("")), part(Form::Word), 1),
        (all(Form::Block("")), part(Form::Beside), 1),
        (all(Form::Shape("")), part(Form::Shape("")), 2),
        (all(Form::Shape("")), part(Form::Block("")), 2),
        (all(Form::Shape("")), beyond(Form::Word), 2),
        (all(Form::Word), part(Form::Beside), 2),
    ] {
        let mut both = vec![whole, other];
        drop_parts_of_shapes(&mut both);
        assert_eq!(both.len(), left);
    }
}

#[test]
fn the_rule_that_says_most_comes_first() {
    let (block, shape, beside, word) = (block(), shape(), beside(), word());
    let unknown = TABLE.rules().len();
    let order: Vec<(usize, usize)> = ranked(vec![
        found(unknown, 0..1, VALUE),
        found(word, 9..10, VALUE),
        found(word, 2..3, VALUE),
        found(beside, 8..9, VALUE),
        found(shape, 7..8, VALUE),
        found(block, 30..31, VALUE),
    ])
    .iter()
    .map(|found| (found.rule, found.span.start))
    .collect();
    let expected = [
        (block, 30),
        (shape, 7),
        (beside, 8),
        (word, 2),
        (word, 9),
        (unknown, 0),
    ];
    assert_eq!(order, expected);
}

#[test]
fn overlapping_cuts_become_one_in_the_name_of_the_first() {
    let cases = [
        (
            vec![cut(0..4, "a"), cut(4..8, "b")],
            vec![(0..4, "a"), (4..8, "b")],
        ),
        (vec![cut(3..8, "a"), cut(0..4, "b")], vec![(0..8, "a")]),
        (vec![cut(0..4, "a"), cut(3..8, "b")], vec![(0..8, "a")]),
        (vec![cut(2..4, "a"), cut(0..9, "b")], vec![(0..9, "a")]),
        (
            vec![cut(0..9, "a"), cut(2..4, "b"), cut(8..12, "c")],
            vec![(0..12, "a")],
        ),
        // The name that says most stands for all of it, wherever it comes in.
        (
            vec![cut(4..9, "a"), cut(0..5, "b"), cut(3..6, "c")],
            vec![(0..9, "a")],
        ),
        (
            vec![cut(8..10, "a"), cut(4..9, "b"), cut(0..5, "c")],
            vec![(0..10, "a")],
        ),
        (
            vec![cut(5..5, "a"), cut(0..5, "b")],
            vec![(0..5, "b"), (5..5, "a")],
        ),
        (vec![cut(0..5, "b"), cut(0..5, "a")], vec![(0..5, "b")]),
    ];
    for (cuts, expected) in cases {
        let named = format!("{cuts:?}");
        assert_eq!(spans(&merged(cuts)), expected, "{named}");
    }
}

#[test]
fn windows_are_found_as_long_as_they_run_and_apart_where_they_do_not() {
    let windows = Windows::of([VALUE].into_iter());
    let (half, _) = VALUE.split_at(10);
    let (_, other) = VALUE.split_at(4);
    let (window, _) = VALUE.split_at(WINDOW);
    let cases: [(String, &[(usize, usize)]); 6] = [
        (VALUE.to_owned(), &[(0, 16)]),
        (format!("it is {half}."), &[(6, 16)]),
        (format!("{half} and {other}"), &[(0, 10), (15, 27)]),
        // Two windows that touch are two places; what is cut is the same.
        (window.repeat(2), &[(0, 8), (8, 16)]),
        ("q7Zr4Tn".to_owned(), &[]),
        (String::new(), &[]),
    ];
    for (text, expected) in cases {
        let found = windows.found_in(&Reading::of(&text));
        let found: Vec<_> = found.iter().map(|span| (span.start, span.end)).collect();
        assert_eq!(found, expected, "{text:?}");
    }
    let none = Windows::of(std::iter::empty());
    assert!(none.found_in(&Reading::of(VALUE)).is_empty());
    // A value is looked for between its blanks, since its notation may break it elsewhere.
    let wrapped = Windows::of(["q7Zr4Tn2 Lw9Xc5Vb"].into_iter());
    assert_eq!(wrapped.found_in(&Reading::of(VALUE)), [0..8, 8..16]);
}

#[test]
fn an_exemption_holds_for_its_rule_and_an_allowance_for_its_value() {
    let (shape, word) = (shape(), word());
    let both = || vec![found(shape, 4..20, VALUE), found(word, 4..20, VALUE)];
    let open = judge(both(), &policy(&[], &[]));
    assert_eq!(spans(&open.cuts), [(4..20, id(shape))]);
    assert_eq!(open.values, [VALUE]);
    assert!(open.exempted.is_empty() && open.phrases.is_empty());

    // What one rule lets pass another takes out, and then nothing is reported as let pass.
    let other_rule = judge(both(), &policy(&[id(shape)], &[]));
    assert_eq!(spans(&other_rule.cuts), [(4..20, id(word))]);
    assert!(other_rule.exempted.is_empty());

    let both_rules = judge(both(), &policy(&[id(shape), id(word)], &[]));
    assert!(both_rules.cuts.is_empty() && both_rules.values.is_empty());
    assert_eq!(spans(&both_rules.exempted), [(4..20, id(shape))]);

    let known = fingerprint(id(shape), VALUE, &KEY).unwrap();
    let allowed = judge(both(), &policy(&[], &[&known]));
    assert!(allowed.cuts.is_empty() && allowed.values.is_empty());
    assert_eq!(spans(&allowed.exempted), [(4..20, id(shape))]);
    let beyond = vec![found(shape, 4..20, VALUE), found(word, 4..24, "longer")];
    let wider = judge(beyond, &policy(&[], &[&known]));
    assert_eq!(spans(&wider.cuts), [(4..24, id(word))]);

    assert!(judge(Vec::new(), &policy(&[], &[])).cuts.is_empty());
}

#[test]
fn a_passphrase_is_remembered_as_a_whole_and_a_word_is_none() {
    let word = word();
    for (value, phrases) in [("open sesame", vec!["open sesame"]), ("sesame", vec![])] {
        let judged = judge(vec![found(word, 0..value.len(), value)], &policy(&[], &[]));
        assert_eq!(judged.phrases, phrases);
    }
    let shaped = judge(
        vec![found(shape(), 0..11, "open sesame")],
        &policy(&[], &[]),
    );
    assert!(shaped.phrases.is_empty());
}

fn joined(permitted: bool) -> Joined {
    Joined {
        rule: "halves",
        value: VALUE.to_owned(),
        fingerprint: Some("fp_of_both".to_owned()),
        permitted,
        first: (0, 4..12),
        second: (1, 0..8),
    }
}

#[test]
fn half_of_a_secret_is_cut_unless_it_is_permitted() {
    let before = || Judged {
        cuts: vec![cut(0..5, "a")],
        ..Judged::default()
    };
    let mut taken = before();
    add_half(&mut taken, 4..12, &joined(false));
    assert_eq!(spans(&taken.cuts), [(0..12, "a")]);
    assert_eq!(taken.values, [VALUE]);
    assert!(taken.exempted.is_empty());

    let mut left = before();
    add_half(&mut left, 6..12, &joined(true));
    assert_eq!(spans(&left.cuts), [(0..5, "a")]);
    assert_eq!(spans(&left.exempted), [(6..12, "halves")]);
    assert!(left.values.is_empty());
}

#[test]
fn an_echo_is_cut_too_and_no_name_of_a_rule_shows_the_value() {
    let windows = Windows::of(["telltale_name"].into_iter());
    let mut judged = Judged {
        cuts: vec![cut(0..4, "a_telltale_name")],
        exempted: vec![cut(10..14, "tells"), cut(20..24, "telltale_name")],
        ..Judged::default()
    };
    add_echoes(&mut judged, &windows, vec![12..16, 3..6], "echo");
    let cuts = [(0..6, "secret"), (12..16, "echo")];
    assert_eq!(spans(&judged.cuts), cuts);
    // What an echo reaches is no longer let pass.
    assert_eq!(spans(&judged.exempted), [(20..24, "secret")]);
}

#[test]
fn what_is_written_has_a_label_for_each_cut_and_a_way_back() {
    let text = "the key is hunter-22-green now";
    let (written, map) = write(text, &[cut(11..26, "word")]);
    assert_eq!(written.as_str(), "the key is [REDACTED:word] now");
    let labels: Vec<_> = map
        .labels()
        .map(|label| (label.redacted, label.original))
        .collect();
    assert_eq!(labels, [(11..26, 11..26)]);
    let (whole, _) = write(text, &[]);
    assert_eq!(whole.as_str(), text);
    let (none, map) = write("secret", &[cut(0..6, "word")]);
    assert_eq!(none.as_str(), "[REDACTED:word]");
    assert_eq!(map.original(0..1), 0..6);
}

#[test]
fn findings_are_told_in_the_order_of_the_text_and_by_where_they_stand() {
    let judged = Judged {
        cuts: vec![cut(0..4, "a"), cut(20..24, "c")],
        exempted: vec![cut(10..14, "b")],
        ..Judged::default()
    };
    for (field, reason) in [
        (None, Reason::SecretFound),
        (Some("note"), Reason::SecretInMetadata),
    ] {
        let told = findings(&judged, field);
        let told: Vec<_> = told
            .iter()
            .map(|told| (told.rule, told.reason, told.field.as_deref()))
            .collect();
        let expected = [
            ("a", reason, field),
            ("b", Reason::SecretExempted, field),
            ("c", reason, field),
        ];
        assert_eq!(told, expected);
    }
}
