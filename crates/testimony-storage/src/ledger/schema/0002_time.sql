-- What runs out is found without looking at every row: rows whose statement ends, rows that wait for too long, and jobs
-- that are due, each kind by itself.

CREATE INDEX memories_ending ON memories (valid_until)
    WHERE valid_until IS NOT NULL AND state IN ('active', 'pending');
CREATE INDEX memories_waiting ON memories (container, created_at) WHERE state = 'pending';
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (kind, not_before) WHERE state IN ('queued', 'leased');
CREATE INDEX jobs_done ON jobs (not_before) WHERE state = 'done';
