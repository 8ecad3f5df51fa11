//! Names that people and programs give: tags, prefixes, ids, labels, instants. What is taken comes back as it was given.

use testimony_domain::{
    AgentId, ContainerGrant, ContainerTag, MemoryId, RequestId, Timestamp, UserId,
};

/// Takes an input.
pub fn take(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(tag) = ContainerTag::new("container_tag", text) {
        assert_eq!(tag.as_str(), text);
        let grant = ContainerGrant::parse("containers", &[text]);
        assert!(grant.is_ok_and(|grant| grant.reaches(&tag)));
    }
    drop(ContainerGrant::parse(
        "containers",
        &text.lines().collect::<Vec<_>>(),
    ));
    if let Ok(name) = UserId::new("user_id", text) {
        assert_eq!(name.as_str(), text);
    }
    drop(AgentId::new("agent_id", text));
    drop(RequestId::new("request_id", text));
    if let Ok(id) = text.parse::<MemoryId>() {
        // Digits of an id are read in capitals too.
        assert_eq!(id.to_string(), text.to_lowercase());
    }
    drop(text.parse::<Timestamp>());
}
