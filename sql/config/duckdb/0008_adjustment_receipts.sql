-- What was made of each bulk adjustment of calls that names its transaction: what is to be done, and the answer. As
-- webhook_receipts (0006): until that is done somebody is at it, by `leased_until` at the latest; NULL: it is done.
CREATE TABLE adjustment_receipts (
  org_id VARCHAR NOT NULL,
  transaction_id VARCHAR NOT NULL,
  accepted_at VARCHAR NOT NULL,
  leased_until VARCHAR,
  doc JSON NOT NULL,
  PRIMARY KEY (org_id, transaction_id)
);
