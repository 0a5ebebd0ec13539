-- An organization's own words for the assistant: a glossary and rules.
CREATE TABLE assistant_instructions (
  org_id TEXT PRIMARY KEY,
  instructions TEXT NOT NULL,
  updated_by TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
