-- How many calls an organization has in each day and each minute since 1970, by when they came in: as the histories'
-- requests are counted, in a column of the same name. A later version of a call is the same call, and counts no more.

CREATE TABLE loader.calls_by_day (
  org_id VARCHAR NOT NULL,
  slot BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (org_id, slot)
);
CREATE TABLE loader.calls_by_minute (
  org_id VARCHAR NOT NULL,
  slot BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (org_id, slot)
);

INSERT INTO loader.calls_by_day
  SELECT org_id, epoch_ms(started_at) // 86400000 AS slot, count(*) FROM calls GROUP BY org_id, slot;
INSERT INTO loader.calls_by_minute
  SELECT org_id, epoch_ms(started_at) // 60000 AS slot, count(*) FROM calls GROUP BY org_id, slot;
