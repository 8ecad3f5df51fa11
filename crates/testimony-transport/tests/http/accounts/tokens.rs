//! Tokens of other issuers: what is believed, what is not, and how far one that asks for more gets.

use std::io;
use std::sync::Arc;

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use rcgen::KeyPair;
use serde_json::{Value, json};
use testimony_transport::tokens::{Issuers, read};

use crate::support::{Answer, Harness, QUESTION, fact};

/// The clock of a harness begins here.
const BEGIN: i64 = 1_790_000_000;
const ISSUER: &str = "https://id.example";
/// Synthetic, for the issuer that shares a secret.
const SHARED: &str = "a synthetic secret that is shared by both sides";
/// The public half of a key that was thrown away.
const RSA: &str = "-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAucDzfLCIIsZOzZuY7tzH
bmzN/bm17r+tDQS/dni48/qXhDBIApfWxDImbO4b8OH5AtlDZzAIpBcdyRG9CG29
hdeoMHG4BViBoxTH7YW1xxCRygNrPTf4BEapHdd7XmRapIwDB2hKKcofw/n8gVcX
46G7Ptp8f64Re5sNMs+4kxVw+86cM+r6yVmuNRphe0mbMeUjjoUPIE355RYz+fhy
5SKjDMJrEnLhnyPXBafvXMFIMNtQevZA3mRf9/Kw29naeT+2z8eLfvrMbs/8rCEZ
7Mc1kY2iR5kgjqF5P5HsG61e5Cvisd6sgZNR/wFG45A5+8i2FI2kT4htpYh+r2xA
mQIDAQAB
-----END PUBLIC KEY-----
";

/// Issuers, and the keys with which they sign.
struct Desk {
    harness: Harness,
    first: KeyPair,
    second: KeyPair,
}

fn config() -> Value {
    json!({ "issuers": [
        {
            "issuer": ISSUER, "audience": "testimony", "type": "at+jwt", "algorithm": "ES256",
            "keys": [{ "kid": "first", "file": "first" }, { "kid": "second", "file": "second" }],
            "leeway_seconds": 30,
            "containers": ["workspace", "harbour"], "containers_claim": "containers",
            "capabilities": ["memory.recall", "memory.write"], "capabilities_claim": "scope",
            "user_claim": "sub", "class": "user_statement", "requests_per_minute": 100,
        },
        {
            "issuer": "rsa", "audience": "testimony", "algorithm": "RS256", "keys": [{ "file": "rsa" }],
            "containers": ["workspace"],
        },
        {
            "issuer": "shared", "audience": "testimony", "algorithm": "HS256", "keys": [{ "file": "shared" }],
            "containers": "user-*", "agent_claim": "azp",
        },
    ] })
}

impl Desk {
    fn open() -> Self {
        let [first, second] = [(), ()].map(|()| KeyPair::generate().unwrap());
        let file = |name: &str| match name {
            "first" => Ok(first.public_key_pem().into_bytes()),
            "second" => Ok(second.public_key_pem().into_bytes()),
            "rsa" => Ok(RSA.as_bytes().to_vec()),
            "shared" => Ok(SHARED.as_bytes().to_vec()),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        let issuers = Arc::new(Issuers::new(read(&config(), &file).unwrap()));
        let harness = Harness::start();
        assert!(harness.service.believe(issuers.clone()));
        assert!(!harness.service.believe(issuers), "it is said once");
        // A key makes the container that it is bound to; a token makes none.
        harness.agent();
        Self {
            harness,
            first,
            second,
        }
    }

    fn sign(&self, header: &Header, claims: &Value) -> String {
        let key = EncodingKey::from_ec_pem(self.first.serialize_pem().as_bytes()).unwrap();
        encode(header, claims, &key).unwrap()
    }

    fn asks(&self, token: &str) -> Answer {
        self.harness.recall(token, &json!({ "query": QUESTION }))
    }
}

fn header() -> Header {
    Header {
        typ: Some("at+jwt".to_owned()),
        kid: Some("first".to_owned()),
        ..Header::new(Algorithm::ES256)
    }
}

fn claims() -> Value {
    json!({
        "iss": ISSUER, "aud": "testimony", "sub": "mara", "exp": BEGIN + 600,
        "containers": ["workspace"], "scope": "memory.recall memory.write",
    })
}

fn with(change: &Value) -> Value {
    let mut claims = claims();
    let held = claims.as_object_mut().unwrap();
    for (name, value) in change.as_object().unwrap() {
        held.insert(name.clone(), value.clone());
    }
    // What is null is taken away.
    held.retain(|_, value| !value.is_null());
    claims
}

/// Base64 as tokens have it.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digits = |chunk: &[u8]| {
        let number = chunk
            .iter()
            .fold(0_usize, |sum, byte| (sum << 8) | usize::from(*byte))
            << (8 * (3 - chunk.len()));
        let of = |at: usize| char::from(DIGITS[(number >> (18 - 6 * at)) & 63]);
        (0..=chunk.len()).map(of).collect::<String>()
    };
    bytes.chunks(3).map(digits).collect()
}

