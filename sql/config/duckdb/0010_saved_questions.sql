-- Questions that analysts have saved with their plans, for all of their organization: people and systems with a key.
CREATE TABLE saved_questions (
  id VARCHAR PRIMARY KEY,
  org_id VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  -- The user who saved it.
  created_by VARCHAR NOT NULL,
  created_at VARCHAR NOT NULL,
  updated_at VARCHAR NOT NULL,
  -- What was asked, and its plan: with its period in words, or with the dates that it was given.
  doc JSON NOT NULL
);
