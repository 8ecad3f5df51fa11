//! Who may act, as whom, and who sees what: every small combination against the plainest reading of the rules.

use testimony_domain::{
    AgentId, AgentScope, AppId, Capabilities, Capability, Claim, ContainerGrant, ContainerTag,
    DroppedClaim, EffectiveIdentity, EvidenceChannel, Hidden, KeyId, Labels, MemoryScope, OrgId,
    Owner, Partition, Plane, Principal, PrincipalKind, Refusal, RunId, SourceApp, SourceClass,
    Timestamp, UserId,
};

fn tag(text: &str) -> ContainerTag {
    ContainerTag::new("container_tag", text).unwrap()
}

fn agent(text: &str) -> AgentId {
    AgentId::new("agent_id", text).unwrap()
}

fn key(number: u128) -> KeyId {
    KeyId::from_uuid(uuid::Uuid::from_u128(number))
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn principal() -> Principal {
    Principal {
        key: key(1),
        kind: PrincipalKind::Agent,
        containers: ContainerGrant::Listed(vec![tag("workspace")]),
        capabilities: Capabilities::of([Capability::Recall]),
        source_app: Some(SourceApp::new("source_app", "desk").unwrap()),
        agent: Some(agent("scout")),
        agent_scope: AgentScope::Own,
        class: SourceClass::UserStatement,
        ceiling: SourceClass::Operator,
        labels: Labels::default(),
        expires_at: None,
    }
}

fn act(principal: &Principal) -> EffectiveIdentity {
    let needed = principal.capabilities.iter().next().unwrap();
    principal
        .act(&tag("workspace"), needed, &Claim::default(), at(0))
        .unwrap()
        .0
}

#[test]
fn an_identity_says_what_its_key_says() {
    let who = act(&principal());
    assert_eq!(who.container(), &tag("workspace"));
    assert_eq!(who.key(), key(1));
    assert_eq!(who.kind(), PrincipalKind::Agent);
    assert_eq!(who.source_app().unwrap().as_str(), "desk");
    assert_eq!(who.agent().unwrap().as_str(), "scout");
    assert_eq!(who.agent_scope(), AgentScope::Own);
    assert_eq!(who.labels(), &Labels::default());
    assert_eq!(who.owner(), Owner::Agent(agent("scout")));
    let unbound = act(&Principal {
        agent: None,
        ..principal()
    });
    assert_eq!(unbound.owner(), Owner::Key(key(1)));
    assert!(who.allows(Capability::Recall) && !who.allows(Capability::Write));
}

#[test]
fn refusals_come_in_the_order_expiry_container_capability() {
    let ended = Principal {
        expires_at: Some(at(5)),
        ..principal()
    };
    let claim = Claim::default();
    let (here, there) = (tag("workspace"), tag("elsewhere"));
    let expired = ended.act(&there, Capability::Write, &claim, at(5));
    assert_eq!(expired.unwrap_err(), Refusal::Expired { at: at(5) });
    let foreign = ended.act(&there, Capability::Write, &claim, at(4));
    assert_eq!(
        foreign.unwrap_err(),
        Refusal::Container { container: there }
    );
    let lacking = ended.act(&here, Capability::Write, &claim, at(4));
    assert_eq!(
        lacking.unwrap_err(),
        Refusal::Capability {
            needed: Capability::Write
        }
    );
    assert!(ended.act(&here, Capability::Recall, &claim, at(4)).is_ok());
}

#[test]
fn admin_includes_every_capability_and_no_other_does() {
    for held in Capability::ALL {
        let set = Capabilities::of([*held]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [*held]);
        for asked in Capability::ALL {
            let expected = held == asked || *held == Capability::Admin;
            assert_eq!(set.allow(*asked), expected, "{held} for {asked}");
        }
    }
    let twice = Capabilities::of([Capability::Recall, Capability::Recall]);
    assert!(
        twice.allow(Capability::Recall),
        "naming it twice takes nothing away"
    );
    let all = Capabilities::of(Capability::ALL.iter().copied());
    assert_eq!(all.iter().collect::<Vec<_>>(), Capability::ALL);
}

#[test]
fn grants_reach_what_they_name() {
    let prefix = |text: &str| ContainerGrant::Prefix(text.to_owned());
    assert!(prefix("user-").reaches(&tag("user-42")));
    assert!(!prefix("user-").reaches(&tag("super-user-42")));
    assert!(
        !prefix("").reaches(&tag("user-42")),
        "an empty prefix is no grant of everything"
    );
    assert!(ContainerGrant::All.reaches(&tag("x")));
    let one = ContainerGrant::Listed(vec![tag("x")]);
    let two = ContainerGrant::Listed(vec![tag("x"), tag("y")]);
    assert!(two.reaches(&tag("y")) && !one.reaches(&tag("y")));
    assert_eq!(one.sole(), Some(&tag("x")));
    for many in [
        two,
        ContainerGrant::Listed(Vec::new()),
        prefix("x"),
        ContainerGrant::All,
    ] {
        assert_eq!(many.sole(), None, "{many:?}");
    }
}

#[test]
fn every_claim_against_the_key_is_dropped_and_named() {
    let labels = |text: &str| Labels {
        user: UserId::new("user_id", text).ok(),
        app: AppId::new("app_id", text).ok(),
        org: OrgId::new("org_id", text).ok(),
        run: RunId::new("run_id", text).ok(),
    };
    let claim = |text: &str| Claim {
        agent: Some(agent(text)),
        source_app: SourceApp::new("source_app", text).ok(),
        labels: labels(text),
    };
    let bound = Principal {
        agent: Some(agent("own")),
        source_app: SourceApp::new("source_app", "own").ok(),
        labels: labels("own"),
        ..principal()
    };
    let acted = |principal: &Principal, claim: &Claim| {
        principal
            .act(&tag("workspace"), Capability::Recall, claim, at(0))
            .unwrap()
    };
    let (who, dropped) = acted(&bound, &claim("other"));
    assert_eq!(dropped, DroppedClaim::ALL);
    assert_eq!(who.labels(), &labels("own"));
    let (_, dropped) = acted(&bound, &claim("own"));
    assert_eq!(dropped, []);
    let unbound = Principal {
        agent: None,
        source_app: None,
        ..principal()
    };
    let (who, dropped) = acted(&unbound, &claim("other"));
    assert_eq!(dropped, [DroppedClaim::Agent, DroppedClaim::SourceApp]);
    assert_eq!(who.labels(), &labels("other"));
    assert_eq!((who.agent(), who.source_app()), (None, None));
}

#[test]
fn a_class_is_the_weakest_of_key_ceiling_way_in_and_what_was_asked() {
    for class in SourceClass::ALL.iter().copied() {
        for ceiling in SourceClass::ALL.iter().copied() {
            let who = act(&Principal {
                class,
                ceiling,
                ..principal()
            });
            for channel in EvidenceChannel::ALL {
                let highest = class.min(ceiling).min(channel.ceiling());
                assert_eq!(who.class_of(*channel, None), highest);
                for asked in SourceClass::ALL.iter().copied() {
                    assert_eq!(who.class_of(*channel, Some(asked)), highest.min(asked));
                }
            }
        }
    }
}

#[test]
fn the_ways_in_have_the_ceilings_of_the_design() {
    for channel in EvidenceChannel::ALL {
        let expected = match channel {
            EvidenceChannel::Retain
            | EvidenceChannel::UserQuoted
            | EvidenceChannel::UserMessage => SourceClass::Operator,
            EvidenceChannel::ObservedFact
            | EvidenceChannel::Artifact
            | EvidenceChannel::AgentReported => SourceClass::AgentObservation,
            EvidenceChannel::AssistantResponse
            | EvidenceChannel::ReflectAnswer
            | EvidenceChannel::ModelExtraction => SourceClass::ModelInference,
        };
        assert_eq!(channel.ceiling(), expected, "{channel}");
    }
}

fn options<T: Clone>(make: impl Fn(&str) -> T) -> [Option<T>; 3] {
    [None, Some(make("a")), Some(make("b"))]
}

fn every_label_set() -> Vec<Labels> {
    let mut sets = Vec::new();
    for user in options(|text| UserId::new("user_id", text).unwrap()) {
        for app in options(|text| AppId::new("app_id", text).unwrap()) {
            for org in options(|text| OrgId::new("org_id", text).unwrap()) {
                for run in options(|text| RunId::new("run_id", text).unwrap()) {
                    let (user, app, org) = (user.clone(), app.clone(), org.clone());
                    sets.push(Labels {
                        user,
                        app,
                        org,
                        run,
                    });
                }
            }
        }
    }
    sets
}

/// The first reason why a row with these labels does not exist for a reader with those.
fn first_foreign(row: &Labels, reader: &Labels, needs_run: bool) -> Option<Hidden> {
    let differs = |carried: Option<&str>, seen: Option<&str>| carried.is_some() && carried != seen;
    if differs(
        row.user.as_ref().map(UserId::as_str),
        reader.user.as_ref().map(UserId::as_str),
    ) {
        Some(Hidden::User)
    } else if differs(
        row.app.as_ref().map(AppId::as_str),
        reader.app.as_ref().map(AppId::as_str),
    ) {
        Some(Hidden::App)
    } else if differs(
        row.org.as_ref().map(OrgId::as_str),
        reader.org.as_ref().map(OrgId::as_str),
    ) {
        Some(Hidden::Org)
    } else if differs(
        row.run.as_ref().map(RunId::as_str),
        reader.run.as_ref().map(RunId::as_str),
    ) || needs_run && row.run.is_none()
    {
        Some(Hidden::Run)
    } else {
        None
    }
}

#[test]
fn labels_hide_rows_in_every_combination() {
    let sets = every_label_set();
    let owner = Owner::Agent(agent("scout"));
    for seen in &sets {
        let who = act(&Principal {
            labels: seen.clone(),
            ..principal()
        });
        for carried in &sets {
            for scope in [MemoryScope::User, MemoryScope::Session] {
                let place = Partition::stored(
                    tag("workspace"),
                    Plane::Task,
                    scope,
                    owner.clone(),
                    carried.clone(),
                );
                let expected = first_foreign(carried, seen, scope == MemoryScope::Session);
                assert_eq!(
                    place.visible_to(&who, false).err(),
                    expected,
                    "{carried:?} for {seen:?}"
                );
            }
        }
    }
}

#[test]
fn owners_planes_and_scopes_hide_rows_in_every_combination() {
    let run = Labels {
        run: RunId::new("run_id", "a").ok(),
        ..Labels::default()
    };
    let readers = [
        (AgentScope::Own, Capability::Recall),
        (AgentScope::Container, Capability::Recall),
        (AgentScope::Own, Capability::Admin),
    ];
    for (agent_scope, capability) in readers {
        let capabilities = Capabilities::of([capability]);
        let who = act(&Principal {
            agent_scope,
            capabilities,
            labels: run.clone(),
            ..principal()
        });
        for container in ["workspace", "elsewhere"] {
            for name in ["scout", "other"] {
                for plane in Plane::ALL.iter().copied() {
                    for scope in MemoryScope::ALL.iter().copied() {
                        for private in [false, true] {
                            let owner = Owner::Agent(agent(name));
                            let place =
                                Partition::stored(tag(container), plane, scope, owner, run.clone());
                            let by_place = plane == Plane::Working || scope == MemoryScope::Agent;
                            assert_eq!(place.is_private_by_place(), by_place);
                            let sees_others = agent_scope == AgentScope::Container
                                || capability == Capability::Admin;
                            let expected = if container == "elsewhere" {
                                Some(Hidden::Container)
                            } else if (private || by_place) && name == "other" && !sees_others {
                                Some(Hidden::Owner)
                            } else {
                                None
                            };
                            assert_eq!(
                                place.visible_to(&who, private).err(),
                                expected,
                                "{place:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn an_operator_sees_every_label_of_its_container() {
    let capabilities = Capabilities::of([Capability::Admin]);
    let who = act(&Principal {
        capabilities,
        agent: None,
        ..principal()
    });
    for carried in every_label_set() {
        let owner = Owner::Key(key(9));
        let place = Partition::stored(
            tag("workspace"),
            Plane::Working,
            MemoryScope::Session,
            owner,
            carried,
        );
        assert_eq!(place.visible_to(&who, true), Ok(()));
    }
}

#[test]
fn a_session_row_needs_a_run() {
    let who = act(&principal());
    for scope in MemoryScope::ALL.iter().copied() {
        let written = Partition::written_by(&who, Plane::Task, scope);
        assert_eq!(written.is_err(), scope == MemoryScope::Session, "{scope}");
    }
    let refused = Partition::written_by(&who, Plane::Task, MemoryScope::Session).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`memory_scope` means nothing without `run_id`; send `run_id` too"
    );
    let run = Labels {
        run: RunId::new("run_id", "a").ok(),
        ..Labels::default()
    };
    let in_run = act(&Principal {
        labels: run.clone(),
        ..principal()
    });
    let place = Partition::written_by(&in_run, Plane::Tool, MemoryScope::Session).unwrap();
    assert_eq!(
        (place.plane(), place.scope()),
        (Plane::Tool, MemoryScope::Session)
    );
    assert_eq!(
        (place.labels(), place.owner()),
        (&run, &Owner::Agent(agent("scout")))
    );
    assert_eq!(place.container(), &tag("workspace"));
}
