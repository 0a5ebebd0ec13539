-- Config, and everything that changes by the call. Times are ISO 8601 text in UTC with milliseconds: they sort as times
-- do and read the same in every engine. JSON is kept as text, with its fields in the order in which they were written.

-- One row per config resource. `doc` is the resource with its pause state; the columns beside it are what is looked
-- up or must be unique. `unique_key` is what the resource's kind may have only once. `created_ms` is when it was made,
-- in milliseconds since 1970: lists go by it.
CREATE TABLE documents (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  external_id TEXT,
  unique_key TEXT,
  created_at TEXT NOT NULL,
  created_ms BIGINT NOT NULL,
  doc TEXT NOT NULL,
  PRIMARY KEY (type, id)
);
CREATE UNIQUE INDEX documents_external_id ON documents (org_id, type, external_id);
CREATE UNIQUE INDEX documents_unique_key ON documents (type, unique_key);
CREATE INDEX documents_listed ON documents (org_id, type, created_ms DESC, length(id) DESC, id DESC);

-- Which document names which: what is named cannot be deleted.
CREATE TABLE document_references (
  org_id TEXT NOT NULL,
  from_type TEXT NOT NULL,
  from_id TEXT NOT NULL,
  to_type TEXT NOT NULL,
  to_id TEXT NOT NULL
);
CREATE INDEX document_references_from ON document_references (from_type, from_id);
CREATE INDEX document_references_to ON document_references (to_type, to_id);

-- What a document has for itself alone among those of its kind, such as an active campaign its numbers.
CREATE TABLE exclusive_references (
  from_type TEXT NOT NULL,
  to_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  from_id TEXT NOT NULL,
  PRIMARY KEY (from_type, to_id)
);
CREATE INDEX exclusive_references_from ON exclusive_references (from_type, from_id);

-- Audit records written with the change that they tell of, until the log has taken them.
CREATE TABLE audit_outbox (
  id TEXT NOT NULL PRIMARY KEY,
  record TEXT NOT NULL
);

CREATE TABLE sequences (
  name TEXT NOT NULL PRIMARY KEY,
  value BIGINT NOT NULL
);

CREATE TABLE organizations (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  created_at TEXT NOT NULL
);

-- Only hashes of keys are kept; the prefix lets a person recognise a key.
CREATE TABLE api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  org_id TEXT NOT NULL,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  is_admin BOOLEAN NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT
);
CREATE INDEX api_keys_listed ON api_keys (org_id, created_at DESC, id DESC);

-- Calls that a switch still reports on: what the next instruction needs, for whichever process is asked.
CREATE TABLE open_calls (
  call_id TEXT NOT NULL PRIMARY KEY,
  org_id TEXT NOT NULL,
  campaign_id TEXT,
  version INTEGER NOT NULL,
  doc TEXT NOT NULL,
  -- Signals that the log may not have yet.
  untold TEXT,
  updated_at TEXT NOT NULL
);
CREATE INDEX open_calls_campaign ON open_calls (campaign_id);
CREATE INDEX open_calls_updated ON open_calls (updated_at);

-- What each call in progress holds of the concurrency of its destination, buyer, campaign and publisher. What is in use
-- is counted from these rows and kept nowhere else.
CREATE TABLE call_holds (
  call_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  held_at TEXT NOT NULL,
  PRIMARY KEY (call_id, kind, id)
);
CREATE INDEX call_holds_counted ON call_holds (org_id, kind, id);

-- Whoever takes one of a limited number changes this row first: so it counts what all before have taken.
CREATE TABLE hold_turns (
  org_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  turns BIGINT NOT NULL,
  PRIMARY KEY (org_id, kind, id)
);

-- When the totals that caps without a period count were last set back.
CREATE TABLE total_resets (
  org_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  reset_at TEXT NOT NULL,
  PRIMARY KEY (org_id, kind, id)
);

-- Numbers as pings were given them. A number of a pool has one row, with an empty slot: the ping that has it now, or had
-- it last. A receive number has a row for each caller, who is the slot. `caller` is who may call; null: anybody.
-- `released_at` is when the allocation ends, or ended: by itself, or earlier when the call came.
CREATE TABLE number_allocations (
  org_id TEXT NOT NULL,
  number TEXT NOT NULL,
  slot TEXT NOT NULL,
  caller TEXT,
  request_id TEXT NOT NULL,
  -- Which of the request's routes the number stands for, from 0.
  place INTEGER NOT NULL,
  released_at TEXT NOT NULL,
  -- The call that came for it.
  taken_by TEXT,
  PRIMARY KEY (org_id, number, slot)
);
CREATE INDEX number_allocations_released ON number_allocations (released_at) WHERE slot <> '';

-- What a ping was promised, for the call that may come: once for all numbers of its answer.
CREATE TABLE allocated_requests (
  request_id TEXT NOT NULL PRIMARY KEY,
  org_id TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL
);
CREATE INDEX allocated_requests_expires ON allocated_requests (expires_at);

-- Pings that wanted more numbers than a pool had, by the minute.
CREATE TABLE pool_exhaustions (
  org_id TEXT NOT NULL,
  pool_id TEXT NOT NULL,
  minute TEXT NOT NULL,
  pings BIGINT NOT NULL,
  PRIMARY KEY (org_id, pool_id, minute)
);

