//! Tokens are those of the reference tokeniser of the model, on texts that are hard to cut.

use proptest::prelude::*;
use testimony_embedding::StaticEmbedder;
use testimony_embedding::wordpiece::{Casing, Vocabulary, VocabularyError, WordPiece};

use crate::support;

#[derive(serde::Deserialize)]
struct Case {
    text: String,
    tokens: Vec<u32>,
}

#[test]
fn tokens_are_those_of_the_reference() {
    let embedder = StaticEmbedder::built_in().unwrap();
    for (line, case) in support::cases::<Case>("wordpiece/reference.jsonl") {
        let found = embedder.tokeniser().tokens(&case.text);
        assert_eq!(found, case.tokens, "line {line}: {:?}", case.text);
    }
}

/// The reference reads these words as orders to the model; here they are what somebody wrote.
#[test]
fn names_of_special_tokens_are_ordinary_text() {
    let embedder = StaticEmbedder::built_in().unwrap();
    let tokeniser = embedder.tokeniser();
    let vocabulary = tokeniser.vocabulary();
    for name in ["[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]"] {
        let special = vocabulary.id(name).unwrap();
        assert!(!tokeniser.tokens(name).contains(&special), "{name}");
    }
}

fn small(casing: Casing) -> WordPiece {
    let tokens = ["[UNK]", "un", "##able", "##a", "Un", "é", "e", ","];
    WordPiece::new(Vocabulary::new(tokens).unwrap(), casing)
}

#[test]
fn words_are_cut_into_the_longest_pieces_or_are_unknown_as_a_whole() {
    let tokeniser = small(Casing::UNCASED);
    assert_eq!(tokeniser.tokens("unable,una"), [1, 2, 7, 1, 3]);
    assert_eq!(tokeniser.tokens("unb"), [0]);
    assert_eq!(tokeniser.tokens("Un É"), [1, 6]);
}

#[test]
fn cased_models_keep_capitals_and_accents() {
    assert_eq!(small(Casing::CASED).tokens("Un un é"), [4, 1, 5]);
}

#[test]
fn no_more_tokens_come_than_are_wanted() {
    let mut taken = Vec::new();
    let mut take = |token| taken.push(token);
    small(Casing::UNCASED).each_token("unable unable unable", 3, &mut take);
    assert_eq!(taken, [1, 2, 1]);
}

#[test]
fn a_vocabulary_needs_an_unknown_token_and_none_twice() {
    let no_unknown = Vocabulary::new(["a"]).unwrap_err();
    assert_eq!(no_unknown, VocabularyError::NoUnknown);
    let twice = Vocabulary::new(["[UNK]", "##a", "##a"]).unwrap_err();
    assert_eq!(twice, VocabularyError::Twice { index: 2 });
}

#[test]
fn the_vocabulary_gives_its_tokens_back_in_their_places() {
    let tokens = ["[UNK]", "a", "##a", "##", "b"];
    assert_eq!(Vocabulary::new(tokens).unwrap().tokens(), tokens);
}

proptest! {
    #![proptest_config(support::config())]

    #[test]
    fn any_text_is_cut_into_known_tokens_no_more_than_it_has_characters(text in support::hostile_text()) {
        let embedder = StaticEmbedder::built_in().unwrap();
        let tokens = embedder.tokeniser().tokens(&text);
        let size = embedder.tokeniser().vocabulary().size();
        prop_assert!(within(&tokens, size));
        // Hangul syllables come apart into up to three letters each, and no other character into more than that.
        prop_assert!(tokens.len() <= 4 * text.chars().count());
    }
}

fn within(tokens: &[u32], size: usize) -> bool {
    tokens.iter().all(|token| (*token as usize) < size)
}

/// The canary: a reader that numbers tokens from one would leave the table with the last of them.
#[test]
fn the_check_of_the_property_catches_a_token_beyond_the_vocabulary() {
    let embedder = StaticEmbedder::built_in().unwrap();
    let size = embedder.tokeniser().vocabulary().size();
    let shifted: Vec<u32> = (1..=size as u32).collect();
    assert!(!within(&shifted, size));
}
