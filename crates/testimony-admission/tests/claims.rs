//! Claims: the cases of `fixtures/claims/`.
//!
//! A case is a text, perhaps its speaker, the claims expected of it as `[text, kind, subject, attribute, value]` (kind and
//! slot may be missing, `*` stands for anything, `!` before a value for its denial, `@` before a scope), and what is left
//! out as `[text, reason]`.

#![expect(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test stops at what it does not expect"
)]

#[path = "claims_support/mod.rs"]
mod support;

use support::{cases, require, text};
use testimony_admission::claims::{Context, Drawn, extract};
use testimony_domain::{EvidenceChannel, Reason, Slot, SourceClass, Validity};

fn context(speaker: Option<&str>) -> Context<'_> {
    Context {
        speaker,
        observed_at: "2023-05-20T12:00:00Z".parse().unwrap(),
        kind: None,
        channel: EvidenceChannel::Retain,
        class: SourceClass::UserStatement,
        residue: None,
    }
}

fn shown(slot: Option<&Slot>) -> Vec<String> {
    let Some(slot) = slot else {
        return Vec::new();
    };
    let scope = if slot.key.scope.is_empty() {
        String::new()
    } else {
        format!(" @{}", slot.key.scope)
    };
    let unit = slot
        .unit
        .as_ref()
        .map(|unit| format!(" {unit}"))
        .unwrap_or_default();
    let not = if slot.negated { "!" } else { "" };
    vec![
        format!("{}{scope}", slot.key.subject),
        slot.key.attribute.clone(),
        format!("{not}{}{unit}", slot.value),
    ]
}

fn fits(drawn: &Drawn<'_>, expected: &[String]) -> bool {
    let kind = expected.get(1).map_or("*", String::as_str);
    let (kind, verbatim) = kind
        .strip_suffix(" verbatim")
        .map_or((kind, false), |kind| (kind, true));
    let slot = shown(drawn.slot.as_ref());
    let wanted = expected.get(2..).unwrap_or_default();
    let slot_fits = wanted.is_empty()
        || (wanted.len() == slot.len()
            && wanted
                .iter()
                .zip(&slot)
                .all(|(want, got)| want == "*" || want == got));
    drawn.text == expected[0]
        && (kind == "*" || drawn.kind.as_str() == kind)
        && slot_fits
        && (!verbatim || drawn.reason == Reason::KeptVerbatim)
}

#[test]
fn claims_are_drawn_as_people_would_draw_them() {
    hold("claims/claims.jsonl", 300);
}

#[test]
fn claims_are_drawn_behind_lead_ins_and_in_many_languages() {
    hold("claims/languages_and_lead_ins.jsonl", 100);
}

#[test]
fn names_apologies_and_reasons_are_told_from_what_they_look_like() {
    hold("claims/leads_and_joints.jsonl", 60);
}

#[test]
fn tellings_roles_and_turns_are_told_from_what_they_look_like() {
    hold("claims/tellings_roles_and_turns.jsonl", 200);
}

#[test]
fn changes_wishes_and_orders_of_every_day_are_told_from_what_they_look_like() {
    hold("claims/everyday_turns.jsonl", 60);
}

#[test]
fn clauses_rules_and_orders_are_told_from_what_they_look_like() {
    hold("claims/clauses_rules_and_orders.jsonl", 140);
}

#[test]
fn conditions_pronouns_and_titles_are_told_from_what_they_look_like() {
    hold("claims/conditions_and_pronouns.jsonl", 80);
}

#[test]
fn what_somebody_may_do_is_told_from_what_may_be() {
    hold("claims/permissions.jsonl", 22);
}

#[test]
fn what_somebody_sees_and_understands_is_told_from_an_acknowledgement() {
    hold("claims/seen_and_understood.jsonl", 8);
}

#[test]
fn a_label_for_what_somebody_has_is_told_from_who_speaks() {
    hold("claims/labels.jsonl", 12);
}

#[test]
fn how_something_is_done_is_told_from_what_is_wished_once() {
    hold("claims/procedures.jsonl", 21);
}

#[test]
fn what_is_stated_before_a_question_is_kept() {
    hold("claims/beside_questions.jsonl", 23);
}

#[test]
fn how_things_are_always_done_is_told_from_what_is_to_be_done_now() {
    hold("claims/conventions.jsonl", 45);
}

#[test]
fn for_how_long_and_in_which_case_something_holds_stays_with_it() {
    hold("claims/limits_in_time.jsonl", 15);
}

/// A statement that holds in a case or for a while answers no question about now.
#[test]
fn what_holds_for_a_while_fills_no_slot() {
    for said in [
        "Grafana runs on port 3001 while the proxy is broken.",
        "While Irina is on leave, payments goes to Hamid.",
        "Ruth signs contracts if Karl is travelling.",
        "The gate stays open unless it rains.",
        "Bo approves refunds until Ana is back.",
        "We use the old VPN as long as the new one is down.",
    ] {
        assert_eq!(drawn(said).slot, None, "{said}");
    }
}

#[test]
fn a_clause_of_which_only_the_one_before_says_whose_it_is_stays_with_that() {
    hold("claims/whose_it_is.jsonl", 17);
    assert_eq!(
        drawn("The clinic moved, the new address is Elm Row 9.").slot,
        None
    );
}

#[test]
fn a_list_of_pairs_is_kept_with_its_label_and_answers_no_question_about_that() {
    hold("claims/lists_of_pairs.jsonl", 9);
    assert_eq!(
        drawn("Allergies: Ben nuts, Mia dairy, Tom none.").slot,
        None
    );
}

