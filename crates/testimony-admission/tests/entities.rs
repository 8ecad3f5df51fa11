//! Names in claims: what is one, and what only looks like one.

use testimony_admission::claims::{Context, extract};
use testimony_domain::{EvidenceChannel, SourceClass};

/// A text, and the names in its claims.
#[rustfmt::skip]
const CASES: &[(&str, &[&str])] = &[
    ("Mara lives in Oslo.", &["Mara", "Oslo"]),
    ("The invoice came from Acme Corp. last week.", &["Acme Corp"]),
    ("Dr. Vega moved to San Sebastián.", &["Dr. Vega", "San Sebastián"]),
    ("We met Ana Berg and Tom at the pier.", &["Ana Berg", "Tom"]),
    ("The logs are in /var/log/app.log.", &["/var/log/app.log"]),
    ("Her e-mail is ana@example.org.", &["ana@example.org"]),
    ("We run v2.10.3 on db-1.internal.", &["v2.10.3", "db-1.internal"]),
    ("The meeting is on Monday in May.", &[]),
    ("Yesterday it rained.", &[]),
    ("I moved yesterday.", &[]),
    ("NASA launched the probe.", &["NASA"]),
    ("The Bank of England raised rates.", &["Bank of England"]),
    ("Ludwig van Beethoven wrote nine symphonies.", &["Ludwig van Beethoven"]),
    ("The host is 10.0.0.12.", &["10.0.0.12"]),
    ("My sister June plays the cello.", &["June"]),
    ("The disk of the backup host has 500 GB.", &[]),
    ("The price is given in EUR.", &[]),
    ("The limit is 90 km/h in the tunnel.", &[]),
    ("The tank holds 40 L of oil.", &[]),
    ("The upload is capped at 20 MB.", &[]),
    ("The budget is in CHF and in USD.", &[]),
    ("We met Mo at the pier.", &["Mo"]),
    ("The path is /srv/data.", &["/srv/data"]),
    ("The token of Ana is [REDACTED:github_token].", &["Ana"]),
    ("The key [REDACTED:aws_access_key] belongs to Ben.", &["Ben"]),
    ("The password is [REDACTED:beside_password]", &[]),
    ("Ana moved [REDACTED:near_word] to Oslo.", &["Ana", "Oslo"]),
    ("The token [REDACTED:api_key belongs to Ben.", &["Ben"]),
    ("The editor redacted the letter for Ana.", &["Ana"]),
    ("My nephew is called Timo. He lives in Tampere.", &["Timo", "Tampere", "Timo"]),
    ("Our vet is Olga. She has a key.", &["Olga", "Olga"]),
    ("Meine Tante Gerda wohnt in Celle. Sie fährt Rad.", &["Tante Gerda", "Celle", "Rad", "Gerda"]),
    ("Mio zio si chiama Carlo. Lui lavora a Pisa.", &["Carlo", "Pisa", "Carlo"]),
    ("Meu tio se chama Pedro. Ele mora em Braga.", &["Pedro", "Braga", "Pedro"]),
    ("Mijn oom heet Joost. Hij woont in Delft.", &["Joost", "Delft", "Joost"]),
    ("My cousin moved to New\nYork in March.", &["New York"]),
    ("The lease was signed. It runs until 2027.", &["lease"]),
    ("I met Elif and Nora. She has a key.", &["Elif", "Nora"]),
    ("My sister Kate and her husband Will have a shop. They sell tea.", &["Kate", "Will"]),
    ("Tarik visited Bruno. He has a key.", &["Tarik", "Bruno"]),
    ("My niece Pia keeps bees. Otto said she has a key.", &["Pia", "Otto"]),
    ("She has a key.", &[]),
    ("The pump broke and the valve leaks. It costs 90 euros.", &[]),
    ("Ana lives in Porto and works as a plumber.", &["Ana", "Porto", "Ana"]),
];

#[test]
fn names_are_told_from_other_capitals() {
    let context = Context {
        speaker: None,
        observed_at: "2023-05-20T12:00:00Z".parse().unwrap(),
        kind: None,
        channel: EvidenceChannel::Retain,
        class: SourceClass::UserStatement,
        residue: None,
    };
    let misses: Vec<String> = CASES
        .iter()
        .filter_map(|(text, expected)| {
            let found: Vec<String> = extract(text, &context)
                .claims
                .into_iter()
                .flat_map(|claim| claim.entities)
                .collect();
            (found != *expected).then(|| format!("{text:?}: {found:?}, not {expected:?}"))
        })
        .collect();
    assert!(misses.len() * 20 <= CASES.len(), "{misses:#?}");
}

#[test]
fn no_name_and_no_value_is_a_redaction_label() {
    let context = Context {
        speaker: Some("Mara"),
        observed_at: "2023-05-20T12:00:00Z".parse().unwrap(),
        kind: None,
        channel: EvidenceChannel::Retain,
        class: SourceClass::UserStatement,
        residue: None,
    };
    let labelled = CASES.iter().filter(|(text, _)| text.contains("[REDACTED:"));
    for (text, _) in labelled {
        for claim in extract(text, &context).claims {
            let value = claim.slot.map(|slot| slot.value).unwrap_or_default();
            assert!(!value.contains("redacted"), "{text:?}: {value:?}");
            assert!(
                claim.entities.iter().all(|name| !name.contains("REDACTED")),
                "{text:?}: {:?}",
                claim.entities
            );
        }
    }
}
