-- How many requests an organization's histories have in each day and each minute since 1970: so a list knows how many
-- there are, and when those of a page were made. Written in the transaction that stores the requests; days stand beside
-- minutes so that a list of years reads some hundred counts and not some hundred thousand.

CREATE TABLE loader.outgoing_webhook_requests_by_day (
  org_id VARCHAR NOT NULL,
  slot BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (org_id, slot)
);
CREATE TABLE loader.outgoing_webhook_requests_by_minute (
  org_id VARCHAR NOT NULL,
  slot BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (org_id, slot)
);
CREATE TABLE loader.incoming_webhook_requests_by_day (
  org_id VARCHAR NOT NULL,
  slot BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (org_id, slot)
);
CREATE TABLE loader.incoming_webhook_requests_by_minute (
  org_id VARCHAR NOT NULL,
  slot BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (org_id, slot)
);

INSERT INTO loader.outgoing_webhook_requests_by_day
  SELECT org_id, epoch_ms(created_at) // 86400000 AS slot, count(*) FROM outgoing_webhook_requests GROUP BY org_id, slot;
INSERT INTO loader.outgoing_webhook_requests_by_minute
  SELECT org_id, epoch_ms(created_at) // 60000 AS slot, count(*) FROM outgoing_webhook_requests GROUP BY org_id, slot;
INSERT INTO loader.incoming_webhook_requests_by_day
  SELECT org_id, epoch_ms(created_at) // 86400000 AS slot, count(*) FROM incoming_webhook_requests GROUP BY org_id, slot;
INSERT INTO loader.incoming_webhook_requests_by_minute
  SELECT org_id, epoch_ms(created_at) // 60000 AS slot, count(*) FROM incoming_webhook_requests GROUP BY org_id, slot;
