//! Which characters vanish, which become ASCII, and which letters look like Latin ones.

/// What becomes of a character.
pub(super) enum Fate {
    /// It cannot be seen.
    Dropped,
    /// It reads as another one.
    Becomes(char),
    /// Unicode says what it reads as.
    Normalised,
}

/// What becomes of a character that stands alone.
pub(super) fn fate(character: char) -> Fate {
    match character {
        '\u{e0020}'..='\u{e007e}' => {
            let ascii = u32::from(character) - 0xe_0000;
            char::from_u32(ascii).map_or(Fate::Dropped, Fate::Becomes)
        }
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => Fate::Dropped,
        '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{2800}'
        | '\u{3000}' => Fate::Becomes(' '),
        '\u{85}' | '\u{2028}' | '\u{2029}' => Fate::Becomes('\n'),
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' => Fate::Becomes('\''),
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' => Fate::Becomes('"'),
        _ => letter_on_a_disc(character).map_or(Fate::Normalised, Fate::Becomes),
    }
}

/// The capital that is drawn on a disc or a tile.
fn letter_on_a_disc(character: char) -> Option<char> {
    let first = match character {
        '\u{1f150}'..='\u{1f169}' => 0x1_f150,
        '\u{1f170}'..='\u{1f189}' => 0x1_f170,
        _ => return None,
    };
    char::from_u32(u32::from('A') + u32::from(character) - first)
}

/// The ASCII character that a letter or sign of another script is drawn like.
pub(super) fn latin_twin(character: char) -> Option<char> {
    if character.is_ascii() {
        return None;
    }
    let index = TWINS
        .binary_search_by_key(&character, |(other, _)| *other)
        .ok()?;
    TWINS.get(index).map(|(_, twin)| *twin)
}

/// Look-alikes, in code point order.
#[rustfmt::skip]
const TWINS: &[(char, char)] = &[
    // Latin letters beside the ASCII ones.
    ('ı', 'i'), ('ǫ', 'q'), ('ȷ', 'j'), ('ɑ', 'a'), ('ɡ', 'g'), ('ɢ', 'G'), ('ɩ', 'i'), ('ɪ', 'I'), ('ɴ', 'N'),
    ('ʀ', 'R'), ('ʏ', 'Y'), ('ʙ', 'B'), ('ʜ', 'H'), ('ʟ', 'L'), ('˗', '-'),
    // Greek.
    ('Α', 'A'), ('Β', 'B'), ('Ε', 'E'), ('Ζ', 'Z'), ('Η', 'H'), ('Ι', 'I'), ('Κ', 'K'), ('Μ', 'M'), ('Ν', 'N'),
    ('Ο', 'O'), ('Ρ', 'P'), ('Τ', 'T'), ('Υ', 'Y'), ('Χ', 'X'), ('α', 'a'), ('γ', 'y'), ('ε', 'e'), ('η', 'n'),
    ('ι', 'i'), ('κ', 'k'), ('ν', 'v'), ('ο', 'o'), ('ρ', 'p'), ('τ', 't'), ('υ', 'u'), ('χ', 'x'), ('ω', 'w'),
    ('ϳ', 'j'),
    // Cyrillic.
    ('Ѕ', 'S'), ('І', 'I'), ('Ј', 'J'), ('А', 'A'), ('В', 'B'), ('Е', 'E'), ('З', '3'), ('К', 'K'), ('М', 'M'),
    ('Н', 'H'), ('О', 'O'), ('Р', 'P'), ('С', 'C'), ('Т', 'T'), ('У', 'Y'), ('Х', 'X'), ('Ь', 'b'), ('а', 'a'),
    ('б', '6'), ('в', 'B'), ('г', 'r'), ('е', 'e'), ('з', '3'), ('к', 'k'), ('м', 'm'), ('н', 'H'), ('о', 'o'),
    ('п', 'n'), ('р', 'p'), ('с', 'c'), ('т', 't'), ('у', 'y'), ('х', 'x'), ('ь', 'b'), ('ѕ', 's'), ('і', 'i'),
    ('ј', 'j'), ('Ѵ', 'V'), ('ѵ', 'v'), ('ғ', 'f'), ('Ү', 'Y'), ('ү', 'y'), ('һ', 'h'), ('Ӏ', 'I'), ('ӏ', 'l'), ('Ԁ', 'd'),
    ('ԁ', 'd'), ('Ԍ', 'G'), ('Ԛ', 'Q'), ('ԛ', 'q'), ('Ԝ', 'W'), ('ԝ', 'w'),
    // Armenian.
    ('Տ', 'S'), ('Օ', 'O'), ('գ', 'q'), ('զ', 'q'), ('հ', 'h'), ('ո', 'n'), ('ս', 'u'), ('ց', 'g'), ('օ', 'o'),
    // Cherokee.
    ('Ꭰ', 'D'), ('Ꭱ', 'R'), ('Ꭲ', 'T'), ('Ꭺ', 'A'), ('Ꭻ', 'J'), ('Ꭼ', 'E'), ('Ꮃ', 'W'), ('Ꮇ', 'M'), ('Ꮋ', 'H'),
    ('Ꮐ', 'G'), ('Ꮓ', 'Z'), ('Ꮪ', 'S'), ('Ꮮ', 'L'), ('Ꮯ', 'C'), ('Ꮲ', 'P'), ('Ꮶ', 'K'),
    // Small capitals.
    ('ᴀ', 'A'), ('ᴄ', 'C'), ('ᴅ', 'D'), ('ᴇ', 'E'), ('ᴊ', 'J'), ('ᴋ', 'K'), ('ᴍ', 'M'), ('ᴏ', 'O'), ('ᴘ', 'P'),
    ('ᴛ', 'T'), ('ᴜ', 'U'), ('ᴠ', 'V'), ('ᴡ', 'W'), ('ᴢ', 'Z'),
    // Dashes, slashes and other signs.
    ('‐', '-'), ('‑', '-'), ('‒', '-'), ('–', '-'), ('⁄', '/'), ('−', '-'), ('∕', '/'), ('∗', '*'), ('∶', ':'),
    ('ꓸ', '.'),
    // The small capitals that came late.
    ('ꜰ', 'F'), ('ꜱ', 'S'),
];

/// Whether a character is a small letter drawn as a capital, of which no language makes words.
pub(super) const fn is_small_capital(character: char) -> bool {
    matches!(
        character,
        'ɢ' | 'ɪ' | 'ɴ' | 'ʀ' | 'ʏ' | 'ʙ' | 'ʜ' | 'ʟ' | 'ᴀ'..='ᴢ' | 'ꜰ' | 'ꜱ'
    )
}

#[cfg(test)]
mod tests {
    use super::TWINS;

    #[test]
    fn twins_stand_in_order_and_become_ascii() {
        assert!(TWINS.is_sorted_by(|(a, _), (b, _)| a < b));
        assert!(
            TWINS
                .iter()
                .all(|(from, to)| !from.is_ascii() && to.is_ascii())
        );
    }
}
