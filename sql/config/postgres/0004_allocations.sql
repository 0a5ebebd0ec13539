-- Numbers as pings were given them. A number of a pool has one row, with an empty slot: the ping that has it now, or had
-- it last. A receive number has a row for each caller, who is the slot. `caller` is who may call; null: anybody.
-- `released_at` is when the allocation ends, or ended: by itself, or earlier when the call came.
CREATE TABLE number_allocations (
  org_id TEXT COLLATE "C" NOT NULL,
  number TEXT COLLATE "C" NOT NULL,
  slot TEXT COLLATE "C" NOT NULL,
  caller TEXT COLLATE "C",
  request_id TEXT COLLATE "C" NOT NULL,
  -- Which of the request's routes the number stands for, from 0.
  place INTEGER NOT NULL,
  released_at TEXT COLLATE "C" NOT NULL,
  -- The call that came for it.
  taken_by TEXT COLLATE "C",
  PRIMARY KEY (org_id, number, slot)
);
CREATE INDEX number_allocations_released ON number_allocations (released_at) WHERE slot <> '';

-- What a ping was promised, for the call that may come: once for all numbers of its answer.
CREATE TABLE allocated_requests (
  request_id TEXT COLLATE "C" PRIMARY KEY,
  org_id TEXT COLLATE "C" NOT NULL,
  expires_at TEXT COLLATE "C" NOT NULL,
  doc JSON NOT NULL
);
CREATE INDEX allocated_requests_expires ON allocated_requests (expires_at);

-- Pings that wanted more numbers than a pool had, by the minute.
CREATE TABLE pool_exhaustions (
  org_id TEXT COLLATE "C" NOT NULL,
  pool_id TEXT COLLATE "C" NOT NULL,
  minute TEXT COLLATE "C" NOT NULL,
  pings BIGINT NOT NULL,
  PRIMARY KEY (org_id, pool_id, minute)
);
