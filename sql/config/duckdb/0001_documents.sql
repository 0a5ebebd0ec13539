-- Times are ISO 8601 text in UTC with milliseconds: they sort as times do and read the same in every engine.

-- One row per config resource. `doc` is the resource with its pause state; the columns beside it are what is looked
-- up or must be unique. `unique_key` is what the resource's kind may have only once.
CREATE TABLE documents (
  type VARCHAR NOT NULL,
  id VARCHAR NOT NULL,
  org_id VARCHAR NOT NULL,
  version INTEGER NOT NULL,
  external_id VARCHAR,
  unique_key VARCHAR,
  created_at VARCHAR NOT NULL,
  doc JSON NOT NULL,
  PRIMARY KEY (type, id)
);
CREATE UNIQUE INDEX documents_external_id ON documents (org_id, type, external_id);
CREATE UNIQUE INDEX documents_unique_key ON documents (type, unique_key);

-- Which document names which: what is named cannot be deleted.
CREATE TABLE document_references (
  org_id VARCHAR NOT NULL,
  from_type VARCHAR NOT NULL,
  from_id VARCHAR NOT NULL,
  to_type VARCHAR NOT NULL,
  to_id VARCHAR NOT NULL
);

-- Audit records written with the change that they tell of, until the log has taken them.
CREATE TABLE audit_outbox (
  id VARCHAR PRIMARY KEY,
  record JSON NOT NULL
);

CREATE TABLE sequences (
  name VARCHAR PRIMARY KEY,
  value BIGINT NOT NULL
);

CREATE TABLE organizations (
  id VARCHAR PRIMARY KEY,
  name VARCHAR NOT NULL,
  timezone VARCHAR NOT NULL,
  created_at VARCHAR NOT NULL
);

-- Only hashes of keys are kept; the prefix lets a person recognise a key.
CREATE TABLE api_keys (
  id VARCHAR PRIMARY KEY,
  org_id VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  prefix VARCHAR NOT NULL,
  hash VARCHAR NOT NULL UNIQUE,
  is_admin BOOLEAN NOT NULL,
  created_at VARCHAR NOT NULL,
  expires_at VARCHAR,
  revoked_at VARCHAR
);

-- Calls that a switch still reports on: what the next instruction needs, for whichever process is asked.
CREATE TABLE open_calls (
  call_id VARCHAR PRIMARY KEY,
  org_id VARCHAR NOT NULL,
  campaign_id VARCHAR,
  version INTEGER NOT NULL,
  doc JSON NOT NULL,
  -- Signals that the log may not have yet.
  untold JSON,
  updated_at VARCHAR NOT NULL
);
