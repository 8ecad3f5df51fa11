//! Permissions: "may" where nothing is only supposed.

use super::class::*;
use super::leave_out::Sight;
use super::token::{Shape, Token};
use super::words::{Words, any_of};
use crate::work::steps;

/// Words for nobody, and for everybody: what they may do is a rule.
#[rustfmt::skip]
const ANYBODY: &Words = &Words::of(&[
    "neither", "nobody", "none", "no", "anyone", "anybody", "everyone", "everybody", "whoever", "you", "each", "every", "any",
]);

/// Many people by what they are, where the ending does not tell it.
#[rustfmt::skip]
const PEOPLE: &Words = &Words::of(&[
    "people", "children", "kids", "adults", "minors", "staff", "men", "women", "pupils", "guests", "staffers", "parents", "dogs", "relatives", "interns", "apprentices", "families", "teams", "parties", "spouses", "nurses", "volunteers", "pets", "cyclists",
    "reps", "clerks", "cooks", "guides", "pilots", "coaches", "execs", "devs", "temps", "scouts", "girls", "boys", "colleagues", "locals", "chefs", "medics", "trustees", "shareholders",
    "members", "users", "admins", "friends", "seniors", "juniors", "crews", "delegates", "graduates", "associates", "crew", "personnel", "freelancers", "departments", "candidates", "hosts",
]);

/// How words end that name people by what they do.
const WHO_DO: &[&str] = &["ers", "ors", "ees", "ants", "ents", "ists", "ians", "mates"];
/// The same of one of them.
const WHO_DOES: &[&str] = &["er", "or", "ee", "ant", "ent", "ist", "ian", "mate"];

/// Nouns that end so and name things.
#[rustfmt::skip]
const THINGS: &Words = &Words::of(&[
    "papers", "numbers", "orders", "offers", "letters", "matters", "servers", "computers", "printers", "weather", "water", "paper", "order", "number", "letter", "winter", "summer", "server", "computer", "payments", "documents", "shipments", "rents", "events", "accidents", "agents",
    "payment", "document", "shipment", "rent", "event", "accident", "agent", "errors", "error", "colors", "color", "doors", "door", "floors", "floor", "sensors", "sensor", "motors", "motor", "plants", "plant", "fees", "fee", "trees", "tree", "appointments", "appointment", "treatments", "treatment",
    "containers", "container", "filters", "filter", "headers", "header", "parameters", "parameter", "elements", "element", "components", "component", "ingredients", "showers", "rivers", "talent", "percent", "cent", "cents", "department", "moment", "symptoms", "other", "others", "or", "however",
]);

/// Behind "may" these suppose: "may be late", "may need", "may still come".
#[rustfmt::skip]
const SUPPOSING: &Words = &Words::of(&[
    "be", "have", "become", "need", "want", "like", "feel", "know", "remember", "think", "notice", "recall", "happen", "change", "cause", "cost", "increase", "vary", "differ", "occur", "seem", "appear", "contain", "get",
    "rain", "snow", "fail", "suffer", "also", "well", "even", "just", "possibly", "or", "wish", "find", "see", "hear", "wonder", "guess", "believe", "lose", "forget", "miss", "struggle", "experience", "prefer", "recognize", "recognise", "still", "soon", "never", "last", "exist", "come", "arrive", "show",
]);

/// How a finding is told.
#[rustfmt::skip]
const FINDING: &Words = &Words::of(&[
    "says", "said", "states", "stated", "reports", "reported", "found", "finds", "shows", "showed", "proves", "proved", "confirms", "confirmed", "demonstrated", "concluded", "notes", "noted",
]);

/// What can be done to something, in the forms that do not end in "ed".
#[rustfmt::skip]
const DONE: &Words = &Words::of(&[
    "made", "read", "seen", "sent", "written", "taken", "broken", "shown", "run", "set", "shut", "cut", "driven", "stolen", "found", "forgotten", "overwritten", "bound",
]);

