//! Which issuers are believed, as the configuration says it: read by tables, with everything that is wrong named at once.

use std::fmt;
use std::time::Duration;

use jsonwebtoken::DecodingKey;
use serde_json::{Map, Value};
use testimony_domain::{Bound, PrincipalKind, RequestsPerMinute, SourceClass};

use super::grant::Grant;
use crate::wire::accounts::keys::{GRANT, grant};
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Kind, Table};
use crate::wire::reader::{Log, Object};

macro_rules! algorithms {
    ($($name:ident = $word:literal, $read:ident;)+) => {
        testimony_domain::words! {
            /// How tokens of an issuer are signed.
            pub enum Algorithm { $(#[doc = $word] $name = $word,)+ }
        }

        impl Algorithm {
            pub(super) const fn library(self) -> jsonwebtoken::Algorithm {
                match self { $(Self::$name => jsonwebtoken::Algorithm::$name,)+ }
            }

            fn key(self, bytes: &[u8]) -> Option<DecodingKey> {
                match self { $(Self::$name => $read(bytes),)+ }
            }
        }
    };
}

algorithms! {
    RS256 = "RS256", rsa;
    RS384 = "RS384", rsa;
    RS512 = "RS512", rsa;
    PS256 = "PS256", rsa;
    PS384 = "PS384", rsa;
    PS512 = "PS512", rsa;
    ES256 = "ES256", elliptic;
    ES384 = "ES384", elliptic;
    EdDSA = "EdDSA", edwards;
    HS256 = "HS256", secret;
    HS384 = "HS384", secret;
    HS512 = "HS512", secret;
}

fn rsa(pem: &[u8]) -> Option<DecodingKey> {
    DecodingKey::from_rsa_pem(pem).ok()
}

fn elliptic(pem: &[u8]) -> Option<DecodingKey> {
    DecodingKey::from_ec_pem(pem).ok()
}

fn edwards(pem: &[u8]) -> Option<DecodingKey> {
    DecodingKey::from_ed_pem(pem).ok()
}

/// A secret that could be guessed, or a public key that was put in its place, is none.
fn secret(bytes: &[u8]) -> Option<DecodingKey> {
    const LEAST: usize = 32;
    let bytes = bytes.trim_ascii();
    let is_one = bytes.len() >= LEAST && !bytes.starts_with(b"-----BEGIN");
    is_one.then(|| DecodingKey::from_secret(bytes))
}

/// An issuer whose tokens are believed.
#[derive(Clone)]
pub struct Issuer {
    /// Its name, exactly as `iss` has it.
    pub issuer: String,
    /// For whom its tokens have to be.
    pub audience: String,
    /// Of which type they have to be.
    pub typ: String,
    /// How they are signed.
    pub algorithm: Algorithm,
    /// By how much clocks may differ.
    pub leeway: Duration,
    /// For how long a token may hold at most.
    pub longest_life: Option<Duration>,
    /// What they let their holders do.
    pub grant: Grant,
    keys: Vec<(Option<String>, DecodingKey)>,
}

impl fmt::Debug for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Issuer({}, {}, …)", self.issuer, self.algorithm)
    }
}

impl Issuer {
    /// The key of this name; the one without a name where only one is configured.
    pub(super) fn key(&self, named: Option<&str>) -> Option<&DecodingKey> {
        if let [(None, key)] = self.keys.as_slice() {
            return Some(key);
        }
        let mut keys = self.keys.iter();
        let found = keys.find(|(name, _)| name.is_some() && name.as_deref() == named);
        found.map(|(_, key)| key)
    }
}

/// Reads the file that a key lies in.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> std::io::Result<Vec<u8>>;

const fn bound(name: &'static str, max: f64, meaning: &'static str) -> Bound {
    Bound {
        name,
        min: 1.0,
        max,
        default: None,
        unit: "characters",
        meaning,
    }
}

const LINE: Bound = bound("text", 1_024.0, "A line of the configuration.");
const TEXT: Kind = Kind::Text(&LINE);
const MOST_KEYS: usize = 16;

const SECONDS: &[(&str, u64, &str)] = &[
    ("leeway_seconds", 300, "a number of seconds from 0 to 300"),
    (
        "longest_life_seconds",
        31_536_000,
        "a number of seconds from 0 to 31536000",
    ),
];

#[rustfmt::skip]
const ISSUER: &[Field] = &[
    Field::new("issuer", TEXT, "Its name, exactly as `iss` has it.").required(),
    Field::new("audience", TEXT, "For whom its tokens have to be: this service's name there.").required(),
    Field::new("type", TEXT, "Of which `typ` they have to be.").or(|| "JWT".into()),
    Field::new("algorithm", Kind::Word(Algorithm::WORDS), "How they are signed; no other way is looked at.").required(),
    Field::new("keys", Kind::List(&Kind::Object, MOST_KEYS), "Keys, each `{kid, file}`; one alone may be without `kid`.").required(),
    Field::new("leeway_seconds", Kind::Number("leeway_seconds"), "By how much clocks may differ.").or(|| 60.into()),
    Field::new("longest_life_seconds", Kind::Number("longest_life_seconds"), "For how long a token may hold at most, from `iat` to `exp`."),
    Field::new("containers_claim", TEXT, "The claim that names containers, within `containers`."),
    Field::new("capabilities_claim", TEXT, "The claim that names capabilities, within `capabilities`."),
    Field::new("agent_claim", TEXT, "The claim that names the agent."),
    Field::new("user_claim", TEXT, "The claim that names the person."),
    Field::new("requests_per_minute", Kind::Whole("RequestsPerMinute"), "How many requests a minute each subject may make."),
];

