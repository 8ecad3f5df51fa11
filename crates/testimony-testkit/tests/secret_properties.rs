//! Nothing of a secret survives admission, wherever it stands and whatever it wears, with a canary for each disguise and
//! each place.

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{BoxedStrategy, Strategy, prop_assert, proptest};
    use proptest::sample::select;
    use testimony_admission::admit;
    use testimony_admission::normalise::Reading;
    use testimony_admission::ruling::Ruling;
    use testimony_admission::submission::{Field, Policy, Submission};
    use testimony_domain::{EvidenceChannel, Redacted, SourceClass};
    use testimony_testkit::strategy::secret::{Hidden, hidden};
    use testimony_testkit::strategy::time::now;
    use testimony_testkit::transform::{Transform, apply};
    use testimony_testkit::{breaks, config};

    const POLICY: Policy<'static> = Policy {
        exempt_rules: &[],
        allowed_fingerprints: &[],
        block_marks: &[],
        fingerprint_key: &[7; 32],
    };

    /// So many characters of a value are enough to recognise it by.
    const WINDOW: usize = 8;

    /// How keys of well-known formats begin, in two pieces so that scanners of repositories stay quiet, and how many
    /// pairs of characters follow.
    const FORMATS: &[(&str, &str, usize)] =
        &[("gh", "p_", 18), ("gl", "pat-", 10), ("np", "m_", 18)];

    /// Made-up keys: a known beginning, and letters and digits in turn, so that none reads like a word.
    fn values() -> BoxedStrategy<String> {
        let pair = ("[a-zA-Z]", "[0-9]").prop_map(|(letter, digit)| format!("{letter}{digit}"));
        (select(FORMATS), vec(pair, 18))
            .prop_map(|((first, second, length), pairs)| {
                let rest: String = pairs.into_iter().take(length).collect();
                format!("{first}{second}{rest}")
            })
            .boxed()
    }

    /// What stands before a key.
    const LEAD: &str = "The deploy key is ";

    fn secrets() -> BoxedStrategy<Hidden> {
        hidden(values(), LEAD)
    }

    /// Whether part of the value can be read in a text, in whatever view.
    fn shows(text: &str, value: &str) -> bool {
        let parts: Vec<&[u8]> = value.as_bytes().windows(WINDOW).collect();
        Reading::of(text).views().any(|view| {
            let mut seen = view.text().as_bytes().windows(WINDOW);
            seen.any(|part| parts.contains(&part))
        })
    }

    /// Every text of a ruling; and the ruling written out, for whatever is not named here.
    fn carried(ruling: &Ruling) -> Vec<String> {
        let claims = ruling.claims.iter().map(|claim| claim.text.to_string());
        let fields = ruling.fields.iter();
        let fields = fields.flat_map(|(name, text)| [name.clone(), text.to_string()]);
        let whole = [ruling.text.to_string(), format!("{ruling:?}")];
        claims.chain(fields).chain(whole).collect()
    }

    fn admitted(secret: &Hidden) -> Ruling {
        let beside = format!("{LEAD}{}", apply(secret.transform, &secret.value));
        let note = Field {
            name: "/metadata/note",
            text: &beside,
        };
        let submission = Submission {
            text: &secret.text,
            channel: EvidenceChannel::Retain,
            class: SourceClass::UserStatement,
            kind: None,
            speaker: None,
            observed_at: now(),
            fields: &[note],
            extract: true,
            review_requested: false,
            user_message: None,
            handed_out: &[],
        };
        admit(&submission, &POLICY)
    }

    fn nothing_survives(secret: &Hidden, ruling: &Ruling) -> bool {
        !carried(ruling)
            .iter()
            .any(|text| shows(text, &secret.value))
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn nothing_of_a_secret_survives_in_what_a_ruling_carries(secret in secrets()) {
            let ruling = admitted(&secret);
            prop_assert!(nothing_survives(&secret, &ruling), "{:?} {ruling:#?}", secret.transform);
        }
    }

    fn raw(text: &str) -> Redacted {
        Redacted::attest(text)
    }

    /// Of every disguise, the raw value among them: an entrance that does not know it is caught.
    #[test]
    fn canary_an_entrance_that_is_blind_to_one_disguise_is_caught() {
        for transform in Transform::ALL {
            let caught = breaks(&secrets(), |secret| {
                let mut ruling = admitted(secret);
                if secret.transform == transform {
                    ruling.text = raw(&secret.text);
                }
                nothing_survives(secret, &ruling)
            });
            assert!(caught, "{transform:?} may go through unseen");
        }
    }

    type Forgets = (&'static str, fn(&Hidden, &mut Ruling));

    /// What an entrance may forget: each of these lets part of the value stand in one place.
    const FORGETS: [Forgets; 4] = [
        ("another field", |secret, ruling| {
            for (_, text) in &mut ruling.fields {
                *text = raw(&secret.text);
            }
        }),
        ("a field's name", |secret, ruling| {
            for (name, _) in &mut ruling.fields {
                name.clone_from(&secret.value);
            }
        }),
        ("the first characters", |secret, ruling| {
            let first: String = secret.value.chars().take(WINDOW).collect();
            ruling.text = raw(&format!("{}{first}", ruling.text));
        }),
        ("a claim", |secret, ruling| {
            for claim in &mut ruling.claims {
                claim.text = raw(&secret.text);
            }
        }),
    ];

    #[test]
    fn canary_an_entrance_that_forgets_one_place_is_caught() {
        for (place, forget) in FORGETS {
            let caught = breaks(&secrets(), |secret| {
                let mut ruling = admitted(secret);
                forget(secret, &mut ruling);
                nothing_survives(secret, &ruling)
            });
            assert!(caught, "{place} may be forgotten");
        }
    }
}
