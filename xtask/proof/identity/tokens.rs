//! Tokens as RFC 8725 warns of them, shown to a server that believes three issuers.

use std::net::TcpListener;
use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use rcgen::KeyPair;
use serde_json::{Value, json};

use crate::asking::House;
use crate::trial::Trial;

const ISSUER: &str = "https://id.example";
const QUESTION: &str = "Where is the boat?";

/// Issuers with their keys, and what tokens could lead the server to.
struct Desk {
    house: House,
    signing: KeyPair,
    stranger: KeyPair,
    shared: String,
    /// Where a token says that a key is to be had.
    bait: TcpListener,
}

impl Desk {
    fn open(trial: &Trial, name: &str) -> Self {
        let [signing, stranger] = [(), ()].map(|()| KeyPair::generate().unwrap());
        let shared = "a made-up secret that both sides of a bridge know".to_owned();
        let place = trial.room(&format!("{name}-issuers"));
        let write = |file: &str, text: &str| std::fs::write(place.join(file), text).unwrap();
        write("signing.pem", &signing.public_key_pem());
        write("shared", &shared);
        write("issuers.json", &config().to_string());
        let issuers = place.join("issuers.json").display().to_string();
        let house = House::open_with(trial, name, &["--issuers", &issuers]);
        let bait = TcpListener::bind("127.0.0.1:0").unwrap();
        bait.set_nonblocking(true).unwrap();
        Self {
            house,
            signing,
            stranger,
            shared,
            bait,
        }
    }

    fn asks(&mut self, token: &str) -> u16 {
        self.house
            .recall(token, &json!({ "query": QUESTION }))
            .status
    }

    fn signed(&self, header: &Header, claims: &Value) -> String {
        encode(header, claims, &of(&self.signing)).unwrap()
    }
}

fn config() -> Value {
    json!({ "issuers": [
        { "issuer": ISSUER, "audience": "testimony", "type": "at+jwt", "algorithm": "ES256",
          "keys": [{ "kid": "first", "file": "signing.pem" }], "leeway_seconds": 5, "longest_life_seconds": 3_600,
          "containers": ["workspace"], "capabilities": ["memory.recall"], "user_claim": "sub" },
        { "issuer": "bridge", "audience": "testimony", "algorithm": "HS256", "keys": [{ "file": "shared" }],
          "containers": ["workspace"], "capabilities": ["memory.recall"], "user_claim": "sub" },
    ] })
}

fn of(pair: &KeyPair) -> EncodingKey {
    EncodingKey::from_ec_pem(pair.serialize_pem().as_bytes()).unwrap()
}

fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs()
}

fn header() -> Header {
    Header {
        typ: Some("at+jwt".to_owned()),
        kid: Some("first".to_owned()),
        ..Header::new(Algorithm::ES256)
    }
}

fn claims() -> Value {
    json!({ "iss": ISSUER, "aud": "testimony", "sub": "mara", "iat": now(), "exp": now() + 600 })
}

fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    // What is null is missing.
    if let Some(held) = claims.as_object_mut() {
        held.retain(|_, value| !value.is_null());
    }
    claims
}

/// Claims that are wrong, each in one place; `null` is one that is missing.
fn wrong_claims() -> Vec<(&'static str, Value)> {
    vec![
        ("aud", json!("another")),
        ("aud", json!(["another", "third"])),
        ("aud", json!("testimony ")),
        ("aud", json!("")),
        ("aud", json!(null)),
        ("iss", json!("https://id.example/")),
        ("iss", json!("https://evil.example")),
        ("iss", json!("bridge")),
        ("iss", json!([ISSUER])),
        ("iss", json!(null)),
        ("sub", json!("")),
        ("sub", json!(7)),
        ("sub", json!(null)),
        ("exp", json!(now() - 60)),
        ("exp", json!(now() + 90_000)),
        ("exp", json!((now() + 600).to_string())),
        ("exp", json!(-1)),
        ("exp", json!(null)),
        ("nbf", json!(now() + 300)),
        ("nbf", json!("0")),
        ("iat", json!(now() + 300)),
        ("iat", json!(now() - 90_000)),
        ("iat", json!(null)),
    ]
}

/// Headers that choose how they are examined.
fn wrong_headers(bait: &str) -> Vec<Header> {
    let kid = |kid: &str| Header {
        kid: Some(kid.to_owned()),
        ..header()
    };
    let typ = |typ: Option<&str>| Header {
        typ: typ.map(str::to_owned),
        ..header()
    };
    vec![
        kid("second"),
        kid(""),
        kid("../issuers.json"),
        kid("/dev/null"),
        kid("first' UNION SELECT 'a"),
        kid("first\0"),
        kid(bait),
        typ(None),
        typ(Some("JWT")),
        typ(Some("id_token+jwt")),
        typ(Some("secevent+jwt")),
        Header {
            crit: Some(vec!["b64".to_owned()]),
            ..header()
        },
    ]
}

pub(super) fn forged(trial: &mut Trial) {
    let mut desk = Desk::open(trial, "data");
    let honest = desk.signed(&header(), &claims());
    if desk.asks(&honest) != 200 {
        trial.broken("an honest token was not believed, so that nothing is proved".to_owned());
    }
    for _ in 0..trial.rounds {
        for (name, token) in forgeries(&desk) {
            let status = desk.asks(&token);
            trial.fault();
            judge(trial, &name, status);
        }
        trial.round();
    }
    if desk.bait.accept().is_ok() {
        trial.leaked("the server went where a token sent it".to_owned());
    }
    desk.house.is_well(trial, "forged tokens");
}

