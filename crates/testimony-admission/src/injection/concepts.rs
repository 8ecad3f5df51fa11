//! What a word of an attack stands for, whatever its language.

use crate::lexicon::Mask;

macro_rules! concepts {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// A concept that signals are made of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Concept { $($(#[doc = $doc])+ $name,)+ }
    };
}

concepts! {
    /// To leave instructions aside: ignore, disregard, forget.
    Ignore,
    /// To get around a rule: override, bypass, turn off.
    Circumvent,
    /// What was before: previous, above, earlier.
    Prior,
    /// Instructions, rules, guidelines.
    Rules,
    /// All that was said before, in one phrase.
    EverythingBefore,
    /// The assistant's own rules: your guidelines, your programming.
    YourRules,
    /// You are now.
    YouAreNow,
    /// What an assistant can be told to be.
    Persona,
    /// Without limits.
    Freed,
    /// A special mode: developer mode.
    Mode,
    /// A special mode that is on, or a filter that is off.
    ModeOn,
    /// Act as, pretend to be.
    ActAs,
    /// What an assistant or a person can be called: assistant, agent.
    Assistant,
    /// What only a machine is called: AI, language model.
    AiName,
    /// Words that turn to a reader: note to, attention, if you are.
    TurnsTo,
    /// An assistant called at the start of a sentence: `assistant, …`. Found by its place, not by a word.
    Called,
    /// The same with a colon, as transcripts also have it. Found by its place, not by a word.
    Labelled,
    /// A phrase that turns to an assistant and nobody else.
    AddressesAi,
    /// To show or say what is hidden.
    Reveal,
    /// The system prompt, by any name.
    SystemPrompt,
    /// To send away.
    Send,
    /// To get out in secret.
    Exfiltrate,
    /// What a conversation, a memory or a vault holds as a whole.
    Vault,
    /// What is private: a password, personal data.
    Private,
    /// Where things can be sent to.
    Target,
    /// Without asking or telling.
    Silently,
    /// The person whom the assistant serves.
    TheUser,
    /// Anybody at all, also outside of a conversation.
    Anybody,
    /// Not to tell.
    DontTell,
    /// The attack's own text: this message, these instructions.
    ThisText,
    /// From now on, in all future answers.
    FromNowOn,
    /// Always, never: habits of all kinds.
    Always,
    /// Whenever, every time.
    Whenever,
    /// When you answer: words to somebody who answers.
    WhenAnswering,
    /// Asks about.
    Asks,
    /// To say, answer, recommend.
    Say,
    /// To say something to the user, as a phrase.
    TellUser,
    /// To praise one thing over others.
    Promote,
    /// The assistant's answer: your response, your output.
    YourAnswer,
    /// To work something into an answer.
    WorkInto,
    /// To add.
    AddVerb,
    /// To add something to an answer, as a phrase of its own.
    AddToAnswer,
    /// What can run or act: tool, shell, function.
    Tool,
    /// A command that does harm when it is run.
    Command,
    /// To make something happen.
    Act,
    /// What is worth guarding: all files, the account, money.
    Asset,
    /// To write into memory for good.
    Memorise,
    /// Phrases that announce instructions in place of the earlier ones.
    NewOrders,
    /// The user is said to have agreed.
    FalseConsent,
    /// A new task or role.
    NewTask,
    /// Claims to be somebody with authority over the assistant.
    Authority,
    /// To obey whatever is said.
    Obey,
    /// To judge: rate, rank, score.
    Judge,
    /// The best mark.
    TopMark,
    /// To bind somebody: must, have to.
    Must,
    /// To follow what a place says.
    FollowText,
    /// To put into a code: base64, query string.
    Encode,
    /// Reports of what somebody wants: the user prefers.
    Wish,
    /// Words of people who write about attacks.
    Reports,
    /// What a model was told by somebody, as those put it who report it.
    Told,
    /// Is about to read this text: reading this, processing this ticket.
    ReadsThis,
    /// Rights that the text gives to its reader.
    Granted,
    /// Without checks, reviews or logs.
    Unchecked,
    /// To hand something on to a tool.
    PassOn,
    /// What may be a machine or a thing of metal: tool, software, system.
    Thing,
    /// Binds whoever stands before it: must, has to, are required to.
    Modal,
    /// The same, said as an order: are hereby instructed to.
    Hereby,
    /// What a machine can be told to do, beside what other concepts have.
    Ask,
    /// To keep for good: store, mark, treat as.
    Keep,
    /// More trust than the text has: as verified, class operator.
    Trusted,
    /// What is kept: this note, the following, long-term memory.
    Record,
    /// A model says what it will not follow any more.
    Promise,
    /// Who or what a model has to follow.
    Governs,
    /// Words of rules for everybody, as laws and studies have them.
    Policy,
    /// An override by name, which sluices and lifts have as well.
    Overrides,
    /// Words that tell of what somebody said or wrote.
    Mentions,
    /// A file or place that holds keys: `.env`, `~/.ssh`.
    KeyFile,
    /// Is out of force, or puts others out of it: no longer apply.
    Void,
    /// Machines as a kind, which nobody talks to who talks to their own: AI agents, language models.
    Machines,
    /// What guards people from what an assistant does: a warning, a confirmation, a certificate check.
    Guard,
    /// To do without what guards: turn off, hide, without.
    Lowers,
    /// May do something: is allowed to, has permission to.
    Permitted,
    /// What announces words of somebody with authority: note from the operator.
    Notice,
    /// Some other time: next time, as soon as, before each reply.
    Later,
    /// What a text calls itself that people read: this page, this paper.
    ThisPage,
    /// Has to be sent away, by whom is not said: must be forwarded to.
    Sent,
}

impl Concept {
    /// The concept as a set of one.
    pub(super) const fn bit(self) -> Mask {
        1 << self as u8
    }
}

/// All the concepts of a list as one set.
pub(super) const fn mask_of(concepts: &[Concept]) -> Mask {
    let mut mask = 0;
    let mut rest = concepts;
    while let [first, others @ ..] = rest {
        mask |= first.bit();
        rest = others;
    }
    mask
}
