-- When each document was made, in milliseconds since 1970: lists go by it, and it tells which parts of the table need not
-- be read. Every writer sets it; DuckDB takes no NOT NULL for a column of a table that has indexes.
ALTER TABLE documents ADD COLUMN created_ms BIGINT;
UPDATE documents SET created_ms = epoch_ms(CAST(created_at AS TIMESTAMP));

-- How many documents of a kind were made in each hour since 1970: so a list knows how many there are, and when those of
-- a page were made. Written in the transaction that makes or deletes them.
CREATE TABLE document_hours (
  org_id VARCHAR NOT NULL,
  type VARCHAR NOT NULL,
  hour BIGINT NOT NULL,
  documents BIGINT NOT NULL,
  PRIMARY KEY (org_id, type, hour)
);
INSERT INTO document_hours
  SELECT org_id, type, created_ms // 3600000 AS hour, count(*) FROM documents GROUP BY org_id, type, hour;
