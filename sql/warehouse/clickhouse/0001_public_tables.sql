-- The tables that analysts see, with the names and columns of the embedded warehouse. Rows lie in `stored_…`, sorted by
-- organization, time and id, a part for each month; a view of the plain name shows of each row one, and of a call its
-- latest version, before the engine has merged them and after. A row keeps its place in the log: what comes again from
-- the same place is the same row, what comes from another one is a duplicate.
--
-- A map that a message lacks is NULL, which here only a Variant of a map can be. A text that is JSON bears the type of an
-- aggregate, whose function does nothing: results tell it by its type, and functions take it as text.
--
-- `fsync_after_insert`: the place in the log is moved when the rows are on disk, not before.

CREATE TABLE IF NOT EXISTS stored_calls (
  org_id LowCardinality(String),
  started_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  call_id String CODEC(ZSTD(1)),
  version Int32 CODEC(T64, ZSTD(1)),
  call_sid Nullable(String) CODEC(ZSTD(1)),
  campaign_id LowCardinality(Nullable(String)),
  campaign_name LowCardinality(Nullable(String)),
  publisher_id LowCardinality(Nullable(String)),
  publisher_name LowCardinality(Nullable(String)),
  number_id LowCardinality(Nullable(String)),
  number LowCardinality(Nullable(String)),
  caller_id Nullable(String) CODEC(ZSTD(1)),
  caller_state LowCardinality(Nullable(String)),
  caller_zip Nullable(String) CODEC(ZSTD(1)),
  target_id LowCardinality(Nullable(String)),
  target_name LowCardinality(Nullable(String)),
  target_type LowCardinality(Nullable(String)),
  rtb_id LowCardinality(Nullable(String)),
  rtb_group_id LowCardinality(Nullable(String)),
  buyer_id LowCardinality(Nullable(String)),
  buyer_name LowCardinality(Nullable(String)),
  inbound_request_id Nullable(String) CODEC(ZSTD(1)),
  status LowCardinality(String),
  connected_at Nullable(DateTime64(3, 'UTC')) CODEC(Delta, ZSTD(1)),
  ended_at Nullable(DateTime64(3, 'UTC')) CODEC(Delta, ZSTD(1)),
  duration Nullable(Int32) CODEC(T64, ZSTD(1)),
  ivr_duration Nullable(Int32) CODEC(T64, ZSTD(1)),
  connect_duration Nullable(Int32) CODEC(T64, ZSTD(1)),
  termination_by LowCardinality(Nullable(String)),
  failure_reason LowCardinality(Nullable(String)),
  attempts Int32 CODEC(T64, ZSTD(1)),
  revenue Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1)),
  payout Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1)),
  profit Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1)),
  configured_revenue Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1)),
  configured_payout Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1)),
  revenue_overridden Bool,
  payable Bool,
  receivable Bool,
  converted Bool,
  converted_at Nullable(DateTime64(3, 'UTC')) CODEC(Delta, ZSTD(1)),
  is_duplicate Bool,
  duplicate_of Nullable(String) CODEC(ZSTD(1)),
  repeat_caller Bool,
  tcpa_result LowCardinality(Nullable(String)),
  recording_url Nullable(String) CODEC(ZSTD(1)),
  tags Variant(Map(LowCardinality(String), String)) CODEC(ZSTD(3)),
  created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  updated_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  terms SimpleAggregateFunction(any, Nullable(String)) CODEC(ZSTD(3)),
  updates SimpleAggregateFunction(any, Nullable(String)) CODEC(ZSTD(3)),
  INDEX by_call_id call_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(started_at)
ORDER BY (org_id, started_at, call_id)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1;

CREATE OR REPLACE VIEW calls AS SELECT * FROM stored_calls FINAL;

