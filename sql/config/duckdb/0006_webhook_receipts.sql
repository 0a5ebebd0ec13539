-- What was made of each request of an incoming webhook that names its transaction: what is to be done, and the answer.
-- Until that is done somebody is at it, by `leased_until` at the latest; NULL: it is done, and the answer stands.
CREATE TABLE webhook_receipts (
  org_id VARCHAR NOT NULL,
  transaction_id VARCHAR NOT NULL,
  accepted_at VARCHAR NOT NULL,
  leased_until VARCHAR,
  doc JSON NOT NULL,
  PRIMARY KEY (org_id, transaction_id)
);

-- Tags for callers who had not called when they were sent: for the next call, until they expire.
CREATE TABLE caller_data (
  id VARCHAR PRIMARY KEY,
  org_id VARCHAR NOT NULL,
  -- E.164.
  caller VARCHAR NOT NULL,
  tags JSON NOT NULL,
  received_at VARCHAR NOT NULL,
  expires_at VARCHAR NOT NULL,
  -- The call that came for them.
  taken_by VARCHAR
);
