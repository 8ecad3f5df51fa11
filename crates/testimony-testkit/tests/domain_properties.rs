//! Properties of the domain's tables over arbitrary values, each with a canary that it has to catch.

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::{Strategy, TestCaseError, prop_assert, prop_assert_eq, proptest};
    use proptest::sample::select;
    use testimony_domain::lifecycle::LIFECYCLE;
    use testimony_domain::verdict::{ORIGINS_THAT_ESTABLISH, may_promote};
    use testimony_domain::{
        Capabilities, Capability, Cell, Claim, ContainerGrant, ContainerTag, DroppedClaim,
        EffectiveIdentity, Event, EvidenceChannel, Labels, MemoryScope, Origin, Partition, Plane,
        Principal, Refusal, ReviewNeed, SourceClass, State, Timestamp, independent_origins,
        origin_groups, transition,
    };
    use testimony_testkit::strategy::identity::{
        claims, containers, identities, labels, principals, runs,
    };
    use testimony_testkit::strategy::memory::{event_sequences, memories, origins, partitions};
    use testimony_testkit::strategy::time::{instants, now};
    use testimony_testkit::{breaks, config};

    // Property 1: no field of a request body changes identity, capability, partition, source class upward, or trust.

    type Acts = Option<(EffectiveIdentity, Vec<DroppedClaim>)>;

    fn acts(
        principal: &Principal,
        container: &ContainerTag,
        needed: Capability,
        claim: &Claim,
    ) -> Acts {
        principal.act(container, needed, claim, now()).ok()
    }

    /// Everything of an identity that comes from the credential alone.
    fn from_credential(who: &EffectiveIdentity) -> impl PartialEq + Debug + use<> {
        let may: Vec<bool> = Capability::ALL.iter().map(|one| who.allows(*one)).collect();
        let classes = EvidenceChannel::ALL
            .iter()
            .map(|channel| who.class_of(*channel, None));
        let classes: Vec<SourceClass> = classes.collect();
        let bound = (
            who.source_app().cloned(),
            who.agent().cloned(),
            who.agent_scope(),
        );
        (
            (who.container().clone(), who.key(), who.kind(), who.owner()),
            may,
            classes,
            bound,
        )
    }

    /// Each label is the credential's where that has one, and otherwise the claim's.
    fn labels_are_settled(bound: &Labels, said: &Labels, held: &Labels) -> bool {
        held.user == bound.user.clone().or_else(|| said.user.clone())
            && held.app == bound.app.clone().or_else(|| said.app.clone())
            && held.org == bound.org.clone().or_else(|| said.org.clone())
            && held.run == bound.run.clone().or_else(|| said.run.clone())
    }

    /// What has to be named as dropped: every claim that the credential contradicts.
    fn contradicted(principal: &Principal, claim: &Claim) -> Vec<DroppedClaim> {
        fn other<T: PartialEq>(bound: Option<&T>, said: Option<&T>) -> bool {
            bound.is_some() && said.is_some() && bound != said
        }
        let (bound, said) = (&principal.labels, &claim.labels);
        let dropped = [
            (
                claim.agent.is_some() && claim.agent != principal.agent,
                DroppedClaim::Agent,
            ),
            (
                claim.source_app.is_some() && claim.source_app != principal.source_app,
                DroppedClaim::SourceApp,
            ),
            (
                other(bound.user.as_ref(), said.user.as_ref()),
                DroppedClaim::User,
            ),
            (
                other(bound.app.as_ref(), said.app.as_ref()),
                DroppedClaim::App,
            ),
            (
                other(bound.org.as_ref(), said.org.as_ref()),
                DroppedClaim::Org,
            ),
            (
                other(bound.run.as_ref(), said.run.as_ref()),
                DroppedClaim::Run,
            ),
        ];
        dropped
            .into_iter()
            .filter_map(|(is, what)| is.then_some(what))
            .collect()
    }

    fn body_changes_nothing(
        act: impl Fn(&Principal, &ContainerTag, Capability, &Claim) -> Acts,
        (principal, container, needed, claim): &(Principal, ContainerTag, Capability, Claim),
    ) -> Result<(), TestCaseError> {
        let silent = act(principal, container, *needed, &Claim::default());
        let claiming = act(principal, container, *needed, claim);
        prop_assert_eq!(
            silent.is_some(),
            claiming.is_some(),
            "a claim decides whether it may act"
        );
        let (Some((silent, none)), Some((claiming, dropped))) = (silent, claiming) else {
            return Ok(());
        };
        prop_assert!(none.is_empty());
        prop_assert_eq!(from_credential(&silent), from_credential(&claiming));
        prop_assert!(labels_are_settled(
            &principal.labels,
            &claim.labels,
            claiming.labels()
        ));
        prop_assert_eq!(dropped, contradicted(principal, claim));
        Ok(())
    }

    fn requests() -> impl Strategy<Value = (Principal, ContainerTag, Capability, Claim)> {
        (
            principals(),
            containers(),
            select(Capability::ALL),
            claims(),
        )
    }

    type ClassOf = fn(&EffectiveIdentity, EvidenceChannel, Option<SourceClass>) -> SourceClass;

    /// Whoever asks for a class gets it where it is no higher than what the credential and the way in allow.
    fn asking_only_lowers(
        class_of: ClassOf,
        who: &EffectiveIdentity,
        channel: EvidenceChannel,
        asked: Option<SourceClass>,
    ) -> bool {
        let highest = class_of(who, channel, None);
        let expected = asked.map_or(highest, |asked| asked.min(highest));
        highest <= channel.ceiling() && class_of(who, channel, asked) == expected
    }

    type Act = fn(
        &Principal,
        &ContainerTag,
        Capability,
        &Claim,
        Timestamp,
    ) -> Result<(EffectiveIdentity, Vec<DroppedClaim>), Refusal>;

    /// A key acts while it lives, in its containers, with its capabilities, and otherwise not at all.
    fn acts_exactly_where_it_may(
        act: Act,
        (principal, container, needed, claim): &(Principal, ContainerTag, Capability, Claim),
        at: Timestamp,
    ) -> bool {
        let alive = principal.expires_at.is_none_or(|end| at < end);
        let may = principal.capabilities.allow(*needed);
        let reaches = principal.containers.reaches(container);
        act(principal, container, *needed, claim, at).is_ok() == (alive && reaches && may)
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn no_claim_changes_what_the_credential_says(request in requests()) {
            body_changes_nothing(acts, &request)?;
        }

        #[test]
        fn an_asked_class_only_lowers(
            who in identities(),
            channel in select(EvidenceChannel::ALL),
            asked in option::of(select(SourceClass::ALL)),
        ) {
            let class_of = EffectiveIdentity::class_of;
            prop_assert!(asking_only_lowers(class_of, &who, channel, asked));
        }

        #[test]
        fn a_class_never_exceeds_key_and_ceiling(request in requests(), channel in select(EvidenceChannel::ALL)) {
            let (principal, container, needed, claim) = request;
            if let Some((who, _)) = acts(&principal, &container, needed, &claim) {
                let expected = principal.class.min(principal.ceiling).min(channel.ceiling());
                prop_assert_eq!(who.class_of(channel, Some(SourceClass::Operator)), expected);
            }
        }

        #[test]
        fn a_row_is_written_where_its_writer_is(
            who in identities(), plane in select(Plane::ALL), scope in select(MemoryScope::ALL),
        ) {
            let written = Partition::written_by(&who, plane, scope);
            let lacks_run = scope == MemoryScope::Session && who.labels().run.is_none();
            prop_assert_eq!(written.is_err(), lacks_run);
            if let Ok(place) = written {
                prop_assert_eq!(place.container(), who.container());
                prop_assert_eq!(place.owner(), &who.owner());
                prop_assert_eq!(place.labels(), who.labels());
                prop_assert_eq!((place.plane(), place.scope()), (plane, scope));
                prop_assert!(place.visible_to(&who, true).is_ok(), "a writer sees its own rows");
            }
        }

        #[test]
        fn an_ended_foreign_or_lacking_key_does_nothing(request in requests(), at in instants()) {
            prop_assert!(acts_exactly_where_it_may(Principal::act, &request, at));
        }
    }

    #[test]
    fn canary_an_act_that_believes_the_claimed_agent_is_caught() {
        let believing = |principal: &Principal, container: &ContainerTag, needed, claim: &Claim| {
            let mut believed = principal.clone();
            believed.agent = claim.agent.clone().or(believed.agent);
            acts(&believed, container, needed, claim)
        };
        assert!(breaks(&requests(), |request| body_changes_nothing(
            believing, request
        )
        .is_ok()));
    }

    #[test]
    fn canary_an_act_that_lets_the_body_rebind_a_label_is_caught() {
        let rebinding = |principal: &Principal, container: &ContainerTag, needed, claim: &Claim| {
            let mut rebound = principal.clone();
            rebound.labels.user = claim.labels.user.clone().or(rebound.labels.user);
            acts(&rebound, container, needed, claim)
        };
        assert!(breaks(&requests(), |request| body_changes_nothing(
            rebinding, request
        )
        .is_ok()));
    }

    #[test]
    fn canary_a_class_that_is_given_to_whoever_asks_is_caught() {
        let generous: ClassOf = |who, channel, asked| {
            let allowed = who.class_of(channel, None);
            asked.map_or(allowed, |asked| asked.min(channel.ceiling()))
        };
        let inputs = (
            identities(),
            select(EvidenceChannel::ALL),
            option::of(select(SourceClass::ALL)),
        );
        assert!(breaks(&inputs, |(who, channel, asked)| {
            asking_only_lowers(generous, who, *channel, *asked)
        }));
    }

    #[test]
    fn canary_a_key_that_forgets_its_end_its_container_or_what_it_may_is_caught() {
        let endless: Act = |principal, container, needed, claim, at| {
            let mut forgetful = principal.clone();
            forgetful.expires_at = None;
            forgetful.act(container, needed, claim, at)
        };
        let everywhere: Act = |principal, container, needed, claim, at| {
            let mut forgetful = principal.clone();
            forgetful.containers = ContainerGrant::All;
            forgetful.act(container, needed, claim, at)
        };
        let almighty: Act = |principal, container, needed, claim, at| {
            let mut forgetful = principal.clone();
            forgetful.capabilities = Capabilities::of(Capability::ALL.iter().copied());
            forgetful.act(container, needed, claim, at)
        };
        for twin in [endless, everywhere, almighty] {
            assert!(breaks(&(requests(), instants()), |(request, at)| {
                acts_exactly_where_it_may(twin, request, *at)
            }));
        }
    }

    // Property 4: no sequence of events takes a test, forensic, secret or erased row to `active`.

    const SEALED: [State; 3] = [State::Forensic, State::QuarantinedSecret, State::Erased];

    fn last_state(table: impl Fn(State, Event) -> Cell, from: State, events: &[Event]) -> State {
        events
            .iter()
            .fold(from, |state, event| match table(state, *event) {
                Cell::To(next) => next,
                Cell::Keep(_) | Cell::Refuse(_) => state,
            })
    }

    fn histories() -> impl Strategy<Value = (State, Vec<Event>)> {
        (select(&SEALED[..]), event_sequences())
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn what_is_sealed_never_becomes_active((from, events) in histories()) {
            let last = last_state(transition, from, &events);
            prop_assert!(SEALED.contains(&last), "{from} became {last}");
        }

        #[test]
        fn once_sealed_always_sealed(from in select(State::ALL), events in event_sequences()) {
            let mut was_sealed = false;
            let mut state = from;
            for event in events {
                was_sealed |= SEALED.contains(&state);
                state = last_state(transition, state, &[event]);
                prop_assert!(!was_sealed || SEALED.contains(&state));
            }
        }
    }

    #[test]
    fn canary_a_table_with_one_wrong_cell_is_caught() {
        let wrong = |state, event| match (state, event) {
            (State::Forensic, Event::Reject) => Cell::To(State::Rejected),
            (state, event) => transition(state, event),
        };
        assert!(breaks(&histories(), |(from, events)| {
            SEALED.contains(&last_state(wrong, *from, events))
        }));
    }

    #[test]
    fn canary_any_way_out_of_a_sealed_state_is_found() {
        let mut ways = 0;
        for from in SEALED {
            for event in Event::ALL {
                let wrong = |state, happened| match (state, happened) {
                    (state, happened) if state == from && happened == *event => {
                        Cell::To(State::Pending)
                    }
                    (state, happened) => transition(state, happened),
                };
                assert!(!SEALED.contains(&last_state(wrong, from, &[*event])));
                ways += 1;
            }
        }
        assert_eq!(ways, SEALED.len() * Event::ALL.len());
        assert_eq!(LIFECYCLE.len(), State::ALL.len());
    }

    // Property 8: classes of lineages, and repetition.

    /// What `independent_origins` promises, in the plainest and slowest way: join until nothing joins any more.
    fn naive_groups(origins: &[Origin]) -> usize {
        let mut groups: Vec<Vec<&Origin>> = origins
            .iter()
            .filter(|one| !one.echo)
            .map(|one| vec![one])
            .collect();
        loop {
            let touching = groups.iter().enumerate().find_map(|(i, one)| {
                let others = groups.iter().enumerate().skip(i + 1);
                let meets = |other: &Vec<&Origin>| {
                    one.iter()
                        .any(|a| other.iter().any(|b| a.shares_cause_with(b)))
                };
                others
                    .filter(|(_, other)| meets(other))
                    .map(|(j, _)| (i, j))
                    .next()
            });
            let Some((i, j)) = touching else {
                return groups.len();
            };
            let joined = groups.swap_remove(j);
            groups[i].extend(joined);
        }
    }

    fn repeats_never_promote(
        count: impl Fn(&[Origin]) -> usize,
        origin: &Origin,
        times: usize,
    ) -> bool {
        let repeated: Vec<Origin> = std::iter::repeat_n(origin.clone(), times).collect();
        may_promote(origin.class, None, false, count(&repeated)).is_err()
    }

    fn weak_origins() -> impl Strategy<Value = Origin> {
        origins().prop_filter("a weak class", |origin| !origin.class.is_known_at_once())
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn origins_are_grouped_as_the_plainest_reading_groups_them(origins in vec(origins(), 0..10)) {
            prop_assert_eq!(independent_origins(&origins), naive_groups(&origins));
        }

        #[test]
        fn groups_are_numbered_in_order_and_hold_who_shares_a_cause(origins in vec(origins(), 0..10)) {
            let listed: Vec<&Origin> = origins.iter().collect();
            let groups = origin_groups(&listed);
            prop_assert_eq!(groups.len(), origins.len());
            let mut next = 0;
            for (one, group) in listed.iter().zip(&groups) {
                prop_assert_eq!(group.is_none(), one.echo);
                prop_assert!(group.is_none_or(|group| group <= next));
                next = group.map_or(next, |group| next.max(group + 1));
                for (other, theirs) in listed.iter().zip(&groups) {
                    let bound = !one.echo && !other.echo && one.shares_cause_with(other);
                    prop_assert!(!bound || group == theirs);
                }
            }
        }

        #[test]
        fn sharing_a_cause_goes_both_ways(one in origins(), other in origins()) {
            prop_assert_eq!(one.shares_cause_with(&other), other.shares_cause_with(&one));
        }

        #[test]
        fn repetition_from_one_origin_never_promotes(origin in weak_origins(), times in 1_usize..40) {
            prop_assert!(repeats_never_promote(|all| independent_origins(all), &origin, times));
        }

        #[test]
        fn an_echo_adds_nothing(origins in vec(origins(), 0..8), mut echo in origins()) {
            echo.echo = true;
            let before = independent_origins(&origins);
            let after = independent_origins(origins.iter().chain([&echo]));
            prop_assert_eq!(before, after);
        }

        #[test]
        fn the_weakest_of_a_lineage_is_never_exceeded(lineage in vec(select(SourceClass::ALL), 0..6)) {
            let derived = SourceClass::weakest(lineage.iter().copied());
            prop_assert!(lineage.iter().all(|class| derived <= *class));
            prop_assert!(lineage.is_empty() || lineage.contains(&derived));
        }

        #[test]
        fn promotion_needs_class_or_origins_and_no_open_question(
            class in select(SourceClass::ALL), review in option::of(select(ReviewNeed::ALL)),
            contested: bool, count in 0_usize..5,
        ) {
            let suffices = class.is_known_at_once() || count >= ORIGINS_THAT_ESTABLISH;
            let promoted = may_promote(class, review, contested, count).is_ok();
            prop_assert_eq!(promoted, !contested && review.is_none() && suffices);
        }
    }

    #[test]
    fn canary_a_counter_that_counts_rows_is_caught() {
        assert!(breaks(&(weak_origins(), 1_usize..40), |(origin, times)| {
            repeats_never_promote(<[Origin]>::len, origin, *times)
        }));
    }

    #[test]
    fn canary_a_lineage_that_takes_the_first_class_is_caught() {
        let inputs = vec(select(SourceClass::ALL), 1..6);
        assert!(breaks(&inputs, |lineage| lineage
            .iter()
            .all(|class| lineage[0] <= *class)));
    }

    // Partitions against the plainest reading.

    /// Who sees a row, sentence by sentence from the design.
    fn naively_visible(place: &Partition, who: &EffectiveIdentity, private: bool) -> bool {
        let same_container = place.container() == who.container();
        let admin = who.allows(Capability::Admin);
        let private =
            private || place.plane() == Plane::Working || place.scope() == MemoryScope::Agent;
        let sees_private =
            who.agent_scope().as_str() == "container" || *place.owner() == who.owner();
        let (row, seen) = (place.labels(), who.labels());
        let labels_match = (row.user.is_none() || row.user == seen.user)
            && (row.app.is_none() || row.app == seen.app)
            && (row.org.is_none() || row.org == seen.org)
            && (row.run.is_none() || row.run == seen.run);
        let in_its_run = place.scope() != MemoryScope::Session || row.run.is_some();
        same_container && (admin || (!private || sees_private) && labels_match && in_its_run)
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn rows_are_visible_exactly_to_whom_the_plainest_reading_shows_them(
            place in partitions(), who in identities(), private: bool,
        ) {
            let visible = place.visible_to(&who, private).is_ok();
            prop_assert_eq!(visible, naively_visible(&place, &who, private));
        }

        #[test]
        fn a_private_row_is_visible_to_no_more(place in partitions(), who in identities()) {
            prop_assert!(place.visible_to(&who, false).is_ok() || place.visible_to(&who, true).is_err());
        }

        #[test]
        fn a_label_that_the_request_lacks_hides_the_row(
            who in identities(), run in runs(), mut labels in labels(),
        ) {
            labels.run = Some(run);
            let place = Partition::stored(
                who.container().clone(), Plane::Task, MemoryScope::User, who.owner(), labels.clone(),
            );
            let visible = place.visible_to(&who, false).is_ok();
            let admin = who.allows(Capability::Admin);
            prop_assert!(admin || !visible || who.labels().run == labels.run);
        }

        #[test]
        fn leaving_pending_by_another_door_shows_a_row_to_nobody_new(
            memory in memories(), events in event_sequences(),
        ) {
            let mut later = memory.clone();
            later.state = last_state(transition, memory.state, &events);
            let supported = memory.approved || memory.origins >= ORIGINS_THAT_ESTABLISH;
            let was_private = memory.is_private_until_supported();
            prop_assert!(!was_private || supported || later.is_private_until_supported());
        }
    }

    #[test]
    fn canary_an_eye_that_forgets_labels_or_privacy_is_caught() {
        let unlabelled = |place: &Partition| {
            let (plane, scope) = (place.plane(), place.scope());
            let (container, owner) = (place.container().clone(), place.owner().clone());
            Partition::stored(container, plane, scope, owner, Labels::default())
        };
        let shared = |place: &Partition| {
            let (container, owner) = (place.container().clone(), place.owner().clone());
            let (scope, labels) = (MemoryScope::User, place.labels().clone());
            Partition::stored(container, Plane::Task, scope, owner, labels)
        };
        let inputs = (partitions(), identities());
        let twins: [fn(&Partition) -> Partition; 2] = [unlabelled, shared];
        for twin in twins {
            assert!(breaks(&inputs, |(place, who)| {
                twin(place).visible_to(who, false).is_ok() == naively_visible(place, who, false)
            }));
        }
    }

    #[test]
    fn canary_a_row_that_is_private_only_while_pending_is_caught() {
        let only_while_pending =
            |state: State, class: SourceClass| state == State::Pending && !class.is_known_at_once();
        let inputs = (memories(), event_sequences());
        assert!(breaks(&inputs, |(memory, events)| {
            let later = last_state(transition, memory.state, events);
            let supported = memory.approved || memory.origins >= ORIGINS_THAT_ESTABLISH;
            !only_while_pending(memory.state, memory.class)
                || supported
                || only_while_pending(later, memory.class)
        }));
    }
}
