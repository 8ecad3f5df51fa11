//! Orders: whether a sentence tells somebody to do something, and whether that is to hold.

use super::class::*;
use super::command_words::*;
use super::leave_out::Sight;
use super::lexicon::Language;
use super::phrases::Sense;
use super::token::{Shape, Token};
use super::words::{Words, any_of};

impl Sight<'_> {
    /// Whether it tells somebody to do something; a lasting wish for which a reason is given is told as such.
    pub(crate) fn command(&self) -> Option<Command> {
        let command = self.command_alone();
        let reasoned = matches!(command, Some(Command::Lasting | Command::Styled))
            && self.gives_reason(self.first_word());
        if reasoned {
            Some(Command::Reasoned)
        } else {
            command
        }
    }

    fn command_alone(&self) -> Option<Command> {
        if self.opens_with_a_title() {
            return None;
        }
        let last = self.tokens.iter().rposition(|token| !token.is_any_mark());
        let please_last = last.is_some_and(|last| last > 0 && self.is_please(last));
        let reported = || self.is_reported_behind();
        self.forbidden_in_front()
            .or_else(|| self.command_in_front())
            .or_else(|| self.command_on_occasion())
            .or_else(|| please_last.then(|| self.kind_of_order(self.first_word())))
            .or_else(|| self.orders_by_convention().then_some(Command::Lasting))
            .filter(|command| *command != Command::Once || !reported())
    }

    /// "Take one tablet at night, says the vet": somebody is said to have said it.
    fn is_reported_behind(&self) -> bool {
        let pairs = self.tokens.windows(2);
        pairs.into_iter().any(|pair| {
            matches!(pair, [comma, verb] if comma.is_mark(',')
                && verb.is(REPORT)
                && !verb.is(PREPOSITION)
                && !verb.of(self.text).ends_with("ed"))
        })
    }

    /// "No me sugieras carne", "ne me propose pas …": what is never wished, where the denial stands in front.
    fn forbidden_in_front(&self) -> Option<Command> {
        let at = self.first_word();
        let denies = match self.language {
            Language::Spanish => self.word_is(at, any_of!["no", "nunca"]),
            Language::French => self.word_is(at, any_of!["ne"]),
            Language::English | Language::German => false,
        };
        let me = usize::from(self.word_is(at + 1, any_of!["me", "nos", "nous"]));
        (denies && self.word_is(at + 1 + me, FORBIDDEN)).then_some(Command::Lasting)
    }

    /// "Whenever I ask for code, use Python": what is wished on every such occasion.
    fn command_on_occasion(&self) -> Option<Command> {
        let first = self.first_word();
        let in_case =
            self.word_is(first, any_of!["in"]) && self.word_is(first + 1, any_of!["case"]);
        let occasion =
            self.language == Language::English && (in_case || self.word_is(first, OCCASIONS));
        let comma = || self.tokens.iter().position(|token| token.is_mark(','));
        let at = occasion.then(comma).flatten()? + 1;
        let orders = self.is(at, IMPERATIVE) && !self.is(at, PAST | COPULA | AUXILIARY | PRONOUN)
            || self.is(at, LASTING) && self.is(at + 1, IMPERATIVE | VERB)
            || self.word_is(at, any_of!["do"])
                && self.word_is(at + 1, any_of!["n't", "n’t", "not"])
            || self.orders_without_a_subject(at);
        orders.then_some(Command::Lasting)
    }

    /// "…, raise the limit": a verb that no table calls an order, bare, with its object and nobody in front of it.
    fn orders_without_a_subject(&self, at: usize) -> bool {
        let other =
            PRONOUN | ARTICLE | POSSESSIVE | COPULA | PAST | PAST_COPULA | AUXILIARY | ADVERB;
        let small = PREPOSITION | COORDINATOR | SUBORDINATOR | QUESTION | NEGATION | HEDGE | NUMBER;
        let bare = self.tokens.get(at).is_some_and(|token| {
            let word = token.of(self.text);
            token.shape == Shape::Word
                && !token.capital
                && !token.is(other | small | LASTING | NEAR_DAY)
                && !["s", "ed", "ing", "ly"]
                    .iter()
                    .any(|end| word.ends_with(end))
        });
        let object = self.tokens.get(at + 1).is_some_and(|token| {
            token.is(ARTICLE | POSSESSIVE)
                || matches!(token.shape, Shape::Thing | Shape::Number)
                || self.word_is(at + 1, any_of!["it", "them", "all", "every", "each", "any"])
        });
        bare && object
    }

    /// "You can call me Sam", "everybody calls me Sam": what somebody goes by, told in passing.
    pub(crate) fn names_the_speaker(&self) -> bool {
        let call = any_of!["call"];
        let named = |at: usize| {
            self.word_is(at + 1, any_of!["me"])
                && self.tokens.get(at + 2).is_some_and(|name| name.capital)
        };
        call.may_be_among(self.sketches)
            && (0..self.tokens.len()).any(|at| self.word_is(at, call) && named(at))
    }

    /// "Change my e-mail to …": an order that tells a fact.
    fn sets_a_value(&self, at: usize) -> bool {
        let last = self.tokens.len();
        let to = (at + 3..last.min(at + 9)).find(|at| self.word_is(*at, any_of!["to"]));
        self.word_is(at, SETTING_VERBS)
            && self.word_is(at + 1, any_of!["my", "our"])
            && to.is_some_and(|to| to + 1 < last)
    }

    /// "Please", also as the last words of a sentence.
    fn is_please(&self, last: usize) -> bool {
        let before = |word: &Words| self.word_is(last.wrapping_sub(1), word);
        self.word_is(last, any_of!["please", "bitte"])
            || self.word_is(last, any_of!["favor"]) && before(any_of!["por"])
            || self.word_is(last, any_of!["plaît", "plait"]) && before(any_of!["te", "vous"])
    }

    fn command_in_front(&self) -> Option<Command> {
        let mut at = self.first_word();
        let mut please = self.word_is(at, any_of!["please", "bitte", "kindly"]);
        at += usize::from(please);
        if self.word_is(at, any_of!["por"]) && self.word_is(at + 1, any_of!["favor"]) {
            please = true;
            at += 2;
        }
        if self.tokens.get(at).is_some_and(|t| t.is_mark(',')) {
            at += 1;
        }
        let lasting_lead = self
            .phrases
            .iter()
            .find(|found| found.sense == Sense::Lasting && found.from <= at + 1);
        if let Some(found) = lasting_lead.filter(|found| found.from == at) {
            at = found.to + usize::from(self.tokens.get(found.to).is_some_and(|t| t.is_mark(',')));
        }
        let lasting_word = self.is(at, LASTING);
        let dont = self.word_is(at, any_of!["do", "don"])
            && self.word_is(at + 1, any_of!["not", "n't", "n’t"]);
        if dont && self.word_is(at + 2, SINGLE_WARNINGS) {
            return (!self.word_is(at + 3, any_of!["that"])).then_some(Command::Once);
        }
        let verb_at = if lasting_word {
            at + 1
        } else if dont {
            at + 2
        } else {
            at
        };
        // "Verwende bitte …", behind its verb.
        please |= self.word_is(verb_at + 1, any_of!["bitte"]);
        if self.is_noun_of_another_language(verb_at) {
            return None;
        }
        if self.word_is(verb_at, DROPPING_VERBS) && !lasting_word && !dont {
            return Some(Command::Once);
        }
        if self.sets_a_value(verb_at) {
            return Some(Command::Changes);
        }
        let verb_like = self.is(verb_at, IMPERATIVE | VERB)
            && (lasting_word || dont || !self.states_in_german(verb_at))
            && !self.is(verb_at, PAST | COPULA | AUXILIARY)
            && !self.word(verb_at).ends_with('s');
        let lets =
            self.word_is(at, any_of!["let"]) && self.word_is(at + 1, any_of!["'s", "’s", "us"]);
        if lets {
            return (!self.has(Sense::Decided)).then_some(Command::Once);
        }
        if lasting_word || dont || lasting_lead.is_some_and(|found| found.from < verb_at) {
            return (verb_like || dont || (lasting_lead.is_some() && self.is(verb_at, IMPERATIVE)))
                .then_some(Command::Lasting);
        }
        if !self.is(verb_at, IMPERATIVE) {
            return (please && !self.is(verb_at, PRONOUN)).then(|| self.kind_of_order(verb_at));
        }
        if self.hands_over_a_statement(verb_at) || !please && !self.is_imperative(verb_at) {
            return None;
        }
        Some(self.kind_of_order(verb_at))
    }

    /// "Ab sofort fährt der Bus …": behind an adverb a German statement begins with its verb.
    fn states_in_german(&self, verb_at: usize) -> bool {
        self.language == Language::German
            && !self.is(verb_at, IMPERATIVE)
            && ["t", "en"]
                .iter()
                .any(|end| self.word(verb_at).ends_with(end))
    }

    /// "Remember that …", "note: …", "remind me that …": what follows is stated.
    fn hands_over_a_statement(&self, at: usize) -> bool {
        let notes = self.word_is(at, any_of!["remember", "note"])
            && (self.word_is(at + 1, any_of!["that", ":"]) || self.states_behind(at + 1));
        let reminds = self.word_is(at, any_of!["remind"])
            && self.word_is(at + 1, any_of!["me", "us"])
            && self.word_is(at + 2, any_of!["that"]);
        let reminds_german = self.word_is(at, any_of!["erinnere", "erinner"])
            && (at + 2..at + 5).any(|place| self.word_is(place, any_of!["dass"]));
        let reminds_in_one =
            self.word_is(at, any_of!["recuérdame"]) && self.word_is(at + 1, any_of!["que"]);
        notes || reminds || reminds_german || reminds_in_one
    }

    /// What the order at `at` is for, by what stands behind its verb.
    fn kind_of_order(&self, at: usize) -> Command {
        if self.lasts(at) {
            Command::Lasting
        } else if self.word_is(at, STYLE_VERBS) {
            Command::Styled
        } else if self.names_an_address() && !self.word_is(at, ASKING_VERBS) {
            Command::Addressed
        } else if self.is_repeated() || self.has_a_day() && !self.word_is(at, ASKING_VERBS) {
            Command::Detailed
        } else if self.is_explained(at) {
            Command::Reasoned
        } else {
            Command::Once
        }
    }

    /// "…; in production it comes from the vault": what is stated behind a semicolon says why or what for.
    fn is_explained(&self, at: usize) -> bool {
        let pause = (at + 2..self.tokens.len()).find(|place| {
            self.tokens
                .get(*place)
                .is_some_and(|token| token.is_mark(';'))
        });
        pause.is_some_and(|pause| {
            let orders_on = self.is(pause + 1, IMPERATIVE) && !self.is(pause + 1, PRONOUN);
            !orders_on
                && self
                    .tokens
                    .iter()
                    .skip(pause + 2)
                    .any(|token| token.is(VERB))
        })
    }

    /// Whether an order that makes no claim may be meant to hold all the same: it tells more than somebody does at once
    /// and forgets, so a person had better look at it.
    pub(crate) fn may_hold(&self, command: Command) -> bool {
        let verb = (0..self.tokens.len())
            .find(|at| self.is(*at, IMPERATIVE | VERB))
            .unwrap_or(0);
        let mut rest = self.tokens.iter().skip(verb + 1);
        let words = rest.clone().filter(|token| !token.is_any_mark()).count();
        let telling = rest.any(|token| {
            matches!(token.shape, Shape::Number | Shape::Thing)
                || token.is(NUMBER)
                || token.of(self.text) == "half"
                || token.capital && token.lexeme.is_none()
        });
        // "Give me a summary" asks; "give the cat half a tablet" says how something is done.
        let gives = self.word_is(verb, any_of!["give"]) && self.is(verb + 1, ARTICLE | POSSESSIVE);
        let at_once = self.word_is(verb, ASKING_VERBS) && !gives
            || self.word_is(verb, DROPPING_VERBS)
            || self.word_is(verb + 1, OF_THE_MOMENT)
            || self.tokens.iter().any(|token| token.is(NEAR_DAY));
        command != Command::Once || telling && words >= LEAST_TELLING && !at_once
    }

    /// "Twice a day", "every third week", "on Mondays", "täglich": how often it is to be done.
    fn is_repeated(&self) -> bool {
        let counted = |at: usize| {
            self.word_is(at, TIMES) && self.word_is(at + 1, PER) && self.is(at + 2, CALENDAR)
                || self.word_is(at + 1, any_of!["times", "mal", "fois", "veces"])
                    && self.word_is(at + 2, PER)
        };
        let each = |at: usize| {
            let repeats = self.word_is(at, EACH);
            let near =
                |place| self.is(place, CALENDAR | WEEKDAY) || self.word_is(place, PARTS_OF_DAY);
            repeats && (near(at + 1) || near(at + 2))
        };
        let weekly = |at: usize| {
            self.word_is(at, RHYTHMS)
                || self.word_is(at, TIMES_OF_MANY) && at > 0
                || self.is(at, WEEKDAY) && self.word(at).ends_with("days")
        };
        (0..self.tokens.len()).any(|at| weekly(at) || each(at) || counted(at))
    }

    /// "Before 31 May", "on Monday", "until the 12th", "after 90 days", "at seven": when it is to be done, beyond today.
    fn has_a_day(&self) -> bool {
        let number = |at: usize| {
            self.tokens
                .get(at)
                .is_some_and(|token| token.shape == Shape::Number)
        };
        let near_month = |at: usize| {
            number(at + 1) || at > 0 && (number(at - 1) || self.word_is(at - 1, BEFORE_DAYS))
        };
        let day = |at: usize| self.is(at, WEEKDAY) || self.is(at, MONTH) && near_month(at);
        let ordinal = |at: usize| {
            number(at + 1)
                && self.word_is(at, any_of!["the"])
                && self
                    .word(at + 1)
                    .ends_with(|c: char| c.is_ascii_alphabetic())
        };
        let delay = |at: usize| {
            self.word_is(at, BEFORE_DELAYS)
                && (number(at + 1) || self.is(at + 1, NUMBER))
                && self.is(at + 2, CALENDAR)
        };
        let clock = |at: usize| {
            self.word_is(at, any_of!["at", "um"])
                && (number(at + 1) || self.is(at + 1, NUMBER))
                && self.tokens.get(at + 2).is_none_or(Token::is_any_mark)
        };
        let soon = self.tokens.iter().any(|token| token.is(NEAR_DAY));
        !soon && (1..self.tokens.len()).any(|at| day(at) || ordinal(at) || delay(at) || clock(at))
    }

    /// An address of mail, or a number to dial.
    fn names_an_address(&self) -> bool {
        let mail = |token: &Token| {
            token.shape == Shape::Thing
                && token
                    .of(self.text)
                    .split_once('@')
                    .is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
        };
        let mut digits = 0;
        let mut dials = |token: &Token| {
            let word = token.of(self.text);
            digits = if token.shape == Shape::Number && word.bytes().all(is_dialled) {
                digits + word.bytes().filter(u8::is_ascii_digit).count()
            } else {
                0
            };
            digits >= LEAST_DIALLED
        };
        self.tokens.iter().any(|token| mail(token) || dials(token))
    }

    /// Whether what is ordered holds from now on: it is about style, or says for how long.
    fn lasts(&self, verb_at: usize) -> bool {
        let reader = any_of!["answers", "replies", "responses", "it"];
        // "Write me a poem" is for once.
        let me = self.word_is(verb_at + 1, any_of!["me"])
            && !self.is(verb_at + 2, ARTICLE | POSSESSIVE | NUMBER)
            && !self.word_is(verb_at + 2, OCCASIONS);
        let of_the_reader = me
            || self.word_is(verb_at + 1, reader)
            || self.is(verb_at + 1, POSSESSIVE | ARTICLE) && self.word_is(verb_at + 2, ANSWERS);
        let style = of_the_reader && self.word_is(verb_at, READER_VERBS);
        let each = |pair: &[Token]| matches!(pair, [a, b] if matches!(a.of(self.text), "before" | "after" | "on" | "for") && matches!(b.of(self.text), "every" | "each" | "all"));
        style
            || self.names_me(verb_at)
            || self.answers_me_so(verb_at)
            || self.denies_an_object(verb_at)
            || self.is_called_a_rule(verb_at)
            || self.is_convention(verb_at)
            || self.has(Sense::Lasting)
            || self.tokens.iter().any(|t| t.is(LASTING))
            || !self.answers_once(verb_at) && self.tokens.windows(2).any(each)
            || !self.is_for_now(verb_at)
                && (self.names_an_occasion(verb_at)
                    || self.sets_apart(verb_at)
                    || self.assigns_a_kind(verb_at))
    }

    /// "Tell me when …": it asks for an answer, or for something here and now.
    fn is_for_now(&self, verb_at: usize) -> bool {
        self.word_is(verb_at, ASKING_VERBS) || self.word_is(verb_at + 1, OF_THE_MOMENT)
    }

    /// "… whenever nobody is at home", "… when the last train leaves": on which occasion, each time.
    fn names_an_occasion(&self, verb_at: usize) -> bool {
        let at = (verb_at + 2..self.tokens.len())
            .find(|at| self.word_is(*at, any_of!["when", "whenever"]));
        let Some(at) = at.filter(|_| self.language == Language::English) else {
            return false;
        };
        let somebody = any_of![
            "nobody", "somebody", "someone", "anyone", "anybody", "everyone", "it"
        ];
        let whose = !self.is(at + 1, PRONOUN) || self.is(at + 1, ARTICLE | POSSESSIVE);
        let present = || {
            let mut rest = self.tokens.iter().skip(at + 2);
            !rest.any(|token| token.is(PAST) && !token.is(VERB)) && at + 2 < self.tokens.len()
        };
        (whose || self.word_is(at + 1, somebody)) && present()
    }

    /// "… to Wanda and not to the office", "…, not by mail": one way is told from another.
    fn sets_apart(&self, verb_at: usize) -> bool {
        let not = any_of!["not", "nicht", "no", "pas"];
        let joint = |at: usize| {
            self.tokens.get(at).is_some_and(|token| token.is_mark(','))
                || self.word_is(at, any_of!["and", "und", "y", "et"])
        };
        (verb_at + 3..self.tokens.len()).any(|at| {
            let way = self
                .tokens
                .get(at + 1)
                .is_some_and(|next| next.is(PREPOSITION | ARTICLE | POSSESSIVE) || next.capital);
            let states = || self.tokens.iter().skip(at + 1).any(|token| token.is(VERB));
            self.word_is(at, not) && joint(at - 1) && way && !states()
        })
    }

    /// "Send contracts to Ilse": everything of a kind, and who gets it.
    fn assigns_a_kind(&self, verb_at: usize) -> bool {
        let all = usize::from(self.word_is(verb_at + 1, any_of!["all", "any", "every"]));
        let from = verb_at + 1 + all;
        let to = (from + 1..self.tokens.len())
            .find(|at| self.word_is(*at, any_of!["to", "an", "a", "à"]));
        let Some(to) = to.filter(|to| *to <= from + LONGEST_KIND) else {
            return false;
        };
        let plain = |at: usize| {
            self.tokens.get(at).is_some_and(|token| {
                token.shape == Shape::Word
                    && !token.capital
                    && !token.is(ARTICLE | POSSESSIVE | NUMBER)
            })
        };
        let many = |at: usize| plain(at) && self.word(at).ends_with('s');
        let named = self.tokens.get(to + 1).is_some_and(|name| name.capital);
        named && plain(from) && (from..to).any(many)
    }

    /// "…, it's our house rule".
    fn is_called_a_rule(&self, at: usize) -> bool {
        let paused = |place: usize| {
            self.tokens
                .get(place)
                .is_some_and(|token| token.is_mark(',') || token.is_mark(';') || token.is_mark('—'))
        };
        let pause = (at + 1..self.tokens.len()).find(|place| paused(*place));
        pause.is_some_and(|pause| {
            let reach = (pause + 1..self.tokens.len()).take(REASON_REACH);
            reach.into_iter().any(|place| self.word_is(place, RULES))
        })
    }

    /// "Nenn mich Mel", "llámame Pepe": a name follows.
    fn names_me(&self, at: usize) -> bool {
        let named = |place: usize| self.tokens.get(place).is_some_and(|name| name.capital);
        self.word_is(at, NAMING_ME) && named(at + 1)
            || self.word_is(at, any_of!["nenn", "nenne", "nennt"])
                && self.word_is(at + 1, any_of!["mich"])
                && named(at + 2)
    }

    /// "Sprich mit mir Deutsch", "répondez-moi en français": in which language or manner.
    fn answers_me_so(&self, at: usize) -> bool {
        let me = any_of!["me", "mir", "mich", "moi", "uns", "us"];
        let speaks = self.word_is(at, ANSWERING_ME)
            || self.word_is(at, ANSWERING) && (at + 1..at + 4).any(|place| self.word_is(place, me));
        let so = |place: usize| self.word_is(place, MANNERS);
        speaks && (at + 1..self.tokens.len()).any(so)
    }

    /// "Schick mir keine langen Texte": an order that denies what it is about is to hold.
    fn denies_an_object(&self, at: usize) -> bool {
        self.language == Language::German
            && self.is(at, IMPERATIVE)
            && !self.word_is(at, any_of!["vergiss", "vergesst", "mach"])
            && (at + 1..at + 4).any(|place| self.is(place, NEGATION))
    }

    /// "Test z matematyki": a word that would order in English, among words of a language that the tables do not know.
    fn is_noun_of_another_language(&self, at: usize) -> bool {
        let behind = || {
            self.tokens
                .iter()
                .skip(at + 1)
                .filter(|t| t.shape == Shape::Word)
        };
        if self.language != Language::English {
            return false;
        }
        let english = behind().any(|t| {
            t.is(ARTICLE | POSSESSIVE | PRONOUN | AUXILIARY | COPULA | SUBORDINATOR)
                || t.is(PREPOSITION) && !FOREIGN_SMALL_WORDS.hold_exactly(t, self.text)
        });
        !english
            && behind().nth(1).is_some()
            && behind().any(|t| FOREIGN_SMALL_WORDS.hold_exactly(t, self.text))
            && behind().all(|t| t.lexeme.is_none_or(|_| !t.is(VERB) || t.is(IMPERATIVE)))
    }

    /// Whether a reason stands behind an instruction: "…, the owner prefers it", "… because it is faster".
    fn gives_reason(&self, at: usize) -> bool {
        let joint = self
            .tokens
            .iter()
            .enumerate()
            .skip(at + 2)
            .find(|(place, token)| {
                self.word_is(*place, REASON_WORDS)
                    || (token.is_mark(',')
                        || token.is_mark(';')
                        || token.is_mark('—')
                        || token.is_mark(':'))
                        && self.tokens.get(place + 1).is_some_and(|next| {
                            next.is(ARTICLE | POSSESSIVE | PRONOUN) || next.capital
                        })
            });
        joint.is_some_and(|(place, _)| {
            let reason = self.tokens.iter().skip(place + 2);
            let told = self.word_is(place, any_of!["because", "weil", "porque", "parce"]);
            let reason: Vec<&Token> = reason.take(REASON_REACH).collect();
            told && reason.len() > 1 || reason.iter().any(|t| t.is(VERB | PREFER))
        })
    }

    fn states_behind(&self, at: usize) -> bool {
        self.is(at, PRONOUN | POSSESSIVE | ARTICLE)
            && self.tokens.iter().skip(at + 1).any(|t| t.is(VERB))
    }

    /// "Commit messages follow a convention": a noun in front of a noun of many, which has a verb of its own.
    fn is_said_of_many(&self, at: usize) -> bool {
        let causes = any_of![
            "make", "let", "help", "have", "watch", "see", "hear", "keep", "get"
        ];
        let many = self.tokens.get(at + 1).is_some_and(|noun| {
            let word = noun.of(self.text);
            noun.shape == Shape::Word
                && !noun.capital
                && word.ends_with('s')
                && !word.ends_with("ss")
        }) && !self.is(
            at + 1,
            PRONOUN | ARTICLE | POSSESSIVE | ADVERB | PREPOSITION,
        );
        let other = PREPOSITION | SUBORDINATOR | COORDINATOR | ADVERB | ATTRIBUTE | PAST;
        let verb = self.is(at + 2, VERB) && !self.is(at + 2, other);
        self.language == Language::English
            && !self.word_is(at, causes)
            && many
            && verb
            && !self.word(at + 2).ends_with('s')
            && self
                .tokens
                .get(at + 3)
                .is_some_and(|next| !next.is_any_mark())
    }

    /// Whether the verb at `at` orders rather than names: what follows it is its object, and no other verb carries the sentence.
    fn is_imperative(&self, at: usize) -> bool {
        let Some(next) = self.tokens.get(at + 1) else {
            return true;
        };
        if self.is_said_of_many(at) {
            return false;
        }
        if next.is_mark(':')
            || next.is_mark(',') && !self.word_is(at, any_of!["stop", "wait"])
            || next.is(COPULA | PAST_COPULA) && !self.word_is(at + 1, any_of!["'s"])
        {
            return false;
        }
        let other_verb = self
            .tokens
            .iter()
            .skip(at + 1)
            .take(6)
            .take_while(|t| !matches!(t.of(self.text), "because" | "since"))
            .any(|t| t.is(COPULA | PAST_COPULA | PAST) && !t.is(ATTRIBUTE));
        // "Explain how tokio works."
        if next.is(QUESTION) && self.word_is(at, ASKING_VERBS) {
            return true;
        }
        let object = next.is(ARTICLE | POSSESSIVE | PREPOSITION | NEGATION | ADVERB | FIRST)
            || matches!(next.shape, Shape::Thing)
            || next.is_any_mark()
            || self.word_is(
                at + 1,
                any_of![
                    "it",
                    "them",
                    "this",
                    "that",
                    "us",
                    "him",
                    "her",
                    "all",
                    "every",
                    "each",
                    "any",
                    "everything",
                    "up",
                    "more",
                ],
            );
        if self.word_is(at, NAMES_TOO) {
            return next.is(ARTICLE | POSSESSIVE)
                || self.word_is(at + 1, any_of!["it", "them", "this"]);
        }
        let subordinate = self.tokens.iter().skip(at + 1).any(|t| t.is(SUBORDINATOR));
        object && !(other_verb && !subordinate && next.is(PREPOSITION))
            || !other_verb
                && !self
                    .tokens
                    .iter()
                    .skip(at + 1)
                    .take(5)
                    .take_while(|t| !t.is(COORDINATOR))
                    .any(|t| t.is(VERB) && !t.is(IMPERATIVE))
    }
}

/// A digit, or a mark that stands in a number to dial.
const fn is_dialled(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'/' | b'(' | b')')
}
