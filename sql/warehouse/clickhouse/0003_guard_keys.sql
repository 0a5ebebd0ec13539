-- What opens an organization's rows to the user that runs SQL of others: a row for each of its queries, of the key that goes
-- with it only what it hashes to. They are of no use after their query.
CREATE TABLE IF NOT EXISTS guard_keys (
  key_hash String,
  org_id String,
  made_at DateTime('UTC') DEFAULT now('UTC')
)
ENGINE = MergeTree
ORDER BY key_hash
TTL made_at + INTERVAL 1 HOUR;