CREATE TABLE IF NOT EXISTS stored_call_events (
  org_id LowCardinality(String),
  occurred_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  id String CODEC(ZSTD(1)),
  event LowCardinality(String),
  call_id String CODEC(ZSTD(1)),
  version Int32 CODEC(T64, ZSTD(1)),
  started_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  status LowCardinality(String),
  campaign_id LowCardinality(Nullable(String)),
  publisher_id LowCardinality(Nullable(String)),
  target_id LowCardinality(Nullable(String)),
  buyer_id LowCardinality(Nullable(String)),
  attempts Int32 CODEC(T64, ZSTD(1)),
  failure_reason LowCardinality(Nullable(String)),
  termination_by LowCardinality(Nullable(String)),
  revenue Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1)),
  payout Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1)),
  converted Bool,
  log_partition UInt32 CODEC(T64, ZSTD(1)),
  log_offset UInt64 CODEC(Delta, ZSTD(1)),
  INDEX by_call_id call_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (org_id, occurred_at, id)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1;

CREATE OR REPLACE VIEW call_events AS SELECT * EXCEPT (log_partition, log_offset) FROM stored_call_events FINAL;

CREATE TABLE IF NOT EXISTS stored_outgoing_webhook_requests (
  org_id LowCardinality(String),
  created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  id String CODEC(ZSTD(1)),
  updated_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  outgoing_webhook_config_id LowCardinality(String),
  webhook_config_name LowCardinality(Nullable(String)),
  event_type_id LowCardinality(String),
  event_id Nullable(String) CODEC(ZSTD(1)),
  call_id Nullable(String) CODEC(ZSTD(1)),
  method LowCardinality(String),
  url String CODEC(ZSTD(1)),
  path String CODEC(ZSTD(1)),
  query_string Nullable(String) CODEC(ZSTD(1)),
  headers Variant(Map(LowCardinality(String), String)) CODEC(ZSTD(3)),
  body Nullable(String) CODEC(ZSTD(3)),
  source_ip LowCardinality(Nullable(String)),
  attempt Int32 CODEC(T64, ZSTD(1)),
  outcome LowCardinality(String),
  error Nullable(String) CODEC(ZSTD(1)),
  next_attempt_at Nullable(DateTime64(3, 'UTC')) CODEC(Delta, ZSTD(1)),
  response_status_code Nullable(Int32) CODEC(T64, ZSTD(1)),
  response_headers Variant(Map(LowCardinality(String), String)) CODEC(ZSTD(3)),
  response_body Nullable(String) CODEC(ZSTD(3)),
  response_time_ms Nullable(Int32) CODEC(T64, ZSTD(1)),
  delivery_id Nullable(String) CODEC(ZSTD(1)),
  `trigger` LowCardinality(Nullable(String)),
  error_class LowCardinality(Nullable(String)),
  remote_address LowCardinality(Nullable(String)),
  dns_ms Nullable(Int32) CODEC(T64, ZSTD(1)),
  connect_ms Nullable(Int32) CODEC(T64, ZSTD(1)),
  first_byte_ms Nullable(Int32) CODEC(T64, ZSTD(1)),
  log_partition UInt32 CODEC(T64, ZSTD(1)),
  log_offset UInt64 CODEC(Delta, ZSTD(1)),
  INDEX by_id id TYPE bloom_filter GRANULARITY 1,
  INDEX by_call_id call_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (org_id, created_at, id)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1;

CREATE OR REPLACE VIEW outgoing_webhook_requests AS SELECT * EXCEPT (log_partition, log_offset) FROM stored_outgoing_webhook_requests FINAL;

CREATE TABLE IF NOT EXISTS stored_incoming_webhook_requests (
  org_id LowCardinality(String),
  created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  id String CODEC(ZSTD(1)),
  updated_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  incoming_webhook_config_id LowCardinality(String),
  webhook_config_name LowCardinality(Nullable(String)),
  webhook_config_type LowCardinality(Nullable(String)),
  call_log_id Nullable(String) CODEC(ZSTD(1)),
  call_id Nullable(String) CODEC(ZSTD(1)),
  transaction_id Nullable(String) CODEC(ZSTD(1)),
  method LowCardinality(String),
  path String CODEC(ZSTD(1)),
  query_string Nullable(String) CODEC(ZSTD(1)),
  headers Variant(Map(LowCardinality(String), String)) CODEC(ZSTD(3)),
  body Nullable(String) CODEC(ZSTD(3)),
  source_ip LowCardinality(Nullable(String)),
  response_status_code Nullable(Int32) CODEC(T64, ZSTD(1)),
  response_headers Variant(Map(LowCardinality(String), String)) CODEC(ZSTD(3)),
  response_body Nullable(String) CODEC(ZSTD(3)),
  response_time_ms Nullable(Int32) CODEC(T64, ZSTD(1)),
  log_partition UInt32 CODEC(T64, ZSTD(1)),
  log_offset UInt64 CODEC(Delta, ZSTD(1)),
  INDEX by_id id TYPE bloom_filter GRANULARITY 1,
  INDEX by_call_id call_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (org_id, created_at, id)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1;

CREATE OR REPLACE VIEW incoming_webhook_requests AS SELECT * EXCEPT (log_partition, log_offset) FROM stored_incoming_webhook_requests FINAL;

CREATE TABLE IF NOT EXISTS stored_inbound_rtb_requests (
  org_id LowCardinality(String),
  created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  request_id String CODEC(ZSTD(1)),
  inbound_rtb_id LowCardinality(String),
  campaign_id LowCardinality(Nullable(String)),
  campaign_name LowCardinality(Nullable(String)),
  publisher_id LowCardinality(Nullable(String)),
  publisher_name LowCardinality(Nullable(String)),
  caller_id Nullable(String) CODEC(ZSTD(1)),
  zip_code Nullable(String) CODEC(ZSTD(1)),
  state LowCardinality(Nullable(String)),
  params Variant(Map(LowCardinality(String), String)) CODEC(ZSTD(3)),
  outcome LowCardinality(String),
  reason LowCardinality(Nullable(String)),
  total_routes Int32 CODEC(T64, ZSTD(1)),
  allocated_count Int32 CODEC(T64, ZSTD(1)),
  best_payout Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1)),
  processing_ms Float64 CODEC(ZSTD(1)),
  call_id Nullable(String) CODEC(ZSTD(1)),
  eligible_routes SimpleAggregateFunction(any, Nullable(String)) CODEC(ZSTD(3)),
  ineligible_routes SimpleAggregateFunction(any, Nullable(String)) CODEC(ZSTD(3)),
  allocations SimpleAggregateFunction(any, Nullable(String)) CODEC(ZSTD(3)),
  life_log SimpleAggregateFunction(any, Nullable(String)) CODEC(ZSTD(3)),
  log_partition UInt32 CODEC(T64, ZSTD(1)),
  log_offset UInt64 CODEC(Delta, ZSTD(1)),
  INDEX by_request_id request_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (org_id, created_at, request_id)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1;

CREATE OR REPLACE VIEW inbound_rtb_requests AS SELECT * EXCEPT (log_partition, log_offset) FROM stored_inbound_rtb_requests FINAL;

CREATE TABLE IF NOT EXISTS stored_outbound_rtb_requests (
  org_id LowCardinality(String),
  created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  id String CODEC(ZSTD(1)),
  rtb_id LowCardinality(String),
  rtb_name LowCardinality(Nullable(String)),
  buyer_id LowCardinality(Nullable(String)),
  buyer_name LowCardinality(Nullable(String)),
  rtb_group_id LowCardinality(Nullable(String)),
  campaign_id LowCardinality(Nullable(String)),
  campaign_name LowCardinality(Nullable(String)),
  call_id Nullable(String) CODEC(ZSTD(1)),
  inbound_request_id Nullable(String) CODEC(ZSTD(1)),
  outcome LowCardinality(String),
  reason LowCardinality(Nullable(String)),
  bid Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1)),
  effective_bid Nullable(Decimal(18, 4)) CODEC(T64, ZSTD(1)),
  duration Nullable(Int32) CODEC(T64, ZSTD(1)),
  phone_number Nullable(String) CODEC(ZSTD(1)),
  score Nullable(Float64) CODEC(ZSTD(1)),
  won Bool,
  total_ms Float64 CODEC(ZSTD(1)),
  steps_count Int32 CODEC(T64, ZSTD(1)),
  steps SimpleAggregateFunction(any, Nullable(String)) CODEC(ZSTD(3)),
  log_partition UInt32 CODEC(T64, ZSTD(1)),
  log_offset UInt64 CODEC(Delta, ZSTD(1)),
  INDEX by_id id TYPE bloom_filter GRANULARITY 1,
  INDEX by_call_id call_id TYPE bloom_filter GRANULARITY 1,
  INDEX by_inbound_request_id inbound_request_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (org_id, created_at, id)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1;

