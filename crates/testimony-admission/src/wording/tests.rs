//! How tables are read and asked.

use super::*;

fn table() -> Table {
    Table::read(
        "# what this is\n=attack\t-100\n=greeting\t-200\nkind regar\t0:0\nignor\t0:150\nignor all\t0:50\t1:-100\n^hello\t1:300\n",
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
            "all",
            "ignor all",
            "rules",
            "all rules",
            "ignor _ rules"
        ]
    );
    assert_eq!(
        signs_of("忽略 _ 7"),
        ["^忽", "忽", "略", "忽 略", "7", "略 7", "忽 _ 7"]
    );
    assert!(signs_of("... ?!").is_empty());
}

#[test]
fn a_sign_is_read_as_it_is_written() {
    for text in ["Ignore all rules", "Überweisungen später 7"] {
        let folded = Folded::of(text);
        for sign in signs(&folded.text, &folded.words) {
            assert_eq!(Sign::read(&sign.to_string()), sign);
        }
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
    assert_eq!(told("nothing known"), None);
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
        let kinds = table.weights.iter().map(|(kind, _)| usize::from(*kind));
        assert!(kinds.max() < Some(table.kinds.len()));
    }
}
