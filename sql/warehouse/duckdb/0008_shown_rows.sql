-- Rows lie in `stored_…`, as on ClickHouse; a view of the plain name shows those that are kept. Each process that opens the
-- file makes the views anew, with the time from which on rows are shown; likewise of the counts.

ALTER TABLE calls RENAME TO stored_calls;
ALTER TABLE call_events RENAME TO stored_call_events;
ALTER TABLE call_traces RENAME TO stored_call_traces;
ALTER TABLE outgoing_webhook_requests RENAME TO stored_outgoing_webhook_requests;
ALTER TABLE incoming_webhook_requests RENAME TO stored_incoming_webhook_requests;
ALTER TABLE inbound_rtb_requests RENAME TO stored_inbound_rtb_requests;
ALTER TABLE outbound_rtb_requests RENAME TO stored_outbound_rtb_requests;
ALTER TABLE audit_logs RENAME TO stored_audit_logs;

CREATE VIEW calls AS SELECT * FROM stored_calls;
CREATE VIEW call_events AS SELECT * FROM stored_call_events;
CREATE VIEW call_traces AS SELECT * FROM stored_call_traces;
CREATE VIEW outgoing_webhook_requests AS SELECT * FROM stored_outgoing_webhook_requests;
CREATE VIEW incoming_webhook_requests AS SELECT * FROM stored_incoming_webhook_requests;
CREATE VIEW inbound_rtb_requests AS SELECT * FROM stored_inbound_rtb_requests;
CREATE VIEW outbound_rtb_requests AS SELECT * FROM stored_outbound_rtb_requests;
CREATE VIEW audit_logs AS SELECT * FROM stored_audit_logs;

ALTER TABLE loader.calls_by_day RENAME TO stored_calls_by_day;
ALTER TABLE loader.calls_by_minute RENAME TO stored_calls_by_minute;
ALTER TABLE loader.outgoing_webhook_requests_by_day RENAME TO stored_outgoing_webhook_requests_by_day;
ALTER TABLE loader.outgoing_webhook_requests_by_minute RENAME TO stored_outgoing_webhook_requests_by_minute;
ALTER TABLE loader.incoming_webhook_requests_by_day RENAME TO stored_incoming_webhook_requests_by_day;
ALTER TABLE loader.incoming_webhook_requests_by_minute RENAME TO stored_incoming_webhook_requests_by_minute;

CREATE VIEW loader.calls_by_day AS SELECT * FROM loader.stored_calls_by_day;
CREATE VIEW loader.calls_by_minute AS SELECT * FROM loader.stored_calls_by_minute;
CREATE VIEW loader.outgoing_webhook_requests_by_day AS SELECT * FROM loader.stored_outgoing_webhook_requests_by_day;
CREATE VIEW loader.outgoing_webhook_requests_by_minute AS SELECT * FROM loader.stored_outgoing_webhook_requests_by_minute;
CREATE VIEW loader.incoming_webhook_requests_by_day AS SELECT * FROM loader.stored_incoming_webhook_requests_by_day;
CREATE VIEW loader.incoming_webhook_requests_by_minute AS SELECT * FROM loader.stored_incoming_webhook_requests_by_minute;

-- One row. Of what was from before `gone_before` some has been deleted, so none of it is shown again, whatever is set later.
CREATE TABLE retention (gone_before TIMESTAMP);
INSERT INTO retention VALUES (NULL);

-- What calls of before add up to, by day of UTC and by whom they were for: caps that count since ever count them, too. Written
-- on the day on which its rows are hidden.
CREATE TABLE stored_past_calls (
  org_id VARCHAR NOT NULL,
  started_at TIMESTAMP NOT NULL,
  campaign_id VARCHAR,
  publisher_id VARCHAR,
  target_id VARCHAR,
  rtb_id VARCHAR,
  buyer_id VARCHAR,
  calls BIGINT NOT NULL,
  connected BIGINT NOT NULL,
  converted BIGINT NOT NULL,
  receivable BIGINT NOT NULL,
  revenue DECIMAL(18, 4),
  payout DECIMAL(18, 4)
);
CREATE VIEW past_calls AS SELECT * FROM stored_past_calls WHERE false;
