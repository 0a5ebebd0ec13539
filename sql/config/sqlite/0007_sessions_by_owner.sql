-- A session's name is its owner's own: another user's session may have the same.
CREATE TABLE sessions_by_owner (
  id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  title TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- Where it was last asked in, 'page' or 'api'; NULL: nobody knows.
  origin TEXT,
  PRIMARY KEY (org_id, user_id, id)
);
INSERT INTO sessions_by_owner (id, org_id, user_id, title, created_at, updated_at, origin)
SELECT id, org_id, user_id, title, created_at, updated_at, origin FROM assistant_sessions;
DROP TABLE assistant_sessions;
ALTER TABLE sessions_by_owner RENAME TO assistant_sessions;
CREATE INDEX assistant_sessions_of_user ON assistant_sessions (org_id, user_id, updated_at);
CREATE INDEX assistant_sessions_updated ON assistant_sessions (updated_at);

DROP INDEX assistant_messages_of_session;
CREATE INDEX assistant_messages_of_session ON assistant_messages (org_id, user_id, session_id, created_at, id);
