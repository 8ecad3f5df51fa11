//! Passwords of people: hashed slowly and with much memory, a few at a time.

use std::sync::atomic::{AtomicUsize, Ordering};

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use testimony_domain::{Invalid, Problem};

use crate::error::ServiceError;
use crate::ports::chance::Chance;

/// So many passwords are worked on at a time: each takes memory and a processor for a while.
const AT_ONCE: usize = 4;

/// How much a password has to say.
const LENGTH: std::ops::RangeInclusive<usize> = 12..=256;

/// Whether a text can be a password.
///
/// # Errors
/// [`Invalid`] when it is too short or too long.
pub fn check_password(field: &str, text: &str) -> Result<(), Invalid> {
    let expected = "a sentence of 12 to 256 characters that only you know";
    let fits = LENGTH.contains(&text.chars().count()) && !text.trim().is_empty();
    fits.then_some(())
        .ok_or_else(|| Invalid::new(field, Problem::Malformed { expected }))
}

/// What a password is held against where nobody has the name: a hash of the same kind, behind which there is none.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5J3Mgb3duIHNhbA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Where passwords are worked on.
#[derive(Default)]
pub(crate) struct Passwords {
    at_work: AtomicUsize,
}

/// A turn, given back when it is dropped.
struct Turn<'a>(&'a AtomicUsize);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Passwords {
    /// What a password hashes to, in the form that names its own parameters.
    pub(crate) fn hash(&self, password: &str, chance: &dyn Chance) -> Result<String, ServiceError> {
        let _turn = self.turn()?;
        let mut salt = [0_u8; 16];
        chance.fill(&mut salt)?;
        let hash = kind().hash_password_with_salt(password.as_bytes(), &salt);
        // Only memory can be missing: the lengths are right.
        hash.map(|hash| hash.to_string())
            .map_err(|_| ServiceError::Busy)
    }

    /// Whether a password is the one behind a hash. Without a hash it takes as long, and the answer is no.
    pub(crate) fn is_hash_of(
        &self,
        hash: Option<&str>,
        password: &str,
    ) -> Result<bool, ServiceError> {
        let _turn = self.turn()?;
        let hash = hash.unwrap_or(NOBODY);
        Ok(kind().verify_password(password.as_bytes(), hash).is_ok())
    }

    fn turn(&self) -> Result<Turn<'_>, ServiceError> {
        let turn = Turn(&self.at_work);
        if self.at_work.fetch_add(1, Ordering::AcqRel) < AT_ONCE {
            Ok(turn)
        } else {
            Err(ServiceError::Busy)
        }
    }
}

/// Argon2id with 19 MiB and two passes.
fn kind() -> Argon2<'static> {
    const MEMORY_KIB: u32 = 19 << 10;
    let params = Params::new(MEMORY_KIB, 2, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::chance::NoChance;

    struct Fixed;

    impl Chance for Fixed {
        fn fill(&self, bytes: &mut [u8]) -> Result<(), NoChance> {
            bytes.fill(7);
            Ok(())
        }
    }

    #[test]
    fn a_password_is_known_again_and_no_other() {
        let passwords = Passwords::default();
        let hash = passwords.hash("a long enough sentence", &Fixed).unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert!(
            passwords
                .is_hash_of(Some(&hash), "a long enough sentence")
                .unwrap()
        );
        assert!(
            !passwords
                .is_hash_of(Some(&hash), "a long enough sentence.")
                .unwrap()
        );
        assert!(
            !passwords
                .is_hash_of(Some("no hash"), "a long enough sentence")
                .unwrap()
        );
        assert!(
            !passwords
                .is_hash_of(None, "a long enough sentence")
                .unwrap()
        );
    }

    #[test]
    fn nobodys_hash_takes_as_much_work_as_anybodys() {
        use argon2::password_hash::phc::PasswordHash;
        let passwords = Passwords::default();
        let hash = passwords.hash("a long enough sentence", &Fixed).unwrap();
        let [anybody, nobody] = [hash.as_str(), NOBODY].map(|it| PasswordHash::new(it).unwrap());
        assert_eq!(nobody.algorithm, anybody.algorithm);
        assert_eq!(nobody.version, anybody.version);
        assert_eq!(nobody.params, anybody.params);
        let bytes = |hash: &PasswordHash| (hash.salt.unwrap().len(), hash.hash.unwrap().len());
        assert_eq!(bytes(&nobody), bytes(&anybody));
    }

    #[test]
    fn only_a_few_are_worked_on_at_a_time() {
        let passwords = Passwords::default();
        let turns: Vec<_> = (0..AT_ONCE).map(|_| passwords.turn().unwrap()).collect();
        assert!(matches!(passwords.turn(), Err(ServiceError::Busy)));
        drop(turns);
        assert!(passwords.turn().is_ok());
    }

    #[test]
    fn what_is_too_short_or_too_long_is_no_password() {
        for (text, fits) in [
            ("short".to_owned(), false),
            (" ".repeat(20), false),
            ("ü".repeat(12), true),
            ("x".repeat(256), true),
            ("x".repeat(257), false),
        ] {
            assert_eq!(check_password("password", &text).is_ok(), fits, "{text}");
        }
    }
}
