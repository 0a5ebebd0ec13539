-- Numbers as pings were given them. A number of a pool has one row, with an empty slot: the ping that has it now, or had
-- it last. A receive number has a row for each caller, who is the slot. `caller` is who may call; null: anybody.
-- `released_at` is when the allocation ends, or ended: by itself, or earlier when the call came.
CREATE TABLE number_allocations (
  org_id VARCHAR NOT NULL,
  number VARCHAR NOT NULL,
  slot VARCHAR NOT NULL,
  caller VARCHAR,
  request_id VARCHAR NOT NULL,
  -- Which of the request's routes the number stands for, from 0.
  place INTEGER NOT NULL,
  released_at VARCHAR NOT NULL,
  -- The call that came for it.
  taken_by VARCHAR,
  PRIMARY KEY (org_id, number, slot)
);

-- What a ping was promised, for the call that may come: once for all numbers of its answer.
CREATE TABLE allocated_requests (
  request_id VARCHAR PRIMARY KEY,
  org_id VARCHAR NOT NULL,
  expires_at VARCHAR NOT NULL,
  doc JSON NOT NULL
);

-- Pings that wanted more numbers than a pool had, by the minute.
CREATE TABLE pool_exhaustions (
  org_id VARCHAR NOT NULL,
  pool_id VARCHAR NOT NULL,
  minute VARCHAR NOT NULL,
  pings BIGINT NOT NULL,
  PRIMARY KEY (org_id, pool_id, minute)
);
