//! The stage as a whole: what is cut, what an operator allows, what fields and rows show.

use testimony_admission::secrets::{Scan, scan, scan_submission, split_across};
use testimony_admission::submission::{Field, Policy};
use testimony_domain::Reason;

use super::OPEN;

/// A synthetic token of a well-known shape, put together here so that no file shows one.
fn token() -> String {
    ["gh", "p_", "q7Rk2mZt9Xw4", "Bv6Ny1Lc8Hd3", "Js5Pf0Ga2Te7"].concat()
}

fn rules_of(scan: &Scan) -> Vec<&str> {
    scan.findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn only_the_value_is_cut_and_the_map_leads_back() {
    let text = format!("Dana keeps {} for the nightly job.", token());
    let scan = scan(&text, &OPEN);
    assert_eq!(
        scan.redacted.as_str(),
        "Dana keeps [REDACTED:github_classic] for the nightly job."
    );
    let [finding] = scan.findings.as_slice() else {
        panic!("{:?}", scan.findings)
    };
    assert_eq!(finding.reason, Reason::SecretFound);
    assert_eq!(&text[finding.span.clone()], token());
    assert!(
        finding
            .fingerprint
            .as_ref()
            .is_some_and(|print| print.starts_with("fp_") && print.len() == 35)
    );
    let at = scan.redacted.as_str().find("nightly").unwrap();
    assert_eq!(&text[scan.map.original(at..at + 7)], "nightly");
}

#[test]
fn the_same_value_has_the_same_fingerprint_in_every_disguise() {
    let hidden = token().replace("Zt9", "Z\u{200b}t9");
    let plain = scan(&token(), &OPEN).findings[0].fingerprint.clone();
    assert_eq!(scan(&hidden, &OPEN).findings[0].fingerprint, plain);
    let other_key = Policy {
        fingerprint_key: &[1; 32],
        ..OPEN
    };
    assert_ne!(scan(&token(), &other_key).findings[0].fingerprint, plain);
}

#[test]
fn an_exempt_rule_leaves_its_value_unless_another_rule_finds_it() {
    let policy = Policy {
        exempt_rules: &["github_classic"],
        ..OPEN
    };
    let alone = scan(&format!("it is {}", token()), &policy);
    assert!(alone.redacted.as_str().contains(&token()));
    assert_eq!(alone.findings[0].reason, Reason::SecretExempted);
    let assigned = scan(&format!("deploy_token = \"{}\"", token()), &policy);
    assert!(!assigned.redacted.as_str().contains(&token()));
    assert_eq!(rules_of(&assigned), ["beside_token"]);
}

#[test]
fn an_allowed_value_stays_for_every_rule() {
    let text = format!("deploy_token = \"{}\"", token());
    let print = scan(&text, &OPEN).findings[0].fingerprint.clone().unwrap();
    let allowed = [print.as_str()];
    let policy = Policy {
        allowed_fingerprints: &allowed,
        ..OPEN
    };
    let left = scan(&text, &policy);
    assert_eq!(left.redacted.as_str(), text);
    assert_eq!(left.findings[0].reason, Reason::SecretExempted);
}

#[test]
fn fields_and_their_names_are_read_as_content_is() {
    let name = format!("/metadata/{}", token());
    let fields = [
        Field {
            name: "/metadata/db_password",
            text: "winter-Storm7",
        },
        Field {
            name: "/tags/0",
            text: "deploy",
        },
        Field {
            name: &name,
            text: "yes",
        },
    ];
    let scan = scan_submission("nothing here", &fields, &OPEN);
    assert!(scan.content.findings.is_empty());
    let texts: Vec<&str> = scan.fields.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["[REDACTED:beside_password]", "deploy", "yes"]);
    assert_eq!(scan.fields[2].0, "/metadata/[REDACTED:github_classic]");
    assert!(
        scan.field_findings
            .iter()
            .all(|finding| finding.reason == Reason::SecretInMetadata)
    );
    assert_eq!(
        scan.field_findings[0].field.as_deref(),
        Some("/metadata/db_password")
    );
}

#[test]
fn a_value_found_once_goes_everywhere() {
    let text = format!(
        "password: Kestrel-{0}9x\nlater: Kestrel-{0}9x opens it, not Kestrel",
        "Vq3mT8"
    );
    let scan = scan(&text, &OPEN);
    assert_eq!(
        scan.redacted.as_str(),
        "password: [REDACTED:beside_password]\nlater: [REDACTED:beside_password] opens it, not Kestrel"
    );
}

#[test]
fn a_passphrase_goes_as_a_whole_and_its_words_stay_elsewhere() {
    let fields = [Field {
        name: "/metadata/db/password",
        text: "lantern thunderstorm orbit meadow",
    }];
    let text = "The old note says Lantern thunderstorm orbit meadow. A thunderstorm hit the meadow in May.";
    let scan = scan_submission(text, &fields, &OPEN);
    assert_eq!(
        scan.content.redacted.as_str(),
        "The old note says [REDACTED:beside_password]. A thunderstorm hit the meadow in May."
    );
    assert_eq!(scan.fields[0].1.as_str(), "[REDACTED:beside_password]");
}

#[test]
fn a_plain_word_goes_where_it_is_stated_and_stays_elsewhere() {
    let text = "I planted a sunflower. The wifi password is sunflower. Two sunflowers came up.";
    let field = [Field {
        name: "seen",
        text: "a sunflower by the gate",
    }];
    let scan = scan_submission(text, &field, &OPEN);
    assert_eq!(
        scan.content.redacted.as_str(),
        "I planted a sunflower. The wifi password is [REDACTED:beside_plain]. Two sunflowers came up."
    );
    assert_eq!(scan.fields[0].1.as_str(), field[0].text);
}

#[test]
fn rows_that_show_a_secret_together_are_named() {
    let (first, second) = (&token()[..22], &token()[22..]);
    let rows = [
        format!("First half of the deploy credential: {first}"),
        "The deploy runs on Fridays.".to_owned(),
        format!("Second half of the deploy credential: {second}"),
    ];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let found = split_across(&rows, &OPEN);
    assert!(
        found
            .iter()
            .any(|split| split.first.0 == 0 && split.second.0 == 2),
        "{found:?}"
    );
    assert!(split_across(&["a row", "another row"], &OPEN).is_empty());
}

#[test]
fn a_value_that_only_contains_a_harmless_word_is_still_a_secret() {
    for word in ["false", "test", "example1", "token"] {
        let text = format!("api_key = \"k9Qz{word}7LmXw2Rt5Vb8Ny\"");
        assert_eq!(scan(&text, &OPEN).findings.len(), 1, "{text}");
    }
}

#[test]
fn a_secret_in_the_name_of_a_field_is_told_by_what_is_left_of_the_name() {
    let name = format!("/metadata/{}", token());
    let field = Field {
        name: &name,
        text: "nothing",
    };
    let scan = scan_submission("A note.", &[field], &OPEN);
    let left = "/metadata/[REDACTED:github_classic]";
    assert_eq!(scan.fields[0].0, left);
    let [finding] = scan.field_findings.as_slice() else {
        panic!("{:?}", scan.field_findings)
    };
    assert_eq!(finding.field.as_deref(), Some(left));
    assert_eq!(finding.reason, Reason::SecretInMetadata);
}
