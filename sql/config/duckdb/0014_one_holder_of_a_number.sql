-- What a document has for itself alone among those of its kind, such as an active campaign its numbers: the key lets two
-- transactions take the same for one only. Of several active campaigns that list a number already, the one that was made
-- first has it; the others go on listing it, and the log of the process names them at its start.
CREATE TABLE exclusive_references (
  from_type VARCHAR NOT NULL,
  to_id VARCHAR NOT NULL,
  org_id VARCHAR NOT NULL,
  from_id VARCHAR NOT NULL,
  PRIMARY KEY (from_type, to_id)
);
INSERT INTO exclusive_references
  SELECT DISTINCT ON (r.to_id) 'campaign', r.to_id, r.org_id, r.from_id
  FROM document_references r JOIN documents d ON d.type = r.from_type AND d.id = r.from_id
  WHERE r.from_type = 'campaign' AND r.to_type = 'number' AND (d.doc->>'is_active') = 'true'
  ORDER BY r.to_id, d.created_at, d.id;

-- A number is one organization's: `unique_key` is the number alone for whoever has it, and has the organization in front
-- for the others, whose rows stay and take no calls (`is_held`). Whoever had it first keeps it; whoever has released it,
-- does not have it. What a number is used for is derived and not kept beside.
CREATE TABLE number_holders AS
  SELECT DISTINCT ON (doc->>'number') id, (doc->>'number') AS number
  FROM documents WHERE type = 'number' AND coalesce(doc->>'status', '') <> 'released'
  ORDER BY doc->>'number', coalesce(doc->>'held_since', created_at), org_id;
UPDATE documents SET doc = json_merge_patch(doc, '{"status": null, "held_since": null, "is_held": false}')
  WHERE type = 'number';
UPDATE documents SET doc = json_merge_patch(doc, '{"is_held": true}'), unique_key = (doc->>'number')
  WHERE type = 'number' AND id IN (SELECT id FROM number_holders);
DROP TABLE number_holders;