fn judge(trial: &mut Trial, name: &str, status: u16) {
    if status != 401 {
        trial.leaked(format!("a token with {name}: {status}"));
    }
}

fn forgeries(desk: &Desk) -> Vec<(String, String)> {
    let bait = format!("http://{}/keys", desk.bait.local_addr().unwrap());
    let claimed = wrong_claims().into_iter().map(|(name, value)| {
        let what = format!("`{name}` as {value}");
        (what, desk.signed(&header(), &with(name, value)))
    });
    let headed = wrong_headers(&bait).into_iter().map(|header| {
        let what = format!("{:?} {:?} {:?}", header.kid, header.typ, header.crit);
        (what, desk.signed(&header, &claims()))
    });
    let mut all: Vec<(String, String)> = claimed.chain(headed).collect();
    all.extend(confused(desk));
    all.extend(brought(desk, &bait));
    all.extend(cut(&desk.signed(&header(), &claims())));
    all
}

/// One algorithm in the place of another: keys that everybody has, or that somebody else has, as secrets.
fn confused(desk: &Desk) -> Vec<(String, String)> {
    use Algorithm::{HS256, HS512};
    let public = desk.signing.public_key_pem();
    let (shared, short) = (desk.shared.as_bytes(), public.trim_end().as_bytes());
    let by = |(name, key, issuer, alg): (&str, &[u8], &str, Algorithm)| {
        let header = Header { alg, ..header() };
        let claims = with("iss", json!(issuer));
        let token = encode(&header, &claims, &EncodingKey::from_secret(key));
        (name.to_owned(), token.unwrap())
    };
    let secrets = [
        ("a public key as secret", public.as_bytes(), ISSUER, HS256),
        ("a public key without its end", short, ISSUER, HS256),
        ("the secret of another issuer", shared, ISSUER, HS256),
        ("another length of hash", shared, "bridge", HS512),
        ("an empty secret", b"", "bridge", HS256),
        ("a guessed secret", b"secret", "bridge", HS256),
    ];
    secrets.into_iter().map(by).chain(unsigned()).collect()
}

/// Tokens that say that nobody signed them.
fn unsigned() -> impl Iterator<Item = (String, String)> {
    let algorithms = ["none", "None", "nOnE", "NONE", "", "HS0", "ES256 "];
    let issued = algorithms
        .into_iter()
        .flat_map(|algorithm| [ISSUER, "bridge"].map(|issuer| (algorithm, issuer)));
    issued.flat_map(|(algorithm, issuer)| {
        let head = json!({ "alg": algorithm, "typ": "at+jwt", "kid": "first" });
        let parts = [head.to_string(), with("iss", json!(issuer)).to_string()];
        let [head, body] = parts.map(|part| base64(part.as_bytes()));
        let name = format!("the algorithm {algorithm:?} of {issuer}");
        ["", "AA", "e30"].map(|signature| (name.clone(), format!("{head}.{body}.{signature}")))
    })
}

/// Keys that tokens bring along, and signatures by them.
fn brought(desk: &Desk, bait: &str) -> Vec<(String, String)> {
    let stranger = of(&desk.stranger);
    let jku = Header {
        jku: Some(bait.to_owned()),
        ..header()
    };
    let x5u = Header {
        x5u: Some(bait.to_owned()),
        ..header()
    };
    let x5c = Header {
        x5c: Some(vec!["MIIB".to_owned()]),
        ..header()
    };
    let signed = |header: &Header| encode(header, &claims(), &stranger).unwrap();
    vec![
        ("a key of a stranger".to_owned(), signed(&header())),
        ("an address of keys".to_owned(), signed(&jku)),
        ("an address of a certificate".to_owned(), signed(&x5u)),
        ("a certificate".to_owned(), signed(&x5c)),
    ]
}

/// A good token, cut and put together otherwise.
fn cut(good: &str) -> Vec<(String, String)> {
    let parts: Vec<&str> = good.split('.').collect();
    let [head, body, signature] = parts[..] else {
        return Vec::new();
    };
    let more = base64(with("sub", json!("olaf")).to_string().as_bytes());
    let zeros = base64(&[0; 64]);
    let made = [
        ("another body", format!("{head}.{more}.{signature}")),
        ("no signature", format!("{head}.{body}.")),
        ("a signature of zeros", format!("{head}.{body}.{zeros}")),
        (
            "two signatures",
            format!("{head}.{body}.{signature}.{signature}"),
        ),
        (
            "four letters less",
            format!("{head}.{body}.{}", signature.get(4..).unwrap_or_default()),
        ),
        ("a line break", format!("{head}.{body}%0A.{signature}")),
        (
            "signs of another base64",
            format!("{head}.{body}.{signature}=="),
        ),
        ("a body twice", format!("{head}.{body}.{body}.{signature}")),
        ("very many letters", format!("{good}{}", "A".repeat(6_000))),
    ];
    made.map(|(name, token)| (name.to_owned(), token)).into()
}

/// Base64 as tokens have it.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digits = |chunk: &[u8]| {
        let number = chunk
            .iter()
            .fold(0_usize, |sum, byte| (sum << 8) | usize::from(*byte));
        let number = number << (8 * (3 - chunk.len()));
        let of = |at: usize| char::from(DIGITS[(number >> (18 - 6 * at)) & 63]);
        (0..=chunk.len()).map(of).collect::<String>()
    };
    bytes.chunks(3).map(digits).collect()
}

/// Eyes for tokens that are believed.
pub(super) fn a_good_token(trial: &mut Trial) {
    let mut desk = Desk::open(trial, "good");
    let token = desk.signed(&header(), &claims());
    let status = desk.asks(&token);
    judge(trial, "nothing wrong", status);
}
