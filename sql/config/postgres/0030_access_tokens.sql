-- Access tokens that this platform has issued, by their ids alone, until they expire.
CREATE TABLE access_tokens (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  expires_at TEXT COLLATE "C" NOT NULL,
  revoked_at TEXT COLLATE "C",
  PRIMARY KEY (org_id, id)
);
CREATE INDEX access_tokens_by_expiry ON access_tokens (expires_at);
