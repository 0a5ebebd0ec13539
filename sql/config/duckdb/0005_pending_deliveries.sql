-- Deliveries of call events to customers' webhooks that wait: for another attempt, for room at their endpoint, or for
-- their webhook to be resumed. What was delivered at once never comes here.
CREATE TABLE pending_deliveries (
  id VARCHAR PRIMARY KEY,
  -- What all attempts of one delivery share, redeliveries too.
  delivery_id VARCHAR NOT NULL,
  org_id VARCHAR NOT NULL,
  webhook_id VARCHAR NOT NULL,
  call_id VARCHAR NOT NULL,
  -- The call's at the event: first attempts of one call to one webhook go in this order.
  version INTEGER NOT NULL,
  -- Origin of the address: deliveries to one share its places.
  endpoint VARCHAR NOT NULL,
  -- Whether somebody asked for it; and the redelivery of many that it belongs to.
  manual BOOLEAN NOT NULL,
  redelivery_id VARCHAR,
  event VARCHAR NOT NULL,
  -- Attempts made so far.
  attempt INTEGER NOT NULL,
  queued_at VARCHAR NOT NULL,
  due_at VARCHAR NOT NULL,
  -- Until then a process works on it; empty when none does.
  leased_until VARCHAR NOT NULL,
  -- While its webhook is paused.
  held BOOLEAN NOT NULL,
  -- No further attempt: what is left is to tell the log.
  ended BOOLEAN NOT NULL,
  -- The record of the last attempt, while the log may not have it yet.
  untold VARCHAR
);

-- Redeliveries of many: what was asked for, and how far it is.
CREATE TABLE webhook_redeliveries (
  id VARCHAR PRIMARY KEY,
  org_id VARCHAR NOT NULL,
  filter VARCHAR NOT NULL,
  state VARCHAR NOT NULL,
  count BIGINT NOT NULL,
  -- How many have been queued, delivered and failed for good.
  queued BIGINT NOT NULL,
  delivered BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  -- The last one that was queued, in the order in which they are.
  place VARCHAR,
  created_at VARCHAR NOT NULL,
  updated_at VARCHAR NOT NULL,
  leased_until VARCHAR NOT NULL
);