#[test]
fn whoever_an_issuer_speaks_for_is_let_in_and_stays_the_same() {
    let desk = Desk::open();
    let token = desk.sign(&header(), &claims());
    let kept = desk.harness.retain(&token, &fact()).expect(200);
    assert_eq!(kept.header("ratelimit-limit"), Some("100"));
    let later = desk.sign(
        &header(),
        &with(&json!({ "exp": BEGIN + 900, "aud": ["other", "testimony"] })),
    );
    let found = desk.asks(&later).expect(200).body;
    assert_eq!(found["total"], 1);
    // The subject is the person: nobody else's rows are there, whatever a body says.
    let other = desk.sign(&header(), &with(&json!({ "sub": "olaf" })));
    let body = json!({ "query": QUESTION, "user_id": "mara" });
    assert_eq!(
        desk.harness.recall(&other, &body).expect(200).body["total"],
        0
    );
    let second = EncodingKey::from_ec_pem(desk.second.serialize_pem().as_bytes()).unwrap();
    let by_second = Header {
        kid: Some("second".to_owned()),
        ..header()
    };
    desk.asks(&encode(&by_second, &claims(), &second).unwrap())
        .expect(200);
}

#[test]
fn a_token_with_something_wrong_is_not_believed() {
    let desk = Desk::open();
    for (change, code) in [
        (json!({ "aud": "another" }), "credential_unknown"),
        (json!({ "aud": null }), "credential_unknown"),
        (
            json!({ "iss": "https://id.example/" }),
            "credential_unknown",
        ),
        (json!({ "iss": null }), "credential_unknown"),
        (json!({ "iss": "rsa" }), "credential_unknown"),
        (json!({ "sub": null }), "credential_unknown"),
        (json!({ "sub": " " }), "credential_unknown"),
        (json!({ "exp": null }), "credential_unknown"),
        (json!({ "exp": "2099" }), "credential_unknown"),
        (json!({ "exp": BEGIN - 31 }), "credential_expired"),
        (json!({ "nbf": BEGIN + 500 }), "credential_unknown"),
        (json!({ "nbf": "0" }), "credential_unknown"),
        (json!({ "iat": BEGIN + 500 }), "credential_unknown"),
    ] {
        let answer = desk.asks(&desk.sign(&header(), &with(&change))).expect(401);
        assert_eq!(answer.code(), code, "{change}");
    }
}

#[test]
fn nothing_of_a_token_chooses_how_it_is_examined() {
    let desk = Desk::open();
    for change in [
        Header {
            typ: None,
            ..header()
        },
        Header {
            typ: Some("JWT".to_owned()),
            ..header()
        },
        Header {
            kid: None,
            ..header()
        },
        Header {
            kid: Some("../../etc/passwd".to_owned()),
            ..header()
        },
        Header {
            kid: Some("second".to_owned()),
            ..header()
        },
        Header {
            kid: Some("' OR 1=1 --".to_owned()),
            ..header()
        },
        Header {
            crit: Some(vec!["exp".to_owned()]),
            ..header()
        },
    ] {
        let answer = desk.asks(&desk.sign(&change, &claims())).expect(401);
        assert_eq!(answer.code(), "credential_unknown", "{change:?}");
    }
    desk.asks(&desk.sign(
        &Header {
            typ: Some("application/AT+JWT".to_owned()),
            ..header()
        },
        &claims(),
    ))
    .expect(200);
    // A key that the token brings along is not looked at.
    let stranger = KeyPair::generate().unwrap();
    let key = EncodingKey::from_ec_pem(stranger.serialize_pem().as_bytes()).unwrap();
    let brought = Header {
        jku: Some("https://evil.example/keys".to_owned()),
        ..header()
    };
    desk.asks(&encode(&brought, &claims(), &key).unwrap())
        .expect(401);
}

#[test]
fn a_public_key_is_no_secret_and_no_signature_is_none() {
    let desk = Desk::open();
    for (issuer, public) in [
        (ISSUER, desk.first.public_key_pem()),
        ("rsa", RSA.to_owned()),
    ] {
        let claims = with(&json!({ "iss": issuer }));
        for typ in ["JWT", "at+jwt"] {
            let confused = Header {
                typ: Some(typ.to_owned()),
                kid: Some("first".to_owned()),
                ..Header::new(Algorithm::HS256)
            };
            let token = encode(
                &confused,
                &claims,
                &EncodingKey::from_secret(public.as_bytes()),
            )
            .unwrap();
            desk.asks(&token).expect(401);
        }
        for alg in ["none", "None", "NONE", ""] {
            let head = json!({ "alg": alg, "typ": "at+jwt", "kid": "first" }).to_string();
            let body = base64(claims.to_string().as_bytes());
            for signature in ["", "AAAA"] {
                let token = format!("{}.{body}.{signature}", base64(head.as_bytes()));
                desk.asks(&token).expect(401);
            }
        }
    }
    let good = desk.sign(&header(), &claims());
    let (message, signature) = good.rsplit_once('.').unwrap();
    let more = base64(with(&json!({ "sub": "olaf" })).to_string().as_bytes());
    let head = message.split('.').next().unwrap();
    for forged in [
        format!("{message}."),
        format!("{head}.{more}.{signature}"),
        format!("{good}.{signature}"),
    ] {
        desk.asks(&forged).expect(401);
    }
    desk.asks(&"a".repeat(9_000)).expect(401);
    desk.asks(&format!("{good}{}", "a".repeat(9_000)))
        .expect(401);
}