// What the configuration of an issuer holds: beside its own fields those of a key, as what its tokens can do at most.
const FIELDS: Table = &[ISSUER, GRANT];
const KEY: Table = &[&[
    Field::new("kid", TEXT, "Its name, as tokens have it."),
    Field::new(
        "file",
        TEXT,
        "Where it lies: a public key in PEM, or a shared secret of 32 bytes or more.",
    )
    .required(),
]];

/// Reads the issuers of a configuration: `{"issuers": […]}`.
///
/// # Errors
/// Everything that is wrong with it. Unknown fields are wrong too: one that is misspelt must not loosen anything.
pub fn read(config: &Value, read_file: ReadFile<'_>) -> Result<Vec<Issuer>, Vec<Fault>> {
    let at = Pointer::root().below("issuers");
    let Some(list) = config.get("issuers").and_then(Value::as_array) else {
        return Err(vec![Fault::at(
            at,
            "It is required; send a list of issuers.",
        )]);
    };
    let mut log = Log::default();
    let mut issuers: Vec<Issuer> = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let at = at.below(index);
        let Some(value) = value.as_object() else {
            log.fault(Fault::at(at, "It has the wrong type; send an object."));
            continue;
        };
        let Some(issuer) = issuer(value, &at, read_file, &mut log) else {
            continue;
        };
        if issuers.iter().any(|known| known.issuer == issuer.issuer) {
            log.fault(Fault::at(
                at.below("issuer"),
                "It stands twice; keep one of them.",
            ));
        }
        issuers.push(issuer);
    }
    for warning in std::mem::take(&mut log.warnings) {
        log.fault(Fault::at(warning.pointer, warning.detail));
    }
    log.end(issuers).map(|(issuers, _)| issuers)
}

fn issuer(
    value: &Map<String, Value>,
    at: &Pointer,
    read_file: ReadFile<'_>,
    log: &mut Log,
) -> Option<Issuer> {
    let object = Object::checked(value, at, FIELDS, log);
    let algorithm = object.read("algorithm", log, Algorithm::parse);
    let leeway = seconds(&object, "leeway_seconds", log).unwrap_or(Duration::from_mins(1));
    let longest_life = seconds(&object, "longest_life_seconds", log);
    let grant = granted(&object, log);
    let keys = keys(&object, algorithm?, read_file, log);
    Some(Issuer {
        issuer: object.owned("issuer")?,
        audience: object.owned("audience")?,
        typ: object.owned("type").unwrap_or_else(|| "JWT".to_owned()),
        algorithm: algorithm?,
        keys,
        leeway,
        longest_life,
        grant,
    })
}

/// What tokens let their holders do at most, and the claims that choose within it.
fn granted(object: &Object<'_>, log: &mut Log) -> Grant {
    // Without a word about it what others sign is what they have observed, not what their users say.
    let usual = SourceClass::AgentObservation;
    let most = grant(object, PrincipalKind::Agent, usual, log);
    let limit = object.whole("requests_per_minute", log, RequestsPerMinute::new);
    Grant {
        containers: most.containers,
        containers_claim: object.owned("containers_claim"),
        capabilities: most.capabilities,
        capabilities_claim: object.owned("capabilities_claim"),
        source_app: most.source_app,
        agent: most.agent,
        agent_claim: object.owned("agent_claim"),
        agent_scope: most.agent_scope,
        labels: most.labels,
        user_claim: object.owned("user_claim"),
        class: most.class.min(most.ceiling),
        requests_per_minute: limit.map(RequestsPerMinute::get),
    }
}

fn seconds(object: &Object<'_>, name: &str, log: &mut Log) -> Option<Duration> {
    let number = object.value(name)?.as_f64()?;
    let (_, most, wanted) = SECONDS.iter().find(|(known, ..)| *known == name)?;
    let span = Duration::try_from_secs_f64(number).ok();
    let span = span.filter(|span| span.as_secs() <= *most);
    if span.is_none() {
        let detail = format!("It is out of range; send {wanted}.");
        log.fault(Fault::at(object.pointer(name), detail));
    }
    span
}

fn keys(
    object: &Object<'_>,
    algorithm: Algorithm,
    read_file: ReadFile<'_>,
    log: &mut Log,
) -> Vec<(Option<String>, DecodingKey)> {
    let at = object.pointer("keys");
    let mut keys: Vec<(Option<String>, DecodingKey)> = Vec::new();
    let sent: Vec<&Value> = object.elements("keys").collect();
    for (index, value) in sent.iter().enumerate() {
        let at = at.below(index);
        let Some(value) = value.as_object() else {
            continue;
        };
        let named = Object::checked(value, &at, KEY, log);
        let kid = named.owned("kid");
        let is_double = keys.iter().any(|(known, _)| *known == kid);
        if is_double || (kid.is_none() && sent.len() > 1) {
            let detail = "Of several keys each needs a `kid` of its own; name it.";
            log.fault(Fault::at(at.below("kid"), detail));
        }
        let Some(file) = named.text("file") else {
            continue;
        };
        match read_file(file).ok().and_then(|bytes| algorithm.key(&bytes)) {
            Some(key) => keys.push((kid, key)),
            None => {
                let detail =
                    format!("It cannot be read as a key for {algorithm}; name a file with one.");
                log.fault(Fault::at(at.below("file"), detail));
            }
        }
    }
    if sent.is_empty() {
        log.fault(Fault::at(at, "It is empty; name at least one key."));
    }
    keys
}
