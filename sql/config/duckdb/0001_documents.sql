-- Times are ISO 8601 text in UTC with milliseconds: they sort as times do and read the same in every engine.

-- One row per config resource; `doc` is the resource as the API shows it, the columns beside it are taken from it.
CREATE TABLE documents (
  type VARCHAR NOT NULL,
  id VARCHAR NOT NULL,
  org_id VARCHAR NOT NULL,
  version INTEGER NOT NULL,
  external_id VARCHAR,
  created_at VARCHAR NOT NULL,
  doc JSON NOT NULL,
  PRIMARY KEY (type, id)
);
CREATE UNIQUE INDEX documents_external_id ON documents (org_id, type, external_id);

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
  created_at VARCHAR NOT NULL,
  expires_at VARCHAR,
  revoked_at VARCHAR
);

-- Calls that a switch still reports on: what the next instruction needs, for whichever process is asked.
CREATE TABLE open_calls (
  call_id VARCHAR PRIMARY KEY,
  org_id VARCHAR NOT NULL,
  version INTEGER NOT NULL,
  doc JSON NOT NULL,
  updated_at VARCHAR NOT NULL
);
