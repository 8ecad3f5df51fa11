//! Properties of the courtroom, each with a canary that it has to catch.

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
    use proptest::test_runner::{TestCaseError, TestError, TestRunner};
    use testimony_courtroom::{
        AiStatus, Bounds, CaseReport, NoCase, RecommendedAction, examine, join,
    };
    use testimony_domain::{Polarity, Redacted, Support, Verdict};
    use testimony_testkit::config;
    use testimony_testkit::strategy::case::{OwnedCase, cases, readable_cases};

    /// Takes nothing out.
    fn as_it_is(text: &str) -> Redacted {
        Redacted::attest(text)
    }

    /// Takes every digit out.
    fn without_digits(text: &str) -> Redacted {
        let kept: String = text
            .chars()
            .map(|c| if c.is_ascii_digit() { '#' } else { c })
            .collect();
        Redacted::attest(kept)
    }

    fn hear(case: &OwnedCase) -> CaseReport {
        examine(&case.file(), &as_it_is).unwrap()
    }

    /// Property 3: whatever a judge says, the final verdict is at least as strict as the tables'.
    fn final_is_no_looser(deterministic: Verdict, last: Verdict) -> Result<(), TestCaseError> {
        prop_assert!(
            last >= deterministic,
            "{last} is looser than {deterministic}"
        );
        Ok(())
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn no_judge_loosens_a_verdict(case in readable_cases()) {
            let report = hear(&case);
            final_is_no_looser(report.deterministic_verdict.verdict, report.final_verdict)?;
            prop_assert!(report.deterministic_verdict.verdict >= case.memory.ruling().verdict);
            let silent = OwnedCase { judge: testimony_testkit::strategy::case::Judge::Omitted, ..case.clone() };
            let silent = hear(&silent);
            prop_assert!(report.final_recommended_action >= silent.final_recommended_action);
            prop_assert_eq!(report.deterministic_verdict, silent.deterministic_verdict);
        }

        #[test]
        fn an_override_is_named_exactly_when_the_judge_was_looser(case in readable_cases()) {
            let report = hear(&case);
            let said = report.ai_judgment.ai_verdict;
            let looser = said.is_some_and(|said| said < report.deterministic_verdict.verdict);
            let named = report.guardrail_overrides.iter().any(|one| one.ai_verdict_downgraded);
            prop_assert_eq!(looser, named);
            let readable = matches!(report.ai_judgment.status, AiStatus::Cached | AiStatus::Generated);
            prop_assert_eq!(said.is_some(), readable);
        }

        #[test]
        fn an_action_fits_its_verdict(case in readable_cases()) {
            let report = hear(&case);
            let action = report.final_recommended_action;
            prop_assert_eq!(action, action.fitted_to(report.final_verdict));
            prop_assert_eq!(action == RecommendedAction::Exclude, report.final_verdict == Verdict::Rejected);
        }

        #[test]
        fn the_courtroom_answers_every_case(case in cases()) {
            let heard = examine(&case.file(), &as_it_is);
            let private = case.memory.is_private_until_supported();
            let visible = case.memory.partition.visible_to(&case.reader, private).is_ok();
            prop_assert!(visible || matches!(heard, Err(NoCase::NotVisible | NoCase::Capability)));
        }

        #[test]
        fn nothing_in_a_report_exceeds_its_bound(case in readable_cases()) {
            let report = hear(&case);
            let length = |text: &Redacted| text.as_str().chars().count();
            prop_assert!(length(&report.statement) <= Bounds::STATEMENT);
            prop_assert!(length(&report.ai_judgment.rationale) <= Bounds::RATIONALE);
            let evidence = report.supporting_evidence.iter().chain(&report.contradicting_evidence);
            for excerpt in evidence.map(|one| &one.redacted_excerpt) {
                prop_assert!(length(excerpt) <= Bounds::EXCERPT);
            }
            for rival in &report.contradiction_hypotheses {
                prop_assert!(length(&rival.redacted_excerpt) <= Bounds::EXCERPT);
            }
            prop_assert!(report.cross_examination_questions.len() <= Bounds::QUESTIONS);
            for question in &report.cross_examination_questions {
                prop_assert!(length(question) <= Bounds::LINE);
            }
            for name in [&report.ai_judgment.provider, &report.ai_judgment.model].into_iter().flatten() {
                prop_assert!(length(name) <= Bounds::NAME);
            }
            prop_assert!(report.answer.is_none_or(|answer| length(&answer.text) <= Bounds::LINE));
            prop_assert!(report.timeline.is_sorted_by_key(|moment| moment.at));
        }

        #[test]
        fn every_text_of_a_report_has_been_through_the_redactor(case in readable_cases()) {
            let report = examine(&case.file(), &without_digits).unwrap();
            let untouched = |text: &Redacted| without_digits(text.as_str()) == *text;
            let evidence = report.supporting_evidence.iter().chain(&report.contradicting_evidence);
            let rivals = report.contradiction_hypotheses.iter().map(|one| &one.redacted_excerpt);
            let names = [&report.ai_judgment.provider, &report.ai_judgment.model];
            let answers = report.answer.iter().map(|answer| &answer.text);
            let quotes = report.answer.iter().flat_map(|answer| &answer.citations).map(|one| &one.quote);
            let mut texts = [&report.statement, &report.ai_judgment.rationale].into_iter()
                .chain(evidence.flat_map(|one| [&one.redacted_excerpt, &one.source]))
                .chain(rivals)
                .chain(&report.cross_examination_questions)
                .chain(names.into_iter().flatten())
                .chain(answers)
                .chain(quotes);
            prop_assert!(texts.all(untouched));
        }

        #[test]
        fn a_weaker_challenger_changes_no_verdict(case in challenged_cases()) {
            prop_assert_eq!(hear(&case).deterministic_verdict, hear(&unchallenged(&case)).deterministic_verdict);
        }

        #[test]
        fn rows_that_the_reader_may_not_see_leave_no_trace(case in readable_cases()) {
            prop_assert_eq!(hear(&case), hear(&without_hidden(&case)));
        }
    }

    /// Cases in which everything that says otherwise comes from a class below the memory's.
    fn challenged_cases() -> impl Strategy<Value = OwnedCase> {
        readable_cases().prop_map(|mut case| {
            let class = case.memory.class;
            case.rivals.retain(|rival| rival.class < class);
            let speaks_for = |link: &Support| link.polarity == Polarity::Supports;
            case.supports
                .retain(|link| speaks_for(link) || link.origin.class < class);
            case
        })
    }

    /// The same case before anybody challenged the memory.
    fn unchallenged(case: &OwnedCase) -> OwnedCase {
        let mut before = case.clone();
        before.rivals.clear();
        before
            .supports
            .retain(|link| link.polarity == Polarity::Supports);
        before
    }

    /// The case without everything that its reader may not see.
    fn without_hidden(case: &OwnedCase) -> OwnedCase {
        let mut seen = case.clone();
        let reader = &case.reader;
        let visible = |row: &testimony_domain::Memory| {
            row.partition
                .visible_to(reader, row.is_private_until_supported())
                .is_ok()
        };
        seen.rivals.retain(visible);
        seen.revisions.retain(visible);
        if let Some(shelf) = &mut seen.evidence {
            shelf.retain(|one| one.partition.visible_to(reader, false).is_ok());
            let left: Vec<_> = shelf.iter().map(|one| one.id).collect();
            seen.supports.retain(|link| left.contains(&link.evidence));
        }
        seen
    }

    fn fails(inputs: impl Strategy<Value = OwnedCase>, holds: impl Fn(&OwnedCase) -> bool) -> bool {
        // A canary has to be caught however few cases a hasty run asks for.
        let mut thorough = config();
        thorough.cases = thorough.cases.max(1_024);
        let tried = TestRunner::new(thorough).run(&inputs, |case| {
            if holds(&case) {
                Ok(())
            } else {
                Err(TestCaseError::fail("broken"))
            }
        });
        matches!(tried, Err(TestError::Fail(..)))
    }

    #[test]
    fn canary_a_join_that_believes_the_judge_is_caught() {
        let believing = |deterministic: Verdict, ai: Option<Verdict>| ai.unwrap_or(deterministic);
        let caught = fails(readable_cases(), |case| {
            let report = hear(case);
            let deterministic = report.deterministic_verdict.verdict;
            let last = believing(deterministic, report.ai_judgment.ai_verdict);
            final_is_no_looser(deterministic, last).is_ok()
        });
        assert!(caught);
    }

    #[test]
    fn canary_a_verdict_that_yields_to_any_challenger_is_caught() {
        let caught = fails(challenged_cases(), |case| {
            let yields = |case: &OwnedCase| {
                let report = hear(case);
                let challenged = !report.contradicting_evidence.is_empty()
                    || !report.contradiction_hypotheses.is_empty();
                let verdict = report.deterministic_verdict.verdict;
                if challenged {
                    verdict.stricter(Verdict::NeedsReview)
                } else {
                    verdict
                }
            };
            yields(case) == yields(&unchallenged(case))
        });
        assert!(caught);
    }

    #[test]
    fn canary_a_bench_that_counts_hidden_rows_is_caught() {
        let caught = fails(readable_cases(), |case| {
            let counted = |case: &OwnedCase| case.rivals.len();
            counted(case) == counted(&without_hidden(case))
        });
        assert!(caught);
    }

    #[test]
    fn the_join_is_the_stricter_of_both() {
        for deterministic in Verdict::ALL {
            assert_eq!(join(*deterministic, None), *deterministic);
            for said in Verdict::ALL {
                let joined = join(*deterministic, Some(*said));
                assert!(joined >= *deterministic && joined >= *said);
                assert!(joined == *deterministic || joined == *said);
            }
        }
    }
}