fn drawn(said: &str) -> Drawn<'_> {
    extract(said, &context(Some("Ines"))).claims.remove(0)
}

#[test]
fn what_somebody_is_quoted_with_is_theirs_and_hearsay() {
    for said in [
        "\"I hate mornings,\" said Ivo.",
        "Ivo said: \"I hate mornings.\"",
        "Ivo wrote: I hate mornings.",
        "Ivo told me, \"I hate mornings\"",
    ] {
        assert_eq!(drawn(said).attributed_to.as_deref(), Some("ivo"), "{said}");
    }
    for said in [
        "He said: \"I hate mornings.\"",
        "Ivo said: \"We live in Graz.\"",
    ] {
        assert_eq!(drawn(said).slot, None, "{said}");
        assert!(drawn(said).attributed_to.is_some(), "{said}");
    }
    let own = "I said: \"I hate mornings.\"";
    assert_eq!(drawn(own).attributed_to, None);
}

#[test]
fn what_is_quoted_is_not_put_into_the_mouth_of_who_tells_it() {
    for (said, by) in [
        ("Tom said \"I hate cilantro!\" yesterday.", "tom"),
        ("Tom said \"I hate cilantro.\" and left.", "tom"),
        ("“I don't drink coffee!” Nina told me.", "nina"),
        ("\"My favourite colour is red!\" Leo announced.", "leo"),
        (
            "Mia yelled \"My brother is a thief!\" across the yard.",
            "mia",
        ),
    ] {
        assert_eq!(drawn(said).attributed_to.as_deref(), Some(by), "{said}");
    }
    for said in [
        "Omar was like \"I drive a Tesla!\"",
        "Her note read \"I moved to Bonn.\"",
        "My son's shirt reads \"I play chess!\"",
        "Rita goes \"I own a boat!\" all the time.",
        "\"I'm moving to Rome.\" Those were Carla's words.",
    ] {
        assert_eq!(drawn(said).slot, None, "{said}");
    }
    let song = "My favourite song is \"I want to break free\".";
    for own in [song, "\"I moved to Bonn.\""] {
        assert!(drawn(own).slot.is_some(), "{own}");
    }
}

#[test]
fn what_was_moved_from_one_day_to_another_does_not_hold_between_them_alone() {
    let moved = "The exam was moved from 3 July to 10 July.";
    assert_eq!(drawn(moved).validity, Validity::default());
    let closed = "The shop is closed from 3 July to 10 July.";
    assert_ne!(drawn(closed).validity, Validity::default());
}

#[test]
fn what_notes_mails_and_minutes_state_is_told_from_what_frames_it() {
    hold("claims/notes_mails_and_minutes.jsonl", 280);
}

/// How far texts that nobody made a rule with are cut as their writer cut them, headings, marks and what is left out aside.
#[test]
fn texts_of_another_writer_are_cut_as_they_would_be() {
    let cases = cases("unseen_texts/claims.jsonl");
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric());
        parts
            .filter(|part| !part.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let cut_alike = |case: &&serde_json::Value| {
        let found = extract(text(case, "text"), &context(case["speaker"].as_str()));
        let expected: Vec<Vec<String>> = serde_json::from_value(case["claims"].clone()).unwrap();
        let expected: Vec<_> = expected.iter().map(|claim| words(&claim[0])).collect();
        let drawn: Vec<_> = found.claims.iter().map(|claim| words(claim.text)).collect();
        expected == drawn
    };
    let alike = cases.iter().filter(cut_alike).count();
    println!("cut alike: {alike} of {}", cases.len());
    assert!(alike >= 80, "{alike} of {}", cases.len());
}

/// Draws the claims of the cases of a file, and says what was drawn where they differ.
fn hold(file: &str, least: usize) {
    let cases = cases(file);
    assert!(cases.len() >= least);
    require(file, &cases, 0.95, |case| {
        let text = text(case, "text");
        let found = extract(text, &context(case["speaker"].as_str()));
        let claims: Vec<Vec<String>> = serde_json::from_value(case["claims"].clone()).unwrap();
        let left: Vec<Vec<String>> = serde_json::from_value(case["left"].clone()).unwrap();
        let got_left: Vec<Vec<String>> = found
            .left_out
            .iter()
            .map(|l| vec![text[l.span.clone()].to_owned(), l.reason.to_string()])
            .collect();
        let holds = claims.len() == found.claims.len()
            && found
                .claims
                .iter()
                .zip(&claims)
                .all(|(drawn, expected)| fits(drawn, expected))
            && got_left == left;
        let got = || {
            found
                .claims
                .iter()
                .map(|c| {
                    format!(
                        "{:?} {} {} {:?}",
                        c.text,
                        c.kind,
                        c.reason,
                        shown(c.slot.as_ref())
                    )
                })
                .collect::<Vec<_>>()
        };
        holds.then_some(()).ok_or_else(|| {
            format!(
                "{text:?}\n   got {:?} left {got_left:?}\n   not {claims:?} left {left:?}",
                got()
            )
        })
    });
}

/// Whoever reads a claim alone has to know whom it speaks of; what may be meant otherwise is left as it was said.
#[test]
fn claims_that_lean_on_words_before_them_are_told_with_the_name() {
    let cases = cases("told/alone.jsonl");
    require("told/alone.jsonl", &cases, 1.0, |case| {
        let claims = extract(text(case, "text"), &context(None)).claims;
        let told: Vec<String> = claims.iter().map(|it| it.told().into_owned()).collect();
        let right = serde_json::json!(told) == case["told"];
        right
            .then_some(())
            .ok_or_else(|| format!("{case}: {told:?}"))
    });
}
