-- What api processes tell each other about pings while they answer them. Of the moment: it is not logged, and a server
-- that crashes forgets it, as a process that shares with nobody forgets what it counts.
CREATE UNLOGGED TABLE rtb_notices (
  process TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  org_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  -- Tells apart what a process says of one thing; of one slot the newest stands.
  slot TEXT COLLATE "C" NOT NULL,
  value TEXT NOT NULL,
  expires_at TEXT COLLATE "C" NOT NULL,
  -- Rises with every telling, in the order in which they are committed: whoever has heard one has heard all before it.
  turn BIGINT NOT NULL,
  PRIMARY KEY (process, kind, org_id, id, slot)
);
CREATE INDEX rtb_notices_turn ON rtb_notices (turn);
CREATE INDEX rtb_notices_expires ON rtb_notices (expires_at);

-- Logged, unlike the table: it goes on after a crash, and nobody waits for turns that came before.
CREATE SEQUENCE rtb_notice_turns;
