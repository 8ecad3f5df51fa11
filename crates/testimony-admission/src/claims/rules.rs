//! Permissions: "may" where nothing is only supposed.

use super::class::*;
use super::leave_out::Sight;
use super::token::{Shape, Token};
use super::words::{Words, any_of};

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
        let behind = |words: &Words| (at + 1..self.tokens.len()).any(|it| self.word_is(it, words));
        let of_many = || self.speaks_of_many(at) || behind(LIMITS) && self.speaks_of_a_role(at);
        let of_one = || {
            let allowed = self.word_is(verb, ENTITLED) || behind(BOUNDS) || self.is_bounded(at);
            allowed && self.speaks_of_one(at)
        };
        let only = || (0..at).any(|it| self.word_is(it, any_of!["only"]));
        let is_done = || self.word_is(at + 1, any_of!["be"]) && self.is_done(at + 2);
        does && (of_many() || of_one() || only())
            || behind(any_of!["whenever"]) && self.speaks_of_many(at)
            || behind(any_of!["only"]) && is_done()
    }

    /// "From now on we may …", "may draft but not sign": since when, and what not.
    fn is_bounded(&self, at: usize) -> bool {
        let since = |place: usize| {
            self.word_is(place, any_of!["from"])
                && self.word_is(place + 1, any_of!["now", "this", "next", "today"])
        };
        let but_not = |place: usize| {
            self.word_is(place, any_of!["but"]) && self.word_is(place + 1, any_of!["not"])
        };
        (0..self.tokens.len()).any(since) || (at + 1..self.tokens.len()).any(but_not)
    }

    /// Somebody by name, or those of whom the talk is; "and may sign" goes on from whom it was said of.
    fn speaks_of_one(&self, at: usize) -> bool {
        // "The trainee, Kwabena, may …": the comma behind a name that is put in.
        let comma = self.tokens.get(at - 1).is_some_and(|it| it.is_mark(','));
        let at = at - usize::from(comma && at > 1);
        let whom = self.tokens.get(at - 1);
        let named = |token: &Token| {
            token.shape == Shape::Word && token.capital && !token.is(PRONOUN | ARTICLE)
        };
        self.word_is(at - 1, any_of!["he", "she", "they", "we", "and"]) || whom.is_some_and(named)
    }

    /// "The report found that the lock could be opened": what somebody found to be possible is no guess of the speaker.
    pub(super) fn is_found_possible(&self, at: usize) -> bool {
        let could = self.word_is(at, any_of!["could"]) && self.word_is(at + 1, any_of!["be"]);
        let found = |place: usize| {
            let by_whom = place
                .checked_sub(1)
                .and_then(|before| self.tokens.get(before));
            self.word_is(place, FINDING)
                && self.word_is(place + 1, any_of!["that"])
                && by_whom.is_some_and(|whom| !whom.is(PRONOUN))
        };
        could && self.is_done(at + 2) && (1..at).any(found)
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
