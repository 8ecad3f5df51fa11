//! What a value looks like: a word, a password, a digest, or something random.

use std::sync::LazyLock;

use super::words::{BENIGN_PREFIXES, NO_SECRETS, PLACEHOLDER_PARTS, STAND_INS};
use crate::lexicon::WordSet;

static IS_NO_SECRET: LazyLock<WordSet<&str>> =
    LazyLock::new(|| NO_SECRETS.iter().copied().collect());
static IS_PLACEHOLDER: LazyLock<WordSet<&str>> =
    LazyLock::new(|| PLACEHOLDER_PARTS.iter().copied().collect());

/// How much a value looks like a secret, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// Never one: a placeholder, a path, a date.
    Nothing,
    /// A word, or words.
    Word,
    /// Letters with digits or signs, as people choose passwords.
    Mixed,
    /// A digest, a UUID or a long number: a secret only where something says so.
    Digest,
    /// Random letters and digits.
    Random,
}

/// Lengths of digests in hexadecimal digits.
const DIGEST_LENGTHS: &[usize] = &[32, 40, 48, 56, 64, 96, 128];
/// A word that is shorter is nobody's password.
pub(super) const SHORTEST_WORD: usize = 8;
/// The shortest value that is called random.
const SHORTEST_RANDOM: usize = 15;

/// What `value` looks like.
pub(super) fn classify(value: &str) -> Class {
    if value.len() < 4 {
        return Class::Nothing;
    }
    // A link, a path or a hash with its name is told by less than any count of its letters.
    let long = value.len() >= SHORTEST_WORD;
    if long && is_benign(value) {
        return Class::Nothing;
    }
    let class = look(value);
    // Most values are short words, and those are never taken, so nothing more is asked about them.
    if class == Class::Nothing || class == Class::Word && !long {
        return class;
    }
    if is_placeholder(value) || !long && is_benign(value) {
        return Class::Nothing;
    }
    class
}

fn look(value: &str) -> Class {
    if is_digest(value) {
        return Class::Digest;
    }
    let traits = Traits::of(value);
    if traits.letters == 0 {
        return traits.class_without_letters();
    }
    if value.len() >= SHORTEST_RANDOM && traits.is_random(value) {
        return Class::Random;
    }
    if traits.is_mixed(value) {
        return Class::Mixed;
    }
    Class::Word
}

/// Counts of kinds of characters.
#[derive(Default)]
struct Traits {
    letters: usize,
    digits: usize,
    /// `_`, `-`, `.`, `/`, `:`
    separators: usize,
    signs: usize,
    others: usize,
}

impl Traits {
    fn of(value: &str) -> Self {
        let mut traits = Self::default();
        for byte in value.bytes() {
            match byte {
                b'0'..=b'9' => traits.digits += 1,
                b'a'..=b'z' | b'A'..=b'Z' => traits.letters += 1,
                b'_' | b'-' | b'.' | b'/' | b':' | b',' => traits.separators += 1,
                0x21..=0x7e => traits.signs += 1,
                _ => traits.others += 1,
            }
        }
        traits
    }

    /// Numbers, dates, versions, amounts; only a very long number stands for something.
    const fn class_without_letters(&self) -> Class {
        let plain = self.separators == 0 && self.signs == 0 && self.others == 0;
        if self.signs > 1 && self.digits > 3 {
            Class::Mixed
        } else if plain && self.digits >= 12 {
            Class::Digest
        } else if plain && self.digits >= 6 {
            Class::Word
        } else {
            Class::Nothing
        }
    }

    fn is_random(&self, value: &str) -> bool {
        if self.others * 4 > value.len() {
            return false;
        }
        if self.digits > 0 {
            return !self.reads_as_words(value) && entropy(value) >= 2.7;
        }
        if value.len() < 20 {
            return false;
        }
        let words = wordlike_bytes(value);
        let bits = entropy(value);
        let mostly_words = words * 100 >= value.len() * 62;
        bits >= 3.6 && words * 100 < value.len() * 45 && !value.contains('/')
            || value.len() >= 24 && bits >= 4.2 && self.separators == 0 && !mostly_words
    }

