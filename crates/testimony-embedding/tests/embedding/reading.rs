//! The reader in the binary, on rooms of notes that it was not taught with.

use serde::Deserialize;
use testimony_embedding::BuiltInReader;
use testimony_embedding::reading::RowReader as _;

/// A room: notes, and questions with the places of the notes that answer them and, where things changed, of those that did.
#[derive(Deserialize)]
struct Room {
    rows: Vec<String>,
    qs: Vec<(String, Vec<usize>, Vec<usize>)>,
}

fn rooms() -> Vec<Room> {
    let text = include_str!("../../../../fixtures/reading/not_taught.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn what_answers_in_other_words_is_read_as_an_answer() {
    let reader = BuiltInReader::new().unwrap();
    let notes = [
        "Marta is coeliac, so she brings her own bread.",
        "Marta lives in Lisbon with her sister.",
        "Jon cycles in every day.",
    ];
    for (question, answer) in [
        ("What can't we serve Marta?", 0),
        ("Where is Marta's home?", 1),
        ("How does Jon get to the office?", 2),
    ] {
        let said = reader.read(question, &notes);
        let first = (0..notes.len()).max_by(|a, b| said[*a].total_cmp(&said[*b]));
        assert_eq!(first, Some(answer), "{question} {said:?}");
    }
    let said = reader.read("When was Marta born?", &notes);
    assert!(said.iter().all(|odds| *odds < -1.0), "{said:?}");
}

#[test]
fn what_is_read_of_a_row_depends_on_no_other_row() {
    let reader = BuiltInReader::new().unwrap();
    let notes: Vec<String> = rooms().swap_remove(0).rows;
    let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
    let question = "Who has the key?";
    let together = reader.read(question, &notes);
    for (note, odds) in notes.iter().zip(together) {
        assert_eq!(reader.read(question, &[note]), [odds], "{note}");
    }
}

#[test]
fn any_text_is_read() {
    let reader = BuiltInReader::new().unwrap();
    let long = "word ".repeat(100_000);
    let texts = [
        "",
        " ",
        "\u{0}\u{200B}\u{FEFF}",
        "🦀🦀🦀",
        "[CLS] [SEP]",
        long.as_str(),
    ];
    for question in texts {
        let said = reader.read(question, &texts);
        assert_eq!(said.len(), texts.len());
        assert!(said.iter().all(|odds| odds.is_finite()), "{question:.20}");
    }
    assert!(reader.read("Who?", &[]).is_empty());
}

/// The figures stand in docs/reading.md; these bounds hold them from below.
#[test]
fn rooms_that_were_not_taught_are_read_well() {
    let reader = BuiltInReader::new().unwrap();
    let (mut answered, mut right, mut without, mut silent) = (0, 0, 0, 0);
    for room in rooms() {
        let rows: Vec<&str> = room.rows.iter().map(String::as_str).collect();
        // Every second question: reading all of them takes half a minute.
        for (question, answers, former) in room.qs.iter().step_by(2) {
            let said = reader.read(question, &rows);
            let first = (0..rows.len()).max_by(|a, b| said[*a].total_cmp(&said[*b]));
            let first = first.unwrap();
            if answers.is_empty() {
                without += 1;
                silent += usize::from(said[first] < 0.0);
            } else {
                answered += 1;
                right += usize::from(answers.contains(&first) || former.contains(&first));
            }
        }
    }
    println!("first row right {right} of {answered}; no row answers {silent} of {without}");
    assert!(right * 100 >= answered * 76, "{right} of {answered}");
    assert!(silent * 100 >= without * 75, "{silent} of {without}");
}
