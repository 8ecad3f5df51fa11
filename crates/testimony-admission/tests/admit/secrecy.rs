//! No eight characters of a secret survive in anything that a ruling carries.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use testimony_admission::admit;
use testimony_admission::normalise::Reading;
use testimony_admission::ruling::Ruling;
use testimony_admission::submission::{Field, Submission};
use testimony_domain::Redacted;

use super::template::{Line, expand, lines};
use super::transform::{Transform, apply};
use super::tries::canary;
use super::{OPEN, config, submission};

const POSITIVES: &str = include_str!("../../../../fixtures/secrets/positives.jsonl");
const WINDOW: usize = 8;

/// What people write around a value.
const AROUND: &[(&str, &str)] = &[
    ("", ""),
    (
        "Ana moved to Oslo in March. The key is ",
        " for the nightly job.",
    ),
    ("Wir nutzen seit Mai ", " im Staging."),
    (
        "Our build server runs in Bergen.\nIts login: ",
        "\nIt is patched every Friday.",
    ),
    ("Мы переехали в Осло. Ключ: ", " и всё."),
    ("- Dana owns billing\n- ", "\n- Rui owns search"),
];

/// Where a secret stands.
#[derive(Clone, Copy, Debug)]
enum Place {
    Content,
    Field,
    FieldName,
    Speaker,
}

#[derive(Clone, Debug)]
struct Attack {
    /// The rule whose line gave the value.
    rule: String,
    value: String,
    worn: String,
    around: (&'static str, &'static str),
    place: Place,
}

pub(crate) fn values() -> Vec<Line> {
    let all = lines(POSITIVES).into_iter();
    all.filter(|line| line.alone).collect()
}

fn attack() -> impl Strategy<Value = Attack> {
    let places = [
        Place::Content,
        Place::Content,
        Place::Field,
        Place::FieldName,
        Place::Speaker,
    ];
    let parts = (
        prop::sample::select(values()),
        any::<u64>(),
        prop::sample::select(&Transform::ALL[..]),
        prop::sample::select(AROUND),
        prop::sample::select(places.to_vec()),
    );
    parts.prop_map(|(line, seed, transform, around, place)| {
        let value = expand(&line.text, seed);
        Attack {
            rule: line.rule,
            worn: apply(transform, &value),
            value,
            around,
            place,
        }
    })
}

fn shows(text: &str, value: &str) -> bool {
    let windows: Vec<&[u8]> = value.as_bytes().windows(WINDOW).collect();
    let reading = Reading::of(text);
    reading.views().any(|view| {
        let mut seen = view.text().as_bytes().windows(WINDOW);
        seen.any(|window| windows.contains(&window))
    })
}

/// Every text in a ruling, whatever field it stands in.
fn carried(ruling: &Ruling) -> Vec<String> {
    let mut texts = vec![ruling.text.as_str().to_owned()];
    for (name, text) in &ruling.fields {
        texts.extend([name.clone(), text.as_str().to_owned()]);
    }
    for claim in &ruling.claims {
        texts.push(claim.text.as_str().to_owned());
        texts.extend(claim.entities.iter().cloned());
        texts.push(format!("{:?}", claim.slot));
        texts.push(format!("{:?}", claim.speaker));
        texts.push(format!("{:?}", claim.validity));
    }
    let of_claims = ruling.claims.iter().flat_map(|claim| &claim.findings);
    for finding in ruling.findings.iter().chain(of_claims) {
        texts.push(finding.rule.to_owned());
        texts.extend(finding.field.clone());
        texts.extend(finding.fingerprint.clone());
    }
    texts
}

/// The property, for any entrance.
fn holds(attack: &Attack, rule: impl Fn(&Submission<'_>) -> Ruling) -> Result<(), TestCaseError> {
    let hidden = format!("{}{}{}", attack.around.0, attack.worn, attack.around.1);
    let name = format!("/metadata/{}", attack.worn);
    let plain = "Ana moved to Oslo in March.";
    let (text, field, speaker) = match attack.place {
        Place::Content => (hidden.as_str(), ("/tags/0", "moving"), "Ana"),
        Place::Field => (plain, ("/metadata/note", hidden.as_str()), "Ana"),
        Place::FieldName => (plain, (name.as_str(), "yes"), "Ana"),
        Place::Speaker => (plain, ("/tags/0", "moving"), attack.worn.as_str()),
    };
    let fields = [Field {
        name: field.0,
        text: field.1,
    }];
    let submission = Submission {
        fields: &fields,
        speaker: Some(speaker),
        ..submission(text)
    };
    for text in carried(&rule(&submission)) {
        let (rule, place) = (&attack.rule, attack.place);
        prop_assert!(!shows(&text, &attack.value), "{rule} in {place:?}: {text}");
    }
    Ok(())
}

#[test]
fn nothing_that_a_ruling_carries_shows_a_secret() {
    let checked = TestRunner::new(config()).run(&attack(), |attack| {
        holds(&attack, |submission| admit(submission, &OPEN))
    });
    checked.unwrap();
}

/// The broken twin: it draws its claims from the text as it was sent.
fn draws_from_raw(submission: &Submission<'_>) -> Ruling {
    let mut ruling = admit(submission, &OPEN);
    for claim in &mut ruling.claims {
        let raw = submission.text.get(claim.span.clone());
        claim.text = Redacted::attest(raw.unwrap_or_default());
    }
    ruling
}

#[test]
fn the_property_catches_an_entrance_whose_claims_come_from_the_raw_text() {
    let checked = TestRunner::new(canary()).run(&attack(), |attack| holds(&attack, draws_from_raw));
    assert!(checked.is_err());
}

#[test]
fn claims_beside_a_secret_say_where_they_stood_in_the_text_as_it_was_sent() {
    let token = ["gh", "p_", "q7Rk2mZt9Xw4", "Bv6Ny1Lc8Hd3", "Js5Pf0Ga2Te7"].concat();
    let texts = [
        format!("Zoë keeps {token} for the nightly job. Rui moved to Köln in March."),
        format!("{token} opens it. Rui moved to Köln in March."),
        format!("Rui moved to Köln in March. Zoë keeps {token}"),
        format!("🙂 {token} and {token}.\nRui moved to Köln in March."),
    ];
    for text in &texts {
        let submission = submission(text);
        let ruling = admit(&submission, &OPEN);
        let moved = ruling
            .claims
            .iter()
            .find(|claim| claim.text.as_str().contains("Köln"));
        let moved = moved.unwrap_or_else(|| panic!("{text}: {:?}", ruling.claims));
        assert_eq!(
            text.get(moved.span.clone()),
            Some("Rui moved to Köln in March."),
            "{text}"
        );
        let secrets = ruling
            .findings
            .iter()
            .filter(|finding| finding.fingerprint.is_some());
        for finding in secrets {
            assert_eq!(
                text.get(finding.span.clone()),
                Some(token.as_str()),
                "{text}"
            );
        }
    }
}
