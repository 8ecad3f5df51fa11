//! Output of a terminal: most lines are prompts, listings, stack frames, progress bars or results of a build.

use std::sync::LazyLock;

use regex::RegexSet;

use crate::lexicon::pattern_set;

/// Lines that only a terminal prints; over folded lines with their indent.
#[rustfmt::skip]
const SURE: &[&str] = &[
    r"^\s*(?:\$|➜|❯|#\s?[a-z-]+\s/|[\w.-]+@[\w.-]+:\S*[$#])\s+\S", r"^ps [a-z]:\\", r"^>>> ", r"^[a-z]:\\[^>]*>",
    r"^npm (?:err!|warn |error |notice )", r"^go: (?:downloading|finding|extracting)\s", r"^building wheels? for", r"^\s*error: subprocess-exited", r"^require stack:", r"^\s*● (?:\S+\.(?:service|socket|timer|target|mount)\b|.+ › .)", r"^\s*fail\s+\S+\.(?:test|spec)\.\w+$", r"^added \d+ packages", r"^traceback \(most recent", r#"^\s*file ".+", line \d+"#,
    r"^(?:error|warning)(?:\[[a-z]?\d+\])?: .+(?:`|\d)", r"^\s*-->\s\S+:\d+", r"^\s+(?:compiling|finished|running|downloaded|updating|checking|downloading|blocking|locking|fresh|documenting)\s\S",
    r"^test result: ", r"^\s*test \S+ \.\.\. (?:ok|failed|ignored)", r"^\W*=+ .*\b(?:passed|failed|skipped|error)\b.*=+", r"\[[=#>. -]{4,}\]\s*\d{1,3}\s?%", r"[━█▓▒░]{4,}", r"\d{1,3}%\|", r"\beta\s+\d+:\d\d",
    r"^exception in thread ", r"^\s*at [\w$.<>/ ]+\(.*\)$", r"^\s+at .+:\d+(?::\d+)?\)?$", r"^(?:ba|z|da|fi)?sh: .+(?:not found|denied|no such)", r": command not found$",
    r"^[dl-][rwxst-]{9}[@+.]?\s+\d+", r"^total \d+$", r"^segmentation fault", r"\(core dumped\)", r"^goroutine \d+ \[", r"^exit status \d+", r"^panic: ", r"^thread '.+' panicked at",
    r"^ping \S+ \(", r"^\d+ bytes from ", r"^requirement already satisfied", r"^(?:downloading|collecting|installing collected|successfully installed|using cached)\s\S+", r"^failed \S+::\S+", r"^e\s{2,}\w+error", r"^\w+(?:error|exception): ",
    r"^\s*(?:adding|inflating|extracting): \S+.*", r": permission denied$", r"^on branch \S+$", r"^your branch is ", r"^nothing to commit", r"^changes (?:not staged|to be committed)", r"^\s*(?:modified|deleted|new file):\s", r"^[✓✔✗✖×]\s.+(?:\d|\.)", r"^(?:pass|fail|ok)\s+\S+[/.]\S+", r"^\S+\.(?:c|cc|cpp|h|rs|go|ts|js|java|py|swift|kt):\d+:\d*:?\s", r"^container id\s+image", r"^(?:dist|build)/\S+\s+[\d.]+ [kmg]b",
    r"^(?:remote: )?(?:counting|enumerating|compressing|unpacking|writing|receiving|updating) (?:objects|files): +\d", r"^delta compression using ", r"^already up[ -]to[ -]date\.?$",
    r"^fatal: ", r"^make(?:\[\d+\])?: ", r"^error: (?:could not|failed|cannot (?:find module|open|read|connect)|unable|process)", r"^ld: |undefined reference", r"^reading package lists", r"^(?:building dependency tree|reading state information)", r"^\d+ upgraded, \d+ newly installed", r"\x1b\[[\d;]*m", r"^[✓✔✗✖×]\s.*\(\d[\d.]*\s?m?s\)$", r"^(?:selecting previously unselected package|preparing to unpack|unpacking|setting up) \S+ \(", r"^get:\d+ http", r"^(?:remote|receiving objects|resolving deltas|cloning into)\b.*[:.']", r"^diff --git |^index [0-9a-f]{7}\.\.|^@@ -\d+",
    r"^(?:pulling (?:fs layer|from)|pull complete|download complete|already exists|verifying checksum)\b",
    r"^(?:downloading|uploading|extracting|unpacking|fetching|installing|pulling|building|transferring|verifying|cloning)\b.{0,80}(?:\d[\d.]* ?[kmg]?i?b? ?/ ?\d[\d.]* ?[kmg]i?b\b|\d{1,3} ?%|\.\.\.(?: *done\.?)?$)", r"^(?:get|hit|ign):\d+ https?://", r"^warning: (?:lf|crlf) will be", r"\[(?:=|#|>|-|\.|\s){6,}\]", r"^\S* *\d{1,3}%[ |]", r"^progress:? +\d{1,3} ?%",
    r"^\s*\d+ (?:passing|failing|pending)\b", r"^tests?:\s+\d+ (?:passed|failed)", r"^build (?:failed|success|successful)(?: in .*)?$", r"^name\s+ready\s+status", r"^pid\s+(?:tty|user)", r"^filesystem\s+(?:size|1k)", r"^added \d+, changed \d+",
    r"^\d+ packages are looking for funding", r"permission denied \(\w+(?:,\w+)*\)\.?$", r"^(?:rm|rmdir|cp|mv|ls|cat|cd|mkdir|chmod|chown|touch|tar|scp|ln|find|grep|sed): .+(?:: \S|')", r"^curl: \(\d+\)", r"^'[\w.-]+' (?:is not recognized as an internal or external command|不是内部或外部命令)", r"^operable program or batch file", r"\bicmp_seq=\d+",
];

