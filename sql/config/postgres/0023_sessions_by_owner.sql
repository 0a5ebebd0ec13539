-- A session's name is its owner's own: another user's session may have the same.
ALTER TABLE assistant_sessions DROP CONSTRAINT assistant_sessions_pkey;
ALTER TABLE assistant_sessions ADD PRIMARY KEY (org_id, user_id, id);

DROP INDEX assistant_messages_of_session;
CREATE INDEX assistant_messages_of_session ON assistant_messages (org_id, user_id, session_id, created_at, id);
