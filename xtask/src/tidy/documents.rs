//! Every page of the documents can be reached: the README links it.

use super::Complaint;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let readme = tree.file("README.md").map_or("", |file| &file.text);
    let pages = tree.files.iter().filter(|file| {
        let name = file.path.strip_prefix("docs/").unwrap_or_default();
        file.has_extension("md") && !name.is_empty() && !name.contains('/')
    });
    pages
        .filter(|page| !readme.contains(&format!("]({})", page.path)))
        .map(|page| {
            Complaint::about(
                &page.path,
                "cannot be reached; link it under \"Where to read on\" in README.md",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    #[test]
    fn catches_a_page_that_the_readme_does_not_link() {
        let page = ("docs/testing.md", "# Testing\n");
        assert_eq!(
            check(&sample::files(&[
                page,
                ("README.md", "See docs/testing.md.\n")
            ]))
            .len(),
            1
        );
        assert_eq!(check(&sample::files(&[page])).len(), 1);
        assert_eq!(
            check(&sample::files(&[
                page,
                ("README.md", "See [testing](docs/testing.md).\n")
            ])),
            []
        );
    }
}
