//! Texts in parts, so that no file of the repository holds anything that looks like a credential.
//!
//! A part such as `{A-Z0-9:16}` stands for sixteen characters of that set, drawn deterministically from a seed.

/// The text of parts.
pub(crate) fn expand(parts: &[String], seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
    parts.iter().map(|part| dice.part(part)).collect()
}

/// A small generator: the same seed gives the same text on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn part(&mut self, part: &str) -> String {
        let inside = part
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        let spec = inside.and_then(|inside| inside.rsplit_once(':'));
        let Some((set, Ok(count))) = spec.map(|(set, count)| (set, count.parse::<usize>())) else {
            return part.to_owned();
        };
        let letters = members(set);
        let pick =
            |dice: &mut Self| letters[usize::try_from(dice.roll() >> 33).unwrap() % letters.len()];
        (0..count).map(|_| pick(self)).collect()
    }
}

/// `A-Z0-9_` written out.
fn members(set: &str) -> Vec<char> {
    let characters: Vec<char> = set.chars().collect();
    let mut letters = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let to = characters
            .get(at + 2)
            .filter(|_| characters.get(at + 1) == Some(&'-'));
        match to {
            Some(to) => {
                letters.extend(characters[at]..=*to);
                at += 3;
            }
            None => {
                letters.push(characters[at]);
                at += 1;
            }
        }
    }
    letters
}
