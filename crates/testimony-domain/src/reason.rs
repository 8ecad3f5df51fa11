//! Reason codes: every decision carries at least one, and each has a sentence for people.

macro_rules! reasons {
    ($($variant:ident = $code:literal, $sentence:literal;)+) => {
        words! {
            /// Why something was decided.
            pub enum Reason {
                $(#[doc = $sentence] $variant = $code,)+
            }
        }

        impl Reason {
            /// The reason as a sentence for people.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$variant => $sentence,)+ }
            }
        }
    };
}

reasons! {
    // What came in, and was kept out of memory.
    SecretFound = "secret_found", "It held a credential, which was redacted before anything was kept.";
    SecretInMetadata = "secret_in_metadata", "Its metadata, tags or labels held a credential, which was redacted before anything was kept.";
    SecretExempted = "secret_exempted", "It holds what looks like a credential, which an operator has allowed in this container.";
    InjectionStrong = "injection_strong", "It tries to instruct the assistant that will read it.";
    InjectionWeak = "injection_weak", "It has signs of instructions to an assistant, so a person has to look first.";
    TestRow = "test_row", "It is a row of a test or evaluation, not a memory.";
    LifecycleLog = "lifecycle_log", "It is a line of a log about starting, stopping or running something.";
    SystemGenerated = "system_generated", "A program wrote it about itself.";
    ResidueGreeting = "residue_greeting", "It is a greeting.";
    ResidueThanks = "residue_thanks", "It says thanks or goodbye.";
    ResidueAcknowledgement = "residue_acknowledgement", "It acknowledges something and states nothing.";
    ResidueEmoji = "residue_emoji", "It holds no words.";
    ResidueAnswerDump = "residue_answer_dump", "It is a whole answer of an assistant, not a fact.";
    ResidueWebProse = "residue_web_prose", "It is generic text of a web page.";
    ResidueSetupProse = "residue_setup_prose", "It is copied set-up or configuration prose.";
    ResidueTerminalNoise = "residue_terminal_noise", "It is output of a terminal.";
    ResidueQuestion = "residue_question", "It asks and states nothing.";
    Echo = "echo", "It repeats what this service had handed out, so it proves nothing.";

    // What came in, and how it was read.
    Admitted = "admitted", "It is clean.";
    ClaimsExtracted = "claims_extracted", "Claims were drawn from it; the text itself is kept as evidence.";
    KeptVerbatim = "kept_verbatim", "No claim could be drawn from it, so it is kept as it was said.";
    Hedged = "hedged", "It is only supposed, not stated.";
    ReviewRequested = "review_requested", "Its writer asked for a person to look first.";
    ClassLowered = "class_lowered", "It came from a weaker source than its writer, and counts as that.";
    ObfuscationDecoded = "obfuscation_decoded", "Part of it was encoded or disguised, and was read in the clear.";
    ReadingIncomplete = "reading_incomplete", "It is disguised in more ways than could be read, so a person has to look first.";

    // How it stands to what was known.
    Novel = "novel", "Nothing known speaks of the same.";
    Duplicate = "duplicate", "The same is known already; this counts as support.";
    Supporting = "supporting", "It says what is known in other words; this counts as support.";
    Supersedes = "supersedes", "It is a newer value of the same, and takes its place.";
    Contradicts = "contradicts", "It says otherwise than what is known, and nothing shows which holds.";
    WeakerChallenger = "weaker_challenger", "It says otherwise than a stronger source, so it waits for a person.";
    IncumbentApproved = "incumbent_approved", "It says otherwise than what a person approved, so it waits for a person.";
    Conflict = "conflict", "It is one side of a conflict that nobody has settled.";

    // What the tables say.
    PendingReview = "pending_review", "It waits for a person or for more support.";
    SingleSupport = "single_support", "Only one origin speaks for it.";
    Quarantined = "quarantined", "It is in quarantine.";
    Forensic = "forensic", "It is kept as evidence only.";
    Superseded = "superseded", "A newer claim took its place.";
    Expired = "expired", "Its time ran out.";
    RejectedByReview = "rejected_by_review", "A person decided against it, or its author took it back.";
    ContentErased = "content_erased", "Its content was erased.";

    // Why an event was refused.
    NotDecidedYet = "not_decided_yet", "A person has to decide about it first.";
    NothingToUndo = "nothing_to_undo", "Nothing happened to it that could be undone.";
    NeverTrusted = "never_trusted", "A row of this kind can never be trusted.";
    NoLongerOpen = "no_longer_open", "It is no longer open to this; reopen it first.";
    NothingRedacted = "nothing_redacted", "Nothing was redacted from it, so there is no remainder to release.";

    // Why a row was not recalled.
    OutOfScope = "out_of_scope", "It lives outside what this key may see.";
    FilteredOut = "filtered_out", "The request's own filters leave it out.";
    NotInView = "not_in_view", "It is not shown in this view.";
    NotCurrent = "not_current", "It does not hold now, and the question asks about now.";
    NotAsOf = "not_as_of", "It did not hold at the time that was asked about.";
    HeldByStrictPolicy = "held_by_strict_policy", "The strict policy shows only what is trusted.";
    NeedsConfirmation = "needs_confirmation", "It has to be confirmed before it counts.";
    BelowFloor = "below_floor", "It is not relevant enough.";
    WeakKeyword = "weak_keyword", "Only common words connect it with the question.";
    WeakLexical = "weak_lexical", "The words it shares with the question are too few or too common.";
    WrongSubject = "wrong_subject", "It speaks of somebody or something else than was asked about.";
    Tangential = "tangential", "It is near the question and does not answer it.";
    NearDuplicate = "near_duplicate", "A better row already says the same.";
    OverLimit = "over_limit", "More relevant rows filled the limit.";
    OverBudget = "over_budget", "It did not fit into the token budget.";
    GateFailed = "gate_failed", "A gate failed, and a gate that fails denies.";
}

impl Reason {
    /// Whether it says of a text that it instructs its reader, or may.
    #[must_use]
    pub const fn is_of_an_injection(self) -> bool {
        matches!(self, Self::InjectionStrong | Self::InjectionWeak)
    }
}
