-- The first form of the ledger on disk.
--
-- Ids are sixteen bytes; instants are microseconds since 1970 in UTC; closed words and labels are text; lists of words
-- are JSON arrays; lists of ids are their bytes, one after the other.
-- `ord` is the order in which rows came, and every list that promises that order is read by it.

CREATE TABLE embedders (
    ord INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    revision TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    UNIQUE (name, revision, dimensions)
) STRICT;

CREATE TABLE containers (
    tag TEXT PRIMARY KEY,
    made_at INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    pending_expires_after_hours INTEGER,
    evidence_kept_days INTEGER,
    exempt_rules TEXT NOT NULL,
    allowed_fingerprints TEXT NOT NULL,
    embedder INTEGER REFERENCES embedders (ord)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    request TEXT,
    action TEXT NOT NULL,
    container TEXT,
    object TEXT NOT NULL,
    decision TEXT,
    reasons TEXT NOT NULL,
    rules TEXT NOT NULL,
    previous BLOB NOT NULL,
    own BLOB NOT NULL
) STRICT;
CREATE INDEX events_of_container ON events (container) WHERE container IS NOT NULL;
CREATE INDEX events_of_object ON events (object);

CREATE TABLE evidence (
    ord INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    container TEXT NOT NULL REFERENCES containers (tag),
    plane TEXT NOT NULL,
    scope TEXT NOT NULL,
    owner_agent TEXT,
    owner_key BLOB,
    label_user TEXT,
    label_app TEXT,
    label_org TEXT,
    label_run TEXT,
    origin_key BLOB NOT NULL,
    origin_agent TEXT,
    origin_run TEXT,
    origin_source TEXT,
    origin_class TEXT NOT NULL,
    origin_echo INTEGER NOT NULL,
    label TEXT NOT NULL,
    text TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    reasons TEXT NOT NULL,
    metadata TEXT,
    erased INTEGER NOT NULL DEFAULT 0,
    CHECK ((owner_agent IS NULL) <> (owner_key IS NULL))
) STRICT;
CREATE INDEX evidence_by_age ON evidence (container, recorded_at);

