-- From when on rows are shown: the newest row says it, none means all. Of what was from before `gone_before` the engine may
-- have deleted some, so none of it is shown again, whatever is set later.
CREATE TABLE IF NOT EXISTS retention (
  kept_from DateTime64(3, 'UTC'),
  gone_before DateTime64(3, 'UTC'),
  changed_at DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY tuple()
SETTINGS fsync_after_insert = 1;

CREATE OR REPLACE VIEW shown_counts AS SELECT * FROM loader_counts FINAL;

-- What calls of before add up to, by day of UTC and by whom they were for: caps that count since ever count them, too. Written
-- on the day on which its rows are hidden; two processes that do so at once write the same.
CREATE TABLE IF NOT EXISTS stored_past_calls (
  org_id LowCardinality(String),
  started_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  campaign_id LowCardinality(Nullable(String)),
  publisher_id LowCardinality(Nullable(String)),
  target_id LowCardinality(Nullable(String)),
  rtb_id LowCardinality(Nullable(String)),
  buyer_id LowCardinality(Nullable(String)),
  calls UInt64 CODEC(T64, ZSTD(1)),
  connected UInt64 CODEC(T64, ZSTD(1)),
  converted UInt64 CODEC(T64, ZSTD(1)),
  receivable UInt64 CODEC(T64, ZSTD(1)),
  revenue Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1)),
  payout Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (org_id, started_at, campaign_id, publisher_id, target_id, rtb_id, buyer_id)
SETTINGS fsync_after_insert = 1, allow_nullable_key = 1;

CREATE OR REPLACE VIEW past_calls AS SELECT * FROM stored_past_calls FINAL
  WHERE started_at < (SELECT argMax(kept_from, changed_at) FROM retention);
