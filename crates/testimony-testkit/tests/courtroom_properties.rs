//! Properties of the courtroom, each with a canary that it has to catch.

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
    use proptest::test_runner::TestCaseError;
    use testimony_courtroom::{
        AiStatus, Bounds, CaseReport, NoCase, RecommendedAction, RiskFlag, examine, join,
    };
    use testimony_domain::{
        Labels, MemoryScope, Partition, Plane, Polarity, Redacted, Support, Verdict,
    };
    use testimony_testkit::strategy::case::{Judge, OwnedCase, cases, readable_cases};
    use testimony_testkit::{breaks, config};

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

    type Examine = fn(&OwnedCase) -> Result<CaseReport, NoCase>;

    fn examine_as_it_is(case: &OwnedCase) -> Result<CaseReport, NoCase> {
        examine(&case.file(), &as_it_is)
    }

    fn what_is_hidden_has_no_case(examine: Examine, case: &OwnedCase) -> bool {
        let private = case.memory.is_private_until_supported();
        let visible = case.memory.partition.visible_to(&case.reader, private);
        visible.is_ok() || matches!(examine(case), Err(NoCase::NotVisible | NoCase::Capability))
    }

    fn is_within_bounds(report: &CaseReport) -> bool {
        let shorter = |text: &Redacted, bound: usize| text.as_str().chars().count() <= bound;
        let evidence = report
            .supporting_evidence
            .iter()
            .chain(&report.contradicting_evidence);
        let mut excerpts = evidence.map(|one| &one.redacted_excerpt).chain(
            report
                .contradiction_hypotheses
                .iter()
                .map(|rival| &rival.redacted_excerpt),
        );
        let mut banks = report.bank_comparisons.iter();
        let (judgment, questions) = (&report.ai_judgment, &report.cross_examination_questions);
        let mut names = [&judgment.provider, &judgment.model].into_iter().flatten();
        let mut lines = questions
            .iter()
            .chain(report.answer.iter().map(|answer| &answer.text));
        shorter(&report.statement, Bounds::STATEMENT)
            && shorter(&judgment.rationale, Bounds::RATIONALE)
            && excerpts.all(|excerpt| shorter(excerpt, Bounds::EXCERPT))
            && questions.len() <= Bounds::QUESTIONS
            && lines.all(|line| shorter(line, Bounds::LINE))
            && names.all(|name| shorter(name, Bounds::NAME))
            && report.bank_comparisons.len() <= Bounds::BANKS
            && banks.all(|one| {
                let mut said = one.statements.iter();
                shorter(&one.bank, Bounds::NAME)
                    && one.statements.len() <= Bounds::STATEMENTS
                    && said.all(|said| {
                        shorter(&said.redacted_excerpt, Bounds::EXCERPT)
                            && shorter(&said.id, Bounds::NAME)
                    })
            })
    }

    /// Whether every text of a report has been through the redactor that takes digits out.
    fn is_redacted(report: &CaseReport) -> bool {
        let untouched = |text: &Redacted| without_digits(text.as_str()) == *text;
        let evidence = report
            .supporting_evidence
            .iter()
            .chain(&report.contradicting_evidence);
        let rivals = report
            .contradiction_hypotheses
            .iter()
            .map(|one| &one.redacted_excerpt);
        let names = [&report.ai_judgment.provider, &report.ai_judgment.model];
        let quotes = report.answer.iter().flat_map(|answer| &answer.citations);
        let banks = report
            .bank_comparisons
            .iter()
            .flat_map(|one| &one.statements);
        let mut texts = [&report.statement, &report.ai_judgment.rationale]
            .into_iter()
            .chain(evidence.flat_map(|one| [&one.redacted_excerpt, &one.source]))
            .chain(rivals)
            .chain(&report.cross_examination_questions)
            .chain(names.into_iter().flatten())
            .chain(report.answer.iter().map(|answer| &answer.text))
            .chain(quotes.map(|one| &one.quote))
            .chain(report.bank_comparisons.iter().map(|one| &one.bank))
            .chain(banks.flat_map(|said| [&said.redacted_excerpt, &said.id]));
        texts.all(untouched)
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn no_judge_loosens_a_verdict(case in readable_cases()) {
            let report = hear(&case);
            final_is_no_looser(report.deterministic_verdict.verdict, report.final_verdict)?;
            prop_assert!(report.deterministic_verdict.verdict >= case.memory.ruling().verdict);
            let silent = OwnedCase { judge: Judge::Omitted, ..case.clone() };
            let silent = hear(&silent);
            prop_assert!(report.final_recommended_action >= silent.final_recommended_action);
            prop_assert_eq!(report.deterministic_verdict, silent.deterministic_verdict);
        }

        #[test]
        fn no_bank_moves_a_verdict(case in readable_cases()) {
            let alone = OwnedCase { comparisons: Vec::new(), ..case.clone() };
            let (told, alone) = (hear(&case), hear(&alone));
            let but_for_the_risk = |report: &CaseReport| CaseReport {
                bank_comparisons: Vec::new(),
                risk_flags: report.risk_flags.iter().copied()
                    .filter(|flag| *flag != RiskFlag::ContradictedByBank).collect(),
                ..report.clone()
            };
            prop_assert_eq!(but_for_the_risk(&told), alone);
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
            prop_assert!(what_is_hidden_has_no_case(examine_as_it_is, &case));
        }

        #[test]
        fn nothing_in_a_report_exceeds_its_bound(case in readable_cases()) {
            let report = hear(&case);
            prop_assert!(is_within_bounds(&report));
            prop_assert!(report.timeline.is_sorted_by_key(|moment| moment.at));
        }

        #[test]
        fn every_text_of_a_report_has_been_through_the_redactor(case in readable_cases()) {
            let report = examine(&case.file(), &without_digits).unwrap();
            prop_assert!(is_redacted(&report));
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

    #[test]
    fn canary_a_join_that_believes_the_judge_is_caught() {
        let believing = |deterministic: Verdict, ai: Option<Verdict>| ai.unwrap_or(deterministic);
        let caught = breaks(&readable_cases(), |case| {
            let report = hear(case);
            let deterministic = report.deterministic_verdict.verdict;
            let last = believing(deterministic, report.ai_judgment.ai_verdict);
            final_is_no_looser(deterministic, last).is_ok()
        });
        assert!(caught);
    }

    #[test]
    fn canary_a_verdict_that_yields_to_any_challenger_is_caught() {
        let caught = breaks(&challenged_cases(), |case| {
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
        let caught = breaks(&readable_cases(), |case| {
            let counted = |case: &OwnedCase| case.rivals.len();
            counted(case) == counted(&without_hidden(case))
        });
        assert!(caught);
    }

    #[test]
    fn canary_a_courtroom_that_hears_whoever_asks_is_caught() {
        let open_to_all: Examine = |case| {
            let mut opened = case.clone();
            let (container, owner) = (case.reader.container().clone(), case.reader.owner());
            let labels = Labels::default();
            let (plane, scope) = (Plane::Task, MemoryScope::User);
            opened.memory.partition = Partition::stored(container, plane, scope, owner, labels);
            examine_as_it_is(&opened)
        };
        assert!(breaks(&cases(), |case| {
            what_is_hidden_has_no_case(open_to_all, case)
        }));
    }

    /// What a report may forget to redact: each of these takes one text over as it is.
    const FORGETS: [fn(&mut CaseReport, CaseReport); 5] = [
        |report, raw| report.statement = raw.statement,
        |report, raw| report.supporting_evidence = raw.supporting_evidence,
        |report, raw| report.ai_judgment = raw.ai_judgment,
        |report, raw| report.cross_examination_questions = raw.cross_examination_questions,
        |report, raw| report.answer = raw.answer,
    ];

    #[test]
    fn canary_a_report_that_forgets_to_redact_one_text_is_caught() {
        for (number, forget) in FORGETS.iter().enumerate() {
            let caught = breaks(&readable_cases(), |case| {
                let mut report = examine(&case.file(), &without_digits).unwrap();
                forget(&mut report, hear(case));
                is_redacted(&report)
            });
            assert!(caught, "the text of number {number} may be forgotten");
        }
    }

    #[test]
    fn canary_a_report_that_cuts_nothing_is_caught() {
        assert!(breaks(&readable_cases(), |case| {
            let mut report = hear(case);
            report.statement = case.memory.content.clone();
            is_within_bounds(&report)
        }));
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
