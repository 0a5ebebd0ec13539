-- In the order in which transactions come to them; until the end nobody changes what is counted below.
LOCK TABLE documents, document_hours IN SHARE ROW EXCLUSIVE MODE;

-- What documents named that were deleted while they were changed: nobody could delete what it names.
DELETE FROM document_references AS named
WHERE NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.type = named.from_type AND d.id = named.from_id);

-- A process of a version before the counts of 0003 deletes documents without counting them. So, while versions change,
-- what a transaction deletes without a word to the counts is counted at its end. Whoever counts does so from outside any
-- trigger, and before that end.
CREATE FUNCTION note_counting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('trunkline.counts', 'yes', true);
  RETURN NULL;
END $$;
CREATE TRIGGER document_hours_counting AFTER INSERT OR UPDATE ON document_hours
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION note_counting();

CREATE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('trunkline.counts', true) = 'yes' THEN
    RETURN NULL;
  END IF;
  UPDATE document_hours SET documents = documents - 1
  WHERE org_id = OLD.org_id AND type = OLD.type AND hour = OLD.created_ms / 3600000;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER documents_deleted AFTER DELETE ON documents
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_deleted();

-- What was deleted so until now.
DELETE FROM document_hours;
INSERT INTO document_hours
  SELECT org_id, type, created_ms / 3600000 AS hour, count(*) FROM documents GROUP BY org_id, type, hour;
