-- Questions that short links ask, each good until it expires; the id is that of the same question, shared with the same dates.
CREATE TABLE shared_links (
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  created_by TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  expires_at TEXT COLLATE "C" NOT NULL,
  -- The question, its plan with the period in words, and the plan with the dates it had when it was shared.
  doc TEXT NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX shared_links_by_expiry ON shared_links (expires_at);