/// What stands behind a permission of one: within what, how far, on which condition.
#[rustfmt::skip]
const LIMITS: &Words = &Words::of(&[
    "only", "without", "within", "unless", "not", "until", "up", "during", "except",
]);

/// Of somebody by name the same, without what a guess has as well: "Otto may not come without her".
#[rustfmt::skip]
const BOUNDS: &Words = &Words::of(&[
    "only", "within", "unless", "until", "up", "except", "whenever", "own", "alone",
]);

/// What one is allowed to do rather than likely to.
#[rustfmt::skip]
const ENTITLED: &Words = &Words::of(&[
    "collect", "enter", "access", "approve", "authorise", "authorize", "refund", "borrow", "view", "unlock", "withdraw", "veto", "edit", "upload", "download", "deploy", "publish", "comment",
]);

/// What stands around the modal verbs of a sentence, by its first or last place: looked for once, since each of them asks.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The last of what stands behind a permission of one.
    limit: Option<usize>,
    /// The last of what stands behind a permission of somebody by name.
    bound: Option<usize>,
    whenever: Option<usize>,
    first_only: Option<usize>,
    last_only: Option<usize>,
    /// "May draft but not sign".
    but_not: Option<usize>,
    /// "From now on we may …".
    since: bool,
    /// The first place at which somebody found something.
    found: Option<usize>,
}

impl Frame {
    fn of(sight: &Sight<'_>) -> Self {
        let count = sight.tokens.len();
        steps(count);
        let is = |at: usize, words: &Words| sight.word_is(at, words);
        let last = |words: &Words| (0..count).rev().find(|at| is(*at, words));
        let two = |at: usize, one: &Words, next: &Words| is(at, one) && is(at + 1, next);
        let since = |at: usize| {
            let from = any_of!["from"];
            two(at, from, any_of!["now", "this", "next", "today"])
        };
        let found = |at: &usize| {
            let by_whom = at
                .checked_sub(1)
                .and_then(|before| sight.tokens.get(before));
            two(*at, FINDING, any_of!["that"]) && by_whom.is_some_and(|whom| !whom.is(PRONOUN))
        };
        let but_not = |at: &usize| two(*at, any_of!["but"], any_of!["not"]);
        Self {
            limit: last(LIMITS),
            bound: last(BOUNDS),
            whenever: last(any_of!["whenever"]),
            first_only: (0..count).find(|at| is(*at, any_of!["only"])),
            last_only: last(any_of!["only"]),
            but_not: (0..count).rev().find(but_not),
            since: (0..count).any(since),
            found: (1..count).find(found),
        }
    }
}

