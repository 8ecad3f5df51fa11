//! The signals: which concepts, close together, speak for an attack, and how strongly.

use testimony_domain::SourceClass;

use super::concepts::Concept;
use super::concepts::Concept::*;
use super::concepts::mask_of;
use crate::lexicon::Mask;

/// What an attack wants. Of each family only the heaviest signal counts, so that saying one thing twice adds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Family {
    /// To put other instructions in place of the given ones.
    Override,
    /// To make the assistant be somebody else.
    Persona,
    /// To have hidden text shown.
    Reveal,
    /// To get data out.
    Exfiltrate,
    /// To have tools used.
    Tools,
    /// To change later answers.
    Future,
    /// To plant a memory.
    Memory,
    /// To keep the user in the dark.
    Conceal,
    /// To take away what guards people.
    Guard,
    /// To bend this answer.
    Answer,
    /// To be heard by the assistant.
    Address,
    /// To be obeyed.
    Obedience,
    /// To look like the frame of a prompt.
    Frame,
    /// To be hidden from people.
    Hidden,
    /// Whatever it is that attacks are worded for.
    Wording,
}

impl Family {
    /// Whether it puts words of its own in place of others, which a quotation then holds as a whole.
    pub(super) const fn overrules(self) -> bool {
        matches!(
            self,
            Self::Override
                | Self::Persona
                | Self::Reveal
                | Self::Obedience
                | Self::Address
                | Self::Wording
        )
    }
}

/// A signal made of concepts.
pub(super) struct Signal {
    /// Its stable id.
    pub(super) id: &'static str,
    /// What it speaks for.
    pub(super) family: Family,
    /// How strongly.
    pub(super) weight: f64,
    /// The concepts that must all stand in one sentence, close together.
    pub(super) needs: &'static [Concept],
    /// How close, in bytes.
    pub(super) within: usize,
    /// The same as a set.
    needs_all: Mask,
    /// Concepts of which one must stand in the same sentence; none means no such wish.
    needs_any: Mask,
}

impl Signal {
    /// Whether it may stand in a sentence of these concepts.
    pub(super) const fn may_match(&self, mask: Mask) -> bool {
        mask & self.needs_all == self.needs_all
            && (self.needs_any == 0 || mask & self.needs_any != 0)
    }
}

const fn signal(
    id: &'static str,
    family: Family,
    weight: f64,
    needs: &'static [Concept],
    any: &'static [Concept],
    within: usize,
) -> Signal {
    Signal {
        id,
        family,
        weight,
        needs,
        within,
        needs_all: mask_of(needs),
        needs_any: mask_of(any),
    }
}

/// What somebody can be told to do or not to do.
const DIRECTIVES: &[Concept] = &[
    Must, Say, Act, Send, Judge, Ignore, DontTell, Promote, Reveal, Obey, NewOrders, NewTask,
    Always, AddVerb, Circumvent, Unchecked, TopMark,
];

