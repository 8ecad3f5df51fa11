//! Words that were read before, each once: a text is then read by looking its words up, and rows share them.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use crate::mark::ByMark;
use crate::text::{Form, Language, Piece};

/// So many words are kept; when there are more, it begins anew.
const WORDS: usize = 32_768;
/// A longer word is hardly one that comes again.
const LONGEST_KEPT: usize = 64;

/// Words as they are written, read. What it holds changes no reading, only how soon a text is read.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// By the place of the language, and by the number of the word as it is written.
    forms: Vec<ByMark<Arc<Form>>>,
    /// By which words as they are written become numbers: in each vocabulary by others, that nobody knows, so that no two
    /// words have one number by anybody's wish.
    numbers: RandomState,
    words: usize,
    /// How many bytes all that were read here took, for whoever asks what a text brought along.
    brought: usize,
}

impl Vocabulary {
    /// A word as it stands in a text of a language.
    pub(crate) fn form(&mut self, word: &Piece<'_>, language: Language) -> Arc<Form> {
        let number = self.numbers.hash_one(word.written);
        let known = self.forms.get(language.place).filter(|_| !word.whole);
        if let Some(form) = known.and_then(|forms| forms.get(&number)) {
            return Arc::clone(form);
        }
        let form = Arc::new(word.form(language));
        self.brought += form.bytes();
        // An identifier after its parts is read otherwise than the same letters alone.
        if !word.whole && word.written.len() <= LONGEST_KEPT {
            self.keep(number, language.place, &form);
        }
        form
    }

    /// How many bytes the words that were read here have taken so far, whether or not they are still kept.
    pub(crate) const fn brought(&self) -> usize {
        self.brought
    }

    fn keep(&mut self, number: u64, place: usize, form: &Arc<Form>) {
        if self.words >= WORDS {
            self.forms.clear();
            self.words = 0;
        }
        if self.forms.len() <= place {
            self.forms.resize_with(place + 1, ByMark::default);
        }
        if let Some(forms) = self.forms.get_mut(place) {
            forms.insert(number, Arc::clone(form));
            self.words += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{read, read_with};

    #[test]
    fn what_was_read_before_changes_no_reading() {
        let texts = [
            "Ana’s fooBar listens on HTTP2 at 9am: 4411.",
            "Deploy a_b and x.y/z to eu-west-1, not north-west or ÜberCool",
            "Was kostet das Öl der Firma? Und die Straße?",
            "Rex must not die of thirst, and Die must not be read in German",
            "Où habite la cousine de René à présent ?",
            "ana’s deploy was a-b. a_b! A_b, -5 don't Don't DON'T",
        ];
        let mut used = Vocabulary::default();
        for _ in 0..2 {
            for text in texts {
                assert_eq!(read_with(text, &mut used), read(text), "{text}");
            }
        }
    }

    #[test]
    fn only_so_many_words_are_kept() {
        let mut vocabulary = Vocabulary::default();
        for number in 0..WORDS + 10 {
            read_with(&format!("word{number}"), &mut vocabulary);
        }
        assert!(vocabulary.words <= WORDS);
        let kept: usize = vocabulary.forms.iter().map(ByMark::len).sum();
        assert_eq!(kept, vocabulary.words);
        let before = vocabulary.brought();
        read_with(&"long".repeat(40), &mut vocabulary);
        assert!(vocabulary.brought() > before && vocabulary.words == kept);
    }
}