impl Sight<'_> {
    /// "It may rain": neither a month, nor a permission.
    pub(super) fn supposes_by_may(&self) -> bool {
        self.tokens.iter().enumerate().any(|(at, token)| {
            token.of(self.text) == "may"
                && at > 0
                && self.tokens.get(at + 1).is_some_and(|next| {
                    next.shape == Shape::Word
                        && !next.is(MONTH)
                        && !self.word_is(at + 1, any_of!["not"])
                })
                && !self.is(at - 1, PREPOSITION)
                && !self.permits(at)
        })
    }

    /// "Users may only …" permits; it supposes nothing.
    fn permits(&self, at: usize) -> bool {
        self.word_is(
            at + 1,
            any_of!["only", "not", "request", "access", "edit", "upload"],
        ) || self.permits_somebody(at)
    }

    /// "Employees may bring dogs", "neither party may sublet": said of a kind of people and of what they do.
    pub(super) fn permits_somebody(&self, at: usize) -> bool {
        let token = self.tokens.get(at);
        if at == 0 || token.is_none_or(|token| token.of(self.text) != "may") {
            return false;
        }
        let denied = self.word_is(at + 1, any_of!["not", "only"]);
        let verb = at + 1 + usize::from(denied);
        let does = self
            .tokens
            .get(verb)
            .is_some_and(|verb| verb.shape == Shape::Word && !verb.capital)
            && !self.word_is(verb, SUPPOSING);
        let frame = self.frame();
        let behind = |last: Option<usize>| last.is_some_and(|last| last > at);
        let of_many =
            || self.speaks_of_many(at) || behind(frame.limit) && self.speaks_of_a_role(at);
        let of_one = || {
            let bounded = frame.since || behind(frame.bound) || behind(frame.but_not);
            (bounded || self.word_is(verb, ENTITLED)) && self.speaks_of_one(at)
        };
        let only = || frame.first_only.is_some_and(|first| first < at);
        let is_done = || self.word_is(at + 1, any_of!["be"]) && self.is_done(at + 2);
        does && (of_many() || of_one() || only())
            || behind(frame.whenever) && self.speaks_of_many(at)
            || behind(frame.last_only) && is_done()
    }

    fn frame(&self) -> &Frame {
        self.frame.get_or_init(|| Frame::of(self))
    }

    /// Somebody by name, or those of whom the talk is; "and may sign" goes on from whom it was said of.
    fn speaks_of_one(&self, at: usize) -> bool {
        // "The trainee, Kwabena, may …": the comma behind a name that is put in.
        let comma = self.tokens.get(at - 1).is_some_and(|it| it.is_mark(','));
        let at = at - usize::from(comma && at > 1);
        let at = self.before_a_bracket(at);
        let whom = self.tokens.get(at - 1);
        let named = |token: &Token| {
            token.shape == Shape::Word && token.capital && !token.is(PRONOUN | ARTICLE)
        };
        self.word_is(at - 1, any_of!["he", "she", "they", "we", "and"]) || whom.is_some_and(named)
    }

    /// "Jonas (apprentice) may …": what is put in behind a name is none of it.
    fn before_a_bracket(&self, at: usize) -> usize {
        const LONGEST: usize = 4;
        let mark = |at: usize, sign: char| self.tokens.get(at).is_some_and(|it| it.is_mark(sign));
        if at < 2 || !mark(at - 1, ')') {
            return at;
        }
        let opened = (1..at).rev().take(LONGEST).find(|at| mark(*at, '('));
        opened.unwrap_or(at)
    }

    /// "The report found that the lock could be opened": what somebody found to be possible is no guess of the speaker.
    pub(super) fn is_found_possible(&self, at: usize) -> bool {
        let could = self.word_is(at, any_of!["could"]) && self.word_is(at + 1, any_of!["be"]);
        let found = || self.frame().found.is_some_and(|first| first < at);
        could && self.is_done(at + 2) && found()
    }

    /// Whether it says what is done to something.
    fn is_done(&self, at: usize) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|token| {
            token.is(PAST) || token.of(self.text).ends_with("ed") || self.word_is(at, DONE)
        })
    }

    /// Whether it says what somebody may do, and so nothing of what they do.
    pub(super) fn is_permission(&self) -> bool {
        any_of!["may"].may_be_among(self.sketches)
            && (1..self.tokens.len()).any(|at| self.permits_somebody(at))
    }

    /// Whether many, all or none of a kind stand in front of `at`.
    fn speaks_of_many(&self, at: usize) -> bool {
        let head = at - 1;
        let anybody = (0..3)
            .filter_map(|back| head.checked_sub(back))
            .any(|place| self.word_is(place, ANYBODY));
        anybody || self.names_people(head, WHO_DO) || self.word_is(head, PEOPLE)
    }

    /// "The tenant may …": one who stands for all that have the role.
    fn speaks_of_a_role(&self, at: usize) -> bool {
        let determined = at > 1 && self.is(at - 2, ARTICLE);
        determined && self.names_people(at - 1, WHO_DOES)
    }

    fn names_people(&self, at: usize, endings: &[&str]) -> bool {
        let small = |token: &&Token| token.shape == Shape::Word && (!token.capital || at == 0);
        let word = self.tokens.get(at).filter(small);
        word.is_some_and(|token| {
            let word = token.of(self.text);
            word.len() > 4
                && endings.iter().any(|ending| word.ends_with(ending))
                && !THINGS.hold(token, self.text)
        })
    }
}
