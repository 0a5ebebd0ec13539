-- What was made of each bulk adjustment of calls that names its transaction: what is to be done, and the answer. As
-- webhook_receipts (0006): until that is done somebody is at it, by `leased_until` at the latest; NULL: it is done.
CREATE TABLE adjustment_receipts (
  org_id TEXT COLLATE "C" NOT NULL,
  transaction_id TEXT COLLATE "C" NOT NULL,
  accepted_at TEXT COLLATE "C" NOT NULL,
  leased_until TEXT COLLATE "C",
  doc JSON NOT NULL,
  PRIMARY KEY (org_id, transaction_id)
);
CREATE INDEX adjustment_receipts_accepted ON adjustment_receipts (accepted_at);
CREATE INDEX adjustment_receipts_leased ON adjustment_receipts (leased_until) WHERE leased_until IS NOT NULL;
