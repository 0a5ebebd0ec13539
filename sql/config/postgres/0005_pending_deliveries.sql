-- Deliveries of call events to customers' webhooks that wait: for another attempt, for room at their endpoint, or for
-- their webhook to be resumed. What was delivered at once never comes here.
CREATE TABLE pending_deliveries (
  id TEXT COLLATE "C" PRIMARY KEY,
  -- What all attempts of one delivery share, redeliveries too.
  delivery_id TEXT COLLATE "C" NOT NULL,
  org_id TEXT COLLATE "C" NOT NULL,
  webhook_id TEXT COLLATE "C" NOT NULL,
  call_id TEXT COLLATE "C" NOT NULL,
  -- The call's at the event: first attempts of one call to one webhook go in this order.
  version INTEGER NOT NULL,
  -- Origin of the address: deliveries to one share its places.
  endpoint TEXT COLLATE "C" NOT NULL,
  -- Whether somebody asked for it; and the redelivery of many that it belongs to.
  manual BOOLEAN NOT NULL,
  redelivery_id TEXT COLLATE "C",
  event TEXT NOT NULL,
  -- Attempts made so far.
  attempt INTEGER NOT NULL,
  queued_at TEXT COLLATE "C" NOT NULL,
  due_at TEXT COLLATE "C" NOT NULL,
  -- Until then a process works on it; empty when none does.
  leased_until TEXT COLLATE "C" NOT NULL,
  -- While its webhook is paused.
  held BOOLEAN NOT NULL,
  -- No further attempt: what is left is to tell the log.
  ended BOOLEAN NOT NULL,
  -- The record of the last attempt, while the log may not have it yet.
  untold TEXT
);
CREATE INDEX pending_deliveries_due ON pending_deliveries (due_at) WHERE NOT held;
CREATE INDEX pending_deliveries_first ON pending_deliveries (webhook_id, call_id, version) WHERE attempt = 0 AND NOT manual;
CREATE INDEX pending_deliveries_held ON pending_deliveries (webhook_id) WHERE held;
CREATE INDEX pending_deliveries_queued ON pending_deliveries (queued_at);
CREATE INDEX pending_deliveries_redelivery ON pending_deliveries (redelivery_id) WHERE redelivery_id IS NOT NULL;

-- Redeliveries of many: what was asked for, and how far it is.
CREATE TABLE webhook_redeliveries (
  id TEXT COLLATE "C" PRIMARY KEY,
  org_id TEXT COLLATE "C" NOT NULL,
  filter TEXT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  count BIGINT NOT NULL,
  -- How many have been queued, delivered and failed for good.
  queued BIGINT NOT NULL,
  delivered BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  -- The last one that was queued, in the order in which they are.
  place TEXT COLLATE "C",
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL,
  leased_until TEXT COLLATE "C" NOT NULL
);
CREATE INDEX webhook_redeliveries_running ON webhook_redeliveries (state) WHERE state = 'running';