    /// Names with a number in them, such as `release-notes-2024` or `ultraPictureBox1`.
    fn reads_as_words(&self, value: &str) -> bool {
        if self.signs > 0 {
            return false;
        }
        let hexadecimal = value
            .bytes()
            .all(|b| b.is_ascii_hexdigit() || !b.is_ascii_alphanumeric());
        if hexadecimal {
            return false;
        }
        let words = wordlike_bytes(value);
        let few_digits = self.digits * 3 <= value.len()
            || self.separators >= 2 && words >= 8
            || are_words_and_whole_numbers(value);
        few_digits && words * 100 >= self.letters * 70
    }

    fn is_mixed(&self, value: &str) -> bool {
        let enough = value.len() >= 6;
        let like_a_name = self.separators > 0
            && self.signs == 0
            && wordlike_bytes(value) * 2 >= value.len() - self.separators;
        let unit =
            self.digits > 0 && value.starts_with(|c: char| c.is_ascii_digit()) && self.letters <= 3;
        enough && self.others == 0 && !like_a_name && !unit && (self.digits > 0 || self.signs > 0)
    }
}

/// Words and whole numbers beside each other, such as `desk-1764235678901`: something that somebody numbered.
fn are_words_and_whole_numbers(value: &str) -> bool {
    value
        .split(|c: char| !c.is_ascii_alphanumeric())
        .all(|part| could_be_word(part) || part.bytes().all(|b| b.is_ascii_digit()))
}

/// How many bytes of `value` belong to parts that could be words: letters only, at least three, with a vowel, in one
/// case or capitalised.
pub(super) fn wordlike_bytes(value: &str) -> usize {
    let mut total = 0;
    for part in value.split(|c: char| !c.is_ascii_alphabetic()) {
        let mut rest = part;
        while !rest.is_empty() {
            let (hump, behind) = first_hump(rest);
            if could_be_word(hump) {
                total += hump.len();
            }
            rest = behind;
        }
    }
    total
}

/// `keyPressed` is `key` and `Pressed`; `HTTPServer` is taken whole.
pub(super) fn first_hump(part: &str) -> (&str, &str) {
    let bytes = part.as_bytes();
    let cut = bytes
        .array_windows::<2>()
        .position(|[a, b]| a.is_ascii_lowercase() && b.is_ascii_uppercase());
    let at = cut.map_or(part.len(), |at| at + 1);
    part.split_at_checked(at).unwrap_or((part, ""))
}

pub(super) fn could_be_word(part: &str) -> bool {
    if part.len() < 3 || part.len() > 18 {
        return false;
    }
    let bytes = part.as_bytes();
    let tail = bytes.get(1..).unwrap_or_default();
    let cased = tail.iter().all(u8::is_ascii_lowercase) || bytes.iter().all(u8::is_ascii_uppercase);
    if !cased {
        return false;
    }
    let (mut vowels, mut gap, mut longest_gap) = (0, 0, 0);
    for byte in bytes {
        let lower = byte.to_ascii_lowercase();
        if matches!(lower, b'a' | b'e' | b'i' | b'o' | b'u' | b'y') {
            vowels += 1;
            gap = 0;
        } else {
            gap += 1;
            longest_gap = longest_gap.max(gap);
        }
    }
    vowels > 0 && longest_gap <= 4 && vowels * 6 >= part.len() && vowels * 10 <= part.len() * 8
}

/// Whether a line that stands where a wrapped value could go on begins with more of a value: with letters and digits as
/// chance mixes them, not with a word, a name, a number, a date or a rule across the page.
pub(super) fn could_go_on(line: &str) -> bool {
    const SHORTEST_MIXED: usize = 4;
    let ends = |c: char| c.is_whitespace() || "\"'`()[]{}<>,;".contains(c);
    let token = line.split(ends).next().unwrap_or_default();
    let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
    let letters = bare.bytes().filter(u8::is_ascii_alphabetic).count();
    if bare.is_empty() || !bare.is_ascii() || is_masked(bare) || token.contains("://") {
        return false;
    }
    if letters == bare.len() {
        return letters_could_go_on(bare);
    }
    let behind = line.get(token.len()..).unwrap_or_default();
    // "42 people" counts; a number that ends its line does not count what the next line begins with.
    let counts = behind
        .trim_start_matches([' ', '\t'])
        .starts_with(char::is_alphabetic);
    if letters == 0 {
        return !counts && bare.bytes().all(|b| b.is_ascii_digit());
    }
    let short = bare.len() < SHORTEST_MIXED && counts;
    let named = behind
        .trim_start_matches([' ', '\t'])
        .starts_with(['=', ':']);
    !short && !named && !assigns_to_a_name(bare) && !is_numbered_name(bare)
}