/// The table of signals.
#[rustfmt::skip]
pub(super) const SIGNALS: &[Signal] = &[
    signal("override.prior_rules", Family::Override, 5.0, &[Ignore, Prior, Rules], &[], 90),
    signal("override.everything", Family::Override, 5.0, &[Ignore, EverythingBefore], &[], 70),
    signal("override.your_rules", Family::Override, 4.5, &[Ignore, YourRules], &[], 70),
    signal("override.rules", Family::Override, 1.5, &[Ignore, Rules], &[], 40),
    signal("override.consent", Family::Override, 2.0, &[FalseConsent], &[], 0),
    signal("override.consent_acts", Family::Override, 4.0, &[FalseConsent], &[Send, Target, Private, Vault, Asset, Silently], 0),
    signal("override.circumvent", Family::Override, 4.5, &[Circumvent, YourRules], &[], 70),
    signal("override.rules_loosely", Family::Override, 1.5, &[Circumvent, Prior, Rules], &[], 70),
    signal("override.new_orders", Family::Override, 4.0, &[NewOrders], &[], 0),
    signal("override.new_task", Family::Override, 1.5, &[NewTask], &[], 0),
    signal("override.new_task_now", Family::Override, 3.0, &[NewTask], &[SystemPrompt, AiName, TheUser, Vault, TellUser], 160),
    signal("override.notice_lowers", Family::Guard, 2.5, &[Notice, YourRules], &[Lowers], 160),
    signal("override.authority", Family::Override, 1.5, &[Authority], &[], 0),
    signal("override.authority_acts", Family::Override, 4.0, &[Authority], &[YourRules, Ignore, Circumvent, Send, Obey, SystemPrompt], 160),

    signal("persona.you_are_now", Family::Persona, 4.0, &[YouAreNow, Persona], &[], 50),
    signal("persona.freed", Family::Persona, 5.0, &[YouAreNow, Freed], &[], 100),
    signal("persona.mode", Family::Persona, 4.0, &[YouAreNow, Mode], &[], 60),
    signal("persona.act_freed", Family::Persona, 4.0, &[ActAs, Freed], &[], 100),
    signal("persona.mode_without_rules", Family::Persona, 3.0, &[Mode, YourRules], &[], 120),
    signal("persona.impersonate", Family::Persona, 4.0, &[ActAs, Persona], &[TheUser, Private, Vault], 50),
    signal("persona.no_limits", Family::Persona, 2.5, &[Freed, AiName], &[], 80),
    signal("persona.mode_on", Family::Persona, 2.5, &[ModeOn], &[], 0),
    signal("persona.limits", Family::Persona, 1.0, &[Freed], &[], 0),

    signal("reveal.system_prompt", Family::Reveal, 4.5, &[Reveal, SystemPrompt], &[], 60),

    signal("reveal.users_private", Family::Reveal, 3.5, &[Reveal, Private, TheUser], &[], 90),
    signal("reveal.bound", Family::Reveal, 4.0, &[Modal, SystemPrompt], &[AiName, Assistant, Machines], 90),
    signal("reveal.permitted", Family::Reveal, 3.0, &[Permitted, SystemPrompt], &[AiName, Assistant, Machines], 90),

    signal("exfiltrate.vault", Family::Exfiltrate, 5.0, &[Send, Vault, Target], &[], 180),
    signal("exfiltrate.users_secret", Family::Exfiltrate, 5.0, &[Send, Private, Target, TheUser], &[], 200),
    signal("exfiltrate.secret", Family::Exfiltrate, 3.5, &[Send, Private, Target], &[], 160),
    signal("exfiltrate.bound", Family::Exfiltrate, 3.5, &[Sent, Target], &[Vault, Private, KeyFile, SystemPrompt], 160),
    signal("exfiltrate.silently", Family::Exfiltrate, 4.5, &[Send, Silently], &[Vault, Private], 160),
    signal("exfiltrate.users_asset", Family::Exfiltrate, 4.5, &[Send, Asset, TheUser, Target], &[], 180),
    signal("exfiltrate.act_on_secret", Family::Exfiltrate, 4.0, &[Act, Private, TheUser, Target], &[], 160),
    signal("exfiltrate.users_things", Family::Exfiltrate, 2.5, &[Send, Vault, TheUser], &[], 120),
    signal("exfiltrate.by_name", Family::Exfiltrate, 4.5, &[Exfiltrate], &[Vault, Private], 0),
    signal("exfiltrate.encoded", Family::Exfiltrate, 4.5, &[Encode, Vault], &[], 140),
    signal("exfiltrate.users_secret_told", Family::Exfiltrate, 4.0, &[TellUser, Private], &[Target], 120),

    signal("exfiltrate.wished_copy", Family::Exfiltrate, 3.0, &[Wish, TheUser, Send, Target], &[Silently, Vault], 240),
    signal("exfiltrate.password_asked", Family::Exfiltrate, 3.0, &[TheUser, Private, Target], &[FromNowOn, Later], 180),
    signal("exfiltrate.users_things_later", Family::Exfiltrate, 3.0, &[Send, TheUser, Target], &[FromNowOn, Later, Whenever], 200),
    signal("exfiltrate.key_posted", Family::Exfiltrate, 2.0, &[Send, KeyFile], &[], 30),

    signal("tools.silently", Family::Tools, 4.5, &[Act, Tool, Silently], &[], 140),
    signal("tools.asset_silently", Family::Tools, 4.5, &[Act, Asset, Silently], &[], 140),
    signal("tools.command_silently", Family::Tools, 4.5, &[Act, Command, Silently], &[], 160),
    signal("tools.command_on_user", Family::Tools, 4.0, &[Act, Command], &[Asset, ThisPage], 120),
    signal("tools.command_denied", Family::Tools, 4.5, &[Act, Command, DontTell], &[], 200),
    signal("tools.user_silently", Family::Tools, 3.0, &[Act, TheUser, Silently], &[], 120),
    signal("tools.command_for_assistant", Family::Tools, 4.5, &[Assistant, Must, Command], &[], 140),
    signal("tools.later_on_user", Family::Tools, 3.0, &[Act, TheUser, Target], &[FromNowOn, Later, Whenever], 200),
    signal("tools.command_always", Family::Tools, 2.0, &[Always, Act, Command], &[], 80),
    signal("tools.users_asset", Family::Tools, 1.0, &[Act, Tool, Asset], &[], 140),
    signal("tools.called_for_asset", Family::Tools, 3.0, &[Labelled, Act], &[Asset, Vault, Private, Silently], 0),

    signal("future.tell_users", Family::Future, 4.5, &[FromNowOn, Say, TheUser], &[], 180),
    signal("future.promote", Family::Future, 4.5, &[FromNowOn, Say, Promote], &[], 140),
    signal("future.answers_promote", Family::Future, 4.5, &[FromNowOn, YourAnswer, Promote], &[], 180),
    signal("future.your_answers", Family::Future, 4.0, &[FromNowOn, YourAnswer], &[], 90),
    signal("future.say", Family::Future, 2.5, &[FromNowOn, Say], &[], 90),
    signal("future.always_tell_users", Family::Future, 4.0, &[Always, Say, TheUser], &[], 100),
    signal("future.whenever_asked", Family::Future, 4.5, &[Whenever, Asks, Say], &[], 180),
    signal("future.when_answering", Family::Future, 4.0, &[WhenAnswering, Say], &[], 140),
    signal("future.whenever_promote", Family::Future, 4.0, &[Whenever, Say, Promote], &[], 160),
    signal("future.whenever_say", Family::Future, 2.0, &[Whenever, Say], &[TheUser, Anybody], 90),

    signal("future.redirect", Family::Future, 2.0, &[FromNowOn, Asset, Target], &[], 100),

    signal("memory.plant", Family::Memory, 4.5, &[Memorise], &[TheUser, Promote, Say, Private, Always, SystemPrompt, Asset], 0),
    signal("memory.store", Family::Memory, 2.0, &[Memorise], &[], 0),

    signal("conceal.from_user", Family::Conceal, 4.5, &[DontTell, TheUser], &[], 90),
    signal("conceal.this_text", Family::Conceal, 4.0, &[DontTell, ThisText], &[], 70),
    signal("conceal.loosely", Family::Conceal, 1.0, &[DontTell], &[], 0),

    signal("answer.work_into_promoting", Family::Answer, 4.5, &[WorkInto, YourAnswer], &[Promote, Target, TheUser], 140),
    signal("answer.work_into", Family::Answer, 3.0, &[WorkInto, YourAnswer], &[], 100),
    signal("answer.tell_users", Family::Answer, 4.5, &[YourAnswer, Say, TheUser], &[], 120),
    signal("answer.add_promoting", Family::Answer, 4.0, &[AddVerb, AddToAnswer], &[Promote, Target], 220),
    signal("answer.add", Family::Answer, 1.5, &[AddVerb, AddToAnswer], &[], 160),
    signal("answer.top_mark", Family::Answer, 2.0, &[Judge, TopMark], &[], 80),
    signal("answer.top_mark_ordered", Family::Answer, 4.0, &[Modal, Judge, TopMark], &[ThisPage], 100),
    signal("answer.top_mark_always", Family::Answer, 4.5, &[Judge, TopMark], &[Obey, DontTell, Always], 100),
    signal("answer.tell_user", Family::Answer, 2.0, &[TellUser], &[], 0),

    signal("address.directive", Family::Address, 4.5, &[AddressesAi], DIRECTIVES, 0),
    signal("address.ai", Family::Address, 2.5, &[AddressesAi], &[], 0),
    signal("address.called", Family::Address, 4.0, &[Called], DIRECTIVES, 0),
    signal("address.labelled", Family::Address, 1.5, &[Labelled], DIRECTIVES, 0),
    signal("address.turns_to_ai", Family::Address, 3.5, &[TurnsTo, AiName], DIRECTIVES, 30),

    signal("address.reads_directive", Family::Address, 4.5, &[AiName, ReadsThis], DIRECTIVES, 70),
    signal("address.handles_directive", Family::Address, 3.0, &[Assistant, ReadsThis], DIRECTIVES, 50),
    signal("address.turned_to_handler", Family::Address, 4.5, &[TurnsTo, Assistant, ReadsThis], DIRECTIVES, 90),

    signal("override.granted", Family::Override, 2.5, &[Granted], &[], 0),
    signal("override.granted_acts", Family::Override, 4.5, &[Granted], &[Send, Asset, Silently, Vault, Private, Unchecked], 0),
    signal("future.unchecked", Family::Future, 2.0, &[Unchecked], &[Always, Act, Tool, Command, AiName, Assistant, Must, FromNowOn, Granted, Called, Labelled], 0),
    signal("exfiltrate.passed_on", Family::Exfiltrate, 3.0, &[PassOn, Vault], &[], 90),
    signal("override.promise", Family::Override, 4.5, &[Promise, Governs], &[], 110),
    signal("override.promise_loosely", Family::Override, 4.5, &[Promise, Rules], &[SystemPrompt, YourRules], 60),
    signal("override.by_name", Family::Override, 1.5, &[Overrides], &[], 0),
    signal("override.by_name_acts", Family::Override, 4.0, &[Overrides], &[Granted, Vault, SystemPrompt, TheUser, Private, Asset, Target, YourRules, AiName, Silently, Ignore, Obey, Rules, Freed, Persona, TellUser, TopMark, Trusted, Unchecked, ModeOn], 0),
    signal("address.turned_ordered", Family::Address, 4.5, &[TurnsTo, AiName, Must, Ask], &[], 90),
    signal("memory.trusted", Family::Memory, 4.5, &[Keep, Trusted], &[Record, Memorise], 120),
    signal("conceal.from_anybody", Family::Conceal, 2.0, &[DontTell, Anybody], &[Always], 120),

    signal("override.void_rules", Family::Override, 4.5, &[Void, YourRules], &[], 90),
    signal("override.new_task_done", Family::Override, 2.5, &[NewTask], &[YourAnswer, AddToAnswer, Reveal, Send, Promote, Private, Ignore, Modal], 0),
    signal("override.treat_as", Family::Override, 4.5, &[Keep, Trusted, FromNowOn], &[], 160),
    signal("persona.freed_mode", Family::Persona, 4.5, &[ModeOn, Freed], &[], 100),
    signal("exfiltrate.key_file", Family::Exfiltrate, 5.0, &[Send, KeyFile], &[Target, Silently, TheUser, YourAnswer, Called, Labelled], 160),
    signal("exfiltrate.key_file_shown", Family::Exfiltrate, 4.0, &[PassOn, KeyFile], &[], 120),
    signal("future.whenever_acts", Family::Future, 3.0, &[Whenever, Act, TheUser], &[Mentions, Asks, Asset, Silently], 120),
    signal("future.whenever_tool", Family::Future, 4.0, &[Whenever, Act, Tool], &[Asks, Mentions], 180),
    signal("future.add", Family::Future, 3.5, &[FromNowOn, AddVerb], &[YourAnswer, AddToAnswer, Promote], 120),
    signal("address.labelled_sends", Family::Address, 4.0, &[Labelled, Send], &[Vault, KeyFile, Private, Silently], 160),

    signal("obedience.obey", Family::Obedience, 3.5, &[Obey], &[], 0),
    signal("obedience.must_obey", Family::Obedience, 4.0, &[Obey, Must], &[], 90),
    signal("obedience.follow_place", Family::Obedience, 4.0, &[FollowText, Target], &[], 140),
    signal("obedience.follow", Family::Obedience, 2.5, &[FollowText], &[], 0),
];

