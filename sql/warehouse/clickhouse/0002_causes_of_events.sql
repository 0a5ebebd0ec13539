-- Who outside has caused an update of a call, and why, for its timeline. Empty for all other events, and for older ones.
ALTER TABLE stored_call_events ADD COLUMN IF NOT EXISTS cause SimpleAggregateFunction(any, Nullable(String)) CODEC(ZSTD(3));

CREATE OR REPLACE VIEW call_events AS SELECT * EXCEPT (log_partition, log_offset) FROM stored_call_events FINAL;
