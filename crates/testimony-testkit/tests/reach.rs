//! A property over rows that never pass anything proves nothing: the strategies reach every verdict, lane and standing.

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    use proptest::strategy::Strategy;
    use proptest::test_runner::{Config, TestRunner};
    use testimony_courtroom::{Guardrail, RiskFlag, examine};
    use testimony_domain::{EvidenceChannel, Redacted, SourceClass, Standing, Verdict};
    use testimony_recall::gates::examine as examine_gates;
    use testimony_testkit::GateVerdict;
    use testimony_testkit::strategy::case::readable_cases;
    use testimony_testkit::strategy::request::meetings;
    use testimony_testkit::strategy::secret::hidden;
    use testimony_testkit::strategy::submission::submissions;
    use testimony_testkit::transform::{Transform, apply};

    /// Everything that `see` names while it looks at some thousand values.
    fn seen<S: Strategy<Value: Debug>>(
        values: &S,
        see: impl Fn(&S::Value) -> Vec<String>,
    ) -> BTreeSet<String> {
        let config = Config {
            cases: 6_000,
            failure_persistence: None,
            ..Config::default()
        };
        let names = RefCell::new(BTreeSet::new());
        let run = TestRunner::new_with_rng(
            config,
            proptest::test_runner::TestRng::deterministic_rng(
                proptest::test_runner::RngAlgorithm::ChaCha,
            ),
        )
        .run(values, |value| {
            names.borrow_mut().extend(see(&value));
            Ok(())
        });
        run.unwrap();
        names.into_inner()
    }

    #[test]
    fn meetings_reach_every_verdict_and_every_stage() {
        let seen = seen(&meetings(), |(asked, row)| {
            let outcome = examine_gates(&[], &asked.context(), row);
            let verdict = match outcome.verdict {
                GateVerdict::Pass => "pass",
                GateVerdict::Mark(_) => "mark",
                GateVerdict::Confirm(_) => "confirm",
                GateVerdict::Deny(_) => "deny",
            };
            let stage = outcome.stage.map(|stage| stage.to_string());
            let standing = format!("{verdict} {}", row.standing());
            stage
                .into_iter()
                .chain([verdict.to_owned(), standing])
                .collect()
        });
        let stages = [
            "identity",
            "scope",
            "request_filters",
            "lifecycle",
            "time",
            "view",
            "trust_policy",
            "review",
            "conflict",
        ];
        for name in ["pass", "mark", "confirm", "deny"].iter().chain(&stages) {
            assert!(seen.contains(*name), "no meeting reaches {name}");
        }
        for standing in Standing::ALL {
            assert!(
                seen.contains(&format!("deny {standing}")),
                "no meeting denies {standing}"
            );
        }
        for standing in [
            Standing::CleanPerson,
            Standing::Established,
            Standing::CleanTool,
            Standing::SingleOrigin,
        ] {
            assert!(
                seen.contains(&format!("pass {standing}")),
                "no meeting passes {standing}"
            );
        }
    }

    #[test]
    fn cases_reach_every_verdict_guardrail_and_risk() {
        let seen = seen(&readable_cases(), |case| {
            let report = examine(&case.file(), &|text| Redacted::attest(text)).unwrap();
            let verdict = &report.deterministic_verdict;
            let reasons = verdict
                .reasons
                .iter()
                .map(|ground| format!("ground {ground}"));
            let risks = report.risk_flags.iter().map(|flag| format!("risk {flag}"));
            let verdicts = [
                format!("tables {}", verdict.verdict),
                format!("final {}", report.final_verdict),
            ];
            reasons.chain(risks).chain(verdicts).collect()
        });
        for verdict in Verdict::ALL {
            assert!(
                seen.contains(&format!("tables {verdict}")),
                "no case is {verdict}"
            );
            assert!(
                seen.contains(&format!("final {verdict}")),
                "no case ends as {verdict}"
            );
        }
        // The redactor of this test takes nothing out, so no text holds a secret.
        for rule in Guardrail::ALL
            .iter()
            .filter(|rule| **rule != Guardrail::SecretInText)
        {
            assert!(
                seen.contains(&format!("ground {rule}")),
                "no case rests on {rule}"
            );
        }
        for flag in RiskFlag::ALL
            .iter()
            .filter(|flag| **flag != RiskFlag::SecretInText)
        {
            assert!(
                seen.contains(&format!("risk {flag}")),
                "no case shows {flag}"
            );
        }
    }

    #[test]
    fn submissions_lend_everything_that_they_own() {
        let seen = seen(&submissions(), |owned| {
            owned.lend(|lent| {
                assert_eq!(lent.text, owned.text);
                assert_eq!(lent.fields.len(), owned.fields.len());
                assert_eq!(lent.handed_out.len(), owned.handed_out.len());
                let fields = lent.fields.iter().map(|field| field.name.to_owned());
                fields
                    .chain([lent.channel.to_string(), lent.class.to_string()])
                    .collect()
            })
        });
        for word in EvidenceChannel::WORDS
            .iter()
            .chain(SourceClass::WORDS)
            .chain(&["/tags/0"])
        {
            assert!(seen.contains(*word), "no submission has {word}");
        }
    }

    #[test]
    fn hidden_secrets_wear_every_disguise() {
        let values = "[a-z]{8}[0-9]{8}".boxed();
        let seen = seen(&hidden(values, "door code: "), |hidden| {
            assert!(
                hidden
                    .text
                    .contains(&apply(hidden.transform, &hidden.value))
            );
            vec![format!("{:?}", hidden.transform)]
        });
        for transform in Transform::ALL {
            assert!(
                seen.contains(&format!("{transform:?}")),
                "no secret wears {transform:?}"
            );
        }
    }
}