/// The stable id of a sentence that is worded as attacks are, so surely that a person's own words are none either.
pub(super) const WORDED: &str = "wording.attack";
/// From which logarithm of odds on a sentence is worded so.
pub(super) const WORDED_FROM: f64 = 1.1;
/// Below which it is worded as orders to people are, which ask for nobody's look.
pub(super) const ORDINARY_BELOW: f64 = -2.0;

/// From which score on a person looks at what anybody but a person said.
pub(super) const WEAK_FROM_STRANGERS: f64 = 2.0;

/// From which score on a text of a class is held.
pub(super) struct Threshold {
    pub(super) class: SourceClass,
    pub(super) weak: f64,
    pub(super) strong: f64,
}

/// The thresholds, weakest class first; they rise with the class, so a weaker class never gets a milder grade.
///
/// People may give standing orders: what makes theirs suspect is more than one thing that no honest user writes.
#[rustfmt::skip]
pub(super) const THRESHOLDS: [Threshold; SourceClass::ALL.len()] = [
    Threshold { class: SourceClass::ExternalDocument, weak: WEAK_FROM_STRANGERS, strong: 4.0 },
    Threshold { class: SourceClass::ModelInference, weak: WEAK_FROM_STRANGERS, strong: 4.0 },
    Threshold { class: SourceClass::AgentObservation, weak: WEAK_FROM_STRANGERS, strong: 4.5 },
    Threshold { class: SourceClass::ToolResult, weak: WEAK_FROM_STRANGERS, strong: 4.5 },
    Threshold { class: SourceClass::UserStatement, weak: 5.5, strong: 9.0 },
    Threshold { class: SourceClass::Operator, weak: 8.0, strong: 12.0 },
];

/// The score that signals reach at most together where they are only reported, as in a talk about attacks.
pub(super) const REPORTED_AT_MOST: f64 = 3.0;
/// The same where they stand in quotation marks and the sentence says that somebody said or wrote them.
pub(super) const MENTIONED_AT_MOST: f64 = 1.9;
/// What is left of a signal that stands in quotation marks.
pub(super) const QUOTED: f64 = 0.5;
/// What is left of a signal in a sentence about attacks.
pub(super) const ABOUT_ATTACKS: f64 = 0.5;
/// What is left of a signal that stands in quotation marks in a sentence about attacks.
pub(super) const QUOTED_ABOUT_ATTACKS: f64 = 0.3;
/// What is left of a signal in a report of what a model was told.
pub(super) const TOLD_IN_A_REPORT: f64 = 0.2;
/// What is left of a wish for later answers where somebody reports what the user wants.
pub(super) const REPORTED_WISH: f64 = 0.3;
