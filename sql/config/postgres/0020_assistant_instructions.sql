-- An organization's own words for the assistant: a glossary and rules.
CREATE TABLE assistant_instructions (
  org_id TEXT COLLATE "C" PRIMARY KEY,
  instructions TEXT NOT NULL,
  updated_by TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL
);