CREATE OR REPLACE VIEW outbound_rtb_requests AS SELECT * EXCEPT (log_partition, log_offset) FROM stored_outbound_rtb_requests FINAL;

CREATE TABLE IF NOT EXISTS stored_audit_logs (
  org_id LowCardinality(String),
  created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  id String CODEC(ZSTD(1)),
  actor_type LowCardinality(String),
  actor_id String CODEC(ZSTD(1)),
  actor_name Nullable(String) CODEC(ZSTD(1)),
  action LowCardinality(String),
  entity_type LowCardinality(String),
  entity_id String CODEC(ZSTD(1)),
  entity_name Nullable(String) CODEC(ZSTD(1)),
  changes SimpleAggregateFunction(any, Nullable(String)) CODEC(ZSTD(3)),
  request_id Nullable(String) CODEC(ZSTD(1)),
  source_ip LowCardinality(Nullable(String)),
  log_partition UInt32 CODEC(T64, ZSTD(1)),
  log_offset UInt64 CODEC(Delta, ZSTD(1)),
  INDEX by_entity_id entity_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (org_id, created_at, id)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1;

CREATE OR REPLACE VIEW audit_logs AS SELECT * EXCEPT (log_partition, log_offset) FROM stored_audit_logs FINAL;

CREATE TABLE IF NOT EXISTS stored_call_traces (
  org_id LowCardinality(String),
  occurred_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  id String CODEC(ZSTD(1)),
  call_id String CODEC(ZSTD(1)),
  event LowCardinality(String),
  detail SimpleAggregateFunction(any, Nullable(String)) CODEC(ZSTD(3)),
  log_partition UInt32 CODEC(T64, ZSTD(1)),
  log_offset UInt64 CODEC(Delta, ZSTD(1)),
  INDEX by_call_id call_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (org_id, occurred_at, id)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1;

CREATE OR REPLACE VIEW call_traces AS SELECT * EXCEPT (log_partition, log_offset) FROM stored_call_traces FINAL;

-- The loader's place in each partition of the log: the furthest one holds.
CREATE TABLE IF NOT EXISTS loader_positions (
  topic LowCardinality(String),
  partition UInt32,
  next_offset UInt64
)
ENGINE = ReplacingMergeTree(next_offset)
ORDER BY (topic, partition)
SETTINGS fsync_after_insert = 1;

-- How many requests an organization's histories have in each day and each minute since 1970, by the partition of the log
-- that they came from: those from before `counted_to`. So a figure is told again, or by two at once, without harm; the
-- one that is counted further holds.
CREATE TABLE IF NOT EXISTS loader_counts (
  counted LowCardinality(String),
  unit LowCardinality(String),
  org_id LowCardinality(String),
  slot Int64 CODEC(Delta, ZSTD(1)),
  log_partition UInt32,
  requests UInt64 CODEC(T64, ZSTD(1)),
  counted_to UInt64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(counted_to)
ORDER BY (counted, unit, org_id, slot, log_partition)
SETTINGS fsync_after_insert = 1;
