-- What was done over weeks is told as counts, and events are too many to go through: so each hour keeps how often something
-- was done and what was decided about it. It says nothing that the trail does not say, and stays as long.

CREATE TABLE tallies (
    container TEXT NOT NULL,
    hour INTEGER NOT NULL,
    action TEXT NOT NULL,
    decision TEXT NOT NULL,
    events INTEGER NOT NULL,
    PRIMARY KEY (container, hour, action, decision)
) STRICT, WITHOUT ROWID;

INSERT INTO tallies
SELECT container, at - at % 3600000000 AS hour, action, coalesce(decision, '') AS decided, count(*)
FROM events
WHERE container IS NOT NULL AND action IN ('memory.made', 'job.queued', 'job.changed')
GROUP BY container, hour, action, decided;
