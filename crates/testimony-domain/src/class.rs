//! Who says it: the class of a source, and how far each way in can lift it.

words! {
    /// How much a source's word counts, weakest first, so that `min` is the weakest of a lineage.
    pub enum SourceClass {
        /// A web page, a file, an e-mail: anybody may have written it.
        ExternalDocument = "external_document",
        /// What a model concluded.
        ModelInference = "model_inference",
        /// What an agent says it saw.
        AgentObservation = "agent_observation",
        /// What a tool returned.
        ToolResult = "tool_result",
        /// What the user said.
        UserStatement = "user_statement",
        /// What the operator of the service said.
        Operator = "operator",
    }
}

impl SourceClass {
    /// The weakest class of a lineage; a lineage of nothing counts as the weakest of all.
    #[must_use]
    pub fn weakest(lineage: impl IntoIterator<Item = Self>) -> Self {
        lineage.into_iter().min().unwrap_or(Self::ExternalDocument)
    }

    /// Whether a clean row of this class is known at once rather than after support or approval.
    #[must_use]
    pub const fn is_known_at_once(self) -> bool {
        match self {
            Self::Operator | Self::UserStatement | Self::ToolResult => true,
            Self::AgentObservation | Self::ModelInference | Self::ExternalDocument => false,
        }
    }
}

words! {
    /// The way a text came in. Each has a ceiling that no key can lift.
    pub enum EvidenceChannel {
        /// `retain`.
        Retain = "retain",
        /// `observed_facts` of a writeback.
        ObservedFact = "writeback.observed_facts",
        /// `artifacts` of a writeback.
        Artifact = "writeback.artifacts",
        /// A preference or decision of a writeback whose words stand in `user_message`.
        UserQuoted = "writeback.quoted_from_user_message",
        /// A preference or decision of a writeback whose words stand nowhere else.
        AgentReported = "writeback.reported_by_agent",
        /// `user_message` of a writeback, where extraction is asked for.
        UserMessage = "writeback.user_message",
        /// `assistant_response` of a writeback.
        AssistantResponse = "writeback.assistant_response",
        /// The answer of a reflection that is to be saved.
        ReflectAnswer = "reflect.save_memory",
        /// What a model extracted from evidence.
        ModelExtraction = "model_extraction",
    }
}

/// The strongest class that each way in can give.
pub const CHANNEL_CEILINGS: &[(EvidenceChannel, SourceClass)] = &[
    (EvidenceChannel::Retain, SourceClass::Operator),
    (EvidenceChannel::ObservedFact, SourceClass::AgentObservation),
    (EvidenceChannel::Artifact, SourceClass::AgentObservation),
    (EvidenceChannel::UserQuoted, SourceClass::Operator),
    (
        EvidenceChannel::AgentReported,
        SourceClass::AgentObservation,
    ),
    (EvidenceChannel::UserMessage, SourceClass::Operator),
    (
        EvidenceChannel::AssistantResponse,
        SourceClass::ModelInference,
    ),
    (EvidenceChannel::ReflectAnswer, SourceClass::ModelInference),
    (
        EvidenceChannel::ModelExtraction,
        SourceClass::ModelInference,
    ),
];

impl EvidenceChannel {
    /// The strongest class that this way in can give.
    #[must_use]
    pub fn ceiling(self) -> SourceClass {
        let row = CHANNEL_CEILINGS
            .iter()
            .find(|(channel, _)| *channel == self);
        row.map_or(SourceClass::ExternalDocument, |(_, ceiling)| *ceiling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_has_exactly_one_ceiling() {
        for channel in EvidenceChannel::ALL {
            assert_eq!(
                CHANNEL_CEILINGS
                    .iter()
                    .filter(|(c, _)| c == channel)
                    .count(),
                1,
                "{channel}"
            );
        }
    }

    #[test]
    fn the_weakest_of_a_lineage_counts() {
        use SourceClass::{ExternalDocument, Operator, ToolResult};
        assert_eq!(SourceClass::weakest([Operator, ToolResult]), ToolResult);
        assert_eq!(SourceClass::weakest([]), ExternalDocument);
    }
}