-- Deliveries of call events to customers' webhooks that wait: for another attempt, for room at their endpoint, or for
-- their webhook to be resumed. What was delivered at once never comes here.
CREATE TABLE pending_deliveries (
  id TEXT NOT NULL PRIMARY KEY,
  -- What all attempts of one delivery share, redeliveries too.
  delivery_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  -- The call's at the event: first attempts of one call to one webhook go in this order.
  version INTEGER NOT NULL,
  -- Origin of the address: deliveries to one share its places.
  endpoint TEXT NOT NULL,
  -- Whether somebody asked for it; and the redelivery of many that it belongs to.
  manual BOOLEAN NOT NULL,
  redelivery_id TEXT,
  event TEXT NOT NULL,
  -- Attempts made so far.
  attempt INTEGER NOT NULL,
  queued_at TEXT NOT NULL,
  due_at TEXT NOT NULL,
  -- Until then a process works on it; empty when none does.
  leased_until TEXT NOT NULL,
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
  id TEXT NOT NULL PRIMARY KEY,
  org_id TEXT NOT NULL,
  filter TEXT NOT NULL,
  state TEXT NOT NULL,
  count BIGINT NOT NULL,
  -- How many have been queued, delivered and failed for good.
  queued BIGINT NOT NULL,
  delivered BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  -- The last one that was queued, in the order in which they are.
  place TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  leased_until TEXT NOT NULL
);
CREATE INDEX webhook_redeliveries_running ON webhook_redeliveries (state) WHERE state = 'running';

-- What was made of each request of an incoming webhook that names its transaction: what is to be done, and the answer.
-- Until that is done somebody is at it, by `leased_until` at the latest; NULL: it is done, and the answer stands.
CREATE TABLE webhook_receipts (
  org_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  accepted_at TEXT NOT NULL,
  leased_until TEXT,
  doc TEXT NOT NULL,
  PRIMARY KEY (org_id, transaction_id)
);
CREATE INDEX webhook_receipts_accepted ON webhook_receipts (accepted_at);
CREATE INDEX webhook_receipts_leased ON webhook_receipts (leased_until) WHERE leased_until IS NOT NULL;

-- Tags for callers who had not called when they were sent: for the next call, until they expire.
CREATE TABLE caller_data (
  id TEXT NOT NULL PRIMARY KEY,
  org_id TEXT NOT NULL,
  -- E.164.
  caller TEXT NOT NULL,
  tags TEXT NOT NULL,
  received_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  -- The call that came for them.
  taken_by TEXT
);
CREATE INDEX caller_data_of_caller ON caller_data (org_id, caller);
CREATE INDEX caller_data_expires ON caller_data (expires_at);

-- What was made of each bulk adjustment of calls that names its transaction, as webhook_receipts.
CREATE TABLE adjustment_receipts (
  org_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  accepted_at TEXT NOT NULL,
  leased_until TEXT,
  doc TEXT NOT NULL,
  PRIMARY KEY (org_id, transaction_id)
);
CREATE INDEX adjustment_receipts_accepted ON adjustment_receipts (accepted_at);
CREATE INDEX adjustment_receipts_leased ON adjustment_receipts (leased_until) WHERE leased_until IS NOT NULL;

-- What analysts have asked the assistant: a session belongs to one user of one organization.
CREATE TABLE assistant_sessions (
  id TEXT NOT NULL PRIMARY KEY,
  org_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  title TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- Where it was last asked in, 'page' or 'api'; NULL: nobody knows.
  origin TEXT
);
CREATE INDEX assistant_sessions_of_user ON assistant_sessions (org_id, user_id, updated_at);
CREATE INDEX assistant_sessions_updated ON assistant_sessions (updated_at);

-- A question with its answer. `follows`: it was read together with the plan before it.
CREATE TABLE assistant_messages (
  id TEXT NOT NULL PRIMARY KEY,
  session_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  question TEXT NOT NULL,
  follows BOOLEAN NOT NULL,
  answer TEXT NOT NULL,
  -- Whether its answer was found useful; NULL: nobody has said.
  useful BOOLEAN,
  comment TEXT
);
CREATE INDEX assistant_messages_of_session ON assistant_messages (session_id, created_at, id);

-- Questions whose plans were found right, for whoever of the organization asks the same again.
CREATE TABLE approved_questions (
  org_id TEXT NOT NULL,
  -- Of the question without capitals and punctuation, in hex.
  question_sha256 TEXT NOT NULL,
  -- The plan, its period in words.
  doc TEXT NOT NULL,
  approved_at TEXT NOT NULL,
  -- As it was asked, and the user who found its answer right; NULL: nobody knows.
  question TEXT,
  approved_by TEXT,
  PRIMARY KEY (org_id, question_sha256)
);

-- Questions that analysts have saved with their plans, for all of their organization: people and systems with a key.
CREATE TABLE saved_questions (
  id TEXT NOT NULL PRIMARY KEY,
  org_id TEXT NOT NULL,
  name TEXT NOT NULL,
  -- The user who saved it.
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- What was asked, and its plan: with its period in words, or with the dates that it was given.
  doc TEXT NOT NULL
);
CREATE INDEX saved_questions_of_org ON saved_questions (org_id, created_at, id);
