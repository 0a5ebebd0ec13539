-- What an organization's approved questions are, and who approved them: both NULL for those approved before this.
CREATE TABLE approved_before AS SELECT * FROM approved_questions;
DROP TABLE approved_questions;
CREATE TABLE approved_questions (
  org_id VARCHAR NOT NULL,
  -- Of the question without capitals and punctuation.
  question_sha256 VARCHAR NOT NULL,
  -- The plan, its period in words.
  doc JSON NOT NULL,
  approved_at VARCHAR NOT NULL,
  -- As it was asked.
  question VARCHAR,
  -- The user who found its answer right.
  approved_by VARCHAR,
  PRIMARY KEY (org_id, question_sha256)
);
INSERT INTO approved_questions SELECT org_id, question_sha256, doc, approved_at, NULL, NULL FROM approved_before;
DROP TABLE approved_before;
