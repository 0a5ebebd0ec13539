-- Questions that analysts have saved with their plans, for all of their organization: people and systems with a key.
CREATE TABLE saved_questions (
  id TEXT COLLATE "C" PRIMARY KEY,
  org_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  -- The user who saved it.
  created_by TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL,
  -- What was asked, and its plan: with its period in words, or with the dates that it was given.
  doc JSON NOT NULL
);
CREATE INDEX saved_questions_of_org ON saved_questions (org_id, created_at, id);
