//! Tokens that configured issuers sign (JWT), examined as RFC 8725 asks.
//!
//! Algorithm, keys, issuer, audience and type are the configuration's. A token names its issuer and its key, and both
//! names only pick among what is configured; keys that it carries or points to are not looked at.

mod claims;
mod config;
mod grant;

use jsonwebtoken::dangerous::insecure_decode_claims;
use jsonwebtoken::{Header, Validation, decode, decode_header};
use serde_json::{Map, Value};
use testimony_domain::Timestamp;
use testimony_service::access::{Bearer, NoEntry, Tokens};

pub use config::{Algorithm, Issuer, ReadFile, read};
pub use grant::Grant;

/// What is longer is no token.
const LONGEST: usize = 8 << 10;

/// The issuers whose tokens are believed.
#[derive(Clone, Debug)]
pub struct Issuers(Vec<Issuer>);

impl Issuers {
    /// These.
    #[must_use]
    pub const fn new(issuers: Vec<Issuer>) -> Self {
        Self(issuers)
    }
}

impl Tokens for Issuers {
    fn examine(&self, token: &str, now: Timestamp) -> Result<Bearer, NoEntry> {
        if token.len() > LONGEST {
            return Err(NoEntry::Malformed);
        }
        let header = decode_header(token).map_err(|_| NoEntry::Malformed)?;
        // Not believed yet: it picks among the issuers there are, and is checked again behind the signature.
        let named: Map<String, Value> =
            insecure_decode_claims(token).map_err(|_| NoEntry::Malformed)?;
        let issuer = named.get("iss").and_then(Value::as_str);
        let issuer = self
            .0
            .iter()
            .find(|known| Some(known.issuer.as_str()) == issuer);
        issuer.ok_or(NoEntry::Unknown)?.examine(token, &header, now)
    }

    fn issuers(&self) -> Vec<String> {
        let mut named: Vec<String> = self.0.iter().map(|known| known.issuer.clone()).collect();
        named.sort_unstable();
        named.dedup();
        named
    }
}

impl Issuer {
    fn examine(&self, token: &str, header: &Header, now: Timestamp) -> Result<Bearer, NoEntry> {
        let is_ours = header.alg == self.algorithm.library()
            && header.crit.is_none()
            && header.typ.as_deref().is_some_and(|typ| self.is_type(typ));
        if !is_ours {
            return Err(NoEntry::Unknown);
        }
        let key = self.key(header.kid.as_deref()).ok_or(NoEntry::Unknown)?;
        let signed = decode::<Map<String, Value>>(token, key, &self.validation());
        let claims = signed.map_err(|_| NoEntry::Unknown)?.claims;
        let times = claims::Times::of(&claims).ok_or(NoEntry::Unknown)?;
        let until = times.check(self.leeway, self.longest_life, now)?;
        let subject = claims.get("sub").and_then(Value::as_str);
        let subject = subject.filter(|subject| !subject.trim().is_empty());
        let mut order = self.grant.order(&claims).ok_or(NoEntry::Unknown)?;
        order.expires_at = Some(until);
        Ok(Bearer {
            issuer: self.issuer.clone(),
            subject: subject.ok_or(NoEntry::Unknown)?.to_owned(),
            order,
        })
    }

    /// Signature, issuer and audience. Times are checked by the service's own clock, behind it.
    fn validation(&self) -> Validation {
        let mut validation = Validation::new(self.algorithm.library());
        validation.set_required_spec_claims(&["iss", "aud", "exp", "sub"]);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        validation.validate_exp = false;
        validation.validate_nbf = false;
        validation
    }

    /// A media type without the prefix that may be left out, in any case.
    fn is_type(&self, typ: &str) -> bool {
        let bare = |typ: &str| {
            let typ = typ.to_ascii_lowercase();
            typ.strip_prefix("application/")
                .map_or(typ.clone(), str::to_owned)
        };
        bare(typ) == bare(&self.typ)
    }
}
