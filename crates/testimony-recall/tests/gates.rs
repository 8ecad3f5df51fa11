//! Property 10, and every gate by itself: a gate that errors denies, and an added gate can only tighten.

mod support;

use proptest::prelude::*;
use support::strategies::{Sketch, breaks, holds, sketch};
use support::{identity, instant, labels, memory, place, reader, tag};
use testimony_domain::{
    Capability, EffectiveIdentity, Labels, Memory, MemoryKind, MemoryScope, Plane, Reason,
    ReviewNeed, SequentialIds, SourceApp, SourceClass, SourceLabel, State, TrustPolicy,
};
use testimony_recall::gates::{GATES, Gate, examine, examine_with};
use testimony_recall::{
    Filters, GateContext, GateError, GateOutcome, GateVerdict, Stage, TagMatch, TagMode,
    TimeIntent, TrustGate, View,
};

struct Says(Option<GateVerdict>);

impl TrustGate for Says {
    fn name(&self) -> &'static str {
        "says"
    }

    fn examine(&self, _: &GateContext<'_>, _: &Memory) -> Result<GateVerdict, GateError> {
        self.0.ok_or_else(|| GateError {
            gate: "says",
            problem: "no answer".to_owned(),
        })
    }
}

fn context<'c>(who: &'c EffectiveIdentity, filters: &'c Filters) -> GateContext<'c> {
    GateContext {
        who,
        filters,
        time: TimeIntent::Current,
        view: View::Assistant,
        policy: TrustPolicy::Balanced,
        now: instant("2026-06-01"),
    }
}

fn failing(_: &GateContext<'_>, _: &Memory) -> Result<GateVerdict, GateError> {
    Err(GateError {
        gate: "own",
        problem: "no answer".to_owned(),
    })
}

