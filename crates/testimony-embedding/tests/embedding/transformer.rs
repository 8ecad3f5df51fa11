//! Sentence models from a folder: the numbers of a plain twin, and a word for everything that can be wrong with a file.

use std::path::Path;

use proptest::prelude::*;
use serde_json::json;
use testimony_embedding::transformer::{ModelFault, Pooling};
use testimony_embedding::{Calibration, Embedder, Point, Transformer};

use crate::tiny_model::{Folder, HIDDEN, POSITIONS};
use crate::{support, tiny_model};

fn opened(folder: &Folder) -> Transformer {
    Transformer::open(folder.path()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn states_are_those_of_a_plain_twin() {
    let folder = Folder::new("twin");
    let model = opened(&folder);
    for text in ["red", "green red , unable", "red red red red red red red"] {
        let sequence = model.sequence(text);
        let found = model.states(&[&sequence]).remove(0);
        let plain = tiny_model::plain_states(&folder.tensors, &sequence);
        assert_eq!(found.numbers.len(), plain.len());
        for (found, plain) in found.numbers.iter().zip(plain) {
            assert!(
                (f64::from(*found) - plain).abs() < 1e-4,
                "{text}: {found} {plain}"
            );
        }
    }
}

/// The canary: a twin with other weights must not agree, or the comparison above sees nothing.
#[test]
fn the_comparison_with_the_twin_sees_a_changed_weight() {
    let folder = Folder::new("canary");
    let model = opened(&folder);
    let sequence = model.sequence("red green");
    let found = model.states(&[&sequence]).remove(0);
    for name in [
        "encoder.layer.1.attention.self.key.weight",
        "encoder.layer.0.output.dense.bias",
    ] {
        let mut tensors = folder.tensors.clone();
        tensors.get_mut(name).unwrap().numbers[3] += 0.5;
        let plain = tiny_model::plain_states(&tensors, &sequence);
        let apart = found
            .numbers
            .iter()
            .zip(plain)
            .any(|(one, other)| (f64::from(*one) - other).abs() > 1e-4);
        assert!(apart, "{name}");
    }
}

#[test]
fn a_text_is_read_to_the_last_position_and_no_further() {
    let folder = Folder::new("long");
    let model = opened(&folder);
    assert_eq!(model.sequence(&"red ".repeat(500)).len(), POSITIONS);
    let shorter = Folder::new("shorter");
    shorter.write("sentence_bert_config.json", &json!({"max_seq_length": 5}));
    assert_eq!(opened(&shorter).sequence(&"red ".repeat(500)).len(), 5);
}

#[test]
fn pooling_is_as_the_folder_says() {
    let folder = Folder::new("pooling");
    let mean = opened(&folder);
    assert_eq!(mean.pooling(), Pooling::Mean);
    folder.write(
        "1_Pooling/config.json",
        &json!({"pooling_mode_cls_token": true}),
    );
    let first = opened(&folder);
    assert_eq!(first.pooling(), Pooling::First);
    let texts = ["red green"];
    assert_ne!(mean.embed(&texts).unwrap(), first.embed(&texts).unwrap());
}

#[test]
fn the_plain_vocabulary_serves_where_there_is_no_other() {
    let folder = Folder::new("plain");
    let rich = opened(&folder).embed(&["Red, unable"]).unwrap();
    folder.remove("tokenizer.json");
    folder.write_bytes("vocab.txt", tiny_model::VOCABULARY.join("\n").as_bytes());
    assert_eq!(opened(&folder).embed(&["Red, unable"]).unwrap(), rich);
}

#[test]
fn weights_of_half_the_size_give_nearly_the_same_vectors() {
    let full = opened(&Folder::new("full")).embed(&["red green"]).unwrap();
    for (name, kind) in [
        ("half", safetensors::Dtype::F16),
        ("brain", safetensors::Dtype::BF16),
    ] {
        let folder = Folder::new(name);
        folder.write_tensors(&folder.tensors, kind);
        let half = opened(&folder).embed(&["red green"]).unwrap();
        let (full, half) = (full[0].as_ref().unwrap(), half[0].as_ref().unwrap());
        assert!(full.cosine(half).unwrap() > 0.99, "{name}");
    }
}

#[test]
fn it_keeps_the_calibration_that_somebody_measured() {
    let folder = Folder::new("measured");
    let point = |cosine, likeness| Point { cosine, likeness };
    let points = vec![point(0.5, 0.0), point(1.0, 1.0)];
    let calibration = Calibration::new("v", points).unwrap();
    let model = opened(&folder).calibrated(calibration.clone());
    assert_eq!(model.calibration(), Some(&calibration));
    let plain = opened(&folder);
    assert_eq!(model.embed(&["red"]), plain.embed(&["red"]));
}

#[test]
fn it_says_who_it_is_and_that_nobody_measured_its_cosines() {
    let folder = Folder::new("who");
    let model = opened(&folder);
    assert_eq!(
        (model.identity().name.as_str(), model.identity().dimensions),
        ("tiny-bert", HIDDEN)
    );
    assert!(model.calibration().is_none());
    let mut tensors = folder.tensors.clone();
    tensors
        .get_mut("embeddings.word_embeddings.weight")
        .unwrap()
        .numbers[0] += 1.0;
    folder.write_tensors(&tensors, safetensors::Dtype::F32);
    assert_ne!(
        opened(&folder).identity().revision,
        model.identity().revision
    );
}

/// A way to break a folder, the file that must be named, and what must be said of it.
type Damage = (
    &'static str,
    fn(&Folder),
    &'static str,
    fn(&ModelFault) -> bool,
);

#[rustfmt::skip]
const DAMAGES: &[Damage] = &[
    ("no settings", |it| it.remove("config.json"), "config.json", |fault| matches!(fault, ModelFault::Unreadable(_))),
    ("settings cut off", |it| it.write_bytes("config.json", b"{\"hidden_size\": 8"), "config.json", |fault| matches!(fault, ModelFault::NotJson(_))),
    ("settings are no text", |it| it.write_bytes("config.json", &[0xFF, 0xFE]), "config.json", |fault| matches!(fault, ModelFault::Unreadable(_))),
    ("another family", |it| it.set("model_type", &json!("t5")), "config.json", |fault| matches!(fault, ModelFault::Unsupported { setting: "model_type", .. })),
    ("another bend", |it| it.set("hidden_act", &json!("swish")), "config.json", |fault| matches!(fault, ModelFault::Unsupported { setting: "hidden_act", .. })),
    ("a bend that is no word", |it| it.set("hidden_act", &json!(7)), "config.json", |fault| matches!(fault, ModelFault::Unsupported { .. })),
    ("a size of nothing", |it| it.set("num_attention_heads", &json!(0)), "config.json", |fault| matches!(fault, ModelFault::Setting { setting: "num_attention_heads", .. })),
    ("a size beyond reason", |it| it.set("vocab_size", &json!(u64::MAX)), "config.json", |fault| matches!(fault, ModelFault::Setting { setting: "vocab_size", .. })),
    ("a size below nothing", |it| it.set("hidden_size", &json!(-8)), "config.json", |fault| matches!(fault, ModelFault::Setting { .. })),
    ("an epsilon that is no number", |it| it.set("layer_norm_eps", &json!("small")), "config.json", |fault| matches!(fault, ModelFault::Setting { .. })),
    ("heads that do not divide", |it| it.set("num_attention_heads", &json!(3)), "config.json", |fault| matches!(fault, ModelFault::Contradiction(_))),
    ("room for a library", |it| it.set("max_position_embeddings", &json!(100_000)), "config.json", |fault| matches!(fault, ModelFault::Unsupported { setting: "max_position_embeddings", .. })),
    ("no room for a text", |it| it.set("max_position_embeddings", &json!(2)), "config.json", |fault| matches!(fault, ModelFault::Contradiction(_))),
    ("more layers than there are", |it| it.set("num_hidden_layers", &json!(9)), "model.safetensors", |fault| matches!(fault, ModelFault::NoTensor(_))),
    ("other sizes than there are", |it| it.set("intermediate_size", &json!(99)), "model.safetensors", |fault| matches!(fault, ModelFault::Shape { .. })),
    ("no weights", |it| it.remove("model.safetensors"), "model.safetensors", |fault| matches!(fault, ModelFault::Unreadable(_))),
    ("empty weights", |it| it.write_bytes("model.safetensors", &[]), "model.safetensors", |fault| matches!(fault, ModelFault::NotSafetensors(_))),
    ("a header without end", |it| it.write_bytes("model.safetensors", &[0xFF; 64]), "model.safetensors", |fault| matches!(fault, ModelFault::NotSafetensors(_))),
    ("weights cut off", |it| it.cut("model.safetensors"), "model.safetensors", |fault| matches!(fault, ModelFault::NotSafetensors(_))),
    ("a number that is none", |it| it.spoil("encoder.layer.0.output.dense.weight", f32::NAN), "model.safetensors", |fault| matches!(fault, ModelFault::NotFinite { index: 0, .. })),
    ("a tensor less", |it| it.drop_tensor("embeddings.LayerNorm.bias"), "model.safetensors", |fault| matches!(fault, ModelFault::NoTensor(_))),
    ("weights of another kind", |it| it.write_tensors(&it.tensors, safetensors::Dtype::I8), "model.safetensors", |fault| matches!(fault, ModelFault::NumberKind { .. })),
    ("no vocabulary", |it| it.remove("tokenizer.json"), "tokenizer.json", |fault| matches!(fault, ModelFault::Unreadable(_))),
    ("another tokeniser", |it| it.write("tokenizer.json", &json!({"model": {"type": "BPE", "vocab": {}}})), "tokenizer.json", |fault| matches!(fault, ModelFault::Unsupported { .. })),
    ("no tokens", |it| it.write("tokenizer.json", &json!({"model": {"type": "WordPiece"}})), "tokenizer.json", |fault| matches!(fault, ModelFault::Setting { .. })),
    ("a gap among the tokens", |it| it.write("tokenizer.json", &json!({"model": {"vocab": {"[UNK]": 0, "a": 5}}})), "tokenizer.json", |fault| matches!(fault, ModelFault::Setting { .. })),
    ("two tokens of one number", |it| it.write("tokenizer.json", &json!({"model": {"vocab": {"[UNK]": 0, "a": 0}}})), "tokenizer.json", |fault| matches!(fault, ModelFault::Setting { .. })),
    ("no unknown token", |it| it.write("tokenizer.json", &json!({"model": {"vocab": {"a": 0}}})), "tokenizer.json", |fault| matches!(fault, ModelFault::Vocabulary(_))),
    ("no special tokens", |it| it.write("tokenizer.json", &json!({"model": {"vocab": {"[UNK]": 0}}})), "tokenizer.json", |fault| matches!(fault, ModelFault::NoSpecialToken(_))),
    ("more tokens than rows", Folder::add_tokens, "tokenizer.json", |fault| matches!(fault, ModelFault::VocabularySize { .. })),
    ("no pooling", |it| it.write("1_Pooling/config.json", &json!({})), "config.json", |fault| matches!(fault, ModelFault::Unsupported { .. })),
    ("another pooling", |it| it.write("1_Pooling/config.json", &json!({"pooling_mode_max_tokens": true})), "config.json", |fault| matches!(fault, ModelFault::Unsupported { .. })),
    ("two poolings", |it| it.write("1_Pooling/config.json", &json!({"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": true})), "config.json", |fault| matches!(fault, ModelFault::Unsupported { .. })),
    ("a length that is none", |it| it.write("sentence_bert_config.json", &json!({"max_seq_length": "long"})), "sentence_bert_config.json", |fault| matches!(fault, ModelFault::Setting { .. })),
];

#[test]
fn every_damage_is_named_with_its_file_and_a_remedy() {
    for (number, (damage, inflict, file, is_right)) in DAMAGES.iter().enumerate() {
        let folder = Folder::new(&format!("damage-{number}"));
        inflict(&folder);
        let error = Transformer::open(folder.path()).err();
        let error = error.unwrap_or_else(|| panic!("{damage} went unnoticed"));
        assert!(error.file.ends_with(file), "{damage}: {error}");
        assert!(is_right(&error.fault), "{damage}: {error:?}");
        let said = error.to_string();
        assert!(
            said.contains(file) && said.ends_with(error.fault.remedy()),
            "{damage}: {said}"
        );
    }
}

#[test]
fn a_folder_that_is_not_there_is_said() {
    let error = Transformer::open(Path::new("no/such/folder"))
        .err()
        .unwrap();
    assert!(error.to_string().contains("config.json"), "{error}");
}

#[test]
fn weights_that_run_out_of_range_give_an_error_and_no_vector() {
    let folder = Folder::new("range");
    let mut tensors = folder.tensors.clone();
    let weight = tensors
        .get_mut("encoder.layer.1.output.LayerNorm.weight")
        .unwrap();
    weight.numbers.fill(f32::MAX);
    let bias = tensors
        .get_mut("encoder.layer.1.output.LayerNorm.bias")
        .unwrap();
    bias.numbers.fill(f32::MAX);
    folder.write_tensors(&tensors, safetensors::Dtype::F32);
    let error = opened(&folder).embed(&["", "red green red"]).unwrap_err();
    assert!(
        error.to_string().contains("text 1") && error.to_string().contains("tiny-bert"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(support::config())]

    #[test]
    fn any_text_gives_a_unit_vector_or_none_and_the_same_alone_and_among_others(
        texts in prop::collection::vec(support::hostile_text(), 1..4)
    ) {
        let model = tiny_model::shared();
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        for (text, found) in borrowed.iter().zip(model.embed(&borrowed).unwrap()) {
            let alone = model.embed(&[text]).unwrap().remove(0);
            prop_assert_eq!(found.is_some(), model.sequence(text).len() > 2);
            prop_assert_eq!(found.is_some(), alone.is_some());
            if let (Some(found), Some(alone)) = (found, alone) {
                prop_assert!(support::is_unit(found.as_slice()));
                prop_assert!(found.cosine(&alone).unwrap() > 0.999_99);
            }
        }
    }

    #[test]
    fn no_bytes_in_place_of_a_file_end_in_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), which in 0..3usize) {
        let folder = tiny_model::scratch();
        let file = ["config.json", "tokenizer.json", "model.safetensors"][which];
        let before = folder.read(file);
        folder.write_bytes(file, &bytes);
        let found = Transformer::open(folder.path());
        folder.write_bytes(file, &before);
        prop_assert!(found.is_err());
    }
}
