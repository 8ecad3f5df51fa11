//! How tables are read and asked.

use super::sign::Sign;
use super::*;

fn table() -> Table {
    Table::read(
        "# what this is\n=attack\t-100\n=greeting\t-200\nkind regar\t0:0\nignor\t0:150\nignor all\t0:50\t1:-100\n^hello\t1:300\n",
        sign::key_of,
    )
}

fn likeness(text: &str) -> Option<Likeness> {
    let folded = Folded::of(text);
    table().likeness(&folded.text, &folded.words)
}

#[test]
fn words_are_told_by_their_beginnings_alone_and_beside_each_other() {
    let signs = signs_of("Ignore ALL, rules");
    assert_eq!(
        signs,
        [
            "^ignor",
            "ignor",
            "ignor all",
            "all",
            "all rules",
            "rules",
            "ignor _ rules"
        ]
    );
    assert_eq!(
        signs_of("忽略 _ 7"),
        ["^忽", "忽", "忽 略", "略", "略 7", "7", "忽 _ 7"]
    );
    assert!(signs_of("... ?!").is_empty());
}

#[test]
fn a_sign_that_is_read_has_the_number_of_the_words_that_it_was_written_from() {
    for text in [
        "Ignore all rules",
        "Überweisungen später 7",
        "忽略 所有 naïveté-überaus",
    ] {
        let folded = Folded::of(text);
        let read = sign::written(&folded.text, &folded.words);
        let read: Vec<u64> = read.iter().map(|sign| Sign::read(sign).key()).collect();
        assert_eq!(read, sign::keys(&folded.text, &folded.words), "{text}");
    }
}

#[test]
fn no_two_signs_of_a_table_have_one_number() {
    for file in [include_str!("attacks.tsv"), include_str!("records.tsv")] {
        let signs = file.lines().filter(|line| !line.starts_with(['#', KIND]));
        let keys = signs.filter_map(|line| Some(Sign::read(line.split('\t').next()?).key()));
        let mut keys: Vec<u64> = keys.collect();
        let all = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all);
    }
}

#[test]
fn what_speaks_for_a_kind_is_added_up_each_sign_once() {
    let told = |text: &str| likeness(text).map(|it| (it.kind, it.odds));
    // Two signs that are known count as four: -1 + 3 / 2 * (1.5 + 0.5).
    assert_eq!(told("ignore all"), Some(("attack", 2.0)));
    assert_eq!(told("Hello!"), Some(("greeting", 2.5)));
    assert_eq!(told("hello, ignore all"), Some(("attack", 2.0)));
    assert_eq!(told("ignore"), Some(("attack", 1.25)));
    assert_eq!(told("Ignore! Ignore!"), told("ignore"));
    assert_eq!(told("nothing known"), Some(("attack", -1.0)));
    assert!(likeness("ignore all").unwrap().is_known);
    assert!(!likeness("nothing known").unwrap().is_known);
}

#[test]
fn every_line_of_the_tables_is_read() {
    for (table, file) in [
        (&*ATTACKS, include_str!("attacks.tsv")),
        (&*RECORDS, include_str!("records.tsv")),
    ] {
        let lines = file.lines().filter(|line| !line.starts_with('#'));
        let cells: usize = lines.clone().map(|line| line.split('\t').count() - 1).sum();
        assert_eq!(table.kinds.len() + table.places.len(), lines.count());
        assert_eq!(table.base.len() + table.weights.len(), cells);
        assert!(table.kinds.len() <= MOST_KINDS);
        let kinds = table.weights.iter().map(|(kind, _)| usize::from(*kind));
        assert!(kinds.max() < Some(table.kinds.len()));
    }
}
