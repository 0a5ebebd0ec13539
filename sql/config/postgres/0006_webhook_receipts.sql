-- What was made of each request of an incoming webhook that names its transaction: what is to be done, and the answer.
-- Until that is done somebody is at it, by `leased_until` at the latest; NULL: it is done, and the answer stands.
CREATE TABLE webhook_receipts (
  org_id TEXT COLLATE "C" NOT NULL,
  transaction_id TEXT COLLATE "C" NOT NULL,
  accepted_at TEXT COLLATE "C" NOT NULL,
  leased_until TEXT COLLATE "C",
  doc JSON NOT NULL,
  PRIMARY KEY (org_id, transaction_id)
);
CREATE INDEX webhook_receipts_accepted ON webhook_receipts (accepted_at);
CREATE INDEX webhook_receipts_leased ON webhook_receipts (leased_until) WHERE leased_until IS NOT NULL;

-- Tags for callers who had not called when they were sent: for the next call, until they expire.
CREATE TABLE caller_data (
  id TEXT COLLATE "C" PRIMARY KEY,
  org_id TEXT COLLATE "C" NOT NULL,
  -- E.164.
  caller TEXT COLLATE "C" NOT NULL,
  tags JSON NOT NULL,
  received_at TEXT COLLATE "C" NOT NULL,
  expires_at TEXT COLLATE "C" NOT NULL,
  -- The call that came for them.
  taken_by TEXT COLLATE "C"
);
CREATE INDEX caller_data_of_caller ON caller_data (org_id, caller);
CREATE INDEX caller_data_expires ON caller_data (expires_at);
