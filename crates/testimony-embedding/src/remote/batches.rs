//! Texts in portions: so many, and so many bytes, at most.

/// A text with its place in what was asked.
pub(super) type Placed<'a> = (usize, &'a str);

/// The texts that say something, in portions of at most so many texts and bytes; one that is longer goes alone.
pub(super) fn portions<'a>(
    texts: &[&'a str],
    most_texts: usize,
    most_bytes: usize,
) -> Vec<Vec<Placed<'a>>> {
    let mut portions: Vec<Vec<Placed<'a>>> = Vec::new();
    let mut bytes = 0_usize;
    for (place, text) in texts
        .iter()
        .enumerate()
        .filter(|(_, text)| !says_nothing(text))
    {
        match portions.last_mut() {
            Some(last) if last.len() < most_texts && bytes + text.len() <= most_bytes => {
                last.push((place, text));
                bytes += text.len();
            }
            Some(_) | None => {
                portions.push(vec![(place, text)]);
                bytes = text.len();
            }
        }
    }
    portions
}

/// Whether a text is empty, or blanks and control characters only.
fn says_nothing(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c.is_control())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a way of cutting must do; what is wrong with it otherwise.
    fn fault(
        texts: &[&str],
        most_texts: usize,
        most_bytes: usize,
        cut: &[Vec<Placed<'_>>],
    ) -> Option<&'static str> {
        let told: Vec<Placed<'_>> = cut.iter().flatten().copied().collect();
        let saying: Vec<Placed<'_>> = texts
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, text)| !says_nothing(text))
            .collect();
        let bytes =
            |portion: &Vec<Placed<'_>>| portion.iter().map(|(_, text)| text.len()).sum::<usize>();
        if told != saying {
            return Some("not every text that says something, once and in order");
        }
        if cut
            .iter()
            .any(|portion| portion.is_empty() || portion.len() > most_texts)
        {
            return Some("a portion of too many or of none");
        }
        let heavy = cut
            .iter()
            .any(|portion| portion.len() > 1 && bytes(portion) > most_bytes);
        heavy.then_some("a portion of too many bytes")
    }

    proptest! {
        #![proptest_config(crate::remote::tests::config())]

        #[test]
        fn every_text_that_says_something_is_in_one_portion(
            texts in prop::collection::vec("[a-zé \t]{0,12}", 0..40), most_texts in 1..9_usize, most_bytes in 1..40_usize
        ) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let cut = portions(&texts, most_texts, most_bytes);
            prop_assert_eq!(fault(&texts, most_texts, most_bytes, &cut), None);
        }
    }

    #[test]
    fn the_canary_is_caught() {
        let texts = ["a", "b", "c"];
        let all = vec![vec![(0, "a"), (1, "b"), (2, "c")]];
        assert_eq!(
            fault(&texts, 2, 99, &all),
            Some("a portion of too many or of none")
        );
        assert_eq!(
            fault(&texts, 9, 2, &all),
            Some("a portion of too many bytes")
        );
        assert!(fault(&texts, 9, 9, &all[..0]).is_some());
    }
}