/// Whether letters are a name such as products have: a few humps, each of which can be spoken.
fn is_name_in_humps(letters: &str) -> bool {
    const MOST: usize = 4;
    let mut rest = letters;
    for _ in 0..MOST {
        let (hump, behind) = first_hump(rest);
        let tail = hump.get(1..).unwrap_or_default();
        let spoken = hump.starts_with(|c: char| c.is_ascii_uppercase())
            && tail.len() >= 2
            && tail.bytes().all(|b| b.is_ascii_lowercase())
            && hump.bytes().any(|b| b"aeiouyAEIOUY".contains(&b));
        if !spoken {
            return false;
        }
        if behind.is_empty() {
            return true;
        }
        rest = behind;
    }
    false
}

/// Letters alone go on where they are no word, and so many that a window of the value would stand in them.
fn letters_could_go_on(letters: &str) -> bool {
    const SHORTEST: usize = 8;
    const LONGEST_WORD: usize = 30;
    let (hump, behind) = first_hump(letters);
    let tail = hump.get(1..).unwrap_or_default();
    let long_word = || {
        let vowels = hump.bytes().filter(|b| b"aeiouy".contains(b)).count();
        hump.len() < LONGEST_WORD
            && tail.bytes().all(|b| b.is_ascii_lowercase())
            && vowels * 3 >= hump.len()
    };
    if behind.is_empty() && letters.len() < SHORTEST || is_name_in_humps(letters) {
        return false;
    }
    let wordlike = wordlike_bytes(letters) * 10 >= letters.len() * 7;
    !(wordlike || behind.is_empty() && long_word())
}

/// `KEY=1`, `user:anna`, `smtp_port=25`.
fn assigns_to_a_name(piece: &str) -> bool {
    let name = piece.split(['=', ':']).next().unwrap_or_default();
    let joined = name.contains('_') && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    name.len() < piece.len() && (joined || wordlike_bytes(name) * 2 >= name.len())
}

/// `db-prod-01`, `user1234`, `release-2024`: words, each with a number behind it or none.
fn is_numbered_name(piece: &str) -> bool {
    let part_of_a_name = |part: &str| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = part.len() - word.len();
        let letters = word.bytes().all(|byte| byte.is_ascii_alphabetic());
        number <= 4 && letters && (word.len() < 3 || could_be_word(word))
    };
    wordlike_bytes(piece) >= 3 && piece.split(['-', '_', '.', '/']).all(part_of_a_name)
}

/// Shannon entropy in bits a byte.
pub(super) fn entropy(value: &str) -> f32 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "lengths of values are small")]
    let total = value.len() as f32;
    let bits = |count: &u32| {
        #[expect(clippy::cast_precision_loss, reason = "counts of bytes are small")]
        let share = *count as f32 / total;
        -share * share.log2()
    };
    // Few bytes occur at all, so most of the table is passed over eight counts at a time.
    let occurring = counts
        .as_chunks::<8>()
        .0
        .iter()
        .filter(|some| **some != [0; 8]);
    let occurring = occurring.flatten().filter(|count| **count > 0);
    occurring.map(bits).sum()
}

pub(super) fn is_digest(value: &str) -> bool {
    let hex = value.strip_prefix("0x").unwrap_or(value);
    let all_hex = |text: &str| text.bytes().all(|b| b.is_ascii_hexdigit());
    let minted = || {
        // A prefix of at most eight letters, a bar and thirty-two digits.
        let (prefix, rest) = value
            .split_once('_')
            .filter(|_| value.len() <= 8 + 1 + 32)?;
        let named = prefix.len() <= 8 && prefix.bytes().all(|b| b.is_ascii_lowercase());
        Some(named && rest.len() == 32 && all_hex(rest))
    };
    (DIGEST_LENGTHS.contains(&hex.len()) && all_hex(hex))
        || is_uuid(value)
        || minted() == Some(true)
}

fn is_uuid(value: &str) -> bool {
    let lengths = value.split('-').map(str::len);
    value.len() == 36
        && lengths.eq([8, 4, 4, 4, 12])
        && value.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

/// Whether `value` says that something else is to stand in its place.
pub(super) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
    // `CleartextPassword1`: somebody counts what stands in for passwords.
    let uncounted = bare.trim_end_matches(|c: char| c.is_ascii_digit());
    bare.is_empty()
        || IS_NO_SECRET.contains(bare)
        || STAND_INS.contains(&uncounted)
        || is_variable(value)
        || is_masked(value)
        || value.ends_with("EXAMPLE")
        || value.ends_with("EXAMPLEKEY")
        || has_placeholder_part(bare, 2)
}

