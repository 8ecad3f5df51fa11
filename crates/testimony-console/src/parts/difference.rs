//! Two statements side by side, with what only one of them says marked.

use maud::{Markup, html};

use super::said::inline;

/// So many words on each side are compared each with each; beyond that the middle differs as a whole.
const EACH_WITH_EACH: usize = 240;

/// Words in their order, each with whether only this side says it.
type Marked<'t> = Vec<(&'t str, bool)>;

/// Compares two texts word by word.
fn compare<'t>(left: &'t str, right: &'t str) -> (Marked<'t>, Marked<'t>) {
    let (left, right): (Vec<&str>, Vec<&str>) = (
        left.split_whitespace().collect(),
        right.split_whitespace().collect(),
    );
    let same = |(one, other): &(&&str, &&str)| one == other;
    let ahead = left.iter().zip(&right).take_while(same).count();
    let shorter = left.len().min(right.len()) - ahead;
    let behind = left.iter().rev().zip(right.iter().rev());
    let behind = behind.take(shorter).take_while(same).count();
    let middle = |words: &[&'t str]| -> Vec<&'t str> {
        let length = words.len() - ahead - behind;
        words.iter().skip(ahead).take(length).copied().collect()
    };
    let (inner_left, inner_right) = (middle(&left), middle(&right));
    let (in_left, in_right) = common(&inner_left, &inner_right);
    (
        marked(&left, ahead, &in_left),
        marked(&right, ahead, &in_right),
    )
}

fn marked<'t>(words: &[&'t str], ahead: usize, common: &[bool]) -> Marked<'t> {
    let words = words.iter().enumerate();
    words
        .map(|(place, word)| {
            let inner = place.checked_sub(ahead).and_then(|at| common.get(at));
            (*word, inner.is_some_and(|is_common| !is_common))
        })
        .collect()
}

/// Which words of two lists belong to their longest common sequence.
fn common(left: &[&str], right: &[&str]) -> (Vec<bool>, Vec<bool>) {
    let (mut in_left, mut in_right) = (vec![false; left.len()], vec![false; right.len()]);
    if left.len() > EACH_WITH_EACH || right.len() > EACH_WITH_EACH {
        return (in_left, in_right);
    }
    let width = right.len() + 1;
    // How long the common sequence is from each pair of places on.
    let mut lengths = vec![0_u16; (left.len() + 1) * width];
    let of = |lengths: &[u16], row: usize, column: usize| {
        lengths.get(row * width + column).copied().unwrap_or(0)
    };
    for (row, one) in left.iter().enumerate().rev() {
        for (column, other) in right.iter().enumerate().rev() {
            let length = if one == other {
                of(&lengths, row + 1, column + 1) + 1
            } else {
                of(&lengths, row + 1, column).max(of(&lengths, row, column + 1))
            };
            if let Some(slot) = lengths.get_mut(row * width + column) {
                *slot = length;
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    while let (Some(one), Some(other)) = (left.get(row), right.get(column)) {
        if one == other {
            set(&mut in_left, row);
            set(&mut in_right, column);
            row += 1;
            column += 1;
        } else if of(&lengths, row + 1, column) >= of(&lengths, row, column + 1) {
            row += 1;
        } else {
            column += 1;
        }
    }
    (in_left, in_right)
}

fn set(marks: &mut [bool], at: usize) {
    if let Some(mark) = marks.get_mut(at) {
        *mark = true;
    }
}

fn side(words: &Marked<'_>) -> Markup {
    html! {
        p.said dir="auto" {
            @for (place, (word, only_here)) in words.iter().enumerate() {
                @if place > 0 { " " }
                @if *only_here { mark { (inline(word)) } } @else { (inline(word)) }
            }
        }
    }
}

/// Both sides of a pair, as they are shown.
pub(crate) fn sides(left: &str, right: &str) -> (Markup, Markup) {
    let (left, right) = compare(left, right);
    (side(&left), side(&right))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(words: &Marked<'_>) -> String {
        let only = words.iter().filter(|(_, only_here)| *only_here);
        only.map(|(word, _)| *word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_only_one_side_says_is_marked() {
        for (left, right, of_left, of_right) in [
            ("The port is 6543.", "The port is 5432.", "6543.", "5432."),
            ("a b c d", "a c d", "b", ""),
            ("a a a", "a a", "a", ""),
            ("", "all new", "", "all new"),
            ("same same", "same same", "", ""),
            ("x a y b z", "q a r b s", "x y z", "q r s"),
        ] {
            let (marked_left, marked_right) = compare(left, right);
            let found = (only(&marked_left), only(&marked_right));
            assert_eq!(
                found,
                (of_left.to_owned(), of_right.to_owned()),
                "{left} / {right}"
            );
        }
    }

    #[test]
    fn long_texts_differ_as_a_whole_and_nothing_is_lost() {
        let left: String = (0..2_000).map(|n| format!("l{n} ")).collect();
        let right: String = (0..2_000).map(|n| format!("r{n} ")).collect();
        let (marked_left, _) = compare(&left, &right);
        assert_eq!(marked_left.len(), 2_000);
        assert!(marked_left.iter().all(|(_, only_here)| *only_here));
    }

    #[test]
    fn a_marked_text_is_escaped() {
        let (left, _) = sides("<b>x</b>", "y");
        assert!(left.into_string().contains("&lt;b&gt;"));
    }
}
