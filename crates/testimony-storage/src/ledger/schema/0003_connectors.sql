-- Connector tokens, and the keys for which they are exchanged; such a key has no secret and is nobody's until then.

CREATE TABLE connector_keys (
    id BLOB NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    containers TEXT NOT NULL,
    capabilities TEXT NOT NULL,
    source_app TEXT,
    agent TEXT,
    agent_scope TEXT NOT NULL,
    class TEXT NOT NULL,
    ceiling TEXT NOT NULL,
    label_user TEXT,
    label_app TEXT,
    label_org TEXT,
    label_run TEXT,
    expires_at INTEGER,
    name TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    revoked_at INTEGER,
    requests_per_minute INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE connector_tokens (
    ord INTEGER PRIMARY KEY,
    connector BLOB NOT NULL UNIQUE,
    token BLOB NOT NULL UNIQUE,
    ends_at INTEGER NOT NULL,
    used_at INTEGER,
    withdrawn_at INTEGER,
    becomes BLOB NOT NULL REFERENCES connector_keys (id)
) STRICT;