#[test]
fn a_token_that_asks_for_more_gets_what_the_configuration_allows() {
    let desk = Desk::open();
    let wide = json!({
        "containers": ["workspace", "elsewhere", "*"], "scope": ["memory.recall", "admin", "memory.review"],
        "class": "operator", "agent_scope": "container",
    });
    let token = desk.sign(&header(), &with(&wide));
    desk.asks(&token).expect(200);
    assert_eq!(
        desk.harness.retain(&token, &fact()).expect(403).code(),
        "capability_missing"
    );
    let elsewhere = "/api/v2/containers/elsewhere/recall";
    let refused = desk
        .harness
        .post(&token, elsewhere, &json!({ "query": QUESTION }))
        .expect(403);
    assert_eq!(refused.code(), "container_not_reached");
    desk.harness.get(&token, "/api/v1/admin/keys").expect(403);
    let nothing = desk.sign(
        &header(),
        &with(&json!({ "containers": null, "scope": null })),
    );
    desk.asks(&nothing).expect(403);
}

#[test]
fn an_issuer_with_a_shared_secret_names_agents() {
    let desk = Desk::open();
    let secret = EncodingKey::from_secret(SHARED.as_bytes());
    let claims = json!({ "iss": "shared", "aud": "testimony", "sub": "job", "azp": "crawler", "exp": BEGIN + 600 });
    let token = encode(&Header::new(Algorithm::HS256), &claims, &secret).unwrap();
    let path = "/api/v2/containers/user-7/agent/context";
    let packet = desk
        .harness
        .post(&token, path, &json!({ "user_message": QUESTION }))
        .expect(200)
        .body;
    assert_eq!(packet["effective_agent_id"], "crawler");
    let nameless = json!({ "iss": "shared", "aud": "testimony", "sub": "job", "exp": BEGIN + 600 });
    let token = encode(&Header::new(Algorithm::HS256), &nameless, &secret).unwrap();
    desk.harness
        .post(&token, path, &json!({ "user_message": QUESTION }))
        .expect(401);
}

#[test]
fn a_service_without_issuers_knows_no_tokens() {
    let desk = Desk::open();
    let plain = Harness::start();
    let token = desk.sign(&header(), &claims());
    let answer = plain
        .recall(&token, &json!({ "query": QUESTION }))
        .expect(401);
    assert_eq!(answer.code(), "credential_malformed");
}

#[test]
fn everything_that_is_wrong_with_a_configuration_is_named() {
    let file = |name: &str| match name {
        "rsa" => Ok(RSA.as_bytes().to_vec()),
        "short" => Ok(b"short".to_vec()),
        _ => Err(io::Error::from(io::ErrorKind::NotFound)),
    };
    let wrong = json!({ "issuers": [
        { "issuer": "a", "audience": "t", "algorithm": "none", "keys": [{ "file": "rsa" }], "containers": ["w"] },
        { "issuer": "b", "audience": "t", "algorithm": "HS256", "keys": [{ "file": "rsa" }], "containers": ["w"] },
        { "issuer": "c", "audience": "t", "algorithm": "HS256", "keys": [{ "file": "short" }], "containers": ["w"] },
        { "issuer": "d", "audience": "t", "algorithm": "RS256", "keys": [{ "file": "gone" }], "capability": ["admin"],
          "capabilities": ["admin"], "leeway_seconds": 301 },
        { "issuer": "e", "audience": "t", "algorithm": "RS256", "keys": [{ "file": "rsa" }, { "kid": "x", "file": "rsa" }],
          "containers": ["w"] },
        { "issuer": "e", "audience": "t", "algorithm": "RS256", "keys": [{ "file": "rsa" }], "containers": ["w"] },
    ] });
    let found = read(&wrong, &file).unwrap_err();
    let mut at: Vec<&str> = found.iter().map(|fault| fault.pointer.as_str()).collect();
    at.sort_unstable();
    assert_eq!(
        at,
        [
            "/issuers/0/algorithm",
            "/issuers/1/keys/0/file",
            "/issuers/2/keys/0/file",
            "/issuers/3/capabilities/0",
            "/issuers/3/capability",
            "/issuers/3/containers",
            "/issuers/3/keys/0/file",
            "/issuers/3/leeway_seconds",
            "/issuers/4/keys/0/kid",
            "/issuers/5/issuer",
        ]
    );
    assert!(read(&json!({}), &file).is_err());
}
