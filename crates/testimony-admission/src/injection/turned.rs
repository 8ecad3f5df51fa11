//! Texts that say how they are to be read: letters turned by thirteen, or the last one first.
//!
//! Only a text that speaks of such a reading is read so, or one in which words stand that no attack does without.

use crate::listed::Listed;

/// What speaks of letters that are turned by thirteen, and of the last one first.
#[rustfmt::skip]
const TURNED: &[&str] = &["rot13", "rot-13", "rot 13", "vtaber", "vafgehpgvbaf", "cebzcg", "qvfertneq", "thvqryvarf", "pbairefngvba", "cnffjbeqf"];
#[rustfmt::skip]
const BACKWARDS: &[&str] = &["backward", "reverse", "mirrored", "rückwärts", "à l'envers", "al revés", "al contrario", "al rovescio", "de trás para", "achterstevoren", "wspak", "od tyłu", "erongi", "snoitcurtsni", "tpmorp", "dragersid", "senilediug", "noitasrevnoc", "sdrowssap"];

/// The text in the readings that it speaks of.
pub(super) fn readings(folded: &str) -> Vec<Listed> {
    let speaks_of = |words: &[&str]| words.iter().any(|word| folded.contains(word));
    let turned = speaks_of(TURNED).then(|| folded.chars().map(by_thirteen).collect::<String>());
    let backwards = speaks_of(BACKWARDS).then(|| folded.chars().rev().collect::<String>());
    let readings = turned.into_iter().chain(backwards);
    readings.map(|text| Listed::of(&text)).collect()
}

const fn by_thirteen(letter: char) -> char {
    match letter {
        'a'..='m' => (letter as u8 + 13) as char,
        'n'..='z' => (letter as u8 - 13) as char,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let readings = readings(text).into_iter();
        readings.map(|listed| listed.folded.text).collect()
    }

    #[test]
    fn a_text_is_turned_only_where_it_says_so() {
        assert_eq!(read("rot13: nyy"), ["ebg13: all"]);
        assert_eq!(read("backwards: lla"), ["all :sdrawkcab"]);
        assert_eq!(read("snoitcurtsni"), ["instructions"]);
        assert!(read("vtnaer erangi").is_empty());
    }
}
