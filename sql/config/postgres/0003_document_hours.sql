-- When each document was made, in milliseconds since 1970: lists go by it. A process of an older version, which does not
-- set it, can write no document that no list would have; as a check, for the column may be null in DuckDB.
ALTER TABLE documents ADD COLUMN created_ms BIGINT;
UPDATE documents SET created_ms = round(extract(epoch FROM created_at::timestamptz) * 1000);
ALTER TABLE documents ADD CHECK (created_ms IS NOT NULL);
DROP INDEX documents_listed;
CREATE INDEX documents_listed ON documents (org_id, type, created_ms DESC, length(id) DESC, id DESC);

-- How many documents of a kind were made in each hour since 1970: so a list knows how many there are, and when those of
-- a page were made. Written in the transaction that makes or deletes them.
CREATE TABLE document_hours (
  org_id TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  hour BIGINT NOT NULL,
  documents BIGINT NOT NULL,
  PRIMARY KEY (org_id, type, hour)
);
INSERT INTO document_hours
  SELECT org_id, type, created_ms / 3600000 AS hour, count(*) FROM documents GROUP BY org_id, type, hour;
