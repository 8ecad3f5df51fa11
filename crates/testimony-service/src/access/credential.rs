//! A credential as its holder has it: `tst_<kind>_<id>_<secret><check>`.
//!
//! The id says which record it belongs to, so that nothing has to be searched by a secret; the check at its end tells
//! a typing error from a wrong key before anything is looked up, and lets scanners of repositories know one for sure.

use std::fmt;

use testimony_domain::{KeyId, PrincipalKind};

use crate::ports::chance::{Chance, NoChance};

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// So many digits hold 128 bits.
const WIDTH: usize = 22;
/// So many digits hold the 32 bits of the check.
const CHECK: usize = 6;

/// A credential, with its secret. It prints itself only when it is asked for its [words](Credential::reveal).
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    kind: PrincipalKind,
    key: KeyId,
    secret: String,
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credential({} {}, …)", self.kind, self.key)
    }
}

impl Credential {
    /// A new credential for a record.
    ///
    /// # Errors
    /// [`NoChance`] when the system has no random bytes to give.
    pub fn make(kind: PrincipalKind, key: KeyId, chance: &dyn Chance) -> Result<Self, NoChance> {
        let secret = unguessable(chance)?;
        Ok(Self { kind, key, secret })
    }

    /// Reads a credential as its holder sends it; `None` when it is none.
    #[must_use]
    pub fn read(words: &str) -> Option<Self> {
        let mut parts = words.strip_prefix("tst_")?.split('_');
        let (kind, id, rest) = (parts.next()?, parts.next()?, parts.next()?);
        let kind = PrincipalKind::parse("kind", kind).ok()?;
        let key = number(id, WIDTH)?;
        let (secret, check) = rest.split_at_checked(2 * WIDTH)?;
        let whole = parts.next().is_none() && secret.bytes().all(|byte| digit(byte).is_some());
        // Each part is spelled in one way, so what stands before the check is what it was made of.
        let checked = words.strip_suffix(check)?;
        let fits = check.len() == CHECK && number(check, CHECK) == Some(sum_of(checked).into());
        (whole && fits).then(|| Self {
            kind,
            key: KeyId::from_uuid(uuid::Uuid::from_u128(key)),
            secret: secret.to_owned(),
        })
    }

    /// What kind of credential it says it is.
    #[must_use]
    pub const fn kind(&self) -> PrincipalKind {
        self.kind
    }

    /// Which record it belongs to.
    #[must_use]
    pub const fn key(&self) -> KeyId {
        self.key
    }

    /// The part that is hashed.
    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }

    /// The whole credential, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{}{}{}", self.head(), self.secret, self.check())
    }

    fn head(&self) -> String {
        format!(
            "tst_{}_{}_",
            self.kind,
            digits(self.key.uuid().as_u128(), WIDTH)
        )
    }

    fn check(&self) -> String {
        let sum = sum_of(&format!("{}{}", self.head(), self.secret));
        digits(sum.into(), CHECK)
    }
}

/// What the check says of the words before it.
fn sum_of(words: &str) -> u32 {
    crc32fast::hash(words.as_bytes())
}

/// 256 bits that nobody can guess, in letters and digits.
pub(super) fn unguessable(chance: &dyn Chance) -> Result<String, NoChance> {
    let mut halves = [[0_u8; 16]; 2];
    for half in &mut halves {
        chance.fill(half)?;
    }
    let digits = halves.map(|half| digits(u128::from_be_bytes(half), WIDTH));
    Ok(digits.concat())
}

/// A number in so many digits of base 62.
fn digits(mut number: u128, width: usize) -> String {
    let mut backwards = Vec::with_capacity(width);
    for _ in 0..width {
        let digit = DIGITS.get((number % 62) as usize).copied().unwrap_or(b'0');
        backwards.push(char::from(digit));
        number /= 62;
    }
    backwards.into_iter().rev().collect()
}

fn number(text: &str, width: usize) -> Option<u128> {
    if text.len() != width {
        return None;
    }
    text.bytes().try_fold(0_u128, |number, byte| {
        number.checked_mul(62)?.checked_add(digit(byte)?.into())
    })
}

/// Where a digit stands among them.
const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'Z' => Some(byte - b'A' + 10),
        b'a'..=b'z' => Some(byte - b'a' + 36),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use testimony_domain::SequentialIds;

    struct Counting(std::sync::atomic::AtomicU8);

    impl Chance for Counting {
        fn fill(&self, bytes: &mut [u8]) -> Result<(), NoChance> {
            bytes.fill_with(|| self.0.fetch_add(37, std::sync::atomic::Ordering::Relaxed));
            Ok(())
        }
    }

    fn sample() -> Credential {
        let key = KeyId::mint(&SequentialIds::default());
        Credential::make(PrincipalKind::Agent, key, &Counting(5.into())).unwrap()
    }

    #[test]
    fn a_credential_is_read_as_it_was_shown() {
        let credential = sample();
        assert_eq!(Credential::read(&credential.reveal()), Some(credential));
    }

    #[test]
    fn one_wrong_letter_is_noticed_wherever_it_stands() {
        let words = sample().reveal();
        for at in 0..words.len() {
            let mut wrong = words.clone().into_bytes();
            wrong[at] = if wrong[at] == b'x' { b'y' } else { b'x' };
            assert_eq!(
                Credential::read(std::str::from_utf8(&wrong).unwrap()),
                None,
                "{at}"
            );
        }
    }

    #[test]
    fn digits_stand_where_they_are_written() {
        for byte in 0..=u8::MAX {
            let place = DIGITS.iter().position(|digit| *digit == byte);
            assert_eq!(digit(byte).map(usize::from), place);
        }
    }

    #[test]
    fn it_does_not_print_its_secret() {
        let credential = sample();
        assert!(!format!("{credential:?}").contains(credential.secret()));
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange_to_be_refused(text in "(tst_)?\\PC{0,120}") {
            prop_assert_eq!(Credential::read(&text), None);
        }
    }
}
