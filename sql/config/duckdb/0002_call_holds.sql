-- What each call in progress holds of the concurrency of its destination, buyer, campaign and publisher. What is in use
-- is counted from these rows and kept nowhere else.
CREATE TABLE call_holds (
  call_id VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  id VARCHAR NOT NULL,
  org_id VARCHAR NOT NULL,
  held_at VARCHAR NOT NULL,
  PRIMARY KEY (call_id, kind, id)
);

-- Whoever takes one of a limited number changes this row first: so it counts what all before have taken.
CREATE TABLE hold_turns (
  org_id VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  id VARCHAR NOT NULL,
  turns BIGINT NOT NULL,
  PRIMARY KEY (org_id, kind, id)
);

-- When the totals that caps without a period count were last set back.
CREATE TABLE total_resets (
  org_id VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  id VARCHAR NOT NULL,
  reset_at VARCHAR NOT NULL,
  PRIMARY KEY (org_id, kind, id)
);
