-- Approved questions by the SHA-256 of what is compared, in hex: questions of any length and script fit their index.
CREATE TABLE approved_before AS
  SELECT org_id, sha256(question) AS question_sha256, doc, approved_at FROM approved_questions;
DROP TABLE approved_questions;
CREATE TABLE approved_questions (
  org_id VARCHAR NOT NULL,
  -- Of the question without capitals and punctuation.
  question_sha256 VARCHAR NOT NULL,
  -- The plan, its period in words.
  doc JSON NOT NULL,
  approved_at VARCHAR NOT NULL,
  PRIMARY KEY (org_id, question_sha256)
);
INSERT INTO approved_questions SELECT org_id, question_sha256, doc, approved_at FROM approved_before;
DROP TABLE approved_before;