type Examiner = fn(&[Gate], &[&dyn TrustGate], &GateContext<'_>, &Memory) -> GateOutcome;

/// Takes a failure for a pass.
fn trusting(
    own: &[Gate],
    added: &[&dyn TrustGate],
    context: &GateContext<'_>,
    memory: &Memory,
) -> GateOutcome {
    let working: Vec<Gate> = own
        .iter()
        .copied()
        .filter(|gate| (gate.examine)(context, memory).is_ok())
        .collect();
    let added: Vec<&dyn TrustGate> = added
        .iter()
        .copied()
        .filter(|gate| gate.examine(context, memory).is_ok())
        .collect();
    examine_with(&working, &added, context, memory)
}

fn a_failure_denies(case: &(Sketch, usize, bool), examiner: Examiner) -> Result<(), TestCaseError> {
    let (sketch, at, among_added) = case;
    let (who, filters) = (reader(), Filters::default());
    let row = sketch.row(&SequentialIds::default());
    let mut own = GATES.to_vec();
    let (passes, fails) = (Says(Some(GateVerdict::Pass)), Says(None));
    let mut added: Vec<&dyn TrustGate> = vec![&passes, &passes];
    if *among_added {
        added.insert(at % 3, &fails);
    } else {
        own.iter_mut()
            .skip(at % GATES.len())
            .take(1)
            .for_each(|gate| gate.examine = failing);
    }
    let outcome = examiner(&own, &added, &context(&who, &filters), &row);
    prop_assert!(outcome.is_denied());
    Ok(())
}

#[test]
fn a_gate_that_errors_denies() {
    holds(&failures(), |case| a_failure_denies(&case, examine_with)).unwrap();
}

#[test]
fn canary_a_gate_that_passes_when_it_errors_is_caught() {
    assert!(breaks(&failures(), |case| a_failure_denies(
        &case, trusting
    )));
}

fn failures() -> impl Strategy<Value = (Sketch, usize, bool)> {
    (sketch(), 0..64_usize, any::<bool>())
}

#[test]
fn an_added_gate_only_tightens() {
    let verdict = prop_oneof![
        Just(None),
        Just(Some(GateVerdict::Pass)),
        Just(Some(GateVerdict::Mark(Reason::SingleSupport))),
        Just(Some(GateVerdict::Confirm(Reason::NeedsConfirmation))),
        Just(Some(GateVerdict::Deny(Reason::FilteredOut))),
    ];
    holds(&(sketch(), verdict), |(sketch, verdict)| {
        let (who, filters) = (reader(), Filters::default());
        let row = sketch.row(&SequentialIds::default());
        let gate = Says(verdict);
        let alone = examine(&[], &context(&who, &filters), &row);
        let with = examine(&[&gate], &context(&who, &filters), &row);
        prop_assert!(with.verdict.tightness() >= alone.verdict.tightness());
        let least = verdict.unwrap_or(GateVerdict::Deny(Reason::GateFailed));
        prop_assert!(with.verdict.tightness() >= least.tightness());
        Ok(())
    })
    .unwrap();
}

/// What becomes of a row that differs from an ordinary one, in a request that differs from an ordinary one.
fn outcome(
    change_row: impl Fn(&mut Memory),
    change_request: impl Fn(&mut GateContext<'_>),
) -> GateOutcome {
    outcome_with(&Filters::default(), &reader(), change_row, change_request)
}

fn outcome_with(
    filters: &Filters,
    who: &EffectiveIdentity,
    change_row: impl Fn(&mut Memory),
    change_request: impl Fn(&mut GateContext<'_>),
) -> GateOutcome {
    let mut row = memory(&SequentialIds::default(), "Marta lives in Lisbon.");
    change_row(&mut row);
    let mut context = context(who, filters);
    change_request(&mut context);
    examine(&[], &context, &row)
}

fn denied(stage: Stage, reason: Reason) -> (Option<Stage>, GateVerdict) {
    (Some(stage), GateVerdict::Deny(reason))
}

fn said(outcome: GateOutcome) -> (Option<Stage>, GateVerdict) {
    (outcome.stage, outcome.verdict)
}

const PASSED: (Option<Stage>, GateVerdict) = (None, GateVerdict::Pass);

#[test]
fn identity_and_scope_hide_without_a_trace() {
    let foreign = outcome(
        |row| {
            row.partition = place(
                "elsewhere",
                "builder",
                Plane::Task,
                MemoryScope::User,
                Labels::default(),
            );
        },
        |_| {},
    );
    assert_eq!(said(foreign), denied(Stage::Identity, Reason::OutOfScope));
    assert!(!foreign.is_known_to_caller());
    let private = outcome(
        |row| {
            row.partition = place(
                "workspace",
                "other",
                Plane::Working,
                MemoryScope::User,
                Labels::default(),
            );
        },
        |_| {},
    );
    assert_eq!(said(private), denied(Stage::Scope, Reason::OutOfScope));
    assert!(!private.is_known_to_caller());
    let labelled = |row: &mut Memory| {
        row.partition = place(
            "workspace",
            "other",
            Plane::Task,
            MemoryScope::User,
            labels(Some("ana"), None),
        );
    };
    assert_eq!(
        said(outcome(labelled, |_| {})),
        denied(Stage::Scope, Reason::OutOfScope)
    );
    let ana = identity("builder", &[], labels(Some("ana"), None));
    assert_eq!(
        said(outcome_with(&Filters::default(), &ana, labelled, |_| {})),
        PASSED
    );
    let pending = |row: &mut Memory| {
        row.partition = place(
            "workspace",
            "other",
            Plane::Task,
            MemoryScope::User,
            Labels::default(),
        );
        row.class = SourceClass::AgentObservation;
        row.state = State::Pending;
    };
    assert_eq!(
        said(outcome(pending, |_| {})),
        denied(Stage::Scope, Reason::OutOfScope)
    );
}

fn tags(names: &[&str]) -> Vec<testimony_domain::Tag> {
    names.iter().map(|it| tag(it)).collect()
}

/// What a request may filter by, and whether an ordinary row with the tags `home` and `city` passes.
#[rustfmt::skip]
fn filter_cases() -> Vec<(Filters, bool)> {
    let none = Filters::default;
    let day = |text: &str| Some(instant(text));
    let source = |text: &str| SourceLabel::new("source", text).ok();
    let app = |text: &str| SourceApp::new("source_app", text).ok();
    let (any, prefix) = (TagMode::Any, TagMatch::Prefix);
    vec![
        (Filters { plane: Some(Plane::Tool), ..none() }, false),
        (Filters { plane: Some(Plane::Task), ..none() }, true),
        (Filters { scope: Some(MemoryScope::Org), ..none() }, false),
        (Filters { scope: Some(MemoryScope::User), ..none() }, true),
        (Filters { kind: Some(MemoryKind::Decision), ..none() }, false),
        (Filters { kind: Some(MemoryKind::Fact), ..none() }, true),
        (Filters { tags: tags(&["home", "work"]), ..none() }, false),
        (Filters { tags: tags(&["home", "city"]), ..none() }, true),
        (Filters { tags: tags(&["home", "work"]), tag_mode: any, ..none() }, true),
        (Filters { tags: tags(&["work"]), tag_mode: any, ..none() }, false),
        (Filters { tags: tags(&["ho"]), ..none() }, false),
        (Filters { tags: tags(&["ho"]), tag_match: prefix, ..none() }, true),
        (Filters { exclude_tags: tags(&["city"]), ..none() }, false),
        (Filters { exclude_tags: tags(&["work"]), ..none() }, true),
        (Filters { exclude_tags: tags(&["ci"]), tag_match: prefix, ..none() }, false),
        (Filters { source: source("chat"), ..none() }, false),
        (Filters { source: source("api"), ..none() }, true),
        (Filters { source_app: app("web"), ..none() }, false),
        (Filters { source_app: app("desk"), ..none() }, true),
        (Filters { created_after: day("2026-01-11"), ..none() }, false),
        (Filters { created_after: day("2026-01-10"), ..none() }, true),
        (Filters { created_before: day("2026-01-11"), ..none() }, true),
        (Filters { created_before: day("2026-01-10"), ..none() }, false),
    ]
}

#[test]
fn each_filter_filters() {
    let out = denied(Stage::Filters, Reason::FilteredOut);
    for (filters, passes) in filter_cases() {
        let tagged = |row: &mut Memory| row.tags = tags(&["home", "city"]);
        let got = outcome_with(&filters, &reader(), tagged, |_| {});
        assert_eq!(said(got), if passes { PASSED } else { out }, "{filters:?}");
    }
}

#[test]
fn what_is_over_answers_only_a_question_that_looks_back() {
    let superseded = |row: &mut Memory| row.state = State::Superseded;
    let expired = |row: &mut Memory| row.state = State::Expired;
    assert_eq!(
        said(outcome(superseded, |_| {})),
        denied(Stage::Lifecycle, Reason::Superseded)
    );
    assert_eq!(
        said(outcome(expired, |_| {})),
        denied(Stage::Lifecycle, Reason::Expired)
    );
    let back = |context: &mut GateContext<'_>| context.time = TimeIntent::Historical;
    assert_eq!(
        outcome(superseded, back).verdict,
        GateVerdict::Mark(Reason::Superseded)
    );
    assert_eq!(
        outcome(expired, back).verdict,
        GateVerdict::Mark(Reason::Expired)
    );
    let erased = outcome(|row| row.state = State::Erased, back);
    assert!(
        erased.is_known_to_caller(),
        "it is in scope, so its end may be told"
    );
    assert!(outcome(superseded, back).is_known_to_caller());
    assert_eq!(
        said(erased),
        denied(Stage::Lifecycle, Reason::ContentErased)
    );
}

#[test]
fn a_row_counts_when_it_holds() {
    let late = |row: &mut Memory| row.validity.from = Some(instant("2026-09-01"));
    let over = |row: &mut Memory| row.validity.until = Some(instant("2026-05-01"));
    let spent = |row: &mut Memory| row.expires_at = Some(instant("2026-05-01"));
    for change in [late as fn(&mut Memory), over, spent] {
        assert_eq!(
            said(outcome(change, |_| {})),
            denied(Stage::Time, Reason::NotCurrent)
        );
        assert_eq!(
            said(outcome(change, |context| context.time = TimeIntent::Any)),
            PASSED
        );
    }
    let as_of = |day: &'static str| {
        move |context: &mut GateContext<'_>| context.time = TimeIntent::AsOf(instant(day))
    };
    assert_eq!(said(outcome(over, as_of("2026-02-01"))), PASSED);
    assert_eq!(
        said(outcome(over, as_of("2026-05-02"))),
        denied(Stage::Time, Reason::NotAsOf)
    );
    assert_eq!(
        said(outcome(spent, as_of("2026-05-02"))),
        denied(Stage::Time, Reason::NotAsOf)
    );
    assert_eq!(
        said(outcome(|_| {}, as_of("2025-12-01"))),
        denied(Stage::Time, Reason::NotAsOf),
        "not known yet"
    );
}

#[test]
fn views_open_what_their_capability_allows() {
    let reviewer = identity("builder", &[Capability::Review], Labels::default());
    let operator = identity("builder", &[Capability::Admin], Labels::default());
    let seen = |who: &EffectiveIdentity, view: View, state: State| {
        let filters = Filters::default();
        outcome_with(
            &filters,
            who,
            |row| row.state = state,
            |context| context.view = view,
        )
        .verdict
    };
    let shut = GateVerdict::Deny(Reason::Quarantined);
    let marked = GateVerdict::Mark(Reason::Quarantined);
    assert_eq!(
        seen(&reader(), View::Assistant, State::QuarantinedInjection),
        shut
    );
    assert_eq!(
        seen(&reader(), View::Review, State::QuarantinedInjection),
        shut,
        "without the capability"
    );
    assert_eq!(
        seen(&reviewer, View::Review, State::QuarantinedInjection),
        marked
    );
    assert_eq!(
        seen(&reviewer, View::Review, State::QuarantinedSecret),
        shut
    );
    assert_eq!(
        seen(&reviewer, View::Forensic, State::QuarantinedSecret),
        shut,
        "needs an operator"
    );
    assert_eq!(
        seen(&operator, View::Forensic, State::QuarantinedSecret),
        marked
    );
    assert_eq!(
        seen(&operator, View::Assistant, State::Forensic),
        GateVerdict::Deny(Reason::Forensic)
    );
    assert_eq!(
        seen(&operator, View::Forensic, State::Forensic),
        GateVerdict::Mark(Reason::Forensic)
    );
    assert_eq!(
        seen(&reviewer, View::Review, State::Forensic),
        GateVerdict::Deny(Reason::Forensic)
    );
    assert_eq!(
        seen(&reviewer, View::Review, State::Rejected),
        GateVerdict::Mark(Reason::RejectedByReview)
    );
    assert_eq!(
        seen(&operator, View::Forensic, State::Superseded),
        GateVerdict::Mark(Reason::Superseded)
    );
    assert_eq!(
        seen(&operator, View::Forensic, State::Erased),
        GateVerdict::Deny(Reason::ContentErased)
    );
}

#[test]
fn policy_review_and_conflict_read_the_verdict_table() {
    let tool = |row: &mut Memory| row.class = SourceClass::ToolResult;
    let waits = |row: &mut Memory| {
        row.state = State::Pending;
        row.review = Some(ReviewNeed::Challenger);
    };
    let contested = |row: &mut Memory| row.contested = true;
    let held = denied(Stage::TrustPolicy, Reason::HeldByStrictPolicy);
    let under = |change: fn(&mut Memory), policy: TrustPolicy| {
        said(outcome(change, |context| context.policy = policy))
    };
    assert_eq!(under(tool, TrustPolicy::Off), PASSED);
    let marked = (
        Some(Stage::TrustPolicy),
        GateVerdict::Mark(Reason::SingleSupport),
    );
    assert_eq!(under(tool, TrustPolicy::Balanced), marked);
    assert_eq!(under(tool, TrustPolicy::Strict), held);
    for policy in [TrustPolicy::Off, TrustPolicy::Balanced] {
        let review = (
            Some(Stage::Review),
            GateVerdict::Confirm(Reason::PendingReview),
        );
        let conflict = (
            Some(Stage::Conflict),
            GateVerdict::Confirm(Reason::Conflict),
        );
        assert_eq!(under(waits, policy), review);
        assert_eq!(under(contested, policy), conflict);
    }
    assert_eq!(under(waits, TrustPolicy::Strict), held);
    assert_eq!(under(contested, TrustPolicy::Strict), held);
    assert_eq!(under(|_| {}, TrustPolicy::Strict), PASSED);
    let reviewer = identity("builder", &[Capability::Review], Labels::default());
    let strict_review = outcome_with(&Filters::default(), &reviewer, waits, |context| {
        context.policy = TrustPolicy::Strict;
        context.view = View::Review;
    });
    assert_eq!(
        strict_review.verdict,
        GateVerdict::Confirm(Reason::PendingReview)
    );
}

#[test]
fn the_strict_policy_shows_a_reviewer_what_waits_for_a_person_and_nothing_else_that_it_holds() {
    let reviewer = identity("builder", &[Capability::Review], Labels::default());
    let single_origin = |row: &mut Memory| {
        row.class = SourceClass::AgentObservation;
        row.state = State::Pending;
    };
    let held = outcome_with(&Filters::default(), &reviewer, single_origin, |context| {
        context.view = View::Review;
        context.policy = TrustPolicy::Strict;
    });
    let expected = denied(Stage::TrustPolicy, Reason::HeldByStrictPolicy);
    assert_eq!(said(held), expected);
}

#[test]
fn the_first_gate_of_the_table_that_denies_is_named() {
    let order: Vec<Stage> = GATES.iter().map(|gate| gate.stage).collect();
    assert!(order.is_sorted());
    let several = outcome(
        |row| {
            row.state = State::Superseded;
            row.validity.until = Some(instant("2026-01-01"));
            row.contested = true;
        },
        |_| {},
    );
    assert_eq!(several.stage, Some(Stage::Lifecycle));
}

/// A row that waited for a person, or was one side of a conflict, does not become an answer by running out.
#[test]
fn what_ends_unsettled_still_waits() {
    let waits = |row: &mut Memory| {
        row.state = State::Expired;
        row.review = Some(ReviewNeed::WeakInjection);
    };
    let contested = |row: &mut Memory| {
        row.state = State::Superseded;
        row.contested = true;
    };
    let settled = |row: &mut Memory| {
        row.state = State::Expired;
        row.review = Some(ReviewNeed::WeakInjection);
        row.approved = true;
    };
    let looking_back = |change: fn(&mut Memory), policy: TrustPolicy| {
        outcome(change, |context| {
            context.time = TimeIntent::Historical;
            context.policy = policy;
        })
        .verdict
    };
    for policy in [TrustPolicy::Off, TrustPolicy::Balanced] {
        let review = GateVerdict::Confirm(Reason::PendingReview);
        assert_eq!(looking_back(waits, policy), review);
        let conflict = GateVerdict::Confirm(Reason::Conflict);
        assert_eq!(looking_back(contested, policy), conflict);
    }
    let held = GateVerdict::Deny(Reason::HeldByStrictPolicy);
    assert_eq!(looking_back(waits, TrustPolicy::Strict), held);
    assert_eq!(looking_back(contested, TrustPolicy::Strict), held);
    for policy in TrustPolicy::ALL {
        let marked = GateVerdict::Mark(Reason::Expired);
        assert_eq!(looking_back(settled, *policy), marked);
    }
}
