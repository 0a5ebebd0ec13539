-- What was offered, withheld and asked behind each RTB record, and the way of each call. Rows that are older than a
-- column have it empty. JSON that records keep whole: it is opened one row at a time, and analysts do not see it.

ALTER TABLE inbound_rtb_requests ADD COLUMN eligible_routes JSON;
ALTER TABLE inbound_rtb_requests ADD COLUMN ineligible_routes JSON;
ALTER TABLE inbound_rtb_requests ADD COLUMN allocations JSON;
ALTER TABLE inbound_rtb_requests ADD COLUMN life_log JSON;

ALTER TABLE outbound_rtb_requests ADD COLUMN steps JSON;

-- The terms that a call is settled on, so that its timeline can tell by which rule it converted.
ALTER TABLE calls ADD COLUMN terms JSON;

CREATE TABLE call_traces (
  org_id VARCHAR NOT NULL,
  occurred_at TIMESTAMP NOT NULL,
  id VARCHAR NOT NULL,
  call_id VARCHAR NOT NULL,
  event VARCHAR NOT NULL,
  detail JSON
);
