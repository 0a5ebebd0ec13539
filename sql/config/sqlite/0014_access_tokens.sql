-- Access tokens that this platform has issued, by their ids alone, until they expire.
CREATE TABLE access_tokens (
  org_id TEXT NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  revoked_at TEXT,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX access_tokens_by_expiry ON access_tokens (expires_at);
