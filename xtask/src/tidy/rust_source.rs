//! The functions and the test code of a Rust file, read by a parser rather than by counting braces.
//!
//! A brace may stand in a raw string, a character, a comment or a format string, and test code begins at an attribute;
//! a parser knows all of it, and `syn` is built for the derive macros anyway.
//! Functions that a `macro_rules!` body would make are not seen.

use std::ops::RangeInclusive;

use proc_macro2::{Span, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItemFn, ItemFn, ItemMod, Meta, Signature, TraitItemFn};

use crate::tree::File;

/// A function as it stands in a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    /// Its name.
    pub(super) name: String,
    /// Where its signature begins, from 1.
    pub(super) line: usize,
    /// How many lines it takes, from its signature to its last brace.
    pub(super) lines: usize,
}

/// The functions outside test code.
///
/// # Errors
/// What the parser said, where the text is no Rust.
pub(super) fn functions(text: &str) -> Result<Vec<Function>, String> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let mut collector = Collector::default();
    collector.visit_file(&file);
    Ok(collector.found)
}

/// The lines of a file that ship, with their numbers: what is not Rust as a whole, Rust without its test code.
pub(super) fn shipped_lines(file: &File) -> Vec<(usize, &str)> {
    if file.is_test() {
        return Vec::new();
    }
    let parsed = syn::parse_file(&file.text).ok().filter(|_| file.is_rust());
    let mut collector = Collector::default();
    parsed
        .iter()
        .for_each(|parsed| collector.visit_file(parsed));
    let tested = |number: usize| collector.tests.iter().any(|lines| lines.contains(&number));
    file.lines()
        .filter(|(number, _)| !tested(*number))
        .collect()
}

#[derive(Default)]
struct Collector {
    found: Vec<Function>,
    /// Where test code stands.
    tests: Vec<RangeInclusive<usize>>,
}

impl Collector {
    /// Whether the item is test code; if so, its place is noted.
    fn skips(&mut self, attributes: &[Attribute], item: Span) -> bool {
        let skips = is_test(attributes);
        if skips {
            self.tests.push(item.start().line..=item.end().line);
        }
        skips
    }

    fn take(&mut self, signature: &Signature, body: Span) {
        let line = signature.span().start().line;
        self.found.push(Function {
            name: signature.ident.to_string(),
            line,
            lines: body.end().line + 1 - line,
        });
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !self.skips(&module.attrs, module.span()) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if !self.skips(&function.attrs, function.span()) {
            self.take(&function.sig, function.block.span());
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        if !self.skips(&function.attrs, function.span()) {
            self.take(&function.sig, function.block.span());
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(body) = &function.default {
            self.take(&function.sig, body.span());
            visit::visit_trait_item_fn(self, function);
        }
    }
}

/// Whether an attribute makes this test code: `#[test]` of any kind, or `#[cfg(test)]`.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        let last = path
            .segments
            .last()
            .map(|segment| segment.ident.to_string());
        match (&attribute.meta, last.as_deref()) {
            (_, Some("test")) => true,
            (Meta::List(list), Some("cfg")) => {
                let words: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
                matches!(words.as_slice(), [TokenTree::Ident(only)] if only == "test")
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_is_not_deceived_by_braces_in_texts() {
        let text = "//! A.\nfn one() {\n    let _ = r#\"}}}\"#;\n    // }\n    let _ = '}';\n}\n\nfn two() {}\n";
        let found = functions(text).unwrap();
        let sizes: Vec<(&str, usize, usize)> = found
            .iter()
            .map(|f| (f.name.as_str(), f.line, f.lines))
            .collect();
        assert_eq!(sizes, [("one", 2, 5), ("two", 8, 1)]);
    }

    #[test]
    fn leaves_test_code_out() {
        let text = "#[cfg(test)]\nmod tests {\n    fn helper() {}\n    #[test]\n    fn a() {}\n}\n#[test]\nfn b() {}\n";
        assert_eq!(functions(text).unwrap(), []);
    }

    #[test]
    fn test_code_may_stand_anywhere_without_hiding_what_follows() {
        let text = "#[cfg(test)]\nmod tests;\nfn a() {}\n#[cfg(test)]\nmod sample {\n    fn b() {}\n}\nfn c() {}\n";
        let file = File {
            path: "crates/a/src/lib.rs".to_owned(),
            text: text.to_owned(),
        };
        let shipped: Vec<usize> = shipped_lines(&file)
            .iter()
            .map(|(number, _)| *number)
            .collect();
        assert_eq!(shipped, [3, 8]);
    }

    #[test]
    fn sees_methods_defaults_and_functions_inside_functions() {
        let text = "impl A {\n    fn m(&self) {\n        fn inner() {}\n    }\n}\ntrait T {\n    fn d() {}\n    fn none();\n}\n#[cfg(not(test))]\nfn c() {}\n";
        let names: Vec<String> = functions(text)
            .unwrap()
            .into_iter()
            .map(|f| f.name)
            .collect();
        assert_eq!(names, ["m", "inner", "d", "c"]);
    }
}
