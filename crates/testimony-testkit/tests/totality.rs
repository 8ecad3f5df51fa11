//! Whatever is handed in to admission is answered, with every place that it names inside the text.

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, proptest};
    use testimony_admission::admit;
    use testimony_admission::ruling::Ruling;
    use testimony_admission::submission::{Policy, Submission};
    use testimony_testkit::strategy::submission::{OwnedSubmission, submissions};
    use testimony_testkit::{breaks, config};

    const POLICY: Policy<'static> = Policy {
        exempt_rules: &[],
        allowed_fingerprints: &[],
        block_marks: &[],
        fingerprint_key: &[5; 32],
    };

    fn is_answered(owned: &OwnedSubmission, rule: impl Fn(&Submission<'_>) -> Ruling) -> bool {
        owned.lend(|submission| {
            let ruling = rule(submission);
            let stands = |claim: &testimony_admission::ruling::Claim| {
                submission.text.get(claim.span.clone()).is_some()
            };
            ruling.fields.len() == submission.fields.len() && ruling.claims.iter().all(stands)
        })
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn whatever_is_handed_in_is_answered(owned in submissions()) {
            prop_assert!(is_answered(&owned, |submission| admit(submission, &POLICY)));
        }
    }

    #[test]
    fn canary_an_entrance_that_cuts_characters_is_caught() {
        let cuts = |submission: &Submission<'_>| {
            let _ = submission.text.split_at(submission.text.len() / 2);
            admit(submission, &POLICY)
        };
        assert!(breaks(&submissions(), |owned| is_answered(owned, cuts)));
    }

    #[test]
    fn canary_an_entrance_that_counts_characters_for_bytes_is_caught() {
        let shifted = |submission: &Submission<'_>| {
            let mut ruling = admit(submission, &POLICY);
            for claim in &mut ruling.claims {
                claim.span = claim.span.start + 1..claim.span.end + 1;
            }
            ruling
        };
        assert!(breaks(&submissions(), |owned| is_answered(owned, shifted)));
    }
}
