-- How much a key may be used: how many items on a day, which are counted where they are kept, and whether the gateway brings
-- memory into what says nothing about memory. And which person read, where no key did.

ALTER TABLE keys ADD COLUMN items_per_day INTEGER;
ALTER TABLE keys ADD COLUMN gateway_memory INTEGER NOT NULL DEFAULT 0;
ALTER TABLE connector_keys ADD COLUMN items_per_day INTEGER;
ALTER TABLE connector_keys ADD COLUMN gateway_memory INTEGER NOT NULL DEFAULT 0;
CREATE INDEX evidence_by_key ON evidence (origin_key, recorded_at);
ALTER TABLE read_rows ADD COLUMN person BLOB;