/// Whether a value is mostly typed along the alphabet, the digits or the rows of a keyboard, as nobody's secret is.
///
/// Chance makes runs of this length in one of a million places, so a random value that holds one keeps far more
/// characters outside of it.
pub(super) fn is_typed_along(value: &str) -> bool {
    const SHORTEST_RUN: usize = 3;
    const MOST_PERCENT: usize = 70;
    let bytes = value.as_bytes();
    let count = bytes.iter().filter(|b| b.is_ascii_alphanumeric()).count();
    let (mut typed, mut run) = (0, 1);
    for [left, right] in bytes.array_windows::<2>() {
        if follows(*left, *right) {
            run += 1;
        } else {
            typed += if run >= SHORTEST_RUN { run } else { 0 };
            run = 1;
        }
    }
    typed += if run >= SHORTEST_RUN { run } else { 0 };
    typed * 100 >= count * MOST_PERCENT
}

/// Whether a key is the next one in the alphabet, among the digits or in a row of the keyboard, without case.
fn follows(left: u8, right: u8) -> bool {
    const ROWS: [&[u8]; 3] = [b"qwertyuiop", b"asdfghjkl", b"zxcvbnm"];
    let (left, right) = (left.to_ascii_lowercase(), right.to_ascii_lowercase());
    let both = left.is_ascii_alphanumeric() && right.is_ascii_alphanumeric();
    let next = right == left.wrapping_add(1) || (left, right) == (b'9', b'0');
    let in_row = |row: &&[u8]| row.array_windows().any(|pair| *pair == [left, right]);
    both && (next || ROWS.iter().any(in_row))
}

/// Whether what has a credential's own shape is a placeholder all the same. Chance writes short words into random
/// values, so they do not count here.
pub(super) fn is_masked_shape(value: &str) -> bool {
    is_masked(value)
        || is_variable(value)
        || value.ends_with("EXAMPLE")
        || value.ends_with("EXAMPLEKEY")
        || has_placeholder_part(&value.to_ascii_lowercase(), 4)
}

fn has_placeholder_part(lower: &str, shortest: usize) -> bool {
    lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| part.len() >= shortest)
        .any(|part| IS_PLACEHOLDER.contains(part))
}

/// `$VAR`, `${VAR}`, `$(command)`, `{{ field }}`, `<name>`, `%VAR%`, `@name@`, `#{expression}`.
fn is_variable(value: &str) -> bool {
    let name = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'[' | b']'))
            && wordlike_bytes(text) * 2 >= text.len()
    };
    let wrapped = |open: &str, close: &str| {
        let inside = value.strip_prefix(open).and_then(|v| v.strip_suffix(close));
        inside.is_some_and(name)
    };
    value.starts_with("${")
        || value.starts_with("$(")
        || value.starts_with("{{")
        || value.starts_with("#{")
        || value.starts_with("<%")
        || value.contains('{') && (value.contains("{{") || value.contains("${"))
        || value.strip_prefix('$').is_some_and(name)
        || wrapped("<", ">")
        || wrapped("%", "%")
        || wrapped("{", "}")
        || wrapped("[", "]")
        || wrapped("@", "@")
        || wrapped("__", "__")
}

/// `xxxx`, `****`, `....`, and values that are mostly one character.
fn is_masked(value: &str) -> bool {
    let bytes = value.as_bytes();
    let mut run = 0_usize;
    let mut longest = 0_usize;
    let mut previous = None;
    let mut short_mask = !value.is_ascii() && value.contains('…');
    for byte in bytes {
        run = if previous == Some(*byte) { run + 1 } else { 1 };
        previous = Some(*byte);
        let filler = matches!(byte, b'x' | b'X' | b'*' | b'.' | b'#' | b'?');
        let weight = if filler { run * 2 } else { run };
        longest = longest.max(weight);
        short_mask |= run >= 3 && matches!(byte, b'.' | b'*');
    }
    short_mask || longest * 10 > bytes.len() * 8 || longest >= 28
}