/// Lines that a terminal may print between the others.
#[rustfmt::skip]
const MAYBE: &[&str] = &[
    r"^\s{2,}\S", r"^\s*\|", r"^\s*\d+ \|", r"^\t", r"^[\w.]+\(.*\)$", r"^-?[\d.,]+$", r"^\S+$", r"^(?:gcc|g\+\+|cc|clang|cargo|npm|node|python3?|make|git|docker|ls|cd|cat|rm|cp|mv|sudo|echo|export|curl|wget)\b",
];

static SURE_SET: LazyLock<Option<RegexSet>> = LazyLock::new(|| pattern_set(SURE.iter().copied()));
static MAYBE_SET: LazyLock<Option<RegexSet>> = LazyLock::new(|| pattern_set(MAYBE.iter().copied()));

/// Whether most lines of a folded text are output of a terminal.
pub(super) fn is_terminal_output(folded: &str) -> bool {
    let (mut sure, mut maybe, mut other) = (0_usize, 0_usize, 0_usize);
    for line in folded.lines().filter(|line| !line.trim().is_empty()) {
        let line = line.trim_end();
        if matches(&SURE_SET, line) {
            sure += 1;
        } else if matches(&MAYBE_SET, line) {
            maybe += 1;
        } else {
            other += 1;
        }
    }
    sure > 0 && sure * 2 + maybe > other * 2
}

fn matches(set: &Option<RegexSet>, line: &str) -> bool {
    set.as_ref().is_some_and(|set| set.is_match(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(SURE_SET.is_some() && MAYBE_SET.is_some());
    }

    #[test]
    fn a_sentence_about_a_terminal_is_no_output_of_one() {
        assert!(!is_terminal_output(
            "leo's terminal uses zsh with the agnoster theme."
        ));
        assert!(is_terminal_output("$ make\nok"));
        assert!(is_terminal_output("● nginx.service - a web server"));
        assert!(!is_terminal_output(
            "to do:\n● the roof leaks in bed 33.\n● marta paints the door."
        ));
    }
}
