-- How many memories stand in each plane and state of a container is told from an index alone; operators see it on a page. The
-- index by state stays beside it, since it gives the rows of a state in the order in which they came.

CREATE INDEX memories_by_plane ON memories (container, plane, state);