/// Whether `value` begins like a hash with its name, a public key or a reference.
pub(super) fn has_benign_prefix(value: &str) -> bool {
    let Some(first) = value.as_bytes().first() else {
        return false;
    };
    let starts = |prefix: &&str| {
        let opens = prefix.as_bytes().first();
        opens.is_some_and(|opens| opens.eq_ignore_ascii_case(first))
            && value
                .get(..prefix.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    // Most values begin as none of them does.
    let may_start = BENIGN_FIRSTS.unbounded_shr(u32::from(first.to_ascii_lowercase())) & 1 != 0;
    may_start && BENIGN_PREFIXES.iter().any(starts)
}

/// The first letters of all of these, in lower case, one bit each.
const BENIGN_FIRSTS: u128 = {
    let mut firsts = 0;
    let mut rest = BENIGN_PREFIXES;
    while let [prefix, others @ ..] = rest {
        if let [first, ..] = prefix.as_bytes() {
            firsts |= 1_u128.unbounded_shl(first.to_ascii_lowercase() as u32);
        }
        rest = others;
    }
    firsts
};

/// Links, paths, addresses, hashes with their name, public keys.
pub(super) fn is_benign(value: &str) -> bool {
    let has = |sign: u8| value.as_bytes().contains(&sign);
    has(b':') && names_by_colon(value)
        || has(b'@') && (names_a_package(value) || is_address(value))
        || has(b'/') && is_path(value)
        || is_version(value)
        || has_benign_prefix(value)
}

/// A link, a hash with its name, a library or a host: what a colon stands in.
fn names_by_colon(value: &str) -> bool {
    value.contains("://")
        || value.contains("sha256:")
        || value.contains("sha512:")
        || value.contains("npm:")
        || value.contains("workspace:")
        || names_an_artifact(value)
        || is_host_and_port(value)
}

fn is_path(value: &str) -> bool {
    let rooted = value.starts_with("./") || value.starts_with("../") || value.starts_with("~/");
    let slashes = value.matches('/').count();
    let wordy = wordlike_bytes(value) * 2 >= value.len();
    rooted || (slashes >= 2 && wordy) || (slashes >= 1 && value.starts_with('/') && wordy)
}

/// `@scope/name`, `name@1.2.3`.
fn names_a_package(value: &str) -> bool {
    let version = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '^' | '~' | 'v'))
            && text.contains('.')
    };
    (value.starts_with('@') && value.contains('/'))
        || value
            .rsplit_once('@')
            .is_some_and(|(name, after)| !name.is_empty() && version(after))
}

/// `org.acme.billing:ledger-core-1.4.2`: the coordinates of a library.
pub(super) fn names_an_artifact(value: &str) -> bool {
    let Some((group, artifact)) = value.split_once(':') else {
        return false;
    };
    let label = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_lowercase())
            && text
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'))
    };
    let name = artifact.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ':'));
    let name = name.trim_end_matches('-');
    group.contains('.')
        && group.split('.').all(label)
        && wordlike_bytes(group) * 2 >= group.len()
        && name.split(['.', ':']).all(label)
        && wordlike_bytes(name) * 2 >= name.len()
}

/// `db-3.internal.acme.io:5432`
fn is_host_and_port(value: &str) -> bool {
    let Some((host, port)) = value.rsplit_once(':') else {
        return false;
    };
    let label = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let top = host.rsplit('.').next().unwrap_or_default();
    (2..=5).contains(&port.len())
        && port.bytes().all(|b| b.is_ascii_digit())
        && host.contains('.')
        && host.split('.').all(label)
        && top.len() >= 2
        && top.bytes().all(|b| b.is_ascii_lowercase())
}

/// `1.2.3`, `v0.0.0-20210331224755-41bb18bfe9da`, `^1.0.0`.
fn is_version(value: &str) -> bool {
    let bare = value.trim_start_matches(['v', 'V', '^', '~', '=', '>', '<']);
    let mut parts = bare.splitn(3, '.');
    let number = |part: &str| {
        !part.is_empty() && part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit())
    };
    let first = parts.next().is_some_and(number);
    let second = parts.next().is_some_and(number);
    first
        && second
        && parts
            .next()
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_address(value: &str) -> bool {
    let Some((who, host)) = value.rsplit_once('@') else {
        return false;
    };
    let labels = host.split('.').count();
    let name = |text: &str| {
        text.bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'+'))
    };
    let top = host.rsplit('.').next().unwrap_or_default();
    labels >= 2
        && !who.is_empty()
        && name(who)
        && name(host)
        && top.len() >= 2
        && top.bytes().all(|b| b.is_ascii_alphabetic())
}