CREATE TABLE facts (
    id BLOB PRIMARY KEY,
    container TEXT NOT NULL REFERENCES containers (tag),
    slot_subject TEXT,
    slot_attribute TEXT,
    slot_scope TEXT,
    current BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE memories (
    ord INTEGER PRIMARY KEY,
    changed INTEGER NOT NULL,
    words BLOB,
    id BLOB NOT NULL UNIQUE,
    fact BLOB NOT NULL REFERENCES facts (id),
    revision INTEGER NOT NULL,
    content TEXT NOT NULL,
    kind TEXT NOT NULL,
    slot_subject TEXT,
    slot_attribute TEXT,
    slot_scope TEXT,
    slot_value TEXT,
    slot_unit TEXT,
    slot_negated INTEGER,
    entities TEXT NOT NULL,
    speaker TEXT,
    container TEXT NOT NULL REFERENCES containers (tag),
    plane TEXT NOT NULL,
    scope TEXT NOT NULL,
    owner_agent TEXT,
    owner_key BLOB,
    label_user TEXT,
    label_app TEXT,
    label_org TEXT,
    label_run TEXT,
    class TEXT NOT NULL,
    source TEXT NOT NULL,
    source_app TEXT,
    tags TEXT NOT NULL,
    custom_id TEXT,
    evidence BLOB NOT NULL,
    observed_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    approved INTEGER NOT NULL,
    review TEXT,
    contested INTEGER NOT NULL,
    origins INTEGER NOT NULL,
    reasons TEXT NOT NULL,
    valid_from INTEGER,
    valid_until INTEGER,
    expires_at INTEGER,
    UNIQUE (fact, revision),
    CHECK ((owner_agent IS NULL) <> (owner_key IS NULL))
) STRICT;
CREATE UNIQUE INDEX memories_by_change ON memories (changed);
CREATE INDEX memories_of_container ON memories (container);
CREATE INDEX memories_by_state ON memories (container, state);
CREATE INDEX memories_of_user ON memories (container, label_user) WHERE label_user IS NOT NULL;
CREATE INDEX memories_by_custom_id ON memories (container, custom_id) WHERE custom_id IS NOT NULL;
CREATE INDEX memories_in_slot ON memories (container, slot_subject, slot_attribute, slot_scope)
    WHERE slot_subject IS NOT NULL AND state IN ('active', 'pending');
CREATE INDEX memories_in_words ON memories (container, words) WHERE state IN ('active', 'pending');
CREATE INDEX memories_running_out ON memories (expires_at)
    WHERE expires_at IS NOT NULL AND state IN ('active', 'pending');

CREATE TABLE memory_tags (
    container TEXT NOT NULL,
    tag TEXT NOT NULL,
    memory INTEGER NOT NULL REFERENCES memories (ord),
    PRIMARY KEY (container, tag, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_of_memory ON memory_tags (memory);

CREATE TABLE rests (
    evidence BLOB NOT NULL REFERENCES evidence (id),
    memory BLOB NOT NULL REFERENCES memories (id),
    PRIMARY KEY (evidence, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX rests_of_memory ON rests (memory);

CREATE TABLE history (
    memory BLOB NOT NULL REFERENCES memories (id),
    seq INTEGER NOT NULL REFERENCES events (seq),
    event TEXT,
    state TEXT NOT NULL,
    approved INTEGER NOT NULL,
    review TEXT,
    contested INTEGER NOT NULL,
    origins INTEGER NOT NULL,
    reasons TEXT NOT NULL,
    valid_from INTEGER,
    valid_until INTEGER,
    expires_at INTEGER,
    PRIMARY KEY (memory, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE supports (
    ord INTEGER PRIMARY KEY,
    memory BLOB NOT NULL REFERENCES memories (id),
    evidence BLOB NOT NULL REFERENCES evidence (id),
    polarity TEXT NOT NULL,
    origin_key BLOB NOT NULL,
    origin_agent TEXT,
    origin_run TEXT,
    origin_source TEXT,
    origin_class TEXT NOT NULL,
    origin_echo INTEGER NOT NULL,
    UNIQUE (memory, evidence, polarity)
) STRICT;
CREATE INDEX supports_by_evidence ON supports (evidence);

CREATE TABLE links (
    ord INTEGER PRIMARY KEY,
    source BLOB NOT NULL REFERENCES memories (id),
    relation TEXT NOT NULL,
    target BLOB NOT NULL REFERENCES memories (id),
    UNIQUE (source, relation, target)
) STRICT;
CREATE INDEX links_to ON links (target);

CREATE TABLE entities (
    id BLOB PRIMARY KEY,
    container TEXT NOT NULL REFERENCES containers (tag),
    name TEXT NOT NULL,
    aliases TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE entity_names (
    container TEXT NOT NULL,
    folded TEXT NOT NULL,
    entity BLOB NOT NULL REFERENCES entities (id),
    PRIMARY KEY (container, folded)
) STRICT, WITHOUT ROWID;
CREATE INDEX names_of_entity ON entity_names (entity);

CREATE TABLE mentions (
    entity BLOB NOT NULL REFERENCES entities (id),
    memory INTEGER NOT NULL REFERENCES memories (ord),
    PRIMARY KEY (entity, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_by_memory ON mentions (memory);

CREATE TABLE embeddings (
    ord INTEGER PRIMARY KEY,
    memory INTEGER NOT NULL REFERENCES memories (ord),
    embedder INTEGER NOT NULL REFERENCES embedders (ord),
    vector BLOB NOT NULL,
    UNIQUE (memory, embedder)
) STRICT;

CREATE TABLE review_cases (
    ord INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    container TEXT NOT NULL REFERENCES containers (tag),
    kind TEXT NOT NULL,
    grouped TEXT NOT NULL,
    memory BLOB NOT NULL REFERENCES memories (id),
    against BLOB NOT NULL,
    note TEXT,
    opened_at INTEGER NOT NULL,
    closed_at INTEGER,
    closed_by TEXT,
    decision TEXT,
    closing_note TEXT
) STRICT;
CREATE UNIQUE INDEX cases_open ON review_cases (memory, kind) WHERE closed_at IS NULL;
CREATE INDEX cases_of_memory ON review_cases (memory);
CREATE INDEX cases_waiting ON review_cases (container) WHERE closed_at IS NULL;
CREATE INDEX cases_of_container ON review_cases (container);

CREATE TABLE jobs (
    ord INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    container TEXT NOT NULL REFERENCES containers (tag),
    memory BLOB REFERENCES memories (id),
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    not_before INTEGER NOT NULL,
    failure TEXT,
    queued_at INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_by_state ON jobs (state);
CREATE INDEX jobs_due ON jobs (not_before) WHERE state IN ('queued', 'leased');
CREATE INDEX jobs_of_memory ON jobs (memory) WHERE memory IS NOT NULL;
CREATE INDEX jobs_waiting ON jobs (container, kind, memory) WHERE state = 'queued';

CREATE TABLE receipts (
    ord INTEGER PRIMARY KEY,
    key BLOB NOT NULL,
    container TEXT NOT NULL,
    operation TEXT NOT NULL,
    request TEXT NOT NULL,
    body BLOB NOT NULL,
    response TEXT NOT NULL,
    memories BLOB NOT NULL,
    at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    UNIQUE (key, container, operation, request)
) STRICT;
CREATE INDEX receipts_until ON receipts (until);
CREATE INDEX receipts_of_container ON receipts (container);

CREATE TABLE receipt_memories (
    memory BLOB NOT NULL,
    receipt INTEGER NOT NULL REFERENCES receipts (ord) ON DELETE CASCADE,
    PRIMARY KEY (memory, receipt)
) STRICT, WITHOUT ROWID;
CREATE INDEX memories_of_receipt ON receipt_memories (receipt);

CREATE TABLE judgments (
    memory BLOB NOT NULL REFERENCES memories (id),
    about BLOB NOT NULL,
    said TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (memory, about)
) STRICT;

CREATE TABLE keys (
    ord INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
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
) STRICT;

CREATE TABLE key_secrets (
    key BLOB NOT NULL REFERENCES keys (id),
    place INTEGER NOT NULL,
    hash BLOB NOT NULL,
    until INTEGER,
    PRIMARY KEY (key, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE people (
    id BLOB PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    password TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    password_set_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id BLOB PRIMARY KEY,
    person BLOB NOT NULL REFERENCES people (id),
    token BLOB NOT NULL UNIQUE,
    opened_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_person ON sessions (person);

CREATE TABLE read_rows (
    ord INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    key BLOB,
    container TEXT NOT NULL,
    route TEXT NOT NULL,
    request TEXT,
    returned BLOB NOT NULL,
    suppressed INTEGER NOT NULL,
    abstained INTEGER NOT NULL,
    latency_us INTEGER NOT NULL
) STRICT;
CREATE INDEX reads_of_container ON read_rows (container, at);
CREATE INDEX reads_by_age ON read_rows (at);

CREATE TABLE rollups (
    hour INTEGER NOT NULL,
    container TEXT NOT NULL,
    route TEXT NOT NULL,
    requests INTEGER NOT NULL,
    abstained INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    suppressed INTEGER NOT NULL,
    latency_us INTEGER NOT NULL,
    PRIMARY KEY (hour, container, route)
) STRICT, WITHOUT ROWID;

CREATE TABLE handed_out (
    key BLOB NOT NULL,
    run TEXT NOT NULL,
    memory BLOB NOT NULL,
    at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (key, run, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX handed_out_newest ON handed_out (key, run, at, memory);
CREATE INDEX handed_out_until ON handed_out (until);
CREATE INDEX handed_out_of_memory ON handed_out (memory);

CREATE TABLE erasures (
    seq INTEGER PRIMARY KEY REFERENCES events (seq),
    mark BLOB NOT NULL UNIQUE,
    memories BLOB NOT NULL,
    evidence BLOB NOT NULL,
    took TEXT NOT NULL
) STRICT;
