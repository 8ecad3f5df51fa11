//! The service's own gates pass every suite, and every suite catches the stack that is broken in its way.

#[cfg(test)]
mod tests {
    use testimony_domain::{Memory, MemoryKind, Reason};
    use testimony_testkit::{
        Behind, Failure, GateContext, GateError, GateVerdict, ServiceStack, TrustGate, assert,
        broken, suite,
    };

    /// Marks what is only an observation, and fails on what is empty.
    struct OnlyObserved;

    impl TrustGate for OnlyObserved {
        fn name(&self) -> &'static str {
            "only_observed"
        }

        fn examine(&self, _: &GateContext<'_>, memory: &Memory) -> Result<GateVerdict, GateError> {
            match (memory.content.as_str(), memory.kind) {
                ("", _) => Err(GateError {
                    gate: self.name(),
                    problem: "no text".to_owned(),
                }),
                (_, MemoryKind::Observation) => Ok(GateVerdict::Mark(Reason::Hedged)),
                _ => Ok(GateVerdict::Pass),
            }
        }
    }

    #[test]
    fn the_services_own_gates_pass_every_suite() {
        assert::assert_all(&ServiceStack);
    }

    #[test]
    fn a_gate_behind_them_passes_every_suite() {
        assert::assert_all(&Behind(&OnlyObserved));
    }

    fn broken_in<T: std::fmt::Debug>(property: &str, outcome: Result<(), Failure<T>>) {
        match outcome {
            Err(Failure::Broken(found)) => {
                assert_eq!(found.property, property);
                assert!(!found.reason.is_empty());
            }
            other => panic!("{property} misses its canary: {other:?}"),
        }
    }

    #[test]
    fn every_suite_catches_its_canary() {
        broken_in(
            "nothing_foreign",
            suite::nothing_foreign(&broken::OpensForeignContainer),
        );
        broken_in(
            "sealed_stays_shut",
            suite::sealed_stays_shut(&broken::ForgetsQuarantine),
        );
        broken_in(
            "repetition_changes_nothing",
            suite::repetition_changes_nothing(&broken::TrustsRepetition),
        );
        broken_in(
            "repetition_changes_nothing",
            suite::repetition_changes_nothing(&broken::TakesPiecesForOrigins),
        );
        broken_in("errors_deny", suite::errors_deny(&broken::AdmitsOnError));
        broken_in("tightens_only", suite::tightens_only(&broken::LastGateWins));
        broken_in(
            "monotone_in_policy",
            suite::monotone_in_policy(&broken::StrictIsLoose),
        );
        broken_in(
            "non_interference",
            suite::non_interference(&broken::CountsWhatItMayNotTell::default()),
        );
        broken_in("total", suite::total(&broken::CutsCharacters));
    }

    #[test]
    fn what_opens_more_than_the_service_is_no_tightening() {
        broken_in(
            "tightens_only",
            suite::tightens_only(&broken::OpensForeignContainer),
        );
        broken_in(
            "tightens_only",
            suite::tightens_only(&broken::ForgetsQuarantine),
        );
        broken_in(
            "tightens_only",
            suite::tightens_only(&broken::AdmitsOnError),
        );
    }

    #[test]
    fn a_failure_says_which_property_broke_and_with_what() {
        let failure = suite::errors_deny(&broken::AdmitsOnError).unwrap_err();
        let text = failure.to_string();
        assert!(
            text.starts_with("`errors_deny` does not hold: a gate failed"),
            "{text}"
        );
        assert!(text.contains("policy: "), "{text}");
    }

    #[test]
    #[should_panic(expected = "`errors_deny` does not hold")]
    fn an_assertion_panics_with_the_counterexample() {
        assert::assert_errors_deny(&broken::AdmitsOnError);
    }
}
