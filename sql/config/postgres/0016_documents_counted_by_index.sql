-- Every process sets it since 0003.
ALTER TABLE documents ALTER COLUMN created_ms SET NOT NULL;

-- Lists are counted by their index.
DROP TRIGGER documents_deleted ON documents;
DROP TABLE document_hours;
DROP FUNCTION count_deleted;
DROP FUNCTION note_counting;
