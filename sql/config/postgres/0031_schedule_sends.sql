-- Answers of schedules that each organization has had sent in an hour, by hand and by the clock.
CREATE TABLE schedule_sends (
  org_id TEXT COLLATE "C" NOT NULL,
  -- schedule or manual.
  triggered_by TEXT COLLATE "C" NOT NULL,
  -- Hours since 1970: the count is that of the latest in which anything was sent.
  hour INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  PRIMARY KEY (org_id, triggered_by)
);
