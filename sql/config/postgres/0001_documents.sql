-- Times are ISO 8601 text in UTC with milliseconds: they sort as times do and read the same in every engine. What is
-- sorted has the collation "C", so that every server sorts it alike.

-- One row per config resource. `doc` is the resource with its pause state; the columns beside it are what is looked
-- up or must be unique. `unique_key` is what the resource's kind may have only once.
-- `doc` is JSON and not JSONB: it reads back with its fields in the order in which they were written. The check keeps
-- out what JSON can write but `->>` cannot read (`\u0000`, half a surrogate pair): one such document would break every
-- list that looks into documents.
CREATE TABLE documents (
  type TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  org_id TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  external_id TEXT COLLATE "C",
  unique_key TEXT COLLATE "C",
  created_at TEXT COLLATE "C" NOT NULL,
  doc JSON NOT NULL CHECK (doc::jsonb IS NOT NULL),
  PRIMARY KEY (type, id)
);
CREATE UNIQUE INDEX documents_external_id ON documents (org_id, type, external_id);
CREATE UNIQUE INDEX documents_unique_key ON documents (type, unique_key);
CREATE INDEX documents_listed ON documents (org_id, type, created_at DESC, id DESC);

-- Which document names which: what is named cannot be deleted. The key holds when one process names a document while
-- another deletes it, and is checked at the end of a transaction, so that documents may be written in any order.
CREATE TABLE document_references (
  org_id TEXT COLLATE "C" NOT NULL,
  from_type TEXT COLLATE "C" NOT NULL,
  from_id TEXT COLLATE "C" NOT NULL,
  to_type TEXT COLLATE "C" NOT NULL,
  to_id TEXT COLLATE "C" NOT NULL,
  FOREIGN KEY (to_type, to_id) REFERENCES documents (type, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX document_references_from ON document_references (from_type, from_id);
CREATE INDEX document_references_to ON document_references (to_type, to_id);

-- Audit records written with the change that they tell of, until the log has taken them.
CREATE TABLE audit_outbox (
  id TEXT COLLATE "C" PRIMARY KEY,
  record JSON NOT NULL
);

CREATE TABLE sequences (
  name TEXT COLLATE "C" PRIMARY KEY,
  value BIGINT NOT NULL
);

CREATE TABLE organizations (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL
);

-- Only hashes of keys are kept; the prefix lets a person recognise a key.
CREATE TABLE api_keys (
  id TEXT COLLATE "C" PRIMARY KEY,
  org_id TEXT COLLATE "C" NOT NULL,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  is_admin BOOLEAN NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  expires_at TEXT COLLATE "C",
  revoked_at TEXT COLLATE "C"
);
CREATE INDEX api_keys_listed ON api_keys (org_id, created_at DESC, id DESC);

-- Calls that a switch still reports on: what the next instruction needs, for whichever process is asked.
CREATE TABLE open_calls (
  call_id TEXT COLLATE "C" PRIMARY KEY,
  org_id TEXT COLLATE "C" NOT NULL,
  campaign_id TEXT COLLATE "C",
  version INTEGER NOT NULL,
  doc JSON NOT NULL,
  -- Signals that the log may not have yet.
  untold JSON,
  updated_at TEXT COLLATE "C" NOT NULL
);
CREATE INDEX open_calls_campaign ON open_calls (campaign_id);
CREATE INDEX open_calls_updated ON open_calls (updated_at);

-- Requests counted for a time, in the shape that the limiter's library reads and clears.
CREATE TABLE rate_limits (
  key VARCHAR(255) PRIMARY KEY,
  points INTEGER NOT NULL DEFAULT 0,
  expire BIGINT
);
