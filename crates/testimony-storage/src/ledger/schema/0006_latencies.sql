-- How long reading took is told in shares of all that was asked over weeks, of which the rows of reading are too many to go
-- through: so each hour keeps how many requests took how long, in steps that grow by an eighth. It goes with the rows.

CREATE TABLE latencies (
    container TEXT NOT NULL,
    hour INTEGER NOT NULL,
    route TEXT NOT NULL,
    step INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (container, hour, route, step)
) STRICT, WITHOUT ROWID;
CREATE INDEX latencies_by_age ON latencies (hour);
