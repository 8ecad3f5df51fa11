//! A property over rows that never pass anything proves nothing: the strategies reach every verdict, lane and standing.

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    use proptest::prelude::{BoxedStrategy, Strategy, prop_assert, proptest};
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{RngSeed, TestRunner};
    use testimony_courtroom::{Guardrail, RiskFlag, examine};
    use testimony_domain::{EvidenceChannel, Redacted, SourceClass, Standing, Verdict};
    use testimony_recall::Stage;
    use testimony_recall::gates::examine as examine_gates;
    use testimony_testkit::strategy::case::readable_cases;
    use testimony_testkit::strategy::request::meetings;
    use testimony_testkit::strategy::secret::hidden;
    use testimony_testkit::strategy::submission::submissions;
    use testimony_testkit::transform::{Transform, apply};
    use testimony_testkit::{GateVerdict, config};

    /// What is named here is met within so many values; a longer look is had with `PROPTEST_CASES`.
    const FEWEST_VALUES: u32 = 24_000;

    /// What of `wanted` the values never show. It looks until nothing is missing, so a run takes no longer than it has
    /// to, and at the same values every time.
    fn missing<S: Strategy<Value: Debug>>(
        wanted: impl IntoIterator<Item = String>,
        values: &S,
        see: impl Fn(&S::Value) -> Vec<String>,
    ) -> BTreeSet<String> {
        let mut missing: BTreeSet<String> = wanted.into_iter().collect();
        let mut config = config();
        config.rng_seed = RngSeed::Fixed(1);
        let most = config.cases.max(FEWEST_VALUES);
        let mut runner = TestRunner::new(config);
        for _ in 0..most {
            if missing.is_empty() {
                break;
            }
            let value = values.new_tree(&mut runner).unwrap().current();
            for name in see(&value) {
                missing.remove(&name);
            }
        }
        missing
    }

    /// The words of a closed set after `kind`.
    fn named(kind: &str, words: &[&str]) -> Vec<String> {
        words.iter().map(|word| format!("{kind}{word}")).collect()
    }

    #[test]
    fn meetings_reach_every_verdict_and_every_stage() {
        let stages = Stage::WORDS
            .iter()
            .take_while(|word| **word != Stage::Added.as_str());
        let passing = [
            Standing::CleanPerson,
            Standing::Established,
            Standing::CleanTool,
            Standing::SingleOrigin,
        ];
        let wanted = ["pass", "mark", "confirm", "deny"]
            .map(str::to_owned)
            .into_iter()
            .chain(stages.map(ToString::to_string))
            .chain(named("deny ", Standing::WORDS))
            .chain(passing.map(|standing| format!("pass {standing}")));
        let missing = missing(wanted, &meetings(), |(asked, row)| {
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
        assert!(missing.is_empty(), "no meeting reaches {missing:?}");
    }

    #[test]
    fn cases_reach_every_verdict_guardrail_and_risk() {
        // The redactor of this test takes nothing out, so no text holds a secret.
        let secret = [
            Guardrail::SecretInText.as_str(),
            RiskFlag::SecretInText.as_str(),
        ];
        let wanted = named("tables ", Verdict::WORDS)
            .into_iter()
            .chain(named("final ", Verdict::WORDS))
            .chain(named("ground ", Guardrail::WORDS))
            .chain(named("risk ", RiskFlag::WORDS))
            .filter(|name| !secret.iter().any(|secret| name.ends_with(secret)));
        let missing = missing(wanted, &readable_cases(), |case| {
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
        assert!(missing.is_empty(), "no case shows {missing:?}");
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn submissions_lend_everything_that_they_own(owned in submissions()) {
            owned.lend(|lent| {
                assert_eq!(lent.text, owned.text);
                assert_eq!(lent.fields.len(), owned.fields.len());
                assert_eq!(lent.handed_out.len(), owned.handed_out.len());
            });
        }

        #[test]
        fn a_hidden_secret_stands_in_its_text(hidden in hidden(secrets(), LEAD)) {
            prop_assert!(hidden.text.contains(&apply(hidden.transform, &hidden.value)));
        }
    }

    #[test]
    fn submissions_come_by_every_way_and_of_every_class() {
        let wanted = named("", EvidenceChannel::WORDS)
            .into_iter()
            .chain(named("", SourceClass::WORDS))
            .chain(["/tags/0".to_owned()]);
        let missing = missing(wanted, &submissions(), |owned| {
            let fields = owned.fields.iter().map(|(name, _)| name.clone());
            fields
                .chain([owned.channel.to_string(), owned.class.to_string()])
                .collect()
        });
        assert!(missing.is_empty(), "no submission has {missing:?}");
    }

    const LEAD: &str = "door code: ";

    fn secrets() -> BoxedStrategy<String> {
        "[a-z]{8}[0-9]{8}".boxed()
    }

    #[test]
    fn hidden_secrets_wear_every_disguise() {
        let wanted = Transform::ALL.map(|transform| format!("{transform:?}"));
        let missing = missing(wanted, &hidden(secrets(), LEAD), |hidden| {
            vec![format!("{:?}", hidden.transform)]
        });
        assert!(missing.is_empty(), "no secret wears {missing:?}");
    }

    #[test]
    fn canary_what_is_never_made_is_missed() {
        let missing = missing(["never".to_owned()], &submissions(), |owned| {
            vec![owned.class.to_string()]
        });
        assert_eq!(missing.len(), 1);
    }
}
